/// Values of a dtype in a PrimFunc's script: T.float32(…), T.cast, T.Cast, T.reinterpret.
#include <stdlib.h>
#include <string.h>

#include "analyzer/function/kinds_args.h"

// ---- numbers

static bool is_float_word(const char *text) {
  static const char *const words[] = {"inf",       "-inf", "nan", "infinity",
                                      "-infinity", "-nan", "+inf"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(text, words[i]) == 0) return true;
  char *end;
  strtod(text, &end);
  return end != text && !*end;
}

static bool is_int_word(const char *text) {
  char *end;
  strtoll(text, &end, 10);
  return end != text && !*end;
}

/// Reports a number that the dtype has not; `number` is of Python, or a constant of TensorIR.
static void check_range(Kinds *k, const RlxAst *ast, RlxDType dtype, Kind number) {
  const bool is_number =
      kind_is_python_number(number) || (kind_is_expr(number) && number.has_number);
  if (number.is_infinite && (rlx_dtype_is_int(dtype) || rlx_dtype_is_bool(dtype)) &&
      dtype.lanes == 1) // 0.25 has what C makes of it
    rlx_kind_refuse_text(k, dtype.code == RLX_DTYPE_INT && dtype.bits == 64 ? IN_027 : IN_BOTH,
                         ast->span, "no integer is infinite");
  const bool is_wide = dtype.bits == 64 && number.tag == KIND_FLOAT && number.has_number,
             is_beyond = is_wide && rlx_dtype_is_int(dtype) &&
                         (number.real >= 18446744073709551616.0 || number.real < -9.3e18 ||
                          (dtype.code == RLX_DTYPE_INT && number.real >= 9223372036854775808.0));
  if (!is_number || dtype.lanes != 1 || (rlx_kind_holds(dtype, number) && !is_beyond)) return;
  char buffer[RLX_DTYPE_TEXT_MAX];
  const double real = number.tag == KIND_FLOAT ? number.real : (double)number.number;
  rlx_kind_refuse_text(
      k, is_beyond && dtype.code == RLX_DTYPE_INT ? IN_027 : IN_BOTH, ast->span,
      rlx_arena_printf(k->arena, "%g is no value of %s", real, rlx_dtype_text(dtype, buffer)));
}

/// A string that spells a number.
static void check_spelled(Kinds *k, const RlxAst *ast, RlxDType dtype, Kind value) {
  const bool is_number = rlx_dtype_is_float(dtype)
                             ? is_float_word(value.text)
                             : rlx_dtype_is_int(dtype) && is_int_word(value.text);
  Kind number = rlx_kind_of(rlx_dtype_is_float(dtype) ? KIND_FLOAT : KIND_INT);
  number.has_number = true;
  if (!is_number) {
    rlx_kind_refuse(k, IN_BOTH, ast, value, "a number");
  } else if (number.tag == KIND_FLOAT) {
    number.real = strtod(value.text, NULL);
    rlx_kind_used(k, ast, number);
    check_range(k, ast, dtype, number);
  } else {
    number.number = strtoll(value.text, NULL, 10);
    check_range(k, ast, dtype, number);
  }
}

/// The constant of TensorIR that a number of Python becomes.
static Kind constant_of(RlxDType dtype, Kind number) {
  Kind out = rlx_kind_expr(dtype);
  out.is_constant = true;
  if (!number.has_number) return out;
  const bool is_float = number.tag == KIND_FLOAT,
             is_small = number.real > -1e15 && number.real < 1e15;
  if (rlx_dtype_is_float(dtype)) { // only that it is zero is of interest
    out.has_number = is_float ? number.real == 0 : number.number == 0;
    out.number = 0;
  } else if (!is_float || (is_small && rlx_dtype_is_int(dtype))) {
    out.has_number = true;
    out.number = is_float ? (int64_t)number.real : number.number;
  }
  return out;
}

/// What no cast takes: pointers, and parts of buffers that are no vector of as many lanes.
static void check_castable(Kinds *k, const RlxAst *ast, RlxDType to, Kind value) {
  if (kind_is_code(value, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, to.code == RLX_DTYPE_HANDLE ? IN_027 : IN_BOTH, ast, value, "a number");
  if (value.tag == KIND_REGION)
    rlx_kind_refuse(k, kind_is_many(value) && to.lanes == 1 ? IN_BOTH : IN_027, ast, value,
                    "one element");
}

/// A vector stays one of as many lanes: `T.float32(…)` makes one element, `T.float32x4(…)` four.
static void check_lanes(Kinds *k, const RlxAst *ast, RlxDType to, Kind value) {
  const bool is_vector =
      kind_is_expr(value) && rlx_dtype_known(value.dtype) && value.dtype.lanes > 1;
  if (is_vector && value.dtype.lanes != to.lanes)
    rlx_kind_refuse(k, IN_BOTH, ast, value,
                    to.lanes == 1 ? "one element"
                                  : rlx_arena_printf(k->arena, "%d lanes", to.lanes));
}

Kind rlx_kind_of_dtype(Kinds *k, const Args *a, RlxDType dtype) {
  Kind out = rlx_kind_expr(dtype), value;
  const RlxAst *ast;
  bool is_handle = dtype.code == RLX_DTYPE_HANDLE;
  bool given = rlx_kind_argument(k, a, 0, "expr", &value, &ast) && value.tag != KIND_NONE;
  if (!given || is_handle) {
    out.is_var = true;
    if (!is_handle && !a->is_open) out.given = rlx_arena_one(k->arena, KindValue);
    return out;
  }
  if (a->count > 1) // *[1, 2]; written out it is told elsewhere
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "a dtype takes one value");
  if (rlx_kind_is_cast_away(value, dtype) && (value.is_var || value.is_load || value.given))
    return value;
  rlx_kind_used(k, ast, value);
  check_castable(k, ast, dtype, value);
  check_lanes(k, ast, dtype, value);
  if (value.tag == KIND_STR && value.text)
    check_spelled(k, ast, dtype, value);
  else if (rlx_kind_is_no_value(value) && value.tag != KIND_STR)
    rlx_kind_refuse(k, IN_BOTH, ast, value, "a number");
  else
    check_range(k, ast, dtype, value);
  return kind_is_python_number(value) ? constant_of(dtype, value) : out;
}

// ---- casts

/// The dtype that the argument spells; false: it is not known.
static bool spelled_dtype(Kind kind, RlxDType *out) {
  return kind.tag == KIND_STR && kind.text && rlx_dtype_parse(kind.text, strlen(kind.text), out);
}

/// T.reinterpret(dtype, value) keeps the bits; those of a number of Python are 32.
static void check_reinterpreted(Kinds *k, const Args *a, RlxDType to, Kind value) {
  const RlxDType from = kind_is_expr(value)      ? value.dtype
                        : value.tag == KIND_BOOL ? RLX_BOOL
                        : value.tag == KIND_STR  ? rlx_dtype(RLX_DTYPE_HANDLE, 64)
                        : value.tag == KIND_INT || value.tag == KIND_FLOAT ? RLX_INT32
                                                                           : rlx_dtype_unknown();
  if (!rlx_dtype_known(from) || !from.bits) return;
  const bool is_half_byte =
      from.code == RLX_DTYPE_FLOAT4_E2M1FN || to.code == RLX_DTYPE_FLOAT4_E2M1FN;
  const int old = from.bits * from.lanes, new = to.bits *to.lanes;
  if (is_half_byte ? (old + 7) / 8 != (new + 7) / 8 : old != new)
    rlx_kind_refuse_text(
        k, IN_BOTH, a->call->span,
        rlx_arena_printf(k->arena, "T.reinterpret keeps the bits: %d are not %d", old, new));
}

/// A cast to a pointer, which 0.27 has none of, and no constant of TensorIR is; and a vector that does not keep its lanes.
static void check_cast_to(Kinds *k, const RlxAst *ast, RlxDType to, Kind value) {
  if (!rlx_dtype_known(to)) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "nothing is cast to void");
    return;
  }
  const bool is_constant = kind_is_python_number(value) ||
                           (kind_is_expr(value) && (value.is_constant || value.has_number));
  if (to.code == RLX_DTYPE_HANDLE)
    rlx_kind_refuse_text(k, is_constant ? IN_BOTH : IN_027, ast->span,
                         is_constant ? "no number is cast to a handle"
                                     : "nothing is cast to a handle in 0.27");
  check_lanes(k, ast, to, value);
}

/// T.cast(value, dtype): a number is computed at once.
static Kind cast(Kinds *k, const Args *a, RlxDType to, Kind value) {
  check_castable(k, a->at[0], to, value);
  if (rlx_kind_is_cast_away(value, to)) return value;
  check_cast_to(k, a->call, to, value);
  check_range(k, a->call, to, value);
  return rlx_kind_expr(to);
}

Kind rlx_kind_astype(Kinds *k, const Args *a, Kind base) {
  RlxDType to = rlx_dtype_unknown();
  rlx_kind_check_dtype(k, a->at[0], a->kinds[0]);
  const bool is_spelled = spelled_dtype(a->kinds[0], &to);
  check_castable(k, a->call->children[0]->children[0], to, base);
  if (rlx_kind_is_cast_away(base, to)) return base;
  if (is_spelled) check_cast_to(k, a->call, to, base);
  return rlx_kind_expr(to);
}

Kind rlx_kind_cast(Kinds *k, const Args *a) {
  RlxDType to;
  const bool is_cast = strcmp(a->path, "cast") == 0;
  Kind out = rlx_kind_expr(rlx_dtype_unknown());
  if (a->is_open || a->count != 2) return out;
  const Kind value = a->kinds[is_cast ? 0 : 1], dtype = a->kinds[is_cast ? 1 : 0];
  const bool is_pointer = dtype.tag == KIND_OBJECT && dtype.object == POINTER_OBJECT;
  if (is_cast || !is_pointer) rlx_kind_check_dtype(k, a->at[is_cast ? 1 : 0], dtype);
  if (!spelled_dtype(dtype, &to)) return out;
  if (is_cast) return cast(k, a, to, value);
  check_reinterpreted(k, a, to, value);
  out.dtype = to;
  return out;
}

/// T.Cast of a vector, or of nothing, to one element.
void rlx_kind_check_cast(Kinds *k, const Args *a) {
  RlxDType to;
  if (strcmp(a->path, "Cast") != 0 || a->count != 2 || !spelled_dtype(a->kinds[0], &to)) return;
  Kind value = a->kinds[1];
  if (kind_is_code(value, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, IN_027, a->at[1], value, "a number");
  if (!rlx_dtype_known(to))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "nothing is cast to void");
  bool is_many = kind_is_many(value) || (kind_is_expr(value) && value.dtype.lanes > 1);
  if (rlx_dtype_known(to) && to.lanes == 1 && (value.is_void || is_many))
    rlx_kind_refuse(k, IN_BOTH, a->at[1], value, "one element");
  else if (rlx_dtype_known(to) && to.code == RLX_DTYPE_HANDLE)
    rlx_kind_refuse_text(k, IN_027, a->call->span, "nothing is cast to a handle in 0.27");
}

Kind rlx_kind_int_imm(Kinds *k, Args *a) {
  Kind of, value;
  const RlxAst *ast, *at;
  RlxDType dtype = rlx_dtype_unknown();
  if (a->is_open) return rlx_kind_of(KIND_UNKNOWN);
  if (rlx_kind_argument(k, a, 0, "dtype", &of, &ast)) {
    rlx_kind_check_dtype(k, ast, of);
    const bool is_read = of.tag == KIND_STR && of.text &&
                         rlx_dtype_parse(of.text, strlen(of.text), &dtype) &&
                         rlx_dtype_known(dtype);
    if (is_read && !rlx_dtype_is_int(dtype) && !rlx_dtype_is_bool(dtype))
      rlx_kind_refuse(k, IN_BOTH, ast, of, "a dtype of integers");
  }
  if (!rlx_kind_argument(k, a, 1, "value", &value, &at) || value.tag == KIND_UNKNOWN)
    return rlx_kind_expr(dtype);
  if (value.tag != KIND_INT && value.tag != KIND_BOOL) {
    rlx_kind_refuse(k, IN_BOTH, at, value, "an int");
    return rlx_kind_expr(dtype);
  }
  if (rlx_dtype_is_int(dtype)) check_range(k, at, dtype, value);
  return constant_of(dtype, value);
}
