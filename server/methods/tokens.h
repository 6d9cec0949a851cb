/// Semantic tokens: the legend, and what edits do to those that were answered.
#ifndef RLX_SERVER_TOKENS_H
#define RLX_SERVER_TOKENS_H

#include "server/session/session.h"

/// Writes SemanticTokensOptions: the legend and what is provided.
void rlx_write_token_legend(RlxJson *json);

/// After an edit whose text stands in `span` now: `lines` more than before.
void rlx_tokens_edited(RlxOpenFile *file, RlxSpan span, int64_t lines);

#endif
