/// What must hold of a function as a whole: dataflow blocks end with the outputs that somebody
/// uses, names of functions are unique, private functions have no name for the linker.
/// Always true: at most one report is made about a name; from there on the name counts as defined,
/// so that its uses are not reported as well.
/// Source of the rules: TVM v0.25 src/relax/analysis/well_formed.cc,
/// src/script/ir_builder/relax/frame.cc.
#include <stdlib.h>
#include <string.h>

#include "analyzer/state/core.h"

// ---- dataflow blocks

typedef struct Output {
  RlxName name;
  const RlxStmt *stmt;
  const RlxAst *arg;
  uint32_t index, count; ///< of the argument, of all
  bool is_used;
} Output;

typedef struct Walk {
  RlxFn *fn;
  RlxSink *sink;
  RlxMap open; ///< name → index in outputs + 1 of those that nothing defined anew
  Vec(Output) outputs;
} Walk;

static RlxSpan in_fn(const Walk *w, const RlxStmt *stmt, RlxSpan span) {
  uint32_t at = stmt->start - w->fn->stmt->start;
  return rlx_span(at + span.start, at + span.end);
}

static void mark_reads(Walk *w, const RlxAnalysis *unit) {
  for (uint32_t i = 0; i < unit->read_count; i++) {
    uint64_t at = 0;
    if (rlx_map_get(&w->open, unit->reads[i].name, &at) && at) w->outputs.at[at - 1].is_used = true;
    const RlxSInfo *sinfo = unit->reads[i].sinfo;
    if (!sinfo || !sinfo->has_symbols) continue;
    const RlxSymVar *vars[16]; // what its StructInfo mentions is used, too
    int count = 0;
    rlx_sinfo_vars(sinfo, vars, &count, 16);
    for (int k = 0; k < count; k++)
      if (vars[k]->is_relax && rlx_map_get(&w->open, vars[k]->name, &at) && at)
        w->outputs.at[at - 1].is_used = true;
  }
}

/// Does a unit behind the first `from` bytes of the function's text report `id`?
static bool reports(const RlxSuite *suite, uint32_t from, RlxDiagId id) {
  for (uint32_t i = 0; suite && i < suite->reported.count; i++) {
    const RlxAnalysis *unit = suite->reported.at[i];
    for (uint32_t k = 0; k < unit->diag_count && unit->stmt->start >= from; k++)
      if (unit->diags[k]->id == id) return true;
    if (reports(unit->body, from, id) || reports(unit->orelse, from, id)) return true;
  }
  return false;
}

static void check_outputs(Walk *w, const RlxSuite *around, const RlxAnalysis *with) {
  const RlxSuite *body = with->body;
  const RlxAnalysis *output = NULL;
  bool returns = false;
  if (!body || body->is_broken) return;
  for (uint32_t i = 0; i < body->leaving.count; i++) {
    const RlxAnalysis *unit = body->leaving.at[i];
    returns |= unit->stmt->kind == RLX_STMT_RETURN;
    if (!unit->is_output) continue;
    if (output) {
      RlxDiag *diag =
          rlx_reportf(w->sink, RLX_DIAG_ID(OUTPUT_PLACE),
                      in_fn(w, unit->stmt, rlx_span(0, unit->stmt->head_size)), "s",
                      "a dataflow block has one `R.output`, which lists all its outputs");
      rlx_diag_related(w->sink, diag, output->stmt, rlx_span(0, output->stmt->head_size),
                       "the first one");
      return;
    }
    output = unit;
    for (uint32_t k = unit->stmt->index + 1; k < body->units.count; k++) {
      const RlxAnalysis *behind = body->units.at[k];
      if (behind->is_output) break;
      if (behind->stmt->kind == RLX_STMT_PASS || behind->stmt->kind == RLX_STMT_RETURN) continue;
      RlxDiag *diag = rlx_reportf(w->sink, RLX_DIAG_ID(OUTPUT_PLACE),
                                  in_fn(w, output->stmt, rlx_span(0, output->stmt->head_size)), "s",
                                  "`R.output` must be the last statement of its dataflow block");
      rlx_diag_related(w->sink, diag, behind->stmt, rlx_span(0, behind->stmt->head_size),
                       "this binding stands after it");
      return;
    }
  }
  if (returns) return;
  const RlxAst *call = output ? output->stmt->value : NULL;
  if (!output || call->child_count < 2) {
    if (reports(around, with->stmt->start + with->stmt->size, RLX_DIAG_ID(DATAFLOW_LEAK)))
      return; // the missing output is named there
    if (!output && (with->stmt->has_error || !body->units.count))
      return; // still being written: a syntax error says so
    RlxSpan span = output ? in_fn(w, output->stmt, rlx_span(0, output->stmt->head_size))
                          : in_fn(w, with->stmt, rlx_span(0, with->stmt->head_size));
    rlx_reportf(w->sink, RLX_DIAG_ID(DATAFLOW_NO_OUTPUT), span, "");
    return;
  }
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind != RLX_AST_NAME) continue;
    rlx_map_put(&w->open, arg->name, w->outputs.count + 1);
    Output out = {.name = arg->name,
                  .stmt = output->stmt,
                  .arg = arg,
                  .index = i,
                  .count = call->child_count - 1};
    rlx_vec_push(&w->outputs, out);
  }
}

/// The last binding of a branch is the value of its `if`.
static void close_branch(Walk *w, const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit->kind != RLX_UNIT_WITH) return;
    for (uint32_t k = 0; k < w->outputs.count; k++)
      if (unit->body && w->outputs.at[k].stmt->block == unit->body->block)
        w->outputs.at[k].is_used = true;
    return;
  }
}

static void walk_suite(Walk *w, const RlxSuite *suite);

static void walk_compound(Walk *w, const RlxSuite *suite, const RlxAnalysis *unit) {
  walk_suite(w, unit->body);
  walk_suite(w, unit->orelse);
  if (unit->kind == RLX_UNIT_IF) close_branch(w, unit->body), close_branch(w, unit->orelse);
  if (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block) check_outputs(w, suite, unit);
}

/// Until there are outputs only blocks matter.
static void walk_suite(Walk *w, const RlxSuite *suite) {
  uint32_t next = 0;
  for (uint32_t i = 0; suite && i < suite->compound.count && !w->outputs.count; i++) {
    walk_compound(w, suite, suite->compound.at[i]);
    next = suite->compound.at[i]->stmt->index + 1;
  }
  for (uint32_t i = next; suite && w->outputs.count && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit->is_output) mark_reads(w, unit);
    if (unit->kind == RLX_UNIT_IF || unit->kind == RLX_UNIT_WITH) walk_compound(w, suite, unit);
    if (unit->is_output || (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block)) continue;
    for (uint32_t k = 0; k < unit->def_count; k++)
      if (rlx_map_get(&w->open, unit->defs[k].name, NULL))
        rlx_map_put(&w->open, unit->defs[k].name, 0);
  }
}

static void report_unused(Walk *w, const Output *out) {
  const RlxAst *call = out->stmt->value;
  RlxDiag *diag =
      rlx_reportf(w->sink, RLX_DIAG_ID(OUTPUT_UNUSED), in_fn(w, out->stmt, out->arg->span), "s",
                  rlx_store_text(w->fn->file->store, out->name));
  if (out->count < 2) return; // without it the block has no output
  RlxSpan cut = out->index == 1
                    ? rlx_span(out->arg->span.start, call->children[2]->span.start)
                    : rlx_span(call->children[out->index - 1]->span.end, out->arg->span.end);
  rlx_diag_fix(w->sink, diag, "keep it inside the block", in_fn(w, out->stmt, cut), "");
}

static bool has_dataflow(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->compound.count; i++) {
    const RlxAnalysis *unit = suite->compound.at[i];
    if (unit->is_dataflow_block || has_dataflow(unit->body) || has_dataflow(unit->orelse))
      return true;
  }
  return false;
}

void rlx_wellformed_function(RlxFn *fn) {
  if (!has_dataflow(fn->body)) return;
  Walk w = {.fn = fn, .sink = &fn->end};
  walk_suite(&w, fn->body);
  bool broken = fn->stmt->has_error || reports(fn->body, 0, RLX_DIAG_ID(NAME_UNDEFINED)) ||
                reports(fn->body, 0, RLX_DIAG_ID(DATAFLOW_LEAK)); // a misspelt use is one
  for (uint32_t i = 0; i < w.outputs.count && !broken; i++)
    if (!w.outputs.at[i].is_used) report_unused(&w, &w.outputs.at[i]);
  rlx_map_free(&w.open);
  rlx_vec_free(&w.outputs);
}

void rlx_wellformed_leak(RlxEval *e, RlxDiag *diag, const RlxAnalysis *block, RlxName name) {
  const RlxSuite *body = block->body;
  const RlxStmt *last = NULL;
  for (uint32_t i = 0; i < body->units.count; i++) {
    const RlxAnalysis *unit = body->units.at[i];
    if (!unit) return;
    for (uint32_t k = 0; k < unit->def_count && !diag->related_count; k++)
      if (unit->defs[k].name == name)
        rlx_diag_related(e->sink, diag, unit->stmt, unit->defs[k].span, "bound in this block");
    last = unit->stmt;
    if (!unit->is_output) continue;
    const RlxAst *call = unit->stmt->value;
    RlxSpan at = rlx_span(call->span.end - 1, call->span.end - 1);
    const char *text = rlx_arena_printf(e->sink->arena, "%s%s", call->child_count > 1 ? ", " : "",
                                        rlx_store_text(e->store, name));
    rlx_diag_fix_at(e->sink, diag,
                    rlx_arena_printf(e->sink->arena, "add `%s` to the outputs of its block",
                                     rlx_store_text(e->store, name)),
                    unit->stmt, at, text);
    return;
  }
  if (!last) return;
  uint32_t column = rlx_lines_locate(rlx_document_lines(e->file->document), last->start).column;
  RlxBuf text = {0};
  rlx_buf_puts(&text, "\n");
  rlx_buf_repeat(&text, ' ', column);
  rlx_buf_printf(&text, "R.output(%s)", rlx_store_text(e->store, name));
  rlx_diag_fix_at(e->sink, diag, "make it the output of its block", last,
                  rlx_span(last->size, last->size), rlx_buf_text(&text));
  rlx_buf_free(&text);
}

// ---- names bound elsewhere

uint8_t rlx_wellformed_places(const RlxFile *file) {
  RlxSyntaxProblems problems = {0};
  uint8_t places = 0;
  rlx_document_problems(file->document, &problems);
  for (uint32_t i = 0; i < problems.count && places != 3; i++)
    if (!problems.at[i].is_late) places |= rlx_file_fn_at(file, problems.at[i].span.start) ? 1 : 3;
  rlx_vec_free(&problems);
  return places;
}

static bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         ((unsigned char)c & 0x80);
}

static uint32_t indentation_at(const char *text, uint32_t at) {
  uint32_t start = at, end;
  while (start && text[start - 1] != '\n') start--;
  end = start;
  while (text[end] == ' ' || text[end] == '\t') end++;
  return end - start;
}

/// Whether the text may bind the name where `fn` sees it: outside of functions and signatures, no
/// deeper than `fn`, and not as a word of a sentence.
static bool may_bind(const RlxFile *file, const RlxFn *fn, const char *name) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size), *end = text + size;
  const size_t n = strlen(name);
  const uint32_t depth = fn ? indentation_at(text, fn->stmt->start) : UINT32_MAX;
  for (const char *at = text; n && (at = memmem(at, (size_t)(end - at), name, n)) != NULL;
       at += n) {
    const char *next = at + n;
    if ((at > text && is_word(at[-1])) || (next < end && is_word(*next))) continue;
    while (next < end && (*next == ' ' || *next == '\t')) next++;
    if (next < end && is_word(*next)) continue;
    const uint32_t offset = (uint32_t)(at - text), indent = indentation_at(text, offset);
    const char *line = at;
    while (line > text && line[-1] != '\n') line--;
    if (!rlx_file_fn_at(file, offset) && indent <= depth && strncmp(line + indent, "def", 3) != 0)
      return true;
  }
  return false;
}

/// Whether a `keyword` stands there whose name is lost or begins with `name`, as it does when the
/// bracket behind it is lost.
static bool may_define(const RlxFile *file, const char *keyword, const char *name) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size), *end = text + size;
  const size_t n = strlen(keyword);
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), keyword, n)) != NULL; at += n) {
    const char *next = at + n;
    if (at > text && is_word(at[-1])) continue;
    if (next < end && is_word(*next)) continue;
    while (next < end && (*next == ' ' || *next == '\t')) next++;
    if (next == end || strchr("(:\n\r", *next) || strncmp(next, name, strlen(name)) == 0)
      return true;
  }
  return false;
}

/// Where the first syntax problem in the outermost function around is; UINT32_MAX: none.
static uint32_t first_problem(const RlxEval *e) {
  RlxSyntaxProblems problems = {0};
  uint32_t first = UINT32_MAX;
  const RlxFn *own = rlx_fn_outermost(e->fn);
  rlx_document_problems(e->file->document, &problems);
  for (uint32_t i = 0; i < problems.count && own; i++) {
    uint32_t at = problems.at[i].span.start;
    if (!problems.at[i].is_late && at < first && rlx_file_fn_at(e->file, at) == own) first = at;
  }
  rlx_vec_free(&problems);
  return first;
}

bool rlx_wellformed_is_broken(RlxEval *e, const char *name, bool is_function) {
  const uint8_t places = e->file->broken_places;
  if (!places) return false;
  if (is_function) return may_define(e->file, "def", name);
  if (!e->broken_from) {
    uint32_t first = first_problem(e);
    e->broken_from = first == UINT32_MAX ? first : first + 1;
  }
  if (e->broken_from <= e->stmt->start + e->stmt->head_size) return true;
  return places == 3 &&
         (may_bind(e->file, rlx_fn_outermost(e->fn), name) || may_define(e->file, "class", name));
}

static const RlxAst *binds(const RlxAst *target, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name ? target : NULL;
  for (uint32_t i = 0;
       i < target->child_count && (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST);
       i++) {
    const RlxAst *found = binds(target->children[i], name);
    if (found) return found;
  }
  return NULL;
}

/// The first statement of the block that binds `name`, local functions' bodies not counted.
static const RlxStmt *find_binding(const RlxBlock *block, RlxName name, RlxSpan *out) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i], *inner = NULL;
    for (uint32_t k = 0; k < stmt->target_count &&
                         (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED);
         k++) {
      const RlxAst *found = binds(stmt->targets[k], name);
      if (found) return *out = found->span, stmt;
    }
    if (stmt->kind == RLX_STMT_DEF && stmt->name == name) return *out = stmt->name_span, stmt;
    if (stmt->kind == RLX_STMT_IF || stmt->kind == RLX_STMT_WITH) {
      inner = find_binding(stmt->body, name, out);
      if (!inner) inner = find_binding(stmt->orelse, name, out);
    }
    if (inner) return inner;
  }
  return NULL;
}

void rlx_wellformed_elsewhere(RlxEval *e, RlxDiag *diag, RlxName name) {
  RlxSpan span;
  if (!rlx_name_is_marked(rlx_store_names(e->store), name)) return; // no statement binds it
  const RlxStmt *stmt = find_binding(e->fn->stmt->body, name, &span);
  if (!stmt || stmt == e->stmt) return;
  rlx_diag_related(e->sink, diag, stmt, span,
                   stmt->start > e->stmt->start
                       ? "it is bound here, below its use"
                       : "it is bound here, in a branch that ends before its use");
}

// ---- functions in their module

/// `T.func_attr({"global_symbol": …})` of a private PrimFunc. The other way round TVM does not mind
/// a PrimFunc whose symbol is another one: it is the name under which it is linked.
void rlx_wellformed_prim_func(RlxFn *fn) {
  const RlxBlock *body = fn->stmt->body;
  const RlxStore *store = fn->file->store;
  for (uint32_t i = 0; body && i < body->count && i < 8 && fn->function.is_private; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if (stmt->kind != RLX_STMT_EXPR || !stmt->value || stmt->value->kind != RLX_AST_CALL ||
        stmt->value->child_count != 2)
      continue;
    const RlxAst *head = stmt->value->children[0], *dict = stmt->value->children[1];
    if (head->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(store, head->name), "func_attr") != 0 || dict->kind != RLX_AST_DICT)
      continue;
    for (uint32_t k = 0; k + 1 < dict->child_count; k += 2) {
      const RlxAst *key = dict->children[k];
      if (key->kind != RLX_AST_STRING || strcmp(key->text, "global_symbol") != 0) continue;
      uint32_t at = stmt->start - fn->stmt->start;
      RlxDiag *diag = rlx_reportf(&fn->end, RLX_DIAG_ID(GLOBAL_SYMBOL_PRIVATE),
                                  rlx_span(at + key->span.start, at + key->span.end), "s",
                                  rlx_store_text(store, fn->stmt->name));
      RlxSpan cut = rlx_dict_entry_span(dict, k);
      rlx_diag_fix(&fn->end, diag, "remove it", rlx_span(at + cut.start, at + cut.end), "");
    }
  }
}

RlxSpan rlx_dict_entry_span(const RlxAst *dict, uint32_t key) {
  bool is_last = key + 2 >= dict->child_count;
  if (!is_last)
    return rlx_span(dict->children[key]->span.start, dict->children[key + 2]->span.start);
  if (key > 0)
    return rlx_span(dict->children[key - 1]->span.end, dict->children[key + 1]->span.end);
  return rlx_span(dict->children[key]->span.start, dict->children[key + 1]->span.end);
}

void rlx_wellformed_header(RlxFn *fn) {
  if (fn->first) {
    RlxDiag *diag = rlx_reportf(&fn->header, RLX_DIAG_ID(FUNCTION_TWICE), fn->stmt->name_span, "ss",
                                rlx_store_text(fn->file->store, fn->module->name),
                                rlx_store_text(fn->file->store, fn->stmt->name));
    rlx_diag_related(&fn->header, diag, fn->first, fn->first->name_span, "the first one");
  }
}
