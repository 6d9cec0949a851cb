/// Statements become a function of the module, private, before the one they stand in; in their
/// place stands a call. Always true: it is offered for whole simple statements of one block, pure
/// and without mistakes, whose symbolic variables their tensors bind.
#include <string.h>

#include "analyzer/ask/questions.h"
#include "analyzer/edit/refactor_impl.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/map.h"

enum { VARS_MAX = 32, SYMBOLS_MAX = 32 };

typedef struct Extract {
  RlxRefactor *r;
  const RlxFn *fn;
  const RlxBlock *block;
  uint32_t first, last; // statements, inclusive
  const RlxVar *inputs[VARS_MAX], *outputs[VARS_MAX];
  int input_count, output_count;
  const RlxSymVar *bare[SYMBOLS_MAX];
  int bare_count;
  RlxName symbols[SYMBOLS_MAX]; // that the statements mention: declared in the new function, too
  int symbol_count;
  RlxName alias;   // of the module, when the statements read one: `cls`
  const char *why; // what was selected cannot be extracted; NULL: no whole statements were
} Extract;

/// Notes the reason; false, for whoever asked.
static bool refuse(Extract *x, const char *why) {
  x->why = why;
  return false;
}

/// The statements that the selection covers, blanks around them aside; false: none, or parts of
/// some.
static bool select_statements(Extract *x) {
  const RlxRefactor *r = x->r;
  uint32_t start = r->range.start, end = r->range.end < r->size ? r->range.end : r->size;
  while (start < end && strchr(" \t\r\n", r->text[start])) start++;
  while (end > start && strchr(" \t\r\n", r->text[end - 1])) end--;
  const RlxStmt *stmt = rlx_document_stmt_at(r->file->document, start);
  if (start == end || !stmt || stmt->start != start || !stmt->block) return false;
  x->block = stmt->block;
  x->first = x->last = stmt->index;
  while (x->last + 1 < x->block->count && x->block->stmts[x->last + 1]->start < end) x->last++;
  const RlxStmt *last = x->block->stmts[x->last];
  if (last->start + last->size != end) return false;
  for (uint32_t i = x->first; i <= x->last; i++) {
    const RlxStmt *one = x->block->stmts[i];
    const RlxAnalysis *unit = one->analysis;
    RlxSpan lines;
    if (!unit || !unit->owner) return false;
    x->fn = unit->owner;
    if (unit->kind != RLX_UNIT_SIMPLE ||
        (one->kind != RLX_STMT_ASSIGN && one->kind != RLX_STMT_ANNOTATED))
      return refuse(x, "only bindings can be extracted, and not all of these are");
    if (unit->is_tainted || one->has_error)
      return refuse(x, "there is a mistake in it, or it depends on one");
    if (unit->is_impure) return refuse(x, "it has an effect, and stays where it is");
    if (!rlx_refactor_own_lines(r, one, &lines))
      return refuse(x, "other statements stand on its lines");
  }
  if (!x->fn || x->fn->kind != RLX_ISLAND_RELAX) return false;
  if (x->fn->outer) return refuse(x, "it stands in a local function");
  return x->fn->module || refuse(x, "its function stands in no module that could have another one");
}

static bool is_bound_here(const Extract *x, const RlxVar *var) {
  return var->stmt && var->stmt->block == x->block && var->stmt->index >= x->first &&
         var->stmt->index <= x->last;
}

static bool add_var(const RlxVar **list, int *count, const RlxVar *var) {
  for (int i = 0; i < *count; i++)
    if (list[i] == var) return true;
  if (*count == VARS_MAX) return false;
  list[(*count)++] = var;
  return true;
}

static bool is_bare(const Extract *x, const RlxSymVar *var) {
  for (int i = 0; i < x->bare_count; i++)
    if (x->bare[i] == var) return true;
  return false;
}

static bool all_bare(const Extract *x, const RlxSInfo *s) {
  const RlxSymVar *vars[SYMBOLS_MAX];
  int count = 0;
  rlx_sinfo_vars(s, vars, &count, SYMBOLS_MAX);
  for (int i = 0; i < count; i++)
    if (!is_bare(x, vars[i])) return false;
  return count < SYMBOLS_MAX;
}

static bool add_symbol(Extract *x, RlxName name) {
  for (int i = 0; i < x->symbol_count; i++)
    if (x->symbols[i] == name) return true;
  if (x->symbol_count == SYMBOLS_MAX) return false;
  x->symbols[x->symbol_count++] = name;
  return true;
}

static const char NO_GIVER[] = "no parameter gives the symbolic variable `%s` a value";

/// `format` with a name in it.
static const char *name_in(const Extract *x, const char *format, RlxName name) {
  const char *at = strstr(format, "%s");
  return rlx_arena_printf(x->r->arena, "%.*s%s%s", (int)(at - format), format,
                          rlx_store_text(x->r->store, name), at + 2);
}

/// What the statements read from outside: variables, symbols that these bind, the module.
static bool collect_inputs(Extract *x) {
  for (int pass = 0; pass < 2; pass++) // symbols are looked at when all variables are known
    for (uint32_t i = x->first; i <= x->last; i++) {
      const RlxAnalysis *unit = x->block->stmts[i]->analysis;
      for (uint32_t k = 0; k < unit->read_count; k++) {
        const RlxRead *read = &unit->reads[k];
        uint8_t kind = (uint8_t)(read->flags & 255);
        if (!read->thing) continue;
        if (kind == RLX_VALUE_EXPR && !pass) {
          const RlxVar *var = read->thing;
          if (is_bound_here(x, var)) continue;
          if (!var->sinfo || var->sinfo->kind == RLX_SINFO_FUNC ||
              var->sinfo->kind == RLX_SINFO_EXTENSION)
            return refuse(x, name_in(x, "it reads `%s`, which no parameter can be", var->name));
          if (!add_var(x->inputs, &x->input_count, var))
            return refuse(x, "it reads more values than a function should take");
          rlx_sinfo_bare_vars(var->sinfo, x->bare, &x->bare_count, SYMBOLS_MAX);
        }
        const RlxSymVar *symbol = kind == RLX_VALUE_PRIM ? rlx_prim_as_var(read->thing) : NULL;
        if (kind == RLX_VALUE_PRIM && !symbol)
          return refuse(x, name_in(x, "it reads the number `%s`", read->name));
        if (symbol && pass && !is_bare(x, symbol))
          return refuse(x, name_in(x, NO_GIVER, symbol->name));
        if (symbol && pass && !add_symbol(x, symbol->name))
          return refuse(x, "it mentions too many symbolic variables");
        if (kind == RLX_VALUE_CLASS && read->name != x->fn->module->name) {
          if (x->alias && x->alias != read->name)
            return refuse(x, "it calls its module by two names");
          x->alias = read->name;
        }
      }
    }
  for (int i = 0; i < x->input_count; i++)
    if (!all_bare(x, x->inputs[i]->sinfo))
      return refuse(x, name_in(x, "no parameter gives the symbolic variables of `%s` a value",
                               x->inputs[i]->name));
  return true;
}

/// Notes in `names` those that statements from `end` on read or define; false: one is broken, it
/// may read any.
static bool note_later(const RlxSuite *suite, uint32_t end, RlxMap *names) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit) return false;
    if (unit->stmt->start + unit->stmt->size <= end) continue;
    if (unit->has_error) return false;
    for (uint32_t k = 0; k < unit->read_count; k++) rlx_map_put(names, unit->reads[k].name, 1);
    for (uint32_t k = 0; k < unit->def_count; k++) rlx_map_put(names, unit->defs[k].name, 1);
    if (!note_later(unit->body, end, names) || !note_later(unit->orelse, end, names) ||
        (unit->fn && !note_later(unit->fn->body, end, names)))
      return false;
  }
  return true;
}

static bool is_used_from(const Extract *x, const RlxVar *var, uint32_t end) {
  RlxSpans uses = {0};
  bool later = false;
  rlx_file_references(x->r->file, rlx_stmt_absolute(var->named_in, var->span).start, &uses);
  for (uint32_t n = 0; n < uses.count; n++) later |= uses.at[n].start >= end;
  rlx_vec_free(&uses);
  return later;
}

/// Variables that are read behind the statements; `names`: those that may be, NULL: all.
static bool outputs_among(Extract *x, uint32_t end, const RlxMap *names) {
  for (uint32_t i = x->first; i <= x->last; i++) {
    const RlxAnalysis *unit = x->block->stmts[i]->analysis;
    for (uint32_t k = 0; k < unit->def_count; k++)
      if (unit->defs[k].value.kind != RLX_VALUE_EXPR)
        return refuse(x, name_in(x, "`%s` is no value that could be given back",
                                 unit->defs[k].name)); // a symbol or an alias
    for (uint32_t k = 0; k < unit->binding_count; k++) {
      const RlxVar *var = unit->bindings[k]->var;
      if (var->is_temporary || var->stmt != unit->stmt) continue;
      if (unit->bindings[k]->kind != RLX_BINDING_VAR)
        return refuse(x, "a match_cast may bind symbolic variables that others read");
      bool later = (!names || rlx_map_get(names, var->name, NULL)) && is_used_from(x, var, end);
      if (later && !add_var(x->outputs, &x->output_count, var))
        return refuse(x, "it binds more values than a function should give");
    }
  }
  return x->output_count > 0 || refuse(x, "nothing behind it reads what it binds");
}

static bool collect_outputs(Extract *x) {
  const RlxStmt *last = x->block->stmts[x->last];
  const uint32_t end = last->start + last->size;
  RlxMap names = {0};
  bool known = note_later(x->fn->body, end, &names);
  bool fine = outputs_among(x, end, known ? &names : NULL);
  rlx_map_free(&names);
  return fine;
}

static void put_names(Extract *x, const RlxVar *const *vars, int count, RlxBuf *out) {
  for (int i = 0; i < count; i++)
    rlx_buf_printf(out, "%s%s", i ? ", " : "", rlx_store_text(x->r->store, vars[i]->name));
}

/// Statement lines with another indentation.
static void put_statements(Extract *x, const char *indent, uint32_t indent_size, RlxBuf *out) {
  const RlxRefactor *r = x->r;
  RlxSpan first, last;
  rlx_refactor_own_lines(r, x->block->stmts[x->first], &first);
  rlx_refactor_own_lines(r, x->block->stmts[x->last], &last);
  uint32_t old = x->block->stmts[x->first]->start - first.start;
  for (uint32_t at = first.start; at < last.end;) {
    const uint32_t next = rlx_next_line(r->text, last.end, at);
    uint32_t end = next, skip = 0;
    while (end > at && strchr("\r\n", r->text[end - 1])) end--;
    while (skip < old && at + skip < end &&
           (r->text[at + skip] == ' ' || r->text[at + skip] == '\t'))
      skip++;
    if (at + skip < end) rlx_buf_putn(out, indent, indent_size);
    rlx_buf_putn(out, r->text + at + skip, end - at - skip);
    rlx_buf_putc(out, '\n');
    at = next;
  }
}

/// `outer` is the indentation. One output is bound to its name; several by way of a tuple.
static void put_call(Extract *x, const char *name, const char *outer, RlxBuf *out) {
  RlxStore *store = x->r->store;
  const char *module = rlx_store_text(store, x->fn->module->name);
  if (x->output_count == 1)
    rlx_buf_printf(out, "%s%s = %s.%s(", outer, rlx_store_text(store, x->outputs[0]->name), module,
                   name);
  else
    rlx_buf_printf(out, "%s%s_all = %s.%s(", outer, name, module, name);
  put_names(x, x->inputs, x->input_count, out);
  rlx_buf_puts(out, ")\n");
  for (int i = 0; x->output_count > 1 && i < x->output_count; i++)
    rlx_buf_printf(out, "%s%s = %s_all[%d]\n", outer, rlx_store_text(store, x->outputs[i]->name),
                   name, i);
}

/// The decorator and the head, with its return annotation where that can be written.
static void put_head(Extract *x, const char *name, const char *indent, RlxBuf *out) {
  RlxStore *store = x->r->store;
  RlxSInfoStyle style = rlx_refactor_style(x->r);
  style.is_quoted = rlx_sinfo_is_symbolic;
  rlx_buf_printf(out, "%s@R.function(private=True)\n%sdef %s(", indent, indent, name);
  for (int i = 0; i < x->input_count; i++) {
    rlx_buf_printf(out, "%s%s: ", i ? ", " : "", rlx_store_text(store, x->inputs[i]->name));
    rlx_sinfo_print_styled(store, x->inputs[i]->sinfo, &style, out);
  }
  rlx_buf_putc(out, ')');
  bool is_known = true;
  for (int i = 0; i < x->output_count; i++) is_known &= all_bare(x, x->outputs[i]->sinfo);
  if (is_known) {
    const RlxSInfo *fields[VARS_MAX];
    for (int i = 0; i < x->output_count; i++) fields[i] = x->outputs[i]->sinfo;
    rlx_buf_puts(out, " -> ");
    rlx_sinfo_print_styled(
        store, x->output_count == 1 ? fields[0] : rlx_sinfo_tuple(store, fields, x->output_count),
        &style, out);
  }
  rlx_buf_puts(out, ":\n");
}

/// The whole function, with the empty line behind it.
static void put_function(Extract *x, const char *name, const char *indent, RlxBuf *out) {
  RlxStore *store = x->r->store;
  const RlxStmt *first = x->fn->stmt->body->stmts[0];
  const uint32_t line = rlx_line_start(x->r->text, first->start);
  const char *body = rlx_has_own_line(x->r->text, first, line)
                         ? rlx_arena_strndup(x->r->arena, x->r->text + line, first->start - line)
                         : rlx_arena_printf(x->r->arena, "%s    ", indent);
  put_head(x, name, indent, out);
  for (int i = 0; i < x->symbol_count; i++)
    rlx_buf_printf(out, "%s%s = T.int64()\n", body, rlx_store_text(store, x->symbols[i]));
  if (x->alias)
    rlx_buf_printf(out, "%s%s = %s\n", body, rlx_store_text(store, x->alias),
                   rlx_store_text(store, x->fn->module->name));
  put_statements(x, body, (uint32_t)strlen(body), out);
  rlx_buf_printf(out, "%sreturn %s", body, x->output_count > 1 ? "(" : "");
  put_names(x, x->outputs, x->output_count, out);
  if (x->output_count > 1) rlx_buf_putc(out, ')');
  rlx_buf_puts(out, "\n\n");
}

/// "main_part", or with a number when that is taken.
static const char *free_name(const RlxRefactor *r, RlxName of) {
  const char *name = rlx_arena_printf(r->arena, "%.120s_part", rlx_store_text(r->store, of));
  for (int i = 1; i < 100 && rlx_refactor_is_used(r, name); i++)
    name = rlx_arena_printf(r->arena, "%.120s_part_%d", rlx_store_text(r->store, of), i);
  return name;
}

void rlx_refactor_extract(RlxRefactor *r) {
  Extract x = {.r = r};
  if (!select_statements(&x) || !collect_inputs(&x) || !collect_outputs(&x)) {
    if (x.why)
      rlx_refactor_refuse(
          r, RLX_REFACTOR_EXTRACT,
          rlx_arena_printf(r->arena, "extract function `%s`", free_name(r, x.fn->stmt->name)),
          x.why);
    return;
  }
  const RlxStmt *def = x.fn->stmt, *first = x.block->stmts[x.first];
  RlxSpan lines, last;
  rlx_refactor_own_lines(r, first, &lines);
  rlx_refactor_own_lines(r, x.block->stmts[x.last], &last);
  uint32_t def_line = rlx_line_start(r->text, def->start);
  const char *name = free_name(r, def->name),
             *indent = rlx_arena_strndup(r->arena, r->text + def_line, def->start - def_line),
             *outer =
                 rlx_arena_strndup(r->arena, r->text + lines.start, first->start - lines.start);
  RlxBuf call = {0}, function = {0};
  put_call(&x, name, outer, &call);
  put_function(&x, name, indent, &function);
  RlxEdit edits[] = {
      {rlx_span(def_line, def_line), rlx_arena_strdup(r->arena, rlx_buf_text(&function))},
      {rlx_span(lines.start, last.end), rlx_arena_strdup(r->arena, rlx_buf_text(&call))}};
  bool is_bound_to_module =
      strstr(rlx_buf_text(&function), "vdevice") ||
      strstr(rlx_buf_text(&function), "SparseCSR"); // what a signature can't say alone
  const char *title = rlx_arena_printf(r->arena, "extract function `%s`", name);
  if (is_bound_to_module)
    rlx_refactor_refuse(r, RLX_REFACTOR_EXTRACT, title,
                        "what it takes or gives can't be said in a signature alone");
  else if (rlx_refactor_wants(r, title) && !rlx_refactor_is_clean(r, edits, 2))
    rlx_refactor_refuse(r, RLX_REFACTOR_EXTRACT, title,
                        "the function would be known to give less than its statements do");
  else
    rlx_refactor_offer(r, RLX_REFACTOR_EXTRACT, title, edits, 2);
  rlx_buf_free(&call);
  rlx_buf_free(&function);
}
