/// No mistake hides another: right scripts are broken in two places that have nothing to do with
/// each other, where each mistake alone gives an error at its own place, and both must be reported:
/// as an error there or as a related place of an equal one. Two places are two functions, or two
/// statements of one function of which none uses, directly or not, what the other defines. What
/// does not parse may hide what stands behind it in its own function, nothing else. RLX_SHOW=1
/// prints the pairs of which one is lost.
#include "tests/prop/mistakes.h"

/// The lines on which a script has errors, in the lines of the whole script.
typedef struct Places {
  Vec(uint32_t) lines;
  bool has_syntax;
} Places;

typedef struct Mistake {
  Way way;
  RlxSpan span;
  char *by;
  uint32_t line;
  Places places; ///< with this mistake alone
} Mistake;
typedef Vec(Mistake) Mistakes;

/// What a line of a script belongs to.
typedef struct Line {
  uint32_t start, end;
  int32_t fn;         ///< which outermost function; -1: none
  uint32_t statement; ///< where its statement begins, as a line
  bool is_header;     ///< of a decorator, a signature or a block
} Line;
typedef Vec(Line) Lines;

typedef struct Script {
  const char *path;
  const RlxBuf *text;
  Lines lines;
  Mistakes mistakes;
} Script;

typedef struct Tally {
  uint32_t functions, statements, lost_functions, lost_statements, lost_anew;
} Tally;

// ---- lines

static uint32_t line_at(const Script *s, uint32_t offset) {
  uint32_t low = 0, high = s->lines.count;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (s->lines.at[middle].start <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void find_lines(Script *s) {
  const char *text = rlx_buf_text(s->text);
  int32_t fn = -1;
  int depth = 0;           // of brackets
  uint32_t def_indent = 0; // of the function that is open
  bool is_open = false, is_decorated = false;
  for (uint32_t at = 0; at < s->text->size;) {
    uint32_t end = at, indent = at;
    while (end < s->text->size && text[end] != '\n') end++;
    while (indent < end && text[indent] == ' ') indent++;
    const char *line = text + indent;
    Line l = {.start = at, .end = end, .statement = s->lines.count};
    const bool is_def = strncmp(line, "def ", 4) == 0;
    if (depth)
      l.statement = s->lines.at[s->lines.count - 1].statement;
    else if (indent < end) {
      if (is_open && indent - at <= def_indent && !(is_def && is_decorated)) is_open = false;
      if (!is_open && (is_def || *line == '@')) {
        fn += !is_decorated;
        def_indent = indent - at;
        is_decorated = *line == '@';
        is_open = !is_decorated;
      } else if (strncmp(line, "class ", 6) == 0) { // the decorators were the class's
        for (uint32_t i = s->lines.count; is_decorated && i-- > 0 && s->lines.at[i].fn == fn;)
          s->lines.at[i].fn = -1;
        is_decorated = false;
      }
    }
    l.fn = is_open || is_decorated ? fn : -1;
    for (uint32_t i = indent; i < end && text[i] != '#'; i++) {
      depth += strchr("([{", text[i]) != NULL;
      depth -= depth && strchr(")]}", text[i]) != NULL;
    }
    l.is_header = is_decorated || (end > indent && text[end - 1] == ':') ||
                  (l.statement < s->lines.count && s->lines.at[l.statement].is_header);
    rlx_vec_push(&s->lines, l);
    if (is_def && depth) s->lines.at[s->lines.count - 1].is_header = true;
    at = end + 1;
  }
}

static RlxSpan statement_span(const Script *s, uint32_t line) {
  uint32_t first = s->lines.at[line].statement, last = line;
  while (last + 1 < s->lines.count && s->lines.at[last + 1].statement == first) last++;
  return rlx_span(s->lines.at[first].start, s->lines.at[last].end);
}

static bool has_word(const char *text, RlxSpan span, const char *word, uint32_t size) {
  for (uint32_t i = span.start; i + size <= span.end; i++)
    if (strncmp(text + i, word, size) == 0 && (i == 0 || !is_word(text[i - 1])) &&
        !is_word(text[i + size]))
      return true;
  return false;
}

/// Whether the statement `user` reads what `maker` binds: the words before its first `=`, all of
/// them when it may bind symbolic variables, stores or declares.
static bool reads(const Script *s, RlxSpan user, RlxSpan maker) {
  const char *text = rlx_buf_text(s->text);
  bool all = memmem(text + maker.start, maker.end - maker.start, "match_", 6) != NULL;
  for (uint32_t i = maker.start; i < maker.end && (all || !strchr("=(", text[i])); i++) {
    uint32_t end = i;
    if (!is_word(text[i]) || (i && is_word(text[i - 1]))) continue;
    while (end < maker.end && is_word(text[end])) end++;
    if (isalpha((unsigned char)text[i]) && has_word(text, user, text + i, end - i)) return true;
  }
  return false;
}

/// Whether the statement at line `to` depends on that at line `from`, which stands before it.
static bool depends(const Script *s, uint32_t from, uint32_t to) {
  bool *tainted = calloc(s->lines.count, sizeof *tainted);
  const uint32_t first = s->lines.at[from].statement, last = s->lines.at[to].statement;
  tainted[first] = true;
  for (uint32_t i = first + 1; i <= last; i++)
    if (s->lines.at[i].statement == i)
      for (uint32_t k = first; k < i && !tainted[i]; k++)
        tainted[i] = tainted[k] && reads(s, statement_span(s, i), statement_span(s, k));
  bool result = tainted[last];
  free(tainted);
  return result;
}

// ---- mistakes

/// Where an offset of a changed text is in the whole one; `edits` in the order of places.
static uint32_t map_back(uint32_t offset, const Mistake *const *edits, uint32_t count) {
  int64_t shift = 0;
  for (uint32_t i = 0; i < count; i++) {
    const Mistake *m = edits[i];
    const int64_t size = (int64_t)strlen(m->by), start = m->span.start + shift;
    if (offset < start) break;
    if (offset < start + size) return m->span.start;
    shift += size - (int64_t)(m->span.end - m->span.start);
  }
  int64_t result = (int64_t)offset - shift;
  return result < 0 ? 0 : (uint32_t)result;
}

/// Analyses a script with mistakes; `what` may be NULL.
static Places places_of(const Script *s, const Mistake *const *edits, uint32_t count,
                        RlxBuf *what) {
  RlxBuf changed = {0};
  Places places = {0};
  rlx_buf_putn(&changed, rlx_buf_text(s->text), s->text->size);
  for (uint32_t i = count; i-- > 0;)
    rlx_buf_splice(&changed, edits[i]->span.start, edits[i]->span.end, edits[i]->by,
                   strlen(edits[i]->by));
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&changed), (uint32_t)changed.size);
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR) continue;
    uint32_t line = line_at(s, map_back(d->span.start, edits, count));
    rlx_vec_push(&places.lines, line);
    places.has_syntax |= d->diag->id == RLX_DIAG_ID(SYNTAX);
    if (what)
      rlx_buf_printf(what, "    %s line %u: %.140s\n", rlx_diag_row(d->diag->id)->code, line + 1,
                     d->diag->message);
    for (uint32_t k = 0; k < d->diag->related_count; k++)
      if (strcmp(d->diag->related[k].message, "here, too") == 0 ||
          strcmp(d->diag->related[k].message, "this call does not fit, either") == 0)
        rlx_vec_push(&places.lines,
                     line_at(s, map_back(rlx_file_diag_related(d, k).start, edits, count)));
  }
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&changed);
  return places;
}

/// Keeps mistakes that are reported in the function that they are made in.
static void add_mistake(void *user, Way way, RlxSpan span, const char *by) {
  Script *s = user;
  Mistake m = {.way = way, .span = span, .line = line_at(s, span.start)};
  const Mistake *edit = &m;
  m.by = strdup(by);
  if (s->lines.at[m.line].fn >= 0) m.places = places_of(s, &edit, 1, NULL);
  bool is_own = m.places.lines.count > 0;
  for (uint32_t i = 0; i < m.places.lines.count; i++)
    is_own &= s->lines.at[m.places.lines.at[i]].fn == s->lines.at[m.line].fn;
  if (is_own) {
    rlx_vec_push(&s->mistakes, m);
    return;
  }
  rlx_vec_free(&m.places.lines);
  free(m.by);
}

static bool shares(const Places *a, const Places *b) {
  for (uint32_t i = 0; i < a->lines.count; i++)
    for (uint32_t k = 0; k < b->lines.count; k++)
      if (a->lines.at[i] == b->lines.at[k]) return true;
  return false;
}

/// Whether all that is said of a mistake stands on its own statement.
static bool is_local(const Script *s, const Mistake *m) {
  for (uint32_t i = 0; i < m->places.lines.count; i++)
    if (s->lines.at[m->places.lines.at[i]].statement != s->lines.at[m->line].statement)
      return false;
  return true;
}

/// Whether the statement at a line names a function, or depends on one of its function that does:
/// what a call gives is not known when the signature is not.
static bool uses_call(const Script *s, uint32_t line, const char *name, uint32_t size) {
  const char *text = rlx_buf_text(s->text);
  if (has_word(text, statement_span(s, line), name, size)) return true;
  for (uint32_t i = line; i-- > 0 && s->lines.at[i].fn == s->lines.at[line].fn;)
    if (s->lines.at[i].statement == i && !s->lines.at[i].is_header &&
        has_word(text, statement_span(s, i), name, size) && depends(s, i, line))
      return true;
  return false;
}

/// Whether a mistake is where a function that the statement of `user` names says what it takes: its
/// signature, the buffers of a PrimFunc. What does not parse may be that.
static bool calls(const Script *s, const Mistake *user, const Mistake *m) {
  const char *text = rlx_buf_text(s->text);
  const Line *line = &s->lines.at[m->line];
  const RlxSpan own = statement_span(s, m->line);
  if (!line->is_header && !m->places.has_syntax &&
      !memmem(text + own.start, own.end - own.start, "match_buffer", 12))
    return false;
  for (uint32_t i = 0; i < s->lines.count; i++) {
    const Line *l = &s->lines.at[i];
    const char *def =
        l->fn == line->fn ? memmem(text + l->start, l->end - l->start, "def ", 4) : NULL;
    if (!def) continue;
    uint32_t size = (uint32_t)strspn(def + 4, "abcdefghijklmnopqrstuvwxyz_0123456789");
    for (uint32_t k = 0; k < user->places.lines.count; k++)
      if (uses_call(s, user->places.lines.at[k], def + 4, size)) return true;
    return false;
  }
  return false;
}

/// Whether two mistakes, `a` before `b`, have nothing to do with each other.
static bool are_independent(const Script *s, const Mistake *a, const Mistake *b) {
  const Line *one = &s->lines.at[a->line], *other = &s->lines.at[b->line];
  if (a->span.end >= b->span.start || shares(&a->places, &b->places)) return false;
  if (one->fn != other->fn) return !calls(s, a, b) && !calls(s, b, a);
  // A line that is indented may go on with the one above.
  if (b->places.has_syntax && s->lines.at[b->line].statement == a->line + 1) return false;
  return !one->is_header && !other->is_header && one->statement != other->statement &&
         !a->places.has_syntax && is_local(s, a) && is_local(s, b) && !depends(s, a->line, b->line);
}

static bool is_said(const Places *both, const Mistake *m) {
  for (uint32_t i = 0; i < both->lines.count; i++)
    if (both->lines.at[i] == m->line) return true;
  return shares(both, &m->places);
}

/// Pairs of which one mistake hides the other: signatures and decorators that do not parse take
/// what follows them along. Whoever adds one says why it can't be mended; who mends one takes it
/// out.
static const struct {
  const char *script;
  uint32_t first, second; ///< lines, from 1
} known[] = {
    // a bracket of a signature, or the line with its end
    {"examples/call_tir_scheduled.py", 19, 44},
    {"examples/call_tir_scheduled.py", 20, 44},
    {"examples/control_flow.py", 16, 27},
    {"examples/conv_block.py", 15, 37},
    {"examples/conv_block.py", 15, 39},
    {"examples/conv_block.py", 15, 44},
    {"examples/tuples.py", 12, 28},
    {"examples/two_functions.py", 27, 34},
    {"tests/golden/rules/21_regions.py", 8, 39},
    {"tests/golden/rules/33_overwritten_shared.py", 71, 154},
    // a decorator that does not parse: which functions the module has is not known
    {"tests/golden/rules/33_overwritten_shared.py", 47, 69},
    // an indentation that fits no block: what it takes along has none, either
    {"examples/call_tir_scheduled.py", 18, 39},
    {"examples/rms_norm.py", 13, 27},
    {"examples/rms_norm.py", 27, 43},
    {"tests/golden/rules/32_overwritten.py", 31, 73},
    {"tests/golden/rules/32_overwritten.py", 57, 91},
    {"tests/golden/rules/33_overwritten_shared.py", 81, 100},
    {"tests/golden/rules/33_overwritten_shared.py", 38, 102},
    {"tests/golden/rules/33_overwritten_shared.py", 81, 102},
    {"tests/golden/rules/33_overwritten_shared.py", 35, 81},
    {"tests/golden/rules/04_sharing.py", 10, 35},
    {"tests/golden/rules/21_types_through_views.py", 5, 18},
    {"tests/golden/rules/21_types_through_views.py", 13, 18},
    {"tests/golden/rules/04_sharing.py", 11, 15},
    {"tests/golden/rules/04_sharing.py", 11, 35},
    {"../shared/corpus/relax/printed/transform_gradient_te_register__emit_te__p02.py", 11, 16},
    // without a decorator that is TVM's the file has no TVMScript
    {"examples/tuples.py", 10, 26},
    // the loop's targets and the arguments of its T.grid: two lists of which one is broken
    {"../shared/corpus/relax/as-written/"
     "transform_legalize_ops_manipulate__permute_dims_symbolic__w02.py",
     27, 29},
    // one name, misspelt alike in two places, is one report
    {"../shared/corpus/relax/printed/transform_gradient_te_register__emit_te__p02.py", 23, 25},
    // what was a function's body stands around the others for the parser, so that its names are
    // theirs, too: an undefined one is found there
    {"examples/control_flow.py", 16, 36},
    {"examples/control_flow.py", 16, 45},
    {"examples/mlp.py", 17, 39},
    {"tests/golden/rules/32_overwritten.py", 43, 79},
    {"tests/golden/rules/33_overwritten_shared.py", 44, 83},
    {"../shared/corpus/relax/as-written/"
     "transform_legalize_ops_manipulate__permute_dims_symbolic__w02.py",
     7, 21},
    // `def` itself
    {"../shared/corpus/relax/printed/transform_gradient_te_register__emit_te__p02.py", 9, 17},
    {"../shared/corpus/relax/printed/transform_gradient_te_register__emit_te__p02.py", 11, 17},
};

static bool is_known(const Script *s, const Mistake *a, const Mistake *b) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].script, s->path) == 0 && known[i].first == a->line + 1 &&
        known[i].second == b->line + 1)
      return true;
  return false;
}

static void try_pair(const Script *s, Tally *tally, const Mistake *a, const Mistake *b) {
  const Mistake *edits[] = {a, b};
  RlxBuf what = {0};
  Places both = places_of(s, edits, 2, &what);
  const bool other_fn = s->lines.at[a->line].fn != s->lines.at[b->line].fn;
  const bool is_lost = !is_said(&both, a) || !is_said(&both, b);
  *(other_fn ? &tally->functions : &tally->statements) += 1;
  *(other_fn ? &tally->lost_functions : &tally->lost_statements) += is_lost;
  const bool is_new = is_lost && !is_known(s, a, b);
  tally->lost_anew += is_new;
  if (is_new || (is_lost && getenv("RLX_SHOW"))) {
    printf("%s\n", s->path);
    for (int i = 0; i < 2; i++) {
      const Mistake *m = edits[i];
      printf("  %u: %s: `%.*s` to `%s`; alone, on line %u%s\n", m->line + 1, way_names[m->way],
             (int)(m->span.end - m->span.start), rlx_buf_text(s->text) + m->span.start, m->by,
             m->places.lines.at[0] + 1, is_said(&both, m) ? "" : ": LOST");
    }
    printf("%s", rlx_buf_text(&what));
  }
  rlx_vec_free(&both.lines);
  rlx_buf_free(&what);
}

/// Each mistake with up to `each` others, chosen by the script's name alone: another script more
/// changes no pair of this one.
static void try_script(Tally *tally, const char *path, const RlxBuf *text, uint32_t step,
                       uint32_t each) {
  uint32_t seed = 1;
  for (const char *c = path; *c; c++) seed = seed * 31 + (unsigned char)*c;
  Script s = {.path = path, .text = text};
  Patient patient = {.text = text, .count = add_mistake, .user = &s};
  if (text->size == 0 || text->size > 20000) return;
  find_lines(&s);
  Places whole = places_of(&s, NULL, 0, NULL);
  if (whole.lines.count == 0) break_script(&patient, step);
  for (uint32_t i = 0; i < s.mistakes.count; i++)
    for (uint32_t k = 0, done = 0; k < 8 && done < each; k++) {
      seed = seed * 1664525u + 1013904223u;
      const Mistake *a = &s.mistakes.at[i], *b = &s.mistakes.at[(seed >> 8) % s.mistakes.count];
      const bool before = a->span.start < b->span.start;
      if (!are_independent(&s, before ? a : b, before ? b : a)) continue;
      try_pair(&s, tally, before ? a : b, before ? b : a);
      done++;
    }
  for (uint32_t i = 0; i < s.mistakes.count; i++) {
    rlx_vec_free(&s.mistakes.at[i].places.lines);
    free(s.mistakes.at[i].by);
  }
  rlx_vec_free(&whole.lines);
  rlx_vec_free(&s.mistakes);
  rlx_vec_free(&s.lines);
}

static void no_mistake_hides_another(void **state) {
  (void)state;
  Scripts scripts = {0};
  Tally tally = {0};
  RlxBuf text = {0};
  const bool whole = scripts_whole();
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "tests/golden/rules", 1);
  uint32_t own = scripts.paths.count;
  scripts_add(&scripts, "../shared/corpus/relax/as-written", whole ? 8 : 80);
  scripts_add(&scripts, "../shared/corpus/relax/printed", whole ? 20 : 200);
  for (uint32_t i = 0; i < scripts.paths.count; i++)
    if (scripts_read(scripts.paths.at[i], &text))
      try_script(&tally, scripts.paths.at[i], &text, whole ? 3 : i < own ? 7 : 13, whole ? 2 : 1);
  printf("two functions: %u pairs, %u lost; two statements: %u pairs, %u lost\n", tally.functions,
         tally.lost_functions, tally.statements, tally.lost_statements);
  scripts_free(&scripts);
  rlx_buf_free(&text);
  assert_true(tally.functions > 100 && tally.statements > 20);
  if (!whole) assert_int_equal(tally.lost_anew, 0); // those that are lost stand in `known`
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_mistake_hides_another)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
