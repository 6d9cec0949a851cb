/// Fixes of what people write who come from numpy, torch or another language: operators without their namespace, attributes that are
/// operators, dtypes of libraries, arguments in another order or form.
#include <string.h>

#include "analyzer/diag/diag.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/report/fix_guess_impl.h"

enum { DEPTH = 64 };

/// The expressions at the mistake, from the outermost to the one that begins there.
typedef struct Path {
  const RlxAst *at[DEPTH];
  uint32_t count;
} Path;

static bool find_path(const RlxGuess *g, Path *path) {
  path->count = 0;
  return rlx_document_ast_at(g->at->stmt, g->at->span.start, path->at, &path->count, DEPTH) &&
         path->count && path->count < DEPTH;
}

/// The expression around the innermost one; NULL: there is none.
static const RlxAst *around(const Path *path) {
  return path->count > 1 ? path->at[path->count - 2] : NULL;
}

static const char *words(const RlxGuess *g, RlxSpan span) {
  return rlx_arena_strndup(g->sink->arena, g->text + g->at->stmt->start + span.start,
                           span.end - span.start);
}

/// `text` between `before` and `behind`.
static const char *written(const RlxGuess *g, const char *before, const char *text,
                           const char *behind) {
  return rlx_arena_printf(g->sink->arena, "%s%s%s", before, text, behind);
}

static void replace(RlxGuess *g, const char *title, RlxSpan span, const char *text) {
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), title, g->at->stmt, span, text);
}

static bool is_dtype(const char *name) {
  RlxDType dtype;
  return rlx_dtype_parse(name, strlen(name), &dtype) && rlx_dtype_known(dtype) &&
         strcmp(name, "handle") != 0;
}

// ---- names

/// `relu(x)`: the one operator of that name, whatever its namespace.
static bool name_operator(RlxGuess *g, const RlxAst *name, const RlxAst *call) {
  if (!call || call->kind != RLX_AST_CALL || call->children[0] != name) return false;
  const char *text = rlx_store_text(g->file->store, name->name), *found = text;
  bool is_tied = false;
  if (!rlx_op_find(text, strlen(text))) found = rlx_op_nearest(text, strlen(text), &is_tied);
  if (!found || is_tied) return false;
  const char *path = written(g, "R.", found, "");
  replace(g, written(g, "write `", path, "`"), name->span, path);
  return true;
}

/// A constant that another language spells differently.
static bool name_constant(RlxGuess *g, const RlxAst *name) {
  static const char *const spellings[][2] = {
      {"true", "True"}, {"false", "False"}, {"none", "None"}, {"null", "None"}, {"nil", "None"}};
  const char *text = rlx_store_text(g->file->store, name->name);
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    if (strcmp(spellings[i][0], text) != 0) continue;
    replace(g, written(g, "change to `", spellings[i][1], "`"), name->span, spellings[i][1]);
    return true;
  }
  return false;
}

/// What is taken from a name that nothing binds: `np.float16`, `self.helper`.
static void name_root(RlxGuess *g, const RlxAst *name, const RlxAst *attribute) {
  if (!attribute || attribute->kind != RLX_AST_ATTRIBUTE || attribute->children[0] != name) return;
  const char *member = rlx_store_text(g->file->store, attribute->name);
  const RlxAnalysis *unit = g->at->stmt->analysis;
  const RlxModule *module = unit->owner->module;
  if (is_dtype(member)) {
    replace(g, "write the dtype's name", attribute->span, written(g, "\"", member, "\""));
  } else if (module && rlx_module_fn(module, attribute->name)) {
    const char *own = rlx_store_text(g->file->store, module->name);
    replace(g, written(g, "change to `", own, "`"), name->span, own);
  }
}

static void mend_name(RlxGuess *g) {
  Path path;
  if (!find_path(g, &path) || path.at[path.count - 1]->kind != RLX_AST_NAME) return;
  const RlxAst *name = path.at[path.count - 1], *outer = around(&path);
  if (!name_operator(g, name, outer) && !name_constant(g, name)) name_root(g, name, outer);
}

// ---- attributes

/// `x.T`: numpy's name of a tensor whose axes stand in reverse order.
static void transpose(RlxGuess *g) {
  Path path;
  if (!find_path(g, &path)) return;
  uint32_t i = path.count;
  while (i > 0 && path.at[i - 1]->kind != RLX_AST_ATTRIBUTE) i--;
  const RlxAst *ast = i ? path.at[i - 1] : NULL, *base = ast ? ast->children[0] : NULL;
  if (!ast || strcmp(rlx_store_text(g->file->store, ast->name), "T") != 0) return;
  if (!rlx_guess_is_value(g, base)) return;
  if (i > 1 && path.at[i - 2]->kind == RLX_AST_CALL && path.at[i - 2]->children[0] == ast) return;
  RlxDiag *diag = rlx_guess_own(g);
  rlx_diag_fix_at(g->sink, diag, "call the operator `R.permute_dims`", g->at->stmt,
                  rlx_span(ast->span.start, ast->span.start), "R.permute_dims(");
  rlx_diag_fix_edit(g->sink, diag, rlx_span(base->span.end, ast->span.end), ")");
}

// ---- arguments

/// `x.dtype` and `x.shape`, which TVM's parser takes for no values: what they are, and the operator that asks for it.
static void write_attribute(RlxGuess *g, const RlxAst *value) {
  const RlxAst *base = value->kind == RLX_AST_ATTRIBUTE ? value->children[0] : NULL;
  const RlxSInfo *sinfo = base ? rlx_guess_sinfo(g->at->stmt->analysis, base) : NULL;
  const char *name = base ? rlx_store_text(g->file->store, value->name) : "", *text = NULL;
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (!sinfo || sinfo->kind != RLX_SINFO_TENSOR) return;
  if (!strcmp(name, "shape"))
    text = written(g, "R.shape_of(", words(g, base->span), ")");
  else if (!strcmp(name, "dtype") && rlx_dtype_known(sinfo->dtype))
    text = written(g, "\"", rlx_dtype_text(sinfo->dtype, dtype), "\"");
  if (text) replace(g, written(g, "write `", text, "`"), value->span, text);
}

/// The parameter of the row that takes a dtype and that the call does not give by its name; NULL: there is none.
static const char *free_dtype(const RlxGuess *g, const RlxOpRow *row, const RlxAst *call) {
  for (int i = 0; i < row->param_count; i++) {
    if (row->params[i].kind != RLX_PARAM_DTYPE) continue;
    for (uint32_t k = 1; k < call->child_count; k++)
      if (call->children[k]->kind == RLX_AST_KEYWORD &&
          !strcmp(rlx_store_text(g->file->store, call->children[k]->name), row->params[i].name))
        return NULL;
    return row->params[i].name;
  }
  return NULL;
}

/// A number of Python as it is written: `4`, `-1`.
static bool is_number(const RlxAst *ast) {
  const bool is_negative = ast->kind == RLX_AST_UNARY && ast->child_count == 1;
  return ast->kind == RLX_AST_INT || (is_negative && ast->children[0]->kind == RLX_AST_INT);
}

/// `R.reshape(x, -1)`, `R.zeros(3, 4, dtype="int8")`: the shape is the number, and those behind it.
static void write_shape(RlxGuess *g, const RlxAst *call, const RlxAst *value, bool is_placed) {
  const RlxAst *last = value;
  for (uint32_t i = 1; is_placed && i + 1 < call->child_count; i++)
    if (call->children[i] == last && is_number(call->children[i + 1])) last = call->children[i + 1];
  const RlxSpan span = rlx_span(value->span.start, last->span.end);
  replace(g, last == value ? "write it as a tuple" : "write them as a tuple", span,
          written(g, "(", words(g, span), last == value ? ",)" : ")"));
}

/// An argument of another kind than the operator takes: one dimension for a shape, a dtype where numbers stand, an attribute.
static void mend_argument(RlxGuess *g) {
  const RlxAst *arg, *call = rlx_guess_call(g, &arg);
  const RlxOpRow *row = call && arg ? rlx_guess_row(g, g->at->stmt, call) : NULL;
  if (!row || arg == call->children[0]) return;
  const RlxAst *value = arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg;
  const RlxOpParam *param = rlx_guess_param(g, row, call, value);
  if (param && param->kind == RLX_PARAM_SHAPE && is_number(value)) {
    write_shape(g, call, value, arg == value);
  } else if (arg == value && value->kind == RLX_AST_STRING && value->text &&
             is_dtype(value->text)) {
    const char *name = free_dtype(g, row, call);
    if (name && arg == call->children[call->child_count - 1]) {
      const char *text = rlx_arena_printf(g->sink->arena, "%s=\"%s\"", name, value->text);
      replace(g, written(g, "write `", text, "`"), value->span, text);
    }
  } else {
    write_attribute(g, value);
  }
}

/// `R.einsum("ij,jk->ik", x, w)`: the text stands in front of the tensors that the operator takes first, as a tuple.
static void take_tensors_first(RlxGuess *g, const RlxOpRow *row, const RlxAst *call) {
  const uint32_t count = call->child_count;
  if (row->param_count < 2 || row->params[1].kind != RLX_PARAM_STR || count < 3 ||
      call->children[1]->kind != RLX_AST_STRING)
    return;
  for (uint32_t i = 2; i < count; i++)
    if (call->children[i]->kind != RLX_AST_NAME) return;
  const RlxAst *text = call->children[1], *last = call->children[count - 1];
  RlxDiag *diag = rlx_guess_own(g);
  rlx_diag_fix_at(g->sink, diag, "write them as a tuple", g->at->stmt,
                  rlx_span(text->span.start, call->children[2]->span.start), "(");
  rlx_diag_fix_edit(
      g->sink, diag, rlx_span(last->span.end, last->span.end),
      rlx_arena_printf(g->sink->arena, "%s), %s", count == 3 ? "," : "", words(g, text->span)));
}

/// More arguments than the operator has parameters, or one twice: its first parameter takes all tensors, as a tuple.
static void mend_tensors(RlxGuess *g) {
  const RlxAst *inner, *call = rlx_guess_call(g, &inner);
  const RlxOpRow *row = call ? rlx_guess_row(g, g->at->stmt, call) : NULL;
  if (!row || !row->param_count || row->params[0].kind != RLX_PARAM_TUPLE || call->child_count < 3)
    return;
  if (call->children[1]->kind == RLX_AST_NAME && call->children[2]->kind == RLX_AST_NAME)
    rlx_guess_join_tensors(g, call, 1);
  else
    take_tensors_first(g, row, call);
}

void rlx_guess_habits(RlxGuess *g) {
  const RlxDiagId id = g->at->diag->id;
  const RlxAnalysis *unit = g->at->stmt->analysis;
  if (!unit || !unit->owner || unit->owner->kind != RLX_ISLAND_RELAX) return;
  if (id == RLX_DIAG_ID(NAME_UNDEFINED)) mend_name(g);
  if (id == RLX_DIAG_ID(ATTRIBUTE_UNKNOWN)) transpose(g);
  if (id == RLX_DIAG_ID(ARGUMENT_KIND)) mend_argument(g);
  if (id == RLX_DIAG_ID(ARGUMENT_COUNT) || id == RLX_DIAG_ID(ARGUMENT_TWICE)) mend_tensors(g);
}
