/// Parts of the JSON contracts (spec 5) that several commands write: StructInfo as data, ranges,
/// bindings.
#ifndef RLX_SERVER_SCRIPT_JSON_H
#define RLX_SERVER_SCRIPT_JSON_H

#include "analyzer/ask/why.h"
#include "analyzer/syntax/document.h"
#include "base/json.h"

/// StructInfo as data, in the schema of the Relax goldens.
void rlx_json_sinfo(RlxJson *json, const RlxStore *store, const RlxSInfo *sinfo);
/// StructInfo as the script spells it.
void rlx_json_sinfo_text(RlxJson *json, const RlxStore *store, const RlxSInfo *sinfo);
/// A place as the JSON has it: from 0, in UTF-16 units (in the protocol, the client's).
typedef struct RlxScriptPlace {
  uint32_t line, character;
} RlxScriptPlace;
void rlx_json_place(RlxJson *json, RlxScriptPlace at);
void rlx_json_places(RlxJson *json, RlxScriptPlace start, RlxScriptPlace end); ///< a range
RlxScriptPlace rlx_script_place(const RlxDocument *document, uint32_t offset);
/// The same in a text without a document.
RlxScriptPlace rlx_text_place(const char *text, const RlxLines *lines, uint32_t offset);
void rlx_json_text_range(RlxJson *json, const char *text, const RlxLines *lines, RlxSpan span);
/// {"start": {"line", "character"}, "end": …}: from 0, UTF-16 units.
void rlx_json_range(RlxJson *json, const RlxDocument *document, RlxSpan span);
/// The steps of a derivation: [{"depth", "kind", "role", "name", "struct_info", "operator", "note",
/// "range"}], what a step does not have left out.
void rlx_json_why(RlxJson *json, const RlxStore *store, const RlxDocument *document,
                  const RlxWhySteps *steps);

#endif
