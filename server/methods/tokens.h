/// The legend of semantic tokens.
#ifndef RLX_SERVER_TOKENS_H
#define RLX_SERVER_TOKENS_H

#include "base/json.h"

/// Writes SemanticTokensOptions: the legend and what is provided.
void rlx_write_token_legend(RlxJson *json);

#endif
