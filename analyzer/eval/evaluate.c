/// Python's expressions, evaluated as TVM's parser does: literals, names, attributes; what each other
/// kind of node is evaluated by. Always true: evaluation never fails; what
/// is wrong is reported once and gives UNKNOWN, which everything behind it absorbs.
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/outer.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/spell.h"
#include "base/nearest.h"

enum { MAX_DEPTH = 200 };

static RlxValue other_value(const char *what, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_OTHER, .span = span};
  v.text = what;
  return v;
}

// ---- names

/// From here on the name that is not there counts as defined, so that it is reported at its first
/// use only.
static void define_missing(RlxEval *e, RlxName name, RlxSpan span) {
  if (!e->env || !e->fn || e->is_signature) return;
  rlx_define(e, name, rlx_value_unknown(span), span);
  rlx_vec_last(&e->defs).is_missing = true;
}

typedef struct Suggest {
  RlxNearest nearest;
  uint32_t place; ///< where the best name of the function is bound
} Suggest;

static void try_name(const char *name, void *data) {
  rlx_nearest_try(&((Suggest *)data)->nearest, name);
}

/// A name that tlc-pack's scripts use without its namespace: meant as R's (dialect-spelling reports
/// it elsewhere).
static bool bare_spelling(RlxEval *e, RlxName name, RlxSpan span, RlxValue *out) {
  const char *text = rlx_store_text(e->store, name);
  bool is_word = false;
  static const char *const words[] = {"Tensor", "Shape", "Tuple", "Callable", "Object", "Prim"};
  if (strcmp(text, "Void") == 0 && rlx_eval_is_tlc(e)) { // what a function without result gives
    *out = (RlxValue){.kind = RLX_VALUE_SINFO, .span = span};
    out->sinfo = rlx_sinfo_tuple(e->store, NULL, 0);
    return true;
  }
  if (strcmp(text, "meta") == 0 && rlx_eval_is_tlc(e)) { // meta[relay.Constant][0]
    *out = rlx_names_path(&e->analyzer->words, "metadata");
    out->span = span;
    return true;
  }
  if (!e->fn || e->fn->kind != RLX_ISLAND_RELAX) return false;
  if (strcmp(text, "_") == 0 && rlx_eval_is_tlc(e)) { // unknown: no shape, no dtype
    *out = rlx_value_unknown(span);
    return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    is_word |= strcmp(words[i], text) == 0;
  bool is_op = (e->is_callee || rlx_eval_is_tlc(e)) && rlx_op_find(text, strlen(text));
  bool is_symbol = rlx_stmt_matches_symbol(e->store, e->stmt, name, rlx_eval_is_tlc(e));
  if (is_symbol) {
    *out = (RlxValue){.kind = RLX_VALUE_PRIM, .span = span};
    out->prim = rlx_fn_symbol(e, name, RLX_INT64);
    for (uint32_t i = 0; i < e->defs.count; i++)
      if (e->defs.at[i].name == name) return true;
    rlx_define(e, name, *out, span);
    return true;
  }
  if (!is_word && !is_op && strcmp(text, "nn") != 0) return false;
  *out = rlx_names_path(&e->analyzer->words, rlx_arena_printf(e->arena, "R.%s", text));
  out->span = span;
  return true;
}

/// Missing names of one function whose neighbours are looked for: each look costs a pass over all
/// names, at every edit.
enum { FEW = 64 };

/// Of names as near, that which is bound first: in whatever order a session met them.
static void try_definition(Suggest *s, const char *name, const RlxDef *def) {
  const uint32_t place = (def->stmt ? def->stmt->start : 0) + def->span.start;
  const bool is_tied = rlx_nearest_try(&s->nearest, name);
  if (is_tied && place < s->place) s->nearest.best = name;
  if (s->nearest.best == name) s->place = place;
}

static void suggest_names(RlxEval *e, Suggest *suggest) {
  RlxInterner *names = rlx_store_names(e->store);
  const uint64_t *letters = rlx_interner_letters(names);
  uint32_t count = e->env ? rlx_interner_count(names) : 0;
  for (RlxName n = 1; n <= count && n < e->env->capacity; n++) {
    const RlxDef *def =
        rlx_nearest_may_be(&suggest->nearest, letters[n]) ? rlx_env_get(e->env, n) : NULL;
    if (def && !def->is_missing) try_definition(suggest, rlx_name_text(names, n), def);
  }
  rlx_outer_each(e->file, e->stmt, try_name, suggest);
}

static RlxValue undefined(RlxEval *e, RlxName name, RlxSpan span) {
  e->is_volatile = true;
  const char *text = rlx_store_text(e->store, name);
  RlxModule *module = e->fn ? e->fn->module : NULL;
  RlxFn *sibling = module ? rlx_module_fn(module, name) : NULL;
  if (sibling) {
    const char *of = rlx_store_text(e->store, module->name);
    RlxDiag *diag =
        rlx_eval_is_tlc(e)
            ? NULL
            : rlx_eval_report(
                  e, RLX_DIAG_ID(SIBLING_BARE), span, "sss", text, of,
                  rlx_arena_printf(e->arena, ", or `cls.%s` after `cls = %s`", text, of));
    if (diag)
      rlx_diag_fix(e->sink, diag, "refer to it through the module", span,
                   rlx_arena_printf(e->sink->arena, "%s.%s", of, text));
    RlxValue v = {.kind = RLX_VALUE_FUNCTION, .span = span};
    v.thing = sibling;
    return v;
  }
  RlxValue bare;
  if (bare_spelling(e, name, span, &bare)) return bare;
  RlxMissingKept kept = rlx_missing_kept(e, name);
  if (kept.is_reported) return rlx_eval_failed(e, span);
  if (kept.block) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(DATAFLOW_LEAK), span, "s", text);
    rlx_missing_leak(e, diag, kept.block, name);
    define_missing(e, name, span);
    return rlx_eval_failed(e, span);
  }
  if (e->file->has_star_import || rlx_missing_is_broken(e, text, false))
    return rlx_eval_failed(e, span);
  if (e->is_signature && e->fn) { // a bare dimension name: meant as a symbolic variable
    RlxValue v = {.kind = RLX_VALUE_PRIM, .span = span};
    if (e->is_part) {
      rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text,
                      ": `R.SparseCSR(indptr, indices)` names parameters of the function");
      return rlx_eval_failed(e, span);
    }
    if (!e->allow_free) {
      RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text,
                                      ": a symbolic dimension of a signature is a string");
      rlx_diag_fix(e->sink, diag, "make it a string dimension", span,
                   rlx_arena_printf(e->sink->arena, "\"%s\"", text));
    }
    v.prim = rlx_fn_symbol(e, name, RLX_INT64);
    return v;
  }
  bool is_one_of_few = e->missing_count++ < FEW;
  Suggest suggest = {.nearest = rlx_nearest_start(text)};
  if (is_one_of_few) suggest_names(e, &suggest);
  const char *hint = suggest.nearest.best
                         ? rlx_arena_printf(e->arena, "; did you mean `%s`?", suggest.nearest.best)
                         : "";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text, hint);
  if (suggest.nearest.best)
    rlx_diag_fix(e->sink, diag,
                 rlx_arena_printf(e->sink->arena, "change to `%s`", suggest.nearest.best), span,
                 rlx_arena_strdup(e->sink->arena, suggest.nearest.best));
  if (e->fn && is_one_of_few) rlx_missing_elsewhere(e, diag, name);
  return rlx_eval_failed(e, span);
}

static void hint_unknown(RlxEval *e, const char *text, RlxSpan span) {
  if (!e->fn) return;
  rlx_eval_report(e, RLX_DIAG_ID(NAME_UNKNOWN), span, "s", text);
}

/// The value of a definition at one of its uses.
static RlxValue value_of_def(RlxEval *e, const RlxDef *def, RlxSpan span) {
  RlxValue v = def->value;
  v.span = span;
  if (def->is_unbound) rlx_vec_push(&e->unbound_uses, ((RlxSymbolUse){def, span}));
  if (v.kind == RLX_VALUE_EXPR && v.expr->kind == RLX_EXPR_VAR)
    v.expr = rlx_expr_var(e, v.expr->var, span);
  else if (v.kind == RLX_VALUE_UNKNOWN)
    e->tainted = true;
  return v;
}

/// Whether `_` stands for a dimension or dtype that is not looked at, whatever has that name: in an annotation of
/// tlc-pack's, and in the pattern of its R.match_shape. Elsewhere it is a variable like others.
static bool is_wildcard(const RlxEval *e, RlxName name) {
  if (name != e->analyzer->name_underscore || !rlx_eval_is_tlc(e)) return false;
  if (e->is_signature || e->is_annotation || e->allow_free) return true;
  const RlxAst *call = e->stmt ? e->stmt->value : NULL;
  return call && call->kind == RLX_AST_CALL &&
         strcmp(rlx_ast_last_name(e->store, call), "match_shape") == 0;
}

/// Whether a function outside of modules is this one or stands below it: when TVM reads this one,
/// Python has not defined it.
static bool comes_later(const RlxEval *e, const RlxValue *v) {
  const RlxFn *fn = v->thing, *own = rlx_fn_outermost(e->fn);
  if (!own || !rlx_refuse_may_tell(e) || fn->module) return false;
  const RlxStmt *stmt = own->module ? own->module->stmt : own->stmt;
  if (fn->stmt->block != stmt->block || fn->stmt->start < stmt->start) return false;
  for (uint32_t i = 0; i < e->file->fns.count; i++) { // one of that name above
    const RlxStmt *other = e->file->fns.at[i]->stmt;
    if (other->start >= stmt->start) break;
    if (other->name == fn->stmt->name && other->block == stmt->block) return false;
  }
  return true;
}

/// Whether all decorators of the class are Python's own, as `@staticmethod`.
static bool has_pythons_decorators(const RlxEval *e, const RlxStmt *class_stmt) {
  RlxValue value;
  for (uint32_t i = 0; i < class_stmt->decorator_count; i++) {
    const RlxAst *at = class_stmt->decorators[i];
    if (at->kind != RLX_AST_NAME || !rlx_names_is_builtin(rlx_store_text(e->store, at->name)) ||
        e->analyzer->hooks->outer_value(e->file, class_stmt, at->name, &value))
      return false;
  }
  return true;
}

/// Whether the name is that of the class around the function, which no decorator makes a module:
/// Python binds it when all functions in it are read.
static bool is_own_class(const RlxEval *e, RlxName name) {
  const RlxFn *own = rlx_fn_outermost(e->fn);
  const RlxStmt *around = own && own->stmt->block ? own->stmt->block->parent : NULL;
  return around && around->kind == RLX_STMT_CLASS && around->name == name && !own->module &&
         has_pythons_decorators(e, around) && rlx_refuse_may_tell(e);
}

/// Whether an annotation of the signature may name what `def`, a parameter or a symbolic variable of
/// the signature, defines: Python evaluates annotations where neither is bound, but for the symbolic
/// variables of `def f[n]`.
static bool is_seen_in_signature(const RlxEval *e, const RlxDef *def) {
  if (e->fn->kind != RLX_ISLAND_RELAX || e->allow_free) return true;
  for (uint32_t i = 0; i < e->fn->stmt->type_param_count; i++)
    if (e->fn->stmt->type_params[i] == def->name) return true;
  bool is_scalar = def->value.kind == RLX_VALUE_EXPR &&
                   def->value.expr->sinfo->kind == RLX_SINFO_PRIM && rlx_eval_is_027(e);
  return def->value.kind != RLX_VALUE_PRIM && !is_scalar;
}

/// The value `v` of a name that is bound outside of functions.
static RlxValue of_outer(RlxEval *e, RlxName name, RlxValue v, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  v.span = span;
  // R and its like are read everywhere: whoever binds one anew is heard by everybody.
  RlxValue common;
  if (v.kind != RLX_VALUE_NAMESPACE || !rlx_names_predefined(&e->analyzer->words, text, &common))
    rlx_note_read(e, name, true);
  else if (e->env && !e->is_volatile && !e->fn->outer) {
    e->common_block = e->stmt->block;
    e->common_name = name;
    e->common = v;
  }
  if (v.kind == RLX_VALUE_UNKNOWN) {
    hint_unknown(e, text, span);
    e->tainted = true;
  }
  if (v.kind == RLX_VALUE_FUNCTION && comes_later(e, &v)) {
    rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text,
                    " yet: TVM reads this function before; functions of one module know each "
                    "other");
    return rlx_eval_failed(e, span);
  }
  if (v.kind == RLX_VALUE_SYMDECL &&
      e->fn) { // a declared name is a variable of each function that uses it
    RlxName symbol = (RlxName)(v.integer & 0xffffffff);
    RlxValue p = {.kind = RLX_VALUE_PRIM, .span = span};
    p.prim = rlx_fn_symbol(e, symbol, rlx_symbol_dtype(&v));
    return p;
  }
  return rlx_value_copy(e->arena, &v);
}

RlxValue rlx_eval_name(RlxEval *e, RlxName name, RlxSpan span) {
  if (is_wildcard(e, name)) return rlx_value_unknown(span);
  for (uint32_t i = e->locals.count; i-- > 0;)
    if (e->locals.at[i].name == name) return e->locals.at[i].value;
  if (e->env) {
    rlx_note_read(e, name, false);
    const RlxDef *def = rlx_env_get(e->env, name);
    if (def) return value_of_def(e, def, span);
  }
  for (const RlxEnv *env = e->env  ? e->env->parent
                           : e->fn ? e->fn->outer_env
                                   : NULL;
       env; env = env->parent) { // captured by a local function
    const RlxDef *def = rlx_env_get(env, name);
    if (!def) continue;
    rlx_note_read(e, name, true);
    rlx_note_captured(e, def, span);
    return value_of_def(e, def, span);
  }
  if (e->fn && e->fn->outer)
    rlx_note_read(e, name, true); // the functions around may come to bind it
  if (e->is_signature && e->fn)
    for (uint32_t i = rlx_fn_first_param(e->fn, name); i < e->fn->params.count; i++)
      if (e->fn->params.at[i].name == name && is_seen_in_signature(e, &e->fn->params.at[i]))
        return value_of_def(e, &e->fn->params.at[i], span);
  RlxValue v;
  if (e->env && name == e->common_name && e->stmt->block == e->common_block) {
    v = e->common;
    v.span = span;
    return v;
  }
  const char *text = rlx_store_text(e->store, name);
  if (rlx_eval_is_tlc(e) && e->fn->kind == RLX_ISLAND_RELAX && e->fn->module &&
      rlx_module_fn(e->fn->module, name)) { // siblings come before what Python has
    rlx_note_read(e, name, true);
    return undefined(e, name, span);
  }
  const bool is_unread = is_own_class(e, name);
  e->is_volatile |= is_unread; // in a broken file its decorator may be what is lost
  if (is_unread && !e->file->broken_places) {
    rlx_note_read(e, name, true);
    rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text,
                    " yet: without `@I.ir_module` the functions of a class are read one by one");
    return rlx_eval_failed(e, span);
  }
  if (e->analyzer->hooks->outer_value(e->file, e->stmt, name, &v))
    return of_outer(e, name, v, span);
  if (rlx_names_predefined(&e->analyzer->words, text, &v) && !rlx_missing_import(e, text)) {
    v.span = span;
    return v;
  }
  RlxImportOrigin origin = {0};
  if (e->file->has_star_import && e->analyzer->hooks->imported_star(e->file, name, &v, &origin)) {
    rlx_note_read(e, name, true);
    return rlx_value_copy(e->arena, &v);
  }
  if (rlx_names_is_builtin(text)) {
    v.kind = RLX_VALUE_BUILTIN;
    v.string = name;
    v.span = span;
    return v;
  }
  rlx_note_read(e, name, true);
  return undefined(e, name, span);
}

// ---- attributes

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
  const bool is_apart = fn && own && own->module != module && rlx_refuse_may_tell(e);
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
    if (v.kind == RLX_VALUE_UNKNOWN) e->tainted = true;
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
  define_missing(e, id, span);
  const char *nearest = rlx_missing_sibling(module, text),
             *hint = nearest ? rlx_arena_printf(e->arena, "; did you mean `%s`?", nearest) : "";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(FUNCTION_UNDEFINED), name_span, "sss",
                                  rlx_store_text(e->store, module->name), text, hint);
  if (nearest)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest),
                 name_span, nearest);
  return rlx_eval_failed(e, span);
}

static RlxValue missing(RlxEval *e, RlxName path, RlxSpan span, RlxSpan name_span) {
  bool is_tied;
  const char *text = rlx_store_text(e->store, path),
             *nearest = rlx_op_nearest(text + 2, strlen(text + 2), &is_tied);
  const char *hint = nearest ? rlx_arena_printf(e->arena, "; did you mean `R.%s`?", nearest) : "";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), name_span, "ss", text, hint);
  const char *last = nearest ? strrchr(nearest, '.') : NULL;
  if (nearest)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `R.%s`", nearest),
                 name_span, last ? last + 1 : nearest);
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
  if (strcmp(text, "astype") == 0) return method(e, base, ast->name, ast->span);
  if (!rlx_eval_is_027(e)) { // from 0.26 on only the buffers of PrimFuncs have these
    const bool is_proxy = rlx_text_is_among(text, " dtype shape strides "); // of tensors alone
    if (is_proxy && (x->sinfo->kind == RLX_SINFO_TENSOR || !rlx_refuse_may_tell(e)))
      return method(e, base, ast->name, ast->span);
    if (strcmp(text, "ndim") == 0)
      return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_ndim), &base, 1, ast);
    if (strcmp(text, "elem_offset") == 0)
      return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_elem_offset), &base, 1, ast);
    if (strcmp(text, "byte_offset") == 0)
      return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_byte_offset), &base, 1, ast);
  }
  if (e->tainted || has) return rlx_eval_failed(e, ast->span);
  RlxBuf what = {0};
  rlx_sinfo_tell(e->store, x->sinfo, &what);
  rlx_buf_printf(&what, ".%s", text);
  rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss", rlx_buf_text(&what), "");
  rlx_buf_free(&what);
  return rlx_eval_failed(e, ast->span);
}

/// x.dtype.bits and the like.
static RlxValue proxy_attribute(RlxEval *e, const RlxAst *ast, const RlxMethod *proxy) {
  const char *text = rlx_store_text(e->store, ast->name);
  RlxValue self = proxy->self;
  if (strcmp(rlx_store_text(e->store, proxy->name), "dtype") != 0)
    return rlx_eval_failed(e, ast->span);
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

/// What a symbolic variable of Python has besides its dtype is not known here; what it has not is
/// reported.
static RlxValue symbol_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  static const char known[] = " name dtype astype type_annotation span value same_as equal ty "
                              "struct_info handle script show is_dyn expr_ty ";
  const char *text = rlx_store_text(e->store, ast->name);
  if (!*text) return rlx_eval_failed(e, ast->span); // `n.` without a name: the parser said so
  bool is_known = text[0] == '_' || rlx_text_is_among(text, known);
  if (!is_known && !e->tainted && e->fn && e->fn->kind == RLX_ISLAND_RELAX &&
      rlx_prim_as_var(base->prim) && !rlx_eval_is_tlc(e))
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "%s.%s",
                                     rlx_store_text(e->store, rlx_prim_as_var(base->prim)->name),
                                     text),
                    "");
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
static RlxValue string_attribute(RlxEval *e, const RlxAst *ast, bool was_tainted) {
  const char *name = rlx_store_text(e->store, ast->name);
  bool is_known = rlx_python_has_member(RLX_PYTHON_STR, name);
  e->tainted = was_tainted;
  if (!is_known && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                    rlx_arena_printf(e->arena, "str.%s", name), "");
  return rlx_eval_failed(e, ast->span);
}

static RlxValue attribute(RlxEval *e, const RlxAst *ast) {
  bool was_tainted = e->tainted;
  RlxValue base = rlx_eval_head(e, ast->children[0]), v = {0};
  if (rlx_is_unknown_string(&base)) return string_attribute(e, ast, was_tainted);
  switch (base.kind) {
  case RLX_VALUE_NAMESPACE:
    v = rlx_names_attribute(&e->analyzer->words, base.string, ast->name);
    v.span = ast->span;
    if ((e->fn ? e->fn->kind == RLX_ISLAND_RELAX : e->is_decorator) &&
        strcmp(rlx_store_text(e->store, base.string), "T") == 0)
      return script_attribute(e, ast, v);
    if (e->fn && e->fn->kind == RLX_ISLAND_RELAX &&
        strcmp(rlx_store_text(e->store, base.string), "tir") == 0)
      return package_attribute(e, ast, v);
    // relax.function and its like are older than what stands around decorators here.
    if ((v.kind == RLX_VALUE_NAMESPACE || (v.kind == RLX_VALUE_WORD && e->is_decorator)) &&
        rlx_refuse_may_tell(e) &&
        !rlx_namespace_has(rlx_store_text(e->store, base.string),
                           rlx_store_text(e->store, ast->name))) {
      rlx_eval_report(e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), ast->name_span, "ss",
                      rlx_arena_printf(e->arena, "%s.%s", rlx_store_text(e->store, base.string),
                                       rlx_store_text(e->store, ast->name)),
                      "");
      return rlx_eval_failed(e, ast->span);
    }
    if ((v.kind == RLX_VALUE_NAMESPACE || v.kind == RLX_VALUE_DTYPE) &&
        !rlx_array_has_attribute(e, rlx_store_text(e->store, base.string),
                                 rlx_store_text(e->store, ast->name), ast->name_span))
      return rlx_value_unknown(ast->span);
    return v.kind == RLX_VALUE_MISSING ? missing(e, v.string, ast->span, ast->name_span) : v;
  case RLX_VALUE_CLASS: {
    union {
      const void *in;
      RlxModule *out;
    } module = {.in = base.thing};
    return module_attribute(e, module.out, ast->name, ast->span, ast->name_span);
  }
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: return expr_attribute(e, ast, base);
  case RLX_VALUE_METHOD: return proxy_attribute(e, ast, base.thing);
  case RLX_VALUE_TFUNC: return rlx_script_member(e, ast, &base);
  case RLX_VALUE_PRIM:
    if (strcmp(rlx_store_text(e->store, ast->name), "dtype") == 0) {
      char dtype[RLX_DTYPE_TEXT_MAX];
      rlx_dtype_text(base.prim->dtype, dtype);
      v.kind = RLX_VALUE_STR;
      v.span = ast->span;
      v.string = rlx_store_intern(e->store, dtype, strlen(dtype));
      return v;
    }
    return symbol_attribute(e, ast, &base);
  case RLX_VALUE_SINFO: return sinfo_attribute(e, ast, base.sinfo);
  case RLX_VALUE_LIMITS: return rlx_array_attribute(e, &base, ast->name, ast->span);
  case RLX_VALUE_ARRAY: {
    const char *text = rlx_store_text(e->store, ast->name);
    if (rlx_array_is_method(text)) return method(e, base, ast->name, ast->span);
    return rlx_array_attribute(e, &base, ast->name, ast->span);
  }
  case RLX_VALUE_STR:
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
    if (!rlx_python_has_member(rlx_python_type(e, &base), rlx_store_text(e->store, ast->name)))
      return rlx_refuse_attribute(e, ast, &base);
    return method(e, base, ast->name, ast->span);
  default: return rlx_refuse_attribute(e, ast, &base);
  }
}

/// An integer that int64 does not hold; beyond uint64 it is none that a tensor or a shape has.
static RlxValue big_integer(const RlxAst *ast) {
  uint64_t bits;
  if (!rlx_ast_unsigned(ast, &bits)) return other_value(rlx_big_int_text, ast->span);
  RlxValue v = {.kind = RLX_VALUE_UINT64, .span = ast->span};
  v.integer = (int64_t)bits;
  return v;
}

static RlxValue eval(RlxEval *e, const RlxAst *ast) {
  RlxValue v = {.kind = RLX_VALUE_UNKNOWN, .span = ast->span};
  switch ((RlxAstKind)ast->kind) {
  case RLX_AST_HOLE: return rlx_eval_failed(e, ast->span);
  case RLX_AST_NAME: return rlx_eval_name(e, ast->name, ast->span);
  case RLX_AST_INT:
    if (ast->is_big) return big_integer(ast);
    return rlx_value_of_int(ast->integer, ast->span);
  case RLX_AST_FLOAT: return rlx_value_of_float(ast->number, ast->span);
  case RLX_AST_STRING:
    v.kind = RLX_VALUE_STR;
    v.string = rlx_store_intern(e->store, ast->text, ast->text_size);
    return v;
  case RLX_AST_FSTRING: return rlx_eval_fstring(e, ast);
  case RLX_AST_TRUE: return rlx_value_of_bool(true, ast->span);
  case RLX_AST_FALSE: return rlx_value_of_bool(false, ast->span);
  case RLX_AST_NONE: v.kind = RLX_VALUE_NONE; return v;
  case RLX_AST_ELLIPSIS: return other_value("`...`", ast->span);
  case RLX_AST_BYTES: return other_value("a bytes literal", ast->span);
  case RLX_AST_IMAGINARY: return other_value("a complex number", ast->span);
  case RLX_AST_SET: return other_value("a set", ast->span);
  case RLX_AST_LAMBDA:
    v.kind = RLX_VALUE_LAMBDA;
    v.thing = ast;
    return v;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST: return rlx_eval_list(e, ast);
  case RLX_AST_DICT: return rlx_eval_dict(e, ast);
  case RLX_AST_CALL: return rlx_eval_call(e, ast);
  case RLX_AST_ATTRIBUTE: return attribute(e, ast);
  case RLX_AST_SUBSCRIPT: return rlx_eval_subscript(e, ast);
  case RLX_AST_UNARY: return rlx_eval_unary(e, ast);
  case RLX_AST_BINARY: {
    e->takes_scalar = true;
    RlxValue a = rlx_eval(e, ast->children[0]);
    e->takes_scalar = true;
    RlxValue b = rlx_eval(e, ast->children[1]);
    return rlx_eval_binary(e, ast->op, a, b, ast->span);
  }
  case RLX_AST_BOOL_OP: return rlx_eval_bool_op(e, ast);
  case RLX_AST_COMPARE: return rlx_eval_compare(e, ast);
  case RLX_AST_CONDITIONAL: return rlx_eval_conditional(e, ast);
  case RLX_AST_COMPREHENSION: return rlx_eval_comprehension(e, ast);
  case RLX_AST_NAMED: { // bound for the rest of the statement; the dialect refuses it
    RlxValue value = rlx_eval(e, ast->children[0]);
    if (e->fn && !e->is_signature) // Python itself evaluates a signature
      rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s",
                      "an assignment expression");
    RlxLocal local = {ast->name, value};
    rlx_vec_push(&e->locals, local);
    return value;
  }
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_KEYWORD:
  case RLX_AST_SLICE:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_AWAIT: break;
  case RLX_AST_YIELD: // each expression is compiled by itself, where Python has no place for it
    if (e->fn && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), ast->span, "s", "`yield`");
    break;
  }
  return rlx_eval_failed(e, ast->span);
}

RlxValue rlx_eval_head(RlxEval *e, const RlxAst *ast) {
  if (e->depth >= MAX_DEPTH) return rlx_eval_failed(e, ast->span);
  e->depth++;
  RlxValue v = eval(e, ast);
  e->depth--;
  return v;
}

/// `cfg.hidden` as the script writes it; "" for anything else than names and dots.
static void dotted_text(const RlxStore *store, const RlxAst *ast, RlxBuf *out) {
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    dotted_text(store, ast->children[0], out);
    rlx_buf_puts(out, ".");
  }
  if (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_NAME)
    rlx_buf_puts(out, rlx_store_text(store, ast->name));
}

/// Whether `v` names something inside of an imported module (`config.N`). Python makes it when it
/// runs the module; the module itself (`config`) is no value that a script could mean.
static bool is_imported(const RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_NAMESPACE) return false;
  const char *path = rlx_store_text(e->store, v->string);
  return strchr(path, '.') && !rlx_names_is_vocabulary(path);
}

static void put_span(RlxValue *v, RlxSpan span, int depth) {
  v->span = span;
  for (uint32_t i = 0;
       i < v->count && depth < 8 && (v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT); i++)
    put_span(&v->items[i], span, depth + 1);
}

/// A value of another module as a value of this statement.
static RlxValue copied(RlxEval *e, const RlxValue *value, RlxSpan span) {
  RlxValue v = rlx_value_copy(e->arena, value);
  put_span(&v, span, 0);
  return v;
}

RlxValue rlx_eval(RlxEval *e, const RlxAst *ast) {
  bool takes_scalar = e->takes_scalar;
  e->takes_scalar = false;
  RlxValue v = rlx_eval_head(e, ast);
  if (v.kind == RLX_VALUE_ARRAY && !v.expr->sinfo->ndim && !takes_scalar)
    return rlx_eval_failed(e, ast->span);
  if (!is_imported(e, &v)) return v;
  RlxImportOrigin origin = {0};
  RlxValue known;
  if (e->analyzer->hooks->imported(e->file, rlx_store_text(e->store, v.string), &known, &origin))
    return copied(e, &known, ast->span);
  RlxBuf text = {0};
  dotted_text(e->store, ast, &text);
  hint_unknown(e, rlx_arena_strdup(e->arena, rlx_buf_text(&text)), ast->span);
  rlx_buf_free(&text);
  return rlx_eval_failed(e, ast->span);
}

/// What an annotation stands for: TVM calls a function without parameters, as in
/// `lambda: R.Tensor((2,))`, and makes nothing of a class that it gives.
static RlxValue annotation_value(RlxEval *e, RlxValue v) {
  if (v.kind != RLX_VALUE_LAMBDA || ((const RlxAst *)v.thing)->param_count) return v;
  const RlxValue made = rlx_eval(e, ((const RlxAst *)v.thing)->children[0]);
  return made.kind == RLX_VALUE_WORD ? v : made;
}

/// Whether the annotation is one of PrimFuncs: `T.Buffer((4,), "float32")`, `T.let[T.int32]`,
/// `T.float32[2]`.
static bool is_of_prim_funcs(RlxEval *e, const RlxAst *ast) {
  bool is_call = ast->kind == RLX_AST_CALL, is_subscript = ast->kind == RLX_AST_SUBSCRIPT;
  if ((!is_call && !is_subscript) || !rlx_refuse_may_tell(e) ||
      ast->children[0]->kind != RLX_AST_ATTRIBUTE)
    return false;
  const RlxValue head = rlx_eval_head(e, ast->children[0]);
  if (is_call) // from 0.26 on T.handle(…) is a type
    return head.kind == RLX_VALUE_WORD &&
           (head.integer == RLX_WORD_BUFFER ||
            (head.integer == RLX_WORD_HANDLE && !rlx_eval_is_027(e)));
  if (head.kind == RLX_VALUE_WORD && head.integer == RLX_WORD_PTR) return e->is_signature;
  return head.kind == RLX_VALUE_TFUNC || (head.kind == RLX_VALUE_DTYPE && !head.is_python);
}

const RlxSInfo *rlx_annotation(RlxEval *e, const RlxAst *ast) {
  if (is_of_prim_funcs(e, ast)) {
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s",
                    "an annotation of PrimFuncs");
    return NULL;
  }
  bool was_tainted = e->tainted;
  RlxValue v = annotation_value(e, rlx_eval(e, ast));
  if (rlx_is_unknown_string(&v)) {
    e->tainted = was_tainted;
    if (rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s", "a string");
    e->tainted = true;
    return NULL;
  }
  const RlxSInfo *sinfo = rlx_value_sinfo(e, &v);
  if (e->is_parameter && rlx_value_is_type(&v) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s", "`T.Tuple` of a parameter");
  const bool was_reported = v.kind == RLX_VALUE_EXPR && rlx_expr_is_reported(v.expr);
  if (!sinfo && v.kind != RLX_VALUE_UNKNOWN && !was_reported)
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), ast->span, "s", rlx_value_text(e, &v));
  return sinfo;
}
