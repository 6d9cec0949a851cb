/// Dimensions of a signature that are written as strings: `B: T.Buffer(("n * 2",), "int8")`, as 0.27 prints what
/// no name stands for. Its parser reads such a string as the expression in it, and gives each name in it that
/// nothing binds a variable: of the dtype of the parameter of that name, else of int32
/// (tvm/tirx/script/parser/parser.py, _eval_signature_annotation).
///
/// Where Python runs the file it evaluates the annotation itself, and T.Buffer takes no strings.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds_args.h"
#include "analyzer/syntax/document.h"
#include "analyzer/words/names.h"

enum { DEPTH_MOST = 50 };

/// Whether `from __future__ import annotations` keeps Python from evaluating annotations.
static bool has_late_annotations(Kinds *k) {
  RlxValue value;
  RlxName name = rlx_intern_text(rlx_store_names(k->store), "annotations");
  rlx_vec_push(&k->fn->outer_reads, name);
  return rlx_outer_lookup(k->fn->file, k->fn->stmt, name, &value) &&
         value.kind == RLX_VALUE_NAMESPACE &&
         strcmp(rlx_store_text(k->store, value.string), "__future__.annotations") == 0;
}

static bool reads_texts(Kinds *k) {
  return k->in_signature && (k->dialects & IN_027) &&
         (!rlx_kind_has_imports(k) || has_late_annotations(k));
}

/// The expression in the string; NULL: it is none.
static const RlxAst *expression_in(Kinds *k, const RlxAst *string) {
  for (uint32_t i = 0; i < k->texts.count; i++)
    if (k->texts.at[i].string == string) return k->texts.at[i].value;
  KindText text = {.string = string};
  text.value =
      rlx_document_of_expression(k->store, string->text, string->text_size, &text.document);
  rlx_vec_push(&k->texts, text);
  return text.value;
}

void rlx_kind_check_declared(Kinds *k, const RlxAst *ast, Kind before, Kind value) {
  if (value.tag == KIND_UNKNOWN ||
      (kind_is_expr(value) && rlx_dtype_equal(before.dtype, value.dtype)))
    return;
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_kind_refuse_text(
      k, IN_BOTH, ast->span,
      rlx_arena_printf(k->arena,
                       "%s, but a string of the signature makes the name a variable of %s",
                       rlx_kind_text(k, value), rlx_dtype_text(before.dtype, dtype)));
}

void rlx_kind_texts_end(Kinds *k) {
  for (uint32_t i = 0; i < k->texts.count; i++)
    if (k->texts.at[i].document) rlx_document_free(k->texts.at[i].document);
  rlx_vec_free(&k->texts);
}

/// The dtype that a parameter of that name says, `n: T.int64`.
static RlxDType dtype_of_param(const Kinds *k, RlxName name, bool *is_param) {
  const RlxStmt *def = k->fn->stmt;
  RlxDType dtype = RLX_INT32;
  for (uint32_t i = 0; i < def->param_count; i++) {
    const RlxAst *type = def->params[i].annotation;
    if (def->params[i].name != name || !type || type->kind != RLX_AST_ATTRIBUTE) continue;
    const char *text = rlx_store_text(k->store, type->name);
    *is_param = rlx_dtype_parse(text, strlen(text), &dtype);
  }
  return dtype;
}

static void declare_names(Kinds *k, const RlxAst *ast, int depth) {
  if (depth > DEPTH_MOST) return;
  if (ast->kind == RLX_AST_NAME) {
    Kind found;
    bool is_param = false;
    const RlxDType dtype = dtype_of_param(k, ast->name, &is_param);
    const char *text = rlx_store_text(k->store, ast->name);
    RlxValue value;
    const bool is_bound = rlx_kind_lookup(k, ast->name, &found) &&
                          (!rlx_names_is_builtin(text) ||
                           rlx_outer_lookup(k->fn->file, k->fn->stmt, ast->name, &value));
    if (is_bound && !is_param) return;
    Kind var = rlx_kind_expr(dtype);
    var.is_var = var.is_of_text = true;
    rlx_kind_define(k, ast->name, var);
  }
  for (uint32_t i = 0; i < ast->child_count; i++) declare_names(k, ast->children[i], depth + 1);
}

/// Declares the names in all strings of a shape.
static void declare_texts(Kinds *k, const RlxAst *ast, int depth) {
  if (depth > DEPTH_MOST) return;
  if (ast->kind == RLX_AST_STRING && reads_texts(k)) {
    const RlxAst *value = expression_in(k, ast);
    if (value) declare_names(k, value, 0);
  }
  for (uint32_t i = 0; i < ast->child_count; i++) declare_texts(k, ast->children[i], depth + 1);
}

void rlx_kind_declare_texts(Kinds *k, const RlxAst *annotation) {
  const RlxAst *callee = annotation->kind == RLX_AST_CALL ? annotation->children[0] : NULL;
  const bool is_buffer = callee && callee->kind == RLX_AST_ATTRIBUTE &&
                         strcmp(rlx_store_text(k->store, callee->name), "Buffer") == 0;
  if (!is_buffer) return;
  for (uint32_t i = 1; i < annotation->child_count; i++) {
    const RlxAst *arg = annotation->children[i];
    const bool is_keyword = arg->kind == RLX_AST_KEYWORD;
    if (is_keyword ? strcmp(rlx_store_text(k->store, arg->name), "shape") == 0 : i == 1)
      declare_texts(k, arg, 0);
  }
}

Kind rlx_kind_of_texts(Kinds *k, const RlxAst *ast, Kind shape) {
  if (shape.tag == KIND_STR && ast->kind == RLX_AST_STRING && reads_texts(k)) {
    const RlxAst *value = expression_in(k, ast);
    if (!value) {
      rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                           "a string that is no expression, expected a dimension");
      return rlx_kind_of(KIND_UNKNOWN);
    }
    const RlxAst *around = k->in_text;
    k->in_text = ast;
    shape = rlx_kind_eval(k, value);
    k->in_text = around;
    return shape;
  }
  const bool is_written = (ast->kind == RLX_AST_LIST || ast->kind == RLX_AST_TUPLE) &&
                          kind_is_list(shape) && ast->child_count == shape.count;
  if (!is_written) return shape;
  Kind *items = rlx_arena_array(k->arena, Kind, shape.count + 1);
  for (uint32_t i = 0; i < shape.count; i++)
    items[i] = shape.items[i].tag == KIND_STR
                   ? rlx_kind_of_texts(k, ast->children[i], shape.items[i])
                   : shape.items[i];
  shape.items = items;
  return shape;
}
