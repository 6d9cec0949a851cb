/// What the values of a PrimFunc's script are while TVM's parser runs it: Python's numbers, strings and lists, expressions of TensorIR with
/// their dtypes, buffers, parts of buffers, loops. Shared by the files kinds_*.c, which report what TVM refuses.
///
/// A value that is not known is KIND_UNKNOWN, and nothing is said of what depends on it.
#ifndef RLX_ANALYZER_KINDS_H
#define RLX_ANALYZER_KINDS_H

#include "analyzer/function/function.h"
#include "analyzer/state/state.h"
#include "analyzer/symbolic/dtype.h"
#include "base/map.h"
#include "base/text.h"

typedef enum KindTag {
  KIND_UNKNOWN,
  KIND_NONE,
  KIND_BOOL,
  KIND_INT,
  KIND_FLOAT,
  KIND_STR,
  KIND_LIST,  ///< items
  KIND_TUPLE, ///< items
  KIND_DICT,  ///< items: a key, its value and so on, where it is written out
  KIND_SLICE,
  KIND_EXPR,       ///< an expression of TensorIR
  KIND_BUFFER,     ///< a buffer
  KIND_REGION,     ///< a part of a buffer
  KIND_FOR,        ///< T.grid(…), T.serial(…): items are its variables
  KIND_FRAME,      ///< another thing for `with`
  KIND_FUNCTION,   ///< a function
  KIND_MODULE,     ///< T, R: a namespace
  KIND_ANNOTATION, ///< T.let[T.int32], T.float32[4]: stands behind a colon
  KIND_OBJECT,     ///< an object that is no number and has no items: 1j, b"", x.span
  KIND_OTHER,      ///< another value of Python: a set, range(3)
} KindTag;

/// Whether a value is a barrier of `tvm.tirx.lang.pipeline`, and what of.
typedef enum KindBarrier { NO_BARRIER, LOCAL_BARRIER, REMOTE_BARRIER } KindBarrier;

/// What an OBJECT is, or that a string is one of TVM's own.
typedef enum KindObject {
  PLAIN_OBJECT,
  TYPE_OBJECT,    ///< the type of a number, which stands where a dtype does
  POINTER_OBJECT, ///< the type of a handle
  RANGE_OBJECT,
  SCALAR_OBJECT, ///< of T.local_scalar
  BYTES_OBJECT,  ///< b"x": `items` is a list of its ints
  DTYPE_STRING
} KindObject;

typedef struct Kind Kind;
struct Kind {
  uint8_t tag;
  uint8_t barrier; ///< UNKNOWN: KindBarrier
  uint8_t object;  ///< OBJECT: KindObject; STR: whether it is `x.dtype`, which is no plain string
  bool is_var;     ///< EXPR: a variable
  bool is_load;    ///< EXPR: an element of a buffer
  bool is_cell;    ///< a name that is assigned to, not bound anew: `x = 1`, a buffer of one element
  bool is_loop;    ///< EXPR: the variable of a loop
  bool is_of_text; ///< EXPR: a variable that a string in the signature makes (kinds_texts.c)
  bool is_odd;     ///< EXPR, REGION: an index is a float; SLICE: a bound is
  bool is_param;   ///< EXPR, BUFFER: a parameter of the function
  bool is_opened;  ///< FRAME: T.launch_thread, of a thread axis that was not open
  RlxName called;  ///< BUFFER: the first name it was given; 0: none
  bool is_named;   ///< BUFFER: it has a name
  bool is_array;   ///< TUPLE: the shape or the strides of a buffer, axes
  bool is_view;    ///< BUFFER: made by T.match_buffer in a block
  bool is_plain_handle; ///< EXPR: a handle that does not say what it points at
  bool is_flat;         ///< BUFFER: made with `layout=None`
  bool is_compact;      ///< BUFFER: made without strides
  bool is_called;       ///< EXPR: what another PrimFunc of the module gives
  bool is_range;        ///< OTHER: range(3), which has items
  bool is_described;    ///< BUFFER: T.Buffer(…), which in a body only describes one
  bool is_decorator;    ///< FUNCTION: T.prim_func(…), which takes a function
  bool is_let;          ///< ANNOTATION: of a value, not of memory
  bool is_nothing;      ///< FUNCTION: called without arguments it gives no variable
  bool is_constant;     ///< EXPR: made of numbers alone
  bool is_big;          ///< INT: more than 64 bits have
  bool has_number;      ///< BOOL, INT, EXPR of an integer dtype: `number`; FLOAT: `real`
  RlxDType dtype;       ///< EXPR, BUFFER, REGION, FUNCTION of a dtype; bits 0: of some width
  RlxDType pointee;     ///< EXPR: a pointer to elements of that dtype; bits 0: not known
  const char *scope;    ///< BUFFER and its parts: of the memory; NULL: not known
  int ndim;             ///< BUFFER: -1 when not known
  int64_t
      lanes; ///< REGION: 1 an element, more: a vector of as many, -1: no value at all, 0: not known
  const int64_t *
      extents; ///< REGION: of each dimension, 0: not known, -1: more than one, of a symbolic length; NULL: not known
  bool is_stepped;   ///< REGION: a slice of it has a step that makes a vector of it
  bool is_let_again; ///< EXPR: T.Let gives a variable a value that has one
  bool is_infinite;  ///< EXPR: T.infinity
  bool is_void;      ///< EXPR, BUFFER, REGION: of dtype "" or "void"
  uint32_t
      count; ///< LIST, TUPLE, FOR: items, or KIND_MANY; DICT: pairs; BUFFER: those dimensions that are known; OBJECT: 1 of T.meta_var and T.local_scalar
  const Kind *items;
  union {
    int64_t number;
    double real;
    const char *text; ///< STR
  };
  uint32_t axis_of;   ///< EXPR: the variable of an axis of that block, from 1
  uint32_t made_in;   ///< what is assigned, bound or allocated in the body of that block, from 1
  const RlxStmt *def; ///< UNKNOWN: of a function in the PrimFunc
  struct KindThread *thread; ///< EXPR: the variable of a thread axis; FRAME: T.launch_thread
  struct KindValue *
      given; ///< EXPR: a variable that something has to give a value, a parameter; BUFFER: one that T.match_buffer made
  struct KindValue *memory; ///< BUFFER: that nothing declares, as T.buffer makes it
};
#define KIND_MANY UINT32_MAX

/// What is known of a thread axis.
typedef struct KindThread {
  bool is_open; ///< launched here: its variable has a value
  bool has_extent;
  int64_t extent;
} KindThread;

/// What gives a variable its value, or a buffer its memory.
typedef struct KindValue {
  bool is_given;    ///< by a buffer's shape, strides or offset; a buffer: it is matched
  bool is_in_shape; ///< the shape of a parameter's buffer is an expression of it, which 0.27 takes
  bool is_memory;   ///< of a buffer that T.buffer makes
  bool has_pointer; ///< such a buffer's pointer is one that was there before
  uint32_t block;   ///< in which it holds, from 1; 0: in the whole function
  struct KindValue
      *from;           ///< of the buffer that gives it; a parameter: that it is matched with last
  const RlxStmt *stmt; ///< BUFFER: that uses it first, at `span`
  RlxSpan span;
} KindValue;

typedef struct KindName {
  RlxName name;
  uint32_t before; ///< place + 1 of the next one outwards of this name; 0: none
  Kind kind;
} KindName;

/// A string of a signature that is read as the expression in it.
typedef struct KindText {
  const RlxAst *string;
  struct RlxDocument *document; ///< that holds the expression
  const RlxAst *value;          ///< NULL: it is none
  Kind kind;                    ///< of its value
} KindText;

typedef struct KindUse { ///< of a variable that may have no value
  KindValue *given;
  const RlxStmt *stmt;
  RlxSpan span;
  uint32_t block; ///< where it is used
  int where;      ///< IN_…: who refuses it
} KindUse;

enum { KIND_SCOPES = 9 };

/// Extents of the scopes of a kernel: of CTAs in a cluster, threads in a CTA, ….
typedef struct KindScopes {
  int64_t extents[KIND_SCOPES]; ///< 0: not known
  bool is_used[KIND_SCOPES];    ///< it is written, or follows from others
  bool is_wrong;                ///< they contradict each other
  bool is_device;               ///< behind T.device_entry
  const RlxStmt *stmt;          ///< of the last one
  RlxSpan span;
} KindScopes;

typedef struct KindBlock {
  uint32_t parent; ///< the block around, from 1; 0: none
  bool has_axes, has_reads, has_writes;
  RlxName cell;    ///< memory of one element that its body declares and writes; 0: none
  RlxName reached; ///< a buffer that its body hands to a packed function; 0: none
} KindBlock;

/// What a statement stands in.
typedef enum KindFrameKind {
  FRAME_OTHER, ///< a loop, a condition, a scope
  FRAME_IF,    ///< T.If
  FRAME_THEN,
  FRAME_ELSE,
  FRAME_INIT,
  FRAME_BLOCK,
  FRAME_UNKNOWN, ///< it may be any
} KindFrameKind;

typedef struct KindFrame {
  KindFrameKind kind;
  const RlxStmt *stmt; ///< that enters it, at `span`
  RlxSpan span;
  uint32_t thens, elses; ///< IF: how many of them it has
  bool is_wrong;         ///< IF: something else stands in it
  bool is_unsure;        ///< IF: nothing is to be said of it
} KindFrame;

typedef struct KindEntered { ///< how much was entered
  uint32_t count, frames;
} KindEntered;

typedef struct KindAttribute { ///< of the function, or of a block
  const char *key;
  uint32_t block; ///< from 1; 0: of the function
  Kind value;
  const RlxAst *ast; ///< of the value
} KindAttribute;

enum { IN_025 = 1, IN_027 = 2, IN_BOTH = 3 };

/// The state of one look at a PrimFunc.
typedef struct Kinds {
  RlxFn *fn;
  RlxStore *store;
  RlxArena *arena;
  const RlxStmt *stmt; ///< that is looked at
  Vec(KindName) names;
  RlxMap newest; ///< of each name in `names` its place + 1
  Vec(KindUse) uses;
  uint32_t frame;  ///< index of the first name of the innermost scope
  int dialects;    ///< IN_… that the function may be written in
  uint32_t before; ///< diagnostics that there were before this look
  uint32_t
      frames; ///< loops, conditions and scopes since the innermost block, or the function, began
  bool is_unsure;       ///< a shape is not known: any variable may have a value by it
  bool is_told;         ///< something was said of the statement
  bool is_lost;         ///< a statement was not understood: any name may be defined
  bool is_lax;          ///< nobody verifies the function
  bool has_kernels;     ///< TVM verifies what stands behind T.device_entry
  bool is_s_tir;        ///< it says `s_tir=True`: its buffers have no layout
  bool is_module_s_tir; ///< its module does
  bool in_buffer;       ///< directly inside of the brackets behind a buffer
  bool in_block;        ///< inside of a block
  bool in_unknown;      ///< below a `with` of something that may be a block
  const RlxBlock *
      misplaced; ///< the last suite in which a statement that belongs to the top of a block was told
  Vec(RlxName)
      ranks_told; ///< buffers, by name, that were told to have fewer dimensions than indices
  uint32_t block, block_count; ///< the innermost block around, from 1; blocks so far
  Vec(KindBlock) blocks;
  Vec(KindFrame) entered; ///< around the statement, the innermost last
  KindValue *matched;     ///< of the buffer whose T.match_buffer is looked at; NULL: no parameter's
  bool is_unrealized;     ///< of one with `no_realize=True`
  bool in_signature;      ///< in an annotation of a parameter: Python evaluates it
  const RlxAst *in_text;  ///< the string whose expression is looked at; NULL: none
  Vec(KindText) texts;    ///< so far
  RlxMap text_of;         ///< string (RlxAst) → its place in `texts`, from 1
  RlxMap param_of;        ///< name of a parameter → its place; empty until asked for
  Vec(KindAttribute) attributes; ///< so far
  KindScopes scopes;
} Kinds;

// ---- kinds.c
/// A value of this kind, of which nothing else is known.
Kind rlx_kind_of(KindTag tag);
/// An expression of TensorIR; an unknown dtype: of any.
Kind rlx_kind_expr(RlxDType dtype);
/// A variable for a pointer, as T.Ptr[T.float32] and T.handle("float32") make it: something has to give it a value.
Kind rlx_kind_new_pointer(Kinds *k);
/// What T.meta_var makes of the value: an object that is the value once it has a name.
Kind rlx_kind_wrapped(Kinds *k, Kind value);
/// "a buffer", "an expression of float32": what a value is, for a message.
const char *rlx_kind_text(Kinds *k, Kind kind);
static inline bool kind_is_expr(Kind kind) { return kind.tag == KIND_EXPR; }
static inline bool kind_is_python_number(Kind kind) {
  return kind.tag == KIND_BOOL || kind.tag == KIND_INT || kind.tag == KIND_FLOAT;
}
/// A part of a buffer of integers that has one element for certain.
static inline bool kind_is_one_integer(Kind kind) {
  return kind.tag == KIND_REGION && kind.lanes == 1 && rlx_dtype_is_int(kind.dtype);
}
/// Whether one value is of dtype void, and the other is of a known one, or a number.
static inline bool kind_is_half_void(Kind a, Kind b) {
  const Kind other = a.is_void ? b : a;
  return a.is_void != b.is_void &&
         (kind_is_python_number(other) || (kind_is_expr(other) && rlx_dtype_known(other.dtype)));
}
/// Whether both are vectors, and one has more elements than the other.
static inline bool kind_lanes_differ(Kind a, Kind b) {
  return kind_is_expr(a) && kind_is_expr(b) && rlx_dtype_known(a.dtype) &&
         rlx_dtype_known(b.dtype) && a.dtype.lanes > 1 && b.dtype.lanes > 1 &&
         a.dtype.lanes != b.dtype.lanes;
}
static inline bool kind_is_list(Kind kind) {
  return kind.tag == KIND_LIST || kind.tag == KIND_TUPLE;
}
/// A loop, a block, a function, a module, an annotation, an object: neither a value of TensorIR nor a
/// list or string of Python.
static inline bool kind_is_thing(Kind kind) {
  return kind.tag == KIND_FOR || kind.tag == KIND_FRAME || kind.tag == KIND_FUNCTION ||
         kind.tag == KIND_MODULE || kind.tag == KIND_ANNOTATION || kind.tag == KIND_SLICE ||
         (kind.tag == KIND_OBJECT && kind.object != SCALAR_OBJECT);
}
/// Whether the value can be no expression of TensorIR: neither one nor a number nor unknown.
bool rlx_kind_is_no_value(Kind kind);
/// Reports `kind` where `expected` is taken, when each dialect that the function may be written in
/// is among `where`, and nothing was said of the statement.
void rlx_kind_refuse(Kinds *k, int where, const RlxAst *ast, Kind kind, const char *expected);
/// The same with a text of its own.
void rlx_kind_refuse_text(Kinds *k, int where, RlxSpan span, const char *text);
/// Whether a diagnostic may be given at the statement now; marks it as told.
bool rlx_kind_may_tell(Kinds *k, int where);
/// A span of the statement that is looked at, counted from the function's beginning; in a string, the string's.
RlxSpan rlx_kind_span(const Kinds *k, RlxSpan span);
/// The shape with the value of each string in it that rlx_kind_read_texts has read.
Kind rlx_kind_of_texts(Kinds *k, const RlxAst *ast, Kind shape);
/// Whether the file imports the namespace T itself: then Python runs it, and no name is defined
/// without an import, as in printed text.
bool rlx_kind_has_imports(const Kinds *k);
/// The place + 1 in `names` of the innermost of a name; 0: the function has none.
uint32_t rlx_kind_place(const Kinds *k, RlxName name);
/// The outermost of a name in the innermost scope, which has several where scopes were kept; NULL: none.
KindName *rlx_kind_in_frame(const Kinds *k, RlxName name);
/// Names that are defined from then on, until the scope is closed.
typedef struct KindScope {
  uint32_t names, frame;
} KindScope;
KindScope rlx_kind_open_scope(Kinds *k);
void rlx_kind_close_scope(Kinds *k, KindScope scope);
/// Gives a name a value in the innermost scope.
void rlx_kind_define(Kinds *k, RlxName name, Kind kind);
/// The value under a name; false: nothing binds it.
bool rlx_kind_lookup(Kinds *k, RlxName name, Kind *out);
/// Whether a value of Python is one of `dtype`.
bool rlx_kind_holds(RlxDType dtype, Kind value);
/// The dtype that a value has as an expression, a number of Python, too.
RlxDType rlx_kind_own_dtype(Kind value);
/// Whether a FLOAT is in the range of a float32, or infinite.
bool rlx_kind_is_float32(Kind kind);
/// Notes that `kind` is used at `ast` as a value of TensorIR: a variable has to have one, and a float of Python
/// becomes a float32.
void rlx_kind_used(Kinds *k, const RlxAst *ast, Kind kind);
/// Notes that elements of the buffer are read or written, which something has to declare.
void rlx_kind_use_memory(Kinds *k, const RlxAst *ast, Kind buffer);
/// Gives the variable a value: in the block around, or in the function.
void rlx_kind_give(Kinds *k, Kind kind);
/// Whether TVM's casts to `dtype` give the value itself.
static inline bool rlx_kind_is_cast_away(Kind value, RlxDType dtype) {
  return value.tag == KIND_EXPR && value.dtype.bits && rlx_dtype_known(dtype) &&
         rlx_dtype_equal(value.dtype, dtype);
}
/// What gives a buffer its memory that T.match_buffer makes of a parameter; a buffer before it loses that.
KindValue *rlx_kind_match(Kinds *k, Kind param);

/// Whether TVM computes with constants of the dtype, and so finds a division by zero.
static inline bool rlx_kind_is_folded(RlxDType dtype) {
  return dtype.code == RLX_DTYPE_INT && (dtype.bits == 32 || dtype.bits == 64) && dtype.lanes == 1;
}

/// Whether TVM computes a division of the dtype, and so finds that it is by zero: a quotient of any integer, a remainder where it
/// computes with all.
static inline bool rlx_kind_divides(RlxDType dtype, bool is_quotient) {
  return rlx_kind_is_folded(dtype) ||
         (is_quotient && rlx_dtype_is_int(dtype) && dtype.bits && dtype.lanes == 1);
}

/// What a function or an operator of TVM gets of a part of a buffer: in 0.25 an element or a vector;
/// Reports when `index` can be no index of a buffer.
void rlx_kind_check_index(Kinds *k, const RlxAst *ast, Kind index, bool is_last);

// ---- kinds_operators.c
/// The value of `a op b`; reports what TVM's operators refuse.
Kind rlx_kind_binary(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b);
Kind rlx_kind_unary(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a);
Kind rlx_kind_compare(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b);
Kind rlx_kind_bool_op(Kinds *k, const RlxAst *ast, Kind a, Kind b);
/// What Python takes the value for as a condition; -1: not known.
int rlx_kind_truth(Kind kind);
/// The dtype that TVM's operators convert two values to, one of them an expression.
RlxDType rlx_kind_common_dtype(Kind a, Kind b);
/// The dtype of what is one of two values, which a condition or T.max chooses.
RlxDType rlx_kind_chosen(Kind a, Kind b);
/// Whether `value` is shifted by a constant that is negative or not below its bits, and reports it at
/// `ast`: TVM looks where it folds constants, so not among unsigned integers.
bool rlx_kind_check_shift(Kinds *k, const RlxAst *ast, Kind value, Kind by);

// ---- kinds_expr.c
/// A key or a value of a dictionary as it is written; a key is given a value: T.Let(…, where={x: …}).
Kind rlx_kind_entry(Kinds *k, const RlxAst *ast, bool is_key);
/// What an expression is; reports what TVM refuses of it.
Kind rlx_kind_eval(Kinds *k, const RlxAst *ast);
/// The value behind the star of `*a` or `**a`, which has to be a list there.
Kind rlx_kind_starred(Kinds *k, const RlxAst *ast);
/// The path behind the namespace T, in `out` of 96 bytes; false when `ast` is no such chain.
bool rlx_kind_path(Kinds *k, const RlxAst *ast, char out[static RLX_AST_DOTTED_MAX]);
/// Whether T has a namespace under the path that has nothing but names: T.cuda.
bool rlx_kind_is_space(const char *path);

// ---- kinds_members.c
/// The attribute that `ast` names of `base`.
Kind rlx_kind_member(Kinds *k, const RlxAst *ast, Kind base);
/// Names that stand behind a buffer and a dot, blank separated; the `at`-th list of them, NULL behind
/// the last one.
const char *rlx_kind_buffer_members(uint32_t at);

// ---- kinds_python.c
/// b"x", as it is written at `ast`.
Kind rlx_kind_bytes(Kinds *k, const RlxAst *ast);
/// What Python goes through where the value is taken apart: the ints of b"x", other values as they are.
static inline Kind rlx_kind_unpacked(Kind kind) {
  return kind.tag == KIND_OBJECT && kind.object == BYTES_OBJECT ? kind.items[0] : kind;
}
/// Whether Python can surely not go through the value.
bool rlx_kind_is_no_sequence(Kind kind);
/// `a is b`, `a in b` and their opposites.
Kind rlx_kind_identity(Kinds *k, const RlxAst *ast, RlxAstOp op, Kind a, Kind b);

// ---- kinds_subscript.c
/// Says that the subscript `access` has `count` indices, its buffer `ndim` dimensions, unless that was said of the
/// buffer before, here or by the script's reader (RLX0604): one mistake, where it is declared.
void rlx_kind_refuse_rank(Kinds *k, const RlxAst *access, int count, int ndim);
Kind rlx_kind_subscript(Kinds *k, const RlxAst *ast);
Kind rlx_kind_slice(Kinds *k, const RlxAst *ast);
/// How many elements the slice of dimension `at` of a buffer has; 0: not known.
int64_t rlx_kind_slice_lanes(Kinds *k, const RlxAst *slice, Kind buffer, uint32_t at);
/// Whether the kind is a part of a buffer of more than one element, certainly.
static inline bool kind_is_many(Kind kind) {
  return kind.tag == KIND_REGION && (kind.lanes > 1 || kind.lanes < 0);
}
/// other values as they are.
Kind rlx_kind_as_value(Kinds *k, const RlxAst *ast, Kind kind);

// ---- kinds_call.c
Kind rlx_kind_call(Kinds *k, const RlxAst *call);
/// The loop of `range(…)`.
Kind rlx_kind_range(Kinds *k, const RlxAst *call);

// ---- kinds_scopes.c
/// What `T.cta_id(…)` and its like give: `path` stands behind T; `extents` NULL: none are given.
Kind rlx_kind_scope_id(Kinds *k, const RlxAst *call, const char *path, const Kind *extents,
                       RlxDType dtype);
/// Whether `T.path` is one of these: several variables have a name each.
bool rlx_kind_is_scope_id(const char *path);
void rlx_kind_device_entry(Kinds *k);
/// What only the whole kernel says of its scopes.
void rlx_kind_scopes_end(Kinds *k);

// ---- kinds_texts.c
/// Reads the strings in the shape of a parameter's annotation, where 0.27 takes them as the expressions in them, and
/// gives the names in them variables; before the annotation is evaluated.
void rlx_kind_read_texts(Kinds *k, const RlxAst *annotation);
/// Frees what was read.
void rlx_kind_texts_end(Kinds *k);

// ---- kinds_assign.c
/// `value` declares a variable, or is a parameter, whose name a string made a variable of already: reports where
/// it can't be the same.
void rlx_kind_check_declared(Kinds *k, const RlxAst *ast, Kind before, Kind value);
/// What binds a name.
typedef enum KindBinder { BY_ASSIGNMENT, BY_DECLARATION, BY_LOOP } KindBinder;
/// Gives every name of a target an unknown value.
void rlx_kind_define_all(Kinds *k, const RlxAst *target);
/// Binds a value to a target; reports what can't be bound.
void rlx_kind_bind(Kinds *k, const RlxAst *target, Kind value, KindBinder how);
/// Whether the call is one whose scope is open from then on, `T.decl_buffer(…)`, though its value is no scope.
bool rlx_kind_opens_scope(Kinds *k, const RlxAst *ast);
/// Whether a scope of T, `path` behind T, gives nothing to name.
bool rlx_kind_is_nameless(const char *path);
/// `x = value`, `x += value`, `x: annotation = value`; stores, too.
void rlx_kind_assign(Kinds *k, const RlxStmt *stmt);
void rlx_kind_assign_augmented(Kinds *k, const RlxStmt *stmt);
void rlx_kind_assign_annotated(Kinds *k, const RlxStmt *stmt);

// ---- kinds_frames.c
/// Something is entered, by `call` (NULL: by the statement's own word); reports what may not stand here.
void rlx_kind_enter(Kinds *k, KindFrameKind kind, const RlxAst *call);
/// How much is entered, for leaving.
KindEntered rlx_kind_entered(const Kinds *k);
/// Leaves what was entered since; `is_sure`: it was, and a T.If is held against what stood in it.
void rlx_kind_leave(Kinds *k, KindEntered to, bool is_sure);
/// A statement of TensorIR stands here, or what may be one.
void rlx_kind_emit(Kinds *k);
void rlx_kind_emit_unknown(Kinds *k);

// ---- kinds_stmt.c
/// Reports what TVM's parser refuses of the values in the PrimFunc.
void rlx_primfunc_check_kinds(RlxFn *fn, int dialects, bool is_lax, bool has_kernels, bool is_s_tir,
                              bool is_module_s_tir);

#endif
