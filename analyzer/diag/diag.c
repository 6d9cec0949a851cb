/// Diagnostics: the table of rows, and what makes one.
///
/// Always true: everything a diagnostic points to lives in its sink's arena or in constant data.
#include "analyzer/diag/diag.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "analyzer/diag/traits.h"
#include "analyzer/symbolic/dtype.h"
#include "base/text.h"

#define RLX_DIAG(id, code, name, severity, message, explanation, wrong, right)                     \
  {#id, code, name, RLX_##severity, message, explanation, wrong, right},
static const RlxDiagRow rows[] = {
#include "analyzer/diag/diags.def"
};
#undef RLX_DIAG
enum { COUNT = sizeof rows / sizeof *rows };
_Static_assert(sizeof rows / sizeof *rows <= RLX_DIAG_MAX,
               "RLX_DIAG_MAX is the size of arrays with an element a row");

// ---- what RLX_DIAG_ID resolves to
enum {
#define RLX_DIAG(id, code, name, severity, message, explanation, wrong, right) PLACE_##id,
#include "analyzer/diag/diags.def"
#undef RLX_DIAG
};
#define RLX_DIAG(id, code, name, severity, message, explanation, wrong, right)                     \
  extern const RlxDiagId rlx_diag_id_##id;                                                         \
  const RlxDiagId rlx_diag_id_##id = PLACE_##id;
#include "analyzer/diag/diags.def"
#undef RLX_DIAG

// ---- traits
enum {
  OPERANDS = RLX_TRAIT_OPERANDS,
  CALL = RLX_TRAIT_CALL,
  UNUSED = RLX_TRAIT_UNUSED,
  SIZE = RLX_TRAIT_SIZE,
  DEDUCED_LATE = RLX_TRAIT_DEDUCED_LATE,
  MADE_LATE = RLX_TRAIT_MADE_LATE,
  ALONE = RLX_TRAIT_ALONE
};
static const uint8_t traits[COUNT] = {
#define RLX_TRAITS(id, traits) [PLACE_##id] = (traits),
#include "analyzer/diag/traits.def"
#undef RLX_TRAITS
};

bool rlx_diag_has(RlxDiagId id, RlxTrait trait) {
  return id < (RlxDiagId)COUNT && (traits[id] & trait);
}

// ---- fixes

#define RLX_FIX(diag, safety, title) {PLACE_##diag, FIX_##safety, title},
enum { FIX_UNSAFE, FIX_SAFE };
static const RlxFixRow fix_rows[] = {
#include "analyzer/diag/fixes.def"
};
#undef RLX_FIX

const RlxFixRow *rlx_fix_rows(int *count) {
  *count = sizeof fix_rows / sizeof *fix_rows;
  return fix_rows;
}

/// Whether `title` is `pattern` with something in place of each "…".
static bool fits(const char *pattern, const char *title) {
  static const char gap[] = "…";
  const char *next = strstr(pattern, gap);
  if (!next) return strcmp(pattern, title) == 0;
  size_t before = (size_t)(next - pattern);
  if (strncmp(pattern, title, before) != 0) return false;
  for (title += before; *title; title++)
    if (fits(next + sizeof gap - 1, title + 1)) return true;
  return false;
}

const RlxFixRow *rlx_fix_row(RlxDiagId diag, const char *title) {
  for (size_t i = 0; i < sizeof fix_rows / sizeof *fix_rows; i++)
    if (fix_rows[i].diag == diag && fits(fix_rows[i].title, title)) return &fix_rows[i];
  return NULL;
}

int rlx_diag_count(void) { return COUNT; }

enum { MAX_ARGS = 10 }; // {0} … {9}

const RlxDiagRow *rlx_diag_row(RlxDiagId id) { return id < (RlxDiagId)COUNT ? &rows[id] : NULL; }

const RlxDiagRow *rlx_diag_find(const char *code_or_name) {
  for (int low = 0, high = COUNT; low < high;) { // rows stand in the order of their codes
    const int middle = low + (high - low) / 2, order = strcmp(code_or_name, rows[middle].code);
    if (order == 0) return &rows[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  for (int i = 0; i < COUNT; i++)
    if (*rows[i].name == *code_or_name && strcmp(rows[i].name, code_or_name) == 0) return &rows[i];
  return NULL;
}

/// Appends part of an argument as it may be shown; marks for lines stay (line_words.h).
static void put_shown(RlxBuf *text, const char *part, size_t size) {
  const char *bound = memchr(part, RLX_LINE_MARK_BOUND, size);
  for (; bound; bound = memchr(part, RLX_LINE_MARK_BOUND, size)) {
    rlx_text_put_shown(text, part, (size_t)(bound - part));
    rlx_buf_putc(text, RLX_LINE_MARK_BOUND);
    size -= (size_t)(bound + 1 - part);
    part = bound + 1;
  }
  rlx_text_put_shown(text, part, size);
}

/// What a message says of one thing; of a longer one it says the beginning.
enum { ARGUMENT_MAX = 4096 };

static void put_argument(RlxBuf *text, const char *argument) {
  size_t size = strlen(argument);
  if (size <= ARGUMENT_MAX) {
    put_shown(text, argument, size);
    return;
  }
  size = ARGUMENT_MAX;
  while (size && rlx_utf8_is_continuation(argument[size])) size--; // whole characters
  put_shown(text, argument, size);
  rlx_buf_puts(text, "…");
}

/// "{1|index|indices}" at `p`: the argument as a count, and the word for so many. What follows it, or NULL.
static const char *put_count(RlxBuf *text, const char *p, const char *const *args, int count) {
  if (p[0] != '{' || p[1] < '0' || p[1] > '9' || p[1] - '0' >= count || p[2] != '|') return NULL;
  const char *one = p + 3, *many = strchr(one, '|'), *end = many ? strchr(many, '}') : NULL;
  if (!end) return NULL;
  const char *number = args[p[1] - '0'];
  const bool is_one = strcmp(number, "1") == 0;
  rlx_buf_printf(text, "%s ", number);
  rlx_buf_putn(text, is_one ? one : many + 1, (size_t)(is_one ? many - one : end - many - 1));
  return end + 1;
}

/// `message` with {0} and {0|word|words} replaced; an argument that is missing stays as "{0}", which a
/// test finds.
static const char *format_message(RlxArena *arena, const char *message, const char *const *args,
                                  int count) {
  RlxBuf text = {0};
  for (const char *p = message, *next; *p; p++) {
    if ((next = put_count(&text, p, args, count))) {
      p = next - 1;
    } else if (p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}' && p[1] - '0' < count) {
      put_argument(&text, args[p[1] - '0']);
      p += 2;
    } else {
      rlx_buf_putc(&text, *p);
    }
  }
  char *kept = rlx_arena_strdup(arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

RlxDiag *rlx_report(RlxSink *sink, RlxDiagId id, RlxSpan span, const char *const *args, int count) {
  RlxDiag *diag = rlx_arena_one(sink->arena, RlxDiag);
  diag->id = id;
  diag->severity = (uint8_t)rows[id].severity;
  diag->span = span;
  diag->message = sink->is_silent ? "" : format_message(sink->arena, rows[id].message, args, count);
  rlx_vec_push(&sink->diags, diag);
  return diag;
}

RlxDiag *rlx_vreportf(RlxSink *sink, RlxDiagId id, RlxSpan span, const char *kinds,
                      va_list values) {
  char numbers[MAX_ARGS][24];
  const char *args[MAX_ARGS];
  int count = 0;
  for (const char *k = kinds; *k && count < MAX_ARGS; k++, count++) {
    args[count] = numbers[count];
    switch (*k) {
    case 's': args[count] = va_arg(values, const char *); break;
    case 'i': snprintf(numbers[count], sizeof numbers[count], "%d", va_arg(values, int)); break;
    case 'd':
      snprintf(numbers[count], sizeof numbers[count], "%lld", (long long)va_arg(values, int64_t));
      break;
    case 'u':
      snprintf(numbers[count], sizeof numbers[count], "%llu",
               (unsigned long long)va_arg(values, uint64_t));
      break;
    default: args[count] = "?"; break;
    }
    if (!args[count]) args[count] = "";
  }
  return rlx_report(sink, id, span, args, count);
}

RlxDiag *rlx_reportf(RlxSink *sink, RlxDiagId id, RlxSpan span, const char *kinds, ...) {
  va_list values;
  va_start(values, kinds);
  RlxDiag *diag = rlx_vreportf(sink, id, span, kinds, values);
  va_end(values);
  return diag;
}

void rlx_diag_related(RlxSink *sink, RlxDiag *diag, const void *stmt, RlxSpan span,
                      const char *message) {
  RlxRelated *grown = rlx_arena_array(sink->arena, RlxRelated, diag->related_count + 1);
  if (diag->related_count) memcpy(grown, diag->related, diag->related_count * sizeof *grown);
  grown[diag->related_count++] =
      (RlxRelated){span, stmt, rlx_arena_strdup(sink->arena, message), NULL};
  diag->related = grown;
}

void rlx_diag_related_var(RlxSink *sink, RlxDiag *diag, const void *var, const char *message) {
  rlx_diag_related(sink, diag, NULL, rlx_span(0, 0), message);
  diag->related[diag->related_count - 1].var = var;
}

void rlx_diag_wish(RlxSink *sink, RlxDiag *diag, RlxWish wish) {
  RlxWish *grown = rlx_arena_array(sink->arena, RlxWish, diag->wish_count + 1);
  if (diag->wish_count) memcpy(grown, diag->wishes, diag->wish_count * sizeof *grown);
  grown[diag->wish_count++] = wish;
  diag->wishes = grown;
}

void rlx_diag_fix_is_guess(RlxDiag *diag) {
  if (diag->fix_count) diag->fixes[diag->fix_count - 1].is_safe = false;
}

void rlx_diag_fix(RlxSink *sink, RlxDiag *diag, const char *title, RlxSpan span, const char *text) {
  RlxFix *grown = rlx_arena_array(sink->arena, RlxFix, diag->fix_count + 1);
  if (diag->fix_count) memcpy(grown, diag->fixes, diag->fix_count * sizeof *grown);
  const RlxFixRow *row = rlx_fix_row(diag->id, title);
  grown[diag->fix_count++] =
      (RlxFix){.title = rlx_arena_strdup(sink->arena, title), .is_safe = row && row->is_safe};
  diag->fixes = grown;
  rlx_diag_fix_edit(sink, diag, span, text);
}

void rlx_diag_fix_dtype(RlxSink *sink, RlxDiag *diag, RlxSpan span, const char *text) {
  const char *nearest = rlx_dtype_nearest(text);
  if (nearest)
    rlx_diag_fix(sink, diag, rlx_arena_printf(sink->arena, "change to `%s`", nearest), span,
                 rlx_arena_printf(sink->arena, "\"%s\"", nearest));
}

void rlx_diag_fix_edit(RlxSink *sink, RlxDiag *diag, RlxSpan span, const char *text) {
  if (diag->fix_count == 0) return;
  RlxFix *fix = &diag->fixes[diag->fix_count - 1];
  RlxEdit *grown = rlx_arena_array(sink->arena, RlxEdit, fix->edit_count + 1);
  if (fix->edit_count) memcpy(grown, fix->edits, fix->edit_count * sizeof *grown);
  grown[fix->edit_count++] = (RlxEdit){span, rlx_arena_strdup(sink->arena, text)};
  fix->edits = grown;
}

void rlx_diag_fix_at(RlxSink *sink, RlxDiag *diag, const char *title, const void *stmt,
                     RlxSpan span, const char *text) {
  rlx_diag_fix(sink, diag, title, span, text);
  diag->fixes[diag->fix_count - 1].stmt = stmt;
}
