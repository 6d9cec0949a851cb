/// Which files the PATH arguments of a command mean.
#include "cli/inputs.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/words/islands.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/options.h"
#include "cli/source.h"
#include "config/scripts.h"

bool rlx_inputs_may_hold_script(const char *bytes, size_t size) {
  if (!rlx_source_is_wide(bytes, size)) return rlx_islands_possible(bytes, size);
  RlxBuf narrow = {0}; // the letters without the zeros between them
  for (const char *at = bytes, *end = bytes + size; at < end; at++)
    if (*at) rlx_buf_putc(&narrow, *at);
  const bool may = rlx_islands_possible(rlx_buf_text(&narrow), narrow.size);
  rlx_buf_free(&narrow);
  return may;
}

/// Whether one of the strings of a JSON text, be it a line of a cell or all of it, may hold TVMScript.
static bool has_string_of_script(const char *at, const char *end) {
  RlxBuf line = {0};
  bool may = false;
  while (at < end && !may && (at = memchr(at, '"', (size_t)(end - at)))) {
    rlx_buf_clear(&line);
    for (at++; at < end && *at != '"'; at++) {
      const bool is_escape = *at == '\\' && at + 1 < end;
      if (is_escape) at++;
      rlx_buf_putc(&line, is_escape && *at == 'n' ? '\n' : *at);
    }
    at++;
    may = rlx_islands_possible(rlx_buf_text(&line), line.size);
  }
  rlx_buf_free(&line);
  return may;
}

static bool is_notebook_of_scripts(const char *path) {
  RlxBuf text = {0};
  RlxError err = {0};
  const bool may = rlx_file_read_regular(path, RLX_FILE_LIMIT_BYTES, &text, &err) &&
                   has_string_of_script(rlx_buf_text(&text), rlx_buf_text(&text) + text.size);
  rlx_buf_free(&text);
  return may;
}

static bool collect_folder(const char *root, RlxConfigs *configs, RlxInputs *out, RlxError *err) {
  RlxScripts scripts = {0};
  bool ok = rlx_scripts_collect(root, configs, &scripts, err);
  if (ok && scripts.files.count == 0) rlx_vec_push(&out->empty, root);
  for (uint32_t i = 0; i < scripts.files.count; i++) { // the texts are the inputs' from now on
    rlx_vec_push(out, (RlxInput){scripts.files.at[i], false});
    scripts.files.at[i] = NULL;
  }
  for (uint32_t i = 0; i < scripts.folders.count; i++) {
    rlx_vec_push(&out->folders, scripts.folders.at[i]);
    scripts.folders.at[i] = NULL;
  }
  for (uint32_t i = 0; i < scripts.notebooks.count; i++)
    if (is_notebook_of_scripts(scripts.notebooks.at[i]))
      rlx_vec_push(&out->notebooks, rlx_mem_strdup(scripts.notebooks.at[i]));
  rlx_scripts_free(&scripts);
  return ok;
}

bool rlx_inputs_collect(const RlxArgs *args, RlxConfigs *configs, RlxInputs *out, RlxError *err) {
  if (args->count == 0) return collect_folder(".", configs, out, err);
  bool ok = true;
  for (uint32_t i = 0; i < args->count; i++) {
    const char *path = args->at[i];
    if (strcmp(path, "-") != 0 && rlx_file_is_folder(path)) {
      ok = collect_folder(path, configs, out, err) && ok;
    } else if (strcmp(path, "-") != 0 && !rlx_file_exists(path)) {
      ok = rlx_error_set(err, "%s: no such file or folder", path);
    } else {
      rlx_vec_push(out, (RlxInput){rlx_mem_strdup(path), true});
    }
  }
  return ok;
}

static char *unread_notebook(const char *path, const char *more) {
  RlxBuf text = {0};
  rlx_buf_printf(&text,
                 "%s: not read: a notebook with what may be scripts%s; write its code cells to a "
                 "script (`jupyter nbconvert --to script`)",
                 path, more);
  return rlx_buf_steal(&text);
}

static char *empty_folder(const char *path) {
  RlxBuf text = {0};
  rlx_buf_printf(&text,
                 "%s: no files to read: a folder is searched for *.py, *.relax and *.tvmscript, "
                 "without hidden folders and what .gitignore or `exclude` names",
                 path);
  return rlx_buf_steal(&text);
}

void rlx_inputs_unread(const RlxInputs *inputs, RlxUnread *out) {
  for (uint32_t i = 0; i < inputs->empty.count; i++)
    rlx_vec_push(out, empty_folder(inputs->empty.at[i]));
  for (uint32_t i = 0; i < inputs->notebooks.count; i++)
    rlx_vec_push(out, unread_notebook(inputs->notebooks.at[i], ""));
}

void rlx_unread_free(RlxUnread *unread) {
  for (uint32_t i = 0; i < unread->count; i++) free(unread->at[i]);
  rlx_vec_free(unread);
}

void rlx_inputs_report_unread(const RlxInputs *inputs, const char *command) {
  RlxUnread unread = {0};
  for (uint32_t i = 0; i < inputs->empty.count; i++)
    rlx_vec_push(&unread, empty_folder(inputs->empty.at[i]));
  if (inputs->notebooks.count)
    rlx_vec_push(&unread, unread_notebook(inputs->notebooks.at[0],
                                          inputs->notebooks.count > 1 ? ", one of several" : ""));
  for (uint32_t i = 0; i < unread.count; i++)
    rlx_text_say(stderr, "rlx %s: %s", command, unread.at[i]);
  rlx_unread_free(&unread);
}

void rlx_inputs_free(RlxInputs *inputs) {
  for (uint32_t i = 0; i < inputs->count; i++) free(inputs->at[i].path);
  for (uint32_t i = 0; i < inputs->folders.count; i++) free(inputs->folders.at[i]);
  for (uint32_t i = 0; i < inputs->notebooks.count; i++) free(inputs->notebooks.at[i]);
  rlx_vec_free(&inputs->folders);
  rlx_vec_free(&inputs->notebooks);
  rlx_vec_free(&inputs->empty);
  rlx_vec_free(inputs);
}
