/// :normal, and the text of expressions in normal form.
#include <stdio.h>
#include <string.h>

#include "analyzer/edit/print.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/rewrite/normalize.h"
#include "repl/commands.h"
#include "repl/look.h"

static void print_value(RlxRepl *repl, const RlxValue *v, RlxBuf *out) {
  switch ((RlxValueKind)v->kind) {
  case RLX_VALUE_NONE: rlx_buf_puts(out, "None"); return;
  case RLX_VALUE_BOOL: rlx_buf_puts(out, v->boolean ? "True" : "False"); return;
  case RLX_VALUE_INT: rlx_buf_printf(out, "%lld", (long long)v->integer); return;
  case RLX_VALUE_UINT64: rlx_buf_printf(out, "%llu", (unsigned long long)v->integer); return;
  case RLX_VALUE_FLOAT: rlx_buf_printf(out, "%.17g", v->number); return;
  case RLX_VALUE_STR: rlx_buf_printf(out, "\"%s\"", rlx_store_text(repl->store, v->string)); return;
  case RLX_VALUE_PRIM: rlx_prim_print(repl->store, v->prim, out); return;
  case RLX_VALUE_SINFO: rlx_sinfo_print(repl->store, v->sinfo, out); return;
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: rlx_repl_put_expr(repl, v->expr, out); return;
  case RLX_VALUE_LIST:
    rlx_buf_putc(out, v->is_tuple ? '(' : '[');
    for (uint32_t i = 0; i < v->count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      print_value(repl, &v->items[i], out);
    }
    if (v->is_tuple && v->count == 1) rlx_buf_putc(out, ',');
    rlx_buf_putc(out, v->is_tuple ? ')' : ']');
    return;
  case RLX_VALUE_DICT:
  case RLX_VALUE_NUMBERS:
  case RLX_VALUE_VDEVICE:
  case RLX_VALUE_ABSENT:
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_OTHER: rlx_buf_puts(out, "..."); return;
  }
}

static void print_call(RlxRepl *repl, const RlxCall *call, RlxBuf *out) {
  if (call->row)
    rlx_buf_printf(out, "R.%.*s(", (int)strcspn(call->row->script, " "), call->row->script);
  else {
    rlx_repl_put_expr(repl, call->callee, out);
    rlx_buf_putc(out, '(');
  }
  bool first = true, named = false;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (call->args[i].is_default || call->args[i].kind == RLX_VALUE_ABSENT) {
      named = true;
      continue;
    }
    if (!first) rlx_buf_puts(out, ", ");
    first = false;
    if (call->row && (named || !call->row->params[i].is_required))
      rlx_buf_printf(out, "%s=", call->row->params[i].name);
    print_value(repl, &call->args[i], out);
  }
  rlx_buf_putc(out, ')');
}

void rlx_repl_put_expr(RlxRepl *repl, const RlxExpr *x, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_VAR: rlx_buf_puts(out, rlx_store_text(repl->store, x->var->name)); return;
  case RLX_EXPR_GLOBAL: rlx_buf_puts(out, rlx_store_text(repl->store, x->name)); return;
  case RLX_EXPR_EXTERN:
    rlx_buf_printf(out, "R.ExternFunc(\"%s\")", rlx_store_text(repl->store, x->name));
    return;
  case RLX_EXPR_STRING:
    rlx_buf_printf(out, "R.str(\"%s\")", rlx_store_text(repl->store, x->name));
    return;
  case RLX_EXPR_OP: rlx_buf_printf(out, "R.%s", x->op->script); return;
  case RLX_EXPR_CONSTANT: rlx_print_constant(repl->store, x, out); return;
  case RLX_EXPR_SHAPE:
    rlx_buf_puts(out, "R.shape([");
    for (int i = 0; i < x->dim_count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_prim_print(repl->store, x->dims[i], out);
    }
    rlx_buf_puts(out, "])");
    return;
  case RLX_EXPR_PRIM:
    rlx_buf_puts(out, "R.prim_value(");
    rlx_prim_print(repl->store, x->prim, out);
    rlx_buf_putc(out, ')');
    return;
  case RLX_EXPR_DTYPE:
    rlx_buf_printf(out, "R.dtype(\"%s\")", rlx_dtype_text(x->dtype, dtype));
    return;
  case RLX_EXPR_TUPLE:
    rlx_buf_putc(out, '(');
    for (uint32_t i = 0; i < x->field_count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_repl_put_expr(repl, x->fields[i], out);
    }
    rlx_buf_puts(out, x->field_count == 1 ? ",)" : ")");
    return;
  case RLX_EXPR_TUPLE_GET:
    rlx_repl_put_expr(repl, x->tuple, out);
    rlx_buf_printf(out, "[%lld]", (long long)x->index);
    return;
  case RLX_EXPR_CALL: print_call(repl, x->call, out); return;
  case RLX_EXPR_IF:
    rlx_buf_puts(out, "if ");
    rlx_repl_put_expr(repl, x->condition, out);
    return;
  case RLX_EXPR_FUNCTION: rlx_buf_puts(out, "<local function>"); return;
  case RLX_EXPR_HOLE: rlx_buf_puts(out, "..."); return;
  }
}

static bool is_entry(const RlxRepl *repl, const RlxVar *var) {
  return !strcmp(rlx_store_text(repl->store, var->name), "__value");
}

static void print_body(RlxRepl *repl, const RlxBody *body, int indent, RlxBuf *out) {
  for (uint32_t b = 0; b < body->block_count; b++)
    for (uint32_t i = 0; i < body->blocks[b].count; i++) {
      const RlxBinding *binding = body->blocks[b].bindings[i];
      if (is_entry(repl, binding->var)) { // its name is the session's own
        rlx_repl_put_expr(repl, binding->value, out);
        rlx_buf_putc(out, '\n');
        continue;
      }
      rlx_buf_printf(out, "%*s%s: ", indent, "", rlx_store_text(repl->store, binding->var->name));
      rlx_sinfo_print(repl->store, binding->var->sinfo, out);
      rlx_buf_puts(out, binding->kind == RLX_BINDING_MATCH_CAST ? " = R.match_cast(" : " = ");
      rlx_repl_put_expr(repl, binding->value, out);
      if (binding->kind == RLX_BINDING_MATCH_CAST) {
        rlx_buf_puts(out, ", ");
        rlx_sinfo_print(repl->store, binding->cast, out);
        rlx_buf_putc(out, ')');
      }
      rlx_buf_puts(out, binding->value->kind == RLX_EXPR_IF ? ":\n" : "\n");
      if (binding->value->kind != RLX_EXPR_IF) continue;
      print_body(repl, &binding->value->branches[0], indent + 4, out);
      rlx_buf_printf(out, "%*selse:\n", indent, "");
      print_body(repl, &binding->value->branches[1], indent + 4, out);
    }
  if (body->result->kind == RLX_EXPR_VAR && is_entry(repl, body->result->var)) return;
  rlx_buf_printf(out, "%*s", indent, "");
  rlx_repl_put_expr(repl, body->result, out);
  rlx_buf_putc(out, '\n');
}

bool rlx_repl_take_option(const char **text, const char *option) {
  size_t size = strlen(option), blanks = strspn(*text, " \t");
  if (strncmp(*text + blanks, option, size) != 0 || !strchr(" \t", (*text)[blanks + size]))
    return false;
  *text += blanks + size + strspn(*text + blanks + size, " \t");
  return true;
}

/// The function or module `how->only` in that form, at column 0.
static void put_normalized(RlxRepl *repl, const RlxNormalize *how, RlxBuf *out) {
  RlxBuf text = {0};
  rlx_function_normalize(repl->file, how, &text);
  const char *p = rlx_buf_text(&text);
  const size_t indent = strspn(p, " ");
  while (*p) {
    const size_t size = strcspn(p, "\n") + 1, blanks = strspn(p, " ");
    const size_t skip = blanks < indent ? blanks : indent;
    rlx_buf_putn(out, p + skip, size - skip);
    p += size;
  }
  rlx_buf_free(&text);
}

static void write_norm(RlxRepl *repl, const RlxStmt *stmt, const RlxFunction *fn, RlxBuf *out,
                       void *data) {
  RlxNormalize *how = data;
  RlxBuf entry = {0}, body = {0};
  how->only = stmt;
  if (!repl->entry_at) { // a definition, as it is written but for what is not in that form
    put_normalized(repl, how, out);
    return;
  }
  if (how->t_anf || how->canonical) {
    rlx_function_normalize(repl->file, how, &entry);
    rlx_repl_put_entry(rlx_buf_text(&entry), &body);
  } else if (fn)
    print_body(repl, &fn->body, 0, &body);
  rlx_repl_put_typed(repl, rlx_buf_text(&body), body.size, out);
  rlx_buf_free(&body);
  rlx_buf_free(&entry);
}

bool rlx_repl_normal(RlxRepl *repl, const char *text) {
  RlxNormalize how = {0};
  for (bool more = true; more;) {
    bool t_anf = rlx_repl_take_option(&text, "--t-anf"),
         canonical = rlx_repl_take_option(&text, "--canonicalize");
    how.t_anf |= t_anf;
    how.canonical |= canonical;
    more = t_anf || canonical;
  }
  RlxBuf out = {0};
  how.only = rlx_repl_module(repl, text);
  if (how.only) put_normalized(repl, &how, &out);
  const bool ok = how.only || rlx_repl_each_relax(repl, text, write_norm, &how, &out);
  rlx_repl_print_painted(repl, rlx_buf_text(&out), RLX_PAINT_SCRIPT);
  rlx_buf_free(&out);
  return ok;
}
