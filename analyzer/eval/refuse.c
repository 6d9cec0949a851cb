/// What Python and TVM's parser refuse of values whose kind is known. Always true: what is not
/// certain to stop Python is not reported.
#include "analyzer/eval/refuse.h"

#include <string.h>

#include "analyzer/words/script_bind.h"
#include "analyzer/words/spell.h"

bool rlx_refuse_may_tell(const RlxEval *e) {
  if (e->is_decorator) return !e->tainted;
  return e->fn && e->fn->kind == RLX_ISLAND_RELAX && !e->tainted &&
         rlx_script_names_cover((RlxDialect)e->fn->dialect);
}

/// The dialect whose names and parameters count.
static RlxDialect dialect_of(const RlxEval *e) {
  return e->fn ? (RlxDialect)e->fn->dialect : e->outer_dialect;
}

bool rlx_eval_may_be(const RlxEval *e, RlxDialect dialect) {
  RlxDialect set;
  if (e->fn) return rlx_fn_may_be(e->fn, dialect);
  return !rlx_dialect_parse(e->analyzer->settings.dialect, &set) || set == dialect;
}

int rlx_eval_hold(const RlxEval *e, RlxDialect own, RlxTakes *takes, void *data) {
  static const RlxDialect dialects[RLX_HELD_DIALECTS] = {RLX_DIALECT_025, RLX_DIALECT_027};
  int told = -1;
  for (int i = 0; i < RLX_HELD_DIALECTS; i++) {
    if (dialects[i] != own && !rlx_eval_may_be(e, dialects[i])) continue;
    if (takes(data, dialects[i], i)) return -1;
    if (dialects[i] == own || told < 0) told = i;
  }
  return told;
}

enum {
  OF_ANY = -1,
  BUT_GLOBAL = -2, ///< of any but functions of the module
  FROM_026 = 1 << RLX_DIALECT_027,
  UP_TO_025 = 1 << RLX_DIALECT_TLC | 1 << RLX_DIALECT_CLASSIC | 1 << RLX_DIALECT_025,
};

/// What objects of Python have that stand for values of Relax, read from the wheels by `dir`.
static const struct {
  const char *names;
  int kind;     ///< RlxExprKind, OF_ANY or BUT_GLOBAL
  int dialects; ///< a bit each
} relax_members[] = {
    {" same_as is_ id_ span ", OF_ANY, UP_TO_025 | FROM_026},
    {" script show ", BUT_GLOBAL, UP_TO_025 | FROM_026},
    {" name_hint ", RLX_EXPR_GLOBAL, UP_TO_025 | FROM_026},
    {" struct_info struct_info_ ", OF_ANY, UP_TO_025},
    {" ty expr_ty equal ", OF_ANY, FROM_026},
    {" name_hint vid ", RLX_EXPR_VAR, UP_TO_025},
    {" name access_ptr byte_offset_of chunk elem_offset_of get_flattened_buffer "
     "is_scalar local offset_of permute ptr_to rearrange scope sub tile view vload vstore "
     "with_allocated_addr with_dtype ",
     RLX_EXPR_VAR, FROM_026},
    {" op args attrs ", RLX_EXPR_CALL, UP_TO_025 | FROM_026},
    {" sinfo_args ", RLX_EXPR_CALL, UP_TO_025},
    {" ty_args ", RLX_EXPR_CALL, FROM_026},
    {" fields ", RLX_EXPR_TUPLE, UP_TO_025 | FROM_026},
    {" values ", RLX_EXPR_SHAPE, UP_TO_025 | FROM_026},
    {" value ", RLX_EXPR_PRIM, UP_TO_025 | FROM_026},
    {" data ", RLX_EXPR_CONSTANT, UP_TO_025},
    {" value ", RLX_EXPR_CONSTANT, FROM_026},
};

bool rlx_refuse_is_of_buffers(const char *name) {
  return rlx_text_is_among(name, " access_ptr byte_offset_of chunk elem_offset_of "
                                 "get_flattened_buffer is_scalar local offset_of permute ptr_to "
                                 "rearrange scope sub view vload vstore with_allocated_addr "
                                 "with_dtype ");
}

bool rlx_refuse_has_member(const RlxEval *e, const RlxExpr *x, const char *name) {
  for (size_t i = 0; i < sizeof relax_members / sizeof *relax_members; i++) {
    const int kind = relax_members[i].kind;
    if (kind == BUT_GLOBAL ? x->kind == RLX_EXPR_GLOBAL : kind != OF_ANY && kind != (int)x->kind)
      continue;
    if (!rlx_text_is_among(name, relax_members[i].names)) continue;
    for (int d = 0; d < RLX_DIALECT_COUNT; d++)
      if (relax_members[i].dialects >> d & 1 && rlx_eval_may_be(e, (RlxDialect)d)) return true;
  }
  return false;
}

bool rlx_refuse_may_have_script_name(const RlxEval *e, const char *name) {
  if (e->fn) return rlx_fn_may_have_name(e->fn, name);
  char spelled[RLX_AST_DOTTED_MAX + 2] = "T.";
  strncat(spelled, name, RLX_AST_DOTTED_MAX - 1);
  return name[0] == '_' || !name[0] || rlx_spelling_dialects(spelled) ||
         (rlx_eval_may_be(e, RLX_DIALECT_025) && rlx_script_name(name, RLX_DIALECT_025)) ||
         (rlx_eval_may_be(e, RLX_DIALECT_027) && rlx_script_name(name, RLX_DIALECT_027));
}

/// What Python's objects have that stand for symbolic expressions, read from the wheels by `dir`; `kinds` names nodes.
static const struct {
  const char *names, *kinds; ///< of all nodes: ""
  int dialects;              ///< a bit each
} symbol_members[] = {
    {" astype equal same_as span id_ is_ script show asobject ", "", UP_TO_025 | FROM_026},
    {" dtype ", "", UP_TO_025},
    {" expr_ty ty ", "", FROM_026},
    {" name ", "v", UP_TO_025 | FROM_026},
    {" type_annotation ", "v", UP_TO_025},
    {" access_ptr byte_offset_of chunk elem_offset_of get_flattened_buffer is_scalar local "
     "offset_of permute ptr_to rearrange scope sub tile view vload vstore with_allocated_addr "
     "with_dtype ",
     "v", FROM_026},
    {" value ", "nc", UP_TO_025 | FROM_026},
    {" a b ", "b", UP_TO_025 | FROM_026},
    {" condition true_value false_value ", "s", UP_TO_025 | FROM_026},
    {" op args attrs ", "f", UP_TO_025 | FROM_026},
    {" ty_args ", "f", FROM_026},
};

/// The letter of a node in `kinds`: variables, numbers, casts, selections, calls, and what has operands.
static char symbol_kind(const RlxPrim *prim) {
  switch ((int)prim->kind) {
  case RLX_PRIM_INT:
  case RLX_PRIM_FLOAT: return 'n';
  case RLX_PRIM_CAST: return 'c';
  case RLX_PRIM_SELECT: return 's';
  case RLX_PRIM_ABS:
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR:
  case RLX_PRIM_BITAND:
  case RLX_PRIM_BITOR:
  case RLX_PRIM_BITXOR:
  case RLX_PRIM_CALL: return 'f';
  default: return rlx_prim_as_var(prim) ? 'v' : 'b';
  }
}

bool rlx_refuse_symbol_has(const RlxEval *e, const RlxPrim *prim, const char *name) {
  const char kind = prim ? symbol_kind(prim) : 'v';
  if (name[0] == '_') return true;
  for (size_t i = 0; i < sizeof symbol_members / sizeof *symbol_members; i++) {
    const char *kinds = symbol_members[i].kinds;
    // what the analyzer folds may be another node for TVM
    const bool may_be_other = kind != 'v' && kind != 'n' && *kinds != 'v';
    const bool is_of = !*kinds || strchr(kinds, kind) || may_be_other;
    if (!is_of || !rlx_text_is_among(name, symbol_members[i].names)) continue;
    for (int d = 0; d < RLX_DIALECT_COUNT; d++)
      if (symbol_members[i].dialects >> d & 1 && rlx_eval_may_be(e, (RlxDialect)d)) return true;
  }
  return false;
}

// ---- types

/// Whether the word is a function; others are classes, or objects that can be called.
static bool is_function(RlxWord word) {
  const char *path = rlx_word_path(word);
  if ((path[0] != 'R' && path[0] != 'I' && path[0] != 'T') || path[1] != '.') return false;
  const char *last = strrchr(path, '.') + 1;
  return (last[0] >= 'a' && last[0] <= 'z') || (word >= RLX_WORD_TENSOR && word <= RLX_WORD_FUNC);
}

static bool is_module(const char *path) {
  static const char *const roots[] = {"R",   "T",   "I",          "relax",
                                      "tir", "tvm", "tvm.script", "tvm.topi"};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (strcmp(path, roots[i]) == 0) return true;
  return strncmp(path, "R.", 2) == 0;
}

/// Whether the name is that of a function of Python's; others are classes and objects.
static bool is_builtin_function(const char *name) {
  return rlx_text_is_among(name, " __import__ abs all any ascii bin breakpoint callable chr "
                                 "compile delattr dir divmod eval exec format getattr globals "
                                 "hasattr hash hex id input isinstance issubclass iter len locals "
                                 "max min next oct open ord pow print repr round setattr sorted "
                                 "sum vars ");
}

/// Whether an OTHER is an object without operators and items, which Python takes for true.
static bool is_bare_object(const RlxValue *v) {
  static const char *const objects[] = {"a slice", "a module", "`...`", "a Python object",
                                        "a decorator"};
  for (size_t i = 0; i < sizeof objects / sizeof *objects && v->text; i++)
    if (strcmp(v->text, objects[i]) == 0) return true;
  return v->text && (v->text == rlx_target_text || strcmp(v->text, rlx_script_object_text) == 0);
}

/// Whether it is `x.shape`, `x.dtype` or `x.strides` of a tensor: up to 0.25 an object that has items or members alone.
static bool is_proxy(const RlxEval *e, const RlxValue *v) {
  const RlxMethod *m = v->kind == RLX_VALUE_METHOD ? v->thing : NULL;
  return m && m->self.kind == RLX_VALUE_EXPR && rlx_refuse_may_tell(e) &&
         rlx_text_is_among(rlx_store_text(e->store, m->name), " dtype shape strides ");
}

/// Whether it is a method of a value that is known, and is not called: `x.astype`.
static bool is_bound_method(const RlxEval *e, const RlxValue *v) {
  const RlxMethod *m = v->thing;
  const bool is_known = m->self.kind == RLX_VALUE_EXPR || m->self.kind == RLX_VALUE_PRIM ||
                        m->self.kind == RLX_VALUE_STR || m->self.kind == RLX_VALUE_LIST ||
                        m->self.kind == RLX_VALUE_DICT;
  return is_known && rlx_refuse_may_tell(e) &&
         !rlx_text_is_among(rlx_store_text(e->store, m->name), " dtype shape strides ");
}

RlxPythonType rlx_python_type(const RlxEval *e, const RlxValue *v) {
  switch (v->kind) {
  case RLX_VALUE_METHOD:
    return is_proxy(e, v)          ? RLX_PYTHON_OBJECT
           : is_bound_method(e, v) ? RLX_PYTHON_FUNCTION
                                   : RLX_PYTHON_UNKNOWN;
  case RLX_VALUE_OTHER: return is_bare_object(v) ? RLX_PYTHON_OBJECT : RLX_PYTHON_UNKNOWN;
  case RLX_VALUE_NONE: return RLX_PYTHON_NONE;
  case RLX_VALUE_BOOL: return RLX_PYTHON_BOOL;
  case RLX_VALUE_INT: return RLX_PYTHON_INT;
  case RLX_VALUE_FLOAT: return RLX_PYTHON_FLOAT;
  case RLX_VALUE_STR: return RLX_PYTHON_STR;
  case RLX_VALUE_LIST: return v->is_tuple ? RLX_PYTHON_TUPLE : RLX_PYTHON_LIST;
  case RLX_VALUE_DICT: return RLX_PYTHON_DICT;
  case RLX_VALUE_CAST:
  case RLX_VALUE_SINFO: return RLX_PYTHON_PROXY;
  case RLX_VALUE_OP:
  case RLX_VALUE_LAMBDA: return RLX_PYTHON_FUNCTION;
  case RLX_VALUE_BUILTIN:
    return is_builtin_function(rlx_store_text(e->store, v->string)) ? RLX_PYTHON_FUNCTION
                                                                    : RLX_PYTHON_UNKNOWN;
  case RLX_VALUE_WORD:
    return is_function((RlxWord)v->integer) ? RLX_PYTHON_FUNCTION : RLX_PYTHON_UNKNOWN;
  case RLX_VALUE_TFUNC: {
    const RlxScriptName *row =
        e->fn || e->is_decorator
            ? rlx_script_name(rlx_store_text(e->store, v->string), dialect_of(e))
            : NULL;
    bool is_known = row && row->how != RLX_SCRIPT_OTHER && row->name[0] >= 'a';
    return is_known ? RLX_PYTHON_FUNCTION : RLX_PYTHON_UNKNOWN;
  }
  case RLX_VALUE_DTYPE: return v->is_python ? RLX_PYTHON_UNKNOWN : RLX_PYTHON_DTYPE;
  case RLX_VALUE_NAMESPACE:
    return is_module(rlx_store_text(e->store, v->string)) ? RLX_PYTHON_MODULE : RLX_PYTHON_UNKNOWN;
  case RLX_VALUE_STATEMENT:
    return rlx_word_opens_frame((RlxWord)v->integer) ? RLX_PYTHON_FRAME
           : v->integer == RLX_WORD_OUTPUT || v->integer == RLX_WORD_OUTPUTS ||
                   v->integer == RLX_WORD_FUNC_ATTR
               ? RLX_PYTHON_NONE
               : RLX_PYTHON_UNKNOWN;
  case RLX_VALUE_CLASS: // of the module that is being read: an object without operators
    return e->fn && e->fn->module && v->thing == e->fn->module ? RLX_PYTHON_OBJECT
                                                               : RLX_PYTHON_UNKNOWN;
  default: return rlx_is_unknown_string(v) ? RLX_PYTHON_STR : RLX_PYTHON_UNKNOWN;
  }
}

static bool is_integer(RlxPythonType t) { return t == RLX_PYTHON_BOOL || t == RLX_PYTHON_INT; }

static bool is_number(RlxPythonType t) { return is_integer(t) || t == RLX_PYTHON_FLOAT; }

static bool is_sequence(RlxPythonType t) {
  return t == RLX_PYTHON_STR || t == RLX_PYTHON_LIST || t == RLX_PYTHON_TUPLE;
}

// ---- operators

/// `"text" % b`: Python wants a place in the text for what is behind it.
static bool may_format(const RlxEval *e, const RlxValue *a, const RlxValue *b) {
  if (rlx_is_unknown_string(a)) return true;
  return strchr(rlx_store_text(e->store, a->string), '%') || b->kind == RLX_VALUE_DICT ||
         (b->kind == RLX_VALUE_LIST && (!b->is_tuple || !b->count));
}

bool rlx_python_has_operator(const RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b) {
  RlxPythonType left = rlx_python_type(e, a), right = rlx_python_type(e, b);
  bool are_numbers = is_number(left) && is_number(right);
  double divisor = 1;
  rlx_value_as_number(b, &divisor);
  switch (op) {
  case RLX_OP_ADD: return are_numbers || (left == right && is_sequence(left));
  case RLX_OP_SUB:
  case RLX_OP_POW: return are_numbers;
  case RLX_OP_MUL:
    return are_numbers || (is_sequence(left) && is_integer(right)) ||
           (is_integer(left) && is_sequence(right));
  case RLX_OP_MOD:
    if (left == RLX_PYTHON_STR) return may_format(e, a, b);
    return are_numbers && (divisor < 0 || divisor > 0);
  case RLX_OP_DIV:
  case RLX_OP_FLOORDIV: return are_numbers && (divisor < 0 || divisor > 0);
  case RLX_OP_MATMUL: return false;
  case RLX_OP_SHL:
  case RLX_OP_SHR:
  case RLX_OP_BITAND:
  case RLX_OP_BITXOR: return is_integer(left) && is_integer(right);
  case RLX_OP_BITOR:
    return (is_integer(left) && is_integer(right)) || (left == right && left == RLX_PYTHON_DICT);
  case RLX_OP_LT:
  case RLX_OP_LE:
  case RLX_OP_GT:
  case RLX_OP_GE: return are_numbers || (left == right && is_sequence(left));
  case RLX_OP_IN:
  case RLX_OP_NOT_IN:
    return right == RLX_PYTHON_STR ? left == RLX_PYTHON_STR
                                   : is_sequence(right) || right == RLX_PYTHON_DICT;
  default: return true; // ==, is
  }
}

const char *rlx_op_text(uint8_t op) {
  static const char *const texts[] = {
      "",   "+",  "-", "*",  "/", "//",  "%",  "**",     "@",   "<<",
      ">>", "&",  "|", "^",  "~", "not", "-",  "+",      "and", "or",
      "==", "!=", "<", "<=", ">", ">=",  "in", "not in", "is",  "is not"};
  return op < sizeof texts / sizeof texts[0] ? texts[op] : "?";
}

RlxDiag *rlx_operand_report(RlxEval *e, uint8_t op, RlxSpan span, const RlxValue *a,
                            const RlxValue *b, const char *hint) {
  const char *second = b ? rlx_arena_printf(e->arena, " and %s", rlx_value_text(e, b)) : "";
  return rlx_eval_report(e, RLX_DIAG_ID(OPERAND), span, "ssss", rlx_op_text(op),
                         rlx_value_text(e, a), second, hint);
}

/// Whether it is `"text" % b`, which may format anything.
static bool is_text_format(uint8_t op, const RlxValue *a) {
  return op == RLX_OP_MOD && (a->kind == RLX_VALUE_STR || rlx_is_unknown_string(a));
}

/// The type of an operand: functions of a module are objects without operators.
static RlxPythonType operand_type(const RlxEval *e, const RlxValue *v) {
  return v->kind == RLX_VALUE_CALLEE ? RLX_PYTHON_OBJECT : rlx_python_type(e, v);
}

RlxValue rlx_refuse_binary(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                           RlxSpan span) {
  RlxPythonType left = operand_type(e, a), right = operand_type(e, b);
  bool is_symbolic = a->kind == RLX_VALUE_PRIM || b->kind == RLX_VALUE_PRIM;
  RlxPythonType other = a->kind == RLX_VALUE_PRIM ? right : left;
  bool is_refused;
  if (is_symbolic) // TVM's operators of expressions take numbers beside
    is_refused = op <= RLX_OP_GE && (rlx_is_plain_object(a->kind == RLX_VALUE_PRIM ? b : a) ||
                                     (other != RLX_PYTHON_UNKNOWN && !is_number(other)));
  else
    is_refused =
        left != RLX_PYTHON_UNKNOWN && right != RLX_PYTHON_UNKNOWN &&
        (a->kind == RLX_VALUE_CALLEE || b->kind == RLX_VALUE_CALLEE
             ? op <= RLX_OP_GE && op != RLX_OP_EQ && op != RLX_OP_NE && !is_text_format(op, a)
             : !rlx_python_has_operator(e, op, a, b));
  if (is_refused && rlx_refuse_may_tell(e)) rlx_operand_report(e, op, span, a, b, "");
  return rlx_eval_failed(e, span);
}

RlxValue rlx_refuse_unary(RlxEval *e, uint8_t op, const RlxValue *a, RlxSpan span) {
  RlxPythonType type = rlx_python_type(e, a);
  bool is_fine = op == RLX_OP_NOT || (op == RLX_OP_INVERT ? is_integer(type) : is_number(type));
  if (type != RLX_PYTHON_UNKNOWN && !is_fine && rlx_refuse_may_tell(e))
    rlx_operand_report(e, op, span, a, NULL, "");
  return rlx_eval_failed(e, span);
}

// ---- attributes

bool rlx_python_has_member(RlxPythonType type, const char *name) {
  static const char *const members[RLX_PYTHON_TYPES] = {
#define RLX_PYTHON_MEMBERS(type, names) [RLX_PYTHON_##type] = names,
#include "analyzer/words/python_members.def"
#undef RLX_PYTHON_MEMBERS
  };
  static const bool is_pythons[RLX_PYTHON_TYPES] = {
      [RLX_PYTHON_BOOL] = true, [RLX_PYTHON_INT] = true,     [RLX_PYTHON_FLOAT] = true,
      [RLX_PYTHON_STR] = true,  [RLX_PYTHON_LIST] = true,    [RLX_PYTHON_TUPLE] = true,
      [RLX_PYTHON_DICT] = true, [RLX_PYTHON_FUNCTION] = true};
  const char *names = members[type];
  const bool is_private = name[0] == '_' && (name[1] == '_' || !is_pythons[type]);
  return !names || is_private || !name[0] || rlx_text_is_among(name, names);
}

/// What the script has at `span`, "…" where that is long.
static const char *written(RlxEval *e, RlxSpan span) {
  enum { LONG = 60 };
  uint32_t size = 0, start = e->stmt->start + span.start, length = span.end - span.start;
  const char *text = rlx_document_text(e->file->document, &size);
  if (span.end < span.start || start + length > size || length > LONG ||
      memchr(text + start, '\n', length))
    return "(…)";
  return rlx_arena_printf(e->arena, "%.*s", (int)length, text + start);
}

/// Whether one of Python's own classes lacks the attribute, which its objects would have: `range.prim_func`. Classes that are not
/// listed may have it.
static bool class_lacks(const char *of, const char *name) {
  static const struct {
    const char *name;
    RlxPythonType objects; ///< UNKNOWN: `members`
    const char *members;
  } classes[] = {{"bool", RLX_PYTHON_BOOL, ""},
                 {"int", RLX_PYTHON_INT, ""},
                 {"float", RLX_PYTHON_FLOAT, ""},
                 {"str", RLX_PYTHON_STR, ""},
                 {"list", RLX_PYTHON_LIST, ""},
                 {"tuple", RLX_PYTHON_TUPLE, ""},
                 {"dict", RLX_PYTHON_DICT, ""},
                 {"range", RLX_PYTHON_UNKNOWN, " count index start step stop "},
                 {"enumerate", RLX_PYTHON_UNKNOWN, ""},
                 {"zip", RLX_PYTHON_UNKNOWN, ""},
                 {"map", RLX_PYTHON_UNKNOWN, ""},
                 {"filter", RLX_PYTHON_UNKNOWN, ""},
                 {"reversed", RLX_PYTHON_UNKNOWN, ""},
                 {"object", RLX_PYTHON_UNKNOWN, ""}};
  if (!name[0] || name[0] == '_' || strcmp(name, "mro") == 0) return false;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(classes[i].name, of) == 0)
      return classes[i].objects == RLX_PYTHON_UNKNOWN
                 ? !rlx_text_is_among(name, classes[i].members)
                 : !rlx_python_has_member(classes[i].objects, name);
  return false;
}

RlxValue rlx_refuse_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  const char *name = rlx_store_text(e->store, ast->name);
  const bool lacks = !rlx_python_has_member(rlx_python_type(e, base), name) ||
                     (base->kind == RLX_VALUE_BUILTIN &&
                      class_lacks(rlx_store_text(e->store, base->string), name));
  if (lacks && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "%s.%s", written(e, ast->children[0]->span), name),
                    "");
  return rlx_eval_failed(e, ast->span);
}

bool rlx_namespace_has(const RlxEval *e, const char *space, const char *name) {
  // Of the packages: what dir() and their folders have.
  static const struct {
    const char *space, *both, *in_025, *in_027;
  } spaces[] = {
      {"I",
       "IRModuleFrame Range decl_function def_function dummy_global_info entry frame ir "
       "ir_module lookup_name lookup_vdevice module_attrs module_get_attr module_global_infos "
       "module_set_attr parser pyfunc vdevice",
       "", "GenericConst StringImm StringType meta_var"},
      {"tvm",
       "DataType DataTypeCode IRModule Object backend base build compile contrib cpu cuda device "
       "driver error exec ext_dev get_global_func hexagon instrument ir libinfo metal "
       "multiprocessing opencl os register_global_func register_object relax rocm rpc runtime "
       "s_tir script support sys target te testing tirx topi transform tvm_wrap_excepthook vpi "
       "vulkan",
       "arith", "device_from_target prim sym"},
      {"relax",
       "BasePyModule Binding BindingBlock BlockBuilder Call DataflowBlock DataflowBlockRewrite "
       "DataflowVar ExecBuilder Expr ExprFunctor ExternFunc FuncType Function GlobalVar If "
       "MatchCast ObjectType PackedFuncType PyExprMutator PyExprVisitor SeqExpr ShapeExpr "
       "ShapeType Span TensorType Tuple TupleGetItem TupleType Type VMExecutable "
       "VMInstrumentReturnKind Var VarBinding VirtualMachine analysis backend base_py_module "
       "binding_rewrite block_builder build call_dps_packed call_pure_packed call_tir "
       "call_tir_inplace call_tir_with_grad const convert_to_expr distributed dpl exec_builder "
       "expr expr_functor extern frontend get_default_pipeline get_pipeline get_shape_of op "
       "pipeline register_pipeline relax_to_pyfunc_converter script testing training transform "
       "tvm ty utils vm vm_build",
       "Constant DataTypeImm FuncStructInfo Id ObjectStructInfo PrimStructInfo PrimValue "
       "ShapeStructInfo StringImm StructInfo TensorStructInfo TupleStructInfo struct_info",
       "AnyType DummyGlobalInfo VDevice global_info prim_value type"},
      {"tvm.ir",
       "Array Attrs BaseFunc CallingConv DictAttrs EnvFunc FuncType GlobalInfo GlobalVar "
       "IRModule Map Node Op PointerType PrimType Range SequentialSpan SourceName Span TupleType "
       "Type assert_structural_equal attrs base expr function global_info instrument "
       "json_compact load_json make_node module op register_op_attr save_json supply transform "
       "type type_relation utils",
       "BaseExpr DummyGlobalInfo PrimExpr RelaxExpr VDevice register_intrin_lowering",
       "Call Constant Expr ExprOperand ExprWithOp GenericConst OpaqueExpr OpaqueType StringImm "
       "StringType TensorLoad TensorRegion Tuple TupleGetItem Var is_prim_expr is_prim_var prim"},
      {"tvm.runtime",
       "DataType DataTypeCode Device Executable Module Object ObjectConvertible Scriptable "
       "ShapeTuple Tensor const convert cpu cuda device disco empty enabled executable ext_dev "
       "from_dlpack load_module load_param_dict load_param_dict_from_file load_static_library "
       "metal module num_threads object_generic opencl params rocm save_param_dict "
       "save_param_dict_to_file script_printer system_lib tensor vm vpi vulkan",
       "", "device_from_target"},
      {"tvm.target",
       "Target TargetKind codegen detect_target intrin list_tags register_tag tag tag_registry "
       "target",
       "VirtualDevice virtual_device", ""},
      {"tvm.script",
       "Any from_source importlib ir ir_builder ir_module parse parse_macro parser "
       "register_dialect relax sys tir tirx",
       "", ""}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (strcmp(spaces[i].space, space) == 0)
      return name[0] == '_' || rlx_text_is_among(name, spaces[i].both) ||
             (rlx_eval_may_be(e, RLX_DIALECT_025) && rlx_text_is_among(name, spaces[i].in_025)) ||
             (rlx_eval_may_be(e, RLX_DIALECT_027) && rlx_text_is_among(name, spaces[i].in_027));
  return true;
}

bool rlx_fn_may_have_name(const RlxFn *fn, const char *name) {
  char spelled[RLX_AST_DOTTED_MAX + 2] = "T.";
  if (!rlx_script_names_cover((RlxDialect)fn->dialect) || name[0] == '_' || !name[0] ||
      rlx_script_name(name, (RlxDialect)fn->dialect))
    return true;
  strncat(spelled, name, RLX_AST_DOTTED_MAX - 1);
  return (rlx_fn_may_be(fn, RLX_DIALECT_025) && rlx_script_name(name, RLX_DIALECT_025)) ||
         (rlx_fn_may_be(fn, RLX_DIALECT_027) && rlx_script_name(name, RLX_DIALECT_027)) ||
         rlx_spelling_dialects(spelled);
}

/// The words for T of older dialects that newer ones spell otherwise, into the search.
static void try_old_names(RlxNearest *nearest, RlxArena *arena) {
  for (int id = 0; id < RLX_SPELLING_COUNT; id++) {
    const RlxSpellingRow *row = rlx_spelling_row((RlxSpellingId)id);
    const char *at = row->kind == RLX_SPELLING_PATH ? row->cells[RLX_DIALECT_CLASSIC] : "";
    for (; *at; at += strspn(at, " ")) {
      const size_t size = strcspn(at, " ");
      if (size > 2 && at[0] == 'T' && at[1] == '.')
        (void)rlx_nearest_try(nearest, rlx_arena_strndup(arena, at + 2, size - 2));
      at += size;
    }
  }
}

const char *rlx_script_name_slip(const RlxFn *fn, const char *name, RlxArena *arena) {
  enum { SHORT = 4 }; // bytes: of two short names each may be right
  RlxDType dtype;
  const char *spelled = rlx_arena_printf(arena, "T.%s", name);
  if (rlx_script_names_cover((RlxDialect)fn->dialect) || strlen(name) < SHORT || name[0] == '_' ||
      rlx_script_name(name, RLX_DIALECT_025) || rlx_script_name(name, RLX_DIALECT_027) ||
      rlx_spelling_dialects(spelled) || rlx_dtype_parse(name, strlen(name), &dtype))
    return NULL;
  RlxNearest nearest = rlx_nearest_start(name);
  rlx_script_names_try(&nearest, RLX_DIALECT_025);
  try_old_names(&nearest, arena);
  const char *best = nearest.is_tied || nearest.best_distance != 1 ? NULL : nearest.best;
  // `T.range` was a word of its own before there was `T.Range`.
  // So was `T.ptx_mma` before there was a namespace `T.ptx`.
  const bool is_older =
      best && ((best[0] >= 'A' && best[0] <= 'Z' && !strcmp(best + 1, name + 1)) ||
               (strchr(best, '.') && !strchr(name, '.')));
  return is_older ? NULL : best;
}

void rlx_script_name_report(RlxSink *sink, RlxSpan span, const char *name, RlxDialect dialect) {
  bool is_tied;
  const char *nearest = rlx_script_name_nearest(name, dialect, &is_tied);
  rlx_script_slip_report(sink, span, name, nearest, is_tied);
}

void rlx_script_slip_report(RlxSink *sink, RlxSpan span, const char *name, const char *nearest,
                            bool is_tied) {
  RlxDiag *diag = rlx_reportf(
      sink, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), span, "ss", rlx_arena_printf(sink->arena, "T.%s", name),
      nearest ? rlx_arena_printf(sink->arena, "; did you mean `T.%s`?", nearest) : "");
  // The span is that of the last of the name's parts: of `T.axis.spatil` that behind `axis.`.
  const char *dot = strrchr(name, '.');
  const size_t kept = dot ? (size_t)(dot + 1 - name) : 0;
  const bool has_fix = nearest && strncmp(nearest, name, kept) == 0;
  if (has_fix)
    rlx_diag_fix(sink, diag, rlx_arena_printf(sink->arena, "change to `T.%s`", nearest), span,
                 nearest + kept);
  if (has_fix && is_tied) rlx_diag_fix_is_guess(diag);
}

// ---- calls

RlxValue rlx_refuse_call(RlxEval *e, const RlxValue *callee, RlxSpan head, RlxSpan span) {
  RlxPythonType type = rlx_python_type(e, callee);
  bool is_refused =
      type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_FUNCTION && type != RLX_PYTHON_DTYPE;
  if (is_refused && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), head, "s", rlx_value_text(e, callee));
  return rlx_eval_failed(e, span);
}

/// Whether a parameter of these kinds (script_kinds.def) takes the value, or this is not known.
static bool is_of_kinds(const RlxEval *e, const char *kinds, size_t size, const RlxValue *v,
                        RlxDialect dialect) {
  const char *any = NULL; // letters of which one is enough
  RlxDType dtype;
  if (memchr(kinds, '-', size) || (memchr(kinds, 'F', size) && memchr(kinds, 'm', size)))
    return true;
  switch (v->kind) {
  case RLX_VALUE_NONE: any = "n"; break;
  case RLX_VALUE_BOOL: any = "b"; break;
  case RLX_VALUE_INT: any = "i"; break;
  case RLX_VALUE_FLOAT: any = "f"; break;
  case RLX_VALUE_STR: {
    const char *text = rlx_store_text(e->store, v->string);
    any = rlx_dtype_parse(text, strlen(text), &dtype) ? "sd" : "s";
    break;
  }
  case RLX_VALUE_LIST: any = "lLtk"; break;
  case RLX_VALUE_DICT: any = "m"; break;
  case RLX_VALUE_SYMDECL:
  case RLX_VALUE_PRIM: any = "evxchT"; break;
  case RLX_VALUE_EXPR:
    if (v->expr->kind == RLX_EXPR_HOLE) return true;
    any = "";
    if (dialect != RLX_DIALECT_027) break;
    // A variable is an expression of the IR, which operands of intrinsics, that may be anything, are.
    if (v->expr->kind == RLX_EXPR_VAR && memchr(kinds, 'u', size) && memchr(kinds, 'n', size))
      return true;
    if (v->expr->sinfo->kind == RLX_SINFO_PRIM) any = "evxcT";
    break;
  case RLX_VALUE_CAST:
  case RLX_VALUE_SINFO: any = ""; break;
  case RLX_VALUE_NAMESPACE:
  case RLX_VALUE_WORD:
  case RLX_VALUE_OP:
  case RLX_VALUE_TFUNC:
    if (rlx_python_type(e, v) == RLX_PYTHON_UNKNOWN) return true;
    any = "Fp";
    break;
  case RLX_VALUE_DTYPE: // T.int64 is a function, and numpy's int64 a class that stands for a dtype
    if (v->is_python) return true;
    any = "Fp";
    break;
  case RLX_VALUE_LAMBDA: any = "Fp"; break;
  case RLX_VALUE_METHOD:
    if (rlx_python_type(e, v) == RLX_PYTHON_UNKNOWN) return true;
    any = "";
    break;
  case RLX_VALUE_CLASS: any = ""; break;
  case RLX_VALUE_OTHER:               // a complex number, a set, `...`
    if (v->text == rlx_target_text) { // an object of TVM's, but no expression
      for (size_t i = 0; i < size; i++)
        if (!strchr("Tbcdefhinsvxz", kinds[i])) return true;
      return false;
    }
    if (!rlx_is_plain_object(v) || v->text == rlx_script_object_text || memchr(kinds, 'F', size))
      return true;
    any = "";
    break;
  default: return true;
  }
  for (const char *at = any; at && *at; at++)
    if (memchr(kinds, *at, size)) return true;
  return !any;
}

/// `T.float32("inf")`: the constructors of floating-point dtypes take these words; up to 0.25 those of wide integers, too.
static bool is_infinity(const RlxEval *e, const char *function, const RlxValue *v,
                        RlxDialect dialect) {
  RlxDType dtype;
  const char *text = v->kind == RLX_VALUE_STR ? rlx_store_text(e->store, v->string) : "";
  if (*text >= '0' && *text <= '9') return true; // T.int32("7")
  const bool is_nan = !strcmp(text, "nan"),
             is_word = is_nan || !strcmp(text, "inf") || !strcmp(text, "-inf");
  if (!is_word || !rlx_dtype_parse(function, strlen(function), &dtype)) return false;
  return rlx_dtype_is_float(dtype) ||
         (dialect == RLX_DIALECT_025 && !rlx_dtype_is_bool(dtype) && (is_nan || dtype.bits >= 64));
}

/// The call of a function of T, as one dialect has it.
typedef struct ScriptCall {
  RlxScriptBinding binding;
  const RlxPyArg *wrong; ///< an argument that its parameter does not take; NULL: none
  const char *param;     ///< that parameter
} ScriptCall;

static bool refuses(const ScriptCall *call) { return call->binding.fault || call->wrong; }

static void check_kinds(const RlxEval *e, const RlxScriptName *name, const RlxPyArgs *args,
                        RlxDialect dialect, ScriptCall *call) {
  const RlxScriptKinds *row = rlx_script_kinds(name->name, dialect);
  const RlxScriptSignature *params = &call->binding.params;
  for (int i = 0; row && i < params->count; i++) {
    const int argument = call->binding.argument[i];
    size_t size;
    const char *letters =
        rlx_script_letters(name->params, row->kinds, -1, params->at[i].name, &size);
    const RlxPyArg *arg = argument ? &args->at[argument - 1] : NULL;
    if (!arg || !letters || is_of_kinds(e, letters, size, &arg->value, dialect) ||
        is_infinity(e, name->name, &arg->value, dialect))
      continue;
    call->wrong = arg;
    call->param = params->at[i].name;
    return;
  }
  int place = 0; // those behind the parameters, which `*args` takes
  for (uint32_t i = 0; row && row->result[0] == 'e' && params->takes_more && i < args->count; i++) {
    size_t size;
    const RlxPyArg *arg = &args->at[i];
    if (arg->keyword || place++ < params->positional) continue;
    const char *letters = rlx_script_letters(name->params, row->kinds, place - 1, NULL, &size);
    if (!letters || is_of_kinds(e, letters, size, &arg->value, dialect)) continue;
    call->wrong = arg;
    call->param = "args";
    return;
  }
}

/// Whether `dialect` takes the call, or it is not known whether it does; `*out`: what it refuses.
static bool takes_call(const RlxEval *e, const char *name, const RlxPyArgs *args,
                       RlxDialect dialect, ScriptCall *out) {
  const RlxScriptName *row = rlx_script_name(name, dialect);
  RlxScriptArg *list = rlx_arena_array(e->arena, RlxScriptArg, args->count + 1);
  *out = (ScriptCall){0};
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxPyArg *arg = &args->at[i];
    list[i].keyword = arg->keyword ? rlx_store_text(e->store, arg->keyword) : NULL;
    list[i].is_none = arg->value.kind == RLX_VALUE_NONE;
  }
  if (!row || !rlx_script_bind(row, list, (int)args->count, &out->binding)) return true;
  if (!out->binding.fault) check_kinds(e, row, args, dialect, out);
  return !refuses(out);
}

void rlx_refuse_binding(RlxEval *e, const RlxScriptBinding *binding, const RlxPyArgs *args,
                        const char *what, RlxSpan span) {
  const RlxPyArg *at = binding->at >= 0 ? &args->at[binding->at] : NULL;
  if (at) span = binding->fault == RLX_SCRIPT_UNKNOWN ? at->keyword_span : at->span;
  rlx_script_bind_report(e->sink, binding, what, span);
  e->tainted |= RLX_FAILED;
}

/// A call of T.`name` that is held against dialects.
typedef struct HeldCall {
  RlxEval *e;
  const char *name;
  const RlxPyArgs *args;
  ScriptCall tried[RLX_HELD_DIALECTS]; // what is refused may be a name in them: they are not copied
} HeldCall;

static bool takes_held(void *data, RlxDialect dialect, int at) {
  HeldCall *held = data;
  return takes_call(held->e, held->name, held->args, dialect, &held->tried[at]);
}

bool rlx_script_call_check(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span) {
  const RlxDialect own = dialect_of(e);
  HeldCall held = {.e = e, .name = name, .args = args};
  bool is_relax = e->is_decorator || (e->fn && e->fn->kind == RLX_ISLAND_RELAX);
  if (!is_relax || e->tainted || args->is_unknown) return true;
  const int told = rlx_eval_hold(e, own, takes_held, &held);
  const ScriptCall *call = told < 0 ? NULL : &held.tried[told];
  // Of values, what older dialects refuse is not known.
  if (!call || (call->wrong && !rlx_script_names_cover(own))) return true;
  const char *what = rlx_arena_printf(e->arena, "T.%s", name);
  if (call->wrong) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), call->wrong->span, "ssss", what, call->param,
                    rlx_value_text(e, &call->wrong->value),
                    strcmp(name, "target") == 0 ? "a string or a dict"
                                                : "a number or a symbolic expression");
    return false;
  }
  rlx_refuse_binding(e, &call->binding, args, what, span);
  return false;
}
