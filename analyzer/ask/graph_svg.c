/// The graph as SVG. Nodes stand in rows: each below what it reads; in its row near the middle of
/// these. Edges that pass rows bend around what stands between.
#include "analyzer/ask/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

enum {
  LETTER = 7,
  PAD = 8,
  HEIGHT = 38,
  ROW = 78,
  GAP = 18,
  MARGIN = 12,
  TEXT_MAX = 56,
  SWEEPS = 4
};
// An edge from a node further down goes against the rows; after so many rounds they stay.
enum { ROUNDS_MAX = 64 };

typedef struct Node {
  RlxBuf name, type; ///< the two lines
  bool is_param, is_inner, is_result;
  int row, edges; ///< edges: so many were added up in `sum`
  double x, width, sum;
} Node;

typedef struct Edge {
  uint32_t from, to;
  const char *label; ///< a name that lives as long as the program, or NULL
} Edge;

typedef struct Picture {
  const RlxStore *store;
  Vec(Node) nodes;
  Vec(Edge) edges;
  RlxMap node_of; ///< RlxVar → index
  int depth;
  const char *branch; ///< the one that the walk is in
} Picture;

// ---- what is told

/// At most TEXT_MAX bytes, cut between characters.
static void put_cut(const char *text, RlxBuf *out) {
  size_t n = strlen(text);
  if (n > TEXT_MAX) {
    n = TEXT_MAX;
    while (n && rlx_utf8_is_continuation(text[n])) n--;
  }
  rlx_buf_putn(out, text, n);
  if (text[n]) rlx_buf_puts(out, "…");
}

static int letters(const RlxBuf *text) {
  int n = 0;
  for (size_t i = 0; i < text->size; i++) n += !rlx_utf8_is_continuation(text->at[i]);
  return n;
}

static uint32_t add_node(Picture *p, Node node) {
  int widest =
      letters(&node.name) > letters(&node.type) ? letters(&node.name) : letters(&node.type);
  node.width = widest * LETTER + 2 * PAD;
  rlx_vec_push(&p->nodes, node);
  return p->nodes.count - 1;
}

static void on_node(void *data, const RlxVar *var, const char *what) {
  Picture *p = data;
  Node node = {.is_param = !what, .is_inner = p->depth > 0};
  RlxBuf name = {0}, type = {0};
  if (p->branch) rlx_buf_printf(&name, "%s: ", p->branch);
  rlx_buf_puts(&name, rlx_store_text(p->store, var->name));
  if (what && *what) rlx_buf_printf(&name, " = %s", what);
  if (var->sinfo) rlx_sinfo_print(p->store, var->sinfo, &type);
  put_cut(rlx_buf_text(&name), &node.name);
  put_cut(rlx_buf_text(&type), &node.type);
  rlx_map_put(&p->node_of, (uint64_t)(uintptr_t)var, add_node(p, node));
  rlx_buf_free(&name);
  rlx_buf_free(&type);
}

static void on_edge(void *data, const RlxVar *from, const RlxVar *to, const char *label) {
  Picture *p = data;
  uint64_t a, b;
  if (!rlx_map_get(&p->node_of, (uint64_t)(uintptr_t)from, &a) ||
      !rlx_map_get(&p->node_of, (uint64_t)(uintptr_t)to, &b) || a == b)
    return;
  rlx_vec_push(&p->edges, (Edge){(uint32_t)a, (uint32_t)b, label});
}

static void on_enter(void *data, const char *label) {
  Picture *p = data;
  p->depth++;
  p->branch = label;
}

static void on_leave(void *data) {
  Picture *p = data;
  p->depth--;
  p->branch = NULL;
}

static void on_result(void *data, const RlxVar *var) {
  Picture *p = data;
  uint64_t from;
  if (!rlx_map_get(&p->node_of, (uint64_t)(uintptr_t)var, &from)) return;
  if (!p->nodes.count || !rlx_vec_last(&p->nodes).is_result) {
    Node node = {.is_result = true};
    rlx_buf_puts(&node.name, "result");
    add_node(p, node);
  }
  rlx_vec_push(&p->edges, (Edge){(uint32_t)from, p->nodes.count - 1, NULL});
}

// ---- places

/// Each below what it reads; parameters right above their first reader.
static void place_rows(Picture *p) {
  bool is_changed = true;
  for (int round = 0; is_changed && round < ROUNDS_MAX; round++) {
    is_changed = false;
    for (uint32_t i = 0; i < p->edges.count; i++) {
      const Edge *e = &p->edges.at[i];
      if (p->nodes.at[e->to].row > p->nodes.at[e->from].row) continue;
      p->nodes.at[e->to].row = p->nodes.at[e->from].row + 1;
      is_changed = true;
    }
  }
  for (uint32_t k = 0; k < p->nodes.count; k++)
    if (p->nodes.at[k].is_param) p->nodes.at[k].row = INT32_MAX;
  for (uint32_t i = 0; i < p->edges.count; i++) {
    Node *from = &p->nodes.at[p->edges.at[i].from];
    const int above = p->nodes.at[p->edges.at[i].to].row - 1;
    if (from->is_param && above < from->row) from->row = above > 0 ? above : 0;
  }
  for (uint32_t k = 0; k < p->nodes.count; k++)
    if (p->nodes.at[k].row == INT32_MAX) p->nodes.at[k].row = 0;
}

typedef struct Wish { ///< where a node of a row would like to be
  uint32_t node;
  int row;
  double x;
} Wish;

static int by_wish(const void *a, const void *b) {
  const Wish *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  if (x->x != y->x) return x->x < y->x ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/// Gives the nodes of each row their places, as near to the middle of what they read as there is
/// room; parameters, in later sweeps, to that of what reads them.
static void sweep(Picture *p, bool is_first) {
  Vec(Wish) wishes = {0};
  for (uint32_t k = 0; k < p->nodes.count; k++) p->nodes.at[k].sum = 0, p->nodes.at[k].edges = 0;
  for (uint32_t i = 0; i < p->edges.count; i++) {
    Node *from = &p->nodes.at[p->edges.at[i].from], *to = &p->nodes.at[p->edges.at[i].to];
    to->sum += from->x, to->edges++;
    if (from->is_param && !is_first) from->sum += to->x, from->edges++;
  }
  for (uint32_t k = 0; k < p->nodes.count; k++) {
    const Node *n = &p->nodes.at[k];
    rlx_vec_push(&wishes, (Wish){k, n->row, n->edges ? n->sum / n->edges : n->x});
  }
  if (wishes.count > 1) qsort(wishes.at, wishes.count, sizeof *wishes.at, by_wish);
  for (uint32_t i = 0; i < wishes.count;) {
    uint32_t end = i;
    double right = -1e9, moved = 0; // so far the row went to the right of what it would like
    for (; end < wishes.count && wishes.at[end].row == wishes.at[i].row; end++) {
      Node *n = &p->nodes.at[wishes.at[end].node];
      n->x = wishes.at[end].x;
      if (n->x - n->width / 2 < right + (double)GAP) n->x = right + (double)GAP + n->width / 2;
      right = n->x + n->width / 2;
      moved += n->x - wishes.at[end].x;
    }
    for (uint32_t k = i; k < end; k++) p->nodes.at[wishes.at[k].node].x -= moved / (end - i);
    i = end;
  }
  rlx_vec_free(&wishes);
}

// ---- drawing

static void put_escaped(const char *text, RlxBuf *out) {
  for (; *text; text++)
    if (*text == '<' || *text == '&' || *text == '"')
      rlx_buf_puts(out, *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : "&quot;");
    else
      rlx_buf_putc(out, *text);
}

static double top_of(const Node *n) { return (double)MARGIN + (double)n->row * (double)ROW; }

static void draw_edge(const Picture *p, const Edge *e, RlxBuf *out) {
  const Node *a = &p->nodes.at[e->from], *b = &p->nodes.at[e->to];
  const double y = top_of(a) + (double)HEIGHT, end = top_of(b);
  const bool is_long = b->row - a->row > 1;
  const double side =
      is_long ? (a->x <= b->x ? a->width : -a->width) / 2 + (a->x <= b->x ? GAP : -GAP) : 0;
  rlx_buf_printf(out, "<path d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f\"/>\n", a->x, y,
                 a->x + side, y + 24, b->x + side, end - 24, b->x, end);
  if (!e->label || !*e->label) return;
  rlx_buf_printf(out, "<text class=\"l\" x=\"%.0f\" y=\"%.0f\">", (a->x + 3 * b->x) / 4 + 3,
                 end - 10);
  put_escaped(e->label, out);
  rlx_buf_puts(out, "</text>\n");
}

static void draw_node(const Node *n, RlxBuf *out) {
  const double top = top_of(n);
  if (!n->is_result)
    rlx_buf_printf(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"%d\"%s/>\n",
                   n->x - n->width / 2, top, n->width, HEIGHT, n->is_param ? HEIGHT / 2 : 3,
                   n->is_inner ? " stroke-dasharray=\"4 3\"" : "");
  rlx_buf_printf(out, "<text x=\"%.0f\" y=\"%.0f\">", n->x, top + (n->type.size ? 16 : 22));
  put_escaped(rlx_buf_text(&n->name), out);
  rlx_buf_puts(out, "</text>\n");
  if (!n->type.size) return;
  rlx_buf_printf(out, "<text class=\"t\" x=\"%.0f\" y=\"%.0f\">", n->x, top + 31);
  put_escaped(rlx_buf_text(&n->type), out);
  rlx_buf_puts(out, "</text>\n");
}

static void draw(Picture *p, const char *title, RlxBuf *out) {
  double left = 0, right = 0;
  int rows = 0;
  for (uint32_t k = 0; k < p->nodes.count; k++) {
    const Node *n = &p->nodes.at[k];
    if (!k || n->x - n->width / 2 < left) left = n->x - n->width / 2;
    if (!k || n->x + n->width / 2 > right) right = n->x + n->width / 2;
    if (n->row > rows) rows = n->row;
  }
  for (uint32_t k = 0; k < p->nodes.count; k++) p->nodes.at[k].x += 2 * MARGIN + GAP - left;
  const double width = right - left + 4 * MARGIN + 2 * GAP,
               height = rows * ROW + HEIGHT + 2 * MARGIN;
  rlx_buf_printf(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                 "viewBox=\"0 0 %.0f %.0f\">\n<title>",
                 width, height, width, height);
  put_escaped(title, out);
  rlx_buf_puts(out,
               "</title>\n<style>text{font:11.5px monospace;text-anchor:middle;fill:#222}"
               ".t{fill:#777;font-size:11px}.l{fill:#999;font-size:10px;text-anchor:start}"
               "rect{fill:#fff;stroke:#557}path{fill:none;stroke:#99a;marker-end:url(#a)}</style>\n"
               "<marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" "
               "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
               "style=\"fill:#99a;stroke:none;marker-end:none\"/></marker>\n");
  for (uint32_t i = 0; i < p->edges.count; i++) draw_edge(p, &p->edges.at[i], out);
  for (uint32_t k = 0; k < p->nodes.count; k++) draw_node(&p->nodes.at[k], out);
  rlx_buf_puts(out, "</svg>\n");
}

void rlx_graph_svg(const RlxStore *store, const RlxFunction *fn, RlxBuf *out) {
  Picture p = {.store = store};
  rlx_graph_walk(store, fn, &(RlxGraphSink){&p, on_node, on_edge, on_enter, on_leave, on_result});
  place_rows(&p);
  for (int i = 0; i < SWEEPS; i++) sweep(&p, i == 0);
  draw(&p, rlx_store_text(store, fn->name), out);
  for (uint32_t k = 0; k < p.nodes.count; k++) {
    rlx_buf_free(&p.nodes.at[k].name);
    rlx_buf_free(&p.nodes.at[k].type);
  }
  rlx_vec_free(&p.nodes);
  rlx_vec_free(&p.edges);
  rlx_map_free(&p.node_of);
}
