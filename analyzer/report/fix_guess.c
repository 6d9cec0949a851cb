/// Fixes that follow from the function around a mistake. Always true: they are made anew whenever
/// someone looks at fixes, so that an edit elsewhere in the function cannot leave one behind; the
/// diagnostics that the statements keep are not changed.
#include "analyzer/report/fix_guess_impl.h"

#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/function.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/rewrite/convert.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"

typedef RlxGuess Guess;

enum {
  LOOKS_MAX = 4000000, // some 50 ms; who fixes the first thousands of mistakes can ask again
  NEAR = 256,          // statements above a mistake whose names are guessed
};

static const char *name_text(const Guess *g, RlxName name) {
  return rlx_store_text(g->file->store, name);
}

/// The names that a statement binds to values of Relax, as `return` would have them: "a", "(a, b)".
/// False: none.
static bool bound_by(const Guess *g, const RlxStmt *stmt, RlxBuf *out);

/// The call that names what a dataflow block hands out; NULL: it has none, or one that names nothing.
static const RlxAst *output_call(const Guess *g, const RlxAnalysis *block) {
  for (uint32_t i = 0; block->body && i < block->body->units.count; i++) {
    const RlxAnalysis *unit = block->body->units.at[i];
    if (!unit || !unit->is_output || !unit->stmt->value) continue;
    const RlxAst *call = unit->stmt->value;
    return rlx_is_output_call(g->file->store, call) && call->child_count > 1 ? call : NULL;
  }
  return NULL;
}

static bool outputs_of(const Guess *g, const RlxAnalysis *block, RlxBuf *out) {
  const RlxAst *call = output_call(g, block);
  if (!call) return false;
  const bool is_tuple = call->child_count > 2;
  rlx_buf_puts(out, is_tuple ? "(" : "");
  for (uint32_t k = 1; k < call->child_count; k++) {
    if (call->children[k]->kind != RLX_AST_NAME) return false;
    rlx_buf_printf(out, "%s%s", k > 1 ? ", " : "", name_text(g, call->children[k]->name));
  }
  rlx_buf_puts(out, is_tuple ? ")" : "");
  return true;
}

static bool is_bound_value(const RlxAnalysis *unit, RlxName name) {
  for (uint32_t i = 0; i < unit->def_count; i++)
    if (unit->defs[i].name == name && !unit->defs[i].is_missing &&
        unit->defs[i].value.kind == RLX_VALUE_EXPR)
      return true;
  return false;
}

static bool target_of(const Guess *g, const RlxAnalysis *unit, const RlxAst *target, RlxBuf *out) {
  if (target->kind == RLX_AST_NAME) {
    const char *name = name_text(g, target->name);
    if (strcmp(name, "_") == 0 || !is_bound_value(unit, target->name)) return false;
    rlx_buf_puts(out, name);
    return true;
  }
  if (target->kind != RLX_AST_TUPLE || !target->child_count) return false;
  for (uint32_t i = 0; i < target->child_count; i++) {
    rlx_buf_puts(out, i ? ", " : "(");
    if (!target_of(g, unit, target->children[i], out)) return false;
  }
  rlx_buf_puts(out, target->child_count == 1 ? ",)" : ")");
  return true;
}

static bool bound_by(const Guess *g, const RlxStmt *stmt, RlxBuf *out) {
  const RlxAnalysis *unit = stmt->analysis;
  rlx_buf_clear(out);
  if (!unit || stmt->has_error) return false;
  if (stmt->kind == RLX_STMT_WITH) return outputs_of(g, unit, out);
  if (stmt->kind == RLX_STMT_IF) // what both branches end with
    return stmt->body && stmt->body->count && stmt->orelse && stmt->orelse->count &&
           bound_by(g, stmt->body->stmts[stmt->body->count - 1], out);
  bool binds = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED;
  return binds && stmt->target_count && stmt->value && target_of(g, unit, stmt->targets[0], out);
}

// ---- declarations

/// The node that writes dimension `k` in `R.Tensor((…), …)`; NULL: it is not written so.
static const RlxAst *written_dim(const Guess *g, const RlxAst *annotation, int k) {
  const RlxAst *shape = NULL;
  if (!annotation || annotation->kind != RLX_AST_CALL) return NULL;
  for (uint32_t i = 1; i < annotation->child_count && !shape; i++) {
    const RlxAst *arg = annotation->children[i];
    if (arg->kind == RLX_AST_KEYWORD && strcmp(name_text(g, arg->name), "shape") == 0)
      shape = arg->children[0];
    else if (i == 1 && arg->kind != RLX_AST_KEYWORD)
      shape = arg;
  }
  bool is_list = shape && (shape->kind == RLX_AST_TUPLE || shape->kind == RLX_AST_LIST);
  return is_list && (uint32_t)k < shape->child_count && shape->children[k]->kind != RLX_AST_STARRED
             ? shape->children[k]
             : NULL;
}

/// Whether every symbolic variable of `value` belongs to the signature of `def`.
static bool signature_has(const RlxStmt *def, const RlxPrim *value) {
  enum { MOST = 16 };
  const RlxSymVar *vars[MOST];
  const RlxAnalysis *unit = def->analysis;
  int count = 0;
  rlx_prim_vars(value, vars, &count, MOST);
  for (int i = 0; i < count; i++)
    if (!unit || !unit->fn || vars[i]->is_relax || !rlx_fn_is_in_signature(vars[i], unit->fn))
      return false;
  return count < MOST;
}

/// Whether the dimension is what gives a symbolic variable of `value` its value: it has to stay.
static bool is_own_symbol(const Guess *g, const RlxAst *written, const RlxPrim *value) {
  enum { MOST = 16 };
  const RlxSymVar *vars[MOST];
  int count = 0;
  const char *name = written->kind == RLX_AST_STRING ? written->text
                     : written->kind == RLX_AST_NAME ? name_text(g, written->name)
                                                     : "";
  rlx_prim_vars(value, vars, &count, MOST);
  for (int i = 0; i < count; i++)
    if (strcmp(name_text(g, vars[i]->name), name) == 0) return true;
  return false;
}

/// Whether a statement of the suite other than `own` reads `name`, or may: another declaration might
/// not suit it.
static bool is_read_beside(Guess *g, const RlxBlock *block, const RlxStmt *own, RlxName name) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (!g->looks) return true;
    g->looks--;
    if (stmt != own && rlx_ast_names(stmt->value, name)) return true;
    for (uint32_t k = 0; k < stmt->item_count; k++)
      if (rlx_ast_names(stmt->items[k].value, name)) return true;
    for (uint32_t k = 0; k < stmt->block_count; k++)
      if (is_read_beside(g, stmt->blocks[k], own, name)) return true;
    if (is_read_beside(g, stmt->body, own, name) || is_read_beside(g, stmt->orelse, own, name))
      return true;
  }
  return false;
}

static void declare(Guess *g, const RlxVar *var, int k, const RlxPrim *value) {
  const RlxStmt *def = var->is_param ? var->stmt : NULL;
  const RlxAst *written = NULL;
  if (!def || def->kind != RLX_STMT_DEF || !signature_has(def, value) ||
      is_read_beside(g, def->body, g->at->stmt, var->name))
    return;
  for (uint32_t i = 0; i < def->param_count && !written; i++)
    if (def->params[i].name == var->name) written = written_dim(g, def->params[i].annotation, k);
  if (!written || is_own_symbol(g, written, value)) return;
  RlxBuf plain = {0}, text = {0};
  const bool is_whole = rlx_prim_tell(g->file->store, value, &plain);
  rlx_buf_printf(&text, value->vars ? "\"%s\"" : "%s", rlx_buf_text(&plain));
  if (is_whole)
    rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                    rlx_arena_printf(g->sink->arena, "declare dimension %d of `%s` as %s", k,
                                     name_text(g, var->name), rlx_buf_text(&plain)),
                    def, written->span, rlx_buf_text(&text));
  rlx_buf_free(&plain);
  rlx_buf_free(&text);
}

/// The expression of the statement that stands in `span` and has the items of a list.
static const RlxAst *list_in(const RlxStmt *stmt, RlxSpan span) {
  enum { DEPTH = 64 };
  const RlxAst *path[DEPTH], *list = NULL;
  uint32_t count = 0;
  rlx_document_ast_at(stmt, span.start, path, &count, DEPTH);
  for (uint32_t i = 0; i < count && i < DEPTH && !list; i++) {
    RlxSpan at = rlx_stmt_absolute(stmt, path[i]->span);
    if (at.start != span.start || at.end != span.end) continue;
    list = path[i];
    if (list->kind == RLX_AST_CALL) list = list->child_count == 2 ? list->children[1] : NULL;
  }
  bool is_list = list && (list->kind == RLX_AST_LIST || list->kind == RLX_AST_TUPLE);
  return is_list ? list : NULL;
}

/// The written dimension `k` of the shape that the diagnostic stands at.
static void change(Guess *g, int k, const RlxPrim *value) {
  const RlxAst *list = g->at->stmt ? list_in(g->at->stmt, g->at->span) : NULL;
  if (!list || (uint32_t)k >= list->child_count) return;
  RlxBuf text = {0};
  if (rlx_prim_tell(g->file->store, value, &text))
    rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                    rlx_arena_printf(g->sink->arena, "change to `%s`", rlx_buf_text(&text)),
                    g->at->stmt, list->children[k]->span, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

/// What is returned, as far as the signature has words for it.
static void declare_result(Guess *g) {
  const RlxAnalysis *unit = g->at->stmt->analysis;
  const RlxFn *fn = unit ? unit->owner : NULL;
  if (!fn || !unit->result || !unit->result->sinfo || !fn->stmt->annotation) return;
  const RlxScope scope = {rlx_fn_is_in_signature, unit->owner, NULL};
  RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)fn->dialect);
  style.is_quoted = rlx_sinfo_is_symbolic;
  RlxBuf text = {0};
  rlx_sinfo_print_styled(
      g->file->store, rlx_sinfo_erase_to_well_defined(g->file->store, unit->result->sinfo, scope),
      &style, &text);
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), "declare what is returned", fn->stmt,
                  fn->stmt->annotation->span, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

// ---- what is to be returned

/// Where a statement that ends `block` is written, behind a comment. Appends what stands before it.
static uint32_t end_of(const Guess *g, const RlxBlock *block, RlxBuf *out) {
  const RlxStmt *first = block->stmts[0], *last = block->stmts[block->count - 1];
  uint32_t at = last->start + last->size;
  if (rlx_has_own_line(g->text, first, rlx_line_start(g->text, first->start)))
    while (at < g->size && g->text[at] != '\n' && g->text[at] != '\r') at++;
  rlx_put_break(out, g->text, first);
  return at;
}

static void return_something(Guess *g) {
  const RlxStmt *stmt = g->at->stmt;
  const bool is_return = stmt->kind == RLX_STMT_RETURN;
  const RlxBlock *block = is_return ? stmt->block : stmt->body;
  uint32_t i = is_return ? stmt->index : block ? block->count : 0;
  RlxBuf name = {0}, text = {0};
  bool found = false;
  if (!is_return && !i) return;
  while (i-- > 0 && !found) found = bound_by(g, block->stmts[i], &name);
  const RlxStmt *def = is_return ? block->parent : stmt;
  const RlxParams taken = def && def->kind == RLX_STMT_DEF ? rlx_taken_params(def) : (RlxParams){0};
  if (!found && taken.count == 1) {
    rlx_buf_clear(&name);
    rlx_buf_puts(&name, name_text(g, taken.at[0].name));
    found = true;
  }
  uint32_t at = stmt->start + stmt->head_size;
  if (is_return) {
    rlx_buf_printf(&text, " %s", rlx_buf_text(&name));
  } else {
    at = end_of(g, block, &text);
    rlx_buf_printf(&text, "return %s", rlx_buf_text(&name));
  }
  if (found)
    rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                    rlx_arena_printf(g->sink->arena, "return `%s`", rlx_buf_text(&name)), stmt,
                    rlx_span(at - stmt->start, at - stmt->start), rlx_buf_text(&text));
  rlx_buf_free(&name);
  rlx_buf_free(&text);
}

/// A name that is local to its dataflow block, which has no `R.output`.
static void output_it(Guess *g) {
  const RlxDiag *diag = g->at->diag;
  const RlxRelated *bound = diag->related_count ? &diag->related[0] : NULL;
  const RlxStmt *stmt = bound ? bound->stmt : NULL;
  const RlxBlock *block = stmt ? stmt->block : NULL;
  if (!block) return;
  for (uint32_t i = 0; i < block->count; i++) {
    const RlxAnalysis *unit = block->stmts[i]->analysis;
    if (!unit || unit->is_output || block->stmts[i]->kind == RLX_STMT_RETURN) return;
  }
  RlxBuf text = {0};
  const uint32_t at = end_of(g, block, &text) - stmt->start;
  rlx_buf_printf(&text, "R.output(%.*s)", (int)(bound->span.end - bound->span.start),
                 g->text + stmt->start + bound->span.start);
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), "make it the output of its block", stmt,
                  rlx_span(at, at), rlx_buf_text(&text));
  rlx_buf_free(&text);
}

// ---- names

/// Whether the name is read in the expression; false also when no looks are left.
static bool mentions(Guess *g, const RlxAst *ast, RlxName name, int depth) {
  if (!ast || depth > 100 || !g->looks) return false;
  g->looks--;
  if (ast->kind == RLX_AST_NAME) return ast->name == name;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (mentions(g, ast->children[i], name, depth + 1)) return true;
  return false;
}

/// Whether the list is an argument of numbers: a shape, axes.
static bool is_dimensions(const Guess *g, const RlxStmt *stmt, const RlxAst *call,
                          const RlxAst *list) {
  const RlxOpRow *row = call->kind == RLX_AST_CALL ? rlx_guess_row(g, stmt, call) : NULL;
  for (uint32_t i = 1; row && i < call->child_count && i <= (uint32_t)row->param_count; i++)
    if (call->children[i] == list)
      return row->params[i - 1].kind != RLX_PARAM_TUPLE &&
             row->params[i - 1].kind != RLX_PARAM_EXPR;
  return false;
}

/// Whether the name stands where a value of Relax does: alone, in a tuple, as an operand. `*kind`:
/// what is wanted there, RLX_SINFO_OBJECT for anything.
static bool is_operand(const Guess *g, const RlxStmt *stmt, uint32_t at, int *kind) {
  enum { DEPTH = 64 };
  const RlxAst *path[DEPTH];
  uint32_t count = 0;
  if (!rlx_document_ast_at(stmt, at, path, &count, DEPTH) || !count || count >= DEPTH) return false;
  const RlxAst *name = path[count - 1], *parent = count > 1 ? path[count - 2] : NULL;
  *kind = RLX_SINFO_OBJECT;
  if (name->kind != RLX_AST_NAME) return false;
  if (!parent) return stmt->value == name;
  if (parent->kind == RLX_AST_TUPLE && count > 2 && is_dimensions(g, stmt, path[count - 3], parent))
    return false;
  if (parent->kind == RLX_AST_BINARY || parent->kind == RLX_AST_TUPLE) return true;
  if (parent->kind != RLX_AST_CALL || parent->children[0] == name) return false;
  const RlxOpRow *row = rlx_guess_row(g, stmt, parent);
  for (uint32_t i = 1; row && i < parent->child_count; i++) {
    if (parent->children[i] != name || i > (uint32_t)row->param_count) continue;
    const RlxParamKind wanted = row->params[i - 1].kind;
    if (wanted == RLX_PARAM_TENSOR) *kind = RLX_SINFO_TENSOR;
    return wanted == RLX_PARAM_TENSOR || wanted == RLX_PARAM_EXPR;
  }
  return !row;
}

/// A search for the name of a value that may stand in a statement in place of another name.
typedef struct {
  Guess *g;
  const RlxStmt *stmt;
  RlxName wrong;        ///< the name that is to be replaced
  int kind;             ///< what is wanted, as of is_operand
  const RlxSInfo *like; ///< what it has to be; NULL: anything of that kind
  RlxName best;         ///< the first that the statement does not have already
  RlxName second;       ///< the first that it has
} Search;

static bool fits(const RlxSInfo *sinfo, const Search *s) {
  return sinfo && (s->kind == RLX_SINFO_OBJECT || sinfo->kind == s->kind) &&
         (!s->like || sinfo == s->like);
}

static bool binding_fits(const RlxStmt *stmt, RlxName name, const Search *s) {
  const RlxAnalysis *unit = stmt->analysis;
  for (uint32_t i = 0; unit && i < unit->binding_count; i++)
    if (unit->bindings[i]->var->name == name && fits(unit->bindings[i]->var->sinfo, s)) return true;
  return false;
}

static bool parameter_fits(const RlxStmt *def, RlxName name, const Search *s) {
  const RlxAnalysis *unit = def->analysis;
  for (uint32_t i = 0; unit && unit->fn && i < unit->fn->function.param_count; i++)
    if (unit->fn->function.params[i]->name == name)
      return fits(unit->fn->function.params[i]->sinfo, s);
  return false;
}

static bool is_parameter_value(const RlxParam *param) {
  return param->name && !param->star && param->annotation;
}

static void consider(Search *s, RlxName name) {
  if (!mentions(s->g, s->stmt->value, name, 0))
    s->best = name;
  else if (!s->second)
    s->second = name;
}

/// What a dataflow block above hands out, the last first.
static void consider_outputs(Search *s, const RlxStmt *with) {
  const RlxAst *call = with->analysis ? output_call(s->g, with->analysis) : NULL;
  for (uint32_t k = call ? call->child_count : 0; k-- > 1 && !s->best;) {
    const RlxName name = call->children[k]->name;
    if (call->children[k]->kind != RLX_AST_NAME || name == s->wrong) continue;
    uint32_t i = with->body->count > NEAR ? with->body->count - NEAR : 0;
    while (i < with->body->count && !binding_fits(with->body->stmts[i], name, s)) i++;
    if (i < with->body->count) consider(s, name);
  }
}

static void consider_statement(Search *s, const RlxStmt *above, RlxBuf *scratch) {
  const RlxAst *target = above->target_count ? above->targets[0] : NULL;
  if (above->kind == RLX_STMT_WITH && above->body)
    consider_outputs(s, above);
  else if (target && target->kind == RLX_AST_NAME && target->name != s->wrong &&
           bound_by(s->g, above, scratch) && binding_fits(above, target->name, s))
    consider(s, target->name);
}

/// A name of a value of this kind that is bound above, nearest first, and that the statement does not
/// have already; else the nearest one that it has. 0: none, or no looks are left.
static RlxName nearest_bound(Guess *g, const RlxStmt *stmt, RlxName wrong, int kind,
                             const RlxSInfo *like) {
  Search s = {.g = g, .stmt = stmt, .wrong = wrong, .kind = kind, .like = like};
  RlxBuf scratch = {0};
  const RlxStmt *inner = stmt, *def = NULL;
  for (; inner->block && !def && !s.best; inner = inner->block->parent) {
    const uint32_t end = inner->index > NEAR ? inner->index - NEAR : 0;
    for (uint32_t i = inner->index; i-- > end && !s.best;)
      consider_statement(&s, inner->block->stmts[i], &scratch);
    def = inner->block->parent && inner->block->parent->kind == RLX_STMT_DEF ? inner->block->parent
                                                                             : NULL;
    if (!inner->block->parent) break;
  }
  const RlxParams taken = def ? rlx_taken_params(def) : (RlxParams){0};
  for (uint32_t i = taken.count; i-- > 0 && !s.best;)
    if (is_parameter_value(&taken.at[i]) && parameter_fits(def, taken.at[i].name, &s))
      consider(&s, taken.at[i].name);
  rlx_buf_free(&scratch);
  return !g->looks ? 0 : s.best ? s.best : s.second;
}

/// For the next parameter, which takes a tensor, the nearest one like that before it which the statement does not use yet.
static void give_it(RlxGuess *g) {
  const RlxAst *inner, *call = rlx_guess_call(g, &inner);
  if (!call || call->child_count < 2) return;
  const RlxAst *last = call->children[call->child_count - 1];
  const RlxOpRow *row = rlx_guess_row(g, g->at->stmt, call);
  const uint32_t next = call->child_count - 1;
  if (!row || next >= (uint32_t)row->param_count || row->params[next].kind != RLX_PARAM_TENSOR)
    return;
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD || call->children[i]->kind == RLX_AST_STARRED)
      return;
  const RlxSInfo *like = rlx_guess_sinfo(g->at->stmt->analysis, last);
  const RlxName found = like ? nearest_bound(g, g->at->stmt, 0, RLX_SINFO_TENSOR, like) : 0;
  if (!found || mentions(g, g->at->stmt->value, found, 0)) return;
  const char *name = rlx_store_text(g->file->store, found);
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), rlx_arena_printf(g->sink->arena, "give it `%s`", name),
                  g->at->stmt, rlx_span(last->span.end, last->span.end),
                  rlx_arena_printf(g->sink->arena, ", %s", name));
}

static void change_name(Guess *g) {
  const RlxStmt *stmt = g->at->stmt;
  const RlxAnalysis *unit = stmt->analysis;
  int kind;
  if (!unit || !unit->owner || unit->owner->kind != RLX_ISLAND_RELAX || !stmt->value ||
      g->at->diag->related_count || !is_operand(g, stmt, g->at->span.start, &kind))
    return;
  const RlxAst *name = NULL, *path[64];
  uint32_t count = 0;
  name = rlx_document_ast_at(stmt, g->at->span.start, path, &count, 64);
  RlxName found = name ? nearest_bound(g, stmt, name->name, kind, NULL) : 0;
  if (!found) return;
  const char *text = name_text(g, found);
  rlx_diag_fix_at(g->sink, rlx_guess_own(g),
                  rlx_arena_printf(g->sink->arena, "change to `%s`", text), stmt, name->span, text);
}

/// The name is a namespace of TVM's script that something is taken from, and the file imports others. False: it is not.
static bool import_it(Guess *g) {
  const RlxSpan span = g->at->span;
  const char *name = rlx_arena_strndup(g->sink->arena, g->text + span.start, span.end - span.start);
  const RlxAnalysis *unit = g->at->stmt->analysis;
  RlxValue bound;
  RlxEdit edit;
  const RlxDialect dialect =
      unit && unit->owner ? (RlxDialect)unit->owner->dialect : RLX_DIALECT_025;
  if (span.end >= g->size || g->text[span.end] != '.' ||
      rlx_outer_lookup(g->file, g->at->stmt, rlx_intern_text(rlx_store_names(g->file->store), name),
                       &bound) ||
      !rlx_import_edit(g->file, name, dialect, g->sink->arena, &edit))
    return false;
  const uint32_t at = edit.span.start - g->at->stmt->start;
  rlx_diag_fix_at(g->sink, rlx_guess_own(g), "import it", g->at->stmt, rlx_span(at, at), edit.text);
  return true;
}

// ---- all

static void mend(Guess *g) {
  const RlxDiag *diag = g->at->diag;
  for (uint32_t i = 0; i < diag->wish_count; i++) {
    const RlxWish *wish = &diag->wishes[i];
    if (wish->var)
      declare(g, wish->var, wish->dimension, wish->value);
    else
      change(g, wish->dimension, wish->value);
  }
  if (diag->fix_count) return;
  rlx_guess_words(g);
  if (!g->at->stmt) return;
  if (diag->id == RLX_DIAG_ID(RETURN_MISSING)) return_something(g);
  if (diag->id == RLX_DIAG_ID(RETURN_MISMATCH)) declare_result(g);
  if (diag->id == RLX_DIAG_ID(DATAFLOW_LEAK)) output_it(g);
  if (diag->id == RLX_DIAG_ID(ARGUMENT_MISSING)) give_it(g);
  if (diag->id == RLX_DIAG_ID(NAME_UNDEFINED) && !import_it(g)) change_name(g);
  if (!g->diag) rlx_guess_calls(g);
  if (!g->diag) rlx_guess_habits(g);
}

void rlx_fix_guess(RlxFile *file, RlxFileDiags *diags, uint32_t from, RlxSpan window) {
  Guess g = {.file = file, .sink = &file->diag_sink, .looks = LOOKS_MAX};
  g.text = rlx_document_text(file->document, &g.size);
  for (uint32_t i = from; i < diags->count; i++) {
    if (diags->at[i].span.start > window.end || diags->at[i].span.end < window.start) continue;
    g.at = &diags->at[i];
    g.diag = NULL;
    mend(&g);
  }
}
