/// What is kept: the state of files, modules, functions and statements.
///
/// Always true: a unit (one statement's results) owns an arena and nothing else owns what it made;
/// variables belong to their function and keep their address; a name is looked up in the
/// environment of the sweep that runs, never in stored tables.
#ifndef RLX_ANALYZER_STATE_H
#define RLX_ANALYZER_STATE_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"
#include "analyzer/struct_info/module_view.h"
#include "analyzer/symbolic/marks.h"
#include "analyzer/symbolic/prove.h"
#include "analyzer/syntax/document.h"
#include "analyzer/words/dialect.h"
#include "analyzer/words/islands.h"
#include "analyzer/words/names.h"
#include "analyzer/words/prim_names.h"
#include "base/map.h"

typedef struct RlxMethod {
  RlxValue self;
  RlxName name;
} RlxMethod;

typedef struct RlxCastPair {
  RlxExpr *value;
  const RlxSInfo *sinfo;
  RlxSpan sinfo_span;
  bool is_shape; ///< R.match_shape: an annotation may say more than the shape
} RlxCastPair;

/// A name that a statement binds in its function.
struct RlxDef {
  RlxName name;
  RlxSpan span;
  bool is_unbound; ///< PRIM: declared (n = T.int64()), and nothing has given it a value yet
  bool is_missing; ///< nothing binds the name; it was reported
  bool is_value; ///< PRIM: this gives a declared variable its value (or reports that it has none);
                 ///< the declaration is elsewhere
  RlxValue value;
  const RlxStmt *stmt;
};

/// What some statements say of their dialect.
typedef struct RlxSaid {
  uint32_t votes[RLX_DIALECT_COUNT];
  uint32_t today; ///< votes against tlc-pack of annotations that it had in its last year, too
  uint32_t taken; ///< votes for spellings that other dialects take as something else
  uint8_t fits;   ///< dialects that had all spellings so far
  uint8_t reads;  ///< the same with the dialects that take those
  uint8_t marks;  ///< RlxSpellingMarks
} RlxSaid;

/// Some statements of a suite that stand one behind the other, those in them included.
typedef struct RlxSaidRun {
  RlxSaid said; ///< with is_known
  uint32_t count;
  bool is_known;
} RlxSaidRun;

struct RlxSuite {
  RlxBlock *block;
  Vec(RlxAnalysis *) units;          ///< one a statement, NULL where none was made yet
  Vec(const RlxAnalysis *) compound; ///< IF and WITH units; of the last sweep, as what follows
  Vec(const RlxAnalysis *) leaving;  ///< units that may_leave
  bool is_broken;                    ///< a unit has a syntax error, or a wrong R.output
  Vec(const RlxAnalysis *)
      reported;        ///< units with diagnostics, in nested suites included; of the last sweep
  uint32_t diag_count; ///< diagnostics of the units, nested ones included
  bool was_built;      ///< but for the units [gap_from, gap_to), in their suites too
  uint32_t gap_from, gap_to;
  Vec(uint64_t) calm; ///< a bit for each unit that is plain and not dirty; too short: not noted yet
  bool was_shifted;   ///< since the last sweep statements came, went or are others than one for one
  Vec(RlxSaidRun) said; ///< all statements in order; empty: not looked at yet (recognize.c)
  uint32_t said_serial; ///< RlxFile.build_serial then
};

typedef enum RlxAnalysisKind {
  RLX_UNIT_SIMPLE,
  RLX_UNIT_IF,
  RLX_UNIT_WITH,
  RLX_UNIT_DEF,
  RLX_UNIT_ISLAND,
  RLX_UNIT_CLASS
} RlxAnalysisKind;

/// What a statement saw under a name: when that differs at a later sweep, the statement is analysed
/// again.
typedef struct RlxRead {
  RlxName name;
  uint32_t flags;
  /// The variable, symbolic integer or module, or a hash of what exists in Python alone; NULL: nothing.
  const void *thing;
  const RlxSInfo *sinfo;
} RlxRead;
/// Where RlxRead.flags has RlxVar.is_tainted of a variable.
enum { RLX_READ_TAINT_SHIFT = 12 };

/// The analysis of one statement; hangs on RlxStmt.analysis.
/// What every sweep looks at stands first.
struct RlxAnalysis {
  RlxStmt *stmt; ///< NULL: the statement is gone, the unit waits for its splice
  uint8_t kind;
  bool is_dirty, is_analyzed, is_impure;
  RlxTaint is_tainted;
  bool is_volatile; ///< says something about names that are not there: analysed at every sweep
  bool is_dataflow_block; ///< WITH: R.dataflow()
  uint8_t frame;          ///< WITH: RlxWord of the call that opens its scope
  bool is_output;         ///< R.output(…)
  bool defs_in_order;     ///< no definition stands before the one in front of it
  bool has_own;           ///< `own` is what the only definition stands for
  bool has_error;         ///< its text has a syntax error
  bool may_leave;         ///< R.output or return: its definitions leave a dataflow block
  bool is_unused;         ///< stands in `unused` of its function
  bool asks;              ///< a proof was needed that other facts may decide otherwise
  bool asks_marks;        ///< it hung on marks (marks.h), which may come and go
  bool asks_dialects;     ///< it hung on what other dialects its function may be of
  bool is_plain;          ///< all that its last sweep gave is the variable that `own` is (plain.c)
  bool has_reading;       ///< one of its statement's readings was chosen at an earlier sweep
  bool
      is_bare; ///< a call of an operator with variables, constants and literals alone (sweep_again.c)
  bool
      is_rooted; ///< a call of an operator that is looked up in one of its function's roots, or in a name that it reads
  bool has_literals; ///< with is_bare: as arguments of their own
  RlxRead own;
  RlxDef *defs;
  uint32_t read_count, def_count, outer_read_count, diag_count, fact_count;
  RlxFacts *facts;         ///< what holds behind it; linked to those before it at every sweep
  uint64_t facts_seen;     ///< hash of the facts it was analysed under
  uint64_t marks_seen;     ///< hash of the marks it was analysed under
  const RlxSymVar **marks; ///< those that it makes, in arena
  uint32_t mark_count;
  const RlxPrim *branch; ///< IF: the symbolic condition that holds in its first branch, or NULL
  uint64_t use_mark; ///< hash of what it reads and binds, as it stands in its function's use_sum;
                     ///< 0: not noted
  RlxRead *reads;    ///< `few` when they fit
  RlxRead few[3];    ///< R, and two operands
  RlxSuite *body, *orelse;
  RlxFn *fn;    ///< DEF, ISLAND
  RlxFn *owner; ///< function whose body it stands in; NULL: outside
  RlxArena *arena;
  RlxBinding **bindings;
  RlxDiag **diags;
  RlxName *outer_reads;
  RlxVar **vars;
  RlxExpr *result;   ///< RETURN: leaf
  RlxModule *module; ///< CLASS
  uint32_t binding_count, var_count;
};

struct RlxFn {
  RlxFile *file;
  RlxModule *module; ///< or NULL
  RlxFn *outer;      ///< enclosing function of a local one
  RlxStmt *stmt;
  RlxAnalysis *unit;
  uint8_t kind; ///< RlxIslandKind
  RlxFunction function;
  RlxSuite *body;
  RlxArena *arena;       ///< header: signature, parameters
  RlxArena *end_arena;   ///< diagnostics about the function as a whole
  RlxArena *var_arena;   ///< variables
  Vec(RlxVar *) orphans; ///< variables of dropped or re-analysed statements, to be adopted by name
  Vec(RlxVar *) outputs; ///< variables that R.output let out of dataflow blocks at the last sweep
  Vec(RlxVar *) spare;   ///< variables that nothing refers to
  RlxMap orphan_index;   ///< name → index in orphans + 1, during a sweep
  Vec(RlxDef) params;    ///< names the signature binds
  RlxMap param_index;    ///< of their names the first place + 1, of the first param_indexed ones
  RlxMap param_vars;     ///< the symbolic variables that these have as values
  uint32_t param_indexed;
  Vec(RlxName) outer_reads;
  Vec(RlxAnalysis *) unused; ///< units whose binding nothing reads, those of local functions too;
                             ///< of the last sweep (unused.c)
  uint64_t use_sum, unused_sum; ///< of the marks of all units, local functions included: now, and
                                ///< when `unused` was found
  Vec(const RlxAnalysis *) odd; ///< units with a definition that is no variable (symbols, modules),
                                ///< in order; of the last sweep
  RlxMarked marked;             ///< marks of the last sweep; of a function that is not local
  uint32_t lost;                ///< units whose results went since the last sweep
  RlxRead lost_own;             ///< what the last of these gave; no name: more than a variable
  RlxSink header, end;
  const RlxEnv *outer_env; ///< of a local function, while it is analysed
  const RlxExpr *result;
  const RlxStmt *result_stmt;
  const RlxSInfo *declared; ///< Func by the signature alone: what callers see that stand before it,
                            ///< and it itself
  const RlxSInfo *last_sinfo, *last_declared; ///< what callers saw
  const char *global_symbol;
  uint32_t build_serial; ///< of the file, when its units were last made
  uint32_t
      outer_reads_kept; ///< behind those of the signature, when the statements were asked last which they read
  uint32_t header_read_count; ///< the first of outer_reads: those of the signature
  uint32_t next_var_id;
  uint8_t signature_state; ///< 0 none, 1 busy, 2 done
  uint8_t body_state;      ///< the same
  bool is_dirty, all_dirty, ret_unknown, check_well_formed;
  bool head_is_new; ///< its signature was read again since the last sweep and gives statements what
                    ///< it gave them then (rlx_unit_outlives_head)
  bool header_failed; ///< an error stands in its signature
  bool
      ret_is_open; ///< something in its result's annotation, or in a PrimFunc's parameters, is known to Python alone
  const RlxPrim *
      ret_symbol; ///< a TypeVar that the result's annotation alone names: a match_cast of the body has to give it a value (0.27); NULL: none
  bool ret_failed;  ///< what it gives is not known for an error in its body; callers behind it say
                    ///< nothing of it
  bool was_open;    ///< rlx_fn_is_open, when readers of its name were told last
  bool last_failed; ///< one of the two, when readers of its name were told last
  bool
      is_declared_pure; ///< by its decorator; of tlc-pack's dialect, function.is_pure is what its body does
  bool is_printed; ///< a compiler's output, as it says itself: what can't be proved is a hint
  bool
      body_is_open; ///< the variable that its body gives is known to Python alone; of the last sweep: an edit frees what `result` is
  uint64_t fixed_hash;
  uint64_t
      scope_seed; ///< of its symbolic variables: what no other function of the file has; of one
                  ///< that is not local
  uint64_t first_seed; ///< the first of its name's chain of them
  uint64_t head_key;   ///< hash of what statements take from the head without reading a name
  uint64_t
      bare_key; ///< hash of all that bare statements take but the variables that they read, as of the last sweep; 0: not known
  Vec(RlxName) roots;   ///< where the operators of bare statements are looked up: `R`
  const RlxStmt *first; ///< function of the module that has this name already, or NULL
  RlxDialect dialect; ///< that the island is recognised as; of a local function its outermost one's
  RlxSaid said;       ///< by its text; with has_votes
  uint8_t settled_reads; ///< said.reads that its statements were analysed with
  bool has_votes;
  bool header_volatile; ///< the signature says something about names that are not there
  bool has_volatile;    ///< a statement says something about names that are not there
  uint32_t broken_from; ///< PrimFunc: rlx_primfunc_broken_from when it was last analysed
  uint64_t
      layout; ///< PrimFunc: a hash of where its statements stand in it, if a message names a line; else 0
  uint32_t work_bound; ///< PrimFunc: what questions about it might cost when it was last analysed
  uint32_t work_cost;  ///< what they cost then (share.c)
  bool work_is_short;  ///< some were given up for work_bound
  struct RlxRequired
      *required; ///< what uses require of its variables, as last asked for, or NULL (backward.c)
  void (*free_required)(struct RlxRequired *); ///< how to free it; with `required`
};

typedef struct RlxModuleRepeat { ///< I.module_attrs(…), I.module_global_infos(…)
  const RlxStmt *first, *again;
} RlxModuleRepeat;

/// The names of a module's functions, in two orders.
struct RlxSiblings {
  Vec(const char *) by_start, by_end; ///< by_end: by their last letters
  uint64_t round;                     ///< RlxFile.round when they were sorted
};

struct RlxModule {
  RlxFile *file;
  RlxStmt *stmt;
  RlxName name;
  Vec(RlxFn *) fns;
  RlxMap by_name;               ///< RlxName → RlxFn
  struct RlxSiblings *siblings; ///< of many functions, for names that are none of them
  Vec(const RlxVDevice *) vdevices;
  Vec(RlxMesh) meshes;
  RlxMap infos;                 ///< names assigned in the class body → 1
  Vec(RlxModuleRepeat) repeats; ///< what a module has once, and has again
  RlxArena *arena;
  RlxSink sink;
  RlxModuleView view;
  bool check_well_formed;
  bool has_new_head; ///< since functions were found last
};

/// Environment of one sweep over a function.
typedef struct RlxEnvEntry {
  const RlxDef *def;
  const void *thing; ///< these three as in RlxRead
  const RlxSInfo *sinfo;
  uint32_t flags;
  uint32_t stamp;
} RlxEnvEntry;
typedef struct RlxEnvUndo {
  RlxName name;
  bool had_one; ///< what was there is the last of `hidden`
} RlxEnvUndo;
struct RlxEnv {
  RlxEnvEntry *at;
  uint32_t capacity;
  uint32_t stamp;
  Vec(RlxEnvUndo) undo;
  Vec(RlxEnvEntry) hidden; ///< what names stood for that were put again
  uint32_t depth;
  const struct RlxEnv *parent; ///< of the function around a local one
  const RlxFacts *facts;       ///< what holds at the end of the body; NULL before
  struct RlxEnv *next_free;
};

/// One binding of a name outside of islands.
typedef struct RlxOuterBinding {
  RlxName name;
  const RlxBlock *block;
  RlxStmt *stmt;
  const RlxImport *import; ///< or NULL
  bool is_conditional, is_opaque;
  bool is_asked;       ///< whether the conditions around it hold is being found out
  uint8_t state;       ///< of value: 0 none, 1 busy, 2 done
  uint32_t deep_round; ///< the last one in which it was given up (RlxFile.outer_round); 0: never
  uint8_t reach;       ///< modules that `value` was followed through, as RlxFile.import_reach
  uint8_t far_depth;   ///< of a value that was too far: RlxFile.import_depth when it was asked for
  RlxValue value;
  uint32_t next;        ///< of the same name and block: the one noted before, + 1
  uint32_t newer;       ///< the one noted after it, + 1
  uint32_t oldest;      ///< the one noted first, + 1
  uint32_t jump;        ///< one behind `next`, + 1, such that few jumps lead anywhere
  uint32_t jump_length; ///< how many links that is
  uint32_t least;       ///< the first in the text of those up to `jump`, itself without it, + 1
  uint32_t first;       ///< of this one and those behind `next`: the first in the text, + 1
  bool is_global;       ///< one of them is `global`
} RlxOuterBinding;

/// Modules that a value is followed through. Without a limit a project in which each module takes from the next would be
/// read as a whole for each of its files.
enum { RLX_CHAIN_MAX = 12 };

enum { RLX_UNIT_CLASSES = 128 };

enum { RLX_PARKED_MAX = 1024 };

/// Modules that no open file imports any more, parsed: the next file may import them, too.
typedef struct RlxParked {
  RlxFile *at[RLX_PARKED_MAX]; ///< by the hash of their path; NULL: none
  uint32_t bytes;              ///< their texts'
} RlxParked;

struct RlxAnalyzer {
  RlxStore *store;
  RlxSettings settings; ///< of the file that is being analysed
  RlxSettings common;   ///< of files without their own
  RlxArena *arena;      ///< lives as long as the analyzer
  RlxWords words;
  RlxMap row_defaults; ///< RlxOpRow * → RlxValue *
  RlxMap metadata;     ///< name of a text of TVM's → what eval/metadata.c read of it
  RlxEnv *free_envs;
  const struct RlxEvalHooks *hooks; ///< what evaluation asks of files above it (eval/eval.h)
  RlxArena *scratch;
  RlxParked parked;
  uint64_t next_file;
  uint32_t settings_serial;   ///< counts changes of the settings
  uint64_t dialect_questions; ///< counts those of rlx_fn_may_be
  uint32_t
      unit_bytes[RLX_UNIT_CLASSES]; ///< what the results of statements took lately, by the size
                                    ///< of their syntax and what they call
  RlxName name_lv, name_gv, name_underscore, name_return, name_impure;
};

typedef struct RlxImported { ///< a module that the file, or one of its imports, names
  char *from, *name;         ///< as RlxModuleReader takes them
  RlxFile *file;             ///< its statements, not analysed; NULL: there is none to read
  bool is_value;             ///< a value was wanted of it
} RlxImported;

struct RlxImportOrigin { ///< where the constant of another module is assigned
  RlxFile *module;
  const RlxStmt *stmt;
};

/// What a `with` whose head is written anew keeps of the one before: its statements' analysis.
typedef struct RlxKeptWith {
  const RlxStmt *heir;
  RlxFn *owner;
  RlxSuite *body;
  bool is_dataflow_block;
  uint8_t frame;
} RlxKeptWith;

struct RlxFile {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxDocument *document;
  uint64_t serial;
  uint64_t round;            ///< counts its analyses
  uint32_t settings_serial;  ///< of the settings it was analysed under
  uint32_t settings_changes; ///< of its own settings, counted
  RlxSettings settings;      ///< its own
  RlxLineNames line_names;   ///< `put` NULL: lines are told as they are counted
  bool has_settings;
  RlxFileStats stats;
  Vec(RlxModule *) modules;
  Vec(RlxFn *) fns; ///< islands in source order, those of modules included; not local functions
  Vec(RlxOuterBinding) outer;
  Vec(uint32_t) outer_assigns; ///< indices into `outer` of what assignments and loops bind
  RlxMap outer_index;          ///< hash of (block, name) → first index + 1
  RlxMap mutated;              ///< names whose values are changed in place somewhere (mutated.c)
  Vec(const RlxAst *) outer_calls; ///< what may change values under other names (mutated.c)
  RlxIslandNames island_names;     ///< what the names in decorators stand for
  RlxPrimNames prim_names;         ///< of its PrimFuncs, as far as somebody asked
  RlxArena *outer_arena;
  uint32_t outer_depth; ///< of values in `outer` that are being found, one through the other
  int outer_conditions; ///< how many conditions around assignments are being found out, in one another
  bool is_outer_deep; ///< one of them was given up for that
  uint32_t
      outer_round; ///< counts the values in `outer` that were looked for on behalf of none other
  RlxSink outer_sink;
  RlxMap changed_outer;          ///< names whose meaning outside changed in this round
  struct RlxOuterSpread *spread; ///< of these, what mentions what; NULL: nobody asked
  RlxArena *diag_arena;          ///< diagnostics that belong to no statement: syntax, suppressions
  RlxSink diag_sink;
  const RlxDialect
      *forced_dialects; ///< of the islands in order, not owned; NULL: they are recognised
  uint32_t forced_count;
  RlxModuleReader reader; ///< of the modules that it imports; none: they are unknown
  Vec(RlxImported) imported;
  RlxFile *importer;    ///< of a module that was read for another file: that file
  char *path;           ///< of such a module, as the reader named it
  uint8_t import_depth; ///< modules that a value is being followed through, one after the other
  uint8_t import_reach; ///< most behind these for the value in hand; above RLX_CHAIN_MAX: too many
  bool asks_modules;    ///< something in it was looked up in a module of the project
  bool has_refused_module; ///< one was not asked for values, because others had been
  bool has_old_modules;    ///< some of these were asked for an earlier text, or by an editor
  bool is_busy;            ///< its star imports are being looked up
  uint32_t question_size;  ///< rlx_questions_size of its functions when it was last analysed
  uint32_t items_size;     ///< that of half its text: what Python's values may take
  uint8_t work_step;       ///< what one of its PrimFuncs may cost, as a row of share.c's table
  uint8_t broken_places;   ///< bits of rlx_missing_places at the last analysis
  /// Those of its functions → itself; the first one of a chain → one of the chain up to which all are taken.
  RlxMap scope_seeds;
  RlxMap maybe_bound; ///< what text alone says of names, in `maybe_round` (missing.c)
  RlxMap
      first_problems; ///< in that round: start of an outermost function → first syntax problem in it
  RlxStrMap
      outside; ///< in that round: a word that the text may bind outside of functions → the least indentation of one
  /// In that round: where the names behind `def` and `class` are, `is_lost` where one has none.
  struct RlxDefinedNames {
    Vec(uint32_t) at;
    bool is_noted, is_lost;
  } defined_names[2];
  bool has_first_problems, has_outside; ///< in that round: these two are noted
  uint64_t maybe_round;                 ///< of `round`
  /// Answers to which of many statements in a row defines a name last, by a hash of both, in `last_defs_round`.
  struct RlxLastDef {
    const void *row; ///< a suite, a function for its odd units; NULL: none
    RlxName name;
    uint32_t end; ///< the statement
    uint32_t at;  ///< the one that has the definition; UINT32_MAX: none has
    const RlxDef *def;
  } last_defs[16];
  uint64_t last_defs_round;     ///< of `round`
  uint64_t outer_dialect_round; ///< `round` when `outer_dialect` was found
  RlxDialect outer_dialect;     ///< of what stands around islands
  Vec(RlxStmt *)
      heirs; ///< defs and classes that took over another one's function or module since the last discovery
  Vec(RlxKeptWith) kept_withs; ///< until the next sweep over their functions
  RlxMap bequeathed;           ///< what they took it over from, during an edit → 1
  bool has_string_annotations; ///< from __future__ import annotations
  bool has_star_import, is_stale, needs_discovery, all_dirty, is_closing;
  bool has_inplace;           ///< there is, or was, a call that overwrites an argument
  bool has_te;                ///< the same of a call of R.emit_te
  bool needs_build;           ///< the document was put together anew: units may be missing anywhere
  uint32_t build_serial;      ///< counts such times
  uint32_t suppression_count; ///< comments `rlx: ignore` in the text, more or less: 0 means none
};

// ---- environments (env.c)
/// An empty environment, used again from those that were released. Its owner gives it back with
/// rlx_env_release.
RlxEnv *rlx_env_new(RlxAnalyzer *analyzer);
void rlx_env_release(RlxAnalyzer *analyzer, RlxEnv *env);
/// The newest definition of a name here; NULL: none. Environments of functions around are not
/// looked at.
const RlxDef *rlx_env_get(const RlxEnv *env, RlxName name);
/// From here on `name` is what `def` says. `def` must stay as long as the environment is used.
void rlx_env_put(RlxEnv *env, RlxName name, const RlxDef *def);
/// The same when it is known what the definition stands for.
void rlx_env_put_known(RlxEnv *env, const RlxRead *known, const RlxDef *def);
/// What a definition stands for, as a reader remembers it.
RlxRead rlx_env_identity(RlxName name, const RlxDef *def);
/// What `name` stands for here.
RlxRead rlx_env_read(const RlxEnv *env, RlxName name);
/// Whether the name stands for that here. Every sweep asks it for all that the statements read.
static inline bool rlx_env_holds(const RlxEnv *env, const RlxRead *known) {
  if (known->name >= env->capacity || env->at[known->name].stamp != env->stamp)
    return !known->thing && !known->sinfo && !known->flags;
  const RlxEnvEntry *entry = &env->at[known->name];
  return entry->thing == known->thing && entry->sinfo == known->sinfo &&
         entry->flags == known->flags;
}
/// Whether a sweep of the function has but one statement to evaluate, in the place of the one that was
/// there. Until then, and behind it when it gives what that one gave (rlx_gave_the_same), all names stand
/// for what they did at the last sweep. Takes note that the sweep begins.
bool rlx_has_one_to_evaluate(RlxFn *fn);
/// Notes whether the unit, evaluated just now, is plain.
void rlx_note_plain(RlxAnalysis *unit);
/// Whether the only unit that was evaluated gives what the one in its place gave.
bool rlx_gave_the_same(const RlxFn *fn, const RlxAnalysis *unit);
/// A point to come back to: rlx_env_restore with it takes back what was put since. Pairs nest.
uint32_t rlx_env_mark(RlxEnv *env);
/// Takes back what was defined since `mark`.
void rlx_env_restore(RlxEnv *env, uint32_t mark);

// ---- value_copy.c
/// `v` with all it points to in `arena`.
RlxValue rlx_value_copy(RlxArena *arena, const RlxValue *v);

// ---- fn.c
/// A function or other island for the def `stmt`; `module` and `outer` (the function around) may be
/// NULL. The caller hangs it on the def's unit, which frees it.
RlxFn *rlx_fn_new(RlxFile *file, RlxModule *module, RlxFn *outer, RlxStmt *stmt,
                  RlxIslandKind kind);
/// Frees the function with its body's units and variables.
void rlx_fn_free(RlxFn *fn);
/// The outermost function whose text holds byte `offset`, or ends there; NULL: none.
RlxFn *rlx_file_fn_at(const RlxFile *file, uint32_t offset);
/// The first place in `params` with this name; their count: none.
uint32_t rlx_fn_first_param(const RlxFn *fn, RlxName name);
/// Whether the value of one of `params` is just this symbolic variable.
bool rlx_fn_has_param_var(const RlxFn *fn, const RlxSymVar *var);
/// To be called when the last ones of `params` were dropped: the two questions above look again.
void rlx_fn_forget_params(RlxFn *fn);
/// Whether something in what it takes or gives is known to Python alone; `has_body`: what its body gives counts.
bool rlx_fn_is_open(const RlxFn *fn, bool has_body);
/// The function whose text `stmt` belongs to: its own when it is a function's def.
RlxFn *rlx_fn_around(const RlxStmt *stmt);
/// settle.c. Makes each diagnostic of `end` one of the innermost statement that it stands in, so
/// that it moves with it: statements are not looked at again when only the text around them
/// changes. Until then their places and fixes are relative to the function.
void rlx_fn_settle(RlxFn *fn);
/// Whether the function may be written in `dialect`: it is its own, or one that takes all its
/// spellings.
bool rlx_fn_may_be(const RlxFn *fn, RlxDialect dialect);
/// How the StructInfo of a value is written as an annotation, in all dialects that the function may be
/// written in: R.Prim("int64") is read by both where 0.27 is one, R.Prim(value=n) by 0.25 alone.
RlxSInfoStyle rlx_fn_annotation_style(const RlxFn *fn);
RlxFn *rlx_fn_outermost(RlxFn *fn); ///< around `fn`, or itself; NULL of NULL
/// A variable for `name`: the one that the statement had before, or that a dropped statement left,
/// or a new one. It is the function's, and keeps its address.
RlxVar *rlx_fn_var(RlxFn *fn, RlxAnalysis *unit, RlxName name, bool is_temporary);
/// The module that a class is; NULL: it is none.
RlxModule *rlx_module_of(RlxFile *file, const RlxStmt *stmt);
/// Frees a module; its functions are the file's.
void rlx_module_free(RlxModule *module);
/// The module's function of this name; NULL: none.
RlxFn *rlx_module_fn(const RlxModule *module, RlxName name);
/// Kind of island that a def's decorators make; false: none.
bool rlx_island_kind(RlxFile *file, const RlxStmt *def, RlxIslandKind *out);

// ---- use_marks.c
/// The binding of a statement `name = pure value`, else NULL.
const RlxBinding *rlx_plain_binding(const RlxAnalysis *unit);
/// The binding of a variable; NULL: it has none, as parameters and results of `if`.
const RlxBinding *rlx_binding_of(const RlxVar *var);
/// The unit has new reads and bindings; `forget`: it has none any more. Both keep the function's
/// use_sum.
void rlx_use_mark_note(RlxAnalysis *unit);

/// Before a statement's results go: nothing points to its marks any more.
void rlx_use_mark_forget(RlxAnalysis *unit);
/// Forgets which bindings of the function nothing reads; the next sweep looks again.
void rlx_use_marks_drop(RlxFn *fn);
/// Whether `stmt` says what a branch of an `if` gives: the last binding of its suite.
bool rlx_is_branch_tail(const RlxStmt *stmt);

// ---- units.c
/// The unit of a statement, dirty; hangs on `stmt` and is freed by rlx_analysis_free. `owner`: the
/// function whose body it stands in, or NULL.
/// Notes what follows from the kind of the unit's statement, when its parts have changed.
void rlx_analysis_note_kind(RlxFile *file, RlxAnalysis *unit);
RlxAnalysis *rlx_analysis_new(RlxFile *file, RlxStmt *stmt, RlxFn *owner, RlxAnalysisKind kind);
void rlx_analysis_free(
    RlxAnalysis *unit); ///< nested suites too; variables go to the owner's orphans
/// Drops the results of a unit and makes it dirty; its variables go to the owner's orphans.
void rlx_analysis_clear(RlxAnalysis *unit);
/// What a slip in the text was taken for, the function around it said: without one the statement is what it stands as.
void rlx_analysis_forget_reading(const RlxAnalysis *unit);
/// The suite of a block, without units: rlx_suite_build makes them.
RlxSuite *rlx_suite_new(RlxBlock *block);
/// Frees the suite with its units; NULL is fine.
void rlx_suite_free(RlxSuite *suite);
/// Makes the units that are missing, those of nested suites too.
void rlx_suite_build(RlxFile *file, RlxSuite *suite, RlxFn *owner);
/// Whether an error is told of the unit itself.
bool rlx_unit_has_error(const RlxAnalysis *unit);
/// Keeps what the `with` of `unit` has for `heir`, which takes its suite over.
void rlx_with_keep(RlxFile *file, RlxAnalysis *unit, const RlxStmt *heir);
/// What is kept of the statements of `block`, with the function that they belong to; NULL: nothing is.
RlxSuite *rlx_with_kept(const RlxFile *file, const RlxBlock *block, RlxFn **out_owner);
/// Frees what is kept for `heir`, or for any `with` of `owner`; either may be NULL.
void rlx_with_forget(RlxFile *file, const RlxStmt *heir, const RlxFn *owner);
/// Notes whether unit `i`, which was just looked at, is plain and not dirty.
void rlx_suite_note_calm(RlxSuite *suite, uint32_t i);
/// The first unit from `i` on that is not known to be so, or the number of units.
uint32_t rlx_suite_next_restless(const RlxSuite *suite, uint32_t i);
/// `removed` units at `index` became `inserted` ones, which are missing.
void rlx_suite_note_gap(RlxSuite *suite, uint32_t index, uint32_t removed, uint32_t inserted);

#endif
