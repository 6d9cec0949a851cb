/// A question: the cursor, the statements around it, the names of the vocabulary under their usual
/// roots, offers as they are made.
#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/complete/complete_impl.h"
#include "analyzer/syntax/stmt_text.h"
#include "analyzer/words/spell.h"

static uint32_t column_of(const char *text, uint32_t at) { return at - rlx_line_start(text, at); }

static bool has_line_end(const char *text, uint32_t from, uint32_t to) {
  return from < to && rlx_line_start(text, to) > from;
}

/// The last statement in the suites of `stmt`, or itself.
static const RlxStmt *last_inside(const RlxStmt *stmt) {
  for (;;) {
    const RlxBlock *last = NULL;
    const RlxBlock *own[2] = {stmt->body, stmt->orelse};
    for (uint32_t i = 0; i < stmt->block_count + 2; i++) {
      const RlxBlock *b = i < 2 ? own[i] : stmt->blocks[i - 2];
      if (b && b->count && (!last || last->stmts[0]->start < b->stmts[0]->start)) last = b;
    }
    if (!last) return stmt;
    stmt = last->stmts[last->count - 1];
  }
}

/// Where a statement at `line`, the first byte of the cursor's line that is no blank, stands.
static RlxStand stand_at(const RlxDocument *doc, const char *text, uint32_t offset, uint32_t line) {
  const RlxStmt *stmt = rlx_document_stmt_at(doc, offset);
  if (!stmt) return (RlxStand){rlx_document_root(doc), 0, NULL};
  if (offset < stmt->start) return (RlxStand){stmt->block, stmt->index, stmt->block->parent};
  const RlxStmt *last = last_inside(stmt);
  if (last->start > offset) last = stmt;
  uint32_t head_end = last->start + (last->body ? last->head_size : last->size);
  if (line <= last->start || !has_line_end(text, head_end < line ? head_end : line, line))
    return (RlxStand){last->block, last->index, last->block->parent};
  uint32_t column = column_of(text, line); // a line of its own behind all statements
  for (const RlxStmt *at = last;; at = at->block->parent) {
    uint32_t own = column_of(text, at->start);
    if (own < column && at->body != NULL) return (RlxStand){at->body, at->body->count, at};
    if (own <= column || !at->block->parent)
      return (RlxStand){at->block, at->index + 1, at->block->parent};
  }
}

/// Where to read the text from: a statement that begins at or before the cursor's logical line.
static uint32_t read_from(const RlxDocument *doc, const char *text, uint32_t offset) {
  enum { MOST = 1 << 16 }; // a statement longer than this is read from the cursor's line
  const RlxStmt *stmt = rlx_document_stmt_at(doc, offset);
  uint32_t from = stmt && stmt->start <= offset ? last_inside(stmt)->start : 0;
  if (from > offset && stmt) from = stmt->start;
  if (offset - from < MOST) return from > offset ? 0 : from;
  return rlx_line_start(text, offset);
}

static const RlxFn *fn_of(const RlxStmt *stmt) {
  for (; stmt; stmt = stmt->block->parent) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && unit->fn) return unit->fn;
  }
  return NULL;
}

RlxPlace rlx_complete_place(const RlxComplete *c) {
  for (const RlxStmt *around = c->stand.parent; around; around = around->block->parent) {
    if (around->kind == RLX_STMT_CLASS) return RLX_PLACE_CLASS;
    if (around->kind == RLX_STMT_DEF) break;
    if (!around->block->parent) return RLX_PLACE_TOP;
  }
  if (!c->stand.parent) return RLX_PLACE_TOP;
  if (!c->fn || c->fn->kind == RLX_ISLAND_PYFUNC) return RLX_PLACE_PYTHON;
  return c->fn->kind == RLX_ISLAND_RELAX ? RLX_PLACE_RELAX : RLX_PLACE_PRIM;
}

const char *rlx_complete_text(const RlxComplete *c, RlxSpan span) {
  return rlx_arena_strndup(c->out->arena, c->cursor.text + span.start, span.end - span.start);
}

/// What the name means at the start of a dotted path: the path that it was imported by, else, by custom, a namespace of
/// scripts; NULL: nothing of TVM.
static const char *meaning_of(const RlxComplete *c, const char *name, size_t size) {
  uint64_t path;
  RlxName known = rlx_intern_find(rlx_store_names(c->store), name, size);
  if (known && rlx_map_get(&c->file->island_names.paths, known, &path)) {
    const char *text = rlx_store_text(c->store, (RlxName)path);
    if (!strcmp(text, "tvm") || !strncmp(text, "tvm.", 4)) return text;
  }
  char word[16];
  if (size >= sizeof word) return NULL;
  memcpy(word, name, size);
  word[size] = 0;
  return rlx_spelling_root(word);
}

void rlx_name_space(char *path) {
  static const char *const spaces[][2] = {{"tvm.script.relax", "R"}, {"tvm.relax.op", "R"},
                                          {"tvm.script.tir", "T"},   {"tvm.script.tirx", "T"},
                                          {"tvm.script.ir", "I"},    {"R.op", "R"}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    const size_t size = strlen(spaces[i][0]);
    if (strncmp(path, spaces[i][0], size) != 0 || (path[size] && path[size] != '.')) continue;
    memmove(path + 1, path + size, strlen(path + size) + 1);
    *path = *spaces[i][1];
  }
  static const char module[] = "tvm.relax."; // has the calls of Relax under their own names
  const char *name = path + sizeof module - 1;
  if (strncmp(path, module, sizeof module - 1) != 0 || !rlx_is_member("tvm.relax", name) ||
      !rlx_op_find(name, strlen(name)))
    return;
  memmove(path + 2, name, strlen(name) + 1);
  path[0] = 'R';
  path[1] = '.';
}

bool rlx_complete_path(const RlxComplete *c, RlxSpan span, char *out, size_t capacity) {
  const char *text = c->cursor.text + span.start;
  size_t size = span.end - span.start, head = 0;
  while (size && text[size - 1] == '.') size--;
  while (head < size && text[head] != '.') head++;
  const char *meaning = head ? meaning_of(c, text, head) : NULL;
  const size_t first = meaning ? strlen(meaning) : head, rest = size - head;
  if (!size || first + rest >= capacity) return false;
  memcpy(out, meaning ? meaning : text, first);
  memcpy(out + first, text + head, rest);
  out[first + rest] = 0;
  rlx_name_space(out);
  return true;
}

/// The parameter of an operator that the cursor is an argument for; NULL: not known.
static const RlxOpParam *wanted_param(RlxComplete *c) {
  for (int i = c->cursor.depth; i-- > 0;) {
    const RlxBracket *b = &c->cursor.brackets[i];
    if (b->callee.start == b->callee.end) continue;
    char path[96];
    if (!rlx_complete_path(c, b->callee, path, sizeof path) || strncmp(path, "R.", 2) != 0)
      return NULL;
    const RlxOpRow *row = rlx_op_find(path + 2, strlen(path + 2));
    if (!row) return NULL;
    c->wanted_row = row;
    for (int p = 0; p < row->param_count; p++) {
      size_t size = b->keyword.end - b->keyword.start;
      bool is_named = size && strlen(row->params[p].name) == size &&
                      !memcmp(row->params[p].name, c->cursor.text + b->keyword.start, size);
      if (is_named) return &row->params[p];
    }
    if (b->keyword.end || !row->param_count) return NULL;
    uint32_t at =
        b->argument < (uint32_t)row->param_count ? b->argument : (uint32_t)row->param_count - 1;
    return &row->params[at];
  }
  return NULL;
}

void rlx_complete_begin(RlxFile *file, uint32_t offset, RlxComplete *out) {
  uint32_t size;
  const RlxDocument *doc = rlx_file_document(file);
  const char *text = rlx_document_text(doc, &size);
  if (offset > size) offset = size;
  *out = (RlxComplete){.file = file, .store = file->store};
  rlx_cursor_read(text, size, read_from(doc, text, offset), offset, &out->cursor);
  rlx_file_analyze(file, NULL);
  out->stand = stand_at(doc, text, offset, out->cursor.line);
  out->fn = fn_of(out->stand.parent);
  const RlxStmt *own = out->stand.block && out->stand.index < out->stand.block->count
                           ? out->stand.block->stmts[out->stand.index]
                           : NULL;
  const RlxAnalysis *unit = own && own->start <= offset ? own->analysis : NULL;
  const bool is_head = unit && unit->fn && offset <= own->start + own->head_size;
  if (is_head && text[out->cursor.line] != '@') out->fn = unit->fn; // decorators know no parameter
  out->dialect = out->fn ? out->fn->dialect : rlx_file_dialect_at(file, offset);
  out->wanted = wanted_param(out);
}

const RlxScriptName *rlx_complete_script_name(const RlxComplete *c, const char *name) {
  return rlx_script_name(name, rlx_script_names_cover(c->dialect) ? c->dialect : RLX_DIALECT_025);
}

RlxOffer *rlx_complete_offer(RlxComplete *c, RlxOfferKind kind, const char *label) {
  // What a person most often means first: what is theirs, then what the call at hand asks for.
  static const uint16_t ranks[] = {
      [RLX_OFFER_PARAMETER] = 15, [RLX_OFFER_VARIABLE] = 20,  [RLX_OFFER_BUFFER] = 20,
      [RLX_OFFER_LOOP] = 21,      [RLX_OFFER_DIMENSION] = 30, [RLX_OFFER_PRIM_FUNC] = 35,
      [RLX_OFFER_FUNCTION] = 36,  [RLX_OFFER_VALUE] = 10,     [RLX_OFFER_DTYPE] = 12,
      [RLX_OFFER_TYPE] = 52,      [RLX_OFFER_WORD] = 45,      [RLX_OFFER_OPERATOR] = 45,
      [RLX_OFFER_NAMESPACE] = 55, [RLX_OFFER_MEMBER] = 20,    [RLX_OFFER_KEYWORD] = 70,
      [RLX_OFFER_SNIPPET] = 60,
  };
  RlxOffer offer = {.label = label, .kind = (uint8_t)kind, .rank = ranks[kind] * 100u};
  rlx_vec_push(&c->out->items, offer);
  return &rlx_vec_last(&c->out->items);
}

static char lower(char ch) { return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch; }

uint32_t rlx_complete_distance(const RlxComplete *c, const char *name) {
  const char *word = c->cursor.text + c->cursor.word.start;
  size_t size = c->cursor.offset - c->cursor.word.start;
  uint32_t best = size ? 3 : 0;
  for (const char *start = name; *start && best; start++) {
    bool is_head = start == name || start[-1] == '_' || start[-1] == '.' || start[-1] == ' ';
    if (!is_head || lower(*start) != lower(*word)) continue;
    size_t used = 0, together = 0;
    for (const char *at = start; *at && used < size; at++) {
      bool is_same = lower(*at) == lower(word[used]);
      together += is_same && (size_t)(at - start) == used;
      used += is_same;
    }
    uint32_t found = together == size ? start != name : used == size ? 2 : 3;
    if (found < best) best = found;
  }
  return best;
}

bool rlx_complete_fits(const RlxComplete *c, const char *name) {
  return rlx_complete_distance(c, name) < 3;
}

void rlx_complete_rank(RlxComplete *c) {
  enum { WORSE = 20000, OTHER_CASE = 1500 };
  const char *word = c->cursor.text + c->cursor.word.start;
  size_t size = c->cursor.offset - c->cursor.word.start;
  for (uint32_t i = 0; i < c->out->items.count; i++) {
    RlxOffer *offer = &c->out->items.at[i];
    const char *name = offer->filter ? offer->filter : offer->label;
    uint32_t far = rlx_complete_distance(c, name);
    offer->rank += WORSE * far;
    if (!far && strncmp(name, word, size) != 0) offer->rank += OTHER_CASE;
  }
}

const RlxModule *rlx_complete_module(const RlxComplete *c, const char *path, size_t size) {
  const RlxModule *own = c->fn ? c->fn->module : NULL, *found = NULL;
  if (size == 3 && !strncmp(path, "cls", size)) return own;
  RlxName name = rlx_intern_find(rlx_store_names(c->store), path, size);
  if (!name || (own && own->name == name)) return name ? own : NULL;
  for (uint32_t i = 0; i < c->file->modules.count; i++) {
    const RlxModule *module = c->file->modules.at[i];
    if (module->name == name && (!found || module->stmt->start <= c->cursor.offset)) found = module;
  }
  return found;
}

const char *rlx_complete_own_module(const RlxComplete *c) {
  const RlxModule *module = c->fn ? c->fn->module : NULL;
  if (!module || c->dialect == RLX_DIALECT_TLC) return NULL;
  for (const RlxFn *fn = c->fn; fn; fn = fn->outer)
    for (uint32_t i = fn->odd.count; i-- > 0;) {
      const RlxAnalysis *unit = fn->odd.at[i];
      const bool is_it = unit->has_own && (uint8_t)unit->own.flags == RLX_VALUE_CLASS &&
                         unit->own.thing == module && unit->stmt->start < c->cursor.line;
      if (is_it) return rlx_store_text(c->store, unit->own.name);
    }
  return rlx_store_text(c->store, module->name);
}

const RlxFn *rlx_complete_function(const RlxComplete *c, RlxSpan callee) {
  const char *text = c->cursor.text + callee.start;
  size_t size = callee.end - callee.start, dot = size;
  while (dot && text[dot - 1] != '.') dot--;
  RlxInterner *names = rlx_store_names(c->store);
  RlxName name = rlx_intern_find(names, text + dot, size - dot);
  const RlxModule *module = dot ? rlx_complete_module(c, text, dot - 1) : NULL;
  if (!name || (dot && !module)) return NULL;
  for (uint32_t i = 0; i < c->file->fns.count; i++) {
    const RlxFn *fn = c->file->fns.at[i];
    if (fn->stmt->name == name && (!dot || fn->module == module)) return fn;
  }
  return NULL;
}

void rlx_complete_function_text(const RlxComplete *c, const RlxFn *fn, RlxBuf *out) {
  const RlxSInfo *func = fn->function.sinfo;
  bool has_params = func && func->kind == RLX_SINFO_FUNC && func->params;
  rlx_buf_printf(out, "%s(", rlx_store_text(c->store, fn->stmt->name));
  const RlxParams taken = rlx_taken_params(fn->stmt);
  for (uint32_t i = 0; i < taken.count; i++) {
    if (i) rlx_buf_puts(out, ", ");
    rlx_buf_puts(out, rlx_store_text(c->store, taken.at[i].name));
    const RlxSInfo *sinfo = has_params && i < (uint32_t)func->count ? func->params[i] : NULL;
    if (!sinfo || sinfo->kind == RLX_SINFO_OBJECT) continue;
    rlx_buf_puts(out, ": ");
    rlx_sinfo_tell(c->store, sinfo, out);
  }
  rlx_buf_putc(out, ')');
  if (!has_params || fn->kind != RLX_ISLAND_RELAX || !func->ret) return;
  rlx_buf_puts(out, " -> ");
  rlx_sinfo_tell(c->store, func->ret, out);
}
