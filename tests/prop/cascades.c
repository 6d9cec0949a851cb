/// One mistake gives one diagnostic: right scripts are broken in one place in many ways (a token
/// goes, a name is misspelt, a number or dtype changes, an argument goes, a line goes) and the
/// errors are counted.
#include "tests/prop/scripts.h"

#include <ctype.h>
#include <stdio.h>

typedef enum Way {
  TOKEN_GONE,
  NAME_CHANGED,
  NUMBER_CHANGED,
  DTYPE_CHANGED,
  ARGUMENT_GONE,
  LINE_GONE,
  WAYS
} Way;
static const char *const way_names[] = {"token gone",    "name changed",  "number changed",
                                        "dtype changed", "argument gone", "line gone"};

typedef struct Token {
  uint32_t start, end;
} Token;
typedef Vec(Token) Tokens;

typedef struct Tally {
  uint32_t broken[WAYS], errors[WAYS],
      many[WAYS]; ///< with an error; errors in them; with more than one
  uint32_t printed, tried;
} Tally;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Python's tokens, roughly; comments and line ends are none.
static void tokens_of(const RlxBuf *text, Tokens *out) {
  const char *s = rlx_buf_text(text);
  for (uint32_t i = 0; i < text->size;) {
    uint32_t start = i;
    if (isspace((unsigned char)s[i])) {
      i++;
      continue;
    }
    if (s[i] == '#') {
      while (i < text->size && s[i] != '\n') i++;
      continue;
    }
    if (s[i] == '"' || s[i] == '\'') {
      char quote = s[i++];
      while (i < text->size && s[i] != quote && s[i] != '\n') i++;
      i += i < text->size;
    } else if (is_word(s[i])) {
      while (i < text->size && is_word(s[i])) i++;
    } else
      i++;
    rlx_vec_push(out, (Token){start, i});
  }
}

static uint32_t errors_of(const char *text, size_t size, RlxBuf *what) {
  uint32_t errors = 0;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)size);
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  rlx_buf_clear(what);
  for (uint32_t i = 0; i < diags.count; i++) {
    if (diags.at[i].diag->severity != RLX_ERROR) continue;
    errors++;
    rlx_buf_printf(what, "    %s %.140s\n", rlx_diag_row(diags.at[i].diag->id)->code,
                   diags.at[i].diag->message);
  }
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return errors;
}

static void count(Tally *tally, Way way, const char *path, const RlxBuf *text, RlxSpan span,
                  const char *by) {
  RlxBuf changed = {0}, what = {0};
  rlx_buf_putn(&changed, rlx_buf_text(text), text->size);
  rlx_buf_splice(&changed, span.start, span.end, by, strlen(by));
  uint32_t errors = errors_of(rlx_buf_text(&changed), changed.size, &what);
  tally->tried++;
  if (errors) {
    tally->broken[way]++;
    tally->errors[way] += errors;
    tally->many[way] += errors > 1;
  }
  const char *least = getenv("RLX_SHOW");
  if (least && errors >= (uint32_t)atoi(least) && tally->printed++ < 60)
    printf("%s: %s: `%.*s` at byte %u\n%s", path, way_names[way], (int)(span.end - span.start),
           rlx_buf_text(text) + span.start, span.start, rlx_buf_text(&what));
  rlx_buf_free(&changed);
  rlx_buf_free(&what);
}

/// The argument that begins at token `i`, with a comma beside it; an empty span when it is none.
static RlxSpan argument_at(const RlxBuf *text, const Tokens *tokens, uint32_t i) {
  const char *s = rlx_buf_text(text);
  char before = i ? s[tokens->at[i - 1].start] : 0;
  if (before != '(' && before != ',') return rlx_span(0, 0);
  int depth = 0;
  for (uint32_t k = i; k < tokens->count; k++) {
    char c = s[tokens->at[k].start];
    if (depth == 0 && (c == ',' || c == ')')) {
      if (c == ',')
        return rlx_span(tokens->at[i].start,
                        k + 1 < tokens->count ? tokens->at[k + 1].start : tokens->at[k].end);
      return rlx_span(before == ',' ? tokens->at[i - 1].start : tokens->at[i].start,
                      tokens->at[k].start);
    }
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth < 0) break;
  }
  return rlx_span(0, 0);
}

static void break_token(Tally *tally, const char *path, const RlxBuf *text, const Tokens *tokens,
                        uint32_t i) {
  const char *s = rlx_buf_text(text);
  Token t = tokens->at[i];
  RlxSpan span = rlx_span(t.start, t.end);
  char changed[64];
  count(tally, TOKEN_GONE, path, text, span, "");
  if (isalpha((unsigned char)s[t.start]) && t.end - t.start < 40) {
    snprintf(changed, sizeof changed, "%.*s_q", (int)(t.end - t.start), s + t.start);
    count(tally, NAME_CHANGED, path, text, span, changed);
  }
  if (isdigit((unsigned char)s[t.start]) && t.end - t.start < 9) {
    snprintf(changed, sizeof changed, "%d", atoi(s + t.start) + 1);
    count(tally, NUMBER_CHANGED, path, text, span, changed);
  }
  if (t.end - t.start == 9 && strncmp(s + t.start + 1, "float32", 7) == 0)
    count(tally, DTYPE_CHANGED, path, text, span, "\"float16\"");
  RlxSpan argument = argument_at(text, tokens, i);
  if (argument.end > argument.start) count(tally, ARGUMENT_GONE, path, text, argument, "");
  if (t.start && s[t.start - 1] == ' ' && i &&
      memchr(s + tokens->at[i - 1].end, '\n', t.start - tokens->at[i - 1].end)) {
    uint32_t end = t.end;
    while (end < text->size && s[end] != '\n') end++;
    count(tally, LINE_GONE, path, text, rlx_span(t.start, end), "pass");
  }
}

/// Tokens behind the imports, one in `step`.
static void break_script(Tally *tally, const char *path, const RlxBuf *text, uint32_t step) {
  RlxBuf what = {0};
  Tokens tokens = {0};
  const char *s = rlx_buf_text(text), *island = strstr(s, "\n@");
  if (island && text->size < 20000 && errors_of(s, text->size, &what) == 0) {
    tokens_of(text, &tokens);
    for (uint32_t i = 0, seen = 0; i < tokens.count; i++)
      if (tokens.at[i].start > (uint32_t)(island - s) && seen++ % step == 0)
        break_token(tally, path, text, &tokens, i);
  }
  rlx_vec_free(&tokens);
  rlx_buf_free(&what);
}

static void one_mistake_one_diagnostic(void **state) {
  (void)state;
  Scripts scripts = {0};
  Tally tally = {0};
  RlxBuf text = {0};
  const bool whole = scripts_whole();
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "tests/golden/rules", 1);
  uint32_t own = scripts.paths.count;
  scripts_add(&scripts, "../shared/corpus/relax/as-written", whole ? 8 : 100);
  scripts_add(&scripts, "../shared/corpus/relax/printed", whole ? 20 : 250);
  for (uint32_t i = 0; i < scripts.paths.count; i++)
    if (scripts_read(scripts.paths.at[i], &text))
      break_script(&tally, scripts.paths.at[i], &text, whole ? 3 : i < own ? 5 : 11);
  uint32_t broken = 0, errors = 0, many = 0;
  for (int way = 0; way < WAYS; way++) {
    broken += tally.broken[way], errors += tally.errors[way], many += tally.many[way];
    printf("%-14s %6u with errors, %.3f errors each, %.1f %% with more than one\n", way_names[way],
           tally.broken[way],
           tally.broken[way] ? (double)tally.errors[way] / tally.broken[way] : 0.0,
           tally.broken[way] ? 100.0 * tally.many[way] / tally.broken[way] : 0.0);
  }
  printf("%-14s %6u with errors of %u, %.3f errors each, %.1f %% with more than one\n", "all",
         broken, tally.tried, broken ? (double)errors / broken : 0.0,
         broken ? 100.0 * many / broken : 0.0);
  scripts_free(&scripts);
  rlx_buf_free(&text);
  assert_true(broken > 100);
  assert_true((double)errors / broken <= 1.08);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_mistake_one_diagnostic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
