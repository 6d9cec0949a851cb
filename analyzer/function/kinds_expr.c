/// Expressions of a PrimFunc's script: names, attributes, subscripts.
#include "analyzer/function/kinds.h"

#include <string.h>

#include "analyzer/words/script_names.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

bool rlx_kind_path(Kinds *k, const RlxAst *ast, char out[static RLX_AST_DOTTED_MAX]) {
  const RlxAst *space = rlx_ast_dotted(k->store, ast, out);
  if (!space) return false;
  const char *root = rlx_store_text(k->store, space->name);
  if (strcmp(root, "T") != 0 && strcmp(root, "tirx") != 0) return false;
  for (uint32_t i = 0; i < k->names.count; i++)
    if (k->names.at[i].name == space->name) return false;
  return true;
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

Kind rlx_kind_starred(Kinds *k, const RlxAst *ast) {
  Kind kind = rlx_kind_eval(k, ast->children[0]);
  bool is_one = kind_is_expr(kind) || kind_is_python_number(kind) || kind.tag == KIND_NONE;
  if (ast->kind == RLX_AST_STARRED && is_one) rlx_kind_refuse(k, IN_BOTH, ast, kind, "a list");
  return kind;
}

static bool is_star(const RlxAst *ast) {
  return ast->kind == RLX_AST_STARRED || ast->kind == RLX_AST_DOUBLE_STARRED;
}

/// A list or tuple as it is written, `*` taken apart where the list behind it is known.
static Kind of_items(Kinds *k, const RlxAst *ast, KindTag tag) {
  Kind out = rlx_kind_of(tag);
  Kind *given = rlx_arena_array(k->arena, Kind, ast->child_count + 1);
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    given[i] = is_star(child) ? rlx_kind_starred(k, child) : rlx_kind_eval(k, child);
    const bool is_known = !is_star(child) || (kind_is_list(given[i]) && given[i].count < 64);
    if (out.count != KIND_MANY)
      out.count = is_known ? out.count + (is_star(child) ? given[i].count : 1) : KIND_MANY;
  }
  out.items = given;
  if (out.count == KIND_MANY || out.count == ast->child_count) {
    bool has_star = false;
    for (uint32_t i = 0; i < ast->child_count; i++) has_star |= is_star(ast->children[i]);
    if (out.count == KIND_MANY || !has_star) return out;
  }
  Kind *items = rlx_arena_array(k->arena, Kind, out.count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const bool is_list = is_star(ast->children[i]);
    for (uint32_t n = 0; n < (is_list ? given[i].count : 1); n++)
      items[count++] = is_list ? given[i].items[n] : given[i];
  }
  out.items = items;
  return out;
}

/// `[x for i in range(3)]`: a list of so many values. The rest is Python's.
static Kind of_comprehension(const RlxAst *ast) {
  Kind out = rlx_kind_of(ast->op == RLX_COMP_LIST ? KIND_LIST : KIND_UNKNOWN);
  out.count = KIND_MANY;
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

// What variables, elements of buffers and other expressions have in 0.25 and in 0.27.
static const char var_words_025[] =
    "astype dtype equal id_ is_ name name_hint same_as script show span type_annotation";
static const char var_words_027[] = "access_ptr astype byte_offset_of chunk elem_offset_of equal "
                                    "expr_ty get_flattened_buffer id_ is_ "
                                    "is_scalar local name name_hint offset_of permute ptr_to "
                                    "rearrange same_as scope script show span "
                                    "sub tile ty view vload vstore with_allocated_addr with_dtype";
static const char load_words_025[] =
    "astype buffer dtype equal id_ indices is_ predicate same_as script show span";
static const char load_words_027[] =
    "astype equal expr_ty id_ indices is_ same_as script show source span ty";
static const char expr_words_025[] = "a args astype attrs axis b base body buffer combiner "
                                     "condition dtype equal false_value id_ indices init is_ lanes "
                                     "op params predicate producer same_as script show source span "
                                     "stride true_value value value_index var vectors";
static const char expr_words_027[] = "a args astype attrs axis b base body combiner condition "
                                     "equal expr_ty false_value id_ indices init is_ lanes "
                                     "op params producer same_as script show source span stride "
                                     "true_value ty ty_args value value_index var vectors";
static const char frame_words[] =
    "add_callback alloc_buffers annotations attr_key buffer doms extent id_ init is_ iter_values "
    "iter_var iter_vars match_buffers name no_realize node predicate reads same_as stmts value var "
    "vars writes";
static const char region_words[] = "buffer id_ is_ region same_as script show source span ty";
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
  if (strcmp(root, "let") == 0) {
    const bool has = rlx_text_is_among(dot + 1, "as_var type_spec");
    if (!has)
      rlx_kind_refuse_text(k, IN_BOTH, ast->name_span,
                           rlx_arena_printf(k->arena, "T.let has no `%s`", dot + 1));
    return has;
  }
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
  return rlx_text_is_among(path, "prim_func axis reads writes func_attr sblock let") ||
         (name && name->how != RLX_SCRIPT_OTHER && takes_something(name)) ||
         (row && row->result[0] != '?' && row->result[0] != 'v');
}

/// Whether T has a function, a class or the namespace of axes under the path.
static bool is_function(const char *path) {
  const RlxScriptName *old = rlx_script_name(path, RLX_DIALECT_025),
                      *new = rlx_script_name(path, RLX_DIALECT_027);
  return (old && old->how != RLX_SCRIPT_OTHER) || (new && new->how != RLX_SCRIPT_OTHER) ||
         rlx_text_is_among(path, "axis let cuda");
}

/// The dimensions of a buffer: constants and variables of TensorIR, whatever they were given as.
static Kind shape_of(Kinds *k, Kind buffer) {
  Kind shape = rlx_kind_of(KIND_TUPLE);
  shape.count = (uint32_t)buffer.ndim;
  shape.is_array = true;
  Kind *items = rlx_arena_array(k->arena, Kind, shape.count + 1);
  for (uint32_t i = 0; i < shape.count; i++) {
    items[i] = unknown();
    if (buffer.count != shape.count) continue;
    Kind dim = buffer.items[i];
    if (kind_is_expr(dim)) items[i] = dim;
    if (dim.tag != KIND_INT || !rlx_kind_holds(RLX_INT32, dim)) continue;
    items[i] = rlx_kind_expr(RLX_INT32);
    items[i].has_number = dim.has_number;
    items[i].number = dim.number;
  }
  shape.items = items;
  return shape;
}

/// In which dialects the value has no such attribute.
static int lacks(Kind base, const char *name) {
  const char *old, *new;
  if (name[0] == '_' && !base.is_decorator) return 0;
  if (base.tag == KIND_EXPR) {
    old = base.is_load ? load_words_025 : base.is_var ? var_words_025 : expr_words_025;
    new = base.is_load ? load_words_027 : base.is_var ? var_words_027 : expr_words_027;
  } else {
    old = base.tag == KIND_BUFFER                          ? buffer_words
          : base.tag == KIND_FOR || base.tag == KIND_FRAME ? frame_words
          : base.tag == KIND_REGION                        ? region_words
          : base.tag == KIND_ANNOTATION                    ? "as_var type_spec dtype shape"
          : base.tag >= KIND_NONE && base.tag <= KIND_DICT ? python_words
                                                           : NULL;
    new = old;
  }
  if (base.is_decorator) return IN_BOTH;
  return (old && !rlx_text_is_among(name, old) ? IN_025 : 0) |
         (new && !rlx_text_is_among(name, new) ? IN_027 : 0);
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
  const int lacking = lacks(base, name);
  if (lacking)
    rlx_kind_refuse_text(
        k, lacking, ast->name_span,
        rlx_arena_printf(k->arena, "%s has no `%s`", rlx_kind_text(k, base), name));
  if (lacking & k->dialects) return unknown();
  if (base.tag == KIND_BUFFER && strcmp(name, "shape") == 0) {
    if (base.ndim < 0) return unknown();
    return shape_of(k, base);
  }
  if (base.tag == KIND_BUFFER && strcmp(name, "strides") == 0) {
    Kind strides = rlx_kind_of(KIND_TUPLE);
    strides.count = KIND_MANY;
    strides.is_array = true;
    return strides;
  }
  if (base.tag == KIND_BUFFER && strcmp(name, "data") == 0) {
    rlx_kind_used(k, ast, base);
    Kind out = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
    out.is_var = true;
    return out;
  }
  if ((base.tag == KIND_BUFFER || base.tag == KIND_EXPR) && strcmp(name, "dtype") == 0)
    return rlx_kind_of(KIND_STR);
  return unknown();
}

static Kind of_conditional(Kinds *k, const RlxAst *ast) {
  Kind test = rlx_kind_eval(k, ast->children[1]);
  if (test.tag == KIND_BOOL && test.has_number) {
    Kind chosen = rlx_kind_eval(k, ast->children[test.number ? 0 : 2]);
    if (k->dialects == IN_025) rlx_kind_eval(k, ast->children[test.number ? 2 : 0]); // it, too
    return chosen;
  }
  Kind then = rlx_kind_eval(k, ast->children[0]), other = rlx_kind_eval(k, ast->children[2]);
  bool fits =
      test.tag == KIND_UNKNOWN || test.tag == KIND_BOOL ||
      (kind_is_expr(test) && (!rlx_dtype_known(test.dtype) || rlx_dtype_is_bool(test.dtype)));
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast->children[1], test, "a condition");
  if (kind_is_expr(test)) {
    rlx_kind_used(k, ast->children[0], then);
    rlx_kind_used(k, ast->children[2], other);
  }
  if (kind_is_expr(test) && then.tag == KIND_REGION)
    rlx_kind_refuse(k, IN_027, ast->children[0], then, "a value of one element");
  if (kind_is_expr(test) && other.tag == KIND_REGION)
    rlx_kind_refuse(k, IN_027, ast->children[2], other, "a value of one element");
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
        if (i % 2 == 0) rlx_kind_give(k, entry); // T.Let(…, where={x: …})
      }
    return rlx_kind_of(KIND_DICT);
  case RLX_AST_CALL: return rlx_kind_call(k, ast);
  case RLX_AST_ATTRIBUTE: return of_attribute(k, ast);
  case RLX_AST_SUBSCRIPT: return rlx_kind_subscript(k, ast);
  case RLX_AST_SLICE: return rlx_kind_slice(k, ast);
  case RLX_AST_UNARY:
    return rlx_kind_unary(k, ast, (RlxAstOp)ast->op, rlx_kind_eval(k, ast->children[0]));
  case RLX_AST_BINARY: {
    Kind a = rlx_kind_eval(k, ast->children[0]), b = rlx_kind_eval(k, ast->children[1]);
    return rlx_kind_binary(k, ast, (RlxAstOp)ast->op, a, b);
  }
  case RLX_AST_BOOL_OP: {
    Kind a = rlx_kind_eval(k, ast->children[0]);
    bool is_decided = a.tag == KIND_BOOL && a.has_number && !a.number == (ast->op == RLX_OP_AND);
    if (is_decided && !k->in_signature && k->dialects != IN_025) // 0.27 leaves out the rest
      return k->dialects == IN_027 ? a : unknown();
    Kind b = rlx_kind_eval(k, ast->children[1]);
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
  case RLX_AST_SET: return rlx_kind_of(KIND_OTHER);
  case RLX_AST_COMPREHENSION: return of_comprehension(ast);
  case RLX_AST_HOLE:
  case RLX_AST_IMAGINARY:
  case RLX_AST_BYTES:
  case RLX_AST_ELLIPSIS:
  case RLX_AST_KEYWORD:
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_NAMED:
  case RLX_AST_AWAIT:
  case RLX_AST_YIELD: break;
  }
  return unknown();
}
