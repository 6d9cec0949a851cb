/// Rewriting of the forms in dialects.def that are more than another word, and of what belongs to
/// whole functions. Always true: a form that can't be read well enough to rewrite is reported
/// without edits, or left alone.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/rewrite/convert.h"
#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/state.h"

// ---- places in the text

static const char *at_text(const RlxConvert *c, uint32_t offset) {
  return c->text + c->stmt->start + offset;
}

static const RlxAst *keyword(const RlxConvert *c, const RlxAst *call, const char *name) {
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD &&
        strcmp(rlx_store_text(c->store, call->children[i]->name), name) == 0)
      return call->children[i];
  return NULL;
}

static const RlxAst *positional(const RlxAst *call, uint32_t at) {
  const RlxAst *arg = at + 1 < call->child_count ? call->children[at + 1] : NULL;
  return arg && arg->kind != RLX_AST_KEYWORD ? arg : NULL;
}

static bool is_name(const RlxConvert *c, const RlxAst *ast, const char *name) {
  return ast && ast->kind == RLX_AST_NAME && strcmp(rlx_store_text(c->store, ast->name), name) == 0;
}

static bool is_list(const RlxAst *ast) {
  return ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
}

/// Takes argument `arg` out of `call`, with its comma, and the parentheses when nothing else stands
/// in them.
static void drop_argument(RlxConvert *c, const RlxAst *call, const RlxAst *arg, bool drops_parens) {
  uint32_t index = 0;
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i] == arg) index = i;
  if (call->child_count == 2) {
    if (drops_parens)
      rlx_change_edit(c, call->children[0]->span.end, call->span.end, "");
    else
      rlx_change_edit(c, arg->span.start, arg->span.end, "");
  } else if (index > 1)
    rlx_change_edit(c, call->children[index - 1]->span.end, arg->span.end, "");
  else
    rlx_change_edit(c, arg->span.start, call->children[2]->span.start, "");
}

/// First byte `wanted` between two offsets; `otherwise` when there is none.
static uint32_t find_byte(const RlxConvert *c, uint32_t from, uint32_t to, char wanted,
                          uint32_t otherwise) {
  const char *at = from < to ? memchr(at_text(c, from), wanted, to - from) : NULL;
  return at ? (uint32_t)(at - at_text(c, 0)) : otherwise;
}

// ---- StructInfo

static const char *long_dtype(const char *text) {
  static const char *const names[][2] = {{"f16", "float16"}, {"f32", "float32"}, {"f64", "float64"},
                                         {"i8", "int8"},     {"i16", "int16"},   {"i32", "int32"},
                                         {"i64", "int64"},   {"u8", "uint8"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i][0], text) == 0) return names[i][1];
  return text;
}

static const char *dtype_text(RlxConvert *c, const RlxAst *ast) {
  return ast->kind == RLX_AST_STRING ? rlx_arena_printf(c->arena, "\"%s\"", long_dtype(ast->text))
                                     : rlx_convert_text(c, ast->span);
}

static bool has_blank(const RlxConvert *c, const RlxAst *ast) {
  if (is_name(c, ast, "_")) return true;
  for (uint32_t i = 0; is_list(ast) && i < ast->child_count; i++)
    if (is_name(c, ast->children[i], "_")) return true;
  return false;
}

/// `R.Tensor[_, "f32"]`, `Tensor[(_, _), _]`: what is not known is left out.
static void convert_blanks(RlxConvert *c, const RlxAst *index, const RlxAst *shape,
                           const RlxAst *dtype) {
  bool has_dtype = dtype && !is_name(c, dtype, "_"),
       has_shape = !is_name(c, shape, "_") && !has_blank(c, shape);
  RlxBuf text = {0};
  if (has_shape)
    rlx_buf_printf(&text, "(%s%s%s)", rlx_convert_text(c, shape->span), has_dtype ? ", " : "",
                   has_dtype ? dtype_text(c, dtype) : "");
  else if (is_list(shape))
    rlx_buf_printf(&text, "(%s%s%sndim=%u)", has_dtype ? "dtype=" : "",
                   has_dtype ? dtype_text(c, dtype) : "", has_dtype ? ", " : "",
                   shape->child_count);
  else if (has_dtype)
    rlx_buf_printf(&text, "(dtype=%s)", dtype_text(c, dtype));
  rlx_change_edit(c, index->children[0]->span.end, index->span.end, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static bool convert_subscript(RlxConvert *c, const RlxAst *index) {
  const RlxAst *base = index->children[0],
               *first = index->child_count > 1 ? index->children[1] : NULL,
               *second = index->child_count > 2 ? index->children[2] : NULL;
  if (!first) return false;
  const char *name = rlx_store_text(c->store, base->name);
  rlx_change_begin(c, RLX_SPELLING_TENSOR, base->span, rlx_arena_printf(c->arena, "R.%s[…]", name),
                   rlx_arena_printf(c->arena, "R.%s(…)", name));
  if (strcmp(name, "Tensor") == 0 && (has_blank(c, first) || (second && is_name(c, second, "_")))) {
    convert_blanks(c, index, first, second);
    return true;
  }
  uint32_t open = find_byte(c, base->span.end, index->span.end, '[', base->span.end);
  rlx_change_edit(c, open, open + 1, "(");
  rlx_change_edit(c, index->span.end - 1, index->span.end, ")");
  return true;
}

/// Whether the suite gives the name a value, `add = R.add`, that stands under it behind.
static bool is_assigned(const RlxBlock *block, RlxName name, int depth) {
  for (uint32_t i = 0; block && depth < 200 && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    for (uint32_t k = 0; unit && k < unit->def_count; k++)
      if (unit->defs[k].name == name && !unit->defs[k].is_missing) return true;
    if (is_assigned(stmt->body, name, depth + 1) || is_assigned(stmt->orelse, name, depth + 1))
      return true;
  }
  return false;
}

static bool is_bound(RlxConvert *c, RlxName name) {
  RlxValue v;
  if (rlx_outer_lookup(c->file, c->stmt, name, &v)) return true;
  for (const RlxFn *fn = c->fn; fn; fn = fn->outer) {
    if (rlx_fn_first_param(fn, name) < fn->params.count) return true;
    if (is_assigned(fn->stmt->body, name, 0)) return true;
    for (uint32_t i = 0; fn->stmt->body && i < fn->stmt->body->count; i++)
      if (fn->stmt->body->stmts[i]->kind == RLX_STMT_DEF && fn->stmt->body->stmts[i]->name == name)
        return true;
  }
  return c->module && rlx_module_fn(c->module, name);
}

static bool has_blank_argument(const RlxConvert *c, const RlxAst *call) {
  bool has = false;
  for (uint32_t i = 1; i < call->child_count; i++)
    has |= is_name(c, call->children[i], "_") || (i == 1 && has_blank(c, call->children[i]));
  return has;
}

/// `Tensor((_, 4), _)`: `_` was what is not known.
static void leave_out_blanks(RlxConvert *c, const RlxAst *call) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const bool is_shape = i == 1 && is_list(arg) && arg->child_count && has_blank(c, arg);
    if (!is_shape && !is_name(c, arg, "_")) continue;
    rlx_change_edit(c, arg->span.start, arg->span.end, "None");
    if (is_shape && !keyword(c, call, "ndim")) // only the rank is known
      rlx_change_edit(c, call->span.end - 1, call->span.end - 1,
                      rlx_arena_printf(c->arena, ", ndim=%u", arg->child_count));
  }
}

void rlx_convert_blanks(RlxConvert *c, const RlxAst *annotation) {
  if (!annotation || annotation->kind != RLX_AST_CALL) return;
  const RlxAst *head = annotation->children[0];
  const bool is_tensor = head->kind == RLX_AST_ATTRIBUTE &&
                         strcmp(rlx_store_text(c->store, head->name), "Tensor") == 0;
  if (is_tensor && has_blank_argument(c, annotation)) {
    rlx_change_begin(c, RLX_SPELLING_TENSOR, annotation->span,
                     rlx_convert_text(c, annotation->span), "R.Tensor(ndim=…)");
    leave_out_blanks(c, annotation);
    return;
  }
  for (uint32_t i = 1; i < annotation->child_count; i++)
    rlx_convert_blanks(c, annotation->children[i]);
}

/// `from tvm.runtime import Object`, which tlc-pack's parser took for R.Object, and later ones take for no annotation.
static bool is_class_of_tvm(RlxConvert *c, RlxName name) {
  RlxValue v;
  return c->is_migration && strcmp(rlx_store_text(c->store, name), "Object") == 0 &&
         rlx_outer_lookup(c->file, c->stmt, name, &v) && v.kind == RLX_VALUE_NAMESPACE &&
         strncmp(rlx_store_text(c->store, v.string), "tvm.", 4) == 0;
}

static bool convert_bare_word(RlxConvert *c, const RlxSpelled *s) {
  if (is_bound(c, s->ast->name) && !is_class_of_tvm(c, s->ast->name)) return false;
  const char *name = rlx_store_text(c->store, s->ast->name),
             *now = strcmp(name, "DynTensor") == 0 ? "Tensor"
                    : strcmp(name, "Void") == 0    ? "Tuple"
                                                   : name;
  rlx_change_begin(c, s->id, s->span, name, rlx_arena_printf(c->arena, "R.%s", now));
  rlx_change_edit(c, s->span.start, s->span.end, rlx_arena_printf(c->arena, "R.%s", now));
  const RlxAst *call =
      s->parent && s->parent->kind == RLX_AST_CALL && s->parent->children[0] == s->ast ? s->parent
                                                                                       : NULL;
  if (call) leave_out_blanks(c, call);
  return true;
}

static bool convert_bare_op(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *head = s->ast;
  while (head->kind == RLX_AST_ATTRIBUTE) head = head->children[0];
  if (is_bound(c, head->name)) return false;
  const char *was = rlx_convert_text(c, s->ast->span),
             *now = strcmp(was, "nn.matmul") == 0 ? "R.matmul"
                                                  : rlx_arena_printf(c->arena, "R.%s", was);
  rlx_change_begin(c, s->id, s->span, was, now);
  rlx_change_edit(c, s->ast->span.start, s->ast->span.end, now);
  return true;
}

// ---- calls

static const RlxBinding *last_binding(const RlxConvert *c) {
  RlxBinding *const *list = NULL;
  uint32_t count = 0;
  rlx_file_stmt_bindings(c->file, c->stmt, &list, &count);
  return count ? list[count - 1] : NULL;
}

/// `n = T.int64()` before the statement for the variables that its pattern brought in.
static void declare_pattern(RlxConvert *c) {
  const RlxAnalysis *unit = c->stmt->analysis;
  const char *indent = rlx_convert_indent(c, c->stmt);
  for (uint32_t i = 0; unit && indent && i < unit->def_count; i++) {
    if (unit->defs[i].value.kind != RLX_VALUE_PRIM ||
        !rlx_stmt_matches_symbol(c->store, c->stmt, unit->defs[i].name, false))
      continue;
    rlx_change_edit(c, 0, 0,
                    rlx_arena_printf(c->arena, "%s = T.int64()\n%s",
                                     rlx_store_text(c->store, unit->defs[i].name), indent));
  }
}

/// The dimensions of a pattern, with what stands for `_` written out: what is known of the value
/// there, or a variable that is declared before the statement.
static const char *pattern_text(RlxConvert *c, const RlxAst *pattern, const RlxSInfo *cast) {
  const char *written = rlx_convert_text(c, pattern->span),
             *indent = rlx_convert_indent(c, c->stmt);
  if (!has_blank(c, pattern) || !cast->dims || cast->ndim != (int)pattern->child_count || !indent)
    return written;
  RlxBuf text = {0};
  rlx_buf_puts(&text, "(");
  for (uint32_t i = 0; i < pattern->child_count; i++) {
    const RlxSymVar *var = rlx_prim_as_var(cast->dims[i]);
    bool is_blank = is_name(c, pattern->children[i], "_");
    if (is_blank && var && *rlx_store_text(c->store, var->name) == '_')
      rlx_change_edit(c, 0, 0,
                      rlx_arena_printf(c->arena, "%s = T.int64()\n%s",
                                       rlx_store_text(c->store, var->name), indent));
    if (is_blank)
      rlx_prim_print(c->store, cast->dims[i], &text);
    else
      rlx_buf_puts(&text, rlx_convert_text(c, pattern->children[i]->span));
    rlx_buf_puts(&text, i + 1 < pattern->child_count ? ", " : i ? ")" : ",)");
  }
  const char *out = rlx_arena_strdup(c->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return out;
}

static bool convert_match_shape(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *call = s->ast, *value = positional(call, 0), *pattern = positional(call, 1);
  rlx_change_begin(c, s->id, s->span, "R.match_shape", "R.match_cast");
  const RlxBinding *binding = last_binding(c);
  if (!value || !pattern || !binding || binding->kind != RLX_BINDING_MATCH_CAST || !binding->cast)
    return true;
  if (is_list(value) && !is_list(pattern)) {
    const RlxAst *first = value;
    value = pattern;
    pattern = first;
  }
  if (!is_list(pattern)) return true;
  const RlxSInfo *cast = binding->cast;
  char dtype[RLX_DTYPE_TEXT_MAX];
  RlxBuf text = {0};
  const char *inner = pattern_text(c, pattern, cast),
             *bare = value->kind == RLX_AST_ATTRIBUTE
                         ? rlx_arena_printf(c->arena, "R.shape_of(%s)",
                                            rlx_convert_text(c, value->children[0]->span))
                         : rlx_convert_text(c, value->span);
  if (c->stmt->kind == RLX_STMT_EXPR) rlx_buf_puts(&text, "_ = ");
  rlx_buf_printf(&text, "R.match_cast(%s, ", bare);
  if (cast->kind == RLX_SINFO_TENSOR && rlx_dtype_known(cast->dtype))
    rlx_buf_printf(&text, "R.Tensor(%s, \"%s\"))", inner, rlx_dtype_text(cast->dtype, dtype));
  else if (cast->kind == RLX_SINFO_TENSOR)
    rlx_buf_printf(&text, "R.Tensor(%s))", inner);
  else
    rlx_buf_printf(&text, "R.Shape(%s))", inner);
  rlx_change_edit(c, call->span.start, call->span.end, rlx_buf_text(&text));
  rlx_buf_free(&text);
  if (c->from != RLX_DIALECT_TLC) declare_pattern(c);
  // A match_cast states its StructInfo itself: another annotation would contradict it.
  if (c->stmt->kind == RLX_STMT_ANNOTATED && binding->annotated && binding->annotated != cast)
    rlx_change_edit(c, c->stmt->targets[0]->span.end, c->stmt->annotation->span.end, "");
  return true;
}

static const char *tensor_text(RlxConvert *c, const RlxAst *shape, const RlxAst *dtype,
                               const char *otherwise) {
  const char *d = dtype ? dtype_text(c, dtype) : otherwise;
  return *d ? rlx_arena_printf(c->arena, "R.Tensor(%s, dtype=%s)", rlx_convert_text(c, shape->span),
                               d)
            : rlx_arena_printf(c->arena, "R.Tensor(%s)", rlx_convert_text(c, shape->span));
}

/// The output of a destination-passing call, or the list of them, in the words of today.
static const char *outputs_text(RlxConvert *c, const RlxAst *shape, const RlxAst *dtype,
                                const char *otherwise) {
  if (!is_list(shape) || !shape->child_count || !is_list(shape->children[0]))
    return tensor_text(c, shape, dtype, otherwise);
  RlxBuf text = {0};
  for (uint32_t i = 0; i < shape->child_count; i++) {
    const RlxAst *one =
        dtype && is_list(dtype) ? (i < dtype->child_count ? dtype->children[i] : NULL) : dtype;
    rlx_buf_printf(&text, "%s%s", i ? ", " : "[",
                   tensor_text(c, shape->children[i], one, otherwise));
  }
  rlx_buf_puts(&text, "]");
  const char *out = rlx_arena_strdup(c->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return out;
}

/// The function of a call, as another call names it; an external one by its name.
static const char *callee_name(const RlxAst *f) {
  return f->kind == RLX_AST_STRING ? "R.call_dps_packed" : "R.call_tir";
}

static const char *tuple_text(RlxConvert *c, const RlxAst *args) {
  const char *text = rlx_convert_text(c, args->span);
  if (args->kind != RLX_AST_LIST) return text;
  const char *inner = rlx_arena_strndup(c->arena, text + 1, strlen(text) - 2);
  size_t size = strlen(inner);
  while (size && strchr(" \t\r\n", inner[size - 1])) size--;
  const bool has_comma = size && inner[size - 1] == ',';
  return rlx_arena_printf(c->arena, "(%s%s)", inner,
                          args->child_count == 1 && !has_comma ? "," : "");
}

static bool convert_call_tir(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *call = s->ast, *f = positional(call, 0), *shape = positional(call, 2),
               *dtype = keyword(c, call, "dtype");
  if (!f || !shape || !dtype) return true;
  rlx_change_begin(c, s->id, s->span, "dtype=", "R.Tensor(…)");
  if (f->kind == RLX_AST_STRING)
    rlx_change_edit(c, call->children[0]->span.start, call->children[0]->span.end, callee_name(f));
  bool is_last = call->children[call->child_count - 1] == dtype &&
                 call->children[call->child_count - 2] == shape;
  const char *now = outputs_text(c, shape, dtype->children[0], "");
  rlx_change_edit(c, shape->span.start, is_last ? dtype->span.end : shape->span.end, now);
  if (!is_last) drop_argument(c, call, dtype, false);
  return true;
}

static bool convert_shape_first(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *call = s->ast, *shape = positional(call, 0), *f = positional(call, 1),
               *args = positional(call, 2);
  rlx_change_begin(c, s->id, s->span, "R.call_tir(shape, …)", "R.call_tir(f, …)");
  RlxBinding *const *list = NULL;
  uint32_t count = 0;
  const char *dtype = "";
  char known[RLX_DTYPE_TEXT_MAX];
  rlx_file_stmt_bindings(c->file, c->stmt, &list, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxExpr *x = list[i]->value;
    if (x->kind == RLX_EXPR_CALL && x->sinfo->kind == RLX_SINFO_TENSOR &&
        x->call->span.start == call->span.start && rlx_dtype_known(x->sinfo->dtype))
      dtype = rlx_arena_printf(c->arena, "\"%s\"", rlx_dtype_text(x->sinfo->dtype, known));
  }
  const char *text =
      rlx_arena_printf(c->arena, "%s(%s, %s, %s)", callee_name(f), rlx_convert_text(c, f->span),
                       tuple_text(c, args), outputs_text(c, shape, NULL, dtype));
  rlx_change_edit(c, call->span.start, call->span.end, text);
  return true;
}

static bool convert_shape_value(RlxConvert *c, const RlxSpelled *s) {
  bool has_parens = *at_text(c, s->ast->span.start) == '(';
  rlx_change_begin(c, s->id, s->span, "(…)", "R.shape([…])");
  rlx_change_edit(c, s->ast->span.start, s->ast->span.start + has_parens, "R.shape([");
  rlx_change_edit(c, s->ast->span.end - has_parens, s->ast->span.end, "])");
  return true;
}

static bool convert_tuple_value(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *list = s->ast->children[1];
  rlx_change_begin(
      c, s->id, s->span,
      rlx_arena_printf(c->arena, "%s((…))", rlx_convert_text(c, s->ast->children[0]->span)),
      "R.tuple(…)");
  rlx_change_edit(c, s->ast->children[0]->span.start, s->ast->children[0]->span.end, "R.tuple");
  if (strchr("([", *at_text(c, list->span.start))) {
    rlx_change_edit(c, list->span.start, list->span.start + 1, "");
    rlx_change_edit(c, list->span.end - 1, list->span.end, "");
  }
  return true;
}

static bool convert_prim_value(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *value = keyword(c, s->ast, "value");
  bool is_number = value->children[0]->kind == RLX_AST_INT;
  rlx_change_begin(c, s->id, s->span, "R.Prim(value=…)", is_number ? "R.Prim(\"int64\")" : NULL);
  if (!is_number) return true; // the variable would have no value any more
  if (s->ast->child_count > 2)
    drop_argument(c, s->ast, value, false);
  else
    rlx_change_edit(c, value->span.start, value->span.end, "\"int64\"");
  return true;
}

// ---- symbolic variables, TensorIR

/// `n = call`, `n, m = call, …`
static bool names_symbol(const RlxStmt *stmt, const RlxAst *call) {
  const RlxAst *value = stmt->kind == RLX_STMT_ASSIGN ? stmt->value : NULL;
  bool is_item = false;
  for (uint32_t i = 0; value && is_list(value) && i < value->child_count; i++)
    is_item |= value->children[i] == call;
  return value &&
         (value == call || (is_item && stmt->target_count == 1 && is_list(stmt->targets[0]) &&
                            stmt->targets[0]->child_count == value->child_count));
}

static bool convert_var(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *call = s->ast, *callee = call->children[0];
  const char *which = rlx_store_text(c->store, callee->name);
  const bool old = strcmp(which, "var") == 0;
  // A PrimFunc's own variables are made so in 0.27, too.
  if (c->to == RLX_DIALECT_027 && c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC &&
      (old || (strcmp(which, "Var") == 0 && !keyword(c, call, "dtype"))))
    return true;
  const RlxAst *dtype =
      positional(call, old ? 0 : 1) ? positional(call, old ? 0 : 1) : keyword(c, call, "dtype");
  if (dtype && dtype->kind == RLX_AST_KEYWORD) dtype = dtype->children[0];
  const char *name = dtype && dtype->kind == RLX_AST_STRING ? dtype->text : "int64";
  rlx_change_begin(c, s->id, s->span, rlx_convert_text(c, call->span),
                   rlx_arena_printf(c->arena, "T.%s()", name));
  if (names_symbol(c->stmt, call))
    rlx_change_edit(c, call->span.start, call->span.end,
                    rlx_arena_printf(c->arena, "T.%s()", name));
  return true;
}

static bool convert_pointer(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *item = s->ast->children[1];
  const RlxAst *first = item->kind == RLX_AST_TUPLE && item->child_count ? item->children[0] : item;
  if (first->kind != RLX_AST_ATTRIBUTE) return true;
  const RlxAst *scope = item->kind == RLX_AST_TUPLE && item->child_count > 1 ? item->children[1]
                        : s->ast->child_count > 2                            ? s->ast->children[2]
                                                                             : NULL;
  const char *now =
      rlx_arena_printf(c->arena, "T.handle(\"%s\"%s%s)", rlx_store_text(c->store, first->name),
                       scope ? ", " : "", scope ? rlx_convert_text(c, scope->span) : "");
  rlx_change_begin(c, s->id, s->span, rlx_convert_text(c, s->ast->span), now);
  rlx_change_edit(c, s->ast->span.start, s->ast->span.end, now);
  return true;
}

/// Text inside a string literal: `old` at its beginning becomes `now`.
static void convert_string(RlxConvert *c, const RlxSpelled *s, const char *old, const char *now) {
  const RlxAst *ast = s->ast;
  uint32_t start = find_byte(c, ast->span.start, ast->span.end, *old, ast->span.end);
  if (start + strlen(old) > ast->span.end || strncmp(at_text(c, start), old, strlen(old)) != 0)
    return;
  rlx_change_begin(c, s->id, s->span, rlx_convert_text(c, ast->span),
                   rlx_arena_printf(c->arena, "\"%s%s\"", now, ast->text + strlen(old)));
  rlx_change_edit(c, start, start + (uint32_t)strlen(old), now);
}

static bool convert_return(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *value = positional(s->ast, 0), *whole = c->stmt->value;
  rlx_change_begin(c, s->id, s->span, "T.ret(…)", "return …");
  bool is_evaluated = whole && whole->kind == RLX_AST_CALL && whole->child_count == 2 &&
                      whole->children[1] == s->ast;
  if (!value || c->stmt->kind != RLX_STMT_EXPR || (whole != s->ast && !is_evaluated)) return true;
  rlx_change_edit(c, whole->span.start, value->span.start, "return ");
  rlx_change_edit(c, value->span.end, whole->span.end, "");
  return true;
}

static bool convert_import(RlxConvert *c, const RlxSpelled *s) {
  const char *old = s->form == RLX_DIALECT_025 ? "tirx" : "tir",
             *now = s->form == RLX_DIALECT_025 ? "tir" : "tirx";
  const char *text = rlx_convert_text(c, s->span), package[] = "tvm.script.";
  if (strncmp(text, package, sizeof package - 1) == 0) { // its uses are left
    rlx_change_begin(c, s->id, s->span, text,
                     rlx_arena_printf(c->arena, "%s%s%s", package, now,
                                      text + sizeof package - 1 + strlen(old)));
    return true;
  }
  if (strncmp(text, old, strlen(old)) != 0) return true;
  rlx_change_begin(c, s->id, s->span, text,
                   rlx_arena_printf(c->arena, "%s%s", now, text + strlen(old)));
  bool has_alias = strstr(text, " as ") != NULL;
  rlx_change_edit(c, s->span.start, s->span.start + (uint32_t)strlen(old),
                  has_alias ? now : rlx_arena_printf(c->arena, "%s as %s", now, old));
  return true;
}

static bool convert_parser_import(RlxConvert *c, const RlxSpelled *s) {
  const char *module = "tvm.script._parser",
             *head = rlx_convert_text(c, rlx_span(0, s->span.start)), *at = strstr(head, module);
  if (!at || strchr(head, ',')) return true; // once a statement
  uint32_t start = (uint32_t)(at - head);
  rlx_change_begin(c, s->id, s->span, module, "tvm.script");
  rlx_change_edit(c, start, start + (uint32_t)strlen(module), "tvm.script");
  return true;
}

/// The statement goes away, and its line where it stands alone on it.
static bool convert_type_var(RlxConvert *c, const RlxSpelled *s) {
  const RlxEdit removal = rlx_removal(c->text, c->stmt);
  rlx_change_begin(c, s->id, s->span, "TypeVar", "\"n\"");
  rlx_change_edit(c, removal.span.start - c->stmt->start, removal.span.end - c->stmt->start,
                  removal.text);
  return true;
}

static bool convert_type_params(RlxConvert *c, const RlxSpelled *s) {
  uint32_t open = find_byte(c, s->span.end, c->stmt->head_size, '[', s->span.end),
           close = find_byte(c, open, c->stmt->head_size, ']', open);
  rlx_change_begin(c, s->id, s->span, "def f[n]", "def f");
  if (close > open) rlx_change_edit(c, open, close + 1, "");
  return true;
}

static bool drop_keyword(RlxConvert *c, const RlxSpelled *s, const char *was, const char *now,
                         bool drops_parens) {
  rlx_change_begin(c, s->id, s->span, was, now);
  drop_argument(c, s->parent, s->ast, drops_parens);
  return true;
}

static void replace(RlxConvert *c, const RlxSpelled *s, const char *now) {
  rlx_change_begin(c, s->id, s->span, rlx_convert_text(c, s->ast->span), now);
  rlx_change_edit(c, s->ast->span.start, s->ast->span.end, now);
}

/// One of the places in a function where a name is read, in the order of the text.
typedef struct NameUse NameUse;
struct NameUse {
  const RlxStmt *stmt;
  const RlxAst *name; ///< or the `T.Buffer` of a view over it
  bool is_view;
  NameUse *next, *last; ///< last: of the first one
};

static void note_use(RlxConvert *c, RlxName name, NameUse use) {
  NameUse *made = rlx_arena_one(c->arena, NameUse);
  uint64_t first;
  *made = use;
  if (rlx_map_get(&c->name_uses, name, &first)) {
    NameUse *head = (NameUse *)(uintptr_t)first;
    head->last = head->last->next = made;
  } else {
    made->last = made;
    rlx_map_put(&c->name_uses, name, (uint64_t)(uintptr_t)made);
  }
}

static void note_names(RlxConvert *c, const RlxStmt *stmt, const RlxAst *ast) {
  if (!ast) return;
  if (ast->kind == RLX_AST_NAME) note_use(c, ast->name, (NameUse){.stmt = stmt, .name = ast});
  for (uint32_t i = 0; i < ast->child_count; i++) note_names(c, stmt, ast->children[i]);
}

/// `B = T.Buffer(…, data=name)` in a body declares B there; since 0.24 only T.decl_buffer does.
static void note_view(RlxConvert *c, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_ASSIGN ? stmt->value : NULL;
  const RlxAst *head = call && call->kind == RLX_AST_CALL ? call->children[0] : NULL;
  const RlxAst *data = head ? keyword(c, call, "data") : NULL;
  if (!data || data->children[0]->kind != RLX_AST_NAME) return;
  if (head->kind != RLX_AST_ATTRIBUTE || strcmp(rlx_store_text(c->store, head->name), "Buffer"))
    return;
  note_use(c, data->children[0]->name, (NameUse){.stmt = stmt, .name = head, .is_view = true});
}

static void note_block(RlxConvert *c, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    note_view(c, stmt);
    note_names(c, stmt, stmt->value);
    for (uint32_t k = 0; k < stmt->target_count; k++)
      if (stmt->targets[k]->kind != RLX_AST_NAME) note_names(c, stmt, stmt->targets[k]);
    for (uint32_t k = 0; k < stmt->item_count; k++) note_names(c, stmt, stmt->items[k].value);
    note_block(c, stmt->body);
    note_block(c, stmt->orelse);
  }
}

/// `.data` behind every use of `name` but in `from`; views over it are declared.
static void use_data(RlxConvert *c, const RlxStmt *from, RlxName name) {
  if (c->uses_of != c->fn) { // a function may have thousands of them: it is walked over once
    rlx_map_clear(&c->name_uses);
    note_block(c, c->fn->stmt->body);
    c->uses_of = c->fn;
  }
  uint64_t first;
  if (!rlx_map_get(&c->name_uses, name, &first)) return;
  for (const NameUse *use = (NameUse *)(uintptr_t)first; use; use = use->next) {
    if (use->stmt == from) continue;
    const RlxSpan at = use->is_view ? use->name->name_span : use->name->span;
    c->stmt = use->stmt;
    rlx_change_edit(c, use->is_view ? at.start : at.end, at.end,
                    use->is_view ? "decl_buffer" : ".data");
  }
  c->stmt = from;
}

bool rlx_convert_allocate(RlxConvert *c, const RlxSpelled *s) {
  const RlxAst *call = s->parent,
               *scope = call && call->kind == RLX_AST_CALL && call->children[0] == s->ast
                            ? positional(call, 2)
                            : NULL;
  bool is_assigned = call && c->stmt->kind == RLX_STMT_ASSIGN && c->stmt->value == call &&
                     c->stmt->target_count == 1 && c->stmt->targets[0]->kind == RLX_AST_NAME;
  if (!is_assigned || !c->fn || c->to == RLX_DIALECT_TLC || positional(call, 3) ||
      keyword(c, call, "condition") || keyword(c, call, "annotations") ||
      keyword(c, call, "extents"))
    return false;
  rlx_change_begin(c, s->id, s->span, "T.allocate", "T.alloc_buffer");
  rlx_change_edit(c, s->ast->name_span.start, s->ast->name_span.end, "alloc_buffer");
  if (scope) rlx_change_edit(c, scope->span.start, scope->span.start, "scope=");
  use_data(c, c->stmt, c->stmt->targets[0]->name);
  return true;
}

/// `n: T.int64 = 3`: up to 0.25 the number says itself that it is a scalar.
static void convert_scalar(RlxConvert *c, const RlxAst *annotation) {
  const RlxAst *value = c->stmt->kind == RLX_STMT_ANNOTATED && c->stmt->annotation == annotation
                            ? c->stmt->value
                            : NULL;
  bool is_bare = value && (value->kind == RLX_AST_INT || value->kind == RLX_AST_FLOAT ||
                           value->kind == RLX_AST_TRUE || value->kind == RLX_AST_FALSE ||
                           value->kind == RLX_AST_UNARY || value->kind == RLX_AST_BINARY ||
                           value->kind == RLX_AST_COMPARE || value->kind == RLX_AST_BOOL_OP);
  if (!is_bare) return;
  rlx_change_edit(c, value->span.start, value->span.start, "R.prim_value(");
  rlx_change_edit(c, value->span.end, value->span.end, ")");
}

static bool convert_tensor(RlxConvert *c, const RlxSpelled *s) {
  return s->form == RLX_DIALECT_TLC && convert_subscript(c, s->ast);
}

static bool convert_dtype(RlxConvert *c, const RlxSpelled *s) {
  convert_string(c, s, s->ast->text, long_dtype(s->ast->text));
  return true;
}

/// `"e4m3_float8"`, `T.e4m3_float8x4`
static bool convert_float8(RlxConvert *c, const RlxSpelled *s) {
  const bool is_string = s->ast->kind == RLX_AST_STRING;
  const char *text = is_string ? s->ast->text : rlx_store_text(c->store, s->ast->name);
  const bool is_e5m2 = text[1] == '5';
  const char *now = is_e5m2 ? "float8_e5m2" : "float8_e4m3fn";
  if (is_string) {
    convert_string(c, s, is_e5m2 ? "e5m2_float8" : "e4m3_float8", now);
    return true;
  }
  now = rlx_arena_printf(c->arena, "%s%s", now, text + strlen("e4m3_float8"));
  rlx_change_begin(c, s->id, s->span, text, now);
  rlx_change_edit(c, s->span.start, s->span.end, now);
  return true;
}

/// The name of R that a class of the package stands for: "R.shape" for `relax.ShapeExpr`; false: R has it by its own name.
static bool convert_package_class(RlxConvert *c, const RlxSpelled *s) {
  char path[128];
  RlxBuf in_package = {0}, canonical = {0};
  bool is_other = false;
  if (rlx_spelling_path(c->store, s->ast, path, sizeof path, NULL)) {
    rlx_buf_printf(&in_package, "relax%s", path + 1);
    is_other = rlx_names_canonical(rlx_buf_text(&in_package), &canonical) &&
               strncmp(rlx_buf_text(&canonical), "R.", 2) == 0 &&
               strcmp(rlx_buf_text(&canonical), path) != 0;
    if (is_other) replace(c, s, rlx_arena_printf(c->arena, "%s", rlx_buf_text(&canonical)));
  }
  rlx_buf_free(&in_package);
  rlx_buf_free(&canonical);
  return is_other;
}

static bool convert_root(RlxConvert *c, const RlxSpelled *s) {
  if (convert_package_class(c, s)) return true;
  const RlxAst *head = s->ast, *first = head; // `relax`, `relax.op` in front of the operator
  for (; head->kind == RLX_AST_ATTRIBUTE; head = head->children[0]) first = head;
  bool has_op = first != s->ast && strcmp(rlx_store_text(c->store, first->name), "op") == 0;
  rlx_change_begin(c, s->id, s->span, rlx_convert_text(c, head->span), "R");
  rlx_change_edit(c, head->span.start, has_op ? first->span.end : head->span.end, "R");
  return true;
}

static bool convert_void_dtype(RlxConvert *c, const RlxSpelled *s) {
  replace(c, s, "None");
  return true;
}

static bool convert_module(RlxConvert *c, const RlxSpelled *s) {
  replace(c, s, "I.ir_module");
  return true;
}

static bool convert_call_tir_name(RlxConvert *c, const RlxSpelled *s) {
  rlx_change_begin(c, s->id, s->span, "R.call_tir(\"…\")", "R.call_dps_packed");
  rlx_change_edit(c, s->span.start, s->span.end, "R.call_dps_packed");
  return true;
}

static bool convert_shape_of(RlxConvert *c, const RlxSpelled *s) {
  rlx_change_begin(c, s->id, s->span, "x.shape", "R.shape_of(x)");
  rlx_change_edit(c, s->ast->span.start, s->ast->span.start, "R.shape_of(");
  rlx_change_edit(c, s->ast->children[0]->span.end, s->ast->span.end, ")");
  return true;
}

static bool convert_prim_dtype(RlxConvert *c, const RlxSpelled *s) {
  replace(c, s,
          rlx_arena_printf(c->arena, "R.Prim(\"%s\")", rlx_store_text(c->store, s->ast->name)));
  convert_scalar(c, s->ast);
  return true;
}

static bool convert_metadata(RlxConvert *c, const RlxSpelled *s) {
  const char *key = c->to == RLX_DIALECT_027 ? "ir.GenericConst" : "relax.expr.Constant";
  if (s->form == RLX_DIALECT_TLC) // meta[relay.Constant]
    replace(c, s, rlx_arena_printf(c->arena, "metadata[\"%s\"]", key));
  else
    convert_string(c, s, s->ast->text, key);
  return true;
}

static bool convert_size_var(RlxConvert *c, const RlxSpelled *s) {
  return drop_keyword(c, s, "is_size_var=", "T.int64()", false);
}

static bool convert_s_tir(RlxConvert *c, const RlxSpelled *s) {
  return drop_keyword(c, s, "s_tir=", "@T.prim_func", true);
}

static bool convert_rank(RlxConvert *c, const RlxSpelled *s) {
  return drop_keyword(c, s, "ndim=", "R.Tensor((…))", false);
}

static bool convert_attr_key(RlxConvert *c, const RlxSpelled *s) {
  bool is_025 = s->form == RLX_DIALECT_025;
  convert_string(c, s, is_025 ? "tirx." : "tir.", is_025 ? "tir." : "tirx.");
  return true;
}

static bool convert_type_of(RlxConvert *c, const RlxSpelled *s) {
  rlx_change_begin(c, s->id, s->span, rlx_convert_text(c, s->span), "dtype");
  rlx_change_edit(c, s->span.start, s->span.end, "dtype");
  return true;
}

/// How the spelling becomes the other dialect's; false: it is not known. The spellings that have no
/// row are converted with their function, or not at all: a script with the domains of
/// RLX_SPELLING_BLOCK_DOMAINS is a tutorial, whose variables would move below.
static bool (*const converters[RLX_SPELLING_COUNT])(RlxConvert *c, const RlxSpelled *s) = {
    [RLX_SPELLING_TENSOR] = convert_tensor,
    [RLX_SPELLING_BARE_WORD] = convert_bare_word,
    [RLX_SPELLING_BARE_OP] = convert_bare_op,
    [RLX_SPELLING_DTYPE] = convert_dtype,
    [RLX_SPELLING_FLOAT8] = convert_float8,
    [RLX_SPELLING_ROOT] = convert_root,
    [RLX_SPELLING_VOID_DTYPE] = convert_void_dtype,
    [RLX_SPELLING_MODULE] = convert_module,
    [RLX_SPELLING_MATCH_SHAPE] = convert_match_shape,
    [RLX_SPELLING_CALL_TIR] = convert_call_tir,
    [RLX_SPELLING_CALL_TIR_NAME] = convert_call_tir_name,
    [RLX_SPELLING_SHAPE_FIRST] = convert_shape_first,
    [RLX_SPELLING_SHAPE_VALUE] = convert_shape_value,
    [RLX_SPELLING_TUPLE_VALUE] = convert_tuple_value,
    [RLX_SPELLING_RANK] = convert_rank,
    [RLX_SPELLING_SHAPE_OF] = convert_shape_of,
    [RLX_SPELLING_PRIM_VALUE] = convert_prim_value,
    [RLX_SPELLING_PRIM_DTYPE] = convert_prim_dtype,
    [RLX_SPELLING_METADATA] = convert_metadata,
    [RLX_SPELLING_TYPE_VAR] = convert_type_var,
    [RLX_SPELLING_TYPE_PARAM] = convert_type_params,
    [RLX_SPELLING_VAR] = convert_var,
    [RLX_SPELLING_SIZE_VAR] = convert_size_var,
    [RLX_SPELLING_S_TIR] = convert_s_tir,
    [RLX_SPELLING_IMPORT] = convert_import,
    [RLX_SPELLING_PARSER_IMPORT] = convert_parser_import,
    [RLX_SPELLING_POINTER] = convert_pointer,
    [RLX_SPELLING_ATTR_KEY] = convert_attr_key,
    [RLX_SPELLING_TYPE_OF] = convert_type_of,
    [RLX_SPELLING_RETURN] = convert_return,
};

bool rlx_convert_form(RlxConvert *c, const RlxSpelled *s) {
  return converters[s->id] && converters[s->id](c, s);
}
