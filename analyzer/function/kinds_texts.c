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
#include "analyzer/words/script_names.h"

enum { DEPTH_MOST = 50 };

/// Whether Python leaves the annotation to TVM's parser: it does not run the file, or keeps annotations as strings.
static bool reads_texts(Kinds *k) {
  return k->in_signature && (k->dialects & IN_027) &&
         (!rlx_kind_has_imports(k) || k->fn->file->has_string_annotations);
}

/// The dtype that a parameter of that name says, `n: T.int64`.
static RlxDType dtype_of_param(Kinds *k, RlxName name, bool *is_param) {
  const RlxStmt *def = k->fn->stmt;
  for (uint32_t i = rlx_map_count(&k->param_of) ? def->param_count : 0; i < def->param_count; i++)
    rlx_map_put(&k->param_of, def->params[i].name, i);
  uint64_t at;
  RlxDType dtype = RLX_INT32;
  if (!rlx_map_get(&k->param_of, name, &at)) return dtype;
  *is_param = rlx_script_annotation_dtype(k->store, def->params[at].annotation, &dtype);
  return dtype;
}

/// What the name in a string stands for: a new variable where nothing has it.
static Kind declare(Kinds *k, RlxName name) {
  Kind found;
  bool is_param = false;
  const RlxDType dtype = dtype_of_param(k, name, &is_param);
  RlxValue value;
  const bool is_bound = rlx_kind_lookup(k, name, &found) &&
                        (!rlx_names_is_builtin(rlx_store_text(k->store, name)) ||
                         rlx_outer_lookup(k->fn->file, k->fn->stmt, name, &value));
  if (is_bound && (found.is_of_text || !is_param)) return found;
  Kind var = rlx_kind_expr(dtype);
  var.is_var = var.is_of_text = true;
  rlx_kind_define(k, name, var);
  return var;
}

static void declare_names(Kinds *k, const RlxAst *ast, int depth) {
  if (depth > DEPTH_MOST) return;
  if (ast->kind == RLX_AST_NAME) declare(k, ast->name);
  for (uint32_t i = 0; i < ast->child_count; i++) declare_names(k, ast->children[i], depth + 1);
}

/// Reads all strings of a shape, and declares the names in them.
static void read_texts(Kinds *k, const RlxAst *ast, int depth) {
  if (depth > DEPTH_MOST) return;
  if (ast->kind == RLX_AST_STRING && reads_texts(k)) {
    KindText text = {.string = ast, .kind = rlx_kind_of(KIND_UNKNOWN)};
    if (rlx_text_is_name(ast->text, ast->text_size))
      text.kind = declare(k, rlx_store_intern(k->store, ast->text, ast->text_size));
    else
      text.value = rlx_document_of_expression(k->store, ast->text, ast->text_size, &text.document);
    if (text.value) declare_names(k, text.value, 0);
    rlx_vec_push(&k->texts, text);
    rlx_map_put_ptr(&k->text_of, ast, (void *)(uintptr_t)k->texts.count);
  }
  for (uint32_t i = 0; i < ast->child_count; i++) read_texts(k, ast->children[i], depth + 1);
}

void rlx_kind_read_texts(Kinds *k, const RlxAst *annotation) {
  const RlxAst *callee = annotation->kind == RLX_AST_CALL ? annotation->children[0] : NULL;
  const bool is_buffer = callee && callee->kind == RLX_AST_ATTRIBUTE &&
                         strcmp(rlx_store_text(k->store, callee->name), "Buffer") == 0;
  uint32_t from = k->texts.count;
  for (uint32_t i = 1; is_buffer && i < annotation->child_count; i++) {
    const RlxAst *arg = annotation->children[i];
    const bool is_keyword = arg->kind == RLX_AST_KEYWORD;
    if (is_keyword ? strcmp(rlx_store_text(k->store, arg->name), "shape") == 0 : i == 1)
      read_texts(k, arg, 0);
  }
  for (; from < k->texts.count; from++) {
    const KindText *text = &k->texts.at[from];
    k->in_text = text->string;
    if (text->value) {
      const Kind kind = rlx_kind_eval(k, text->value);
      k->texts.at[from].kind = kind;
    } else if (!rlx_text_is_name(text->string->text, text->string->text_size)) {
      rlx_kind_refuse_text(k, IN_BOTH, text->string->span,
                           "a string that is no expression, expected a dimension");
    }
    k->in_text = NULL;
  }
}

void rlx_kind_texts_end(Kinds *k) {
  for (uint32_t i = 0; i < k->texts.count; i++)
    if (k->texts.at[i].document) rlx_document_free(k->texts.at[i].document);
  rlx_vec_free(&k->texts);
  rlx_map_free(&k->text_of);
  rlx_map_free(&k->param_of);
}
