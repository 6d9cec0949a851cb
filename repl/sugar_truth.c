/// Where Python asks whether something holds, or for a value before it goes on: `not`, `and`, `or`,
/// `a if c else b`, `a < b < c`, `a in x`.
///
/// Always true: a tensor of one element holds or not, as it does for numpy; of one that has more, it is refused to
/// say.
#include "repl/sugar_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

RlxObject *rlx_sugar_evaluate(RlxSugarWriter *w, const char *text) {
  RlxRepl *repl = w->repl;
  RlxReplArgs args = {0};
  RlxName name = 0;
  RlxObject *value = NULL;
  const char *(*plain)(RlxRepl *, const char *) = repl->plain;
  const uint32_t count = w->repl->temps.count;
  for (uint32_t i = 0; i < count; i++) rlx_repl_add_var(repl, w->repl->temps.at[i]);
  repl->plain = NULL; // it is Relax already
  void (*done)(RlxRepl *) = repl->plain_done;
  repl->plain_done = NULL;
  RlxProgram *program = w->failed ? NULL : rlx_repl_program(repl, text, &name, &args);
  const bool ok = rlx_repl_call(repl, program, name, &args, &value);
  repl->plain = plain;
  repl->plain_done = done;
  rlx_repl_forget_temps(repl, count);
  rlx_program_free(program);
  rlx_vec_free(&args);
  w->failed |= !ok;
  return value;
}

RlxSugarType rlx_sugar_evaluated(RlxSugarWriter *w, const char *stem, RlxBuf *text) {
  enum { SHOWN_MAX = 4096 };
  RlxObject *value = rlx_sugar_evaluate(w, rlx_buf_text(text));
  if (!value) return (RlxSugarType){.ndim = -1};
  const uint32_t before = w->repl->temps.count;
  RlxBuf made = {0};
  rlx_repl_put_typed(w->repl, rlx_buf_text(text), text->size, &made);
  rlx_buf_clear(text);
  rlx_sugar_put_temp(w, stem, value, NULL, text);
  if (w->repl->temps.count > before && made.size <= SHOWN_MAX) {
    rlx_vec_last(&w->repl->temps).typed = rlx_buf_steal(&made);
    rlx_vec_last(&w->repl->temps).is_made = true;
  }
  rlx_buf_free(&made);
  return rlx_sugar_type_of(w, rlx_buf_text(text));
}

/// An operand of a question, and what it is.
typedef struct Operand {
  RlxBuf text;
  RlxSugarType type;
} Operand;

static Operand operand(RlxSugarWriter *w, const RlxAst *ast) {
  Operand o = {.type = {.ndim = -1}};
  rlx_sugar_put(w, ast, &o.text);
  if (!w->failed) o.type = rlx_sugar_type(w, ast, rlx_buf_text(&o.text));
  return o;
}

/// Refuses a tensor that is not known to have one element; `instead` is what to type.
static bool is_one(RlxSugarWriter *w, const RlxSugarType *t, const char *instead) {
  const int64_t count = rlx_sugar_count(t);
  if (count == 1) return true;
  if (count < 0)
    rlx_sugar_refuse(w, "a tensor of several elements neither holds nor does not: %s", instead);
  else
    rlx_sugar_refuse(w, "a tensor of %lld elements neither holds nor does not: %s",
                     (long long)count, instead);
  return false;
}

/// One element as a bool without dimensions.
static void put_bool(const Operand *o, RlxBuf *out) {
  RlxBuf text = {0};
  rlx_buf_printf(&text, o->type.ndim ? "R.reshape(%s, ())" : "%s", rlx_buf_text(&o->text));
  rlx_buf_printf(out, rlx_dtype_is_bool(o->type.dtype) ? "%s" : "R.astype(%s, \"bool\")",
                 rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static bool write_not(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  Operand o = operand(w, ast->children[0]);
  if (o.type.is_tensor && is_one(w, &o.type, "`~m` is true where m is not")) {
    RlxBuf text = {0};
    put_bool(&o, &text);
    rlx_buf_printf(out, "R.logical_not(%s)", rlx_buf_text(&text));
    rlx_buf_free(&text);
  } else if (!o.type.is_tensor)
    rlx_sugar_around(w, ast, &o.text, NULL, out);
  rlx_buf_free(&o.text);
  return true;
}

/// `a and b`, `a or b`, of bools.
static bool write_both(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  Operand a = operand(w, ast->children[0]), b = operand(w, ast->children[1]);
  const bool is_and = ast->op == RLX_OP_AND;
  const char *instead = is_and ? "`(x > 1) & (x < 3)` is true where both are"
                               : "`(x < 1) | (x > 3)` is true where one is";
  if (!a.type.is_tensor || !b.type.is_tensor)
    rlx_sugar_around(w, ast, &a.text, &b.text, out);
  else if (is_one(w, &a.type, instead) && is_one(w, &b.type, instead)) {
    rlx_buf_puts(out, is_and ? "R.logical_and(" : "R.logical_or(");
    put_bool(&a, out);
    rlx_buf_puts(out, ", ");
    put_bool(&b, out);
    rlx_buf_putc(out, ')');
  }
  rlx_buf_free(&a.text);
  rlx_buf_free(&b.text);
  return true;
}

/// `a if c else b`: a tensor c is evaluated; only what it chooses is looked at.
static bool write_choice(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  RlxReplNumber known;
  if (rlx_repl_number(w->repl, ast->children[1], &known)) {
    const RlxAst *chosen = ast->children[known.value != 0 ? 0 : 2];
    if (rlx_sugar_is_number(w, chosen))
      rlx_sugar_put_number(w, chosen, out);
    else
      rlx_sugar_put(w, chosen, out);
    return true;
  }
  Operand c = operand(w, ast->children[1]);
  if (!c.type.is_tensor)
    rlx_sugar_around(w, ast, NULL, &c.text, out);
  else if (is_one(w, &c.type, "`R.where(c, a, b)` chooses element by element")) {
    RlxObject *value = rlx_sugar_evaluate(w, rlx_buf_text(&c.text));
    const bool holds = value && rlx_element_number(value->data, value->dtype, 0) != 0;
    rlx_object_unref(value);
    if (value) rlx_sugar_put(w, ast->children[holds ? 0 : 2], out);
  }
  rlx_buf_free(&c.text);
  return true;
}

/// `a < b < c` with a tensor among them.
static bool write_chain(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  bool any = false;
  for (uint32_t i = 0; i < ast->child_count && !w->failed; i++) {
    Operand o = operand(w, ast->children[i]);
    if (o.type.is_tensor) any |= is_one(w, &o.type, "`(1 < x) & (x < 3)` is true where both hold");
    rlx_buf_free(&o.text);
  }
  if (!any || w->failed) return w->failed;
  RlxArena *arena = rlx_arena_new();
  RlxBuf text = {0};
  for (uint32_t i = 0; i + 1 < ast->child_count; i++) {
    const RlxAst *const *pair = (const RlxAst *const *)ast->children + i;
    RlxAst *one = rlx_ast_with_children(arena, ast, pair, 2);
    RlxBuf next = {0};
    one->ops = ast->ops + i;
    one->span = (RlxSpan){pair[0]->span.start, pair[1]->span.end};
    rlx_sugar_put(w, one, &next);
    if (text.size) {
      RlxBuf outer = {0};
      rlx_buf_printf(&outer, "R.logical_and(%s, %s)", rlx_buf_text(&text), rlx_buf_text(&next));
      rlx_buf_free(&text);
      rlx_buf_free(&next);
      text = outer;
    } else
      text = next;
  }
  rlx_arena_free(arena);
  rlx_buf_puts(out, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return true;
}

/// `a in x`: whether one element of x is a.
static bool write_in(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  Operand x = operand(w, ast->children[1]);
  RlxBuf a = {0};
  const bool is_not = ast->ops[0] == RLX_OP_NOT_IN;
  if (!x.type.is_tensor)
    rlx_sugar_around(w, ast, NULL, &x.text, out);
  else {
    if (!rlx_sugar_constant(w, ast->children[0], x.type.dtype, &a))
      rlx_sugar_put(w, ast->children[0], &a);
    rlx_buf_printf(out, "%sR.max(R.equal(%s, %s))%s", is_not ? "R.logical_not(" : "",
                   rlx_buf_text(&x.text), rlx_buf_text(&a), is_not ? ")" : "");
  }
  rlx_buf_free(&a);
  rlx_buf_free(&x.text);
  return true;
}

/// Whether the node is a shape whose lengths are known, a tuple of numbers, too.
static bool shape_of(RlxSugarWriter *w, const RlxAst *ast, RlxSugarType *out) {
  RlxReplNumber lengths[RLX_SUGAR_NDIM_MAX];
  int count;
  if (rlx_repl_is_number_list(w->repl, ast)) return false; // that is a tensor
  if (rlx_repl_shape(w->repl, ast, lengths, RLX_SUGAR_NDIM_MAX, &count)) {
    *out = (RlxSugarType){.is_shape = true, .ndim = count, .has_dims = true};
    for (int i = 0; i < count; i++) {
      out->dims[i] = lengths[i].integer;
      out->has_dims &= lengths[i].kind == RLX_NUMBER_INT;
    }
    return out->has_dims;
  }
  if (ast->kind != RLX_AST_ATTRIBUTE && ast->kind != RLX_AST_CALL) return false;
  Operand o = operand(w, ast);
  *out = o.type;
  rlx_buf_free(&o.text);
  return out->is_shape && out->has_dims;
}

/// `x.shape == (2, 3)`, which Python answers of two tuples.
static bool write_shapes(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  RlxSugarType a, b;
  const bool is_equal = ast->ops[0] == RLX_OP_EQ;
  if ((!is_equal && ast->ops[0] != RLX_OP_NE) || !shape_of(w, ast->children[0], &a) ||
      !shape_of(w, ast->children[1], &b))
    return false;
  bool same = a.ndim == b.ndim;
  for (int i = 0; same && i < a.ndim; i++) same = a.dims[i] == b.dims[i];
  rlx_buf_printf(out, "R.const(%s)", same == is_equal ? "True" : "False");
  return true;
}

/// A question about numbers that are known, which Python answers.
static bool write_answer(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const bool asks = ast->kind == RLX_AST_COMPARE || ast->kind == RLX_AST_BOOL_OP ||
                    (ast->kind == RLX_AST_UNARY && ast->op == RLX_OP_NOT);
  if (!asks || !rlx_sugar_is_number(w, ast)) return false;
  rlx_sugar_put_number(w, ast, out);
  return true;
}

/// `x.dtype == "int64"`
static bool write_dtype(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *a = ast->children[0], *b = ast->children[1];
  const bool is_equal = ast->ops[0] == RLX_OP_EQ;
  if ((!is_equal && ast->ops[0] != RLX_OP_NE) || b->kind != RLX_AST_STRING ||
      a->kind != RLX_AST_ATTRIBUTE || strcmp(rlx_store_text(w->repl->store, a->name), "dtype") != 0)
    return false;
  char text[RLX_DTYPE_TEXT_MAX];
  Operand o = operand(w, a->children[0]);
  rlx_buf_free(&o.text);
  if (!o.type.is_tensor || !rlx_dtype_known(o.type.dtype)) return false;
  const bool same = !strcmp(rlx_dtype_text(o.type.dtype, text), b->text);
  rlx_buf_printf(out, "R.const(%s)", same == is_equal ? "True" : "False");
  return true;
}

bool rlx_sugar_number_of(RlxSugarWriter *w, const RlxAst *ast, const char *text,
                         RlxReplNumber *out) {
  if (rlx_repl_number(w->repl, ast, out)) return true;
  if (!rlx_sugar_type(w, ast, text).is_prim) return false;
  RlxObject *value = rlx_sugar_evaluate(w, text);
  const bool is_int = value && value->kind == RLX_OBJECT_INT,
             is_number = is_int || (value && value->kind == RLX_OBJECT_FLOAT);
  if (is_int)
    *out = (RlxReplNumber){rlx_dtype_is_bool(value->dtype) ? RLX_NUMBER_BOOL : RLX_NUMBER_INT,
                           value->integer, (double)value->integer};
  else if (is_number)
    *out = (RlxReplNumber){.kind = RLX_NUMBER_FLOAT, .value = value->number};
  rlx_object_unref(value);
  return is_number;
}

/// Whether the call names a function of the session whose result is an R.Prim, and is no argument of another one: that takes it
/// as it is.
static bool gives_prim(RlxSugarWriter *w, const RlxAst *call) {
  const RlxAst *root = call->children[0];
  char rest[RLX_AST_DOTTED_MAX];
  if (root->kind == RLX_AST_ATTRIBUTE) root = rlx_ast_dotted(w->repl->store, root, rest);
  if (!root || root->kind != RLX_AST_NAME) return false;
  const char *name = rlx_store_text(w->repl->store, root->name);
  if (!rlx_sugar_is_defined(w, name) && !rlx_sugar_alias(w, name)) return false;
  const RlxAst *outer = w->node && w->node->kind == RLX_AST_CALL ? w->node : NULL;
  for (uint32_t i = 1; outer && i < outer->child_count; i++)
    if (outer->children[i] == call && rlx_sugar_callee(w, outer->children[0]).name) return false;
  const RlxFunction *function = rlx_sugar_callee(w, call->children[0]).function;
  return function && function->ret && function->ret->kind == RLX_SINFO_PRIM;
}

bool rlx_sugar_number_of_call(void *data, const RlxAst *call, RlxReplNumber *out) {
  RlxSugarWriter *w = data;
  for (uint32_t i = 0; i < w->calls.count; i++) {
    if (w->calls.at[i].node != call) continue;
    *out = w->calls.at[i].number;
    return w->calls.at[i].is_number;
  }
  if (w->failed || call == w->node || !gives_prim(w, call)) return false;
  const uint32_t at = w->calls.count;
  rlx_vec_push(&w->calls, (RlxSugarCall){.node = call}); // while it is written, it is none
  RlxBuf text = {0};
  RlxReplNumber number = {0};
  rlx_sugar_put(w, call, &text);
  const bool ok = !w->failed && rlx_sugar_number_of(w, call, rlx_buf_text(&text), &number);
  rlx_buf_free(&text);
  w->calls.at[at].is_number = ok;
  w->calls.at[at].number = *out = number;
  return ok;
}

bool rlx_sugar_truth(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  if (write_answer(w, ast, out)) return true;
  switch (ast->kind) {
  case RLX_AST_UNARY: return ast->op == RLX_OP_NOT && write_not(w, ast, out);
  case RLX_AST_BOOL_OP: return ast->child_count == 2 && write_both(w, ast, out);
  case RLX_AST_CONDITIONAL: return write_choice(w, ast, out);
  case RLX_AST_COMPARE:
    if (ast->child_count > 2) return write_chain(w, ast, out);
    if (write_shapes(w, ast, out) || write_dtype(w, ast, out)) return true;
    return (ast->ops[0] == RLX_OP_IN || ast->ops[0] == RLX_OP_NOT_IN) && write_in(w, ast, out);
  default: return false;
  }
}
