/// Writes the graph: a node for each variable, an edge for each read, a cluster for each block.
#include "analyzer/ask/graph.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/ask/flow.h"
#include "analyzer/ops/op_table.h"

typedef struct Graph {
  const RlxStore *store;
  RlxBuf *out;
  int indent, clusters;
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

static const char *head_of(Graph *g, const RlxExpr *x, char *room, size_t size) {
  if (x->kind == RLX_EXPR_CALL && x->call.row) {
    size_t n = strcspn(x->call.row->script, " ");
    snprintf(room, size, "R.%.*s", (int)(n < size - 8 ? n : size - 8), x->call.row->script);
    return room;
  }
  if (x->kind == RLX_EXPR_CALL && x->call.callee) {
    const RlxExpr *callee = x->call.callee;
    return callee->kind == RLX_EXPR_VAR ? rlx_store_text(g->store, callee->var->name)
           : callee->kind == RLX_EXPR_GLOBAL || callee->kind == RLX_EXPR_EXTERN
               ? rlx_store_text(g->store, callee->name)
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

static void put_edge(Graph *g, const RlxVar *from, const RlxVar *to, const char *label) {
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

typedef struct Reads {
  Graph *g;
  const RlxVar *to;
  const char *label; ///< where the read has none of its own
} Reads;

static void put_read(void *data, const RlxExpr *leaf, const char *label) {
  const Reads *r = data;
  const RlxVar *from = leaf->kind == RLX_EXPR_TUPLE_GET ? leaf->tuple->var : leaf->var;
  put_edge(r->g, from, r->to, label ? label : r->label);
}

static void put_reads(Graph *g, const RlxExpr *x, const RlxVar *to, const char *label) {
  rlx_expr_reads(x, put_read, &(Reads){g, to, label});
}

static void put_body(Graph *g, const RlxBody *body);

static void put_cluster(Graph *g, const char *label, const RlxBody *body, const RlxVar *to) {
  if (!body) return;
  start_line(g);
  rlx_buf_printf(g->out, "subgraph cluster_%d {\n", g->clusters++);
  g->indent++;
  start_line(g);
  rlx_buf_printf(g->out, "label=\"%s\";\n", label);
  put_body(g, body);
  g->indent--;
  start_line(g);
  rlx_buf_puts(g->out, "}\n");
  if (body->result) put_reads(g, body->result, to, label);
}

static void put_body(Graph *g, const RlxBody *body) {
  char room[96];
  if (g->indent > 100) return;
  for (uint32_t i = 0; i < body->block_count; i++)
    for (uint32_t k = 0; k < body->blocks[i].count; k++) {
      const RlxBinding *b = body->blocks[i].bindings[k];
      start_line(g);
      put_node(g, b->var);
      put_label(g, b->var,
                b->kind == RLX_BINDING_MATCH_CAST ? "R.match_cast"
                                                  : head_of(g, b->value, room, sizeof room));
      put_reads(g, b->value, b->var, NULL);
      if (b->value->kind == RLX_EXPR_IF) {
        put_cluster(g, "then", b->value->then_body, b->var);
        put_cluster(g, "else", b->value->else_body, b->var);
      } else if (b->value->kind == RLX_EXPR_FUNCTION)
        put_cluster(g, "body", &b->value->function->body, b->var);
    }
}

void rlx_graph_dot(const RlxStore *store, const RlxFunction *fn, RlxBuf *out) {
  Graph g = {.store = store, .out = out, .indent = 1};
  rlx_buf_puts(out, "digraph \"");
  put_escaped(&g, rlx_store_text(store, fn->name));
  rlx_buf_puts(out, "\" {\n  node [shape=box, fontname=\"monospace\"];\n");
  for (uint32_t i = 0; i < fn->param_count; i++) {
    start_line(&g);
    put_node(&g, fn->params[i]);
    put_label(&g, fn->params[i], NULL);
  }
  put_body(&g, &fn->body);
  if (fn->body.result) {
    rlx_buf_puts(out, "  result [shape=plaintext];\n");
    const RlxExpr *x = fn->body.result;
    for (uint32_t i = 0; i < (x->kind == RLX_EXPR_TUPLE ? x->field_count : 1); i++) {
      const RlxExpr *one = x->kind == RLX_EXPR_TUPLE ? x->fields[i] : x;
      if (one->kind != RLX_EXPR_VAR) continue;
      rlx_buf_puts(out, "  ");
      put_node(&g, one->var);
      rlx_buf_puts(out, " -> result;\n");
    }
  }
  rlx_buf_puts(out, "}\n");
}
