/// What statements of a PrimFunc's script bind to names and store in buffers, and what they do not take.
#include "analyzer/function/kinds.h"

#include <string.h>

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

// ---- names

static bool is_in_frame(const Kinds *k, RlxName name, Kind *out) {
  const KindName *known = rlx_kind_in_frame(k, name);
  if (known) *out = known->kind;
  return known != NULL;
}

/// Gives every name of a target an unknown value.
void rlx_kind_define_all(Kinds *k, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) rlx_kind_define(k, target->name, unknown());
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST ||
      target->kind == RLX_AST_STARRED)
    for (uint32_t i = 0; i < target->child_count; i++) rlx_kind_define_all(k, target->children[i]);
}

/// Whether the items of two lists may be equal, which is so of expressions that are one.
static bool may_be_equal(Kind a, Kind b) {
  if (kind_is_python_number(a) && kind_is_python_number(b))
    return a.tag != b.tag || !a.has_number || !b.has_number || a.number == b.number;
  if (a.tag != b.tag) return false;
  if (a.tag == KIND_STR) return !a.text || !b.text || strcmp(a.text, b.text) == 0;
  if (!kind_is_list(a) || a.count == KIND_MANY || b.count == KIND_MANY) return true;
  bool are_equal = a.count == b.count;
  for (uint32_t i = 0; are_equal && i < a.count; i++)
    are_equal = may_be_equal(a.items[i], b.items[i]);
  return are_equal;
}

/// Whether both may be one value to TVM's table of names, which then leaves it: a buffer, equal values of Python.
static bool may_be_same(Kind a, Kind b) {
  if (a.tag == KIND_BUFFER) return b.tag == KIND_BUFFER && a.called == b.called;
  const bool is_pythons =
      kind_is_python_number(a) || kind_is_list(a) || a.tag == KIND_STR || a.tag == KIND_NONE;
  return is_pythons && a.tag == b.tag && may_be_equal(a, b);
}

/// Notes memory of one element that the block's body declares and writes.
static void note_cell(Kinds *k, const RlxAst *target) {
  if (k->block && target->kind == RLX_AST_NAME) k->blocks.at[k->block - 1].cell = target->name;
}

/// The items of a list under a name have names of their own.
static void check_items(Kinds *k, const RlxAst *target, Kind list, int depth) {
  for (uint32_t i = 0; list.count != KIND_MANY && i < list.count && depth < 8; i++) {
    const Kind one = list.items[i];
    const bool is_no = one.tag == KIND_NONE || one.tag == KIND_STR || one.tag == KIND_DICT ||
                       one.tag == KIND_FUNCTION || one.tag == KIND_MODULE ||
                       one.tag == KIND_SLICE || one.tag == KIND_OTHER || one.is_array ||
                       one.tag == KIND_ANNOTATION || (one.tag == KIND_FOR && one.count > 1) ||
                       (one.tag == KIND_OBJECT && !one.count);
    if (is_no) rlx_kind_refuse(k, IN_BOTH, target, one, "a value of a PrimFunc under a name");
    if (one.tag == KIND_BUFFER && one.is_named)
      rlx_kind_refuse(k, IN_025, target, one, "a buffer without a name");
    if (kind_is_list(one)) check_items(k, target, one, depth + 1);
  }
}

/// What TVM keeps under a name that is assigned a value; reports what it cannot keep.
static Kind kept(Kinds *k, const RlxAst *target, Kind value) {
  switch ((KindTag)value.tag) {
  case KIND_OBJECT:
    if (value.count) return value.items[0]; // of T.meta_var
    break;
  case KIND_NONE:
  case KIND_STR:
  case KIND_DICT:
  case KIND_FUNCTION:
  case KIND_MODULE:
  case KIND_SLICE:
  case KIND_ANNOTATION:
  case KIND_OTHER: break;
  case KIND_LIST:
  case KIND_TUPLE:
    if (value.is_array)
      rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
    check_items(k, target, value, 0);
    return value;
  case KIND_BOOL:
  case KIND_INT:
  case KIND_FLOAT: {
    RlxDType dtype = value.tag == KIND_BOOL  ? RLX_BOOL
                     : value.tag == KIND_INT ? RLX_INT32
                                             : RLX_FLOAT32;
    if (value.tag == KIND_FLOAT && !rlx_kind_is_float32(value))
      dtype = rlx_dtype(RLX_DTYPE_FLOAT, 64);
    Kind cell = rlx_kind_expr(dtype);
    cell.is_cell = cell.is_load = true;
    cell.made_in = k->block;
    note_cell(k, target);
    return cell;
  }
  case KIND_EXPR:
    if (value.is_var) return value;
    if (value.is_called) note_cell(k, target); // the others are seen where the block is read
    value.is_called = false;
    value.is_cell = value.is_load = true;
    value.made_in = k->block;
    return value;
  case KIND_FRAME:
    rlx_kind_enter(k, FRAME_OTHER, NULL);
    if (value.thread) { // entered: the variable of the thread axis
      KindThread *thread = value.thread;
      value = rlx_kind_expr(rlx_dtype(RLX_DTYPE_INT, 0));
      value.is_var = true;
      value.thread = thread;
      return value;
    }
    return unknown();
  case KIND_FOR: // entered: the variables of the loops
    if (value.count == 1) return value.items[0];
    if (value.count == KIND_MANY) return unknown();
    value.tag = KIND_TUPLE;
    return value;
  case KIND_BUFFER:
    if (value.is_named) rlx_kind_refuse(k, IN_025, target, value, "a buffer without a name");
    return value;
  case KIND_UNKNOWN:
  case KIND_REGION: return value;
  }
  rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
  return unknown();
}

static void bind_tuple(Kinds *k, const RlxAst *target, Kind value, KindBinder how);

/// The names of a T.meta_var: each is one of what stands in it.
static void bind_wrapped(Kinds *k, const RlxAst *target, Kind value, KindBinder how) {
  if (kind_is_list(value) && value.count != KIND_MANY) {
    Kind *items = rlx_arena_array(k->arena, Kind, value.count);
    for (uint32_t i = 0; i < value.count; i++) items[i] = rlx_kind_wrapped(k, value.items[i]);
    value.items = items;
  }
  if (value.tag == KIND_STR || value.tag == KIND_DICT || value.tag == KIND_OBJECT)
    rlx_kind_define_all(k, target); // of letters, of keys, of what its class says
  else
    bind_tuple(k, target, value, how);
}

/// `a, *b, c = …` of a list whose items are known; the name behind the star is the list of those between.
static void bind_starred(Kinds *k, const RlxAst *target, uint32_t star, Kind value,
                         KindBinder how) {
  const uint32_t names = target->child_count - 1;
  if (value.count < names) {
    rlx_kind_refuse_text(k, IN_BOTH, target->span,
                         rlx_arena_printf(k->arena, "%u names and more for %u value%s", names,
                                          value.count, value.count == 1 ? "" : "s"));
    rlx_kind_define_all(k, target);
    return;
  }
  const uint32_t between = value.count - names;
  Kind rest = rlx_kind_of(KIND_LIST);
  rest.items = value.items + star;
  rest.count = between;
  for (uint32_t i = 0; i < target->child_count; i++) {
    const RlxAst *child = target->children[i];
    if (i == star)
      rlx_kind_bind(k, child->children[0], rest, how);
    else
      rlx_kind_bind(k, child, value.items[i < star ? i : i - 1 + between], how);
  }
}

static void bind_tuple(Kinds *k, const RlxAst *target, Kind value, KindBinder how) {
  if (value.tag == KIND_OBJECT && value.object == PLAIN_OBJECT && value.count) {
    bind_wrapped(k, target, value.items[0], how);
    return;
  }
  value = rlx_kind_unpacked(value);
  uint32_t star = 0, stars = 0;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (target->children[i]->kind == RLX_AST_STARRED) star = i, stars++;
  const bool is_starred = stars > 0;
  if (stars == 1 && kind_is_list(value) && value.count != KIND_MANY && !value.is_array) {
    bind_starred(k, target, star, value, how);
    return;
  }
  if (kind_is_list(value) && value.count != KIND_MANY && !is_starred) {
    if (value.count != target->child_count) {
      rlx_kind_refuse_text(
          k, IN_BOTH, target->span,
          rlx_arena_printf(k->arena, "%u names for %u values", target->child_count, value.count));
      rlx_kind_define_all(k, target);
      return;
    }
    for (uint32_t i = 0; i < value.count; i++)
      rlx_kind_bind(k, target->children[i], value.items[i], how);
    return;
  }
  bool is_one = kind_is_python_number(value) || value.tag == KIND_NONE ||
                value.tag == KIND_FUNCTION || value.tag == KIND_MODULE || value.tag == KIND_EXPR ||
                value.tag == KIND_BUFFER || value.tag == KIND_REGION || value.tag == KIND_FOR ||
                value.tag == KIND_STR || value.tag == KIND_ANNOTATION || value.tag == KIND_FRAME ||
                (value.tag == KIND_DICT && value.count && value.count < target->child_count) ||
                (value.tag == KIND_OBJECT && value.object != SCALAR_OBJECT);
  if (is_one)
    rlx_kind_refuse_text(k, IN_BOTH, target->span,
                         rlx_arena_printf(k->arena, "%u names for %s", target->child_count,
                                          rlx_kind_text(k, value)));
  rlx_kind_define_all(k, target);
}

/// `i, i = …`, and `_` as well.
static void check_names(Kinds *k, const RlxAst *target) {
  const RlxAst *again = rlx_ast_name_again(target);
  if (again)
    rlx_kind_refuse_text(k, IN_BOTH, again->span,
                         rlx_arena_printf(k->arena, "`%s` stands twice among the names",
                                          rlx_store_text(k->store, again->name)));
}

void rlx_kind_check_declared(Kinds *k, const RlxAst *ast, Kind before, Kind value) {
  if (value.tag == KIND_UNKNOWN ||
      (kind_is_expr(value) && rlx_dtype_equal(before.dtype, value.dtype)))
    return;
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_kind_refuse_text(
      k, IN_BOTH, ast->span,
      rlx_arena_printf(k->arena,
                       "%s, but a string of the signature makes the name a variable of %s",
                       rlx_kind_text(k, value), rlx_dtype_text(before.dtype, dtype)));
}

void rlx_kind_bind(Kinds *k, const RlxAst *target, Kind value, KindBinder how) {
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    check_names(k, target);
    bind_tuple(k, target, value, how);
    return;
  }
  if (target->kind == RLX_AST_ATTRIBUTE)
    rlx_kind_refuse_text(k, IN_BOTH, target->span, "an attribute cannot be assigned to here");
  if (target->kind == RLX_AST_SUBSCRIPT)
    rlx_kind_refuse_text(k, IN_BOTH, target->span, "an element is assigned to on its own");
  if (target->kind != RLX_AST_NAME) {
    rlx_kind_define_all(k, target);
    return;
  }
  Kind before;
  bool is_again = is_in_frame(k, target->name, &before);
  const bool is_declared = how == BY_ASSIGNMENT && value.is_var && value.given;
  if (is_again && before.is_of_text && is_declared) { // `n = T.int64()` behind ("n",): the same one
    rlx_kind_check_declared(k, target, before, value);
    return;
  }
  bool is_sure = is_again && before.tag != KIND_UNKNOWN && value.tag != KIND_UNKNOWN;
  if (how == BY_ASSIGNMENT) value = kept(k, target, value);
  if (is_sure && !may_be_same(before, value) && rlx_kind_may_tell(k, IN_BOTH))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(NAME_BOUND_TWICE), rlx_kind_span(k, target->span), "s",
                rlx_store_text(k->store, target->name));
  rlx_kind_define(k, target->name, value);
}

// ---- stores

static void check_stored(Kinds *k, const RlxAst *ast, Kind base, Kind value, bool is_scalar) {
  rlx_kind_used(k, ast, value);
  if (rlx_kind_is_no_value(value)) rlx_kind_refuse(k, IN_BOTH, ast, value, "an expression");
  bool is_vector = base.tag == KIND_BUFFER && base.dtype.lanes > 1 && value.lanes > 0;
  bool is_part = value.tag == KIND_REGION,
       is_many =
           kind_is_many(value) && is_scalar && !(is_vector && base.dtype.lanes == value.lanes);
  if (is_many || is_part) rlx_kind_refuse(k, is_many ? IN_BOTH : IN_027, ast, value, "one element");
  if (base.tag != KIND_BUFFER) return;
  bool is_constant = value.has_number && (kind_is_expr(value) || kind_is_python_number(value));
  const bool is_whole = rlx_dtype_is_int(base.dtype) && base.dtype.lanes == 1;
  if (value.is_infinite && is_whole)
    rlx_kind_refuse_text(k, base.dtype.bits == 64 ? IN_027 : IN_BOTH, ast->span,
                         "no integer is infinite");
  if (is_constant && rlx_dtype_known(base.dtype) && base.dtype.lanes == 1 &&
      !rlx_kind_holds(base.dtype, value)) {
    char dtype[RLX_DTYPE_TEXT_MAX];
    double real = value.tag == KIND_FLOAT ? value.real : (double)value.number;
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "%.15g is no value of %s", real,
                                          rlx_dtype_text(base.dtype, dtype)));
  }
  bool is_number = kind_is_python_number(value),
       is_expr = kind_is_expr(value) && rlx_dtype_known(value.dtype);
  bool known = is_expr && rlx_dtype_known(base.dtype);
  bool to_handle = base.dtype.code == RLX_DTYPE_HANDLE,
       from_handle = is_expr && value.dtype.code == RLX_DTYPE_HANDLE;
  int lanes = is_number ? 1 : is_expr ? value.dtype.lanes : 0;
  bool is_other = is_scalar && lanes && rlx_dtype_known(base.dtype) && lanes != base.dtype.lanes;
  if (is_other)
    rlx_kind_refuse(k, IN_BOTH, ast, value,
                    base.dtype.lanes > 1 ? "a vector of as many elements" : "one element");
  if ((base.is_void && !value.is_void && lanes) || (value.is_void && rlx_dtype_known(base.dtype)))
    rlx_kind_refuse(k, IN_BOTH, ast, value, "a value of the buffer's dtype");
  if (known && to_handle != from_handle)
    rlx_kind_refuse(k, to_handle ? IN_027 : IN_BOTH, ast, value,
                    "an element of the buffer's dtype");
  if (to_handle && is_number)
    rlx_kind_refuse(k, IN_BOTH, ast, value, "an element of the buffer's dtype");
}

/// The number of elements of a slice is computed from both of its ends.
static void check_stored_slice(Kinds *k, const RlxAst *slice) {
  if (slice->kind != RLX_AST_SLICE || slice->child_count < 2) return;
  if (slice->children[0]->kind == RLX_AST_NONE || slice->children[1]->kind == RLX_AST_NONE)
    rlx_kind_refuse_text(k, IN_BOTH, slice->span, "a slice of a store has a start and an end");
  for (int i = 0; i < 2; i++)
    rlx_kind_used(k, slice->children[i], rlx_kind_eval(k, slice->children[i]));
}

/// Whether the slice certainly is of more than one element.
static bool is_vector_slice(const RlxAst *slice) {
  if (slice->kind != RLX_AST_SLICE || slice->child_count < 2) return false;
  const RlxAst *start = slice->children[0], *stop = slice->children[1],
               *step = slice->child_count > 2 ? slice->children[2] : NULL;
  bool known = start->kind == RLX_AST_INT && stop->kind == RLX_AST_INT && !start->is_big &&
               !stop->is_big &&
               (!step || step->kind == RLX_AST_NONE ||
                (step->kind == RLX_AST_INT && !step->is_big && step->integer > 0));
  int64_t by = step && step->kind == RLX_AST_INT ? step->integer : 1;
  return known && stop->integer - start->integer > by;
}

static void store(Kinds *k, const RlxAst *target, const RlxAst *value_ast, Kind value) {
  bool is_scalar = true, is_vector = false, is_sure = true;
  int count = 0, lanes = 0; // of a vector as the last index
  Kind base = rlx_kind_eval(k, target->children[0]);
  if (base.tag == KIND_BUFFER) rlx_kind_used(k, target->children[0], base);
  rlx_kind_use_memory(k, target->children[0], base);
  for (uint32_t i = 1; i < target->child_count; i++) {
    const RlxAst *child = target->children[i];
    if (child->kind == RLX_AST_STARRED) {
      rlx_kind_starred(k, child);
      is_sure = false;
      continue;
    }
    Kind index = rlx_kind_eval(k, child);
    is_sure &= index.tag != KIND_UNKNOWN && index.count != KIND_MANY;
    if (kind_is_expr(index) && rlx_dtype_known(index.dtype)) lanes = index.dtype.lanes;
    if (index.tag == KIND_REGION && index.lanes > 1) lanes = (int)index.lanes;
    if (base.tag == KIND_BUFFER && index.tag == KIND_SLICE)
      lanes = (int)rlx_kind_slice_lanes(k, child, base, i - 1);
    count += kind_is_list(index) && target->child_count == 2 ? (int)index.count : 1;
    is_vector |= is_vector_slice(child);
    if (base.tag == KIND_BUFFER) {
      if (index.tag == KIND_SLICE && child->kind != RLX_AST_SLICE) // slice(0, 4)
        rlx_kind_refuse(k, IN_BOTH, child, index, "an index");
      if (index.tag == KIND_SLICE && index.is_odd)
        rlx_kind_refuse_text(k, IN_BOTH, child->span, "the bounds of a stored part are integers");
      check_stored_slice(k, child);
      if (child->kind == RLX_AST_ELLIPSIS)
        rlx_kind_refuse_text(k, IN_BOTH, child->span, "`...` is no index of a buffer");
    }
    bool is_all = kind_is_list(index) && target->child_count == 2; // a list of all indices
    is_scalar &= index.tag == KIND_INT || index.tag == KIND_FLOAT ||
                 (kind_is_expr(index) && index.dtype.lanes == 1) || (is_all && !index.count);
    for (uint32_t n = 0;
         is_all && base.tag == KIND_BUFFER && index.count != KIND_MANY && n < index.count; n++)
      rlx_kind_check_index(k, child, index.items[n], true);
    if (!is_all && base.tag == KIND_BUFFER)
      rlx_kind_check_index(k, child, index, i + 1 == target->child_count);
  }
  if (base.tag != KIND_BUFFER && base.tag != KIND_UNKNOWN) {
    rlx_kind_refuse(k, IN_BOTH, target->children[0], base, "a buffer");
    return;
  }
  if (is_sure && base.tag == KIND_BUFFER && base.ndim >= 0 && count != base.ndim)
    rlx_kind_refuse_rank(k, target, count, base.ndim);
  bool is_one = kind_is_python_number(value) ||
                (kind_is_expr(value) && rlx_dtype_known(value.dtype) && value.dtype.lanes == 1);
  if (is_vector && is_one && base.tag == KIND_BUFFER)
    rlx_kind_refuse(k, IN_BOTH, value_ast, value, "a vector of as many elements");
  if (lanes > 1 && lanes < 1024 && base.tag == KIND_BUFFER && rlx_dtype_known(base.dtype)) {
    base.dtype.lanes = (uint16_t)(base.dtype.lanes * lanes);
    is_scalar = true;
  }
  check_stored(k, value_ast, base, value, is_scalar);
}

/// `q = value` where the name stands for memory of one element.
static void store_cell(Kinds *k, const RlxAst *ast, Kind old, Kind value) {
  Kind place = rlx_kind_of(KIND_BUFFER);
  place.dtype = old.dtype;
  if (value.tag == KIND_STR) value = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
  check_stored(k, ast, place, rlx_kind_as_value(k, ast, value), true);
}

/// Whether the call is one whose scope is open from then on, `T.decl_buffer(…)`, though its value is no scope.
bool rlx_kind_opens_scope(Kinds *k, const RlxAst *ast) {
  char path[RLX_AST_DOTTED_MAX];
  return ast->kind == RLX_AST_CALL && rlx_kind_path(k, ast->children[0], path) &&
         strcmp(path, "decl_buffer") == 0;
}

bool rlx_kind_is_nameless(const char *path) {
  return rlx_text_is_among(path, "sblock block init attr If Then Else While Assert");
}

/// Whether the call gives nothing that one name may have: T.sblock(…), T.grid(2, 2), T.cta_id([2, 2]).
static bool is_nameless(Kinds *k, const RlxAst *call, Kind value) {
  char path[RLX_AST_DOTTED_MAX];
  if (value.tag == KIND_FOR) return value.count > 1;
  if (call->kind != RLX_AST_CALL || !rlx_kind_path(k, call->children[0], path)) return false;
  if (kind_is_list(value)) return rlx_kind_is_scope_id(path);
  return value.tag == KIND_FRAME && rlx_kind_is_nameless(path);
}

void rlx_kind_assign(Kinds *k, const RlxStmt *stmt) {
  Kind value = rlx_kind_eval(k, stmt->value);
  const bool emits = stmt->targets[0]->kind == RLX_AST_SUBSCRIPT || value.tag == KIND_BUFFER ||
                     kind_is_python_number(value) || (kind_is_expr(value) && !value.is_var);
  if (rlx_kind_opens_scope(k, stmt->value))
    rlx_kind_enter(k, FRAME_OTHER, NULL);
  else if (emits)
    rlx_kind_emit(k);
  else
    rlx_kind_emit_unknown(k);
  if (value.is_let_again) rlx_kind_used(k, stmt->value, value);
  if (stmt->target_count != 1) {
    rlx_kind_refuse_text(k, IN_BOTH, stmt->targets[0]->span,
                         "one statement assigns to one target here");
    for (uint32_t i = 0; i < stmt->target_count; i++) rlx_kind_define_all(k, stmt->targets[i]);
    return;
  }
  const RlxAst *target = stmt->targets[0];
  if (target->kind == RLX_AST_SUBSCRIPT) {
    store(k, target, stmt->value, value);
    return;
  }
  const bool is_itself = target->kind == RLX_AST_NAME && stmt->value->kind == RLX_AST_NAME &&
                         target->name == stmt->value->name &&
                         (value.tag == KIND_BUFFER || (kind_is_expr(value) && value.is_var));
  if (is_itself) return; // the name has this value
  const uint32_t place = target->kind == RLX_AST_NAME ? rlx_kind_place(k, target->name) : 0;
  if (place) {
    const Kind old = k->names.at[place - 1].kind;
    const bool fits =
        value.tag == KIND_UNKNOWN || kind_is_expr(value) || kind_is_python_number(value) ||
        (k->dialects == IN_025 && (value.tag == KIND_REGION || value.tag == KIND_STR));
    if (old.is_cell && fits && old.made_in == k->block) note_cell(k, target);
    if (old.is_cell && fits) { // a store
      store_cell(k, stmt->value, old, value);
      return;
    }
  }
  if (target->kind == RLX_AST_NAME && is_nameless(k, stmt->value, value))
    rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
  // A variable that has a name already is copied to memory, which may be assigned to again; 0.27 has no memory of pointers.
  const bool is_copied = stmt->value->kind == RLX_AST_NAME && kind_is_expr(value) && value.is_var &&
                         rlx_dtype_known(value.dtype) &&
                         (value.dtype.code != RLX_DTYPE_HANDLE || k->dialects == IN_025);
  if (is_copied) {
    value.is_cell = true;
    note_cell(k, target);
  }
  rlx_kind_bind(k, target, value, BY_ASSIGNMENT);
}

void rlx_kind_assign_augmented(Kinds *k, const RlxStmt *stmt) {
  const RlxAst *target = stmt->targets[0];
  Kind old = rlx_kind_eval(k, target), value = rlx_kind_eval(k, stmt->value);
  Kind result = rlx_kind_binary(k, stmt->value, (RlxAstOp)stmt->op, old, value);
  if (target->kind == RLX_AST_SUBSCRIPT) {
    store(k, target, stmt->value, result);
  } else if (target->kind == RLX_AST_NAME && !old.is_cell && kind_is_expr(old) &&
             rlx_dtype_known(old.dtype)) {
    Kind before;
    if (is_in_frame(k, target->name, &before))
      rlx_kind_refuse_text(k, IN_BOTH, target->span, "a variable of TensorIR has one value");
  }
}

static bool is_let(Kinds *k, const RlxAst *annotation, const RlxAst **dtype) {
  char path[RLX_AST_DOTTED_MAX];
  *dtype = NULL;
  if (annotation->kind == RLX_AST_SUBSCRIPT) {
    *dtype = annotation->child_count == 2 ? annotation->children[1] : annotation;
    annotation = annotation->children[0];
  }
  return annotation->kind == RLX_AST_ATTRIBUTE && rlx_kind_path(k, annotation, path) &&
         strcmp(path, "let") == 0;
}

/// The dtype that stands in T.let[…]; reports what is none.
static RlxDType let_dtype(Kinds *k, const RlxAst *inner, Kind as) {
  const bool is_function = as.tag == KIND_FUNCTION && !as.is_nothing,
             is_var = kind_is_expr(as) && as.is_var;
  bool is_dtype = as.tag == KIND_UNKNOWN || as.tag == KIND_NONE || is_function ||
                  (is_var && (as.given || k->is_lax)) || // else it has a value
                  (kind_is_expr(as) && !is_var && !rlx_dtype_known(as.dtype));
  if (as.tag == KIND_BUFFER) is_dtype = k->dialects != IN_025;
  if (inner && (!is_dtype || inner->kind == RLX_AST_ELLIPSIS || inner->kind == RLX_AST_SLICE ||
                inner->kind == RLX_AST_STRING))
    rlx_kind_refuse(k, IN_BOTH, inner, as, "a dtype, as T.int32");
  return is_function || is_var ? as.dtype : rlx_dtype_unknown();
}

/// Reports a value of T.let that is no expression; `is_typed`: a dtype is written.
static void check_let_value(Kinds *k, const RlxAst *ast, Kind value, bool is_typed) {
  if (value.tag != KIND_FLOAT) rlx_kind_used(k, ast, value);
  const bool no_let = value.tag == KIND_NONE || value.tag == KIND_DICT || value.tag == KIND_OTHER ||
                      kind_is_thing(value),
             is_more = kind_is_list(value) || value.tag == KIND_BUFFER || kind_is_many(value);
  if (no_let || (is_typed && value.tag == KIND_OBJECT && value.object == SCALAR_OBJECT))
    rlx_kind_refuse(k, IN_BOTH, ast, value, "an expression");
  if (is_more) // 0.27 gives tuples, buffers and parts of them a name
    rlx_kind_refuse(k, is_typed || value.is_array ? IN_BOTH : IN_025, ast, value, "an expression");
}

/// Whether `ast`, of kind `value`, is a pointer to nothing that is known: a T.handle by name, or what such a call gives.
static bool is_plain_pointer(Kinds *k, const RlxAst *ast, Kind value) {
  static const char calls[] = " tvm_struct_get call_extern call_packed call_cpacked call_intrin "
                              "call_pure_extern reinterpret ";
  char path[RLX_AST_DOTTED_MAX];
  if (!kind_is_expr(value) || value.dtype.code != RLX_DTYPE_HANDLE) return false;
  if (value.is_var) return value.is_plain_handle;
  if (ast->kind != RLX_AST_CALL) return false;
  const RlxAst *callee = ast->children[0];
  if (rlx_kind_path(k, callee, path)) return rlx_text_is_among(path, calls);
  return callee->kind == RLX_AST_ATTRIBUTE &&
         strcmp(rlx_store_text(k->store, callee->name), "access_ptr") == 0;
}

/// From 0.26 on a pointer is declared as exactly what its value is.
static void check_pointer(Kinds *k, const RlxStmt *stmt, Kind as, Kind value) {
  const bool is_plain = as.tag == KIND_FUNCTION || as.is_plain_handle,
             is_typed = kind_is_expr(value) &&
                        (value.is_var ? !value.is_plain_handle : rlx_dtype_known(value.pointee));
  if (is_plain ? is_typed : is_plain_pointer(k, stmt->value, value)) {
    rlx_kind_refuse(k, IN_027, is_plain ? stmt->annotation : stmt->value, value,
                    is_plain ? "the type of this pointer, as T.Ptr[…]" : "a pointer of this type");
  } else if (!is_plain && is_typed && rlx_dtype_known(as.pointee) &&
             rlx_dtype_known(value.pointee) && !rlx_dtype_equal(as.pointee, value.pointee)) {
    char a[RLX_DTYPE_TEXT_MAX], b[RLX_DTYPE_TEXT_MAX];
    rlx_kind_refuse_text(k, IN_027, stmt->value->span,
                         rlx_arena_printf(k->arena, "a pointer to %s under a name of one to %s",
                                          rlx_dtype_text(value.pointee, a),
                                          rlx_dtype_text(as.pointee, b)));
  }
}

/// `x: T.let[T.int32] = value`; `inner` stands in the brackets, NULL: nothing does.
static void assign_let(Kinds *k, const RlxStmt *stmt, const RlxAst *inner, Kind value) {
  if (!stmt->value) rlx_kind_refuse_text(k, IN_BOTH, stmt->annotation->span, "T.let takes a value");
  if (inner == stmt->annotation) { // T.let[T.int32, 0]
    rlx_kind_refuse_text(k, IN_BOTH, inner->span, "T.let takes one dtype, as T.let[T.int32]");
    inner = NULL;
  }
  const Kind as = inner ? rlx_kind_eval(k, inner) : unknown();
  if (stmt->value) check_let_value(k, stmt->value, value, inner);
  const RlxDType dtype = let_dtype(k, inner, as), own = rlx_kind_own_dtype(value);
  if (value.is_void && rlx_dtype_known(dtype))
    rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "an expression");
  if (as.tag == KIND_BUFFER && (kind_is_expr(value) || kind_is_python_number(value)))
    rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "a buffer");
  if (rlx_dtype_known(dtype) && rlx_dtype_known(own) && own.bits && !rlx_dtype_equal(dtype, own)) {
    char a[RLX_DTYPE_TEXT_MAX], b[RLX_DTYPE_TEXT_MAX];
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span,
                         rlx_arena_printf(k->arena, "a value of %s under a name of %s",
                                          rlx_dtype_text(own, a), rlx_dtype_text(dtype, b)));
  }
  // Of a sum of two integers it may not be known which of their dtypes it has.
  const bool is_some_int = own.code == RLX_DTYPE_INT && !own.bits && own.lanes && dtype.lanes;
  if (rlx_dtype_known(dtype) && is_some_int &&
      (own.lanes != dtype.lanes || !rlx_dtype_is_int(dtype))) {
    char text[RLX_DTYPE_TEXT_MAX];
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span,
                         rlx_arena_printf(k->arena, "%s under a name of %s",
                                          own.lanes > 1 ? "a vector of integers" : "an integer",
                                          rlx_dtype_text(dtype, text)));
  }
  if (dtype.code == RLX_DTYPE_HANDLE && stmt->value && inner) check_pointer(k, stmt, as, value);
  Kind let = rlx_kind_expr(rlx_dtype_known(dtype) ? dtype : own);
  let.is_var = true;
  let.made_in = k->block;
  let.pointee = as.pointee;
  let.is_plain_handle = let.dtype.code == RLX_DTYPE_HANDLE &&
                        (inner ? !kind_is_expr(as) && as.tag != KIND_UNKNOWN
                               : stmt->value && is_plain_pointer(k, stmt->value, value));
  rlx_kind_bind(k, stmt->targets[0], let, BY_DECLARATION);
}

void rlx_kind_assign_annotated(Kinds *k, const RlxStmt *stmt) {
  const RlxAst *target = stmt->targets[0], *inner;
  Kind value = stmt->value ? rlx_kind_eval(k, stmt->value) : unknown();
  if (is_let(k, stmt->annotation, &inner)) {
    assign_let(k, stmt, inner, value);
    return;
  }
  Kind as = rlx_kind_eval(k, stmt->annotation);
  if (as.tag == KIND_ANNOTATION && !as.is_let && stmt->value && value.tag != KIND_NONE)
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span,
                         "an array of memory has no value where it is declared");
  bool is_type = as.tag == KIND_UNKNOWN || as.tag == KIND_ANNOTATION ||
                 (as.tag == KIND_FUNCTION && !as.is_nothing) || (kind_is_expr(as) && as.is_var);
  if (!is_type) rlx_kind_refuse(k, IN_BOTH, stmt->annotation, as, "a dtype, as T.int32");
  const bool is_pointer = as.tag == KIND_FUNCTION || (kind_is_expr(as) && as.is_var);
  if (is_pointer && as.dtype.code == RLX_DTYPE_HANDLE)
    rlx_kind_refuse_text(k, IN_BOTH, stmt->annotation->span,
                         "a pointer is annotated as `T.let[T.handle]`");
  bool fits = value.tag != KIND_STR && value.tag != KIND_BUFFER && !kind_is_list(value) &&
              value.tag != KIND_DICT && value.tag != KIND_FUNCTION;
  if (stmt->value && !fits) rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "an expression");
  Kind cell = unknown();
  const bool is_scalar = as.tag == KIND_FUNCTION || (kind_is_expr(as) && as.is_var);
  if (is_scalar) {
    if (stmt->value && fits && value.tag != KIND_NONE) store_cell(k, stmt->value, as, value);
    if (stmt->value) note_cell(k, target); // alone it is not written
    cell = rlx_kind_expr(as.dtype);
    cell.is_load = cell.is_cell = true;
    cell.made_in = k->block;
  }
  rlx_kind_bind(k, target, cell, BY_DECLARATION);
}
