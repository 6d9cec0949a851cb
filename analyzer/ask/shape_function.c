/// Writes a shape function: parameters become shapes, the result its dimensions over them. See
/// shape_function.h.
#include "analyzer/ask/shape_function.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"

#include <stdio.h>
#include <string.h>

enum { SYMBOLS_MAX = 64, FIELDS_MAX = 32, NODES_MAX = 4096 };

/// What a value of StructInfo `s` is to a shape function: a shape, a number, a tuple of them; NULL:
/// nothing.
static const RlxSInfo *shape_of(RlxStore *store, const RlxSInfo *s) {
  if (s->nodes > NODES_MAX) return NULL;
  switch ((RlxSInfoKind)s->kind) {
  case RLX_SINFO_TENSOR:
  case RLX_SINFO_SHAPE: return s->dims ? rlx_sinfo_shape(store, s->dims, s->ndim) : NULL;
  case RLX_SINFO_PRIM: return s->value ? s : NULL;
  case RLX_SINFO_TUPLE: {
    const RlxSInfo *fields[FIELDS_MAX];
    if (s->count > FIELDS_MAX) return NULL;
    for (int32_t i = 0; i < s->count; i++)
      if (!(fields[i] = shape_of(store, s->fields[i]))) return NULL;
    return rlx_sinfo_tuple(store, fields, s->count);
  }
  case RLX_SINFO_DTENSOR:
  case RLX_SINFO_OBJECT:
  case RLX_SINFO_FUNC:
  case RLX_SINFO_EXTENSION: break;
  }
  return NULL;
}

static bool are_bound(const RlxSInfo *s, const RlxSymVar *const *bare, int count) {
  const RlxSymVar *vars[SYMBOLS_MAX];
  int used = 0;
  rlx_sinfo_vars(s, vars, &used, SYMBOLS_MAX);
  for (int i = 0; i < used; i++) {
    bool found = false;
    for (int k = 0; k < count && !found; k++) found = bare[k] == vars[i];
    if (!found || vars[i]->is_relax) return false;
  }
  return used < SYMBOLS_MAX;
}

typedef struct Extract {
  const RlxFn *fn;
  const RlxSInfo **params; ///< NULL at i: left out
  const RlxSInfo *result;
} Extract;

/// What the shape function takes and gives; false: there is none.
static bool extract(RlxFile *file, const RlxStmt *def, RlxArena *arena, Extract *out) {
  rlx_file_analyze(file, NULL);
  const RlxAnalysis *unit = def->analysis;
  const RlxFn *fn = out->fn = unit ? unit->fn : NULL;
  if (!fn || fn->kind != RLX_ISLAND_RELAX || !fn->function.ret) return false;
  const RlxFunction *f = &fn->function;
  out->result = shape_of(file->store, f->ret);
  if (!out->result) return false;
  const RlxSymVar *bare[SYMBOLS_MAX];
  int bare_count = 0;
  out->params = rlx_arena_array(arena, const RlxSInfo *, f->param_count ? f->param_count : 1);
  for (uint32_t i = 0; i < f->param_count; i++) {
    out->params[i] = shape_of(file->store, f->params[i]->sinfo);
    if (out->params[i]) rlx_sinfo_bare_vars(out->params[i], bare, &bare_count, SYMBOLS_MAX);
  }
  for (uint32_t i = 0; i < f->param_count; i++)
    if (out->params[i] && !are_bound(out->params[i], bare, bare_count)) out->params[i] = NULL;
  bare_count = 0;
  for (uint32_t i = 0; i < f->param_count; i++)
    if (out->params[i]) rlx_sinfo_bare_vars(out->params[i], bare, &bare_count, SYMBOLS_MAX);
  return are_bound(out->result, bare, bare_count);
}

static void put_value(const RlxStore *store, const RlxSInfo *s, RlxBuf *out) {
  if (s->kind == RLX_SINFO_TUPLE) {
    rlx_buf_putc(out, '(');
    for (int32_t i = 0; i < s->count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      put_value(store, s->fields[i], out);
    }
    rlx_buf_puts(out, s->count == 1 ? ",)" : ")");
    return;
  }
  rlx_buf_puts(out, s->kind == RLX_SINFO_PRIM ? "R.prim_value(" : "R.shape([");
  if (s->kind == RLX_SINFO_PRIM) rlx_prim_print(store, s->value, out);
  for (int32_t i = 0; s->kind == RLX_SINFO_SHAPE && i < s->ndim; i++) {
    if (i) rlx_buf_puts(out, ", ");
    rlx_prim_print(store, s->dims[i], out);
  }
  rlx_buf_puts(out, s->kind == RLX_SINFO_PRIM ? ")" : "])");
}

/// A name that no function of the file has.
static void put_name(const RlxFile *file, const char *base, RlxBuf *out) {
  for (int i = 0; i < 1000; i++) {
    char text[256];
    if (i)
      snprintf(text, sizeof text, "%.200s_shape_%d", base, i);
    else
      snprintf(text, sizeof text, "%.200s_shape", base);
    bool taken = false;
    for (uint32_t k = 0; k < file->fns.count && !taken; k++)
      taken = strcmp(rlx_store_text(file->store, file->fns.at[k]->stmt->name), text) == 0;
    if (taken) continue;
    rlx_buf_puts(out, text);
    return;
  }
}

bool rlx_file_shape_function(RlxFile *file, const RlxStmt *def, RlxBuf *out) {
  RlxArena *arena = rlx_arena_new_sized(256);
  Extract x;
  bool found = extract(file, def, arena, &x);
  if (found) {
    RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)x.fn->dialect);
    style.is_quoted = rlx_sinfo_is_symbolic;
    bool any = false;
    rlx_buf_puts(out, "@R.function\ndef ");
    put_name(file, rlx_store_text(file->store, def->name), out);
    rlx_buf_putc(out, '(');
    for (uint32_t i = 0; i < x.fn->function.param_count; i++) {
      if (!x.params[i]) continue;
      rlx_buf_printf(out, "%s%s: ", any ? ", " : "",
                     rlx_store_text(file->store, x.fn->function.params[i]->name));
      rlx_sinfo_print_styled(file->store, x.params[i], &style, out);
      any = true;
    }
    rlx_buf_puts(out, ") -> ");
    rlx_sinfo_print_styled(file->store, x.result, &style, out);
    rlx_buf_puts(out, ":\n    return ");
    put_value(file->store, x.result, out);
    rlx_buf_putc(out, '\n');
  }
  rlx_arena_free(arena);
  return found;
}

static void put_summary(const RlxStore *store, const RlxSInfo *s, RlxBuf *out) {
  if (s->kind == RLX_SINFO_PRIM) {
    rlx_prim_tell(store, s->value, out);
    return;
  }
  int32_t count = s->kind == RLX_SINFO_TUPLE ? s->count : s->ndim;
  rlx_buf_putc(out, '(');
  for (int32_t i = 0; i < count; i++) {
    if (i) rlx_buf_puts(out, ", ");
    if (s->kind == RLX_SINFO_TUPLE)
      put_summary(store, s->fields[i], out);
    else
      rlx_prim_tell(store, s->dims[i], out);
  }
  rlx_buf_puts(out, count == 1 ? ",)" : ")");
}

bool rlx_file_shape_summary(RlxFile *file, const RlxStmt *def, RlxBuf *out) {
  RlxArena *arena = rlx_arena_new_sized(256);
  Extract x;
  bool found = extract(file, def, arena, &x), any = false;
  for (uint32_t i = 0; found && i < x.fn->function.param_count; i++) {
    if (!x.params[i]) continue;
    rlx_buf_printf(out, "%s%s: ", any ? ", " : "",
                   rlx_store_text(file->store, x.fn->function.params[i]->name));
    put_summary(file->store, x.params[i], out);
    any = true;
  }
  if (found) {
    rlx_buf_puts(out, any ? " -> " : "-> ");
    put_summary(file->store, x.result, out);
  }
  rlx_arena_free(arena);
  return found;
}
