/// Walks the graph: a node for each variable, an edge for each read, a cluster for each block; and
/// writes it as DOT.
#include "analyzer/ask/graph.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/ask/flow.h"
#include "analyzer/ops/op_table.h"

// ---- walking

typedef struct Walk {
  const RlxStore *store;
  const RlxGraphSink *sink;
  int depth;
} Walk;

static const char *head_of(const RlxStore *store, const RlxExpr *x, char *room, size_t size) {
  if (x->kind == RLX_EXPR_CALL && x->call->row) {
    size_t n = strcspn(x->call->row->script, " ");
    snprintf(room, size, "R.%.*s", (int)(n < size - 8 ? n : size - 8), x->call->row->script);
    return room;
  }
  if (x->kind == RLX_EXPR_CALL && x->call->callee) {
    const RlxExpr *callee = x->call->callee;
    return callee->kind == RLX_EXPR_VAR ? rlx_store_text(store, callee->var->name)
           : callee->kind == RLX_EXPR_GLOBAL || callee->kind == RLX_EXPR_EXTERN
               ? rlx_store_text(store, callee->name)
               : "call";
  }
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_TUPLE: return "tuple";
  case RLX_EXPR_TUPLE_GET: snprintf(room, size, "[%lld]", (long long)x->index); return room;
  case RLX_EXPR_CONSTANT: return "constant";
  case RLX_EXPR_SHAPE: return "shape";
  case RLX_EXPR_IF: return "if";
  case RLX_EXPR_FUNCTION: return "function";
  case RLX_EXPR_VAR: return "";
  case RLX_EXPR_HOLE:
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN:
  case RLX_EXPR_OP:
  case RLX_EXPR_PRIM:
  case RLX_EXPR_STRING:
  case RLX_EXPR_DTYPE:
  case RLX_EXPR_CALL: break;
  }
  return "value";
}

typedef struct Reads {
  const RlxGraphSink *sink;
  const RlxVar *to;
  const char *label; ///< where the read has none of its own
} Reads;

static void tell_read(void *data, const RlxExpr *leaf, const char *label) {
  const Reads *r = data;
  const RlxVar *from = leaf->kind == RLX_EXPR_TUPLE_GET ? leaf->tuple->var : leaf->var;
  r->sink->edge(r->sink->data, from, r->to, label ? label : r->label);
}

static void tell_reads(const Walk *w, const RlxExpr *x, const RlxVar *to, const char *label) {
  rlx_expr_reads(x, tell_read, &(Reads){w->sink, to, label});
}

static void walk_body(Walk *w, const RlxBody *body);

static void walk_cluster(Walk *w, const char *label, const RlxBody *body, const RlxVar *to) {
  if (!body) return;
  w->sink->enter(w->sink->data, label);
  walk_body(w, body);
  w->sink->leave(w->sink->data);
  if (body->result) tell_reads(w, body->result, to, label);
}

static void walk_body(Walk *w, const RlxBody *body) {
  char room[96];
  if (w->depth > 100) return;
  w->depth++;
  for (uint32_t i = 0; i < body->block_count; i++)
    for (uint32_t k = 0; k < body->blocks[i].count; k++) {
      const RlxBinding *b = body->blocks[i].bindings[k];
      w->sink->node(w->sink->data, b->var,
                    b->kind == RLX_BINDING_MATCH_CAST
                        ? "R.match_cast"
                        : head_of(w->store, b->value, room, sizeof room));
      tell_reads(w, b->value, b->var, NULL);
      if (b->value->kind == RLX_EXPR_IF) {
        walk_cluster(w, "then", &b->value->branches[0], b->var);
        walk_cluster(w, "else", &b->value->branches[1], b->var);
      } else if (b->value->kind == RLX_EXPR_FUNCTION)
        walk_cluster(w, "body", &b->value->function->body, b->var);
    }
  w->depth--;
}

void rlx_graph_walk(const RlxStore *store, const RlxFunction *fn, const RlxGraphSink *sink) {
  Walk w = {.store = store, .sink = sink};
  for (uint32_t i = 0; i < fn->param_count; i++) sink->node(sink->data, fn->params[i], NULL);
  walk_body(&w, &fn->body);
  const RlxExpr *x = fn->body.result;
  for (uint32_t i = 0; x && i < (x->kind == RLX_EXPR_TUPLE ? x->field_count : 1); i++) {
    const RlxExpr *one = x->kind == RLX_EXPR_TUPLE ? x->fields[i] : x;
    if (one->kind == RLX_EXPR_VAR) sink->result(sink->data, one->var);
  }
}

// ---- DOT

typedef struct Graph {
  const RlxStore *store;
  RlxBuf *out;
  int indent, clusters;
  bool has_result;
} Graph;

static void start_line(Graph *g) { rlx_buf_repeat(g->out, ' ', (size_t)g->indent * 2); }

/// Text inside a DOT string.
static void put_escaped(Graph *g, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') rlx_buf_putc(g->out, '\\');
    if (*text == '\n')
      rlx_buf_puts(g->out, "\\n");
    else
      rlx_buf_putc(g->out, *text);
  }
}

/// A node's identity is its variable: functions have theirs numbered, nested ones by address of the
/// function's scope.
static void put_node(Graph *g, const RlxVar *var) {
  rlx_buf_printf(g->out, "\"%s#%u@%u\"", rlx_store_text(g->store, var->name), var->id,
                 var->stmt ? var->stmt->start : 0);
}

static void put_label(Graph *g, const RlxVar *var, const char *what) {
  RlxBuf sinfo = {0};
  if (var->sinfo) rlx_sinfo_print(g->store, var->sinfo, &sinfo);
  rlx_buf_puts(g->out, " [label=\"");
  put_escaped(g, rlx_store_text(g->store, var->name));
  if (what) {
    rlx_buf_puts(g->out, " = ");
    put_escaped(g, what);
  }
  rlx_buf_puts(g->out, "\\n");
  put_escaped(g, rlx_buf_text(&sinfo));
  rlx_buf_puts(g->out, what ? "\"];\n" : "\", shape=ellipse];\n");
  rlx_buf_free(&sinfo);
}

static void dot_node(void *data, const RlxVar *var, const char *what) {
  Graph *g = data;
  start_line(g);
  put_node(g, var);
  put_label(g, var, what);
}

static void dot_edge(void *data, const RlxVar *from, const RlxVar *to, const char *label) {
  Graph *g = data;
  start_line(g);
  put_node(g, from);
  rlx_buf_puts(g->out, " -> ");
  put_node(g, to);
  if (label) {
    rlx_buf_puts(g->out, " [label=\"");
    put_escaped(g, label);
    rlx_buf_puts(g->out, "\"]");
  }
  rlx_buf_puts(g->out, ";\n");
}

static void dot_enter(void *data, const char *label) {
  Graph *g = data;
  start_line(g);
  rlx_buf_printf(g->out, "subgraph cluster_%d {\n", g->clusters++);
  g->indent++;
  start_line(g);
  rlx_buf_printf(g->out, "label=\"%s\";\n", label);
}

static void dot_leave(void *data) {
  Graph *g = data;
  g->indent--;
  start_line(g);
  rlx_buf_puts(g->out, "}\n");
}

static void put_result(Graph *g) {
  if (!g->has_result) rlx_buf_puts(g->out, "  result [shape=plaintext];\n");
  g->has_result = true;
}

static void dot_result(void *data, const RlxVar *var) {
  Graph *g = data;
  put_result(g);
  rlx_buf_puts(g->out, "  ");
  put_node(g, var);
  rlx_buf_puts(g->out, " -> result;\n");
}

void rlx_graph_dot(const RlxStore *store, const RlxFunction *fn, RlxBuf *out) {
  Graph g = {.store = store, .out = out, .indent = 1};
  const RlxGraphSink sink = {&g, dot_node, dot_edge, dot_enter, dot_leave, dot_result};
  rlx_buf_puts(out, "digraph \"");
  put_escaped(&g, rlx_store_text(store, fn->name));
  rlx_buf_puts(out, "\" {\n  node [shape=box, fontname=\"monospace\"];\n");
  rlx_graph_walk(store, fn, &sink);
  if (fn->body.result) put_result(&g);
  rlx_buf_puts(out, "}\n");
}
