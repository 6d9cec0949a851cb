/// Barriers of tvm.tirx.lang.pipeline in a PrimFunc's script.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds_args.h"

Kind rlx_kind_barrier(Kinds *k, const RlxAst *callee) {
  Kind out = rlx_kind_of(KIND_UNKNOWN), own;
  RlxValue value;
  if (callee->kind == RLX_AST_NAME && rlx_kind_place(k, callee->name)) return out;
  if (callee->kind != RLX_AST_NAME || !rlx_kind_lookup(k, callee->name, &own) ||
      !rlx_outer_lookup(k->fn->file, k->fn->stmt, callee->name, &value) ||
      value.kind != RLX_VALUE_NAMESPACE)
    return out;
  const char *path = rlx_store_text(k->store, value.string), *lang = strstr(path, "lang.pipeline.");
  const bool is_barrier = lang && (strcmp(lang, "lang.pipeline.MBarrier") == 0 ||
                                   strcmp(lang, "lang.pipeline.TMABar") == 0);
  out.barrier = is_barrier ? LOCAL_BARRIER : NO_BARRIER;
  return out;
}

Kind rlx_kind_of_barrier(Kinds *k, const RlxAst *callee, Kind base, const Args *a) {
  const char *name = rlx_store_text(k->store, callee->name);
  Kind out = rlx_kind_of(KIND_UNKNOWN), remote;
  const RlxAst *ast;
  const bool is_remote = base.barrier == REMOTE_BARRIER;
  if (strcmp(name, "remote_view") == 0) out.barrier = REMOTE_BARRIER;
  const int where = strcmp(name, "init") == 0 ? IN_BOTH : IN_027;
  if (is_remote && rlx_text_is_among(name, "init wait remote_view")) {
    rlx_kind_refuse_text(k, where, callee->name_span,
                         rlx_arena_printf(k->arena,
                                          "the `remote_view` of a barrier has no `%s`: it stands "
                                          "behind the barrier itself",
                                          name));
    if (rlx_kind_may_tell(k, where)) out.barrier = NO_BARRIER; // told once
  }
  const bool is_arrival = is_remote && strcmp(name, "arrive") == 0 && !a->is_open;
  if (is_arrival && rlx_kind_argument(k, a, -1, "remote", &remote, &ast) &&
      (kind_is_expr(remote) || kind_is_python_number(remote)))
    rlx_kind_refuse_text(
        k, IN_BOTH, ast->span,
        "the `remote_view` of a barrier says whose it is: `arrive` takes no `remote`");
  return out;
}
