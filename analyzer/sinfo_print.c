/// StructInfo as the TVMScript annotation, spelt as TVM 0.25 prints it.
/// Source: the goldens of ../shared/corpus/relax; TVM v0.25
/// src/script/printer/relax/struct_info.cc.
#include "analyzer/sinfo.h"

#include <string.h>

#include "analyzer/store_impl.h"

/// "(n, 4)", "(2,)", "()".
static void print_dims(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  rlx_buf_putc(out, '(');
  for (int i = 0; i < a->ndim; i++) {
    if (i > 0) rlx_buf_puts(out, ", ");
    rlx_prim_print(store, a->dims[i], out);
  }
  rlx_buf_puts(out, a->ndim == 1 ? ",)" : ")");
}

static void print_quoted(RlxBuf *out, const char *text) {
  rlx_buf_putc(out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') rlx_buf_putc(out, '\\');
    rlx_buf_putc(out, *text);
  }
  rlx_buf_putc(out, '"');
}

/// Starts the next argument: "(" before the first one, ", " before the others.
static void next_argument(RlxBuf *out, bool *any) {
  rlx_buf_puts(out, *any ? ", " : "(");
  *any = true;
}

static void print_tensor(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  bool any = false;
  rlx_buf_puts(out, "R.Tensor");
  if (a->dims) {
    next_argument(out, &any);
    print_dims(store, a, out);
  } else if (a->shape_var) {
    next_argument(out, &any);
    rlx_buf_puts(out, rlx_store_text(store, a->shape_var->name));
  }
  if (rlx_dtype_known(a->dtype)) {
    char dtype[RLX_DTYPE_TEXT_MAX];
    next_argument(out, &any);
    rlx_buf_printf(out, "dtype=\"%s\"", rlx_dtype_text(a->dtype, dtype));
  }
  if (!a->dims && !a->shape_var && a->ndim >= 0) {
    next_argument(out, &any);
    rlx_buf_printf(out, "ndim=%d", (int)a->ndim);
  }
  if (a->vdevice) {
    next_argument(out, &any);
    RlxBuf name = {0};
    rlx_buf_printf(&name, "%s:%d:%s", rlx_store_text(store, a->vdevice->target),
                   (int)a->vdevice->id, rlx_store_text(store, a->vdevice->scope));
    rlx_buf_puts(out, "vdevice=");
    print_quoted(out, rlx_buf_text(&name));
    rlx_buf_free(&name);
  }
  if (any) rlx_buf_putc(out, ')');
}

static void print_shape(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  if (!a->dims) {
    rlx_buf_printf(out, "R.Shape(ndim=%d)", (int)a->ndim);
    return;
  }
  rlx_buf_puts(out, "R.Shape([");
  for (int i = 0; i < a->ndim; i++) {
    if (i > 0) rlx_buf_puts(out, ", ");
    rlx_prim_print(store, a->dims[i], out);
  }
  rlx_buf_puts(out, "])");
}

static void print_prim(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  if (a->value) {
    rlx_buf_puts(out, "R.Prim(value=");
    rlx_prim_print(store, a->value, out);
    rlx_buf_putc(out, ')');
    return;
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_buf_printf(out, "R.Prim(\"%s\")",
                 rlx_dtype_known(a->dtype) ? rlx_dtype_text(a->dtype, dtype) : "void");
}

static void print_list(const RlxStore *store, const RlxSInfo *const *list, int count, RlxBuf *out) {
  for (int i = 0; i < count; i++) {
    if (i > 0) rlx_buf_puts(out, ", ");
    rlx_sinfo_print(store, list[i], out);
  }
}

/// The derive rule of an `R.Callable` that names none: TVM prints nothing for it.
static const char default_derive[] = "tvm.relax.struct_info.infer_by_sinfo_args";

static void print_func(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  rlx_buf_puts(out, "R.Callable");
  if (!a->params) {
    bool any = false;
    if (a->ret && a->ret->kind != RLX_SINFO_OBJECT) {
      next_argument(out, &any);
      rlx_buf_puts(out, "ret=");
      rlx_sinfo_print(store, a->ret, out);
    }
    if (a->purity == RLX_PURE) {
      next_argument(out, &any);
      rlx_buf_puts(out, "purity=True");
    }
    if (a->derive && strcmp(rlx_store_text(store, a->derive), default_derive) != 0) {
      next_argument(out, &any);
      rlx_buf_puts(out, "derive_func=");
      print_quoted(out, rlx_store_text(store, a->derive));
    }
    if (any) rlx_buf_putc(out, ')');
    return;
  }
  rlx_buf_puts(out, "((");
  print_list(store, a->params, a->count, out);
  rlx_buf_puts(out, a->count == 1 ? ",), " : "), ");
  rlx_sinfo_print(store, a->ret, out);
  rlx_buf_printf(out, ", %s)", a->purity == RLX_IMPURE ? "False" : "True");
}

static void print_dtensor(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_buf_puts(out, "R.DTensor(");
  if (a->tensor->dims) {
    print_dims(store, a->tensor, out);
    rlx_buf_puts(out, ", ");
  }
  if (rlx_dtype_known(a->dtype))
    rlx_buf_printf(out, "%s\"%s\", ",
                   a->tensor->dims ? "" : "dtype=", rlx_dtype_text(a->dtype, dtype));
  rlx_buf_printf(out, "%s, %s)", rlx_store_text(store, a->mesh),
                 rlx_store_text(store, a->placement));
}

/// `R.SparseCSR(indptr, indices)`; a part that is not known is None, without any it is
/// `R.SparseCSR`.
static void print_extension(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  rlx_buf_printf(out, "R.%s", rlx_extension_row((RlxExtension)a->extension)->name);
  if (!a->has_symbols) return;
  for (int i = 0; i < a->count; i++) {
    rlx_buf_puts(out, i == 0 ? "(" : ", ");
    rlx_buf_puts(out, a->parts[i] ? rlx_store_text(store, a->parts[i]->name) : "None");
  }
  rlx_buf_putc(out, ')');
}

void rlx_sinfo_print(const RlxStore *store, const RlxSInfo *a, RlxBuf *out) {
  switch ((RlxSInfoKind)a->kind) {
  case RLX_SINFO_OBJECT: rlx_buf_puts(out, "R.Object"); return;
  case RLX_SINFO_PRIM: print_prim(store, a, out); return;
  case RLX_SINFO_SHAPE: print_shape(store, a, out); return;
  case RLX_SINFO_TENSOR: print_tensor(store, a, out); return;
  case RLX_SINFO_FUNC: print_func(store, a, out); return;
  case RLX_SINFO_DTENSOR: print_dtensor(store, a, out); return;
  case RLX_SINFO_EXTENSION: print_extension(store, a, out); return;
  case RLX_SINFO_TUPLE:
    rlx_buf_puts(out, "R.Tuple");
    if (a->count == 0) return;
    rlx_buf_putc(out, '(');
    print_list(store, a->fields, a->count, out);
    rlx_buf_putc(out, ')');
    return;
  }
}
