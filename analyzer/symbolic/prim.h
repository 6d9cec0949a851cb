/// Symbolic integers (PrimExpr of dimensions): hash-consed trees, TVM's operators. Constructors
/// fold constants the way TVM's do and otherwise keep the shape as written (it is printed);
/// `rlx_prim_simplify` gives the canonical form, and the prover (prove.h) decides equality through
/// it.
#ifndef RLX_ANALYZER_PRIM_H
#define RLX_ANALYZER_PRIM_H

#include "analyzer/symbolic/dtype.h"
#include "analyzer/symbolic/store.h"
#include "base/buf.h"

typedef enum RlxPrimKind {
  RLX_PRIM_INT,   ///< value
  RLX_PRIM_FLOAT, ///< number: appears in a few scripts' shape arithmetic (ceil(log2(n)))
  RLX_PRIM_VAR,   ///< var
  RLX_PRIM_ADD,
  RLX_PRIM_SUB,
  RLX_PRIM_MUL,
  RLX_PRIM_DIV, ///< float division
  RLX_PRIM_FLOORDIV,
  RLX_PRIM_FLOORMOD,
  RLX_PRIM_TRUNCDIV,
  RLX_PRIM_TRUNCMOD,
  RLX_PRIM_MIN,
  RLX_PRIM_MAX,
  RLX_PRIM_ABS,
  RLX_PRIM_SHL,
  RLX_PRIM_SHR,
  RLX_PRIM_BITAND,
  RLX_PRIM_BITOR,
  RLX_PRIM_BITXOR,
  RLX_PRIM_EQ,
  RLX_PRIM_NE,
  RLX_PRIM_LT,
  RLX_PRIM_LE,
  RLX_PRIM_AND,
  RLX_PRIM_OR,
  RLX_PRIM_NOT,
  RLX_PRIM_SELECT, ///< args: condition, then, else (T.Select, T.if_then_else, `a if c else b`)
  RLX_PRIM_CAST,   ///< args[0] to dtype
  RLX_PRIM_CALL,   ///< name(args…): an uninterpreted function (T.log2, T.ceil, …)
} RlxPrimKind;

/// What a StructInfo can mention by name: a symbolic integer, or a Relax variable of Shape kind
/// (`R.Tensor(s, …)`). Same (scope, name, relax) gives the same pointer; never freed before the
/// store.
typedef struct RlxSymVar {
  RlxName name;
  RlxDType dtype;    ///< int64 unless declared otherwise; unknown for Relax variables
  bool is_relax;     ///< a Relax variable, not an integer
  bool is_stand_in;  ///< for a number that Python alone knows: its name is Python's text in braces
  bool is_dimension; ///< occurs as a dimension: known to be >= 0
  bool is_for_good;  ///< and stays one: not because of a statement of a function (marks.h)
  uint32_t logged;   ///< of marks.h: in whose log it stands
  uint32_t id;       ///< order of creation in the store
  /// function (or other scope) that owns it: unique number given by the caller. From 2^32 on: a scope
  /// that functions share, as the third variable of any PrimFunc
  uint64_t scope;
} RlxSymVar;

typedef struct RlxPrim RlxPrim;
struct RlxPrim {
  uint8_t kind; ///< RlxPrimKind
  uint8_t arg_count;
  RlxDType dtype;
  /// 1 for leaves; never above RLX_PRIM_DEPTH_MAX, so recursion over a tree is safe
  uint16_t depth;
  uint32_t hash;
  uint32_t size; ///< nodes of the tree, sharing not counted; stops at RLX_PRIM_SIZE_MAX
  /// one bit for each variable inside, several may share one; 0: it is made of constants
  uint64_t vars;
  union {
    int64_t value;
    double number;
    const RlxSymVar *var;
    RlxName name;
  };
  const RlxPrim *const *args;
  // Caches, not part of equality; NULL until asked.
  const RlxPrim *canonical; ///< of rlx_prim_simplify
  const RlxPrim *strict;    ///< of the prover's form: as canonical, `%` written through `//`
  // When they hold: 0 always, else in that state of the store (simplify.c).
  uint32_t canonical_state, strict_state;
};

/// A constructor that would get deeper than this simplifies its arguments first; if that does not
/// help, the result is an unknown value (a RLX_PRIM_CALL without arguments, equal to itself only).
#define RLX_PRIM_DEPTH_MAX 1000
#define RLX_PRIM_SIZE_MAX  1000000u

/// The scope of stand-ins that mean the same in all functions of a file.
#define RLX_SCOPE_STAND_INS (UINT64_C(0x5ec2) << 32)
static inline bool rlx_symvar_is_shared(const RlxSymVar *var) {
  return var->scope == RLX_SCOPE_STAND_INS;
}

/// The variable `name` of `scope`; `dtype` only matters the first time.
const RlxSymVar *rlx_symvar(RlxStore *store, uint64_t scope, RlxName name, RlxDType dtype,
                            bool is_relax);

/// Notes that `p`, when it is a bare variable, is a dimension and so >= 0: for good, unless it is a
/// variable of a function that is being swept over (marks.h).
void rlx_prim_mark_dimension(RlxStore *store, const RlxPrim *p);

const RlxPrim *rlx_prim_int(RlxStore *store, int64_t value); // int64
/// An integer constant of `dtype`; `value` is taken as it is.
const RlxPrim *rlx_prim_int_typed(RlxStore *store, int64_t value, RlxDType dtype);
/// A number of a float dtype.
const RlxPrim *rlx_prim_float(RlxStore *store, double number, RlxDType dtype);
/// The variable as an expression.
const RlxPrim *rlx_prim_var(RlxStore *store, const RlxSymVar *var);
/// a kind b, folded as TVM's operators do where both are constants.
const RlxPrim *rlx_prim_binary(RlxStore *store, RlxPrimKind kind, const RlxPrim *a,
                               const RlxPrim *b);
/// 0 < a.
const RlxPrim *rlx_prim_is_positive(RlxStore *store, const RlxPrim *a);
const RlxPrim *rlx_prim_unary(RlxStore *store, RlxPrimKind kind, const RlxPrim *a); // ABS, NOT
/// `a` where `cond` holds, else `b`; folded where `cond` is constant.
const RlxPrim *rlx_prim_select(RlxStore *store, const RlxPrim *cond, const RlxPrim *a,
                               const RlxPrim *b);
/// `a` as a value of `dtype`; `a` itself when it is one.
const RlxPrim *rlx_prim_cast(RlxStore *store, RlxDType dtype, const RlxPrim *a);
/// Does the cast give the number that it is given? A number that leaves int32 or int64 is a mistake of the script, as an overflow is;
/// types that are narrower, or have no sign, wrap, and floats round.
static inline bool rlx_prim_cast_keeps(const RlxPrim *cast) {
  const RlxDType to = cast->dtype, from = cast->args[0]->dtype;
  if (!rlx_dtype_is_int(to)) return false;
  if (rlx_dtype_is_bool(from)) return true;
  if (!rlx_dtype_is_int(from)) return false;
  const bool loses_sign = from.code == RLX_DTYPE_INT && to.code == RLX_DTYPE_UINT;
  const int needed = from.bits + (from.code == RLX_DTYPE_UINT && to.code == RLX_DTYPE_INT);
  return !loses_sign && (to.bits >= 32 || to.bits >= needed);
}
/// An uninterpreted function: equal to itself with equal arguments. `args` are copied.
const RlxPrim *rlx_prim_call(RlxStore *store, RlxName name, RlxDType dtype,
                             const RlxPrim *const *args, int count);
// Short forms used everywhere in deduction rules.
const RlxPrim *rlx_prim_add(RlxStore *store, const RlxPrim *a, const RlxPrim *b);
const RlxPrim *rlx_prim_sub(RlxStore *store, const RlxPrim *a, const RlxPrim *b);
const RlxPrim *rlx_prim_mul(RlxStore *store, const RlxPrim *a, const RlxPrim *b);
const RlxPrim *rlx_prim_floordiv(RlxStore *store, const RlxPrim *a, const RlxPrim *b);
const RlxPrim *rlx_prim_floormod(RlxStore *store, const RlxPrim *a, const RlxPrim *b);
/// With a constant of the dtype of `a`.
const RlxPrim *rlx_prim_addi(RlxStore *store, const RlxPrim *a, int64_t k);
const RlxPrim *rlx_prim_muli(RlxStore *store, const RlxPrim *a, int64_t k);

/// True and `*out` when `p` is an integer constant.
bool rlx_prim_is_const(const RlxPrim *p, int64_t *out);
/// The bare variable `p` is, or NULL.
const RlxSymVar *rlx_prim_as_var(const RlxPrim *p);

/// Canonical form: polynomial normal form with division, modulo, min/max and comparison rules.
/// Bounded work: an expression over the size limit comes back unchanged. Idempotent; equal value
/// for every assignment.
const RlxPrim *rlx_prim_simplify(RlxStore *store, const RlxPrim *p);

typedef struct RlxSubst {
  const RlxSymVar *const *vars;
  const RlxPrim *const *values; ///< NULL at i: the variable is unbound
  int count;
  /// Lengths: a wider integer replaces a narrower variable as it is, and what is computed of it is
  /// as wide. Without it the value is cast to the variable's dtype.
  bool is_lengths;
} RlxSubst;
/// `p` with variables replaced. `*complete` (may be NULL) becomes false when a listed variable
/// without value occurred.
const RlxPrim *rlx_prim_subst(RlxStore *store, const RlxPrim *p, const RlxSubst *subst,
                              bool *complete);

/// Appends the variables of `p` in order of first occurrence, without repeats, to out[0..*count);
/// at most `capacity`.
void rlx_prim_vars(const RlxPrim *p, const RlxSymVar **out, int *count, int capacity);
/// True when every variable of `p` satisfies `accept`.
bool rlx_prim_all_vars(const RlxPrim *p, bool (*accept)(const RlxSymVar *, void *), void *data);
/// True when `p` contains `var`, or may: something unknown is in it, or it is too large to look through.
bool rlx_prim_mentions(const RlxPrim *p, const RlxSymVar *var);

/// Appends TVMScript: `n * 4 + 1`, `T.max(n, m)`, `n // 2`; precedence-aware, as TVM prints it
/// inside a shape.
void rlx_prim_print(const RlxStore *store, const RlxPrim *p, RlxBuf *out);
/// The same, but at most about so many bytes: a value that is shared inside can be far longer than
/// its script. Where it stopped stands "…"; false then. Bare literals are of type `plain` (int32
/// inside a PrimFunc).
bool rlx_prim_print_upto(const RlxStore *store, const RlxPrim *p, RlxDType plain, size_t bytes,
                         RlxBuf *out);
/// A value with more bytes is told in part, in messages and lists, and no fix writes it.
enum { RLX_PRIM_TOLD_MAX = 1024 };
/// rlx_prim_print, at most about RLX_PRIM_TOLD_MAX bytes: for all that is read and not parsed. False: in part.
bool rlx_prim_tell(const RlxStore *store, const RlxPrim *p, RlxBuf *out);
/// The same where bare literals are of type `plain`.
bool rlx_prim_tell_among(const RlxStore *store, const RlxPrim *p, RlxDType plain, RlxBuf *out);
/// The value under an assignment of variables; false on an unbound variable, division by zero or
/// overflow.
bool rlx_prim_eval(const RlxPrim *p, bool (*lookup)(const RlxSymVar *, int64_t *, void *),
                   void *data, int64_t *out);

#endif
