/// Calls of functions in a PrimFunc's script: of those that T.inline decorates, of functions that are no names there, and of the module's other PrimFuncs.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds_args.h"
#include "analyzer/words/names.h"
#include "analyzer/words/script_names.h"

/// Whether a decorator of the def is `root.name`, called or not.
static bool is_decorated(const Kinds *k, const RlxStmt *def, const char *root, const char *names) {
  char path[RLX_AST_DOTTED_MAX];
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *ast = def->decorators[i];
    if (ast->kind == RLX_AST_CALL) ast = ast->children[0];
    const RlxAst *head = rlx_ast_dotted(k->store, ast, path);
    if (head && strcmp(rlx_store_text(k->store, head->name), root) == 0 &&
        rlx_text_is_among(path, names))
      return true;
  }
  return false;
}

/// The def that `name` stands for in the PrimFunc: of a suite around the call, or outside of the PrimFunc.
static const RlxStmt *def_of(Kinds *k, RlxName name) {
  const uint32_t place = rlx_kind_place(k, name);
  if (place) return k->names.at[place - 1].kind.def;
  return rlx_outer_def(k->fn->file, k->fn->stmt, name);
}

/// The parameters as rows of functions spell them; NULL: not all can be.
static const char *spelled_params(Kinds *k, const RlxStmt *def) {
  RlxBuf out = {0};
  bool fits = def->param_count < RLX_SCRIPT_PARAMS;
  for (uint32_t i = 0; i < def->param_count && fits; i++) {
    const RlxParam *p = &def->params[i];
    fits = !p->is_positional_marker;
    rlx_buf_printf(&out, "%s%.*s%s%s", i ? ", " : "", p->star, "**",
                   p->name ? rlx_store_text(k->store, p->name) : "", p->default_value ? "=" : "");
  }
  const char *text = fits ? rlx_arena_strdup(k->arena, rlx_buf_text(&out)) : NULL;
  rlx_buf_free(&out);
  return text;
}

/// A call of what T.inline decorates: its statements stand in place of the call, which gives nothing.
static Kind inlined(Kinds *k, const RlxStmt *def, const Args *a) {
  const char *why = "", *params = spelled_params(k, def);
  const RlxScriptName row = {.name = rlx_store_text(k->store, def->name), .params = params};
  if (params && !a->is_open && !rlx_kind_is_bound(k, &row, a, &why))
    rlx_kind_refuse_text(
        k, IN_BOTH, a->call->span,
        rlx_arena_printf(k->arena, "`%s`: %s", rlx_store_text(k->store, def->name), why));
  return rlx_kind_of(KIND_NONE);
}

/// What a call of another PrimFunc of the module gives: an expression of the dtype that it says it returns.
static bool sibling_call(const Kinds *k, const RlxAst *callee, Kind *out) {
  const RlxModule *module = k->fn->module;
  const RlxAst *head = callee->kind == RLX_AST_ATTRIBUTE ? callee->children[0] : NULL;
  if (!module || !head || head->kind != RLX_AST_NAME || head->name != module->name ||
      rlx_kind_place(k, head->name))
    return false;
  const RlxFn *fn = rlx_map_get_ptr(&module->by_name, (const void *)(uintptr_t)callee->name);
  RlxDType dtype;
  if (!fn || fn->kind != RLX_ISLAND_PRIM_FUNC || !fn->stmt->annotation ||
      !rlx_script_annotation_dtype(k->store, fn->stmt->annotation, &dtype))
    return false;
  *out = rlx_kind_expr(dtype);
  out->is_called = true;
  return true;
}

/// `math.sqrt(A[i])`, `np.exp(n)`: functions that compute with numbers, given a value that nobody knows before the PrimFunc runs.
static void check_number_function(Kinds *k, const Args *a) {
  static const struct {
    const char *module, *functions;
  } each[] = {{"math",
               "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf "
               "erfc exp exp2 "
               "expm1 fabs factorial floor fmod frexp gamma gcd isfinite isinf isnan isqrt lcm "
               "ldexp lgamma "
               "log log10 log1p log2 modf pow radians remainder sin sinh sqrt tan tanh trunc"},
              {"numpy", "arccos arcsin arctan cbrt ceil cos cosh exp exp2 expm1 floor isfinite "
                        "isinf isnan log log10 "
                        "log1p log2 rint sin sinh sqrt tan tanh trunc"}};
  const RlxAst *callee = a->call->children[0];
  const RlxAst *head = callee->kind == RLX_AST_ATTRIBUTE ? callee->children[0] : NULL;
  RlxValue value;
  if (!head || head->kind != RLX_AST_NAME || rlx_kind_place(k, head->name) ||
      !rlx_outer_lookup(k->fn->file, k->fn->stmt, head->name, &value) ||
      value.kind != RLX_VALUE_NAMESPACE)
    return;
  const char *module = rlx_store_text(k->store, value.string),
             *name = rlx_store_text(k->store, callee->name);
  for (size_t n = 0; n < sizeof each / sizeof *each; n++) {
    if (strcmp(each[n].module, module) != 0 || !rlx_text_is_among(name, each[n].functions))
      continue;
    for (int i = 0; i < a->count; i++)
      if (kind_is_expr(a->kinds[i]) && (a->kinds[i].is_load || a->kinds[i].is_var))
        rlx_kind_refuse(k, IN_BOTH, a->at[i], a->kinds[i], "a number that Python knows");
  }
}

bool rlx_kind_named_call(Kinds *k, const Args *a, Kind *out) {
  const RlxAst *callee = a->call->children[0];
  check_number_function(k, a);
  if (sibling_call(k, callee, out)) return true;
  const RlxStmt *def = callee->kind == RLX_AST_NAME ? def_of(k, callee->name) : NULL;
  if (!def) return false;
  if (def->decorator_count == 1 && is_decorated(k, def, "T", "inline macro")) {
    *out = inlined(k, def, a);
    return true;
  }
  if (is_decorated(k, def, "T", "prim_func")) // 0.27 has a call of the function itself
    rlx_kind_refuse_text(
        k, IN_025, callee->span,
        "a PrimFunc calls those of its own module, as `Module.f(…)`, and no others");
  return false;
}

void rlx_kind_check_def(Kinds *k, const RlxStmt *def) {
  static const char *const others[][2] = {{"T", "macro prim_func jit"}, {"R", "function"}};
  const char *why = def->is_async           ? "a PrimFunc has no `async def`"
                    : !def->decorator_count ? "a function in a PrimFunc is decorated, by T.inline"
                                            : NULL;
  for (size_t i = 0; i < sizeof others / sizeof *others && !why; i++)
    if (is_decorated(k, def, others[i][0], others[i][1]))
      why = "a function in a PrimFunc is decorated by T.inline, and nothing else";
  if (why) rlx_kind_refuse_text(k, IN_BOTH, rlx_span(0, def->head_size), why);
}

bool rlx_kind_tell_sibling(Kinds *k, const RlxAst *ast) {
  const RlxModule *module = k->fn->module;
  uint64_t found;
  RlxValue value;
  if (!module || k->in_signature || k->is_lost || module->name == ast->name ||
      !rlx_map_get(&module->by_name, ast->name, &found) || rlx_kind_place(k, ast->name))
    return false;
  if (rlx_outer_find(k->fn->file, k->fn->stmt, ast->name, &value) ||
      rlx_names_is_builtin(rlx_store_text(k->store, ast->name)) || !rlx_kind_may_tell(k, IN_BOTH))
    return false;
  const char *name = rlx_store_text(k->store, ast->name),
             *of = rlx_store_text(k->store, module->name);
  RlxDiag *diag = rlx_reportf(&k->fn->end, RLX_DIAG_ID(SIBLING_BARE), rlx_kind_span(k, ast->span),
                              "sss", name, of, "");
  rlx_diag_fix(&k->fn->end, diag, "refer to it through the module", rlx_kind_span(k, ast->span),
               rlx_arena_printf(k->fn->end.arena, "%s.%s", of, name));
  return true;
}

Kind rlx_kind_func_name(Kinds *k, Args *a) {
  rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "the function has a name, that of its `def`");
  return rlx_kind_by_row(k, a);
}
