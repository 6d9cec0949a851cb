// The operator table and the diagnostics: every row is consistent.
#include "analyzer/diag/diag.h"
#include "analyzer/ops/explain.h"
#include "analyzer/ops/op_ids.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/symbolic/dtype.h"
#include "tests/test.h"

#include <ctype.h>
#include <string.h>

/// Is `text` a Python literal that the driver can read as a value of this kind?
static bool is_default_of(const RlxOpParam *p) {
  const char *text = p->default_text;
  char *end;
  if (strcmp(text, "None") == 0) return true;
  switch (p->kind) {
  case RLX_PARAM_BOOL: return strcmp(text, "True") == 0 || strcmp(text, "False") == 0;
  case RLX_PARAM_INT: (void)strtol(text, &end, 10); return *end == '\0';
  case RLX_PARAM_FLOAT: (void)strtod(text, &end); return *end == '\0';
  case RLX_PARAM_PRIM: (void)strtol(text, &end, 10); return *end == '\0';
  case RLX_PARAM_STR:
  case RLX_PARAM_DTYPE: return text[0] == '"' && text[strlen(text) - 1] == '"';
  case RLX_PARAM_INTS: return text[0] == '[' || isdigit((unsigned char)text[0]) || text[0] == '-';
  case RLX_PARAM_ANY:
    return text[0] == '[' || strcmp(text, "True") == 0 || strcmp(text, "False") == 0;
  case RLX_PARAM_TENSOR:
  case RLX_PARAM_EXPR:
  case RLX_PARAM_SHAPE:
  case RLX_PARAM_TUPLE:
  case RLX_PARAM_CALLEE:
  case RLX_PARAM_SINFO: return false;
  }
  return false;
}

/// Is the text between the quotes of `literal` one of "A|B|C"?
static bool is_allowed(const char *allowed, const char *literal) {
  size_t size = strlen(literal) - 2;
  for (const char *word = allowed;;) {
    size_t n = strcspn(word, "|");
    if (n == size && strncmp(word, literal + 1, n) == 0) return true;
    if (!word[n]) return false;
    word += n + 1;
  }
}

static void rows_are_consistent(void **state) {
  (void)state;
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  assert_int_equal(count, RLX_OPID_COUNT - 1);
  for (int i = 0; i < count; i++) {
    const RlxOpRow *row = &rows[i];
    assert_int_equal(row->id, i + 1);
    assert_ptr_equal(rlx_op_row(row->id), row);
    assert_non_null(row->deduce);
    assert_true(strncmp(row->registry, "relax.", 6) == 0);
    assert_non_null(strchr(row->doc, '\n'));
    bool optional = false;
    for (int k = 0; k < row->param_count; k++) {
      const RlxOpParam *p = &row->params[k];
      assert_true(isalpha((unsigned char)p->name[0]));
      assert_true(p->meaning[0] != '\0');
      assert_int_equal(rlx_op_param(row, p->name), k);
      assert_true(p->is_required == (p->default_text == NULL && !p->is_variadic));
      if (p->is_required) assert_false(optional);
      optional |= !p->is_required && !p->is_variadic;
      if (p->default_text && !is_default_of(p))
        fail_msg("%s: default %s of %s", row->registry, p->default_text, p->name);
      if (p->allowed && p->default_text[0] == '"')
        assert_true(is_allowed(p->allowed, p->default_text));
      RlxDType t;
      if (p->kind == RLX_PARAM_DTYPE && p->default_text && p->default_text[0] == '"') {
        assert_true(rlx_dtype_parse(p->default_text + 1, strlen(p->default_text) - 2, &t));
      }
    }
  }
}

static void every_spelling_is_found_and_unique(void **state) {
  (void)state;
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    for (const char *s = rows[i].script; *s;) {
      size_t n = strcspn(s, " ");
      if (rlx_op_find(s, n) != &rows[i])
        fail_msg("%.*s is not found, or is another operator's", (int)n, s);
      s += n;
      while (*s == ' ') s++;
    }
  }
  assert_null(rlx_op_find("ad", 2));
  assert_null(rlx_op_find("addd", 4));
  assert_null(rlx_op_find("", 0));
  assert_null(rlx_op_find("nn.", 3));
  assert_null(rlx_op_row(RLX_OPID_NONE));
  assert_null(rlx_op_row(RLX_OPID_COUNT));
  bool is_tied = true;
  assert_string_equal(rlx_op_nearest("nn.con2d", 8, &is_tied), "nn.conv2d");
  assert_false(is_tied);
  assert_non_null(rlx_op_nearest("sinn", 4, &is_tied)); // sin, sinh, sign
  assert_true(is_tied);
  assert_null(rlx_op_nearest("zzzzzzzzzzzzzz", 14, NULL));
}

static void diagnostics_are_in_order_and_whole(void **state) {
  (void)state;
  for (int i = 0; i < rlx_diag_count(); i++) {
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)i);
    assert_true(strncmp(row->code, "RLX0", 4) == 0 && strlen(row->code) == 7);
    if (i) assert_true(strcmp(rlx_diag_row((RlxDiagId)(i - 1))->code, row->code) < 0);
    assert_ptr_equal(rlx_diag_find(row->code), row);
    assert_ptr_equal(rlx_diag_find(row->name), row);
    for (const char *p = row->name; *p; p++)
      assert_true(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '-');
    assert_false(isupper((unsigned char)row->message[0]) && strncmp(row->message, "R.", 2) != 0);
    assert_true(row->message[strlen(row->message) - 1] != '.');
    assert_true(row->explanation[strlen(row->explanation) - 1] == '.');
    assert_true(row->wrong[0] && row->right[0]);
  }
  assert_null(rlx_diag_find("RLX9999"));
}

static void messages_take_their_arguments(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new();
  RlxSink sink = {.arena = arena};
  RlxDiag *diag =
      rlx_reportf(&sink, RLX_DIAG_ID(AXIS_REPEATED), rlx_span(1, 2), "sis", "R.sum", 3, "axis");
  assert_string_equal(diag->message, "R.sum: axis 3 appears more than once in `axis`");
  assert_int_equal(sink.diags.count, 1);
  rlx_diag_related(&sink, diag, NULL, rlx_span(4, 5), "first here");
  rlx_diag_fix(&sink, diag, "drop it", rlx_span(1, 2), "");
  rlx_diag_fix_edit(&sink, diag, rlx_span(7, 8), "x");
  assert_int_equal(diag->related_count, 1);
  assert_int_equal(diag->fix_count, 1);
  assert_int_equal(diag->fixes[0].edit_count, 2);
  assert_string_equal(diag->fixes[0].edits[1].text, "x");
  rlx_vec_free(&sink.diags);
  rlx_arena_free(arena);
}

static void pages_name_every_parameter(void **state) {
  (void)state;
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    for (int page = RLX_PAGE_TEXT; page <= RLX_PAGE_MARKDOWN; page++) {
      RlxBuf out = {0};
      rlx_explain_op(&rows[i], (RlxPage)page, &out);
      for (int k = 0; k < rows[i].param_count; k++)
        assert_non_null(strstr(rlx_buf_text(&out), rows[i].params[k].name));
      rlx_buf_free(&out);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_consistent),
      cmocka_unit_test(every_spelling_is_found_and_unique),
      cmocka_unit_test(diagnostics_are_in_order_and_whole),
      cmocka_unit_test(messages_take_their_arguments),
      cmocka_unit_test(pages_name_every_parameter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
