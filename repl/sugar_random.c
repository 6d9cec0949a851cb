/// numpy's and PyTorch's sources of random numbers, which are all the session's own: what begins it anew.
#include <string.h>

#include "base/text.h"
#include "repl/results.h"
#include "repl/sugar_impl.h"

/// The call's dotted name without its library, "random.seed"; NULL: it is no call of a library's function.
static const char *function_of(RlxRepl *repl, const RlxAst *call,
                               char rest[static RLX_AST_DOTTED_MAX]) {
  const RlxAst *root =
      call->kind == RLX_AST_CALL ? rlx_ast_dotted(repl->store, call->children[0], rest) : NULL;
  const char *name = root ? rlx_store_text(repl->store, root->name) : "";
  const bool is_own =
      rlx_repl_find(repl, name, strlen(name)) || rlx_repl_find_def(repl, name, strlen(name));
  return rlx_text_is_among(name, RLX_SUGAR_LIBRARIES) && !is_own ? rest : NULL;
}

/// Begins the session's source anew with the call's argument; false: there is none, or it is no seed.
static bool begin(RlxRepl *repl, const RlxAst *call) {
  RlxReplNumber seed;
  if (call->child_count != 2) return false;
  const RlxAst *arg = call->children[1];
  if (arg->kind == RLX_AST_KEYWORD) arg = arg->children[0];
  if (!rlx_repl_number(repl, arg, &seed) || seed.kind != RLX_NUMBER_INT || seed.integer < 0)
    return false;
  rlx_repl_set_seed(repl, (uint64_t)seed.integer);
  return true;
}

bool rlx_sugar_random_source(RlxRepl *repl, const RlxAst *call) {
  char rest[RLX_AST_DOTTED_MAX];
  const char *name = function_of(repl, call, rest);
  if (!name || !rlx_text_is_among(name, "random.default_rng random.RandomState")) return false;
  return call->child_count == 1 || begin(repl, call);
}

bool rlx_repl_seed_entry(RlxRepl *repl, const RlxAst *call) {
  char rest[RLX_AST_DOTTED_MAX];
  const char *name = function_of(repl, call, rest);
  return name && rlx_text_is_among(name, "random.seed manual_seed") && begin(repl, call);
}
