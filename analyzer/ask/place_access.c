// Facts from buffers: their dimensions are at least 0, and the indices of an access that was
// executed are within them. Only what is executed surely counts: not the branches of a conditional
// expression, not the second operand of `and`, not the arguments of calls that may take a region.
#include <string.h>

#include "analyzer/ask/place_impl.h"
#include "analyzer/state/file.h"
#include "analyzer/symbolic/dtype.h"
#include "analyzer/words/prim_read.h"

enum { DEPTH_MAX = 50, NDIM_MAX = 16, TEXT_MAX = 60 };

// ---- buffers

static const char *const makers[] = {
    "Buffer", "match_buffer", "Tensor", "alloc_buffer", "sblock_alloc_buffer", "decl_buffer", NULL};

static bool is_list(const RlxAst *ast) {
  return ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
}

/// The shape in T.Buffer((n, m), …), T.match_buffer(a, (n, m), …), T.Buffer[(n, m), …]; NULL: none.
static const RlxAst *shape_of(const RlxPlace *p, const RlxAst *maker) {
  bool is_call = maker->kind == RLX_AST_CALL;
  if (!is_call && maker->kind != RLX_AST_SUBSCRIPT) return NULL;
  const RlxAst *callee = maker->children[0];
  if ((callee->kind != RLX_AST_NAME && callee->kind != RLX_AST_ATTRIBUTE) ||
      !rlx_place_is_one_of(rlx_store_text(p->store, callee->name), makers))
    return NULL;
  for (uint32_t i = 1; i < maker->child_count; i++) {
    const RlxAst *child = maker->children[i];
    if (child->kind == RLX_AST_KEYWORD) {
      if (strcmp(rlx_store_text(p->store, child->name), "shape") == 0) return child->children[0];
      continue;
    }
    if (!is_call && is_list(child) && child->child_count && is_list(child->children[0]))
      return child->children[0];
    if (is_list(child)) return child;
  }
  return NULL;
}

/// A dimension: an expression, or its text as a string.
static const RlxPrim *dimension(RlxPlace *p, const RlxAst *ast) {
  RlxError err = {0};
  if (ast->kind == RLX_AST_STRING)
    return rlx_prim_read(p->store, ast->text, rlx_place_name, p, &err);
  return rlx_place_read(p, ast);
}

void rlx_place_declare(RlxPlace *p, RlxName name, const RlxAst *maker) {
  const RlxAst *shape = maker ? shape_of(p, maker) : NULL;
  if (!shape) return;
  int ndim = is_list(shape) ? (int)shape->child_count : 1;
  if (ndim > NDIM_MAX) return;
  const char *origin =
      rlx_arena_printf(p->arena, "shape of buffer %s", rlx_store_text(p->store, name));
  RlxPlaceBuffer buffer = {name, ndim,
                           rlx_arena_array(p->arena, const RlxPrim *, (size_t)ndim + 1)};
  for (int i = 0; i < ndim; i++) {
    const RlxPrim *dim = dimension(p, is_list(shape) ? shape->children[i] : shape);
    buffer.dims[i] = dim && !rlx_dtype_is_bool(dim->dtype) ? dim : NULL;
    if (!buffer.dims[i]) continue;
    if (rlx_prim_as_var(dim))
      rlx_prim_mark_dimension(p->store, dim);
    else
      rlx_place_assume(p, rlx_prim_binary(p->store, RLX_PRIM_LE, rlx_prim_int(p->store, 0), dim),
                       origin, true);
  }
  for (int i = 0; i < ndim; i++) rlx_place_note(p, buffer.dims[i]);
  rlx_place_note(p, rlx_place_name(p->store, name, p));
  rlx_vec_push(&p->buffers, buffer);
}

// ---- accesses

typedef struct Walk {
  RlxPlace *p;
  const RlxStmt *stmt;
  int depth;
} Walk;

static void walk(Walk *w, const RlxAst *ast);

static void walk_children(Walk *w, const RlxAst *ast, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < ast->child_count && i < end; i++) walk(w, ast->children[i]);
}

static const RlxPlaceBuffer *buffer_named(const RlxPlace *p, const RlxAst *ast) {
  if (ast->kind == RLX_AST_NAME)
    for (uint32_t i = p->buffers.count; i-- > 0;)
      if (p->buffers.at[i].name == ast->name) return &p->buffers.at[i];
  return NULL;
}

/// "access A[i + 1] in line 12".
static const char *origin_of(const Walk *w, const RlxAst *ast) {
  RlxSpan span = rlx_span(w->stmt->start + ast->span.start, w->stmt->start + ast->span.end);
  uint32_t line = w->stmt->line;
  for (uint32_t at = w->stmt->start; at < span.start; at++) line += w->p->text[at] == '\n';
  RlxBuf text = {0};
  for (uint32_t at = span.start; at < span.end && text.size < TEXT_MAX; at++) {
    char c = w->p->text[at];
    bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
    if (!is_blank)
      rlx_buf_putc(&text, c);
    else if (text.size && rlx_buf_text(&text)[text.size - 1] != ' ')
      rlx_buf_putc(&text, ' ');
  }
  RlxBuf told = {0};
  rlx_file_put_line(w->p->file, line, &told);
  const char *out = text.size >= TEXT_MAX
                        ? rlx_arena_printf(w->p->arena, "access in %s", rlx_buf_text(&told))
                        : rlx_arena_printf(w->p->arena, "access %s in %s", rlx_buf_text(&text),
                                           rlx_buf_text(&told));
  rlx_buf_free(&told);
  rlx_buf_free(&text);
  return out;
}

static void access(Walk *w, const RlxAst *ast) {
  const RlxPlaceBuffer *buffer = buffer_named(w->p, ast->children[0]);
  if (!buffer) return;
  RlxAst *const *indices = ast->children + 1;
  uint32_t count = ast->child_count - 1;
  if (count == 1 && is_list(indices[0])) {
    count = indices[0]->child_count;
    indices = indices[0]->children;
  }
  if ((int)count != buffer->ndim) return;
  const char *origin = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const RlxPrim *index = rlx_place_read(w->p, indices[i]), *dim = buffer->dims[i];
    if (!index || rlx_dtype_is_bool(index->dtype)) continue;
    if (!origin) origin = origin_of(w, ast);
    RlxStore *store = w->p->store;
    rlx_place_assume(w->p, rlx_prim_binary(store, RLX_PRIM_LE, rlx_prim_int(store, 0), index),
                     origin, true);
    if (dim) rlx_place_assume(w->p, rlx_prim_binary(store, RLX_PRIM_LT, index, dim), origin, true);
  }
}

/// A call whose arguments are all evaluated, as values.
static bool is_strict(const char *name) {
  static const char *const known[] = {
#define RLX_INTRINSIC(name, arity, result, lower, text) #name,
#include "analyzer/tir/intrinsics.def"
#undef RLX_INTRINSIC
      "min",        "max",         "cast",        "Cast",       "reinterpret", "evaluate",
      "floordiv",   "floormod",    "truncdiv",    "truncmod",   "ceildiv",     "div",
      "Add",        "Sub",         "Mul",         "Div",        "Mod",         "FloorDiv",
      "FloorMod",   "Min",         "Max",         "EQ",         "NE",          "LT",
      "LE",         "GT",          "GE",          "Not",        "range",       "grid",
      "serial",     "parallel",    "vectorized",  "unroll",     "broadcast",   "Broadcast",
      "shift_left", "shift_right", "bitwise_and", "bitwise_or", "bitwise_xor", "thread_binding",
      NULL};
  RlxDType dtype;
  return rlx_place_is_one_of(name, known) || rlx_dtype_parse(name, strlen(name), &dtype);
}

static void walk_call(Walk *w, const RlxAst *ast) {
  static const char *const first_only[] = {"if_then_else", "Select", "And", "Or",
                                           "all",          "any",    NULL};
  const char *name = rlx_place_head(w->p, ast);
  if (rlx_place_is_one_of(name, first_only))
    walk_children(w, ast, 1, 2);
  else if (is_strict(name))
    walk_children(w, ast, 1, UINT32_MAX);
  else if (strcmp(name, "astype") == 0)
    walk(w, ast->children[0]->children[0]);
}

/// Which children of a node are evaluated whenever it is, and for nothing but their value. Kinds
/// that are not listed: none. Calls are looked at apart.
static const struct {
  uint32_t first, end;
} evaluated[RLX_AST_YIELD + 1] = {
    [RLX_AST_SUBSCRIPT] = {1, UINT32_MAX}, // the indices
    [RLX_AST_TUPLE] = {0, UINT32_MAX},
    [RLX_AST_LIST] = {0, UINT32_MAX},
    [RLX_AST_UNARY] = {0, UINT32_MAX},
    [RLX_AST_BINARY] = {0, UINT32_MAX},
    [RLX_AST_COMPARE] = {0, 2},
    [RLX_AST_BOOL_OP] = {0, 1},
    [RLX_AST_CONDITIONAL] = {1, 2}, // the condition
};

static void walk(Walk *w, const RlxAst *ast) {
  if (!ast || w->depth == DEPTH_MAX) return;
  w->depth++;
  walk_children(w, ast, evaluated[ast->kind].first, evaluated[ast->kind].end);
  if (ast->kind == RLX_AST_SUBSCRIPT) access(w, ast);
  if (ast->kind == RLX_AST_CALL) walk_call(w, ast);
  w->depth--;
}

void rlx_place_accesses(RlxPlace *p, const RlxStmt *stmt) {
  Walk w = {p, stmt, 0};
  if (stmt->kind != RLX_STMT_ASSIGN && stmt->kind != RLX_STMT_ANNOTATED &&
      stmt->kind != RLX_STMT_AUGMENTED && stmt->kind != RLX_STMT_EXPR &&
      stmt->kind != RLX_STMT_ASSERT && stmt->kind != RLX_STMT_IF && stmt->kind != RLX_STMT_WHILE &&
      stmt->kind != RLX_STMT_FOR)
    return;
  walk(&w, stmt->value);
  if (stmt->kind == RLX_STMT_FOR) return;
  for (uint32_t i = 0; i < stmt->target_count; i++) walk(&w, stmt->targets[i]);
}
