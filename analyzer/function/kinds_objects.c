/// Objects that only attributes of a PrimFunc take: targets, reducers.
#include <string.h>

#include "analyzer/function/kinds_args.h"
#include "analyzer/words/names.h"

static void check_kind_of_target(Kinds *k, const RlxAst *ast, const char *text) {
  if (rlx_names_is_target(text)) return;
  const char *space = strchr(text, ' ');
  rlx_kind_refuse_text(
      k, IN_BOTH, ast->span,
      space ? rlx_arena_printf(k->arena,
                               "options of a target stand in a dictionary: {\"kind\": \"%.*s\", …}",
                               (int)(space - text), text)
            : rlx_arena_printf(k->arena, "there is no kind of target \"%s\"", text));
}

/// `{"kind": "cuda", "arch": "sm_80"}`
static void check_dict_of_target(Kinds *k, const RlxAst *ast) {
  bool has_kind = false;
  for (uint32_t i = 0; i + 1 < ast->child_count; i += 2) {
    const RlxAst *key = ast->children[i], *value = ast->children[i + 1];
    if (key->kind != RLX_AST_STRING) return;
    const bool is_kind = strcmp(key->text, "kind") == 0;
    has_kind |= is_kind || strcmp(key->text, "tag") == 0;
    if (is_kind && value->kind == RLX_AST_STRING) check_kind_of_target(k, value, value->text);
  }
  if (!has_kind)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "a target has a \"kind\", as \"cuda\"");
}

static void check_target(Kinds *k, const RlxAst *ast, Kind target) {
  if (target.tag == KIND_STR && target.text && target.object != DTYPE_STRING)
    check_kind_of_target(k, ast, target.text);
  else if (ast->kind == RLX_AST_DICT)
    check_dict_of_target(k, ast);
  else if (target.tag != KIND_UNKNOWN && target.tag != KIND_STR && target.tag != KIND_DICT)
    rlx_kind_refuse(k, IN_BOTH, ast, target, "a target, as \"cuda\"");
}

Kind rlx_kind_target(Kinds *k, Args *a) {
  Kind target;
  const RlxAst *ast;
  rlx_kind_by_row(k, a);
  if (!a->is_open && rlx_kind_argument(k, a, 0, "target_config", &target, &ast))
    check_target(k, ast, target);
  if (!a->is_open && rlx_kind_argument(k, a, 1, "host", &target, &ast) && target.tag == KIND_STR)
    check_target(k, ast, target);
  return rlx_kind_of(KIND_OBJECT);
}

/// T.comm_reducer(lambda x, y: x + y, [T.float32(0)]): two parameters for each value of the list, and as many results.
Kind rlx_kind_reducer(Kinds *k, Args *a) {
  Kind combiner, identity;
  const RlxAst *ast, *list;
  rlx_kind_by_row(k, a);
  const Kind out = rlx_kind_of(KIND_OBJECT);
  if (a->is_open || !rlx_kind_argument(k, a, 0, "combiner", &combiner, &ast) ||
      !rlx_kind_argument(k, a, 1, "identity", &identity, &list))
    return out;
  if (!kind_is_list(identity) && identity.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, list, identity,
                    "a list of the values that a reduction begins with");
  if (!kind_is_list(identity) || identity.count == KIND_MANY || ast->kind != RLX_AST_LAMBDA)
    return out;
  const uint32_t results =
      ast->children[0]->kind == RLX_AST_TUPLE ? ast->children[0]->child_count : 1;
  bool is_plain = true;
  for (uint32_t i = 0; i < ast->param_count; i++) is_plain &= !ast->params[i].star;
  if (is_plain && (ast->param_count != 2 * identity.count || results != identity.count))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena,
                                          "a reduction of %u value%s takes %u parameters and gives "
                                          "as many values, not %u and %u",
                                          identity.count, identity.count == 1 ? "" : "s",
                                          2 * identity.count, ast->param_count, results));
  return out;
}
