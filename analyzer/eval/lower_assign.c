/// Assignments to bindings: names, tuples of names, match_casts and the symbolic variables that they define.
/// Always true: a target has a meaning afterwards, tainted where its value was wrong.

#include <string.h>

#include "analyzer/eval/eval_words.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/lower_impl.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/syntax/stmt_text.h"

static void define_var(RlxEval *e, RlxVar *var, RlxSpan span) {
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_VAR, span, var->sinfo);
  x->var = var;
  rlx_define(e, var->name, rlx_value_expr(x), span);
}

/// A variable for a name whose value is not known.
static void define_unknown(RlxEval *e, RlxName name, RlxSpan span, const RlxSInfo *annotation) {
  RlxExpr *value = rlx_expr_hole(e, span);
  RlxVar *var = rlx_bind(e, name, span, value, annotation, span);
  if (annotation && !e->stmt->has_error) var->is_tainted = e->annotation_is_open ? RLX_OPEN : 0;
  define_var(e, var, span);
}

/// Reports a symbolic variable under the name of a module, as `tvm = T.int64()`: TVM's parser knows the names around the function.
static void refuse_module_name(RlxEval *e, RlxName name, RlxSpan span, RlxDType dtype) {
  RlxValue outer;
  char text[RLX_DTYPE_TEXT_MAX];
  if (!rlx_refuse_may_tell(e) || !e->analyzer->hooks->outer_value(e->file, e->stmt, name, &outer) ||
      rlx_python_type(e, &outer) != RLX_PYTHON_MODULE)
    return;
  rlx_note_read(e, name, true);
  rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_REDEFINED), span, "sss", rlx_store_text(e->store, name),
                  "a module", rlx_dtype_text(dtype, text));
}

/// Bare variables of a pattern: a match_cast defines them from here on.
static void bind_symbol(RlxEval *e, RlxName name, RlxValue value, RlxSpan span) {
  RlxName own = (RlxName)(value.integer & 0xffffffff);
  RlxDType dtype = rlx_symbol_dtype(&value);
  const char *text = rlx_store_text(e->store, name);
  if (own && own != name) {
    rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_NAME), span, "ss", rlx_store_text(e->store, own), text);
    own = name;
  }
  rlx_vec_push(&e->reads, name);
  const RlxDef *old = e->env ? rlx_env_get(e->env, name) : NULL;
  char dtype_text[RLX_DTYPE_TEXT_MAX];
  const RlxSInfo *of_old = old && old->value.kind == RLX_VALUE_EXPR ? old->value.expr->sinfo : NULL;
  if (of_old && of_old->kind == RLX_SINFO_PRIM && rlx_eval_is_027(e) &&
      rlx_dtype_equal(of_old->dtype, dtype)) { // a scalar is one among others, and stays what it is
    rlx_define(e, name, old->value, span);
    return;
  }
  if (old && old->value.kind == RLX_VALUE_EXPR && old->value.expr->kind == RLX_EXPR_VAR) {
    rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_REDEFINED), span, "sss", text, "a Relax variable",
                    rlx_dtype_text(dtype, dtype_text));
  } else if (old && old->value.kind == RLX_VALUE_PRIM &&
             !rlx_dtype_equal(old->value.prim->dtype, dtype)) {
    char old_text[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(old->value.prim->dtype, old_text);
    rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_REDEFINED), span, "sss", text,
                    rlx_arena_printf(e->arena, "a symbolic variable of dtype %s", old_text),
                    rlx_dtype_text(dtype, dtype_text));
    rlx_define(e, name, old->value, span);
    return;
  }
  RlxValue v = {.kind = RLX_VALUE_PRIM, .span = span};
  if (!old) refuse_module_name(e, name, span, dtype);
  v.prim =
      old && old->value.kind == RLX_VALUE_PRIM ? old->value.prim : rlx_fn_symbol(e, name, dtype);
  rlx_define(e, name, v, span);
  rlx_vec_last(&e->defs).is_unbound = v.prim->vars && (!old || old->is_unbound);
}

void rlx_lower_symbols(RlxEval *e) {
  const RlxFn *outermost = rlx_fn_outermost(e->fn);
  bool tainted = e->tainted, is_checked = outermost && e->fn->kind == RLX_ISLAND_RELAX &&
                                          outermost->check_well_formed &&
                                          !(e->fn->module && !e->fn->module->check_well_formed);
  if (!e->unbound_uses.count) return;
  RlxMap names = {0}, places = {0}, values = rlx_eval_bound_vars(e);
  for (uint32_t i = 0; i < e->unbound_uses.count; i++) {
    RlxSymbolUse use = e->unbound_uses.at[i];
    const bool is_first = rlx_map_put(&names, use.def->name, 1),
               is_new_place = rlx_map_put(&places, use.span.start, 1);
    if (!is_first) continue;
    // A captured variable is reported once.
    bool bound =
        !is_new_place || rlx_map_get_ptr(&values, rlx_prim_as_var(use.def->value.prim)) != NULL;
    if (!bound && is_checked && !tainted && !rlx_eval_is_tlc(e)) // it had no such check
      rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_UNDEFINED), use.span, "s",
                      rlx_store_text(e->store, use.def->name));
    const RlxDef *there = e->env ? rlx_env_get(e->env, use.def->name) : NULL;
    if (there && there->value.kind == RLX_VALUE_PRIM && there->value.prim != use.def->value.prim)
      continue; // one of the same name that is the function's own
    rlx_define(e, use.def->name, use.def->value, use.span);
    rlx_vec_last(&e->defs).is_value = true;
  }
  rlx_map_free(&names);
  rlx_map_free(&places);
  rlx_map_free(&values);
}

static bool differ_surely(RlxStore *store, const RlxSInfo *a, const RlxSInfo *b) {
  int64_t difference;
  for (int32_t i = 0; i < a->ndim; i++) {
    const RlxPrim *left = rlx_prim_sub(store, a->dims[i], b->dims[i]);
    if (rlx_prim_is_const(rlx_prim_simplify(store, left), &difference) && difference) return true;
  }
  return false;
}

/// Whether TVM's parser refuses a match_cast, too: it looks neither at what is known of symbolic
/// variables nor, for a pattern without dtype, at the rank, and of dimensions only at those whose
/// difference is a number. What can only fail for another reason is a warning.
static bool refuses_cast(RlxEval *e, const RlxSInfo *pattern, const RlxSInfo *value) {
  if (rlx_sinfo_base_check(e->store, NULL, pattern, value, NULL, NULL) != RLX_CHECK_DISJOINT)
    return false;
  const bool have_dims =
      pattern->kind == value->kind && pattern->dims && value->dims && pattern->ndim == value->ndim;
  if (have_dims && pattern->kind == RLX_SINFO_SHAPE) return differ_surely(e->store, pattern, value);
  if (have_dims && pattern->kind == RLX_SINFO_TENSOR &&
      rlx_dtype_equal(pattern->dtype, value->dtype))
    return differ_surely(e->store, pattern, value);
  return pattern->kind != RLX_SINFO_TENSOR || value->kind != RLX_SINFO_TENSOR ||
         rlx_dtype_known(pattern->dtype) || !rlx_dtype_known(value->dtype);
}

/// Whether the dimensions of a pattern that fits its value one by one contradict each other: (k, k)
/// of (3, 4), (a, b, a + b) of (3, 4, 8). Why is appended to `why`; what was learned goes then.
static bool contradicts_itself(RlxEval *e, const RlxSInfo *pattern, const RlxSInfo *value,
                               RlxBuf *why) {
  const uint32_t first = e->learned.count;
  rlx_learn_cast(e, pattern, value, "match_cast");
  const uint32_t count = e->learned.count;
  uint32_t failed = count;
  const RlxFacts *facts = e->facts;
  for (uint32_t i = first; i < count && count - first > 1 && failed == count; i++) {
    const RlxPrim *condition = e->learned.at[i].condition;
    if (i > first && rlx_prove(e->store, facts, condition) == RLX_NO) failed = i;
    RlxFacts *fact = rlx_arena_one(e->arena, RlxFacts);
    *fact = (RlxFacts){facts, condition, "match_cast"};
    facts = fact;
  }
  if (failed == count) return false;
  for (uint32_t i = first; i <= failed; i++) {
    rlx_buf_puts(why, i == first ? "it asks for " : i < failed ? ", " : " and ");
    rlx_prim_tell(e->store, e->learned.at[i].condition, why);
  }
  e->learned.count = first;
  return true;
}

/// The fix that casts to what the value is, where its symbolic variables have names.
static void fix_cast(RlxEval *e, RlxDiag *diag, const RlxSInfo *value, RlxSpan span) {
  enum { MOST = 64 };
  const RlxSymVar *vars[MOST];
  int count = 0;
  rlx_sinfo_vars(value, vars, &count, MOST);
  for (int i = 0; i < count; i++) {
    rlx_note_read(e, vars[i]->name, false);
    const RlxDef *def = vars[i]->is_relax ? NULL : rlx_env_get(e->env, vars[i]->name);
    if (count == MOST || !def || def->value.kind != RLX_VALUE_PRIM) return;
  }
  RlxBuf text = {0};
  RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)e->fn->dialect);
  style.is_argument = true;
  rlx_sinfo_print_styled(e->store, value, &style, &text);
  if (!value->vdevice && span.end > span.start)
    rlx_diag_fix(e->sink, diag, "cast to what the value is", span,
                 rlx_arena_strdup(e->sink->arena, rlx_buf_text(&text)));
  rlx_buf_free(&text);
}

void rlx_lower_cast(RlxEval *e, const RlxTarget *t, const RlxCastPair *pair) {
  const RlxSInfo *annotation = t->annotation;
  RlxCastPair finer = *pair;
  if (pair->is_shape && annotation &&
      rlx_sinfo_base_check(e->store, e->facts, pair->sinfo, annotation, NULL, NULL) ==
          RLX_CHECK_PASS) { // says the dtype, too
    finer.sinfo = annotation;
    pair = &finer;
  }
  RlxExpr *value = rlx_lower_leaf(e, pair->value);
  RlxBuf why = {0};
  const RlxTaint taint = e->tainted;
  e->annotation_is_open |= (taint & RLX_OPEN) != 0;
  bool fails = !(taint & RLX_FAILED) && !rlx_expr_is_unknown(value) &&
               rlx_sinfo_base_check(e->store, e->facts, pair->sinfo, value->sinfo, &why, NULL) ==
                   RLX_CHECK_DISJOINT;
  if (!fails && !e->tainted && !rlx_expr_is_unknown(value)) {
    rlx_buf_clear(&why);
    fails = contradicts_itself(e, pair->sinfo, value->sinfo, &why);
  }
  if (fails && (!taint || refuses_cast(e, pair->sinfo, value->sinfo))) {
    RlxBuf a = {0}, b = {0};
    rlx_sinfo_tell(e->store, value->sinfo, &a);
    rlx_sinfo_tell(e->store, pair->sinfo, &b);
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(MATCH_CAST_DISJOINT), pair->sinfo_span, "sss",
                                    rlx_buf_text(&a), rlx_buf_text(&b), rlx_buf_text(&why));
    if (!refuses_cast(e, pair->sinfo, value->sinfo)) {
      diag->severity = RLX_WARNING;
      e->tainted = taint;
    }
    fix_cast(e, diag, value->sinfo, pair->sinfo_span);
    rlx_buf_free(&a);
    rlx_buf_free(&b);
  }
  rlx_buf_free(&why);
  if (annotation && annotation != pair->sinfo && !e->tainted && !e->annotation_is_open) {
    RlxBuf a = {0}, b = {0};
    rlx_sinfo_tell(e->store, annotation, &a);
    rlx_sinfo_tell(e->store, pair->sinfo, &b);
    e->annotation_failed = true;
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_MISMATCH),
                    e->stmt->annotation ? e->stmt->annotation->span : t->whole, "sss",
                    rlx_buf_text(&a), rlx_buf_text(&b),
                    "a match_cast states its StructInfo itself");
    rlx_buf_free(&a);
    rlx_buf_free(&b);
  }
  RlxVar *var =
      rlx_bind(e, t->name, t->span, value, annotation ? annotation : pair->sinfo, t->whole);
  RlxBinding *binding = rlx_vec_last(&e->bindings);
  binding->kind = RLX_BINDING_MATCH_CAST;
  binding->cast = pair->sinfo;
  binding->annotated = annotation;
  if (t->name) define_var(e, var, t->span);
}

/// Whether a variable of an annotated value has the annotation as it stands, even where more is
/// known.
static bool keeps_annotation(const RlxEval *e, const RlxExpr *value, uint32_t bindings_before) {
  if (e->tainted || e->annotation_failed || e->analyzer->settings.implicit_match_cast ||
      value->kind == RLX_EXPR_HOLE)
    return true;
  return value->kind == RLX_EXPR_CALL && e->bindings.count == bindings_before;
}

/// Whether TVM forgets the annotation of a value unseen: a call has no StructInfo before normal
/// form, so `emit` compares nothing and writes the annotation into the value, and normalizing a
/// value with nested operands makes it anew.
static bool drops_annotation(const RlxEval *e, const RlxExpr *value, uint32_t bindings_before) {
  bool has_call = value->kind == RLX_EXPR_CALL;
  for (uint32_t i = bindings_before; i < e->bindings.count && !has_call; i++)
    has_call = e->bindings.at[i]->value->kind == RLX_EXPR_CALL;
  return has_call && e->bindings.count > bindings_before;
}

/// Mistakes on the first line of a call that begins on a later line than its statement, behind a
/// long annotation, are reported where the statement begins, and their place becomes a related one.
/// A name that is wrong by itself is shown as it stands.
static void report_at_name(RlxEval *e, RlxSpan call, RlxSpan name) {
  uint32_t size = 0;
  const char *text = rlx_document_text(e->file->document, &size);
  uint32_t start = e->stmt->start + name.end, end = e->stmt->start + call.start;
  if (end <= start || end > size || !memchr(text + start, '\n', end - start)) return;
  for (uint32_t i = 0; i < e->sink->diags.count; i++) {
    RlxDiag *diag = e->sink->diags.at[i];
    if (diag->span.start < call.start || e->stmt->start + diag->span.start > size ||
        strncmp(rlx_diag_row(diag->id)->code, "RLX02", 5) == 0)
      continue;
    if (memchr(text + end, '\n', diag->span.start - call.start)) continue;
    RlxSpan place = diag->span;
    diag->span = name;
    rlx_diag_related(e->sink, diag, e->stmt, place, "here");
  }
}

/// Whether TVM takes the value for that of a symbolic variable of the signature: an integer that
/// needs nothing of the function, or a list of one.
static bool is_size(const RlxValue *v) {
  const bool is_shape = v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_SHAPE;
  if (is_shape && v->expr->sinfo->ndim == 1) return !v->expr->sinfo->dims[0]->vars;
  if (v->kind == RLX_VALUE_LIST) return v->count == 1 && is_size(&v->items[0]);
  return v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_SYMDECL ||
         (v->kind == RLX_VALUE_PRIM && !v->prim->vars);
}

/// A Relax variable must not take the name of a symbolic variable of the signature, except inside
/// of blocks and branches: TVM's parser looks through the statements of the function itself, and at
/// assignments to names without annotation alone. It evaluates them before there is a parameter.
static void check_rebound(RlxEval *e, RlxName name, const RlxValue *value, RlxSpan span) {
  if (e->fn->kind != RLX_ISLAND_RELAX || e->stmt->block != e->fn->stmt->body ||
      e->stmt->annotation || e->stmt->target_count != 1 ||
      e->stmt->targets[0]->kind != RLX_AST_NAME || rlx_eval_is_tlc(e) || rlx_eval_is_027(e))
    return;
  if (e->tainted || value->kind == RLX_VALUE_UNKNOWN || is_size(value)) return;
  bool is_symbol = false;
  for (uint32_t i = rlx_fn_first_param(e->fn, name); i < e->fn->params.count; i++) {
    const RlxDef *def = &e->fn->params.at[i];
    if (def->name != name) continue;
    if (def->value.kind == RLX_VALUE_EXPR) return; // a parameter
    const RlxSymVar *var =
        def->value.kind == RLX_VALUE_PRIM ? rlx_prim_as_var(def->value.prim) : NULL;
    is_symbol = is_symbol || (var && var->name == name && !var->is_relax);
  }
  if (is_symbol)
    rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_REBOUND), span, "s", rlx_store_text(e->store, name));
}

/// A Python number annotated as a scalar of 0.27: an int or a bool becomes an IntImm of the dtype, a float a
/// FloatImm (relax.prim_value), which hold nothing else; reported is what they refuse.
static RlxExpr *scalar_of(RlxEval *e, const RlxTarget *t, const RlxValue *number, RlxDType dtype) {
  const bool is_real = number->kind == RLX_VALUE_FLOAT;
  const bool is_other = rlx_dtype_known(dtype) && rlx_dtype_is_float(dtype) != is_real;
  if ((is_other || rlx_word_out_of_range(number, dtype, true)) && rlx_refuse_may_tell(e)) {
    RlxBuf stated = {0};
    rlx_sinfo_tell(e->store, t->annotation, &stated);
    rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_MISMATCH), t->annotation_span, "sss",
                    rlx_buf_text(&stated), rlx_value_text(e, number),
                    is_other ? is_real ? "a float is a floating-point scalar"
                                       : "an int is an integer scalar"
                             : "the dtype does not hold it");
    rlx_buf_free(&stated);
  }
  RlxValue v = {.kind = RLX_VALUE_PRIM, .span = number->span};
  if (rlx_dtype_is_float(dtype) || number->kind == RLX_VALUE_FLOAT)
    v.prim = rlx_prim_float(
        e->store, number->kind == RLX_VALUE_FLOAT ? number->number : (double)number->integer,
        rlx_dtype_known(dtype) ? dtype : RLX_FLOAT64);
  else
    v.prim = rlx_prim_int_typed(e->store,
                                number->kind == RLX_VALUE_BOOL ? number->boolean : number->integer,
                                rlx_dtype_known(dtype) ? dtype : RLX_INT64);
  return rlx_expr_of(e, &v);
}

/// Of a packed function that is given its result, tlc-pack's calls need not say the dtype: it is
/// what the annotation declares.
static void take_declared_dtype(RlxEval *e, RlxExpr *x, const RlxSInfo *annotation) {
  const RlxSInfo *s = x->sinfo;
  if (x->kind != RLX_EXPR_CALL || !x->call->row || x->call->row->id != RLX_OP_ID(call_dps_packed) ||
      s->kind != RLX_SINFO_TENSOR || annotation->kind != RLX_SINFO_TENSOR ||
      rlx_dtype_known(s->dtype))
    return;
  x->sinfo =
      s->dims ? rlx_sinfo_tensor(e->store, s->dims, s->ndim, annotation->dtype, s->vdevice)
      : s->shape_var
          ? rlx_sinfo_tensor_of(e->store, s->shape_var, s->ndim, annotation->dtype, s->vdevice)
          : rlx_sinfo_tensor_ndim(e->store, s->ndim, annotation->dtype, s->vdevice);
}

/// `m: R.Prim("int64") = T.int64()`: from 0.26 on a declaration's annotation is its type.
static void check_declared(RlxEval *e, const RlxTarget *t, RlxDType dtype) {
  if (t->annotation->kind == RLX_SINFO_PRIM && rlx_dtype_equal(t->annotation->dtype, dtype)) return;
  RlxBuf stated = {0}, value = {0};
  rlx_sinfo_tell(e->store, t->annotation, &stated);
  rlx_sinfo_tell(e->store, rlx_sinfo_prim(e->store, dtype, NULL), &value);
  rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_MISMATCH), t->annotation_span, "sss",
                  rlx_buf_text(&stated), rlx_buf_text(&value),
                  "a symbolic variable is declared with its dtype");
  rlx_buf_free(&stated);
  rlx_buf_free(&value);
}

/// What the statement assigns to the name, as it is written; NULL: nothing by itself.
static const RlxAst *written_for(const RlxAst *target, const RlxAst *value, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name ? value : NULL;
  const bool are_lists = (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) &&
                         (value->kind == RLX_AST_TUPLE || value->kind == RLX_AST_LIST) &&
                         target->child_count == value->child_count;
  const RlxAst *found = NULL;
  for (uint32_t i = 0; are_lists && i < target->child_count && !found; i++)
    found = written_for(target->children[i], value->children[i], name);
  return found;
}

/// Whether the statement declares the name: `n = T.int64()`, letter by letter. From 0.26 on what another expression gives is
/// assigned like any value, and a new variable has none. Source: is_symbolic_var_declaration of TVM's parser.
static bool is_declared(const RlxEval *e, RlxName name) {
  const RlxStmt *stmt = e->stmt;
  const RlxAst *value = stmt->value && stmt->target_count == 1
                            ? written_for(stmt->targets[0], stmt->value, name)
                            : NULL;
  const RlxAst *head = value && value->kind == RLX_AST_CALL ? value->children[0] : NULL;
  return head && value->child_count == 1 && head->kind == RLX_AST_ATTRIBUTE &&
         head->children[0]->kind == RLX_AST_NAME &&
         strcmp(rlx_store_text(e->store, head->children[0]->name), "T") == 0;
}

/// What a value is to a binding, in `*out`; NULL: nothing that a variable can have. False: the name
/// is defined already, and nothing is bound.
static bool value_of_target(RlxEval *e, const RlxTarget *t, RlxValue value, RlxExpr **out) {
  const RlxSInfo *annotation = t->annotation;
  *out = NULL;
  switch (value.kind) {
  case RLX_VALUE_SYMDECL:
    if (rlx_eval_is_027(e) && rlx_refuse_may_tell(e) && !is_declared(e, t->name))
      rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_UNDEFINED), value.span.end ? value.span : t->span, "s",
                      rlx_store_text(e->store, t->name));
    if (annotation && rlx_eval_is_027(e) && rlx_refuse_may_tell(e))
      check_declared(e, t, rlx_symbol_dtype(&value));
    bind_symbol(e, t->name, value, t->span);
    return false;
  case RLX_VALUE_CLASS: rlx_define(e, t->name, value, t->span); return false;
  case RLX_VALUE_CAST: rlx_lower_cast(e, t, value.thing); return false;
  case RLX_VALUE_PRIM: {
    if (rlx_eval_is_027(e)) { // a binding like others
      *out = rlx_expr_of(e, &value);
      return true;
    }
    const RlxSymVar *var = rlx_prim_as_var(value.prim);
    if (var && var->name != t->name && !value.is_bare)
      rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_NAME), t->span, "ss",
                      rlx_store_text(e->store, var->name), rlx_store_text(e->store, t->name));
    // a number or expression under a name, as in `half = n // 2`: no binding
    rlx_define(e, t->name, value, t->span);
    return false;
  }
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_BOOL:
    *out = rlx_eval_is_027(e) && annotation && annotation->kind == RLX_SINFO_PRIM
               ? scalar_of(e, t, &value, annotation->dtype)
               : rlx_expr_constant(e, &value, rlx_dtype_unknown(), value.span);
    return true;
  case RLX_VALUE_LIST: // s: R.Shape = (n, m)
    *out = annotation && annotation->kind == RLX_SINFO_SHAPE && rlx_eval_is_tlc(e)
               ? rlx_expr_shape(e, &value, value.span)
               : rlx_expr_of(e, &value);
    return true;
  case RLX_VALUE_METHOD:
  case RLX_VALUE_FUNCTION:
  case RLX_VALUE_STR:
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: *out = rlx_expr_of(e, &value); return true;
  case RLX_VALUE_STATEMENT:
    if (rlx_python_type(e, &value) == RLX_PYTHON_NONE) { // TVM notices what is written as None
      rlx_define(e, t->name, (RlxValue){.kind = RLX_VALUE_NONE, .span = t->span}, t->span);
      return false;
    }
    if (rlx_word_opens_frame((RlxWord)value.integer))
      rlx_define(e, t->name, value, t->span); // for `with d:`
    else
      define_unknown(e, t->name, t->span, annotation);
    return false;
  case RLX_VALUE_VDEVICE: // a Python object that calls take
  case RLX_VALUE_UNKNOWN:
    if (rlx_is_unknown_string(&value) && !annotation &&
        rlx_script_names_cover((RlxDialect)e->fn->dialect))
      rlx_define(e, t->name, value, t->span); // a string all the same
    else
      define_unknown(e, t->name, t->span, annotation);
    return false;
  default: return true;
  }
}

/// A value that exists while the script is read alone: the parser keeps it under the name, and nothing is bound. What a lambda stands
/// for hangs on the statement around it, so behind it nothing but that it is one is known.
static RlxValue kept_value(const RlxValue *value, RlxSpan span) {
  switch ((int)value->kind) {
  case RLX_VALUE_NONE:
  case RLX_VALUE_DICT:
  case RLX_VALUE_SINFO:
  case RLX_VALUE_NAMESPACE:
  case RLX_VALUE_OP:
  case RLX_VALUE_WORD:
  case RLX_VALUE_DTYPE:
  case RLX_VALUE_TFUNC:
  case RLX_VALUE_METHOD: // x.shape
  case RLX_VALUE_OTHER:
  case RLX_VALUE_BUILTIN: return *value;
  case RLX_VALUE_LAMBDA:
    return (RlxValue){.kind = RLX_VALUE_OTHER, .span = span, .text = rlx_lambda_text};
  default: return rlx_value_unknown(span);
  }
}

/// Binds a name to a value, as TVM's bind_assign_value.
static void assign_name(RlxEval *e, const RlxTarget *t, RlxValue value) {
  const RlxSInfo *annotation = t->annotation;
  RlxExpr *x;
  check_rebound(e, t->name, &value, t->span);
  if (!value_of_target(e, t, value, &x)) return;
  e->is_volatile |=
      !x; // in a broken file it is the rest of a call, `y = R.add`, as `n = T.int64(` is
  if (!x && (e->tainted || e->stmt->has_error || e->file->broken_places)) {
    define_unknown(e, t->name, t->span, annotation);
    return;
  }
  const bool is_no_constant =
      value.kind == RLX_VALUE_OTHER && value.text &&
      (value.text == rlx_big_int_text || !strcmp(value.text, "a complex number"));
  if (!x && ((value.kind == RLX_VALUE_LIST && value.is_tuple) ||
             is_no_constant)) { // which the parser makes one of Relax
    rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), value.span.end ? value.span : t->whole, "s",
                    rlx_value_text(e, &value));
    define_unknown(e, t->name, t->span, annotation);
    return;
  }
  if (!x) {
    rlx_define(e, t->name, kept_value(&value, t->span), t->span);
    return;
  }
  const uint32_t before = e->bindings.count;
  const bool is_python =
      (value.kind == RLX_VALUE_STR || (value.kind == RLX_VALUE_LIST && !value.is_tuple)) &&
      rlx_refuse_may_tell(e);
  x = rlx_lower_value(e, x);
  if (is_python) { // it stays Python's: nothing is bound, and its annotation is not looked at
    rlx_define(e, t->name, value, t->span);
    return;
  }
  if (annotation && rlx_eval_is_tlc(e)) take_declared_dtype(e, x, annotation);
  if (x->kind == RLX_EXPR_CALL && annotation) report_at_name(e, x->call->name_span, t->span);
  bool says_nothing =
      rlx_eval_is_tlc(e) && x->kind == RLX_EXPR_CALL &&
      x->sinfo->kind == RLX_SINFO_OBJECT; // a packed function's result is what it is declared
  const bool is_dropped = drops_annotation(e, x, before);
  const RlxPolicy policy =
      annotation && !says_nothing
          ? rlx_policy_annotation(e, annotation, x, t->annotation_span, is_dropped)
          : RLX_POLICY_FINE;
  const bool cast = policy == RLX_POLICY_CAST;
  const RlxSInfo *stated = policy == RLX_POLICY_DROPPED ? x->sinfo : annotation;
  // TVM's `emit` writes an annotation into a call alone, and its normal form makes a call with
  // nested operands anew.
  if (stated == annotation && stated && !cast && !keeps_annotation(e, x, before))
    stated = rlx_policy_complete(e->store, x->sinfo, annotation);
  if (cast && !rlx_expr_is_leaf(x)) {
    RlxVar *inner = rlx_bind(e, 0, rlx_span(x->span.start, x->span.start), x, NULL, x->span);
    x = rlx_expr_var(e, inner, x->span);
  }
  RlxVar *var = rlx_bind(e, t->name, t->span, x, annotation, t->whole);
  if (stated) {
    var->sinfo = stated;
    var->content = rlx_content_of(e, stated, x);
  }
  if (cast) {
    RlxBinding *binding = rlx_vec_last(&e->bindings);
    binding->kind = RLX_BINDING_MATCH_CAST;
    binding->cast = annotation;
    rlx_learn_cast(e, annotation, x->sinfo, "checked annotation");
  }
  define_var(e, var, t->span);
}

static void assign(RlxEval *e, const RlxAst *target, RlxValue value, const RlxSInfo *annotation,
                   RlxSpan annotation_span, RlxSpan whole);

/// The fix binds the call to a name of its own first.
static void report_unpack_call(RlxEval *e, const RlxAst *target) {
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(UNPACK_CALL), target->span, "");
  const RlxAst *value = e->stmt->value;
  uint32_t size = 0, start = e->stmt->start;
  const char *text = rlx_document_text(e->file->document, &size);
  if (e->stmt->kind != RLX_STMT_ASSIGN || e->stmt->targets[0] != target ||
      start + value->span.end > size)
    return;
  const char *name = "fields";
  RlxName id = rlx_store_intern(e->store, name, strlen(name));
  if (rlx_env_get(e->env, id)) return;
  RlxBuf first = {0};
  rlx_buf_printf(&first, "%s = %.*s", name, (int)(value->span.end - value->span.start),
                 text + start + value->span.start);
  rlx_put_break(&first, text, e->stmt);
  rlx_diag_fix(e->sink, diag, "bind the call to a variable first", rlx_span(0, 0),
               rlx_buf_text(&first));
  rlx_diag_fix_edit(e->sink, diag, value->span, name);
  rlx_buf_free(&first);
}

/// `a, *b = x, y, z`: the values as many as the targets, with a list of what the star takes. False:
/// no star among the targets, or too few values.
static bool gather_star(RlxEval *e, const RlxAst *target, RlxValue *value) {
  uint32_t star = 0, count = target->child_count;
  while (star < count && target->children[star]->kind != RLX_AST_STARRED) star++;
  RlxExpr *x = value->kind == RLX_VALUE_EXPR ? value->expr : NULL;
  bool is_tuple = x && x->kind == RLX_EXPR_VAR && x->sinfo->kind == RLX_SINFO_TUPLE;
  uint32_t given = is_tuple ? (uint32_t)x->sinfo->count : value->count;
  if (star == count || (!is_tuple && value->kind != RLX_VALUE_LIST) || given + 1 < count)
    return false;
  if (is_tuple && rlx_is_wide(e, given)) {
    *value = rlx_eval_failed(e, value->span);
    return false;
  }
  RlxValue *items = rlx_arena_array(e->arena, RlxValue, given + 1);
  for (uint32_t i = 0; i < given; i++)
    items[i] = is_tuple ? rlx_value_expr(rlx_expr_get(e, x, i, value->span, value->span))
                        : value->items[i];
  const uint32_t taken = given + 1 - count;
  RlxValue *all = rlx_arena_array(e->arena, RlxValue, count);
  for (uint32_t i = 0; i < count; i++) all[i] = items[i < star ? i : i - 1 + taken];
  all[star] = (RlxValue){.kind = RLX_VALUE_LIST, .span = value->span, .count = taken};
  all[star].items = items + star;
  *value = (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .span = value->span};
  value->count = count;
  value->items = all;
  return true;
}

/// A shape that is written out is a list of its dimensions to Python, as `*` takes it; a string one of its letters.
static RlxValue as_dimensions(RlxEval *e, RlxValue value) {
  if (value.kind == RLX_VALUE_STR) return rlx_letters(e, &value);
  if (value.kind != RLX_VALUE_EXPR || value.expr->kind != RLX_EXPR_SHAPE) return value;
  RlxValue list = {.kind = RLX_VALUE_LIST, .is_tuple = true, .span = value.span};
  list.count = (uint32_t)value.expr->dim_count;
  list.items = rlx_arena_array(e->arena, RlxValue, list.count ? list.count : 1);
  for (uint32_t i = 0; i < list.count; i++)
    list.items[i] = rlx_value_of_prim(value.expr->dims[i], value.span);
  return list;
}

static void assign_fields(RlxEval *e, const RlxAst *target, RlxValue value, RlxSpan whole) {
  uint32_t count = target->child_count;
  value = as_dimensions(e, value);
  if (gather_star(e, target, &value)) {
    for (uint32_t i = 0; i < count; i++)
      assign(e, target->children[i], value.items[i], NULL, whole, whole);
    return;
  }
  if (value.kind == RLX_VALUE_LIST) {
    if (value.count != count)
      rlx_eval_report(e, RLX_DIAG_ID(UNPACK_COUNT), target->span, "ii", (int)count,
                      (int)value.count);
    for (uint32_t i = 0; i < count; i++)
      assign(e, target->children[i], i < value.count ? value.items[i] : rlx_value_unknown(whole),
             NULL, whole, whole);
    return;
  }
  if (value.kind != RLX_VALUE_EXPR || rlx_expr_is_unknown(value.expr)) {
    if (value.kind != RLX_VALUE_UNKNOWN && value.kind != RLX_VALUE_EXPR && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), value.span, "s", rlx_value_text(e, &value));
    for (uint32_t i = 0; i < count; i++)
      assign(e, target->children[i], rlx_value_unknown(whole), NULL, whole, whole);
    return;
  }
  RlxExpr *x = value.expr;
  if (x->sinfo->kind == RLX_SINFO_TUPLE && (uint32_t)x->sinfo->count != count) {
    rlx_eval_report(e, RLX_DIAG_ID(UNPACK_COUNT), target->span, "ii", (int)count,
                    (int)x->sinfo->count);
    for (uint32_t i = 0; i < count; i++)
      assign(e, target->children[i], rlx_value_unknown(whole), NULL, whole, whole);
    return;
  }
  if ((x->kind == RLX_EXPR_CALL || x->kind == RLX_EXPR_HOLE) && !e->tainted) {
    report_unpack_call(e, target);
    e->tainted = 0; // meant as it is written: go on with the fields
  }
  RlxExpr *tuple = rlx_lower_leaf(e, x);
  for (uint32_t i = 0; i < count; i++) {
    RlxExpr *field = rlx_expr_get(e, tuple, i, target->children[i]->span, whole);
    assign(e, target->children[i], rlx_value_expr(field), NULL, whole, whole);
  }
}

static void assign(RlxEval *e, const RlxAst *target, RlxValue value, const RlxSInfo *annotation,
                   RlxSpan annotation_span, RlxSpan whole) {
  if (target->kind == RLX_AST_STARRED) target = target->children[0];
  if (target->kind == RLX_AST_NAME) {
    RlxTarget t = {target->name, target->span, annotation, annotation_span, whole};
    assign_name(e, &t, value);
    return;
  }
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    assign_fields(e, target, value, whole);
    return;
  }
  if (target->kind != RLX_AST_HOLE)
    rlx_eval_report(e, RLX_DIAG_ID(TARGET_INVALID), target->span, "s", "this expression");
}

/// A name stands once among the targets, `_` as well.
static void check_names(RlxEval *e, const RlxAst *target) {
  const RlxAst *again = e->tainted ? NULL : rlx_ast_name_again(target);
  if (!again) return;
  rlx_eval_report(e, RLX_DIAG_ID(TARGET_INVALID), again->span, "s",
                  rlx_arena_printf(e->arena, "`%s` twice in one statement",
                                   rlx_store_text(e->store, again->name)));
  e->tainted = 0; // the values are what they are
}

void rlx_lower_assign(RlxEval *e, const RlxStmt *stmt) {
  RlxSpan whole = rlx_span(0, stmt->head_size);
  const RlxSInfo *annotation = NULL;
  bool tainted_by_annotation = false;
  if (stmt->kind == RLX_STMT_ANNOTATED && stmt->annotation) {
    RlxTaint before = e->tainted;
    e->is_annotation = true;
    annotation = rlx_annotation(e, stmt->annotation);
    e->is_annotation = false;
    tainted_by_annotation = (e->tainted & RLX_FAILED) && !before;
    e->annotation_is_open = (e->tainted & RLX_OPEN) != 0;
    if (!tainted_by_annotation) e->tainted = before;
    if (annotation && e->analyzer->settings.implicit_match_cast)
      rlx_vec_push(&e->patterns, annotation);
  }
  if (!stmt->value) {
    if (stmt->kind != RLX_STMT_ANNOTATED) return;
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), whole, "s",
                    "an annotation without a value");
    if (stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME)
      define_unknown(e, stmt->targets[0]->name, stmt->targets[0]->span, annotation);
    return;
  }
  e->is_meta = false;
  RlxValue value = rlx_eval(e, stmt->value);
  const bool is_meta = e->is_meta && stmt->targets[0]->kind == RLX_AST_NAME;
  if (stmt->target_count > 1)
    rlx_eval_report(
        e, RLX_DIAG_ID(TARGET_INVALID),
        rlx_span(stmt->targets[0]->span.start, stmt->targets[stmt->target_count - 1]->span.end),
        "s", "a chain of targets");
  if (tainted_by_annotation && annotation) annotation = NULL;
  for (uint32_t i = 0; i < stmt->target_count; i++) {
    check_names(e, stmt->targets[i]);
    if (is_meta) rlx_define(e, stmt->targets[i]->name, value, stmt->targets[i]->span);
    if (is_meta) continue;
    assign(e, stmt->targets[i], value, annotation,
           stmt->annotation ? stmt->annotation->span : whole, whole);
  }
}
