/// What Tab offers. The analyzer answers about a hidden file: the session's definitions and, below
/// them, the entry as it is typed, an expression being in a function whose parameters are the
/// session's variables.
#include "repl/offer.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/complete/complete.h"
#include "analyzer/ops/explain.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/follow.h"
#include "repl/library.h"
#include "repl/results.h"
#include "repl/sched.h"

static void add(RlxLineOffers *out, const char *group, const char *text, const char *detail) {
  RlxLineOffer offer = {group, rlx_mem_strdup(text), detail ? rlx_mem_strdup(detail) : NULL};
  rlx_vec_push(&out->items, offer);
}

static void add_if(RlxLineOffers *out, const char *group, const char *text, const char *detail,
                   const char *word, size_t size) {
  if (!strncmp(text, word, size)) add(out, group, text, detail);
}

// ---- commands, settings, files

static int by_text(const void *a, const void *b) {
  return strcmp(((const RlxLineOffer *)a)->text, ((const RlxLineOffer *)b)->text);
}

/// Whether the name ends in one of `kinds`, which blanks stand between; NULL: any does.
static bool is_of_kind(const char *name, const char *kinds) {
  const char *end = strrchr(name, '.');
  return !kinds || (end && rlx_text_is_among(end, kinds));
}

/// Names of folders, which end in a slash, and of files of these kinds that go on from the `size` bytes at `path`; of
/// any kind where there is none.
static void offer_files(const char *path, size_t size, const char *kinds, RlxLineOffers *out) {
  size_t folder = size;
  while (folder && path[folder - 1] != '/') folder--;
  char *typed = folder ? rlx_mem_strndup(path, folder) : rlx_mem_strdup("."),
       *open = rlx_file_from_home(typed);
  DIR *dir = opendir(open);
  RlxBuf place = {0}, text = {0};
  out->word = size - folder;
  for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
    const char *name = e->d_name;
    if (strncmp(name, path + folder, size - folder) != 0) continue;
    if (*name == '.' && size == folder) continue; // as a shell does
    if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
    struct stat s;
    rlx_buf_clear(&place);
    rlx_buf_clear(&text);
    rlx_buf_printf(&place, "%s/%s", open, name);
    bool is_folder = !stat(rlx_buf_text(&place), &s) && S_ISDIR(s.st_mode);
    if (!is_folder && !is_of_kind(name, kinds)) continue;
    rlx_buf_printf(&text, "%s%s", name, is_folder ? "/" : "");
    add(out, "files", rlx_buf_text(&text), NULL);
  }
  if (out->items.count > 1) qsort(out->items.at, out->items.count, sizeof *out->items.at, by_text);
  if (dir) closedir(dir);
  rlx_buf_free(&place);
  rlx_buf_free(&text);
  free(typed);
  free(open);
  if (kinds && !out->items.count) offer_files(path, size, NULL, out);
}

static void offer_settings(const char *text, size_t size, RlxLineOffers *out) {
  size_t name = strcspn(text, " \t="), gap = strspn(text + name, " \t=");
  if (name + gap > size || !gap || name >= size) {
    out->word = size;
    for (int i = 0; i < RLX_REPL_SET_COUNT; i++)
      add_if(out, "settings", rlx_repl_settings[i].name, rlx_repl_settings[i].help, text, size);
    return;
  }
  out->word = size - name - gap;
  for (int i = 0; i < RLX_REPL_SET_COUNT; i++) {
    const RlxReplSettingRow *row = &rlx_repl_settings[i];
    if (strlen(row->name) != name || memcmp(row->name, text, name) != 0) continue;
    for (const char *v = row->values; *v;) {
      size_t n = strcspn(v, " ");
      char *value = rlx_mem_strndup(v, n);
      add_if(out, "values", value, NULL, text + name + gap, out->word);
      free(value);
      v += n + (v[n] == ' ');
    }
  }
}

/// The quote that is open at the cursor; NULL: none is.
static const char *open_quote(const char *line, size_t cursor) {
  const char *quote = NULL;
  for (const char *p = line; p < line + cursor; p++)
    if (*p == '"' || *p == '\'') quote = !quote ? p : *quote == *p ? NULL : quote;
  return quote;
}

/// Where the file name begins that the cursor is in: behind `load("`; NULL: it is in none.
static const char *file_in(const char *line, size_t cursor) {
  const char *quote = open_quote(line, cursor);
  if (!quote) return NULL;
  static const char *const takers[] = {"load("};
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
    size_t n = strlen(takers[i]);
    bool is_it = (size_t)(quote - line) >= n && !memcmp(quote - n, takers[i], n);
    if (is_it && ((size_t)(quote - line) == n || !rlx_text_in_name(quote[-(ptrdiff_t)n - 1])))
      return quote + 1;
  }
  return NULL;
}

// ---- the hidden file

static bool is_definition(const char *entry) {
  return *entry == '@' || !strncmp(entry, "def ", 4) || !strncmp(entry, "class ", 6);
}

/// Whether the entry is a statement of its own and no expression.
static bool is_statement(const char *entry) {
  const char *p = entry;
  while (rlx_text_in_name(*p) || *p == ',' || *p == ' ') p++;
  if (p > entry && ((*p == '=' && p[1] != '=') || *p == ':')) return true;
  return !strncmp(entry, "if ", 3) || !strncmp(entry, "with ", 5);
}

/// Gives the hidden file the session's definitions and the entry; where byte `cursor` of the entry
/// is in it.
static uint32_t hide(RlxRepl *repl, const char *entry, size_t cursor) {
  RlxBuf text = {0};
  uint32_t at = 0;
  rlx_repl_need_all(repl);
  rlx_repl_put_definitions(repl, true, &text);
  if (is_definition(entry)) {
    at = (uint32_t)(text.size + cursor);
    rlx_buf_puts(&text, entry);
  } else {
    rlx_buf_puts(&text, "@R.function(pure=False)\ndef __entry__(");
    uint32_t next = 0;
    bool any = false;
    for (const RlxReplVar *var; (var = rlx_repl_next_var(repl, &next)); any = true) {
      rlx_buf_printf(&text, "%s%s: ", any ? ", " : "", var->name);
      rlx_object_print_sinfo(var->value, &text);
    }
    rlx_buf_printf(&text, "):\n    %s", is_statement(entry) ? "" : "__value = ");
    for (size_t i = 0; entry[i]; i++) {
      if (i == cursor) at = (uint32_t)text.size;
      rlx_buf_putc(&text, entry[i]);
      if (entry[i] == '\n') rlx_buf_puts(&text, "    ");
    }
    if (!at) at = (uint32_t)text.size;
  }
  rlx_buf_putc(&text, '\n');
  if (!repl->hidden)
    repl->hidden = rlx_file_open(repl->analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  else
    rlx_file_set_text(repl->hidden, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_buf_free(&text);
  return at;
}

static const char *group_of(RlxOfferKind kind) {
  switch (kind) {
  case RLX_OFFER_VARIABLE: return "variables";
  case RLX_OFFER_DIMENSION: return "dimensions";
  case RLX_OFFER_BUFFER: return "buffers";
  case RLX_OFFER_LOOP: return "loop variables";
  case RLX_OFFER_FUNCTION:
  case RLX_OFFER_PRIM_FUNC: return "functions";
  case RLX_OFFER_OPERATOR: return "operators";
  case RLX_OFFER_WORD: return "words";
  case RLX_OFFER_TYPE: return "types";
  case RLX_OFFER_NAMESPACE: return "namespaces";
  case RLX_OFFER_MEMBER: return "members";
  case RLX_OFFER_DTYPE: return "dtypes";
  case RLX_OFFER_VALUE: return "values";
  case RLX_OFFER_PARAMETER: return "arguments";
  case RLX_OFFER_KEYWORD: return "keywords";
  case RLX_OFFER_SNIPPET: break;
  }
  return "snippets";
}

static int by_rank(const void *a, const void *b) {
  const RlxOffer *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return strcmp(x->label, y->label);
}

static void put_signature(RlxRepl *repl, uint32_t at, RlxLineOffers *out) {
  RlxSignature s;
  if (!rlx_file_signature_at(repl->hidden, at, &s)) return;
  out->signature = rlx_mem_strdup(rlx_buf_text(&s.label));
  if (s.active >= 0 && (uint32_t)s.active < s.params.count) {
    out->active_start = s.params.at[s.active].start;
    out->active_end = s.params.at[s.active].end;
  }
  rlx_signature_free(&s);
}

/// Functions of the prompt, where a name may begin: they are no TVMScript, so the analyzer does not
/// offer them.
static void offer_data(RlxRepl *repl, const char *entry, size_t start, size_t size,
                       RlxLineOffers *out) {
  size_t before = start;
  while (before && entry[before - 1] == ' ') before--;
  const bool may_begin = !before || strchr("(=,[+-*/<>@\n;", entry[before - 1]);
  if (!may_begin || !size) return;
  for (size_t i = 0; i < rlx_repl_data_count; i++) {
    const RlxReplDataRow *row = &rlx_repl_data[i];
    if (!rlx_repl_find(repl, row->name, strlen(row->name)) &&
        !rlx_repl_find_def(repl, row->name, strlen(row->name)))
      add_if(out, "values from", row->name, row->help, entry + start, size);
  }
}

/// The signature of the function of the prompt, or of the method of a tensor, whose brackets the cursor is in; NULL: it
/// is in none.
static const char *called_signature(RlxRepl *repl, const char *entry, size_t cursor) {
  int depth = 0;
  while (cursor && (entry[cursor - 1] != '(' || depth)) {
    cursor--;
    depth += (entry[cursor] == ')') - (entry[cursor] == '(');
  }
  if (!cursor) return NULL;
  size_t end = cursor - 1, start = end;
  while (start && rlx_text_in_name(entry[start - 1])) start--;
  const bool is_method = start && entry[start - 1] == '.';
  char *name = rlx_mem_strndup(entry + start, end - start);
  const RlxReplDataRow *row =
      is_method || rlx_repl_find(repl, name, strlen(name)) ? NULL : rlx_repl_data_named(name);
  const RlxReplMethodRow *method = is_method ? rlx_repl_method_named(name) : NULL;
  free(name);
  return row ? row->signature : method ? method->signature : NULL;
}

/// The keywords that stand in the signature of what is called around the cursor, where an argument begins.
static void offer_arguments(const char *signature, const char *entry, size_t start, size_t size,
                            RlxLineOffers *out) {
  size_t before = start;
  while (before && strchr(" \n", entry[before - 1])) before--;
  if (!before || !strchr("(,", entry[before - 1])) return;
  for (const char *p = signature; (p = strchr(p, '=')); p++) {
    const char *name = p;
    while (name > signature && rlx_text_in_name(name[-1])) name--;
    char *keyword = rlx_mem_strndup(name, (size_t)(p + 1 - name));
    bool is_there = false;
    for (uint32_t i = 0; i < out->items.count; i++)
      is_there |= !strcmp(out->items.at[i].text, keyword);
    if (name < p && !is_there) add_if(out, "arguments", keyword, NULL, entry + start, size);
    free(keyword);
  }
}

/// Where the brackets begin that end at `end`; `end`: nowhere.
static size_t opening(const char *entry, size_t end) {
  int depth = 0;
  for (size_t i = end; i-- > 0;) {
    depth += strchr(")]}", entry[i]) ? 1 : strchr("([{", entry[i]) ? -1 : 0;
    if (!depth) return i;
  }
  return end;
}

/// Where the name begins that ends at `end`.
static size_t name_start(const char *entry, size_t end) {
  while (end && rlx_text_in_name(entry[end - 1])) end--;
  return end;
}

/// Whether what ends with `size` bytes at `name` and is called, behind a dot, gives a tensor.
static bool gives_tensor(const char *entry, size_t start, size_t end) {
  char *name = rlx_mem_strndup(entry + start, end - start);
  const RlxReplMethodRow *method = rlx_repl_method_named(name);
  size_t root = start;
  while (root && (rlx_text_in_name(entry[root - 1]) || entry[root - 1] == '.')) root--;
  const bool is_operator = !strncmp(entry + root, "R.", 2) || !strncmp(entry + root, "np.", 3),
             is_tensor = is_operator || (method ? strcmp(method->op, "shape_of") != 0
                                                : rlx_op_find(name, strlen(name)) != NULL);
  free(name);
  return is_tensor;
}

/// Whether the expression that ends at `end` is a tensor, as far as that is seen without evaluating it: `a`, `a[0]`, `a.T`,
/// `a.sum(axis=0)`, `R.exp(a)`, `random(2, 3)`, `(a + 1)`.
static bool is_tensor_at(RlxRepl *repl, const char *entry, size_t end) {
  while (end) {
    const char last = entry[end - 1];
    const size_t open = last == ')' || last == ']' ? opening(entry, end) : end;
    const size_t start = name_start(entry, open);
    if (open < end && last == ')' && start == open)
      return !open || !strchr(")]", entry[open - 1]); // brackets of their own
    if (open < end && last == ']') {
      end = open;
      continue;
    }
    if (start == open) return false;
    const bool is_member = start && entry[start - 1] == '.';
    const char *name = entry + start;
    if (open == end && is_member && !(end - start == 1 && *name == 'T')) return false;
    if (open == end && !is_member) {
      const RlxReplVar *var = rlx_repl_find(repl, name, end - start);
      return var && var->value->kind == RLX_OBJECT_TENSOR;
    }
    if (open < end && !is_member) {
      char *called = rlx_mem_strndup(name, open - start);
      const bool is_data = rlx_repl_data_named(called) && strcmp(called, "load") != 0;
      free(called);
      return is_data;
    }
    if (open < end && !gives_tensor(entry, start, open)) return false;
    const size_t root = name_start(entry, start - 1);
    if (!strncmp(entry + root, "R.", 2) || !strncmp(entry + root, "np.", 3) ||
        !strncmp(entry + root, "nn.", 3))
      return open < end;
    end = start - 1;
  }
  return false;
}

/// What tensors have at the prompt beside their members, behind `x.`.
static void offer_methods(RlxRepl *repl, const char *entry, size_t start, size_t size,
                          RlxLineOffers *out) {
  if (!start || entry[start - 1] != '.' || !is_tensor_at(repl, entry, start - 1)) return;
  const uint32_t members = out->items.count;
  for (size_t i = 0; i < rlx_repl_attribute_count + rlx_repl_method_count; i++) {
    const bool is_method = i >= rlx_repl_attribute_count;
    const RlxReplMethodRow *method =
        is_method ? &rlx_repl_methods[i - rlx_repl_attribute_count] : NULL;
    const RlxReplAttributeRow *attribute = is_method ? NULL : &rlx_repl_attributes[i];
    const char *name = method ? method->name : attribute->name;
    bool is_there = false;
    for (uint32_t k = 0; k < members; k++) is_there |= !strcmp(out->items.at[k].text, name);
    if (!is_there)
      add_if(out, method ? "methods" : "members", name, method ? method->help : attribute->help,
             entry + start, size);
  }
}

/// The tensors of a file by their names, behind `w["` and `w.`; false: the cursor is behind no such thing.
static bool offer_fields(RlxRepl *repl, const char *entry, size_t cursor, RlxLineOffers *out) {
  const char *quote = open_quote(entry, cursor), *word = quote ? quote + 1 : entry + cursor;
  while (!quote && word > entry && rlx_text_in_name(word[-1])) word--;
  const char *end = word - 1 - (quote != NULL), *name = end; // the bracket or the dot
  if (end < entry || *end != (quote ? '[' : '.')) return false;
  while (name > entry && rlx_text_in_name(name[-1])) name--;
  const RlxReplVar *var = rlx_repl_find(repl, name, (size_t)(end - name));
  char *const *names = var ? rlx_repl_field_names(repl, var->value) : NULL;
  if (!names || (name > entry && name[-1] == '.')) return false;
  out->word = (size_t)(entry + cursor - word);
  for (int i = 0; i < var->value->count; i++) {
    RlxBuf sinfo = {0};
    rlx_object_print_sinfo(var->value->fields[i], &sinfo);
    if (quote || rlx_text_is_name(names[i], strlen(names[i])))
      add_if(out, "tensors", names[i], rlx_buf_text(&sinfo), word, out->word);
    rlx_buf_free(&sinfo);
  }
  return true;
}

static void offer_entry(RlxRepl *repl, const char *entry, size_t cursor, RlxLineOffers *out);

/// Those that begin as the string in which the cursor is: what an operator is offered there.
static void offer_dtypes(RlxRepl *repl, const char *entry, size_t cursor, RlxLineOffers *out) {
  const char *quote = open_quote(entry, cursor);
  RlxBuf text = {0};
  if (!quote) return;
  rlx_buf_printf(&text, "R.zeros((1,), %.*s", (int)(entry + cursor - quote), quote);
  offer_entry(repl, rlx_buf_text(&text), text.size, out);
  rlx_buf_free(&text);
}

static void offer_entry(RlxRepl *repl, const char *entry, size_t cursor, RlxLineOffers *out) {
  if (offer_fields(repl, entry, cursor, out)) return;
  uint32_t at = hide(repl, entry, cursor), size;
  RlxOffers offers = {0};
  rlx_file_offers_at(repl->hidden, at, false, &offers);
  const char *text = rlx_document_text(rlx_file_document(repl->hidden), &size);
  size_t word = offers.word.start <= at ? at - offers.word.start : 0;
  out->word = word;
  if (offers.items.count > 1)
    qsort(offers.items.at, offers.items.count, sizeof *offers.items.at, by_rank);
  for (uint32_t i = 0; i < offers.items.count; i++) {
    const RlxOffer *o = &offers.items.at[i];
    const char *insert = o->insert ? o->insert : o->label;
    if (o->is_snippet || o->is_deprecated || !strncmp(insert, "__", 2)) continue;
    if (strchr(insert, '\n') || o->import) continue;
    add_if(out, group_of((RlxOfferKind)o->kind), insert, o->detail, text + at - word, word);
  }
  rlx_offers_free(&offers);
  if (!is_definition(entry)) {
    offer_methods(repl, entry, cursor - word, word, out);
    rlx_library_offer(repl, entry, cursor - word, word, out);
    offer_data(repl, entry, cursor - word, word, out);
  }
  put_signature(repl, at, out);
  const char *signature = out->signature ? NULL : called_signature(repl, entry, cursor);
  if (!signature) return;
  if (!out->items.count && strstr(signature, "dtype")) offer_dtypes(repl, entry, cursor, out);
  free(out->signature);
  out->signature = rlx_mem_strdup(signature);
  offer_arguments(signature, entry, cursor - word, word, out);
}

// ---- the ways

/// A mode of the session that has words of its own.
static void offer_words(RlxRepl *repl, const char *line, size_t cursor, RlxLineOffers *out) {
  const char *start = line + cursor;
  while (start > line && !strchr(" \t()[]{},=+-*/<>!&|^~", start[-1])) start--;
  size_t size = (size_t)(line + cursor - start);
  char *whole = rlx_mem_strdup(line), *head = rlx_mem_strndup(line, cursor);
  RlxBuf found = {0};
  const char *word = head + (start - line);
  if (repl->sched)
    rlx_repl_sched_complete(repl, head, word, size, &found);
  else
    rlx_repl_walk_complete(repl, word, size, &found);
  out->word = size;
  for (const char *p = rlx_buf_text(&found); *p;) {
    size_t n = strcspn(p, "\n");
    char *text = rlx_mem_strndup(p, n);
    add(out, "", text, NULL);
    free(text);
    p += n + (p[n] == '\n');
  }
  rlx_buf_free(&found);
  free(whole);
  free(head);
}

/// What may stand in an entry, or the files behind `load("` in it.
static void offer_expression(RlxRepl *repl, const char *text, size_t cursor, RlxLineOffers *out) {
  const char *file = file_in(text, cursor);
  if (file)
    offer_files(file, (size_t)(text + cursor - file), ".npy .npz .safetensors", out);
  else
    offer_entry(repl, text, cursor, out);
}

/// The kinds of files that a command reads; NULL: any.
static const char *files_of(RlxReplCommandId id) {
  if (id == RLX_REPL_COMMAND_restore) return ".npz";
  const bool reads_script =
      id == RLX_REPL_COMMAND_load || id == RLX_REPL_COMMAND_reload || id == RLX_REPL_COMMAND_watch;
  return reads_script ? ".py" : NULL;
}

/// The commands without their colon.
static void offer_command_names(const char *word, size_t size, RlxLineOffers *out) {
  out->word = size;
  for (int i = 0; i < RLX_REPL_COMMAND_COUNT; i++)
    add_if(out, "commands", rlx_repl_commands[i].name, rlx_repl_commands[i].help, word, size);
}

/// What a command takes that is no expression: names of the session, functions alone where it takes no variable.
static void offer_names(const RlxRepl *repl, const char *text, size_t size, bool has_variables,
                        RlxLineOffers *out) {
  size_t start = size;
  while (start && !strchr(" \t,", text[start - 1])) start--;
  out->word = size - start;
  uint32_t at = 0;
  for (const RlxReplVar *var; has_variables && (var = rlx_repl_next_var(repl, &at));)
    if (*var->name != '_') add_if(out, "variables", var->name, NULL, text + start, size - start);
  at = 0;
  for (const RlxReplDef *def; (def = rlx_repl_next_def(repl, &at));)
    if (!def->is_unnamed && (has_variables || *def->text == '@')) // a constant has no decorator
      add_if(out, "definitions", def->name, NULL, text + start, size - start);
}

/// The options of a command, where its argument begins with a dash.
static bool offer_options(const RlxReplCommandRow *row, const char *text, size_t size,
                          RlxLineOffers *out) {
  const char *at = row->argument;
  size_t n;
  if (*text != '-' || memchr(text, ' ', size)) return false;
  for (const char *option; (option = rlx_repl_next_option(&at, &n));) {
    char *name = rlx_mem_strndup(option, n);
    add_if(out, "options", name, NULL, text, size);
    free(name);
  }
  if (out->items.count) out->word = size;
  return out->items.count > 0;
}

static void offer_command(RlxRepl *repl, const char *line, size_t cursor, RlxLineOffers *out) {
  size_t name = strcspn(line + 1, " \t");
  if (cursor <= name + 1) {
    out->word = cursor;
    char text[64];
    for (int i = 0; i < RLX_REPL_COMMAND_COUNT; i++) {
      snprintf(text, sizeof text, ":%s", rlx_repl_commands[i].name);
      add_if(out, "commands", text, rlx_repl_commands[i].help, line, cursor);
    }
    for (size_t i = 0; i < rlx_repl_alias_count && !out->items.count; i++) {
      snprintf(text, sizeof text, ":%s", rlx_repl_aliases[i].alias);
      add_if(out, "commands", text, rlx_repl_commands[rlx_repl_aliases[i].command].name, line,
             cursor);
    }
    return;
  }
  const RlxReplCommandId id = rlx_repl_command_named(line + 1, name);
  const char *text = line + 1 + name;
  text += strspn(text, " \t");
  if (id == RLX_REPL_COMMAND_COUNT || text > line + cursor) return;
  const char *argument = rlx_repl_commands[id].argument;
  size_t size = (size_t)(line + cursor - text);
  if (offer_options(&rlx_repl_commands[id], text, size, out)) return;
  while (*argument == '[') { // what may be left out, an option say, comes first
    const char *end = strchr(argument, ']');
    if (!end || !end[1]) break;
    argument = end + 1 + strspn(end + 1, " ");
  }
  if (strstr(argument, "NAME VALUE"))
    offer_settings(text, size, out);
  else if (strstr(argument, "COMMAND"))
    offer_command_names(text, size, out);
  else if (!strncmp(argument, "NAME", 4))
    offer_names(repl, text, size, true, out);
  else if (!strncmp(argument, "FUNC", 4) && !memchr(text, ' ', size))
    offer_names(repl, text, size, false, out);
  else if (strstr(argument, "FILE") && !strstr(argument, "EXPR"))
    offer_files(text, size, files_of(id), out);
  else if (*argument)
    offer_expression(repl, text, size, out);
}

void rlx_repl_offer(void *user, const char *before, const char *line, size_t cursor,
                    RlxLineOffers *out) {
  RlxRepl *repl = user;
  *out = (RlxLineOffers){0};
  if (repl->sched)
    offer_words(repl, line, cursor, out);
  else if (*line == ':' && !*before)
    offer_command(repl, line, cursor, out);
  else if (repl->walk && !*before)
    offer_words(repl, line, cursor, out);
  else if (file_in(line, cursor))
    offer_expression(repl, line, cursor, out);
  else {
    RlxBuf entry = {0};
    rlx_buf_printf(&entry, "%s%s", before, line);
    const char *text = rlx_buf_text(&entry);
    size_t skip = strspn(text, " \t\n"), at = strlen(before) + cursor;
    if (skip > at) skip = at;
    offer_entry(repl, text + skip, at - skip, out);
    rlx_buf_free(&entry);
  }
}
