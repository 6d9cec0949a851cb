/// TVMScript of a PrimFunc, in the form TVM 0.25 prints it: names made unique per scope, perfect
/// nests of plain loops as T.grid, runs of plain block variables as T.axis.remap, buffers with
/// constant shapes in the signature. What comes out reads back as the same function.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/logical_lines.h"
#include "analyzer/tir/access.h"
#include "analyzer/tir/print_impl.h"
#include "base/mem.h"

// ---- statements

static void stmt(RlxTirPrinter *p, const RlxTirStmt *s);

static void mark_line(RlxTirPrinter *p, const RlxTirStmt *s, bool is_init, bool is_else) {
  if (p->marks) rlx_vec_push(p->marks, (RlxTirMark){p->out->size, s, is_init, is_else});
}

static void body(RlxTirPrinter *p, const RlxTirStmt *s) {
  uint32_t mark = p->names.list.count;
  size_t before = p->out->size;
  p->indent++;
  p->is_only = true;
  if (s) stmt(p, s);
  if (p->out->size == before) {
    rlx_tir_print_indent(p);
    rlx_buf_puts(p->out, "T.evaluate(0)\n");
  }
  p->indent--;
  rlx_tir_print_leave(p, mark);
}

static bool is_zero(const RlxTirExpr *e) {
  return !e || (e->kind == RLX_TIR_INT && e->integer == 0);
}

static bool is_plain_loop(const RlxTirStmt *s) {
  return s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_SERIAL && is_zero(s->min) &&
         s->annotation_count == 0;
}

static const RlxTirStmt *alone(const RlxTirStmt *s) {
  while (s && s->kind == RLX_TIR_SEQ && s->count == 1) s = s->body[0];
  return s;
}

static bool same_span(const RlxTirStmt *a, const RlxTirStmt *b) {
  return a->span.start == b->span.start && a->span.end == b->span.end;
}

/// How many plain loops are nested perfectly from `s` on, none depending on another.
static int grid_size(const RlxTirPrinter *p, const RlxTirStmt *s, const RlxTirStmt **loops,
                     int capacity) {
  int count = 0;
  while (s && count < capacity && is_plain_loop(s)) {
    if (p->marks && count && !same_span(s, loops[0])) return count;
    for (int i = 0; i < count; i++)
      if (rlx_tir_expr_mentions(s->extent, loops[i]->var)) return count;
    loops[count++] = s;
    s = alone(s->body[0]);
  }
  return count;
}

static void single_loop(RlxTirPrinter *p, const RlxTirStmt *s) {
  static const char *const kinds[] = {"T.serial", "T.parallel", "T.vectorized", "T.unroll",
                                      "T.thread_binding"};
  bool is_range = s->for_kind == RLX_FOR_SERIAL && s->annotation_count == 0;
  RlxBuf *out = p->out;
  // The bounds are printed before the variable is in scope.
  RlxBuf bounds = {0};
  p->out = &bounds;
  if (!is_zero(s->min)) {
    rlx_tir_print_value(p, s->min, LEVEL_LOWEST);
    rlx_buf_puts(&bounds, ", ");
    rlx_tir_print_sum(p, s->min, s->extent);
  } else {
    rlx_tir_print_value(p, s->extent, LEVEL_LOWEST);
  }
  p->out = out;
  rlx_buf_printf(out, "for %s in %s(%s", rlx_tir_print_define(p, s->var, s->var->name, "i"),
                 is_range ? "range" : kinds[s->for_kind], rlx_buf_text(&bounds));
  rlx_buf_free(&bounds);
  if (s->for_kind == RLX_FOR_THREAD_BINDING) {
    const char *thread = rlx_store_text(p->store, s->name);
    rlx_buf_puts(out, ", thread=");
    rlx_tir_print_string(p, thread, strlen(thread));
  }
  if (s->annotation_count) {
    rlx_buf_puts(out, ", annotations=");
    rlx_tir_print_annotations(p, s->annotations, s->annotation_count);
  }
  rlx_buf_puts(out, "):\n");
}

static void for_stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  enum { MOST = 32 };
  const RlxTirStmt *loops[MOST];
  uint32_t mark = p->names.list.count, outer = p->loops.count;
  int count = grid_size(p, s, loops, MOST);
  rlx_tir_print_indent(p);
  if (count < 2) {
    single_loop(p, s);
    rlx_vec_push(&p->loops, s);
    body(p, s->body[0]);
  } else {
    RlxBuf extents = {0}, *out = p->out;
    p->out = &extents;
    for (int i = 0; i < count; i++) {
      if (i) rlx_buf_puts(&extents, ", ");
      rlx_tir_print_value(p, loops[i]->extent, LEVEL_LOWEST);
    }
    p->out = out;
    rlx_buf_puts(out, "for ");
    for (int i = 0; i < count; i++) {
      rlx_buf_printf(out, "%s%s", i ? ", " : "",
                     rlx_tir_print_define(p, loops[i]->var, loops[i]->var->name, "i"));
      rlx_vec_push(&p->loops, loops[i]);
    }
    rlx_buf_printf(out, " in T.grid(%s):\n", rlx_buf_text(&extents));
    rlx_buf_free(&extents);
    body(p, loops[count - 1]->body[0]);
  }
  p->loops.count = outer;
  rlx_tir_print_leave(p, mark);
}

static bool same_min(const RlxTirExpr *a, const RlxTirExpr *b) {
  return is_zero(a) || is_zero(b) ? is_zero(a) && is_zero(b) : rlx_tir_print_same_expr(a, b);
}

/// A spatial or reduction variable bound to a loop with the same domain.
static bool is_remapped(const RlxTirPrinter *p, const RlxTirIterVar *iter) {
  if (iter->type > RLX_ITER_REDUCE || !iter->binding || iter->binding->kind != RLX_TIR_VAR)
    return false;
  for (uint32_t i = 0; i < p->loops.count; i++)
    if (p->loops.at[i]->var == iter->binding->var)
      return same_min(p->loops.at[i]->min, iter->min) &&
             rlx_tir_print_same_expr(p->loops.at[i]->extent, iter->extent);
  return false;
}

static void single_axis(RlxTirPrinter *p, const RlxTirIterVar *iter) {
  static const char *const types[] = {"spatial", "reduce", "scan", "opaque"};
  rlx_tir_print_indent(p);
  RlxBuf text = {0}, *out = p->out;
  p->out = &text;
  if (is_zero(iter->min)) {
    rlx_tir_print_value(p, iter->extent, LEVEL_LOWEST);
  } else {
    rlx_buf_putc(&text, '(');
    rlx_tir_print_value(p, iter->min, LEVEL_LOWEST);
    rlx_buf_puts(&text, ", ");
    rlx_tir_print_sum(p, iter->min, iter->extent);
    rlx_buf_putc(&text, ')');
  }
  rlx_buf_puts(&text, ", ");
  if (iter->binding)
    rlx_tir_print_value(p, iter->binding, LEVEL_LOWEST);
  else
    rlx_buf_puts(&text, "...");
  p->out = out;
  rlx_buf_printf(out, "%s = T.axis.%s(%s)\n",
                 rlx_tir_print_define(p, iter->var, iter->var->name, "v"), types[iter->type],
                 rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static void remapped_axes(RlxTirPrinter *p, const RlxTirIterVar *iters, int count) {
  if (count == 1) {
    single_axis(p, iters);
    return;
  }
  rlx_tir_print_indent(p);
  for (int i = 0; i < count; i++)
    rlx_buf_printf(p->out, "%s%s", i ? ", " : "",
                   rlx_tir_print_define(p, iters[i].var, iters[i].var->name, "v"));
  rlx_buf_puts(p->out, " = T.axis.remap(\"");
  for (int i = 0; i < count; i++)
    rlx_buf_putc(p->out, iters[i].type == RLX_ITER_REDUCE ? 'R' : 'S');
  rlx_buf_puts(p->out, "\", [");
  for (int i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_tir_print_value(p, iters[i].binding, LEVEL_LOWEST);
  }
  rlx_buf_puts(p->out, "])\n");
}

static void regions(RlxTirPrinter *p, const char *name, const RlxTirRegion *items, int count) {
  if (count < 0) return; // not declared
  rlx_tir_print_indent(p);
  rlx_buf_printf(p->out, "T.%s(", name);
  for (int i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_tir_print_region(p, items[i].buffer, items[i].begin, items[i].extent);
  }
  rlx_buf_puts(p->out, ")\n");
}

static void alloc_line(RlxTirPrinter *p, const RlxTirBuffer *b, const char *function,
                       bool says_scope) {
  RlxTirBuffer shown = *b;
  if (!says_scope) shown.scope = 0;
  rlx_tir_print_indent(p);
  rlx_buf_printf(p->out, "%s = T.%s(", rlx_tir_print_define_buffer(p, b), function);
  rlx_tir_print_buffer_args(p, &shown, false);
  if (b->annotation_count && !p->classic) {
    rlx_buf_puts(p->out, ", annotations=");
    rlx_tir_print_annotations(p, b->annotations, b->annotation_count);
  }
  rlx_buf_puts(p->out, ")\n");
}

/// T.alloc_buffer, or T.alloc_local and T.alloc_shared, which say the scope: a statement.
static void alloc_statement(RlxTirPrinter *p, const RlxTirBuffer *b) {
  const char *scope = rlx_store_text(p->store, b->scope);
  if (!p->classic && !strcmp(scope, "local"))
    alloc_line(p, b, "alloc_local", false);
  else if (!p->classic && !strcmp(scope, "shared"))
    alloc_line(p, b, "alloc_shared", false);
  else
    alloc_line(p, b, rlx_tir_print_word(p, "decl_buffer", "alloc_buffer"), true);
}

/// Is it memory of a block? What T.alloc_buffer wrote in 0.25 or later is a statement, and stays one.
static bool is_of_block(const RlxTirPrinter *p, const RlxTirBuffer *b) {
  return p->classic || !b->is_placed;
}

static void block_memory(RlxTirPrinter *p, RlxTirBuffer *const *allocs, int count) {
  for (int i = 0; i < count; i++)
    if (is_of_block(p, allocs[i]))
      alloc_line(p, allocs[i], rlx_tir_print_word(p, "alloc_buffer", "sblock_alloc_buffer"), true);
}

/// Those that are statements of its body.
static void placed_memory(RlxTirPrinter *p, RlxTirBuffer *const *allocs, int count) {
  for (int i = 0; i < count; i++)
    if (!is_of_block(p, allocs[i])) alloc_statement(p, allocs[i]);
}

typedef Vec(const RlxTirVar *) Vars;

static void undeclared(RlxTirPrinter *p, const RlxTirExpr *e, Vars *vars) {
  bool is_new = e->kind == RLX_TIR_VAR && !rlx_tir_print_name(p, e->var);
  for (uint32_t i = 0; is_new && i < vars->count; i++) is_new = vars->at[i] != e->var;
  if (is_new) rlx_vec_push(vars, e->var);
  for (int i = 0; i < e->arg_count; i++) undeclared(p, e->args[i], vars);
}

/// `m, n = T.int64(), T.int64()`
static void declaration(RlxTirPrinter *p, const RlxTirVar *const *vars, uint32_t count) {
  char t[RLX_DTYPE_TEXT_MAX];
  if (count) rlx_tir_print_indent(p);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = rlx_tir_print_name(p, vars[i]);
    rlx_buf_printf(p->out, "%s%s", i ? ", " : "",
                   name ? name : rlx_tir_print_define(p, vars[i], vars[i]->name, "n"));
  }
  for (uint32_t i = 0; i < count; i++)
    rlx_buf_printf(p->out, "%sT.%s()", i ? ", " : " = ", rlx_dtype_text(vars[i]->dtype, t));
  if (count) rlx_buf_putc(p->out, '\n');
}

/// Declares the variables that the buffer is the first to mention: those that are a dimension
/// together, those inside an expression each on its line.
static void declare_vars(RlxTirPrinter *p, const RlxTirBuffer *b) {
  Vars vars = {0};
  for (int d = 0; d < b->ndim; d++)
    if (b->shape[d]->kind == RLX_TIR_VAR) undeclared(p, b->shape[d], &vars);
  for (int d = 0; b->strides && d < b->ndim; d++)
    if (b->strides[d]->kind == RLX_TIR_VAR) undeclared(p, b->strides[d], &vars);
  if (b->elem_offset && !b->owns_offset && b->elem_offset->kind == RLX_TIR_VAR)
    undeclared(p, b->elem_offset, &vars);
  declaration(p, vars.at, vars.count);
  rlx_vec_clear(&vars);
  for (int d = 0; d < b->ndim; d++) {
    undeclared(p, b->shape[d], &vars);
    if (b->strides) undeclared(p, b->strides[d], &vars);
  }
  if (b->elem_offset && !b->owns_offset) undeclared(p, b->elem_offset, &vars);
  for (uint32_t i = 0; i < vars.count; i++) declaration(p, &vars.at[i], 1);
  rlx_vec_free(&vars);
}

static void match_line(RlxTirPrinter *p, const RlxTirBuffer *b) {
  declare_vars(p, b);
  rlx_tir_print_indent(p);
  rlx_buf_printf(p->out, "%s = T.match_buffer(", rlx_tir_print_define_buffer(p, b));
  rlx_buf_puts(p->out, rlx_tir_print_buffer(p, b->view_of));
  rlx_buf_putc(p->out, '[');
  int skipped = b->view_of->ndim - b->ndim;
  for (int i = 0; i < b->view_of->ndim; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_tir_print_value(p, b->view_origin[i], LEVEL_LOWEST);
    const RlxTirExpr *extent = i < skipped ? NULL : b->shape[i - skipped];
    if (!extent || (extent->kind == RLX_TIR_INT && extent->integer == 1)) continue;
    rlx_buf_putc(p->out, ':');
    rlx_tir_print_sum(p, b->view_origin[i], b->shape[i - skipped]);
  }
  rlx_buf_puts(p->out, "], ");
  rlx_tir_print_buffer_args(p, b, false);
  rlx_buf_puts(p->out, ")\n");
}

static void block(RlxTirPrinter *p, const RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  uint32_t mark = p->names.list.count;
  rlx_tir_print_indent(p);
  const char *name = rlx_store_text(p->store, b->name);
  rlx_buf_printf(p->out, "with T.%s(", rlx_tir_print_word(p, "block", "sblock"));
  rlx_tir_print_string(p, name, strlen(name));
  rlx_buf_puts(p->out, "):\n");
  p->indent++;
  for (int i = 0; i < b->iter_count;) {
    int run = 0;
    while (i + run < b->iter_count && is_remapped(p, &b->iters[i + run])) run++;
    if (run)
      remapped_axes(p, &b->iters[i], run);
    else
      single_axis(p, &b->iters[i]);
    i += run ? run : 1;
  }
  if (b->predicate && !(b->predicate->kind == RLX_TIR_INT && b->predicate->integer)) {
    rlx_tir_print_indent(p);
    rlx_tir_print_call(p, "where", (RlxTirExpr *const *)&b->predicate, 1);
    rlx_buf_putc(p->out, '\n');
  }
  regions(p, "reads", b->reads, b->read_count);
  regions(p, "writes", b->writes, b->write_count);
  if (b->annotation_count) {
    rlx_tir_print_indent(p);
    rlx_buf_printf(p->out, "T.%s(", rlx_tir_print_word(p, "block_attr", "sblock_attr"));
    rlx_tir_print_annotations(p, b->annotations, b->annotation_count);
    rlx_buf_puts(p->out, ")\n");
  }
  block_memory(p, b->allocs, b->alloc_count);
  for (int i = 0; i < b->match_count; i++) match_line(p, b->matches[i]);
  if (s->init) {
    mark_line(p, s, true, false);
    rlx_tir_print_indent(p);
    rlx_buf_puts(p->out, "with T.init():\n");
    body(p, s->init);
  }
  placed_memory(p, b->allocs, b->alloc_count);
  p->indent--;
  body(p, s->body[0]);
  rlx_tir_print_leave(p, mark);
}

static void let_stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  char t[RLX_DTYPE_TEXT_MAX];
  RlxBuf text = {0}, *out = p->out;
  p->out = &text;
  rlx_tir_print_value(p, s->value, LEVEL_LOWEST);
  p->out = out;
  rlx_tir_print_indent(p);
  const char *name = rlx_tir_print_define(p, s->var, s->var->name, "x");
  rlx_buf_printf(out, p->classic || s->is_scalar ? "%s: T.%s = %s\n" : "%s: T.let[T.%s] = %s\n",
                 name, rlx_dtype_text(s->var->dtype, t), rlx_buf_text(&text));
  rlx_buf_free(&text);
  p->is_only &= p->classic;
  if (s->count) stmt(p, s->body[0]);
}

/// Whether the buffer lies where a pointer points that the function was given.
static bool is_given(const RlxTirPrinter *p, const RlxTirBuffer *b) {
  for (int i = 0; b->data && i < p->f->param_count; i++)
    if (!p->f->params[i].buffer && p->f->params[i].var == b->data) return true;
  return false;
}

static bool reads(const RlxTirExpr *e, const RlxTirBuffer *b) {
  if (e->kind == RLX_TIR_LOAD && e->buffer == b) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (reads(e->args[i], b)) return true;
  return false;
}

/// `x: T.int32 = 5` and what follows it; without a value where nothing is stored to it at once.
static void scalar_stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  char t[RLX_DTYPE_TEXT_MAX];
  const RlxTirBuffer *b = s->buffer;
  const RlxTirStmt *rest = s->count ? s->body[0] : NULL;
  const RlxTirStmt *first = rest && rest->kind == RLX_TIR_SEQ && rest->count ? rest->body[0] : rest;
  bool has_value =
      first && first->kind == RLX_TIR_STORE && first->buffer == b && !reads(first->value, b);
  RlxBuf text = {0}, *out = p->out;
  p->out = &text;
  if (has_value) rlx_tir_print_value(p, first->value, LEVEL_LOWEST);
  p->out = out;
  rlx_tir_print_indent(p);
  rlx_buf_printf(out, "%s: T.%s%s%s\n", rlx_tir_print_define_buffer(p, b),
                 rlx_dtype_text(b->dtype, t), has_value ? " = " : "", rlx_buf_text(&text));
  rlx_buf_free(&text);
  if (rest == first && has_value) return;
  if (!has_value && rest) stmt(p, rest);
  for (uint32_t i = 1; has_value && i < rest->count; i++) stmt(p, rest->body[i]);
}

static void alloc_stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  const RlxTirBuffer *b = s->buffer;
  if (b->is_scalar && !p->classic) {
    p->is_only = false;
    scalar_stmt(p, s);
    return;
  }
  p->is_only = false;
  if (!b->view_of && is_given(p, b)) {
    const char *data = rlx_tir_print_var(p, b->data); // before the buffer's name names it, too
    rlx_tir_print_indent(p);
    rlx_buf_printf(p->out, "%s = T.decl_buffer(", rlx_tir_print_define_buffer(p, b));
    rlx_tir_print_buffer_args(p, b, false);
    rlx_buf_printf(p->out, ", data=%s)\n", data);
  } else if (!b->view_of) {
    alloc_statement(p, b);
  } else if (b->view_origin) {
    match_line(p, b);
  } else {
    rlx_tir_print_indent(p);
    rlx_buf_printf(p->out, "%s = T.decl_buffer(", rlx_tir_print_define_buffer(p, b));
    rlx_tir_print_buffer_args(p, b, false);
    rlx_buf_printf(p->out, ", data=%s.data)\n", rlx_tir_print_buffer(p, b->view_of));
  }
  if (s->count) stmt(p, s->body[0]);
}

/// What encloses all that its suite has needs no suite of its own.
static void enclosed(RlxTirPrinter *p, const RlxTirStmt *s, bool is_flat) {
  const RlxTirStmt *inside = s->count ? s->body[0] : NULL;
  if (!is_flat)
    body(p, inside);
  else if (inside)
    stmt(p, inside);
}

/// `tx = T.launch_thread("threadIdx.x", 32)`, or the same with `with`.
static void launch_stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  bool is_flat = p->is_only;
  uint32_t mark = p->names.list.count;
  const char *thread = rlx_store_text(p->store, s->name);
  RlxBuf extent = {0}, *out = p->out;
  p->out = &extent;
  rlx_tir_print_value(p, s->extent, LEVEL_LOWEST);
  p->out = out;
  rlx_tir_print_indent(p);
  const char *name = rlx_tir_print_define(p, s->var, s->var->name, "tx");
  if (is_flat)
    rlx_buf_printf(out, "%s = T.launch_thread(", name);
  else
    rlx_buf_puts(out, "with T.launch_thread(");
  rlx_tir_print_string(p, thread, strlen(thread));
  rlx_buf_printf(out, ", %s)", rlx_buf_text(&extent));
  if (is_flat)
    rlx_buf_putc(out, '\n');
  else
    rlx_buf_printf(out, " as %s:\n", name);
  rlx_buf_free(&extent);
  enclosed(p, s, is_flat);
  if (!is_flat) rlx_tir_print_leave(p, mark);
}

static void attr_stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  const char *name = rlx_store_text(p->store, s->name);
  bool is_flat = p->is_only && s->annotation_count;
  rlx_tir_print_indent(p);
  if (s->var) {
    const char *var = rlx_tir_print_define(p, s->var, s->var->name, "tx");
    rlx_buf_puts(p->out, "with T.launch_thread(");
    rlx_tir_print_string(p, name, strlen(name));
    rlx_buf_puts(p->out, ", ");
    if (s->value) rlx_tir_print_value(p, s->value, LEVEL_LOWEST);
    rlx_buf_printf(p->out, ") as %s:\n", var);
  } else if (s->annotation_count) {
    rlx_buf_puts(p->out, is_flat ? "T.attr(" : "with T.attr(");
    rlx_tir_print_annotations(p, s->annotations, s->annotation_count);
    rlx_buf_puts(p->out, is_flat ? ")\n" : "):\n");
  } else {
    rlx_buf_puts(p->out, "with T.attr(0, ");
    rlx_tir_print_string(p, name, strlen(name));
    rlx_buf_puts(p->out, ", ");
    if (s->value) rlx_tir_print_value(p, s->value, LEVEL_LOWEST);
    rlx_buf_puts(p->out, "):\n");
  }
  enclosed(p, s, is_flat);
}

static void condition(RlxTirPrinter *p, const char *word, const RlxTirExpr *cond,
                      const RlxTirStmt *inside) {
  rlx_tir_print_indent(p);
  rlx_buf_printf(p->out, "%s ", word);
  rlx_tir_print_value(p, cond, LEVEL_LOWEST);
  rlx_buf_puts(p->out, ":\n");
  body(p, inside);
}

static void simple(RlxTirPrinter *p, const char *before, const RlxTirExpr *value,
                   const char *after) {
  rlx_tir_print_indent(p);
  rlx_buf_puts(p->out, before);
  if (value) rlx_tir_print_value(p, value, LEVEL_LOWEST);
  rlx_buf_printf(p->out, "%s\n", after);
}

static void stmt(RlxTirPrinter *p, const RlxTirStmt *s) {
  if (p->is_too_deep) return;
  if (s->kind != RLX_TIR_SEQ) mark_line(p, s, false, false);
  switch ((RlxTirStmtKind)s->kind) {
  case RLX_TIR_SEQ: {
    bool is_only = p->is_only && s->count == 1;
    for (uint32_t i = 0; i < s->count; i++) {
      p->is_only = is_only;
      stmt(p, s->body[i]);
    }
    break;
  }
  case RLX_TIR_FOR:
    if (s->is_launch)
      launch_stmt(p, s);
    else
      for_stmt(p, s);
    break;
  case RLX_TIR_WHILE: condition(p, "while", s->cond, s->body[0]); break;
  case RLX_TIR_IF:
    condition(p, "if", s->cond, s->body[0]);
    if (s->count > 1) {
      mark_line(p, s, false, true);
      rlx_tir_print_indent(p);
      rlx_buf_puts(p->out, "else:\n");
      body(p, s->body[1]);
    }
    break;
  case RLX_TIR_BLOCK: block(p, s); break;
  case RLX_TIR_STORE:
    rlx_tir_print_indent(p);
    rlx_tir_print_element(p, s->buffer, s->indices);
    rlx_buf_puts(p->out, " = ");
    rlx_tir_print_value(p, s->value, LEVEL_LOWEST);
    rlx_buf_putc(p->out, '\n');
    break;
  case RLX_TIR_LET_STMT: let_stmt(p, s); break;
  case RLX_TIR_ALLOC: alloc_stmt(p, s); break;
  case RLX_TIR_EVALUATE:
    if (s->value && s->value->kind == RLX_TIR_CALL)
      simple(p, "", s->value, "");
    else
      simple(p, "T.evaluate(", s->value, ")");
    break;
  case RLX_TIR_ASSERT:
    rlx_tir_print_indent(p);
    rlx_buf_puts(p->out, "assert ");
    rlx_tir_print_value(p, s->cond, LEVEL_LOWEST);
    if (s->annotation_count) {
      rlx_buf_printf(p->out, ", %s", s->annotations[0].words);
    } else if (s->value) {
      rlx_buf_puts(p->out, p->classic ? ", " : ", (\"RuntimeError\", [");
      rlx_tir_print_value(p, s->value, LEVEL_LOWEST);
      if (!p->classic) rlx_buf_puts(p->out, "])");
    } else if (!p->classic) {
      rlx_buf_puts(p->out, ", (\"RuntimeError\", [\"\"])"); // a message is asked for
    }
    rlx_buf_putc(p->out, '\n');
    if (s->count) stmt(p, s->body[0]);
    break;
  case RLX_TIR_ATTR: attr_stmt(p, s); break;
  case RLX_TIR_BREAK: simple(p, "break", NULL, ""); break;
  case RLX_TIR_CONTINUE: simple(p, "continue", NULL, ""); break;
  case RLX_TIR_RETURN:
    if (p->classic && s->value)
      simple(p, "T.ret(", s->value, ")");
    else
      simple(p, s->value ? "return " : "return", s->value, "");
    break;
  case RLX_TIR_NOP:
    if (p->is_only && s->value && !p->type_vars) simple(p, "T.evaluate(", s->value, ")");
    break;
  }
}

// ---- the function

static bool has_block(const RlxTirStmt *s) {
  if (!s) return false;
  if (s->kind == RLX_TIR_BLOCK) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (has_block(s->body[i])) return true;
  return false;
}

/// The buffer can stand in the signature: nothing but constants and variables that are parameters
/// before it.
static bool is_inline(const RlxTirPrinter *p, const RlxTirBuffer *b) {
  if (b->strides || b->scope) {
    const char *scope = rlx_store_text(p->store, b->scope);
    if (b->strides || (*scope && strcmp(scope, "global") != 0)) return false;
  }
  if ((b->elem_offset && !is_zero(b->elem_offset)) || b->align || b->offset_factor ||
      b->separator_count)
    return false;
  for (int i = 0; i < b->ndim; i++)
    if (b->shape[i]->kind != RLX_TIR_INT) return false;
  return true;
}

static void signature(RlxTirPrinter *p) {
  char t[RLX_DTYPE_TEXT_MAX];
  p->in_signature = p->type_vars != NULL;
  for (int i = 0; i < p->f->param_count; i++) {
    const RlxTirParam *param = &p->f->params[i];
    if (i) rlx_buf_puts(p->out, ", ");
    if (!param->buffer) {
      bool is_handle = param->var->dtype.code == RLX_DTYPE_HANDLE;
      rlx_buf_printf(p->out, "%s: T.%s", rlx_tir_print_var(p, param->var),
                     is_handle ? "handle" : rlx_dtype_text(param->var->dtype, t));
    } else if (p->type_vars || is_inline(p, param->buffer)) {
      rlx_buf_printf(p->out, "%s: T.Buffer(", rlx_tir_print_define_buffer(p, param->buffer));
      rlx_tir_print_buffer_args(p, param->buffer, true);
      rlx_buf_putc(p->out, ')');
    } else {
      char name[300];
      const char *own = rlx_store_text(p->store, param->var->name),
                 *of = rlx_store_text(p->store, param->buffer->name);
      bool same = !*own || !strcmp(own, of);
      snprintf(name, sizeof name, same ? "var_%.200s" : "%.200s", same ? of : own);
      while (rlx_print_names_has(&p->names, name))
        strncat(name, "_", sizeof name - strlen(name) - 1);
      rlx_print_names_put(&p->names, param->var, name);
      rlx_buf_printf(p->out, "%s: T.handle", name);
    }
  }
  p->in_signature = false;
}

static void match_params(RlxTirPrinter *p) {
  for (int i = 0; i < p->f->param_count; i++) {
    const RlxTirBuffer *b = p->f->params[i].buffer;
    if (!b || rlx_tir_print_name(p, b)) continue;
    declare_vars(p, b);
    rlx_tir_print_indent(p);
    const char *handle = rlx_tir_print_name(p, p->f->params[i].var);
    rlx_buf_printf(p->out, "%s = T.match_buffer(%s, ", rlx_tir_print_define_buffer(p, b),
                   handle ? handle : "...");
    rlx_tir_print_buffer_args(p, b, false);
    rlx_buf_puts(p->out, ")\n");
  }
}

/// The root block, written with nothing but allocations.
static bool is_plain_root(const RlxTirPrinter *p, const RlxTirStmt *s) {
  if (!s || s->kind != RLX_TIR_BLOCK) return false;
  const RlxTirBlock *b = s->block;
  const RlxTirStmt *only = s->count == 1 ? s->body[0] : NULL; // would be read as the root itself
  if (only && only->kind == RLX_TIR_BLOCK && !only->block->iter_count) return false;
  return !strcmp(rlx_store_text(p->store, b->name), "root") && !b->iter_count &&
         b->read_count <= 0 && b->write_count <= 0 && !b->annotation_count && !b->match_count &&
         !b->predicate && !s->init && s->count == 1;
}

/// The attributes, but for a global symbol that is the function's name.
static void func_attrs(RlxTirPrinter *p) {
  const RlxPrimFunc *f = p->f;
  Vec(RlxTirAnnotation) shown = {0};
  for (int i = 0; i < f->attr_count; i++) {
    const RlxTirExpr *v = f->attrs[i].value;
    bool is_name = v && v->kind == RLX_TIR_STRING &&
                   !strcmp(rlx_store_text(p->store, f->attrs[i].key), "global_symbol") &&
                   !strcmp(v->text, rlx_store_text(p->store, f->name));
    if (!is_name) rlx_vec_push(&shown, f->attrs[i]);
  }
  if (shown.count) {
    rlx_tir_print_indent(p);
    rlx_buf_puts(p->out, "T.func_attr(");
    rlx_tir_print_annotations(p, shown.at, (int)shown.count);
    rlx_buf_puts(p->out, ")\n");
  }
  rlx_vec_free(&shown);
}

/// The function's name; what the code generator calls after operators ("nn.relu") as a word of Python.
static void function_name(RlxTirPrinter *p) {
  for (const char *c = rlx_store_text(p->store, p->f->name); *c; c++)
    rlx_buf_putc(p->out, *c == '.' ? '_' : *c);
}

/// Whether the root block has memory of its own, apart from statements that allocate.
static bool has_memory_of_blocks(const RlxTirPrinter *p) {
  const RlxPrimFunc *f = p->f;
  for (int i = 0; i < f->root_alloc_count; i++)
    if (is_of_block(p, f->root_allocs[i])) return true;
  return false;
}

/// False: some of it stands deeper than lines may.
static bool print_function(RlxTirPrinter *printer) {
  RlxTirPrinter p = *printer;
  const RlxPrimFunc *f = p.f;
  RlxBuf *out = p.out;
  bool is_own_root = f->body && f->body->kind == RLX_TIR_BLOCK && !f->body->block->iter_count;
  bool blocks = has_memory_of_blocks(&p) || (has_block(f->body) && !is_own_root);
  rlx_tir_print_indent(&p);
  rlx_buf_puts(out, "@T.prim_func");
  bool is_s_tir = !p.classic && !f->lacks_s_tir;
  if (f->is_private || is_s_tir)
    rlx_buf_printf(out, "(%s%s%s)", f->is_private ? "private=True" : "",
                   f->is_private && is_s_tir ? ", " : "", is_s_tir ? "s_tir=True" : "");
  rlx_buf_putc(out, '\n');
  rlx_tir_print_indent(&p);
  rlx_buf_puts(out, "def ");
  function_name(&p);
  rlx_buf_putc(out, '(');
  signature(&p);
  char ret[RLX_DTYPE_TEXT_MAX];
  if (rlx_dtype_known(f->ret))
    rlx_buf_printf(out, ") -> T.%s:\n", rlx_dtype_text(f->ret, ret));
  else
    rlx_buf_puts(out, "):\n");
  p.indent++;
  declaration(&p, p.locals.at, p.locals.count);
  size_t before = out->size;
  func_attrs(&p);
  match_params(&p);
  if (blocks) {
    rlx_tir_print_indent(&p);
    rlx_buf_printf(out, "# with T.%s(\"root\"):\n", rlx_tir_print_word(&p, "block", "sblock"));
  }
  block_memory(&p, f->root_allocs, f->root_alloc_count);
  const RlxTirStmt *own = is_plain_root(&p, f->body) ? f->body : NULL; // written, and says nothing
  if (own) {
    rlx_tir_print_indent(&p);
    rlx_buf_printf(out, "# with T.%s(\"root\"):\n", rlx_tir_print_word(&p, "block", "sblock"));
  }
  if (own) block_memory(&p, own->block->allocs, own->block->alloc_count);
  placed_memory(&p, f->root_allocs, f->root_alloc_count);
  if (own) placed_memory(&p, own->block->allocs, own->block->alloc_count);
  size_t statements = out->size;
  p.is_only = !f->root_alloc_count;
  if (own)
    stmt(&p, own->body[0]);
  else if (f->body)
    stmt(&p, f->body);
  if (out->size == before || out->size == statements) {
    rlx_tir_print_indent(&p);
    rlx_buf_puts(out, "T.evaluate(0)\n");
  }
  rlx_print_names_free(&p.names);
  rlx_map_free(&p.params);
  rlx_vec_free(&p.loops);
  rlx_vec_free(&p.locals);
  return !p.is_too_deep;
}

void rlx_tir_expr_print(const RlxStore *store, const RlxTirExpr *e, RlxBuf *out) {
  RlxPrimFunc none = {0};
  RlxTirPrinter p = {.store = store, .f = &none, .out = out};
  rlx_tir_print_value(&p, e, LEVEL_LOWEST);
  rlx_print_names_free(&p.names);
}

void rlx_primfunc_print(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect, int indent,
                        RlxBuf *out) {
  RlxTirPrinter p = {.store = store,
                     .f = f,
                     .classic = dialect == RLX_DIALECT_CLASSIC,
                     .out = out,
                     .indent = indent,
                     .deepest = INT_MAX};
  print_function(&p);
}

bool rlx_primfunc_print_naming(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect,
                               int indent, RlxTirNames *type_vars, RlxBuf *out) {
  const uint32_t names = type_vars->count;
  const size_t before = out->size;
  RlxTirPrinter p = {.store = store,
                     .f = f,
                     .classic = dialect == RLX_DIALECT_CLASSIC,
                     .type_vars = dialect == RLX_DIALECT_027 ? type_vars : NULL,
                     .out = out,
                     .indent = indent,
                     .deepest = RLX_MAX_INDENTATION_LEVELS - 1};
  if (print_function(&p)) return true;
  rlx_buf_truncate(out, before);
  while (type_vars->count > names) free(type_vars->at[--type_vars->count]);
  return false;
}

void rlx_primfunc_print_marked(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect,
                               RlxTirMarks *marks, RlxBuf *out) {
  RlxTirPrinter p = {.store = store,
                     .f = f,
                     .classic = dialect == RLX_DIALECT_CLASSIC || dialect == RLX_DIALECT_TLC,
                     .marks = marks,
                     .out = out,
                     .deepest = INT_MAX};
  print_function(&p);
}
