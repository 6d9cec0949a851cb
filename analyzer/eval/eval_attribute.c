/// `x.name`: members of namespaces, modules, Relax values, symbolic variables, StructInfo and Python's own values.
/// Always true: what a value surely has not is reported, and what it may have is UNKNOWN.
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "base/nearest.h"

static RlxValue function_value(RlxEval *e, RlxFn *fn, RlxSpan span) {
  if (fn->kind == RLX_ISLAND_MACRO || fn->kind == RLX_ISLAND_JIT) return rlx_eval_failed(e, span);
  RlxValue v = {.kind = RLX_VALUE_CALLEE, .span = span};
  v.expr = rlx_expr_function(e, fn, span);
  return v;
}

static RlxValue module_attribute(RlxEval *e, RlxModule *module, RlxName name, RlxSpan span,
                                 RlxSpan name_span) {
  RlxFn *fn = rlx_module_fn(module, name);
  rlx_note_read(e, name, true);
  const RlxFn *own = rlx_fn_outermost(e->fn);
  const bool is_apart = fn && own && own->module != module && !e->analyzer->settings.is_prompt &&
                        rlx_refuse_may_tell(e);
  e->is_volatile |= is_apart; // in a broken file it may be one of the module's
  if (is_apart && !e->file->broken_places) {
    const char *text = rlx_store_text(e->store, module->name);
    rlx_eval_report(e, RLX_DIAG_ID(FUNCTION_UNDEFINED), name_span, "sss", text,
                    rlx_store_text(e->store, name),
                    rlx_arena_printf(e->arena, ": another module's function is `%s[\"%s\"]`", text,
                                     rlx_store_text(e->store, name)));
    return rlx_eval_failed(e, span);
  }
  if (fn) return function_value(e, fn, span);
  if (rlx_map_get(&module->infos, name, NULL)) { // ext = R.ExternFunc("…") and Python methods
    RlxValue v = rlx_value_unknown(span);
    const RlxBlock *body = module->stmt->body;
    for (uint32_t i = 0; i < body->count; i++) {
      const RlxStmt *stmt = body->stmts[i];
      if (stmt->kind == RLX_STMT_ASSIGN && stmt->target_count == 1 &&
          stmt->targets[0]->kind == RLX_AST_NAME && stmt->targets[0]->name == name) {
        const RlxStmt *old = e->stmt;
        e->stmt = stmt;
        v = rlx_eval(e, stmt->value);
        e->stmt = old;
        v.span = span;
        if (v.kind == RLX_VALUE_CALLEE || v.kind == RLX_VALUE_EXPR) v.expr->span = span;
      }
    }
    if (v.kind == RLX_VALUE_UNKNOWN) e->tainted |= RLX_FAILED;
    return v;
  }
  const char *text = rlx_store_text(e->store, name);
  if (strcmp(text, "get_global_var") == 0 || strcmp(text, "script") == 0)
    return rlx_eval_failed(e, span);
  e->is_volatile = true;
  if (rlx_missing_is_broken(e, text, true)) return rlx_eval_failed(e, span);
  const char *path =
      rlx_arena_printf(e->arena, "%s.%s", rlx_store_text(e->store, module->name), text);
  RlxName id = rlx_store_intern(e->store, path, strlen(path));
  if (e->env) rlx_note_read(e, id, false);
  if (e->env && rlx_env_get(e->env, id))
    return rlx_eval_failed(e, span); // reported at its first use
  rlx_define_missing(e, id, span);
  const char *nearest = rlx_missing_sibling(module, text),
             *hint = nearest ? rlx_arena_printf(e->arena, "; did you mean `%s`?", nearest) : "";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(FUNCTION_UNDEFINED), name_span, "sss",
                                  rlx_store_text(e->store, module->name), text, hint);
  if (nearest)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest),
                 name_span, nearest);
  return rlx_eval_failed(e, span);
}

/// Whether `R.name` is something in a dialect that the script may be written in.
static bool may_be_relax_name(const RlxEval *e, const char *name) {
  return (rlx_eval_may_be(e, RLX_DIALECT_025) && rlx_relax_has_name(name, RLX_DIALECT_025)) ||
         (rlx_eval_may_be(e, RLX_DIALECT_027) && rlx_relax_has_name(name, RLX_DIALECT_027));
}

/// Whether `space.name`, which stands for `v`, is a name of R or its modules that no dialect has in which the script may be written.
/// Not meant is what dialects spell differently, which is told of the statement, and what extends TVM's (extensions.def and its
/// operators).
static bool is_no_relax_name(RlxEval *e, const RlxAst *ast, const RlxValue *v, const char *space,
                             const char *name) {
  const bool is_told = v->kind == RLX_VALUE_WORD &&
                       (v->integer == RLX_WORD_SPARSE_CSR || v->integer == RLX_WORD_MATCH_SHAPE);
  const bool is_relax = space[0] == 'R' && (!space[1] || space[1] == '.');
  if (!is_relax || is_told || v->kind == RLX_VALUE_OP || v->kind == RLX_VALUE_MISSING || !name[0] ||
      name[0] == '_')
    return false;
  const char *path = rlx_arena_printf(e->arena, "%s.%s", space, name);
  // What every dialect has is settled here: the script's dialect and the function's mistakes are not looked at.
  if (rlx_relax_has_name(path + 2, RLX_DIALECT_025) &&
      rlx_relax_has_name(path + 2, RLX_DIALECT_027))
    return false;
  if (!rlx_refuse_may_tell(e)) return false;
  const RlxAst *root = ast;
  while (root->kind == RLX_AST_ATTRIBUTE) root = root->children[0];
  uint64_t import;
  const bool is_imported =
      root->kind == RLX_AST_NAME && rlx_map_get(&e->file->island_names.paths, root->name, &import);
  if (is_imported && !strstr(rlx_store_text(e->store, (RlxName)import), "script"))
    return false; // a package of TVM that is called R
  return !may_be_relax_name(e, path + 2) && !rlx_spelling_dialects(path);
}

/// The word of R that is no operator (R.Tensor, R.dataflow) and nearest; NULL: none is near.
static const char *nearest_word(const RlxEval *e, const char *name) {
  static const char *const words[] = {
#define RLX_WORD(id, path, params, call) path,
#include "analyzer/words/words.def"
#undef RLX_WORD
  };
  RlxNearest nearest = rlx_nearest_start(name);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == 'R' && words[i][1] == '.' && may_be_relax_name(e, words[i] + 2))
      rlx_nearest_try(&nearest, words[i] + 2);
  return nearest.is_tied ? NULL : nearest.best;
}

static RlxValue missing(RlxEval *e, RlxName path, RlxSpan span, RlxSpan name_span) {
  bool is_tied;
  const char *text = rlx_store_text(e->store, path),
             *nearest = rlx_op_nearest(text + 2, strlen(text + 2), &is_tied);
  if (!nearest) {
    nearest = nearest_word(e, text + 2);
    is_tied = nearest != NULL; // a guess
  }
  const char *hint = nearest ? rlx_arena_printf(e->arena, "; did you mean `R.%s`?", nearest) : "";
  if (!nearest && rlx_eval_is_tlc(e)) // of its years not all names are known (R.call_builtin)
    return rlx_eval_failed(e, span);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), name_span, "ss", text, hint);
  const char *last = nearest ? strrchr(nearest, '.') : NULL, *own = strrchr(text, '.');
  const size_t space = last ? (size_t)(last - nearest) : 0,
               own_space = own > text + 2 ? (size_t)(own - (text + 2)) : 0;
  const bool is_same_space = nearest && space == own_space && !strncmp(text + 2, nearest, space);
  if (nearest)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `R.%s`", nearest),
                 is_same_space ? name_span : rlx_span(span.start, name_span.end),
                 is_same_space ? (last ? last + 1 : nearest)
                               : rlx_arena_printf(e->sink->arena, "R.%s", nearest));
  if (nearest && is_tied) rlx_diag_fix_is_guess(diag);
  return rlx_eval_failed(e, span);
}

/// A proxy of the reference's: x.astype, x.dtype, x.shape, x.strides; what it is used for decides.
static RlxValue method(RlxEval *e, RlxValue self, RlxName name, RlxSpan span) {
  RlxMethod *m = rlx_arena_one(e->arena, RlxMethod);
  m->self = self;
  m->name = name;
  RlxValue v = {.kind = RLX_VALUE_METHOD, .span = span};
  v.thing = m;
  return v;
}

RlxValue rlx_eval_inspect(RlxEval *e, RlxOpId id, RlxValue *values, uint32_t count,
                          const RlxAst *ast) {
  return rlx_call_op_values(e, rlx_op_row(id), values, count, ast->span,
                            ast->kind == RLX_AST_ATTRIBUTE ? ast->name_span : ast->span);
}

static RlxValue expr_attribute(RlxEval *e, const RlxAst *ast, RlxValue base) {
  const char *text = rlx_store_text(e->store, ast->name);
  RlxExpr *x = rlx_expr_of(e, &base);
  if (!x || x->kind == RLX_EXPR_HOLE) return rlx_eval_failed(e, ast->span);
  const bool has = rlx_refuse_has_member(e, x, text);
  if (has && rlx_text_is_among(text, " struct_info struct_info_ ty ")) {
    RlxValue v = {.kind = RLX_VALUE_SINFO, .span = ast->span};
    v.sinfo = x->sinfo;
    return v;
  }
  if (has && strcmp(text, "span") == 0) // a script's values have none
    return (RlxValue){.kind = RLX_VALUE_NONE, .span = ast->span};
  const bool is_named = x->kind == RLX_EXPR_VAR || x->kind == RLX_EXPR_GLOBAL;
  if (has && is_named && rlx_text_is_among(text, " name_hint name ")) {
    RlxValue v = {.kind = RLX_VALUE_STR, .span = ast->span};
    v.string = x->kind == RLX_EXPR_VAR ? x->var->name : x->name;
    return v;
  }
  const bool is_method =
      rlx_refuse_is_of_buffers(text) || rlx_text_is_among(text, " same_as equal ");
  if (strcmp(text, "astype") == 0 || (has && is_method))
    return method(e, base, ast->name, ast->span);
  if (!rlx_eval_is_027(e)) { // from 0.26 on only the buffers of PrimFuncs have these
    const bool is_proxy = rlx_text_is_among(text, " dtype shape strides "); // of tensors alone
    const bool is_new = x->kind == RLX_EXPR_CALL; // TVM does not know yet what it gives
    if (is_proxy && (x->sinfo->kind == RLX_SINFO_TENSOR || is_new || !rlx_refuse_may_tell(e)))
      return method(e, base, ast->name, ast->span);
    if (strcmp(text, "ndim") == 0)
      return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_ndim), &base, 1, ast);
    if (strcmp(text, "elem_offset") == 0)
      return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_elem_offset), &base, 1, ast);
    if (strcmp(text, "byte_offset") == 0)
      return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_byte_offset), &base, 1, ast);
  }
  const bool is_open = e->tainted == RLX_OPEN && x->sinfo->kind != RLX_SINFO_OBJECT;
  if ((e->tainted && !is_open) || has) return rlx_eval_failed(e, ast->span);
  RlxBuf what = {0};
  rlx_sinfo_tell(e->store, x->sinfo, &what);
  rlx_buf_printf(&what, ".%s", text);
  rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss", rlx_buf_text(&what), "");
  rlx_buf_free(&what);
  return rlx_eval_failed(e, ast->span);
}

/// x.dtype.bits and the like.
static RlxValue proxy_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  const char *text = rlx_store_text(e->store, ast->name);
  const RlxMethod *proxy = base->thing;
  if (rlx_python_type(e, base) == RLX_PYTHON_FUNCTION) return rlx_refuse_attribute(e, ast, base);
  RlxValue self = proxy->self;
  const bool is_dtype = strcmp(rlx_store_text(e->store, proxy->name), "dtype") == 0,
             is_shape = rlx_text_is_among(rlx_store_text(e->store, proxy->name), " shape strides ");
  if (!is_dtype && (!is_shape || proxy->self.kind != RLX_VALUE_EXPR))
    return rlx_eval_failed(e, ast->span);
  const char *members = is_dtype ? " asobject bits lanes tensor type_code " : " asobject tensor ";
  if (text[0] && text[0] != '_' && !rlx_text_is_among(text, members) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "%s.%s", is_dtype ? "dtype" : "shape", text), "");
  if (!is_dtype) return rlx_eval_failed(e, ast->span);
  if (strcmp(text, "type_code") == 0)
    return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_dtype_code), &self, 1, ast);
  if (strcmp(text, "bits") == 0)
    return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_dtype_bits), &self, 1, ast);
  if (strcmp(text, "lanes") == 0)
    return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_dtype_lanes), &self, 1, ast);
  return rlx_eval_failed(e, ast->span);
}

/// x.struct_info.shape and the like: what is known of it; a shape as the list of its dimensions.
static RlxValue sinfo_attribute(RlxEval *e, const RlxAst *ast, const RlxSInfo *sinfo) {
  const char *text = rlx_store_text(e->store, ast->name);
  RlxValue v = {.span = ast->span};
  bool has_rank = sinfo->kind == RLX_SINFO_TENSOR || sinfo->kind == RLX_SINFO_SHAPE,
       has_dtype = sinfo->kind == RLX_SINFO_TENSOR || sinfo->kind == RLX_SINFO_PRIM;
  if (strcmp(text, "ndim") == 0 && has_rank) {
    v.kind = RLX_VALUE_INT;
    v.integer = sinfo->ndim;
    return v;
  }
  if (strcmp(text, "dtype") == 0 && has_dtype && rlx_dtype_known(sinfo->dtype)) {
    v.kind = RLX_VALUE_DTYPE;
    v.integer = rlx_pack_dtype(sinfo->dtype);
    return v;
  }
  bool dims = has_rank && sinfo->dims &&
              strcmp(text, sinfo->kind == RLX_SINFO_TENSOR ? "shape" : "values") == 0;
  bool fields = sinfo->kind == RLX_SINFO_TUPLE && strcmp(text, "fields") == 0;
  if (!dims && !fields) {
    v.kind = RLX_VALUE_SINFO;
    v.sinfo = sinfo;
    return rlx_refuse_attribute(e, ast, &v);
  }
  v.kind = RLX_VALUE_LIST;
  v.count = (uint32_t)(dims ? sinfo->ndim : sinfo->count);
  v.items = rlx_arena_array(e->arena, RlxValue, v.count ? v.count : 1);
  for (uint32_t i = 0; i < v.count; i++) {
    v.items[i] = (RlxValue){.kind = dims ? RLX_VALUE_PRIM : RLX_VALUE_SINFO, .span = ast->span};
    if (dims)
      v.items[i].prim = sinfo->dims[i];
    else
      v.items[i].sinfo = sinfo->fields[i];
  }
  return v;
}

/// What a symbolic expression has for Python besides its dtype, which is a string up to 0.25, is not known here; what
/// it has not is reported.
static RlxValue symbol_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  const char *text = rlx_store_text(e->store, ast->name);
  const RlxPrim *prim = base->kind == RLX_VALUE_PRIM ? base->prim : NULL;
  if (!*text) return rlx_eval_failed(e, ast->span); // `n.` without a name: the parser said so
  if (prim && strcmp(text, "dtype") == 0 && (!rlx_refuse_may_tell(e) || !rlx_eval_is_027(e))) {
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(prim->dtype, dtype);
    RlxValue v = {.kind = RLX_VALUE_STR, .span = ast->span};
    v.string = rlx_store_intern(e->store, dtype, strlen(dtype));
    return v;
  }
  const RlxSymVar *var = prim ? rlx_prim_as_var(prim) : NULL;
  if (var && !var->is_relax && strcmp(text, "name") == 0 && rlx_refuse_may_tell(e))
    return (RlxValue){.kind = RLX_VALUE_STR, .span = ast->span, .string = var->name};
  if (!rlx_refuse_may_tell(e)) return rlx_eval_failed(e, ast->span);
  if (strcmp(text, "span") == 0) // a script's expressions have none
    return (RlxValue){.kind = RLX_VALUE_NONE, .span = ast->span};
  if (!rlx_refuse_symbol_has(e, prim, text)) {
    RlxBuf what = {0};
    if (prim) rlx_prim_tell(e->store, prim, &what);
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "%s.%s",
                                     prim ? rlx_buf_text(&what) : "a symbolic variable", text),
                    "");
    rlx_buf_free(&what);
  } else if (rlx_refuse_is_of_buffers(text) || strcmp(text, "same_as") == 0 ||
             (prim && strcmp(text, "equal") == 0) || (prim && strcmp(text, "astype") == 0))
    return method(e, *base, ast->name, ast->span);
  return rlx_eval_failed(e, ast->span);
}

/// `T.name` in a Relax function: what the name stands for, `v`, where the dialect has it.
static RlxValue script_attribute(RlxEval *e, const RlxAst *ast, RlxValue v) {
  const char *name = rlx_store_text(e->store, ast->name);
  if (rlx_refuse_may_have_script_name(e, name)) return v;
  rlx_script_name_report(e->sink, ast->name_span, name,
                         e->fn ? (RlxDialect)e->fn->dialect : e->outer_dialect);
  return rlx_eval_failed(e, ast->span);
}

/// `tirx.name`: `v`; reported is what only the script's namespace has, in 0.25 and 0.27.
static RlxValue package_attribute(RlxEval *e, const RlxAst *ast, RlxValue v) {
  const char *name = rlx_store_text(e->store, ast->name);
  RlxValue space;
  if (!rlx_script_names_cover((RlxDialect)e->fn->dialect) || !rlx_refuse_may_tell(e) ||
      !rlx_script_name_is_alone(name))
    return v;
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->span, "ss",
                      rlx_arena_printf(e->arena, "tirx.%s", name),
                      rlx_arena_printf(e->arena, "; the script's namespace has it: `T.%s`", name));
  RlxName t = rlx_intern_text(rlx_store_names(e->store), "T");
  if (e->analyzer->hooks->outer_value(e->file, e->fn->stmt, t, &space) &&
      space.kind == RLX_VALUE_NAMESPACE && strcmp(rlx_store_text(e->store, space.string), "T") == 0)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `T.%s`", name),
                 ast->children[0]->span, "T");
  return rlx_eval_failed(e, ast->span);
}

/// An attribute of `str(x)`, whose string is not known: of strings, though.
static RlxValue string_attribute(RlxEval *e, const RlxAst *ast, RlxTaint was_tainted) {
  const char *name = rlx_store_text(e->store, ast->name);
  bool is_known = rlx_python_has_member(RLX_PYTHON_STR, name);
  e->tainted = was_tainted;
  if (!is_known && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "str.%s", name), "");
  return rlx_eval_failed(e, ast->span);
}

/// R.DTensor and R.device_mesh of an R that is imported from `tvm.script`: `tvm.script.parser` alone has them.
static bool is_only_of_parser(const RlxEval *e, const RlxAst *ast, const RlxValue *v) {
  const RlxAst *root = ast->children[0];
  uint64_t path;
  if (v->kind != RLX_VALUE_WORD || root->kind != RLX_AST_NAME ||
      (v->integer != RLX_WORD_DTENSOR && v->integer != RLX_WORD_DEVICE_MESH) ||
      !rlx_map_get(&e->file->island_names.paths, root->name, &path))
    return false;
  const char *text = rlx_store_text(e->store, (RlxName)path);
  return strcmp(text, "tvm.script.relax") == 0 || strcmp(text, "tvm.relax.script") == 0;
}

/// `base.name` of a namespace.
static RlxValue namespace_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  const char *space = rlx_store_text(e->store, base->string),
             *name = rlx_store_text(e->store, ast->name);
  const bool is_relax = e->fn && e->fn->kind == RLX_ISLAND_RELAX;
  RlxValue v = rlx_names_attribute(&e->analyzer->words, base->string, ast->name);
  v.span = ast->span;
  if (is_no_relax_name(e, ast, &v, space, name)) {
    const char *path = rlx_arena_printf(e->arena, "%s.%s", space, name);
    return missing(e, rlx_store_intern(e->store, path, strlen(path)), ast->span, ast->name_span);
  }
  if (v.kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, ast->span);
  if ((e->fn ? is_relax : e->is_decorator) && strcmp(space, "T") == 0)
    return script_attribute(e, ast, v);
  if (is_relax && strcmp(space, "tir") == 0) return package_attribute(e, ast, v);
  if ((v.kind == RLX_VALUE_NAMESPACE || v.kind == RLX_VALUE_WORD) && rlx_refuse_may_tell(e) &&
      !rlx_namespace_has(e, space, name)) {
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "%s.%s", space, name), "");
    return rlx_eval_failed(e, ast->span);
  }
  if (rlx_refuse_may_tell(e) && is_only_of_parser(e, ast, &v)) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                                    rlx_arena_printf(e->arena, "%s.%s", space, name),
                                    "; `from tvm.script.parser import relax as R` has it");
    // What is meant is known, and sharded programs are shown with either import.
    diag->severity = RLX_WARNING;
    e->tainted = 0;
  }
  if ((v.kind == RLX_VALUE_NAMESPACE || v.kind == RLX_VALUE_DTYPE) &&
      !rlx_array_has_attribute(e, space, name, ast->name_span))
    return rlx_value_unknown(ast->span);
  return v.kind == RLX_VALUE_MISSING ? missing(e, v.string, ast->span, ast->name_span) : v;
}

/// An attribute of a Python object whose value is not known, but its kind.
static RlxValue object_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  static const char *const objects[][2] = {
      {"a slice", " indices start step stop "},
      {rlx_target_text, // read from the wheels by `dir`
       " attrs current export features from_device get_kind_attr get_target_device_type host id_ "
       "is_ keys kind list_kinds same_as tag target_or_current with_host "},
      {"`...`", ""},
      {"a complex number", " conjugate imag real "},
      {"a set", " add clear copy difference difference_update discard intersection "
                "intersection_update isdisjoint issubset issuperset pop remove "
                "symmetric_difference symmetric_difference_update union update "},
      {"a bytes literal", " decode hex "}}; // and what strings have
  const char *name = rlx_store_text(e->store, ast->name), *text = base->text ? base->text : "";
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
    if (strcmp(objects[i][0], text) != 0) continue;
    const bool is_bytes = text[2] == 'b' && rlx_python_has_member(RLX_PYTHON_STR, name) &&
                          !rlx_text_is_among(name, " casefold encode format format_map isdecimal "
                                                   "isidentifier isnumeric isprintable ");
    if (is_bytes && name[0] != '_') return method(e, *base, ast->name, ast->span);
    if (!is_bytes && name[0] && name[0] != '_' && !rlx_text_is_among(name, objects[i][1]) &&
        rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                      rlx_arena_printf(e->arena, "%s.%s", text, name), "");
  }
  return rlx_eval_failed(e, ast->span);
}

/// A method or member of an array of numpy's.
static RlxValue array_member(RlxEval *e, const RlxAst *ast, RlxValue base) {
  if (rlx_array_is_method(rlx_store_text(e->store, ast->name)))
    return method(e, base, ast->name, ast->span);
  return rlx_array_attribute(e, &base, ast->name, ast->span);
}

RlxValue rlx_eval_attribute(RlxEval *e, const RlxAst *ast) {
  RlxTaint was_tainted = e->tainted;
  const RlxValue base = rlx_eval_head(e, ast->children[0]);
  if (rlx_is_unknown_string(&base)) return string_attribute(e, ast, was_tainted);
  switch (base.kind) {
  case RLX_VALUE_NAMESPACE: return namespace_attribute(e, ast, &base);
  case RLX_VALUE_CLASS: {
    union {
      const void *in;
      RlxModule *out;
    } module = {.in = base.thing};
    return module_attribute(e, module.out, ast->name, ast->span, ast->name_span);
  }
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: return expr_attribute(e, ast, base);
  case RLX_VALUE_METHOD: return proxy_attribute(e, ast, &base);
  case RLX_VALUE_TFUNC: return rlx_script_member(e, ast, &base);
  case RLX_VALUE_SYMDECL:
  case RLX_VALUE_PRIM:
    return base.is_python ? rlx_eval_failed(e, ast->span) // numpy's, with its own attributes
                          : symbol_attribute(e, ast, &base);
  case RLX_VALUE_SINFO: return sinfo_attribute(e, ast, base.sinfo);
  case RLX_VALUE_LIMITS: return rlx_array_attribute(e, &base, ast->name, ast->span);
  case RLX_VALUE_ARRAY: return array_member(e, ast, base);
  case RLX_VALUE_UNKNOWN:
    return rlx_array_is_partial(&base) ? array_member(e, ast, base)
                                       : rlx_refuse_attribute(e, ast, &base);
  case RLX_VALUE_STR:
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
    if (!rlx_python_has_member(rlx_python_type(e, &base), rlx_store_text(e->store, ast->name)))
      return rlx_refuse_attribute(e, ast, &base);
    return method(e, base, ast->name, ast->span);
  case RLX_VALUE_OTHER: return object_attribute(e, ast, &base);
  default: return rlx_refuse_attribute(e, ast, &base);
  }
}
