/// Signature help: the call around the cursor as it is declared.
#include <string.h>

#include "analyzer/complete/complete_impl.h"
#include "analyzer/ops/describe.h"
#include "analyzer/words/vocabulary.h"
#include "base/text.h"

static const char *kept_line(RlxSignature *s, const char *text) {
  return rlx_arena_strndup(s->arena, text, strcspn(text, "\n"));
}

/// The parameters of a label that is written: what stands in its first brackets, cut at commas.
static void cut_label(RlxSignature *s) {
  const char *label = rlx_buf_text(&s->label), *open = strchr(label, '(');
  if (!open) return;
  int depth = 0;
  char quote = 0;
  uint32_t from = (uint32_t)(open - label) + 1;
  for (uint32_t i = from; label[i]; i++) {
    char ch = label[i];
    if (quote) {
      quote = ch == quote ? 0 : quote;
      continue;
    }
    if (ch == '"' || ch == '\'') quote = ch;
    if (strchr("([{", ch)) depth++;
    bool ends = !depth && strchr(",)", ch);
    if (strchr(")]}", ch)) depth--;
    if (!ends) continue;
    while (label[from] == ' ') from++;
    bool is_lone_star = i == from + 1 && label[from] == '*'; // only names from here on
    if (i > from && !is_lone_star) rlx_vec_push(&s->params, rlx_span(from, i));
    from = i + 1;
    if (ch == ')') break;
  }
}

/// The name in a parameter of the label: "axis" of "axis=None" and of "*axis", "x" of "x: R.Tensor".
static RlxSpan name_in(const char *label, RlxSpan param) {
  while (label[param.start] == '*') param.start++;
  uint32_t end = param.start;
  while (end < param.end && !strchr("=: ,", label[end])) end++;
  return rlx_span(param.start, end);
}

/// The name of the argument the cursor is in: `axis` of `axis=`, also where the cursor stands before the
/// equals sign; empty for an argument by place.
static RlxSpan argument_name(const RlxComplete *c, const RlxBracket *b, uint32_t offset) {
  if (b->keyword.end > b->keyword.start) return b->keyword;
  const char *text = c->cursor.text;
  uint32_t start = offset, end = offset, size = c->cursor.size;
  while (start > b->at + 1 && rlx_text_in_name(text[start - 1])) start--;
  while (start == end && end < size && strchr(" \t", text[end])) start = ++end;
  while (end < size && rlx_text_in_name(text[end])) end++;
  uint32_t before = start, equals = end;
  while (before > b->at + 1 && strchr(" \t\r\n", text[before - 1])) before--;
  while (equals < size && strchr(" \t", text[equals])) equals++;
  bool begins = before == b->at + 1 || text[before - 1] == ',';
  bool is_named = equals + 1 < size && text[equals] == '=' && text[equals + 1] != '=';
  return begins && is_named ? rlx_span(start, end) : rlx_span(0, 0);
}

static void find_active(const RlxComplete *c, const RlxBracket *b, uint32_t offset,
                        RlxSignature *s) {
  const char *label = rlx_buf_text(&s->label);
  RlxSpan named = argument_name(c, b, offset);
  uint32_t keyword = named.end - named.start;
  s->active = -1;
  for (uint32_t i = 0; i < s->params.count; i++) {
    RlxSpan name = name_in(label, s->params.at[i]);
    bool is_rest = label[s->params.at[i].start] == '*' && name.end > name.start;
    bool is_it = keyword ? name.end - name.start == keyword &&
                               !memcmp(label + name.start, c->cursor.text + named.start, keyword)
                         : i == b->argument || (is_rest && b->argument > i);
    if (!is_it) continue;
    s->active = (int32_t)i;
    return;
  }
}

static bool of_row(const RlxOpRow *row, RlxSignature *s) {
  rlx_describe_signature(row, &s->label);
  cut_label(s);
  s->summary = kept_line(s, row->doc);
  s->meanings = rlx_arena_array(s->arena, const char *, s->params.count + 1);
  for (uint32_t i = 0; i < s->params.count && i < (uint32_t)row->param_count; i++) {
    const RlxOpParam *p = &row->params[i];
    s->meanings[i] = p->allowed ? rlx_arena_printf(s->arena, "%s (one of `%s`)",
                                                   p->meaning ? p->meaning : "", p->allowed)
                                : p->meaning;
  }
  return true;
}

static bool of_vocabulary(const char *path, RlxSignature *s) {
  const RlxVocabularyRow *row = rlx_vocabulary_row(path);
  const char *call = row ? strstr(row->usage, path) : NULL;
  if (!call || call[strlen(path)] != '(') return false;
  size_t size = strcspn(call, ")");
  rlx_buf_putn(&s->label, call, size);
  rlx_buf_putc(&s->label, ')');
  s->summary = row->text;
  cut_label(s);
  return true;
}

static bool of_script_name(const RlxComplete *c, const char *path, RlxSignature *s) {
  const RlxScriptName *row = rlx_complete_script_name(c, path + 2);
  if (!row || row->how == RLX_SCRIPT_OTHER) return false;
  rlx_buf_puts(&s->label, "T.");
  rlx_script_name_tell(row, &s->label);
  cut_label(s);
  const RlxVocabularyRow *word = rlx_vocabulary_row(path);
  s->summary = word ? word->text : NULL;
  return true;
}

/// In the tuple of R.call_tir: the PrimFunc whose arguments it holds.
static const RlxFn *callee_of_tuple(const RlxComplete *c, int depth) {
  const RlxBracket *b = &c->cursor.brackets[depth];
  if (depth == 0 || b->callee.start < b->callee.end || b->open == '{') return NULL;
  const RlxBracket *call = b - 1;
  char path[96];
  if (call->argument != 1 || !rlx_complete_path(c, call->callee, path, sizeof path) ||
      strncmp(path, "R.call_tir", 10) != 0)
    return NULL;
  uint32_t from = call->at + 1, end;
  while (strchr(" \n\t", c->cursor.text[from])) from++;
  end = from + (uint32_t)strcspn(c->cursor.text + from, ", \n)");
  return rlx_complete_function(c, rlx_span(from, end));
}

static bool of_function(const RlxComplete *c, const RlxFn *fn, RlxSignature *s) {
  rlx_complete_function_text(c, fn, &s->label);
  cut_label(s);
  return true;
}

static bool of_bracket(const RlxComplete *c, int depth, RlxSignature *s) {
  const RlxBracket *b = &c->cursor.brackets[depth];
  const RlxFn *fn = callee_of_tuple(c, depth);
  if (fn) return of_function(c, fn, s);
  if (b->callee.start == b->callee.end || b->is_def) return false;
  char path[96];
  if (!rlx_complete_path(c, b->callee, path, sizeof path)) return false;
  bool is_known = path[1] == '.' && strchr("RTI", *path);
  if (is_known && *path == 'R') {
    const RlxOpRow *row = rlx_op_find(path + 2, strlen(path + 2));
    if (row) return of_row(row, s);
  }
  if (is_known && *path == 'T' && of_script_name(c, path, s)) return true;
  if (is_known && of_vocabulary(path, s)) return true;
  fn = rlx_complete_function(c, b->callee);
  return fn && of_function(c, fn, s);
}

bool rlx_file_signature_at(RlxFile *file, uint32_t offset, RlxSignature *out) {
  RlxOffers none = {0};
  RlxComplete c;
  rlx_complete_begin(file, offset, &c);
  c.out = &none;
  *out = (RlxSignature){.arena = rlx_arena_new(), .active = -1};
  for (int depth = c.cursor.depth; c.cursor.line <= offset && depth-- > 0;) {
    if (!of_bracket(&c, depth, out)) continue;
    find_active(&c, &c.cursor.brackets[depth], offset, out);
    return true;
  }
  rlx_signature_free(out);
  return false;
}

void rlx_signature_free(RlxSignature *signature) {
  rlx_buf_free(&signature->label);
  rlx_vec_free(&signature->params);
  rlx_arena_free(signature->arena);
  *signature = (RlxSignature){0};
}
