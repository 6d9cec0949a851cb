/// Calls in a PrimFunc's script: what functions of T take and give. Most is in script_kinds.def; loops, axes, buffers and dtypes are here.
#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds_args.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/words/script_names.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

static void read_args(Kinds *k, const RlxAst *call, Args *out) {
  out->call = call;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) {
      Kind list = rlx_kind_starred(k, arg);
      bool is_known = arg->kind == RLX_AST_STARRED && kind_is_list(list) &&
                      list.count != KIND_MANY && list.count + (uint32_t)out->count <= MAX_ARGS;
      for (uint32_t n = 0; is_known && n < list.count; n++) {
        out->at[out->count] = arg;
        out->kinds[out->count++] = list.items[n];
      }
      if (!is_known) out->is_open = true;
    } else if (arg->kind == RLX_AST_KEYWORD) {
      Kind kind = rlx_kind_eval(k, arg->children[0]);
      if (out->keyword_count == MAX_ARGS) {
        out->is_open = true;
        continue;
      }
      out->keywords[out->keyword_count] = arg;
      out->keyword_kinds[out->keyword_count++] = kind;
    } else {
      Kind kind = rlx_kind_eval(k, arg);
      if (out->count == MAX_ARGS) {
        out->is_open = true;
        continue;
      }
      out->at[out->count] = arg;
      out->kinds[out->count++] = kind;
    }
  }
}

// ---- loops

static void check_extent(Kinds *k, const RlxAst *ast, Kind kind, int floats, bool may_be_none) {
  rlx_kind_used(k, ast, kind);
  if (kind.tag == KIND_NONE && may_be_none) return;
  bool is_flag = kind_is_code(kind, RLX_DTYPE_BOOL);
  if (kind_is_expr(kind) && kind.dtype.lanes > 1)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "an integer");
  else if (kind.tag == KIND_FLOAT || kind_is_float_expr(kind) || is_flag)
    rlx_kind_refuse(k, is_flag && may_be_none ? IN_025 : floats, ast, kind, "an integer");
  else if (rlx_kind_is_no_value(kind) || kind.tag == KIND_REGION ||
           kind_is_code(kind, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, kind_is_one_integer(kind) ? IN_027 : IN_BOTH, ast, kind, "an integer");
}

static RlxDType loop_dtype(Kind kind) {
  if (kind_is_expr(kind)) return rlx_dtype_is_int(kind.dtype) ? kind.dtype : rlx_dtype_unknown();
  return kind.tag == KIND_INT ? RLX_INT32 : rlx_dtype_unknown();
}

static Kind loops(Kinds *k, const RlxDType *dtypes, uint32_t count) {
  Kind out = rlx_kind_of(KIND_FOR);
  Kind *items = rlx_arena_array(k->arena, Kind, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    items[i] = rlx_kind_expr(dtypes[i]);
    items[i].is_var = items[i].is_loop = true;
  }
  out.items = items;
  out.count = count;
  return out;
}

static Kind grid(Kinds *k, Args *a) {
  RlxDType dtypes[MAX_ARGS];
  for (int i = 0; i < a->count; i++) {
    Kind kind = a->kinds[i];
    dtypes[i] = loop_dtype(kind);
    if (kind_is_list(kind) && kind.count == 2) continue; // begin, end
    if (kind.tag == KIND_INT && kind.has_number && !rlx_kind_holds(RLX_INT32, kind))
      rlx_kind_refuse_text(k, IN_BOTH, a->at[i]->span, "a plain number is an int32 here");
    check_extent(k, a->at[i], kind, IN_BOTH, false);
  }
  if (!a->count && !a->is_open)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.grid takes the extent of at least one loop");
  Kind out = loops(k, dtypes, (uint32_t)a->count);
  if (a->is_open) out.count = KIND_MANY;
  return out;
}

/// The step of a loop has its dtype, or a narrower one.
static void check_step(Kinds *k, const RlxAst *ast, Kind step, RlxDType loop) {
  const bool is_number = step.tag == KIND_UNKNOWN || step.tag == KIND_INT || kind_is_expr(step),
             is_int = !kind_is_expr(step) || !rlx_dtype_known(step.dtype) ||
                      (rlx_dtype_is_int(step.dtype) && step.dtype.lanes == 1),
             is_wide = kind_is_expr(step) && rlx_dtype_is_int(step.dtype) &&
                       rlx_dtype_is_int(loop) && loop.bits && step.dtype.bits > loop.bits;
  const bool is_value = !rlx_kind_is_no_value(step) && step.tag != KIND_REGION &&
                        !kind_is_code(step, RLX_DTYPE_HANDLE); // of any dtype for 0.27
  if (!is_number || !is_int || is_wide)
    rlx_kind_refuse(k, is_value ? IN_025 : IN_BOTH, ast, step, "an integer of the loop's dtype");
}

/// T.serial and its like, and `range`.
static Kind one_loop(Kinds *k, Args *a) {
  Kind start = unknown(), stop = unknown(), kind;
  const RlxAst *ast;
  bool binds = strcmp(a->path, "thread_binding") == 0, is_range = strcmp(a->path, "range") == 0;
  int bounds = a->count, limit = 2;
  if (binds) {
    if (rlx_kind_argument(k, a, -1, "thread", &kind, &ast)) {
      if (kind.tag != KIND_STR && kind.tag != KIND_UNKNOWN)
        rlx_kind_refuse(k, IN_BOTH, ast, kind, "the name of a thread axis");
    } else if (a->count) {
      kind = a->kinds[a->count - 1];
      if (kind.tag != KIND_STR && kind.tag != KIND_UNKNOWN && !a->is_open)
        rlx_kind_refuse(k, IN_BOTH, a->at[a->count - 1], kind, "the name of a thread axis");
      bounds--;
    }
  }
  if (bounds > 0) a->kinds[bounds - 1].is_let_again = false;
  for (int i = 0; i < bounds && i < limit; i++) {
    if (is_range && kind_is_code(a->kinds[i], RLX_DTYPE_BOOL)) continue; // becomes an integer
    bool is_alone = bounds == 1 && !is_range && kind_is_expr(a->kinds[i]);
    if (!binds && bounds == 2 && !i && a->kinds[i].tag == KIND_BOOL)
      rlx_kind_refuse(k, IN_025, a->at[i], a->kinds[i], "an integer");
    check_extent(k, a->at[i], a->kinds[i], is_alone || binds ? IN_BOTH : IN_025,
                 i > 0 || bounds == 1);
  }
  if (rlx_kind_argument(k, a, -1, "annotations", &kind, &ast) && kind.tag != KIND_DICT &&
      kind.tag != KIND_NONE && kind.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a dictionary");
  if (bounds > 0) start = a->kinds[0];
  bool has_stop = bounds > 1 || rlx_kind_argument(k, a, -1, "stop", &stop, &ast);
  if (bounds > 1) stop = a->kinds[1];
  RlxDType from = loop_dtype(start),
           dtype = has_stop && stop.tag != KIND_NONE ? loop_dtype(stop) : from;
  if (has_stop && kind_is_expr(start) && !start.has_number && kind_is_expr(stop) && from.bits &&
      dtype.bits && from.bits < dtype.bits)
    rlx_kind_refuse_text(k, IN_025, a->call->span, "the bounds of the loop have different dtypes");
  // In 0.25 Python's range begins with an int32, which narrower integers become.
  if (is_range && dtype.bits && dtype.bits < 32 && (k->dialects & IN_025))
    from = dtype = rlx_dtype_unknown();
  if (has_stop && !rlx_dtype_equal(from, dtype)) dtype = from.bits > dtype.bits ? from : dtype;
  const bool has_step = rlx_kind_argument(k, a, -1, "step", &kind, &ast) && kind.tag != KIND_NONE;
  if (has_step) check_step(k, ast, kind, dtype);
  return loops(k, &dtype, 1);
}

// ---- attributes

/// Whether TVM cannot tell two values of a block's attribute to be one.
static bool is_other_value(Kind a, Kind b) {
  if (a.tag != b.tag) return false;
  if (a.tag == KIND_STR) return a.text && b.text && strcmp(a.text, b.text) != 0;
  return a.tag == KIND_INT && a.has_number && b.has_number && a.number != b.number;
}

/// Notes an attribute. A function has each once, a block may have it again with the same value. Those
/// behind the first `before` ones are of the same dictionary, of which the last counts.
static void note_attribute(Kinds *k, const RlxAst *key, KindAttribute new, uint32_t before) {
  for (uint32_t i = 0; i < k->attributes.count; i++) {
    KindAttribute *old = &k->attributes.at[i];
    if (old->block != new.block || strcmp(old->key, new.key) != 0) continue;
    if (i < before && (!new.block || is_other_value(old->value, new.value)))
      rlx_kind_refuse_text(k, IN_BOTH, key->span,
                           rlx_arena_printf(k->arena,
                                            new.block
                                                ? "the block has another value of \"%s\" already"
                                                : "the PrimFunc has an attribute \"%s\" already",
                                            new.key));
    *old = new;
    return;
  }
  rlx_vec_push(&k->attributes, new);
}

static Kind attributes(Kinds *k, Args *a) {
  bool is_function = strcmp(a->path, "func_attr") == 0;
  if (!is_function && !k->in_block)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.sblock_attr stands in a block");
  if (is_function && (k->frames > 0 || k->in_block))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.func_attr stands at the top of a PrimFunc");
  if (!a->count) return rlx_kind_of(KIND_NONE);
  Kind kind = a->kinds[0];
  const RlxAst *ast = a->at[0];
  if (kind.tag != KIND_DICT && kind.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a dictionary");
  uint32_t before = k->attributes.count;
  for (uint32_t i = 0; ast->kind == RLX_AST_DICT && i + 1 < ast->child_count; i += 2) {
    const RlxAst *key = ast->children[i];
    if (key->kind == RLX_AST_HOLE || key->kind == RLX_AST_DOUBLE_STARRED) continue;
    Kind named = rlx_kind_eval(k, key);
    if (named.tag != KIND_UNKNOWN && named.tag != KIND_STR)
      rlx_kind_refuse_text(k, IN_BOTH, key->span, "a key of attributes is a string");
    if (key->kind != RLX_AST_STRING || (!is_function && !k->block)) continue;
    Kind value = rlx_kind_eval(k, ast->children[i + 1]);
    bool is_symbol = is_function && strcmp(key->text, "global_symbol") == 0;
    if (is_symbol && !k->fn->function.is_private && value.tag != KIND_STR &&
        value.tag != KIND_UNKNOWN)
      rlx_kind_refuse(k, k->fn->module ? IN_027 : IN_BOTH, ast->children[i + 1], value, "a string");
    note_attribute(
        k, key,
        (KindAttribute){rlx_arena_strdup(k->arena, key->text), is_function ? 0 : k->block, value},
        before);
  }
  return rlx_kind_of(KIND_NONE);
}

// ---- the table

/// Whether the type of a handle is taken as a dtype: by calls that may leave out what they give, and by what reads bits anew.
static bool takes_pointer(const RlxScriptKinds *row, const char *letters, size_t size) {
  return (row->result[0] == 'e' && memchr(letters, 'd', size) && memchr(letters, 'n', size)) ||
         strcmp(row->name, "reinterpret") == 0;
}

/// Whether every combination of kinds of its arguments was tried, and it gives an expression.
static bool is_studied(const RlxScriptKinds *row) {
  const char *second = strchr(row->kinds, ' ');
  return row->result[0] == 'e' && !(second && strchr(second + 1, ' ')) && !strchr(row->name, '.') &&
         strncmp(row->name, "call_", 5) != 0 && strncmp(row->name, "tvm_", 4) != 0;
}

/// Whether the value is of a kind that letters tell for certain: a number of Python, a buffer, a set, a string
/// where none is taken.
static bool is_plain_value(const char *letters, size_t size, Kind kind) {
  if (!memchr(letters, 'e', size)) return false;
  if (kind.tag == KIND_STR)
    return !memchr(letters, 'd', size) && !memchr(letters, 's', size) &&
           !memchr(letters, 'z', size) && !memchr(letters, 'k', size);
  return kind_is_python_number(kind) || kind.tag == KIND_BUFFER || kind.tag == KIND_OTHER;
}

/// Whether what the letters lack is refused for certain: parameters that take any expression, conditions, dtypes. Those of
/// calls to other languages, of intrinsics and of tile primitives depend on each other.
static bool is_certain(const char *path, const RlxScriptKinds *row, const char *letters,
                       size_t size, Kind kind) {
  static const char *const alone[] = {"sblock", "handle", "Ptr", "prim_func", "jit", "macro"};
  bool is_dtype = memchr(letters, 'd', size) && size <= 2 && !memchr(letters, 's', size);
  bool is_open = kind.tag == KIND_STR && (!kind.text || !kind.text[0] || strchr(kind.text, '[') ||
                                          strstr(kind.text, "vscale"));
  const bool is_function = memchr(letters, 'p', size) || (size == 1 && letters[0] == 'n');
  const bool takes_any = (memchr(letters, 'e', size) || strcmp(path, "address_of") == 0) &&
                         !memchr(letters, 'F', size) && !memchr(letters, 'p', size); // expressions
  if ((kind_is_list(kind) || kind.tag == KIND_DICT) && takes_any && !strchr(path, '.')) return true;
  for (size_t n = 0; n < sizeof alone / sizeof *alone; n++)
    if (strcmp(alone[n], path) == 0)
      return !is_open && !(is_function && kind.tag == KIND_FUNCTION) && kind.tag != KIND_SLICE;
  if (is_dtype && kind.tag != KIND_STR) return true;
  if (strcmp(path, "address_of") == 0) return kind.tag != KIND_SLICE;
  if (is_studied(row) && is_plain_value(letters, size, kind)) return true;
  if (memchr(letters, 'e', size) && !strchr(path, '.') && !is_function && kind_is_thing(kind))
    return true;
  if (strncmp(path, "tvm_struct_", 11) == 0 && (is_dtype || !kind_is_expr(kind))) return !is_open;
  bool e = memchr(letters, 'e', size), x = memchr(letters, 'x', size),
       i = memchr(letters, 'i', size), c = memchr(letters, 'c', size),
       calls = strncmp(path, "call_", 5) == 0;
  if (strchr(path, '.') || strncmp(path, "tvm_", 4) == 0) return false;
  if (e && x && i) return !calls || kind.tag == KIND_BUFFER || kind.tag == KIND_NONE;
  if (strcmp(path, "Cast") == 0 || strcmp(path, "call_extern") == 0)
    if (kind.tag == KIND_STR && letters[0] == 'd')
      return !strstr(kind.text, "vscale") && !strchr(kind.text, '[') && (kind.text[0] || !calls);
  if (calls) return kind.tag == KIND_NONE || kind.tag == KIND_OTHER || kind.tag == KIND_ANNOTATION;
  if (size == 1 && letters[0] == 'd') return kind.tag != KIND_STR;
  if (strcmp(path, "launch_thread") == 0 && kind_is_expr(kind)) return false;
  if (size == 2 && memcmp(letters, "ds", 2) == 0) return kind.tag != KIND_STR;
  return (c && !e && size <= 2) || (e && i && kind_is_expr(kind));
}

/// Whether the row takes the argument; true where nothing is known.
static bool row_takes(const char *path, RlxDialect dialect, int position, const char *keyword,
                      Kind kind, const char **wants) {
  const RlxScriptName *name = rlx_script_name(path, dialect);
  const RlxScriptKinds *row = rlx_script_kinds(path, dialect);
  if (!name || !row) return true;
  if (name->how == RLX_SCRIPT_DROPS && keyword && strcmp(keyword, "dtype") == 0) return true;
  size_t size;
  const char *letters = rlx_kind_letters(name->params, row->kinds, position, keyword, &size);
  if (!letters) return true;
  if (kind.tag == KIND_REGION) { // 0.25 makes a value of it: rlx_kind_as_value
    *wants = "a value of one element";
    if (strcmp(path, "address_of") == 0) return false;
    bool is_value = memchr(letters, 'e', size) && !strchr(path, '.');
    return dialect == RLX_DIALECT_025 || !is_value || memchr(letters, 'r', size);
  }
  // An argument of a call that is made as it is given, of expressions, buffers and strings.
  const bool takes_all = memchr(letters, 'e', size) && memchr(letters, 'h', size) &&
                         memchr(letters, 's', size) && memchr(letters, 'x', size) &&
                         row->result[0] == 'e',
             is_left_out = takes_all && (kind.tag == KIND_NONE ||
                                         (kind.tag != KIND_BUFFER && rlx_kind_is_no_value(kind) &&
                                          !rlx_kind_is_taken(letters, size, kind)));
  *wants = "an expression";
  if (is_left_out) return false;
  if (kind.tag == KIND_OBJECT && kind.object == POINTER_OBJECT && takes_pointer(row, letters, size))
    return true;
  const bool takes_dtype = dialect == RLX_DIALECT_025 &&
                           (strncmp(path, "call_", 5) == 0 || strncmp(path, "tvm_", 4) == 0);
  if (kind.tag == KIND_STR && kind.object == DTYPE_STRING && memchr(letters, 'e', size))
    return takes_dtype;
  if (rlx_kind_is_taken(letters, size, kind) || !is_certain(path, row, letters, size, kind))
    return true;
  *wants = rlx_kind_expected(letters, size);
  return false;
}

/// A keyword `dtype` that becomes the first argument moves the others.
static int moved(const Args *a, Kinds *k, RlxDialect dialect, int position) {
  const RlxScriptName *name = rlx_script_name(a->path, dialect);
  if (position < 0 || !name || name->how != RLX_SCRIPT_FIRST) return position;
  for (int i = 0; i < a->keyword_count; i++)
    if (strcmp(rlx_store_text(k->store, a->keywords[i]->name), "dtype") == 0) return position + 1;
  return position;
}

static void check_row_argument(Kinds *k, const Args *a, int position, const char *keyword,
                               const RlxAst *ast, Kind kind) {
  const char *wants = "";
  RlxDialect dialect = k->dialects == IN_025 ? RLX_DIALECT_025 : RLX_DIALECT_027;
  const RlxScriptKinds *row = rlx_script_kinds(a->path, dialect);
  bool computes =
      row && row->result[0] == 'e' && !strchr(a->path, '.') && strcmp(a->path, "Let") != 0;
  bool names = keyword && strcmp(keyword, "var") == 0;
  bool is_entered = row && strcmp(row->result, "FRAME") == 0;
  if ((computes && !names) || is_entered || strcmp(a->path, "evaluate") == 0)
    rlx_kind_used(k, ast, kind);
  else
    rlx_kind_give(k, kind); // T.iter_var(v, …), T.Bind(…, var=v)
  int refused = 0;
  static const struct {
    RlxDialect dialect;
    int bit;
  } each[] = {{RLX_DIALECT_025, IN_025}, {RLX_DIALECT_027, IN_027}};
  for (int i = 0; i < 2; i++)
    if (!row_takes(a->path, each[i].dialect, moved(a, k, each[i].dialect, position), keyword, kind,
                   &wants))
      refused |= each[i].bit;
  if (refused) rlx_kind_refuse(k, refused, ast, kind, wants);
  if (kind.is_big) rlx_kind_used(k, ast, kind);
}

/// What T.max, T.Select and their like give: one of the last two arguments.
static Kind of_chosen(const Args *a) {
  Kind x = a->kinds[a->count - 2], y = a->kinds[a->count - 1];
  if (a->count == 2 && a->at[0]->kind == RLX_AST_NAME && a->at[1]->kind == RLX_AST_NAME &&
      a->at[0]->name == a->at[1]->name)
    return x; // T.max(i, i) is i
  Kind out = rlx_kind_expr(rlx_dtype_unknown());
  if (kind_is_expr(x) || kind_is_expr(y))
    out.dtype = rlx_kind_common_dtype(x, y);
  else if (kind_is_python_number(x) && kind_is_python_number(y))
    out.dtype = x.tag == KIND_FLOAT || y.tag == KIND_FLOAT ? RLX_FLOAT32 : RLX_INT32;
  out.is_void = kind_is_expr(x) && x.is_void && y.is_void;
  return out;
}

/// Whether the value can be no number of elements of a vector: an int from 2 on, or a multiple of T.vscale().
static bool is_no_count(Kind lanes) {
  if (lanes.tag == KIND_UNKNOWN) return false;
  if (lanes.has_number && (lanes.tag == KIND_INT || kind_is_expr(lanes))) return lanes.number < 2;
  if (!kind_is_expr(lanes)) return lanes.tag != KIND_INT;
  return lanes.is_var || lanes.is_load || lanes.is_constant ||
         (rlx_dtype_known(lanes.dtype) && !rlx_dtype_is_int(lanes.dtype));
}

/// A pointer, or a string, which becomes one.
static bool is_pointer(Kind kind) {
  return kind.tag == KIND_STR || kind_is_code(kind, RLX_DTYPE_HANDLE);
}

/// T.ramp(base, stride, lanes), T.Broadcast(value, lanes)
static Kind vector_of(Kinds *k, const Args *a) {
  Kind out = rlx_kind_expr(rlx_dtype_unknown());
  const bool is_ramp = a->path[0] == 'r' || a->path[0] == 'R';
  const int place = is_ramp ? 2 : 1;
  if (a->is_open || a->count <= place) return out;
  const Kind of = a->kinds[0], lanes = a->kinds[place];
  if (is_no_count(lanes)) rlx_kind_refuse(k, IN_BOTH, a->at[place], lanes, "a number of elements");
  if (is_ramp && is_pointer(of) != is_pointer(a->kinds[1]) && of.tag != KIND_UNKNOWN &&
      a->kinds[1].tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, a->at[0], of, "a start of the step's dtype");
  const bool is_known =
      lanes.tag == KIND_INT && lanes.has_number && lanes.number > 0 && lanes.number < 1024;
  out.dtype = kind_is_expr(of)       ? of.dtype
              : of.tag == KIND_INT   ? RLX_INT32
              : of.tag == KIND_FLOAT ? RLX_FLOAT32
                                     : out.dtype;
  if (rlx_dtype_known(out.dtype) && is_known)
    out.dtype.lanes = (uint16_t)lanes.number;
  else
    out.dtype = rlx_dtype_unknown();
  return out;
}

static Kind of_void(void) {
  Kind out = rlx_kind_expr(rlx_dtype_unknown());
  out.is_void = true;
  return out;
}

/// A variable that a function of T makes.
static Kind variable_of(Kinds *k, const char *dtype) {
  Kind out = rlx_kind_expr(rlx_dtype_unknown());
  rlx_dtype_parse(dtype, strlen(dtype), &out.dtype);
  out.is_var = true;
  out.given = rlx_arena_one(k->arena, KindValue);
  return out;
}

/// T.call_extern(dtype, …) and its like give a value of that dtype; of others nothing is known.
static Kind of_call(const Args *a) {
  RlxDType dtype = rlx_dtype_unknown();
  const Kind first = a->count ? a->kinds[0] : unknown();
  const bool is_spelled = strncmp(a->path, "call_", 5) == 0 && first.tag == KIND_STR &&
                          first.text && rlx_dtype_parse(first.text, strlen(first.text), &dtype);
  return is_spelled && !rlx_dtype_known(dtype) ? of_void() : rlx_kind_expr(dtype);
}

/// Functions that give what the operator of two integers gives.
static const char integer_operators[] =
    "floordiv floormod truncdiv truncmod indexdiv indexmod ceildiv bitwise_and bitwise_or "
    "bitwise_xor shift_left shift_right";

static Kind result_of(Kinds *k, const Args *a) {
  RlxDialect dialect = k->dialects == IN_025 ? RLX_DIALECT_025 : RLX_DIALECT_027;
  const RlxScriptKinds *row = rlx_script_kinds(a->path, dialect);
  if (!row) return unknown();
  const char *r = row->result;
  if (rlx_text_is_among(a->path, "max min if_then_else Select") && a->count >= 2)
    return of_chosen(a);
  if (rlx_text_is_among(a->path, "ramp Ramp broadcast Broadcast")) return vector_of(k, a);
  const bool computes = rlx_text_is_among(a->path, integer_operators) && a->count == 2 &&
                        (kind_is_expr(a->kinds[0]) || kind_is_expr(a->kinds[1]));
  if (computes) return rlx_kind_expr(rlx_kind_common_dtype(a->kinds[0], a->kinds[1]));
  if (strcmp(r, "n") == 0) return rlx_kind_of(KIND_NONE);
  if (strcmp(r, "FRAME") == 0) return rlx_kind_of(KIND_FRAME);
  const bool makes_variable = strncmp(r, "v:", 2) == 0 && strncmp(row->kinds, "Tbce", 4) == 0 &&
                              !a->is_open && !a->count && !a->keyword_count; // T.f32()
  if (makes_variable) return variable_of(k, r + 2);
  if (r[0] != 'e' || r[1] != ':') return r[0] == 'e' ? of_call(a) : unknown();
  r += 2;
  if (!*r) return of_void();
  if (r[0] == '=' && a->count > r[1] - '0') {
    Kind of = a->kinds[r[1] - '0'];
    Kind out = rlx_kind_expr(kind_is_expr(of) ? of.dtype : rlx_dtype_unknown());
    out.is_void = kind_is_expr(of) && of.is_void;
    return out;
  }
  RlxDType dtype = rlx_dtype_unknown();
  if (r[0] == '$') {
    if (a->count > r[1] - '0' && a->kinds[r[1] - '0'].tag == KIND_STR &&
        a->kinds[r[1] - '0'].text) {
      const char *text = a->kinds[r[1] - '0'].text;
      rlx_dtype_parse(text, strlen(text), &dtype);
    }
  } else if (r[0] == 'b') {
    dtype = RLX_BOOL;
  } else if (strcmp(r, "handle") == 0) {
    dtype = rlx_dtype(RLX_DTYPE_HANDLE, 64);
  }
  return rlx_kind_expr(dtype);
}

/// The dtype of an argument as an expression.
static RlxDType dtype_of(Kind kind) {
  if (kind_is_expr(kind)) return kind.dtype;
  return kind.tag == KIND_INT     ? RLX_INT32
         : kind.tag == KIND_BOOL  ? RLX_BOOL
         : kind.tag == KIND_FLOAT ? RLX_FLOAT32
         : kind.tag == KIND_STR   ? rlx_dtype(RLX_DTYPE_HANDLE, 64)
                                  : rlx_dtype_unknown();
}

/// What concerns the last two arguments: that they have one dtype, that a divisor is not zero.
static void check_pair(Kinds *k, const Args *a) {
  static const char *const divisions[] = {"floordiv", "floormod", "truncdiv", "truncmod",
                                          "div",      "indexdiv", "indexmod", "ceildiv"};
  RlxDialect dialect = k->dialects == IN_025 ? RLX_DIALECT_025 : RLX_DIALECT_027;
  const RlxScriptKinds *row = rlx_script_kinds(a->path, dialect);
  if (!row || a->count < 2) return;
  Kind x = a->kinds[a->count - 2], y = a->kinds[a->count - 1];
  RlxDType one = dtype_of(x), other = dtype_of(y);
  bool known = rlx_dtype_known(one) && rlx_dtype_known(other) && one.bits && other.bits;
  bool is_select = strcmp(a->path, "Select") == 0 && a->count == 3;
  bool is_match = strcmp(a->path, "max") == 0 || strcmp(a->path, "min") == 0 ||
                  (strcmp(a->path, "if_then_else") == 0 && a->count == 3);
  bool handles = (one.code == RLX_DTYPE_HANDLE) != (other.code == RLX_DTYPE_HANDLE);
  bool differ = ((row->same && a->count == 2) || is_select) && !rlx_dtype_equal(one, other);
  bool is_void = (is_select || is_match || row->same) && kind_is_half_void(x, y);
  if ((known && (differ || (is_match && handles))) || is_void)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         rlx_arena_printf(k->arena, "T.%s takes values of one dtype, not %s and %s",
                                          a->path, rlx_kind_text(k, x), rlx_kind_text(k, y)));
  for (size_t i = 0; i < sizeof divisions / sizeof *divisions && a->count == 2; i++)
    if (strcmp(divisions[i], a->path) == 0 && y.has_number && !y.number &&
        (y.tag == KIND_INT || (kind_is_expr(y) && rlx_kind_is_folded(y.dtype))))
      rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "division by zero");
  if (rlx_text_is_among(a->path, "shift_left shift_right") && a->count == 2)
    rlx_kind_check_shift(k, a->call, x, y);
  if (strcmp(a->path, "pow") == 0 && a->count == 2 && rlx_dtype_is_int(one) &&
      rlx_dtype_is_int(other))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.pow takes floats, not two integers");
}

/// The parts of buffers that T.Select and T.if_then_else of 0.27 take for nothing; 0.25 makes a
/// vector of each.
static void check_branches(Kinds *k, const Args *a) {
  bool is_select = strcmp(a->path, "Select") == 0;
  if (a->count != 3 || (!is_select && strcmp(a->path, "if_then_else") != 0)) return;
  Kind cond = a->kinds[0]; // a vector is asked for its dtype here, one element by the row
  if (is_select && kind_is_expr(cond) && cond.dtype.lanes > 1 && !rlx_dtype_is_bool(cond.dtype))
    rlx_kind_refuse(k, IN_BOTH, a->at[0], cond, "a condition");
  if (kind_is_expr(cond) && cond.dtype.lanes > 1 && rlx_dtype_is_bool(cond.dtype)) {
    RlxDType value = of_chosen(a).dtype;
    if (!is_select || (rlx_dtype_known(value) && value.lanes != cond.dtype.lanes))
      rlx_kind_refuse(k, is_select ? IN_BOTH : IN_025, a->at[0], cond,
                      "a condition of as many elements as the values");
  }
  for (int i = 0; i < 3; i++) {
    Kind one = a->kinds[i], other = a->kinds[i ? 3 - i : 0];
    if (one.tag != KIND_REGION || (!is_select && !i)) continue;
    bool is_odd = !i ? rlx_dtype_known(one.dtype) && !rlx_dtype_is_bool(one.dtype)
                     : is_select && kind_is_many(one) && kind_is_python_number(other);
    rlx_kind_refuse(k, is_odd ? IN_BOTH : IN_027, a->at[i], one,
                    i ? "a value of one element" : "a condition");
  }
}

/// Whether the arguments of the function are values, so that 0.25 makes such of parts of buffers.
static bool takes_values(const char *path) {
  const RlxScriptKinds *row = rlx_script_kinds(path, RLX_DIALECT_025);
  return row && row->result[0] == 'e' && !strchr(path, '.') && strcmp(path, "address_of") != 0;
}

static Kind by_row(Kinds *k, Args *a) {
  for (int i = 0; i < a->count && takes_values(a->path); i++)
    a->kinds[i] = rlx_kind_as_value(k, a->at[i], a->kinds[i]);
  if (!a->is_open) {
    for (int i = 0; i < a->count; i++) check_row_argument(k, a, i, NULL, a->at[i], a->kinds[i]);
    for (int i = 0; i < a->keyword_count; i++)
      check_row_argument(k, a, -1, rlx_store_text(k->store, a->keywords[i]->name),
                         a->keywords[i]->children[0], a->keyword_kinds[i]);
  }
  const bool is_unlisted = strncmp(a->path, "tvm_", 4) == 0 &&
                           !rlx_script_kinds(a->path, RLX_DIALECT_025) &&
                           !rlx_script_kinds(a->path, RLX_DIALECT_027);
  for (int i = 0; i < a->count && is_unlisted; i++) // a call of the runtime, of expressions
    if (kind_is_list(a->kinds[i]) || a->kinds[i].tag == KIND_DICT || a->kinds[i].tag == KIND_NONE ||
        kind_is_thing(a->kinds[i]))
      rlx_kind_refuse(k, IN_BOTH, a->at[i], a->kinds[i], "an expression");
  if (!a->is_open) check_pair(k, a);
  rlx_kind_check_cast(k, a);
  check_branches(k, a);
  return result_of(k, a);
}

// ---- by name

/// T.axis is a class without parameters.
static Kind axis_itself(Kinds *k, Args *a) {
  if (a->count + a->keyword_count)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.axis takes no arguments");
  return rlx_kind_of(KIND_OTHER);
}

/// `T.prim_func(…)`, which decorates.
static Kind decorator(Kinds *k, Args *a) {
  by_row(k, a);
  Kind out = rlx_kind_of(KIND_FUNCTION);
  out.is_nothing = out.is_decorator = true;
  return out;
}

/// The variable of a thread axis.
static Kind env_thread(Kinds *k, Args *a) {
  by_row(k, a);
  Kind out = rlx_kind_expr(RLX_INT32);
  out.is_var = true;
  out.thread = rlx_arena_one(k->arena, KindThread);
  return out;
}

/// T.cta_id, T.thread_id and the like.
static Kind scope_id(Kinds *k, Args *a) {
  Kind row = by_row(k, a), extents, dtype;
  const RlxAst *ast;
  bool has_extents = rlx_kind_argument(k, a, 0, "extents", &extents, &ast);
  bool has_dtype = rlx_kind_argument(k, a, -1, "dtype", &dtype, &ast);
  if (a->is_open) return unknown();
  if (has_extents && extents.tag != KIND_NONE && extents.tag != KIND_UNKNOWN &&
      !kind_is_list(extents))
    rlx_kind_refuse(k, IN_BOTH, ast, extents, "a list of extents");
  return rlx_kind_scope_id(k, a->call, a->path, has_extents ? &extents : NULL,
                           has_dtype ? rlx_dtype_unknown() : row.dtype);
}

/// T.local_scalar("int32"): a place for one value, as `x: T.int32` makes it.
static Kind local_scalar(Kinds *k, Args *a) {
  Kind dtype, out = by_row(k, a);
  const RlxAst *ast;
  if (a->is_open || !rlx_kind_argument(k, a, 0, "dtype", &dtype, &ast) || dtype.tag != KIND_STR ||
      !dtype.text)
    return out;
  Kind *place = rlx_arena_one(k->arena, Kind);
  *place = rlx_kind_expr(rlx_dtype_unknown());
  rlx_dtype_parse(dtype.text, strlen(dtype.text), &place->dtype);
  place->is_load = place->is_cell = true;
  out = rlx_kind_of(KIND_OBJECT); // until it has a name
  out.object = SCALAR_OBJECT;
  out.items = place;
  out.count = 1;
  return out;
}

static Kind device_entry(Kinds *k, Args *a) {
  rlx_kind_device_entry(k);
  return by_row(k, a);
}

/// T.Optional(…) annotates parameters of T.jit, which rlx does not read.
static Kind optional(Kinds *k, Args *a) {
  rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.Optional stands in a function of T.jit only");
  return unknown();
}

/// T.launch_thread of a name, or of the variable of a thread axis, which has one extent.
static Kind launch_thread(Kinds *k, Args *a) {
  Kind of = unknown(), extent;
  const RlxAst *ast, *at;
  const bool has_thread = rlx_kind_argument(k, a, 0, "thread", &of, &ast),
             was_open = of.thread && of.thread->is_open;
  if (of.thread) of.thread->is_open = true;
  Kind out = by_row(k, a);
  if (!has_thread || !rlx_kind_argument(k, a, 1, "extent", &extent, &at)) return out;
  rlx_kind_used(k, at, extent);
  bool fits = of.tag == KIND_UNKNOWN || of.tag == KIND_STR || (kind_is_expr(of) && of.thread);
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, of, "the name or the variable of a thread axis");
  if (extent.tag == KIND_FLOAT || kind_is_float_expr(extent) || rlx_kind_is_no_value(extent) ||
      kind_is_code(extent, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, IN_BOTH, at, extent, "an integer");
  out.thread = of.thread ? of.thread : rlx_arena_one(k->arena, KindThread);
  out.is_opened = !was_open;
  out.thread->is_open = true;
  if (!extent.has_number) return out;
  if (out.thread->has_extent && out.thread->extent != extent.number)
    rlx_kind_refuse_text(k, IN_BOTH, at->span,
                         rlx_arena_printf(k->arena, "the thread axis has the extent %lld already",
                                          (long long)out.thread->extent));
  out.thread->has_extent = true;
  out.thread->extent = extent.number;
  return out;
}

/// T.attr(node, key, value)
static Kind attr(Kinds *k, Args *a) {
  Kind key, value;
  const RlxAst *ast;
  const bool is_key = rlx_kind_argument(k, a, 1, "attr_key", &key, &ast);
  const bool is_text = key.tag == KIND_STR || key.tag == KIND_UNKNOWN ||
                       (kind_is_expr(key) && (!rlx_dtype_known(key.dtype) ||
                                              (key.dtype.code == RLX_DTYPE_HANDLE && !key.is_var)));
  if (is_key && !is_text) rlx_kind_refuse(k, IN_BOTH, ast, key, "a string");
  if (rlx_kind_argument(k, a, 2, "value", &value, &ast)) {
    rlx_kind_used(k, ast, value);
    if (rlx_kind_is_no_value(value) && value.tag != KIND_STR)
      rlx_kind_refuse(k, value.tag == KIND_BUFFER ? IN_025 : IN_BOTH, ast, value, "an expression");
  }
  if (a->count) rlx_kind_used(k, a->at[0], a->kinds[0]);
  if (a->count) a->kinds[0].given = NULL;
  by_row(k, a);
  return rlx_kind_of(KIND_FRAME);
}

static Kind struct_get(Kinds *k, Args *a) {
  Kind out = by_row(k, a), dtype;
  const RlxAst *ast;
  if (kind_is_expr(out) && rlx_kind_argument(k, a, 3, "dtype", &dtype, &ast) &&
      dtype.tag == KIND_STR && dtype.text)
    out.is_void =
        rlx_dtype_parse(dtype.text, strlen(dtype.text), &out.dtype) && !rlx_dtype_known(out.dtype);
  return out;
}

/// T.buffer_store(buffer, value, indices)
static Kind buffer_store(Kinds *k, Args *a) {
  Kind buffer;
  const RlxAst *ast;
  const bool is_given = rlx_kind_argument(k, a, 0, "buffer", &buffer, &ast);
  if (is_given && buffer.tag != KIND_BUFFER && buffer.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, buffer, "a buffer");
  return by_row(k, a);
}

/// T.Assert(condition, message)
static Kind asserted(Kinds *k, Args *a) {
  Kind condition;
  const RlxAst *ast;
  const bool is_given = rlx_kind_argument(k, a, 0, "condition", &condition, &ast);
  const bool fits = !is_given || condition.tag == KIND_UNKNOWN || condition.tag == KIND_BOOL ||
                    (kind_is_expr(condition) &&
                     (!rlx_dtype_known(condition.dtype) || rlx_dtype_is_bool(condition.dtype)));
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, condition, "a condition");
  return by_row(k, a);
}

/// T.void(): a variable; nothing is a value of it.
static Kind of_nothing(Kinds *k, Args *a) {
  Kind value;
  const RlxAst *ast;
  if (rlx_kind_argument(k, a, 0, "expr", &value, &ast) && value.tag != KIND_NONE)
    rlx_kind_refuse(k, IN_BOTH, ast, value, "nothing: no value is of void");
  Kind out = of_void();
  out.is_var = true;
  out.given = rlx_arena_one(k->arena, KindValue);
  return out;
}

/// T.cast, T.reinterpret
static Kind converted(Kinds *k, Args *a) {
  by_row(k, a);
  return rlx_kind_cast(k, a);
}

/// T.meta_var(x): the value itself, once it has a name.
static Kind meta_var(Kinds *k, Args *a) {
  return a->is_open || a->count != 1 ? unknown() : rlx_kind_wrapped(k, a->kinds[0]);
}

/// T.comm_reducer(…), T.target(…), T.index_map(…), which only attributes take.
static Kind of_attributes(Kinds *k, Args *a) {
  by_row(k, a);
  return rlx_kind_of(KIND_OBJECT);
}

/// T.Range(begin, end): the domain of an axis.
static Kind range_of(Kinds *k, Args *a) {
  Kind out = of_attributes(k, a);
  out.object = RANGE_OBJECT;
  return out;
}

/// T.Let(value, where={x: …}): each x is a new variable. The ends of loops and slices are simplified before
/// TVM asks whether that is so.
static Kind let(Kinds *k, Args *a) {
  Kind where;
  bool has_value = false;
  const RlxAst *ast;
  const bool has_where = rlx_kind_argument(k, a, -1, "where", &where, &ast);
  for (uint32_t i = 0; has_where && ast->kind == RLX_AST_DICT && i < ast->child_count; i += 2) {
    if (ast->children[i]->kind != RLX_AST_NAME) continue;
    const Kind key = rlx_kind_eval(k, ast->children[i]);
    has_value |= kind_is_expr(key) && key.is_var && !key.given;
  }
  const Kind out = by_row(k, a);
  if (!has_value) return out;
  Kind again = rlx_kind_expr(a->count && kind_is_expr(a->kinds[0]) ? a->kinds[0].dtype
                                                                   : rlx_dtype_unknown());
  again.is_let_again = true;
  return again;
}

typedef Kind (*Rule)(Kinds *k, Args *a);

static const struct {
  const char *path;
  Rule rule;
} rules[] = {{"grid", grid},
             {"serial", one_loop},
             {"parallel", one_loop},
             {"vectorized", one_loop},
             {"unroll", one_loop},
             {"thread_binding", one_loop},
             {"axis.spatial", rlx_kind_axis},
             {"axis.reduce", rlx_kind_axis},
             {"axis.scan", rlx_kind_axis},
             {"axis.opaque", rlx_kind_axis},
             {"axis.S", rlx_kind_axis},
             {"axis.R", rlx_kind_axis},
             {"axis.remap", rlx_kind_remap},
             {"reads", rlx_kind_regions},
             {"writes", rlx_kind_regions},
             {"where", rlx_kind_where},
             {"func_attr", attributes},
             {"axis", axis_itself},
             {"prim_func", decorator},
             {"tvm_struct_get", struct_get},
             {"env_thread", env_thread},
             {"launch_thread", launch_thread},
             {"cluster_id", scope_id},
             {"cta_id", scope_id},
             {"cta_id_in_cluster", scope_id},
             {"warpgroup_id", scope_id},
             {"warp_id", scope_id},
             {"warp_id_in_wg", scope_id},
             {"lane_id", scope_id},
             {"thread_id", scope_id},
             {"thread_id_in_wg", scope_id},
             {"device_entry", device_entry},
             {"local_scalar", local_scalar},
             {"Optional", optional},
             {"attr", attr},
             {"Assert", asserted},
             {"buffer_store", buffer_store},
             {"Let", let},
             {"void", of_nothing},
             {"cast", converted},
             {"reinterpret", converted},
             {"meta_var", meta_var},
             {"comm_reducer", of_attributes},
             {"target", of_attributes},
             {"index_map", of_attributes},
             {"Range", range_of},
             {"sblock_attr", attributes},
             {"match_buffer", rlx_kind_match_buffer},
             {"sblock_alloc_buffer", rlx_kind_buffer},
             {"alloc_buffer", rlx_kind_buffer},
             {"Buffer", rlx_kind_buffer},
             {"decl_buffer", rlx_kind_buffer},
             {"alloc_local", rlx_kind_buffer},
             {"alloc_shared", rlx_kind_buffer},
             {"smem", rlx_kind_buffer},
             {"tmem", rlx_kind_buffer},
             {"IntImm", rlx_kind_int_imm}};

/// Namespaces and other objects of T, which are not called.
static const char not_functions[] =
    "R S builder parser tile cluster constexpr cta cuda let metal nki nvshmem ptx "
    "ptx_legacy s_tir thread warp warpgroup webgpu wg";

/// Whether what T has under the path is no function.
static bool is_namespace(const char *path, RlxDialect dialect) {
  const RlxScriptName *row = rlx_script_name(path, dialect);
  return row && row->how == RLX_SCRIPT_OTHER && strcmp(path, "axis") != 0 &&
         rlx_script_name_has_members(path, dialect);
}

static Kind of_script(Kinds *k, Args *a) {
  const int spaces = (is_namespace(a->path, RLX_DIALECT_025) ? IN_025 : 0) |
                     (is_namespace(a->path, RLX_DIALECT_027) ? IN_027 : 0);
  if (spaces)
    rlx_kind_refuse_text(k, spaces, a->call->children[0]->span,
                         rlx_arena_printf(k->arena, "`T.%s` is no function", a->path));
  if (rlx_text_is_among(a->path, not_functions))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->children[0]->span,
                         rlx_arena_printf(k->arena, "`T.%s` is no function", a->path));
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (strcmp(rules[i].path, a->path) == 0) return rules[i].rule(k, a);
  RlxDType dtype;
  if (strcmp(a->path, "Ptr") == 0 || strcmp(a->path, "handle") == 0) {
    by_row(k, a);
    Kind out = rlx_kind_new_pointer(k);
    out.is_plain_handle = a->path[0] == 'h' && !a->count && !a->keyword_count && !a->is_open;
    if (a->is_open) out.given = NULL;
    return out;
  }
  if (rlx_dtype_parse(a->path, strlen(a->path), &dtype) && rlx_dtype_known(dtype))
    return rlx_kind_of_dtype(k, a, dtype);
  return by_row(k, a);
}

Kind rlx_kind_range(Kinds *k, const RlxAst *call) {
  Args a = {.path = "range"};
  read_args(k, call, &a);
  if ((a.count < 1 || a.count > 3) && !a.is_open)
    rlx_kind_refuse_text(k, IN_BOTH, call->span, "`range` takes one to three arguments");
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_STARRED)
      rlx_kind_refuse_text(k, IN_BOTH, call->children[i]->span,
                           "`range` of a loop takes its arguments one by one");
  return one_loop(k, &a);
}

/// `MBarrier(pool, 1)`, `TMABar(…)`: of the classes that come with TVM.
static Kind barrier(Kinds *k, const RlxAst *callee) {
  Kind out = unknown(), own;
  RlxValue value;
  for (uint32_t i = 0; callee->kind == RLX_AST_NAME && i < k->names.count; i++)
    if (k->names.at[i].name == callee->name) return out;
  if (callee->kind != RLX_AST_NAME || !rlx_kind_lookup(k, callee->name, &own) ||
      !rlx_outer_lookup(k->fn->file, k->fn->stmt, callee->name, &value) ||
      value.kind != RLX_VALUE_NAMESPACE)
    return out;
  const char *path = rlx_store_text(k->store, value.string), *lang = strstr(path, "lang.pipeline.");
  const bool is_barrier = lang && (strcmp(lang, "lang.pipeline.MBarrier") == 0 ||
                                   strcmp(lang, "lang.pipeline.TMABar") == 0);
  out.barrier = is_barrier ? LOCAL_BARRIER : NO_BARRIER;
  return out;
}

/// A method of a barrier. The view of another CTA's barrier can only be arrived at, and there alone.
static Kind of_barrier(Kinds *k, const RlxAst *callee, Kind base, const Args *a) {
  const char *name = rlx_store_text(k->store, callee->name);
  Kind out = unknown(), remote;
  const RlxAst *ast;
  const bool is_remote = base.barrier == REMOTE_BARRIER;
  if (strcmp(name, "remote_view") == 0) out.barrier = REMOTE_BARRIER;
  const int where = strcmp(name, "init") == 0 ? IN_BOTH : IN_027;
  if (is_remote && rlx_text_is_among(name, "init wait remote_view")) {
    rlx_kind_refuse_text(k, where, callee->name_span,
                         rlx_arena_printf(k->arena,
                                          "the `remote_view` of a barrier has no `%s`: it stands "
                                          "behind the barrier itself",
                                          name));
    if (rlx_kind_may_tell(k, where)) out.barrier = NO_BARRIER; // told once
  }
  const bool is_arrival = is_remote && strcmp(name, "arrive") == 0 && !a->is_open;
  if (is_arrival && rlx_kind_argument(k, a, -1, "remote", &remote, &ast) &&
      (kind_is_expr(remote) || kind_is_python_number(remote)))
    rlx_kind_refuse_text(
        k, IN_BOTH, ast->span,
        "the `remote_view` of a barrier says whose it is: `arrive` takes no `remote`");
  return out;
}

/// Axes and the condition of a block are outside of it, where its T.match_buffer gives no variable a value; in 0.25
/// its regions are, too.
static void settle_block(Kinds *k, const char *path, uint32_t uses) {
  const bool is_outside = strcmp(path, "where") == 0 || strncmp(path, "axis.", 5) == 0;
  if (!k->block || (!is_outside && !rlx_text_is_among(path, "reads writes"))) return;
  const uint32_t outer = k->blocks.at[k->block - 1].parent;
  for (uint32_t i = uses, count = k->uses.count; i < count; i++) {
    KindUse use = k->uses.at[i];
    use.block = outer;
    if (is_outside)
      k->uses.at[i] = use;
    else
      use.where = IN_025, rlx_vec_push(&k->uses, use);
  }
}

/// In 0.27 the shape of a parameter's buffer may be of variables that only it names.
static void settle_shape(Kinds *k, const Args *a, uint32_t uses) {
  Kind shape;
  const RlxAst *ast;
  if (k->in_block || !rlx_kind_argument(k, a, 1, "shape", &shape, &ast)) return;
  k->is_unsure |= shape.tag == KIND_UNKNOWN || (kind_is_list(shape) && shape.count == KIND_MANY);
  for (uint32_t i = uses; i < k->uses.count; i++) {
    KindUse *use = &k->uses.at[i];
    if (use->span.start >= ast->span.start && use->span.end <= ast->span.end) use->where = IN_025;
  }
}

/// `range(3)` as a value: its numbers where they are few.
static Kind numbers_of_range(Kinds *k, const Args *a) {
  enum { MOST = 16 };
  Kind out = rlx_kind_of(KIND_OTHER);
  out.is_range = true;
  for (int i = 0; i < a->count; i++)
    if (rlx_kind_is_no_value(a->kinds[i]))
      rlx_kind_refuse(k, IN_BOTH, a->at[i], a->kinds[i], "an int");
  if (a->is_open || a->count != 1 || a->kinds[0].tag != KIND_INT || !a->kinds[0].has_number ||
      a->kinds[0].number < 0 || a->kinds[0].number > MOST)
    return out;
  out.count = (uint32_t)a->kinds[0].number;
  Kind *items = rlx_arena_array(k->arena, Kind, out.count + 1);
  for (uint32_t i = 0; i < out.count; i++) {
    items[i] = rlx_kind_of(KIND_INT);
    items[i].has_number = true;
    items[i].number = i;
  }
  out.items = items;
  return out;
}

static void check_registered(Kinds *k, const RlxAst *ast, const char *name) {
  const int where = (rlx_script_intrinsic(name, RLX_DIALECT_025) ? 0 : IN_025) |
                    (rlx_script_intrinsic(name, RLX_DIALECT_027) ? 0 : IN_027);
  if (where)
    rlx_kind_refuse_text(k, where, ast->span,
                         rlx_arena_printf(k->arena, "TVM has no operator `tirx.%s`", name));
}

/// T.call_intrin(dtype, op, …): the operators of TensorIR are called `tirx.…`.
static void check_intrinsic(Kinds *k, const Args *a) {
  Kind op;
  const RlxAst *ast;
  if (strcmp(a->path, "call_intrin") != 0) return;
  if (rlx_kind_argument(k, a, 0, "dtype", &op, &ast) && op.tag == KIND_STR)
    rlx_kind_check_dtype(k, ast, op);
  if (!rlx_kind_argument(k, a, 1, "func_name", &op, &ast)) return;
  if (op.tag == KIND_STR && op.text && strncmp(op.text, "tirx.", 5) != 0)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "an operator of TensorIR is called `tirx.…`");
  else if (op.tag == KIND_STR && op.text)
    check_registered(k, ast, op.text + strlen("tirx."));
  const bool is_value = !rlx_kind_is_no_value(op) || op.tag == KIND_BUFFER; // which 0.27 calls
  if (op.tag != KIND_STR && op.tag != KIND_UNKNOWN && op.tag != KIND_NONE)
    rlx_kind_refuse(k, is_value ? IN_025 : IN_BOTH, ast, op, "the name of an operator, \"tirx.…\"");
}

Kind rlx_kind_call(Kinds *k, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  char path[RLX_AST_DOTTED_MAX];
  Args a = {.path = ""};
  if (callee->kind == RLX_AST_ATTRIBUTE && rlx_kind_path(k, callee, path)) {
    a.path = path;
    rlx_kind_eval(k, callee); // reports what T does not have
    uint32_t uses = k->uses.count;
    read_args(k, call, &a);
    rlx_kind_check_count(k, &a);
    if (strcmp(path, "Buffer") == 0) k->uses.count = uses; // only described
    if (strcmp(path, "match_buffer") == 0) settle_shape(k, &a, uses);
    if (strncmp(path, "ptx.", 4) == 0) rlx_kind_ptx(k, &a, path + 4);
    check_intrinsic(k, &a);
    settle_block(k, path, uses);
    return of_script(k, &a);
  }
  const bool is_text = callee->kind == RLX_AST_SUBSCRIPT && callee->child_count == 2 &&
                       callee->children[1]->kind == RLX_AST_STRING &&
                       rlx_kind_path(k, callee->children[0], path) && strcmp(path, "ptx") == 0;
  bool is_method = callee->kind == RLX_AST_ATTRIBUTE;
  Kind base = is_method ? rlx_kind_eval(k, callee->children[0]) : unknown();
  Kind f = rlx_kind_eval(k, callee);
  read_args(k, call, &a);
  if (is_text) rlx_kind_ptx(k, &a, callee->children[1]->text);
  bool is_range = callee->kind == RLX_AST_NAME && f.tag == KIND_FUNCTION &&
                  strcmp(rlx_store_text(k->store, callee->name), "range") == 0;
  if (is_range) return numbers_of_range(k, &a);
  for (int i = 0; f.is_decorator && i < a.count; i++)
    if (a.kinds[i].tag != KIND_UNKNOWN && a.kinds[i].tag != KIND_FUNCTION)
      rlx_kind_refuse(k, IN_BOTH, a.at[i], a.kinds[i], "a function");
  if (is_method && base.tag != KIND_UNKNOWN && f.tag != KIND_FUNCTION && f.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, callee, f, "a function");
  if (is_method && base.tag != KIND_UNKNOWN) return rlx_kind_method(k, callee, base, &a);
  if (is_method && base.barrier) return of_barrier(k, callee, base, &a);
  bool calls = f.tag == KIND_UNKNOWN || f.tag == KIND_FUNCTION;
  if (!calls) rlx_kind_refuse(k, IN_BOTH, callee, f, "a function");
  return f.tag == KIND_FUNCTION ? rlx_kind_builtin(k, callee, &a) : barrier(k, callee);
}
