/// Files, modules, functions and bindings as TVM prints them; see print.h for what always holds.
/// Source: TVM v0.25 src/script/printer/{ir,relax}.
#include "analyzer/edit/print.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/assemble.h"
#include "analyzer/ask/dialect_at.h"
#include "analyzer/edit/print_impl.h"
#include "analyzer/function/files.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/report/report.h"
#include "analyzer/script/script.h"
#include "base/mem.h"

static void line(RlxScriptPrinter *p) { rlx_buf_repeat(p->out, ' ', (size_t)p->indent * 4); }

// ---- the script's own words

/// A statement with its suite, moved to the printer's indentation.
static void print_verbatim(RlxScriptPrinter *p, const RlxStmt *stmt) {
  const char *at = p->source + stmt->start, *end = at + stmt->size;
  uint32_t column = 0;
  while (stmt->start > column && p->source[stmt->start - column - 1] != '\n') column++;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t size = (size_t)((stop ? stop : end) - at);
    if (size) line(p);
    rlx_buf_putn(p->out, at, size);
    rlx_buf_putc(p->out, '\n');
    if (!stop) return;
    at = stop + 1;
    for (uint32_t i = 0; i < column && at < end && (*at == ' ' || *at == '\t'); i++) at++;
  }
}

static bool block_is_broken(const RlxBlock *block);

static bool is_broken(const RlxStmt *stmt) {
  if (stmt->has_error || stmt->kind == RLX_STMT_HOLE || block_is_broken(stmt->body) ||
      block_is_broken(stmt->orelse))
    return true;
  for (uint32_t i = 0; i < stmt->block_count; i++)
    if (block_is_broken(stmt->blocks[i])) return true;
  return false;
}

static bool block_is_broken(const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++)
    if (is_broken(block->stmts[i])) return true;
  return false;
}

// ---- bindings

static void print_binding(RlxScriptPrinter *p, const RlxBinding *b, bool is_output);
static bool is_statement(const RlxBinding *b, bool is_output);
static void print_body(RlxScriptPrinter *p, const RlxBody *body, uint32_t leave_out_last);
static void print_local_function(RlxScriptPrinter *p, const RlxBinding *b);

/// Calls whose result their own text states.
static bool states_sinfo(const RlxExpr *x) {
  if (x->kind != RLX_EXPR_CALL || !x->call->row) return false;
  return x->call->row->id == RLX_OP_ID(call_tir) || x->call->row->id == RLX_OP_ID(call_dps_packed);
}

static void print_annotation(RlxScriptPrinter *p, const RlxBinding *b) {
  if (p->options.annotate == RLX_ANNOTATE_NONE) return;
  bool may_hide = p->options.annotate == RLX_ANNOTATE_MISSING || states_sinfo(b->value);
  if (may_hide && b->deduced == b->var->sinfo) return;
  rlx_buf_puts(p->out, ": ");
  rlx_print_sinfo(p, b->var->sinfo);
}

static const RlxBinding *last_binding(const RlxBody *body) {
  const RlxBindingBlock *block = body->block_count ? &body->blocks[body->block_count - 1] : NULL;
  return block && block->count && !block->is_dataflow ? block->bindings[block->count - 1] : NULL;
}

static bool is_leaf(const RlxExpr *x) {
  return x->kind != RLX_EXPR_CALL && x->kind != RLX_EXPR_IF && x->kind != RLX_EXPR_FUNCTION &&
         x->kind != RLX_EXPR_TUPLE_GET && x->kind != RLX_EXPR_HOLE;
}

static void assign(RlxScriptPrinter *p, const char *name, const RlxBinding *annotation) {
  line(p);
  rlx_buf_puts(p->out, name);
  if (annotation) print_annotation(p, annotation);
  rlx_buf_puts(p->out, " = ");
}

/// A branch ends with the variable of the whole `if`: `z_then = …`, `z = z_then`.
static void print_branch(RlxScriptPrinter *p, const RlxBody *body, const char *target,
                         const char *suffix, const RlxBinding *whole) {
  uint32_t mark = p->names.list.count;
  const RlxBinding *last = last_binding(body);
  const RlxStmt *stmt = p->stmt;
  p->indent++;
  print_body(p, body, last != NULL);
  if (last && is_leaf(last->value)) {
    p->stmt = last->stmt;
    assign(p, target, whole);
    rlx_print_right_side(p, last->value);
    rlx_buf_putc(p->out, '\n');
  } else if (last && is_statement(last, false)) {
    print_binding(p, last, false);
    assign(p, target, whole);
    rlx_buf_puts(p->out, "R.tuple()\n");
  } else if (last) {
    char hint[300];
    snprintf(hint, sizeof hint, "%.250s%s", rlx_store_text(p->store, last->var->name), suffix);
    const char *inner = rlx_print_define(p, last->var, hint);
    p->stmt = last->stmt;
    assign(p, inner, last);
    rlx_print_right_side(p, last->value);
    rlx_buf_putc(p->out, '\n');
    assign(p, target, whole);
    rlx_buf_printf(p->out, "%s\n", inner);
  } else {
    p->stmt = body->result_stmt ? body->result_stmt : stmt;
    assign(p, target, whole);
    rlx_print_right_side(p, body->result);
    rlx_buf_putc(p->out, '\n');
  }
  p->stmt = stmt;
  p->indent--;
  rlx_print_leave_names(p, mark);
}

static void print_if(RlxScriptPrinter *p, const RlxBinding *b) {
  const char *target = rlx_print_var(p, b->var);
  line(p);
  rlx_buf_puts(p->out, "if ");
  rlx_print_expr(p, b->value->condition);
  rlx_buf_puts(p->out, ":\n");
  print_branch(p, &b->value->branches[0], target, "_then", b);
  line(p);
  rlx_buf_puts(p->out, "else:\n");
  print_branch(p, &b->value->branches[1], target, "_else", b);
}

/// An expression where a tuple of Python is none: each tuple in it is `R.tuple(…)`.
static void print_strictly(RlxScriptPrinter *p, const RlxExpr *x) {
  if (x->kind != RLX_EXPR_TUPLE || !x->field_count) {
    rlx_print_expr(p, x);
    return;
  }
  rlx_buf_puts(p->out, "R.tuple(");
  for (uint32_t i = 0; i < x->field_count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    print_strictly(p, x->fields[i]);
  }
  rlx_buf_putc(p->out, ')');
}

static void print_match_cast(RlxScriptPrinter *p, const RlxBinding *b) {
  RlxBuf value = {0}, *out = p->out;
  p->out = &value;
  print_strictly(p, b->value);
  rlx_buf_puts(p->out, ", ");
  rlx_print_sinfo(p, b->cast ? b->cast : b->var->sinfo);
  p->out = out;
  assign(p, rlx_print_var(p, b->var), b);
  rlx_buf_printf(p->out, "R.match_cast(%s)\n", rlx_buf_text(&value));
  rlx_buf_free(&value);
}

/// What gives the empty tuple needs no name: readers write `R.tuple()`.
static bool is_statement(const RlxBinding *b, bool is_output) {
  return !is_output && b->kind == RLX_BINDING_VAR && b->value->kind != RLX_EXPR_IF &&
         b->value->kind != RLX_EXPR_FUNCTION && b->value->kind != RLX_EXPR_HOLE &&
         rlx_print_is_unit(b->var->sinfo) && rlx_print_is_unit(b->value->sinfo);
}

/// What could not be read is given in its own words.
static void print_value(RlxScriptPrinter *p, const RlxBinding *b) {
  if (b->value->kind == RLX_EXPR_HOLE && b->stmt->value)
    rlx_print_source(p, b->stmt->value->span);
  else
    rlx_print_right_side(p, b->value);
}

static void print_binding(RlxScriptPrinter *p, const RlxBinding *b, bool is_output) {
  p->stmt = b->stmt;
  if (b->kind == RLX_BINDING_MATCH_CAST) {
    print_match_cast(p, b);
  } else if (b->value->kind == RLX_EXPR_IF) {
    print_if(p, b);
  } else if (b->value->kind == RLX_EXPR_FUNCTION && b->value->function) {
    rlx_print_var(p, b->var);
    print_local_function(p, b);
  } else if (is_statement(b, is_output)) {
    line(p);
    rlx_print_expr(p, b->value);
    rlx_buf_putc(p->out, '\n');
  } else {
    RlxBuf value = {0}, *out = p->out;
    p->out = &value; // operands meet their names before the new one
    print_value(p, b);
    p->out = out;
    assign(p, rlx_print_var(p, b->var), b);
    rlx_buf_printf(p->out, "%s\n", rlx_buf_text(&value));
    rlx_buf_free(&value);
  }
}

/// The outputs of the dataflow blocks side by side that end before `end`, in the order they are
/// bound.
static void print_outputs(RlxScriptPrinter *p, const RlxBindingBlock *blocks, uint32_t end) {
  uint32_t first = end;
  bool any = false;
  while (first && blocks[first - 1].is_dataflow) first--;
  line(p);
  rlx_buf_puts(p->out, "R.output(");
  for (; first < end; first++)
    for (uint32_t i = 0; i < blocks[first].count; i++) {
      const RlxVar *var = blocks[first].bindings[i]->var;
      if (var->is_dataflow) continue;
      rlx_buf_printf(p->out, "%s%s", any ? ", " : "", rlx_print_var(p, var));
      any = true;
    }
  rlx_buf_puts(p->out, ")\n");
}

static void print_body(RlxScriptPrinter *p, const RlxBody *body, uint32_t leave_out_last) {
  const RlxStmt *stmt = p->stmt;
  for (uint32_t i = 0; i < body->block_count; i++) {
    const RlxBindingBlock *block = &body->blocks[i];
    uint32_t count = i + 1 == body->block_count ? block->count - leave_out_last : block->count;
    bool continues = i && block->is_dataflow && body->blocks[i - 1].is_dataflow;
    bool goes_on =
        block->is_dataflow && i + 1 < body->block_count && body->blocks[i + 1].is_dataflow;
    if (block->is_dataflow && !continues) { // blocks side by side are one
      line(p);
      rlx_buf_puts(p->out, "with R.dataflow():\n");
      p->indent++;
    }
    for (uint32_t k = 0; k < count; k++)
      print_binding(p, block->bindings[k],
                    block->is_dataflow && !block->bindings[k]->var->is_dataflow);
    if (block->is_dataflow && !goes_on) {
      print_outputs(p, body->blocks, i + 1);
      p->indent--;
    }
  }
  p->stmt = stmt;
}

// ---- functions

/// The global symbol says nothing where it is the name that is printed.
static bool names_itself(const RlxScriptPrinter *p, const RlxAst *key, const RlxAst *value,
                         const char *name) {
  if (key->kind != RLX_AST_STRING || strcmp(key->text, "global_symbol") != 0) return false;
  return !p->in_module || (value->kind == RLX_AST_STRING && strcmp(value->text, name) == 0);
}

static void print_func_attr(RlxScriptPrinter *p, const RlxAst *dict, const char *name) {
  RlxBuf entries = {0}, *out = p->out;
  p->out = &entries;
  rlx_print_entries(p, dict, names_itself, name);
  p->out = out;
  if (entries.size) {
    line(p);
    rlx_buf_printf(p->out, "R.func_attr({%s})\n", rlx_buf_text(&entries));
  }
  rlx_buf_free(&entries);
}

/// The dictionary of `R.func_attr({…})`, or NULL when `stmt` is another one.
static const RlxAst *func_attr_dict(const RlxScriptPrinter *p, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_EXPR ? stmt->value : NULL;
  if (!call || call->kind != RLX_AST_CALL || call->child_count != 2 ||
      call->children[1]->kind != RLX_AST_DICT)
    return NULL;
  const RlxAst *callee = call->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE ||
      strcmp(rlx_store_text(p->store, callee->name), "func_attr") != 0)
    return NULL;
  return call->children[1];
}

static void print_func_attrs(RlxScriptPrinter *p, const RlxStmt *def) {
  for (uint32_t i = 0; def && def->body && i < def->body->count; i++) {
    const RlxAst *dict = func_attr_dict(p, def->body->stmts[i]);
    if (!dict) continue;
    p->stmt = def->body->stmts[i];
    print_func_attr(p, dict, rlx_store_text(p->store, def->name));
  }
}

static void print_decorator(RlxScriptPrinter *p, const RlxFunction *fn, bool is_local) {
  bool is_private = fn->is_private && !is_local;
  line(p);
  rlx_buf_puts(p->out, "@R.function");
  if (!fn->is_pure)
    rlx_buf_puts(p->out, is_private ? "(pure=False, private=True)" : "(pure=False)");
  else if (is_private)
    rlx_buf_puts(p->out, "(private=True)");
  rlx_buf_putc(p->out, '\n');
}

static bool is_symbolic(const RlxSymVar *var, void *data) {
  (void)data;
  return !var->is_relax;
}

/// From 0.26 on a scalar parameter is a symbolic variable itself: the one that is its value has its
/// name, unless a dimension of another parameter binds it, or an earlier parameter mentions it.
static void meet_scalar(RlxScriptPrinter *p, const RlxVar *param, const RlxMap *bound,
                        const RlxMap *mentioned) {
  const RlxSymVar *var = param->sinfo->kind == RLX_SINFO_PRIM && param->sinfo->value
                             ? rlx_prim_as_var(param->sinfo->value)
                             : NULL;
  if (!var || rlx_print_knows_symbol(p, var)) return;
  if (rlx_map_get_ptr(bound, var) || rlx_map_get_ptr(mentioned, var)) return;
  const char *name = rlx_print_var(p, param);
  const RlxSymVar *printed = rlx_symvar(
      p->store, var->scope, rlx_store_intern(p->store, name, strlen(name)), var->dtype, false);
  rlx_print_add_symbol(p, var, printed);
  p->param_symbols++;
}

/// Looks at the scalar parameters first: all that is printed with their variables has their names.
static void meet_scalars(RlxScriptPrinter *p, const RlxFunction *fn) {
  RlxMap bound = {0}, mentioned = {0};
  for (uint32_t i = 0; i < fn->param_count; i++)
    if (fn->params[i]->sinfo->kind != RLX_SINFO_PRIM)
      rlx_sinfo_bare_map(fn->params[i]->sinfo, &bound);
  for (uint32_t i = 0; i < fn->param_count; i++) {
    const RlxSymVar *vars[RLX_PRINT_SYMBOLS_MAX];
    int count = 0;
    meet_scalar(p, fn->params[i], &bound, &mentioned);
    if (fn->params[i]->sinfo->kind != RLX_SINFO_PRIM)
      rlx_sinfo_vars(fn->params[i]->sinfo, vars, &count, RLX_PRINT_SYMBOLS_MAX);
    for (int k = 0; k < count; k++) rlx_map_put_ptr(&mentioned, vars[k], vars[k]);
  }
  rlx_map_free(&bound);
  rlx_map_free(&mentioned);
}

/// `quotes`: its symbolic variables are declared below it.
static void print_signature(RlxScriptPrinter *p, const RlxFunction *fn, const char *name,
                            bool quotes) {
  RlxBuf ret = {0}, *out = p->out;
  p->in_signature = quotes;
  p->param_symbols = 0;
  if (p->options.dialect == RLX_DIALECT_027) meet_scalars(p, fn);
  p->out = &ret; // its variables are met first
  RlxScope scope = {is_symbolic, NULL,
                    NULL}; // a signature can't name the variables of its parameters
  if (fn->ret && fn->ret->kind == RLX_SINFO_EXTENSION)
    rlx_print_sinfo(p, fn->ret);
  else if (fn->ret)
    rlx_print_sinfo(p, rlx_sinfo_erase_to_well_defined(p->store, fn->ret, scope));
  p->out = out;
  line(p);
  rlx_buf_printf(p->out, "def %s(", name);
  for (uint32_t i = 0; i < fn->param_count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_buf_printf(p->out, "%s: ", rlx_print_var(p, fn->params[i]));
    rlx_print_sinfo(p, fn->params[i]->sinfo);
  }
  rlx_buf_puts(p->out, ")");
  if (fn->ret) rlx_buf_printf(p->out, " -> %s", rlx_buf_text(&ret));
  rlx_buf_puts(p->out, ":\n");
  rlx_buf_free(&ret);
  p->in_signature = false;
}

static void print_return(RlxScriptPrinter *p, const RlxBody *body) {
  p->stmt = body->result_stmt;
  line(p);
  rlx_buf_puts(p->out, "return ");
  rlx_print_expr(p, body->result);
  rlx_buf_putc(p->out, '\n');
}

static void print_statements(RlxScriptPrinter *p, const RlxFunction *fn) {
  print_body(p, &fn->body, 0);
  print_return(p, &fn->body);
}

/// Body, then what it turned out to need before it: declarations and `cls = Module`.
static void print_function_body(RlxScriptPrinter *p, const RlxFunction *fn, const char *module) {
  RlxBuf body = {0}, *out = p->out;
  p->searched = NULL;
  p->indent++;
  rlx_print_declare_symbols(p, p->outer_symbols + p->param_symbols, p->symbols.count, true, out);
  print_func_attrs(p, fn->stmt);
  uint32_t symbols = p->symbols.count;
  p->out = &body;
  p->symbols_at_sibling = UINT32_MAX;
  print_statements(p, fn);
  p->out = out;
  uint32_t before =
      p->symbols_at_sibling < p->symbols.count ? p->symbols_at_sibling : p->symbols.count;
  rlx_print_declare_symbols(p, symbols, before, false, out);
  if (module && p->uses_siblings) {
    line(p);
    rlx_buf_printf(p->out, "cls = %s\n", module);
  }
  rlx_print_declare_symbols(p, before < symbols ? symbols : before, p->symbols.count, false, out);
  rlx_buf_putn(p->out, rlx_buf_text(&body), body.size);
  rlx_buf_free(&body);
  p->indent--;
}

/// Whether `text` names something of the namespace `prefix`.
static bool mentions(const char *text, char prefix) {
  const char find[] = {prefix, '.', '\0'};
  for (const char *at = text; (at = strstr(at, find)) != NULL; at++)
    if (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.'))
      return true;
  return false;
}

/// Notes whether something of `T` stands in `out`, of which what is new is read: a body may have thousands of
/// functions.
static void look_for_t(RlxScriptPrinter *p, const RlxBuf *out) {
  const size_t from = p->searched == out && p->searched_bytes <= out->size ? p->searched_bytes : 0;
  p->uses_t = p->uses_t || mentions(rlx_buf_text(out) + from, 'T');
  p->searched = out;
}

/// Comments that say what `T` and `R` are.
static void print_namespaces(const RlxScriptPrinter *p, bool with_t, bool with_r, int indent,
                             RlxBuf *out) {
  bool is_tir = p->options.dialect == RLX_DIALECT_CLASSIC;
  const char *const lines[] = {with_t ? is_tir ? "# from tvm.script import tir as T"
                                               : "# from tvm.script import tirx as T"
                                      : NULL,
                               with_t && !is_tir ? "# from tvm.tirx.layout import Axis" : NULL,
                               with_r ? "# from tvm.script import relax as R" : NULL};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (!lines[i]) continue;
    rlx_buf_repeat(out, ' ', (size_t)indent * 4);
    rlx_buf_printf(out, "%s\n", lines[i]);
  }
}

static void print_function(RlxScriptPrinter *p, const RlxFunction *fn) {
  const RlxStmt *stmt = p->stmt;
  const char *name = rlx_store_text(p->store, fn->name);
  p->stmt = fn->stmt;
  p->outer_symbols = 0;
  print_decorator(p, fn, false);
  print_signature(p, fn, !p->in_module && p->is_alone && fn->is_private ? "main" : name, true);
  print_function_body(p, fn, p->module);
  p->symbols.count = p->symbol_names.count = 0;
  rlx_print_leave_names(p, 0);
  p->stmt = stmt;
}

/// Up to 0.25 the symbolic variables of a local function are declared by the function of the module
/// around it: those of its type when it is met, those of its body when they are.
static void print_local_function(RlxScriptPrinter *p, const RlxBinding *b) {
  const RlxFunction *fn = b->value->function;
  const RlxStmt *stmt = p->stmt;
  const RlxSymVar *vars[RLX_PRINT_SYMBOLS_MAX];
  uint32_t names = p->names.list.count, outer = p->outer_symbols, symbols;
  bool declares = p->options.dialect == RLX_DIALECT_027;
  RlxBuf text = {0}, *out = p->out;
  int count = 0;
  if (!declares) rlx_sinfo_vars(b->var->sinfo, vars, &count, RLX_PRINT_SYMBOLS_MAX);
  rlx_print_meet_symbols(p, vars, count);
  symbols = p->symbols.count;
  look_for_t(p, out);
  const RlxBuf *searched = p->searched;
  p->stmt = fn->stmt;
  p->outer_symbols = symbols;
  p->out = &text;
  print_decorator(p, fn, true);
  print_signature(p, fn, rlx_store_text(p->store, fn->name), declares);
  if (declares) {
    print_function_body(p, fn, NULL);
  } else {
    p->indent++;
    print_func_attrs(p, fn->stmt);
    print_statements(p, fn);
    p->indent--;
  }
  p->out = out;
  p->uses_t |= mentions(rlx_buf_text(&text), 'T');
  p->searched = searched;
  p->searched_bytes = out->size;
  print_namespaces(p, p->uses_t, true, p->indent, out);
  line(p);
  rlx_buf_printf(out, "\n%s\n", rlx_buf_text(&text));
  rlx_buf_free(&text);
  if (declares) p->symbols.count = p->symbol_names.count = symbols;
  rlx_print_leave_names(p, names);
  p->outer_symbols = outer;
  p->stmt = stmt;
}

static int compare_starts(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/// Finds the statements that an error left without a meaning: their bindings would be lost. One that
/// returns something else than the function declares has a meaning.
static void find_lost_statements(RlxScriptPrinter *p) {
  RlxFileDiags diags = {0};
  rlx_file_diags(p->file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxStmt *stmt = diags.at[i].stmt;
    const bool is_misfit = diags.at[i].diag->id == RLX_DIAG_ID(RETURN_MISMATCH);
    if (diags.at[i].diag->severity != RLX_ERROR || !stmt || is_misfit) continue;
    const bool is_binding = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                            stmt->kind == RLX_STMT_EXPR;
    RlxBinding *const *bindings;
    uint32_t count = 0;
    if (is_binding) rlx_file_stmt_bindings(p->file, stmt, &bindings, &count);
    if (!count) rlx_vec_push(&p->lost, stmt->start);
  }
  rlx_vec_free(&diags);
  if (p->lost.count) qsort(p->lost.at, p->lost.count, sizeof *p->lost.at, compare_starts);
}

/// Whether one of them is inside of `def`.
static bool has_lost_statement(const RlxScriptPrinter *p, const RlxStmt *def) {
  uint32_t low = 0, high = p->lost.count;
  while (low < high) { // the first behind the start of `def`, where its own errors are
    const uint32_t middle = low + (high - low) / 2;
    if (p->lost.at[middle] <= def->start)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->lost.count && p->lost.at[low] < def->start + def->size;
}

static void print_relax(RlxScriptPrinter *p, const RlxFunctionView *view) {
  RlxArena *arena = rlx_arena_new();
  const RlxFunction *fn = is_broken(view->stmt) || has_lost_statement(p, view->stmt)
                              ? NULL
                              : rlx_file_function_ir(p->file, view->stmt, arena);
  p->uses_siblings = false;
  if (fn && fn->body.result && fn->body.result->kind != RLX_EXPR_HOLE)
    print_function(p, fn);
  else
    print_verbatim(p, view->stmt);
  rlx_arena_free(arena);
}

/// What the IR of a PrimFunc does not keep.
static bool is_beyond_ir(const RlxScriptPrinter *p, const RlxAst *ast) {
  static const char *const keywords[] = {"buffer_type", "layout", "persistent"};
  if (!ast) return false;
  for (size_t i = 0; ast->kind == RLX_AST_KEYWORD && i < sizeof keywords / sizeof keywords[0]; i++)
    if (strcmp(rlx_store_text(p->store, ast->name), keywords[i]) == 0) return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (is_beyond_ir(p, ast->children[i])) return true;
  return false;
}

static bool block_is_beyond_ir(const RlxScriptPrinter *p, const RlxBlock *block);

/// A pointer that says what it points to.
static bool is_typed_pointer(const RlxScriptPrinter *p, const RlxAst *ast) {
  if (ast->kind == RLX_AST_CALL && ast->child_count > 1 &&
      ast->children[0]->kind == RLX_AST_ATTRIBUTE &&
      strcmp(rlx_store_text(p->store, ast->children[0]->name), "handle") == 0)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (is_typed_pointer(p, ast->children[i])) return true;
  return false;
}

static bool stmt_is_beyond_ir(const RlxScriptPrinter *p, const RlxStmt *stmt) {
  if (stmt->kind == RLX_STMT_ANNOTATED && stmt->annotation && is_typed_pointer(p, stmt->annotation))
    return true;
  for (uint32_t i = 0; i < stmt->target_count; i++)
    if (is_beyond_ir(p, stmt->targets[i])) return true;
  for (uint32_t i = 0; i < stmt->item_count; i++)
    if (is_beyond_ir(p, stmt->items[i].value)) return true;
  return is_beyond_ir(p, stmt->value) || block_is_beyond_ir(p, stmt->body) ||
         block_is_beyond_ir(p, stmt->orelse);
}

static bool block_is_beyond_ir(const RlxScriptPrinter *p, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++)
    if (stmt_is_beyond_ir(p, block->stmts[i])) return true;
  return false;
}

/// Whether the IR keeps all that a statement says.
static bool is_whole(const RlxTirStmt *s) {
  if (!s) return true;
  if (s->kind == RLX_TIR_ATTR && !s->var && !s->annotation_count) return false;
  for (int i = 0; i < s->annotation_count; i++)
    if (!s->annotations[i].value && !s->annotations[i].words) return false;
  for (int i = 0; s->block && i < s->block->annotation_count; i++)
    if (!s->block->annotations[i].value && !s->block->annotations[i].words) return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (!is_whole(s->body[i])) return false;
  return is_whole(s->init);
}

static bool is_whole_function(const RlxPrimFunc *f, const RlxStmt *def) {
  bool states_type = def->annotation && def->annotation->kind != RLX_AST_NONE;
  for (int i = 0; i < f->attr_count; i++)
    if (!f->attrs[i].value && !f->attrs[i].words) return false;
  return f->body && !f->has_holes && (!states_type || rlx_dtype_known(f->ret)) && is_whole(f->body);
}

static bool is_from_025_on(RlxDialect dialect) {
  return dialect == RLX_DIALECT_025 || dialect == RLX_DIALECT_027;
}

/// From 0.25 on the decorator says whether blocks are meant; some PrimFuncs that have them lack it.
static bool lacks_s_tir(const RlxScriptPrinter *p, const RlxStmt *def) {
  if (!is_from_025_on(rlx_file_dialect_at(p->file, def->start))) return false;
  for (uint32_t i = 0; i < def->decorator_count; i++)
    for (uint32_t k = 1; k < def->decorators[i]->child_count; k++) {
      const RlxAst *arg = def->decorators[i]->children[k];
      if (arg->kind == RLX_AST_KEYWORD && rlx_ast_flag(arg->children[0]) == 1 &&
          strcmp(rlx_store_text(p->store, arg->name), "s_tir") == 0)
        return false;
    }
  return true;
}

static void print_prim_func(RlxScriptPrinter *p, const RlxFunctionView *view) {
  const bool places_allocs = is_from_025_on(p->options.dialect) &&
                             is_from_025_on(rlx_file_dialect_at(p->file, view->stmt->start));
  RlxPrimFunc *f = is_broken(view->stmt) || stmt_is_beyond_ir(p, view->stmt)
                       ? NULL
                       : rlx_file_primfunc_placed(p->file, view->stmt, places_allocs);
  if (f && f->is_private && !p->in_module && p->is_alone)
    f->name = rlx_store_intern(p->store, "main", 4); // TVM keeps no name of it
  if (f) f->lacks_s_tir = lacks_s_tir(p, view->stmt);
  bool keeps_all = f && is_whole_function(f, view->stmt);
  if (keeps_all && !f->lacks_s_tir) rlx_primfunc_complete(p->store, f);
  if (!keeps_all ||
      !rlx_primfunc_print_naming(p->store, f, p->options.dialect, p->indent, &p->type_vars, p->out))
    print_verbatim(p, view->stmt);
  rlx_primfunc_free(f);
}

static int compare_names(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

static void print_view(RlxScriptPrinter *p, const RlxFunctionView *view) {
  size_t start = p->out->size;
  uint32_t first = p->type_vars.count;
  if (view->kind == RLX_ISLAND_RELAX)
    print_relax(p, view);
  else if (view->kind == RLX_ISLAND_PRIM_FUNC)
    print_prim_func(p, view);
  else
    print_verbatim(p, view->stmt);
  p->uses_t |= mentions(rlx_buf_text(p->out) + start, 'T');
  if (p->type_vars.count > first) // those of one function by name
    qsort(p->type_vars.at + first, p->type_vars.count - first, sizeof *p->type_vars.at,
          compare_names);
}

// ---- modules

typedef struct Member {
  const RlxFunctionView *view;
  const char *name;
  int rank; // kinds in the order they are printed, `main` last
} Member;

static int compare_members(const void *a, const void *b) {
  const Member *x = a, *y = b;
  if (x->rank != y->rank) return x->rank - y->rank;
  int order = strcmp(x->name, y->name);
  return order ? order : x->view->stmt->start < y->view->stmt->start ? -1 : 1;
}

static int rank_of(uint8_t kind, const char *name) {
  if (strcmp(name, "main") == 0) return 4;
  return kind == RLX_ISLAND_PRIM_FUNC ? 1 : kind == RLX_ISLAND_RELAX ? 3 : 0;
}

/// Statements of a class body that are no functions: attributes, global infos, external functions.
static void print_module_facts(RlxScriptPrinter *p, const RlxStmt *module) {
  for (uint32_t i = 0; module->body && i < module->body->count; i++) {
    const RlxStmt *stmt = module->body->stmts[i];
    if (stmt->kind == RLX_STMT_EXPR && !stmt->is_docstring && !stmt->has_error &&
        stmt->value->kind == RLX_AST_CALL) {
      p->stmt = stmt;
      line(p);
      rlx_print_words(p, stmt->value);
      rlx_buf_putc(p->out, '\n');
      p->stmt = NULL;
    } else if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_HOLE ||
               (stmt->kind == RLX_STMT_EXPR && !stmt->is_docstring)) {
      print_verbatim(p, stmt);
    }
  }
}

static void name_module(RlxScriptPrinter *p, const RlxFunctionView *view) {
  p->module = p->is_alone ? "Module" : rlx_store_text(p->store, view->module);
}

static void print_module(RlxScriptPrinter *p, const RlxFunctionView *views, uint32_t count) {
  Vec(Member) members = {0};
  for (uint32_t i = 0; i < count; i++)
    rlx_vec_push(&members,
                 (Member){&views[i], rlx_store_text(p->store, views[i].name),
                          rank_of(views[i].kind, rlx_store_text(p->store, views[i].name))});
  if (members.count) qsort(members.at, members.count, sizeof *members.at, compare_members);
  name_module(p, &views[0]);
  rlx_buf_printf(p->out, "@I.ir_module\nclass %s:\n", p->module);
  p->in_module = true;
  p->indent = 1;
  print_module_facts(p, views[0].module_stmt);
  for (uint32_t i = 0; i < members.count; i++) {
    if (i) rlx_buf_putc(p->out, '\n');
    print_view(p, members.at[i].view);
  }
  p->indent = 0;
  p->in_module = false;
  rlx_vec_free(&members);
}

/// Comments that say what the prefixes of `body` are, as a printed file has no imports.
static void print_header(RlxScriptPrinter *p, const RlxBuf *body, RlxBuf *out) {
  size_t start = out->size;
  if (p->type_vars.count) rlx_buf_puts(out, "# from typing import TypeVar\n");
  const char *text = rlx_buf_text(body);
  if (mentions(text, 'I')) rlx_buf_puts(out, "# from tvm.script import ir as I\n");
  print_namespaces(p, mentions(text, 'T'), mentions(text, 'R'), 0, out);
  if (out->size > start) rlx_buf_putc(out, '\n');
  RlxStrMap declared = {0};
  for (uint32_t i = 0; i < p->type_vars.count; i++) {
    const char *name = p->type_vars.at[i];
    uint64_t known;
    if (rlx_strmap_get(&declared, name, strlen(name), &known)) continue;
    rlx_strmap_put(&declared, name, strlen(name), 1);
    rlx_buf_printf(out, "%s = TypeVar(\"%s\")\n", name, name);
  }
  rlx_strmap_free(&declared);
}

static bool is_one_module(const RlxFunctionViews *views) {
  for (uint32_t i = 1; i < views->count; i++)
    if (!views->at[i].module_stmt || views->at[i].module_stmt != views->at[0].module_stmt)
      return false;
  return true;
}

static void print_views(RlxScriptPrinter *p, const RlxFunctionViews *views, RlxBuf *out) {
  p->is_alone = views->count && is_one_module(views);
  for (uint32_t i = 0; i < views->count;) {
    uint32_t first = i;
    const RlxStmt *module = views->at[i].module_stmt;
    if (i) rlx_buf_putc(p->out, '\n');
    i++;
    while (module && i < views->count && views->at[i].module_stmt == module) i++;
    if (module)
      print_module(p, &views->at[first], i - first);
    else
      print_view(p, &views->at[first]);
  }
  print_header(p, p->out, out);
  rlx_buf_putn(out, rlx_buf_text(p->out), p->out->size);
  if (strstr(rlx_buf_text(p->out), "metadata[\""))
    rlx_buf_puts(out, "\n# Metadata omitted. Use show_meta=True in script() method to show it.\n");
}

/// The function or the module that is asked for.
static void print_only(RlxScriptPrinter *p, const RlxFunctionViews *views, RlxBuf *out) {
  const RlxStmt *only = p->options.only;
  uint32_t first = 0, end;
  while (first < views->count && views->at[first].stmt != only &&
         views->at[first].module_stmt != only)
    first++;
  for (end = first; end < views->count && views->at[end].module_stmt == only;) end++;
  if (end > first)
    print_module(p, &views->at[first], end - first);
  else if (first < views->count) {
    p->in_module = views->at[first].module_stmt != NULL;
    if (p->in_module) name_module(p, &views->at[first]);
    print_view(p, &views->at[first]);
  }
  rlx_buf_putn(out, rlx_buf_text(p->out), p->out->size);
}

void rlx_file_print(RlxFile *file, const RlxPrintOptions *options, RlxBuf *out) {
  RlxDocument *document = rlx_file_document(file);
  uint32_t size = 0;
  RlxBuf body = {0};
  RlxScriptPrinter p = {
      .file = file, .store = rlx_document_store(document), .options = *options, .out = &body};
  p.source = rlx_document_text(document, &size);
  find_lost_statements(&p);
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  if (options->only)
    print_only(&p, &views, out);
  else
    print_views(&p, &views, out);
  rlx_vec_free(&views);
  rlx_print_names_free(&p.names);
  rlx_map_free(&p.symbol_at);
  rlx_map_free(&p.printed_at);
  rlx_vec_free(&p.symbols);
  rlx_vec_free(&p.symbol_names);
  rlx_vec_free(&p.lost);
  while (p.type_vars.count) free(rlx_vec_pop(&p.type_vars));
  rlx_vec_free(&p.type_vars);
  rlx_buf_free(&body);
}
