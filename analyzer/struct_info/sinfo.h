/// StructInfo: the lattice of spec 1.1 and its operations (1.2). Hash-consed in the store: equal
/// means same pointer (structurally; `rlx_sinfo_prove_equal` adds arithmetic). Immutable.
#ifndef RLX_ANALYZER_SINFO_H
#define RLX_ANALYZER_SINFO_H

#include "analyzer/symbolic/prim.h"
#include "analyzer/symbolic/prove.h"
#include "base/map.h"

typedef enum RlxSInfoKind {
  RLX_SINFO_OBJECT,
  RLX_SINFO_PRIM,
  RLX_SINFO_SHAPE,
  RLX_SINFO_TENSOR,
  RLX_SINFO_TUPLE,
  RLX_SINFO_FUNC,
  RLX_SINFO_DTENSOR,
  RLX_SINFO_EXTENSION, ///< a row of extensions.def (SparseCSR)
} RlxSInfoKind;

/// Extension StructInfos: the rows of extensions.def.
typedef enum RlxExtension {
#define RLX_EXTENSION(name, parts, doc) RLX_EXTENSION_##name,
#include "analyzer/struct_info/extensions.def"
#undef RLX_EXTENSION
  RLX_EXTENSION_COUNT
} RlxExtension;

typedef struct RlxExtensionRow {
  const char *name;  ///< after "R."
  const char *parts; ///< names of its parts, ", " between them
  const char *doc;
} RlxExtensionRow;

enum { RLX_EXTENSION_PARTS_MAX = 8 };

/// The row of extensions.def; static.
const RlxExtensionRow *rlx_extension_row(RlxExtension extension);
int rlx_extension_part_count(RlxExtension extension);
/// The extension spelt `name` behind "R."; RLX_EXTENSION_COUNT when there is none.
RlxExtension rlx_extension_find(const char *name);

typedef struct RlxSInfo RlxSInfo;

/// StructInfos in one another: what would be deeper is Object (a tuple) or has neither parameters nor
/// a result that are known (a function), so that a walk takes no more stack than this needs.
enum { RLX_SINFO_DEPTH_MAX = 1000 };

/// A virtual device, as `I.vdevice("llvm", 0, "global")` or "cuda:0" names it. Interned: compare
/// pointers.
typedef struct RlxVDevice {
  RlxName target; ///< "llvm", or the target's JSON text
  int32_t id;
  RlxName scope; ///< memory scope, "global" when not given
  int32_t place; ///< among the module's devices of this target: annotations name it "target:place"
} RlxVDevice;

typedef enum RlxPurity { RLX_PURE, RLX_IMPURE, RLX_PURITY_UNKNOWN } RlxPurity;

struct RlxSInfo {
  uint8_t kind;     ///< RlxSInfoKind
  bool has_symbols; ///< mentions a symbolic or Relax variable somewhere
  uint16_t depth;   ///< 1: no StructInfo is in it; at most RLX_SINFO_DEPTH_MAX
  uint32_t hash;
  uint32_t number; ///< its own in its store, from 1
  uint32_t nodes; ///< of the tree that it is when written out, UINT32_MAX: that many or more. Parts
                  ///< are shared, so this may be 2^n for n lines: see sinfo_memo.h
  int32_t ndim;   ///< Shape, Tensor: -1 unknown. DTensor: of its tensor
  int32_t count;  ///< dims/values, fields or params
  RlxDType dtype; ///< Tensor, Prim
  union {
    const RlxPrim *const *dims;    ///< Tensor, Shape: `ndim` of them, or NULL: not known
    const RlxSInfo *const *fields; ///< Tuple
    const RlxSInfo *const *params; ///< Func; NULL: opaque (any parameters)
    const RlxSymVar *const *parts; ///< Extension: Relax variables; NULL at i: not known
  };
  union {
    const RlxSymVar *shape_var; ///< Tensor: the shape is this Relax variable's value; else NULL
    const RlxPrim *value;       ///< Prim: its value, or NULL
    const RlxSInfo *ret;        ///< Func (Object when not known)
    const RlxSInfo *tensor;     ///< DTensor: local part
  };
  const RlxVDevice *vdevice; ///< Tensor; NULL: not given
  RlxName derive;            ///< Func: derive rule of an opaque function, or 0
  RlxName mesh, placement;   ///< DTensor, as printed
  uint8_t purity;            ///< Func: RlxPurity
  uint8_t extension;         ///< Extension: RlxExtension
};

/// Any value. This and those below are the store's: equal StructInfos are one pointer, and what
/// they are given is copied.
const RlxSInfo *rlx_sinfo_object(RlxStore *store);
/// A scalar of `dtype`, which may be unknown; `value` NULL: its value is not known.
const RlxSInfo *rlx_sinfo_prim(RlxStore *store, RlxDType dtype, const RlxPrim *value /* or NULL */);
/// `values` NULL: only the rank is known; ndim -1: nothing is.
const RlxSInfo *rlx_sinfo_shape(RlxStore *store, const RlxPrim *const *values, int ndim);
/// A tensor with dimensions.
const RlxSInfo *rlx_sinfo_tensor(RlxStore *store, const RlxPrim *const *dims, int ndim,
                                 RlxDType dtype, const RlxVDevice *vdevice);
/// A tensor without dimensions: rank `ndim` or -1.
const RlxSInfo *rlx_sinfo_tensor_ndim(RlxStore *store, int ndim, RlxDType dtype,
                                      const RlxVDevice *vdevice);
/// A tensor whose shape is the value of the Relax variable `shape_var`, of rank `ndim` or -1.
const RlxSInfo *rlx_sinfo_tensor_of(RlxStore *store, const RlxSymVar *shape_var, int ndim,
                                    RlxDType dtype, const RlxVDevice *vdevice);
/// A tuple of `count` fields. Object, which has no fields, where that would be too deep.
const RlxSInfo *rlx_sinfo_tuple(RlxStore *store, const RlxSInfo *const *fields, int count);
/// `params` NULL: opaque. So is one that would be too deep.
const RlxSInfo *rlx_sinfo_func(RlxStore *store, const RlxSInfo *const *params, int count,
                               const RlxSInfo *ret, RlxPurity purity, RlxName derive);
/// A distributed tensor: its local part, a tensor, and mesh and placement as printed (0: not given).
const RlxSInfo *rlx_sinfo_dtensor(RlxStore *store, const RlxSInfo *tensor, RlxName mesh,
                                  RlxName placement);
/// `parts`: as many Relax variables as the row has parts; NULL at i, or `parts` NULL: not known.
const RlxSInfo *rlx_sinfo_extension(RlxStore *store, RlxExtension extension,
                                    const RlxSymVar *const *parts);
/// A virtual device; equal devices are one pointer. `scope` 0: "global". `place`: its number among
/// the module's devices of this target.
const RlxVDevice *rlx_vdevice(RlxStore *store, RlxName target, int id, RlxName scope, int place);

/// `a` with the dimensions erased, rank, dtype and device kept.
const RlxSInfo *rlx_sinfo_erase_dims(RlxStore *store, const RlxSInfo *a);

// ---- spec 1.2. `facts` may be NULL everywhere.

/// A tensor or a shape: the kinds with `ndim` and `dims`.
static inline bool rlx_sinfo_holds_dims(const RlxSInfo *a) {
  return a->kind == RLX_SINFO_TENSOR || a->kind == RLX_SINFO_SHAPE;
}
/// Variables mentioned, in order of first occurrence, no repeats; at most `capacity`. Both kinds;
/// see RlxSymVar.is_relax.
void rlx_sinfo_vars(const RlxSInfo *a, const RlxSymVar **out, int *count, int capacity);
/// The variables that stand alone as a dimension or as the value of a scalar, of `a` and of the
/// fields of tuples and the local parts in it: in order, no repeats; at most `capacity`.
void rlx_sinfo_bare_vars(const RlxSInfo *a, const RlxSymVar **out, int *count, int capacity);
/// All of them, as keys and values.
void rlx_sinfo_bare_map(const RlxSInfo *a, RlxMap *all);
/// Is `var` one of them?
bool rlx_sinfo_has_bare(const RlxSInfo *a, const RlxSymVar *var);
/// The same without values: dimensions become ranks, scalars lose their value. TVM:
/// GetStaticStructInfo.
const RlxSInfo *rlx_sinfo_erase_to_static(RlxStore *store, const RlxSInfo *a);
/// Which variables are in scope; NULL function: none.
typedef struct RlxScope {
  bool (*has)(const RlxSymVar *var, void *data);
  void *data;
  const RlxFacts *facts; ///< equalities that give others a value in scope; may be NULL
} RlxScope;
/// Replaces what it can by equal expressions over variables in scope, erases the rest, list by
/// list. TVM: EraseToWellDefined.
const RlxSInfo *rlx_sinfo_erase_to_well_defined(RlxStore *store, const RlxSInfo *a, RlxScope scope);
/// The least StructInfo above both, as an `if` whose branches give `a` and `b` has it. TVM:
/// StructInfoLCA.
const RlxSInfo *rlx_sinfo_lca(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                              const RlxSInfo *b);

typedef enum RlxBaseCheck {
  RLX_CHECK_DISJOINT,        ///< no value satisfies both (TVM FAIL_L0)
  RLX_CHECK_STATIC_MISMATCH, ///< static part is not below (FAIL_L1)
  RLX_CHECK_VALUE_MISMATCH,  ///< values are not provably equal (FAIL_L2)
  RLX_CHECK_PASS,
} RlxBaseCheck;
/// Values that are not known to be equal.
typedef struct RlxSInfoApart {
  bool refuted; ///< a pair of values is provably unequal
  const RlxPrim *expected,
      *actual; ///< the first such pair, else the first one that is undecided; NULL: none
} RlxSInfoApart;
/// Is `derived` below `base`? When the answer is not PASS and `why` is given, says the first
/// difference in TVMScript words ("dimension 1 is n, expected n + 1"). `apart` (may be NULL): what
/// was found of the values.
RlxBaseCheck rlx_sinfo_base_check(RlxStore *store, const RlxFacts *facts, const RlxSInfo *base,
                                  const RlxSInfo *derived, RlxBuf *why, RlxSInfoApart *apart);
/// rlx_sinfo_base_check where the variables of `base` stand for the values of `bound`; one without
/// a value may be anything.
RlxBaseCheck rlx_sinfo_base_check_bound(RlxStore *store, const RlxFacts *facts,
                                        const RlxSInfo *base, const RlxSInfo *derived,
                                        const RlxSubst *bound, RlxBuf *why);
/// Appends to `why` sizes for which the two values differ: " (2 against 3 for n = 2, m = 3)".
/// Nothing when none are found quickly.
void rlx_sinfo_tell_apart(RlxStore *store, const RlxFacts *facts, const RlxSInfoApart *apart,
                          RlxBuf *why);
/// Equal up to arithmetic.
RlxProof rlx_sinfo_prove_equal(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                               const RlxSInfo *b);
/// `a` with variables replaced; those without a value stay.
const RlxSInfo *rlx_sinfo_subst(RlxStore *store, const RlxSInfo *a, const RlxSubst *subst);
/// The same, simplified; what mentions a variable without a value is erased, as is every shape that
/// is a Relax variable's.
const RlxSInfo *rlx_sinfo_bind(RlxStore *store, const RlxSInfo *a, const RlxSubst *subst);

/// Result of calling a function of StructInfo `func` with arguments of StructInfo `args`: bare
/// occurrences of symbolic variables in parameters bind in order, are substituted into `ret`; what
/// stays unbound is erased. TVM: DeriveCallRetStructInfo. `*bad_arg` (may be NULL) becomes the
/// first argument that is disjoint or statically wrong, with the reason in `why`, else -1;
/// `*bad_count` is set when the number of arguments differs.
typedef struct RlxCallProblem {
  int bad_arg;  ///< -1: none
  int open_arg; ///< the first whose values are not provably right, when there is no bad one; `why`
                ///< is about it then; -1: none
  bool bad_count;
  RlxBaseCheck check;
} RlxCallProblem;
/// See above, before RlxCallProblem. `problem` and `why` may be NULL.
const RlxSInfo *rlx_sinfo_derive_call(RlxStore *store, const RlxFacts *facts, const RlxSInfo *func,
                                      const RlxSInfo *const *args, int count,
                                      RlxCallProblem *problem, RlxBuf *why);

/// What the variables of function `func` stand for in a call with these arguments: at most
/// `capacity`, in order of occurrence; `values` is NULL at i where nothing binds. Returns their
/// number.
int rlx_sinfo_call_bindings(RlxStore *store, const RlxSInfo *func, const RlxSInfo *const *args,
                            int count, const RlxSymVar **vars, const RlxPrim **values,
                            int capacity);

/// Appends what such a call checks of argument `arg` when it runs because it is not proved: "n ==
/// m, k == 4". Nothing when the argument fits or can't.
void rlx_sinfo_call_checks(RlxStore *store, const RlxFacts *facts, const RlxSInfo *func,
                           const RlxSInfo *const *args, int count, int arg, RlxBuf *out);

/// A StructInfo with more bytes is told in part, in messages and lists; one with more nodes is not
/// written into a script.
enum { RLX_SINFO_TEXT_MAX = 16384, RLX_SINFO_TOLD_MAX = 1024, RLX_SINFO_SCRIPT_NODES = 4096 };

/// Appends the TVMScript annotation: `R.Tensor((n, 4), dtype="float32")`.
/// At most about RLX_SINFO_TEXT_MAX bytes; for what is left out stands "…".
void rlx_sinfo_print(const RlxStore *store, const RlxSInfo *a, RlxBuf *out);

/// The same, at most about RLX_SINFO_TOLD_MAX bytes: for a message or a line of a list, of which a
/// file may have thousands.
void rlx_sinfo_tell(const RlxStore *store, const RlxSInfo *a, RlxBuf *out);

/// The same, at most about so many bytes. False: that may have left something out.
bool rlx_sinfo_print_upto(const RlxStore *store, const RlxSInfo *a, size_t bytes, RlxBuf *out);

/// How an annotation is written where the plain spelling is not the right one. Zeroed: plain. That of a
/// dialect: rlx_dialect_sinfo_style.
typedef struct RlxSInfoStyle {
  bool (*is_quoted)(const RlxPrim *value,
                    void *data); ///< dimension written as a string: `R.Tensor(("n",))`; or NULL
  void *data;
  const char *object;     ///< spelling of Object, up to a blank; NULL: "R.Object"
  bool hides_prim_values; ///< R.Prim("int64") in place of R.Prim(value=n)
  bool is_argument;       ///< it stands in a call, where 0.27 reads no T.int64
} RlxSInfoStyle;
/// An `is_quoted` for signatures: what names a symbolic variable is a string there.
bool rlx_sinfo_is_symbolic(const RlxPrim *value, void *data);
/// As rlx_sinfo_print, in `style`, for a script: nothing is left out. One with more than
/// RLX_SINFO_SCRIPT_NODES nodes is written as Object, which it is below. `style` NULL:
/// rlx_sinfo_print.
void rlx_sinfo_print_styled(const RlxStore *store, const RlxSInfo *a, const RlxSInfoStyle *style,
                            RlxBuf *out);

#endif
