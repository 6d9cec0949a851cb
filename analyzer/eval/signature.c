/// Signatures: parameters, their symbolic variables, the result as it is declared; what callers
/// know of a function.
/// Always true: a signature is read before anything in its body, and again only when its text or a
/// name that it reads changed; a signature that leads back to itself counts as R.Object while it is
/// read.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/signature.h"
#include "analyzer/words/spell.h"
#include "base/hash.h"

/// A variable that parameter `index` has in composite dimensions only. The fix gives it a value by
/// a parameter of its own.
static void report_symbol(RlxFn *fn, uint32_t index, const RlxSymVar *var) {
  const RlxStmt *stmt = fn->stmt;
  const char *text = rlx_store_text(fn->file->store, var->name);
  RlxSpan span = fn->function.params[index]->span;
  for (uint32_t i = 0; i < stmt->param_count; i++)
    if (stmt->params[i].name == fn->function.params[index]->name && stmt->params[i].annotation)
      span = stmt->params[i].annotation->span;
  RlxDiag *diag = rlx_reportf(&fn->header, RLX_DIAG_ID(SYMBOL_UNDEFINED), span, "s", text);
  const char *name = rlx_arena_printf(fn->arena, "%s_shape", text);
  for (uint32_t i = 0; i < stmt->param_count; i++)
    if (strcmp(rlx_store_text(fn->file->store, stmt->params[i].name), name) == 0) return;
  const RlxParams taken = rlx_taken_params(stmt);
  RlxSpan last = taken.at[taken.count - 1].span;
  rlx_diag_fix(&fn->header, diag,
               rlx_arena_printf(fn->arena, "add a parameter that gives `%s`", text),
               rlx_span(last.end, last.end),
               rlx_arena_printf(fn->arena, ", %s: R.Shape([\"%s\"])", name, text));
}

/// Keywords that `@R.function(…)` does not take.
static void check_decorator(RlxEval *e, const RlxStmt *stmt) {
  static const char *const known[] = {"pure", "private", "check_well_formed", "f"};
  for (uint32_t i = 0; i < stmt->decorator_count; i++) {
    const RlxAst *call = stmt->decorators[i];
    const RlxAst *head = call->kind == RLX_AST_CALL ? call->children[0] : NULL;
    if (!head || head->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(e->store, head->name), "function") != 0)
      continue;
    for (uint32_t k = 1; k < call->child_count; k++) {
      const RlxAst *arg = call->children[k];
      bool is_known = arg->kind != RLX_AST_KEYWORD;
      for (size_t n = 0; n < sizeof known / sizeof *known && !is_known; n++)
        is_known = strcmp(rlx_store_text(e->store, arg->name), known[n]) == 0;
      if (!is_known)
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->name_span, "sss", "R.function",
                        rlx_store_text(e->store, arg->name), "");
    }
  }
}

/// Whether the annotation names other parameters, which may stand behind it (R.SparseCSR).
static bool names_parameters(const RlxStore *store, const RlxAst *ast, int depth) {
  if (!ast || depth > 16) return false;
  if (ast->kind == RLX_AST_CALL &&
      strcmp(rlx_ast_last_name(store, ast->children[0]), "SparseCSR") == 0)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (names_parameters(store, ast->children[i], depth + 1)) return true;
  return false;
}

/// The parameters that a function had before its signature is read again. A parameter keeps its
/// variable under its name, so that statements that read it can tell whether it is another one.
typedef struct Former {
  Vec(RlxVar *) vars; ///< NULL: it is one of the new signature
  RlxMap index;       ///< name → place in `vars`
  uint64_t scope;     ///< of the function then
} Former;

static Former former_parameters(const RlxFn *fn) {
  Former former = {.scope = fn->function.scope};
  for (uint32_t i = 0; i < fn->function.param_count; i++) {
    RlxVar *var = fn->function.params[i];
    if (!var) continue;
    rlx_map_put(&former.index, var->name, former.vars.count);
    rlx_vec_push(&former.vars, var);
  }
  return former;
}

/// The variable of the parameter `name`.
static RlxVar *parameter_var(RlxFn *fn, Former *former, RlxName name) {
  uint64_t at = 0;
  RlxVar *var = rlx_map_get(&former->index, name, &at) ? former->vars.at[at] : NULL;
  if (!var) return rlx_fn_var(fn, NULL, name, false);
  former->vars.at[at] = NULL;
  if (former->scope != fn->function.scope) var->symbol = NULL;
  return var;
}

/// What is no parameter any more may be another variable of its name.
static void retire(RlxFn *fn, Former *former) {
  for (uint32_t i = 0; i < former->vars.count; i++) {
    RlxVar *var = former->vars.at[i];
    if (!var) continue;
    var->is_param = false;
    rlx_vec_push(&fn->orphans, var);
  }
  rlx_vec_free(&former->vars);
  rlx_map_free(&former->index);
}

/// Reads a parameter, which becomes the `slot`th of the function.
static void add_parameter(RlxEval *e, RlxFn *fn, const RlxParam *param, uint32_t slot,
                          Former *former) {
  RlxStmt *stmt = fn->stmt;
  const RlxSInfo *sinfo = NULL;
  e->tainted = false;
  e->is_parameter = true;
  if (param->annotation) sinfo = rlx_annotation(e, param->annotation);
  e->is_parameter = false;
  if (!param->annotation && !stmt->has_error) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(PARAM_UNANNOTATED), param->name_span, "s",
                                    rlx_store_text(fn->file->store, param->name));
    rlx_diag_fix(&fn->header, diag, "annotate it as `R.Object`",
                 rlx_span(param->name_span.end, param->name_span.end), ": R.Object");
  }
  if (fn->dialect == RLX_DIALECT_027 && sinfo && sinfo->kind == RLX_SINFO_PRIM &&
      !sinfo->value) // a scalar parameter is a symbolic variable
    sinfo =
        rlx_sinfo_prim(fn->file->store, sinfo->dtype,
                       rlx_prim_var(fn->file->store, rlx_symvar(fn->file->store, fn->function.scope,
                                                                param->name, sinfo->dtype, false)));
  RlxVar *var = parameter_var(fn, former, param->name);
  var->sinfo = sinfo ? sinfo : rlx_sinfo_object(fn->file->store);
  var->is_param = true;
  var->stmt = var->named_in = stmt;
  var->span = param->name_span;
  var->content = NULL;
  var->is_tainted = sinfo ? e->tainted : RLX_FAILED;
  fn->function.params[slot] = var;
  RlxDef def = {.name = param->name, .stmt = stmt, .span = param->name_span};
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_VAR, param->name_span, var->sinfo);
  x->var = var;
  def.value = rlx_value_expr(x);
  rlx_vec_push(&fn->params, def);
}

/// Whether the parameter of this name is a scalar, which 0.27 takes for the symbolic variable.
static bool is_scalar_parameter(const RlxFn *fn, RlxName name) {
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    if (fn->function.params[i]->name == name)
      return fn->dialect == RLX_DIALECT_027 &&
             fn->function.params[i]->sinfo->kind == RLX_SINFO_PRIM;
  return false;
}

/// What Python itself evaluates and TVM does not read: names that are nowhere are all that is told of it.
static void read_unused(RlxEval *e, RlxFn *fn, const RlxAst *ast, bool is_annotation) {
  RlxSink all = {.arena = fn->arena}, *sink = e->sink;
  const uint32_t symbols = fn->params.count;
  if (!ast) return;
  e->sink = &all;
  e->is_signature = is_annotation;
  if (is_annotation)
    rlx_annotation(e, ast);
  else
    rlx_eval(e, ast);
  e->is_signature = true;
  e->sink = sink;
  for (uint32_t i = 0; i < all.diags.count; i++)
    if (all.diags.at[i]->id == RLX_DIAG_ID(NAME_UNDEFINED))
      rlx_vec_push(&fn->header.diags, all.diags.at[i]);
  rlx_vec_free(&all.diags);
  fn->params.count = symbols; // its symbolic dimensions are none of the function's
  if (fn->param_indexed > symbols) rlx_fn_forget_params(fn);
}

/// Tells which parameters TVM leaves out, of a Relax function and of a PrimFunc.
static void check_left_out(RlxFn *fn) {
  const RlxStmt *stmt = fn->stmt;
  const RlxParams taken = rlx_taken_params(stmt);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxParam *param = &stmt->params[i];
    if (rlx_is_left_out(taken, param))
      rlx_reportf(&fn->header, RLX_DIAG_ID(PARAM_LEFT_OUT), param->span, "ss",
                  rlx_store_text(fn->file->store, param->name),
                  param->star == 2   ? "has two stars"
                  : param->star      ? "has a star"
                  : param < taken.at ? "stands before `/`"
                                     : "stands behind `*`");
  }
}

static void relax_signature(RlxFn *fn, Former *former) {
  RlxEval e;
  rlx_eval_init(&e, fn->file, fn, fn->stmt, fn->arena, &fn->header);
  e.is_signature = true;
  e.allow_free = fn->dialect == RLX_DIALECT_TLC;
  RlxStmt *stmt = fn->stmt;
  RlxFunction *f = &fn->function;
  const RlxParams taken = rlx_taken_params(stmt);
  f->params = rlx_arena_array(fn->arena, RlxVar *, taken.count ? taken.count : 1);
  f->param_count = 0;
  if (!stmt->has_error && fn->dialect != RLX_DIALECT_TLC) check_decorator(&e, stmt);
  for (uint32_t i = 0; i < stmt->type_param_count; i++)
    rlx_fn_symbol(&e, stmt->type_params[i], RLX_INT64);
  for (int turn = 0; turn < 2; turn++) { // those that name others when these are known
    uint32_t slot = 0;
    for (uint32_t i = 0; i < taken.count; i++) {
      const RlxParam *param = &taken.at[i];
      if (!param->name) continue;
      if (names_parameters(fn->file->store, param->annotation, 0) == (turn == 1))
        add_parameter(&e, fn, param, slot, former);
      slot++;
    }
    f->param_count = slot;
  }
  e.tainted = 0;
  fn->ret_is_open = false;
  fn->ret_symbol = NULL;
  if (stmt->annotation) {
    uint32_t symbols = fn->params.count;
    f->ret_annotation = rlx_annotation(&e, stmt->annotation);
    bool was_tainted = e.tainted;
    while (symbols < fn->params.count && is_scalar_parameter(fn, fn->params.at[symbols].name))
      symbols++;
    const bool is_alone = !was_tainted && !fn->header.diags.count && fn->params.count > symbols;
    if (is_alone && rlx_eval_is_027(&e) &&
        rlx_ast_find_name(stmt->annotation,
                          fn->params.at[symbols].name)) // a TypeVar, which the body may bind
      fn->ret_symbol = fn->params.at[symbols].value.prim;
    else if (is_alone) // one report: declared by a result alone
      rlx_eval_report(&e, RLX_DIAG_ID(SYMBOL_UNDEFINED), stmt->annotation->span, "s",
                      rlx_store_text(fn->file->store, fn->params.at[symbols].name));
    if (e.tainted & RLX_FAILED) f->ret_annotation = NULL;
    fn->ret_is_open = (e.tainted & RLX_OPEN) && f->ret_annotation;
  }
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxParam *param = &stmt->params[i];
    if (rlx_is_left_out(taken, param)) read_unused(&e, fn, param->annotation, true);
    read_unused(&e, fn, param->default_value, false);
  }
  for (uint32_t i = 0; i < e.outer_reads.count; i++)
    rlx_vec_push(&fn->outer_reads, e.outer_reads.at[i]);
  fn->header_volatile = e.is_volatile;
  rlx_eval_deinit(&e);
}

/// Bare and composite symbolic variables of the parameters: what is never bare can't be solved.
static void check_symbols(RlxFn *fn) {
  enum { MOST = 64 };
  const RlxSymVar *bare[MOST];
  int bare_count = 0;
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    rlx_sinfo_bare_vars(fn->function.params[i]->sinfo, bare, &bare_count, MOST);
  if (bare_count == MOST) return;
  for (uint32_t i = 0; i < fn->function.param_count; i++) {
    const RlxVar *param = fn->function.params[i];
    const RlxSymVar *vars[MOST];
    int count = 0;
    int own = bare_count; // parameters of a function give their variables a value in it
    if (param->is_tainted || !param->sinfo->has_symbols) continue;
    for (int32_t k = 0; param->sinfo->kind == RLX_SINFO_FUNC && k < param->sinfo->count; k++)
      rlx_sinfo_bare_vars(param->sinfo->fields[k], bare, &own, MOST);
    if (own == MOST) continue;
    rlx_sinfo_vars(param->sinfo, vars, &count, MOST);
    for (int k = 0; k < count; k++) {
      bool found = vars[k]->is_relax || vars[k]->scope != fn->function.scope;
      for (int n = bare_count; n < own && !found; n++) found = bare[n] == vars[k];
      for (int n = 0; n < bare_count && !found; n++) found = bare[n] == vars[k];
      if (found) continue;
      report_symbol(fn, i, vars[k]);
      if (bare_count < MOST) bare[bare_count++] = vars[k]; // once
    }
  }
}

static void report_rebound(RlxFn *fn, const RlxVar *param) {
  rlx_reportf(&fn->header, RLX_DIAG_ID(SYMBOL_REBOUND), param->span, "s",
              rlx_store_text(fn->file->store, param->name));
}

/// The same in 0.27, where a scalar parameter is the symbolic variable of its name for those behind
/// it, and any other parameter can't be defined beside it.
static void check_names_027(RlxFn *fn) {
  enum { MOST = 64 };
  const RlxSymVar *vars[MOST];
  for (uint32_t k = 0; k < fn->function.param_count; k++) {
    const RlxSInfo *sinfo = fn->function.params[k]->sinfo;
    int count = 0;
    if (!sinfo->has_symbols || sinfo->kind == RLX_SINFO_FUNC || sinfo->kind == RLX_SINFO_PRIM)
      continue;
    rlx_sinfo_vars(sinfo, vars, &count, MOST);
    for (int n = 0; n < count; n++)
      for (uint32_t i = 0; i < fn->function.param_count; i++) {
        const RlxVar *param = fn->function.params[i];
        bool is_before = i < k && param->sinfo->kind == RLX_SINFO_PRIM;
        if (vars[n]->name != param->name || vars[n]->is_relax ||
            vars[n]->scope != fn->function.scope || is_before || param->is_tainted)
          continue;
        report_rebound(fn, param);
        return;
      }
  }
}

/// A parameter with the name of a symbolic variable of the signature; TVM declares both. Of a
/// scalar parameter that is how TVM 0.27 writes them, also where nothing else tells the dialect.
static void check_names(RlxFn *fn) {
  enum { MOST = 64 };
  const RlxSymVar *vars[MOST];
  int count = 0;
  if (fn->dialect == RLX_DIALECT_027 && !fn->header.diags.count) check_names_027(fn);
  if (fn->dialect == RLX_DIALECT_TLC || fn->dialect == RLX_DIALECT_027) return;
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    if (fn->function.params[i]->sinfo->has_symbols &&
        fn->function.params[i]->sinfo->kind != RLX_SINFO_FUNC)
      rlx_sinfo_vars(fn->function.params[i]->sinfo, vars, &count, MOST);
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    for (int k = 0; k < count; k++) {
      const RlxVar *param = fn->function.params[i];
      if (vars[k]->is_relax || vars[k]->scope != fn->function.scope ||
          vars[k]->name != param->name ||
          (param->sinfo->kind == RLX_SINFO_PRIM && !param->sinfo->value))
        continue;
      report_rebound(fn, param);
      break;
    }
}

void rlx_fn_state(RlxFn *fn) {
  RlxFunction *f = &fn->function;
  const RlxSInfo **params =
      rlx_arena_array(fn->arena, const RlxSInfo *, f->param_count ? f->param_count : 1);
  for (uint32_t i = 0; i < f->param_count; i++) params[i] = f->params[i]->sinfo;
  const RlxSInfo *ret = f->ret_annotation && !(fn->outer && f->ret) ? f->ret_annotation
                        : f->ret                                    ? f->ret
                                 : rlx_sinfo_object(fn->file->store);
  f->sinfo = rlx_sinfo_func(fn->file->store, params, (int)f->param_count, ret,
                            f->is_pure ? RLX_PURE : RLX_IMPURE, 0);
}

/// Reports that the module has a function of this name already.
static void check_name(RlxFn *fn) {
  if (fn->first) {
    RlxDiag *diag = rlx_reportf(&fn->header, RLX_DIAG_ID(FUNCTION_TWICE), fn->stmt->name_span, "ss",
                                rlx_store_text(fn->file->store, fn->module->name),
                                rlx_store_text(fn->file->store, fn->stmt->name));
    rlx_diag_related(&fn->header, diag, fn->first, fn->first->name_span, "the first one");
  }
}

/// What [start, end) of a head says, without what is left out of it.
static uint64_t hash_said(const RlxStmt *stmt, const char *text, RlxSpan said, uint64_t hash) {
  const RlxSpan out = stmt->left_out;
  if (out.start < said.start || out.end > said.end || out.start == out.end)
    return rlx_hash_bytes(text + said.start, said.end - said.start, hash);
  RlxBuf read = {0};
  rlx_buf_putn(&read, text + said.start, out.start - said.start);
  rlx_buf_putn(&read, text + out.end, said.end - out.end);
  hash = rlx_hash_bytes(rlx_buf_text(&read), (uint32_t)read.size, hash);
  rlx_buf_free(&read);
  return hash;
}

/// What the annotation `R.Tensor(…)` says of symbolic variables: a number among its dimensions, its dtype and its rank say nothing.
static uint64_t hash_tensor(const RlxFn *fn, const char *text, const RlxAst *call, uint64_t hash) {
  const RlxStmt *stmt = fn->stmt;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const char *keyword =
        arg->kind == RLX_AST_KEYWORD ? rlx_store_text(fn->file->store, arg->name) : "";
    const bool is_shape = *keyword ? strcmp(keyword, "shape") == 0 : i == 1;
    if (arg->kind == RLX_AST_KEYWORD) arg = arg->children[0];
    if (!is_shape && (arg->kind == RLX_AST_STRING || arg->kind == RLX_AST_INT)) continue;
    if (!is_shape || (arg->kind != RLX_AST_TUPLE && arg->kind != RLX_AST_LIST)) {
      hash = hash_said(stmt, text, arg->span, hash);
      continue;
    }
    for (uint32_t k = 0; k < arg->child_count; k++) {
      const RlxAst *dim = arg->children[k];
      if (dim->kind == RLX_AST_STRING) // which may lack a quote
        hash = rlx_hash_bytes(dim->text, dim->text_size, rlx_hash_mix(hash, RLX_AST_STRING));
      else if (dim->kind != RLX_AST_INT)
        hash = hash_said(stmt, text, dim->span, hash);
    }
  }
  return hash;
}

/// Another signature has other symbolic variables, though their names may be the same: what it says
/// of one (that it is a dimension) is known for good. That is said by annotations, and by the names of
/// parameters that are no tensors: scalars are variables themselves.
static uint64_t scope_of(const RlxFn *fn) {
  const RlxStmt *stmt = fn->stmt;
  const char *text = rlx_document_text(fn->file->document, NULL) + stmt->start;
  if (fn->outer || fn->kind != RLX_ISLAND_RELAX)
    return rlx_hash_mix(
        rlx_hash_mix(rlx_hash_mix(fn->file->serial, fn->module ? fn->module->name : 0),
                     rlx_hash_mix(stmt->name, fn->outer ? fn->outer->function.scope : 0)),
        rlx_hash_bytes(text, stmt->head_size, 0));
  uint64_t hash = fn->scope_seed;
  for (uint32_t i = 0; i < stmt->type_param_count; i++)
    hash = rlx_hash_mix(hash, stmt->type_params[i]);
  for (uint32_t i = 0; i <= stmt->param_count; i++) {
    const RlxParam *param = i < stmt->param_count ? &stmt->params[i] : NULL;
    const RlxAst *said[2] = {param ? param->annotation : stmt->annotation,
                             param ? param->default_value : NULL};
    const char *made_by = said[0] ? rlx_ast_last_name(fn->file->store, said[0]) : "";
    const bool is_tensor = said[0] && said[0]->kind == RLX_AST_CALL && !strcmp(made_by, "Tensor"),
               is_object =
                   said[0] && said[0]->kind == RLX_AST_ATTRIBUTE && !strcmp(made_by, "Object");
    if (is_tensor) hash = hash_tensor(fn, text, said[0], hash);
    if (!is_tensor && !is_object && (param || said[0])) {
      hash = rlx_hash_mix(hash, param ? param->name : 0);
      hash = said[0] ? hash_said(stmt, text, said[0]->span, hash) : rlx_hash_mix(hash, 0);
    }
    if (said[1]) hash = hash_said(stmt, text, said[1]->span, hash);
  }
  return hash;
}

/// What statements take from what the head binds, unread: of a tensor the dimensions that have symbolic variables.
static uint64_t hash_taken(uint64_t hash, const RlxRead *read) {
  const RlxSInfo *sinfo = read->sinfo;
  const bool is_tensor = sinfo && sinfo->kind == RLX_SINFO_TENSOR && sinfo->dims;
  if (!is_tensor && !(sinfo && sinfo->kind == RLX_SINFO_OBJECT))
    return rlx_hash_mix(rlx_hash_mix(hash, read->flags), rlx_hash_ptr(sinfo));
  for (int k = 0; is_tensor && k < sinfo->ndim; k++)
    if (sinfo->dims[k]->vars) hash = rlx_hash_mix(hash, rlx_hash_ptr(sinfo->dims[k]));
  return hash;
}

/// What statements take from their function's head without reading one of its names; the rest they
/// find out when they are swept over. Of a statement that `rlx_unit_outlives_head` is asked about as
/// well, this is all.
static uint64_t head_key(const RlxFn *fn) {
  uint64_t hash = rlx_hash_mix(fn->function.scope, rlx_hash_ptr(fn->module));
  hash = rlx_hash_mix(hash, (uint64_t)fn->dialect << 32 | (uint64_t)fn->check_well_formed << 1 |
                                (uint64_t)(fn->module && fn->module->check_well_formed) << 3);
  RlxMap symbols = {0};
  for (uint32_t i = 0; i < fn->params.count; i++)
    if (fn->params.at[i].value.kind != RLX_VALUE_EXPR)
      rlx_map_put(&symbols, fn->params.at[i].name, 1);
  for (uint32_t i = 0; i < fn->params.count; i++) {
    const RlxDef *def = &fn->params.at[i];
    const RlxRead read = rlx_env_identity(def->name, def);
    const bool is_var = def->value.kind == RLX_VALUE_EXPR;
    hash = hash_taken(hash, &read);
    if (!is_var || rlx_map_get(&symbols, def->name, NULL)) hash = rlx_hash_mix(hash, def->name);
    if (!is_var) hash = rlx_hash_mix(hash, rlx_hash_ptr(read.thing));
  }
  rlx_map_free(&symbols);
  return hash;
}

bool rlx_unit_outlives_head(const RlxAnalysis *unit) {
  return unit->kind == RLX_UNIT_SIMPLE && !unit->diag_count && !unit->is_impure &&
         !unit->is_tainted && !unit->is_volatile && !unit->asks_dialects &&
         (unit->stmt->kind == RLX_STMT_ASSIGN || unit->stmt->kind == RLX_STMT_ANNOTATED);
}

/// What a head without its slip says counts when it says it without a fault: else its parameters are as
/// good as unread, and so is its result.
static void doubt_mended(RlxFn *fn) {
  RlxFunction *f = &fn->function;
  bool is_faulty = fn->header.diags.count > 0;
  for (uint32_t i = 0; i < f->param_count; i++)
    is_faulty |= (f->params[i]->is_tainted & RLX_FAILED) != 0;
  if (!is_faulty) return;
  for (uint32_t i = 0; i < f->param_count; i++) {
    f->params[i]->sinfo = rlx_sinfo_object(fn->file->store);
    f->params[i]->is_tainted = RLX_FAILED;
  }
  f->ret_annotation = NULL;
}

void rlx_fn_signature(RlxFn *fn) {
  if (fn->signature_state) return;
  fn->signature_state = 1;
  fn->function.sinfo = rlx_sinfo_object(
      fn->file->store); // to whom asks meanwhile: a signature that leads back to itself
  Former former = former_parameters(fn);
  rlx_arena_free(fn->arena);
  fn->arena = rlx_arena_new_sized(1024);
  fn->header.arena = fn->arena;
  rlx_vec_clear(&fn->header.diags);
  rlx_vec_clear(&fn->params);
  rlx_fn_forget_params(fn);
  rlx_vec_remove_n(&fn->outer_reads, 0, fn->header_read_count); // those of statements stay
  const uint32_t body_reads = fn->outer_reads.count;
  fn->function.ret_annotation = fn->function.ret = NULL;
  fn->function.is_pure = fn->is_declared_pure;
  fn->ret_unknown = false;
  fn->function.param_count = 0;
  fn->function.name = fn->stmt->name;
  fn->function.scope = scope_of(fn);
  if (fn->kind == RLX_ISLAND_PRIM_FUNC)
    rlx_primfunc_signature(fn);
  else if (fn->kind == RLX_ISLAND_RELAX) {
    relax_signature(fn, &former);
    check_symbols(fn);
    check_names(fn);
    if (fn->stmt->is_mended) doubt_mended(fn);
    rlx_fn_state(fn);
    if (fn->stmt->has_error) rlx_vec_clear(&fn->header.diags);
  } else
    fn->function.sinfo = rlx_sinfo_object(fn->file->store);
  if (fn->kind == RLX_ISLAND_PRIM_FUNC || fn->kind == RLX_ISLAND_RELAX) check_left_out(fn);
  fn->declared = fn->function.sinfo;
  fn->header_read_count = fn->outer_reads.count - body_reads;
  if (body_reads && fn->header_read_count) { // to the front
    for (uint32_t i = 0; i < body_reads; i++) rlx_vec_push(&fn->outer_reads, fn->outer_reads.at[i]);
    rlx_vec_remove_n(&fn->outer_reads, 0, body_reads);
  }
  fn->header_failed = false;
  for (uint32_t i = 0; i < fn->header.diags.count; i++)
    fn->header_failed |= fn->header.diags.at[i]->severity == RLX_ERROR;
  check_name(fn);
  fn->signature_state = 2;
  retire(fn, &former);
  const uint64_t key = head_key(fn);
  fn->all_dirty |= key != fn->head_key || fn->outer || fn->kind != RLX_ISLAND_RELAX;
  fn->head_key = key;
  if (fn->all_dirty) fn->outer_reads.count = fn->header_read_count;
  fn->head_is_new = true;
}

void rlx_fn_refresh(RlxFn *fn) {
  uint64_t fixed =
      fn->kind == RLX_ISLAND_RELAX && fn->is_dirty ? rlx_fn_fixed_hash(fn) : fn->fixed_hash;
  if (fixed != fn->fixed_hash ||
      rlx_outer_changed(fn->file, fn->outer_reads.at, fn->header_read_count))
    fn->signature_state = 0;
  fn->fixed_hash = fixed;
  rlx_fn_signature(fn);
}
