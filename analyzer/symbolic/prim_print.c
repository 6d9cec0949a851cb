/// Symbolic integers as TVMScript: `n * 4 + 1`, `T.max(n, m)`. Parentheses exactly where Python
/// needs them or where leaving them out would read as another tree. Prints of one tree are bounded;
/// past that "..." stands for the rest, and "…" where the text had got as long as it may: nothing is
/// written behind it.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/symbolic/prim.h"
#include "analyzer/symbolic/store_inside.h"

enum { PRINT_STEPS = 100000 };

typedef enum Level { // Python's, loosest first
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_ATOM,
} Level;

/// How one kind is written: an infix operator of a level, or (LEVEL_ATOM) a function.
typedef struct Spelling {
  const char *text;
  Level level;
} Spelling;

static Spelling spelling(RlxPrimKind kind) {
  switch (kind) {
  case RLX_PRIM_ADD: return (Spelling){" + ", LEVEL_SUM};
  case RLX_PRIM_SUB: return (Spelling){" - ", LEVEL_SUM};
  case RLX_PRIM_MUL: return (Spelling){" * ", LEVEL_PRODUCT};
  case RLX_PRIM_DIV: return (Spelling){" / ", LEVEL_PRODUCT};
  case RLX_PRIM_FLOORDIV: return (Spelling){" // ", LEVEL_PRODUCT};
  case RLX_PRIM_FLOORMOD: return (Spelling){" % ", LEVEL_PRODUCT};
  case RLX_PRIM_EQ: return (Spelling){" == ", LEVEL_COMPARE};
  case RLX_PRIM_NE: return (Spelling){" != ", LEVEL_COMPARE};
  case RLX_PRIM_LT: return (Spelling){" < ", LEVEL_COMPARE};
  case RLX_PRIM_LE: return (Spelling){" <= ", LEVEL_COMPARE};
  case RLX_PRIM_AND: return (Spelling){" and ", LEVEL_AND};
  case RLX_PRIM_OR: return (Spelling){" or ", LEVEL_OR};
  case RLX_PRIM_NOT: return (Spelling){"not ", LEVEL_NOT};
  case RLX_PRIM_TRUNCDIV: return (Spelling){"T.truncdiv", LEVEL_ATOM};
  case RLX_PRIM_TRUNCMOD: return (Spelling){"T.truncmod", LEVEL_ATOM};
  case RLX_PRIM_MIN: return (Spelling){"T.min", LEVEL_ATOM};
  case RLX_PRIM_MAX: return (Spelling){"T.max", LEVEL_ATOM};
  case RLX_PRIM_ABS: return (Spelling){"T.abs", LEVEL_ATOM};
  case RLX_PRIM_SHL: return (Spelling){"T.shift_left", LEVEL_ATOM};
  case RLX_PRIM_SHR: return (Spelling){"T.shift_right", LEVEL_ATOM};
  case RLX_PRIM_BITAND: return (Spelling){"T.bitwise_and", LEVEL_ATOM};
  case RLX_PRIM_BITOR: return (Spelling){"T.bitwise_or", LEVEL_ATOM};
  case RLX_PRIM_BITXOR: return (Spelling){"T.bitwise_xor", LEVEL_ATOM};
  case RLX_PRIM_SELECT: return (Spelling){"T.if_then_else", LEVEL_ATOM};
  case RLX_PRIM_CAST: return (Spelling){"T.Cast", LEVEL_ATOM};
  case RLX_PRIM_CALL:
  case RLX_PRIM_INT:
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_VAR: break;
  }
  return (Spelling){"", LEVEL_ATOM};
}

typedef struct Printer {
  const RlxStore *store;
  RlxBuf *out;
  int steps;
  size_t end;      ///< size of `out` from which on nothing more is written
  bool is_stopped; ///< something was left out because of `end`
} Printer;

/// Whether the text is as long as it may be; says so in the text, once.
static bool is_full(Printer *pr) {
  if (pr->is_stopped || pr->out->size < pr->end) return pr->is_stopped;
  rlx_buf_puts(pr->out, "…");
  return pr->is_stopped = true;
}

/// What stands between operands.
static void put(Printer *pr, const char *text) {
  if (!is_full(pr)) rlx_buf_puts(pr->out, text);
}

/// `plain`: the integer type that a bare literal has at this place.
static void print_node(Printer *pr, const RlxPrim *p, RlxDType plain);

static void print_int(Printer *pr, const RlxPrim *p, RlxDType plain) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (rlx_dtype_is_bool(p->dtype))
    rlx_buf_puts(pr->out, p->value ? "True" : "False");
  else if (rlx_dtype_equal(p->dtype, plain))
    rlx_buf_put_int(pr->out, p->value);
  else
    rlx_buf_printf(pr->out, "T.%s(%lld)", rlx_dtype_text(p->dtype, dtype), (long long)p->value);
}

static void print_float(Printer *pr, const RlxPrim *p) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  const bool is_wide = isfinite(p->number) &&
                       fabs(p->number) > (double)FLT_MAX; // T.float64(x) makes a float32 of x first
  rlx_buf_printf(pr->out, is_wide ? "T.FloatImm(\"%s\", " : "T.%s(",
                 rlx_dtype_text(p->dtype, dtype));
  if (isfinite(p->number))
    rlx_buf_put_double(pr->out, p->number);
  else
    rlx_buf_printf(pr->out, "\"%s\"", isnan(p->number) ? "nan" : p->number < 0 ? "-inf" : "inf");
  rlx_buf_putc(pr->out, ')');
}

static void print_operand(Printer *pr, const RlxPrim *p, RlxDType plain, bool parentheses) {
  if (parentheses) put(pr, "(");
  print_node(pr, p, plain);
  if (parentheses) put(pr, ")");
}

/// The type of a bare literal beside the operands of `p`: theirs when one of them says it, else
/// `plain`.
static RlxDType literal_type(const RlxPrim *p, int first, RlxDType plain) {
  for (int i = first; i < p->arg_count; i++)
    if (p->args[i]->kind != RLX_PRIM_INT && rlx_dtype_is_int(p->args[i]->dtype))
      return p->args[i]->dtype;
  return plain;
}

static void print_infix(Printer *pr, const RlxPrim *p, Spelling how, RlxDType plain) {
  RlxDType literal = literal_type(p, 0, plain);
  Level left = spelling((RlxPrimKind)p->args[0]->kind).level,
        right = spelling((RlxPrimKind)p->args[1]->kind).level;
  print_operand(pr, p->args[0], literal,
                left < how.level || (left == how.level && how.level == LEVEL_COMPARE));
  put(pr, how.text);
  print_operand(pr, p->args[1], literal, right <= how.level);
}

static void print_call(Printer *pr, const RlxPrim *p, const char *name, RlxDType plain) {
  int first = p->kind == RLX_PRIM_SELECT ? 1 : 0;
  RlxDType literal = literal_type(p, first, plain);
  put(pr, name);
  put(pr, "(");
  if (p->kind == RLX_PRIM_CAST && !is_full(pr)) {
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_buf_printf(pr->out, "\"%s\", ", rlx_dtype_text(p->dtype, dtype));
  }
  for (int i = 0; i < p->arg_count; i++) {
    if (i > 0) put(pr, ", ");
    print_node(pr, p->args[i], i < first ? RLX_INT64 : literal);
  }
  put(pr, ")");
}

static void print_node(Printer *pr, const RlxPrim *p, RlxDType plain) {
  if (is_full(pr)) return;
  if (pr->steps-- <= 0) {
    if (pr->steps == -1) rlx_buf_puts(pr->out, "...");
    return;
  }
  Spelling how = spelling((RlxPrimKind)p->kind);
  if (p->kind == RLX_PRIM_INT)
    print_int(pr, p, plain);
  else if (p->kind == RLX_PRIM_FLOAT)
    print_float(pr, p);
  else if (p->kind == RLX_PRIM_VAR)
    rlx_buf_puts(pr->out, rlx_store_text(pr->store, p->var->name));
  else if (rlx_prim_is_unknown(p))
    rlx_buf_puts(pr->out, "...");
  else if (p->kind == RLX_PRIM_CALL)
    print_call(pr, p, rlx_store_text(pr->store, p->name), plain);
  else if (p->kind == RLX_PRIM_NOT) {
    put(pr, how.text);
    print_operand(pr, p->args[0], plain, spelling((RlxPrimKind)p->args[0]->kind).level < LEVEL_NOT);
  } else if (how.level == LEVEL_ATOM)
    print_call(pr, p, how.text, plain);
  else
    print_infix(pr, p, how, plain);
}

bool rlx_prim_print_upto(const RlxStore *store, const RlxPrim *p, RlxDType plain, size_t bytes,
                         RlxBuf *out) {
  const size_t end = bytes > SIZE_MAX - out->size ? SIZE_MAX : out->size + bytes;
  Printer printer = {store, out, PRINT_STEPS, end, false};
  print_node(&printer, p, plain);
  return !printer.is_stopped;
}

void rlx_prim_print(const RlxStore *store, const RlxPrim *p, RlxBuf *out) {
  rlx_prim_print_upto(store, p, RLX_INT64, SIZE_MAX, out);
}

bool rlx_prim_tell(const RlxStore *store, const RlxPrim *p, RlxBuf *out) {
  return rlx_prim_tell_among(store, p, RLX_INT64, out);
}

bool rlx_prim_tell_among(const RlxStore *store, const RlxPrim *p, RlxDType plain, RlxBuf *out) {
  return rlx_prim_print_upto(store, p, plain, RLX_PRIM_TOLD_MAX, out);
}
