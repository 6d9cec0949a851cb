/// What is known of a name, from whoever knows it: the session, the tables, the completion engine.
#include "repl/about.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyzer/ops/explain.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/library.h"
#include "repl/magics.h"
#include "repl/offer.h"
#include "repl/split.h"
#include "repl/sugar_impl.h"

// ---- one kind after another: true when `name` is one

static bool about_variable(RlxRepl *repl, const char *name, bool with_value, RlxBuf *out) {
  const RlxReplVar *var = rlx_repl_find(repl, name, strlen(name));
  if (!var) return false;
  rlx_buf_printf(out, "%s: ", name);
  rlx_object_print_sinfo(var->value, out);
  rlx_buf_putc(out, '\n');
  if (with_value) rlx_object_print(var->value, out);
  if (with_value) rlx_buf_putc(out, '\n');
  return true;
}

static bool about_definition(RlxRepl *repl, const char *name, RlxBuf *out) {
  const RlxReplDef *def = rlx_repl_find_def(repl, name, strlen(name));
  if (!def) return false;
  RlxFunctionViews views = {0};
  RlxSugarWriter w = {.repl = repl, .sugar = rlx_repl_sugar(repl)};
  rlx_sugar_functions(&w, name, &views);
  const RlxFunctionView *view = rlx_function_view(repl->store, &views, name);
  if (view && view->function && view->function->sinfo && !view->module) {
    rlx_buf_printf(out, "%s: ", name);
    rlx_sinfo_print(repl->store, view->function->sinfo, out);
    rlx_buf_putc(out, '\n');
  }
  rlx_vec_free(&views);
  rlx_buf_printf(out, "%s\n", def->text);
  return true;
}

/// `x.sum`, x being a variable.
static bool about_method(RlxRepl *repl, const char *name, RlxBuf *out) {
  const char *dot = strrchr(name, '.');
  const RlxReplVar *var = dot ? rlx_repl_find(repl, name, (size_t)(dot - name)) : NULL;
  if (!var || var->value->kind != RLX_OBJECT_TENSOR) return false;
  const RlxReplAttributeRow *attribute = rlx_repl_attribute_named(dot + 1);
  const RlxReplMethodRow *row = rlx_repl_method_named(dot + 1);
  if (attribute) rlx_buf_printf(out, "x.%s\n%s\n", attribute->name, attribute->help);
  if (row) rlx_buf_printf(out, "%s\n%s\n", row->signature, row->help);
  const RlxOpRow *op = row || attribute ? NULL : rlx_op_find(dot + 1, strlen(dot + 1));
  if (op) rlx_explain_op(op, RLX_PAGE_TEXT, out);
  return attribute || row || op;
}

/// What Tab knows of `name`, which stands behind a namespace (`T.grid`), and what stands behind it when it is one.
static bool about_offered(RlxRepl *repl, const char *name, RlxBuf *out) {
  RlxLineOffers offers = {0};
  RlxBuf line = {0};
  const char *last = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
  bool is_known = false;
  const size_t before = out->size;
  rlx_repl_offer(repl, "", name, strlen(name), &offers);
  for (uint32_t i = 0; i < offers.items.count && !is_known; i++) {
    const RlxLineOffer *o = &offers.items.at[i];
    is_known = !strcmp(o->text, last);
    if (is_known)
      rlx_buf_printf(out, "%s%s%s\n", name, o->detail ? ": " : "", o->detail ? o->detail : "");
  }
  rlx_line_offers_free(&offers);
  if (is_known) {
    rlx_buf_printf(&line, "%s(", name);
    rlx_repl_offer(repl, "", rlx_buf_text(&line), line.size, &offers);
    if (offers.signature && !strstr(rlx_buf_text(out) + before, offers.signature))
      rlx_buf_printf(out, "%s\n", offers.signature); // what is no function's own text
    rlx_line_offers_free(&offers);
    rlx_buf_clear(&line);
  }
  rlx_buf_printf(&line, "%s.", name);
  rlx_repl_offer(repl, "", rlx_buf_text(&line), line.size, &offers);
  if (offers.items.count)
    rlx_buf_printf(out, "%u names; Tab behind `%s.` lists them, `%s.%s?` tells about one\n",
                   offers.items.count, name, name, offers.items.at[0].text);
  is_known |= offers.items.count > 0;
  rlx_line_offers_free(&offers);
  rlx_buf_free(&line);
  return is_known;
}

/// `relu`, which is `R.nn.relu` where it is called.
static bool about_short(const char *name, RlxBuf *out) {
  RlxBuf full = {0};
  rlx_buf_printf(&full, "nn.%s", name);
  const RlxOpRow *op = rlx_op_find(rlx_buf_text(&full), full.size);
  if (op) rlx_explain_op(op, RLX_PAGE_TEXT, out);
  rlx_buf_free(&full);
  return op != NULL;
}

bool rlx_repl_about(RlxRepl *repl, const char *name, bool with_value, RlxBuf *out) {
  const char *function =
      rlx_sugar_alias(&(RlxSugarWriter){.repl = repl, .sugar = rlx_repl_sugar(repl)}, name);
  if (about_variable(repl, name, with_value, out)) return true;
  if (function) name = function;
  if (about_definition(repl, name, out) || about_method(repl, name, out) ||
      rlx_library_about(repl, name, out))
    return true;
  const RlxReplDataRow *data = rlx_repl_data_named(name);
  if (data) rlx_buf_printf(out, "%s\n%s\n", data->signature, data->help);
  return data || rlx_explain_word(name, RLX_PAGE_TEXT, out) || about_offered(repl, name, out) ||
         about_short(name, out);
}

bool rlx_repl_tell_about(RlxRepl *repl, const char *name) {
  RlxBuf out = {0};
  const bool ok = rlx_repl_about(repl, name, false, &out);
  if (ok)
    fputs(rlx_buf_text(&out), stdout);
  else
    rlx_text_say(stdout, "error: nothing is called %s", name);
  rlx_buf_free(&out);
  return ok;
}

bool rlx_repl_shortcut(RlxRepl *repl, const char *text, bool may_run, bool *ok) {
  size_t n = strlen(text);
  if (*text == '!' && n > 1) {
    if (!may_run) {
      printf("error: !command is only run when it is typed at a terminal\n");
      return *ok = false, true;
    }
    fflush(stdout);
    int code = system(text + 1);
    *ok = code == 0;
    if (WIFEXITED(code) && WEXITSTATUS(code)) printf("# exit %d\n", WEXITSTATUS(code));
    return true;
  }
  if (*text == '%') return *ok = rlx_repl_refuse_magic(text), true;
  const char *asked;
  n = rlx_split_question(text, &asked);
  if (!n) return false;
  char *name = rlx_mem_strndup(asked, n);
  *ok = rlx_repl_tell_about(repl, name);
  free(name);
  return true;
}

/// Where the dotted name that ends before `end` starts; `end`: there is none.
static size_t name_start(const char *text, size_t end) {
  while (end && (rlx_text_in_name(text[end - 1]) || text[end - 1] == '.')) end--;
  return end;
}

/// Whether what stands at `start` begins an argument of a call.
static bool is_argument(const char *text, size_t start) {
  while (start && strchr(" \n", text[start - 1])) start--;
  return start && strchr("(,", text[start - 1]);
}

static bool about_part(RlxRepl *repl, const char *text, size_t start, size_t end, RlxBuf *out) {
  if (start == end) return false;
  const char *behind = text + end + strspn(text + end, " ");
  if (*behind == '=' && behind[1] != '=' && is_argument(text, start)) return false;
  char *name = rlx_mem_strndup(text + start, end - start);
  const bool is_known = rlx_repl_about(repl, name, true, out);
  free(name);
  return is_known;
}

/// The command that stands in the line of the cursor, when the cursor is in its name.
static bool about_command(const char *text, size_t cursor, RlxBuf *out) {
  size_t start = cursor;
  while (start && text[start - 1] != '\n') start--;
  const size_t size = text[start] == ':' ? strcspn(text + start + 1, " \t\n") : 0;
  if (!size || cursor > start + 1 + size) return false;
  const RlxReplCommandId id = rlx_repl_command_named(text + start + 1, size);
  if (id == RLX_REPL_COMMAND_COUNT) return false;
  const RlxReplCommandRow *row = &rlx_repl_commands[id];
  rlx_buf_printf(out, ":%s%s%s\n%s\n", row->name, *row->argument ? " " : "", row->argument,
                 row->help);
  return true;
}

bool rlx_repl_inspect(RlxRepl *repl, const char *text, size_t cursor, RlxBuf *out) {
  if (about_command(text, cursor, out)) return true;
  const size_t start = name_start(text, cursor);
  size_t end = cursor;
  while (rlx_text_in_name(text[end])) end++;
  if (about_part(repl, text, start, end, out)) return true;
  int depth = 0;
  for (size_t at = start; at > 0; at--) { // what is called around it, from the inside
    const char c = text[at - 1];
    if (c == ')') depth++;
    if (c != '(') continue;
    if (depth)
      depth--;
    else if (about_part(repl, text, name_start(text, at - 1), at - 1, out))
      return true;
  }
  return false;
}
