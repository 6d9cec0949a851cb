/// The view of why a StructInfo is what it is: the derivation that a hover has the beginning of.
#include "analyzer/ask/why.h"
#include "server/methods/commands.h"

static const RlxWhyLimits view_limits = {.levels = 20, .steps = 500};

/// `rlx.view.why` of {"uri", "position"}: of the variable or function there.
RlxRpcCode rlx_command_view_why(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  RlxFile *file = call->file->file;
  uint32_t offset;
  RlxSymbol symbol;
  if (!rlx_position_offset(server, file, rlx_json_get(call->argument, "position"), &offset)) {
    server->error = "params.arguments[0].position is no position";
    return RLX_RPC_INVALID_PARAMS;
  }
  bool found = rlx_file_symbol_at(file, offset, &symbol);
  bool is_var = found && symbol.kind == RLX_SYMBOL_VAR && symbol.var,
       is_function = found && symbol.kind == RLX_SYMBOL_FUNCTION && symbol.def_stmt;
  RlxWhySteps steps = {0};
  RlxArena *arena = rlx_arena_new();
  if (is_var) rlx_file_why(file, symbol.var, view_limits, arena, &steps);
  if (is_function) rlx_file_why_result(file, symbol.def_stmt, view_limits, arena, &steps);
  rlx_why_print_steps(file, &steps, text);
  bool any = steps.count != 0;
  rlx_vec_free(&steps);
  rlx_arena_free(arena);
  if (any) return RLX_RPC_OK;
  server->error = "no variable or function with a StructInfo stands here";
  return RLX_RPC_REQUEST_FAILED;
}
