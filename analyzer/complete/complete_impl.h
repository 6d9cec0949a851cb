/// Inside of the room: the cursor, and the sources of offers.
#ifndef RLX_ANALYZER_COMPLETE_IMPL_H
#define RLX_ANALYZER_COMPLETE_IMPL_H

#include "analyzer/complete/complete.h"
#include "analyzer/function/files.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/state/state.h"
#include "analyzer/words/dialect.h"
#include "analyzer/words/script_names.h"
#include "base/map.h"

// ---- the cursor (cursor.c): a look at the text of the logical line, up to the place

typedef enum RlxCursorWhere {
  RLX_CURSOR_CODE,
  RLX_CURSOR_STRING,
  RLX_CURSOR_NOWHERE, ///< in a comment, a number, or where a new name is given
} RlxCursorWhere;

enum { RLX_CURSOR_BRACKETS = 24 };

/// A bracket that is open at the cursor.
typedef struct RlxBracket {
  char open;
  uint32_t at;
  RlxSpan callee;    ///< the dotted name before it; empty: none
  RlxSpan keyword;   ///< the name whose value the cursor is in (`axis` of `axis=`); empty: none
  uint32_t argument; ///< commas before the cursor at this level
  uint32_t placed;   ///< arguments before it that are given by place
  uint32_t item;     ///< where this argument begins
  bool is_def;       ///< of the parameters of a def
  bool has_colon;    ///< a colon stands in this item
} RlxBracket;

typedef struct RlxCursor {
  const char *text; ///< of the file
  uint32_t size, offset;
  RlxCursorWhere where;
  RlxSpan word;   ///< the name or the part of a string around the cursor
  RlxSpan path;   ///< dotted names before the word, with the last dot: "R.nn."; empty: none
  RlxSpan string; ///< STRING: what is between the quotes
  uint32_t line;  ///< where the logical line begins, blanks left out
  bool is_decorator;
  bool is_first;     ///< the word is the first of its logical line
  bool is_annotated; ///< behind `name:` outside of brackets, before `=`
  bool is_import;    ///< a line that imports
  int depth;
  RlxBracket brackets[RLX_CURSOR_BRACKETS]; ///< outermost first
  RlxBracket closed;                        ///< that was closed last before the cursor
  uint32_t closed_end;                      ///< behind it; 0: none was
} RlxCursor;

/// Where the cursor stands in `text`, whose logical line begins at or behind `from`.
void rlx_cursor_read(const char *text, uint32_t size, uint32_t from, uint32_t offset,
                     RlxCursor *out);

// ---- a question

/// The suite and the place in it where a statement at the cursor's line stands or would stand.
typedef struct RlxStand {
  const RlxBlock *block; ///< NULL: the parent's suite is empty
  uint32_t index;        ///< statements before it are above
  const RlxStmt *parent; ///< compound statement around; NULL: the file
} RlxStand;

/// What kind of suite a place is in, as far as it decides what may be written there.
typedef enum RlxPlace {
  RLX_PLACE_TOP,    ///< of the file
  RLX_PLACE_CLASS,  ///< a class's own suite
  RLX_PLACE_PYTHON, ///< a function of Python
  RLX_PLACE_RELAX,
  RLX_PLACE_PRIM,
} RlxPlace;

typedef struct RlxComplete {
  RlxFile *file;
  RlxStore *store;
  RlxCursor cursor;
  RlxStand stand;
  const RlxFn *fn;    ///< innermost function around the cursor; NULL: none
  RlxDialect dialect; ///< of the place
  const RlxOpParam
      *wanted; ///< of the operator that the cursor is in an argument of; NULL: not known
  const RlxOpRow *wanted_row; ///< that operator
  RlxValue *trial; ///< arguments of a call of it, but for the one at `trial_at`; NULL: none
  int trial_at;
  const RlxSInfo
      *declared; ///< of the function called around the cursor, its parameter; NULL: not known
  bool wants_dimension; ///< rlx_offer_is_dimension
  bool wants_loop;      ///< rlx_offer_is_binding
  bool wants_condition; ///< of an `if` in a Relax function
  bool wants_type;      ///< only types stand at the cursor: no variable of a function, no dimension
  bool snippets;
  RlxMap seen; ///< hashes of the labels of the namespace whose members are being offered → label
  RlxOffers *out;
} RlxComplete;

/// Fills all but `snippets` and `out` of the question.
void rlx_complete_begin(RlxFile *file, uint32_t offset, RlxComplete *out);

/// The word or a span of the text, in the offers' arena.
const char *rlx_complete_text(const RlxComplete *c, RlxSpan span);
/// The dotted name `span` with its root as the vocabulary spells it ("R.nn.relu" of
/// `relax.op.nn.relu` under any name that the file imports it as); other names as they are.
/// False: it does not fit.
bool rlx_complete_path(const RlxComplete *c, RlxSpan span, char *out, size_t capacity);
/// What kind of place the cursor stands at.
RlxPlace rlx_complete_place(const RlxComplete *c);
/// The name that the file has for the namespace `root` ('R', 'T', 'I'), else the usual one;
/// `*is_missing`: the file has to import it first, which printed scripts need not.
const char *rlx_complete_root(const RlxComplete *c, char root, bool *is_missing);
/// The text, which names the namespaces as usual, with the file's names of them; in the offers' arena.
const char *rlx_complete_own_words(const RlxComplete *c, const char *text);
/// The line that imports those of `roots` that are missing, in the offers' arena; NULL: none is.
const char *rlx_complete_import(const RlxComplete *c, const char *roots);
/// What an offer starts from; the kind gives its rank.
RlxOffer *rlx_complete_offer(RlxComplete *c, RlxOfferKind kind, const char *label);
/// Whether the word before the cursor may become `name`: its letters stand in it in this order, the
/// first one first or after a `_` or a dot.
bool rlx_complete_fits(const RlxComplete *c, const char *name);
/// How well it does: 0 the name begins so, 1 a part of it does, 2 its letters come in this order, 3 not
/// at all.
uint32_t rlx_complete_distance(const RlxComplete *c, const char *name);

// ---- what fits (fit.c)

/// What the nearest variable of that name above the cursor is; NULL: there is none, or it is no variable.
typedef const RlxSInfo *RlxSInfoOfName(RlxComplete *c, RlxSpan name);
/// Reads the operands before the cursor, for rlx_complete_takes. Needs `out`.
void rlx_complete_prepare_trial(RlxComplete *c, RlxSInfoOfName *sinfo_of);
/// Whether a value of that StructInfo is taken at the cursor without an error, as far as it is known.
typedef enum RlxFit { RLX_FIT_NO, RLX_FIT_MAYBE, RLX_FIT_YES } RlxFit;
RlxFit rlx_complete_takes(const RlxComplete *c, const RlxSInfo *sinfo);
/// Whether only symbolic integers stand at the cursor: `R.shape([│`, `R.reshape(x, (│`, `axis=│`.
bool rlx_complete_wants_integers(const RlxComplete *c);
/// Whether they are numbers of Python: an axis is no symbolic one.
bool rlx_complete_wants_constant(const RlxComplete *c);
/// False: nothing of that kind can stand at the cursor.
bool rlx_complete_may_stand(const RlxComplete *c, const RlxSInfo *sinfo);

/// Puts offers that the word before the cursor fits better before others.
void rlx_complete_rank(RlxComplete *c);

/// The module that the `size` bytes at `path` name, which may be `cls`; of several with the name the one
/// around, else the last before the cursor, as Python has it. NULL: there is none.
const RlxModule *rlx_complete_module(const RlxComplete *c, const char *path, size_t size);
/// The name that the module around has at the cursor: what the function bound to it (`cls = Module`), else its own.
/// NULL: functions are called by their names alone.
const char *rlx_complete_own_module(const RlxComplete *c);
/// The function that is called as `callee` at the cursor: `cls.f`, `Module.f`, `f`; NULL: none.
const RlxFn *rlx_complete_function(const RlxComplete *c, RlxSpan callee);
/// The row of `T.name` in the dialect of the place; of 0.25 where the rows do not speak of that one.
/// NULL: there is none.
const RlxScriptName *rlx_complete_script_name(const RlxComplete *c, const char *name);
/// Appends "f(x: R.Tensor(…), …) -> …".
void rlx_complete_function_text(const RlxComplete *c, const RlxFn *fn, RlxBuf *out);

// ---- sources

/// Members of the namespace `path` ("R", "R.nn", "T.axis", "I").
void rlx_offer_members(RlxComplete *c, const char *path);
/// Names with the namespace before them, for a word without a dot: `mat` to `R.matmul`, `relu` to
/// `R.nn.relu`. `only_types`: those that an annotation may say, also for no word at all.
void rlx_offer_qualified(RlxComplete *c, bool only_types);
/// What a statement that begins with `word` goes on with in a function: `R.dataflow`, `T.sblock` and its like
/// behind "with ", loops behind "for ".
void rlx_offer_openers(RlxComplete *c, const char *word);
/// Functions of the module that `path` names, which may be `cls`; false: it names none.
bool rlx_offer_module(RlxComplete *c, const char *path);
/// Members of a module, or of what else stands before the dot.
void rlx_offer_of_value(RlxComplete *c, const char *path);
/// Members of what the bracket in front of the dot ends: a call, a subscript.
void rlx_offer_of_result(RlxComplete *c);
/// What the bracket that was closed last gives, where it and what stands before it are all that the line binds; NULL: not known.
const RlxSInfo *rlx_complete_result_before(const RlxComplete *c);
/// The function that is meant at the cursor is a PrimFunc: the first argument of R.call_tir and its like.
bool rlx_complete_wants_prim(const RlxComplete *c);
/// Variables, buffers, loops, dimensions, functions.
void rlx_offer_scope(RlxComplete *c);
RlxSInfoOfName rlx_scope_sinfo;
/// How an offer tells of a StructInfo; NULL: of none.
const char *rlx_complete_sinfo_text(const RlxComplete *c, const RlxSInfo *sinfo);
/// Variables that the dataflow block around binds before the cursor.
void rlx_offer_outputs(RlxComplete *c);
/// Symbolic dimensions that are known at the cursor.
void rlx_offer_dimensions(RlxComplete *c);
/// Functions of a module, `prefix` before each.
void rlx_offer_functions(RlxComplete *c, const RlxModule *module, const char *prefix);
/// `axis=` and the other parameters that are not given yet.
void rlx_offer_parameters(RlxComplete *c);
/// Places of fields and dimensions, where a tuple or a shape is indexed. True: nothing else stands there.
bool rlx_offer_indices(RlxComplete *c);
/// Axes of the tensor that the call is given first, where the cursor stands at an axis.
void rlx_offer_axes(RlxComplete *c);
/// What the string around the cursor may say.
void rlx_offer_string(RlxComplete *c);
/// What begins a statement of the function around: bindings, blocks, loops.
void rlx_offer_snippets(RlxComplete *c);
/// The result of a PrimFunc: its last tensor parameter's StructInfo; NULL: it has none.
const RlxSInfo *rlx_complete_result(const RlxFn *fn);
/// Whether the argument at the cursor, or an element of it, is a dimension; of a call in a PrimFunc or of a type.
bool rlx_offer_is_dimension(const RlxComplete *c);
/// Whether the cursor stands where a block variable is bound: loops are meant there.
bool rlx_offer_is_binding(const RlxComplete *c);
/// Whether the argument at the cursor is a StructInfo; offers what the PrimFunc of the call gives.
bool rlx_offer_struct_info(RlxComplete *c);
/// What a line that imports may go on with.
void rlx_offer_imports(RlxComplete *c);
/// Puts `R`, `T` or `I` for the module at the start of a dotted path that it is; any other path stays as it is.
void rlx_name_space(char *path);
/// Names of one kind that a module of TVM's Python has: a row of members.def.
typedef struct RlxMembers {
  RlxOfferKind kind;
  const char *path;
  const char *names; ///< parted by blanks
  const char *text;  ///< what they are, for people
} RlxMembers;

/// The rows of members.def one after the other; NULL behind the last.
const RlxMembers *rlx_members_row(size_t at);
/// Whether a module of TVM's Python, by its path, has that name.
bool rlx_is_member(const char *path, const char *name);
/// What a module of TVM's Python has, by its path.
void rlx_offer_python_members(RlxComplete *c, const char *path);
/// A line that imports the namespaces of scripts that the file does not.
void rlx_offer_import_line(RlxComplete *c);

#endif
