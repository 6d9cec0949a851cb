/// Expressions of a PrimFunc's script: names, attributes, subscripts.
#include "analyzer/function/kinds.h"

#include <string.h>

#include "analyzer/words/script_names.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

static bool is_among(const char *name, const char *words) {
  size_t size = strlen(name);
  for (const char *at = strstr(words, name); at; at = strstr(at + 1, name))
    if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size])) return true;
  return false;
}

bool rlx_kind_path(Kinds *k, const RlxAst *ast, char *out) {
  const RlxAst *space = rlx_ast_dotted(k->store, ast, out);
  if (!space) return false;
  const char *root = rlx_store_text(k->store, space->name);
  if (strcmp(root, "T") != 0 && strcmp(root, "tirx") != 0) return false;
  for (uint32_t i = 0; i < k->names.count; i++)
    if (k->names.at[i].name == space->name) return false;
  return true;
}

/// Whether it was said before that accesses of the buffer and its dimensions do not go together: one
/// mistake, where it is declared.
static bool is_rank_told(const Kinds *k, const RlxAst *buffer) {
  if (buffer->kind != RLX_AST_NAME) return false;
  const RlxSink *sink = &k->fn->end;
  const char *name = rlx_store_text(k->store, buffer->name);
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    const char *quoted = d->id == RLX_DIAG_ID(BUFFER_RANK) ? strchr(d->message, '`') : NULL;
    if (quoted && !strncmp(quoted + 1, name, strlen(name)) && quoted[strlen(name) + 1] == '`')
      return true;
  }
  return false;
}

/// Whether it was said before that the name is not defined.
static bool is_told(Kinds *k, const char *name) {
  const RlxSink *sink = &k->fn->end;
  size_t size = strlen(name);
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    if (d->id == RLX_DIAG_ID(NAME_UNDEFINED) && d->message[0] == '`' &&
        strncmp(d->message + 1, name, size) == 0 && d->message[size + 1] == '`') {
      k->is_told = true;
      return true;
    }
  }
  return false;
}

static Kind of_name(Kinds *k, const RlxAst *ast) {
  Kind out;
  if (rlx_kind_lookup(k, ast->name, &out)) return out;
  const char *text = rlx_store_text(k->store, ast->name);
  if (!is_told(k, text) && rlx_kind_may_tell(k, IN_BOTH))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(NAME_UNDEFINED), rlx_kind_span(k, ast->span), "ss", text,
                "");
  return unknown();
}

static Kind of_items(Kinds *k, const RlxAst *ast, KindTag tag) {
  Kind out = rlx_kind_of(tag);
  Kind *items = rlx_arena_array(k->arena, Kind, ast->child_count + 1);
  out.items = items;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind == RLX_AST_STARRED || child->kind == RLX_AST_DOUBLE_STARRED) {
      rlx_kind_eval(k, child->children[0]);
      out.count = KIND_MANY;
    } else {
      items[i] = rlx_kind_eval(k, child);
    }
    if (out.count != KIND_MANY) out.count = i + 1;
  }
  return out;
}

// ---- attributes

static const char buffer_words[] =
    "READ WRITE access_ptr allocated_addr astype axis_separators buffer_type byte_offset "
    "byte_offset_of chunk data "
    "data_alignment dtype elem_offset elem_offset_of equal expr_ty get_flattened_buffer id_ is_ "
    "is_scalar layout "
    "local name offset_factor offset_of permute ptr_to rearrange same_as scope script shape show "
    "span strides sub "
    "tile ty view vload vstore with_allocated_addr with_data with_dtype";
const char *rlx_kind_buffer_members(void) { return buffer_words; }

static const char expr_words[] =
    "a access_ptr args astype attrs axis b base body buffer byte_offset byte_offset_of chunk "
    "combiner condition data "
    "data_alignment dtype elem_offset elem_offset_of equal expr_ty false_value "
    "get_flattened_buffer id_ indices init "
    "is_ is_scalar lanes layout local name offset_factor offset_of op params permute predicate "
    "producer ptr_to "
    "rearrange same_as scope script shape show source span stride strides sub tile true_value ty "
    "type_annotation "
    "value value_index var vectors view vload vstore dom iter_type thread_tag with_dtype";
static const char python_words[] = "append extend index count join format split strip lower upper "
                                   "replace startswith endswith keys values items get "
                                   "pop copy real imag numerator denominator bit_length is_integer "
                                   "conjugate insert remove reverse sort update "
                                   "encode isdigit find rfind lstrip rstrip splitlines title zfill";

/// `T.grid.remap`: a function of T has no such names; true when the path may be there.
static bool check_path(Kinds *k, const RlxAst *ast, const char *path) {
  const char *dot = strchr(path, '.');
  char root[RLX_AST_DOTTED_MAX];
  if (!dot) return true;
  memcpy(root, path, (size_t)(dot - path));
  root[dot - path] = '\0';
  const RlxScriptName *old = rlx_script_name(root, RLX_DIALECT_025),
                      *new = rlx_script_name(root, RLX_DIALECT_027);
  int where = (old && old->how != RLX_SCRIPT_OTHER ? IN_025 : 0) |
              (new && new->how != RLX_SCRIPT_OTHER ? IN_027 : 0);
  if (!where || (k->dialects & ~where)) return true;
  rlx_kind_refuse_text(
      k, where, ast->name_span,
      rlx_arena_printf(k->arena, "the function `T.%s` has no `%s`", root, dot + 1));
  return false;
}

/// `T.f32`: a function of T that makes variables of a dtype.
static bool makes_variable(const char *path, RlxDType *out) {
  const RlxScriptKinds *row = rlx_script_kinds(path, RLX_DIALECT_027);
  if (!row) row = rlx_script_kinds(path, RLX_DIALECT_025);
  return row && strncmp(row->result, "v:", 2) == 0 && strncmp(row->kinds, "Tbcefi", 6) == 0 &&
         rlx_dtype_parse(row->result + 2, strlen(row->result + 2), out);
}

/// Whether a parameter of the row may not be left out.
static bool takes_something(const RlxScriptName *name) {
  const char *params = name->params;
  while (*params) {
    size_t size = strcspn(params, ",");
    if (params[0] == '*' && size == 1) return false; // what follows is named
    if (params[0] != '*' && params[size - 1] != '=') return true;
    params += size;
    params += strspn(params, ", ");
  }
  return false;
}

/// Whether the function gives no variable and no buffer when it is called without arguments.
static bool gives_nothing(const char *path) {
  const RlxScriptKinds *row = rlx_script_kinds(path, RLX_DIALECT_027);
  const RlxScriptName *name = rlx_script_name(path, RLX_DIALECT_027);
  if (!row) row = rlx_script_kinds(path, RLX_DIALECT_025);
  if (!name) name = rlx_script_name(path, RLX_DIALECT_025);
  return is_among(path, "prim_func axis reads writes func_attr sblock") ||
         (name && name->how != RLX_SCRIPT_OTHER && takes_something(name)) ||
         (row && row->result[0] != '?' && row->result[0] != 'v');
}

/// Whether T has a function, a class or the namespace of axes under the path.
static bool is_function(const char *path) {
  const RlxScriptName *old = rlx_script_name(path, RLX_DIALECT_025),
                      *new = rlx_script_name(path, RLX_DIALECT_027);
  return (old && old->how != RLX_SCRIPT_OTHER) || (new && new->how != RLX_SCRIPT_OTHER) ||
         is_among(path, "axis let cuda");
}

static Kind of_attribute(Kinds *k, const RlxAst *ast) {
  char path[RLX_AST_DOTTED_MAX];
  if (rlx_kind_path(k, ast, path)) {
    if (!check_path(k, ast, path)) return unknown();
    Kind out = rlx_kind_of(KIND_FUNCTION);
    out.is_nothing = true;
    RlxDType dtype;
    if (rlx_dtype_parse(path, strlen(path), &dtype) && rlx_dtype_known(dtype)) {
      out.dtype = dtype;
      out.is_nothing = false;
    } else if (strcmp(path, "handle") == 0) {
      out.dtype = rlx_dtype(RLX_DTYPE_HANDLE, 64);
      out.is_nothing = false;
    } else if (makes_variable(path, &dtype)) {
      out.dtype = dtype;
      out.is_nothing = false;
    } else if (strcmp(path, "TensorMap") == 0) {
      out.dtype = rlx_dtype(RLX_DTYPE_HANDLE, 64);
      out.is_nothing = false;
    } else if (!is_function(path)) {
      return unknown();
    } else {
      out.is_nothing = gives_nothing(path);
    }
    return out;
  }
  Kind base = rlx_kind_eval(k, ast->children[0]);
  const char *name = rlx_store_text(k->store, ast->name);
  bool known = true;
  if (base.tag == KIND_BUFFER)
    known = is_among(name, buffer_words);
  else if (base.tag == KIND_EXPR)
    known = is_among(name, expr_words);
  else if (base.tag >= KIND_NONE && base.tag <= KIND_DICT)
    known = is_among(name, python_words);
  if (name[0] == '_') known = true;
  if (!known)
    rlx_kind_refuse_text(
        k, IN_BOTH, ast->name_span,
        rlx_arena_printf(k->arena, "%s has no `%s`", rlx_kind_text(k, base), name));
  if (!known) return unknown();
  if (base.tag == KIND_BUFFER && strcmp(name, "shape") == 0) {
    if (base.ndim < 0) return unknown();
    Kind shape = rlx_kind_of(KIND_TUPLE);
    shape.count = (uint32_t)base.ndim;
    shape.items = rlx_arena_array(k->arena, Kind, shape.count + 1); // unknown
    return shape;
  }
  if (base.tag == KIND_BUFFER && strcmp(name, "data") == 0) {
    Kind out = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
    out.is_var = true;
    return out;
  }
  if ((base.tag == KIND_BUFFER || base.tag == KIND_EXPR) && strcmp(name, "dtype") == 0) {
    if (base.tag == KIND_EXPR && !base.is_var) {
      rlx_kind_refuse_text(k, IN_027, ast->name_span, "an expression has no `dtype`");
    }
    return rlx_kind_of(KIND_STR);
  }
  return unknown();
}

// ---- subscripts

void rlx_kind_check_index(Kinds *k, const RlxAst *ast, Kind index, bool is_last) {
  rlx_kind_used(k, ast, index);
  if ((index.tag == KIND_STR && index.text) ||
      (kind_is_expr(index) && index.dtype.code == RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, IN_027, ast, index, "an index");
  else if (rlx_kind_is_no_value(index) && index.tag != KIND_SLICE && index.tag != KIND_TUPLE)
    rlx_kind_refuse(k, IN_BOTH, ast, index, "an index");
  else if (index.tag == KIND_REGION && ast->kind == RLX_AST_NAME) // under a name
    rlx_kind_refuse(k, index.is_many && !is_last ? IN_BOTH : IN_027, ast, index, "an index");
}

/// The step of a slice is a number, and so is the length of a slice with a step.
static void check_step(Kinds *k, const RlxAst *slice) {
  const RlxAst *step = slice->child_count > 2 ? slice->children[2] : NULL;
  if (!step || step->kind == RLX_AST_NONE) return;
  Kind kind = rlx_kind_eval(k, step);
  if (kind_is_expr(kind) && kind.is_var) rlx_kind_refuse(k, IN_BOTH, step, kind, "an int");
}

/// The end of a slice without one, or of a dimension that no index is given for; -1: not known.
static int64_t dimension(Kind buffer, uint32_t at) {
  if (at >= buffer.count || !buffer.items[at].has_number) return -1;
  bool known = buffer.items[at].tag == KIND_INT || kind_is_expr(buffer.items[at]);
  return known ? buffer.items[at].number : -1;
}

/// Whether the dimension is no constant: a part along it is of no known length.
static bool is_symbolic(Kind buffer, uint32_t at) {
  return at < buffer.count && kind_is_expr(buffer.items[at]) && buffer.items[at].is_var;
}

static bool is_int(const RlxAst *ast) { return ast->kind == RLX_AST_INT && !ast->is_big; }

/// Whether the slice `ast` of dimension `at` certainly has more than one element.
static bool is_long(const RlxAst *ast, Kind buffer, uint32_t at) {
  if (ast->kind != RLX_AST_SLICE || ast->child_count < 2) return false;
  const RlxAst *start = ast->children[0], *stop = ast->children[1];
  bool has_step = ast->child_count > 2 && ast->children[2]->kind != RLX_AST_NONE;
  int64_t first = start->kind == RLX_AST_NONE ? 0
                  : is_int(start)             ? start->integer
                                              : INT64_MAX,
          end = stop->kind == RLX_AST_NONE ? dimension(buffer, at)
                : is_int(stop)             ? stop->integer
                                           : -1;
  return !has_step && first >= 0 && end > 1 && first < end - 1;
}

/// The dialects in which the slice of dimension `at` is a vector, which T.reads and T.writes do not
/// take: 0.27 takes no step but 1.
static int stepped_in(const RlxAst *ast, Kind buffer, uint32_t at) {
  const RlxAst *step = ast->kind == RLX_AST_SLICE && ast->child_count > 2 ? ast->children[2] : NULL;
  if (!step || step->kind == RLX_AST_NONE || (is_int(step) && step->integer == 1)) return 0;
  const RlxAst *start = ast->children[0], *stop = ast->children[1];
  int64_t first = start->kind == RLX_AST_NONE ? 0
                  : is_int(start)             ? start->integer
                                              : -1,
          end = stop->kind == RLX_AST_NONE ? dimension(buffer, at)
                : is_int(stop)             ? stop->integer
                                           : -1;
  bool known = is_int(step) && step->integer > 0 && first >= 0 && end >= 0;
  int64_t lanes = known ? (end - first + step->integer - 1) / step->integer : 0;
  return known && lanes != 1 ? IN_BOTH : IN_027;
}

static Kind of_buffer(Kinds *k, const RlxAst *ast, Kind base) {
  bool has_slice = false, is_sure = true, is_odd = false, is_many = false;
  int stepped = 0;
  int count = 0;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind == RLX_AST_STARRED) {
      rlx_kind_eval(k, child->children[0]);
      is_sure = false;
      continue;
    }
    k->in_buffer = true;
    Kind index = rlx_kind_eval(k, child);
    k->in_buffer = false;
    has_slice |= index.tag == KIND_SLICE;
    is_many |= is_long(child, base, i - 1);
    stepped |= stepped_in(child, base, i - 1);
    is_sure &= index.tag != KIND_UNKNOWN;
    is_odd |= index.tag == KIND_FLOAT || (index.tag == KIND_STR && index.text) ||
              (kind_is_expr(index) && rlx_dtype_is_float(index.dtype));
    if (child->kind == RLX_AST_ELLIPSIS)
      rlx_kind_refuse_text(k, IN_BOTH, child->span, "`...` is no index of a buffer");
    count++;
    bool is_all = kind_is_list(index) && ast->child_count == 2; // a list of all indices
    if (is_all) count = index.count == KIND_MANY ? 1000 : (int)index.count;
    if (index.tag == KIND_SLICE) check_step(k, child);
    for (uint32_t n = 0; is_all && index.count != KIND_MANY && n < index.count; n++)
      rlx_kind_check_index(k, child, index.items[n], true);
    if (!is_all) rlx_kind_check_index(k, child, index, i + 1 == ast->child_count);
  }
  if (is_sure && base.ndim >= 0 && count > base.ndim && !is_rank_told(k, ast->children[0]))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "%d indices for %d dimension%s", count,
                                          base.ndim, base.ndim == 1 ? "" : "s"));
  bool is_part = has_slice || (is_sure && base.ndim >= 0 && count < base.ndim);
  if (is_part || !is_sure) {
    Kind out = rlx_kind_of(is_part ? KIND_REGION : KIND_UNKNOWN);
    out.dtype = base.dtype;
    for (uint32_t i = (uint32_t)count; i < base.count; i++)
      is_many |= dimension(base, i) > 1 || is_symbolic(base, i);
    out.is_many = is_many && is_sure;
    out.is_void = base.is_void;
    out.is_stepped = stepped == IN_BOTH || (stepped && k->dialects == IN_027);
    return out;
  }
  Kind out = rlx_kind_expr(base.dtype);
  out.is_void = base.is_void;
  out.is_load = true;
  out.is_odd = is_odd;
  return out;
}

static Kind of_list(Kinds *k, const RlxAst *ast, Kind base, Kind index) {
  if (index.tag == KIND_SLICE || index.tag == KIND_UNKNOWN) return unknown();
  if (index.tag != KIND_INT && index.tag != KIND_BOOL) {
    rlx_kind_refuse(k, IN_BOTH, ast, index, "an int");
    return unknown();
  }
  if (base.tag == KIND_STR || base.count == KIND_MANY || !index.has_number) return unknown();
  int64_t at = index.number < 0 ? index.number + base.count : index.number;
  if (at < 0 || at >= (int64_t)base.count) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "the index is out of range");
    return unknown();
  }
  return base.items[at];
}

/// Whether the function of T is one of those that surely have no subscripts.
static bool is_plain_function(Kinds *k, const RlxAst *ast, Kind function) {
  char path[RLX_AST_DOTTED_MAX];
  if (ast->kind != RLX_AST_ATTRIBUTE || !rlx_kind_path(k, ast, path)) return false;
  if (is_among(path, "handle bool")) return true;
  return path[0] >= 'a' && !strchr(path, '.') && !rlx_dtype_known(function.dtype) &&
         !is_among(path, "let constexpr cuda");
}

static Kind of_subscript(Kinds *k, const RlxAst *ast) {
  Kind base = rlx_kind_eval(k, ast->children[0]);
  if (base.tag == KIND_BUFFER) return of_buffer(k, ast, base);
  Kind index = unknown();
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    index = rlx_kind_eval(k, child->kind == RLX_AST_STARRED ? child->children[0] : child);
  }
  if (ast->child_count != 2) index = rlx_kind_of(KIND_TUPLE);
  if (kind_is_list(base) || base.tag == KIND_STR) return of_list(k, ast, base, index);
  bool has_none = kind_is_python_number(base) || base.tag == KIND_NONE || base.tag == KIND_FOR ||
                  base.tag == KIND_FRAME || base.tag == KIND_MODULE ||
                  (base.tag == KIND_FUNCTION && is_plain_function(k, ast->children[0], base)) ||
                  (base.tag == KIND_EXPR && rlx_dtype_known(base.dtype));
  if (has_none) rlx_kind_refuse(k, IN_BOTH, ast->children[0], base, "a buffer");
  return unknown();
}

static Kind of_slice(Kinds *k, const RlxAst *ast) {
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind == RLX_AST_NONE) continue;
    Kind bound = rlx_kind_eval(k, child);
    rlx_kind_used(k, child, bound);
    if (rlx_kind_is_no_value(bound) && k->in_buffer)
      rlx_kind_refuse(k, IN_BOTH, child, bound, "a bound");
  }
  return rlx_kind_of(KIND_SLICE);
}

static Kind of_conditional(Kinds *k, const RlxAst *ast) {
  Kind test = rlx_kind_eval(k, ast->children[1]);
  Kind then = rlx_kind_eval(k, ast->children[0]), other = rlx_kind_eval(k, ast->children[2]);
  if (test.tag == KIND_BOOL && test.has_number) return test.number ? then : other;
  bool fits =
      test.tag == KIND_UNKNOWN || test.tag == KIND_BOOL ||
      (kind_is_expr(test) && (!rlx_dtype_known(test.dtype) || rlx_dtype_is_bool(test.dtype)));
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast->children[1], test, "a condition");
  if (kind_is_expr(test) && fits && kind_is_expr(then) && kind_is_expr(other) &&
      rlx_dtype_equal(then.dtype, other.dtype))
    return rlx_kind_expr(then.dtype);
  return unknown();
}

Kind rlx_kind_eval(Kinds *k, const RlxAst *ast) {
  Kind out;
  switch ((RlxAstKind)ast->kind) {
  case RLX_AST_NAME: return of_name(k, ast);
  case RLX_AST_INT:
    out = rlx_kind_of(KIND_INT);
    out.has_number = !ast->is_big;
    if (!ast->is_big) out.number = ast->integer;
    return out;
  case RLX_AST_FLOAT:
    out = rlx_kind_of(KIND_FLOAT);
    out.has_number = true;
    out.real = ast->number;
    return out;
  case RLX_AST_STRING:
    out = rlx_kind_of(KIND_STR);
    out.text = ast->text;
    return out;
  case RLX_AST_FSTRING: return rlx_kind_of(KIND_STR);
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
    out = rlx_kind_of(KIND_BOOL);
    out.has_number = true;
    out.number = ast->kind == RLX_AST_TRUE;
    return out;
  case RLX_AST_NONE: return rlx_kind_of(KIND_NONE);
  case RLX_AST_TUPLE: return of_items(k, ast, KIND_TUPLE);
  case RLX_AST_LIST: return of_items(k, ast, KIND_LIST);
  case RLX_AST_DICT:
    for (uint32_t i = 0; i < ast->child_count; i++)
      if (ast->children[i]->kind != RLX_AST_HOLE &&
          ast->children[i]->kind != RLX_AST_DOUBLE_STARRED) {
        Kind entry = rlx_kind_eval(k, ast->children[i]);
        if (entry.is_defined && i % 2 == 0) *entry.is_defined = true; // T.Let(…, where={x: …})
      }
    return rlx_kind_of(KIND_DICT);
  case RLX_AST_CALL: return rlx_kind_call(k, ast);
  case RLX_AST_ATTRIBUTE: return of_attribute(k, ast);
  case RLX_AST_SUBSCRIPT: return of_subscript(k, ast);
  case RLX_AST_SLICE: return of_slice(k, ast);
  case RLX_AST_UNARY:
    return rlx_kind_unary(k, ast, (RlxAstOp)ast->op, rlx_kind_eval(k, ast->children[0]));
  case RLX_AST_BINARY: {
    Kind a = rlx_kind_eval(k, ast->children[0]), b = rlx_kind_eval(k, ast->children[1]);
    return rlx_kind_binary(k, ast, (RlxAstOp)ast->op, a, b);
  }
  case RLX_AST_BOOL_OP: {
    Kind a = rlx_kind_eval(k, ast->children[0]), b = rlx_kind_eval(k, ast->children[1]);
    return rlx_kind_bool_op(k, ast, a, b);
  }
  case RLX_AST_COMPARE: {
    Kind left = rlx_kind_eval(k, ast->children[0]);
    for (uint32_t i = 1; i < ast->child_count; i++) {
      Kind right = rlx_kind_eval(k, ast->children[i]);
      out = rlx_kind_compare(k, ast, (RlxAstOp)ast->ops[i - 1], left, right);
      left = right;
    }
    return ast->child_count == 2 ? out : unknown();
  }
  case RLX_AST_CONDITIONAL: return of_conditional(k, ast);
  case RLX_AST_LAMBDA:
    out = rlx_kind_of(KIND_FUNCTION);
    out.is_nothing = true;
    return out;
  case RLX_AST_HOLE:
  case RLX_AST_IMAGINARY:
  case RLX_AST_BYTES:
  case RLX_AST_ELLIPSIS:
  case RLX_AST_SET:
  case RLX_AST_KEYWORD:
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMPREHENSION:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_NAMED:
  case RLX_AST_AWAIT:
  case RLX_AST_YIELD: break;
  }
  return unknown();
}
