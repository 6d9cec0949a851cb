/// `rlx infer --why NAME`: derivations of StructInfos as text or JSON.
#ifndef RLX_CLI_WHY_H
#define RLX_CLI_WHY_H

#include "analyzer/ask/why.h"
#include "base/json.h"

/// Writes why each thing named `name` in `file` has its StructInfo: text, or the members of a JSON
/// list. Returns their number.
uint32_t rlx_why_write(RlxFile *file, RlxStore *store, const char *name, bool as_text,
                       RlxJson *json);

#endif
