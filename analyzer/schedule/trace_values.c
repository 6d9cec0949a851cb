/// Values in the text of a trace, as a step has them: names, numbers, texts, lists, and what is computed or asked of the
/// schedule when the step runs.
#include "analyzer/schedule/trace_impl.h"

#include <string.h>

/// `sch.vectorize(sch.get_loops(b)[-1])`: the call is a step of its own before, whose result gets a name.
static bool read_inner(TraceReader *r, const RlxAst *call, RlxScheduleValue *out) {
  out->kind = RLX_SCHEDULE_NAME;
  out->text = rlx_trace_fresh_name(r, NULL);
  return rlx_trace_read_call(r, call, out->text, rlx_stmt_absolute(r->stmt, call->span));
}

static bool read_items(TraceReader *r, const RlxAst *a, uint8_t kind, RlxScheduleValue *out) {
  out->kind = kind;
  out->count = a->child_count;
  out->items = rlx_arena_array(r->trace->arena, RlxScheduleValue, a->child_count);
  for (uint32_t i = 0; i < a->child_count; i++)
    if (!rlx_trace_read_value(r, a->children[i], &out->items[i])) return false;
  return true;
}

static const char *name_text(TraceReader *r, RlxName name) {
  return rlx_arena_strdup(r->trace->arena, rlx_store_text(r->store, name));
}

/// A value that is known when the step runs.
static bool is_asked(const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_NAME || v->kind == RLX_SCHEDULE_ITEM ||
         v->kind == RLX_SCHEDULE_FIELD || v->kind == RLX_SCHEDULE_COMPUTED;
}

/// loops[0], loops[1:], loops[::-1]
static bool read_item(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  if (a->child_count != 2)
    return rlx_trace_wrong(r, a->span, "a step takes names, numbers, texts and lists");
  const RlxAst *index = a->children[1];
  bool is_slice = index->kind == RLX_AST_SLICE && index->child_count >= 2;
  bool has_step = is_slice && index->child_count > 2 && index->children[2]->kind != RLX_AST_NONE;
  out->kind = RLX_SCHEDULE_ITEM;
  out->count = has_step ? 4 : is_slice ? 3 : 2;
  out->items = rlx_arena_array(r->trace->arena, RlxScheduleValue, 4);
  if (!rlx_trace_read_value(r, a->children[0], &out->items[0])) return false;
  for (uint32_t i = 1; i < out->count; i++) {
    if (!rlx_trace_read_value(r, is_slice ? index->children[i - 1] : index, &out->items[i]))
      return false;
    bool is_end = is_slice && out->items[i].kind == RLX_SCHEDULE_NONE;
    bool is_key = !is_slice && out->items[i].kind == RLX_SCHEDULE_STRING; // config["tile"]
    if (!is_end && !is_key && out->items[i].kind != RLX_SCHEDULE_INT && !is_asked(&out->items[i]))
      return rlx_trace_wrong(r, a->span, "the index is no number");
  }
  return true;
}

/// A name of the trace; of a function that is written out what it stands for; of a function an index map.
static bool read_name(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  const RlxScheduleValue *local = rlx_trace_local(r, a->name);
  const RlxStmt *f = local ? NULL : rlx_trace_function(r, a->name);
  if (local) *out = *local;
  if (local || (f && rlx_trace_as_lambda(r, f, out))) return true;
  out->kind = RLX_SCHEDULE_NAME;
  out->text = name_text(r, a->name);
  return true;
}

// ---- computations

static const RlxScheduleValue *text_value(TraceReader *r, const char *text) {
  RlxScheduleValue *out = rlx_arena_one(r->trace->arena, RlxScheduleValue);
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = text};
  return out;
}

RlxScheduleValue rlx_trace_computed(TraceReader *r, const char *name, const RlxScheduleValue *items,
                                    uint32_t count) {
  RlxScheduleValue out = {.kind = RLX_SCHEDULE_COMPUTED, .count = count};
  out.more = text_value(r, name);
  out.items = rlx_arena_array(r->trace->arena, RlxScheduleValue, count + 1);
  for (uint32_t i = 0; i < count; i++) out.items[i] = items[i];
  return out;
}

const char *rlx_trace_operator(RlxAstOp op) {
  static const char *const names[] = {
      [RLX_OP_ADD] = "+",  [RLX_OP_SUB] = "-",         [RLX_OP_MUL] = "*",
      [RLX_OP_DIV] = "/",  [RLX_OP_FLOORDIV] = "//",   [RLX_OP_MOD] = "%",
      [RLX_OP_POW] = "**", [RLX_OP_EQ] = "==",         [RLX_OP_NE] = "!=",
      [RLX_OP_LT] = "<",   [RLX_OP_LE] = "<=",         [RLX_OP_GT] = ">",
      [RLX_OP_GE] = ">=",  [RLX_OP_IN] = "in",         [RLX_OP_NOT_IN] = "not in",
      [RLX_OP_IS] = "is",  [RLX_OP_IS_NOT] = "is not", [RLX_OP_AND] = "and",
      [RLX_OP_OR] = "or"};
  return (size_t)op < sizeof names / sizeof *names ? names[op] : NULL;
}

/// -n, not n
static bool read_unary(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  RlxScheduleValue v;
  if (a->op != RLX_OP_NEG && a->op != RLX_OP_NOT && a->op != RLX_OP_POS)
    return rlx_trace_wrong(r, a->span, "a step computes with + - * / // % and **");
  if (!rlx_trace_read_value(r, a->children[0], &v)) return false;
  *out = v;
  if (a->op == RLX_OP_POS) return true;
  if (a->op == RLX_OP_NEG && v.kind == RLX_SCHEDULE_INT)
    out->integer = (int64_t)(0 - (uint64_t)v.integer);
  else if (a->op == RLX_OP_NEG && v.kind == RLX_SCHEDULE_FLOAT)
    out->number = -v.number;
  else
    *out = rlx_trace_computed(r, a->op == RLX_OP_NEG ? "neg" : "not", &v, 1);
  return true;
}

/// `a < b <= c`, which the numbers of the text do not decide.
static bool read_compare(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  RlxScheduleValue pair[2], both[2];
  if (!rlx_trace_read_value(r, a->children[0], &pair[0])) return false;
  for (uint32_t i = 0; i + 1 < a->child_count; i++) {
    const char *op = rlx_trace_operator((RlxAstOp)a->ops[i]);
    if (!op || !rlx_trace_read_value(r, a->children[i + 1], &pair[1])) return false;
    both[1] = rlx_trace_computed(r, op, pair, 2);
    both[0] = i ? rlx_trace_computed(r, "and", both, 2) : both[1];
    pair[0] = pair[1];
  }
  *out = both[0];
  return true;
}

static bool read_bool(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  bool holds;
  if (rlx_trace_decide(r, a, &holds)) {
    *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_BOOL, .boolean = holds};
    return true;
  }
  if (a->kind == RLX_AST_COMPARE) return read_compare(r, a, out);
  RlxScheduleValue pair[2];
  for (int i = 0; i < 2; i++)
    if (!rlx_trace_read_value(r, a->children[i], &pair[i])) return false;
  *out = rlx_trace_computed(r, rlx_trace_operator((RlxAstOp)a->op), pair, 2);
  return true;
}

/// f"C_{i}", of texts and integers.
static bool read_fstring(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  if (a->op) return rlx_trace_wrong(r, a->span, "a text of a trace has no formats in it");
  *out = *text_value(r, "");
  for (uint32_t i = 0; i < a->child_count; i++) {
    RlxScheduleValue part, pair[2] = {*out};
    if (!rlx_trace_read_value(r, a->children[i], &part)) return false;
    pair[1] = part.kind == RLX_SCHEDULE_STRING ? part : rlx_trace_computed(r, "str", &part, 1);
    *out = i ? rlx_trace_computed(r, "+", pair, 2) : pair[1];
  }
  return true;
}

// ---- calls that give a value

/// "tir.IntImm" of a chain of names; NULL: it is none.
static const char *dotted_text(TraceReader *r, const RlxAst *a) {
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *first = a->kind == RLX_AST_NAME ? a : rlx_ast_dotted(r->store, a, rest);
  if (!first) return NULL;
  const char *name = rlx_store_text(r->store, first->name);
  return first == a ? rlx_arena_strdup(r->trace->arena, name)
                    : rlx_arena_printf(r->trace->arena, "%s.%s", name, rest);
}

/// What a call computes: a row of compute.c. `*is_method`: of what stands before the dot. NULL: it is a step, or nothing that is known.
static const char *computes(const TraceReader *r, const RlxAst *call, bool *is_method) {
  const RlxAst *callee = call->children[0];
  *is_method = false;
  if (callee->kind == RLX_AST_NAME) {
    const char *name = rlx_store_text(r->store, callee->name);
    const bool is_own = rlx_trace_function(r, callee->name) || rlx_trace_local(r, callee->name);
    return !is_own && rlx_schedule_computes(name) ? name : NULL;
  }
  if (callee->kind != RLX_AST_ATTRIBUTE) return NULL;
  const char *name = rlx_store_text(r->store, callee->name);
  const RlxAst *base = callee->children[0];
  if (strcmp(name, "startswith") == 0 || strcmp(name, "endswith") == 0) {
    *is_method = true;
    return strcmp(name, "startswith") == 0 ? ".startswith" : ".endswith";
  }
  const bool is_module = base->kind == RLX_AST_NAME || base->kind == RLX_AST_ATTRIBUTE;
  const bool is_of_module = strcmp(name, "ceil") == 0 || strcmp(name, "floor") == 0 ||
                            strcmp(name, "ceildiv") == 0; // math.ceil, T.ceildiv
  const bool is_schedule = base->kind == RLX_AST_NAME && rlx_trace_is_schedule(r, base->name);
  return is_module && is_of_module && !is_schedule ? name : NULL;
}

bool rlx_trace_is_value(const TraceReader *r, const RlxAst *a) {
  bool is_method;
  return a->kind != RLX_AST_CALL || computes(r, a, &is_method) != NULL;
}

bool rlx_trace_is_method(const TraceReader *r, const RlxAst *call) {
  bool is_method;
  return computes(r, call, &is_method) && is_method;
}

bool rlx_trace_is_constant(TraceReader *r, const RlxAst *a) {
  const char *dotted = a->kind == RLX_AST_ATTRIBUTE ? dotted_text(r, a) : NULL;
  int64_t constant;
  return dotted && rlx_schedule_constant(dotted, &constant);
}

/// The types of isinstance(n, (int, tir.IntImm)), as texts.
static bool read_types(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  const bool is_tuple = a->kind == RLX_AST_TUPLE;
  const uint32_t count = is_tuple ? a->child_count : 1;
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_LIST, .count = count};
  out->items = rlx_arena_array(r->trace->arena, RlxScheduleValue, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = dotted_text(r, is_tuple ? a->children[i] : a);
    if (!name) return rlx_trace_wrong(r, a->span, "these are no names of types");
    out->items[i] = *text_value(r, name);
  }
  return true;
}

static bool read_computing_call(TraceReader *r, const RlxAst *call, const char *name,
                                bool is_method, RlxScheduleValue *out) {
  const uint32_t first = is_method ? 0 : 1, count = call->child_count - first;
  RlxScheduleValue *items = rlx_arena_array(r->trace->arena, RlxScheduleValue, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const RlxAst *arg = call->children[i + first];
    if (is_method && !i) arg = arg->children[0];
    if (arg->kind == RLX_AST_KEYWORD)
      return rlx_trace_wrong(r, arg->span, "this is computed without named arguments");
    const bool is_types = i == 1 && strcmp(name, "isinstance") == 0;
    if (!(is_types ? read_types(r, arg, &items[i]) : rlx_trace_read_value(r, arg, &items[i])))
      return false;
  }
  *out = rlx_trace_computed(r, name, items, count);
  return true;
}

/// tir.const(4, "int64"), T.int64(4), tir.IntImm("int64", 4)
static bool read_constant(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  static const struct {
    const char *name;
    uint32_t at; ///< place of the number among the children
  } rows[] = {{"const", 1}, {"IntImm", 2}, {"int32", 1}, {"int64", 1}};
  const RlxAst *callee = a->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE || callee->children[0]->kind == RLX_AST_CALL) return false;
  const RlxAst *base = callee->children[0];
  if (base->kind == RLX_AST_NAME && rlx_trace_is_schedule(r, base->name)) return false;
  const char *name = rlx_store_text(r->store, callee->name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) != 0 || a->child_count <= rows[i].at) continue;
    const uint32_t steps = r->trace->steps.count;
    if (rlx_trace_read_value(r, a->children[rows[i].at], out) && out->kind == RLX_SCHEDULE_INT) {
      out->is_imm = true;
      return true;
    }
    r->trace->steps.count = steps;
  }
  return false;
}

static bool read_call(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  if (read_constant(r, a, out)) return true;
  bool is_method;
  const char *name = computes(r, a, &is_method);
  if (rlx_trace_least_or_most(r, a, out)) return true;
  return name ? read_computing_call(r, a, name, is_method, out) : read_inner(r, a, out);
}

// ---- fields

/// sch.get(l).extent; tir.IterVar.CommReduce
static bool read_attribute(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  const char *dotted = dotted_text(r, a);
  int64_t constant;
  if (dotted && rlx_schedule_constant(dotted, &constant)) {
    *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = constant};
    return true;
  }
  const RlxAst *base = a->children[0];
  if (base->kind == RLX_AST_NAME && rlx_trace_is_schedule(r, base->name))
    return rlx_trace_wrong(r, a->span, "of the schedule itself a step takes what its calls give");
  RlxScheduleValue of;
  if (!rlx_trace_read_value(r, base, &of)) return false;
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_FIELD, .count = 1};
  out->items = rlx_arena_one(r->trace->arena, RlxScheduleValue);
  out->items[0] = of;
  out->more = text_value(r, name_text(r, a->name));
  return true;
}

bool rlx_trace_read_value(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_NONE};
  switch (a->kind) {
  case RLX_AST_NONE: return true;
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
    out->kind = RLX_SCHEDULE_BOOL;
    out->boolean = a->kind == RLX_AST_TRUE;
    return true;
  case RLX_AST_INT:
    if (a->is_big) return rlx_trace_wrong(r, a->span, "the number is too large");
    out->kind = RLX_SCHEDULE_INT;
    out->integer = a->integer;
    return true;
  case RLX_AST_FLOAT:
    out->kind = RLX_SCHEDULE_FLOAT;
    out->number = a->number;
    return true;
  case RLX_AST_UNARY: return read_unary(r, a, out);
  case RLX_AST_BINARY: return rlx_trace_arithmetic(r, a, out);
  case RLX_AST_COMPARE:
  case RLX_AST_BOOL_OP: return read_bool(r, a, out);
  case RLX_AST_CONDITIONAL: return rlx_trace_read_conditional(r, a, out);
  case RLX_AST_COMPREHENSION: return rlx_trace_read_comprehension(r, a, out);
  case RLX_AST_FSTRING: return read_fstring(r, a, out);
  case RLX_AST_ATTRIBUTE: return read_attribute(r, a, out);
  case RLX_AST_STRING:
    out->kind = RLX_SCHEDULE_STRING;
    out->text = rlx_arena_strndup(r->trace->arena, a->text, a->text_size);
    return true;
  case RLX_AST_NAME: return read_name(r, a, out);
  case RLX_AST_LIST:
  case RLX_AST_TUPLE: return read_items(r, a, RLX_SCHEDULE_LIST, out);
  case RLX_AST_DICT: return read_items(r, a, RLX_SCHEDULE_DICT, out);
  case RLX_AST_SUBSCRIPT: return read_item(r, a, out);
  case RLX_AST_STARRED: return read_items(r, a, RLX_SCHEDULE_STAR, out);
  case RLX_AST_CALL: return read_call(r, a, out);
  case RLX_AST_LAMBDA:
    out->kind = RLX_SCHEDULE_LAMBDA;
    out->text = rlx_trace_text(r, a);
    return true;
  default: break;
  }
  return rlx_trace_wrong(r, a->span, "a step takes names, numbers, texts, lists and lambdas");
}
