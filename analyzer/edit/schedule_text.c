/// How a schedule's result becomes text again. The function is printed as it was and as it is now,
/// with a mark at each statement. A group of lines (a loop's head, a block's axes, a store) that both
/// prints share is written as the file has it, indented anew; other groups are written as printed,
/// with the comments of the statement that they come from.
///
/// Always true: what is given reads back as the scheduled function. Three ways are tried, each
/// nearer to the plain print, until one does.
#include "analyzer/edit/schedule_text.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/script/script.h"
#include "analyzer/syntax/logical_lines.h"
#include "analyzer/syntax/stmt_text.h"

enum { NOBODY = -1, LEVEL = 4, LINES_MAX = 4000, ALIAS_MAX = 64 };

/// What a line of a statement is.
typedef enum Part {
  STATEMENT,
  INIT,
  ELSE,
  AXIS,
  WHERE,
  READS,
  WRITES,
  ATTR,
  ALLOC,
  MATCH,
  OTHER
} Part;

/// Of the file: a logical line of the function, with the comments and blank lines before it and the
/// comment behind it.
typedef struct Item {
  uint32_t lead, line, start, end, stop; ///< bytes of the file; stop: before the line end
  uint32_t indent;
  int64_t owner; ///< where the statement begins, in the function's text; NOBODY
  uint8_t part, kind;
  int group;     ///< of the new print, where its comments are written; NOBODY
  int next_here; ///< the next item with comments for that group
  bool is_open;  ///< a suite follows on lines of its own
} Item;

/// Of a print: lines that belong together.
typedef struct Group {
  uint32_t start, end; ///< bytes of the print
  uint32_t indent;
  int64_t owner;
  uint8_t part;
  bool is_loop, is_block;
  bool is_first;             ///< of those with its key: it stands for the statement
  int first_item, last_item; ///< whose comments are written here
} Group;

typedef Vec(Item) Items;
typedef Vec(Group) Groups;

typedef struct Print {
  RlxBuf text;
  RlxTirMarks marks;
  Groups groups;
} Print;

typedef struct Writer {
  const RlxScheduleText *what;
  const char *text; ///< of the file, each "\r" that ends a line alone as "\n"
  uint32_t size, origin;
  char alias[ALIAS_MAX]; ///< "T"
  RlxDialect dialect;
  Items items;
  uint32_t body; ///< number of the first item of the body
  Print before, after;
  uint32_t base_indent, base_level, unit;
  bool keeps_lines; ///< lines may be written as the file has them
  bool omits;       ///< regions that the file does not declare stay undeclared
  bool has_reads, has_writes;
  RlxBuf *out;
} Writer;

// ---- what a line is

static bool starts(const char *at, const char *end, const char *word) {
  size_t size = strlen(word);
  return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}

/// The word behind `alias.` at `at`; NULL: it does not stand there.
static const char *member(const char *at, const char *end, const char *alias) {
  size_t size = strlen(alias);
  return starts(at, end, alias) && at + size < end && at[size] == '.' ? at + size + 1 : NULL;
}

/// A line that begins at `at` by its words.
static Part part_of(const char *at, const char *end, const char *alias) {
  const char *word = member(at, end, alias);
  if (word) {
    if (starts(word, end, "reads(")) return READS;
    if (starts(word, end, "writes(")) return WRITES;
    if (starts(word, end, "where(")) return WHERE;
    if (starts(word, end, "bind(")) return AXIS; // of 2021
    if (starts(word, end, "block_attr(") || starts(word, end, "sblock_attr(")) return ATTR;
    return OTHER;
  }
  const char *is = memchr(at, '=', (size_t)(end - at));
  if (!is) return OTHER;
  for (is++; is < end && *is == ' ';) is++;
  word = member(is, end, alias);
  if (!word) return OTHER;
  if (starts(word, end, "axis.")) return AXIS;
  if (starts(word, end, "alloc_buffer(") || starts(word, end, "sblock_alloc_buffer(")) return ALLOC;
  return starts(word, end, "match_buffer(") ? MATCH : OTHER;
}

static size_t name_size(const char *at, const char *end) {
  size_t n = 0;
  while (at + n < end && (isalnum((unsigned char)at[n]) || at[n] == '_')) n++;
  return n;
}

/// Do two lines of the part name the same thing? Buffers have a line each.
static bool same_key(Part part, const char *a, const char *a_end, const char *b,
                     const char *b_end) {
  if (part != ALLOC && part != MATCH) return true;
  size_t n = name_size(a, a_end);
  return n == name_size(b, b_end) && memcmp(a, b, n) == 0;
}

// ---- the prints

static void add_line(Print *p, uint32_t start, uint32_t end, const RlxTirMark *mark,
                     bool is_marked) {
  const char *text = rlx_buf_text(&p->text);
  uint32_t from = start;
  while (from < end && text[from] == ' ') from++;
  Group g = {.start = from, .end = end, .indent = from - start, .owner = NOBODY};
  g.first_item = g.last_item = NOBODY;
  if (mark && mark->stmt->span.end) g.owner = mark->stmt->span.start;
  Part marked = mark && mark->is_init ? INIT : mark && mark->is_else ? ELSE : STATEMENT;
  g.part = (uint8_t)(is_marked ? marked : part_of(text + from, text + end, "T"));
  g.is_loop = is_marked && mark->stmt->kind == RLX_TIR_FOR;
  g.is_block = mark && mark->stmt->kind == RLX_TIR_BLOCK;
  Group *last = p->groups.count ? &p->groups.at[p->groups.count - 1] : NULL;
  bool joins = last && !is_marked && last->owner == g.owner && last->part == g.part &&
               g.part != ALLOC && g.part != MATCH && mark;
  if (joins)
    last->end = end;
  else
    rlx_vec_push(&p->groups, g);
}

static void print(const Writer *w, const RlxPrimFunc *f, Print *p) {
  rlx_primfunc_print_marked(rlx_analyzer_store(w->what->analyzer), f, w->dialect, &p->marks,
                            &p->text);
  const char *text = rlx_buf_text(&p->text);
  uint32_t mark = 0, size = (uint32_t)p->text.size;
  for (uint32_t at = 0; at < size;) {
    const char *line_end = memchr(text + at, '\n', size - at);
    uint32_t end = line_end ? (uint32_t)(line_end - text) : size;
    bool is_marked = false;
    for (; mark < p->marks.count && p->marks.at[mark].offset <= at; mark++) is_marked = true;
    add_line(p, at, end, mark ? &p->marks.at[mark - 1] : NULL, is_marked);
    at = end + 1;
  }
}

/// The group of `p` with the key of line [at, end); `group` NULL or the one whose text it must have.
static const Group *group_of(const Print *p, int64_t owner, Part part, const char *at,
                             const char *end) {
  const char *text = rlx_buf_text(&p->text);
  for (uint32_t i = 0; i < p->groups.count; i++) {
    const Group *g = &p->groups.at[i];
    if (g->owner == owner && g->part == part &&
        same_key(part, text + g->start, text + g->end, at, end))
      return g;
  }
  return NULL;
}

/// Equal but for how far the lines are indented.
static bool same_text(const Print *a, const Group *x, const Print *b, const Group *y) {
  const char *s = rlx_buf_text(&a->text) + x->start, *t = rlx_buf_text(&b->text) + y->start;
  const char *s_end = rlx_buf_text(&a->text) + x->end, *t_end = rlx_buf_text(&b->text) + y->end;
  while (s < s_end && t < t_end && *s == *t) {
    bool is_end = *s == '\n';
    s++, t++;
    while (is_end && s < s_end && *s == ' ') s++;
    while (is_end && t < t_end && *t == ' ') t++;
  }
  return s == s_end && t == t_end;
}

// ---- the items of the file

static bool is_statement(const Writer *w, uint32_t at) {
  for (uint32_t i = 0; i < w->before.marks.count; i++) {
    const RlxTirStmt *s = w->before.marks.at[i].stmt;
    if (s->span.end && s->span.start == at) return true;
  }
  return false;
}

/// The innermost item before number `i` that opens a suite around it and owns lines; NULL: none.
static const Item *suite_of(const Writer *w, uint32_t i) {
  uint32_t indent = w->items.at[i].indent;
  for (uint32_t k = i; k-- > 0;) {
    const Item *item = &w->items.at[k];
    if (item->indent < indent && item->owner != NOBODY && item->is_open) return item;
    if (item->indent < indent) indent = item->indent;
  }
  return NULL;
}

static void classify(Writer *w, uint32_t i) {
  Item *item = &w->items.at[i];
  const char *at = w->text + item->start, *end = w->text + item->end;
  item->owner = NOBODY;
  item->part = OTHER;
  if (is_statement(w, item->start - w->origin)) {
    item->owner = item->start - w->origin;
    item->part = STATEMENT;
    return;
  }
  if (item->kind == RLX_LINE_ELSE) {
    for (uint32_t k = i; k-- > 0 && item->owner == NOBODY;)
      if (w->items.at[k].indent == item->indent) item->owner = w->items.at[k].owner;
    item->part = ELSE;
    return;
  }
  const Item *suite = suite_of(w, i);
  const char *word = starts(at, end, "with ") ? member(at + strlen("with "), end, w->alias) : NULL;
  Part part = word && starts(word, end, "init(") ? INIT : part_of(at, end, w->alias);
  item->part = (uint8_t)part;
  if (part != OTHER && suite) item->owner = suite->owner;
  w->has_reads |= part == READS;
  w->has_writes |= part == WRITES;
}

/// The function's lines, those that nobody owns joined to the next one.
static bool read_items(Writer *w) {
  const RlxStmt *def = w->what->def;
  uint32_t at = def->start, lead;
  while (at > 0 && w->text[at - 1] != '\n') at--;
  lead = at;
  RlxLogicalLine line;
  while (rlx_logical_line_next(w->text, w->size, at, &line) &&
         line.start < def->start + def->size) {
    const char *stop = memchr(w->text + line.end, '\n', w->size - line.end);
    Item item = {.lead = lead, .line = line.line_start, .start = line.start, .end = line.end};
    item.stop = stop ? (uint32_t)(stop - w->text) : w->size;
    item.indent = line.start - line.line_start;
    item.kind = line.kind;
    item.is_open = line.opens_suite;
    item.group = item.next_here = NOBODY;
    if (memchr(w->text + line.line_start, '\t', item.indent) || line.is_broken) return false;
    rlx_vec_push(&w->items, item);
    uint32_t i = w->items.count - 1;
    classify(w, i);
    Item *now = &w->items.at[i];
    if (w->body == UINT32_MAX && now->owner != NOBODY) w->body = i;
    bool is_loose = now->owner == NOBODY && w->body != UINT32_MAX;
    at = line.next;
    if (is_loose)
      w->items.count--; // what Python computes in between stands before the next statement
    else
      lead = at;
    if (w->items.count > LINES_MAX) return false;
  }
  return w->body != UINT32_MAX && lead == at;
}

/// The items of a key: the first one's number, NOBODY: none.
static int item_of(const Writer *w, const Group *g) {
  const char *text = rlx_buf_text(&w->after.text);
  for (uint32_t i = w->body; g->owner != NOBODY && i < w->items.count; i++) {
    const Item *item = &w->items.at[i];
    if (item->owner == g->owner && item->part == g->part &&
        same_key((Part)g->part, text + g->start, text + g->end, w->text + item->start,
                 w->text + item->end))
      return (int)i;
  }
  return NOBODY;
}

static bool same_item_key(const Item *a, const Item *b) {
  return a->owner == b->owner && a->part == b->part && a->part != ALLOC && a->part != MATCH;
}

// ---- where comments go

/// The loops right above group `i` that no statement of the file is: what became of its loop.
static int climb(const Writer *w, int i) {
  const Groups *groups = &w->after.groups;
  while (i > 0) {
    const Group *up = &groups->at[i - 1], *g = &groups->at[i];
    if (up->owner != NOBODY || !up->is_loop || up->indent + LEVEL != g->indent) break;
    i--;
  }
  return i;
}

static bool is_unchanged(const Writer *w, const Group *g) {
  const char *text = rlx_buf_text(&w->after.text);
  const Group *old = g->owner == NOBODY ? NULL
                                        : group_of(&w->before, g->owner, (Part)g->part,
                                                   text + g->start, text + g->end);
  return old && same_text(&w->before, old, &w->after, g);
}

static int first_group(const Writer *w, const Item *item) {
  int found = NOBODY;
  const char *text = rlx_buf_text(&w->after.text);
  for (uint32_t i = 0; i < w->after.groups.count; i++) {
    const Group *g = &w->after.groups.at[i];
    if (g->owner != item->owner || g->part != item->part ||
        !same_key((Part)g->part, text + g->start, text + g->end, w->text + item->start,
                  w->text + item->end))
      continue;
    if (is_unchanged(w, g)) return (int)i;
    if (found == NOBODY) found = (int)i;
  }
  return found;
}

/// The group that stands for a loop that is gone: the first of the loops around what was inside.
static int heir_of(const Writer *w, uint32_t i) {
  const Item *item = &w->items.at[i];
  for (uint32_t k = i + 1; k < w->items.count && w->items.at[k].indent > item->indent; k++) {
    int g = w->items.at[k].part == STATEMENT ? first_group(w, &w->items.at[k]) : NOBODY;
    if (g != NOBODY) return climb(w, g);
  }
  return NOBODY;
}

static bool opens_block(const Writer *w, const Item *item) {
  const char *at = w->text + item->start, *end = w->text + item->end;
  return item->part == STATEMENT && starts(at, end, "with ") && memchr(at, '"', (size_t)(end - at));
}

/// The block that item `i` opens, is around, or is in; NOBODY: none.
static int block_item(const Writer *w, uint32_t i) {
  uint32_t indent = w->items.at[i].indent;
  if (opens_block(w, &w->items.at[i])) return (int)i;
  for (uint32_t k = i + 1; k < w->items.count && w->items.at[k].indent > indent; k++)
    if (opens_block(w, &w->items.at[k])) return (int)k;
  for (uint32_t k = i; k-- > w->body;) {
    if (w->items.at[k].indent >= indent) continue;
    indent = w->items.at[k].indent;
    if (opens_block(w, &w->items.at[k])) return (int)k;
  }
  return NOBODY;
}

/// The block of the new print that has the name of the block of item `i`, where the primitive made
/// all statements anew.
static int namesake_of(const Writer *w, uint32_t i) {
  int block = block_item(w, i);
  if (block == NOBODY) return NOBODY;
  const Item *item = &w->items.at[block];
  const char *at = memchr(w->text + item->start, '"', item->end - item->start);
  const char *stop = at + 1;
  while (stop < w->text + item->end && *stop != '"') stop++;
  size_t size = (size_t)(stop - at) + 1;
  for (uint32_t k = 0; k < w->after.groups.count; k++) {
    const Group *g = &w->after.groups.at[k];
    const char *from = rlx_buf_text(&w->after.text) + g->start;
    const char *quote = memchr(from, '"', g->end - g->start);
    if (g->is_block && g->part == STATEMENT && quote &&
        quote + size <= from + (g->end - g->start) && !memcmp(quote, at, size))
      return (int)k;
  }
  return NOBODY;
}

static void give_comments(Writer *w) {
  for (uint32_t i = w->body; i < w->items.count; i++) {
    Item *item = &w->items.at[i];
    int at = first_group(w, item);
    if (at != NOBODY) {
      w->after.groups.at[at].is_first = true;
      if (w->after.groups.at[at].is_loop && !is_unchanged(w, &w->after.groups.at[at]))
        at = climb(w, at);
    } else if (item->kind == RLX_LINE_FOR) {
      at = heir_of(w, i);
    }
    if (at == NOBODY) at = namesake_of(w, i);
    item->group = at;
    item->next_here = NOBODY;
    if (at == NOBODY) continue;
    Group *g = &w->after.groups.at[at];
    if (g->first_item == NOBODY)
      g->first_item = (int)i;
    else
      w->items.at[g->last_item].next_here = (int)i;
    g->last_item = (int)i;
  }
}

// ---- writing

static void put_indent(Writer *w, uint32_t columns) { rlx_buf_repeat(w->out, ' ', columns); }

static uint32_t indent_of(const Writer *w, const Group *g) {
  int64_t columns =
      w->base_indent + ((int64_t)g->indent / LEVEL - (int64_t)w->base_level) * w->unit;
  return columns > 0 ? (uint32_t)columns : 0;
}

/// Lines of the file from `from` to `to`, which is a line's start or before its end, indented anew.
static void put_shifted(Writer *w, uint32_t from, uint32_t to, uint32_t was, uint32_t now) {
  while (from < to) {
    const char *stop = memchr(w->text + from, '\n', to - from);
    uint32_t end = stop ? (uint32_t)(stop - w->text) : to, at = from;
    while (at < end && w->text[at] == ' ') at++;
    bool is_blank = at == end || (at + 1 == end && w->text[at] == '\r');
    int64_t columns = (int64_t)(at - from) - was + now;
    if (!is_blank) put_indent(w, columns > 0 ? (uint32_t)columns : 0);
    rlx_buf_putn(w->out, w->text + at, end - at);
    if (stop) rlx_buf_putc(w->out, '\n');
    from = stop ? end + 1 : end;
  }
}

/// Where a comment begins in [from, to), strings left aside; `to`: nowhere.
static uint32_t comment_at(const Writer *w, uint32_t from, uint32_t to) {
  char quote = 0;
  for (uint32_t i = from; i < to; i++) {
    char c = w->text[i];
    if (quote && c == '\\')
      i++;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '#')
      return i;
  }
  return to;
}

static uint32_t comment_end(const Writer *w, uint32_t at) {
  while (at < w->size && w->text[at] != '\n') at++;
  while (at > 0 && (w->text[at - 1] == '\r' || w->text[at - 1] == ' ')) at--;
  return at;
}

/// The comments inside of an item's lines and, with `all`, the one behind it: each a line.
static void put_comments_of(Writer *w, const Item *item, uint32_t indent, bool all) {
  uint32_t to = all ? item->stop : item->end;
  for (uint32_t at = comment_at(w, item->start, to); at < to;) {
    uint32_t end = comment_end(w, at);
    put_indent(w, indent);
    rlx_buf_putn(w->out, w->text + at, end - at);
    rlx_buf_putc(w->out, '\n');
    while (end < to && w->text[end] != '\n') end++;
    at = comment_at(w, end, to);
  }
}

/// A printed line, with the file's name for T.
static void put_printed(Writer *w, const char *at, const char *end) {
  bool in_string = false;
  for (const char *from = at; at < end; at++) {
    if (*at == '\\' && in_string) {
      rlx_buf_putc(w->out, *at++);
    } else if (*at == '"') {
      in_string = !in_string;
    } else if (!in_string && *at == 'T' && at + 1 < end && at[1] == '.' &&
               (at == from || (!isalnum((unsigned char)at[-1]) && !strchr("_.", at[-1])))) {
      rlx_buf_puts(w->out, w->alias);
      continue;
    }
    rlx_buf_putc(w->out, *at);
  }
}

/// The group as it is printed; `behind`: an item whose comment stands behind its first line.
static void put_group(Writer *w, const Group *g, const Item *behind) {
  const char *at = rlx_buf_text(&w->after.text) + g->start,
             *end = rlx_buf_text(&w->after.text) + g->end;
  uint32_t indent = indent_of(w, g);
  while (at < end) {
    while (at < end && *at == ' ') at++;
    const char *stop = at;
    while (stop < end && *stop != '\n') stop++;
    put_indent(w, indent);
    put_printed(w, at, stop);
    uint32_t comment = behind ? comment_at(w, behind->end, behind->stop) : 0;
    if (behind && comment < behind->stop) {
      rlx_buf_puts(w->out, "  ");
      rlx_buf_putn(w->out, w->text + comment, comment_end(w, comment) - comment);
    }
    behind = NULL;
    rlx_buf_putc(w->out, '\n');
    at = stop + 1;
  }
}

// ---- block variables as 2021 has them: `with T.block([8, 4], "b") as [vi, vj]:`, then `T.bind(vi, i)`

/// The end of what stands at `at` up to a comma or closing bracket of its own level.
static const char *operand_end(const char *at, const char *end) {
  int depth = 0;
  for (; at < end; at++) {
    if (strchr("([{", *at)) depth++;
    if (strchr(")]}", *at) && depth-- == 0) break;
    if (*at == ',' && !depth) break;
  }
  return at;
}

static const char *past(const char *at, const char *end, const char *signs) {
  while (at < end && strchr(signs, *at)) at++;
  return at;
}

static void put_bind(Writer *w, uint32_t indent, const char *name, size_t size, const char *at,
                     const char *end) {
  put_indent(w, indent);
  rlx_buf_printf(w->out, "%s.bind(%.*s, ", w->alias, (int)size, name);
  put_printed(w, at, end);
  rlx_buf_puts(w->out, ")\n");
}

/// A printed line of axes, `vi = T.axis.spatial(8, i)` or `vi, vj = T.axis.remap("SS", [i, j])`; false: it is none.
static bool put_line_of_binds(Writer *w, uint32_t indent, const char *at, const char *end) {
  const char *call = memchr(at, '(', (size_t)(end - at));
  if (!call || !memchr(at, '=', (size_t)(call - at))) return false;
  const char *value = operand_end(call + 1, end); // behind the domain, or the kinds
  const bool is_remap = starts(call - strlen("remap"), end, "remap");
  value = past(value, end, is_remap ? ", [" : ", ");
  do {
    const char *stop = operand_end(value, end);
    put_bind(w, indent, at, name_size(at, end), value, stop);
    value = past(stop, end, ", ");
    at = past(at + name_size(at, end), end, ", ");
  } while (is_remap && *at != '=' && value < end);
  return true;
}

/// Does the file bind the variables of the group's block as 2021 does?
static bool has_binds(const Writer *w, const Group *g, int own) {
  if (!w->keeps_lines || g->part != AXIS || own == NOBODY) return false;
  const Item *item = &w->items.at[own];
  const char *word = member(w->text + item->start, w->text + item->end, w->alias);
  return word && starts(word, w->text + item->end, "bind(");
}

static void put_binds(Writer *w, const Group *g) {
  const char *at = rlx_buf_text(&w->after.text) + g->start,
             *end = rlx_buf_text(&w->after.text) + g->end;
  while (at < end) {
    at = past(at, end, " ");
    const char *stop = at;
    while (stop < end && *stop != '\n') stop++;
    put_line_of_binds(w, indent_of(w, g), at, stop);
    at = stop + 1;
  }
}

/// Regions that the file leaves to be deduced.
static bool is_omitted(const Writer *w, const Group *g) {
  if (!w->omits || (g->part != READS && g->part != WRITES) || !g->is_block) return false;
  if (g->owner != NOBODY) return item_of(w, g) == NOBODY;
  return g->part == READS ? !w->has_reads : !w->has_writes;
}

static void write_group(Writer *w, uint32_t i) {
  const Group *g = &w->after.groups.at[i];
  if (is_omitted(w, g)) return;
  uint32_t indent = indent_of(w, g);
  int own = g->is_first ? item_of(w, g) : NOBODY;
  bool is_kept = w->keeps_lines && own != NOBODY && is_unchanged(w, g);
  const bool as_binds = !is_kept && has_binds(w, g, own);
  const Item *behind = NULL;
  for (int k = g->first_item; k != NOBODY; k = w->items.at[k].next_here) {
    const Item *item = &w->items.at[k];
    bool is_own = own != NOBODY && same_item_key(item, &w->items.at[own]);
    if (is_kept && is_own && k != own) continue; // its lines are written below
    put_shifted(w, item->lead, item->line, item->indent, indent);
    if (is_kept && k == own) continue;
    bool is_behind = !is_kept && !as_binds && !behind;
    put_comments_of(w, item, indent, !is_behind);
    if (is_behind) behind = item;
  }
  if (as_binds) {
    put_binds(w, g);
    return;
  }
  if (!is_kept) {
    put_group(w, g, behind);
    return;
  }
  const Item *first = &w->items.at[own];
  put_shifted(w, first->line, first->stop, first->indent, indent);
  rlx_buf_putc(w->out, '\n');
  for (uint32_t k = (uint32_t)own + 1; k < w->items.count && same_item_key(&w->items.at[k], first);
       k++) {
    const Item *item = &w->items.at[k];
    put_shifted(w, item->lead, item->stop, item->indent, indent);
    rlx_buf_putc(w->out, '\n');
  }
}

/// Number of the first group of the body: the first statement.
static uint32_t body_of(const Print *p) {
  uint32_t i = 0;
  while (i < p->groups.count && p->groups.at[i].part != STATEMENT) i++;
  return i;
}

/// The line of the head of `p` that allocates the buffer that `at` names; NULL: none.
static const Group *head_alloc(const Print *p, const char *at, const char *end) {
  const char *text = rlx_buf_text(&p->text);
  for (uint32_t i = 0; i < body_of(p); i++) {
    const Group *g = &p->groups.at[i];
    if (g->part == ALLOC && same_key(ALLOC, text + g->start, text + g->end, at, end)) return g;
  }
  return NULL;
}

/// The lines before the body: as they are, but for the buffers allocated there.
static void write_head(Writer *w) {
  for (uint32_t i = 0; i < w->body; i++) {
    const Item *item = &w->items.at[i];
    const char *at = w->text + item->start, *end = w->text + item->end;
    const Group *was = item->part == ALLOC ? head_alloc(&w->before, at, end) : NULL,
                *is = was ? head_alloc(&w->after, at, end) : NULL;
    if (was && !is) continue;
    bool is_kept = !was || same_text(&w->before, was, &w->after, is);
    rlx_buf_putn(w->out, w->text + item->lead, (is_kept ? item->stop : item->line) - item->lead);
    if (is_kept)
      rlx_buf_putc(w->out, '\n');
    else
      put_group(w, is, item);
  }
  const char *text = rlx_buf_text(&w->after.text);
  for (uint32_t i = 0; i < body_of(&w->after); i++) {
    const Group *g = &w->after.groups.at[i];
    if (g->part == ALLOC && !head_alloc(&w->before, text + g->start, text + g->end)) {
      Group placed = *g;
      placed.indent = w->base_level * LEVEL;
      put_group(w, &placed, NULL);
    }
  }
}

/// Are the prints' heads the same but for the buffers allocated there?
static bool same_heads(const Writer *w) {
  const Print *prints[] = {&w->before, &w->after};
  RlxBuf heads[2] = {{0}, {0}};
  for (int k = 0; k < 2; k++) {
    const char *text = rlx_buf_text(&prints[k]->text);
    for (uint32_t i = 0; i < body_of(prints[k]); i++) {
      const Group *g = &prints[k]->groups.at[i];
      if (g->part != ALLOC && text[g->start] != '#')
        rlx_buf_putn(&heads[k], text + g->start, g->end - g->start);
    }
  }
  bool same = heads[0].size == heads[1].size &&
              !memcmp(rlx_buf_text(&heads[0]), rlx_buf_text(&heads[1]), heads[0].size);
  rlx_buf_free(&heads[0]);
  rlx_buf_free(&heads[1]);
  return same;
}

// ---- the whole

static bool find_base(Writer *w) {
  const Item *first = &w->items.at[w->body];
  const Group *g = group_of(&w->before, first->owner, STATEMENT, w->text, w->text);
  if (!g) return false;
  w->base_indent = first->indent;
  w->base_level = g->indent / LEVEL;
  w->unit = LEVEL;
  for (uint32_t i = 0; i + 1 < w->items.count; i++) {
    const Item *item = &w->items.at[i];
    if (!item->is_open || w->items.at[i + 1].indent <= item->indent) continue;
    w->unit = w->items.at[i + 1].indent - item->indent;
    break;
  }
  return true;
}

/// The function of `def`'s place in `text`, printed to be compared; its regions are completed.
static bool read_back(const Writer *w, const RlxBuf *text, RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(w->what->analyzer);
  RlxFile *file = rlx_file_open(w->what->analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  bool found = false;
  for (uint32_t i = 0; i < views.count && !found; i++) {
    if (views.at[i].stmt->start != w->what->def->start) continue;
    RlxPrimFunc *f = rlx_file_primfunc(file, views.at[i].stmt, NULL);
    found = !f->has_holes;
    rlx_primfunc_complete(store, f);
    rlx_primfunc_print(store, f, RLX_DIALECT_025, 0, out);
    rlx_primfunc_free(f);
  }
  rlx_vec_free(&views);
  rlx_file_close(file);
  return found;
}

static bool reads_back(const Writer *w, const RlxBuf *text) {
  RlxBuf wanted = {0}, got = {0};
  rlx_primfunc_print(rlx_analyzer_store(w->what->analyzer), w->what->after, RLX_DIALECT_025, 0,
                     &wanted);
  bool same = read_back(w, text, &got) && wanted.size == got.size &&
              !memcmp(rlx_buf_text(&wanted), rlx_buf_text(&got), got.size);
  rlx_buf_free(&wanted);
  rlx_buf_free(&got);
  return same;
}

/// The file with the function's new lines, which end as the line above does; what is around them stays as it is.
static void write(Writer *w, RlxBuf *text) {
  const Item *last = &w->items.at[w->items.count - 1];
  uint32_t size, from = w->items.at[0].lead, to = last->stop + (last->stop < w->size);
  const char *own = rlx_document_text(rlx_file_document(w->what->file), &size);
  RlxBuf lines = {0};
  w->out = &lines;
  write_head(w);
  for (uint32_t i = body_of(&w->after); i < w->after.groups.count; i++) write_group(w, i);
  if (last->stop == w->size && lines.size) // the file ends without a line end
    rlx_buf_truncate(&lines, lines.size - 1);
  rlx_buf_putn(text, own, from);
  rlx_put_lines(text, rlx_buf_text(&lines), rlx_newline_at(own, w->what->def->start));
  rlx_buf_putn(text, own + to, size - to);
  rlx_buf_free(&lines);
}

/// The name before `.prim_func` in the decorator.
static void find_alias(Writer *w) {
  const char *at = w->text + w->what->def->start, *end = w->text + w->size;
  memcpy(w->alias, "T", sizeof "T");
  size_t n = at < end && *at == '@' ? name_size(at + 1, end) : 0;
  if (n && n < ALIAS_MAX && starts(at + 1 + n, end, ".prim_func")) {
    memcpy(w->alias, at + 1, n);
    w->alias[n] = 0;
  }
}

static bool write_some_way(Writer *w, RlxBuf *out) {
  static const struct {
    bool keeps_lines, omits;
  } ways[] = {{true, true}, {true, false}, {false, false}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    RlxBuf text = {0};
    w->keeps_lines = ways[i].keeps_lines;
    w->omits = ways[i].omits;
    write(w, &text);
    bool ok = reads_back(w, &text);
    if (ok) rlx_buf_putn(out, rlx_buf_text(&text), text.size);
    rlx_buf_free(&text);
    if (ok) return true;
  }
  return false;
}

bool rlx_scheduled_text(const RlxScheduleText *what, RlxBuf *out) {
  Writer w = {.what = what, .body = UINT32_MAX, .origin = what->def->start};
  RlxBuf plain = {0};
  const char *own = rlx_document_text(rlx_file_document(what->file), &w.size);
  rlx_put_same_size(&plain, own, w.size);
  w.text = rlx_buf_text(&plain);
  w.dialect = rlx_file_dialect_at(what->file, what->def->start);
  find_alias(&w);
  print(&w, what->before, &w.before);
  print(&w, what->after, &w.after);
  bool ok = w.after.groups.count <= LINES_MAX && read_items(&w) && same_heads(&w) && find_base(&w);
  if (ok) {
    give_comments(&w);
    ok = write_some_way(&w, out);
  }
  Print *prints[] = {&w.before, &w.after};
  for (int k = 0; k < 2; k++) {
    rlx_buf_free(&prints[k]->text);
    rlx_vec_free(&prints[k]->marks);
    rlx_vec_free(&prints[k]->groups);
  }
  rlx_vec_free(&w.items);
  rlx_buf_free(&plain);
  return ok;
}
