/// The annotation policy (spec 1.4): what a variable has when the script says one thing and
/// deduction another.
/// Always true: an annotated variable has its annotation, completed by what is known of its value;
/// only an annotation that no value can fit is an error.
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/struct_info/sinfo_memo.h"
#include "base/mem.h"

/// Sharding rules are not deduced: a distributed annotation of a plain tensor is taken as it is.
static bool holds_distributed(const RlxSInfo *a, const RlxSInfo *b, RlxSInfoMemo *memo) {
  const RlxSInfo *other = a->kind == RLX_SINFO_DTENSOR ? b : a;
  if (a->kind == RLX_SINFO_DTENSOR || b->kind == RLX_SINFO_DTENSOR)
    return other->kind == RLX_SINFO_DTENSOR || other->kind == RLX_SINFO_TENSOR ||
           other->kind == RLX_SINFO_OBJECT;
  if (rlx_sinfo_meet_again(memo, a, b)) return false;
  if (a->kind == RLX_SINFO_TUPLE && b->kind == RLX_SINFO_TUPLE && a->count == b->count)
    for (int32_t i = 0; i < a->count; i++)
      if (holds_distributed(a->fields[i], b->fields[i], memo)) return true;
  return false;
}

static bool is_distributed(const RlxSInfo *a, const RlxSInfo *b) {
  RlxSInfoMemo memo = {0};
  bool found = holds_distributed(a, b, &memo);
  rlx_sinfo_memo_free(&memo);
  return found;
}

/// Whether sharding alone may tell the two apart: it is not deduced. Of two distributed tensors the tensors themselves are compared, as TVM does, and
/// what is distributed is no plain tensor.
static bool is_undecided(const RlxSInfo *annotated, const RlxSInfo *deduced) {
  const bool is_both = annotated->kind == RLX_SINFO_DTENSOR && deduced->kind == RLX_SINFO_DTENSOR;
  const bool is_plain = annotated->kind == RLX_SINFO_TENSOR && deduced->kind == RLX_SINFO_DTENSOR;
  return !is_both && !is_plain && is_distributed(annotated, deduced);
}

static bool holds_stand_in(const RlxPrim *p) {
  enum { MOST = 16 };
  const RlxSymVar *vars[MOST];
  int count = 0;
  if (p) rlx_prim_vars(p, vars, &count, MOST);
  for (int i = 0; i < count; i++)
    if (vars[i]->is_stand_in) return true;
  return false;
}

/// Whether the first two values that are apart are so for what Python alone knows.
static bool is_apart_for_python(const RlxSInfoApart *apart) {
  return holds_stand_in(apart->expected) || holds_stand_in(apart->actual);
}

/// Which operator gave the value, and of what.
static void blame_value(RlxEval *e, RlxDiag *diag, const RlxExpr *value) {
  if (value->kind != RLX_EXPR_CALL || !value->call->row) return;
  const RlxCall *call = value->call;
  rlx_diag_related(e->sink, diag, e->stmt, call->name_span.end ? call->name_span : call->span,
                   rlx_arena_printf(e->arena, "the value is the result of %s",
                                    rlx_op_spelling(e->arena, call->row)));
  rlx_blame_operands(e->store, e->sink, diag, call);
}

/// The StructInfo as the function's dialects write it; false: it is too long to be
/// offered, or can't be written.
static bool write_in_dialect(RlxEval *e, const RlxSInfo *s, bool is_argument, RlxBuf *out) {
  if (!rlx_sinfo_print_upto(e->store, s, RLX_SINFO_TOLD_MAX, out) ||
      memchr(rlx_buf_text(out), '{', out->size)) // which stands for a number of Python's
    return false;
  RlxSInfoStyle style = rlx_fn_annotation_style(e->fn);
  style.is_argument |= is_argument;
  rlx_buf_clear(out);
  rlx_sinfo_print_styled(e->store, s, &style, out);
  return true;
}

/// Whether the dialects write both alike: of a scalar 0.27 states the dtype, never the value.
static bool is_written_alike(RlxEval *e, const RlxSInfo *a, const RlxSInfo *b) {
  RlxBuf one = {0}, other = {0};
  const bool is_alike = write_in_dialect(e, a, true, &one) &&
                        write_in_dialect(e, b, true, &other) &&
                        strcmp(rlx_buf_text(&one), rlx_buf_text(&other)) == 0;
  rlx_buf_free(&one);
  rlx_buf_free(&other);
  return is_alike;
}

/// A fix that writes the deduced StructInfo for the annotation, unless it is longer than what is told
/// of one: thousands of lines may have the same long one.
static void offer_deduced(RlxEval *e, RlxDiag *diag, const char *title, RlxSpan span,
                          const RlxSInfo *deduced) {
  RlxBuf text = {0};
  if (write_in_dialect(e, deduced, false, &text))
    rlx_diag_fix(e->sink, diag, title, span, rlx_arena_strdup(e->sink->arena, rlx_buf_text(&text)));
  rlx_buf_free(&text);
}

/// Whether a list of Python stands among the fields of a tuple.
static bool has_list(const RlxAst *tuple) {
  for (uint32_t i = 0; i < tuple->child_count; i++) {
    const RlxAst *field = tuple->children[i];
    if (field->kind == RLX_AST_LIST || (field->kind == RLX_AST_TUPLE && has_list(field)))
      return true;
  }
  return false;
}

/// Makes the tuples in a tuple expressions of Relax, too.
static void fix_fields(RlxEval *e, RlxDiag *diag, const RlxAst *tuple) {
  for (uint32_t i = 0; i < tuple->child_count; i++) {
    const RlxAst *field = tuple->children[i];
    if (field->kind != RLX_AST_TUPLE) continue;
    rlx_diag_fix_edit(e->sink, diag, rlx_span(field->span.start, field->span.start), "R.tuple");
    fix_fields(e, diag, field);
  }
}

/// The fix that writes the check out: `y: A = e` becomes `y = R.match_cast(e, A)`.
static void fix_match_cast(RlxEval *e, RlxDiag *diag, const char *annotation) {
  const RlxStmt *stmt = e->stmt;
  if (stmt->kind != RLX_STMT_ANNOTATED || stmt->target_count != 1 || !stmt->annotation ||
      !stmt->value)
    return;
  uint32_t size, at = stmt->start + stmt->annotation->span.end, end = stmt->start + stmt->head_size;
  const char *text = rlx_document_text(e->file->document, &size);
  while (at < end && at < size && text[at] != '=') at++;
  if (at >= end || at >= size) return;
  RlxSpan between = rlx_span(stmt->targets[0]->span.end, at + 1 - stmt->start);
  if (memchr(text + stmt->start + between.start, '\n', between.end - between.start)) return;
  uint32_t last = stmt->head_size;
  if (stmt->start + between.end < size && text[stmt->start + between.end] == ' ') between.end++;
  const bool is_tuple = stmt->value->kind == RLX_AST_TUPLE;
  if (is_tuple && has_list(stmt->value)) return;
  bool is_open = is_tuple && !stmt->value->is_parenthesized;
  rlx_diag_fix(e->sink, diag, "check it with `R.match_cast`", between,
               is_open    ? " = R.match_cast(R.tuple("
               : is_tuple ? " = R.match_cast(R.tuple"
                          : " = R.match_cast(");
  if (is_tuple) fix_fields(e, diag, stmt->value);
  rlx_diag_fix_edit(e->sink, diag, rlx_span(last, last),
                    rlx_arena_printf(e->arena, "%s, %s)", is_open ? ")" : "", annotation));
}

RlxPolicy rlx_policy_annotation(RlxEval *e, const RlxSInfo *annotated, RlxExpr *value,
                                RlxSpan annotation_span, bool is_dropped) {
  const RlxSInfo *deduced = value->sinfo;
  if (rlx_eval_has_unbound(e) && !e->analyzer->settings.implicit_match_cast)
    return RLX_POLICY_FINE; // a variable without a value: reported by itself
  if (rlx_expr_is_unknown(value) || (e->tainted & RLX_FAILED) || annotated == deduced ||
      rlx_expr_is_unknown_constant(value) || is_undecided(annotated, deduced))
    return RLX_POLICY_FINE;
  RlxBuf why = {0};
  RlxSInfoApart apart = {0};
  const bool is_sharded = annotated->kind == RLX_SINFO_DTENSOR;
  RlxBaseCheck check =
      rlx_sinfo_base_check(e->store, e->facts, is_sharded ? annotated->tensor : annotated,
                           is_sharded ? deduced->tensor : deduced, &why, &apart);
  bool finer =
      check == RLX_CHECK_PASS && !is_sharded &&
      rlx_sinfo_base_check(e->store, e->facts, deduced, annotated, NULL, NULL) != RLX_CHECK_PASS &&
      !is_written_alike(e, annotated, deduced);
  const bool is_open = e->tainted || e->annotation_is_open || is_sharded ||
                       is_apart_for_python(&apart), // only what is refuted is told
      is_refuted = check == RLX_CHECK_DISJOINT || apart.refuted;
  if ((check == RLX_CHECK_PASS && !finer) || (is_open && !is_refuted)) {
    rlx_buf_free(&why);
    return RLX_POLICY_FINE;
  }
  RlxPolicy verdict = RLX_POLICY_FINE;
  RlxBuf a = {0}, b = {0};
  rlx_sinfo_tell(e->store, annotated, &a);
  rlx_sinfo_tell(e->store, deduced, &b);
  if (finer) {
    RlxTaint tainted = e->tainted;
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_COARSER), annotation_span, "ss",
                                    rlx_buf_text(&a), rlx_buf_text(&b));
    e->tainted = tainted; // nothing is wrong
    offer_deduced(e, diag, "make annotation finer", annotation_span, deduced);
  } else if (is_refuted) {
    const RlxTaint tainted = e->tainted;
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_MISMATCH), annotation_span, "sss",
                                    rlx_buf_text(&a), rlx_buf_text(&b), rlx_buf_text(&why));
    if (is_dropped) {
      diag->severity = RLX_WARNING;
      e->tainted = tainted;
      verdict = RLX_POLICY_DROPPED;
    } else
      e->annotation_failed = true;
    blame_value(e, diag, value);
    offer_deduced(e, diag, "annotate what is deduced", annotation_span, deduced);
  } else if (e->analyzer->settings.implicit_match_cast)
    verdict = RLX_POLICY_CAST;
  else {
    if (check == RLX_CHECK_VALUE_MISMATCH) rlx_sinfo_tell_apart(e->store, e->facts, &apart, &why);
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_UNPROVEN), annotation_span, "sss",
                                    rlx_buf_text(&a), rlx_buf_text(&b), rlx_buf_text(&why));
    if (e->fn && e->fn->is_printed) diag->severity = RLX_HINT;
    rlx_buf_clear(&a);
    if (write_in_dialect(e, annotated, true, &a)) fix_match_cast(e, diag, rlx_buf_text(&a));
  }
  rlx_buf_free(&a);
  rlx_buf_free(&b);
  rlx_buf_free(&why);
  return verdict;
}

static const RlxSInfo *of_tensors(RlxStore *store, const RlxSInfo *value,
                                  const RlxSInfo *annotated) {
  if (value->shape_var || (!value->dims && annotated->shape_var)) {
    const RlxSymVar *shape = value->shape_var ? value->shape_var : annotated->shape_var;
    return rlx_sinfo_tensor_of(store, shape, value->ndim >= 0 ? value->ndim : annotated->ndim,
                               rlx_dtype_known(value->dtype) ? value->dtype : annotated->dtype,
                               value->vdevice ? value->vdevice : annotated->vdevice);
  }
  RlxDType dtype = rlx_dtype_known(value->dtype) ? value->dtype : annotated->dtype;
  const RlxVDevice *device = value->vdevice ? value->vdevice : annotated->vdevice;
  const RlxSInfo *shaped = value->dims ? value : annotated;
  if (shaped->dims) return rlx_sinfo_tensor(store, shaped->dims, shaped->ndim, dtype, device);
  return rlx_sinfo_tensor_ndim(store, value->ndim >= 0 ? value->ndim : annotated->ndim, dtype,
                               device);
}

static const RlxSInfo *completed(RlxStore *store, const RlxSInfo *value, const RlxSInfo *annotated,
                                 RlxSInfoMemo *memo) {
  uint64_t known;
  if (value == annotated || annotated->kind == RLX_SINFO_OBJECT) return value;
  if (value->kind != annotated->kind) return annotated;
  if (value->kind == RLX_SINFO_TENSOR) return of_tensors(store, value, annotated);
  if (value->kind == RLX_SINFO_SHAPE)
    return value->dims || (!annotated->dims && value->ndim >= 0) ? value : annotated;
  if (value->kind == RLX_SINFO_PRIM) return value->value || !annotated->value ? value : annotated;
  if (value->kind != RLX_SINFO_TUPLE || value->count != annotated->count)
    return rlx_sinfo_base_check(store, NULL, annotated, value, NULL, NULL) == RLX_CHECK_PASS
               ? value
               : annotated;
  if (rlx_sinfo_met(memo, value, annotated, &known)) return (const RlxSInfo *)(uintptr_t)known;
  const RlxSInfo **fields = rlx_mem_zeroed(value->count ? (size_t)value->count : 1, sizeof *fields);
  for (int32_t i = 0; i < value->count; i++)
    fields[i] = completed(store, value->fields[i], annotated->fields[i], memo);
  const RlxSInfo *tuple = rlx_sinfo_tuple(store, fields, value->count);
  free(fields);
  rlx_sinfo_meet(memo, value, annotated, (uintptr_t)tuple);
  return tuple;
}

const RlxSInfo *rlx_policy_complete(RlxStore *store, const RlxSInfo *value,
                                    const RlxSInfo *annotated) {
  RlxSInfoMemo memo = {0};
  const RlxSInfo *result = completed(store, value, annotated, &memo);
  rlx_sinfo_memo_free(&memo);
  return result;
}

void rlx_policy_return(RlxEval *e, const RlxExpr *value, RlxSpan span) {
  const RlxSInfo *declared = e->fn->function.ret_annotation;
  if (!declared || rlx_expr_is_unknown(value) || (e->tainted & RLX_FAILED) ||
      declared == value->sinfo || rlx_expr_is_unknown_constant(value) ||
      is_distributed(declared, value->sinfo))
    return;
  if (value->kind == RLX_EXPR_TUPLE)
    for (uint32_t i = 0; i < value->field_count; i++)
      if (rlx_expr_is_unknown_constant(value->fields[i])) return;
  RlxBuf why = {0};
  RlxSInfoApart apart = {0};
  RlxBaseCheck check =
      rlx_sinfo_base_check(e->store, e->facts, declared, value->sinfo, &why, &apart);
  const bool wrong = check == RLX_CHECK_DISJOINT || apart.refuted,
             is_open = e->tainted || e->fn->ret_is_open ||
                       is_apart_for_python(&apart); // only what is refuted is told
  if (check != RLX_CHECK_PASS && (wrong || !is_open)) {
    RlxBuf a = {0}, b = {0};
    rlx_sinfo_tell(e->store, declared, &a);
    rlx_sinfo_tell(e->store, value->sinfo, &b);
    const RlxTaint tainted = e->tainted;
    if (!wrong && check == RLX_CHECK_VALUE_MISMATCH)
      rlx_sinfo_tell_apart(e->store, e->facts, &apart, &why);
    RlxDiag *diag =
        rlx_eval_report(e, wrong ? RLX_DIAG_ID(RETURN_MISMATCH) : RLX_DIAG_ID(RETURN_UNPROVEN),
                        span, "sss", rlx_buf_text(&a), rlx_buf_text(&b), rlx_buf_text(&why));
    if (wrong && e->analyzer->settings.returns_warn) {
      diag->severity = RLX_WARNING;
      e->tainted = tainted;
    }
    if (!wrong && e->fn->is_printed) diag->severity = RLX_HINT;
    const RlxStmt *def = e->fn->stmt;
    if (def->annotation)
      rlx_diag_related(e->sink, diag, def, def->annotation->span, "declared here");
    rlx_buf_clear(&b);
    if (def->annotation && wrong && !value->sinfo->has_symbols &&
        write_in_dialect(e, value->sinfo, false, &b))
      rlx_diag_fix_at(e->sink, diag, "declare what is returned", def, def->annotation->span,
                      rlx_buf_text(&b));
    rlx_buf_free(&a);
    rlx_buf_free(&b);
  }
  rlx_buf_free(&why);
}
