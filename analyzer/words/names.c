/// Names of the script's vocabulary: from an import path or an attribute chain to what it stands
/// for.
/// Always true: every spelling of a namespace ("tvm.script.relax", "tvm.relax.op") has one
/// canonical path ("R"), and an attribute of a namespace is looked up once per analyzer.
#include "analyzer/words/names.h"

#include <string.h>

#include "analyzer/words/numpy_names.h"
#include "analyzer/words/script_names.h"
#include "analyzer/words/targets.h"
#include "base/buf.h"
#include "base/text.h"

static const char *const word_paths[] = {
    NULL,
#define RLX_WORD(id, path, params, call) path,
#include "analyzer/words/words.def"
#undef RLX_WORD
};

/// Import paths and what they are called inside.
static const struct {
  const char *path, *canonical;
} aliases[] = {
    {"tvm.script.relax", "R"},
    {"tvm.script.parser.relax", "R"},
    {"tvm.relax.script", "R"},
    {"tvm.relax.op", "R"},
    {"relax.op", "R"},
    {"tvm.relax", "relax"},
    {"tvm.script._parser.relax", "R"},
    {"tvm.script._parser.ir", "I"},
    {"tvm.script._parser.tir", "T"},
    {"tvm.script.tir", "T"},
    {"tvm.script.tirx", "T"},
    {"tvm.script.parser.tir", "T"},
    {"tvm.script.parser.tirx", "T"},
    {"tvm.tirx.script", "T"},
    {"tvm.tir", "tir"},
    {"tvm.tirx", "tir"},
    {"tvm.script.ir", "I"},
    {"tvm.script.parser.ir", "I"},
    {"tvm.script.ir_module", "I.ir_module"},
    {"I.TypeVar", "typing.TypeVar"},
    {"R.TypeVar", "typing.TypeVar"},
    {"T.TypeVar", "typing.TypeVar"},
    {"tvm.script.parser.ir_module", "I.ir_module"},
    {"relax.const", "R.const"},
    {"relax.function", "R.function"},
    {"relax.script", "R.function"},
    {"relax.PrimValue", "R.prim_value"},
    {"relax.ShapeExpr", "R.shape"},
    {"relax.Tuple", "R.tuple"},
    {"relax.StringImm", "R.str"},
    {"relax.DataTypeImm", "R.dtype"},
    {"relax.ExternFunc", "R.ExternFunc"},
    {"relax.TupleGetItem", "R.TupleGetItem"},
    {"relax.extern", "R.ExternFunc"},
    {"relax.TensorStructInfo", "R.Tensor"},
    {"relax.TupleStructInfo", "R.Tuple"},
    {"relax.ShapeStructInfo", "R.Shape"},
    {"relax.ObjectStructInfo", "R.Object"},
    {"relax.dataflow", "R.dataflow"},
    {"relax.output", "R.output"},
    {"relax.call_tir", "R.call_tir"},
    {"relax.match_shape", "R.match_shape"},
    {"relax.match_cast", "R.match_cast"},
    {"relax.call_packed", "R.call_packed"},
    {"R.func", "R.function"},
    {"R.Void", "R.Tuple"}, // what a function without result gives
    {"R.call_dps", "R.call_tir"},
    {"relax.call_dps", "R.call_tir"},
    {"R.ewise_add", "R.add"},
    {"R.nn.matmul", "R.matmul"},
    {"tvm.cpu", "R.cpu"},
    {"tvm.cuda", "R.cuda"},
    {"tvm.device", "R.device"},
    {"tvm.metal", "R.metal"},
    {"tvm.vulkan", "R.vulkan"},
    {"tvm.rocm", "R.rocm"},
    {"tvm.opencl", "R.opencl"},
    {"tvm.ir.VDevice", "I.vdevice"},
    {"ir.VDevice", "I.vdevice"},
    {"tvm.ir.global_info.VDevice", "I.vdevice"},
    {"tvm.tir.Var", "tir.Var"},
    {"R.Any", "R.Object"},
};

/// In the order of their bytes: looked up by halves.
static const char *const builtins[] = {
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
    "__annotations__",
    "__build_class__",
    "__builtins__",
    "__cached__",
    "__debug__",
    "__doc__",
    "__file__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__path__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "delattr",
    "dict",
    "dir",
    "display",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "get_ipython",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
};

const char *rlx_word_path(RlxWord word) { return word_paths[word] ? word_paths[word] : ""; }

bool rlx_word_opens_frame(RlxWord word) {
  return word == RLX_WORD_DATAFLOW || word == RLX_WORD_SEQ_EXPR || word == RLX_WORD_IF_FRAME ||
         word == RLX_WORD_THEN_FRAME || word == RLX_WORD_ELSE_FRAME;
}

bool rlx_names_is_target_kind(const char *text) {
  return rlx_text_is_among(text, " c composite cuda cuda_host ext_dev hexagon llvm metal nvptx "
                                 "opencl rocm test trn vulkan webgpu ");
}

bool rlx_names_is_target(const char *text) {
  return *text == '{' || rlx_names_is_target_kind(text) || rlx_target_is_tag(text);
}

bool rlx_names_is_builtin(const char *text) {
  size_t low = 0, high = sizeof builtins / sizeof builtins[0];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = *builtins[middle] == *text
                          ? strcmp(builtins[middle], text)
                          : (unsigned char)*builtins[middle] - (unsigned char)*text;
    if (order == 0) return true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

RlxName rlx_word_name(RlxWords *words, const char *text) {
  return rlx_store_intern(words->store, text, strlen(text));
}

static RlxValue simple(uint8_t kind) {
  RlxValue v = {.kind = kind};
  return v;
}

static RlxValue namespace_value(RlxWords *words, uint8_t kind, const char *path) {
  RlxValue v = {.kind = kind};
  v.string = rlx_word_name(words, path);
  return v;
}

/// Is "R.<rest>" the beginning of an operator's spelling (R.nn)?
static bool is_op_prefix(const char *rest) {
  static const char *const more[] = {"dist", "ccl", "op"};
  size_t size = strlen(rest);
  for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
    if (strcmp(more[i], rest) == 0) return true;
  int count = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    for (const char *s = rows[i].script; *s;) {
      size_t n = strcspn(s, " ");
      if (n > size && strncmp(s, rest, size) == 0 && s[size] == '.') return true;
      s += n;
      while (*s == ' ') s++;
    }
  }
  return false;
}

/// Whether "R.<rest>" names a module of operators inside of the package of its own name (R.nn.nn).
static bool is_inner_module(const char *rest) {
  const char *dot = strchr(rest, '.');
  const size_t size = dot ? (size_t)(dot - rest) : 0;
  return dot && strncmp(rest, dot + 1, size) == 0 && !dot[1 + size] &&
         rlx_text_is_among(dot + 1, " nn memory vm builtin image ccl grad ");
}

static RlxValue resolve_r(RlxWords *words, const char *path) {
  const char *rest = path + 2;
  if (is_inner_module(rest)) {
    char outer[16] = "R.";
    strncat(outer, strchr(rest, '.') + 1, sizeof outer - 3);
    return namespace_value(words, RLX_VALUE_NAMESPACE, outer);
  }
  if (strcmp(rest, "op") == 0) return namespace_value(words, RLX_VALUE_NAMESPACE, "R");
  const RlxOpRow *row = rlx_op_find(rest, strlen(rest));
  if (row) {
    RlxValue v = simple(RLX_VALUE_OP);
    v.thing = row;
    return v;
  }
  if (is_op_prefix(rest)) return namespace_value(words, RLX_VALUE_NAMESPACE, path);
  if (rlx_relax_has_name(rest, RLX_DIALECT_025) || rlx_relax_has_name(rest, RLX_DIALECT_027))
    return simple(RLX_VALUE_UNKNOWN); // of the builder of the IR: nothing is known of what it does
  return namespace_value(words, RLX_VALUE_MISSING, path);
}

static RlxValue resolve_t(RlxWords *words, const char *path) {
  RlxDType t;
  const char *rest = path + 2;
  if (strcmp(rest, "boolean") == 0) rest = "bool";
  if (rlx_dtype_parse(rest, strlen(rest), &t) && rlx_dtype_known(t) &&
      strcmp(rest, "handle") != 0) {
    RlxValue v = simple(RLX_VALUE_DTYPE);
    v.integer = rlx_pack_dtype(t);
    return v;
  }
  return namespace_value(words, RLX_VALUE_TFUNC, rest);
}

bool rlx_names_canonical(const char *path, RlxBuf *out) {
  for (size_t size = strlen(path); size; size--) {
    if (path[size] && path[size] != '.') continue;
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
      if (strlen(aliases[i].path) != size || strncmp(aliases[i].path, path, size) != 0) continue;
      rlx_buf_printf(out, "%s%s", aliases[i].canonical, path + size);
      return true;
    }
  }
  return false;
}

RlxValue rlx_names_path(RlxWords *words, const char *path) {
  RlxBuf canonical = {0};
  if (rlx_names_canonical(path, &canonical)) {
    RlxValue v = rlx_names_path(words, rlx_buf_text(&canonical));
    rlx_buf_free(&canonical);
    return v;
  }
  for (size_t i = 1; i < RLX_WORD_COUNT; i++) {
    if (strcmp(word_paths[i], path) == 0) {
      RlxValue v = simple(RLX_VALUE_WORD);
      v.integer = (int64_t)i;
      return v;
    }
  }
  static const struct {
    const char *path;
    double value;
  } numbers[] = {{"math.inf", __builtin_inf()},   {"numpy.inf", __builtin_inf()},
                 {"math.nan", __builtin_nan("")}, {"numpy.nan", __builtin_nan("")},
                 {"math.pi", 3.141592653589793},  {"numpy.pi", 3.141592653589793},
                 {"math.e", 2.718281828459045},   {"numpy.e", 2.718281828459045}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    if (strcmp(numbers[i].path, path) != 0) continue;
    RlxValue v = simple(RLX_VALUE_FLOAT);
    v.number = numbers[i].value;
    return v;
  }
  if (strcmp(path, "numpy.newaxis") == 0) return simple(RLX_VALUE_NONE);
  RlxDType dtype;
  if (strncmp(path, "numpy.", 6) == 0 && rlx_dtype_of_numpy_name(path + 6, &dtype)) {
    RlxValue v = simple(RLX_VALUE_DTYPE);
    v.is_python = true;
    v.integer = rlx_pack_dtype(dtype);
    return v;
  }
  if (strncmp(path, "R.", 2) == 0) return resolve_r(words, path);
  if (strncmp(path, "T.", 2) == 0) return resolve_t(words, path);
  if (strncmp(path, "relax.op.", 9) == 0) {
    char text[256];
    if (strlen(path) < sizeof text - 8) {
      text[0] = 'R';
      strcpy(text + 1, path + 8);
      return resolve_r(words, text);
    }
  }
  if (strncmp(path, "relax.", 6) == 0) { // relax.add(x, y) of the oldest scripts
    const RlxOpRow *row = rlx_op_find(path + 6, strlen(path + 6));
    if (row) {
      RlxValue v = simple(RLX_VALUE_OP);
      v.thing = row;
      return v;
    }
  }
  return namespace_value(words, RLX_VALUE_NAMESPACE, path);
}

RlxValue rlx_names_attribute(RlxWords *words, RlxName path, RlxName attribute) {
  uint64_t key = (uint64_t)path << 32 | attribute, found;
  if (rlx_map_get(&words->paths, key, &found)) return *(const RlxValue *)(uintptr_t)found;
  RlxBuf text = {0};
  rlx_buf_printf(&text, "%s.%s", rlx_store_text(words->store, path),
                 rlx_store_text(words->store, attribute));
  RlxValue *v = rlx_arena_one(words->arena, RlxValue);
  *v = rlx_names_path(words, rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_map_put(&words->paths, key, (uint64_t)(uintptr_t)v);
  return *v;
}

bool rlx_names_predefined(RlxWords *words, const char *text, RlxValue *out) {
  static const struct {
    const char *name, *path;
  } names[] = {{"I", "I"},
               {"R", "R"},
               {"T", "T"},
               {"Tx", "T"},
               {"tvm", "tvm"},
               {"relax", "relax"},
               {"tir", "tir"},
               {"rx", "R"},
               {"ir", "I"},
               {"TypeVar", "typing.TypeVar"},
               {"metadata", "metadata"},
               {"Axis", "python.Axis"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (*names[i].name != *text || strcmp(names[i].name, text) != 0) continue;
    const RlxValue *known = rlx_map_get_ptr(&words->predefined, &names[i]);
    if (!known) {
      RlxValue *v = rlx_arena_one(words->arena, RlxValue);
      *v = rlx_names_path(words, names[i].path);
      rlx_map_put_ptr(&words->predefined, &names[i], v);
      known = v;
    }
    *out = *known;
    return true;
  }
  return false;
}

bool rlx_names_is_vocabulary(const char *path) {
  static const char *const roots[] = {"R.",          "T.",           "I.",        "relax.",
                                      "tir.",        "ir.",          "typing.",   "metadata.",
                                      "python.",     "topi.",        "tvm.topi.", "tvm.te.",
                                      "tvm.script.", "tvm.runtime.", "tvm.nd.",   "tvm.ir."};
  for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
    if (strncmp(path, roots[i], strlen(roots[i])) == 0) return true;
  return strcmp(path, "tvm.script") == 0 || strcmp(path, "tvm.topi") == 0;
}

void rlx_words_free(RlxWords *words) {
  rlx_map_free(&words->paths);
  rlx_map_free(&words->predefined);
  rlx_map_free(&words->spelled_keywords);
  rlx_strmap_free(&words->spelled);
  rlx_strmap_free(&words->dialects);
}
