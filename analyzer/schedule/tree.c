/// The loop tree of a PrimFunc as a person draws it: loops with their extents and kinds, blocks with
/// their variables.
#include "analyzer/schedule/offers.h"
#include "analyzer/schedule/schedule_impl.h"

#include "base/text.h"

#include <string.h>

typedef struct Tree {
  RlxStore *store;
  RlxBuf *out;
  RlxBuf lead; ///< what stands before a line: "│  "
} Tree;

static void branch(Tree *t, const RlxTirStmt *s, int times, bool is_last);

/// What is drawn below a statement: loops and blocks, through conditions, lets and sequences.
typedef Vec(const RlxTirStmt *) Children;

static void collect(const RlxTirStmt *s, Children *out) {
  if (!s) return;
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_BLOCK) {
    rlx_vec_push(out, s);
    return;
  }
  for (uint32_t i = 0; i < s->count; i++) collect(s->body[i], out);
}

static bool has_children(const RlxTirStmt *s) {
  Children below = {0};
  for (uint32_t i = 0; i < s->count; i++) collect(s->body[i], &below);
  bool has = below.count > 0;
  rlx_vec_free(&below);
  return has;
}

/// Two loops that are drawn alike, with nothing below: what is unrolled by hand takes one line.
static bool is_same_leaf(const RlxTirStmt *a, const RlxTirStmt *b) {
  return a->kind == RLX_TIR_FOR && b->kind == RLX_TIR_FOR && a->var->name == b->var->name &&
         a->for_kind == b->for_kind && a->name == b->name &&
         rlx_tir_expr_equal(a->extent, b->extent) && !has_children(a) && !has_children(b);
}

static void branches(Tree *t, const RlxTirStmt *s) {
  Children children = {0};
  for (uint32_t i = 0; i < s->count; i++) collect(s->body[i], &children);
  uint32_t next;
  for (uint32_t i = 0; i < children.count; i = next) {
    for (next = i + 1; next < children.count; next++)
      if (!is_same_leaf(children.at[i], children.at[next])) break;
    branch(t, children.at[i], (int)(next - i), next == children.count);
  }
  rlx_vec_free(&children);
}

/// An expression without the dtype of its constants, of which a drawing says nothing: `T.int64(8)`
/// is 8.
static void put_expr(Tree *t, const RlxTirExpr *e) {
  static const char wide[] = "T.int64(";
  RlxBuf text = {0};
  rlx_tir_expr_print(t->store, e, &text);
  for (const char *at = rlx_buf_text(&text); *at;) {
    size_t digits =
        strncmp(at, wide, strlen(wide)) == 0 ? strspn(at + strlen(wide), "-0123456789") : 0;
    bool is_number = digits && at[strlen(wide) + digits] == ')';
    rlx_buf_putn(t->out, at + (is_number ? strlen(wide) : 0), is_number ? digits : 1);
    at += is_number ? strlen(wide) + digits + 1 : 1;
  }
  rlx_buf_free(&text);
}

static void loop_line(Tree *t, const RlxTirStmt *s) {
  rlx_buf_printf(t->out, "for %s in ", rlx_store_text(t->store, s->var->name));
  put_expr(t, s->extent);
  if (s->for_kind == RLX_FOR_THREAD_BINDING)
    rlx_buf_printf(t->out, "  %s", rlx_store_text(t->store, s->name));
  else if (s->for_kind != RLX_FOR_SERIAL)
    rlx_buf_printf(t->out, "  %s", rlx_tir_for_kind_name((RlxTirForKind)s->for_kind));
  rlx_buf_putc(t->out, '\n');
}

static void block_line(Tree *t, const RlxTirStmt *s) {
  static const char *const letters[] = {"S", "R", "ordered", "opaque"};
  const char *name = rlx_store_text(t->store, s->block->name);
  rlx_buf_puts(t->out, "block ");
  rlx_text_put_string(t->out, name, strlen(name));
  for (int i = 0; i < s->block->iter_count; i++) {
    const RlxTirIterVar *v = &s->block->iters[i];
    rlx_buf_printf(t->out, "%s%s %s = ", i ? ", " : "  ", letters[v->type],
                   rlx_store_text(t->store, v->var->name));
    if (v->binding) put_expr(t, v->binding);
  }
  if (s->block->predicate) {
    rlx_buf_puts(t->out, "  where ");
    put_expr(t, s->block->predicate);
  }
  rlx_buf_puts(t->out, s->init ? "  with init\n" : "\n");
}

static void branch(Tree *t, const RlxTirStmt *s, int times, bool is_last) {
  rlx_buf_putn(t->out, rlx_buf_text(&t->lead), t->lead.size);
  rlx_buf_puts(t->out, is_last ? "└─ " : "├─ ");
  if (s->kind == RLX_TIR_FOR)
    loop_line(t, s);
  else
    block_line(t, s);
  if (times > 1) {
    rlx_buf_truncate(t->out, t->out->size - 1);
    rlx_buf_printf(t->out, "  × %d\n", times);
  }
  size_t before = t->lead.size;
  rlx_buf_puts(&t->lead, is_last ? "   " : "│  ");
  branches(t, s);
  rlx_buf_truncate(&t->lead, before);
}

void rlx_schedule_tree(const RlxSchedule *s, int function, RlxBuf *out) {
  const RlxPrimFunc *f = rlx_schedule_function(s, function);
  Tree t = {.store = s->store, .out = out};
  rlx_buf_printf(out, "%s\n", rlx_store_text(s->store, f->name));
  if (f->body) {
    RlxTirStmt body = {.kind = RLX_TIR_SEQ, .count = 1};
    RlxTirStmt *only[1] = {f->body};
    body.body = only;
    branches(&t, &body);
  }
  rlx_buf_free(&t.lead);
}

typedef struct Naming {
  const RlxSchedule *s;
  uint8_t kind; ///< RLX_TIR_FOR or RLX_TIR_BLOCK
  RlxMap counts, numbers;
  void (*each)(const char *name, void *data); ///< NULL: names are counted
  void *data;
} Naming;

static bool name_one(const RlxTirStmt *s, void *data) {
  Naming *n = data;
  if (s->kind != n->kind) return true;
  RlxName name = s->kind == RLX_TIR_FOR ? s->var->name : s->block->name;
  RlxMap *times = n->each ? &n->numbers : &n->counts;
  uint64_t before = 0, count = 0;
  rlx_map_get(times, name, &before);
  rlx_map_put(times, name, before + 1);
  rlx_map_get(&n->counts, name, &count);
  if (!n->each) return true;
  RlxBuf text = {0};
  rlx_buf_puts(&text, rlx_store_text(n->s->store, name));
  if (count > 1) rlx_buf_printf(&text, "#%u", (unsigned)before + 1);
  n->each(rlx_buf_text(&text), n->data);
  rlx_buf_free(&text);
  return true;
}

void rlx_schedule_each_name(const RlxSchedule *s, bool of_loops,
                            void (*each)(const char *name, void *data), void *data) {
  for (int i = 0; i < rlx_schedule_count(s); i++) {
    Naming n = {.s = s, .kind = of_loops ? RLX_TIR_FOR : RLX_TIR_BLOCK, .data = data};
    rlx_tir_visit(rlx_schedule_function(s, i)->body, name_one, NULL, &n);
    n.each = each;
    rlx_tir_visit(rlx_schedule_function(s, i)->body, name_one, NULL, &n);
    rlx_map_free(&n.counts);
    rlx_map_free(&n.numbers);
  }
}

/// Whether a value is no handle, or one, or a list of them, of which something is left.
static bool is_left(const RlxSchedule *s, const RlxScheduleValue *v) {
  if (v->kind == RLX_SCHEDULE_LIST) {
    for (uint32_t i = 0; i < v->count; i++)
      if (is_left(s, &v->items[i])) return true;
    return !v->count;
  }
  if (v->kind != RLX_SCHEDULE_LOOP && v->kind != RLX_SCHEDULE_BLOCK) return true;
  const int32_t handle = v->ref.handle;
  return handle < 0 || (uint32_t)handle >= s->handles.count || s->handles.at[handle].is_root ||
         s->handles.at[handle].stmt;
}

void rlx_schedule_each_variable(const RlxSchedule *s, RlxTakes takes,
                                void (*each)(const char *name, void *data), void *data) {
  for (uint32_t i = 0; i < s->names.count; i++) {
    const char *name = s->names.at[i].name;
    const RlxScheduleValue *v = rlx_schedule_named(s, name);
    if (is_left(s, v) && rlx_takes_part(takes, v)) each(name, data);
  }
}

void rlx_schedule_node_text(const RlxSchedule *s, const RlxTirStmt *stmt, RlxBuf *out) {
  Tree t = {.store = s->store, .out = out};
  if (stmt->kind == RLX_TIR_FOR)
    loop_line(&t, stmt);
  else
    block_line(&t, stmt);
  rlx_buf_truncate(out, out->size - 1);
}

// ---- numbers of loops and blocks

typedef struct Search {
  const RlxTirStmt *wanted;
  int blocks, loops, found;
} Search;

static void search(Search *at, const RlxTirStmt *s) {
  if (!s || at->found >= 0) return;
  if (s == at->wanted) at->found = s->kind == RLX_TIR_FOR ? at->loops : at->blocks;
  at->loops += s->kind == RLX_TIR_FOR;
  at->blocks += s->kind == RLX_TIR_BLOCK;
  search(at, s->init);
  for (uint32_t i = 0; i < s->count; i++) search(at, s->body[i]);
}

int rlx_schedule_handle_index(RlxSchedule *s, int handle, bool *out_is_loop, int *out_function,
                              int *out_step) {
  *out_is_loop = false;
  *out_function = *out_step = -1;
  if (handle < 0 || (uint32_t)handle >= s->handles.count) return -1;
  const RlxScheduleHandle *h = &s->handles.at[handle];
  *out_is_loop = h->is_loop;
  *out_function = h->function;
  *out_step = h->removed_by;
  if (h->is_root) return 0;
  if (!h->stmt) return -1;
  const RlxTirStmt *body = rlx_schedule_function(s, h->function)->body;
  bool is_written = body && body->kind == RLX_TIR_BLOCK; // a root block of its own is number 0
  Search at = {.wanted = h->stmt, .blocks = is_written ? 0 : 1, .found = -1};
  search(&at, body);
  return at.found;
}
