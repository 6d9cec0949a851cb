/// Objects that only attributes of a PrimFunc take: targets, reducers.
#include <string.h>

#include "analyzer/eval/eval_words.h"
#include "analyzer/function/kinds_args.h"

static RlxValue value_of(Kinds *k, const RlxAst *ast, Kind kind);

/// The items of a list or of a dictionary, which stand at `ast` where they are written out.
static RlxValue *values_of(Kinds *k, const RlxAst *ast, Kind kind, uint32_t count) {
  RlxValue *items = rlx_arena_array(k->arena, RlxValue, count + 1);
  const bool is_written = ast->child_count == count && ast->kind != RLX_AST_NAME;
  for (uint32_t i = 0; i < count; i++)
    items[i] = value_of(k, is_written ? ast->children[i] : ast, kind.items[i]);
  return items;
}

/// What Python has at `ast`, of what a target is said by; other values are unknown.
static RlxValue value_of(Kinds *k, const RlxAst *ast, Kind kind) {
  RlxValue out = {.kind = RLX_VALUE_UNKNOWN, .span = ast->span};
  if (kind.tag == KIND_NONE) {
    out.kind = RLX_VALUE_NONE;
  } else if (kind.tag == KIND_BOOL || kind.tag == KIND_INT) {
    out.kind = kind.tag == KIND_BOOL ? RLX_VALUE_BOOL : RLX_VALUE_INT;
  } else if (kind.tag == KIND_FLOAT) {
    out.kind = RLX_VALUE_FLOAT;
  } else if (kind.tag == KIND_STR && kind.text && kind.object != DTYPE_STRING) {
    out.kind = RLX_VALUE_STR;
    out.string = rlx_intern_text(rlx_store_names(k->store), kind.text);
  } else if (kind_is_list(kind) && kind.count != KIND_MANY) {
    out.kind = RLX_VALUE_LIST;
    out.count = kind.count;
    out.items = values_of(k, ast, kind, kind.count);
  } else if (kind.tag == KIND_DICT && kind.items) {
    out.kind = RLX_VALUE_DICT;
    out.count = 2 * kind.count;
    out.items = values_of(k, ast, kind, 2 * kind.count);
  }
  return out;
}

/// What a message calls a value that no target has.
static const char *text_of(Kinds *k, const RlxValue *v) {
  static const KindTag tags[] = {
      [RLX_VALUE_NONE] = KIND_NONE,   [RLX_VALUE_BOOL] = KIND_BOOL, [RLX_VALUE_INT] = KIND_INT,
      [RLX_VALUE_FLOAT] = KIND_FLOAT, [RLX_VALUE_LIST] = KIND_LIST, [RLX_VALUE_DICT] = KIND_DICT};
  if (v->kind == RLX_VALUE_STR)
    return rlx_arena_printf(k->arena, "the string \"%s\"", rlx_store_text(k->store, v->string));
  return rlx_kind_text(k, rlx_kind_of(tags[v->kind]));
}

static void check_target(Kinds *k, const RlxAst *ast, Kind target) {
  const bool may_say =
      target.tag == KIND_UNKNOWN || target.tag == KIND_STR || target.tag == KIND_DICT;
  if (!may_say) rlx_kind_refuse(k, IN_BOTH, ast, target, "a target, as \"cuda\"");
  if (!may_say || target.tag == KIND_UNKNOWN) return;
  const char *expected;
  const RlxValue value = value_of(k, ast, target),
                 *wrong = rlx_word_target_fault(k->store, k->arena, &value, &expected);
  if (!wrong) return;
  const char *text = wrong->kind == RLX_VALUE_STR ? rlx_store_text(k->store, wrong->string) : "",
             *space = strchr(text, ' ');
  rlx_kind_refuse_text(
      k, IN_BOTH, wrong->span,
      space && wrong == &value
          ? rlx_arena_printf(k->arena,
                             "options of a target stand in a dictionary: {\"kind\": \"%.*s\", …}",
                             (int)(space - text), text)
          : rlx_arena_printf(k->arena, "%s, expected %s", text_of(k, wrong), expected));
}

Kind rlx_kind_target(Kinds *k, Args *a) {
  Kind target;
  const RlxAst *ast;
  rlx_kind_by_row(k, a);
  if (!a->is_open && rlx_kind_argument(k, a, 0, "target_config", &target, &ast))
    check_target(k, ast, target);
  if (!a->is_open && rlx_kind_argument(k, a, 1, "host", &target, &ast) &&
      (target.tag == KIND_STR || target.tag == KIND_DICT))
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
