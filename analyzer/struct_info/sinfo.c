/// StructInfo: hash-consed constructors and device records.
///
/// Always true: two StructInfos with the same content are one pointer. A bare variable that stands
/// as a dimension of a tensor or a shape is marked as one (RlxSymVar.is_dimension), as TVM takes
/// such variables to be >= 0.
#include "analyzer/struct_info/sinfo.h"

#include <string.h>

#include "analyzer/symbolic/store_inside.h"
#include "base/hash.h"

static uint64_t mix(uint64_t h, uint64_t v) {
  return (h ^ v) * UINT64_C(0xff51afd7ed558ccd) + (h >> 29);
}

/// How many pointers the first union holds, and whether they are prims.
static int list_count(const RlxSInfo *s) {
  if (s->kind == RLX_SINFO_TENSOR || s->kind == RLX_SINFO_SHAPE) return s->dims ? s->ndim : 0;
  return s->fields ? s->count : 0;
}

static uint32_t content_hash(const RlxSInfo *s) {
  uint64_t h = mix((uint64_t)s->kind << 32 | s->purity,
                   (uint64_t)(uint32_t)s->ndim << 32 | (uint32_t)s->count);
  h = mix(h, (uint64_t)s->dtype.code << 32 | (uint64_t)s->dtype.bits << 16 | s->dtype.lanes);
  h = mix(h, (uint64_t)s->derive << 32 | s->mesh);
  h = mix(h, s->placement);
  if (s->kind == RLX_SINFO_TENSOR && s->shape_var) h = mix(h, s->shape_var->id + 1u);
  if (s->kind == RLX_SINFO_PRIM && s->value) h = mix(h, s->value->hash);
  if ((s->kind == RLX_SINFO_FUNC || s->kind == RLX_SINFO_DTENSOR) && s->ret)
    h = mix(h, s->ret->hash);
  if (s->vdevice) h = mix(h, (uint64_t)s->vdevice->target << 32 | (uint32_t)s->vdevice->id);
  int count = list_count(s);
  bool prims = s->kind == RLX_SINFO_TENSOR || s->kind == RLX_SINFO_SHAPE;
  if (s->fields) h = mix(h, 0x51);
  h = mix(h, s->extension);
  for (int i = 0; i < count; i++) {
    if (s->kind == RLX_SINFO_EXTENSION)
      h = mix(h, s->parts[i] ? s->parts[i]->id + 1u : 0);
    else
      h = mix(h, prims ? s->dims[i]->hash : s->fields[i]->hash);
  }
  return (uint32_t)(h ^ h >> 32);
}

static bool content_equal(const RlxSInfo *a, const RlxSInfo *b) {
  if (a->kind != b->kind || a->purity != b->purity || a->ndim != b->ndim || a->count != b->count)
    return false;
  if (!rlx_dtype_equal(a->dtype, b->dtype) || a->derive != b->derive || a->mesh != b->mesh)
    return false;
  if (a->placement != b->placement || a->ret != b->ret || a->vdevice != b->vdevice) return false;
  if ((a->fields == NULL) != (b->fields == NULL) || a->extension != b->extension) return false;
  for (int i = 0, n = list_count(a); i < n; i++)
    if (a->fields[i] != b->fields[i]) return false;
  return true;
}

static bool mentions_symbols(const RlxSInfo *s) {
  if (s->kind == RLX_SINFO_TENSOR && s->shape_var) return true;
  if (s->kind == RLX_SINFO_PRIM && s->value && s->value->vars) return true;
  if ((s->kind == RLX_SINFO_FUNC || s->kind == RLX_SINFO_DTENSOR) && s->ret && s->ret->has_symbols)
    return true;
  bool prims = s->kind == RLX_SINFO_TENSOR || s->kind == RLX_SINFO_SHAPE;
  for (int i = 0; s->kind == RLX_SINFO_EXTENSION && i < s->count; i++)
    if (s->parts[i]) return true;
  if (s->kind == RLX_SINFO_EXTENSION) return false;
  for (int i = 0, n = list_count(s); i < n; i++)
    if (prims ? s->dims[i]->vars != 0 : s->fields[i]->has_symbols) return true;
  return false;
}

static bool has_members(const RlxSInfo *s) {
  return s->kind == RLX_SINFO_TUPLE || s->kind == RLX_SINFO_FUNC;
}

/// Nodes when written out, without overflow.
static uint32_t count_nodes(const RlxSInfo *s) {
  uint64_t nodes = 1;
  for (int i = 0, n = has_members(s) ? list_count(s) : 0; i < n; i++) nodes += s->fields[i]->nodes;
  if (s->kind == RLX_SINFO_FUNC || s->kind == RLX_SINFO_DTENSOR) nodes += s->ret->nodes;
  return nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
}

static int depth(const RlxSInfo *s) {
  int deepest = 0;
  for (int i = 0, n = has_members(s) ? list_count(s) : 0; i < n; i++)
    if (s->fields[i]->depth > deepest) deepest = s->fields[i]->depth;
  if ((s->kind == RLX_SINFO_FUNC || s->kind == RLX_SINFO_DTENSOR) && s->ret->depth > deepest)
    deepest = s->ret->depth;
  return deepest + 1;
}

/// The one StructInfo with the content of `wanted`, whose lists are copied when it is new.
static const RlxSInfo *intern(RlxStore *store, const RlxSInfo *wanted) {
  uint32_t hash = content_hash(wanted);
  RlxCons *set = &store->sinfos;
  rlx_cons_reserve(set);
  uint32_t bucket = hash & (set->capacity - 1);
  for (RlxConsEntry *e; (e = &set->at[bucket])->value; bucket = rlx_cons_next(set, bucket))
    if (e->hash == hash && content_equal(e->value, wanted)) return e->value;

  RlxSInfo *made = rlx_arena_one(store->arena, RlxSInfo);
  *made = *wanted;
  made->hash = hash;
  made->number = set->count + 1;
  made->nodes = count_nodes(wanted);
  made->depth = (uint16_t)depth(wanted);
  made->has_symbols = mentions_symbols(wanted);
  int count = list_count(wanted);
  if (wanted->fields) {
    const RlxSInfo **own = rlx_arena_array(store->arena, const RlxSInfo *, count + 1);
    if (count > 0) memcpy(own, wanted->fields, (size_t)count * sizeof *own);
    made->fields = own;
  }
  rlx_cons_put(set, bucket, hash, made);
  return made;
}

static void mark_dimensions(RlxStore *store, const RlxPrim *const *dims, int count) {
  for (int i = 0; i < count; i++) rlx_prim_mark_dimension(store, dims[i]);
}

static RlxSInfo blank(RlxSInfoKind kind) {
  RlxSInfo s;
  memset(&s, 0, sizeof s);
  s.kind = (uint8_t)kind;
  s.ndim = -1;
  return s;
}

/// What `dims` points to when there are none of them: not NULL, which would mean "not known".
static const RlxPrim *const no_dims[1] = {NULL};

const RlxSInfo *rlx_sinfo_object(RlxStore *store) {
  if (!store->object) {
    RlxSInfo s = blank(RLX_SINFO_OBJECT);
    store->object = intern(store, &s);
  }
  return store->object;
}

const RlxSInfo *rlx_sinfo_prim(RlxStore *store, RlxDType dtype, const RlxPrim *value) {
  RlxSInfo s = blank(RLX_SINFO_PRIM);
  s.dtype = value ? value->dtype : dtype;
  s.value = value;
  return intern(store, &s);
}

const RlxSInfo *rlx_sinfo_shape(RlxStore *store, const RlxPrim *const *values, int ndim) {
  RlxSInfo s = blank(RLX_SINFO_SHAPE);
  s.ndim = ndim < 0 ? -1 : ndim;
  if (ndim >= 0) s.dims = ndim == 0 ? no_dims : values;
  if (s.dims) mark_dimensions(store, s.dims, ndim);
  return intern(store, &s);
}

const RlxSInfo *rlx_sinfo_tensor(RlxStore *store, const RlxPrim *const *dims, int ndim,
                                 RlxDType dtype, const RlxVDevice *vdevice) {
  RlxSInfo s = blank(RLX_SINFO_TENSOR);
  s.ndim = ndim < 0 ? -1 : ndim;
  if (ndim >= 0) s.dims = ndim == 0 ? no_dims : dims;
  s.dtype = dtype;
  s.vdevice = vdevice;
  if (s.dims) mark_dimensions(store, s.dims, ndim);
  return intern(store, &s);
}

const RlxSInfo *rlx_sinfo_tensor_ndim(RlxStore *store, int ndim, RlxDType dtype,
                                      const RlxVDevice *vdevice) {
  RlxSInfo s = blank(RLX_SINFO_TENSOR);
  s.ndim = ndim < 0 ? -1 : ndim;
  s.dtype = dtype;
  s.vdevice = vdevice;
  return intern(store, &s);
}

const RlxSInfo *rlx_sinfo_tensor_of(RlxStore *store, const RlxSymVar *shape_var, int ndim,
                                    RlxDType dtype, const RlxVDevice *vdevice) {
  RlxSInfo s = blank(RLX_SINFO_TENSOR);
  s.ndim = ndim < 0 ? -1 : ndim;
  s.dtype = dtype;
  s.vdevice = vdevice;
  s.shape_var = shape_var;
  return intern(store, &s);
}

const RlxSInfo *rlx_sinfo_tuple(RlxStore *store, const RlxSInfo *const *fields, int count) {
  static const RlxSInfo *const none[1] = {NULL};
  RlxSInfo s = blank(RLX_SINFO_TUPLE);
  s.count = count;
  s.fields = count == 0 ? none : fields;
  return depth(&s) > RLX_SINFO_DEPTH_MAX ? rlx_sinfo_object(store) : intern(store, &s);
}

const RlxSInfo *rlx_sinfo_func(RlxStore *store, const RlxSInfo *const *params, int count,
                               const RlxSInfo *ret, RlxPurity purity, RlxName derive) {
  static const RlxSInfo *const none[1] = {NULL};
  RlxSInfo s = blank(RLX_SINFO_FUNC);
  s.count = params ? count : 0;
  s.params = params && count == 0 ? none : params;
  s.ret = ret ? ret : rlx_sinfo_object(store);
  s.purity = (uint8_t)purity;
  s.derive = derive;
  if (depth(&s) > RLX_SINFO_DEPTH_MAX) {
    s.params = NULL;
    s.count = 0;
    s.ret = rlx_sinfo_object(store);
  }
  return intern(store, &s);
}

const RlxSInfo *rlx_sinfo_dtensor(RlxStore *store, const RlxSInfo *tensor, RlxName mesh,
                                  RlxName placement) {
  RlxSInfo s = blank(RLX_SINFO_DTENSOR);
  s.ndim = tensor->ndim;
  s.dtype = tensor->dtype;
  s.tensor = tensor;
  s.mesh = mesh;
  s.placement = placement;
  return intern(store, &s);
}

const RlxExtensionRow *rlx_extension_row(RlxExtension extension) {
#define RLX_EXTENSION(name, parts, doc) {#name, parts, doc},
  static const RlxExtensionRow rows[] = {
#include "analyzer/struct_info/extensions.def"
  };
#undef RLX_EXTENSION
  return &rows[extension < RLX_EXTENSION_COUNT ? extension : 0];
}

RlxExtension rlx_extension_find(const char *name) {
  int i = 0;
  while (i < RLX_EXTENSION_COUNT && strcmp(rlx_extension_row((RlxExtension)i)->name, name) != 0)
    i++;
  return (RlxExtension)i;
}

int rlx_extension_part_count(RlxExtension extension) {
  const char *at = rlx_extension_row(extension)->parts;
  int count = *at != '\0';
  for (; *at; at++) count += *at == ',';
  return count < RLX_EXTENSION_PARTS_MAX ? count : RLX_EXTENSION_PARTS_MAX;
}

const RlxSInfo *rlx_sinfo_extension(RlxStore *store, RlxExtension extension,
                                    const RlxSymVar *const *parts) {
  static const RlxSymVar *const unknown[RLX_EXTENSION_PARTS_MAX] = {NULL};
  RlxSInfo s = blank(RLX_SINFO_EXTENSION);
  s.extension = (uint8_t)extension;
  s.count = rlx_extension_part_count(extension);
  s.parts = parts ? parts : unknown;
  return intern(store, &s);
}

const RlxVDevice *rlx_vdevice(RlxStore *store, RlxName target, int id, RlxName scope, int place) {
  if (scope == RLX_NAME_NONE) scope = rlx_intern_text(store->names, "global");
  uint32_t hash = (uint32_t)rlx_hash_mix((uint64_t)target << 32 | (uint32_t)id,
                                         (uint64_t)scope << 32 | (uint32_t)place);
  RlxCons *set = &store->vdevices;
  rlx_cons_reserve(set);
  uint32_t bucket = hash & (set->capacity - 1);
  for (; set->at[bucket].value; bucket = rlx_cons_next(set, bucket)) {
    const RlxVDevice *known = set->at[bucket].value;
    if (known->target == target && known->id == id && known->scope == scope &&
        known->place == place)
      return known;
  }
  RlxVDevice *made = rlx_arena_one(store->arena, RlxVDevice);
  made->target = target;
  made->id = id;
  made->scope = scope;
  made->place = place;
  rlx_cons_put(set, bucket, hash, made);
  return made;
}

const RlxSInfo *rlx_sinfo_erase_dims(RlxStore *store, const RlxSInfo *a) {
  if (a->kind == RLX_SINFO_TENSOR)
    return rlx_sinfo_tensor_ndim(store, a->ndim, a->dtype, a->vdevice);
  if (a->kind == RLX_SINFO_SHAPE) return rlx_sinfo_shape(store, NULL, a->ndim);
  return a;
}
