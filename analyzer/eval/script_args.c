/// Arguments of functions of T in Relax functions (`T.max(n, 4)` in a shape), held against the
/// parameters that the functions have in TVM.
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/words/script_names.h"

/// What is wrong with the arguments of a call, as Python binds them.
typedef struct Misbound {
  RlxDiagId id;       ///< 0: nothing
  const char *name;   ///< of the parameter, or of the keyword
  int most, given;    ///< positional arguments
  const RlxPyArg *at; ///< the argument; NULL: the call
} Misbound;

static Misbound misbound(RlxEval *e, const RlxPyArgs *args, const RlxScriptName *row) {
  RlxScriptSignature s;
  const Misbound none = {0};
  int given = 0;
  if (row->how == RLX_SCRIPT_OTHER || !rlx_script_signature(row->params, &s)) return none;
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxPyArg *arg = &args->at[i];
    if (!arg->keyword) {
      if (given < s.positional) s.at[given].is_given = true;
      given++;
      continue;
    }
    const char *name = rlx_store_text(e->store, arg->keyword);
    if (row->how != RLX_SCRIPT_CALL && strcmp(name, "dtype") == 0) return none;
    int k = 0;
    while (k < s.count && strcmp(s.at[k].name, name) != 0) k++;
    if (k < s.count)
      s.at[k].is_given = true;
    else if (!s.takes_any_keyword && strcmp(name, "span") != 0)
      return (Misbound){RLX_DIAG_ID(ARGUMENT_UNKNOWN), name, 0, 0, arg};
  }
  if (given > s.positional && !s.takes_more)
    return (Misbound){RLX_DIAG_ID(ARGUMENT_COUNT), "", s.positional, given,
                      &args->at[s.positional]};
  for (int i = 0; i < s.count; i++)
    if (!s.at[i].is_given && !s.at[i].may_be_left_out)
      return (Misbound){RLX_DIAG_ID(ARGUMENT_MISSING), rlx_arena_strdup(e->arena, s.at[i].name), 0,
                        0, NULL};
  return none;
}

void rlx_check_script_args(RlxEval *e, const char *path, const RlxPyArgs *args, RlxSpan span) {
  static const RlxDialect dialects[] = {RLX_DIALECT_025, RLX_DIALECT_027};
  Misbound m = {0};
  if (strncmp(path, "T.", 2) != 0 || !e->fn || e->fn->kind != RLX_ISLAND_RELAX || args->is_unknown)
    return;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
    if (!rlx_fn_may_be(e->fn, dialects[i])) continue;
    const RlxScriptName *row = rlx_script_name(path + 2, dialects[i]);
    if (!row) return;
    m = misbound(e, args, row);
    if (!m.id) return;
  }
  if (m.at) span = m.id == RLX_DIAG_ID(ARGUMENT_UNKNOWN) ? m.at->keyword_span : m.at->span;
  if (m.id == RLX_DIAG_ID(ARGUMENT_COUNT))
    rlx_eval_report(e, m.id, span, "siis", path, m.most, m.given, m.most == 1 ? "" : "s");
  else if (m.id == RLX_DIAG_ID(ARGUMENT_UNKNOWN))
    rlx_eval_report(e, m.id, span, "sss", path, m.name, "");
  else if (m.id)
    rlx_eval_report(e, m.id, span, "ss", path, m.name);
}
