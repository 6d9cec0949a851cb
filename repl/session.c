/// The session: variables and definitions, and the script that is analysed for an entry.
///
/// Always true: an expression becomes the body of a function whose parameters are the variables
/// that it mentions, with the StructInfo of their values.
#include "repl/session.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "analyzer/syntax/logical_lines.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "jit/standing.h"
#include "jit/supply.h"

static const char header[] = "from tvm.script import ir as I, relax as R, tir as T\n\n";
static const char entry_name[] = "__entry__", value_name[] = "__value";

RlxJitOptions rlx_repl_jit_options(const RlxRepl *repl, bool trace) {
  const RlxReplOptions *o = repl->options;
  return (RlxJitOptions){.threads = o->threads,
                         .max_depth = repl->set[RLX_REPL_SET_DEPTH],
                         .externs = o->externs,
                         .extern_count = o->extern_count,
                         .is_interactive = true,
                         .trace = trace};
}

RlxWorkerOptions rlx_repl_worker_options(const RlxRepl *repl, int repeat) {
  const RlxReplOptions *o = repl->options;
  return (RlxWorkerOptions){.repeat = repeat,
                            .limit_seconds = o->limit_seconds,
                            .confinement = &o->confinement,
                            .uses_system = o->with_count || o->extern_count,
                            .cancel = repl->interrupted};
}

bool rlx_repl_open(RlxRepl *repl, const RlxReplOptions *options,
                   volatile sig_atomic_t *interrupted) {
  *repl = (RlxRepl){.interrupted = interrupted, .options = options};
  repl->analyzer = rlx_analyzer_new(NULL);
  repl->store = rlx_analyzer_store(repl->analyzer);
  repl->file = rlx_file_open(repl->analyzer, header, sizeof header - 1);
  RlxJitOptions jit = rlx_repl_jit_options(repl, false);
  repl->jit = rlx_jit_new(repl->store, &jit);
  repl->standing = rlx_standing_new(repl->jit);
  repl->set[RLX_REPL_SET_SINFO] = 1;
  repl->set[RLX_REPL_SET_UNDO_MB] = 512;
  repl->set[RLX_REPL_SET_DEPTH] = 1000;
  repl->set[RLX_REPL_SET_PRECISION] = RLX_PRINT_PRECISION;
  repl->set[RLX_REPL_SET_PAGER] = 1;
  return true;
}

bool rlx_repl_supply(RlxRepl *repl, RlxJit *jit) {
  for (int i = 0; i < repl->options->with_count; i++) {
    RlxError err = {0};
    if (rlx_jit_supply(jit, repl->analyzer, repl->options->with[i], &err)) continue;
    fprintf(stderr, "rlx repl: --with %s%s%s%s\n", *err.code ? "error[" : "", err.code,
            *err.code ? "]: " : "", err.text);
    return false;
  }
  return true;
}

void rlx_repl_close(RlxRepl *repl) {
  rlx_repl_drop_kept(repl);
  for (uint32_t i = 0; i < repl->vars.count; i++) {
    free(repl->vars.at[i].name);
    rlx_object_unref(repl->vars.at[i].value);
  }
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    free(def->name);
    free(def->text);
    free(def->origin);
    free(def->kept_text);
    rlx_repl_drop_brief(def);
    rlx_vec_free(&def->names);
  }
  rlx_repl_forget_changes(repl);
  rlx_repl_drop_draft(repl);
  rlx_vec_free(&repl->vars);
  rlx_vec_free(&repl->defs);
  rlx_vec_free(&repl->staged);
  rlx_map_free(&repl->var_places);
  rlx_map_free(&repl->places);
  rlx_repl_reach_free(repl);
  rlx_jit_free(repl->tracer);
  rlx_jit_free(repl->profiler);
  rlx_standing_free(repl->standing);
  rlx_jit_free(repl->jit);
  if (repl->hidden) rlx_file_close(repl->hidden);
  rlx_file_close(repl->file);
  rlx_analyzer_free(repl->analyzer);
  rlx_buf_free(&repl->text);
  free(repl->script);
}

// ---- the analysed script

void rlx_repl_put_definitions(const RlxRepl *repl, bool with_symbols, RlxBuf *out) {
  rlx_buf_puts(out, header);
  for (uint32_t i = 0; i < repl->in_text.count; i++) {
    const RlxReplDef *def = &repl->defs.at[repl->in_text.at[i]];
    if (!def->name || (def->is_symbol && !with_symbols)) continue;
    rlx_buf_puts(out, rlx_repl_text_of(def));
    rlx_buf_putn(out, "\n\n", 2);
  }
}

static void put_defs(RlxRepl *repl) {
  rlx_buf_clear(&repl->text);
  rlx_repl_put_definitions(repl, false, &repl->text);
  rlx_vec_clear(&repl->laid);
  uint32_t at = sizeof header - 1;
  for (uint32_t i = 0; i < repl->in_text.count; i++) {
    const RlxReplDef *def = &repl->defs.at[repl->in_text.at[i]];
    if (!def->name || def->is_symbol) continue;
    rlx_vec_push(&repl->laid, (RlxReplLaid){at, repl->in_text.at[i]});
    at += (uint32_t)strlen(rlx_repl_text_of(def)) + 2; // the blank line behind it
  }
}

void rlx_repl_drop_kept(RlxRepl *repl) {
  rlx_program_free(repl->kept);
  repl->kept = NULL;
}

/// Has repl->text analysed. A program is good for one text, so what is kept for another one goes.
static void set_text(RlxRepl *repl) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(repl->file), &size);
  if (size == repl->text.size && !memcmp(text, repl->text.at, size)) return;
  rlx_repl_drop_kept(repl);
  rlx_file_set_text(repl->file, rlx_buf_text(&repl->text), (uint32_t)repl->text.size);
}

void rlx_repl_analyze(RlxRepl *repl) {
  rlx_repl_need_all(repl);
  put_defs(repl);
  repl->entry_at = 0;
  set_text(repl);
}

/// Has the definitions in the text analysed, with an empty entry behind them.
static void check_text(RlxRepl *repl) {
  put_defs(repl);
  repl->entry_at = 0;
  rlx_buf_printf(&repl->text, "@R.function\ndef %s():\n    return R.tuple()\n", entry_name);
  set_text(repl);
}

void rlx_repl_check_definitions(RlxRepl *repl) {
  bool is_again = true;
  while (is_again) {
    rlx_repl_need_touched(repl);
    do check_text(repl), rlx_repl_note_outcomes(repl);
    while ((is_again = !rlx_repl_try_briefs(repl), !is_again) && rlx_repl_need_users(repl));
  }
}

static bool is_in_broken(const RlxRepl *repl, uint32_t place) {
  const RlxReplDef *def = rlx_repl_def_at(repl, place, NULL);
  return def && def->is_broken;
}

/// Blanks as wide as a part of a line; its tabs as they are.
static void print_blank(const char *text, uint32_t from, uint32_t to) {
  while (from < to) {
    uint32_t code, n = rlx_utf8_decode(text + from, to - from, &code);
    if (code == '\t')
      putchar('\t');
    else
      printf("%*s", (int)rlx_text_width(text + from, n), "");
    from += n;
  }
}

/// The line of the analysed text from `from` to `end`, and carets below `span`.
static void print_line(const char *text, uint32_t from, uint32_t end, RlxSpan span) {
  const uint32_t line = from, line_end = end, first = span.start > from ? span.start : from;
  rlx_text_around(text, first, &from, &end);
  RlxBuf part = {0};
  rlx_text_put_shown(&part, text + from, end - from);
  printf("  %s%s%s\n  ", from > line ? "…" : "", rlx_buf_text(&part), end < line_end ? "…" : "");
  rlx_buf_free(&part);
  if (from > line) putchar(' ');
  print_blank(text, from, first);
  const uint32_t stop = span.end < end ? span.end : end;
  uint32_t width = stop > first ? rlx_text_width(text + first, stop - first) : 0;
  do putchar('^');
  while (width > 1 && width--);
  putchar('\n');
}

bool rlx_repl_names_made(const RlxRepl *repl, const char *text, size_t size) {
  char *line = rlx_mem_strndup(text, size);
  bool has = false;
  for (uint32_t i = 0; i < repl->temps.count && !has; i++)
    has = (!repl->temps.at[i].typed || repl->temps.at[i].is_made) &&
          rlx_repl_mentions(line, repl->temps.at[i].name);
  free(line);
  return has;
}

/// The same of a line of the entry, as it was typed.
static void print_excerpt(const RlxRepl *repl, const char *text, uint32_t from, uint32_t end,
                          RlxSpan span) {
  if (!repl->entry_at || from < repl->entry_at || !repl->temps.count) {
    print_line(text, from, end, span);
    return;
  }
  if (repl->typed &&
      rlx_repl_names_made(repl, text + from, end - from)) { // it says less than what was typed
    const uint32_t size = (uint32_t)strcspn(repl->typed, "\n");
    print_line(repl->typed, 0, size, (RlxSpan){0, size});
    return;
  }
  RlxBuf typed = {0};
  const uint32_t first = span.start > from ? span.start : from, stop = span.end < first ? first
                                                                       : span.end < end ? span.end
                                                                                        : end;
  rlx_repl_put_typed(repl, text + from, first - from, &typed);
  const uint32_t start = (uint32_t)typed.size;
  rlx_repl_put_typed(repl, text + first, stop - first, &typed);
  const RlxSpan place = {start, (uint32_t)typed.size};
  rlx_repl_put_typed(repl, text + stop, end - stop, &typed);
  print_line(rlx_buf_text(&typed), 0, (uint32_t)typed.size, place);
  rlx_buf_free(&typed);
}

/// The message of a finding; lines that it names are counted in the definition around.
static void print_message(const RlxRepl *repl, const RlxFileDiag *d) {
  RlxArena *arena = rlx_arena_new_sized(256);
  const RlxLines *lines = rlx_document_lines(rlx_file_document(repl->file));
  uint32_t start = 0;
  bool is_defined = rlx_repl_def_at(repl, d->span.start, &start) != NULL;
  uint32_t first = is_defined ? rlx_lines_locate(lines, start).line : 0;
  rlx_repl_print_plain(rlx_line_words_from(arena, d->diag->message, first));
  putchar('\n');
  rlx_arena_free(arena);
}

void rlx_repl_print_diag(RlxRepl *repl, const RlxFileDiag *d) {
  if (repl->is_quiet) {
    repl->has_withheld = true;
    return;
  }
  const char *text = rlx_buf_text(&repl->text);
  uint32_t start = d->span.start;
  while (start && text[start - 1] != '\n') start--;
  uint32_t end = start + (uint32_t)strcspn(text + start, "\n"), from = start;
  RlxSpan span = d->span;
  if (repl->entry_at && start > repl->entry_at && !text[end + (text[end] == '\n')]) {
    from = start =
        repl->entry_at; // what returns the entry's value nobody typed: all of the entry is meant
    end = start + (uint32_t)strcspn(text + start, "\n");
    span = (RlxSpan){start, end};
  } else if (repl->entry_at && start <= repl->entry_at && repl->entry_at <= end)
    from = repl->entry_at;                           // what is before it nobody typed
  else if (repl->entry_at && start > repl->entry_at) // indented as a body
    from += (uint32_t)strspn(text + from, " ") < 4 ? 0 : 4;
  printf("%s[%s]: ", d->diag->severity == RLX_WARNING ? "warning" : "error",
         rlx_diag_row(d->diag->id)->code);
  print_message(repl, d);
  print_excerpt(repl, text, from, end, span);
}

// ---- names that nobody typed

void rlx_repl_put_typed(const RlxRepl *repl, const char *text, size_t size, RlxBuf *out) {
  for (size_t at = 0; at < size;) {
    size_t n = 0;
    while (at + n < size && rlx_text_in_name(text[at + n])) n++;
    const char *typed = NULL;
    for (uint32_t i = 0; n && i < repl->temps.count && !typed; i++)
      if (strlen(repl->temps.at[i].name) == n && !memcmp(repl->temps.at[i].name, text + at, n))
        typed = repl->temps.at[i].typed;
    if (typed)
      rlx_buf_puts(out, typed);
    else
      rlx_buf_putn(out, text + at, n ? n : 1);
    at += n ? n : 1;
  }
}

void rlx_repl_put_plain(const char *text, RlxBuf *out) {
  static const struct {
    const char *internal, *plain;
  } words[] = {{"in __entry__: ", ""}, {"__entry__: ", ""},      {"__entry__", "the entry"},
               {"__value = ", ""},     {"__value: R.", "_: R."}, {"__value: ", ""},
               {"__value", "_"}};
  enum { WORDS = sizeof words / sizeof *words };
  while (*text) {
    size_t i = 0;
    while (i < WORDS && strncmp(text, words[i].internal, strlen(words[i].internal)) != 0) i++;
    if (i < WORDS)
      rlx_buf_puts(out, words[i].plain);
    else
      rlx_buf_putc(out, *text);
    text += i < WORDS ? strlen(words[i].internal) : 1;
  }
}

void rlx_repl_put_entry(const char *text, RlxBuf *out) {
  const size_t before = out->size;
  bool is_body = false;
  for (const char *p = text; *p;) {
    size_t n = strcspn(p, "\n"), blanks = strspn(p, " ");
    // What gives no value returns an empty tuple, which nobody typed either.
    bool is_result =
        !strncmp(p + blanks, "return __value", 14) ||
        (out->size > before && n == blanks + 16 && !strncmp(p + blanks, "return R.tuple()", 16));
    if (is_body && !is_result && n > blanks) {
      size_t cut = blanks < 4 ? blanks : 4;
      const char *body = p + cut;
      size_t size = n - cut;
      static const char own[] = "__value";
      if (!strncmp(body, own, sizeof own - 1)) { // the entry's value has no name
        const char *eq = strstr(body, " = ");
        if (eq && eq < body + size) {
          size -= (size_t)(eq + 3 - body);
          body = eq + 3;
        }
      }
      rlx_buf_putn(out, body, size);
      rlx_buf_putc(out, '\n');
    }
    is_body |= !strncmp(p, "def ", 4);
    p += n + (p[n] == '\n');
  }
}

void rlx_repl_print_plain(const char *text) {
  RlxBuf out = {0};
  rlx_repl_put_plain(text, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
}

void rlx_repl_print_failure(const RlxError *err) {
  printf("error%s%s%s: ", *err->code ? "[" : "", err->code, *err->code ? "]" : "");
  rlx_repl_print_plain(err->text);
  putchar('\n');
}

/// `program`, unless calling `name` reaches a definition that is broken: then NULL, after its errors
/// were printed.
static RlxProgram *unless_broken(RlxRepl *repl, RlxProgram *program, RlxName name) {
  RlxFileDiags diags = {0};
  RlxRunError err = {0};
  bool may_be = false, is_broken = false;
  for (uint32_t i = 0; i < repl->in_text.count; i++)
    may_be |= repl->defs.at[repl->in_text.at[i]].is_broken;
  if (!program || !may_be) return program;
  rlx_program_plan(program, name, &err); // what fails there is said when it is called
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR || !rlx_program_concerns(program, d->span.start)) continue;
    rlx_repl_print_diag(repl, d);
    is_broken = true;
  }
  rlx_vec_free(&diags);
  if (is_broken) rlx_program_free(program);
  return is_broken ? NULL : program;
}

bool rlx_repl_report(RlxRepl *repl) {
  RlxFileDiags diags = {0};
  rlx_file_diags(repl->file, &diags);
  bool ok = true;
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->span.start < sizeof header - 1) continue; // nobody typed that
    const bool is_error = d->diag->severity == RLX_ERROR && !is_in_broken(repl, d->span.start),
               is_warning = d->diag->severity == RLX_WARNING && repl->is_as_typed &&
                            repl->entry_at && d->span.start >= repl->entry_at;
    ok &= !is_error;
    if (is_error || is_warning) rlx_repl_print_diag(repl, d);
  }
  rlx_vec_free(&diags);
  return ok;
}

/// Whether the StructInfo of a variable has more brackets in one another than a parameter's annotation may have; that is said then.
static bool is_too_deep(const char *name, const char *sinfo) {
  const uint32_t most = RLX_MAX_OPEN_BRACKETS - 1; // the parameter list is one
  uint32_t open = 0, deepest = 0;
  for (const char *p = sinfo; *p; p++) {
    open += *p == '(';
    if (open > deepest) deepest = open;
    open -= *p == ')' && open;
  }
  if (deepest > most)
    rlx_text_say(stdout,
                 "error: `%s` is too deep to be used: its StructInfo has %u brackets in one "
                 "another, and an entry reads %u: name its parts, instead of one more tuple "
                 "around them",
                 name, deepest, most);
  return deepest > most;
}

/// Appends a function whose body is `text` behind `lead`, and which returns `result`; analysed, and a
/// program when there is no error.
static RlxProgram *entry_program(RlxRepl *repl, const char *lead, const char *text,
                                 const char *result, RlxName *out_name, RlxReplArgs *args) {
  RlxBuf *out = &repl->text;
  RlxReplNames names = {0};
  rlx_repl_names_in(repl, text, &names);
  rlx_repl_once(&names);
  const uint32_t of_text = names.count;
  rlx_repl_names_in(repl, result, &names);
  rlx_repl_once(&names);
  rlx_buf_printf(out, "@R.function(pure=False)\ndef %s(", entry_name);
  for (uint32_t i = 0; i < names.count; i++) {
    const RlxReplVar *var = rlx_repl_var_of(repl, names.at[i]);
    if (!var) continue;
    rlx_buf_printf(out, "%s%s: ", args->count ? ", " : "", var->name);
    const size_t from = out->size;
    rlx_object_print_sinfo(var->value, out);
    if (is_too_deep(var->name, rlx_buf_text(out) + from)) {
      rlx_vec_free(&names);
      return NULL;
    }
    rlx_vec_push(args, var->value);
  }
  rlx_buf_puts(out, "):\n");
  for (uint32_t i = 0; i < of_text; i++) {
    const RlxReplDef *def = rlx_repl_def_of(repl, names.at[i]);
    if (def && def->is_symbol) rlx_buf_printf(out, "    %s\n", def->text);
  }
  rlx_vec_free(&names);
  rlx_buf_printf(out, "    %s", lead);
  repl->entry_at = (uint32_t)out->size;
  for (const char *p = text; *p; p++) {
    rlx_buf_putc(out, *p);
    if (*p == '\n' && !*lead) rlx_buf_puts(out, "    ");
  }
  rlx_buf_printf(out, "\n    return %s\n", result);
  set_text(repl);
  *out_name = rlx_store_intern(repl->store, entry_name, sizeof entry_name - 1);
  if (repl->kept_jit != repl->jit) rlx_repl_drop_kept(repl);
  repl->kept_jit = repl->jit;
  if (!repl->kept && rlx_repl_report(repl))
    repl->kept = unless_broken(repl, rlx_program_new(repl->jit, repl->file), *out_name);
  return repl->kept ? rlx_program_ref(repl->kept) : NULL;
}

const RlxStmt *rlx_repl_module(RlxRepl *repl, const char *name) {
  const RlxStmt *found = NULL;
  if (!rlx_text_is_name(name, strlen(name)) || rlx_repl_find(repl, name, strlen(name))) return NULL;
  RlxFunctionViews views = {0};
  rlx_repl_analyze(repl);
  rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0; i < views.count && !found; i++)
    if (views.at[i].module && !strcmp(rlx_store_text(repl->store, views.at[i].module), name))
      found = views.at[i].module_stmt;
  rlx_vec_free(&views);
  return found;
}

/// Whether `name` is a module, which has no value; which functions can be named is said then.
static bool is_refused_module(RlxRepl *repl, const char *name) {
  const RlxStmt *module = rlx_repl_module(repl, name);
  if (!module) return false;
  RlxFunctionViews views = {0};
  RlxBuf names = {0};
  rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].module_stmt == module)
      rlx_buf_printf(&names, "%s%s.%s", names.size ? ", " : "", name,
                     rlx_store_text(repl->store, views.at[i].name));
  rlx_text_say(stdout, "error: %s is a module: name one of its functions: %s", name,
               rlx_buf_text(&names));
  rlx_buf_free(&names);
  rlx_vec_free(&views);
  return true;
}

static RlxProgram *plain_program(RlxRepl *repl, const char *expression, RlxName *out_name,
                                 RlxReplArgs *args) {
  rlx_repl_need(repl, expression);
  put_defs(repl);
  repl->entry_at = 0;
  rlx_vec_clear(args);
  bool is_function = false;
  if (rlx_text_starts_name(*expression) &&
      strspn(expression, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") ==
          strlen(expression)) {
    *out_name = rlx_store_intern(repl->store, expression, strlen(expression));
    set_text(repl);
    RlxProgram *program = rlx_repl_find(repl, expression, strlen(expression))
                              ? NULL
                              : rlx_program_new(repl->jit, repl->file);
    is_function = program && rlx_program_has(program, *out_name);
    if (is_function) return unless_broken(repl, program, *out_name);
    rlx_program_free(program);
    if (is_refused_module(repl, expression)) return NULL;
  }
  return entry_program(repl, "__value = ", expression, value_name, out_name, args);
}

RlxProgram *rlx_repl_program(RlxRepl *repl, const char *expression, RlxName *out_name,
                             RlxReplArgs *args) {
  RlxJit *jit = repl->following ? repl->following : repl->jit, *own = repl->jit;
  repl->following =
      NULL; // what has to be evaluated while the entry is written as Relax is not followed
  const char *plain = repl->plain ? repl->plain(repl, expression) : expression;
  if (!plain) return NULL;
  repl->is_as_typed = !strcmp(plain, expression);
  const char *outer = repl->typed;
  repl->typed = repl->is_as_typed ? NULL : expression;
  repl->jit = jit;
  RlxProgram *program = plain_program(repl, plain, out_name, args);
  repl->jit = own;
  repl->typed = outer;
  if (repl->plain_done) repl->plain_done(repl);
  return program;
}

RlxProgram *rlx_repl_program_of(RlxRepl *repl, const char *statement, bool is_as_typed,
                                const char *result, RlxName *out_name, RlxReplArgs *args) {
  rlx_repl_need(repl, statement);
  put_defs(repl);
  rlx_vec_clear(args);
  repl->is_as_typed = is_as_typed;
  return entry_program(repl, "", statement, result, out_name, args);
}
