/// The table of primitives: rows of primitives.def.
#include "analyzer/schedule/schedule_impl.h"
#include "base/nearest.h"

#include <string.h>

#define REQUIRED(param, takes) {#param, RLX_TAKES_##takes, false, false},
#define OPTIONAL(param, takes) {#param, RLX_TAKES_##takes, true, false},
#define NONE_OR(param, takes)  {#param, RLX_TAKES_##takes, false, true},
#define NULLABLE(param, takes) {#param, RLX_TAKES_##takes, true, true},
enum { ASKS = 1, KEEPS, MOVES };
#define RLX_PRIMITIVE(name, run, kind, parameters, doc, example)                                   \
  {#name, rlx_primitive_##run, {parameters}, (kind) == ASKS, (kind) == MOVES, doc, example},
static const RlxPrimitive rows[] = {
#include "analyzer/schedule/primitives.def"
};
#undef RLX_PRIMITIVE
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const RlxPrimitive *rlx_primitive_at(int i) { return i >= 0 && i < ROW_COUNT ? &rows[i] : NULL; }

static bool run_unknown(RlxScheduleCall *c) {
  RlxNearest nearest = rlx_nearest_start(c->primitive->name);
  for (int i = 0; i < ROW_COUNT; i++) rlx_nearest_try(&nearest, rows[i].name);
  const char *hint = c->primitive->doc ? c->primitive->doc
                     : nearest.best
                         ? rlx_arena_printf(c->s->arena, "; did you mean `%s`?", nearest.best)
                         : "";
  return rlx_schedule_refuse(c, RLX_DIAG_ID(UNKNOWN_PRIMITIVE), NULL, "ss", c->primitive->name,
                             hint);
}

const RlxPrimitive *rlx_primitive_unknown(RlxArena *arena, const char *name, bool is_function) {
  RlxPrimitive *out = rlx_arena_one(arena, RlxPrimitive);
  *out = (RlxPrimitive){.name = rlx_arena_strdup(arena, name), .run = run_unknown};
  if (is_function)
    out->doc = "; a function of Python is not run here: what it does has to stand in the trace";
  return out;
}

const RlxPrimitive *rlx_primitive_find(const char *name) {
  for (int i = 0; i < ROW_COUNT; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

// ---- what a trace has of Python besides calls (rounds.c)

static bool run_let(RlxScheduleCall *c) {
  c->result = c->args[0];
  return true;
}

/// A loop or `if` that nobody wrote out (rlx_trace_apply).
static bool run_for(RlxScheduleCall *c) {
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", c->primitive->name,
                             "it is not written out");
}

static const RlxPrimitive let_row = {.name = "let",
                                     .run = run_let,
                                     .params = {{"value", RLX_TAKES_ANY, false, true}},
                                     .is_query = true},
                          for_row = {.name = "for",
                                     .run = run_for,
                                     .params = {{"items", RLX_TAKES_ANY, false, true}},
                                     .is_query = true},
                          if_row = {.name = "if",
                                    .run = run_for,
                                    .params = {{"condition", RLX_TAKES_ANY, false, true}},
                                    .is_query = true};

const RlxPrimitive *rlx_primitive_let(void) { return &let_row; }
const RlxPrimitive *rlx_primitive_for(void) { return &for_row; }
const RlxPrimitive *rlx_primitive_if(void) { return &if_row; }

void rlx_primitive_signature(const RlxPrimitive *p, RlxBuf *out) {
  rlx_buf_printf(out, "%s(", p->name);
  for (int i = 0; i < rlx_primitive_param_count(p); i++)
    rlx_buf_printf(out, "%s%s%s", i ? ", " : "", p->params[i].name,
                   p->params[i].is_optional ? "=…" : "");
  rlx_buf_putc(out, ')');
}

const char *rlx_primitive_misfit(RlxArena *arena, const RlxPrimitive *p, const char *what) {
  RlxBuf out = {0};
  rlx_buf_printf(&out, "%s: ", what);
  rlx_primitive_signature(p, &out);
  const char *text = rlx_arena_strdup(arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return text;
}

void rlx_primitive_page(const RlxPrimitive *p, RlxBuf *out) {
  rlx_buf_puts(out, "sch.");
  rlx_primitive_signature(p, out);
  rlx_buf_printf(out, "   schedule primitive%s\n\n", p->is_query ? ", asks only" : "");
  rlx_buf_put_wrapped(out, p->doc, 2, 100);
  int count = rlx_primitive_param_count(p), width = 0;
  for (int i = 0; i < count; i++)
    if (width < (int)strlen(p->params[i].name)) width = (int)strlen(p->params[i].name);
  rlx_buf_puts(out, "\nparameters\n");
  for (int i = 0; i < count; i++)
    rlx_buf_printf(out, "  %-*s  %s%s\n", width, p->params[i].name,
                   rlx_takes_words((RlxTakes)p->params[i].takes),
                   p->params[i].is_none ? ", or None" : "");
  rlx_buf_printf(out, "\nexample\n    %s\n", p->example);
}
