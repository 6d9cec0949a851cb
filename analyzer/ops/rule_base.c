/// What reading arguments (deduce.c) and the shared rules (rule.c) both stand on: parameters of a
/// row, dimensions, and texts for messages.
#include "analyzer/ops/ops.h"
#include "base/buf.h"
#include <string.h>

// ---- parameters

int rlx_op_param(const RlxOpRow *row, const char *name) {
  for (int i = 0; i < row->param_count; i++) {
    if (strcmp(row->params[i].name, name) == 0) return i;
  }
  return -1;
}

/// What parameters are called from 0.26 on.
static const struct {
  const char *name, *later;
} later_words[] = {{"out_sinfo", "out_ty"}, {"sinfo_args", "ty_args"}, {"struct_info", "ty"}};

int rlx_op_later_param(const RlxOpRow *row, const char *name) {
  if (strcmp(name, "type_args") == 0) return rlx_op_param(row, "sinfo_args"); // of tlc-pack
  for (size_t i = 0; i < sizeof later_words / sizeof *later_words; i++)
    if (strcmp(name, later_words[i].later) == 0) return rlx_op_param(row, later_words[i].name);
  return -1;
}

const char *rlx_op_param_word(const char *name, bool is_027) {
  for (size_t i = 0; is_027 && i < sizeof later_words / sizeof *later_words; i++)
    if (strcmp(name, later_words[i].name) == 0) return later_words[i].later;
  return name;
}

const char *rlx_op_spelling(RlxArena *arena, const RlxOpRow *row) {
  const int size = (int)strcspn(row->script, " ");
  return size ? rlx_arena_printf(arena, "R.%.*s", size, row->script) : row->registry;
}

const char *rlx_param_name(const RlxCall *call, int i) {
  return rlx_op_param_word(call->row->params[i].name, call->is_027);
}

// ---- texts

const char *rlx_text_op(RlxDeduce *d, const RlxCall *call) {
  return call->row ? rlx_op_spelling(d->scratch, call->row) : "the call";
}

const char *rlx_text_buf(RlxDeduce *d, RlxBuf *buf) {
  const char *text = rlx_arena_strdup(d->scratch, rlx_buf_text(buf));
  rlx_buf_free(buf);
  return text;
}

const char *rlx_text_prim(RlxDeduce *d, const RlxPrim *p) {
  RlxBuf buf = {0};
  rlx_prim_tell(d->store, p, &buf);
  return rlx_text_buf(d, &buf);
}

const char *rlx_text_sinfo(RlxDeduce *d, const RlxSInfo *a) {
  RlxBuf buf = {0};
  rlx_sinfo_tell(d->store, a, &buf);
  return rlx_text_buf(d, &buf);
}

const char *rlx_text_dtype(RlxDeduce *d, RlxDType t) {
  char text[RLX_DTYPE_TEXT_MAX];
  if (!rlx_dtype_known(t)) return "unknown";
  return rlx_arena_strdup(d->scratch, rlx_dtype_text(t, text));
}

const char *rlx_text_dims(RlxDeduce *d, RlxDims dims, int ndim) {
  RlxBuf buf = {0};
  rlx_buf_putc(&buf, '(');
  for (int i = 0; i < ndim; i++) {
    if (i) rlx_buf_puts(&buf, ", ");
    if (buf.size >= RLX_SINFO_TOLD_MAX) {
      rlx_buf_puts(&buf, "…");
      break;
    }
    rlx_prim_tell(d->store, dims[i], &buf);
  }
  rlx_buf_puts(&buf, ndim == 1 ? ",)" : ")");
  return rlx_text_buf(d, &buf);
}

// ---- dimensions

const RlxPrim *rlx_dim(RlxDeduce *d, int64_t value) { return rlx_prim_int(d->store, value); }

const RlxPrim *rlx_simplify(RlxDeduce *d, const RlxPrim *p) {
  return rlx_prim_simplify(d->store, p);
}

const RlxPrim **rlx_dims_new(RlxDeduce *d, int count) {
  return rlx_arena_array(d->scratch, const RlxPrim *, count > 0 ? count : 1);
}

bool rlx_dim_is(const RlxPrim *p, int64_t value) {
  int64_t k;
  return rlx_prim_is_const(p, &k) && k == value;
}
