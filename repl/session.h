/// A REPL's state: definitions as text, variables with live values, and one analysed script made of
/// both.
#ifndef RLX_REPL_SESSION_H
#define RLX_REPL_SESSION_H

#include <signal.h>

#include "base/map.h"
#include "jit/runtime/format.h"
#include "jit/worker.h"
#include "repl/repl.h"
#include "repl/tables.h"

typedef struct RlxReplVar {
  char *name; ///< NULL: it is gone, its place is empty
  RlxObject *value;
  RlxName id;     ///< of the name; 0: not asked for yet
  RlxName origin; ///< the script that bound it; 0: none did
  bool is_old;    ///< that script is read again, and has not bound it yet
  char *typed;    ///< what stands for it in the entry: a list, say; NULL: its name
  bool is_made;   ///< the session evaluated it for the entry, whose Relax `typed` is
} RlxReplVar;

typedef Vec(RlxName) RlxReplNames;
struct RlxReplNumber; ///< numbers.h

typedef struct RlxReplDef { ///< one function, module or Python constant as entered
  char *name, *text;        ///< both NULL: it is gone, its place is empty
  RlxName id;               ///< of the name; 0: not asked for yet
  char *origin;             ///< the file it was read from; NULL: it was entered
  bool is_broken;           ///< it has errors: what reaches it is refused
  bool was_broken;          ///< as the user was told
  uint64_t told;            ///< was_broken: a hash of the errors that were told
  bool is_staged;           ///< not analysed yet
  bool is_old;              ///< from before the script that is loaded again
  bool
      is_plain; ///< a number, a text or a name alone, without an annotation: nothing can be wrong with it
  bool is_symbol; ///< a symbolic dimension, which has no value yet
  bool is_extent; ///< a symbolic dimension that has one
  bool is_own; ///< the session made it, for an entry that names numpy: :undo and :save pass it by
  bool was_symbol; ///< is_staged: what it was before was one
  char *kept_text; ///< is_staged: what it was before; NULL: it is new
  // reach.c
  RlxReplNames names; ///< that its text mentions, each once, in the order of their numbers
  bool has_names;     ///< they were looked for
  bool is_unnamed;    ///< an import, say: it has no name of its own, the names in it lead to it
  bool
      is_always; ///< no name is known that would lead to it (`from m import *`), so it is always in the text
  bool is_in_text;  ///< it is in the text that is analysed,
  bool is_in_brief; ///< by `brief`
  char *brief; ///< what stands for it in a text that only mentions it (brief.c); NULL: all of it
  RlxReplNames brief_names; ///< that `brief` mentions
  Vec(const RlxSInfo *)
      brief_sinfos;  ///< what its functions must come to; none: they did, or it is a value
  bool is_value;     ///< `brief` is its value, which stands for it in any text
  bool has_no_brief; ///< `brief` came to something else
  bool has_no_value; ///< as a constant it was found to have no value that can stand for it
  bool is_touched,
      is_spread; ///< while a change is followed: it is in `found`; those that mention it are, too
  uint64_t outcome,
      now; ///< a hash of what users see of it, when it was judged and as it is analysed; 0: not known
  uint32_t
      links; ///< constants without a value of their own that stand behind each other, up to this one
  bool is_refused; ///< while rlx_repl_settle judges: it has errors of its own
  uint64_t asked;  ///< number of the question that reached it last; 0: none
} RlxReplDef;

typedef struct RlxReplChange { ///< what a name was before an entry; both old ones NULL: nothing
  bool is_def, was_symbol;
  uint64_t entry;
  char *name, *old_text;
  RlxObject *old_value;
  int64_t bytes; ///< of the old value, if nobody else holds any of it
} RlxReplChange;

typedef Vec(RlxObject *) RlxReplArgs; ///< borrowed

typedef struct RlxReplDraft { ///< what was saved in the editor and then refused
  char *name;                 ///< of the definition; NULL: there is no draft
  char *base;                 ///< the definition's text then; "": it had none
  char *text;
} RlxReplDraft;

/// Which definitions a name leads to: for the number of a name a list of numbers of definitions' names. What a list says is
/// looked at when it is read: a definition may be gone, or have another text by then.
typedef struct RlxReplIndex {
  RlxMap places;
  Vec(RlxReplNames) lists;
} RlxReplIndex;

typedef struct RlxReplLaid { ///< where a definition's text stands in the analysed text
  uint32_t start, def;
} RlxReplLaid;

/// A file that is being read, and the one that loads it.
typedef struct RlxReplReading {
  const char *path;
  const struct RlxReplReading *outer;
} RlxReplReading;

typedef struct RlxRepl {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxJit *jit;
  struct RlxStanding *standing; ///< of that
  Vec(RlxReplVar) vars;         ///< with empty places; rlx_repl_next_var steps over them
  RlxMap var_places;            ///< of the variables in `vars`, by the numbers of their names
  uint32_t var_gaps;            ///< empty places in `vars`
  Vec(RlxReplVar) temps;        ///< what the entry made (sugar.c): lists, say
  Vec(RlxReplDef) defs;         ///< with empty places; rlx_repl_next_def steps over them
  RlxMap places;                ///< of the definitions in `defs`, by the numbers of their names
  uint32_t gaps;                ///< empty places in `defs`
  RlxReplNames staged;          ///< names of the definitions that are staged; some may be gone
  // reach.c
  uint64_t asked;        ///< how often it was asked what an entry reaches
  RlxReplNames touched;  ///< names whose definitions came, went or changed, and were not judged yet
  RlxReplNames found;    ///< the definitions that must be analysed for that
  RlxReplNames unread;   ///< names of definitions whose texts were not looked at since they changed
  RlxReplIndex users;    ///< definitions by the names that they mention,
  RlxReplIndex inner;    ///< modules by the names of their functions,
  RlxReplIndex bound;    ///< those without a name of their own by the names in them
  bool has_briefs;       ///< one of them may be in the text
  Vec(uint32_t) in_text; ///< which of `defs` are in the text that is analysed, in their order
  Vec(RlxReplLaid) laid; ///< those that stand in it, without symbolic dimensions
  char *script;          ///< the last file loaded
  const char *loading;   ///< the file that is being read, or NULL
  const RlxReplReading *reading; ///< the same with those around it, which load it
  uint32_t readings; ///< files that were read within the outermost of them, that one counted
  bool is_typed;     ///< what is handled was typed at a terminal, one entry alone
  volatile sig_atomic_t *interrupted;
  uint32_t entry_at; ///< where the entry stands in the analysed text
  RlxBuf text;       ///< the analysed text
  RlxProgram *kept;  ///< that of the entry which the analysed text ends with; NULL: none
  RlxJit *kept_jit;  ///< which one evaluates it: with or without a trace
  bool quit;
  const char *typed;  ///< the entry, while it is analysed as something else; NULL: as it was typed
  bool is_as_typed;   ///< the entry is analysed as it was typed: its warnings are the user's
  bool takes_unknown; ///< what has no value here is Python's own, and not reported:
  bool was_unknown;   ///< and that was so
  bool is_quiet;      ///< findings are not printed (bindings.c),
  bool has_withheld;  ///< and there was one
  bool tells_changes; ///< what a definition becomes is printed
  int watch_fd;       ///< of inotify; 0: nothing is watched
  char *watched;      ///< the file
  bool
      needs_recheck; ///< definitions that others mention came or went: those may be stale, or fit again
  bool is_unread;       ///< the script that was to be loaded last could not be read
  bool was_interrupted; ///< the entries behind it are not handled
  bool is_hushed;       ///< the value of the entry is kept for `_`, and not shown
  const RlxReplOptions *options;
  RlxJit *following;         ///< which one evaluates the entry that is written next; NULL: `jit`
  RlxJit *tracer, *profiler; ///< evaluate with a trace, binding by binding or as without it; made
                             ///< when first asked for
  Vec(RlxReplChange) changes;
  int64_t undo_most;  ///< bytes that they hold, if nobody else does, and nothing twice
  int follow_fd;      ///< follow.c: where the steps of the evaluation that is followed are written,
  bool follow_values; ///< with their values,
  RlxPrintStyle follow_style;    ///< as the terminal has it,
  int64_t follow_left;           ///< while there is room for these bytes
  int follow_gate, follow_ticks; ///< ends of pipes in the process that evaluates; -1: no waiting
  int follow_others[2];          ///< their other ends, which it closes; -1: it did
  const void *follow_last;       ///< the binding whose step was the last: it is told once
  RlxFile *hidden; ///< what offers are asked of (offer.c); NULL: nothing was asked yet
  /// Shows a value in place of standard output, with its text as it would be printed; or NULL.
  void (*on_value)(void *data, const RlxObject *value, const char *text);
  /// Shows a picture, which is the bytes of a file of that type, in place of its text; or NULL.
  void (*on_picture)(void *data, const char *mime, const RlxBuf *file, const char *text);
  void *value_data;
  bool is_asked; ///< the terminal was, what pictures it shows:
  int shows;     ///< an RlxPictureForm
  RlxReplDraft draft;
  struct RlxReplWalk *walk; ///< what :step walks through (walk.c), or NULL
  /// An expression as Relax, and the end of its use (sugar.h); NULL: it is Relax as it is.
  const char *(*plain)(struct RlxRepl *repl, const char *text);
  void (*plain_done)(struct RlxRepl *repl);
  /// What a call of a function of the session comes to, while an entry is written as Relax; false: no number. NULL: nothing is
  /// evaluated.
  bool (*number_of_call)(void *data, const struct RlxAst *call, struct RlxReplNumber *out);
  void *number_data;
  struct RlxReplResults *results; ///< results.c; NULL: none yet
  struct RlxReplSugar *sugar; ///< of entries that are no Relax yet (sugar.c); NULL: not needed yet
  struct RlxReplSched *sched; ///< the schedule that is open, or NULL (sched.c)
  uint64_t entry;             ///< number of the entry that is handled
  uint64_t deleted; ///< of that which deleted something last; 0: none, or :undo told of it
  uint32_t nesting; ///< entries of a script that is loaded
  int set[RLX_REPL_SET_COUNT];
  RlxSettings settings;
} RlxRepl;

/// Makes a REPL ready, whatever `*repl` held: rlx_repl_close frees it. `options` outlive it.
/// `*interrupted` becomes nonzero when an evaluation is to end. Always true.
bool rlx_repl_open(RlxRepl *repl, const RlxReplOptions *options,
                   volatile sig_atomic_t *interrupted);
/// Frees what rlx_repl_open and the entries made.
void rlx_repl_close(RlxRepl *repl);
/// The session's options of evaluation; `trace` as in RlxJitOptions.
RlxJitOptions rlx_repl_jit_options(const RlxRepl *repl, bool trace);
/// How a call is evaluated, `repeat` times.
RlxWorkerOptions rlx_repl_worker_options(const RlxRepl *repl, int repeat);
/// Gives `jit` the files of extern functions; false after a message on standard error.
bool rlx_repl_supply(RlxRepl *repl, RlxJit *jit);

// ---- entry.c
/// Handles what was entered: any number of statements and :commands (split.h). False after an error,
/// which is printed to standard output; the others are handled all the same.
bool rlx_repl_enter(RlxRepl *repl, const char *text);

/// Reads a script: definitions and statements, the first error of which ends it; false then.
bool rlx_repl_read_script(RlxRepl *repl, const char *path);

// ---- for commands
/// The script with `expression` as the body of a function; analysed, and a program when there is no
/// error. `out_name` is the function. A bare name of a function means that function.
RlxProgram *rlx_repl_program(RlxRepl *repl, const char *expression, RlxName *out_name,
                             RlxReplArgs *args);
/// Evaluates an expression; false after a message. `*out` is the caller's reference, or NULL for a
/// function.
bool rlx_repl_value(RlxRepl *repl, const char *expression, RlxObject **out);
/// Compiles and runs `function`; NULL `program` is an error that was reported. As above.
bool rlx_repl_call(RlxRepl *repl, RlxProgram *program, RlxName function, const RlxReplArgs *args,
                   RlxObject **out);
/// Says that Ctrl-C ended a command, and what comes next begins anew; false.
bool rlx_repl_tell_interrupted(RlxRepl *repl);
/// Whether the file may be read now, which a script may load. False, after a message: it is being read already, or it is one too many.
bool rlx_repl_may_read(const RlxRepl *repl, const char *path);
/// Whether files may be written and programs be started. False, after a message, where a file that is read asks for it:
/// `command` is what it says.
bool rlx_repl_may_act(const RlxRepl *repl, const char *command);
/// What a worker's end means for the entries behind it: none of them is handled after a Ctrl-C.
void rlx_repl_take_outcome(RlxRepl *repl, RlxOutcome outcome);
/// Makes `name` a variable; takes the reference over.
void rlx_repl_bind_value(RlxRepl *repl, const char *name, RlxObject *value);
/// The same for statements: `statement` is the body, `is_as_typed`: as it was typed, and `result` what it returns.
RlxProgram *rlx_repl_program_of(RlxRepl *repl, const char *statement, bool is_as_typed,
                                const char *result, RlxName *out_name, RlxReplArgs *args);
/// The same entry again, after this, is a program made anew: the settings changed.
void rlx_repl_drop_kept(RlxRepl *repl);
/// Whether the name `name` stands in `text`, not behind a dot.
bool rlx_repl_mentions(const char *text, const char *name);
/// The names that a definition mentions, each once, until its text changes.
const RlxReplNames *rlx_repl_names_of(RlxRepl *repl, RlxReplDef *def);
/// The same for many names: appends all that stand so in `text`; the caller frees `out`.
void rlx_repl_names_in(RlxRepl *repl, const char *text, RlxReplNames *out);
/// Leaves each name once, where it stands first.
void rlx_repl_once(RlxReplNames *names);
/// Appends the imports and the definitions that are in the text (reach.c); `with_symbols`: the symbolic dimensions,
/// too.
void rlx_repl_put_definitions(const RlxRepl *repl, bool with_symbols, RlxBuf *out);
/// Appends a text that may name what an entry is wrapped in, without those names.
void rlx_repl_put_plain(const char *text, RlxBuf *out);
/// Appends a text in which names of what the entry made stand, with what was typed for them.
void rlx_repl_put_typed(const RlxRepl *repl, const char *text, size_t size, RlxBuf *out);
/// Whether a name stands there of what the session made for the entry, and which nobody typed.
bool rlx_repl_names_made(const RlxRepl *repl, const char *text, size_t size);
/// Appends the body of the entry's function `text` without its wrapping, its result in the last line.
void rlx_repl_put_entry(const char *text, RlxBuf *out);
/// Prints a text that may name what an entry is wrapped in, without those names.
void rlx_repl_print_plain(const char *text);
/// Prints why an evaluation failed.
void rlx_repl_print_failure(const RlxError *err);
/// Prints a finding with the line it is in, or notes that there was one where nothing is to be said.
void rlx_repl_print_diag(RlxRepl *repl, const RlxFileDiag *d);
/// The definition that the function of `size` bytes at `name` is in: of `M.f`, and of `f` that the module M alone has, M.
/// NULL: none.
RlxReplDef *rlx_repl_def_with(RlxRepl *repl, const char *name, size_t size);
/// The definition that holds byte `place` of the analysed text, and where it begins there (`out_start` may
/// be NULL); NULL: none.
RlxReplDef *rlx_repl_def_at(const RlxRepl *repl, uint32_t place, uint32_t *out_start);
/// Writes about a Relax function; `fn` is NULL when it has no IR.
typedef void RlxReplWrite(RlxRepl *repl, const RlxStmt *stmt, const RlxFunction *fn, RlxBuf *out,
                          void *data);
/// Appends what `write` has to say about what `text` calls, an expression being a function of its
/// own. False when the script has errors.
bool rlx_repl_each_relax(RlxRepl *repl, const char *text, RlxReplWrite *write, void *data,
                         RlxBuf *out);
/// The class of the module `name`, after all definitions alone were analysed; NULL: it is none with functions, or a
/// variable has the name.
const RlxStmt *rlx_repl_module(RlxRepl *repl, const char *name);
/// All definitions alone, analysed.
void rlx_repl_analyze(RlxRepl *repl);
/// The same of those that changed or reach what did, with an empty entry behind them: a text without TVMScript is plain
/// Python, of which nothing is found.
void rlx_repl_check_definitions(RlxRepl *repl);
/// Prints the errors of the analysed script with the line they are in, but for those of definitions
/// that are known to be broken, and the warnings of the entry; true when there is no error.
bool rlx_repl_report(RlxRepl *repl);
/// The variable whose name is `size` bytes at `name`; NULL: there is none. Good until one comes.
RlxReplVar *rlx_repl_find(RlxRepl *repl, const char *name, size_t size);
/// The same by the number of the name.
RlxReplVar *rlx_repl_var_of(RlxRepl *repl, RlxName name);
/// A new variable, which owns what `var` holds.
RlxReplVar *rlx_repl_add_var(RlxRepl *repl, RlxReplVar var);
/// Frees a variable.
void rlx_repl_remove_var(RlxRepl *repl, RlxReplVar *var);
/// One variable after another, in the order in which they came: `*at` begins at 0. NULL: that was the last.
RlxReplVar *rlx_repl_next_var(const RlxRepl *repl, uint32_t *at);
uint32_t rlx_repl_var_count(const RlxRepl *repl);
/// Takes the last `count` variables away, which others own: what the entry made.
void rlx_repl_forget_temps(RlxRepl *repl, uint32_t count);
enum { RLX_REPL_FEW = 64 };
/// Whether there are so few definitions that they are all in the text, as they are.
bool rlx_repl_are_few(const RlxRepl *repl);
/// What stands for the definition in a text that mentions it.
const char *rlx_repl_text_of(const RlxReplDef *def);
/// Frees the definition's brief: it may be another one now.
void rlx_repl_drop_brief(RlxReplDef *def);
// ---- brief.c
/// Makes briefs of the definitions that were analysed, in the text as it is.
void rlx_repl_make_briefs(RlxRepl *repl);
/// Notes what the definitions in the text come to, in `now`.
void rlx_repl_note_outcomes(RlxRepl *repl);
/// Makes the brief of a constant, whose number is known.
void rlx_repl_number_brief(RlxRepl *repl, RlxReplDef *def, const struct RlxReplNumber *number);
/// Whether each brief in the text came to what all of its definition comes to; those that did not are dropped.
bool rlx_repl_try_briefs(RlxRepl *repl);
// ---- reach.c
/// What `text` reaches is in the text that is analysed, from now on.
void rlx_repl_need(RlxRepl *repl, const char *text);
/// The same of all definitions.
void rlx_repl_need_all(RlxRepl *repl);
/// The same of what changed since rlx_repl_judged, and what that mentions.
void rlx_repl_need_touched(RlxRepl *repl);
/// The same of what mentions those of them that came to something else than before; false: there is no more.
bool rlx_repl_need_users(RlxRepl *repl);
/// What changed was judged.
void rlx_repl_judged(RlxRepl *repl);
/// The definition `def` came, goes or changes.
void rlx_repl_touch(RlxRepl *repl, RlxReplDef *def);
/// Whether another definition mentions this one, or a name in it when it has none of its own.
bool rlx_repl_is_mentioned(RlxRepl *repl, RlxReplDef *def);
/// The definition has another text for a while, or has its own again.
void rlx_repl_reread(RlxRepl *repl, RlxReplDef *def);
/// Frees what was noted of all definitions, which are gone.
void rlx_repl_reach_free(RlxRepl *repl);
/// The definitions that mention `name`, each once; good until a text changes.
const RlxReplNames *rlx_repl_users_of(RlxRepl *repl, RlxName name);
/// Has the definition stand behind all others.
void rlx_repl_move_last(RlxRepl *repl, RlxReplDef *def);
/// order.c. Has what was staged, and what mentions it, stand behind what it needs to know.
void rlx_repl_order(RlxRepl *repl);
/// A Relax function that `def` mentions and whose result it does not know, for it neither declares one nor stands before it:
/// `def` itself, or one that calls it. NULL: there is none.
const RlxReplDef *rlx_repl_unknown_to(RlxRepl *repl, RlxReplDef *def);
/// A new definition without a text.
RlxReplDef *rlx_repl_add_def(RlxRepl *repl, const char *name, size_t size);
// ---- names.c
/// Whether so many of `count` places of a table are empty that the others are to move up.
bool rlx_repl_has_gaps(uint32_t gaps, uint32_t count);
/// The definition by the number of its name; NULL: there is none. Good until one comes.
RlxReplDef *rlx_repl_def_of(RlxRepl *repl, RlxName name);
/// The number of its name.
RlxName rlx_repl_def_id(RlxRepl *repl, RlxReplDef *def);
/// One definition after another, in the order in which they came: `*at` begins at 0. NULL: that was the last.
RlxReplDef *rlx_repl_next_def(const RlxRepl *repl, uint32_t *at);
uint32_t rlx_repl_def_count(const RlxRepl *repl);
// ---- definitions.c
/// Takes the text of a definition; what is wrong with it is said by rlx_repl_settle.
void rlx_repl_stage(RlxRepl *repl, const char *name, size_t size, const char *text, size_t length);
/// The same for an import that nobody entered.
void rlx_repl_stage_own(RlxRepl *repl, const char *text);
/// Whether :save writes it: neither symbolic dimensions, nor an import of the session's own that no definition needs.
bool rlx_repl_is_saved(RlxRepl *repl, RlxReplDef *def);
/// The same for `name = 3`, with which nothing can be wrong.
void rlx_repl_stage_plain(RlxRepl *repl, const char *name, size_t size, const char *text);
/// Declares a symbolic dimension, to be bound by a match_cast.
void rlx_repl_stage_symbol(RlxRepl *repl, const char *name, size_t size, const char *text);
/// The same where a match_cast gave it a value.
void rlx_repl_stage_extent(RlxRepl *repl, const char *name, int64_t extent);
/// Analyses what was staged. Definitions with errors of their own are refused, but those of files and
/// those that only call what is not defined yet. False after a message about one that was refused.
bool rlx_repl_settle(RlxRepl *repl);
/// The definition `name`; NULL: there is none.
RlxReplDef *rlx_repl_find_def(RlxRepl *repl, const char *name, size_t size);
/// Whether `name` is a module of the session.
bool rlx_repl_is_module(RlxRepl *repl, const char *name);
/// Whether it is a function of Python's: one without a decorator. How that is told, with its name.
bool rlx_repl_is_python(RlxRepl *repl, const char *name);
#define RLX_REPL_NO_DECORATOR                                                                      \
  "%s has no decorator, so it is Python's and is not run here; `@R.function` above it makes it "   \
  "Relax"
/// Frees a definition; those that mention it are to be judged.
void rlx_repl_remove_def(RlxRepl *repl, RlxReplDef *def);
/// edit.c. Opens definition `name`, or a new one, in the user's editor; what is saved there goes to
/// `out`, nothing when it is what it was, and is the draft that the next time begins with, for as long
/// as the definition stays what it is. False after a message.
bool rlx_repl_edit_text(RlxRepl *repl, const char *name, RlxBuf *out);
void rlx_repl_drop_draft(RlxRepl *repl);
// ---- watch.c
void rlx_repl_unwatch(RlxRepl *repl); ///< ends it; nothing when nothing is watched
/// Whether the watched file changed since this was asked last.
bool rlx_repl_watch_check(RlxRepl *repl);
/// history.c. So many changes are kept, those of the newest entry in any case; of more the oldest go, some at a time.
enum { RLX_REPL_CHANGES_MAX = 4096, RLX_REPL_CHANGES_KEPT = RLX_REPL_CHANGES_MAX / 8 * 7 };
/// Notes what `name` was before this entry changes it: a definition's text, or a variable's value
/// (borrowed; the note holds it). Both NULL: there was none.
void rlx_repl_note(RlxRepl *repl, bool is_def, const char *name, const char *old_text,
                   RlxObject *old_value);
/// Drops what is noted of `name`, so that :undo cannot bring it back.
void rlx_repl_forget(RlxRepl *repl, const char *name);
/// Bytes of values that only :undo would bring back.
int64_t rlx_repl_undo_bytes(const RlxRepl *repl);
/// Drops the oldest changes until the old values fit the setting undo-megabytes.
void rlx_repl_trim_undo(RlxRepl *repl);
/// Frees the history: nothing can be undone after it.
void rlx_repl_forget_changes(RlxRepl *repl);
/// settings.c. Begins with these settings, in place of the defaults.
void rlx_repl_take_settings(RlxRepl *repl, const RlxSettings *given);
/// Handles a line that begins with ":". False after a message: no such command, an argument is
/// missing, or it failed.
bool rlx_repl_command(RlxRepl *repl, const char *line);

#endif
