/// Python's binding of the arguments of a call to the parameters of a function of T, with what TVM's
/// wrappers do before it: a keyword `dtype` becomes the first argument or is dropped.
///
/// Source: TVM v0.25 and v0.27, script/ir_builder/tir/ir.py (_dtype_forward, _op_wrapper).
#include "analyzer/words/script_bind.h"

#include <string.h>

#include "base/nearest.h"

static bool is_dtype(const RlxScriptName *row, const RlxScriptArg *arg) {
  return row->how != RLX_SCRIPT_CALL && arg->keyword && strcmp(arg->keyword, "dtype") == 0;
}

static int place_of(const RlxScriptSignature *params, const char *name) {
  for (int i = 0; i < params->count; i++)
    if (strcmp(params->at[i].name, name) == 0) return i;
  return -1;
}

static void fail(RlxScriptBinding *out, RlxScriptFault fault, int at, const char *name) {
  out->fault = fault;
  out->at = at;
  out->name = name;
}

/// Those by position, and a keyword `dtype` that goes before them. `takes_span`: one more may be None.
static void bind_positional(const RlxScriptName *row, const RlxScriptArg *args, int count,
                            bool takes_span, RlxScriptBinding *out) {
  const int most = out->params.positional;
  int given = 0, last = -1;
  for (int i = 0; i < count && !given && row->how == RLX_SCRIPT_FIRST; i++)
    if (is_dtype(row, &args[i]) && given++ < most) out->argument[0] = i + 1;
  for (int i = 0; i < count; i++) {
    if (args[i].keyword) continue;
    if (given < most) out->argument[given] = i + 1;
    given++;
    last = i;
  }
  const bool is_span = takes_span && last >= 0 && args[last].is_none;
  if (given - is_span <= most || out->params.takes_more) return;
  fail(out, RLX_SCRIPT_TOO_MANY, -1, NULL);
  out->most = most;
  out->given = given;
}

static void bind_keywords(const RlxScriptName *row, const RlxScriptArg *args, int count,
                          bool takes_span, RlxScriptBinding *out) {
  for (int i = 0; i < count; i++) {
    const char *keyword = args[i].keyword;
    if (!keyword || is_dtype(row, &args[i])) continue;
    if (takes_span && args[i].is_none && strcmp(keyword, "span") == 0) continue;
    const int place = place_of(&out->params, keyword);
    if (place < 0 && out->params.takes_any_keyword) continue;
    if (place < 0 || out->argument[place]) {
      fail(out, place < 0 ? RLX_SCRIPT_UNKNOWN : RLX_SCRIPT_TWICE, i, keyword);
      return;
    }
    out->argument[place] = i + 1;
  }
}

bool rlx_script_bind(const RlxScriptName *row, const RlxScriptArg *args, int count,
                     RlxScriptBinding *out) {
  *out = (RlxScriptBinding){.at = -1};
  if (row->how == RLX_SCRIPT_OTHER || !rlx_script_signature(row->params, &out->params))
    return false;
  const bool takes_span = rlx_script_name_takes_span(row->name);
  bind_positional(row, args, count, takes_span, out);
  if (!out->fault) bind_keywords(row, args, count, takes_span, out);
  for (int i = 0; i < out->params.count && !out->fault; i++)
    if (!out->argument[i] && !out->params.at[i].may_be_left_out)
      fail(out, RLX_SCRIPT_MISSING, -1, out->params.at[i].name);
  return true;
}

/// The parameter whose name is nearest to the keyword that is unknown, or NULL.
static const char *nearest_of(const RlxScriptBinding *b) {
  RlxNearest nearest = rlx_nearest_start(b->name);
  for (int i = 0; i < b->params.count; i++) rlx_nearest_try(&nearest, b->params.at[i].name);
  return nearest.best;
}

RlxDiag *rlx_script_bind_report(RlxSink *sink, const RlxScriptBinding *b, const char *what,
                                RlxSpan span) {
  const char *nearest = b->fault == RLX_SCRIPT_UNKNOWN ? nearest_of(b) : NULL;
  switch (b->fault) {
  case RLX_SCRIPT_TOO_MANY:
    return rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_COUNT), span, "siis", what, b->most, b->given,
                       b->most == 1 ? "" : "s");
  case RLX_SCRIPT_UNKNOWN:
    return rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_UNKNOWN), span, "sss", what, b->name,
                       nearest ? rlx_arena_printf(sink->arena, "; did you mean `%s`?", nearest)
                               : "");
  case RLX_SCRIPT_TWICE:
    return rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_TWICE), span, "ss", what, b->name);
  case RLX_SCRIPT_MISSING:
    return rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", what, b->name);
  case RLX_SCRIPT_BINDS: break;
  }
  return NULL;
}
