/// Calls: the callee's variables get values from the arguments, the arguments are checked against
/// the parameters, and the return StructInfo follows. Source: spec 1.2; TVM v0.25
/// DeriveCallRetStructInfo (src/relax/analysis/struct_info_analysis.cc).
#include "analyzer/struct_info/sinfo.h"
#include "analyzer/struct_info/sinfo_memo.h"

enum { VARS_MAX = 256 }; // of one callee

typedef struct Call {
  RlxStore *store;
  const RlxFacts *facts;
  const RlxSymVar *vars[VARS_MAX]; // of the callee
  const RlxPrim *values[VARS_MAX]; // NULL: not bound yet
  int count;
  RlxSInfoMemo bound, checked; // pairs of parameter and argument
} Call;

/// No variable has a value yet, but what functions mean alike.
static void begin(Call *c) {
  for (int i = 0; i < c->count; i++)
    c->values[i] = rlx_symvar_is_shared(c->vars[i]) ? rlx_prim_var(c->store, c->vars[i]) : NULL;
}

/// Binds the variable that `param` is to `arg`, if it is one that has no value yet.
static void bind_prim(Call *c, const RlxPrim *param, const RlxPrim *arg) {
  const RlxSymVar *var = rlx_prim_as_var(param);
  for (int i = 0; var && i < c->count; i++)
    if (c->vars[i] == var && !c->values[i]) c->values[i] = arg;
}

static void bind_sinfo(Call *c, const RlxSInfo *param, const RlxSInfo *arg) {
  if (!param->has_symbols || param->kind != arg->kind) return;
  if (rlx_sinfo_meet_again(&c->bound, param, arg)) return;
  if (param->kind == RLX_SINFO_PRIM && param->value && arg->value)
    bind_prim(c, param->value, arg->value);
  if (param->kind == RLX_SINFO_DTENSOR) bind_sinfo(c, param->tensor, arg->tensor);
  if (rlx_sinfo_holds_dims(param) && param->dims && arg->dims && param->ndim == arg->ndim)
    for (int i = 0; i < param->ndim; i++) bind_prim(c, param->dims[i], arg->dims[i]);
  if (param->kind == RLX_SINFO_TUPLE && param->count == arg->count)
    for (int i = 0; i < param->count; i++) bind_sinfo(c, param->fields[i], arg->fields[i]);
}

/// Checks every argument against its parameter under what is bound; notes the first that cannot be
/// right.
static void check_arguments(Call *c, const RlxSInfo *func, const RlxSInfo *const *args, int count,
                            RlxCallProblem *problem, RlxBuf *why) {
  RlxSubst subst = {c->vars, c->values, c->count, true};
  size_t start = why ? why->size : 0;
  for (int i = 0; i < count; i++) {
    size_t before = why ? why->size : 0;
    RlxBaseCheck check =
        rlx_sinfo_base_check_bound(c->store, c->facts, func->params[i], args[i], &subst, why);
    if (check < problem->check) problem->check = check;
    bool first_open = check == RLX_CHECK_VALUE_MISMATCH && problem->open_arg < 0;
    if (check == RLX_CHECK_DISJOINT || check == RLX_CHECK_STATIC_MISMATCH) {
      problem->bad_arg = i;
      if (why && problem->open_arg >= 0) // what it said about the open one
        rlx_buf_splice(why, start, before, "", 0);
      problem->check = check;
      return;
    }
    if (first_open)
      problem->open_arg = i;
    else if (why)
      rlx_buf_truncate(why, before);
  }
}

const RlxSInfo *rlx_sinfo_derive_call(RlxStore *store, const RlxFacts *facts, const RlxSInfo *func,
                                      const RlxSInfo *const *args, int count,
                                      RlxCallProblem *problem, RlxBuf *why) {
  RlxCallProblem unused;
  if (!problem) problem = &unused;
  *problem = (RlxCallProblem){-1, -1, false, RLX_CHECK_PASS};
  if (func->kind != RLX_SINFO_FUNC) return rlx_sinfo_object(store);
  if (!func->params) return func->ret;
  problem->bad_count = count != func->count;
  Call c = {.store = store, .facts = facts};
  rlx_sinfo_vars(func, c.vars, &c.count, VARS_MAX);
  begin(&c);
  int common = count < func->count ? count : func->count;
  for (int i = 0; i < common; i++) bind_sinfo(&c, func->params[i], args[i]);
  rlx_sinfo_memo_free(&c.bound);
  if (!problem->bad_count) check_arguments(&c, func, args, count, problem, why);
  return rlx_sinfo_bind(store, func->ret, &(RlxSubst){c.vars, c.values, c.count, true});
}

int rlx_sinfo_call_bindings(RlxStore *store, const RlxSInfo *func, const RlxSInfo *const *args,
                            int count, const RlxSymVar **vars, const RlxPrim **values,
                            int capacity) {
  if (func->kind != RLX_SINFO_FUNC || !func->params) return 0;
  Call c = {.store = store};
  for (int i = 0; i < func->count; i++) rlx_sinfo_vars(func->params[i], c.vars, &c.count, VARS_MAX);
  begin(&c);
  for (int i = 0; i < count && i < func->count; i++) bind_sinfo(&c, func->params[i], args[i]);
  rlx_sinfo_memo_free(&c.bound);
  int told = 0;
  for (int i = 0; i < c.count && told < capacity; i++) {
    if (rlx_symvar_is_shared(c.vars[i])) continue; // bound by no argument
    vars[told] = c.vars[i];
    values[told++] = c.values[i];
  }
  return told;
}

static void put_check(Call *c, const RlxPrim *param, const RlxPrim *arg, RlxBuf *out) {
  RlxSubst subst = {c->vars, c->values, c->count, true};
  bool complete = true;
  const RlxPrim *expected = rlx_prim_subst(c->store, param, &subst, &complete);
  if (!complete || rlx_prove_equal(c->store, c->facts, expected, arg) != RLX_UNKNOWN) return;
  if (out->size) rlx_buf_puts(out, ", ");
  rlx_prim_tell(c->store, arg, out);
  rlx_buf_puts(out, " == ");
  rlx_prim_tell(c->store, expected, out);
}

static void put_checks(Call *c, const RlxSInfo *param, const RlxSInfo *arg, RlxBuf *out) {
  if (param->kind != arg->kind || rlx_sinfo_meet_again(&c->checked, param, arg)) return;
  if (param->kind == RLX_SINFO_PRIM && param->value && arg->value)
    put_check(c, param->value, arg->value, out);
  if (param->kind == RLX_SINFO_TUPLE && param->count == arg->count)
    for (int i = 0; i < param->count; i++) put_checks(c, param->fields[i], arg->fields[i], out);
  if (!rlx_sinfo_holds_dims(param) || !param->dims) return;
  if (arg->dims && arg->ndim == param->ndim) {
    for (int i = 0; i < param->ndim; i++) put_check(c, param->dims[i], arg->dims[i], out);
    return;
  }
  RlxSubst subst = {c->vars, c->values, c->count, true};
  if (rlx_sinfo_base_check_bound(c->store, c->facts, param, arg, &subst, NULL) !=
      RLX_CHECK_VALUE_MISMATCH)
    return;
  rlx_buf_puts(out, out->size ? ", shape == (" : "shape == (");
  for (int i = 0; i < param->ndim; i++) {
    bool complete = true;
    const RlxPrim *expected = rlx_prim_subst(c->store, param->dims[i], &subst, &complete);
    if (i) rlx_buf_puts(out, ", ");
    rlx_prim_tell(c->store, complete ? expected : param->dims[i], out);
  }
  rlx_buf_puts(out, param->ndim == 1 ? ",)" : ")");
}

void rlx_sinfo_call_checks(RlxStore *store, const RlxFacts *facts, const RlxSInfo *func,
                           const RlxSInfo *const *args, int count, int arg, RlxBuf *out) {
  if (func->kind != RLX_SINFO_FUNC || !func->params || arg < 0 || arg >= func->count ||
      count != func->count)
    return;
  Call c = {.store = store, .facts = facts};
  rlx_sinfo_vars(func, c.vars, &c.count, VARS_MAX);
  begin(&c);
  for (int i = 0; i < count; i++) bind_sinfo(&c, func->params[i], args[i]);
  put_checks(&c, func->params[arg], args[arg], out);
  rlx_sinfo_memo_free(&c.bound);
  rlx_sinfo_memo_free(&c.checked);
}
