/// The dataflow graph of a function in DOT: what each binding reads.
#ifndef RLX_ANALYZER_GRAPH_H
#define RLX_ANALYZER_GRAPH_H
#include "analyzer/struct_info/ir.h"

/// Appends a digraph: parameters, bindings (operator or callee, name, StructInfo), the result;
/// bodies of branches and local functions as clusters. `fn` has its body (rlx_file_function_ir).
void rlx_graph_dot(const RlxStore *store, const RlxFunction *fn, RlxBuf *out);

#endif
