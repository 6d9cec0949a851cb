/// A call that R.emit_te makes of a function of tvm.topi: whether there is such a function, and whether Python binds the arguments to
/// its parameters.
/// Always true: what topi itself makes of the values is not asked here.
#include "analyzer/eval/topi_call.h"

#include <string.h>

#include "base/nearest.h"

static const RlxScriptName names[] = {
#define RLX_TOPI_NAME(name, since, until, how, params)                                             \
  {name, params, RLX_DIALECT_##since, RLX_DIALECT_##until, RLX_SCRIPT_##how},
#include "analyzer/eval/topi_names.def"
#undef RLX_TOPI_NAME
};

enum { NAMES = sizeof names / sizeof *names };

/// Whether the rows hold all names that stand where `name` does: behind `topi.`, `topi.nn.` and so on.
static bool is_covered(const char *name) {
  static const char *const spaces[] = {"nn.", "image.", "vision."};
  if (!strchr(name, '.')) return true;
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    const size_t size = strlen(spaces[i]);
    if (strncmp(name, spaces[i], size) == 0) return !strchr(name + size, '.');
  }
  return false;
}

static RlxDiag *report_missing(RlxSink *sink, const RlxTopiCall *call) {
  RlxNearest nearest = rlx_nearest_start(call->name);
  for (size_t i = 0; i < NAMES; i++)
    if (names[i].since <= call->dialect && call->dialect <= names[i].until)
      rlx_nearest_try(&nearest, names[i].name);
  return rlx_reportf(
      sink, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), call->func, "ss",
      rlx_arena_printf(sink->arena, "topi.%s", call->name),
      nearest.best ? rlx_arena_printf(sink->arena, "; did you mean `topi.%s`?", nearest.best) : "");
}

RlxDiag *rlx_topi_check(RlxSink *sink, const RlxTopiCall *call) {
  const char *what = rlx_arena_printf(sink->arena, "topi.%s", call->name);
  RlxScriptBinding binding;
  bool is_there = false;
  if (!rlx_script_names_cover(call->dialect) || !is_covered(call->name)) return NULL;
  for (size_t i = 0; i < NAMES; i++) {
    const RlxScriptName *row = &names[i];
    if (strcmp(row->name, call->name) != 0) continue;
    is_there = true;
    if (row->since > call->dialect || row->until < call->dialect) continue;
    if (!rlx_script_bind(row, call->args, call->count, &binding)) return NULL;
    return rlx_script_bind_report(sink, &binding, what,
                                  binding.at >= 0 ? call->places[binding.at] : call->span);
  }
  return is_there ? NULL : report_missing(sink, call);
}
