/// Calls of the vocabulary of R and I that make devices, ranges of them and meshes: I.vdevice, I.Range, R.device, R.device_mesh.
#include "analyzer/eval/eval_words.h"

#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"

enum { MAX_DEVICES = 1 << 20 }; // of a mesh that is looked into

/// Reports arguments of I.vdevice that make no device.
static bool check_device(RlxEval *e, const RlxWordCall *c, const RlxValue *target,
                         const RlxValue *index, const RlxValue *scope) {
  const char *what = "I.vdevice";
  const RlxDialect dialect = e->fn ? (RlxDialect)e->fn->dialect : e->outer_dialect;
  if (!rlx_script_names_cover(dialect)) return true;
  const char *expected;
  const RlxValue *wrong = target && target->kind != RLX_VALUE_NONE
                              ? rlx_word_target_fault(e->store, e->arena, target, &expected)
                              : NULL;
  if (index && index->kind != RLX_VALUE_BOOL && rlx_word_is_no(index, RLX_VALUE_INT)) {
    rlx_word_invalid(e, what, "vdevice_id", index, "an int", c->span);
  } else if (scope && rlx_word_is_no(scope, RLX_VALUE_STR)) {
    rlx_word_invalid(e, what, "memory_scope", scope, "a string", c->span);
  } else if (wrong) {
    rlx_word_invalid(e, what, "target", wrong, expected, c->span);
  } else
    return true;
  return false;
}

RlxValue rlx_word_vdevice(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *target = rlx_py_arg(e, c->args, 0, "target"),
                 *index = rlx_py_arg(e, c->args, 1, "vdevice_id"),
                 *scope = rlx_py_arg(e, c->args, 2, "memory_scope");
  if (!check_device(e, c, target, index, scope)) return rlx_eval_failed(e, c->span);
  RlxName name = 0;
  if (target && target->kind == RLX_VALUE_STR) name = target->string;
  if (target && target->kind == RLX_VALUE_DICT) { // {"kind": "llvm", …}
    for (uint32_t i = 0; i + 1 < target->count; i += 2)
      if (target->items[i].kind == RLX_VALUE_STR && target->items[i + 1].kind == RLX_VALUE_STR &&
          strcmp(rlx_store_text(e->store, target->items[i].string), "kind") == 0)
        name = target->items[i + 1].string;
  }
  RlxName global = rlx_word_name(&e->analyzer->words, "global");
  RlxValue v = {.kind = RLX_VALUE_VDEVICE, .span = c->span};
  int id = index && index->kind == RLX_VALUE_INT ? (int)index->integer : 0;
  const RlxVDevice *device = rlx_vdevice(
      e->store, name, id, scope && scope->kind == RLX_VALUE_STR ? scope->string : global, 0);
  const RlxModule *module = e->fn ? e->fn->module : NULL;
  v.thing = device;
  for (uint32_t i = 0; module && i < module->vdevices.count; i++) { // the module's own
    const RlxVDevice *own = module->vdevices.at[i];
    if (own->target == device->target && own->id == device->id && own->scope == device->scope) {
      v.thing = own;
      break;
    }
  }
  return v;
}

/// R.Range(…) and other values that nothing looks into.
RlxValue rlx_word_opaque(RlxEval *e, const RlxWordCall *c) {
  (void)e;
  RlxValue v = {.kind = RLX_VALUE_OTHER, .span = c->span};
  v.text = "a device or range";
  return v;
}

/// I.Range(0, 4), I.Range(4): `count` of what it gives is its extent and one more, or 0: not known.
RlxValue rlx_word_range(RlxEval *e, const RlxWordCall *c) {
  RlxValue v = rlx_word_opaque(e, c);
  const RlxValue *begin = rlx_py_arg(e, c->args, 0, "begin"),
                 *end = rlx_py_arg(e, c->args, 1, "end");
  int64_t from = 0, to;
  if (c->args->is_unknown || !begin || !rlx_value_as_integer(end ? end : begin, &to) ||
      (end && !rlx_value_as_integer(begin, &from)))
    return v;
  const bool is_small = from >= 0 && to <= MAX_DEVICES;
  v.count = !is_small ? 0 : from > to ? 1 : (uint32_t)(to - from) + 1;
  return v;
}

/// Whether the word at `at` is an int for Python, of 32 bits: "1", "-1", "1_000".
static bool is_int_word(const char *at) {
  const int64_t most = *at == '-' ? -(int64_t)INT32_MIN : INT32_MAX;
  int64_t value = 0;
  bool is_digit = false;
  at += *at == '+' || *at == '-';
  for (; *at && *at != ' '; at++) {
    const bool is_mark = *at == '_' && is_digit;
    is_digit = *at >= '0' && *at <= '9';
    if (is_digit) value = value * 10 + (*at - '0');
    if ((!is_digit && !is_mark) || value > most) return false;
  }
  return is_digit;
}

/// Kinds of device by their names, and the last dialect that has the name. Source: tvm_ffi's Device, in the wheels of 0.25 and 0.27.
static const struct {
  const char *name;
  RlxDialect until;
} devices[] = {
    {"c", RLX_DIALECT_025},      {"cl", RLX_DIALECT_025},      {"cpu", RLX_DIALECT_027},
    {"cuda", RLX_DIALECT_027},   {"ext_dev", RLX_DIALECT_027}, {"hexagon", RLX_DIALECT_027},
    {"llvm", RLX_DIALECT_025},   {"maia", RLX_DIALECT_027},    {"metal", RLX_DIALECT_027},
    {"nvptx", RLX_DIALECT_025},  {"opencl", RLX_DIALECT_027},  {"rocm", RLX_DIALECT_027},
    {"test", RLX_DIALECT_025},   {"trn", RLX_DIALECT_027},     {"vpi", RLX_DIALECT_027},
    {"vulkan", RLX_DIALECT_027}, {"webgpu", RLX_DIALECT_027}};

/// Whether "cuda", "cuda:1" or "cuda:1 and more" names a device.
static bool names_device(const RlxEval *e, const char *text) {
  const size_t size = strcspn(text, " :");
  const bool is_027 = rlx_eval_is_027(e);
  bool is_known = false;
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    is_known |= strlen(devices[i].name) == size && memcmp(devices[i].name, text, size) == 0 &&
                (!is_027 || devices[i].until == RLX_DIALECT_027);
  return is_known && (text[size] != ':' || is_int_word(text + size + 1));
}

/// Whether a value is surely no int for Python: anything else that is known, and expressions of TVM's.
static bool is_no_int(const RlxEval *e, const RlxValue *v) {
  const RlxPythonType type = rlx_python_type(e, v);
  return v->kind == RLX_VALUE_PRIM || v->kind == RLX_VALUE_SYMDECL ||
         (v->kind == RLX_VALUE_EXPR && v->expr->kind != RLX_EXPR_HOLE) ||
         (type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_INT && type != RLX_PYTHON_BOOL);
}

/// Whether a value is an int that no 32 bits hold, as those of devices are.
static bool is_beyond_int32(const RlxValue *v) {
  return (v->kind == RLX_VALUE_INT && (v->integer < INT32_MIN || v->integer > INT32_MAX)) ||
         v->kind == RLX_VALUE_UINT64 || (v->kind == RLX_VALUE_OTHER && v->text == rlx_big_int_text);
}

/// R.device("cpu", 0).
RlxValue rlx_word_device(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *type = rlx_py_arg(e, c->args, 0, "device_type"),
                 *index = rlx_py_arg(e, c->args, 1, "index");
  if (!type && !c->args->is_unknown)
    return rlx_word_invalid(e, "R.device", "device_type", NULL, "", c->span);
  if (!rlx_refuse_may_tell(e)) return rlx_word_opaque(e, c);
  const bool is_text = type && type->kind == RLX_VALUE_STR,
             is_number = type && type->kind == RLX_VALUE_PRIM && type->prim->kind == RLX_PRIM_INT;
  if (is_text && !names_device(e, rlx_store_text(e->store, type->string)))
    return rlx_word_invalid(e, "R.device", "device_type", type,
                            "a device, as \"cuda\" or \"cuda:1\"", type->span);
  if (type && !is_text && !is_number && type->kind != RLX_VALUE_FLOAT && is_no_int(e, type))
    return rlx_word_invalid(e, "R.device", "device_type", type, "a string or an int", type->span);
  const RlxValue *wide = type && is_beyond_int32(type)     ? type
                         : index && is_beyond_int32(index) ? index
                                                           : NULL;
  if (wide)
    return rlx_word_invalid(e, "R.device", wide == type ? "device_type" : "index", wide,
                            "an int of 32 bits", wide->span);
  if (index && index->kind != RLX_VALUE_NONE && is_no_int(e, index))
    return rlx_word_invalid(e, "R.device", "index", index, "an int", index->span);
  return rlx_word_opaque(e, c);
}

/// R.cpu(0): the index of a device is an int (word_kinds.def), of 32 bits.
RlxValue rlx_word_device_index(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *index = rlx_py_arg(e, c->args, 0, "dev_id");
  if (index && rlx_refuse_may_tell(e) && is_beyond_int32(index))
    return rlx_word_invalid(e, rlx_word_path(c->word), "dev_id", index, "an int of 32 bits",
                            index->span);
  return rlx_word_opaque(e, c);
}

/// R.device_mesh((2, 2), [0, 1, 2, 3]): as many devices as the shape has places.
RlxValue rlx_word_device_mesh(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *shape = rlx_py_arg(e, c->args, 0, "shape"),
                 *ids = rlx_py_arg(e, c->args, 1, "device_ids");
  int64_t places = 1, extent;
  if ((!shape || !ids) && !c->args->is_unknown && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), c->name_span, "ss", "R.device_mesh",
                    shape ? "device_ids" : "shape");
  if (shape && shape->kind == RLX_VALUE_OTHER && rlx_refuse_may_tell(e))
    return rlx_word_invalid(e, "R.device_mesh", "shape", shape, "a tuple of numbers", c->span);
  const bool is_range =
      ids && ids->kind == RLX_VALUE_OTHER && ids->text != rlx_mesh_text && ids->count;
  bool known = shape && ids && shape->kind == RLX_VALUE_LIST &&
               (ids->kind == RLX_VALUE_LIST || is_range) && !e->tainted;
  for (uint32_t i = 0; known && i < shape->count; i++) {
    known = rlx_value_as_integer(&shape->items[i], &extent) && extent >= 0 && extent <= MAX_DEVICES;
    if (known) places *= extent;
    known &= places <= MAX_DEVICES;
  }
  for (uint32_t i = 0; known && !is_range && i < ids->count; i++) {
    if (rlx_value_as_integer(&ids->items[i], &extent) ||
        rlx_python_type(e, &ids->items[i]) == RLX_PYTHON_UNKNOWN)
      continue;
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), ids->items[i].span, "ssss", "R.device_mesh",
                    "device_ids", rlx_value_text(e, &ids->items[i]), "an int");
    known = false;
  }
  const uint32_t given = !known ? 0 : ids->count - is_range;
  if (known && places != (int64_t)given)
    rlx_eval_report(
        e, RLX_DIAG_ID(ARGUMENT_INVALID), ids->span, "ssss", "R.device_mesh", "device_ids",
        rlx_arena_printf(e->arena, given == 1 ? "%u device" : "%u devices", given),
        rlx_arena_printf(e->arena, "%lld, one for each place of the shape", (long long)places));
  RlxValue mesh = {.kind = RLX_VALUE_OTHER, .span = c->span};
  mesh.text = rlx_mesh_text;
  if (shape && shape->kind == RLX_VALUE_LIST) mesh.count = shape->count + 1;
  return mesh;
}
