/// What a name stands for where a statement uses it, and what is said of one that nothing binds.
/// Always true: a missing name is reported at its first use in a function, and read by whoever it could come to concern.
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/outer.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/spell.h"
#include "base/nearest.h"

void rlx_define_missing(RlxEval *e, RlxName name, RlxSpan span) {
  if (e->fn && e->is_signature && rlx_fn_first_param(e->fn, name) == e->fn->params.count)
    rlx_vec_push(&e->fn->params, ((RlxDef){.name = name,
                                           .stmt = e->fn->stmt,
                                           .span = e->fn->stmt->name_span,
                                           .value = rlx_value_unknown(span),
                                           .is_missing = true}));
  if (!e->env || !e->fn || e->is_signature) return;
  rlx_define(e, name, rlx_value_unknown(span), span);
  rlx_vec_last(&e->defs).is_missing = true;
}

typedef struct Suggest {
  RlxNearest nearest;
  uint32_t place; ///< where the best name of the function is bound
  const RlxInterner *names;
  const uint64_t *letters; ///< of all names
} Suggest;

static void try_name(RlxName name, void *data) {
  Suggest *s = data;
  if (rlx_nearest_may_be(&s->nearest, s->letters[name]))
    rlx_nearest_try(&s->nearest, rlx_name_text(s->names, name));
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
/// names, at every edit. In a file with many functions and names there are fewer, down to none.
static uint32_t few(const RlxEval *e) {
  enum { FEW = 64, BYTES_OF_A_NAME = 64 };
  const uint64_t all = UINT64_C(4000000); // names tried in a file
  uint32_t size = 0;
  rlx_document_text(e->file->document, &size);
  const uint64_t names = (uint64_t)e->file->outer.count + size / BYTES_OF_A_NAME + 1;
  const uint64_t looks = all / names / (e->file->fns.count + 1);
  return looks < FEW ? (uint32_t)looks : FEW;
}

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
  suggest->names = names;
  suggest->letters = letters;
  uint32_t count = e->env ? rlx_interner_count(names) : 0;
  for (RlxName n = 1; n <= count && n < e->env->capacity; n++) {
    const RlxDef *def =
        rlx_nearest_may_be(&suggest->nearest, letters[n]) ? rlx_env_get(e->env, n) : NULL;
    if (def && !def->is_missing) try_definition(suggest, rlx_name_text(names, n), def);
  }
  rlx_outer_each(e->file, e->stmt, try_name, suggest);
}

/// A function of the module that is named without it: meant, and reported.
static RlxValue bare_sibling(RlxEval *e, RlxFn *sibling, const char *text, RlxSpan span) {
  const char *of = rlx_store_text(e->store, e->fn->module->name);
  RlxDiag *diag =
      rlx_eval_is_tlc(e)
          ? NULL
          : rlx_eval_report(e, RLX_DIAG_ID(SIBLING_BARE), span, "sss", text, of,
                            rlx_arena_printf(e->arena, ", or `cls.%s` after `cls = %s`", text, of));
  if (diag)
    rlx_diag_fix(e->sink, diag, "refer to it through the module", span,
                 rlx_arena_printf(e->sink->arena, "%s.%s", of, text));
  RlxValue v = {.kind = RLX_VALUE_FUNCTION, .span = span};
  v.thing = sibling;
  return v;
}

/// A bare name where a dimension of a signature stands: meant as a symbolic one, and reported where that
/// must be a string.
static RlxValue bare_dimension(RlxEval *e, RlxName name, const char *text, RlxSpan span) {
  if (!e->allow_free) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text,
                                    ": a symbolic dimension of a signature is a string");
    const RlxSpan whole = e->role == RLX_ROLE_TERM ? e->dimension : span;
    uint32_t size = 0;
    const char *source = rlx_document_text(e->file->document, &size);
    const char *dimension = rlx_arena_strndup(e->sink->arena, source + e->stmt->start + whole.start,
                                              whole.end - whole.start);
    if (!strpbrk(dimension, "\"'\n\\")) // else it is no expression of names alone
      rlx_diag_fix(e->sink, diag, "make it a string dimension", whole,
                   rlx_arena_printf(e->sink->arena, "\"%s\"", dimension));
  }
  RlxValue v = {.kind = RLX_VALUE_PRIM, .span = span};
  v.prim = rlx_fn_symbol(e, name, RLX_INT64);
  return v;
}

/// `Module.main`, where `name` is that of a function of one module of a session; else NULL. In a file modules do not call each other.
static const char *member_meant(RlxEval *e, RlxName name) {
  const RlxModule *found = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; e->analyzer->settings.is_prompt && i < e->file->modules.count; i++) {
    RlxModule *module = e->file->modules.at[i];
    if (!rlx_module_fn(module, name)) continue;
    found = module;
    count++;
  }
  return count == 1
             ? rlx_arena_printf(e->sink->arena, "%s.%s", rlx_store_text(e->store, found->name),
                                rlx_store_text(e->store, name))
             : NULL;
}

/// A name that nothing binds, and that stands where no name is free: with the name that may be meant.
static RlxValue unbound(RlxEval *e, RlxName name, const char *text, RlxSpan span) {
  const bool is_signature = e->is_signature && e->fn, is_one_of_few = e->missing_count++ < few(e);
  RlxDType dtype;
  const bool is_dtype = rlx_dtype_parse(text, strlen(text), &dtype) && rlx_dtype_known(dtype);
  Suggest suggest = {.nearest = rlx_nearest_start(text)};
  const bool is_told = e->arena != e->file->outer_arena; // a name outside is evaluated in silence
  const char *member = is_one_of_few && !is_dtype && !is_signature ? member_meant(e, name) : NULL;
  if (is_told && is_one_of_few && !is_dtype && !member) suggest_names(e, &suggest);
  const char *meant = member     ? member
                      : is_dtype ? rlx_arena_printf(e->sink->arena, "\"%s\"", text)
                      : suggest.nearest.best
                          ? rlx_arena_strdup(e->sink->arena, suggest.nearest.best)
                          : NULL;
  const char *hint = meant ? rlx_arena_printf(e->arena, "; did you mean `%s`?", meant) : "";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text, hint);
  if (meant)
    rlx_diag_fix(e->sink, diag,
                 is_dtype ? "write the dtype's name"
                          : rlx_arena_printf(e->sink->arena, "change to `%s`", meant),
                 span, meant);
  if (is_signature)
    rlx_define_missing(e, name, span);
  else if (e->fn && is_one_of_few)
    rlx_missing_elsewhere(e, diag, name);
  return rlx_eval_failed(e, span);
}

/// Whether what stands at `span` is an item of a tuple or list in `ast`, or a part of one.
static bool is_in_list(const RlxAst *ast, RlxSpan span, bool is_inside) {
  if (!ast || span.start < ast->span.start || span.end > ast->span.end) return false;
  is_inside |= ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
  if (ast->kind == RLX_AST_NAME) return is_inside;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (is_in_list(ast->children[i], span, is_inside)) return true;
  return false;
}

/// Whether a name is a symbolic variable in tlc-pack's dialect alone: one that R.match_shape binds in a dataflow block
/// above, for there these were not the block's own, or a name that an annotation has as a dimension, which declared it.
static bool is_old_symbol(const RlxEval *e, RlxName name, RlxSpan span,
                          const RlxMissingKept *kept) {
  if (!rlx_eval_is_tlc(e) || !e->fn || e->fn->kind != RLX_ISLAND_RELAX) return false;
  const char *text = rlx_store_text(e->store, name);
  RlxDType dtype;
  if (!kept->block)
    return e->is_annotation && !e->is_callee && !rlx_dtype_parse(text, strlen(text), &dtype) &&
           e->stmt && is_in_list(e->stmt->annotation, span, false);
  const RlxSuite *body = kept->block->body;
  for (uint32_t i = 0; i < body->units.count; i++) {
    const RlxAnalysis *unit = body->units.at[i];
    for (uint32_t k = 0; unit && k < unit->def_count; k++)
      if (unit->defs[k].name == name) return unit->defs[k].value.kind == RLX_VALUE_PRIM;
  }
  return false;
}

static RlxValue undefined(RlxEval *e, RlxName name, RlxSpan span) {
  e->is_volatile = true;
  const char *text = rlx_store_text(e->store, name);
  RlxModule *module = e->fn ? e->fn->module : NULL;
  RlxFn *sibling = module ? rlx_module_fn(module, name) : NULL;
  if (sibling) return bare_sibling(e, sibling, text, span);
  RlxValue bare;
  if (bare_spelling(e, name, span, &bare)) return bare;
  RlxMissingKept kept = rlx_missing_kept(e, name);
  if (is_old_symbol(e, name, span, &kept)) {
    RlxValue v = {.kind = RLX_VALUE_PRIM, .span = span};
    v.prim = rlx_fn_symbol(e, name, RLX_INT64);
    rlx_define(e, name, v, span);
    return v;
  }
  if (kept.is_reported) return rlx_eval_failed(e, span);
  if (kept.block) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(DATAFLOW_LEAK), span, "s", text);
    rlx_missing_leak(e, diag, kept.block, name);
    rlx_define_missing(e, name, span);
    return rlx_eval_failed(e, span);
  }
  if (e->file->has_star_import || rlx_missing_is_broken(e, text, false))
    return rlx_eval_failed(e, span);
  const bool is_dimension = e->role == RLX_ROLE_DIMENSION || e->role == RLX_ROLE_TERM;
  if (e->is_signature && e->fn && (is_dimension || e->allow_free))
    return bare_dimension(e, name, text, span);
  if (e->role == RLX_ROLE_TENSOR) {
    rlx_eval_report(e, RLX_DIAG_ID(NAME_UNDEFINED), span, "ss", text,
                    ": `R.SparseCSR(indptr, indices)` names parameters of the function");
    return rlx_eval_failed(e, span);
  }
  return unbound(e, name, text, span);
}

void rlx_hint_unknown(RlxEval *e, const char *text, RlxSpan span) {
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
    e->tainted |= RLX_FAILED;
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

/// Whether the value of a name is a list or dict with more items than its uses may take; that it is not known is silent.
static bool is_wide(const RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_LIST && v->kind != RLX_VALUE_DICT) return false;
  return rlx_is_wide(e, v->nested > v->count ? v->nested : v->count);
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
  const bool is_told =
      rlx_refuse_may_tell(e) && !e->file->has_string_annotations && e->role != RLX_ROLE_TENSOR;
  return def->value.kind != RLX_VALUE_PRIM && !is_scalar &&
         !(is_told && def->value.kind == RLX_VALUE_EXPR);
}

/// 0.27 takes `n = TypeVar("n")` in a signature, under its own name, for a symbolic variable; to a body that has none of that
/// name it is an object of Python's.
static void check_type_var(RlxEval *e, RlxName name, RlxName symbol, RlxSpan span) {
  if (!rlx_eval_is_027(e) || !rlx_refuse_may_tell(e) || e->fn->kind != RLX_ISLAND_RELAX ||
      e->fn->is_printed || e->analyzer->settings.is_prompt)
    return; // to a session somebody pastes what was printed
  for (const RlxFn *fn = e->fn; fn; fn = fn->outer)
    for (uint32_t i = 0; i < fn->params.count; i++)
      if (fn->params.at[i].name == symbol) return; // reported, or a variable of the signature
  const char *text = rlx_store_text(e->store, symbol), *bound = rlx_store_text(e->store, name);
  if (e->is_signature && name == symbol) return;
  rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), span, "ssss", "TypeVar", "name",
                  rlx_arena_printf(e->arena, "\"%s\"", text),
                  e->is_signature
                      ? rlx_arena_printf(e->arena, "\"%s\", the name that it is bound to", bound)
                      : "a symbolic variable of the signature");
}

/// The value `v` of a name that is bound outside of functions.
static RlxValue of_outer(RlxEval *e, RlxName name, RlxValue v, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  RlxValue bare;
  v.span = span;
  if (strcmp(text, "Object") == 0 && v.kind == RLX_VALUE_NAMESPACE && rlx_eval_is_tlc(e) &&
      bare_spelling(e, name, span, &bare))
    return bare; // tlc-pack's parser knew the word by its name, whatever Python had imported
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
    rlx_hint_unknown(e, text, span);
    e->tainted |= RLX_OPEN;
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
    if (v.is_bare) check_type_var(e, name, symbol, span);
    p.prim = rlx_fn_symbol(e, symbol, rlx_symbol_dtype(&v));
    return p;
  }
  return is_wide(e, &v) ? rlx_eval_failed(e, span) : rlx_value_copy(e->arena, &v);
}

/// Looks the name up among what the function, and those around it, have bound so far. `*out` is where it is used.
static bool find_inside(RlxEval *e, RlxName name, RlxSpan span, RlxValue *out) {
  const RlxValue *local = rlx_locals_get(&e->locals, name);
  if (local) return *out = *local, true;
  if (e->env) {
    rlx_note_read(e, name, false);
    const RlxDef *def = rlx_env_get(e->env, name);
    if (def) return *out = value_of_def(e, def, span), true;
  }
  const RlxEnv *env = e->env ? e->env->parent : e->fn ? e->fn->outer_env : NULL;
  for (; env; env = env->parent) { // captured by a local function
    const RlxDef *def = rlx_env_get(env, name);
    if (!def) continue;
    rlx_note_read(e, name, true);
    rlx_note_captured(e, def, span);
    return *out = value_of_def(e, def, span), true;
  }
  if (e->fn && e->fn->outer)
    rlx_note_read(e, name, true); // the functions around may come to bind it
  if (!e->is_signature || !e->fn) return false;
  for (uint32_t i = rlx_fn_first_param(e->fn, name); i < e->fn->params.count; i++) {
    const RlxDef *param = &e->fn->params.at[i];
    if (param->name == name && is_seen_in_signature(e, param))
      return *out = value_of_def(e, param, span), true;
  }
  return false;
}

RlxValue rlx_eval_name(RlxEval *e, RlxName name, RlxSpan span) {
  RlxValue v;
  if (is_wildcard(e, name)) return rlx_value_unknown(span);
  if (find_inside(e, name, span, &v)) return is_wide(e, &v) ? rlx_eval_failed(e, span) : v;
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
  RlxValue common;
  const bool is_outer = e->analyzer->hooks->outer_value(e->file, e->stmt, name, &v);
  // `def T(…)` that stands below: here T is what was imported.
  const bool is_still_common = is_outer && v.kind == RLX_VALUE_FUNCTION && comes_later(e, &v) &&
                               rlx_names_predefined(&e->analyzer->words, text, &common);
  if (is_outer && !is_still_common) return of_outer(e, name, v, span);
  if (is_still_common) {
    rlx_note_read(e, name, true);
    common.span = span;
    return common;
  }
  if (rlx_names_predefined(&e->analyzer->words, text, &v) && !rlx_missing_import(e, text)) {
    v.span = span;
    return v;
  }
  RlxImportOrigin origin = {0};
  if (e->file->has_star_import && e->analyzer->hooks->imported_star(e->file, name, &v, &origin)) {
    rlx_note_read(e, name, true);
    return is_wide(e, &v) ? rlx_eval_failed(e, span) : rlx_value_copy(e->arena, &v);
  }
  if (rlx_names_is_builtin(text)) {
    v = (RlxValue){.kind = RLX_VALUE_BUILTIN, .span = span};
    v.string = name;
    return v;
  }
  rlx_note_read(e, name, true);
  return undefined(e, name, span);
}
