/// Functions of numpy that are several of Relax's: formulas.def has each as one would type it at the prompt.
///
/// Always true: an argument is evaluated once, however often the formula names it.
#include <stdio.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "base/text.h"
#include "repl/sugar_impl.h"
#include "repl/tables.h"

enum { PARAMS_MAX = 8 };

typedef struct Param {
  const char *name;
  int size; ///< of the name
  char
      kind; ///< '#' a number, '~' None, '\'' a text, ':' what it takes as it is typed, '|' a tensor, '&' a tuple of tensors, 0 anything
  char rank;             ///< of these tensors: '1', 'm' for 2, or '2' for 2 or more
  bool by_name;          ///< by that alone
  const char *otherwise; ///< what it is when it is not given; NULL: it has to be
  int otherwise_size;
  const char *text; ///< that the parameter takes, `text_size` bytes, behind its `'`
  int text_size;
  const RlxAst *given; ///< or NULL
} Param;

typedef struct Params {
  Param at[PARAMS_MAX];
  int count;
} Params;

/// The parameters of a row.
static void read_params(const char *text, Params *out) {
  bool by_name = false;
  for (const char *p = text; *p; p += strspn(p, " ")) {
    const char *word = p, *end = p + strcspn(p, " ");
    p = end;
    if (*word == '*') {
      by_name = true;
      continue;
    }
    Param *param = &out->at[out->count++];
    *param = (Param){.name = word, .size = (int)strcspn(word, "=#~|&': "), .by_name = by_name};
    const char *behind = word + param->size;
    if (behind < end && *behind != '=') param->kind = *behind++;
    if (param->kind == '|' || param->kind == '&') param->rank = *behind++;
    if (param->kind == '\'') {
      param->text = behind;
      param->text_size = (int)strcspn(behind, "= ");
      behind += param->text_size;
    }
    if (behind >= end || *behind != '=') continue;
    param->otherwise = behind + 1;
    param->otherwise_size = (int)(end - param->otherwise);
  }
}

static Param *param_named(Params *params, const char *name) {
  for (int i = 0; i < params->count; i++)
    if ((int)strlen(name) == params->at[i].size &&
        !strncmp(params->at[i].name, name, (size_t)params->at[i].size))
      return &params->at[i];
  return NULL;
}

/// Whether it is a tuple, or a list whose elements stand for themselves.
static bool is_several(const RlxAst *x) {
  return x->kind == RLX_AST_TUPLE || x->kind == RLX_AST_LIST;
}

/// How many dimensions a tensor or a list of numbers has; -1: it is none of these, or that is not known.
static int rank_of(RlxSugarWriter *w, const RlxAst *x) {
  int rank = 0;
  if (rlx_repl_is_number_list(w->repl, x)) {
    for (; x->kind == RLX_AST_LIST; x = x->children[0]) {
      rank++;
      if (!x->child_count) break;
    }
    return rank;
  }
  RlxBuf text = {0};
  rlx_sugar_put(w, x, &text);
  const RlxSugarType t =
      w->failed ? (RlxSugarType){.ndim = -1} : rlx_sugar_type(w, x, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return t.is_tensor ? t.ndim : -1;
}

/// Whether the parameter takes what it is given.
static bool is_taken(RlxSugarWriter *w, const Param *param) {
  const RlxAst *x = param->given;
  if (!x) return param->otherwise != NULL;
  if (param->kind == '#') return rlx_sugar_is_number(w, x);
  if (param->kind == '~') return x->kind == RLX_AST_NONE;
  if (param->kind == '\'')
    return x->kind == RLX_AST_STRING && (int)strlen(x->text) == param->text_size &&
           !strncmp(x->text, param->text, (size_t)param->text_size);
  if (!param->kind || param->kind == ':') return true;
  if (param->kind == '&' && (!is_several(x) || !x->child_count)) return false;
  const int rank = rank_of(w, param->kind == '&' ? x->children[0] : x);
  return param->rank == '1' ? rank == 1 : param->rank == 'm' ? rank == 2 : rank >= 2;
}

/// Gives the arguments to the parameters; false: they do not fit. `self`: the tensor that stands before the call, which is the
/// parameter `a` (`a.compress(condition)`), or the first; or NULL.
static bool give(RlxSugarWriter *w, Params *params, const RlxAst *self, const RlxAst *call) {
  int at = 0;
  Param *own = self ? param_named(params, "a") : NULL;
  if (self && !own) own = params->at;
  if (own) own->given = self;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const bool is_named = arg->kind == RLX_AST_KEYWORD;
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return false;
    if (!is_named && at < params->count && &params->at[at] == own) at++;
    Param *param = is_named ? param_named(params, rlx_store_text(w->repl->store, arg->name))
                   : at < params->count ? &params->at[at++]
                                        : NULL;
    if (!param || param->given || (param->by_name && !is_named)) return false;
    param->given = is_named ? arg->children[0] : arg;
  }
  for (int i = 0; i < params->count; i++)
    if (!is_taken(w, &params->at[i])) return false;
  return true;
}

/// The parameter whose name begins at `p`, a byte of the formula; NULL: none. What stands behind a dot or before `=` is
/// a name of Relax's.
static const Param *param_at(const Params *params, const char *formula, const char *p) {
  if (p > formula && (rlx_text_in_name(p[-1]) || p[-1] == '.')) return NULL;
  for (int i = 0; i < params->count; i++) {
    const Param *param = &params->at[i];
    const char *end = p + param->size;
    if (strncmp(p, param->name, (size_t)param->size) || rlx_text_in_name(*end)) continue;
    return *end == '=' && end[1] != '=' ? NULL : param;
  }
  return NULL;
}

/// Behind the text that begins at `p`, in which no parameter stands; `p`: none does.
static const char *behind_text(const char *p) {
  if (*p != '"') return p;
  p++;
  while (*p && *p != '"') p++;
  return p + (*p == '"');
}

static int uses_of(const Params *params, const char *formula, const Param *param) {
  int count = 0;
  for (const char *p = formula; *p; p++) {
    p = behind_text(p);
    count += param_at(params, formula, p) == param;
    if (!*p) break;
  }
  return count;
}

/// A tensor, number or list as an operand of the formula; anything else as it was typed.
static void put_operand(RlxSugarWriter *w, const RlxAst *x, bool is_once, RlxBuf *out) {
  RlxBuf text = {0};
  if (rlx_sugar_is_number(w, x))
    rlx_sugar_put_number(w, x, &text);
  else if (!rlx_repl_is_number_list(w->repl, x) ||
           !rlx_sugar_constant(w, x, rlx_dtype_unknown(), &text)) {
    rlx_sugar_put(w, x, &text);
    const bool is_tensor = !w->failed && rlx_sugar_type(w, x, rlx_buf_text(&text)).is_tensor;
    if (is_tensor && !is_once && !w->scope && !rlx_sugar_variable(w, rlx_buf_text(&text)))
      rlx_sugar_evaluated(w, "operand", &text);
    if (!is_tensor) {
      rlx_buf_clear(&text);
      rlx_sugar_copy(w, x->span.start, x->span.end, &text);
    }
  }
  rlx_buf_printf(out, "(%s)", rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static void put_param(RlxSugarWriter *w, const Param *param, bool is_once, RlxBuf *out) {
  const RlxAst *x = param->given;
  if (!x) {
    rlx_buf_putn(out, param->otherwise, (size_t)param->otherwise_size);
    return;
  }
  if (param->kind == ':') {
    rlx_sugar_copy_with_numbers(w, x, out);
    return;
  }
  if (param->kind != '&') {
    put_operand(w, x, is_once, out);
    return;
  }
  rlx_buf_putc(out, '(');
  for (uint32_t i = 0; i < x->child_count; i++) {
    put_operand(w, x->children[i], is_once, out);
    rlx_buf_putc(out, ',');
  }
  rlx_buf_putc(out, ')');
}

void rlx_sugar_put_text(RlxSugarWriter *w, const char *text, RlxBuf *out) {
  RlxDocument *doc = rlx_document_new(w->repl->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(doc);
  const RlxAst *x = root->count == 1 ? root->stmts[0]->value : NULL;
  RlxSugarWriter inner = {
      .repl = w->repl, .sugar = w->sugar, .text = text, .scope = w->scope, .depth = w->depth};
  void *outer = w->repl->number_data;
  w->repl->number_data = &inner;
  const bool is_infix =
      x && (x->kind == RLX_AST_BINARY || x->kind == RLX_AST_UNARY || x->kind == RLX_AST_COMPARE ||
            x->kind == RLX_AST_BOOL_OP || x->kind == RLX_AST_CONDITIONAL);
  RlxBuf one = {0};
  if (x) rlx_sugar_put(&inner, x, &one);
  const bool is_alone = !is_infix || rlx_sugar_variable(&inner, rlx_buf_text(&one));
  rlx_buf_printf(out, is_alone ? "%s" : "(%s)", rlx_buf_text(&one)); // it stands in an expression
  rlx_buf_free(&one);
  w->repl->number_data = outer;
  w->failed |= inner.failed || !x;
  rlx_vec_free(&inner.calls);
  rlx_document_free(doc);
}

static void write_formula(RlxSugarWriter *w, const char *formula, const Params *params,
                          RlxBuf *out) {
  RlxBuf text = {0}, values[PARAMS_MAX] = {{0}};
  for (int i = 0; i < params->count && !w->failed; i++)
    put_param(w, &params->at[i], uses_of(params, formula, &params->at[i]) < 2, &values[i]);
  for (const char *p = formula; *p && !w->failed; p++) {
    const char *end = behind_text(p);
    rlx_buf_putn(&text, p, (size_t)(end - p));
    if (!*(p = end)) break;
    const Param *param = param_at(params, formula, p);
    if (!param) {
      rlx_buf_putc(&text, *p);
      continue;
    }
    rlx_buf_puts(&text, rlx_buf_text(&values[param - params->at]));
    p += param->size - 1;
  }
  if (!w->failed) rlx_sugar_put_text(w, rlx_buf_text(&text), out);
  for (int i = 0; i < params->count; i++) rlx_buf_free(&values[i]);
  rlx_buf_free(&text);
}

void rlx_sugar_formula_signature(const RlxReplFormulaRow *row, const char *full, RlxBuf *out) {
  Params params = {0};
  read_params(row->params, &params);
  rlx_buf_printf(out, "%s(", full);
  for (int k = 0; k < params.count; k++) {
    const Param *p = &params.at[k];
    const bool is_first_by_name = k && p->by_name && !params.at[k - 1].by_name;
    rlx_buf_printf(out, "%s%s%.*s", k ? ", " : "", is_first_by_name ? "*, " : "", p->size, p->name);
    if (p->otherwise) rlx_buf_printf(out, "=%.*s", p->otherwise_size, p->otherwise);
  }
  rlx_buf_putc(out, ')');
}

void rlx_sugar_formula_kinds(const RlxReplFormulaRow *row, RlxBuf *out) {
  Params params = {0};
  const size_t before = out->size;
  read_params(row->params, &params);
  for (int k = 0; k < params.count; k++) {
    const Param *p = &params.at[k];
    const bool are_several = p->kind == '&';
    const char *kind = p->kind == '#'                   ? "a number"
                       : p->kind == '~'                 ? "None"
                       : p->kind != '|' && !are_several ? NULL
                       : p->rank == '1'                 ? are_several ? "vectors" : "a vector"
                       : p->rank == 'm'                 ? are_several ? "matrices" : "a matrix"
                                                        : "of two dimensions or more";
    if (!kind && !p->text) continue;
    rlx_buf_printf(out, "%s`%.*s` ", out->size > before ? ", " : "", p->size, p->name);
    if (kind)
      rlx_buf_puts(out, kind);
    else
      rlx_buf_printf(out, "\"%.*s\"", p->text_size, p->text);
  }
}

void rlx_sugar_formula_signatures(const char *name, const char *full, RlxBuf *out) {
  for (size_t i = 0; i < rlx_repl_formula_count; i++) {
    if (strcmp(rlx_repl_formulas[i].name, name) != 0) continue;
    RlxBuf one = {0};
    rlx_buf_putc(&one, '`');
    rlx_sugar_formula_signature(&rlx_repl_formulas[i], full, &one);
    rlx_buf_putc(&one, '`');
    // Rows for tensors of another rank are called alike.
    const bool is_new = !out->size || !strstr(rlx_buf_text(out), rlx_buf_text(&one));
    if (is_new) rlx_buf_printf(out, "%s%s", out->size ? " or " : "", rlx_buf_text(&one));
    rlx_buf_free(&one);
  }
}

bool rlx_sugar_formula(RlxSugarWriter *w, const char *name, const RlxAst *self, const RlxAst *call,
                       RlxBuf *out) {
  for (size_t i = 0; i < rlx_repl_formula_count && !w->failed; i++) {
    const RlxReplFormulaRow *row = &rlx_repl_formulas[i];
    Params params = {0};
    if (strcmp(row->name, name) != 0) continue;
    read_params(row->params, &params);
    if (!give(w, &params, self, call)) continue;
    write_formula(w, row->formula, &params, out);
    return true;
  }
  return w->failed;
}
