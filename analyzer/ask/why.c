/// Derivations: each kind of value says its rule and its operands, then where these come from,
/// until the limits are reached. See why.h.
#include "analyzer/ask/why.h"
#include "analyzer/ask/assemble.h"
#include "analyzer/ask/questions.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"
#include "base/text.h"

#include <string.h>

enum { OPERANDS_MAX = 12, SYMBOLS_MAX = 16, EXCERPT_MAX = 72 };

typedef struct Why {
  RlxFile *file;
  RlxStore *store;
  RlxWhyLimits limits;
  RlxArena *arena;
  RlxWhySteps *out;
  uint32_t first; // of this derivation in `out`
  Vec(const RlxVar *) told;
} Why;

static bool is_full(const Why *w) { return w->out->count - w->first >= w->limits.steps; }

static RlxWhyStep *add(Why *w, RlxWhyKind kind, int depth) {
  RlxWhyStep step = {.kind = (uint8_t)kind, .depth = (uint8_t)depth};
  rlx_vec_push(w->out, step);
  return &rlx_vec_last(w->out);
}

static void set_place(RlxWhyStep *step, const RlxStmt *stmt, RlxSpan span) {
  if (!stmt) return;
  step->has_place = true;
  step->place = rlx_stmt_absolute(stmt, span);
}

/// The text of a place on one line, cut where it is long.
static const char *excerpt(Why *w, const RlxStmt *stmt, RlxSpan span) {
  uint32_t size;
  const char *text = rlx_document_text(w->file->document, &size);
  RlxSpan at = rlx_stmt_absolute(stmt, span);
  if (at.end > size || at.start >= at.end) return "";
  RlxBuf out = {0};
  bool cut = false;
  for (uint32_t i = at.start; i < at.end && !cut; i++) {
    bool blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
    if (blank && out.size && out.at[out.size - 1] == ' ') continue;
    cut = out.size >= EXCERPT_MAX && !rlx_utf8_is_continuation(text[i]);
    if (!cut) rlx_buf_putc(&out, blank ? ' ' : text[i]);
  }
  if (cut) rlx_buf_puts(&out, "...");
  const char *kept = rlx_arena_strdup(w->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return kept;
}

/// The rule of an operator: the first sentence behind the summary, or the summary.
static const char *rule_of(Why *w, const RlxOpRow *row) {
  const char *line = strchr(row->doc, '\n');
  line = line && line[1] ? line + 1 : row->doc;
  const char *end = strstr(line, ". ");
  size_t size = strcspn(line, "\n");
  if (end && (size_t)(end - line) < size)
    size = (size_t)(end - line);
  else if (size && line[size - 1] == '.')
    size--;
  return rlx_arena_strndup(w->arena, line, size);
}

static void explain_var(Why *w, const RlxVar *var, const char *role, int depth, int level);
static void explain_expr(Why *w, const RlxExpr *x, const RlxStmt *stmt, const char *role, int depth,
                         int level);

// ---- symbolic variables

/// "dimension 0 of x": the parameter that mentions the variable bare.
static const char *bound_by(Why *w, const RlxFn *fn, const RlxSymVar *var, const RlxVar **out) {
  for (uint32_t i = 0; i < fn->function.param_count; i++) {
    const RlxVar *param = fn->function.params[i];
    const RlxSInfo *s = param->sinfo;
    if (s->kind == RLX_SINFO_PRIM && s->value && rlx_prim_as_var(s->value) == var) {
      *out = param;
      return rlx_arena_printf(w->arena, "the value of %s", rlx_store_text(w->store, param->name));
    }
    bool dims = (s->kind == RLX_SINFO_TENSOR || s->kind == RLX_SINFO_SHAPE) && s->dims;
    for (int32_t k = 0; dims && k < s->ndim; k++) {
      if (rlx_prim_as_var(s->dims[k]) != var) continue;
      *out = param;
      return rlx_arena_printf(w->arena, "%s %d of %s",
                              s->kind == RLX_SINFO_TENSOR ? "dimension" : "value", (int)k,
                              rlx_store_text(w->store, param->name));
    }
  }
  return NULL;
}

static const char *defined_by(Why *w, RlxSpan place) {
  const RlxStmt *stmt = rlx_document_stmt_at(w->file->document, place.start);
  const RlxAnalysis *unit = stmt ? stmt->analysis : NULL;
  for (uint32_t i = 0; unit && !unit->fn && i < unit->binding_count; i++)
    if (unit->bindings[i]->kind == RLX_BINDING_MATCH_CAST)
      return rlx_arena_printf(w->arena, "defined by the match_cast to %s",
                              rlx_store_text(w->store, unit->bindings[i]->var->name));
  return "declared";
}

/// Where a match_cast before `stmt` binds `var`: the newest one that has it bare.
static bool cast_place(const RlxStmt *stmt, const RlxSymVar *var, const RlxVar **out) {
  for (; stmt && stmt->block; stmt = stmt->block->parent) {
    const RlxAnalysis *own = stmt->analysis;
    if (own && own->fn && !own->owner) return false;
    for (uint32_t i = stmt->index + 1; i-- > 0;) {
      const RlxAnalysis *unit = stmt->block->stmts[i]->analysis;
      for (uint32_t k = 0; unit && !unit->fn && k < unit->binding_count; k++) {
        const RlxBinding *b = unit->bindings[k];
        if (b->kind != RLX_BINDING_MATCH_CAST || !b->cast || !b->cast->has_symbols) continue;
        const RlxSInfo *s = b->cast;
        bool dims = (s->kind == RLX_SINFO_TENSOR || s->kind == RLX_SINFO_SHAPE) && s->dims;
        for (int32_t d = 0; dims && d < s->ndim; d++)
          if (rlx_prim_as_var(s->dims[d]) == var) *out = b->var;
      }
    }
    if (*out) return true;
  }
  return false;
}

static void explain_symbols(Why *w, const RlxSInfo *sinfo, const RlxStmt *stmt, int depth) {
  const RlxSymVar *vars[SYMBOLS_MAX];
  int count = 0;
  if (!sinfo || !sinfo->has_symbols || sinfo->kind == RLX_SINFO_FUNC) return;
  rlx_sinfo_vars(sinfo, vars, &count, SYMBOLS_MAX);
  for (int i = 0; i < count && !is_full(w); i++) {
    const RlxVar *binder = NULL;
    const char *note = NULL;
    RlxSpan place;
    if (vars[i]->is_relax) {
      RlxWhyStep *step = add(w, RLX_WHY_SYMBOL, depth);
      step->name = rlx_store_text(w->store, vars[i]->name);
      step->note = "a variable of the function";
      continue;
    }
    bool known = rlx_file_symvar_definition(w->file, stmt, vars[i], &place);
    for (const RlxFn *fn = rlx_fn_around(stmt); fn && !note; fn = fn->outer)
      note = bound_by(w, fn, vars[i], &binder);
    if (!note && cast_place(stmt, vars[i], &binder)) {
      note = rlx_arena_printf(w->arena, "defined by the match_cast to %s",
                              rlx_store_text(w->store, binder->name));
      place = rlx_stmt_absolute(binder->stmt, binder->span);
      known = true;
    }
    if (!note && known) note = defined_by(w, place);
    RlxWhyStep *step = add(w, RLX_WHY_SYMBOL, depth);
    step->name = rlx_store_text(w->store, vars[i]->name);
    step->note = note ? note : "not bound here";
    step->has_place = known;
    if (known) step->place = place;
  }
}

// ---- right-hand sides

static void explain_value(Why *w, const RlxValue *v, const RlxStmt *stmt, const char *role,
                          int depth, int level) {
  if (v->is_default || is_full(w)) return;
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE)
    explain_expr(w, v->expr, stmt, role, depth, level);
  else if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count && i < OPERANDS_MAX; i++)
      explain_value(w, &v->items[i], stmt, role, depth, level);
}

/// "n = 4, m = k": what the callee's variables are for this call.
static const char *call_bindings(Why *w, const RlxExpr *x) {
  const RlxSInfo *func = x->call->callee->sinfo, *args[OPERANDS_MAX];
  const RlxSymVar *vars[SYMBOLS_MAX];
  const RlxPrim *values[SYMBOLS_MAX];
  if (func->kind != RLX_SINFO_FUNC || !func->params || x->call->arg_count > OPERANDS_MAX)
    return NULL;
  for (uint32_t i = 0; i < x->call->arg_count; i++) args[i] = x->call->args[i].expr->sinfo;
  int count = rlx_sinfo_call_bindings(w->store, func, args, (int)x->call->arg_count, vars, values,
                                      SYMBOLS_MAX);
  RlxBuf text = {0};
  for (int i = 0; i < count; i++) {
    if (!values[i]) continue;
    rlx_buf_printf(&text, "%s%s = ", text.size ? ", " : "its result for ",
                   rlx_store_text(w->store, vars[i]->name));
    rlx_prim_tell(w->store, values[i], &text);
  }
  const char *kept = text.size ? rlx_arena_strdup(w->arena, rlx_buf_text(&text)) : "its result";
  rlx_buf_free(&text);
  return kept;
}

static void explain_call(Why *w, const RlxExpr *x, const RlxStmt *stmt, int depth, int level) {
  const RlxCall *call = x->call;
  RlxWhyStep *step = add(w, call->row ? RLX_WHY_OPERATOR : RLX_WHY_CALL, depth);
  step->op = call->row;
  step->name = excerpt(w, stmt, call->span);
  step->note = call->row ? rule_of(w, call->row) : call_bindings(w, x);
  set_place(step, stmt, call->name_span.end ? call->name_span : call->span);
  if (!call->row) explain_expr(w, call->callee, stmt, "callee", depth + 1, level + 1);
  for (uint32_t i = 0; i < call->arg_count && i < OPERANDS_MAX; i++)
    explain_value(w, &call->args[i], stmt, call->row ? call->row->params[i].name : NULL, depth + 1,
                  level + 1);
}

static RlxWhyStep *written(Why *w, const char *note, const RlxExpr *x, const RlxStmt *stmt,
                           int depth) {
  RlxWhyStep *step = add(w, RLX_WHY_WRITTEN, depth);
  step->note = note;
  set_place(step, stmt, x->span);
  return step;
}

static const RlxVar *last_bound(const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit && unit->kind == RLX_UNIT_WITH && unit->body) {
      const RlxVar *var = last_bound(unit->body);
      if (var) return var;
    }
    if (unit && unit->binding_count) return unit->bindings[unit->binding_count - 1]->var;
  }
  return NULL;
}

static void explain_if(Why *w, const RlxExpr *x, const RlxStmt *stmt, int depth, int level) {
  const RlxAnalysis *unit = stmt->analysis;
  RlxWhyStep *step = add(w, RLX_WHY_JOIN, depth);
  step->note = "what both branches have in common";
  set_place(step, stmt, x->span);
  const RlxVar *a = unit ? last_bound(unit->body) : NULL,
               *b = unit ? last_bound(unit->orelse) : NULL;
  if (a) explain_var(w, a, "then", depth + 1, level + 1);
  if (b) explain_var(w, b, "else", depth + 1, level + 1);
}

/// What makes the right-hand side `x` have its StructInfo.
static void explain_rhs(Why *w, const RlxExpr *x, const RlxStmt *stmt, int depth, int level) {
  if (level >= w->limits.levels || is_full(w)) return;
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_CALL: explain_call(w, x, stmt, depth, level); return;
  case RLX_EXPR_IF: explain_if(w, x, stmt, depth, level); return;
  case RLX_EXPR_TUPLE:
    written(w, "a tuple of its fields", x, stmt, depth);
    for (uint32_t i = 0; i < x->field_count && i < OPERANDS_MAX; i++)
      explain_expr(w, x->fields[i], stmt, NULL, depth + 1, level + 1);
    return;
  case RLX_EXPR_TUPLE_GET:
    written(w, rlx_arena_printf(w->arena, "field %lld of a tuple", (long long)x->index), x, stmt,
            depth);
    explain_expr(w, x->tuple, stmt, NULL, depth + 1, level + 1);
    return;
  case RLX_EXPR_VAR: explain_expr(w, x, stmt, NULL, depth, level); return;
  case RLX_EXPR_CONSTANT:
    written(w, x->constant.value ? "a constant" : "a constant whose data is elsewhere", x, stmt,
            depth);
    return;
  case RLX_EXPR_SHAPE: written(w, "a shape, its values are the dimensions", x, stmt, depth); return;
  case RLX_EXPR_PRIM: written(w, "a number", x, stmt, depth); return;
  case RLX_EXPR_STRING:
  case RLX_EXPR_DTYPE: written(w, "written so", x, stmt, depth); return;
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN:
  case RLX_EXPR_OP: written(w, "a function", x, stmt, depth); return;
  case RLX_EXPR_FUNCTION:
    written(w, "a local function: its signature and what it returns", x, stmt, depth);
    return;
  case RLX_EXPR_HOLE: written(w, "not known", x, stmt, depth); return;
  }
}

static void explain_expr(Why *w, const RlxExpr *x, const RlxStmt *stmt, const char *role, int depth,
                         int level) {
  if (is_full(w)) return;
  if (x->kind == RLX_EXPR_VAR) {
    explain_var(w, x->var, role, depth, level);
    return;
  }
  if (x->kind ==
      RLX_EXPR_TUPLE) { // an operand that is a tuple literal: its fields are the operands
    for (uint32_t i = 0; i < x->field_count && i < OPERANDS_MAX; i++)
      explain_expr(w, x->fields[i], stmt, role, depth, level);
    return;
  }
  RlxWhyStep *step = add(w, RLX_WHY_VALUE, depth);
  step->role = role;
  step->name = excerpt(w, stmt, x->span);
  step->sinfo = x->sinfo;
  set_place(step, stmt, x->span);
  if (x->kind == RLX_EXPR_CALL) explain_rhs(w, x, stmt, depth + 1, level);
}

// ---- variables

static bool was_told(Why *w, const RlxVar *var) {
  for (uint32_t i = 0; i < w->told.count; i++)
    if (w->told.at[i] == var) return true;
  rlx_vec_push(&w->told, var);
  return false;
}

static void explain_var(Why *w, const RlxVar *var, const char *role, int depth, int level) {
  if (is_full(w)) return;
  const RlxBinding *b = var->is_param ? NULL : rlx_binding_of(var);
  RlxWhyStep *step = add(w, var->is_param ? RLX_WHY_PARAMETER : RLX_WHY_VALUE, depth);
  bool is_nested = b && var->is_temporary;
  step->role = role;
  step->name = is_nested ? excerpt(w, b->stmt, b->span) : rlx_store_text(w->store, var->name);
  step->sinfo = var->sinfo;
  bool is_whole = b && (is_nested || var->named_in != var->stmt); // an `if` is what gives it
  if (var->stmt) set_place(step, var->stmt, is_whole ? b->span : var->span);
  step->is_known = was_told(w, var) && !var->is_param;
  if (step->is_known || !b) return;
  if (b->kind == RLX_BINDING_MATCH_CAST || b->annotated) {
    bool cast = b->kind == RLX_BINDING_MATCH_CAST;
    if (level >= w->limits.levels) return;
    step = add(w, cast ? RLX_WHY_CAST : RLX_WHY_ANNOTATION, depth + 1);
    set_place(step, b->stmt, b->span);
    if (!cast && b->stmt->annotation) set_place(step, b->stmt, b->stmt->annotation->span);
    if (b->deduced != var->sinfo) step->sinfo = b->deduced;
    step->note = cast ? "stated and checked when it runs" : "stated";
    explain_rhs(w, b->value, b->stmt, depth + 2, level);
    return;
  }
  explain_rhs(w, b->value, b->stmt, depth + 1, level);
}

static Why start(RlxFile *file, RlxWhyLimits limits, RlxArena *arena, RlxWhySteps *out) {
  rlx_file_analyze(file, NULL);
  Why w = {.file = file,
           .store = file->store,
           .limits = limits,
           .arena = arena,
           .out = out,
           .first = out->count};
  return w;
}

void rlx_file_why(RlxFile *file, const RlxVar *var, RlxWhyLimits limits, RlxArena *arena,
                  RlxWhySteps *out) {
  Why w = start(file, limits, arena, out);
  explain_var(&w, var, NULL, 0, 0);
  explain_symbols(&w, var->sinfo, var->stmt, 1);
  rlx_vec_free(&w.told);
}

void rlx_file_why_result(RlxFile *file, const RlxStmt *def, RlxWhyLimits limits, RlxArena *arena,
                         RlxWhySteps *out) {
  Why w = start(file, limits, arena, out);
  const RlxAnalysis *unit = def->analysis;
  const RlxFn *fn = unit ? unit->fn : NULL;
  if (fn && fn->kind == RLX_ISLAND_RELAX && fn->function.ret) {
    const RlxFunction *f = &fn->function;
    RlxWhyStep *step = add(&w, RLX_WHY_RESULT, 0);
    step->name = rlx_store_text(file->store, fn->stmt->name);
    step->sinfo = f->ret;
    set_place(step, fn->stmt, fn->stmt->name_span);
    if (f->ret_annotation) {
      step = add(&w, RLX_WHY_ANNOTATION, 1);
      step->note = f->ret == f->ret_annotation ? "stated" : "stated, but the body is known better";
      if (fn->stmt->annotation) set_place(step, fn->stmt, fn->stmt->annotation->span);
    } else if (fn->result && fn->result->sinfo != f->ret) {
      step->note = "what the body gives, over the variables of the parameters";
    }
    if (fn->result && fn->result_stmt)
      explain_expr(&w, fn->result, fn->result_stmt, "returned", 1, 0);
    explain_symbols(&w, f->ret, fn->stmt, 1);
  }
  rlx_vec_free(&w.told);
}

// ---- names

typedef struct Finder {
  RlxFile *file;
  const char *name; // behind the function's
  RlxWhyTarget target;
  RlxWhyTargets *out;
} Finder;

static void try_var(Finder *f, const RlxVar *var) {
  if (strcmp(rlx_store_text(f->file->store, var->name), f->name) != 0) return;
  f->target.var = var;
  rlx_vec_push(f->out, f->target);
}

static void find_in_body(Finder *f, const RlxBody *body) {
  for (uint32_t i = 0; body && i < body->block_count; i++)
    for (uint32_t k = 0; k < body->blocks[i].count; k++) {
      const RlxBinding *b = body->blocks[i].bindings[k];
      try_var(f, b->var);
      if (b->value->kind == RLX_EXPR_IF) {
        find_in_body(f, &b->value->branches[0]);
        find_in_body(f, &b->value->branches[1]);
      } else if (b->value->kind == RLX_EXPR_FUNCTION) {
        for (uint32_t n = 0; n < b->value->function->param_count; n++)
          try_var(f, b->value->function->params[n]);
        find_in_body(f, &b->value->function->body);
      }
    }
}

void rlx_file_why_targets(RlxFile *file, const char *name, RlxArena *arena, RlxWhyTargets *out) {
  const char *dot = strchr(name, '.');
  rlx_file_analyze(file, NULL);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxStmt *def = file->fns.at[i]->stmt;
    if (file->fns.at[i]->kind != RLX_ISLAND_RELAX) continue;
    const char *own = rlx_store_text(file->store, def->name);
    size_t size = strlen(own);
    if (dot && (size != (size_t)(dot - name) || memcmp(own, name, size) != 0)) continue;
    Finder f = {file, dot ? dot + 1 : name, {def->name, def, NULL}, out};
    if (!dot && strcmp(own, name) == 0) rlx_vec_push(out, f.target);
    const RlxFunction *fn = rlx_file_function_ir(file, def, arena);
    for (uint32_t k = 0; fn && k < fn->param_count; k++) try_var(&f, fn->params[k]);
    if (fn) find_in_body(&f, &fn->body);
  }
}

// ---- words

const char *rlx_why_kind_text(RlxWhyKind kind) {
  static const char *const names[] = {
#define RLX_WHY(id, name) [RLX_WHY_##id] = name,
#include "analyzer/ask/why.def"
#undef RLX_WHY
  };
  return names[kind];
}

static void put_sinfo(const RlxStore *store, const RlxWhyStep *step, RlxBuf *out) {
  if (!step->sinfo) return;
  rlx_buf_puts(out, ": ");
  rlx_sinfo_print(store, step->sinfo, out);
}

void rlx_why_print(const RlxStore *store, const RlxWhyStep *step, RlxBuf *out) {
  if (step->role) rlx_buf_printf(out, "%s = ", step->role);
  switch ((RlxWhyKind)step->kind) {
  case RLX_WHY_PARAMETER:
    rlx_buf_printf(out, "parameter %s", step->name);
    put_sinfo(store, step, out);
    return;
  case RLX_WHY_VALUE:
    rlx_buf_puts(out, step->name);
    put_sinfo(store, step, out);
    if (step->is_known) rlx_buf_puts(out, " (above)");
    return;
  case RLX_WHY_RESULT:
    rlx_buf_printf(out, "result of %s", step->name);
    put_sinfo(store, step, out);
    if (step->note) rlx_buf_printf(out, " (%s)", step->note);
    return;
  case RLX_WHY_OPERATOR:
    rlx_buf_printf(out, "R.%.*s: %s", (int)strcspn(step->op->script, " "), step->op->script,
                   step->note);
    return;
  case RLX_WHY_CALL:
    rlx_buf_puts(out, step->name);
    if (step->note) rlx_buf_printf(out, ": %s", step->note);
    return;
  case RLX_WHY_ANNOTATION:
  case RLX_WHY_CAST:
    rlx_buf_puts(out, step->kind == RLX_WHY_CAST ? "match_cast" : "annotation");
    if (step->note) rlx_buf_printf(out, ": %s", step->note);
    if (!step->sinfo) return;
    rlx_buf_puts(out, step->kind == RLX_WHY_CAST ? "; the operand is " : "; deduced is ");
    rlx_sinfo_print(store, step->sinfo, out);
    return;
  case RLX_WHY_JOIN:
  case RLX_WHY_WRITTEN: rlx_buf_puts(out, step->note); return;
  case RLX_WHY_SYMBOL: rlx_buf_printf(out, "%s: %s", step->name, step->note); return;
  }
}

void rlx_why_print_steps(RlxFile *file, const RlxWhySteps *steps, RlxBuf *out) {
  const RlxLines *lines = rlx_document_lines(file->document);
  for (uint32_t i = 0; i < steps->count; i++) {
    const RlxWhyStep *step = &steps->at[i];
    rlx_buf_repeat(out, ' ', 2u * step->depth);
    rlx_why_print(file->store, step, out);
    if (step->has_place) {
      RlxLineColumn at = rlx_lines_locate(lines, step->place.start);
      rlx_buf_printf(out, "  (%u:%u)", at.line + 1, at.column + 1);
    }
    rlx_buf_putc(out, '\n');
  }
}
