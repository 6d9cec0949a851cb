/// Entries: which kind each is, when it is whole, its evaluation in a worker, what Tab offers.
///
/// Always true: an entry that fails changes nothing.
#include "repl/follow.h"
#include "repl/sched.h"
#include "repl/session.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/op_table.h"
#include "base/file.h"
#include "base/mem.h"
#include "jit/runtime/format.h"

/// Bracket depth and open triple quote at the end of `text`.
static int open_brackets(const char *text, bool *in_string) {
  int depth = 0;
  *in_string = false;
  for (const char *p = text; *p; p++) {
    if (*p == '#') {
      p += strcspn(p, "\n");
      if (!*p) break;
    } else if (*p == '"' || *p == '\'') {
      char quote[4] = {*p, *p, *p, 0};
      bool triple = !strncmp(p, quote, 3);
      const char *end = triple ? strstr(p + 3, quote) : p + 1;
      if (!triple)
        while (*end && *end != *p && *end != '\n') end += *end == '\\' && end[1] ? 2 : 1;
      if (!end) {
        *in_string = true;
        return depth;
      }
      if (!*end) return depth;
      p = triple ? end + 2 : end;
    } else
      depth += strchr("([{", *p) ? 1 : strchr(")]}", *p) ? -1 : 0;
  }
  return depth;
}

static bool starts_block(const char *entry) {
  if (*entry == '@' || !strncmp(entry, "def ", 4) || !strncmp(entry, "class ", 6)) return true;
  size_t n = strlen(entry);
  while (n && isspace((unsigned char)entry[n - 1])) n--;
  return n && entry[n - 1] == ':' && *entry != ':';
}

bool rlx_repl_wants_more(const char *entry, bool is_terminal) {
  bool in_string;
  if (*entry == ':') return false;
  if (open_brackets(entry, &in_string) > 0 || in_string) return true;
  if (!starts_block(entry)) return false;
  size_t n = strlen(entry);
  return !is_terminal || n < 2 || entry[n - 1] != '\n' ||
         entry[n - 2] != '\n'; // a blank line ends it at a terminal
}

/// Takes the reference over.
static void set_var(RlxRepl *repl, const char *name, size_t size, RlxObject *value) {
  RlxReplVar *var = rlx_repl_find(repl, name, size);
  char *text = rlx_mem_strndup(name, size);
  rlx_repl_note(repl, false, text, NULL, var ? var->value : NULL);
  free(text);
  if (var) {
    rlx_object_unref(var->value);
    var->value = value;
  } else
    rlx_vec_push(&repl->vars, (RlxReplVar){rlx_mem_strndup(name, size), value});
}

static bool put_def(RlxRepl *repl, const char *name, size_t size, const char *entry);

static bool define(RlxRepl *repl, const char *entry) {
  const char *p = entry;
  while (*p == '@') p += strcspn(p, "\n") + (strchr(p, '\n') != NULL);
  size_t skip = !strncmp(p, "def ", 4) ? 4 : !strncmp(p, "class ", 6) ? 6 : 0;
  if (!skip) {
    printf("error: a decorator must be followed by a def or class\n");
    return false;
  }
  const char *name = p + skip;
  size_t size = 0;
  while (rlx_repl_is_name(name[size])) size++;
  return put_def(repl, name, size, entry);
}

/// Takes the text of a definition. One with errors is refused, but in a script that is loaded: its
/// other functions may be sound.
static bool put_def(RlxRepl *repl, const char *name, size_t size, const char *entry) {
  size_t length = strlen(entry);
  while (length && isspace((unsigned char)entry[length - 1])) length--;
  RlxReplDef fresh = {rlx_mem_strndup(name, size), rlx_mem_strndup(entry, length), false},
             old = {0};
  uint32_t at = 0;
  while (at < repl->defs.count && strcmp(repl->defs.at[at].name, fresh.name)) at++;
  bool is_new = at == repl->defs.count;
  if (is_new)
    rlx_vec_push(&repl->defs, fresh);
  else {
    old = repl->defs.at[at];
    repl->defs.at[at] = fresh;
  }
  rlx_repl_analyze(repl);
  bool ok = rlx_repl_report(repl);
  if (!ok && repl->nesting)
    repl->defs.at[at].is_broken = true;
  else if (!ok) { // as it was
    free(fresh.name);
    free(fresh.text);
    if (is_new)
      repl->defs.count--;
    else
      repl->defs.at[at] = old;
    return false;
  }
  rlx_repl_note(repl, true, fresh.name, old.text, NULL);
  free(old.name);
  free(old.text);
  return true;
}

static bool evaluate(RlxRepl *repl, const char *expression, RlxObject **out) {
  RlxReplArgs args = {0};
  RlxName function;
  *out = NULL;
  RlxReplVar *bare = rlx_repl_find(repl, expression, strlen(expression));
  if (bare) {
    *out = rlx_object_ref(bare->value);
    return true;
  }
  RlxProgram *program = rlx_repl_program(repl, expression, &function, &args);
  RlxRunError err = {0};
  if (program && repl->entry_at == 0) { // a function as a value
    printf("<function %s>\n", rlx_store_text(repl->store, function));
    rlx_program_free(program);
    rlx_vec_free(&args);
    return true;
  }
  bool ok = program && rlx_program_prepare(program, function, &err);
  if (program && !ok) printf("error: %s\n", err.error.text);
  if (ok) {
    RlxWorkerOptions options = rlx_repl_worker_options(repl, 1);
    RlxWorkerResult result;
    rlx_worker_call(repl->jit, program, function, args.at, (int)args.count, &options, &result);
    *out = result.value;
    if (repl->set[RLX_REPL_SET_TIME] && result.outcome == RLX_OUTCOME_DONE)
      printf("# %.1f us\n", result.run_us_min);
    ok = result.outcome == RLX_OUTCOME_DONE;
    const RlxError *why = &result.error.error;
    if (!ok)
      printf("error%s%s%s: %s\n", *why->code ? "[" : "", why->code, *why->code ? "]" : "",
             why->text);
    if (result.outcome == RLX_OUTCOME_INTERRUPTED) *repl->interrupted = 0;
  }
  rlx_program_free(program);
  rlx_vec_free(&args);
  return ok;
}

static void show(const RlxRepl *repl, const RlxObject *x) {
  RlxBuf text = {0};
  rlx_object_print(x, &text);
  if (repl->set[RLX_REPL_SET_SINFO]) {
    rlx_buf_puts(&text, "\n# ");
    rlx_object_print_sinfo(x, &text);
  }
  printf("%s\n", rlx_buf_text(&text));
  rlx_buf_free(&text);
}

/// The names before `=` of a binding; 0: it is none. `out_rest` is the right-hand side.
static int targets(const char *entry, const char **names, size_t *sizes, int capacity,
                   const char **out_rest) {
  int count = 0;
  const char *p = entry;
  for (;;) {
    while (*p == ' ') p++;
    if (!rlx_repl_is_name_start(*p) || count == capacity) return 0;
    names[count] = p;
    while (rlx_repl_is_name(*p)) p++;
    sizes[count] = (size_t)(p - names[count]);
    count++;
    while (*p == ' ') p++;
    if (*p == ',') {
      p++;
      continue;
    }
    if (*p != '=' || p[1] == '=') return 0;
    *out_rest = p + 1 + strspn(p + 1, " ");
    return count;
  }
}

static bool bind(RlxRepl *repl, const char **names, const size_t *sizes, int count,
                 const char *expression) {
  RlxObject *value;
  if (!evaluate(repl, expression, &value) || !value) return false;
  if (count == 1) {
    set_var(repl, names[0], sizes[0], value);
    return true;
  }
  bool ok = value->kind == RLX_OBJECT_TUPLE && value->count == count;
  if (!ok) printf("error: %d names for a value that is not a tuple of so many fields\n", count);
  for (int i = 0; ok && i < count; i++)
    set_var(repl, names[i], sizes[i], rlx_object_ref(value->fields[i]));
  rlx_object_unref(value);
  return ok;
}

/// Whether the bracket at `at` calls something that is not Python's or numpy's.
static bool is_session_call(const char *rest, const char *at) {
  static const char *const python[] = {"np.",  "numpy.", "tvm.", "tir.", "T.",  "int(",
                                       "len(", "float(", "max(", "min(", "str("};
  while (at > rest && (rlx_repl_is_name(at[-1]) || at[-1] == '.')) at--;
  for (size_t i = 0; i < sizeof python / sizeof *python; i++)
    if (!strncmp(at, python[i], strlen(python[i]))) return false;
  return rlx_repl_is_name_start(*at);
}

/// Whether the right-hand side, in a script that is loaded, is Python's own and no value of the
/// session: it calls nothing but Python and numpy, and names no variable.
static bool is_python(RlxRepl *repl, const char *rest) {
  for (const char *p = strchr(rest, '('); p; p = strchr(p + 1, '('))
    if (is_session_call(rest, p)) return false;
  for (const char *p = rest; *p; p++) {
    size_t n = 0;
    if (*p == '"' || *p == '\'') {
      const char *end = strchr(p + 1, *p);
      if (!end) return true;
      p = end;
    } else if (rlx_repl_is_name_start(*p)) {
      while (rlx_repl_is_name(p[n])) n++;
      if (rlx_repl_find(repl, p, n)) return false;
      p += n - 1;
    }
  }
  return true;
}

/// Statements of a module that bind nothing of the session: its docstring, its main part.
static bool is_aside(const char *text) {
  static const char *const words[] = {"if ",  "for ", "while ",  "try:",   "with ",
                                      "del ", "\"",   "assert ", "print(", "global "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strncmp(text, words[i], strlen(words[i]))) return true;
  return false;
}

/// An import in a script that is loaded: kept as a definition, but for TVM's own modules, whose
/// names are there. Other lines that mean nothing are passed over.
static bool take_import(RlxRepl *repl, const char *entry, size_t size) {
  static const char *const words[] = {"from ", "import "};
  for (size_t i = 0; repl->nesting && i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    if (strncmp(entry, words[i], n) != 0) continue;
    const char *module = entry + n + strspn(entry + n, " ");
    bool is_tvm = !strncmp(module, "tvm", 3) && !rlx_repl_is_name(module[3]);
    if (is_tvm || !strncmp(module, "__future__", 10)) return true;
    char *text = rlx_mem_strndup(entry, size);
    bool ok = put_def(repl, text, size, text);
    free(text);
    return ok;
  }
  return true;
}

bool rlx_repl_enter(RlxRepl *repl, const char *entry) {
  while (*entry == '\n' || *entry == ' ') entry++;
  size_t length = strlen(entry);
  while (length && isspace((unsigned char)entry[length - 1])) length--;
  if (!length || *entry == '#') return true;
  if (!strncmp(entry, "from ", 5) || !strncmp(entry, "import ", 7))
    return take_import(repl, entry, length);
  char *text = rlx_mem_strndup(entry, length);
  bool ok;
  if (!repl->nesting) repl->entry++;
  const char *names[64], *rest;
  size_t sizes[64];
  int count;
  if (repl->sched) {
    RlxBuf next = {0};
    ok = rlx_repl_sched_enter(repl, text, &next);
    if (ok && next.size) ok = rlx_repl_enter(repl, rlx_buf_text(&next));
    rlx_buf_free(&next);
  } else if (*text == ':')
    ok = rlx_repl_command(repl, text);
  else if (*text == '@' || !strncmp(text, "def ", 4) || !strncmp(text, "class ", 6))
    ok = define(repl, text);
  else if (repl->nesting && is_aside(text))
    ok = true;
  else if ((count = targets(text, names, sizes, 64, &rest)) && repl->nesting &&
           is_python(repl, rest))
    ok = put_def(repl, names[0], sizes[0], text);
  else if (count)
    ok = bind(repl, names, sizes, count, rest);
  else if (repl->walk && !repl->nesting)
    ok = rlx_repl_walk_enter(repl, text);
  else {
    RlxObject *value;
    ok = evaluate(repl, text, &value);
    if (value && !(value->kind == RLX_OBJECT_TUPLE && !value->count)) show(repl, value);
    rlx_object_unref(value);
  }
  free(text);
  fflush(stdout);
  return ok;
}

bool rlx_repl_load(RlxRepl *repl, const char *path) {
  RlxBuf source = {0}, entry = {0};
  RlxError err;
  if (!rlx_file_read(path, &source, &err)) {
    printf("error: %s\n", err.text);
    rlx_buf_free(&source);
    return false;
  }
  bool ok = true;
  if (repl->options->attach) repl->options->attach(repl->options->attach_data, repl->file, path);
  if (!repl->nesting++) repl->entry++;
  const char *p = rlx_buf_text(&source);
  while (ok && *p) {
    size_t n = strcspn(p, "\n");
    bool in_string, continues = entry.size &&
                                (isspace((unsigned char)*p) || !n ||
                                 open_brackets(rlx_buf_text(&entry), &in_string) > 0 || in_string);
    const char *text = rlx_buf_text(&entry),
               *last = strrchr(text, '@'); // a def behind its decorators
    continues |=
        entry.size && last && *text == '@' && !strstr(text, "\ndef ") && !strstr(text, "\nclass ");
    if (!continues && entry.size) {
      ok = rlx_repl_enter(repl, text);
      rlx_buf_clear(&entry);
    }
    rlx_buf_putn(&entry, p, n);
    rlx_buf_putc(&entry, '\n');
    p += n + (p[n] == '\n');
  }
  if (ok && entry.size) ok = rlx_repl_enter(repl, rlx_buf_text(&entry));
  repl->nesting--;
  rlx_buf_free(&entry);
  rlx_buf_free(&source);
  char *copy = rlx_mem_strdup(path);
  free(repl->script);
  repl->script = copy;
  return ok;
}

// ---- completion

static void offer(const char *candidate, size_t candidate_size, const char *word, size_t size,
                  RlxBuf *out) {
  if (candidate_size <= size || memcmp(candidate, word, size)) return;
  rlx_buf_putn(out, candidate, candidate_size);
  rlx_buf_putc(out, '\n');
}

void rlx_repl_complete(void *user, const char *line, const char *word, size_t size, RlxBuf *out) {
  RlxRepl *repl = user;
  if (repl->sched) {
    rlx_repl_sched_complete(repl, line, word, size, out);
    return;
  }
  if (repl->walk) rlx_repl_walk_complete(repl, word, size, out);
  static const char *const commands[] = {
#define RLX_REPL(name, argument, help) ":" #name,
#include "repl/commands.def"
#undef RLX_REPL
  };
  if (size && *word == ':')
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
      offer(commands[i], strlen(commands[i]), word, size, out);
  for (uint32_t i = 0; i < repl->vars.count; i++)
    offer(repl->vars.at[i].name, strlen(repl->vars.at[i].name), word, size, out);
  for (uint32_t i = 0; i < repl->defs.count; i++) // imports have no name to offer
    if (!strchr(repl->defs.at[i].name, ' '))
      offer(repl->defs.at[i].name, strlen(repl->defs.at[i].name), word, size, out);
  if (size < 2 || memcmp(word, "R.", 2)) return;
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++)
    for (const char *p = rows[i].script; *p;) {
      size_t n = strcspn(p, " ");
      char spelled[128];
      int length = snprintf(spelled, sizeof spelled, "R.%.*s", (int)(n < 120 ? n : 120), p);
      if (length > 2) offer(spelled, (size_t)length, word, size, out);
      p += n + (p[n] == ' ');
    }
}
