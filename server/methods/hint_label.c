/// Labels of inlay hints: one text, or parts of which those that name a variable lead to where it
/// is bound.
///
/// Always true: the parts are the label's text, in order; a word is a part of its own only where the
/// hint's StructInfo (or its statement) has a variable of that name. What else a StructInfo's label
/// says leads to its derivation, where the client resolves commands.
#include <string.h>

#include "base/text.h"
#include "server/methods/hints.h"

/// A hint is beside the code: a long one is cut, and whole in its tooltip. Characters, about.
enum { HINT_MAX = 64, VARS_MAX = 32 };

/// The variables that a label may name, asked for once.
typedef struct Names {
  const RlxHintWords *words;
  const RlxSymVar *vars[VARS_MAX]; ///< of the StructInfo
  int count;
} Names;

static Names names_of(const RlxHintWords *words) {
  Names names = {.words = words};
  if (words->sinfo && words->sinfo->has_symbols && !words->is_in_part)
    rlx_sinfo_vars(words->sinfo, names.vars, &names.count, VARS_MAX);
  return names;
}

/// The variable of the StructInfo with this name; NULL: it has none, or several.
static const RlxSymVar *variable(const Names *names, RlxName name) {
  const RlxSymVar *found = NULL;
  for (int i = 0; i < names->count; i++) {
    if (names->vars[i]->name != name) continue;
    if (found) return NULL;
    found = names->vars[i];
  }
  return found;
}

static RlxName name_of(const RlxHintWords *words, const char *text, size_t size) {
  return rlx_intern_find(rlx_store_names(rlx_analyzer_store(words->server->analyzer)), text, size);
}

/// Where the word is bound; false: it is no variable, or its place is not known.
static bool find(const Names *names, RlxName name, RlxSpan *out) {
  const RlxHintWords *words = names->words;
  const RlxSymVar *var = words->sinfo && name ? variable(names, name) : NULL;
  if (!name || (words->sinfo && !var)) return false;
  return (var && rlx_file_symvar_definition(words->file->file, words->stmt, var, out)) ||
         rlx_file_name_definition(words->file->file, words->stmt, name, out);
}

/// Whether the word names a variable, as far as that costs nothing.
static bool is_variable(const Names *names, RlxName name) {
  RlxSpan place;
  if (!name) return false;
  return names->words->sinfo ? variable(names, name) != NULL : find(names, name, &place);
}

/// The next word at or behind `from` that names a variable: neither in a string, nor behind a dot,
/// nor before `=`, `.` or `(`. False: there is none.
static bool next_word(const Names *names, const char *text, size_t from, size_t size,
                      RlxSpan *out) {
  bool in_string = false;
  for (size_t at = 0; at < size; at++) {
    if (text[at] == '"') in_string = !in_string;
    bool begins = rlx_text_starts_name(text[at]) &&
                  (!at || (!rlx_text_in_name(text[at - 1]) && text[at - 1] != '.'));
    if (in_string || !begins) continue;
    size_t end = at;
    while (end < size && rlx_text_in_name(text[end])) end++;
    bool is_other = end < size && strchr("=.(", text[end]) && text[end + 1] != '=';
    if (at >= from && !is_other && is_variable(names, name_of(names->words, text + at, end - at))) {
      *out = rlx_span((uint32_t)at, (uint32_t)end);
      return true;
    }
    at = end - 1;
  }
  return false;
}

static void write_part(const Names *names, const char *text, size_t size, bool is_variable,
                       RlxJson *json) {
  const RlxHintWords *words = names->words;
  RlxSpan place;
  if (!size) return;
  rlx_json_begin(json, '{');
  rlx_json_key(json, "value");
  rlx_json_textn(json, text, size);
  if (is_variable && !words->server->can_resolve_places &&
      find(names, name_of(words, text, size), &place)) {
    rlx_json_key(json, "location");
    rlx_write_location(words->server, words->file, place, json);
  }
  rlx_json_end(json, '}');
}

/// The label in parts; those behind `from` may name variables.
static void write_parts(const Names *names, const char *text, size_t from, size_t size,
                        RlxJson *json) {
  size_t at = 0;
  RlxSpan word;
  rlx_json_begin(json, '[');
  while (next_word(names, text, at > from ? at : from, size, &word)) {
    write_part(names, text + at, word.start - at, false, json);
    write_part(names, text + word.start, word.end - word.start, true, json);
    at = word.end;
  }
  write_part(names, text + at, size - at, false, json);
  rlx_json_end(json, ']');
}

bool rlx_write_hint_label(const RlxHintWords *words, const RlxBuf *label, RlxJson *json) {
  RlxBuf cut = {0};
  bool is_cut = label->size > HINT_MAX;
  if (is_cut) {
    size_t at = HINT_MAX;
    while (at > 0 && rlx_utf8_is_continuation(label->at[at])) at--;
    while (at > 0 && rlx_text_in_name(label->at[at]) && rlx_text_in_name(label->at[at - 1]))
      at--; // no half names
    if (!at) at = HINT_MAX;
    rlx_buf_printf(&cut, "%.*s…", (int)at, rlx_buf_text(label));
  }
  const char *text = rlx_buf_text(is_cut ? &cut : label);
  size_t size = is_cut ? cut.size : label->size;
  Names names = names_of(words);
  bool may_name = !words->sinfo || names.count;
  const char *colon = words->sinfo ? NULL : strstr(text, ": "); // what is told, not that it is
  const size_t from = may_name ? colon ? (size_t)(colon - text) : 0 : size;
  const bool is_clickable = words->sinfo && words->server->can_resolve_commands;
  RlxSpan word;
  rlx_json_key(json, "label");
  if (is_clickable || next_word(&names, text, from, size, &word))
    write_parts(&names, text, from, size, json);
  else
    rlx_json_textn(json, text, size);
  rlx_buf_free(&cut);
  return is_cut;
}

/// Gives a part the client's command that shows why the variable at `at` has its StructInfo.
static void add_command(const RlxHintWords *words, RlxPosition at, cJSON *part) {
  cJSON *command = cJSON_AddObjectToObject(part, "command");
  cJSON_AddStringToObject(command, "title", "why");
  cJSON_AddStringToObject(command, "command", "rlx.showWhy");
  cJSON *arguments = cJSON_AddArrayToObject(command, "arguments");
  cJSON_AddItemToArray(arguments, cJSON_CreateString(words->file->uri));
  cJSON_AddItemToArray(arguments, cJSON_CreateNull()); // of no function as a whole
  cJSON *position = cJSON_CreateObject();
  cJSON_AddNumberToObject(position, "line", at.line);
  cJSON_AddNumberToObject(position, "character", at.character);
  cJSON_AddItemToArray(arguments, position);
}

void rlx_resolve_hint_label(const RlxHintWords *words, uint32_t at, cJSON *parts) {
  cJSON *part;
  Names names = names_of(words);
  cJSON_ArrayForEach(part, parts) {
    const char *value = rlx_json_string(part, "value");
    bool is_name = value && rlx_text_starts_name(*value) && !rlx_json_get(part, "location");
    if (words->sinfo && words->server->can_resolve_commands && value &&
        !rlx_text_starts_name(*value) && !rlx_json_get(part, "command"))
      add_command(words, rlx_position_of(words->server, words->file->file, at), part);
    RlxSpan place;
    RlxName name = is_name ? name_of(words, value, strlen(value)) : 0;
    RlxHintWords reader = *words;
    reader.sinfo = NULL; // for a name of another StructInfo than the variable's
    Names other = {.words = &reader};
    if (!name || !find(variable(&names, name) ? &names : &other, name, &place)) continue;
    RlxBuf text = {0};
    RlxJson json = {.out = &text};
    rlx_write_location(words->server, words->file, place, &json);
    cJSON_AddItemToObject(part, "location", cJSON_Parse(rlx_buf_text(&text)));
    rlx_buf_free(&text);
  }
}
