/// What calls in a PrimFunc's script have in common: which argument is which, dtypes as strings, parts of blocks.
#include <string.h>

#include "analyzer/function/kinds_args.h"

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

void rlx_kind_check_dtype(Kinds *k, const RlxAst *ast, Kind kind) {
  RlxDType dtype;
  if (kind.tag == KIND_UNKNOWN) return;
  if (kind.tag != KIND_STR) {
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a dtype as a string");
  } else if (kind.text && !strstr(kind.text, "vscale") && !strchr(kind.text, '[') &&
             !rlx_dtype_parse(kind.text, strlen(kind.text), &dtype)) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "there is no dtype \"%s\"", kind.text));
  }
}

void rlx_kind_check_top(Kinds *k, const Args *a) {
  if (k->block && k->frames)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         rlx_arena_printf(k->arena,
                                          "T.%s stands at the top of a block, not below a "
                                          "loop or a condition in it",
                                          a->path));
}
