/// StructInfo as the TVMScript annotation, spelt as TVM 0.25 prints it.
/// Source: the goldens of ../shared/corpus/relax; TVM v0.25
/// src/script/printer/relax/struct_info.cc.
#include "analyzer/struct_info/sinfo.h"

#include <string.h>

#include "analyzer/symbolic/store_inside.h"
#include "base/text.h"

typedef struct SInfoPrinter {
  const RlxStore *store;
  const RlxSInfoStyle *style; // or NULL
  const RlxSInfo *top;        // what is printed as a whole
  size_t end;                 // size of `out` from which on "…" stands for what comes
} SInfoPrinter;

static void print_any(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out);

/// A dimension or value: in quotes where the style says so.
static void print_value(const SInfoPrinter *sp, const RlxPrim *value, RlxBuf *out) {
  bool quoted = sp->style && sp->style->is_quoted && sp->style->is_quoted(value, sp->style->data);
  if (quoted) rlx_buf_putc(out, '"');
  rlx_prim_print_upto(sp->store, value, RLX_INT64, sp->end > out->size ? sp->end - out->size : 0,
                      out);
  if (quoted) rlx_buf_putc(out, '"');
}

static void print_values(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  for (int i = 0; i < a->ndim; i++) {
    if (i > 0) rlx_buf_puts(out, ", ");
    if (out->size >= sp->end) {
      rlx_buf_puts(out, "…");
      return;
    }
    print_value(sp, a->dims[i], out);
  }
}

/// "(n, 4)", "(2,)", "()".
static void print_dims(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  rlx_buf_putc(out, '(');
  print_values(sp, a, out);
  rlx_buf_puts(out, a->ndim == 1 ? ",)" : ")");
}

static void print_quoted(RlxBuf *out, const char *text) {
  rlx_text_put_string(out, text, strlen(text));
}

/// Starts the next argument: "(" before the first one, ", " before the others.
static void next_argument(RlxBuf *out, bool *any) {
  rlx_buf_puts(out, *any ? ", " : "(");
  *any = true;
}

static bool is_writable(const RlxSymVar *var, void *data) {
  (void)data;
  return !var->is_stand_in;
}

/// Whether the values stay unwritten: a script can't say what stands for a number of Python's.
static bool is_unwritten(const SInfoPrinter *sp, const RlxPrim *const *values, int count) {
  for (int i = 0; sp->style && i < count; i++)
    if (!rlx_prim_all_vars(values[i], is_writable, NULL)) return true;
  return false;
}

static void print_tensor(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  bool any = false;
  const bool has_dims = a->dims && !is_unwritten(sp, a->dims, a->ndim);
  rlx_buf_puts(out, "R.Tensor");
  if (has_dims) {
    next_argument(out, &any);
    print_dims(sp, a, out);
  } else if (a->shape_var) {
    next_argument(out, &any);
    rlx_buf_puts(out, rlx_store_text(sp->store, a->shape_var->name));
  }
  if (rlx_dtype_known(a->dtype)) {
    char dtype[RLX_DTYPE_TEXT_MAX];
    next_argument(out, &any);
    rlx_buf_puts(out, "dtype=\"");
    rlx_buf_puts(out, rlx_dtype_text(a->dtype, dtype));
    rlx_buf_putc(out, '"');
  }
  if (!has_dims && !a->shape_var && a->ndim >= 0) {
    next_argument(out, &any);
    rlx_buf_printf(out, "ndim=%d", (int)a->ndim);
  }
  if (a->vdevice) {
    next_argument(out, &any);
    RlxBuf name = {0};
    rlx_buf_printf(&name, "%s:%d:%s", rlx_store_text(sp->store, a->vdevice->target),
                   (int)a->vdevice->place, rlx_store_text(sp->store, a->vdevice->scope));
    rlx_buf_puts(out, "vdevice=");
    print_quoted(out, rlx_buf_text(&name));
    rlx_buf_free(&name);
  }
  if (any) rlx_buf_putc(out, ')');
}

static void print_shape(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  if (!a->dims || is_unwritten(sp, a->dims, a->ndim)) {
    rlx_buf_printf(out, "R.Shape(ndim=%d)", (int)a->ndim);
    return;
  }
  rlx_buf_puts(out, "R.Shape([");
  print_values(sp, a, out);
  rlx_buf_puts(out, "])");
}

static void print_prim(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  if (a->value && !(sp->style && sp->style->hides_prim_values) && !is_unwritten(sp, &a->value, 1)) {
    rlx_buf_puts(out, "R.Prim(value=");
    print_value(sp, a->value, out);
    rlx_buf_putc(out, ')');
    return;
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (a == sp->top && sp->style && sp->style->hides_prim_values && !sp->style->is_argument &&
      rlx_dtype_known(a->dtype)) { // 0.26 on; inside of others it is not read
    char name[RLX_DTYPE_TEXT_MAX];
    rlx_buf_printf(out, "T.%s", rlx_dtype_text(a->dtype, name));
    return;
  }
  rlx_buf_printf(out, "R.Prim(\"%s\")",
                 rlx_dtype_known(a->dtype) ? rlx_dtype_text(a->dtype, dtype) : "void");
}

static void print_list(const SInfoPrinter *sp, const RlxSInfo *const *list, int count,
                       RlxBuf *out) {
  for (int i = 0; i < count; i++) {
    if (i > 0) rlx_buf_puts(out, ", ");
    if (out->size >= sp->end) {
      rlx_buf_puts(out, "…");
      return;
    }
    print_any(sp, list[i], out);
  }
}

/// The derive rule of an `R.Callable` that names none: TVM prints nothing for it.
static const char default_derive[] = "tvm.relax.struct_info.infer_by_sinfo_args";

static void print_func(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  rlx_buf_puts(out, "R.Callable");
  if (!a->params) {
    bool any = false;
    if (a->ret && a->ret->kind != RLX_SINFO_OBJECT) {
      next_argument(out, &any);
      rlx_buf_puts(out, "ret=");
      print_any(sp, a->ret, out);
    }
    if (a->purity == RLX_PURE) {
      next_argument(out, &any);
      rlx_buf_puts(out, "purity=True");
    }
    if (a->derive && strcmp(rlx_store_text(sp->store, a->derive), default_derive) != 0) {
      next_argument(out, &any);
      rlx_buf_puts(out, "derive_func=");
      print_quoted(out, rlx_store_text(sp->store, a->derive));
    }
    if (any) rlx_buf_putc(out, ')');
    return;
  }
  rlx_buf_puts(out, "((");
  print_list(sp, a->params, a->count, out);
  rlx_buf_puts(out, a->count == 1 ? ",), " : "), ");
  print_any(sp, a->ret, out);
  rlx_buf_printf(out, ", %s)", a->purity == RLX_IMPURE ? "False" : "True");
}

static void print_dtensor(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_buf_puts(out, "R.DTensor(");
  if (a->tensor->dims) {
    print_dims(sp, a->tensor, out);
    rlx_buf_puts(out, ", ");
  }
  if (rlx_dtype_known(a->dtype))
    rlx_buf_printf(out, "%s\"%s\", ",
                   a->tensor->dims ? "" : "dtype=", rlx_dtype_text(a->dtype, dtype));
  const char *mesh = rlx_store_text(sp->store, a->mesh);
  if (strncmp(mesh, "R.", 2) == 0)
    rlx_buf_puts(out, mesh);
  else
    print_quoted(out, mesh);
  rlx_buf_puts(out, ", ");
  print_quoted(out, rlx_store_text(sp->store, a->placement));
  rlx_buf_putc(out, ')');
}

/// `R.SparseCSR(indptr, indices)`; a part that is not known is None, without any it is
/// `R.SparseCSR`.
static void print_extension(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  rlx_buf_printf(out, "R.%s", rlx_extension_row((RlxExtension)a->extension)->name);
  if (!a->has_symbols) return;
  for (int i = 0; i < a->count; i++) {
    rlx_buf_puts(out, i == 0 ? "(" : ", ");
    rlx_buf_puts(out, a->parts[i] ? rlx_store_text(sp->store, a->parts[i]->name) : "None");
  }
  rlx_buf_putc(out, ')');
}

static void print_object(const RlxSInfoStyle *style, RlxBuf *out) {
  const char *spelling = style && style->object ? style->object : "R.Object";
  rlx_buf_putn(out, spelling, strcspn(spelling, " "));
}

static void print_any(const SInfoPrinter *sp, const RlxSInfo *a, RlxBuf *out) {
  if (out->size >= sp->end) { // so that what is open is closed behind, it is at most twice as long
    rlx_buf_puts(out, "…");
    return;
  }
  switch ((RlxSInfoKind)a->kind) {
  case RLX_SINFO_OBJECT: print_object(sp->style, out); return;
  case RLX_SINFO_PRIM: print_prim(sp, a, out); return;
  case RLX_SINFO_SHAPE: print_shape(sp, a, out); return;
  case RLX_SINFO_TENSOR: print_tensor(sp, a, out); return;
  case RLX_SINFO_FUNC: print_func(sp, a, out); return;
  case RLX_SINFO_DTENSOR: print_dtensor(sp, a, out); return;
  case RLX_SINFO_EXTENSION: print_extension(sp, a, out); return;
  case RLX_SINFO_TUPLE:
    rlx_buf_puts(out, "R.Tuple");
    if (a->count == 0) return;
    rlx_buf_putc(out, '(');
    print_list(sp, a->fields, a->count, out);
    rlx_buf_putc(out, ')');
    return;
  }
}

bool rlx_sinfo_is_symbolic(const RlxPrim *value, void *data) {
  (void)data;
  return value->vars != 0;
}

void rlx_sinfo_print(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  rlx_sinfo_print_styled(store, a, NULL, out);
}

bool rlx_sinfo_print_upto(const RlxStore *store, const RlxSInfo *a, size_t bytes, RlxBuf *out) {
  SInfoPrinter printer = {store, NULL, a, out->size + bytes};
  print_any(&printer, a, out);
  return out->size < printer.end;
}

void rlx_sinfo_tell(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  rlx_sinfo_print_upto(store, a, RLX_SINFO_TOLD_MAX, out);
}

void rlx_sinfo_print_styled(const RlxStore *store, const RlxSInfo *a, const RlxSInfoStyle *style,
                            RlxBuf *out) {
  // What is read again is whole, or the least that is true of it.
  if (style && a->nodes > RLX_SINFO_SCRIPT_NODES) {
    print_object(style, out);
    return;
  }
  SInfoPrinter printer = {store, style, a, style ? SIZE_MAX : out->size + RLX_SINFO_TEXT_MAX};
  print_any(&printer, a, out);
}
