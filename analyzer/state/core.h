/// What the analyzer's own files share: the state of files, modules, functions and statements, and
/// the evaluator. Not an interface for other folders; they use analyzer.h.
///
/// Always true: a unit (one statement's results) owns an arena and nothing else owns what it made;
/// variables belong to their function and keep their address; a name is looked up in the
/// environment of the sweep that runs, never in stored tables.
#ifndef RLX_ANALYZER_CORE_H
#define RLX_ANALYZER_CORE_H

#include "analyzer/analyzer.h"
#include "analyzer/ops/deduce.h"
#include "analyzer/words/dialect.h"
#include "analyzer/words/islands.h"
#include "analyzer/struct_info/module.h"
#include "base/map.h"

typedef enum RlxWord {
  RLX_WORD_NONE,
#define RLX_WORD(id, path) RLX_WORD_##id,
#include "analyzer/words/words.def"
#undef RLX_WORD
  RLX_WORD_COUNT
} RlxWord;

/// Kinds of RlxValue that only the evaluator sees, behind those of RlxValueKind.
enum {
  RLX_VAL_NAMESPACE = 32, ///< string: canonical path ("R.nn")
  RLX_VAL_MISSING,        ///< string: path of an R attribute that does not exist
  RLX_VAL_OP,             ///< thing: RlxOpRow
  RLX_VAL_WORD,           ///< integer: RlxWord
  RLX_VAL_DTYPE,          ///< integer: packed dtype (T.float32)
  RLX_VAL_TFUNC,          ///< string: other function of T (T.log2)
  RLX_VAL_CLASS,          ///< thing: RlxModule
  RLX_VAL_FUNCTION,       ///< thing: RlxFn outside of any module, or of one, as a Python object
  RLX_VAL_BUILTIN,        ///< string: Python's
  RLX_VAL_METHOD,         ///< thing: RlxMethod
  RLX_VAL_SYMDECL,        ///< integer: name and dtype of a symbolic variable to be (T.int64(),
                          ///< TypeVar("n"))
  RLX_VAL_CAST,           ///< thing: RlxCastPair
  RLX_VAL_VDEVICE,        ///< thing: RlxVDevice
  RLX_VAL_LAMBDA,         ///< thing: RlxAst; see rlx_lambda_value
  RLX_VAL_ARRAY,          ///< expr: constant, an array of numpy's; is_bare: of TVM's runtime
  RLX_VAL_LIMITS,         ///< integer: packed dtype (numpy.iinfo("int64"))
  RLX_VAL_STATEMENT, ///< integer: RlxWord of a call that is a statement (R.output, R.func_attr),
                     ///< done
};

typedef struct RlxModule RlxModule;
typedef struct RlxFn RlxFn;
typedef struct RlxAnalysis RlxAnalysis;
typedef struct RlxEnv RlxEnv;
typedef struct RlxSuite RlxSuite;

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
typedef struct RlxDef {
  RlxName name;
  RlxValue value;
  const RlxStmt *stmt;
  RlxSpan span;
  bool is_unbound; ///< PRIM: declared (n = T.int64()), and nothing has given it a value yet
  bool is_missing; ///< nothing binds the name; it was reported
  bool is_value; ///< PRIM: this gives a declared variable its value (or reports that it has none);
                 ///< the declaration is elsewhere
} RlxDef;

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
  const void *thing; ///< the variable, symbolic integer or module; NULL: nothing
  const RlxSInfo *sinfo;
} RlxRead;

/// The analysis of one statement; hangs on RlxStmt.analysis.
/// What every sweep looks at stands first.
struct RlxAnalysis {
  RlxStmt *stmt; ///< NULL: the statement is gone, the unit waits for its splice
  uint8_t kind;
  bool is_dirty, is_analyzed, is_tainted, is_impure;
  bool is_volatile; ///< says something about names that are not there: analysed at every sweep
  bool is_dataflow_block; ///< WITH: R.dataflow()
  bool is_output;         ///< R.output(…)
  bool has_own;           ///< `own` is what the only definition stands for
  bool has_error;         ///< its text has a syntax error
  bool may_leave;         ///< R.output or return: its definitions leave a dataflow block
  bool is_unused;         ///< stands in `unused` of its function
  bool asks;              ///< a proof was needed that other facts may decide otherwise
  uint32_t read_count, def_count, outer_read_count, diag_count, fact_count;
  RlxFacts *facts;       ///< what holds behind it; linked to those before it at every sweep
  uint64_t facts_seen;   ///< hash of the facts it was analysed under
  const RlxPrim *branch; ///< IF: the symbolic condition that holds in its first branch, or NULL
  uint64_t use_mark; ///< hash of what it reads and binds, as it stands in its function's use_sum;
                     ///< 0: not noted
  RlxRead *reads;    ///< `few` when they fit
  RlxDef *defs;
  RlxRead own;
  RlxRead few[4];
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
  Vec(RlxName) outer_reads;
  Vec(RlxAnalysis *) unused; ///< units whose binding nothing reads, those of local functions too;
                             ///< of the last sweep (unused.c)
  uint64_t use_sum, unused_sum; ///< of the marks of all units, local functions included: now, and
                                ///< when `unused` was found
  Vec(const RlxAnalysis *) odd; ///< units with a definition that is no variable (symbols, modules),
                                ///< in order; of the last sweep
  RlxSink header, end;
  const RlxEnv *outer_env;        ///< of a local function, while it is analysed
  const RlxExpr *result;
  const RlxStmt *result_stmt;
  const RlxSInfo *declared; ///< Func by the signature alone: what callers see that stand before it,
                            ///< and it itself
  const RlxSInfo *last_sinfo, *last_declared; ///< what callers saw
  const char *global_symbol;
  uint32_t build_serial;      ///< of the file, when its units were last made
  uint32_t header_read_count; ///< the first of outer_reads: those of the signature
  uint32_t next_var_id;
  uint8_t signature_state; ///< 0 none, 1 busy, 2 done
  uint8_t body_state;      ///< the same
  bool is_dirty, all_dirty, is_fully_annotated, ret_unknown, check_well_formed;
  uint64_t fixed_hash;
  const RlxStmt *first; ///< function of the module that has this name already, or NULL
  RlxDialect dialect; ///< that the island is recognised as; of a local function its outermost one's
  uint32_t votes[RLX_DIALECT_COUNT];
  uint8_t
      fits; ///< dialects, as bits, that have all spellings of the function's text; with has_votes
  bool has_votes;
  bool header_volatile; ///< the signature says something about names that are not there
  bool has_volatile;    ///< a statement says something about names that are not there
  struct RlxRequired
      *required; ///< what uses require of its variables, as last asked for, or NULL (backward.c)
};

struct RlxModule {
  RlxFile *file;
  RlxStmt *stmt;
  RlxName name;
  Vec(RlxFn *) fns;
  RlxMap by_name; ///< RlxName → RlxFn
  Vec(const RlxVDevice *) vdevices;
  RlxMap infos; ///< names assigned in the class body → 1
  RlxArena *arena;
  RlxSink sink;
  RlxModuleView view;
  bool has_infos, check_well_formed;
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
  RlxEnvEntry old;
} RlxEnvUndo;
struct RlxEnv {
  RlxEnvEntry *at;
  uint32_t capacity;
  uint32_t stamp;
  Vec(RlxEnvUndo) undo;
  uint32_t depth;
  const struct RlxEnv *parent; ///< of the function around a local one
  struct RlxEnv *next_free;
};

/// One binding of a name outside of islands.
typedef struct RlxOuterBinding {
  RlxName name;
  const RlxBlock *block;
  RlxStmt *stmt;
  const RlxImport *import; ///< or NULL
  bool is_conditional, is_opaque;
  uint8_t state; ///< of value: 0 none, 1 busy, 2 done
  RlxValue value;
  uint32_t next; ///< of the same name and block, + 1
} RlxOuterBinding;

struct RlxAnalyzer {
  RlxStore *store;
  RlxSettings settings;    ///< of the file that is being analysed
  RlxSettings common;      ///< of files without their own
  RlxArena *arena;         ///< lives as long as the analyzer
  RlxMap paths;            ///< (namespace, attribute) → RlxValue *
  RlxMap predefined;       ///< row of a predefined name → RlxValue *
  RlxStrMap spelled;       ///< a dotted path → what rows of dialects say of it (dialect.c)
  RlxMap spelled_keywords; ///< RlxName of a keyword → whether rows of dialects speak of it
  RlxMap row_defaults;     ///< RlxOpRow * → RlxValue *
  RlxEnv *free_envs;
  RlxArena *scratch;
  uint64_t next_file;
  uint32_t settings_serial; ///< counts changes of the settings
  RlxName name_lv, name_gv, name_underscore, name_return, name_impure;
};

struct RlxFile {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxDocument *document;
  uint64_t serial;
  uint64_t round;           ///< counts its analyses
  uint32_t settings_serial; ///< of the settings it was analysed under
  RlxSettings settings;     ///< its own
  bool has_settings;
  RlxFileStats stats;
  Vec(RlxModule *) modules;
  Vec(RlxFn *) fns; ///< islands in source order, those of modules included; not local functions
  Vec(RlxOuterBinding) outer;
  Vec(uint32_t) outer_assigns; ///< indices into `outer` of what assignments bind
  RlxMap outer_index;          ///< hash of (block, name) → first index + 1
  RlxIslandNames island_names; ///< what the names in decorators stand for
  RlxArena *outer_arena;
  RlxSink outer_sink;
  RlxMap changed_outer; ///< names whose meaning outside changed in this round
  RlxArena *diag_arena; ///< diagnostics that belong to no statement: syntax, suppressions
  RlxSink diag_sink;
  const RlxDialect
      *forced_dialects; ///< of the islands in order, not owned; NULL: they are recognised
  uint32_t forced_count;
  uint8_t broken_places; ///< bits of rlx_wellformed_places at the last analysis
  bool has_star_import, is_stale, needs_discovery, all_dirty, is_closing;
  bool needs_build;           ///< the document was put together anew: units may be missing anywhere
  uint32_t build_serial;      ///< counts such times
  uint32_t suppression_count; ///< comments `rlx: ignore` in the text, more or less: 0 means none
};

/// The evaluation of one statement (or header, or outer value).
typedef struct RlxSymbolUse {
  const RlxDef *def;
  RlxSpan span;
} RlxSymbolUse;
typedef struct RlxLocal {
  RlxName name;
  RlxValue value;
} RlxLocal;
typedef struct RlxEval {
  RlxFile *file;
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFn *fn;       ///< NULL: outside
  RlxEnv *env;     ///< NULL: outside
  RlxArena *arena; ///< of results
  RlxSink *sink;
  const RlxStmt *stmt;
  RlxAnalysis *unit; ///< or NULL
  Vec(RlxName) reads;
  Vec(RlxName) outer_reads;
  Vec(RlxBinding *) bindings;
  Vec(RlxDef) defs;
  Vec(RlxVar *) vars;
  Vec(RlxLocal) locals;
  Vec(RlxSymbolUse) unbound_uses; ///< of symbolic variables that have no value yet
  Vec(const RlxSInfo *) patterns; ///< of the match_casts: what is bare in them gets its value here
  const RlxFacts *facts;          ///< what holds here
  Vec(RlxFacts) learned;          ///< what holds behind this statement as well
  bool is_signature; ///< strings and free names in dimensions define symbolic variables
  bool is_annotation;
  bool tainted; ///< something evaluated was already reported or is unknown
  bool in_dataflow;
  bool is_callee;  ///< the name that is looked up is called
  bool allow_free; ///< free names in dimensions are symbolic variables (R.Tensor[(n, m), "f32"])
  bool impure, is_volatile;
  bool annotation_failed; ///< the annotation of the statement contradicts its value
  uint32_t depth;
  RlxMap kept;            ///< names that dataflow blocks before keep: see rlx_fn_has_local
  uint32_t kept_blocks;   ///< compound statements of the function that are noted there
  uint32_t missing_count; ///< names that nothing binds, of this sweep so far
  uint32_t broken_from; ///< 1 + where what does not parse begins in the function; 0: not looked up
} RlxEval;

// ---- names.c
const char *rlx_word_path(RlxWord word); ///< "R.const"
RlxName rlx_word_name(RlxAnalyzer *analyzer, const char *text);
/// Meaning of `namespace.attribute`.
RlxValue rlx_names_attribute(RlxAnalyzer *analyzer, RlxName path, RlxName attribute);
/// The value that a canonical or import path stands for.
RlxValue rlx_names_path(RlxAnalyzer *analyzer, const char *path);
bool rlx_names_is_builtin(const char *text);
/// A name that is defined without an import: I, R, T, tvm, metadata.
bool rlx_names_predefined(RlxAnalyzer *analyzer, const char *text, RlxValue *out);
static inline int64_t rlx_pack_dtype(RlxDType t) {
  return (int64_t)t.code | (int64_t)t.bits << 8 | (int64_t)t.lanes << 16;
}
static inline RlxDType rlx_unpack_dtype(int64_t v) {
  RlxDType t = {(uint8_t)(v & 255), (uint8_t)(v >> 8 & 255), (uint16_t)(v >> 16 & 65535)};
  return t;
}

// ---- backward.c
void rlx_required_free(struct RlxRequired *required); ///< NULL is fine

// ---- outer.c: names bound by Python around islands
void rlx_outer_build(RlxFile *file);
void rlx_outer_clear(RlxFile *file);
/// Value of `name` as seen from the statement `from` (its own block, then enclosing scopes). False:
/// nothing binds it.
bool rlx_outer_lookup(RlxFile *file, const RlxStmt *from, RlxName name, RlxValue *out);
/// Adds a name to the changed ones; true when it was not among them.
bool rlx_outer_note_change(RlxFile *file, RlxName name);
/// Adds to the changed names those whose values were made of changed ones.
void rlx_outer_spread_changes(RlxFile *file);
/// Does anything but `stmt` give `name` a meaning somewhere outside?
bool rlx_outer_is_shared(const RlxFile *file, RlxName name, const RlxStmt *stmt);
/// Calls `each` for every name visible from `from`.
void rlx_outer_each(RlxFile *file, const RlxStmt *from, void (*each)(const char *name, void *data),
                    void *data);

// ---- environments (env.c)
RlxEnv *rlx_env_new(RlxAnalyzer *analyzer);
void rlx_env_release(RlxAnalyzer *analyzer, RlxEnv *env);
const RlxDef *rlx_env_get(const RlxEnv *env, RlxName name);
void rlx_env_put(RlxEnv *env, RlxName name, const RlxDef *def);
/// The same when it is known what the definition stands for.
void rlx_env_put_known(RlxEnv *env, const RlxRead *known, const RlxDef *def);
/// What a definition stands for, as a reader remembers it.
RlxRead rlx_env_identity(RlxName name, const RlxDef *def);
/// What `name` stands for here.
RlxRead rlx_env_read(const RlxEnv *env, RlxName name);
uint32_t rlx_env_mark(RlxEnv *env);
void rlx_env_restore(RlxEnv *env, uint32_t mark);

// ---- value_copy.c
/// `v` with all it points to in `arena`.
RlxValue rlx_value_copy(RlxArena *arena, const RlxValue *v);

// ---- evaluate.c
/// What an operator sees of a lambda: a LIST of its parameters (PRIM) and of what it gives for
/// them; OTHER when it has *args.
RlxValue rlx_lambda_value(RlxEval *e, const RlxAst *lambda);
RlxValue rlx_eval(RlxEval *e, const RlxAst *ast);
RlxValue rlx_value_none(void);
RlxValue rlx_value_unknown(RlxSpan span);
RlxValue rlx_value_expr(RlxExpr *expr);
const char *rlx_value_text(RlxEval *e, const RlxValue *v); ///< for messages
/// Python's binary operator on two values (numbers, symbolic integers, tensors).
RlxValue rlx_eval_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span);
/// A symbolic variable of the function around the one that is evaluated has no value there, unless
/// its parameters or a match_cast give it one.
void rlx_note_captured(RlxEval *e, const RlxDef *def, RlxSpan span);
/// The lookup of a bare name.
RlxValue rlx_eval_name(RlxEval *e, RlxName name, RlxSpan span);
RlxValue rlx_eval_subscript(RlxEval *e, const RlxAst *ast);
/// The island is in tlc-pack's dialect, where names, shapes and purity follow other rules.
static inline bool rlx_eval_is_tlc(const RlxEval *e) {
  return e->fn && e->fn->dialect == RLX_DIALECT_TLC;
}
/// From 0.26 on a scalar variable is an integer among integers.
static inline bool rlx_eval_is_027(const RlxEval *e) {
  return e->fn && e->fn->dialect == RLX_DIALECT_027;
}
void rlx_eval_init(RlxEval *e, RlxFile *file, RlxFn *fn, const RlxStmt *stmt, RlxArena *arena,
                   RlxSink *sink);
void rlx_eval_deinit(RlxEval *e);
RlxDiag *rlx_eval_report(RlxEval *e, RlxDiagId id, RlxSpan span, const char *kinds, ...);

// ---- eval_call.c
RlxValue rlx_eval_call(RlxEval *e, const RlxAst *ast);
typedef struct RlxPyArg {
  RlxName keyword; ///< 0: positional
  RlxValue value;
  RlxSpan span; ///< of the whole argument
  RlxSpan keyword_span;
} RlxPyArg;
typedef struct RlxPyArgs {
  RlxPyArg *at;
  uint32_t count;
  bool is_unknown; ///< a splat that only Python knows
} RlxPyArgs;
/// Argument of a vocabulary call by position or keyword; NULL when absent.
const RlxValue *rlx_py_arg(RlxEval *e, const RlxPyArgs *args, uint32_t position,
                           const char *keyword);

// ---- arrays.c
/// Value of a call of numpy or of TVM's runtime that makes an array; UNKNOWN (tainting) when it is
/// another call.
RlxValue rlx_array_call(RlxEval *e, const char *path, const RlxPyArgs *args, RlxSpan span);
/// Attribute of an ARRAY or LIMITS.
RlxValue rlx_array_attribute(RlxEval *e, const RlxValue *base, RlxName name, RlxSpan span);
/// array.astype(…), array.reshape(…).
RlxValue rlx_array_method(RlxEval *e, const RlxMethod *method, const RlxPyArgs *args, RlxSpan span);
/// R.const of an ARRAY; `dtype` as given there, or unknown.
RlxExpr *rlx_array_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span);

// ---- topi.c
/// R.emit_te(topi.add, x, x): a hole with the StructInfo that the named function gives; UNKNOWN
/// (tainting) for any other function.
RlxValue rlx_topi_emit(RlxEval *e, const RlxPyArgs *args, RlxSpan span, RlxSpan name_span);

// ---- expr.c: making expressions
RlxExpr *rlx_expr_new(RlxEval *e, RlxExprKind kind, RlxSpan span, const RlxSInfo *sinfo);
RlxExpr *rlx_expr_hole(RlxEval *e, RlxSpan span);
RlxExpr *rlx_expr_var(RlxEval *e, RlxVar *var, RlxSpan span);
/// The Relax expression a value stands for; NULL (nothing reported) when it is none. UNKNOWN gives
/// a hole.
RlxExpr *rlx_expr_of(RlxEval *e, const RlxValue *v);
RlxExpr *rlx_expr_tuple(RlxEval *e, RlxExpr **fields, uint32_t count, RlxSpan span);
RlxExpr *rlx_expr_get(RlxEval *e, RlxExpr *tuple, int64_t index, RlxSpan span, RlxSpan index_span);
RlxExpr *rlx_expr_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span);
RlxExpr *rlx_expr_shape(RlxEval *e, const RlxValue *list, RlxSpan span);
/// Reports a packed function where a value is expected.
void rlx_value_callee(RlxEval *e, const RlxExpr *x);
/// Reports the first item of a list that rlx_expr_shape refused.
/// Whether a dimension over variables has another dtype than int64, which Relax refuses.
bool rlx_dim_is_narrow(const RlxEval *e, const RlxPrim *dim);
void rlx_shape_report(RlxEval *e, const RlxValue *list);
/// A dimension or PrimValue out of a value; NULL when it is none.
const RlxPrim *rlx_value_prim(RlxEval *e, const RlxValue *v);

// ---- annotate.c
/// StructInfo of an annotation expression; NULL when it is none (reported).
const RlxSInfo *rlx_annotation(RlxEval *e, const RlxAst *ast);
/// Reports that there is no dtype `text`; the fix takes the nearest.
void rlx_dtype_report(RlxEval *e, RlxSpan span, const char *text);
/// StructInfo that a value stands for; NULL when it is none, nothing reported.
const RlxSInfo *rlx_value_sinfo(RlxEval *e, const RlxValue *v);
RlxValue rlx_eval_sinfo_call(RlxEval *e, RlxWord word, const RlxPyArgs *args, RlxSpan span);
/// `R.Tensor[(n, m), "f32"]` of the oldest dialects.
RlxValue rlx_eval_sinfo_subscript(RlxEval *e, RlxWord word, const RlxValue *items, uint32_t count,
                                  RlxSpan span);
/// Symbolic expression in a string dimension; NULL when it is not one.
const RlxPrim *rlx_prim_parse_text(RlxEval *e, const char *text, RlxSpan span);
/// Of the dimensions that the first statements fix (`n = T.int64(4)`): the signature depends on
/// them.
uint64_t rlx_fn_fixed_hash(const RlxFn *fn);
const RlxPrim *rlx_fn_symbol(RlxEval *e, RlxName name, RlxDType dtype);

// ---- learn.c
/// Notes for the statements behind this one that `condition` holds.
void rlx_learn_condition(RlxEval *e, const RlxPrim *condition, const char *origin);
/// Notes that a reshape keeps the number of elements, so that n // 4 rows of 4 mean that 4 divides
/// n.
void rlx_learn_reshape(RlxEval *e, const RlxSInfo *before, const RlxSInfo *after);
/// Notes that a value of StructInfo `value` matched `pattern`.
void rlx_learn_cast(RlxEval *e, const RlxSInfo *pattern, const RlxSInfo *value, const char *origin);

// ---- calls.c
RlxValue rlx_call_op(RlxEval *e, const RlxOpRow *row, RlxPyArgs *args, RlxSpan span,
                     RlxSpan name_span);
RlxValue rlx_call_function(RlxEval *e, RlxExpr *callee, RlxPyArgs *args, RlxSpan span,
                           RlxSpan name_span);
/// A call of row with given expressions (infix operators).
RlxValue rlx_call_op_values(RlxEval *e, const RlxOpRow *row, RlxValue *values, uint32_t count,
                            RlxSpan span, RlxSpan name_span);

/// Relates a report about argument `bad` to the arguments that say what the callee's variables are:
/// "n is 2: dimension 0 of this argument". `span_of(i)` gives the place of argument i, relative to
/// the statement.
void rlx_blame_bindings(RlxEval *e, RlxDiag *diag, const RlxSInfo *func,
                        const RlxSInfo *const *args, int count, int bad,
                        RlxSpan (*span_of)(const RlxExpr *call, int i), const RlxExpr *call);

// ---- wellformed.c
/// Where syntax errors stand, as far as other functions ask: 1 anywhere, 2 outside of functions.
uint8_t rlx_wellformed_places(const RlxFile *file);
/// Whether a syntax error may be why a name is missing: one above in this function, or one outside
/// of functions where the name occurs there. For a function of the module: any, where the file has
/// a `def` of that name.
bool rlx_wellformed_is_broken(RlxEval *e, const char *name, bool is_function);
/// Adds to a report of a name that `block` keeps: where it is bound, and the fix that makes it an
/// output.
void rlx_wellformed_leak(RlxEval *e, RlxDiag *diag, const RlxAnalysis *block, RlxName name);
/// Adds to a report of a name that is not defined where else the function binds it: below, or in a
/// branch.
void rlx_wellformed_elsewhere(RlxEval *e, RlxDiag *diag, RlxName name);
/// Reports on a function whose statements are analysed, into fn->end.
void rlx_wellformed_function(RlxFn *fn);
/// The unit has new reads and bindings; `forget`: it has none any more. Both keep the function's
/// use_sum.
void rlx_unused_note(RlxAnalysis *unit);
void rlx_unused_forget(RlxAnalysis *unit);
/// Finds the bindings of a function that nothing reads, into fn->unused. Looks at nothing when the
/// sum of the marks is what it was.
void rlx_unused_find(RlxFn *fn);
/// Reports on a function's place in its module, into fn->header.
void rlx_wellformed_header(RlxFn *fn);
/// The attributes of a PrimFunc, into `end`.
void rlx_wellformed_prim_func(RlxFn *fn);
/// What to cut to remove the entry whose key is child `key` of a dict.
RlxSpan rlx_dict_entry_span(const RlxAst *dict, uint32_t key);

// ---- calltir.c
void rlx_check_call_tir(RlxEval *e, RlxExpr *call);

// ---- lower.c
/// Makes `x` a leaf: nested calls become temporaries of the statement.
RlxExpr *rlx_lower_leaf(RlxEval *e, RlxExpr *x);
/// Makes the operands of `x` leaves.
RlxExpr *rlx_lower_value(RlxEval *e, RlxExpr *x);
void rlx_lower_statement(RlxEval *e, RlxAnalysis *unit);
RlxVar *rlx_bind(RlxEval *e, RlxName name, RlxSpan name_span, RlxExpr *value,
                 const RlxSInfo *annotation, RlxSpan span);
void rlx_define(RlxEval *e, RlxName name, RlxValue value, RlxSpan span);
/// What the statement's match_casts give a value, and reports about symbolic variables that are
/// used without one.
void rlx_lower_symbols(RlxEval *e);
/// Whether the statement uses a symbolic variable that neither it nor a parameter gives a value.
bool rlx_lower_has_unbound(const RlxEval *e);

// ---- policy.c
/// Reports what `return` makes of the function's annotation.
void rlx_policy_return(RlxEval *e, const RlxExpr *value, RlxSpan span);
/// What a copy of a value has: what the value is known to have, and the annotation where it isn't.
const RlxSInfo *rlx_policy_complete(RlxStore *store, const RlxSInfo *value,
                                    const RlxSInfo *annotated);
typedef enum RlxPolicy {
  RLX_POLICY_FINE, ///< the variable has its annotation
  RLX_POLICY_CAST, ///< undecided, and the settings make that a match_cast
} RlxPolicy;
/// What an annotation means for a binding of `value`, by spec 1.4; reports.
RlxPolicy rlx_policy_annotation(RlxEval *e, const RlxSInfo *annotated, RlxExpr *value,
                                RlxSpan annotation_span);

// ---- signature.c
void rlx_fn_signature(RlxFn *fn);
/// Brings the signature up to date.
void rlx_fn_refresh(RlxFn *fn);
/// Makes what callers know: of a global function the annotated result, of a local one what its body
/// is known to give.
void rlx_fn_state(RlxFn *fn);
/// Whether one of the names means something else outside of functions than at the last analysis.
bool rlx_outer_changed(const RlxFile *file, const RlxName *names, uint32_t count);
/// What the evaluated statement knows of a function: what its body gives when it stands before the
/// function around the statement, else what is declared, an absent annotation being Object. The
/// reference's rule; it also makes recursion end. Object to signatures and to what stands outside
/// of functions.
const RlxSInfo *rlx_fn_sinfo(const RlxEval *e, RlxFn *fn);

// ---- sweep.c
/// Analyses what has to be of the body, which was built, in `env`, which holds the outer names.
/// False: cancelled.
bool rlx_fn_sweep(RlxFn *fn, RlxEnv *env, const atomic_bool *cancel);

// ---- function.c
bool rlx_fn_analyze(RlxFn *fn, const RlxEnv *outer_env, const atomic_bool *cancel);
RlxFn *rlx_fn_new(RlxFile *file, RlxModule *module, RlxFn *outer, RlxStmt *stmt,
                  RlxIslandKind kind);
void rlx_fn_free(RlxFn *fn);
/// The outermost function whose text holds byte `offset`, or ends there; NULL: none.
RlxFn *rlx_file_fn_at(const RlxFile *file, uint32_t offset);
/// The function whose text `stmt` belongs to: its own when it is a function's def.
RlxFn *rlx_fn_around(const RlxStmt *stmt);
/// settle.c. Makes each diagnostic of `end` one of the innermost statement that it stands in, so
/// that it moves with it: statements are not looked at again when only the text around them
/// changes. Until then their places and fixes are relative to the function.
void rlx_fn_settle(RlxFn *fn);
RlxFn *rlx_fn_outermost(RlxFn *fn); ///< around `fn`, or itself; NULL of NULL
RlxVar *rlx_fn_var(RlxFn *fn, RlxAnalysis *unit, RlxName name, bool is_temporary);
/// 1: some dataflow block that the sweep has passed keeps a variable of this name to itself; 2: and
/// the block's R.output has been reported. `block` gets the block's unit. 0: none does.
int rlx_fn_has_local(RlxEval *e, RlxName name, const RlxAnalysis **block);

// ---- primfunc.c
void rlx_primfunc_signature(RlxFn *fn);
/// Reports what TVM refuses in the body of a PrimFunc (tir/script_file.c).
void rlx_primfunc_check(RlxFn *fn);

// ---- units.c
RlxAnalysis *rlx_analysis_new(RlxFile *file, RlxStmt *stmt, RlxFn *owner, RlxAnalysisKind kind);
void rlx_analysis_free(
    RlxAnalysis *unit); ///< nested suites too; variables go to the owner's orphans
void rlx_analysis_clear(RlxAnalysis *unit);
RlxSuite *rlx_suite_new(RlxBlock *block);
void rlx_suite_free(RlxSuite *suite);
/// Makes the units that are missing, those of nested suites too.
void rlx_suite_build(RlxFile *file, RlxSuite *suite, RlxFn *owner);
/// `removed` units at `index` became `inserted` ones, which are missing.
void rlx_suite_note_gap(RlxSuite *suite, uint32_t index, uint32_t removed, uint32_t inserted);

// ---- module.c
void rlx_file_discover(RlxFile *file);
RlxModule *rlx_module_of(RlxFile *file, const RlxStmt *stmt);
void rlx_module_free(RlxModule *module);
RlxFn *rlx_module_fn(const RlxModule *module, RlxName name);
void rlx_module_infos(RlxModule *module);
/// Kind of island that a def's decorators make; false: none.
bool rlx_island_kind(RlxFile *file, const RlxStmt *def, RlxIslandKind *out);

#endif
