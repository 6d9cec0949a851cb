/// Calls whose order and number count.
#include "analyzer/tir/effects.h"

#include <string.h>

#include "analyzer/tir/rewrite.h"
#include "analyzer/words/script_effects.h"

typedef struct Search {
  const RlxStore *store;
  const RlxTirStmt *at; ///< the statement whose expressions come next
  RlxTirOutside *out;
  bool is_found;
} Search;

static bool is_intrinsic(const char *name) {
  static const char *const names[] = {
#define RLX_INTRINSIC(name, arity, result, lower, text) #name,
#include "analyzer/tir/intrinsics.def"
#undef RLX_INTRINSIC
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/// What a call of T.call_extern, T.call_packed or their like names; NULL: it is none of these.
static const char *callee_of(const RlxStore *store, const RlxTirExpr *call) {
  const char *name = rlx_store_text(store, call->name);
  bool is_named = call->arg_count && call->args[0]->kind == RLX_TIR_STRING &&
                  rlx_script_effect(name) == RLX_EFFECT_CALLS;
  return is_named ? call->args[0]->text : NULL;
}

/// `is_statement`: the call is all of a statement, which stands there for what it does.
static bool is_outside(const RlxStore *store, const RlxTirExpr *call, bool is_statement) {
  const char *name = rlx_store_text(store, call->name), *callee = callee_of(store, call);
  switch (rlx_script_effect(name)) {
  case RLX_EFFECT_NONE: return is_statement && !is_intrinsic(name);
  case RLX_EFFECT_PURE:
  case RLX_EFFECT_MEMORY: return false;
  case RLX_EFFECT_STATE: return true;
  case RLX_EFFECT_CALLS:
    return strcmp(name, "call_extern") != 0 || !callee || !rlx_script_is_known_extern(callee);
  }
  return true;
}

static bool look_at_stmt(const RlxTirStmt *s, void *data) {
  Search *w = data;
  w->at = s;
  return !w->is_found;
}

static bool look_at_expr(const RlxTirExpr *e, void *data) {
  Search *w = data;
  if (w->is_found) return false;
  bool is_statement = w->at->kind == RLX_TIR_EVALUATE && w->at->value == e;
  if (e->kind != RLX_TIR_CALL || !is_outside(w->store, e, is_statement)) return true;
  const char *callee = callee_of(w->store, e);
  *w->out = (RlxTirOutside){w->at, callee ? callee : rlx_store_text(w->store, e->name)};
  w->is_found = true;
  return false;
}

bool rlx_tir_find_outside(const RlxStore *store, const RlxTirStmt *s, RlxTirOutside *out) {
  RlxTirOutside ignored;
  Search w = {.store = store, .at = s, .out = out ? out : &ignored};
  if (s) rlx_tir_visit(s, look_at_stmt, look_at_expr, &w);
  return w.is_found;
}
