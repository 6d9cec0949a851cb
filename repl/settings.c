/// :set, and what a changed setting means for the session.
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "repl/commands.h"
#include "repl/session.h"
#include "repl/values.h"

/// Index of `value` among blank-separated `values`, or -1.
static int index_of(const char *values, const char *value) {
  size_t size = strlen(value);
  for (int i = 0; *values; i++) {
    size_t n = strcspn(values, " ");
    if (n == size && !memcmp(values, value, n)) return i;
    values += n + (values[n] == ' ');
  }
  return -1;
}

/// The same for what is off or on, which 0, `True`, `no` and the like say, too.
static int index_meant(const char *values, const char *value) {
  const int index = index_of(values, value);
  if (index >= 0 || strcmp(values, "off on") != 0) return index;
  return rlx_text_is_among(value, "0 no false False")  ? 0
         : rlx_text_is_among(value, "1 yes true True") ? 1
                                                       : -1;
}

static void show_setting(const RlxRepl *repl, int i) {
  const RlxReplSettingRow *row = &rlx_repl_settings[i];
  const char *value = row->values;
  long long min, max;
  RlxBuf head = {0}, text = {0}, out = {0};
  rlx_buf_printf(&text, "%s (%s)", row->help, row->values);
  if (rlx_repl_setting_limits((RlxReplSet)i, &min, &max))
    rlx_buf_printf(&head, "%-20s %d", row->name, repl->set[i]);
  else {
    for (int k = repl->set[i]; k > 0; k--) value += strcspn(value, " ") + 1;
    rlx_buf_printf(&head, "%-20s %.*s", row->name, (int)strcspn(value, " "), value);
  }
  rlx_repl_put_item(rlx_buf_text(&head), 28, rlx_buf_text(&text), &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  rlx_buf_free(&text);
  rlx_buf_free(&head);
}

static void apply_settings(RlxRepl *repl) {
  repl->settings.implicit_match_cast = repl->set[RLX_REPL_SET_IMPLICIT_MATCH_CAST] != 0;
  repl->settings.normal_form = (uint8_t)repl->set[RLX_REPL_SET_NORMAL_FORM];
  rlx_repl_drop_kept(repl);
  rlx_analyzer_configure(repl->analyzer, &repl->settings);
  rlx_jit_set_max_depth(repl->jit, repl->set[RLX_REPL_SET_DEPTH]);
  if (repl->tracer) rlx_jit_set_max_depth(repl->tracer, repl->set[RLX_REPL_SET_DEPTH]);
  rlx_repl_trim_undo(repl);
}

void rlx_repl_take_settings(RlxRepl *repl, const RlxSettings *given) {
  repl->settings = *given;
  repl->set[RLX_REPL_SET_SINFO] = 1;
  repl->set[RLX_REPL_SET_IMPLICIT_MATCH_CAST] = given->implicit_match_cast;
  repl->set[RLX_REPL_SET_NORMAL_FORM] = given->normal_form;
  repl->settings.is_prompt = repl->settings.is_evaluated = true;
  rlx_analyzer_configure(repl->analyzer, &repl->settings);
}

bool rlx_repl_set(RlxRepl *repl, const char *text) {
  size_t size = strcspn(text, " \t=");
  const char *value = text + size + strspn(text + size, " \t=");
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(size < 60 ? size : 60), text);
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < RLX_REPL_SET_COUNT; i++) {
    const RlxReplSettingRow *row = &rlx_repl_settings[i];
    rlx_nearest_try(&nearest, row->name);
    if (*name && strcmp(row->name, name) != 0) continue;
    if (!*name || !*value) {
      show_setting(repl, i);
      if (*name) return true;
      continue;
    }
    long long min, max, number;
    char rest;
    int index = index_meant(row->values, value);
    if (rlx_repl_setting_limits((RlxReplSet)i, &min, &max)) {
      if (sscanf(value, "%lld %c", &number, &rest) != 1 || number < min || number > max)
        return rlx_text_say(stdout, "error: %s is a number, %s", name, row->values), false;
      index = (int)number;
    } else if (index < 0)
      return rlx_text_say(stdout, "error: %s is one of: %s", name, row->values), false;
    repl->set[i] = index;
    apply_settings(repl);
    return true;
  }
  if (!*name) return true;
  if (nearest.best)
    rlx_text_say(stdout, "error: there is no setting %s; did you mean %s?", name, nearest.best);
  else
    rlx_text_say(stdout, "error: there is no setting %s; :set lists them", name);
  return false;
}
