/// Python's own functions and comparisons in a PrimFunc's script, which Python evaluates while TVM's parser runs it.
#include <stdlib.h>
#include <string.h>

#include "analyzer/function/kinds_args.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

/// An expression whose value only the running PrimFunc has: Python's functions cannot ask for it.
static bool is_symbolic(Kind kind) {
  return kind_is_expr(kind) && !kind.has_number && !kind.is_constant &&
         (kind.dtype.bits || kind.is_var || kind.is_load);
}

/// Whether Python has no way to take the value for a number, or to compare it with one.
static bool is_no_number(Kind kind) {
  return kind.tag != KIND_UNKNOWN && kind.tag != KIND_EXPR && kind.tag != KIND_OTHER &&
         (kind.tag != KIND_OBJECT || kind.count) && !kind_is_python_number(kind);
}

bool rlx_kind_is_no_sequence(Kind kind) {
  kind = rlx_kind_unpacked(kind);
  return kind_is_python_number(kind) || kind.tag == KIND_NONE || kind_is_thing(kind) ||
         kind_is_expr(kind);
}

Kind rlx_kind_bytes(Kinds *k, const RlxAst *ast) {
  Kind out = rlx_kind_of(KIND_OBJECT), *list = rlx_arena_one(k->arena, Kind);
  const size_t size = strlen(ast->text), around = strlen("b''");
  const bool is_plain = ast->span.end - ast->span.start == size + around && size < MAX_ARGS;
  *list = rlx_kind_of(KIND_LIST);
  list->count = is_plain ? (uint32_t)size : KIND_MANY; // one letter may be written as several
  Kind *items = is_plain ? rlx_arena_array(k->arena, Kind, size + 1) : NULL;
  for (size_t i = 0; is_plain && i < size; i++) {
    items[i] = rlx_kind_of(KIND_INT);
    items[i].has_number = true;
    items[i].number = (unsigned char)ast->text[i];
  }
  list->items = items;
  out.object = BYTES_OBJECT;
  out.items = list;
  return out;
}

static bool is_bytes(Kind kind) { return kind.tag == KIND_OBJECT && kind.object == BYTES_OBJECT; }

// ---- functions

static void refuse(Kinds *k, const Args *a, int at, const char *name) {
  rlx_kind_refuse_text(
      k, IN_BOTH, a->at[at]->span,
      kind_is_expr(a->kinds[at])
          ? rlx_arena_printf(k->arena,
                             "`%s` of Python takes no expression; T has a function for it", name)
          : rlx_arena_printf(k->arena, "`%s` of Python does not take %s", name,
                             rlx_kind_text(k, a->kinds[at])));
}

/// int, float, abs, round, pow, divmod: each argument is a number; for the first two a string may spell it.
static void check_numbers(Kinds *k, const char *name, const Args *a) {
  const bool converts = rlx_text_is_among(name, "int float");
  for (int i = 0; i < a->count; i++) {
    const Kind one = a->kinds[i];
    if (converts && is_bytes(one)) continue; // its letters may spell a number
    const bool is_spelled = one.tag == KIND_STR &&
                            (!one.text ||
                             strspn(one.text, name[0] == 'i' ? "+-0123456789_ "
                                                             : "+-0123456789_. einfatyEINFATY") ==
                                 strlen(one.text)),
               is_read = converts && is_spelled,
               is_taken = converts && kind_is_expr(one) && !is_symbolic(one) &&
                          (name[0] == 'i') == rlx_dtype_is_int(one.dtype);
    const bool is_object = converts && (one.tag == KIND_OBJECT || one.tag == KIND_OTHER);
    if ((kind_is_expr(one) && !is_taken && (one.dtype.bits || one.is_var)) ||
        (is_no_number(one) && !is_read) || is_object)
      refuse(k, a, i, name);
  }
}

/// min, max of several values, which are compared with each other.
static void check_compared(Kinds *k, const char *name, const Args *a) {
  bool has_number = false;
  for (int i = 0; i < a->count; i++)
    has_number |= kind_is_python_number(a->kinds[i]) || kind_is_expr(a->kinds[i]);
  for (int i = 0; i < a->count; i++) {
    const Kind one = a->kinds[i];
    const bool has_order = one.tag == KIND_STR || kind_is_list(one) || is_bytes(one);
    if ((one.tag == KIND_OTHER || kind_is_thing(one)) && has_number) refuse(k, a, i, name);
    if (is_symbolic(one) || (is_no_number(one) && (has_number || !has_order)))
      refuse(k, a, i, name);
  }
}

static void check_sum(Kinds *k, const Args *a) {
  const Kind list = a->kinds[0];
  for (uint32_t i = 0;
       a->count == 1 && kind_is_list(list) && list.count != KIND_MANY && i < list.count; i++)
    if (is_no_number(list.items[i]))
      rlx_kind_refuse(k, IN_BOTH, a->at[0], list.items[i], "a number");
  if (a->count == 1 && (list.tag == KIND_STR || list.tag == KIND_BUFFER)) refuse(k, a, 0, "sum");
}

static void check_arguments(Kinds *k, const char *name, const Args *a) {
  if (!a->count || a->is_open) return;
  if (rlx_text_is_among(name, "int float abs round pow divmod")) check_numbers(k, name, a);
  if (rlx_text_is_among(name, "min max") && a->count > 1) check_compared(k, name, a);
  const bool goes_through =
      rlx_text_is_among(
          name, "min max sum list tuple sorted set frozenset enumerate reversed iter all any") &&
      (a->count == 1 || strcmp(name, "enumerate") == 0);
  if (goes_through && rlx_kind_is_no_sequence(a->kinds[0])) refuse(k, a, 0, name);
  if (strcmp(name, "sum") == 0) check_sum(k, a);
  if (strcmp(name, "len") == 0 &&
      (rlx_kind_is_no_sequence(a->kinds[0]) || a->kinds[0].tag == KIND_BUFFER ||
       a->kinds[0].tag == KIND_REGION))
    refuse(k, a, 0, name);
  if (strcmp(name, "bool") == 0) {
    if (is_symbolic(a->kinds[0])) refuse(k, a, 0, name);
    if (a->kinds[0].tag == KIND_BUFFER)
      rlx_kind_refuse(k, IN_027, a->at[0], a->kinds[0], "a condition");
  }
}

/// What the function gives of numbers: of ints an int, which is known where it is one of them.
static Kind of_numbers(const char *name, const Args *a) {
  bool are_ints = !a->is_open && a->count > 0, are_numbers = are_ints;
  for (int i = 0; i < a->count; i++) {
    are_numbers &= kind_is_python_number(a->kinds[i]);
    are_ints &= a->kinds[i].tag == KIND_INT;
  }
  if (!are_numbers || a->keyword_count) return unknown();
  if (strcmp(name, "round") == 0 && a->count == 1) return rlx_kind_of(KIND_INT);
  if (rlx_text_is_among(name, "min max") && a->count == 1) return unknown();
  if (!are_ints) return rlx_kind_of(KIND_UNKNOWN);
  if (strcmp(name, "pow") == 0) // of a negative power a float
    return rlx_kind_of(a->count == 2 && a->kinds[1].has_number && a->kinds[1].number >= 0
                           ? KIND_INT
                           : KIND_UNKNOWN);
  Kind out = rlx_kind_of(KIND_INT);
  if (!rlx_text_is_among(name, "min max")) return out;
  out.has_number = true;
  out.number = a->kinds[0].number;
  for (int i = 0; i < a->count; i++) {
    const int64_t number = a->kinds[i].number;
    out.has_number &= a->kinds[i].has_number;
    if (name[1] == 'i' ? number < out.number : number > out.number) out.number = number;
  }
  return out;
}

/// `sum([…])`
static Kind sum_of(const Args *a) {
  if (a->is_open || a->count != 1 || !kind_is_list(a->kinds[0]) || a->kinds[0].count == KIND_MANY)
    return unknown();
  Args items = {.path = ""};
  bool has_expression = false;
  for (uint32_t i = 0; i < a->kinds[0].count && i < MAX_ARGS; i++) {
    items.kinds[items.count++] = a->kinds[0].items[i];
    has_expression |= kind_is_expr(a->kinds[0].items[i]);
  }
  if (has_expression && items.count == 1) return items.kinds[0]; // 0 + i is i
  if (has_expression) return unknown();
  return of_numbers("sum", &items);
}

/// `list(…)`, `tuple(…)`: the items of a list, or the letters of a string.
static Kind list_of(Kind out, const Args *a) {
  if (!a->count) out.count = 0;
  if (a->count != 1) return out;
  const Kind from = rlx_kind_unpacked(a->kinds[0]);
  if ((!kind_is_list(from) && !from.is_range) || (from.is_range && !from.items)) return out;
  out.items = from.items;
  out.count = from.count;
  return out;
}

/// `float("inf")`
static Kind float_of(const Args *a) {
  Kind out = rlx_kind_of(KIND_FLOAT);
  if (a->is_open || a->count != 1) return out;
  const Kind from = a->kinds[0];
  char *end;
  if (from.tag == KIND_STR && from.text) {
    out.real = strtod(from.text, &end);
    out.has_number = end != from.text && !*end;
  } else if (kind_is_python_number(from)) {
    out.has_number = from.has_number;
    out.real = from.tag == KIND_FLOAT ? from.real : (double)from.number;
  }
  return out;
}

static bool ends_with(const char *text, const char *end) {
  const size_t size = strlen(text), tail = strlen(end);
  return size >= tail && strcmp(text + size - tail, end) == 0;
}

Kind rlx_kind_builtin(Kinds *k, const RlxAst *callee, const Args *a) {
  static const struct {
    const char *names;
    KindTag result;
  } rows[] = {{"str repr ascii chr format hex oct bin", KIND_STR},
              {"bool callable isinstance issubclass hasattr all any", KIND_BOOL},
              {"int len hash id ord", KIND_INT},
              {"float", KIND_FLOAT},
              {"list sorted", KIND_LIST},
              {"tuple divmod", KIND_TUPLE},
              {"dict", KIND_DICT},
              {"print", KIND_NONE},
              {"slice", KIND_SLICE},
              {"bytes bytearray complex object type", KIND_OBJECT},
              {"set frozenset zip enumerate reversed map filter iter", KIND_OTHER}};
  const char *name = callee->kind == RLX_AST_NAME ? rlx_store_text(k->store, callee->name) : "";
  check_arguments(k, name, a);
  if (strcmp(name, "super") == 0)
    rlx_kind_refuse_text(k, IN_BOTH, callee->span, "a PrimFunc is in no class");
  if (rlx_text_is_among(name, "abs round pow min max")) return of_numbers(name, a);
  if (strcmp(name, "sum") == 0) return sum_of(a);
  if (ends_with(name, "Error") || ends_with(name, "Exception")) return rlx_kind_of(KIND_OBJECT);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!rlx_text_is_among(name, rows[i].names)) continue;
    Kind out = rlx_kind_of(rows[i].result);
    if (kind_is_list(out)) out.count = KIND_MANY;
    if (strcmp(name, "float") == 0) return float_of(a);
    if (rlx_text_is_among(name, "list tuple") && !a->is_open) return list_of(out, a);
    return out;
  }
  return unknown();
}

// ---- comparisons

/// Reports where Python does not ask `where` whether it has `what`: strings have strings, bytes have ints and bytes, and
/// dictionaries find a key by its hash, which lists have not.
static void check_membership(Kinds *k, const RlxAst *ast, Kind what, Kind where) {
  if (rlx_kind_is_no_sequence(where)) rlx_kind_refuse(k, IN_BOTH, ast, where, "a list");
  const bool is_known = what.tag != KIND_UNKNOWN && !(what.tag == KIND_OBJECT && what.count);
  if (!is_known) return;
  if (where.tag == KIND_STR && where.object != DTYPE_STRING && what.tag != KIND_STR)
    rlx_kind_refuse(k, IN_BOTH, ast, what, "a string: the other value is one");
  const bool is_int = what.tag == KIND_INT || what.tag == KIND_BOOL,
             is_byte = is_int && (!what.has_number || (what.number >= 0 && what.number < 256));
  if (is_bytes(where) && !is_byte && what.tag != KIND_OBJECT)
    rlx_kind_refuse(k, IN_BOTH, ast, what, "a byte: an int from 0 to 255");
  const bool has_hash = what.tag != KIND_DICT && what.tag != KIND_LIST;
  if (where.tag == KIND_DICT && !has_hash) rlx_kind_refuse(k, IN_BOTH, ast, what, "a key");
}

Kind rlx_kind_identity(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b) {
  Kind out = rlx_kind_of(KIND_BOOL);
  if (op == RLX_OP_IN || op == RLX_OP_NOT_IN) {
    check_membership(k, ast, a, b);
    return out;
  }
  const bool is_known = a.tag != KIND_UNKNOWN && a.tag != KIND_OBJECT && b.tag == KIND_NONE;
  out.has_number = is_known;
  out.number = is_known && (a.tag == KIND_NONE) == (op == RLX_OP_IS);
  return out;
}
