/// Values as TVM prints them: numbers, lists, scalars and constants, and operands of calls.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/edit/print_impl.h"
#include "base/text.h"

// ---- literals

void rlx_print_number(RlxBuf *out, double number) {
  if (!isfinite(number)) {
    rlx_buf_printf(out, "float(\"%s\")", isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
    return;
  }
  char text[400]; // 1e308 in digits
  snprintf(text, sizeof text, number == trunc(number) ? "%.0f" : "%.17g", number);
  if (!strpbrk(text, ".e")) strcat(text, ".0");
  rlx_buf_puts(out, text);
}

/// The value that `number` has once it is an element of `dtype`.
static double rounded(double number, RlxDType dtype) {
  if (dtype.code != RLX_DTYPE_FLOAT || !isfinite(number)) return number;
  if (dtype.bits == 32) return (double)(float)number;
  if (dtype.bits != 16 || number == 0) return number;
  int exponent; // float16: 11 bits of mantissa, subnormal below 2**-14
  frexp(number, &exponent);
  double unit = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11),
         value = rint(number / unit) * unit;
  return fabs(value) > 65504 ? copysign((double)INFINITY, value) : value;
}

void rlx_print_typed_number(RlxScriptPrinter *p, double number, RlxDType dtype) {
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_buf_printf(p->out, "T.%s(", rlx_dtype_text(dtype, text));
  if (isfinite(number))
    rlx_print_number(p->out, number);
  else
    rlx_print_string(p->out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
  rlx_buf_putc(p->out, ')');
}

bool rlx_print_is_number(const RlxPrim *prim) {
  return prim->kind == RLX_PRIM_INT || prim->kind == RLX_PRIM_FLOAT;
}

void rlx_print_prim_literal(RlxScriptPrinter *p, const RlxPrim *prim) {
  if (prim->kind == RLX_PRIM_FLOAT)
    rlx_print_typed_number(p, prim->number, prim->dtype);
  else
    rlx_print_prim(p, prim);
}

// ---- values

static void print_items(RlxScriptPrinter *p, const RlxValue *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_print_value(p, &items[i]);
  }
}

static void print_dict(RlxScriptPrinter *p, const RlxValue *v) {
  rlx_buf_putc(p->out, '{');
  for (uint32_t i = 0; i + 1 < v->count; i += 2) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_print_value(p, &v->items[i]);
    rlx_buf_puts(p->out, ": ");
    rlx_print_value(p, &v->items[i + 1]);
  }
  rlx_buf_putc(p->out, '}');
}

void rlx_print_value(RlxScriptPrinter *p, const RlxValue *v) {
  switch (v->kind) {
  case RLX_VALUE_NONE: rlx_buf_puts(p->out, "None"); return;
  case RLX_VALUE_BOOL: rlx_buf_puts(p->out, v->boolean ? "True" : "False"); return;
  case RLX_VALUE_INT: rlx_buf_printf(p->out, "%lld", (long long)v->integer); return;
  case RLX_VALUE_UINT64: rlx_buf_printf(p->out, "%llu", (unsigned long long)v->integer); return;
  case RLX_VALUE_FLOAT: rlx_print_number(p->out, v->number); return;
  case RLX_VALUE_STR: rlx_print_string(p->out, rlx_store_text(p->store, v->string)); return;
  case RLX_VALUE_PRIM: rlx_print_prim_literal(p, v->prim); return;
  case RLX_VALUE_LIST:
    rlx_buf_putc(p->out, '[');
    print_items(p, v->items, v->count);
    rlx_buf_putc(p->out, ']');
    return;
  case RLX_VALUE_DICT: print_dict(p, v); return;
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: rlx_print_expr(p, v->expr); return;
  case RLX_VALUE_SINFO: rlx_print_sinfo(p, v->sinfo); return;
  default: rlx_print_source(p, v->span); return;
  }
}

void rlx_print_open_scalar(RlxScriptPrinter *p) {
  if (p->options.dialect != RLX_DIALECT_027) rlx_buf_puts(p->out, "R.prim_value(");
}

void rlx_print_close_scalar(RlxScriptPrinter *p) {
  if (p->options.dialect != RLX_DIALECT_027) rlx_buf_putc(p->out, ')');
}

void rlx_print_operand(RlxScriptPrinter *p, const RlxValue *v, RlxParamKind kind) {
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) {
    rlx_print_expr(p, v->expr);
  } else if (v->kind == RLX_VALUE_LIST) {
    rlx_buf_putc(p->out, '(');
    for (uint32_t i = 0; i < v->count; i++) {
      if (i) rlx_buf_puts(p->out, ", ");
      rlx_print_operand(p, &v->items[i], RLX_PARAM_PRIM);
    }
    rlx_buf_puts(p->out, v->count == 1 ? ",)" : ")");
  } else if (v->kind == RLX_VALUE_STR) {
    rlx_buf_puts(p->out, kind == RLX_PARAM_DTYPE ? "R.dtype(" : "R.str(");
    rlx_print_string(p->out, rlx_store_text(p->store, v->string));
    rlx_buf_putc(p->out, ')');
  } else if (v->kind == RLX_VALUE_FLOAT) {
    rlx_print_open_scalar(p);
    rlx_print_typed_number(p, v->number, RLX_FLOAT64);
    rlx_print_close_scalar(p);
  } else if (v->kind == RLX_VALUE_BOOL) { // an integer to TVM
    rlx_print_open_scalar(p);
    rlx_buf_putc(p->out, v->boolean ? '1' : '0');
    rlx_print_close_scalar(p);
  } else if (v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_PRIM) {
    rlx_print_open_scalar(p);
    rlx_print_value(p, v);
    rlx_print_close_scalar(p);
  } else {
    rlx_print_value(p, v);
  }
}

// ---- constants

static void constant_value(RlxScriptPrinter *p, const RlxValue *v, RlxDType dtype) {
  if (v->kind == RLX_VALUE_LIST) {
    rlx_buf_putc(p->out, '[');
    for (uint32_t i = 0; i < v->count; i++) {
      if (i) rlx_buf_puts(p->out, ", ");
      constant_value(p, &v->items[i], dtype);
    }
    rlx_buf_putc(p->out, ']');
    return;
  }
  RlxValue plain = *v;
  if (v->kind == RLX_VALUE_PRIM && v->prim->kind == RLX_PRIM_INT)
    plain.kind = RLX_VALUE_INT, plain.integer = v->prim->value;
  if (v->kind == RLX_VALUE_PRIM && v->prim->kind == RLX_PRIM_FLOAT)
    plain.kind = RLX_VALUE_FLOAT, plain.number = v->prim->number;
  if (rlx_dtype_is_float(dtype) && plain.kind == RLX_VALUE_INT)
    rlx_print_number(p->out, rounded((double)plain.integer, dtype));
  else if (rlx_dtype_is_float(dtype) && plain.kind == RLX_VALUE_FLOAT)
    rlx_print_number(p->out, rounded(plain.number, dtype));
  else if (rlx_dtype_is_float(dtype) && plain.kind == RLX_VALUE_UINT64)
    rlx_print_number(p->out, rounded((double)(uint64_t)plain.integer, dtype));
  else if (rlx_dtype_is_bool(dtype) && plain.kind == RLX_VALUE_INT)
    rlx_buf_puts(p->out, plain.integer ? "True" : "False");
  else
    rlx_print_value(p, &plain);
}

/// The elements of an array from `*at` on, in brackets by its dimensions from `axis` on.
static void array_elements(RlxScriptPrinter *p, const RlxValue *v, const RlxSInfo *s, int axis,
                           uint32_t *at) {
  if (axis == s->ndim) {
    const RlxValue one = rlx_numbers_at(v->numbers, (*at)++, v->span);
    constant_value(p, &one, s->dtype);
    return;
  }
  int64_t length = 0;
  (void)rlx_prim_is_const(s->dims[axis], &length);
  rlx_buf_putc(p->out, '[');
  for (int64_t i = 0; i < length; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    array_elements(p, v, s, axis + 1, at);
  }
  rlx_buf_putc(p->out, ']');
}

static void all_elements(RlxScriptPrinter *p, const RlxValue *v, const RlxSInfo *s) {
  uint32_t at = 0;
  if (v->kind == RLX_VALUE_NUMBERS)
    array_elements(p, v, s, 0, &at);
  else
    constant_value(p, v, s->dtype);
}

void rlx_print_constant_value(RlxScriptPrinter *p, const RlxExpr *x) {
  char text[RLX_DTYPE_TEXT_MAX];
  if (x->constant.value && x->sinfo->kind == RLX_SINFO_DTENSOR &&
      rlx_dtype_known(x->sinfo->tensor->dtype)) {
    rlx_buf_puts(p->out, "R.dist.const(");
    all_elements(p, x->constant.value, x->sinfo->tensor);
    rlx_buf_puts(p->out, ", ");
    rlx_print_sinfo(p, x->sinfo);
    rlx_buf_putc(p->out, ')');
    return;
  }
  // Brackets without an element say one dimension less than (0, 3) has.
  const bool is_empty = x->constant.value && x->constant.value->kind == RLX_VALUE_NUMBERS &&
                        !x->constant.value->numbers->count && x->sinfo->ndim > 1;
  if (!x->constant.value || is_empty || x->sinfo->kind != RLX_SINFO_TENSOR ||
      !rlx_dtype_known(x->sinfo->dtype)) {
    rlx_print_source(p, x->span);
    return;
  }
  rlx_buf_puts(p->out, "R.const(");
  all_elements(p, x->constant.value, x->sinfo);
  rlx_buf_printf(p->out, ", \"%s\")", rlx_dtype_text(x->sinfo->dtype, text));
}

void rlx_print_constant(RlxStore *store, const RlxExpr *constant, RlxBuf *out) {
  RlxScriptPrinter p = {.store = store, .out = out};
  const bool is_known = constant->constant.value && constant->sinfo->kind == RLX_SINFO_TENSOR &&
                        rlx_dtype_known(constant->sinfo->dtype);
  if (is_known)
    rlx_print_constant_value(&p, constant);
  else
    rlx_buf_puts(out, "...");
}
