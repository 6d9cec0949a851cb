/// What a trace computes when it runs: arithmetic, comparisons, and functions of Python that ask for a number, as Python has them.
#include "analyzer/schedule/schedule_impl.h"

#include <math.h>
#include <string.h>

enum {
  ITEMS_MAX = 10000, ///< of a list that is computed
  TEXT_MAX = 10000,  ///< bytes of a text
};

/// One computation of values that are known.
typedef struct Compute {
  RlxScheduleCall *c;
  const char *name;
  const RlxScheduleValue *args;
  uint32_t count;
  RlxScheduleValue *out;
} Compute;

/// "loop", for messages.
static const char *words_of(const RlxScheduleValue *v) {
  switch ((int)v->kind) {
  case RLX_SCHEDULE_NONE: return "None";
  case RLX_SCHEDULE_STRING: return "a text";
  case RLX_SCHEDULE_LIST: return "a list";
  case RLX_SCHEDULE_DICT: return "a dict";
  case RLX_SCHEDULE_BLOCK: return "a block";
  case RLX_SCHEDULE_LOOP: return "a loop";
  case RLX_SCHEDULE_THING: return rlx_schedule_thing_words(v);
  default: return "a value";
  }
}

static bool refuse(const Compute *x, const char *why) {
  return rlx_schedule_refuse_value(x->c,
                                   rlx_arena_printf(x->c->s->arena, "`%s`: %s", x->name, why));
}

static bool refuse_kind(const Compute *x, const RlxScheduleValue *v, const char *wanted) {
  return refuse(x, rlx_arena_printf(x->c->s->arena, "%s is no %s", words_of(v), wanted));
}

static void give_bool(const Compute *x, bool value) {
  *x->out = (RlxScheduleValue){.kind = RLX_SCHEDULE_BOOL, .boolean = value};
}

static void give_int(const Compute *x, int64_t value, bool is_imm) {
  *x->out = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = value, .is_imm = is_imm};
}

static void give_float(const Compute *x, double value) {
  *x->out = (RlxScheduleValue){.kind = RLX_SCHEDULE_FLOAT, .number = value};
}

// ---- numbers

static bool is_whole(const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_INT || v->kind == RLX_SCHEDULE_BOOL;
}
static bool is_number(const RlxScheduleValue *v) {
  return is_whole(v) || v->kind == RLX_SCHEDULE_FLOAT;
}
static int64_t whole(const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_BOOL ? v->boolean : v->integer;
}
static double number(const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_FLOAT ? v->number : (double)whole(v);
}
static bool is_imm(const RlxScheduleValue *v) { return v->kind == RLX_SCHEDULE_INT && v->is_imm; }

/// -1, 0, 1; a NaN is equal to nothing, which no number of a trace is.
static int order(const RlxScheduleValue *a, const RlxScheduleValue *b) {
  if (is_whole(a) && is_whole(b)) return (whole(a) > whole(b)) - (whole(a) < whole(b));
  return (number(a) > number(b)) - (number(a) < number(b));
}

static int64_t floor_div(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/// `a ** b`; false: not within 64 bits.
static bool power(int64_t a, int64_t b, int64_t *out) {
  *out = 1;
  if (b < 0 || (b > 62 && a != 0 && a != 1 && a != -1)) return false;
  if (b > 62) b = 62 + b % 2; // of these three the parity tells
  for (; b > 0; b--)
    if (__builtin_mul_overflow(*out, a, out)) return false;
  return true;
}

static bool of_wholes(const Compute *x, int64_t a, int64_t b) {
  int64_t r = 0;
  bool fits = true;
  const char op = x->name[0];
  const bool divides = op == '/' || op == '%';
  if (divides && !b) return refuse(x, "division by zero");
  if (divides && b == -1)
    fits = op == '%' || !__builtin_sub_overflow((int64_t)0, a, &r);
  else if (op == '/')
    r = floor_div(a, b);
  else if (op == '%')
    r = a - floor_div(a, b) * b;
  else if (op == '+')
    fits = !__builtin_add_overflow(a, b, &r);
  else if (op == '-')
    fits = !__builtin_sub_overflow(a, b, &r);
  else
    fits = x->name[1] ? power(a, b, &r) : !__builtin_mul_overflow(a, b, &r);
  if (!fits) return refuse(x, "the number is none of 64 bits");
  give_int(x, r, is_imm(&x->args[0]) || is_imm(&x->args[1]));
  return true;
}

static bool of_floats(const Compute *x, double a, double b) {
  const bool divides = x->name[0] == '/' || x->name[0] == '%';
  if (divides && b == 0) return refuse(x, "division by zero");
  if (strcmp(x->name, "+") == 0)
    give_float(x, a + b);
  else if (strcmp(x->name, "-") == 0)
    give_float(x, a - b);
  else if (strcmp(x->name, "*") == 0)
    give_float(x, a * b);
  else if (strcmp(x->name, "/") == 0)
    give_float(x, a / b);
  else if (strcmp(x->name, "//") == 0)
    give_float(x, floor(a / b));
  else
    return refuse(x, "it is not computed of floats here");
  return true;
}

// ---- lists and texts

static bool repeat(const Compute *x, const RlxScheduleValue *list, int64_t times) {
  if (times < 0) times = 0;
  if (list->count && times > ITEMS_MAX / list->count) return refuse(x, "the list is too long");
  *x->out = (RlxScheduleValue){.kind = RLX_SCHEDULE_LIST, .count = list->count * (uint32_t)times};
  x->out->items = rlx_arena_array(x->c->s->arena, RlxScheduleValue, x->out->count + 1);
  for (uint32_t i = 0; i < x->out->count; i++) x->out->items[i] = list->items[i % list->count];
  return true;
}

static bool join(const Compute *x, const RlxScheduleValue *a, const RlxScheduleValue *b) {
  if (a->count + b->count > ITEMS_MAX) return refuse(x, "the list is too long");
  *x->out = (RlxScheduleValue){.kind = RLX_SCHEDULE_LIST, .count = a->count + b->count};
  x->out->items = rlx_arena_array(x->c->s->arena, RlxScheduleValue, x->out->count + 1);
  for (uint32_t i = 0; i < a->count; i++) x->out->items[i] = a->items[i];
  for (uint32_t i = 0; i < b->count; i++) x->out->items[a->count + i] = b->items[i];
  return true;
}

/// + - * / // % **
static bool arithmetic(Compute *x) {
  const RlxScheduleValue *a = &x->args[0], *b = &x->args[1];
  const bool is_plus = strcmp(x->name, "+") == 0, is_times = strcmp(x->name, "*") == 0;
  if (is_plus && a->kind == RLX_SCHEDULE_LIST && b->kind == RLX_SCHEDULE_LIST) return join(x, a, b);
  if (is_times && a->kind == RLX_SCHEDULE_LIST && is_whole(b)) return repeat(x, a, whole(b));
  if (is_plus && a->kind == RLX_SCHEDULE_STRING && b->kind == RLX_SCHEDULE_STRING) {
    if (strlen(a->text) + strlen(b->text) > TEXT_MAX) return refuse(x, "the text is too long");
    *x->out = *a;
    x->out->text = rlx_arena_printf(x->c->s->arena, "%s%s", a->text, b->text);
    return true;
  }
  for (int i = 0; i < 2; i++)
    if (!is_number(&x->args[i])) return refuse_kind(x, &x->args[i], "number");
  if (is_whole(a) && is_whole(b) && strcmp(x->name, "/") != 0)
    return of_wholes(x, whole(a), whole(b));
  if (strcmp(x->name, "/") == 0 && (is_imm(a) || is_imm(b)))
    return refuse(x, "TVM divides its integers by `//` alone");
  return of_floats(x, number(a), number(b));
}

/// Whether two values are the same, as `==` of Python and TVM has it for them. `*left`: comparisons that may be made; lists in
/// lists have no end of them. Where they are used up the answer is none.
static bool equals(RlxScheduleCall *c, const RlxScheduleValue *a, const RlxScheduleValue *b,
                   int *left) {
  if (--*left < 0) return false;
  if (is_number(a) && is_number(b)) return order(a, b) == 0;
  if (a->kind != b->kind) return false;
  switch ((int)a->kind) {
  case RLX_SCHEDULE_NONE: return true;
  case RLX_SCHEDULE_STRING: return strcmp(a->text, b->text) == 0;
  case RLX_SCHEDULE_THING: return a->thing.what == b->thing.what && a->thing.node == b->thing.node;
  case RLX_SCHEDULE_BLOCK:
  case RLX_SCHEDULE_LOOP: {
    if (a->ref.handle < 0 || b->ref.handle < 0) return false;
    const RlxScheduleHandle *x = &c->s->handles.at[a->ref.handle],
                            *y = &c->s->handles.at[b->ref.handle];
    return x->stmt == y->stmt && x->is_root == y->is_root && x->function == y->function;
  }
  case RLX_SCHEDULE_LIST: {
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
      same = equals(c, &a->items[i], &b->items[i], left);
    return same;
  }
  default: return false;
  }
}

/// Gives whether the operands are the same, or not, as `wanted` says.
static bool give_equal(const Compute *x, bool wanted) {
  int left = ITEMS_MAX;
  const bool same = equals(x->c, &x->args[0], &x->args[1], &left);
  if (left < 0) return refuse(x, "the lists are too long");
  give_bool(x, same == wanted);
  return true;
}

/// == != < <= > >=
static bool compare(Compute *x) {
  const RlxScheduleValue *a = &x->args[0], *b = &x->args[1];
  const char first = x->name[0];
  if (first == '=' || first == '!') return give_equal(x, first == '=');
  for (int i = 0; i < 2; i++)
    if (!is_number(&x->args[i])) return refuse_kind(x, &x->args[i], "number");
  const int o = order(a, b);
  give_bool(x, (first == '<' ? o < 0 : o > 0) || (x->name[1] && o == 0));
  return true;
}

/// `x is None`, `x is not None`, and of handles.
static bool identity(Compute *x) { return give_equal(x, strcmp(x->name, "is") == 0); }

/// `a in b`, `a not in b`
static bool membership(Compute *x) {
  const RlxScheduleValue *a = &x->args[0], *b = &x->args[1];
  bool found = false;
  int left = ITEMS_MAX;
  if (b->kind == RLX_SCHEDULE_STRING && a->kind == RLX_SCHEDULE_STRING)
    found = strstr(b->text, a->text) != NULL;
  else if (b->kind != RLX_SCHEDULE_LIST && b->kind != RLX_SCHEDULE_DICT)
    return refuse_kind(x, b, "list");
  else
    for (uint32_t i = 0; i < b->count; i += b->kind == RLX_SCHEDULE_DICT ? 2 : 1)
      found |= equals(x->c, a, &b->items[i], &left);
  if (left < 0) return refuse(x, "the list is too long");
  give_bool(x, found == (strcmp(x->name, "in") == 0));
  return true;
}

// ---- functions

static bool negative(Compute *x) {
  const RlxScheduleValue *a = &x->args[0];
  int64_t r;
  if (!is_number(a)) return refuse_kind(x, a, "number");
  if (a->kind == RLX_SCHEDULE_FLOAT)
    give_float(x, -a->number);
  else if (__builtin_sub_overflow((int64_t)0, whole(a), &r))
    return refuse(x, "the number is none of 64 bits");
  else
    give_int(x, r, is_imm(a));
  return true;
}

bool rlx_schedule_truth(RlxScheduleCall *c, const RlxScheduleValue *v, bool *out) {
  *out = true;
  switch ((int)v->kind) {
  case RLX_SCHEDULE_NONE: *out = false; return true;
  case RLX_SCHEDULE_BOOL:
  case RLX_SCHEDULE_INT: *out = whole(v) != 0; return true;
  case RLX_SCHEDULE_FLOAT: *out = v->number != 0; return true;
  case RLX_SCHEDULE_STRING: *out = *v->text != '\0'; return true;
  case RLX_SCHEDULE_LIST:
  case RLX_SCHEDULE_DICT: *out = v->count != 0; return true;
  case RLX_SCHEDULE_THING:
    if (v->thing.what != RLX_THING_EXPR) return true;
    return rlx_schedule_refuse_value(c,
                                     "whether an expression that is no number holds is not known");
  default: return true;
  }
}

static bool logical_not(Compute *x) {
  bool holds;
  if (!rlx_schedule_truth(x->c, &x->args[0], &holds)) return false;
  give_bool(x, !holds);
  return true;
}

static bool to_bool(Compute *x) {
  bool holds;
  if (!rlx_schedule_truth(x->c, &x->args[0], &holds)) return false;
  give_bool(x, holds);
  return true;
}

static bool length(Compute *x) {
  const RlxScheduleValue *a = &x->args[0];
  if (a->kind == RLX_SCHEDULE_STRING)
    give_int(x, (int64_t)strlen(a->text), false);
  else if (a->kind == RLX_SCHEDULE_LIST || a->kind == RLX_SCHEDULE_DICT)
    give_int(x, a->kind == RLX_SCHEDULE_DICT ? a->count / 2 : a->count, false);
  else
    return refuse_kind(x, a, "list");
  return true;
}

/// A float as an integer; false: it is none of 64 bits.
static bool give_rounded(Compute *x, double v) {
  if (!(fabs(v) < 9e18)) return refuse(x, "the number is none of 64 bits");
  give_int(x, (int64_t)v, false);
  return true;
}

/// int, math.ceil, math.floor
static bool to_int(Compute *x) {
  const RlxScheduleValue *a = &x->args[0];
  if (!is_number(a)) return refuse_kind(x, a, "number");
  if (is_whole(a)) {
    give_int(x, whole(a), false);
    return true;
  }
  const char first = x->name[0];
  return give_rounded(x, first == 'c'   ? ceil(a->number)
                         : first == 'f' ? floor(a->number)
                                        : trunc(a->number));
}

static bool to_float(Compute *x) {
  if (!is_number(&x->args[0])) return refuse_kind(x, &x->args[0], "number");
  give_float(x, number(&x->args[0]));
  return true;
}

static bool absolute(Compute *x) {
  const RlxScheduleValue *a = &x->args[0];
  if (is_number(a) && order(a, &(RlxScheduleValue){.kind = RLX_SCHEDULE_INT}) < 0)
    return negative(x);
  if (!is_number(a)) return refuse_kind(x, a, "number");
  *x->out = *a;
  return true;
}

static bool ceil_div(Compute *x) {
  for (int i = 0; i < 2; i++)
    if (!is_whole(&x->args[i])) return refuse_kind(x, &x->args[i], "integer");
  const int64_t a = whole(&x->args[0]), b = whole(&x->args[1]);
  if (!b) return refuse(x, "division by zero");
  if (b == -1 && a == INT64_MIN) return refuse(x, "the number is none of 64 bits");
  give_int(x, floor_div(a, b) + (a % b != 0), true);
  return true;
}

/// What min(a, b), or min([a, b]), goes over.
static bool items_of(const Compute *x, const RlxScheduleValue **items, uint32_t *count) {
  *items = x->args;
  *count = x->count;
  if (x->count != 1) return true;
  if (x->args[0].kind != RLX_SCHEDULE_LIST) return refuse_kind(x, &x->args[0], "list");
  *items = x->args[0].items;
  *count = x->args[0].count;
  return true;
}

static bool extreme(Compute *x) {
  const RlxScheduleValue *items;
  uint32_t count;
  if (!items_of(x, &items, &count)) return false;
  if (!count) return refuse(x, "the list is empty");
  const int wanted = strcmp(x->name, "min") == 0 ? -1 : 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_number(&items[i])) return refuse_kind(x, &items[i], "number");
    if (!i || order(&items[i], x->out) == wanted) *x->out = items[i];
  }
  return true;
}

static bool sum(Compute *x) {
  if (x->args[0].kind != RLX_SCHEDULE_LIST) return refuse_kind(x, &x->args[0], "list");
  RlxScheduleValue total = {.kind = RLX_SCHEDULE_INT}, pair[2];
  for (uint32_t i = 0; i < x->args[0].count; i++) {
    pair[0] = total;
    pair[1] = x->args[0].items[i];
    Compute add = {x->c, "+", pair, 2, &total};
    if (!is_number(&pair[1])) return refuse_kind(x, &pair[1], "number");
    if (!arithmetic(&add)) return false;
  }
  *x->out = total;
  return true;
}

/// any, all
static bool quantify(Compute *x) {
  if (x->args[0].kind != RLX_SCHEDULE_LIST) return refuse_kind(x, &x->args[0], "list");
  const bool is_any = strcmp(x->name, "any") == 0;
  bool result = !is_any;
  for (uint32_t i = 0; i < x->args[0].count && result != is_any; i++)
    if (!rlx_schedule_truth(x->c, &x->args[0].items[i], &result)) return false;
  give_bool(x, result);
  return true;
}

/// list, tuple
static bool to_list(Compute *x) {
  if (x->args[0].kind != RLX_SCHEDULE_LIST) return refuse_kind(x, &x->args[0], "list");
  *x->out = rlx_schedule_copied(x->c->s, &x->args[0]);
  return true;
}

/// str of a text or an integer
static bool to_text(Compute *x) {
  const RlxScheduleValue *a = &x->args[0];
  *x->out = (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = a->text};
  if (a->kind == RLX_SCHEDULE_STRING) return true;
  if (a->kind != RLX_SCHEDULE_INT) return refuse_kind(x, a, "text or integer");
  x->out->text = rlx_arena_printf(x->c->s->arena, "%lld", (long long)a->integer);
  return true;
}

/// "x.startswith": a method, of its object and its argument
static bool ends(Compute *x) {
  for (int i = 0; i < 2; i++)
    if (x->args[i].kind != RLX_SCHEDULE_STRING) return refuse_kind(x, &x->args[i], "text");
  const char *whole_text = x->args[0].text, *part = x->args[1].text;
  const size_t size = strlen(whole_text), own = strlen(part);
  const bool at_start = strcmp(x->name, ".startswith") == 0;
  give_bool(x, own <= size &&
                   strncmp(at_start ? whole_text : whole_text + size - own, part, own) == 0);
  return true;
}

/// isinstance(v, (int, tir.IntImm)): the names of the types are a list of texts
static bool is_instance(Compute *x) {
  const RlxScheduleValue *v = &x->args[0];
  bool is = false;
  for (uint32_t i = 0; i < x->args[1].count; i++) {
    const char *dotted = x->args[1].items[i].text, *dot = strrchr(dotted, '.');
    const char *type = dot ? dot + 1 : dotted;
    if (strcmp(type, "int") == 0)
      is |= v->kind == RLX_SCHEDULE_BOOL || (v->kind == RLX_SCHEDULE_INT && !v->is_imm);
    else if (strcmp(type, "IntImm") == 0)
      is |= is_imm(v);
    else if (strcmp(type, "Var") == 0)
      is |= v->kind == RLX_SCHEDULE_THING && v->thing.what == RLX_THING_VAR;
    else if (strcmp(type, "PrimExpr") == 0)
      is |= is_imm(v) || (v->kind == RLX_SCHEDULE_THING &&
                          (v->thing.what == RLX_THING_VAR || v->thing.what == RLX_THING_EXPR));
    else if (strcmp(type, "str") == 0)
      is |= v->kind == RLX_SCHEDULE_STRING;
    else if (strcmp(type, "list") == 0)
      is |= v->kind == RLX_SCHEDULE_LIST;
    else
      return refuse(x,
                    rlx_arena_printf(x->c->s->arena, "a trace does not know the type %s", dotted));
  }
  give_bool(x, is);
  return true;
}

// ---- the table

static const struct {
  const char *name;
  uint32_t least, most; ///< operands
  bool is_infix;
  bool (*run)(Compute *x); ///< NULL: of which not every operand is evaluated (values.c)
} rows[] = {
    {"+", 2, 2, true, arithmetic},
    {"-", 2, 2, true, arithmetic},
    {"*", 2, 2, true, arithmetic},
    {"/", 2, 2, true, arithmetic},
    {"//", 2, 2, true, arithmetic},
    {"%", 2, 2, true, arithmetic},
    {"**", 2, 2, true, arithmetic},
    {"==", 2, 2, true, compare},
    {"!=", 2, 2, true, compare},
    {"<", 2, 2, true, compare},
    {"<=", 2, 2, true, compare},
    {">", 2, 2, true, compare},
    {">=", 2, 2, true, compare},
    {"in", 2, 2, true, membership},
    {"not in", 2, 2, true, membership},
    {"is", 2, 2, true, identity},
    {"is not", 2, 2, true, identity},
    {"and", 2, 2, true, NULL},
    {"or", 2, 2, true, NULL},
    {"if", 3, 3, true, NULL},
    {"not", 1, 1, true, logical_not},
    {"neg", 1, 1, true, negative},
    {"len", 1, 1, false, length},
    {"int", 1, 1, false, to_int},
    {"float", 1, 1, false, to_float},
    {"bool", 1, 1, false, to_bool},
    {"ceil", 1, 1, false, to_int},
    {"floor", 1, 1, false, to_int},
    {"str", 1, 1, false, to_text},
    {"abs", 1, 1, false, absolute},
    {"ceildiv", 2, 2, false, ceil_div},
    {"min", 1, UINT32_MAX, false, extreme},
    {"max", 1, UINT32_MAX, false, extreme},
    {"sum", 1, 1, false, sum},
    {"any", 1, 1, false, quantify},
    {"all", 1, 1, false, quantify},
    {"list", 1, 1, false, to_list},
    {"tuple", 1, 1, false, to_list},
    {"isinstance", 2, 2, false, is_instance},
    {".startswith", 2, 2, false, ends},
    {".endswith", 2, 2, false, ends},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int row_of(const char *name) {
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].name, name) == 0) return i;
  return -1;
}

bool rlx_schedule_computes(const char *name) {
  const int at = row_of(name);
  return at >= 0 && !rows[at].is_infix;
}

const char *rlx_schedule_infix(const char *name) {
  const int at = row_of(name);
  return at >= 0 && rows[at].is_infix ? rows[at].name : NULL;
}

bool rlx_schedule_compute(RlxScheduleCall *c, const char *name, const RlxScheduleValue *args,
                          uint32_t count, RlxScheduleValue *out) {
  Compute x = {c, name, args, count, out};
  const int at = row_of(name);
  if (at < 0 || !rows[at].run) return refuse(&x, "it is not computed here");
  if (count < rows[at].least || count > rows[at].most)
    return refuse(&x, "these are not the arguments that it takes");
  RlxScheduleValue result = {.kind = RLX_SCHEDULE_NONE};
  x.out = &result;
  if (!rows[at].run(&x)) return false;
  *out = result;
  return true;
}
