/// Subscripts of a PrimFunc's script: elements and parts of buffers, items of lists.
#include "analyzer/function/kinds.h"

#include <string.h>

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

/// Whether RLX0604 was reported of the buffer, or its rank was told here.
static bool is_rank_told(const Kinds *k, const RlxAst *buffer) {
  if (buffer->kind != RLX_AST_NAME) return false;
  for (uint32_t i = 0; i < k->ranks_told.count; i++)
    if (k->ranks_told.at[i] == buffer->name) return true;
  const RlxSink *sink = &k->fn->end;
  const char *name = rlx_store_text(k->store, buffer->name);
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    const char *quoted = d->id == RLX_DIAG_ID(BUFFER_RANK) ? strchr(d->message, '`') : NULL;
    if (quoted && !strncmp(quoted + 1, name, strlen(name)) && quoted[strlen(name) + 1] == '`')
      return true;
  }
  return false;
}

void rlx_kind_refuse_rank(Kinds *k, const RlxAst *access, int count, int ndim) {
  const RlxAst *buffer = access->children[0];
  if (is_rank_told(k, buffer)) return;
  rlx_kind_refuse_text(k, IN_BOTH, access->span,
                       rlx_arena_printf(k->arena, "%d ind%s for %d dimension%s", count,
                                        count == 1 ? "ex" : "ices", ndim, ndim == 1 ? "" : "s"));
  if (buffer->kind == RLX_AST_NAME) rlx_vec_push(&k->ranks_told, buffer->name);
}

/// The step of a slice is a number, and so is the length of a slice with a step: `lanes`, 0 if it is not known.
static void check_step(Kinds *k, const RlxAst *slice, int64_t lanes) {
  const RlxAst *step = slice->child_count > 2 ? slice->children[2] : NULL;
  if (!step || step->kind == RLX_AST_NONE) return;
  Kind kind = rlx_kind_eval(k, step);
  const RlxAst *start = slice->children[0], *stop = slice->children[1];
  const bool is_one = kind.tag == KIND_INT && kind.has_number && kind.number == 1,
             is_open = start->kind == RLX_AST_NONE || stop->kind == RLX_AST_NONE;
  const RlxAst *bound = start->kind == RLX_AST_NONE ? stop : start;
  if (is_open && !is_one && bound->kind != RLX_AST_NONE && kind.tag == KIND_INT) {
    Kind end = rlx_kind_eval(k, bound);
    if (kind_is_expr(end) && !end.has_number && rlx_dtype_known(end.dtype) &&
        (end.is_var || end.axis_of))
      rlx_kind_refuse_text(k, IN_025, slice->span, "a slice with a step has a constant length");
  }
  if (kind_is_expr(kind) && kind.is_var) rlx_kind_refuse(k, IN_BOTH, step, kind, "an int");
  const bool is_no_step = kind.tag == KIND_FLOAT || (kind_is_expr(kind) && !kind.has_number) ||
                          kind.tag == KIND_REGION ||
                          (kind.tag == KIND_INT && kind.has_number && !kind.number);
  if (is_no_step) rlx_kind_refuse(k, IN_025, step, kind, "a positive int");
  if (lanes < 0 && kind.tag == KIND_INT && kind.has_number && kind.number < 0)
    rlx_kind_refuse_text(k, IN_025, slice->span, "the slice has no element");
}

static bool is_int(const RlxAst *ast) { return ast->kind == RLX_AST_INT && !ast->is_big; }

// ---- how long a slice is

/// How many elements of one dimension a part has.
typedef struct Extent {
  enum { EXTENT_UNKNOWN, EXTENT_NUMBER, EXTENT_SYMBOLIC } kind;
  int64_t number; ///< of EXTENT_NUMBER
} Extent;

static Extent number_of(int64_t number) { return (Extent){EXTENT_NUMBER, number}; }

/// The whole of dimension `at`.
static Extent whole(Kind buffer, uint32_t at) {
  if (at >= buffer.count) return (Extent){EXTENT_UNKNOWN, 0};
  Kind dim = buffer.items[at];
  if (dim.has_number && (dim.tag == KIND_INT || kind_is_expr(dim))) return number_of(dim.number);
  return (Extent){kind_is_expr(dim) && dim.is_var ? EXTENT_SYMBOLIC : EXTENT_UNKNOWN, 0};
}

/// The number that the expression is: 4, T.int64(4).
static bool is_number(Kinds *k, const RlxAst *ast, int64_t *out) {
  if (is_int(ast)) {
    *out = ast->integer;
    return true;
  }
  char path[RLX_AST_DOTTED_MAX];
  RlxDType dtype;
  bool is_dtype = ast->kind == RLX_AST_CALL && ast->child_count == 2 && is_int(ast->children[1]) &&
                  rlx_kind_path(k, ast->children[0], path) &&
                  rlx_dtype_parse(path, strlen(path), &dtype) && rlx_dtype_is_int(dtype);
  if (is_dtype) *out = ast->children[1]->integer;
  return is_dtype;
}

static bool is_binary(const RlxAst *ast, RlxAstOp op) {
  return ast->kind == RLX_AST_BINARY && ast->op == op;
}

static bool is_same(const Kinds *k, const RlxAst *a, const RlxAst *b, int depth) {
  if (a->kind != b->kind || a->child_count != b->child_count || depth > 20) return false;
  switch ((int)a->kind) {
  case RLX_AST_NAME: return a->name == b->name;
  case RLX_AST_INT: return is_int(a) && is_int(b) && a->integer == b->integer;
  case RLX_AST_ATTRIBUTE:
    if (a->name != b->name) return false;
    break;
  case RLX_AST_BINARY:
  case RLX_AST_UNARY:
    if (a->op != b->op) return false;
    break;
  case RLX_AST_CALL:
  case RLX_AST_SUBSCRIPT: break;
  default: return false;
  }
  for (uint32_t i = 0; i < a->child_count; i++)
    if (!is_same(k, a->children[i], b->children[i], depth + 1)) return false;
  return true;
}

/// `a - b` where both differ by a number: `i * 4 + 4` and `i * 4`.
static bool difference(Kinds *k, const RlxAst *a, const RlxAst *b, int depth, int64_t *out) {
  int64_t x, y, limit = (int64_t)1 << 30;
  if (depth > 12) return false;
  if (is_same(k, a, b, 0)) {
    *out = 0;
    return true;
  }
  bool is_x = is_number(k, a, &x), is_y = is_number(k, b, &y);
  if (is_x && is_y && x < limit && x > -limit && y < limit && y > -limit) {
    *out = x - y;
    return true;
  }
  const RlxAst *each[] = {a, b};
  for (int i = 0; i < 2; i++) { // takes a number off a sum
    const RlxAst *sum = each[i];
    bool adds = is_binary(sum, RLX_OP_ADD), subtracts = is_binary(sum, RLX_OP_SUB);
    for (int n = 0; n < 2 && (adds || subtracts); n++) {
      if ((subtracts && !n) || !is_number(k, sum->children[n], &x)) continue;
      const RlxAst *rest = sum->children[1 - n];
      int64_t sign = (i ? -1 : 1) * (subtracts ? -1 : 1), inner;
      if (x > limit || x < -limit || !difference(k, i ? a : rest, i ? rest : b, depth + 1, &inner))
        continue;
      *out = inner + sign * x;
      return true;
    }
  }
  if (is_binary(a, RLX_OP_MUL) && is_binary(b, RLX_OP_MUL) && is_number(k, a->children[1], &x) &&
      is_number(k, b->children[1], &y) && x == y && x < 1024 && x > -1024 &&
      difference(k, a->children[0], b->children[0], depth + 1, out)) {
    *out *= x;
    return true;
  }
  return false;
}

/// A step that is not 1.
static const RlxAst *step_of(Kinds *k, const RlxAst *slice) {
  if (slice->kind != RLX_AST_SLICE || slice->child_count < 3) return NULL;
  const RlxAst *step = slice->children[2];
  int64_t number;
  bool is_one = is_number(k, step, &number) && number == 1;
  return step->kind == RLX_AST_NONE || is_one ? NULL : step;
}

/// How long `end - start` of the slice of dimension `at` is.
static Extent extent_of(Kinds *k, const RlxAst *slice, Kind buffer, uint32_t at) {
  Extent unknown_extent = {EXTENT_UNKNOWN, 0};
  if (slice->kind != RLX_AST_SLICE || slice->child_count < 2) return unknown_extent; // slice(0, 2)
  const RlxAst *start = slice->children[0], *stop = slice->children[1];
  int64_t first = 0, length;
  bool is_first = start->kind == RLX_AST_NONE || is_number(k, start, &first);
  if (stop->kind == RLX_AST_NONE) {
    Extent all = whole(buffer, at);
    if (!is_first) return unknown_extent;
    return all.kind == EXTENT_NUMBER ? number_of(all.number - first) : all;
  }
  if (start->kind == RLX_AST_NONE && is_number(k, stop, &length)) return number_of(length);
  if (start->kind != RLX_AST_NONE && difference(k, stop, start, 0, &length))
    return number_of(length);
  Kind end;
  bool is_var = is_first && stop->kind == RLX_AST_NAME && rlx_kind_lookup(k, stop->name, &end) &&
                kind_is_expr(end) && end.is_var && !end.has_number;
  return is_var ? (Extent){EXTENT_SYMBOLIC, 0} : unknown_extent;
}

/// The lanes that a slice with a step has as TVM counts them; 0: not known, -1: none.
static int64_t stepped_lanes(Kinds *k, const RlxAst *slice, Kind buffer, uint32_t at) {
  Extent extent = extent_of(k, slice, buffer, at);
  const RlxAst *step = step_of(k, slice);
  Kind by = step ? rlx_kind_eval(k, step) : unknown();
  const int64_t limit = (int64_t)1 << 30;
  bool known = extent.kind == EXTENT_NUMBER && by.tag == KIND_INT && by.has_number && by.number &&
               by.number < limit && by.number > -limit;
  if (!known) return 0;
  const int64_t sum = extent.number + by.number - 1, lanes = by.number > 0 ? sum / by.number
                                                             : sum < 0     ? -sum / -by.number
                                                                           : -1;
  return lanes > 0 ? lanes : -1;
}

int64_t rlx_kind_slice_lanes(Kinds *k, const RlxAst *slice, Kind buffer, uint32_t at) {
  if (step_of(k, slice)) return stepped_lanes(k, slice, buffer, at);
  Extent extent = extent_of(k, slice, buffer, at);
  return extent.kind == EXTENT_NUMBER && extent.number > 0 ? extent.number : 0;
}

// ---- parts and elements of buffers

/// A dimension that is a float: 0.27 counts the elements of no part along it.
static void check_dimension(Kinds *k, const RlxAst *ast, Kind base, uint32_t at) {
  if (base.tag != KIND_BUFFER || !base.items || at >= base.count) return;
  const Kind dim = base.items[at];
  if (dim.tag == KIND_FLOAT || (kind_is_expr(dim) && rlx_dtype_is_float(dim.dtype)))
    rlx_kind_refuse_text(k, IN_027, ast->span, "a part along a dimension that is a float");
}

/// An index or a bound in brackets that read: 0.27 leaves a float as it is, however large.
static Kind of_any_size(const Kinds *k, Kind kind) {
  if (kind.tag == KIND_FLOAT && k->dialects == IN_027) kind.has_number = false;
  return kind;
}

enum { MAX_EXTENTS = 16 };

/// What is found out about the indices of one access.
typedef struct Access {
  int64_t extents[MAX_EXTENTS]; ///< of the dimensions: see Kind.extents
  int taken;                    ///< so many

  int count;          ///< indices
  bool has_slice;     ///< one is a slice
  bool is_sure;       ///< what each index is is known
  bool is_odd;        ///< one is a float or a string
  int64_t lanes;      ///< of the element or the part: see Kind.lanes
  int index_lanes;    ///< of the last index, when it is a vector; else 0
  bool may_be_vector; ///< the last index is of a dtype that is not known
  const RlxAst *step; ///< one that is not 1
  int64_t step_lanes; ///< of the slice with that step, 0: not known
} Access;

/// One dimension more, of which `extent` is taken; only the last may be more than one element.
static void take(Access *access, Extent extent, bool is_last) {
  if (access->taken < MAX_EXTENTS)
    access->extents[access->taken++] = extent.kind == EXTENT_UNKNOWN ? 0
                                       : extent.kind == EXTENT_SYMBOLIC || extent.number < 1
                                           ? -1
                                           : extent.number;
  if (access->lanes < 0) return;
  if (extent.kind == EXTENT_UNKNOWN)
    access->lanes = 0;
  else if (extent.kind == EXTENT_SYMBOLIC || extent.number < 1 || (extent.number > 1 && !is_last))
    access->lanes = -1;
  else if (access->lanes)
    access->lanes = extent.number;
}

static void look_at_index(Kinds *k, const RlxAst *ast, const RlxAst *child, uint32_t at, Kind base,
                          Access *access) {
  k->in_buffer = true;
  Kind index = rlx_kind_eval(k, child);
  k->in_buffer = false;
  if (index.tag != KIND_SLICE) take(access, number_of(1), false);
  bool is_all = kind_is_list(index) && ast->child_count == 2; // a list of all indices
  access->is_sure &= index.tag != KIND_UNKNOWN && !(is_all && index.count == KIND_MANY);
  access->is_odd |= index.tag == KIND_FLOAT || index.tag == KIND_STR ||
                    (kind_is_expr(index) &&
                     (rlx_dtype_is_float(index.dtype) || index.dtype.code == RLX_DTYPE_HANDLE));
  const bool is_vector =
      kind_is_expr(index) && rlx_dtype_known(index.dtype) && index.dtype.lanes > 1;
  const bool is_row = index.tag == KIND_REGION && index.lanes > 1 && index.lanes <= UINT16_MAX;
  access->index_lanes = is_vector ? index.dtype.lanes : is_row ? (int)index.lanes : 0;
  access->may_be_vector = kind_is_expr(index) && !rlx_dtype_known(index.dtype);
  access->count += is_all && index.count != KIND_MANY ? (int)index.count : 1;
  if (child->kind == RLX_AST_ELLIPSIS)
    rlx_kind_refuse_text(k, IN_BOTH, child->span, "`...` is no index of a buffer");
  if (index.is_array) // no list of Python's, which would stand for all indices
    rlx_kind_refuse(k, IN_BOTH, child, index, "an index");
  if (index.tag == KIND_SLICE) {
    access->has_slice = true;
    check_dimension(k, child, base, at);
    take(access, extent_of(k, child, base, at), (int)at == base.ndim - 1);
    if (index.is_odd) access->lanes = -1; // no number of elements
    const int64_t lanes = step_of(k, child) ? stepped_lanes(k, child, base, at) : 0;
    if (child->kind == RLX_AST_SLICE) check_step(k, child, lanes);
    if (lanes > 1 && at + 2 < ast->child_count && (int)ast->child_count == base.ndim + 1)
      rlx_kind_refuse_text(k, IN_BOTH, child->span, "only the last index may be a vector");
    if (step_of(k, child)) {
      access->step_lanes = lanes;
      access->step = step_of(k, child);
    }
  }
  for (uint32_t n = 0; is_all && index.count != KIND_MANY && n < index.count; n++)
    rlx_kind_check_index(k, child, index.items[n], true);
  if (!is_all) rlx_kind_check_index(k, child, of_any_size(k, index), at + 2 == ast->child_count);
}

/// A part with a step. Where it names all dimensions, 0.25 makes an element or a vector of it at once.
static void step_part(const Kinds *k, const Access *access, bool names_all, Kind *out) {
  out->is_stepped = names_all && access->step_lanes > 1;
  out->lanes = 0;
  if (!names_all) return;
  if (access->step_lanes <= 0) out->tag = KIND_UNKNOWN;
  if (access->step_lanes <= 0 || access->step_lanes >= 1024 || k->dialects != IN_025) return;
  out->tag = KIND_EXPR;
  out->is_load = true;
  if (rlx_dtype_known(out->dtype))
    out->dtype.lanes = (uint16_t)(out->dtype.lanes * access->step_lanes);
}

static Kind of_buffer(Kinds *k, const RlxAst *ast, Kind base) {
  Access access = {.is_sure = true, .lanes = 1};
  bool has_star = false; // then there are as many indices as are counted, or more
  rlx_kind_used(k, ast->children[0], base);
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind == RLX_AST_STARRED) {
      const Kind list = rlx_kind_starred(k, child);
      if (kind_is_list(list) && list.count != KIND_MANY) access.count += (int)list.count;
      access.is_sure = false;
      has_star = true;
    } else {
      look_at_index(k, ast, child, i - 1, base, &access);
    }
  }
  int count = access.count;
  if (base.is_described && ast->children[0]->kind == RLX_AST_CALL && !k->is_lax)
    rlx_kind_refuse_text(k, IN_BOTH, ast->children[0]->span,
                         "T.Buffer in a body only describes a buffer: it has no elements");
  if ((access.is_sure || has_star) && base.ndim >= 0 && count > base.ndim)
    rlx_kind_refuse_rank(k, ast, count, base.ndim);
  if (access.step)
    rlx_kind_refuse_text(k, IN_027, access.step->span, "a slice of a buffer has no step");
  bool is_short = access.is_sure && base.ndim >= 0 && count < base.ndim;
  bool is_part = access.has_slice || is_short;
  if (!is_part) rlx_kind_use_memory(k, ast->children[0], base);
  Kind out = rlx_kind_of(is_part ? KIND_REGION : access.is_sure ? KIND_EXPR : KIND_UNKNOWN);
  out.scope = base.scope;
  out.dtype = base.dtype;
  out.ndim = base.ndim;
  out.is_void = base.is_void;
  out.is_load = !is_part && access.is_sure;
  if (is_part)
    for (int i = count; i < base.ndim; i++) {
      check_dimension(k, ast, base, (uint32_t)i);
      take(&access, whole(base, (uint32_t)i), i == base.ndim - 1);
    }
  else
    out.is_odd = access.is_odd;
  if (!is_part && access.may_be_vector) out.dtype = rlx_dtype_unknown();
  if (!is_part && access.index_lanes) {
    out.is_stepped = true;
    if (rlx_dtype_known(out.dtype))
      out.dtype.lanes = (uint16_t)(out.dtype.lanes * access.index_lanes);
  }
  if (!is_part) return out;
  out.lanes = access.is_sure && base.ndim >= 0 ? access.lanes : 0;
  if (access.is_sure && access.taken == base.ndim) {
    int64_t *extents = rlx_arena_array(k->arena, int64_t, access.taken + 1);
    memcpy(extents, access.extents, (size_t)access.taken * sizeof *extents);
    out.extents = extents;
  }
  if (access.step) step_part(k, &access, !is_short && base.ndim >= 0, &out);
  return out;
}

/// A part of a part, counted from its first dimension again: `A[i][j]` is one of A[i, 0:n]. With an index for each dimension it is an
/// element in 0.27.
static Kind part_of(const Kinds *k, const RlxAst *ast, Kind base) {
  bool has_slice = false, is_plain = base.extents && (int)ast->child_count - 1 <= base.ndim;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    has_slice |= ast->children[i]->kind == RLX_AST_SLICE;
    is_plain &= ast->children[i]->kind != RLX_AST_STARRED &&
                ast->children[i]->kind != RLX_AST_TUPLE && ast->children[i]->kind != RLX_AST_LIST;
  }
  const bool is_element = !has_slice && (base.ndim < 0 || (int)ast->child_count - 1 == base.ndim);
  if (is_element && k->dialects != IN_025) return unknown();
  const int64_t *old = base.extents;
  base.lanes = 0;
  base.extents = NULL;
  if (!is_plain || has_slice) return base;
  int64_t *extents = rlx_arena_array(k->arena, int64_t, (uint32_t)base.ndim + 1);
  Access access = {.lanes = 1};
  for (int i = 0; i < base.ndim; i++) {
    extents[i] = i + 1 < (int)ast->child_count ? 1 : old[i];
    const Extent extent = extents[i] > 0   ? number_of(extents[i])
                          : extents[i] < 0 ? (Extent){EXTENT_SYMBOLIC, 0}
                                           : (Extent){EXTENT_UNKNOWN, 0};
    take(&access, extent, i == base.ndim - 1);
  }
  base.lanes = access.lanes;
  base.extents = extents;
  return base;
}

// ---- lists

/// A character of a string.
static Kind of_string(Kinds *k, const RlxAst *ast, Kind base, Kind index) {
  Kind out = rlx_kind_of(KIND_STR);
  if (!base.text || !index.has_number) return out;
  int64_t size = (int64_t)strlen(base.text), at = index.number + (index.number < 0 ? size : 0);
  if (at >= 0 && at < size)
    out.text = rlx_arena_strndup(k->arena, base.text + at, 1);
  else
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "the index is out of range");
  return out;
}

/// An end of a slice of a list of `count` items; false: not known.
static bool bound_of(Kinds *k, const RlxAst *ast, int64_t none, int64_t count, int64_t *out) {
  *out = none;
  if (ast->kind == RLX_AST_NONE) return true;
  const Kind bound = rlx_kind_eval(k, ast);
  if (bound.tag != KIND_INT || !bound.has_number) return false;
  *out = bound.number < 0 ? bound.number + count : bound.number;
  *out = *out < 0 ? 0 : *out > count ? count : *out;
  return true;
}

/// `[a, b, c][1:]`: a list again, whose items are known where its ends are.
static Kind of_list_slice(Kinds *k, const RlxAst *slice, Kind base) {
  Kind out = rlx_kind_of(base.tag == KIND_STR ? KIND_STR
                         : base.is_array      ? KIND_LIST
                                              : (KindTag)base.tag);
  if (base.tag == KIND_STR) return out;
  out.count = KIND_MANY;
  int64_t first, last;
  const bool has_step = slice->child_count > 2 && slice->children[2]->kind != RLX_AST_NONE;
  if (base.count == KIND_MANY || slice->child_count < 2 || has_step ||
      !bound_of(k, slice->children[0], 0, base.count, &first) ||
      !bound_of(k, slice->children[1], base.count, base.count, &last))
    return out;
  out.count = last > first ? (uint32_t)(last - first) : 0;
  out.items = base.items + first;
  return out;
}

static Kind of_list(Kinds *k, const RlxAst *ast, Kind base, Kind index) {
  if (index.tag == KIND_SLICE && ast->children[1]->kind == RLX_AST_SLICE && !base.is_range)
    return of_list_slice(k, ast->children[1], base);
  if (index.tag == KIND_SLICE || index.tag == KIND_UNKNOWN) return unknown();
  if (index.tag != KIND_INT && index.tag != KIND_BOOL) {
    rlx_kind_refuse(k, IN_BOTH, ast, index, "an int");
    return unknown();
  }
  if (base.tag == KIND_STR) return of_string(k, ast, base, index);
  if (base.count == KIND_MANY || !index.has_number) return unknown();
  int64_t at = index.number < 0 ? index.number + base.count : index.number;
  if (at < 0 || at >= (int64_t)base.count) {
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "the index is out of range");
    return unknown();
  }
  return base.items[at];
}

/// Classes of T in both dialects, none of which Python takes brackets behind.
static const char classes[] =
    "Add And Broadcast Call CallEffectKind Cast CommReducer ComposeLayout Div DtypeConstructor EQ "
    "ExecScope FloatImm FloorDiv FloorMod GE GT IntImm Iter IterVar LE LT Layout Max Min Mod Mul "
    "NE "
    "Not Or Ramp Reduce SMEMPool ScopeIdDef Select Shuffle Sub TMEMPool TileLayout Var";

/// Whether the function of T is one of those that surely have no subscripts.
static bool is_plain_function(Kinds *k, const RlxAst *ast, Kind function) {
  char path[RLX_AST_DOTTED_MAX];
  if (ast->kind != RLX_AST_ATTRIBUTE || !rlx_kind_path(k, ast, path)) return false;
  if (rlx_text_is_among(path, "handle bool")) return true;
  if (strncmp(path, "axis.", 5) == 0 || rlx_text_is_among(path, classes)) return true;
  return path[0] >= 'a' && !strchr(path, '.') && !rlx_dtype_known(function.dtype) &&
         !rlx_text_is_among(path, "let constexpr cuda");
}

/// T.ptx, whose instructions stand behind a dot or in brackets.
static bool is_ptx(Kinds *k, const RlxAst *ast) {
  char path[RLX_AST_DOTTED_MAX];
  return ast->kind == RLX_AST_ATTRIBUTE && rlx_kind_path(k, ast, path) && strcmp(path, "ptx") == 0;
}

/// Whether a function is Python's or a method of a value, and so has no items: len, A.scope.
static bool is_pythons_function(const RlxAst *ast, Kinds *k) {
  char path[RLX_AST_DOTTED_MAX];
  if (ast->kind == RLX_AST_NAME) // list[int] is a type
    return !rlx_text_is_among(rlx_store_text(k->store, ast->name),
                              "list tuple dict set frozenset type");
  return ast->kind == RLX_AST_LAMBDA ||
         (ast->kind == RLX_AST_ATTRIBUTE && !rlx_kind_path(k, ast, path));
}

/// What stands behind a function of T as `T.let[…]`, `T.float32[4]`, `T.Buffer[…]`; unknown: nothing of
/// that kind.
static Kind of_function(Kinds *k, const RlxAst *ast, Kind function, Kind index) {
  char path[RLX_AST_DOTTED_MAX];
  if (function.tag != KIND_FUNCTION || ast->kind != RLX_AST_ATTRIBUTE ||
      !rlx_kind_path(k, ast, path))
    return unknown();
  if (strcmp(path, "Buffer") == 0) return rlx_kind_of(KIND_BUFFER);
  if (strcmp(path, "Ptr") == 0) {
    Kind out = rlx_kind_new_pointer(k);
    if (index.tag == KIND_FUNCTION) out.pointee = index.dtype;
    return out;
  }
  bool is_vector = rlx_dtype_known(function.dtype) && !function.is_nothing &&
                   !rlx_text_is_among(path, "handle bool");
  const bool is_no_dim = kind_is_thing(index) || index.tag == KIND_FLOAT || index.tag == KIND_STR ||
                         index.tag == KIND_LIST || index.tag == KIND_DICT ||
                         index.tag == KIND_OTHER || index.tag == KIND_REGION ||
                         index.tag == KIND_BUFFER || index.is_array ||
                         (kind_is_expr(index) && rlx_dtype_known(index.dtype) &&
                          !rlx_dtype_is_int(index.dtype) && !rlx_dtype_is_bool(index.dtype));
  if (is_vector && is_no_dim) rlx_kind_refuse(k, IN_BOTH, ast, index, "a dimension");
  Kind out = rlx_kind_of(is_vector ? KIND_ANNOTATION : KIND_UNKNOWN);
  if (strcmp(path, "let") == 0) out.tag = KIND_ANNOTATION, out.is_let = true;
  return out;
}

/// Whether the two literals are one key of a dictionary; -1: not known.
static int is_same_key(const RlxAst *a, const RlxAst *b) {
  const bool is_plain_a = a->kind == RLX_AST_STRING || is_int(a),
             is_plain_b = b->kind == RLX_AST_STRING || is_int(b);
  if (!is_plain_a || !is_plain_b) return -1;
  if (a->kind != b->kind) return 0;
  return is_int(a) ? a->integer == b->integer : strcmp(a->text, b->text) == 0;
}

/// `{0: a, 1: b}[0]`: every key and every value is evaluated once, since a call may have an effect.
static Kind of_dict(Kinds *k, const RlxAst *ast) {
  const RlxAst *dict = ast->children[0], *key = ast->children[1];
  const bool is_symbolic = kind_is_expr(rlx_kind_eval(k, key)); // equal to no other key
  Kind found = unknown();
  bool is_found = false, is_known = true;
  for (uint32_t i = 0; i + 1 < dict->child_count; i += 2) { // the last counts
    const RlxAst *own = dict->children[i];
    rlx_kind_entry(k, own, true);
    const Kind value = rlx_kind_entry(k, dict->children[i + 1], false);
    const bool is_literal = own->kind == RLX_AST_STRING || is_int(own);
    const int is_same = is_symbolic && is_literal ? 0 : is_same_key(own, key);
    if (is_same > 0) found = value;
    is_found |= is_same > 0;
    is_known &= !is_same;
  }
  if (is_known && !is_found)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "the dictionary has no such key");
  return found;
}

Kind rlx_kind_subscript(Kinds *k, const RlxAst *ast) {
  if (ast->children[0]->kind == RLX_AST_DICT && ast->child_count == 2) return of_dict(k, ast);
  Kind base = rlx_kind_eval(k, ast->children[0]);
  if (base.tag == KIND_BUFFER) return of_buffer(k, ast, base);
  Kind index = unknown();
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    index = rlx_kind_eval(k, child->kind == RLX_AST_STARRED ? child->children[0] : child);
  }
  if (ast->child_count != 2) index = rlx_kind_of(KIND_TUPLE);
  if (kind_is_list(base) || base.tag == KIND_STR || (base.is_range && base.items))
    return of_list(k, ast, base, index);
  if (ast->children[0]->kind == RLX_AST_SET)
    rlx_kind_refuse_text(k, IN_BOTH, ast->children[0]->span, "a set has no items to ask for");
  if (base.tag == KIND_REGION) return part_of(k, ast, base);
  Kind made = of_function(k, ast->children[0], base, index);
  if (made.tag != KIND_UNKNOWN) return made;
  bool has_none = base.is_decorator || kind_is_python_number(base) || base.tag == KIND_NONE ||
                  base.tag == KIND_FOR || base.tag == KIND_FRAME || base.tag == KIND_SLICE ||
                  (base.tag == KIND_MODULE && !is_ptx(k, ast->children[0])) ||
                  base.tag == KIND_ANNOTATION || (base.tag == KIND_OTHER && !base.is_range) ||
                  (base.tag == KIND_OBJECT && base.object != BYTES_OBJECT) ||
                  (base.tag == KIND_FUNCTION && is_plain_function(k, ast->children[0], base)) ||
                  base.tag == KIND_EXPR ||
                  (base.tag == KIND_FUNCTION && is_pythons_function(ast->children[0], k));
  if (has_none) rlx_kind_refuse(k, IN_BOTH, ast->children[0], base, "a buffer");
  return unknown();
}

Kind rlx_kind_slice(Kinds *k, const RlxAst *ast) {
  const bool in_buffer = k->in_buffer;
  k->in_buffer = false;                    // not so in what its bounds are made of
  Kind bounds[2] = {unknown(), unknown()}; // None counts as 0 at the start
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (i == 0) bounds[0] = rlx_kind_of(KIND_INT);
    if (child->kind == RLX_AST_NONE) continue;
    Kind bound = rlx_kind_eval(k, child);
    if (i < 2) bounds[i] = bound;
    bound.is_let_again = false;
    rlx_kind_used(k, child, of_any_size(k, bound));
    const bool is_pointer = kind_is_expr(bound) && bound.dtype.code == RLX_DTYPE_HANDLE;
    if ((rlx_kind_is_no_value(bound) || is_pointer) && in_buffer && bound.tag != KIND_NONE)
      rlx_kind_refuse(k, IN_BOTH, child, bound, "a bound");
  }
  for (int i = 0; i < 2 && in_buffer; i++) // Python's int takes no part of a buffer off itself
    if (bounds[i].tag == KIND_REGION)
      rlx_kind_refuse(k, bounds[1 - i].tag == KIND_INT ? IN_BOTH : IN_027, ast->children[i],
                      bounds[i], "a bound");
  Kind out = rlx_kind_of(KIND_SLICE);
  for (int i = 0; i < 2; i++)
    out.is_odd |= bounds[i].tag == KIND_FLOAT ||
                  (kind_is_expr(bounds[i]) && rlx_dtype_is_float(bounds[i].dtype));
  return out;
}
