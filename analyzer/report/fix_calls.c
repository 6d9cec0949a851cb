/// Fixes of calls and subscripts: an attribute that is missing and that the operands decide, numbers and tensors that are written as something
/// else than the operator takes, a PrimFunc that is called directly, an element of a tensor.
#include <stdlib.h>
#include <string.h>

#include "analyzer/diag/diag.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/ops/ops.h"
#include "analyzer/report/fix_guess_impl.h"

/// The dtype that all tensor parameters of the function have; float32: they have none in common.
static RlxDType usual_dtype(const RlxGuess *g) {
  const RlxAnalysis *unit = g->at->stmt->analysis;
  const RlxFunction *f = &unit->owner->function;
  RlxDType common = rlx_dtype_unknown();
  bool is_common = true;
  for (uint32_t i = 0; i < f->param_count; i++) {
    const RlxSInfo *sinfo = f->params[i]->sinfo;
    if (!sinfo || sinfo->kind != RLX_SINFO_TENSOR || !rlx_dtype_known(sinfo->dtype)) continue;
    is_common &= !rlx_dtype_known(common) || rlx_dtype_equal(common, sinfo->dtype);
    common = sinfo->dtype;
  }
  return is_common && rlx_dtype_known(common) ? common : rlx_dtype(RLX_DTYPE_FLOAT, 32);
}

/// The number that a literal is.
static RlxValue number_of(const RlxGuess *g, const RlxAst *literal) {
  RlxValue v = {.kind = literal->kind == RLX_AST_INT ? RLX_VALUE_INT : RLX_VALUE_FLOAT};
  if (literal->kind == RLX_AST_INT)
    v.integer = literal->integer;
  else
    v.number = strtod(g->text + g->at->stmt->start + literal->span.start, NULL);
  return v;
}

static bool is_positional(const RlxAst *arg) {
  return arg->kind != RLX_AST_KEYWORD && arg->kind != RLX_AST_STARRED &&
         arg->kind != RLX_AST_DOUBLE_STARRED;
}

/// The argument for a parameter of the row, its value where it is given by name; NULL: there is none.
static const RlxAst *argument(const RlxGuess *g, const RlxAst *call, const RlxOpRow *row,
                              int param) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (is_positional(arg) && i == (uint32_t)param + 1) return arg;
    if (arg->kind == RLX_AST_KEYWORD &&
        !strcmp(rlx_store_text(g->file->store, arg->name), row->params[param].name))
      return arg->children[0];
  }
  return NULL;
}

const RlxOpParam *rlx_guess_param(const RlxGuess *g, const RlxOpRow *row, const RlxAst *call,
                                  const RlxAst *value) {
  for (int i = 0; i < row->param_count; i++)
    if (argument(g, call, row, i) == value) return &row->params[i];
  return NULL;
}

static int rank_of(const RlxGuess *g, const RlxAst *ast) {
  const RlxSInfo *sinfo = ast ? rlx_guess_sinfo(g->at->stmt->analysis, ast) : NULL;
  return sinfo && sinfo->kind == RLX_SINFO_TENSOR ? sinfo->ndim : -1;
}

/// The axes that a normalisation goes over: as many at the end as its weight has. False: not known.
static bool put_last_axes(const RlxGuess *g, const RlxAst *call, const RlxOpRow *row, RlxBuf *out) {
  int rank = -1;
  for (int i = 0; i < row->param_count; i++)
    if (!strcmp(row->params[i].name, "gamma") || !strcmp(row->params[i].name, "weight"))
      rank = rank_of(g, argument(g, call, row, i));
  if (rank < 1) return false;
  for (int i = rank; i > 0; i--) rlx_buf_printf(out, "%s%d", i == rank ? "[" : ", ", -i);
  rlx_buf_putc(out, ']');
  return true;
}

/// `dtype=` or `axes=` that a call lacks.
static void give_attribute(RlxGuess *g) {
  const RlxAst *inner, *call = rlx_guess_call(g, &inner);
  const RlxOpRow *row = call ? rlx_guess_row(g, g->at->stmt, call) : NULL;
  if (!row || call->child_count < 2) return;
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *param = &row->params[i];
    char dtype[RLX_DTYPE_TEXT_MAX];
    RlxBuf text = {0};
    if (!param->is_required || argument(g, call, row, i)) continue;
    if (param->kind == RLX_PARAM_DTYPE)
      rlx_buf_printf(&text, "\"%s\"", rlx_dtype_text(usual_dtype(g), dtype));
    else if (strcmp(param->name, "axes") != 0 || !put_last_axes(g, call, row, &text))
      return;
    const uint32_t at = call->children[call->child_count - 1]->span.end;
    const char *word = rlx_arena_printf(g->sink->arena, "%s=%s", param->name, rlx_buf_text(&text));
    rlx_buf_free(&text);
    rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                    rlx_arena_printf(g->sink->arena, "give it `%s`", word), g->at->stmt,
                    rlx_span(at, at), rlx_arena_printf(g->sink->arena, ", %s", word));
    return;
  }
}

/// `R.concat(x, y)`: `at` is the first of the tensors.
void rlx_guess_join_tensors(RlxGuess *g, const RlxAst *call, uint32_t at) {
  uint32_t last = at;
  for (uint32_t i = at; i < call->child_count; i++) {
    if (!is_positional(call->children[i])) break;
    if (rank_of(g, call->children[i]) < 0) return;
    last = i;
  }
  const uint32_t start = call->children[at]->span.start, end = call->children[last]->span.end;
  RlxDiag *diag = rlx_guess_own(g);
  rlx_diag_fix_at(g->sink, diag, "write them as a tuple", g->at->stmt, rlx_span(start, start), "(");
  rlx_diag_fix_edit(g->sink, diag, rlx_span(end, end), last == at ? ",)" : ")");
}

/// An argument of another kind than the operator takes.
static void give_as(RlxGuess *g) {
  const RlxAst *arg, *call = rlx_guess_call(g, &arg);
  const RlxOpRow *row = call && arg ? rlx_guess_row(g, g->at->stmt, call) : NULL;
  if (!row) return;
  const RlxAst *value = arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg;
  const RlxOpParam *param = rlx_guess_param(g, row, call, value);
  if (!param) return;
  char dtype[RLX_DTYPE_TEXT_MAX];
  const bool is_number = value->kind == RLX_AST_INT || value->kind == RLX_AST_FLOAT;
  if (param->kind == RLX_PARAM_TUPLE && arg == value && rank_of(g, value) >= 0)
    rlx_guess_join_tensors(g, call, (uint32_t)(param - row->params) + 1);
  const RlxDType common = usual_dtype(g);
  const RlxValue number = is_number ? number_of(g, value) : (RlxValue){0};
  if (param->kind == RLX_PARAM_TENSOR && is_number && rlx_number_fits(&number, common))
    rlx_diag_fix_at(g->sink, rlx_guess_own(g), "make it a constant", g->at->stmt, value->span,
                    rlx_arena_printf(g->sink->arena, "R.const(%.*s, \"%s\")",
                                     (int)(value->span.end - value->span.start),
                                     g->text + g->at->stmt->start + value->span.start,
                                     rlx_dtype_text(common, dtype)));
}

/// `x[0, 1]` of a tensor.
static void take_element(RlxGuess *g) {
  enum { DEPTH = 64 };
  const RlxAst *path[DEPTH];
  uint32_t count = 0;
  const RlxStmt *stmt = g->at->stmt;
  if (!rlx_document_ast_at(stmt, g->at->span.start, path, &count, DEPTH) || count >= DEPTH) return;
  while (count && path[count - 1]->kind != RLX_AST_SUBSCRIPT) count--;
  const RlxAst *ast = count ? path[count - 1] : NULL;
  if (!ast || rank_of(g, ast->children[0]) < (int)ast->child_count - 1) return;
  const char *text = g->text + stmt->start;
  RlxBuf out = {0};
  for (uint32_t i = 1; i < ast->child_count; i++) rlx_buf_puts(&out, "R.take(");
  rlx_buf_putn(&out, text + ast->children[0]->span.start,
               ast->children[0]->span.end - ast->children[0]->span.start);
  bool is_plain = true;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *index = ast->children[i];
    is_plain &= index->kind == RLX_AST_INT;
    rlx_buf_printf(&out, ", R.const(%.*s, \"int64\"), axis=0)",
                   (int)(index->span.end - index->span.start), text + index->span.start);
  }
  if (is_plain)
    rlx_diag_fix_at(g->sink, rlx_guess_own(g), "take the element", stmt, ast->span,
                    rlx_arena_strdup(g->sink->arena, rlx_buf_text(&out)));
  rlx_buf_free(&out);
}

/// More or fewer names than values: as many parts as names; `_` for the values behind them.
static void unpack_all(RlxGuess *g) {
  const RlxStmt *stmt = g->at->stmt;
  const RlxAst *target = stmt->target_count == 1 ? stmt->targets[0] : NULL, *value = stmt->value;
  if (!target || target->kind != RLX_AST_TUPLE || !value || !target->child_count) return;
  const RlxOpRow *row = value->kind == RLX_AST_CALL ? rlx_guess_row(g, stmt, value) : NULL;
  if (row && row->id == RLX_OP_ID(split)) {
    const RlxAst *parts = argument(g, value, row, rlx_op_param(row, "indices_or_sections"));
    if (parts && parts->kind == RLX_AST_INT)
      rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                      rlx_arena_printf(g->sink->arena, "split it into %u", target->child_count),
                      stmt, parts->span,
                      rlx_arena_printf(g->sink->arena, "%u", target->child_count));
    return;
  }
  const RlxSInfo *sinfo = rlx_guess_sinfo(stmt->analysis, value);
  enum { MOST = 16 };
  if (!sinfo || sinfo->kind != RLX_SINFO_TUPLE || sinfo->count <= (int)target->child_count ||
      sinfo->count > MOST)
    return;
  RlxBuf names = {0};
  for (int i = (int)target->child_count; i < sinfo->count; i++) rlx_buf_puts(&names, ", _");
  const uint32_t at = target->children[target->child_count - 1]->span.end;
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), "unpack all of it", stmt, rlx_span(at, at),
                  rlx_arena_strdup(g->sink->arena, rlx_buf_text(&names)));
  rlx_buf_free(&names);
}

/// `R.permute_dims(x, [1, 0])` of a tensor with more axes: the others stay where they are.
static void name_all_axes(RlxGuess *g) {
  const RlxAst *arg, *call = rlx_guess_call(g, &arg);
  const RlxOpRow *row = call && arg ? rlx_guess_row(g, g->at->stmt, call) : NULL;
  const RlxAst *list = arg && arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg;
  enum { MOST = 32 };
  const int rank = row && row->id == RLX_OP_ID(permute_dims) && call->child_count > 1
                       ? rank_of(g, call->children[1])
                       : -1;
  if (rank > MOST || (list->kind != RLX_AST_LIST && list->kind != RLX_AST_TUPLE) ||
      (int)list->child_count >= rank || !list->child_count)
    return;
  bool is_named[MOST] = {false};
  for (uint32_t i = 0; i < list->child_count; i++) {
    const RlxAst *axis = list->children[i];
    if (axis->kind != RLX_AST_INT || axis->integer < 0 || axis->integer >= rank) return;
    is_named[axis->integer] = true;
  }
  RlxBuf more = {0};
  for (int i = 0; i < rank; i++)
    if (!is_named[i]) rlx_buf_printf(&more, ", %d", i);
  const uint32_t at = list->children[list->child_count - 1]->span.end;
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), "name all axes", g->at->stmt, rlx_span(at, at),
                  rlx_arena_strdup(g->sink->arena, rlx_buf_text(&more)));
  rlx_buf_free(&more);
}

static bool is_static(const RlxSInfo *sinfo) {
  bool fine = sinfo->kind == RLX_SINFO_TENSOR && sinfo->dims != NULL;
  for (int i = 0; fine && i < sinfo->ndim; i++) fine = !sinfo->dims[i]->vars;
  return fine;
}

/// A PrimFunc that is given its inputs alone: R.call_tir makes its last buffer.
static void call_by_tir(RlxGuess *g) {
  const RlxAst *inner, *call = rlx_guess_call(g, &inner);
  const RlxStmt *def = g->at->diag->related_count ? g->at->diag->related[0].stmt : NULL;
  const RlxAnalysis *unit = def ? def->analysis : NULL;
  const RlxFn *fn = unit ? unit->fn : NULL;
  if (!call || !fn || fn->kind != RLX_ISLAND_PRIM_FUNC) return;
  const RlxSInfo *func = fn->function.sinfo;
  const int given = (int)call->child_count - 1;
  if (!func || func->kind != RLX_SINFO_FUNC || !func->params || func->count != given + 1 ||
      !given || !is_static(func->params[given]))
    return;
  for (int i = 1; i <= given; i++)
    if (!is_positional(call->children[i])) return;
  RlxBuf result = {0};
  const RlxAnalysis *own = g->at->stmt->analysis;
  const bool is_new = own->owner->dialect == RLX_DIALECT_027;
  rlx_sinfo_tell(g->file->store, func->params[given], &result);
  RlxDiag *diag = rlx_guess_own(g);
  const uint32_t start = call->span.start, open = call->children[0]->span.end,
                 first = call->children[1]->span.start;
  rlx_diag_fix_at(g->sink, diag, "call it with `R.call_tir`", g->at->stmt, rlx_span(start, start),
                  "R.call_tir(");
  rlx_diag_fix_edit(g->sink, diag, rlx_span(open, first), ", (");
  rlx_diag_fix_edit(g->sink, diag, rlx_span(call->children[given]->span.end, call->span.end),
                    rlx_arena_printf(g->sink->arena, "%s), %s=%s)", given == 1 ? "," : "",
                                     rlx_op_param_word("out_sinfo", is_new),
                                     rlx_buf_text(&result)));
  rlx_buf_free(&result);
}

void rlx_guess_calls(RlxGuess *g) {
  const RlxDiagId id = g->at->diag->id;
  const RlxAnalysis *unit = g->at->stmt->analysis;
  if (!unit || !unit->owner || unit->owner->kind != RLX_ISLAND_RELAX) return;
  if (id == RLX_DIAG_ID(ARGUMENT_MISSING)) give_attribute(g);
  if (id == RLX_DIAG_ID(ARGUMENT_KIND)) give_as(g);
  if (id == RLX_DIAG_ID(TUPLE_EXPECTED)) take_element(g);
  if (id == RLX_DIAG_ID(UNPACK_COUNT)) unpack_all(g);
  if (id == RLX_DIAG_ID(AXES_COUNT)) name_all_axes(g);
  if (id == RLX_DIAG_ID(CALL_ARITY)) call_by_tir(g);
}
