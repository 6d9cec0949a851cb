/// A rename changes names and nothing else: what the analysis says of the text stays, and renaming
/// back gives the text before. Names are picked at random in the scripts of examples/ and tests/golden,
/// or in the files that RLX_RENAME_FILES names (a text with a path a line). The seed is printed.
#include "analyzer/analyzer.h"
#include "analyzer/edit/rename.h"
#include "base/file.h"
#include "tests/test.h"

#include <glob.h>
#include <string.h>

typedef struct Finding {
  const char *code;
  uint32_t line;
} Finding;
typedef Vec(Finding) Findings;

static void findings(RlxFile *file, Findings *out) {
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    Finding f = {
        rlx_diag_row(diags.at[i].diag->id)->code,
        rlx_lines_locate(rlx_document_lines(rlx_file_document(file)), diags.at[i].span.start).line};
    rlx_vec_push(out, f);
  }
  rlx_vec_free(&diags);
}

/// A name without a meaning says more where something has that name elsewhere.
static bool is_one_kind(const char *a, const char *b) {
  bool is_nameless = (!strcmp(a, "RLX0201") && !strcmp(b, "RLX0207")) ||
                     (!strcmp(a, "RLX0207") && !strcmp(b, "RLX0201"));
  return is_nameless || !strcmp(a, b);
}

static bool has(const Findings *all, const Finding *one) {
  for (uint32_t i = 0; i < all->count; i++)
    if (all->at[i].line == one->line && is_one_kind(all->at[i].code, one->code)) return true;
  return false;
}

/// Says that a name is two things: a rename of one of them mends it.
static bool is_of_two(const char *code) {
  static const char *const codes[] = {"RLX0210", "RLX0213", "RLX0218", "RLX0219", "RLX0602"};
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
    if (!strcmp(code, codes[i])) return true;
  return false;
}

static bool is_unused(const char *code) { return !strcmp(code, "RLX0217"); }

/// Whether a rename left the findings as they were, and says what it did not. `say`: to stderr.
/// `hides`: one of the names begins with an underscore, which says that the name is not used.
static bool same_findings(const Findings *before, const Findings *after, bool hides, bool say) {
  uint32_t bad = 0;
  for (uint32_t i = 0; i < before->count; i++) {
    const Finding *f = &before->at[i];
    // What is used is told by names: another function's variable may seem to be.
    if (is_of_two(f->code) || is_unused(f->code) || has(after, f)) continue;
    if (say) fprintf(stderr, "    gone: %s in line %u\n", f->code, f->line + 1);
    bad++;
  }
  for (uint32_t i = 0; i < after->count; i++) {
    const Finding *f = &after->at[i];
    if ((hides && is_unused(f->code)) || has(before, f)) continue;
    if (say) fprintf(stderr, "    new: %s in line %u\n", f->code, f->line + 1);
    bad++;
  }
  return !bad;
}

/// No syntax, or a variable that says another name than it has: what a place means, nobody knows.
static bool is_broken(const Findings *all) {
  for (uint32_t i = 0; i < all->count; i++)
    if (!strcmp(all->at[i].code, "RLX0101") || !strcmp(all->at[i].code, "RLX0209")) return true;
  return false;
}

static void apply(RlxFile *file, const RlxRenameEdits *edits, const char *name, RlxBuf *out) {
  uint32_t size, at = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  for (uint32_t i = 0; i < edits->count; i++) {
    const RlxRenameEdit *edit = &edits->at[i];
    assert_true(edit->span.start >= at && edit->span.end <= size);
    rlx_buf_putn(out, text + at, edit->span.start - at);
    if (edit->keeps_before) {
      rlx_buf_putn(out, text + edit->span.start, edit->span.end - edit->span.start);
      rlx_buf_puts(out, " as ");
    }
    rlx_buf_puts(out, name);
    at = edit->span.end;
  }
  rlx_buf_putn(out, text + at, size - at);
}

/// Whether the symbol at `place` of the renamed text, called `old` again, gives the text before.
static bool is_undone(RlxFile *now, uint32_t place, const char *old, const char *text,
                      uint32_t size) {
  RlxSymbol symbol;
  RlxRenameEdits undo = {0};
  RlxBuf back = {0};
  if (!rlx_file_symbol_at(now, place, &symbol)) return false;
  rlx_symbol_rename_edits(now, &symbol, &undo);
  apply(now, &undo, old, &back);
  bool is = back.size == size && !memcmp(rlx_buf_text(&back), text, size);
  rlx_vec_free(&undo);
  rlx_buf_free(&back);
  return is;
}

/// 1 when a rename at `offset` broke something; `*tried` counts those that were carried out.
static int rename_at(RlxAnalyzer *analyzer, RlxFile *file, const Findings *before, uint32_t offset,
                     const char *name, const char *path, uint32_t *tried) {
  RlxSymbol symbol;
  RlxBuf why = {0}, renamed = {0};
  RlxRenameEdits edits = {0};
  Findings after = {0};
  uint32_t size;
  int bad = 0;
  bool can = rlx_file_symbol_at(file, offset, &symbol) &&
             rlx_symbol_can_rename(file, &symbol, &why) &&
             rlx_symbol_may_be_called(file, &symbol, name, &why);
  if (can) rlx_symbol_rename_edits(file, &symbol, &edits);
  if (edits.count) {
    (*tried)++;
    const char *text = rlx_document_text(rlx_file_document(file), &size);
    char old[128];
    int length = snprintf(old, sizeof old, "%.*s", (int)(symbol.span.end - symbol.span.start),
                          text + symbol.span.start);
    apply(file, &edits, name, &renamed);
    RlxFile *now = rlx_file_open(analyzer, rlx_buf_text(&renamed), (uint32_t)renamed.size);
    findings(now, &after);
    bool is_import = false, is_back = false, hides = *name == '_' || *old == '_';
    for (uint32_t i = 0; i < edits.count; i++) is_import |= edits.at[i].keeps_before;
    for (uint32_t i = 0; i < edits.count && !is_import && !is_back; i++) // an error's place may be
      is_back = is_undone(now, edits.at[i].span.start + i * (uint32_t)((int)strlen(name) - length),
                          old, text, size); // known by what is bound elsewhere alone
    // what R and T are called is a spelling by which dialects are recognised
    bool is_vague = is_import || is_broken(before);
    bool is_same =
        is_vague || symbol.kind == RLX_SYMBOL_OUTER || same_findings(before, &after, hides, false);
    if (!is_same || !(is_back || is_vague)) {
      fprintf(stderr, "%s: `%s` at byte %u (line %u), kind %d, to `%s`: %s\n", path, old, offset,
              rlx_lines_locate(rlx_document_lines(rlx_file_document(file)), offset).line + 1,
              symbol.kind, name,
              !is_same ? "other findings" : "not the same text when renamed back");
      same_findings(before, &after, hides, true);
      bad = 1;
    }
    rlx_file_close(now);
  }
  rlx_vec_free(&after);
  rlx_vec_free(&edits);
  rlx_buf_free(&why);
  rlx_buf_free(&renamed);
  return bad;
}

static bool begins_word(const char *text, uint32_t i) {
  char c = text[i], p = i ? text[i - 1] : ' ';
  bool is = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  bool was = p == '_' || (p >= 'a' && p <= 'z') || (p >= 'A' && p <= 'Z') || (p >= '0' && p <= '9');
  return is && !was;
}

/// A word of the text: what is likely to be in the way.
static void some_word(const char *text, uint32_t size, RlxTestRandom *random, char *out) {
  uint32_t at = rlx_test_below(random, size), length = 0;
  while (at < size && !begins_word(text, at)) at++;
  while (at + length < size && length < 60 &&
         (begins_word(text, at + length) || strchr("_0123456789", text[at + length]) ||
          (length && ((text[at + length] | 32) >= 'a' && (text[at + length] | 32) <= 'z'))))
    length++;
  memcpy(out, text + at, length);
  out[length] = 0;
  if (*out >= 'A' && *out <= 'Z') snprintf(out, 60, "renamed_here"); // `Tensor` is of a dialect
}

static int check(const char *path, RlxTestRandom *random, uint32_t *tried) {
  RlxBuf text = {0};
  RlxError err;
  if (!rlx_file_read_regular(path, 1 << 18, &text, &err)) {
    rlx_buf_free(&text);
    return 0;
  }
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  Findings before = {0};
  findings(file, &before);
  int bad = 0;
  RlxTestRandom own = *random; // what is tried in a file does not depend on the files before it
  for (const char *c = path; *c; c++)
    own.state = (own.state ^ (uint8_t)*c) * UINT64_C(0x100000001b3) + 1;
  random = &own;
  const char *rounds = getenv("RLX_RENAME_ROUNDS");
  for (int k = rounds ? atoi(rounds) : 48; k > 0 && text.size; k--) {
    uint32_t at = rlx_test_below(random, (uint32_t)text.size);
    while (at < text.size && !begins_word(rlx_buf_text(&text), at)) at++;
    char word[64];
    snprintf(word, sizeof word, "renamed_here");
    if (k % 3 == 0) some_word(rlx_buf_text(&text), (uint32_t)text.size, random, word);
    bad += rename_at(analyzer, file, &before, at, word, path, tried);
  }
  rlx_vec_free(&before);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
  return bad;
}

static void rename_keeps_the_analysis(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(1);
  const char *list = getenv("RLX_RENAME_FILES");
  uint32_t tried = 0;
  int bad = 0;
  if (list) {
    FILE *in = fopen(list, "r");
    char line[512];
    while (in && fgets(line, sizeof line, in)) {
      line[strcspn(line, "\n")] = 0;
      bad += check(line, &random, &tried);
    }
    if (in) fclose(in);
  } else {
    const char *const patterns[] = {"examples/*.py", "tests/golden/*/*.py"};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
      glob_t found;
      if (!glob(patterns[p], 0, NULL, &found))
        for (size_t i = 0; i < found.gl_pathc; i++)
          bad += check(found.gl_pathv[i], &random, &tried);
      globfree(&found);
    }
    assert_true(tried > 100);
  }
  printf("%u renames\n", tried);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rename_keeps_the_analysis)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
