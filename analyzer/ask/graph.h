/// The dataflow graph of a function, as DOT or SVG: what each binding reads.
#ifndef RLX_ANALYZER_GRAPH_H
#define RLX_ANALYZER_GRAPH_H
#include "analyzer/struct_info/ir.h"

/// Appends a digraph: parameters, bindings (operator or callee, name, StructInfo), the result;
/// bodies of branches and local functions as clusters. `fn` has its body (rlx_file_function_ir).
void rlx_graph_dot(const RlxStore *store, const RlxFunction *fn, RlxBuf *out);
/// The same as an SVG picture, from parameters at the top to the result at the bottom.
void rlx_graph_svg(const RlxStore *store, const RlxFunction *fn, RlxBuf *out);

/// What is told of a graph: a node before the edges to it, but those from branches come after these.
typedef struct RlxGraphSink {
  void *data;
  /// A parameter (`what` is NULL), or a binding with its operator or callee, which may be "".
  void (*node)(void *data, const RlxVar *var, const char *what);
  /// `to` reads `from`; `label` may be NULL.
  void (*edge)(void *data, const RlxVar *from, const RlxVar *to, const char *label);
  void (*enter)(void *data,
                const char *label); ///< a branch or local function: "then", "else", "body"
  void (*leave)(void *data);
  void (*result)(void *data,
                 const RlxVar *var); ///< the function returns it, or has it in its tuple
} RlxGraphSink;
void rlx_graph_walk(const RlxStore *store, const RlxFunction *fn, const RlxGraphSink *sink);

#endif
