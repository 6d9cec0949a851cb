/// What calls in a PrimFunc's script have in common: which argument is which, dtypes as strings, parts of blocks.
#include <string.h>

#include "analyzer/function/kinds_args.h"
#include "analyzer/words/script_bind.h"

bool rlx_kind_argument(Kinds *k, const Args *a, int position, const char *name, Kind *out,
                       const RlxAst **ast) {
  if (position >= 0 && position < a->count) {
    *out = a->kinds[position];
    *ast = a->at[position];
    return true;
  }
  for (int i = 0; i < a->keyword_count; i++) {
    if (strcmp(rlx_store_text(k->store, a->keywords[i]->name), name) != 0) continue;
    *out = a->keyword_kinds[i];
    *ast = a->keywords[i]->children[0];
    return true;
  }
  return false;
}

/// The place of a parameter of the function among those by position; -1: it has none.
static int place_of(const char *path, RlxDialect dialect, const char *name) {
  const RlxScriptName *row = rlx_script_name(path, dialect);
  RlxScriptSignature params;
  if (!row || row->how == RLX_SCRIPT_OTHER || !rlx_script_signature(row->params, &params))
    return -1;
  for (int i = 0; i < params.positional; i++)
    if (strcmp(params.at[i].name, name) == 0) return i;
  return -1;
}

bool rlx_kind_parameter(Kinds *k, const Args *a, const char *name, Kind *out, const RlxAst **ast) {
  const int of_025 = place_of(a->path, RLX_DIALECT_025, name),
            of_027 = place_of(a->path, RLX_DIALECT_027, name);
  int place = k->dialects == IN_027 ? of_027 : of_025;
  if (k->dialects == IN_BOTH && of_025 != of_027) place = -1;
  return rlx_kind_argument(k, a, a->is_open ? -1 : place, name, out, ast);
}

void rlx_kind_check_dtype(Kinds *k, const RlxAst *ast, Kind kind) {
  RlxDType dtype;
  if (kind.tag == KIND_UNKNOWN || (kind.tag == KIND_OBJECT && kind.object == TYPE_OBJECT)) return;
  if (kind.tag != KIND_STR) {
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a dtype as a string");
  } else if (kind.text && !strstr(kind.text, "vscale") && !strchr(kind.text, '[') &&
             !rlx_dtype_parse(kind.text, strlen(kind.text), &dtype)) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "there is no dtype \"%s\"", kind.text));
  }
}

void rlx_kind_refuse_place(Kinds *k, const RlxAst *call, const char *word) {
  if (k->misplaced == k->stmt->block) return;
  rlx_kind_refuse_text(k, IN_BOTH, call->span,
                       rlx_arena_printf(k->arena,
                                        "T.%s stands at the top of a block, not below a "
                                        "loop or a condition in it",
                                        word));
  k->misplaced = k->stmt->block;
}

void rlx_kind_check_top(Kinds *k, const Args *a) {
  if (k->block && k->frames && !k->in_unknown) rlx_kind_refuse_place(k, a->call, a->path);
}

void rlx_kind_check_in_block(Kinds *k, const Args *a) {
  rlx_kind_check_top(k, a);
  if (!k->in_block && !k->in_unknown)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         rlx_arena_printf(k->arena, "T.%s stands in a block", a->path));
}

bool rlx_kind_is_bound(Kinds *k, const RlxScriptName *row, const Args *a, const char **why) {
  RlxScriptArg args[2 * MAX_ARGS] = {0};
  RlxScriptBinding binding;
  for (int i = 0; i < a->count; i++) args[i].is_none = a->kinds[i].tag == KIND_NONE;
  for (int i = 0; i < a->keyword_count; i++) {
    args[a->count + i].keyword = rlx_store_text(k->store, a->keywords[i]->name);
    args[a->count + i].is_none = a->keyword_kinds[i].tag == KIND_NONE;
  }
  if (!row || !rlx_script_bind(row, args, a->count + a->keyword_count, &binding)) return true;
  switch (binding.fault) {
  case RLX_SCRIPT_BINDS: return true;
  case RLX_SCRIPT_TOO_MANY: *why = "it is given more arguments than it takes"; break;
  case RLX_SCRIPT_UNKNOWN:
    *why = rlx_arena_printf(k->arena, "it has no parameter `%s`", binding.name);
    break;
  case RLX_SCRIPT_TWICE:
    *why = rlx_arena_printf(k->arena, "it is given `%s` twice", binding.name);
    break;
  case RLX_SCRIPT_MISSING:
    *why = rlx_arena_printf(k->arena, "it is given no `%s`", binding.name);
    break;
  }
  return false;
}

/// Functions that take `*args` and count them themselves; a keyword `dtype` is one of them.
/// Source: TVM v0.25 and v0.27, backend/cuda/op.py and script.py.
static const struct {
  const char *path;
  int least, most;
  int other; ///< another number of them, or 0
} counted[] = {{"ptx.cp_async", 6, 6, 3},        {"ptx.cp_async.legacy", 5, 6, 0},
               {"ptx.ldmatrix_legacy", 7, 8, 0}, {"ptx.mma.legacy", 13, 15, 0},
               {"ptx_legacy.ldmatrix", 7, 8, 0}, {"ptx_legacy.mma", 13, 15, 0},
               {"s_tir.cp_async_raw", 6, 6, 0},  {"TMEMStages", 3, 5, 0}};

static void check_counted(Kinds *k, const Args *a) {
  int at = 0, given = a->count;
  const int count = (int)(sizeof counted / sizeof *counted);
  while (at < count && strcmp(counted[at].path, a->path) != 0) at++;
  if (at == count || a->is_open) return;
  for (int i = 0; i < a->keyword_count; i++) {
    const char *name = rlx_store_text(k->store, a->keywords[i]->name);
    if (rlx_text_is_among(name, "dst_ptr src_ptr cp_size dtype buf col_start width stages stride"))
      given++;
  }
  const bool fits = given >= counted[at].least && given <= counted[at].most,
             is_other = counted[at].other && given == counted[at].other;
  if (fits || is_other) return;
  const char *other =
      counted[at].other ? rlx_arena_printf(k->arena, "%d or ", counted[at].other) : "";
  rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                       counted[at].least == counted[at].most
                           ? rlx_arena_printf(k->arena, "T.%s takes %s%d arguments, not %d",
                                              a->path, other, counted[at].least, given)
                           : rlx_arena_printf(k->arena, "T.%s takes %d to %d arguments, not %d",
                                              a->path, counted[at].least, counted[at].most, given));
}

void rlx_kind_check_count(Kinds *k, const Args *a) {
  const RlxAst *star = NULL;
  check_counted(k, a);
  for (uint32_t i = 1; i < a->call->child_count && !star; i++)
    if (a->call->children[i]->kind == RLX_AST_STARRED) star = a->call->children[i];
  if (!star || a->is_open) return;
  const char *why = "";
  const int where =
      (rlx_kind_is_bound(k, rlx_script_name(a->path, RLX_DIALECT_025), a, &why) ? 0 : IN_025) |
      (rlx_kind_is_bound(k, rlx_script_name(a->path, RLX_DIALECT_027), a, &why) ? 0 : IN_027);
  if (where)
    rlx_kind_refuse_text(k, where, star->span,
                         rlx_arena_printf(k->arena, "T.%s: %s", a->path, why));
}

static void check_names(Kinds *k, const RlxAst *ast, bool sees_axes, int depth) {
  Kind kind;
  if (k->is_lax || depth > 50 || ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION)
    return;
  if (ast->kind == RLX_AST_NAME && rlx_kind_lookup(k, ast->name, &kind) && k->block) {
    if (!sees_axes && kind.axis_of == k->block)
      rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                           "an axis of the same block: it has no value outside of the block");
    if (kind.made_in == k->block)
      rlx_kind_refuse_text(k, kind.is_view ? IN_025 : IN_BOTH, ast->span,
                           "a name of the block's body: it has no value outside of the body");
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    check_names(k, ast->children[i], sees_axes, depth + 1);
}

void rlx_kind_check_outside(Kinds *k, const RlxAst *ast, bool sees_axes) {
  if (k->block) check_names(k, ast, sees_axes, 0);
}
