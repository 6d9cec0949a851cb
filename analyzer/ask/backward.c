/// Bindings are looked at from the last to the first: each says what its operands must be, by the
/// inverse rule of its operator, by a signature, or by a match_cast. See backward.h.
#include "analyzer/ask/backward.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/function/files.h"
#include "analyzer/ops/backward.h"
#include "analyzer/state/state.h"
#include "base/mem.h"

enum { CALL_ARGS_MAX = 32, CASTS_MAX = 256 };

/// What is required of one variable, and by which use.
typedef struct Wanted {
  const RlxVar *var;
  RlxNeed need;
  const RlxStmt *stmt;
  RlxSpan span;
  const RlxOpRow *op;
} Wanted;

typedef struct CastSymbol {
  const RlxSymVar *symbol;
  uint32_t start; // of the statement that binds it
} CastSymbol;

/// One branch of an `if`: what it requires of variables from outside holds only where it is taken.
typedef struct Branch {
  const struct Branch *outer;
  const RlxStmt *stmt; // the `if`
  Wanted **wanted;     // of variables from outside, by RlxVar.id
} Branch;

/// What is required of a field of a tuple's variable.
typedef struct Field {
  const struct Field *next;
  const RlxVar *tuple;
  int64_t index;
  RlxNeed need;
} Field;

typedef struct Backward Backward;
struct Backward {
  RlxInverse inverse; // first: rules get it
  RlxFile *file;
  const RlxFn *fn;
  Backward *outer; // a nested function's body, seen from the function around; NULL: none
  RlxArena *arena;
  Wanted **wanted; // by RlxVar.id
  uint32_t var_count;
  const Field *fields;
  const Branch *branch; // the innermost around what is looked at
  bool *called;         // by RlxVar.id: a nested function that is called outside of branches
  const RlxBinding *binding;
  CastSymbol casts[CASTS_MAX];
  uint32_t cast_count;
};

/// The answers of one function, kept until its file is analysed again.
typedef struct RlxRequired {
  RlxArena *arena;
  RlxBackwards answers;
  RlxMap by_var;  ///< RlxVar * → index in answers
  uint64_t round; ///< of the file, when they were found
} RlxRequired;

// ---- what is known

static void fill_from(RlxNeed *need, const RlxSInfo *s) {
  if (s->kind != RLX_SINFO_TENSOR) return;
  if (!rlx_dtype_known(need->dtype)) need->dtype = s->dtype;
  if (need->ndim < 0 && s->ndim <= RLX_NEED_DIMS) need->ndim = s->ndim;
  for (int i = 0; s->dims && need->ndim == s->ndim && i < s->ndim; i++)
    if (!need->dims[i]) need->dims[i] = s->dims[i];
}

static RlxNeed need_of_sinfo(const RlxSInfo *s) {
  RlxNeed need = rlx_need_nothing();
  fill_from(&need, s);
  return need;
}

static Wanted *wanted_of(const Backward *b, const RlxVar *var) {
  return var->id < b->var_count ? b->wanted[var->id] : NULL;
}

/// The function that a variable belongs to.
static const RlxFn *fn_of(const RlxVar *var) {
  for (const RlxStmt *stmt = var->stmt; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && (unit->fn || unit->owner))
      return unit->fn && (stmt != var->stmt || var->is_param) ? unit->fn : unit->owner;
  }
  return NULL;
}

/// The function's part of the work that `var` belongs to, for ids count in each function; NULL: it
/// is of a function around that is not looked at.
static const Backward *owner_of(const Backward *b, const RlxVar *var) {
  const RlxFn *fn = fn_of(var);
  while (b && b->fn != fn) b = b->outer;
  return b;
}

/// Takes from `more` what `need` does not say.
static void complete(RlxNeed *need, const RlxNeed *more) {
  if (!rlx_dtype_known(need->dtype)) need->dtype = more->dtype;
  if (need->ndim < 0) need->ndim = more->ndim;
  for (int i = 0; i < need->ndim && more->ndim == need->ndim; i++)
    if (!need->dims[i]) need->dims[i] = more->dims[i];
  if (need->has_may || !more->has_may) return;
  need->has_may = true;
  need->may_ndim = more->may_ndim;
  memcpy(need->may, more->may, sizeof need->may);
}

/// What deduction says about a variable, completed by what is required of it.
static RlxNeed known_var(const Backward *b, const RlxVar *var) {
  RlxNeed need = need_of_sinfo(var->sinfo);
  b = owner_of(b, var);
  const Wanted *w = b ? wanted_of(b, var) : NULL;
  if (w) complete(&need, &w->need);
  for (const Branch *branch = b ? b->branch : NULL; branch; branch = branch->outer)
    if (var->id < b->var_count && branch->wanted[var->id])
      complete(&need, &branch->wanted[var->id]->need);
  return need;
}

static RlxNeed known(RlxInverse *v, const RlxExpr *x) {
  Backward *b = (Backward *)v;
  return x->kind == RLX_EXPR_VAR ? known_var(b, x->var) : need_of_sinfo(x->sinfo);
}

// ---- requiring

static bool is_complete(const RlxSInfo *s) {
  return s->kind != RLX_SINFO_TENSOR || ((s->dims || s->shape_var) && rlx_dtype_known(s->dtype));
}

static bool is_inside(const RlxStmt *stmt, const RlxStmt *outer) {
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL)
    if (stmt == outer) return true;
  return false;
}

typedef struct ScopeAt {
  const Backward *b;
  uint32_t start; // the variable's statement
} ScopeAt;

/// Is the symbolic variable bound before that statement: by the signature, or by a match_cast
/// above?
static bool is_bound(const RlxSymVar *symbol, void *data) {
  const ScopeAt *at = data;
  if (symbol->is_relax) return false;
  for (uint32_t i = 0; i < at->b->cast_count; i++)
    if (at->b->casts[i].symbol == symbol) return at->b->casts[i].start < at->start;
  for (const RlxFn *fn = at->b->fn; fn; fn = fn->outer)
    for (uint32_t i = 0; i < fn->params.count; i++) {
      const RlxDef *def = &fn->params.at[i];
      if (def->value.kind == RLX_VALUE_PRIM && rlx_prim_as_var(def->value.prim) == symbol)
        return true;
    }
  return false;
}

/// Does `wanted` say something that `before` does not?
static bool adds_something(const RlxNeed *before, const RlxNeed *wanted) {
  if (rlx_dtype_known(wanted->dtype) && !rlx_dtype_known(before->dtype)) return true;
  if (wanted->ndim >= 0 && before->ndim < 0) return true;
  for (int i = 0; i < wanted->ndim && wanted->ndim == before->ndim; i++)
    if (wanted->dims[i] && !before->dims[i]) return true;
  return wanted->has_may && !before->has_may;
}

static void require_var(Backward *b, const RlxVar *var, const RlxNeed *wanted) {
  const RlxBinding *use = b->binding;
  b = (Backward *)(uintptr_t)owner_of(b, var);
  if (!b || var->id >= b->var_count || !var->stmt || var->is_tainted || is_complete(var->sinfo))
    return;
  RlxNeed need = *wanted;
  ScopeAt at = {b, var->is_param ? 0 : var->stmt->start};
  for (int i = 0; i < need.ndim; i++)
    if (need.dims[i] && !rlx_prim_all_vars(need.dims[i], is_bound, &at)) need.dims[i] = NULL;
  for (int i = 0; need.has_may && i < need.may_ndim; i++)
    need.has_may = rlx_prim_all_vars(need.may[i], is_bound, &at);
  RlxNeed before = known_var(b, var);
  if (!adds_something(&before, &need)) return;
  bool outside = b->branch && !is_inside(var->stmt, b->branch->stmt);
  Wanted **w = &(outside ? b->branch->wanted : b->wanted)[var->id];
  if (!*w) {
    *w = rlx_arena_one(b->arena, Wanted);
    (*w)->var = var;
    (*w)->need = rlx_need_nothing();
    (*w)->stmt = use ? use->stmt : NULL;
    (*w)->span = use && use->value ? use->value->span : rlx_span(0, 0);
    (*w)->op =
        use && use->value && use->value->kind == RLX_EXPR_CALL ? use->value->call->row : NULL;
  }
  complete(&(*w)->need, &need);
}

static void require(RlxInverse *v, const RlxExpr *x, const RlxNeed *need) {
  if (x->kind == RLX_EXPR_VAR) require_var((Backward *)v, x->var, need);
}

static void require_sinfo(Backward *b, const RlxExpr *x, const RlxSInfo *s) {
  if (x->kind == RLX_EXPR_TUPLE && s->kind == RLX_SINFO_TUPLE &&
      (int32_t)x->field_count == s->count) {
    for (uint32_t i = 0; i < x->field_count; i++) require_sinfo(b, x->fields[i], s->fields[i]);
    return;
  }
  RlxNeed need = need_of_sinfo(s);
  if (x->kind == RLX_EXPR_VAR && s->kind == RLX_SINFO_TENSOR) require_var(b, x->var, &need);
}

// ---- bindings, from the last to the first

static const RlxRequired *required_in(RlxFile *file, RlxFn *fn);

/// What parameter `i` of `callee` must be: its StructInfo, or what the function's body requires of
/// it.
static const RlxSInfo *required_param(const Backward *b, const RlxFn *callee, int i,
                                      const RlxSInfo *param) {
  uint64_t at;
  if (!callee || (uint32_t)i >= callee->function.param_count) return param;
  const RlxRequired *required = required_in(b->file, (RlxFn *)(uintptr_t)callee);
  if (!required || !rlx_map_get(&required->by_var, (uintptr_t)callee->function.params[i], &at))
    return param;
  const RlxSInfo *must = required->answers.at[at].must;
  return must ? must : param;
}

/// The function of this file that is called, when it stands before: a function that stands behind,
/// or around, may call this one.
static const RlxFn *called_function(Backward *b, const RlxExpr *callee) {
  const RlxAnalysis *unit = NULL;
  if (callee->kind == RLX_EXPR_GLOBAL && callee->callee) {
    unit = callee->callee->analysis;
    const RlxFn *outermost = b->fn;
    while (outermost->outer) outermost = outermost->outer;
    if (callee->callee->start >= outermost->stmt->start) return NULL;
  }
  if (callee->kind == RLX_EXPR_VAR && callee->var->stmt) {
    const Backward *owner = owner_of(b, callee->var);
    unit = callee->var->stmt->analysis;
    bool is_nested = owner && unit && unit->fn && unit->fn->outer == owner->fn;
    if (!is_nested || callee->var->id >= owner->var_count) return NULL;
    bool for_sure = true;
    for (const Backward *at = b; at && for_sure; at = at == owner ? NULL : at->outer)
      for_sure = !at->branch;
    owner->called[callee->var->id] |= for_sure;
    for (const Backward *at = b; at; at = at->outer)
      if (at->fn == unit->fn) return NULL; // calls itself
  }
  return unit && unit->fn && unit->fn->kind == RLX_ISLAND_RELAX ? unit->fn : NULL;
}

/// Arguments fit the parameters of the function, whose variables stand for what the other arguments
/// bind them to.
static void look_at_arguments(Backward *b, const RlxSInfo *func, const RlxFn *callee,
                              const RlxExpr *const *args, int count) {
  const RlxSInfo *sinfos[CALL_ARGS_MAX] = {0};
  const RlxSymVar *vars[CALL_ARGS_MAX];
  const RlxPrim *values[CALL_ARGS_MAX];
  if (!func || func->kind != RLX_SINFO_FUNC || !func->params || count > CALL_ARGS_MAX ||
      count > func->count)
    return;
  for (int i = 0; i < count; i++) sinfos[i] = args[i]->sinfo;
  int bound =
      rlx_sinfo_call_bindings(b->file->store, func, sinfos, count, vars, values, CALL_ARGS_MAX);
  if (bound == CALL_ARGS_MAX) return;
  RlxSubst subst = {vars, values, bound, false};
  for (int i = 0; i < count; i++) {
    if (args[i]->kind != RLX_EXPR_VAR) continue;
    const RlxSInfo *param = required_param(b, callee, i, func->params[i]);
    if (param->kind != RLX_SINFO_TENSOR) continue;
    RlxNeed need = need_of_sinfo(param);
    for (int k = 0; k < need.ndim; k++) {
      bool complete = true;
      const RlxPrim *value =
          need.dims[k] ? rlx_prim_subst(b->file->store, need.dims[k], &subst, &complete) : NULL;
      need.dims[k] = complete ? value : NULL;
    }
    require_var(b, args[i]->var, &need);
  }
}

static void look_at_call(Backward *b, const RlxCall *call) {
  const RlxExpr *args[CALL_ARGS_MAX];
  if (!call->row) {
    if (call->arg_count > CALL_ARGS_MAX) return;
    for (uint32_t i = 0; i < call->arg_count; i++) args[i] = call->args[i].expr;
    look_at_arguments(b, call->callee->sinfo, called_function(b, call->callee), args,
                      (int)call->arg_count);
    return;
  }
  int list = rlx_op_param(call->row, "args");
  const RlxValue *callee = call->arg_count ? &call->args[0] : NULL;
  bool is_tir = callee && list > 0 && callee->kind == RLX_VALUE_CALLEE &&
                callee->expr->kind == RLX_EXPR_GLOBAL && callee->expr->callee &&
                strncmp(call->row->registry, "relax.call_tir", 14) == 0;
  if (is_tir && call->args[list].kind == RLX_VALUE_EXPR &&
      call->args[list].expr->kind == RLX_EXPR_TUPLE) {
    const RlxAnalysis *unit = callee->expr->callee->analysis;
    const RlxExpr *tuple = call->args[list].expr;
    if (!unit || !unit->fn || unit->fn->kind != RLX_ISLAND_PRIM_FUNC ||
        tuple->field_count > CALL_ARGS_MAX)
      return;
    for (uint32_t i = 0; i < tuple->field_count; i++) args[i] = tuple->fields[i];
    look_at_arguments(b, unit->fn->function.sinfo, NULL, args, (int)tuple->field_count);
    return;
  }
  RlxBackwardFn *rule = rlx_backward_rule(call->row);
  if (rule) rule(&b->inverse, call);
}

/// `var` is a field of a tuple: what is required of it is so of the field. What holds in a branch alone says nothing of a tuple
/// from outside.
static void note_field(Backward *b, const RlxVar *tuple, int64_t index) {
  Backward *owner = (Backward *)(uintptr_t)owner_of(b, tuple);
  if (!owner || !tuple->stmt || (owner->branch && !is_inside(tuple->stmt, owner->branch->stmt)) ||
      (b != owner && b->branch))
    return;
  Field *field = rlx_arena_one(owner->arena, Field);
  *field = (Field){owner->fields, tuple, index, b->inverse.result};
  owner->fields = field;
}

/// What is known of the fields of a call's result, and required of them.
static void fill_fields(Backward *b, const RlxVar *var) {
  enum { FIELDS_MAX = 16 };
  const RlxSInfo *s = var->sinfo;
  b->inverse.field_count = 0;
  if (s->kind != RLX_SINFO_TUPLE || s->count > FIELDS_MAX) return;
  RlxNeed *fields = rlx_arena_array(b->inverse.d.scratch, RlxNeed, s->count + 1);
  for (int i = 0; i < s->count; i++) fields[i] = need_of_sinfo(s->fields[i]);
  for (const Field *f = b->fields; f; f = f->next)
    if (f->tuple == var && f->index >= 0 && f->index < s->count)
      complete(&fields[f->index], &f->need);
  b->inverse.fields = fields;
  b->inverse.field_count = s->count;
}

static void look_at_binding(Backward *b, const RlxBinding *binding) {
  const RlxExpr *x = binding->value;
  if (!x || binding->var->is_tainted) return;
  b->binding = binding;
  if (binding->kind == RLX_BINDING_MATCH_CAST) {
    if (binding->cast) require_sinfo(b, x, binding->cast);
    return;
  }
  RlxArenaMark mark = rlx_arena_mark(b->inverse.d.scratch);
  b->inverse.result = known_var(b, binding->var);
  fill_fields(b, binding->var);
  if (x->kind == RLX_EXPR_CALL)
    look_at_call(b, x->call);
  else if (x->kind == RLX_EXPR_TUPLE_GET && x->tuple->kind == RLX_EXPR_VAR)
    note_field(b, x->tuple->var, x->index);
  else if (x->kind == RLX_EXPR_VAR)
    require_var(b, x->var, &b->inverse.result);
  rlx_arena_rewind(b->inverse.d.scratch, mark);
}

static void look_at_suite(Backward *b, const RlxSuite *suite);

/// The variable that a branch gives: the last that it binds, or NULL.
static const RlxVar *last_of(const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit || unit->fn) continue;
    if (unit->kind == RLX_UNIT_WITH) {
      const RlxVar *inside = last_of(unit->body);
      if (inside) return inside;
    }
    if (unit->binding_count) return unit->bindings[unit->binding_count - 1]->var;
  }
  return NULL;
}

/// What the `if` gives is what its branch gives: the requirement goes to the branch's variable.
static void look_at_result_of(Backward *b, const RlxAnalysis *unit, const RlxSuite *suite) {
  const RlxBinding *binding = unit->binding_count ? unit->bindings[unit->binding_count - 1] : NULL;
  const RlxVar *given = last_of(suite);
  if (!given || !binding || !binding->value || binding->value->kind != RLX_EXPR_IF ||
      binding->var->is_tainted)
    return;
  RlxNeed need = known_var(b, binding->var);
  b->binding = binding;
  require_var(b, given, &need);
  b->binding = NULL;
}

/// Both say it: what holds whichever branch is taken. A shape that one of them suggests, or
/// requires, is suggested.
static RlxNeed meet(const RlxNeed *a, const RlxNeed *b) {
  RlxNeed both = rlx_need_nothing();
  if (rlx_dtype_equal(a->dtype, b->dtype)) both.dtype = a->dtype;
  if (a->ndim == b->ndim) both.ndim = a->ndim;
  for (int i = 0; i < both.ndim; i++)
    if (a->dims[i] == b->dims[i]) both.dims[i] = a->dims[i];
  return both;
}

/// The shape that one branch requires is only suggested to the other.
static void suggest(RlxNeed *both, const RlxNeed *one) {
  bool full = one->ndim >= 0;
  for (int i = 0; i < one->ndim; i++) full &= one->dims[i] != NULL;
  if (both->has_may || (!full && !one->has_may)) return;
  both->has_may = true;
  both->may_ndim = full ? one->ndim : one->may_ndim;
  memcpy(both->may, full ? one->dims : one->may, sizeof both->may);
}

/// One of both happens: what they agree on must be, the rest may be.
static void look_at_if(Backward *b, const RlxAnalysis *unit) {
  const Branch *outer = b->branch;
  const RlxSuite *const suites[2] = {unit->body, unit->orelse};
  Branch branches[2];
  for (int i = 0; i < 2; i++) {
    branches[i] = (Branch){outer, unit->stmt, rlx_arena_array(b->arena, Wanted *, b->var_count)};
    b->branch = &branches[i];
    look_at_result_of(b, unit, suites[i]);
    look_at_suite(b, suites[i]);
  }
  b->branch = outer;
  for (uint32_t id = 0; id < b->var_count; id++) {
    const Wanted *one = branches[0].wanted[id], *other = branches[1].wanted[id];
    const Wanted *any = one ? one : other;
    if (!any) continue;
    const RlxNeed nothing = rlx_need_nothing();
    const RlxNeed *x = one ? &one->need : &nothing, *y = other ? &other->need : &nothing;
    RlxNeed need = meet(x, y);
    suggest(&need, x);
    suggest(&need, y);
    RlxCall call = {.row = any->op};
    RlxExpr value = {.kind = RLX_EXPR_CALL, .span = any->span, .call = &call};
    RlxBinding at = {.stmt = any->stmt, .value = any->op ? &value : NULL};
    b->binding = &at;
    require_var(b, any->var, &need);
    b->binding = NULL;
  }
}

static bool start(Backward *b, RlxFile *file, const RlxFn *fn, RlxArena *arena);
static void collect_casts(Backward *b, const RlxSuite *suite);

/// The body of a nested function that is called for sure: what it requires of variables of the
/// function around holds there. (Its own have answers of their own.)
static void look_at_nested(Backward *b, const RlxAnalysis *unit) {
  Backward inner;
  const RlxVar *self = unit->binding_count ? unit->bindings[0]->var : NULL;
  if (!self || self->id >= b->var_count || !b->called[self->id] ||
      !start(&inner, b->file, unit->fn, b->arena))
    return;
  inner.outer = b;
  inner.inverse.d = b->inverse.d;
  collect_casts(&inner, inner.fn->body);
  look_at_suite(&inner, inner.fn->body);
}

static void look_at_suite(Backward *b, const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit) continue;
    if (unit->fn) {
      look_at_nested(b, unit);
      continue;
    }
    if (unit->kind == RLX_UNIT_IF) look_at_if(b, unit);
    if (unit->kind == RLX_UNIT_WITH) look_at_suite(b, unit->body);
    if (unit->stmt && unit->stmt->kind == RLX_STMT_RETURN && unit->result &&
        b->fn->function.ret_annotation) {
      RlxBinding at = {.stmt = unit->stmt, .value = unit->result};
      b->binding = &at;
      require_sinfo(b, unit->result, b->fn->function.ret_annotation);
      b->binding = NULL;
    }
    for (uint32_t k = unit->binding_count; k-- > 0;) look_at_binding(b, unit->bindings[k]);
  }
}

/// Symbols that match_casts bind, each with the first that does.
static void collect_casts(Backward *b, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit || unit->fn) continue;
    collect_casts(b, unit->body);
    collect_casts(b, unit->orelse);
    for (uint32_t k = 0; k < unit->binding_count; k++) {
      const RlxSymVar *vars[16];
      int count = 0;
      if (!unit->bindings[k]->cast || !unit->bindings[k]->cast->has_symbols) continue;
      rlx_sinfo_vars(unit->bindings[k]->cast, vars, &count, 16);
      for (int n = 0; n < count; n++) {
        bool seen = b->cast_count == CASTS_MAX;
        for (uint32_t c = 0; c < b->cast_count && !seen; c++) seen = b->casts[c].symbol == vars[n];
        for (uint32_t p = 0; p < b->fn->params.count && !seen; p++) {
          const RlxDef *def = &b->fn->params.at[p];
          seen = def->value.kind == RLX_VALUE_PRIM && rlx_prim_as_var(def->value.prim) == vars[n];
        }
        if (!seen) b->casts[b->cast_count++] = (CastSymbol){vars[n], unit->stmt->start};
      }
    }
  }
}

// ---- answers

static const RlxSInfo *sinfo_of(RlxStore *store, const RlxVar *var, const RlxNeed *need,
                                const RlxPrim *const *dims, int ndim) {
  bool full = ndim >= 0;
  for (int i = 0; i < ndim; i++) full &= dims[i] != NULL;
  return full ? rlx_sinfo_tensor(store, dims, ndim, need->dtype, var->sinfo->vdevice)
              : rlx_sinfo_tensor_ndim(store, ndim, need->dtype, var->sinfo->vdevice);
}

/// `x` when it is finer than `than`, else NULL.
static const RlxSInfo *if_finer(RlxStore *store, const RlxSInfo *x, const RlxSInfo *than) {
  bool below = rlx_sinfo_base_check(store, NULL, than, x, NULL, NULL) == RLX_CHECK_PASS;
  return below && rlx_sinfo_base_check(store, NULL, x, than, NULL, NULL) != RLX_CHECK_PASS ? x
                                                                                           : NULL;
}

static bool answer(const Backward *b, const RlxVar *var, RlxBackward *out) {
  const Wanted *w = wanted_of(b, var);
  RlxStore *store = b->file->store;
  if (!w || var->sinfo->kind != RLX_SINFO_TENSOR) return false;
  RlxNeed all = known_var(b, var);
  *out = (RlxBackward){.var = var, .stmt = w->stmt, .span = w->span, .op = w->op};
  out->must = if_finer(store, sinfo_of(store, var, &all, all.dims, all.ndim), var->sinfo);
  if (all.has_may && (all.ndim < 0 || all.ndim == all.may_ndim)) {
    const RlxPrim *dims[RLX_NEED_DIMS];
    for (int i = 0; i < all.may_ndim; i++)
      dims[i] = all.ndim >= 0 && all.dims[i] ? all.dims[i] : all.may[i];
    out->may = if_finer(store, sinfo_of(store, var, &all, dims, all.may_ndim),
                        out->must ? out->must : var->sinfo);
  }
  return out->must || out->may;
}

static bool start(Backward *b, RlxFile *file, const RlxFn *fn, RlxArena *arena) {
  memset(b, 0, sizeof *b);
  if (!fn || fn->kind != RLX_ISLAND_RELAX || !fn->body || !fn->next_var_id) return false;
  b->file = file;
  b->fn = fn;
  b->arena = arena;
  b->var_count = fn->next_var_id;
  b->wanted = rlx_arena_array(arena, Wanted *, b->var_count);
  b->called = rlx_arena_array(arena, bool, b->var_count);
  b->inverse.known = known;
  b->inverse.require = require;
  return true;
}

/// Is there a variable of which not all is known?
static bool has_open(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit || unit->fn) continue;
    if (has_open(unit->body) || has_open(unit->orelse)) return true;
    for (uint32_t k = 0; k < unit->binding_count; k++)
      if (!unit->bindings[k]->var->is_tainted && !is_complete(unit->bindings[k]->var->sinfo))
        return true;
  }
  return false;
}

static bool has_open_param(const RlxFn *fn) {
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    if (!is_complete(fn->function.params[i]->sinfo)) return true;
  return false;
}

static void run(Backward *b) {
  RlxSink silent = {.arena = rlx_arena_new()};
  b->inverse.d = (RlxDeduce){.store = b->file->store, .scratch = silent.arena, .sink = &silent};
  collect_casts(b, b->fn->body);
  look_at_suite(b, b->fn->body);
  rlx_vec_free(&silent.diags);
  rlx_arena_free(silent.arena);
}

static void collect_answers(const Backward *b, const RlxSuite *suite, RlxBackwards *out) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    RlxBackward one;
    if (!unit || unit->fn) continue;
    collect_answers(b, unit->body, out);
    collect_answers(b, unit->orelse, out);
    for (uint32_t k = 0; k < unit->binding_count; k++)
      if (answer(b, unit->bindings[k]->var, &one)) rlx_vec_push(out, one);
  }
}

// ---- kept answers

static void required_free(RlxRequired *required) {
  if (!required) return;
  rlx_vec_free(&required->answers);
  rlx_map_free(&required->by_var);
  rlx_arena_free(required->arena);
  free(required);
}

static void find_answers(RlxFile *file, RlxFn *fn, RlxRequired *out) {
  Backward b;
  RlxBackward one;
  if ((!has_open_param(fn) && !has_open(fn->body)) || !start(&b, file, fn, out->arena)) return;
  run(&b);
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    if (answer(&b, fn->function.params[i], &one)) rlx_vec_push(&out->answers, one);
  collect_answers(&b, fn->body, &out->answers);
  for (uint32_t i = 0; i < out->answers.count; i++)
    rlx_map_put(&out->by_var, (uintptr_t)out->answers.at[i].var, i);
}

/// Everything that the uses in `fn` require; NULL when there is no function.
static const RlxRequired *required_in(RlxFile *file, RlxFn *fn) {
  if (!fn) return NULL;
  if (fn->required && fn->required->round == file->round) return fn->required;
  required_free(fn->required);
  fn->free_required = required_free;
  fn->required = rlx_mem_zeroed(1, sizeof *fn->required);
  *fn->required = (RlxRequired){.arena = rlx_arena_new_sized(256), .round = file->round};
  find_answers(file, fn, fn->required);
  return fn->required;
}

/// The answers of a function, then those of the functions inside.
static void append_answers(RlxFile *file, RlxFn *fn, RlxBackwards *out);

static void append_nested(RlxFile *file, const RlxSuite *suite, RlxBackwards *out) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit) continue;
    if (unit->fn)
      append_answers(file, unit->fn, out);
    else
      append_nested(file, unit->body, out), append_nested(file, unit->orelse, out);
  }
}

static void append_answers(RlxFile *file, RlxFn *fn, RlxBackwards *out) {
  const RlxRequired *required = required_in(file, fn);
  for (uint32_t i = 0; required && i < required->answers.count; i++)
    rlx_vec_push(out, required->answers.at[i]);
  if (fn && fn->kind == RLX_ISLAND_RELAX) append_nested(file, fn->body, out);
}

void rlx_file_backward(RlxFile *file, const RlxStmt *def, RlxBackwards *out) {
  rlx_file_analyze(file, NULL);
  const RlxAnalysis *unit = def->analysis;
  append_answers(file, unit ? unit->fn : NULL, out);
}

bool rlx_file_backward_of(RlxFile *file, const RlxVar *var, RlxBackward *out) {
  rlx_file_analyze(file, NULL);
  if (!var->stmt || is_complete(var->sinfo)) return false;
  RlxFn *fn = NULL;
  for (const RlxStmt *stmt = var->stmt; stmt && !fn;
       stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit) fn = unit->fn ? unit->fn : unit->owner;
  }
  const RlxRequired *required = required_in(file, fn);
  uint64_t at = 0;
  if (!required || !rlx_map_get(&required->by_var, (uintptr_t)var, &at)) return false;
  *out = required->answers.at[at];
  return true;
}
