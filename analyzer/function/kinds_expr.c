/// Expressions of a PrimFunc's script: names, attributes, subscripts.
#include "analyzer/function/kinds_args.h"

#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/words/script_names.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

bool rlx_kind_path(Kinds *k, const RlxAst *ast, char out[static RLX_AST_DOTTED_MAX]) {
  const RlxAst *space = rlx_ast_dotted(k->store, ast, out);
  if (!space) return false;
  const char *root = rlx_store_text(k->store, space->name);
  if (strcmp(root, "T") != 0 && strcmp(root, "tirx") != 0) return false;
  return !rlx_kind_place(k, space->name);
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
  if (rlx_kind_lookup(k, ast->name, &out)) {
    if (out.tag == KIND_UNKNOWN) rlx_kind_tell_sibling(k, ast);
    return out;
  }
  const char *text = rlx_store_text(k->store, ast->name);
  if (!is_told(k, text) && rlx_kind_may_tell(k, IN_BOTH))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(NAME_UNDEFINED), rlx_kind_span(k, ast->span), "ss", text,
                "");
  return unknown();
}

Kind rlx_kind_starred(Kinds *k, const RlxAst *ast) {
  Kind kind = rlx_kind_unpacked(rlx_kind_eval(k, ast->children[0]));
  bool is_one = kind_is_expr(kind) || kind_is_python_number(kind) || kind.tag == KIND_NONE ||
                kind_is_thing(kind);
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
    const bool is_known =
        !is_star(child) || ((kind_is_list(given[i]) || given[i].items) && given[i].count < 64);
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

/// Whether the part of a generator reads a name that the generator binds.
static bool reads_own(const RlxAst *generator, const RlxAst *ast, int depth) {
  enum { DEEP = 50 };
  if (depth > DEEP || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return false;
  if (ast->kind == RLX_AST_NAME) return rlx_generator_binds(generator, ast->name);
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (reads_own(generator, ast->children[i], depth + 1)) return true;
  return false;
}

/// `[x for i in range(3)]`: so many values. TVM's parser binds no name of a generator.
static Kind of_comprehension(Kinds *k, const RlxAst *ast) {
  static const KindTag tags[] = {[RLX_COMP_LIST] = KIND_LIST,
                                 [RLX_COMP_SET] = KIND_OTHER,
                                 [RLX_COMP_DICT] = KIND_DICT,
                                 [RLX_COMP_GENERATOR] = KIND_UNKNOWN};
  if (ast->op == RLX_COMP_GENERATOR && !k->in_signature && reads_own(ast, ast->children[0], 0))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "TVM's parser reads lists, and no generators");
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (ast->children[i]->kind == RLX_AST_COMP_FOR &&
        i <= 2) { // the first one sees no names of others
      const RlxAst *list = ast->children[i]->children[1];
      const Kind of = rlx_kind_eval(k, list);
      if (rlx_kind_is_no_sequence(of)) rlx_kind_refuse(k, IN_BOTH, list, of, "a list");
      break;
    }
  Kind out = rlx_kind_of(tags[ast->op]);
  if (kind_is_list(out)) out.count = KIND_MANY;
  return out;
}

// ---- attributes of the namespace T

/// Whether the dialect surely has no `T.path`: a name on the way is a function, or a namespace that does not have the
/// next one. What T itself does not have is told elsewhere, and so are instructions of PTX.
static bool lacks_path(const char *path, RlxDialect dialect) {
  char begin[RLX_AST_DOTTED_MAX];
  size_t size = strcspn(path, ".");
  if (dialect == RLX_DIALECT_027 && strncmp(path, "ptx.", 4) == 0) return false;
  const RlxScriptName *outer = NULL;
  for (;; size += 1 + strcspn(path + size + 1, ".")) {
    memcpy(begin, path, size);
    begin[size] = '\0';
    const RlxScriptName *row = rlx_script_name(begin, dialect);
    if (!row)
      return outer &&
             (outer->how != RLX_SCRIPT_OTHER || rlx_script_name_has_members(outer->name, dialect));
    if (!path[size]) return false;
    outer = row;
  }
}

/// `T.grid.remap`: a function of T has no such names; true when the path may be there.
static bool check_path(Kinds *k, const RlxAst *ast, const char *path) {
  const char *dot = strchr(path, '.'), *last = strrchr(path, '.');
  if (!dot || strncmp(last + 1, "__", 2) == 0) return true; // T.cuda.__activemask: not in the list
  const bool is_let = strncmp(path, "let.", 4) == 0;
  int where = (lacks_path(path, RLX_DIALECT_025) ? IN_025 : 0) |
              (lacks_path(path, RLX_DIALECT_027) ? IN_027 : 0);
  if (is_let) where = rlx_text_is_among(dot + 1, "as_var type_spec") ? 0 : IN_BOTH;
  if (!where || (k->dialects & ~where)) return true;
  rlx_kind_refuse_text(
      k, where, ast->name_span,
      rlx_arena_printf(k->arena, "`T.%.*s` has no `%s`", (int)(last - path), path, last + 1));
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
  return rlx_text_is_among(path, "prim_func axis reads writes func_attr sblock let Var") ||
         (name && name->how != RLX_SCRIPT_OTHER && takes_something(name)) ||
         (row && row->result[0] != '?' && row->result[0] != 'v');
}

bool rlx_kind_is_space(const char *path) {
  static const RlxDialect each[] = {RLX_DIALECT_025, RLX_DIALECT_027};
  bool is_space = strcmp(path, "axis") != 0; // a class
  for (int i = 0; i < 2 && is_space; i++) {
    const RlxScriptName *row = rlx_script_name(path, each[i]);
    is_space = !row || (row->how == RLX_SCRIPT_OTHER && rlx_script_name_has_members(path, each[i]));
    if (!row && !rlx_script_name(path, each[1 - i])) return false;
  }
  return is_space;
}

/// Whether T has a function, a class or the namespace of axes under the path.
static bool is_function(const char *path) {
  const RlxScriptName *old = rlx_script_name(path, RLX_DIALECT_025),
                      *new = rlx_script_name(path, RLX_DIALECT_027);
  return (old && old->how != RLX_SCRIPT_OTHER) || (new && new->how != RLX_SCRIPT_OTHER) ||
         rlx_text_is_among(path, "axis let");
}

static Kind of_attribute(Kinds *k, const RlxAst *ast) {
  char path[RLX_AST_DOTTED_MAX];
  if (rlx_kind_path(k, ast, path)) {
    if (!check_path(k, ast, path)) return unknown();
    Kind out = rlx_kind_of(KIND_FUNCTION);
    out.is_nothing = true;
    RlxDType dtype;
    if (rlx_dtype_parse(path, strlen(path), &dtype) && rlx_dtype_known(dtype)) {
      if (dtype.lanes == 2) // the name is there, what it calls is not
        rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                             rlx_arena_printf(k->arena,
                                              "TVM makes no vector of 2 elements by `T.%s`: write "
                                              "T.Broadcast, T.Ramp, or the dtype as a string",
                                              path));
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
    } else if (rlx_kind_is_space(path)) {
      return rlx_kind_of(KIND_MODULE);
    } else if (!is_function(path)) {
      return unknown();
    } else {
      out.is_nothing = gives_nothing(path);
    }
    return out;
  }
  return rlx_kind_member(k, ast, rlx_kind_eval(k, ast->children[0]));
}

static Kind of_conditional(Kinds *k, const RlxAst *ast) {
  Kind test = rlx_kind_eval(k, ast->children[1]);
  if (k->in_signature) { // Python's own
    const int truth = rlx_kind_truth(test);
    return truth < 0 ? unknown() : rlx_kind_eval(k, ast->children[truth ? 0 : 2]);
  }
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
  for (int i = 0; i < 2 && kind_is_expr(test); i++)
    if (rlx_kind_is_no_value(i ? other : then))
      rlx_kind_refuse(k, IN_BOTH, ast->children[2 * i], i ? other : then, "an expression");
  if (kind_is_expr(test)) {
    rlx_kind_used(k, ast->children[0], then);
    rlx_kind_used(k, ast->children[2], other);
  }
  if (kind_is_expr(test) && then.tag == KIND_REGION)
    rlx_kind_refuse(k, IN_027, ast->children[0], then, "a value of one element");
  if (kind_is_expr(test) && other.tag == KIND_REGION)
    rlx_kind_refuse(k, IN_027, ast->children[2], other, "a value of one element");
  const bool are_values = (kind_is_expr(then) || kind_is_python_number(then)) &&
                          (kind_is_expr(other) || kind_is_python_number(other));
  if (kind_is_expr(test) && fits && are_values) return rlx_kind_expr(rlx_kind_chosen(then, other));
  return unknown();
}

/// Whether Python refuses the value as a key: a list or a dictionary, a tuple of such.
static bool has_no_hash(Kind kind) {
  bool has_none = kind.tag == KIND_LIST || kind.tag == KIND_DICT;
  const bool is_tuple = kind.tag == KIND_TUPLE && kind.count != KIND_MANY && !kind.is_array;
  for (uint32_t i = 0; is_tuple && i < kind.count && !has_none; i++)
    has_none = has_no_hash(kind.items[i]);
  return has_none;
}

static void check_hash(Kinds *k, const RlxAst *ast, Kind kind) {
  if (has_no_hash(kind)) rlx_kind_refuse(k, IN_BOTH, ast, kind, "a value with a hash");
}

Kind rlx_kind_entry(Kinds *k, const RlxAst *ast, bool is_key) {
  if (ast->kind == RLX_AST_HOLE || ast->kind == RLX_AST_DOUBLE_STARRED) return unknown();
  const Kind entry = rlx_kind_eval(k, ast);
  if (is_key) rlx_kind_give(k, entry);
  if (is_key) check_hash(k, ast, entry);
  return entry;
}

static Kind of_dict(Kinds *k, const RlxAst *ast) {
  Kind *entries = rlx_arena_array(k->arena, Kind, ast->child_count + 1);
  for (uint32_t i = 0; i < ast->child_count; i++)
    entries[i] = rlx_kind_entry(k, ast->children[i], i % 2 == 0);
  Kind out = rlx_kind_of(KIND_DICT);
  out.count = ast->child_count / 2;
  out.items = entries;
  return out;
}

static Kind of_set(Kinds *k, const RlxAst *ast) {
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (!is_star(ast->children[i]))
      check_hash(k, ast->children[i], rlx_kind_eval(k, ast->children[i]));
  return rlx_kind_of(KIND_OTHER);
}

static Kind of_literal(const RlxAst *ast) {
  Kind out = rlx_kind_of(KIND_STR);
  if (ast->kind == RLX_AST_NONE) return rlx_kind_of(KIND_NONE);
  if (ast->kind == RLX_AST_STRING) out.text = ast->text;
  if (ast->kind == RLX_AST_INT) {
    out = rlx_kind_of(KIND_INT);
    out.is_big = ast->is_big;
    out.has_number = !ast->is_big;
    if (!ast->is_big) out.number = ast->integer;
  } else if (ast->kind == RLX_AST_FLOAT) {
    out = rlx_kind_of(KIND_FLOAT);
    out.has_number = true;
    out.real = ast->number;
  } else if (ast->kind == RLX_AST_TRUE || ast->kind == RLX_AST_FALSE) {
    out = rlx_kind_of(KIND_BOOL);
    out.has_number = true;
    out.number = ast->kind == RLX_AST_TRUE;
  }
  return out;
}

static Kind of_bool_op(Kinds *k, const RlxAst *ast) {
  const Kind a = rlx_kind_eval(k, ast->children[0]);
  const int truth = rlx_kind_truth(a);
  const bool is_decided =
      truth >= 0 && !truth == (ast->op == RLX_OP_AND) && (k->in_signature || a.tag == KIND_BOOL);
  if (is_decided && (k->in_signature || k->dialects != IN_025)) // 0.27 leaves out the rest
    return k->dialects == IN_027 && !k->in_signature ? a : unknown();
  return rlx_kind_bool_op(k, ast, a, rlx_kind_eval(k, ast->children[1]));
}

/// `a < b`, `a < b < c`
static Kind of_comparison(Kinds *k, const RlxAst *ast) {
  Kind left = rlx_kind_eval(k, ast->children[0]), out = unknown();
  bool has_expression = false;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const Kind right = rlx_kind_eval(k, ast->children[i]);
    out = rlx_kind_compare(k, ast, (RlxAstOp)ast->ops[i - 1], left, right);
    has_expression |= kind_is_expr(out);
    left = right;
  }
  if (ast->child_count == 2) return out;
  return has_expression ? rlx_kind_expr(RLX_BOOL) : unknown();
}

Kind rlx_kind_eval(Kinds *k, const RlxAst *ast) {
  Kind out;
  switch ((RlxAstKind)ast->kind) {
  case RLX_AST_NAME: return of_name(k, ast);
  case RLX_AST_INT:
  case RLX_AST_FLOAT:
  case RLX_AST_STRING:
  case RLX_AST_FSTRING:
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
  case RLX_AST_NONE: return of_literal(ast);
  case RLX_AST_TUPLE: return of_items(k, ast, KIND_TUPLE);
  case RLX_AST_LIST: return of_items(k, ast, KIND_LIST);
  case RLX_AST_DICT: return of_dict(k, ast);
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
  case RLX_AST_BOOL_OP: return of_bool_op(k, ast);
  case RLX_AST_COMPARE: return of_comparison(k, ast);
  case RLX_AST_CONDITIONAL: return of_conditional(k, ast);
  case RLX_AST_LAMBDA:
    out = rlx_kind_of(KIND_FUNCTION);
    out.is_nothing = true;
    return out;
  case RLX_AST_SET: return of_set(k, ast);
  case RLX_AST_COMPREHENSION: return of_comprehension(k, ast);
  case RLX_AST_ELLIPSIS:
  case RLX_AST_IMAGINARY: return rlx_kind_of(KIND_OBJECT);
  case RLX_AST_BYTES: return rlx_kind_bytes(k, ast);
  case RLX_AST_NAMED:
    if (!k->in_signature) // there Python evaluates it
      rlx_kind_refuse_text(k, IN_BOTH, ast->span, "`:=` binds no name in a PrimFunc");
    break;
  case RLX_AST_YIELD:
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "a PrimFunc has no `yield`");
    break;
  case RLX_AST_HOLE:
  case RLX_AST_KEYWORD:
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_AWAIT: break;
  }
  return unknown();
}
