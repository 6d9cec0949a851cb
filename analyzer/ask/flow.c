/// Producers, consumers, aliases and operands of a variable.
/// Always true: a chain of aliases is followed a bounded number of steps, and never in a circle.
#include "analyzer/ask/flow.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"
#include "base/map.h"

enum { STEPS_MAX = 64, DEPTH_MAX = 32 };

static const RlxExpr *source(const RlxExpr *x, int steps);

/// What a variable stands for: what its alias or tuple access leads to, else NULL: itself.
static const RlxExpr *step(const RlxVar *var, int steps) {
  const RlxBinding *b = rlx_binding_of(var);
  if (!b || b->kind != RLX_BINDING_VAR || !b->value) return NULL;
  if (b->value->kind == RLX_EXPR_VAR || b->value->kind == RLX_EXPR_TUPLE_GET) {
    const RlxExpr *x = source(b->value, steps);
    return x->kind == RLX_EXPR_VAR || x->kind == RLX_EXPR_TUPLE ? x : NULL;
  }
  return NULL;
}

/// Follows aliases and accesses of tuple literals.
static const RlxExpr *source(const RlxExpr *x, int steps) {
  if (steps > STEPS_MAX) return x;
  if (x->kind == RLX_EXPR_VAR) {
    const RlxExpr *next = step(x->var, steps + 1);
    return next ? next : x;
  }
  if (x->kind != RLX_EXPR_TUPLE_GET) return x;
  const RlxExpr *tuple = source(x->tuple, steps + 1);
  const RlxBinding *b = tuple->kind == RLX_EXPR_VAR ? rlx_binding_of(tuple->var) : NULL;
  if (b && b->kind == RLX_BINDING_VAR && b->value && b->value->kind == RLX_EXPR_TUPLE)
    tuple = b->value;
  if (tuple->kind != RLX_EXPR_TUPLE || x->index < 0 || (uint64_t)x->index >= tuple->field_count)
    return x;
  return source(tuple->fields[x->index], steps + 1);
}

/// The variable that an expression leads to; NULL: it leads to none.
static const RlxVar *root_of(const RlxExpr *x) {
  const RlxExpr *s = source(x, 0);
  return s->kind == RLX_EXPR_VAR ? s->var : NULL;
}

static const RlxVar *root_of_var(const RlxVar *var) {
  const RlxExpr *next = step(var, 0);
  return next && next->kind == RLX_EXPR_VAR ? next->var : var;
}

static void add(RlxFlows *out, const RlxBinding *binding, const RlxStmt *stmt,
                const RlxExpr *value) {
  bool named = binding && !binding->var->is_temporary && binding->var->stmt;
  RlxFlow flow = {
      .binding = binding,
      .stmt = stmt,
      .value = value,
      .span = rlx_stmt_absolute(stmt, binding ? binding->span : rlx_span(0, stmt->head_size))};
  if (named) flow.span = rlx_stmt_absolute(binding->var->named_in, binding->var->span);
  rlx_vec_push(out, flow);
}

static void add_once(RlxFlows *out, const RlxBinding *b) {
  for (uint32_t i = 0; i < out->count; i++)
    if (out->at[i].binding == b) return;
  add(out, b, b->stmt, b->value);
}

/// `met`: bindings of tuples that were gone through, so that one that stands in many is met once.
static void producers(const RlxExpr *x, int depth, RlxMap *met, RlxFlows *out) {
  if (depth > DEPTH_MAX) return;
  x = source(x, 0);
  if (x->kind == RLX_EXPR_TUPLE)
    for (uint32_t i = 0; i < x->field_count; i++) producers(x->fields[i], depth + 1, met, out);
  if (x->kind == RLX_EXPR_TUPLE_GET) producers(x->tuple, depth + 1, met, out);
  const RlxBinding *b = x->kind == RLX_EXPR_VAR ? rlx_binding_of(x->var) : NULL;
  if (!b || !b->value) return;
  bool inner = b->kind == RLX_BINDING_VAR &&
               (b->value->kind == RLX_EXPR_TUPLE || b->value->kind == RLX_EXPR_TUPLE_GET);
  if (inner) {
    if (rlx_map_put_ptr(met, b, b)) producers(b->value, depth + 1, met, out);
  } else if (b->value->kind != RLX_EXPR_HOLE)
    add_once(out, b);
}

void rlx_file_producers(RlxFile *file, const RlxVar *var, RlxFlows *out) {
  rlx_file_analyze(file, NULL);
  RlxExpr x = {.kind = RLX_EXPR_VAR};
  x.var = (RlxVar *)(uintptr_t)var;
  RlxMap met = {0};
  producers(&x, 0, &met, out);
  rlx_map_free(&met);
}

// ---- what an expression reads

static void read_value(const RlxValue *v, const char *label, RlxReadFn *each, void *data);

static void read_expr(const RlxExpr *x, const char *label, RlxReadFn *each, void *data) {
  if (!x) return;
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_VAR: each(data, x, label); break;
  case RLX_EXPR_TUPLE:
    for (uint32_t i = 0; i < x->field_count; i++) read_expr(x->fields[i], label, each, data);
    break;
  case RLX_EXPR_TUPLE_GET:
    if (x->tuple->kind == RLX_EXPR_VAR)
      each(data, x, label);
    else
      read_expr(x->tuple, label, each, data);
    break;
  case RLX_EXPR_CALL:
    if (x->call->callee) read_expr(x->call->callee, "callee", each, data);
    for (uint32_t i = 0; i < x->call->arg_count; i++)
      read_value(&x->call->args[i],
                 x->call->row && x->call->arg_count > 1 ? x->call->row->params[i].name : NULL, each,
                 data);
    break;
  case RLX_EXPR_IF: read_expr(x->condition, "condition", each, data); break;
  case RLX_EXPR_HOLE:
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN:
  case RLX_EXPR_OP:
  case RLX_EXPR_CONSTANT:
  case RLX_EXPR_SHAPE:
  case RLX_EXPR_PRIM:
  case RLX_EXPR_STRING:
  case RLX_EXPR_DTYPE:
  case RLX_EXPR_FUNCTION: break;
  }
}

static void read_value(const RlxValue *v, const char *label, RlxReadFn *each, void *data) {
  if (v->is_default) return;
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE)
    read_expr(v->expr, label, each, data);
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    read_value(&v->items[i], label, each, data);
}

void rlx_expr_reads(const RlxExpr *x, RlxReadFn *each, void *data) {
  read_expr(x, NULL, each, data);
}

// ---- consumers

typedef struct Search {
  const RlxVar *root;
  bool found;
  RlxMap met; // bindings of tuples that do not lead there
} Search;

static bool leads_to(Search *search, const RlxExpr *x, int depth) {
  if (depth > DEPTH_MAX) return false;
  const RlxExpr *s = source(x, 0);
  if (s->kind == RLX_EXPR_VAR && s->var == search->root) return true;
  const RlxBinding *b = s->kind == RLX_EXPR_VAR ? rlx_binding_of(s->var)
                                                : NULL; // a tuple that holds it, or a part of it
  if (b && b->kind == RLX_BINDING_VAR && b->value &&
      (b->value->kind == RLX_EXPR_TUPLE || b->value->kind == RLX_EXPR_TUPLE_GET))
    s = b->value;
  if (b && s == b->value && !rlx_map_put_ptr(&search->met, b, b)) return false;
  if (s->kind == RLX_EXPR_TUPLE_GET) return leads_to(search, s->tuple, depth + 1);
  for (uint32_t i = 0; s->kind == RLX_EXPR_TUPLE && i < s->field_count; i++)
    if (leads_to(search, s->fields[i], depth + 1)) return true;
  return false;
}

static void look(void *data, const RlxExpr *leaf, const char *label) {
  (void)label;
  Search *s = data;
  s->found = s->found || leads_to(s, leaf, 0);
}

static bool reads(const RlxVar *root, const RlxExpr *x) {
  Search search = {.root = root};
  rlx_expr_reads(x, look, &search);
  rlx_map_free(&search.met);
  return search.found;
}

/// A binding that only gives a value another name or place is no consumer.
static bool only_moves(const RlxBinding *b) {
  return b->kind == RLX_BINDING_VAR &&
         (b->value->kind == RLX_EXPR_VAR || b->value->kind == RLX_EXPR_TUPLE ||
          b->value->kind == RLX_EXPR_TUPLE_GET);
}

/// all_vars(struct_info): does what is known of the bound value, or what was written of it, mention
/// the variable?
static bool mentions(const RlxBinding *b, const RlxVar *var) {
  const RlxSInfo *const infos[] = {b->annotated, b->cast, b->var->sinfo};
  for (size_t i = 0; var->symbol && i < sizeof infos / sizeof infos[0]; i++) {
    const RlxSymVar *vars[32];
    int count = 0;
    if (!infos[i] || !infos[i]->has_symbols) continue;
    rlx_sinfo_vars(infos[i], vars, &count, 32);
    for (int k = 0; k < count; k++)
      if (vars[k] == var->symbol) return true;
  }
  return false;
}

static void consumers_in(const RlxSuite *suite, const RlxVar *root, RlxFlows *out) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; unit && k < unit->binding_count; k++) {
      const RlxBinding *b = unit->bindings[k];
      if (b->value &&
          ((!only_moves(b) && reads(root, b->value)) || (b->var != root && mentions(b, root))))
        add(out, b, b->stmt, b->value);
    }
    if (!unit) continue;
    if (unit->stmt->kind == RLX_STMT_RETURN && unit->result && reads(root, unit->result))
      add(out, NULL, unit->stmt, unit->result);
    consumers_in(unit->body, root, out);
    consumers_in(unit->orelse, root, out);
    if (unit->fn) consumers_in(unit->fn->body, root, out);
  }
}

static const RlxFn *function_of(const RlxVar *var) {
  const RlxAnalysis *unit = var->stmt ? var->stmt->analysis : NULL;
  return rlx_fn_outermost(!unit ? NULL : var->is_param ? unit->fn : unit->owner);
}

void rlx_file_consumers(RlxFile *file, const RlxVar *var, RlxFlows *out) {
  rlx_file_analyze(file, NULL);
  const RlxFn *fn = function_of(var);
  if (fn) consumers_in(fn->body, root_of_var(var), out);
}

static void aliases_in(const RlxSuite *suite, const RlxVar *var, const RlxVar *root, RlxVars *out) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; unit && k < unit->binding_count; k++) {
      const RlxBinding *b = unit->bindings[k];
      if (b->var != var && !b->var->is_temporary && b->value && only_moves(b) &&
          b->value->kind != RLX_EXPR_TUPLE && root_of(b->value) == root)
        rlx_vec_push(out, b->var);
    }
    if (!unit) continue;
    aliases_in(unit->body, var, root, out);
    aliases_in(unit->orelse, var, root, out);
    if (unit->fn) aliases_in(unit->fn->body, var, root, out);
  }
}

void rlx_file_aliases(RlxFile *file, const RlxVar *var, RlxVars *out) {
  rlx_file_analyze(file, NULL);
  const RlxFn *fn = function_of(var);
  const RlxVar *root = root_of_var(var);
  if (root != var && !root->is_temporary) rlx_vec_push(out, root);
  if (fn) aliases_in(fn->body, var, root, out);
}

// ---- memory

typedef struct Memories {
  RlxMemoryFn *each;
  void *data;
  int left; ///< of the calls
} Memories;

/// Goes through match_casts as well, which `source` takes for values of their own, and on to the
/// field of a tuple that is no literal.
static const RlxExpr *uncast(const RlxExpr *x) {
  for (int steps = 0; steps < STEPS_MAX; steps++) {
    x = source(x, 0);
    const RlxBinding *b = x->kind == RLX_EXPR_VAR ? rlx_binding_of(x->var) : NULL;
    bool goes_on = b && b->value &&
                   (b->value->kind == RLX_EXPR_TUPLE_GET ||
                    (b->kind == RLX_BINDING_MATCH_CAST && b->value->kind == RLX_EXPR_VAR));
    if (!goes_on) break;
    x = b->value;
  }
  return x;
}

static void memory_of(Memories *m, const RlxExpr *x, int depth) {
  if (depth > DEPTH_MAX || m->left <= 0) return;
  x = uncast(x);
  const RlxBinding *b = x->kind == RLX_EXPR_VAR ? rlx_binding_of(x->var) : NULL;
  if (b && b->kind == RLX_BINDING_VAR && b->value && b->value->kind == RLX_EXPR_TUPLE) x = b->value;
  if (x->kind == RLX_EXPR_TUPLE) {
    for (uint32_t i = 0; i < x->field_count; i++) memory_of(m, x->fields[i], depth + 1);
    return;
  }
  const RlxExpr *tuple = x->kind == RLX_EXPR_TUPLE_GET ? uncast(x->tuple) : NULL;
  if (x->kind != RLX_EXPR_VAR && !(tuple && tuple->kind == RLX_EXPR_VAR)) return;
  m->left--;
  m->each(m->data, tuple ? (RlxMemory){tuple->var, x->index} : (RlxMemory){x->var, -1});
}

void rlx_expr_memory(const RlxExpr *leaf, RlxMemoryFn *each, void *data) {
  enum { MOST = 2000 };
  Memories m = {each, data, MOST};
  memory_of(&m, leaf, 0);
}

static void collect(void *data, const RlxExpr *leaf, const char *label) {
  (void)label;
  RlxVars *out = data;
  const RlxVar *var = leaf->kind == RLX_EXPR_VAR ? leaf->var : leaf->tuple->var;
  for (uint32_t i = 0; i < out->count; i++)
    if (out->at[i] == var) return;
  rlx_vec_push(out, var);
}

void rlx_file_operands(RlxFile *file, const RlxVar *var, RlxVars *out) {
  rlx_file_analyze(file, NULL);
  const RlxBinding *b = rlx_binding_of(var);
  if (b && b->value) rlx_expr_reads(b->value, collect, out);
}
