/// A function put together from the results of its statements.
#ifndef RLX_ANALYZER_ASSEMBLE_H
#define RLX_ANALYZER_ASSEMBLE_H

#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"

/// The function with its body assembled (blocks, bindings, branches, local functions) in `arena`.
const RlxFunction *rlx_file_function_ir(RlxFile *file, const RlxStmt *def, RlxArena *arena);

#endif
