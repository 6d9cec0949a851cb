/// Values of a PrimFunc's script: making, naming, reporting.
#include "analyzer/function/kinds.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/words/names.h"

Kind rlx_kind_of(KindTag tag) { return (Kind){.tag = (uint8_t)tag, .ndim = -1}; }

Kind rlx_kind_wrapped(Kinds *k, Kind value) {
  Kind out = rlx_kind_of(KIND_OBJECT), *item = rlx_arena_one(k->arena, Kind);
  *item = value;
  out.items = item;
  out.count = 1;
  return out;
}

Kind rlx_kind_new_pointer(Kinds *k) {
  Kind out = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
  out.is_var = true;
  if (!k->in_signature) out.given = rlx_arena_one(k->arena, KindValue);
  return out;
}

Kind rlx_kind_expr(RlxDType dtype) { return (Kind){.tag = KIND_EXPR, .dtype = dtype, .ndim = -1}; }

const char *rlx_kind_text(Kinds *k, Kind kind) {
  static const char *const texts[] = {[KIND_UNKNOWN] = "a value",
                                      [KIND_NONE] = "None",
                                      [KIND_BOOL] = "a bool of Python",
                                      [KIND_INT] = "an int",
                                      [KIND_FLOAT] = "a float",
                                      [KIND_STR] = "a string",
                                      [KIND_LIST] = "a list",
                                      [KIND_TUPLE] = "a tuple",
                                      [KIND_DICT] = "a dictionary",
                                      [KIND_SLICE] = "a slice",
                                      [KIND_EXPR] = "an expression",
                                      [KIND_BUFFER] = "a buffer",
                                      [KIND_REGION] = "a part of a buffer",
                                      [KIND_FOR] = "a loop",
                                      [KIND_FRAME] = "a block or scope",
                                      [KIND_FUNCTION] = "a function",
                                      [KIND_MODULE] = "a module",
                                      [KIND_ANNOTATION] = "an annotation",
                                      [KIND_OBJECT] = "an object of Python",
                                      [KIND_OTHER] = "a value of Python"};
  if (kind.tag != KIND_EXPR || !rlx_dtype_known(kind.dtype) || !kind.dtype.bits)
    return texts[kind.tag];
  char buffer[RLX_DTYPE_TEXT_MAX];
  return rlx_arena_printf(k->arena, "an expression of %s", rlx_dtype_text(kind.dtype, buffer));
}

bool rlx_kind_is_no_value(Kind kind) {
  return kind.tag != KIND_UNKNOWN && kind.tag != KIND_EXPR && !kind_is_python_number(kind) &&
         kind.tag != KIND_REGION;
}

RlxSpan rlx_kind_span(const Kinds *k, RlxSpan span) {
  uint32_t at = k->stmt->start - k->fn->stmt->start;
  if (k->in_text) span = k->in_text->span;
  return rlx_span(at + span.start, at + span.end);
}

static Kind of_text(const Kinds *k, const RlxAst *string, Kind otherwise) {
  const uintptr_t at = (uintptr_t)rlx_map_get_ptr(&k->text_of, string);
  return at ? k->texts.at[at - 1].kind : otherwise;
}

Kind rlx_kind_of_texts(Kinds *k, const RlxAst *ast, Kind shape) {
  if (!k->texts.count) return shape;
  if (shape.tag == KIND_STR) return of_text(k, ast, shape);
  const bool is_written = (ast->kind == RLX_AST_LIST || ast->kind == RLX_AST_TUPLE) &&
                          kind_is_list(shape) && ast->child_count == shape.count;
  if (!is_written) return shape;
  Kind *items = rlx_arena_array(k->arena, Kind, shape.count + 1);
  for (uint32_t i = 0; i < shape.count; i++)
    items[i] = of_text(k, ast->children[i], shape.items[i]);
  shape.items = items;
  return shape;
}

bool rlx_kind_may_tell(Kinds *k, int where) {
  if ((k->dialects & ~where) || k->is_told) return false;
  k->is_told = true;
  uint32_t start = k->stmt->start - k->fn->stmt->start, end = start + k->stmt->head_size;
  const RlxSink *sink = &k->fn->end;
  for (uint32_t i = 0; i < sink->diags.count && i < k->before; i++) {
    const RlxDiag *d = sink->diags.at[i];
    if (d->severity == RLX_ERROR && d->span.start >= start && d->span.start <= end) return false;
  }
  return true;
}

void rlx_kind_refuse_text(Kinds *k, int where, RlxSpan span, const char *text) {
  if (rlx_kind_may_tell(k, where))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(SCRIPT_VALUE), rlx_kind_span(k, span), "s", text);
}

void rlx_kind_refuse(Kinds *k, int where, const RlxAst *ast, Kind kind, const char *expected) {
  rlx_kind_refuse_text(
      k, where, ast->span,
      rlx_arena_printf(k->arena, "%s, expected %s", rlx_kind_text(k, kind), expected));
}

static Kind from_value(Kinds *k, const RlxValue *value) {
  Kind out = rlx_kind_of(KIND_UNKNOWN);
  switch (value->kind) {
  case RLX_VALUE_NONE: return rlx_kind_of(KIND_NONE);
  case RLX_VALUE_BOOL:
    out.tag = KIND_BOOL, out.has_number = true, out.number = value->boolean;
    break;
  case RLX_VALUE_INT: out.tag = KIND_INT, out.has_number = true, out.number = value->integer; break;
  case RLX_VALUE_FLOAT:
    out.tag = KIND_FLOAT, out.has_number = true, out.real = value->number;
    break;
  case RLX_VALUE_SYMDECL: // a symbolic variable around the function
    if (value->is_bare && !k->fn->is_printed && !k->fn->file->analyzer->settings.is_prompt) {
      out.tag = KIND_OBJECT; // a TypeVar
      break;
    }
    out = rlx_kind_expr(rlx_symbol_dtype(value));
    out.is_var = true;
    break;
  case RLX_VALUE_STR: out.tag = KIND_STR, out.text = rlx_store_text(k->store, value->string); break;
  case RLX_VALUE_NAMESPACE: {
    const char *path = rlx_store_text(k->store, value->string);
    if (strcmp(path, "T") == 0 || strcmp(path, "R") == 0 || strcmp(path, "I") == 0)
      out.tag = KIND_MODULE;
    break;
  }
  default: break;
  }
  return out;
}

/// Whether the module has a function of that name: TVM's parser declares them all first.
static bool is_sibling(const Kinds *k, RlxName name) {
  const RlxModule *module = k->fn->module;
  uint64_t found;
  return module && (module->name == name || rlx_map_get(&module->by_name, name, &found));
}

bool rlx_kind_has_imports(const Kinds *k) {
  RlxValue value;
  RlxName t = rlx_intern_text(rlx_store_names(k->store), "T");
  return rlx_outer_lookup(k->fn->file, k->fn->stmt, t, &value);
}

/// A name that Python itself has: most are functions.
static Kind of_builtin(const char *text) {
  Kind out = rlx_kind_of(KIND_FUNCTION);
  out.is_nothing = true;
  if (strcmp(text, "__doc__") == 0) return rlx_kind_of(KIND_UNKNOWN);
  if (rlx_text_is_among(text, "__name__ __file__")) return rlx_kind_of(KIND_STR);
  if (rlx_text_is_among(text, "NotImplemented Ellipsis")) return rlx_kind_of(KIND_OBJECT);
  if (strcmp(text, "__debug__") != 0) return out;
  out = rlx_kind_of(KIND_BOOL);
  out.has_number = true;
  out.number = 1;
  return out;
}

/// Whether the name is the function's own and Python has bound it nowhere before: not yet, while the
/// decorator reads it.
static bool is_unfinished(const Kinds *k, RlxName name) {
  const RlxFn *fn = k->fn;
  if (name != fn->stmt->name || fn->module || fn->outer) return false;
  const uint32_t first = rlx_outer_first(fn->file, fn->stmt->block, name);
  const RlxOuterBinding *binding = first ? &fn->file->outer.at[first - 1] : NULL;
  return binding && binding->stmt == fn->stmt && !binding->next;
}

uint32_t rlx_kind_place(const Kinds *k, RlxName name) {
  uint64_t place;
  return rlx_map_get(&k->newest, name, &place) ? (uint32_t)place : 0;
}

bool rlx_kind_lookup(Kinds *k, RlxName name, Kind *out) {
  const uint32_t place = rlx_kind_place(k, name);
  if (place) {
    *out = k->names.at[place - 1].kind;
    return true;
  }
  *out = rlx_kind_of(KIND_UNKNOWN);
  RlxValue value;
  rlx_vec_push(&k->fn->outer_reads, name);
  if (is_unfinished(k, name)) return k->is_lost;
  if (rlx_outer_lookup(k->fn->file, k->fn->stmt, name, &value)) {
    *out = from_value(k, &value);
    return true;
  }
  const char *text = rlx_store_text(k->store, name);
  if (rlx_names_is_builtin(text)) {
    *out = of_builtin(text);
    return true;
  }
  RlxValue predefined;
  if (!rlx_kind_has_imports(k) &&
      rlx_names_predefined(&k->fn->file->analyzer->words, text, &predefined)) {
    *out = from_value(k, &predefined);
    return true;
  }
  bool is_own = k->in_signature && name == k->fn->stmt->name; // Python has no such name yet
  if (!is_sibling(k, name) && rlx_outer_starred(k->fn->file, name, &value)) {
    *out = from_value(k, &value);
    return true;
  }
  return (is_sibling(k, name) && !is_own) || k->is_lost || strcmp(text, "_") == 0 ||
         strncmp(text, "__", 2) == 0;
}

KindName *rlx_kind_in_frame(const Kinds *k, RlxName name) {
  KindName *out = NULL;
  for (uint32_t place = rlx_kind_place(k, name); place > k->frame; place = out->before)
    out = &k->names.at[place - 1];
  return out;
}

void rlx_kind_define(Kinds *k, RlxName name, Kind kind) {
  kind.is_named = true;
  if (!kind.called) kind.called = name;
  KindName *known = rlx_kind_in_frame(k, name);
  if (known) {
    known->kind = kind;
    return;
  }
  rlx_vec_push(&k->names, (KindName){name, rlx_kind_place(k, name), kind});
  rlx_map_put(&k->newest, name, k->names.count);
}

KindScope rlx_kind_open_scope(Kinds *k) {
  const KindScope scope = {k->names.count, k->frame};
  k->frame = k->names.count;
  return scope;
}

void rlx_kind_close_scope(Kinds *k, KindScope scope) {
  for (; k->names.count > scope.names; k->names.count--) {
    const KindName *last = &rlx_vec_last(&k->names);
    if (last->before)
      rlx_map_put(&k->newest, last->name, last->before);
    else
      rlx_map_remove(&k->newest, last->name);
  }
  k->frame = scope.frame;
}

static const char matched_again[] =
    "its parameter is matched again, by another buffer: this one has no memory";

static void use_buffer(Kinds *k, const RlxAst *ast, KindValue *given) {
  if (!given->is_given && !k->is_lax) rlx_kind_refuse_text(k, IN_BOTH, ast->span, matched_again);
  if (given->stmt) return;
  given->stmt = k->stmt;
  given->span = ast->span;
}

KindValue *rlx_kind_match(Kinds *k, Kind param) {
  KindValue *given = rlx_arena_one(k->arena, KindValue), *last = param.given->from;
  given->is_given = true;
  param.given->from = given;
  if (!last) return given;
  last->is_given = false;
  const RlxStmt *stmt = k->stmt;
  k->stmt = last->stmt;
  if (last->stmt && last->stmt != stmt && !k->is_lax)
    rlx_kind_refuse_text(k, IN_BOTH, last->span, matched_again);
  k->stmt = stmt;
  return given;
}

void rlx_kind_used(Kinds *k, const RlxAst *ast, Kind kind) {
  if (kind.tag == KIND_BUFFER && kind.given) use_buffer(k, ast, kind.given);
  if (kind.is_big) rlx_kind_refuse_text(k, IN_BOTH, ast->span, "the number has more than 64 bits");
  if (kind.is_let_again && !k->is_lax)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         "T.Let gives a variable a value that has one already");
  if (kind.tag == KIND_EXPR && kind.thread && !kind.thread->is_open && !k->is_lax)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         "the variable of a thread axis, which nothing launches here");
  if (kind.tag == KIND_EXPR && kind.given)
    rlx_vec_push(&k->uses, (KindUse){kind.given, k->stmt, ast->span, k->block, IN_BOTH});
  if (kind.tag == KIND_FLOAT && !rlx_kind_is_float32(kind))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "%.15g is no value of float32", kind.real));
  for (uint32_t i = 0; kind_is_list(kind) && kind.count != KIND_MANY && i < kind.count; i++)
    rlx_kind_used(k, ast, kind.items[i]);
}

void rlx_kind_use_memory(Kinds *k, const RlxAst *ast, Kind buffer) {
  if (buffer.tag == KIND_BUFFER && buffer.memory &&
      !buffer.is_described) // told by the script's reader
    rlx_vec_push(&k->uses, (KindUse){buffer.memory, k->stmt, ast->span, k->block, IN_BOTH});
}

void rlx_kind_give(Kinds *k, Kind kind) {
  if (!kind.given || kind.given->is_given) return;
  kind.given->is_given = true;
  kind.given->block = k->in_block ? k->block : 0;
  kind.given->from = k->matched;
}

bool rlx_kind_is_float32(Kind kind) {
  const double limit = (double)FLT_MAX;
  return !kind.has_number || kind.real != kind.real || isinf(kind.real) ||
         (kind.real <= limit && kind.real >= -limit);
}

/// The numbers of dtypes of few bits, as TVM's FloatImm has them: from `least` to `most`. Those without an infinity (fnuz, fnu)
/// have no negative constants there.
static const struct {
  RlxDTypeCode code;
  uint8_t bits;
  double least, most;
} small_floats[] = {{RLX_DTYPE_FLOAT, 16, -65504, 65504},
                    {RLX_DTYPE_FLOAT8_E3M4, 8, -31, 31},
                    {RLX_DTYPE_FLOAT8_E4M3, 8, -448, 448},
                    {RLX_DTYPE_FLOAT8_E4M3FN, 8, -448, 448},
                    {RLX_DTYPE_FLOAT8_E4M3B11FNUZ, 8, 0, 30},
                    {RLX_DTYPE_FLOAT8_E4M3FNUZ, 8, 0, 448},
                    {RLX_DTYPE_FLOAT8_E5M2, 8, -57344, 57344},
                    {RLX_DTYPE_FLOAT8_E5M2FNUZ, 8, 0, 57344},
                    {RLX_DTYPE_FLOAT8_E8M0FNU, 8, 0, (double)FLT_MAX},
                    {RLX_DTYPE_FLOAT6_E2M3FN, 6, -7.5, 7.5},
                    {RLX_DTYPE_FLOAT6_E3M2FN, 6, -28, 28},
                    {RLX_DTYPE_FLOAT4_E2M1FN, 4, -6, 6}};

bool rlx_kind_holds(RlxDType dtype, Kind value) {
  if (!value.has_number || !dtype.bits) return true;
  double real = value.tag == KIND_FLOAT ? value.real : (double)value.number;
  for (size_t i = 0; i < sizeof small_floats / sizeof *small_floats; i++)
    if (small_floats[i].code == dtype.code && small_floats[i].bits == dtype.bits)
      return isnan(real) || isinf(real) ||
             (real >= small_floats[i].least && real <= small_floats[i].most);
  bool is_huge = real > 1e15 || real < -1e15;
  if (value.tag == KIND_FLOAT && (is_huge || real != real))
    return !is_huge || rlx_dtype_is_float(dtype) || dtype.bits >= 64;
  int64_t v = value.tag == KIND_FLOAT ? (int64_t)real : value.number;
  int64_t min, max;
  rlx_dtype_limits(dtype, &min, &max);
  return v >= min && v <= max;
}

RlxDType rlx_kind_own_dtype(Kind value) {
  if (kind_is_expr(value)) return value.dtype;
  if (value.tag == KIND_BOOL) return RLX_BOOL;
  if (value.tag == KIND_INT) return rlx_kind_holds(RLX_INT32, value) ? RLX_INT32 : RLX_INT64;
  if (value.tag == KIND_STR) return rlx_dtype(RLX_DTYPE_HANDLE, 64);
  if (value.tag != KIND_FLOAT) return rlx_dtype_unknown();
  return rlx_kind_is_float32(value) ? RLX_FLOAT32 : rlx_dtype(RLX_DTYPE_FLOAT, 64);
}

Kind rlx_kind_as_value(Kinds *k, const RlxAst *ast, Kind kind) {
  if (kind.tag != KIND_REGION) return kind;
  if (k->dialects != IN_025) return kind; // 0.27 takes no part for a value
  if (!kind.lanes || kind.lanes > UINT16_MAX) return rlx_kind_of(KIND_UNKNOWN);
  if (kind.lanes < 0) {
    rlx_kind_refuse(k, IN_025, ast, kind, "one element, or a vector of the last dimension");
    return rlx_kind_of(KIND_UNKNOWN);
  }
  Kind out = rlx_kind_expr(kind.dtype);
  if (rlx_dtype_known(kind.dtype)) out.dtype.lanes = (uint16_t)(kind.dtype.lanes * kind.lanes);
  out.is_load = true;
  return out;
}

/// Whether TVM finds out itself what the block around reads and writes, so that it asks for the range of each index.
static bool is_detected(const Kinds *k) {
  const KindBlock *block = k->block ? &k->blocks.at[k->block - 1] : NULL;
  return block && !(block->has_reads && block->has_writes);
}

void rlx_kind_check_index(Kinds *k, const RlxAst *ast, Kind index, bool is_last) {
  rlx_kind_used(k, ast, index);
  if (!is_last && kind_is_expr(index) && rlx_dtype_known(index.dtype) && index.dtype.lanes > 1)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "only the last index may be a vector");
  const bool is_dtype = index.tag == KIND_STR && index.object == DTYPE_STRING,
             is_pointer = kind_is_expr(index) && index.dtype.code == RLX_DTYPE_HANDLE;
  if (index.tag == KIND_STR || is_pointer)
    rlx_kind_refuse(k, is_dtype || (is_pointer && is_detected(k)) ? IN_BOTH : IN_027, ast, index,
                    "an index");
  else if (rlx_kind_is_no_value(index) && index.tag != KIND_SLICE)
    rlx_kind_refuse(k, IN_BOTH, ast, index, "an index");
  else if (index.tag == KIND_REGION)
    rlx_kind_refuse(k, (index.lanes > 1 || index.lanes < 0) && !is_last ? IN_BOTH : IN_027, ast,
                    index, "an index");
}
