/// Statements of a PrimFunc's script, in the order in which TVM's parser runs them: what they bind, and what they do not take.
#include "analyzer/function/kinds.h"

#include <string.h>

#include "analyzer/words/islands.h"

enum { MAX_DEPTH = 200 };

/// Scopes of T that give nothing to name.
static const char nameless[] = "sblock block init attr If Then Else While Assert";

static void run_suite(Kinds *k, const RlxBlock *suite, int depth);
static void run_stmts(Kinds *k, const RlxBlock *suite, int depth);

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

// ---- names

static void define(Kinds *k, RlxName name, Kind kind) {
  kind.is_named = true;
  if (!kind.called) kind.called = name;
  for (uint32_t i = k->frame; i < k->names.count; i++)
    if (k->names.at[i].name == name) {
      k->names.at[i].kind = kind;
      return;
    }
  rlx_vec_push(&k->names, (KindName){name, kind});
}

static bool is_in_frame(const Kinds *k, RlxName name, Kind *out) {
  for (uint32_t i = k->frame; i < k->names.count; i++)
    if (k->names.at[i].name == name) {
      *out = k->names.at[i].kind;
      return true;
    }
  return false;
}

/// Gives every name of a target an unknown value.
static void define_all(Kinds *k, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) define(k, target->name, unknown());
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST ||
      target->kind == RLX_AST_STARRED)
    for (uint32_t i = 0; i < target->child_count; i++) define_all(k, target->children[i]);
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

typedef enum How { BY_ASSIGNMENT, BY_DECLARATION, BY_LOOP } How; // what binds a name

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
  case KIND_NONE:
  case KIND_STR:
  case KIND_DICT:
  case KIND_FUNCTION:
  case KIND_MODULE:
  case KIND_SLICE:
    rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
    return unknown();
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
    value.is_cell = value.is_load = true;
    value.made_in = k->block;
    return value;
  case KIND_FRAME:
    k->frames++;
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
  case KIND_OBJECT:
    if (value.count) return value.items[0]; // of T.meta_var
    rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
    return unknown();
  case KIND_OTHER:
    rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
    return unknown();
  case KIND_BUFFER:
    if (value.is_named) rlx_kind_refuse(k, IN_025, target, value, "a buffer without a name");
    break;
  case KIND_ANNOTATION:
    rlx_kind_refuse(k, IN_BOTH, target, value, "a value of a PrimFunc under a name");
    return unknown();
  case KIND_UNKNOWN:
  case KIND_REGION: break;
  }
  return value;
}

static void bind(Kinds *k, const RlxAst *target, Kind value, How how);
static void bind_tuple(Kinds *k, const RlxAst *target, Kind value, How how);

/// The names of a T.meta_var: each is one of what stands in it.
static void bind_wrapped(Kinds *k, const RlxAst *target, Kind value, How how) {
  if (kind_is_list(value) && value.count != KIND_MANY) {
    Kind *items = rlx_arena_array(k->arena, Kind, value.count);
    for (uint32_t i = 0; i < value.count; i++) items[i] = rlx_kind_wrapped(k, value.items[i]);
    value.items = items;
  }
  if (value.tag == KIND_STR || value.tag == KIND_DICT || value.tag == KIND_OBJECT)
    define_all(k, target); // of letters, of keys, of what its class says
  else
    bind_tuple(k, target, value, how);
}

/// `a, *b, c = …` of a list whose items are known; the name behind the star is the list of those between.
static void bind_starred(Kinds *k, const RlxAst *target, uint32_t star, Kind value, How how) {
  const uint32_t names = target->child_count - 1;
  if (value.count < names) {
    rlx_kind_refuse_text(k, IN_BOTH, target->span,
                         rlx_arena_printf(k->arena, "%u names and more for %u value%s", names,
                                          value.count, value.count == 1 ? "" : "s"));
    define_all(k, target);
    return;
  }
  const uint32_t between = value.count - names;
  Kind rest = rlx_kind_of(KIND_LIST);
  rest.items = value.items + star;
  rest.count = between;
  for (uint32_t i = 0; i < target->child_count; i++) {
    const RlxAst *child = target->children[i];
    if (i == star)
      bind(k, child->children[0], rest, how);
    else
      bind(k, child, value.items[i < star ? i : i - 1 + between], how);
  }
}

static void bind_tuple(Kinds *k, const RlxAst *target, Kind value, How how) {
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
      define_all(k, target);
      return;
    }
    for (uint32_t i = 0; i < value.count; i++) bind(k, target->children[i], value.items[i], how);
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
  define_all(k, target);
}

static void bind(Kinds *k, const RlxAst *target, Kind value, How how) {
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    bind_tuple(k, target, value, how);
    return;
  }
  if (target->kind == RLX_AST_ATTRIBUTE)
    rlx_kind_refuse_text(k, IN_BOTH, target->span, "an attribute cannot be assigned to here");
  if (target->kind == RLX_AST_SUBSCRIPT)
    rlx_kind_refuse_text(k, IN_BOTH, target->span, "an element is assigned to on its own");
  if (target->kind != RLX_AST_NAME) {
    define_all(k, target);
    return;
  }
  Kind before;
  bool is_again = is_in_frame(k, target->name, &before);
  bool is_sure = is_again && before.tag != KIND_UNKNOWN && value.tag != KIND_UNKNOWN;
  if (how == BY_ASSIGNMENT) value = kept(k, target, value);
  if (is_sure && !may_be_same(before, value) && rlx_kind_may_tell(k, IN_BOTH))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(NAME_BOUND_TWICE), rlx_kind_span(k, target->span), "s",
                rlx_store_text(k->store, target->name));
  define(k, target->name, value);
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
      check_stored_slice(k, child);
      if (child->kind == RLX_AST_ELLIPSIS)
        rlx_kind_refuse_text(k, IN_BOTH, child->span, "`...` is no index of a buffer");
    }
    bool is_all = kind_is_list(index) && target->child_count == 2; // a list of all indices
    is_scalar &= index.tag == KIND_INT || (kind_is_expr(index) && index.dtype.lanes == 1) ||
                 (is_all && !index.count);
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
  if (is_sure && base.tag == KIND_BUFFER && base.ndim >= 0 && count != base.ndim &&
      !rlx_kind_rank_is_told(k, target->children[0]))
    rlx_kind_refuse_text(k, IN_BOTH, target->span,
                         rlx_arena_printf(k->arena, "%d indices for %d dimension%s", count,
                                          base.ndim, base.ndim == 1 ? "" : "s"));
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
static bool opens_scope(Kinds *k, const RlxAst *ast) {
  char path[RLX_AST_DOTTED_MAX];
  return ast->kind == RLX_AST_CALL && rlx_kind_path(k, ast->children[0], path) &&
         strcmp(path, "decl_buffer") == 0;
}

/// Whether the call opens a scope that gives nothing to name: T.sblock(…), T.grid(2, 2).
static bool is_nameless(Kinds *k, const RlxAst *call, Kind value) {
  char path[RLX_AST_DOTTED_MAX];
  if (value.tag == KIND_FOR) return value.count > 1;
  return value.tag == KIND_FRAME && call->kind == RLX_AST_CALL &&
         rlx_kind_path(k, call->children[0], path) && rlx_text_is_among(path, nameless);
}

static void assign(Kinds *k, const RlxStmt *stmt) {
  Kind value = rlx_kind_eval(k, stmt->value);
  k->frames += opens_scope(k, stmt->value);
  if (value.is_let_again) rlx_kind_used(k, stmt->value, value);
  if (stmt->target_count != 1) {
    rlx_kind_refuse_text(k, IN_BOTH, stmt->targets[0]->span,
                         "one statement assigns to one target here");
    for (uint32_t i = 0; i < stmt->target_count; i++) define_all(k, stmt->targets[i]);
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
  Kind old;
  for (uint32_t i = k->names.count; target->kind == RLX_AST_NAME && i-- > 0;) {
    if (k->names.at[i].name != target->name) continue;
    old = k->names.at[i].kind;
    const bool fits =
        value.tag == KIND_UNKNOWN || kind_is_expr(value) || kind_is_python_number(value) ||
        (k->dialects == IN_025 && (value.tag == KIND_REGION || value.tag == KIND_STR));
    if (old.is_cell && fits && old.made_in == k->block) note_cell(k, target);
    if (old.is_cell && fits) { // a store
      store_cell(k, stmt->value, old, value);
      return;
    }
    break;
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
  bind(k, target, value, BY_ASSIGNMENT);
}

static void assign_augmented(Kinds *k, const RlxStmt *stmt) {
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

static void assign_annotated(Kinds *k, const RlxStmt *stmt) {
  const RlxAst *target = stmt->targets[0], *inner;
  Kind value = stmt->value ? rlx_kind_eval(k, stmt->value) : unknown();
  if (is_let(k, stmt->annotation, &inner)) {
    if (!stmt->value)
      rlx_kind_refuse_text(k, IN_BOTH, stmt->annotation->span, "T.let takes a value");
    bool is_pair = inner == stmt->annotation; // T.let[T.int32, 0]
    if (is_pair)
      rlx_kind_refuse_text(k, IN_BOTH, inner->span, "T.let takes one dtype, as T.let[T.int32]");
    if (is_pair) inner = NULL;
    Kind as = inner ? rlx_kind_eval(k, inner) : unknown();
    if (stmt->value && value.tag != KIND_FLOAT) rlx_kind_used(k, stmt->value, value);
    const bool no_let = value.tag == KIND_NONE || value.tag == KIND_DICT ||
                        value.tag == KIND_OTHER || kind_is_thing(value),
               is_more = kind_is_list(value) || value.tag == KIND_BUFFER || kind_is_many(value);
    if (stmt->value && no_let) rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "an expression");
    if (stmt->value && is_more) // 0.27 gives tuples, buffers and parts of them a name
      rlx_kind_refuse(k, inner || value.is_array ? IN_BOTH : IN_025, stmt->value, value,
                      "an expression");
    RlxDType dtype = as.tag == KIND_FUNCTION && !as.is_nothing ? as.dtype : rlx_dtype_unknown(),
             own = rlx_dtype_unknown();
    if (kind_is_expr(as) && as.is_var) dtype = as.dtype;
    bool is_dtype = as.tag == KIND_UNKNOWN || as.tag == KIND_NONE ||
                    (as.tag == KIND_FUNCTION && !as.is_nothing) ||
                    (kind_is_expr(as) && (as.is_var || !rlx_dtype_known(as.dtype)));
    if (kind_is_expr(as) && as.is_var && !as.given && !k->is_lax) is_dtype = false; // has a value
    if (as.tag == KIND_BUFFER) is_dtype = k->dialects != IN_025;
    if (as.tag == KIND_ANNOTATION) is_dtype = false;
    if (inner && inner->kind == RLX_AST_ELLIPSIS) is_dtype = false;
    if (inner && (!is_dtype || inner->kind == RLX_AST_SLICE || inner->kind == RLX_AST_STRING))
      rlx_kind_refuse(k, IN_BOTH, inner, as, "a dtype, as T.int32");
    if (value.is_void && rlx_dtype_known(dtype))
      rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "an expression");
    if (kind_is_expr(value)) own = value.dtype;
    if (value.tag == KIND_BOOL) own = RLX_BOOL;
    if (value.tag == KIND_INT) own = rlx_kind_holds(RLX_INT32, value) ? RLX_INT32 : RLX_INT64;
    if (value.tag == KIND_STR) own = rlx_dtype(RLX_DTYPE_HANDLE, 64);
    if (value.tag == KIND_FLOAT)
      own = rlx_kind_is_float32(value) ? RLX_FLOAT32 : rlx_dtype(RLX_DTYPE_FLOAT, 64);
    if (rlx_dtype_known(dtype) && rlx_dtype_known(own) && own.bits &&
        !rlx_dtype_equal(dtype, own)) {
      char a[RLX_DTYPE_TEXT_MAX], b[RLX_DTYPE_TEXT_MAX];
      rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span,
                           rlx_arena_printf(k->arena, "a value of %s under a name of %s",
                                            rlx_dtype_text(own, a), rlx_dtype_text(dtype, b)));
    }
    const bool is_typed = kind_is_expr(value) && value.is_var && !value.is_plain_handle;
    if (as.tag == KIND_FUNCTION && dtype.code == RLX_DTYPE_HANDLE && is_typed)
      rlx_kind_refuse(k, IN_027, stmt->annotation, value, "the type of this pointer, as T.Ptr[…]");
    Kind let = rlx_kind_expr(rlx_dtype_known(dtype) ? dtype : own);
    let.is_var = true;
    let.made_in = k->block;
    let.is_plain_handle =
        let.dtype.code == RLX_DTYPE_HANDLE && !kind_is_expr(as) && as.tag != KIND_UNKNOWN;
    bind(k, target, let, BY_DECLARATION);
    return;
  }
  Kind as = rlx_kind_eval(k, stmt->annotation);
  if (as.tag == KIND_ANNOTATION && stmt->value && value.tag != KIND_NONE)
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
  bind(k, target, cell, BY_DECLARATION);
}

// ---- compound statements

typedef struct Scope {
  uint32_t names, frame;
} Scope;

static Scope open_scope(Kinds *k) {
  Scope s = {k->names.count, k->frame};
  k->frame = k->names.count;
  return s;
}

static void close_scope(Kinds *k, Scope s) {
  k->names.count = s.names;
  k->frame = s.frame;
}

/// Leaves a scope that there may not be, as that of a condition that Python decides: its names may be defined from then on.
static void keep_scope(Kinds *k, Scope s) {
  k->frame = s.frame;
  for (uint32_t i = s.names; i < k->names.count; i++) k->names.at[i].kind = unknown();
}

static void run_for(Kinds *k, const RlxStmt *stmt, int depth) {
  const RlxAst *iter = stmt->value;
  Kind loop;
  bool is_range = iter->kind == RLX_AST_CALL && iter->children[0]->kind == RLX_AST_NAME &&
                  strcmp(rlx_store_text(k->store, iter->children[0]->name), "range") == 0;
  loop = is_range ? rlx_kind_range(k, iter) : rlx_kind_eval(k, iter);
  bool fits = loop.tag == KIND_FOR || loop.tag == KIND_UNKNOWN;
  if (!fits)
    rlx_kind_refuse_text(
        k, IN_BOTH, iter->span,
        "a loop runs over range, T.serial, T.grid, T.parallel, T.vectorized, T.unroll "
        "or T.thread_binding");
  Scope s = open_scope(k);
  const RlxAst *target = stmt->targets[0];
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
  uint32_t names = is_list ? target->child_count : 1;
  if (loop.tag == KIND_FOR && loop.count == names && is_list) {
    for (uint32_t i = 0; i < names; i++) bind(k, target->children[i], loop.items[i], BY_LOOP);
  } else if (loop.tag == KIND_FOR && !is_list && loop.count == 1) {
    bind(k, target, loop.items[0], BY_LOOP);
  } else if (loop.tag == KIND_FOR && !is_list && loop.count != KIND_MANY) {
    Kind all = loop;
    all.tag = KIND_TUPLE;
    bind(k, target, all, BY_LOOP);
  } else {
    bool is_starred = false;
    for (uint32_t i = 0; is_list && i < names; i++)
      is_starred |= target->children[i]->kind == RLX_AST_STARRED;
    if (loop.tag == KIND_FOR && loop.count != KIND_MANY && is_list && !is_starred)
      rlx_kind_refuse_text(k, IN_BOTH, target->span,
                           rlx_arena_printf(k->arena, "%u names for %u loops", names, loop.count));
    define_all(k, target);
  }
  k->frames++;
  run_suite(k, stmt->body, depth + 1);
  k->frames--;
  close_scope(k, s); // TVM reads no `else` of a loop
}

static void check_condition(Kinds *k, const RlxAst *ast, Kind kind, bool numbers) {
  rlx_kind_used(k, ast, kind);
  bool is_handle = kind_is_expr(kind) && kind.dtype.code == RLX_DTYPE_HANDLE;
  bool fits = kind.tag == KIND_UNKNOWN || kind.tag == KIND_BOOL || kind_is_expr(kind) ||
              kind.tag == KIND_REGION || (numbers && kind_is_python_number(kind));
  if (numbers && kind.tag == KIND_STR) { // 0.25 makes an expression of it
    rlx_kind_refuse(k, IN_027, ast, kind, "a condition");
    return;
  }
  if (numbers && kind_is_many(kind)) rlx_kind_refuse(k, IN_BOTH, ast, kind, "a condition");
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, kind, "a condition");
  if (is_handle) rlx_kind_refuse(k, IN_027, ast, kind, "a condition");
}

/// The branch that Python decides for, which is part of the suite around it: what it enters stays entered, and since
/// 0.27 its names are those of the suite.
static void run_decided(Kinds *k, const RlxBlock *chosen, int depth) {
  if (k->dialects == IN_027) {
    run_stmts(k, chosen, depth + 1);
    return;
  }
  Scope s = open_scope(k);
  run_stmts(k, chosen, depth + 1);
  if (k->dialects == IN_025)
    close_scope(k, s);
  else
    keep_scope(k, s);
}

static void run_if(Kinds *k, const RlxStmt *stmt, int depth) {
  Kind test = rlx_kind_eval(k, stmt->value);
  check_condition(k, stmt->value, test, false);
  if (test.tag == KIND_BOOL && test.has_number) {
    run_decided(k, test.number ? stmt->body : stmt->orelse, depth);
    return;
  }
  bool may_be_pythons = test.tag == KIND_UNKNOWN || test.tag == KIND_BOOL;
  uint32_t frames = k->frames;
  k->frames += kind_is_expr(test); // Python decides the others
  for (int i = 0; i < 2; i++) {
    Scope s = open_scope(k);
    run_suite(k, i ? stmt->orelse : stmt->body, depth + 1);
    if (may_be_pythons)
      keep_scope(k, s);
    else
      close_scope(k, s);
  }
  k->frames = frames;
}

/// `T.sblock("b", no_realize=True)`
static bool is_unrealized(Kinds *k, const RlxAst *call) {
  const RlxAst *flag = call->child_count > 2 && call->children[2]->kind != RLX_AST_KEYWORD
                           ? call->children[2]
                           : NULL;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return false;
    if (arg->kind == RLX_AST_KEYWORD &&
        strcmp(rlx_store_text(k->store, arg->name), "no_realize") == 0)
      flag = arg->children[0];
  }
  return flag && (flag->kind == RLX_AST_TRUE ||
                  (flag->kind == RLX_AST_INT && (flag->is_big || flag->integer)));
}

/// `with … as x`: the variables of loops and threads, and buffers, have names; other scopes are nothing that a name may have.
static void bind_entered(Kinds *k, const RlxAst *target, const RlxAst *call, Kind frame) {
  char path[RLX_AST_DOTTED_MAX];
  define_all(k, target);
  if (call->kind != RLX_AST_CALL || !rlx_kind_path(k, call->children[0], path)) return;
  const bool is_list = target->kind != RLX_AST_NAME,
             is_grid = strcmp(path, "grid") == 0 && !is_list && frame.count > 1;
  if (is_grid || rlx_text_is_among(path, nameless))
    rlx_kind_refuse_text(k, IN_BOTH, target->span,
                         is_grid ? "the loops of T.grid have a name each here"
                                 : rlx_arena_printf(k->arena, "T.%s gives nothing to name", path));
}

/// A block that declares no T.writes writes what TVM detects: memory of its own body, which is not there yet at its head.
/// The function's root has no regions.
static void close_block(Kinds *k, const RlxStmt *stmt) {
  const KindBlock *block = &k->blocks.at[k->block - 1];
  if (!block->cell || (block->has_reads && block->has_writes)) return;
  if (block->parent) k->blocks.at[block->parent - 1].cell = block->cell;
  const bool is_root = !block->parent && !block->has_axes;
  if (block->has_writes || is_root || k->is_lax) return;
  const RlxAst *head = stmt->items[stmt->item_count - 1].value;
  const bool is_named = head->child_count > 1 && head->children[1]->kind == RLX_AST_STRING;
  k->stmt = stmt;
  k->is_told = false;
  if (rlx_kind_may_tell(k, IN_BOTH))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(BLOCK_DETECTED),
                rlx_kind_span(k, rlx_span(0, stmt->head_size)), "sss",
                is_named ? head->children[1]->text : "", rlx_store_text(k->store, block->cell),
                "is declared in the block itself");
}

static void run_with(Kinds *k, const RlxStmt *stmt, int depth) {
  bool was_in_block = k->in_block, was_unrealized = k->is_unrealized, was_unknown = k->in_unknown;
  uint32_t outer = k->block, frames = k->frames, entered = 0;
  KindThread *thread = NULL; // launched for the suite
  Scope s = open_scope(k);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    Kind frame = rlx_kind_eval(k, stmt->items[i].value);
    bool fits = frame.tag == KIND_UNKNOWN || frame.tag == KIND_FRAME || frame.tag == KIND_FOR;
    if (frame.tag == KIND_FRAME && frame.is_opened) thread = frame.thread;
    if (!fits) rlx_kind_refuse(k, IN_BOTH, stmt->items[i].value, frame, "a block or scope");
    if (stmt->items[i].target) bind_entered(k, stmt->items[i].target, stmt->items[i].value, frame);
    entered +=
        frame.tag == KIND_FRAME || frame.tag == KIND_FOR || opens_scope(k, stmt->items[i].value);
    char path[RLX_AST_DOTTED_MAX];
    const RlxAst *call = stmt->items[i].value;
    const bool is_written = call->kind == RLX_AST_CALL && rlx_kind_path(k, call->children[0], path);
    k->in_unknown |= frame.tag == KIND_UNKNOWN || !is_written; // it may be a block
    if (is_written && (strcmp(path, "sblock") == 0 || strcmp(path, "block") == 0)) {
      k->in_block = true;
      k->frames = entered = 0;
      rlx_vec_push(&k->blocks, (KindBlock){.parent = k->block});
      k->block = ++k->block_count;
      k->is_unrealized = is_unrealized(k, call);
    } else if (call->kind == RLX_AST_CALL && k->block && k->frames + entered > 1 &&
               rlx_kind_path(k, call->children[0], path) && strcmp(path, "init") == 0) {
      rlx_kind_refuse_text(
          k, IN_BOTH, call->span,
          "T.init stands at the top of a block, not below a loop or a condition in it");
    }
  }
  k->frames += entered;
  run_suite(k, stmt->body, depth + 1);
  k->frames = frames;
  if (thread) thread->is_open = false;
  if (k->block != outer) close_block(k, stmt);
  k->in_block = was_in_block;
  k->block = outer;
  k->is_unrealized = was_unrealized;
  k->in_unknown = was_unknown;
  close_scope(k, s);
}

// ---- simple statements

/// A.vstore(…), which is a statement where it stands alone.
static bool is_store_method(const Kinds *k, const RlxAst *ast) {
  return ast->kind == RLX_AST_CALL && ast->children[0]->kind == RLX_AST_ATTRIBUTE &&
         strcmp(rlx_store_text(k->store, ast->children[0]->name), "vstore") == 0;
}

static void run_expression(Kinds *k, const RlxStmt *stmt) {
  Kind value = rlx_kind_eval(k, stmt->value);
  if (stmt->value->kind == RLX_AST_ELLIPSIS)
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span, "`...` is no statement of TensorIR");
  k->frames += value.tag == KIND_FRAME || value.tag == KIND_FOR ||
               opens_scope(k, stmt->value); // entered for the rest of the suite
  if (!value.is_var) rlx_kind_used(k, stmt->value, value);
  bool fits = value.tag != KIND_FLOAT && value.tag != KIND_MODULE && !kind_is_list(value) &&
              value.tag != KIND_DICT && value.tag != KIND_FUNCTION && value.tag != KIND_REGION &&
              value.tag != KIND_SLICE && value.tag != KIND_ANNOTATION && value.tag != KIND_OTHER &&
              (value.tag != KIND_OBJECT || is_store_method(k, stmt->value));
  bool is_sum = value.tag == KIND_REGION && stmt->value->kind == RLX_AST_BINARY; // a vector in 0.25
  if (!fits)
    rlx_kind_refuse(k, is_sum ? IN_027 : IN_BOTH, stmt->value, value, "a statement of TensorIR");
  if (value.barrier)
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span,
                         "a barrier is no statement of TensorIR: calls of its methods are");
}

/// `("ValueError", ["part", …])`: the kind of the error and what it says.
static void check_message_pair(Kinds *k, const RlxAst *ast, Kind message) {
  if (message.count == KIND_MANY) return;
  const char *wrong = NULL;
  if (message.count != 2)
    wrong = "a message that is a tuple has two items, the kind of the error and a list of strings";
  else if (message.items[0].tag != KIND_STR && message.items[0].tag != KIND_UNKNOWN)
    wrong = "the kind of the error is a string, as \"ValueError\"";
  else if (message.items[1].tag != KIND_STR && message.items[1].tag != KIND_UNKNOWN &&
           !kind_is_list(message.items[1]))
    wrong = "what the error says is a string or a list of them";
  if (wrong) rlx_kind_refuse_text(k, IN_BOTH, ast->span, wrong);
}

static void run_assert(Kinds *k, const RlxStmt *stmt) {
  Kind test = rlx_kind_eval(k, stmt->value);
  bool fits =
      test.tag == KIND_UNKNOWN || test.tag == KIND_BOOL ||
      (kind_is_expr(test) && (!rlx_dtype_known(test.dtype) || rlx_dtype_is_bool(test.dtype)));
  rlx_kind_used(k, stmt->value, test);
  if (!fits) rlx_kind_refuse(k, IN_BOTH, stmt->value, test, "a condition");
  if (!stmt->message) {
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span, "an assertion of a PrimFunc has a message");
    return;
  }
  Kind message = rlx_kind_eval(k, stmt->message);
  k->frames++;
  bool says = message.tag == KIND_UNKNOWN || message.tag == KIND_STR || kind_is_list(message);
  if (!says) rlx_kind_refuse(k, IN_BOTH, stmt->message, message, "a string");
  if (message.tag == KIND_TUPLE) check_message_pair(k, stmt->message, message);
}

static void run_return(Kinds *k, const RlxStmt *stmt) {
  if (!stmt->value) {
    rlx_kind_refuse_text(k, IN_BOTH, rlx_span(0, stmt->head_size),
                         "a PrimFunc returns an expression");
    return;
  }
  Kind value = rlx_kind_eval(k, stmt->value);
  rlx_kind_used(k, stmt->value, value);
  bool no = value.tag == KIND_NONE || kind_is_list(value) || value.tag == KIND_DICT ||
            value.tag == KIND_OTHER || kind_is_thing(value);
  if (no) rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "an expression");
  if (value.tag == KIND_BUFFER) rlx_kind_refuse(k, IN_025, stmt->value, value, "an expression");
}

static void run_stmt(Kinds *k, const RlxStmt *stmt, int depth) {
  k->stmt = stmt;
  k->is_told = false;
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_EXPR: run_expression(k, stmt); break;
  case RLX_STMT_ASSIGN: assign(k, stmt); break;
  case RLX_STMT_ANNOTATED: assign_annotated(k, stmt); break;
  case RLX_STMT_AUGMENTED: assign_augmented(k, stmt); break;
  case RLX_STMT_RETURN: run_return(k, stmt); break;
  case RLX_STMT_ASSERT: run_assert(k, stmt); break;
  case RLX_STMT_FOR: run_for(k, stmt, depth); break;
  case RLX_STMT_IF: run_if(k, stmt, depth); break;
  case RLX_STMT_WITH: run_with(k, stmt, depth); break;
  case RLX_STMT_WHILE: {
    Kind test = rlx_kind_eval(k, stmt->value);
    check_condition(k, stmt->value, test, true);
    Scope s = open_scope(k);
    k->frames++;
    run_suite(k, stmt->body, depth + 1);
    k->frames--;
    close_scope(k, s);
    break;
  }
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_CLASS:
  case RLX_STMT_GLOBAL:
    rlx_kind_refuse_text(k, IN_BOTH, rlx_span(0, stmt->head_size),
                         "a PrimFunc has no such statement");
    k->is_lost = true;
    break;
  case RLX_STMT_DEF:
    if (!stmt->decorator_count || stmt->is_async)
      rlx_kind_refuse_text(k, IN_BOTH, rlx_span(0, stmt->head_size),
                           stmt->is_async ? "a PrimFunc has no `async def`"
                                          : "a function in a PrimFunc is decorated, by T.inline");
    define(k, stmt->name, unknown());
    break;
  case RLX_STMT_HOLE:
  case RLX_STMT_TYPE_ALIAS: k->is_lost = true; break;
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE: break;
  }
}

static void run_stmts(Kinds *k, const RlxBlock *suite, int depth) {
  for (uint32_t i = 0; suite && i < suite->count && depth < MAX_DEPTH; i++) {
    run_stmt(k, suite->stmts[i], depth);
  }
}

static void run_suite(Kinds *k, const RlxBlock *suite, int depth) {
  uint32_t frames = k->frames;
  run_stmts(k, suite, depth);
  k->frames = frames;
}

// ---- the function

/// `R.Tensor(…)`, `R.Object`
static bool is_relax(const Kinds *k, const RlxAst *annotation) {
  const RlxAst *head = annotation->kind == RLX_AST_CALL ? annotation->children[0] : annotation;
  return head->kind == RLX_AST_ATTRIBUTE && head->children[0]->kind == RLX_AST_NAME &&
         strcmp(rlx_store_text(k->store, head->children[0]->name), "R") == 0;
}

/// `T.Buffer` without its arguments, `R.Tensor(…)`.
static bool is_no_type(Kinds *k, const RlxAst *annotation) {
  static const char *const makers[] = {"Buffer", "Ptr", "Cast", "let"};
  char path[RLX_AST_DOTTED_MAX];
  if (is_relax(k, annotation)) return true;
  if (annotation->kind != RLX_AST_ATTRIBUTE || !rlx_kind_path(k, annotation, path)) return false;
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (strcmp(makers[i], path) == 0) return true;
  return false;
}

/// Python evaluates the annotations before there is a parameter.
static Kind parameter(Kinds *k, const RlxParam *p) {
  Kind kind = unknown();
  k->is_told = false;
  if (p->default_value) rlx_kind_eval(k, p->default_value);
  if (!p->annotation) {
    rlx_kind_refuse_text(k, IN_BOTH, p->span, "a parameter of a PrimFunc has an annotation");
  } else {
    bool is_lambda = p->annotation->kind == RLX_AST_LAMBDA && p->annotation->child_count;
    kind = rlx_kind_eval(k, is_lambda ? p->annotation->children[0] : p->annotation);
    if (kind.tag == KIND_FUNCTION && !kind.is_nothing && !is_lambda) {
      RlxDType dtype = kind.dtype;
      kind = rlx_kind_expr(dtype);
      kind.is_var = true;
      kind.is_plain_handle = dtype.code == RLX_DTYPE_HANDLE;
    } else if (p->annotation->kind == RLX_AST_LAMBDA) {
      const bool is_no_type = kind.tag == KIND_FUNCTION || kind.tag == KIND_NONE ||
                              kind.tag == KIND_STR || kind_is_python_number(kind) ||
                              kind_is_list(kind) || kind.tag == KIND_DICT;
      if (is_no_type) // what TVM gets when it calls the lambda
        rlx_kind_refuse(k, IN_BOTH, p->annotation, kind, "a buffer, or the type of a variable");
      kind = unknown();
    } else if (kind.tag == KIND_FUNCTION || is_no_type(k, p->annotation)) {
      rlx_kind_refuse(k, IN_BOTH, p->annotation, rlx_kind_of(KIND_FUNCTION),
                      "a buffer, or the type of a variable");
      kind = unknown();
    }
    bool fits =
        kind.tag == KIND_UNKNOWN || kind.tag == KIND_BUFFER || (kind_is_expr(kind) && kind.is_var);
    if (!fits)
      rlx_kind_refuse(k, IN_BOTH, p->annotation, kind, "a buffer, or the type of a variable");
    if (!fits) kind = unknown();
    kind.given = NULL;
    if (kind_is_expr(kind) && kind.dtype.code == RLX_DTYPE_HANDLE) {
      kind.given = rlx_arena_one(k->arena, KindValue);
      kind.given->is_given = true;
    }
    kind.is_param = kind_is_expr(kind) || kind.tag == KIND_BUFFER;
  }
  return kind;
}

/// Python evaluates what stands at a parameter that TVM leaves out.
static void evaluate_unused(Kinds *k, const RlxParam *p) {
  k->is_told = false;
  if (p->default_value) rlx_kind_eval(k, p->default_value);
  if (p->annotation) rlx_kind_eval(k, p->annotation);
}

/// What stands behind `->`: a type, which a function of T makes when it is called without arguments.
static void check_result(Kinds *k, const RlxStmt *def) {
  k->is_told = false;
  if (!def->annotation) return;
  const Kind type = rlx_kind_eval(k, def->annotation);
  const bool is_plain = kind_is_python_number(type) || type.tag == KIND_STR || kind_is_list(type) ||
                        type.tag == KIND_DICT || type.tag == KIND_ANNOTATION ||
                        type.tag == KIND_MODULE || type.tag == KIND_OTHER || type.tag == KIND_FOR ||
                        type.tag == KIND_FRAME ||
                        (type.tag == KIND_OBJECT && type.object != TYPE_OBJECT &&
                         type.object != POINTER_OBJECT),
             is_value = type.tag == KIND_BUFFER || kind_is_expr(type);
  const bool is_function = type.tag == KIND_FUNCTION && type.is_nothing,
             is_called = is_function && def->annotation->kind == RLX_AST_NAME &&
                         strcmp(rlx_store_text(k->store, def->annotation->name), "print") == 0;
  if (is_relax(k, def->annotation))
    rlx_kind_refuse_text(k, IN_025, def->annotation->span, "a type of Relax, expected one of T");
  // 0.27 calls what can be called, and of Python's functions print alone takes nothing and gives None.
  if (is_plain || is_value || is_function)
    rlx_kind_refuse(k, is_plain || (is_function && !is_called) ? IN_BOTH : IN_025, def->annotation,
                    type, "a type, as T.int32");
}

/// Whether what is used has a value where it is used: all over the function, or in the block whose buffer gives it.
static bool has_value(const Kinds *k, const KindUse *use) {
  const KindValue *given = use->given;
  if (!given->is_given || (given->from && !given->from->is_given)) return false;
  uint32_t block = use->block;
  while (given->block && block && block != given->block) block = k->blocks.at[block - 1].parent;
  return block == given->block || !given->block;
}

static const char *why_without(const KindUse *use) {
  return use->given->is_given && use->given->block
             ? "this variable has a value only in the block whose T.match_buffer names it"
             : "this variable never gets a value: no buffer's shape names it";
}

static void tell_uses(Kinds *k) {
  for (uint32_t i = 0; i < k->uses.count && !k->is_lax && !k->is_unsure; i++) {
    const KindUse *use = &k->uses.at[i];
    if (has_value(k, use) || (k->dialects & ~use->where)) continue;
    k->stmt = use->stmt;
    k->is_told = false;
    rlx_kind_refuse_text(k, use->where, use->span, why_without(use));
    return;
  }
}

void rlx_primfunc_check_kinds(RlxFn *fn, int dialects, bool is_lax, bool has_kernels,
                              bool is_s_tir) {
  Kinds k = {.fn = fn,
             .store = fn->file->store,
             .arena = rlx_arena_new_sized(4096),
             .stmt = fn->stmt,
             .dialects = dialects,
             .before = fn->end.diags.count,
             .is_lax = is_lax,
             .has_kernels = has_kernels,
             .is_s_tir = is_s_tir};
  const RlxStmt *def = fn->stmt;
  const RlxParams taken = rlx_taken_params(def);
  Kind *params = rlx_arena_array(k.arena, Kind, taken.count + 1);
  k.in_signature = true;
  for (uint32_t i = 0; i < taken.count; i++) params[i] = parameter(&k, &taken.at[i]);
  for (uint32_t i = 0; i < def->param_count; i++)
    if (rlx_is_left_out(taken, &def->params[i])) evaluate_unused(&k, &def->params[i]);
  k.in_signature = false;
  check_result(&k, def);
  for (uint32_t i = 0; i < taken.count; i++) define(&k, taken.at[i].name, params[i]);
  run_suite(&k, def->body, 0);
  tell_uses(&k);
  rlx_kind_scopes_end(&k);
  rlx_vec_free(&k.names);
  rlx_vec_free(&k.uses);
  rlx_vec_free(&k.blocks);
  rlx_vec_free(&k.attributes);
  rlx_arena_free(k.arena);
}
