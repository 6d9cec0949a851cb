/// What a parameter takes, as the letters of script_kinds.def and methods.def say it.
#include <string.h>

#include "analyzer/function/kinds_args.h"

/// Whether the letters have one for some expression of TensorIR, or are not known.
static bool takes_expressions(const char *letters, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (strchr("evxTchz-", letters[i])) return true;
  return false;
}

bool rlx_kind_is_taken(const char *letters, size_t size, Kind kind) {
  char one[4] = {0};
  switch ((KindTag)kind.tag) {
  case KIND_UNKNOWN: return true;
  case KIND_NONE: one[0] = 'n'; break;
  case KIND_BOOL: one[0] = 'b'; break;
  case KIND_INT: one[0] = 'i'; break;
  case KIND_FLOAT: one[0] = 'f', one[1] = 'x'; break;
  case KIND_STR: {
    RlxDType dtype;
    bool is_dtype = !kind.text ||
                    strcmp(kind.text, "tensormap") == 0 || // what a handle may point at
                    (kind.text[0] && rlx_dtype_parse(kind.text, strlen(kind.text), &dtype));
    one[0] = 's', one[1] = is_dtype ? 'd' : 's';
    break;
  }
  case KIND_LIST:
  case KIND_TUPLE: memcpy(one, "lLt", 3); break;
  case KIND_DICT: one[0] = 'm'; break;
  case KIND_SLICE: break;
  case KIND_BUFFER: one[0] = 'u'; break;
  case KIND_REGION: return true;
  case KIND_FOR:
  case KIND_FRAME:
  case KIND_ANNOTATION:
  case KIND_OTHER:
  case KIND_MODULE: break;
  case KIND_OBJECT:
    if (kind.object == RANGE_OBJECT)
      return !memchr(letters, 'x', size) || memchr(letters, 't', size);
    if (kind.object == TYPE_OBJECT) // a dtype, and no string that may stand for an expression
      return memchr(letters, 'd', size) && !memchr(letters, 'e', size);
    break;
  case KIND_FUNCTION: one[0] = 'F', one[1] = 'p'; break;
  case KIND_EXPR:
    if (!rlx_dtype_known(kind.dtype) || kind.dtype.lanes > 1)
      return takes_expressions(letters, size);
    if (kind.is_load) one[1] = 'T';
    one[0] = kind.dtype.code == RLX_DTYPE_HANDLE ? 'h'
             : rlx_dtype_is_bool(kind.dtype)     ? 'c'
             : rlx_dtype_is_float(kind.dtype)    ? 'x'
                                                 : 'e';
    const bool takes_only_variables = !memchr(letters, 'e', size);
    if (kind.is_var && (one[0] == 'e' || takes_only_variables)) one[2] = 'v';
    if (!one[1]) one[1] = one[0];
    break;
  }
  if (size == 1 && letters[0] == '-') return true;
  for (size_t i = 0; i < size; i++)
    for (int n = 0; n < 3; n++)
      if (one[n] && letters[i] == one[n]) return true;
  if (kind_is_list(kind) && memchr(letters, 'k', size)) return true;
  return false;
}

const char *rlx_kind_expected(const char *letters, size_t size) {
  bool e = memchr(letters, 'e', size) || memchr(letters, 'v', size), c = memchr(letters, 'c', size),
       x = memchr(letters, 'x', size);
  if (e && x) return "an expression";
  if (c && !e) return "a condition";
  if (e) return "an integer";
  bool is_dtype = memchr(letters, 'd', size) && !memchr(letters, 's', size);
  if (is_dtype && size <= 2) return "a dtype as a string";
  if (size == 2 && memcmp(letters, "bi", 2) == 0) return "True or False";
  if (memchr(letters, 'p', size) || (size == 1 && letters[0] == 'n')) return "a function";
  if (memchr(letters, 's', size)) return "a string";
  if (memchr(letters, 'u', size)) return "a buffer";
  if (memchr(letters, 'h', size)) return "a pointer";
  if (memchr(letters, 'm', size)) return "a dictionary";
  if (memchr(letters, 'l', size)) return "a list";
  return "something else";
}
