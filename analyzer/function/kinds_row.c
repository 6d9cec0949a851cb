/// What functions of T take and give by their rows of script_kinds.def.
#include <ctype.h>
#include <string.h>

#include "analyzer/function/kinds_members.h"
#include "analyzer/words/script_names.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

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

/// Whether the value is none of the one type that the letters are of, a list, an int, a float, a string or a dictionary, as functions of
/// TVM declare their parameters. A function in lower case may make a list of one value.
static bool is_of_other_type(const char *path, const char *letters, size_t size, Kind kind) {
  static const char *const types[] = {"bin", "bfin", "dsn", "mn", "Fdps", "bfisn", "?"};
  const bool is_one = kind_is_expr(kind) || kind_is_python_number(kind) || kind.tag == KIND_STR;
  if (size == 1 && strchr("Fnip", letters[0])) return false;
  if (memchr(letters, 'v', size) && strspn(letters, "Fnv") >= size) // a type, a variable
    return !kind_is_expr(kind) && !kind_is_thing(kind);
  if (strspn(letters, "Lkltn") >= size) return isupper((unsigned char)path[0]) || !is_one;
  const bool is_number = kind_is_expr(kind) && (kind.is_constant || kind.has_number);
  if (memchr(letters, 'i', size) && memchr(letters, 's', size) && is_number) return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strspn(letters, types[i]) >= size) return true;
  return false;
}

/// Whether the parameter of a call is a dtype that TVM makes an expression of: T.tvm_access_ptr("float32", …).
static bool is_dtype_of_call(const char *path, const char *letters, size_t size) {
  return memchr(letters, 'd', size) && memchr(letters, 'e', size) && !memchr(letters, 's', size) &&
         !strchr(path, '.');
}

/// Whether the function is one of a namespace whose functions make a call of what they are given.
static bool is_of_calls(const char *path) {
  return strncmp(path, "cuda.", 5) == 0 || strncmp(path, "nvshmem.", 8) == 0;
}

/// Whether what the letters lack is refused for certain: parameters that take any expression, conditions, dtypes. Those of
/// calls to other languages, of intrinsics and of tile primitives depend on each other.
static bool is_certain(const char *path, const RlxScriptKinds *row, const char *letters,
                       size_t size, Kind kind) {
  static const char *const alone[] = {"sblock", "handle", "Ptr",           "prim_func",
                                      "jit",    "macro",  "add_to_parent", "func_ret"};
  if (is_of_calls(path) && memchr(letters, 'e', size) && memchr(letters, 'x', size) &&
      (kind_is_list(kind) || kind.tag == KIND_DICT || kind_is_thing(kind)))
    return true;
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
  if (is_dtype_of_call(path, letters, size) &&
      (kind.tag == KIND_NONE || (kind.tag == KIND_STR && !is_open)))
    return true;
  if (size == 1 && letters[0] == 'T') return !kind_is_expr(kind) || kind.is_param;
  if (strcmp(path, "launch_thread") == 0 && kind_is_expr(kind)) return false;
  // The value is asked for its dtype before it becomes an expression.
  const bool is_asked = memchr(letters, 'e', size) && memchr(letters, 'T', size) &&
                        !memchr(letters, 'i', size) && !memchr(letters, 'b', size);
  const bool takes_text = memchr(letters, 'd', size) || memchr(letters, 's', size);
  if (is_asked && kind.tag == KIND_STR && !takes_text) return true;
  if (is_asked && (kind_is_python_number(kind) || kind_is_list(kind) || kind.tag == KIND_DICT ||
                   kind.tag == KIND_OTHER || kind_is_thing(kind)))
    return true;
  if (!strchr(path, '.') && kind.tag != KIND_NONE && !is_open &&
      is_of_other_type(path, letters, size, kind))
    return true;
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
  if (size == 2 && memcmp(letters, "ds", 2) == 0) return kind.tag != KIND_STR;
  return (c && strspn(letters, "bcn") >= size) || (e && i && kind_is_expr(kind));
}

/// Whether the letters are of a function that asks for the dtype of what it made of its argument, and takes floats alone: T.sin.
static bool asks_for_float(const char *letters, size_t size) {
  return size == 3 && memcmp(letters, "Tfx", 3) == 0;
}

/// Whether such a function refuses the argument for certain.
static bool is_no_float(Kind kind) {
  if (kind.tag == KIND_UNKNOWN || kind.tag == KIND_FLOAT || kind.tag == KIND_REGION) return false;
  return !kind_is_expr(kind) ||
         (rlx_dtype_known(kind.dtype) && !rlx_dtype_is_float(kind.dtype) && !kind.is_void);
}

/// Whether the row takes the argument; true where nothing is known.
static bool row_takes(const char *path, RlxDialect dialect, int position, const char *keyword,
                      Kind kind, const char **wants) {
  const RlxScriptName *name = rlx_script_name(path, dialect);
  const RlxScriptKinds *row = rlx_script_kinds(path, dialect);
  if (!name || !row) return true;
  if (name->how == RLX_SCRIPT_DROPS && keyword && strcmp(keyword, "dtype") == 0) return true;
  size_t size;
  const char *letters = rlx_script_letters(name->params, row->kinds, position, keyword, &size);
  if (!letters) return true;
  if (kind.tag == KIND_REGION) { // 0.25 makes a value of it: rlx_kind_as_value
    *wants = "a value of one element";
    if (strcmp(path, "address_of") == 0) return false;
    if (!strchr(path, '.') && is_of_other_type(path, letters, size, kind)) return false;
    const bool is_asked = strncmp(row->result, "e:=", 3) == 0 && row->result[3] - '0' == position &&
                          !memchr(letters, 'i', size); // for its dtype: an int has none
    if (dialect == RLX_DIALECT_025) return !strchr(path, '.') || !is_asked;
    return !memchr(letters, 'e', size) || memchr(letters, 'r', size);
  }
  *wants = "a float";
  if (asks_for_float(letters, size)) return !is_no_float(kind);
  // An argument of a call that is made as it is given, of expressions, buffers and strings.
  const bool takes_all = memchr(letters, 'e', size) && memchr(letters, 'h', size) &&
                         memchr(letters, 's', size) && memchr(letters, 'x', size) &&
                         row->result[0] == 'e',
             is_left_out = takes_all && (kind.tag == KIND_NONE ||
                                         (kind.tag != KIND_BUFFER && rlx_kind_is_no_value(kind) &&
                                          !rlx_kind_is_taken(letters, size, kind)));
  *wants = "an expression";
  if (is_left_out) return false;
  const bool takes_values = memchr(letters, 'e', size) && memchr(letters, 'x', size);
  if (takes_values && kind.tag == KIND_BUFFER && !memchr(letters, 'u', size)) return false;
  if (kind.tag == KIND_OBJECT && kind.object == POINTER_OBJECT && takes_pointer(row, letters, size))
    return true;
  static const char *const callers[] = {"call_", "tvm_", "TVMBackend", "anylist_"};
  bool takes_dtype = dialect == RLX_DIALECT_025 && strchr(path, '.');
  for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
    takes_dtype |= dialect == RLX_DIALECT_025 && strncmp(path, callers[i], strlen(callers[i])) == 0;
  takes_dtype |= is_dtype_of_call(path, letters, size);
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
  bool computes = row && row->result[0] == 'e' && strcmp(a->path, "Let") != 0;
  bool names = keyword && strcmp(keyword, "var") == 0;
  bool is_entered = row && strcmp(row->result, "FRAME") == 0;
  if ((computes && !names) || is_entered || rlx_text_is_among(a->path, "evaluate Return"))
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
  const bool is_cast = strcmp(a->path, "cast") == 0 && kind_is_code(kind, RLX_DTYPE_HANDLE);
  if (is_cast) refused &= IN_027; // 0.25 leaves a pointer as it is: rlx_kind_cast
  if (refused) rlx_kind_refuse(k, refused, ast, kind, wants);
  if (kind.is_big) rlx_kind_used(k, ast, kind);
}

/// What T.max, T.Select and their like give: one of the last two arguments.
static Kind of_chosen(const Args *a) {
  Kind x = a->kinds[a->count - 2], y = a->kinds[a->count - 1];
  if (a->count == 2 && a->at[0]->kind == RLX_AST_NAME && a->at[1]->kind == RLX_AST_NAME &&
      a->at[0]->name == a->at[1]->name)
    return x; // T.max(i, i) is i
  Kind out = rlx_kind_expr(rlx_kind_chosen(x, y));
  out.is_void = kind_is_expr(x) && x.is_void && y.is_void;
  return out;
}

/// Whether the value can be no number of elements of a vector: an int from 2 on, of which TVM keeps 32 bits, or a multiple of T.vscale().
static bool is_no_count(Kind lanes) {
  if (lanes.tag == KIND_UNKNOWN) return false;
  if (lanes.has_number && (lanes.tag == KIND_INT || kind_is_expr(lanes)))
    return (uint32_t)lanes.number < 2 || (uint32_t)lanes.number > INT32_MAX;
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

Kind rlx_kind_of_void(void) {
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
  return is_spelled && !rlx_dtype_known(dtype) ? rlx_kind_of_void() : rlx_kind_expr(dtype);
}

/// Functions that give what the operator of two integers gives.
static const char integer_operators[] =
    "floordiv floormod truncdiv truncmod indexdiv indexmod ceildiv bitwise_and bitwise_or "
    "bitwise_xor shift_left shift_right";

/// The dtype of an argument as an expression.
static RlxDType dtype_of(Kind kind) {
  if (kind_is_expr(kind)) return kind.dtype;
  return kind.tag == KIND_INT     ? RLX_INT32
         : kind.tag == KIND_BOOL  ? RLX_BOOL
         : kind.tag == KIND_FLOAT ? RLX_FLOAT32
         : kind.tag == KIND_STR   ? rlx_dtype(RLX_DTYPE_HANDLE, 64)
                                  : rlx_dtype_unknown();
}

/// What a function gives that is no value of TensorIR, by the name of its class in the wheels.
static Kind object_of(Kinds *k, const char *what) {
  const size_t size = strlen(what), tail = strlen("Annotation");
  if (size > tail && strcmp(what + size - tail, "Annotation") == 0) {
    Kind annotation = rlx_kind_of(KIND_ANNOTATION);
    annotation.is_let = strcmp(what, "LetAnnotation") == 0;
    return annotation;
  }
  Kind out = rlx_kind_of(KIND_OBJECT);
  if (strcmp(what, "scalar_wrapper") == 0) { // of which only the element is not known
    out = rlx_kind_wrapped(k, unknown());
    out.object = SCALAR_OBJECT;
    return out;
  }
  if (strcmp(what, "function") == 0 || strcmp(what, "DtypeConstructor") == 0) {
    out.tag = KIND_FUNCTION;
    out.is_decorator = what[0] == 'f';
    out.is_nothing = out.is_decorator;
    return out;
  }
  if (strcmp(what, "SMEMPool") == 0) return rlx_kind_wrapped(k, unknown()); // may have a name
  if (strcmp(what, "int") == 0) return rlx_kind_of(KIND_INT);
  return *what && what[0] != '_' ? out : unknown(); // of `with`: not known
}

/// What 0.27 gives where it gives the type of an argument, which a buffer may be: of others what 0.25 gives. False: 0.25 gives something else.
static bool result_like_025(const Args *a, Kind *out) {
  const RlxScriptKinds *row = rlx_script_kinds(a->path, RLX_DIALECT_025);
  const char *r = row ? row->result : "";
  if (strncmp(r, "e:=", 3) != 0 || a->count <= r[3] - '0') return false;
  const Kind of = a->kinds[r[3] - '0'];
  if (of.tag == KIND_BUFFER) *out = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
  if (kind_is_expr(of)) *out = rlx_kind_expr(of.dtype);
  return of.tag == KIND_BUFFER || kind_is_expr(of);
}

static Kind result_of(Kinds *k, const Args *a) {
  RlxDialect dialect = k->dialects == IN_025 ? RLX_DIALECT_025 : RLX_DIALECT_027;
  const RlxScriptKinds *row = rlx_script_kinds(a->path, dialect);
  if (!row) return unknown();
  const char *r = row->result;
  Kind computed;
  if (rlx_text_is_among(a->path, "max min if_then_else Select") && a->count >= 2)
    return of_chosen(a);
  if (rlx_text_is_among(a->path, "ramp Ramp broadcast Broadcast")) return vector_of(k, a);
  const bool computes = rlx_text_is_among(a->path, integer_operators) && a->count == 2 &&
                        (kind_is_expr(a->kinds[0]) || kind_is_expr(a->kinds[1]));
  if (computes) return rlx_kind_expr(rlx_kind_common_dtype(a->kinds[0], a->kinds[1]));
  if (strcmp(r, "n") == 0 && k->in_signature && strcmp(a->path, "static_assert") != 0)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         rlx_arena_printf(k->arena, "T.%s stands in the body", a->path));
  if (strcmp(r, "n") == 0) return rlx_kind_of(KIND_NONE);
  if (strcmp(r, "FRAME") == 0) return rlx_kind_of(KIND_FRAME);
  const bool makes_variable = strncmp(r, "v:", 2) == 0 && strncmp(row->kinds, "Tbce", 4) == 0 &&
                              !a->is_open && !a->count && !a->keyword_count; // T.f32()
  if (makes_variable) return variable_of(k, r + 2);
  if (strcmp(r, "?") == 0 && result_like_025(a, &computed)) return computed;
  if (r[0] == '?') return object_of(k, r + 1);
  if (r[0] != 'e' || r[1] != ':') return r[0] == 'e' ? of_call(a) : unknown();
  r += 2;
  if (!*r) return rlx_kind_of_void();
  if (r[0] == '=' && a->count > r[1] - '0') {
    Kind of = a->kinds[r[1] - '0'];
    Kind out = rlx_kind_expr(kind_is_expr(of) || of.tag == KIND_STR || of.tag == KIND_BOOL ||
                                     strcmp(a->path, "likely") == 0
                                 ? dtype_of(of)
                                 : rlx_dtype_unknown());
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

/// The dtype in which T.floordiv(x, y) and the like divide: a plain number has that of the other one, int32 where it is not known.
static RlxDType divided_dtype(Kind x, Kind y) {
  if (kind_is_expr(y) || y.tag != KIND_INT) return y.dtype;
  const RlxDType common = kind_is_expr(x) ? rlx_kind_common_dtype(x, y) : RLX_INT32;
  return rlx_dtype_known(common) && common.bits ? common : RLX_INT32;
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
  const bool is_uneven =
      kind_lanes_differ(x, y) && (is_match || rlx_text_is_among(a->path, "pow And Or") ||
                                  (a->count == 2 && rlx_text_is_among(a->path, integer_operators)));
  bool is_void = (is_select || is_match || row->same) && kind_is_half_void(x, y);
  if ((known && (differ || (is_match && handles))) || is_void || is_uneven)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         rlx_arena_printf(k->arena, "T.%s takes values of one dtype, not %s and %s",
                                          a->path, rlx_kind_text(k, x), rlx_kind_text(k, y)));
  for (size_t i = 0; i < sizeof divisions / sizeof *divisions && a->count == 2; i++)
    if (strcmp(divisions[i], a->path) == 0 && y.has_number && !y.number &&
        rlx_kind_divides(divided_dtype(x, y), strstr(a->path, "div") != NULL))
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

/// Whether nothing is known of the function but that its arguments are those of a call, so expressions.
static bool makes_call(const char *path) {
  const RlxScriptName *name = rlx_script_name(path, RLX_DIALECT_027);
  if (!name) name = rlx_script_name(path, RLX_DIALECT_025);
  return name && name->how == RLX_SCRIPT_DROPS && !rlx_script_kinds(path, RLX_DIALECT_025) &&
         !rlx_script_kinds(path, RLX_DIALECT_027);
}

/// Whether the parameter at `position` takes a dtype, as `arr_dtype` does: such a one becomes an expression.
static bool names_dtype(const char *path, int position) {
  const RlxScriptName *name = rlx_script_name(path, RLX_DIALECT_027);
  const char *param = name ? name->params : "";
  for (; position > 0 && param; position--) {
    param = strchr(param, ',');
    param += param != NULL;
  }
  const size_t size = param ? strcspn(param, ",") : 0;
  return size >= strlen("dtype") && strncmp(param + size - strlen("dtype"), "dtype", 5) == 0;
}

/// An argument of a call that is made as it is given.
static void check_part(Kinds *k, const RlxAst *ast, Kind kind) {
  if (kind_is_list(kind) || kind.tag == KIND_DICT || kind.tag == KIND_NONE || kind_is_thing(kind))
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "an expression");
  else if (kind.tag == KIND_BUFFER)
    rlx_kind_refuse(k, IN_025, ast, kind, "an expression");
  else if (kind.tag == KIND_STR && kind.object == DTYPE_STRING)
    rlx_kind_refuse(k, IN_027, ast, kind, "an expression");
}

static void check_parts(Kinds *k, const Args *a) {
  for (int i = 0; i < a->count; i++)
    if (!(a->kinds[i].tag == KIND_STR && names_dtype(a->path, i)))
      check_part(k, a->at[i], a->kinds[i]);
  for (int i = 0; i < a->keyword_count; i++)
    if (strcmp(rlx_store_text(k->store, a->keywords[i]->name), "dtype") != 0)
      check_part(k, a->keywords[i]->children[0], a->keyword_kinds[i]);
}

/// T.TMEMPool shares the memory of another pool, which only a name can stand for.
static void check_pool(Kinds *k, const Args *a) {
  Kind pool;
  const RlxAst *ast;
  if (a->is_open) return;
  const bool is_tensor_memory = strcmp(a->path, "TMEMPool") == 0;
  const bool is_given = rlx_kind_argument(k, a, 0, "pool", &pool, &ast);
  if (is_tensor_memory && !is_given)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         "T.TMEMPool takes the pool whose memory it shares");
  else if (is_tensor_memory &&
           (kind_is_expr(pool) || kind_is_python_number(pool) || kind_is_list(pool) ||
            pool.tag == KIND_STR || pool.tag == KIND_NONE || pool.tag == KIND_DICT ||
            pool.tag == KIND_BUFFER))
    rlx_kind_refuse(k, IN_BOTH, ast, pool, "a pool of memory");
  else if (strcmp(a->path, "SMEMPool") == 0 && a->count > 1)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.SMEMPool takes one pointer");
}

/// An argument of a packed function: a buffer goes there by its pointer, of which the parser knows no region but for what the
/// block itself allocates.
static void hand_over(Kinds *k, const RlxAst *ast, Kind kind) {
  if (kind.tag != KIND_BUFFER) return;
  rlx_kind_used(k, ast, rlx_kind_given(k, ast, kind, GIVES_HANDLE));
  const bool is_opaque = kind.is_param || kind.is_view || kind.given || kind.made_in;
  if (k->block && ast->kind == RLX_AST_NAME && is_opaque)
    k->blocks.at[k->block - 1].reached = ast->name;
}

/// None, which a call takes for no parameter that has to be given.
static void check_left_out(Kinds *k, const Args *a) {
  static const RlxDialect dialects[] = {RLX_DIALECT_025, RLX_DIALECT_027};
  for (int d = 0; d < 2; d++) {
    const RlxScriptName *row = rlx_script_name(a->path, dialects[d]);
    RlxScriptSignature params;
    if (!row || row->how == RLX_SCRIPT_OTHER || !rlx_script_signature(row->params, &params))
      continue;
    for (int i = 0; i < a->count && i < params.positional; i++)
      if (a->kinds[i].tag == KIND_NONE && !params.at[i].may_be_left_out)
        rlx_kind_refuse(k, d ? IN_027 : IN_025, a->at[i], a->kinds[i], "an expression");
  }
}

Kind rlx_kind_by_row(Kinds *k, Args *a) {
  for (int i = 0; i < a->count && takes_values(a->path); i++)
    a->kinds[i] = rlx_kind_as_value(k, a->at[i], a->kinds[i]);
  if (!a->is_open) {
    for (int i = 0; i < a->count; i++) check_row_argument(k, a, i, NULL, a->at[i], a->kinds[i]);
    for (int i = 0; i < a->keyword_count; i++)
      check_row_argument(k, a, -1, rlx_store_text(k->store, a->keywords[i]->name),
                         a->keywords[i]->children[0], a->keyword_kinds[i]);
  }
  if (makes_call(a->path)) check_parts(k, a);
  if (is_of_calls(a->path) && !a->is_open) check_left_out(k, a);
  if (!a->is_open) check_pair(k, a);
  rlx_kind_check_cast(k, a);
  check_branches(k, a);
  if (rlx_text_is_among(a->path, "TMEMPool SMEMPool")) check_pool(k, a);
  if (rlx_text_is_among(a->path, "call_packed call_cpacked"))
    for (int i = 0; i < a->count; i++) hand_over(k, a->at[i], a->kinds[i]);
  return result_of(k, a);
}
