/// Reads the graph of objects that TVM writes as JSON, as far as constants go: "nodes" is a list of objects, each with its
/// "type" and its "data", which names others by their numbers; "root_index" is a map from types to lists of constants.
/// Until 0.20 these were "type_key", "root", the keys of a map in a list of their own ("keys"), the parts of an object as
/// texts ("attrs"), and the tensors beside the graph ("b64ndarrays").
///
/// Always true: what is not as TVM writes it has no constants; each node is read once, however often it is named.
#include "analyzer/eval/metadata.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct Node Node;
struct Node {
  const char *type;
  const cJSON *data, *keys; ///< keys: of a map of before 0.20, else NULL
  // Once it was read, as often as it is named:
  const RlxExpr *tensor; ///< what it is
  Node *data_node;       ///< of a constant: that of its tensor
  const RlxExpr **items; ///< of a list: its constants, `item_count` of them
  uint32_t item_count;
  bool is_read, is_followed; ///< `tensor` holds; `data_node` does
};

typedef struct Graph {
  Vec(Node) nodes;
  const cJSON *root; ///< its number
  uint32_t
      objects; ///< the first so many nodes are objects; behind them, those before 0.20 have their tensors
} Graph;

typedef struct List { ///< of the constants of one type
  uint32_t count;
  const RlxExpr **at;
} List;

typedef struct Metadata {
  Vec(List) lists;
  RlxMap numbers; ///< types to the numbers of their lists
} Metadata;

// ---- the graph

/// The first of two members that the object has.
static const cJSON *either(const cJSON *object, const char *name, const char *before_020) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  return item ? item : cJSON_GetObjectItemCaseSensitive(object, before_020);
}

static void read_graph(const cJSON *json, Graph *out) {
  const cJSON *node, *nodes = cJSON_GetObjectItemCaseSensitive(json, "nodes");
  out->root = either(json, "root_index", "root");
  cJSON_ArrayForEach(node, nodes) {
    const char *type = cJSON_GetStringValue(either(node, "type", "type_key"));
    rlx_vec_push(&out->nodes, ((Node){.type = type ? type : "",
                                      .data = either(node, "data", "attrs"),
                                      .keys = cJSON_GetObjectItemCaseSensitive(node, "keys")}));
  }
  out->objects = out->nodes.count;
  nodes = cJSON_GetObjectItemCaseSensitive(json, "b64ndarrays");
  cJSON_ArrayForEach(node, nodes)
      rlx_vec_push(&out->nodes, ((Node){.type = "ffi.Tensor", .data = node}));
}

/// The object that a number names; NULL: none, or none of this type (NULL: any).
static Node *node_of(const Graph *g, const cJSON *index, const char *type) {
  const double i = cJSON_IsNumber(index) ? index->valuedouble : -1;
  Node *node = i >= 0 && i < (double)g->nodes.count ? &g->nodes.at[(uint32_t)i] : NULL;
  return node && (!type || strcmp(node->type, type) == 0) ? node : NULL;
}

// ---- tensors

static int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The bytes that base 64 stands for; `*size` is at most three quarters of the text.
static uint8_t *decode(RlxArena *arena, const char *text, size_t *size) {
  uint8_t *out = rlx_arena_array(arena, uint8_t, strlen(text) / 4 * 3 + 3);
  uint32_t bits = 0;
  int held = 0;
  *size = 0;
  for (const char *p = text; *p && *p != '='; p++) {
    const int d = digit(*p);
    if (d < 0) continue; // the end of a line
    bits = bits << 6 | (uint32_t)d;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out[(*size)++] = (uint8_t)(bits >> held);
  }
  return out;
}

/// A dtype by DLPack's number of its kind.
static bool dtype_of(const uint8_t *at, RlxDType *out) {
  static const struct {
    uint8_t number;
    RlxDTypeCode code;
  } kinds[] = {{0, RLX_DTYPE_INT},
               {1, RLX_DTYPE_UINT},
               {2, RLX_DTYPE_FLOAT},
               {4, RLX_DTYPE_BFLOAT},
               {6, RLX_DTYPE_BOOL}};
  if (at[2] != 1 || at[3] || at[1] % 8 || !at[1]) return false; // one lane of whole bytes
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].number == at[0])
      return *out = kinds[i].code == RLX_DTYPE_BOOL ? RLX_BOOL : rlx_dtype(kinds[i].code, at[1]),
             true;
  return false;
}

/// A tensor as TVM saves it: a magic number, device, rank, dtype, extents, bytes, elements. NULL: it is none.
static RlxExpr *read_tensor(RlxAnalyzer *a, const char *text) {
  enum { MAGIC = 8, RESERVED = 8, DEVICE = 8, NDIM_MAX = 64 };
  static const uint8_t magic[MAGIC] = {0x3f, 0xa1, 0xb4, 0x96, 0xf0, 0x40, 0x5e, 0xdd};
  const size_t head = MAGIC + RESERVED + DEVICE + 8;
  size_t size;
  const uint8_t *at = decode(a->arena, text, &size), *end = at + size;
  int32_t ndim;
  RlxDType dtype;
  if (size < head || memcmp(at, magic, MAGIC) != 0) return NULL;
  memcpy(&ndim, at + head - 8, sizeof ndim);
  if (ndim < 0 || ndim > NDIM_MAX || !dtype_of(at + head - 4, &dtype)) return NULL;
  at += head;
  if ((size_t)(end - at) < ((size_t)ndim + 1) * 8) return NULL;
  const RlxPrim *dims[NDIM_MAX];
  int64_t bytes = dtype.bits / 8 + !(dtype.bits / 8), given;
  for (int32_t i = 0; i < ndim; i++, at += 8) {
    int64_t extent;
    memcpy(&extent, at, sizeof extent);
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes)) return NULL;
    dims[i] = rlx_prim_int(a->store, extent);
  }
  memcpy(&given, at, sizeof given);
  at += 8;
  if (given != bytes || bytes > end - at) return NULL;
  RlxExpr *x = rlx_arena_one(a->arena, RlxExpr);
  *x = (RlxExpr){.kind = RLX_EXPR_CONSTANT,
                 .sinfo = rlx_sinfo_tensor(a->store, dims, ndim, dtype, NULL)};
  x->constant.bytes = at;
  return x;
}

/// The tensor that a constant names: by its number among the nodes, or before 0.20 by a text with its number among the
/// tensors. NULL: none.
static Node *tensor_of(const Graph *g, const Node *constant) {
  const cJSON *of = constant ? cJSON_GetObjectItemCaseSensitive(constant->data, "data") : NULL;
  const char *text = cJSON_GetStringValue(of);
  if (!text) return node_of(g, of, "ffi.Tensor");
  char *end;
  const unsigned long i = strtoul(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && !*end;
  return is_number && i < g->nodes.count - g->objects ? &g->nodes.at[g->objects + i] : NULL;
}

static const RlxExpr *read_constant(RlxAnalyzer *a, const Graph *g, Node *constant) {
  if (!constant) return NULL;
  if (!constant->is_followed) constant->data_node = tensor_of(g, constant);
  constant->is_followed = true;
  Node *data = constant->data_node;
  const char *text = data ? cJSON_GetStringValue(data->data) : NULL;
  if (text && !data->is_read) data->tensor = read_tensor(a, text);
  if (data) data->is_read = true;
  return data ? data->tensor : NULL;
}

static void read_list(RlxAnalyzer *a, const Graph *g, Node *list) {
  const cJSON *index;
  list->items =
      rlx_arena_array(a->arena, const RlxExpr *, (size_t)cJSON_GetArraySize(list->data) + 1);
  cJSON_ArrayForEach(index, list->data) list->items[list->item_count++] =
      read_constant(a, g, node_of(g, index, NULL));
}

/// Adds the constants of the type `name`, unless one of the two is missing; the first list of a type counts.
static void add_list(RlxAnalyzer *a, const Graph *g, const char *name, Node *list, Metadata *out) {
  if (!name || !list || !cJSON_IsArray(list->data)) return;
  const RlxName type = rlx_store_intern(a->store, name, strlen(name));
  uint64_t known;
  if (rlx_map_get(&out->numbers, type, &known)) return;
  if (!list->items) read_list(a, g, list);
  rlx_map_put(&out->numbers, type, out->lists.count);
  rlx_vec_push(&out->lists, ((List){.count = list->item_count, .at = list->items}));
}

static Metadata *read_metadata(RlxAnalyzer *a, const char *text) {
  Metadata *m = rlx_mem_zeroed(1, sizeof *m);
  Graph g = {0};
  cJSON *json = cJSON_Parse(text);
  read_graph(json, &g);
  const Node *root = node_of(&g, g.root, "ffi.Map");
  for (const cJSON *key = root && cJSON_IsArray(root->data) ? root->data->child : NULL;
       key && key->next; key = key->next->next) {
    const Node *type = node_of(&g, key, "ffi.String");
    add_list(a, &g, type ? cJSON_GetStringValue(type->data) : NULL,
             node_of(&g, key->next, "ffi.Array"), m);
  }
  root = node_of(&g, g.root, "Map");
  const cJSON *item = root && cJSON_IsArray(root->data) ? root->data->child : NULL;
  for (const cJSON *key = root && cJSON_IsArray(root->keys) ? root->keys->child : NULL; key && item;
       key = key->next, item = item->next)
    add_list(a, &g, cJSON_GetStringValue(key), node_of(&g, item, "Array"), m);
  rlx_vec_free(&g.nodes);
  cJSON_Delete(json);
  return m;
}

void rlx_metadata_free(RlxAnalyzer *a) {
  RlxMapEntry entry;
  for (uint32_t at = 0; rlx_map_next(&a->metadata, &at, &entry);) {
    Metadata *m = (Metadata *)(uintptr_t)entry.value;
    rlx_vec_free(&m->lists);
    rlx_map_free(&m->numbers);
    free(m);
  }
  rlx_map_free(&a->metadata);
}

// ---- values

/// What the text holds; it is read once.
static const Metadata *metadata_of(RlxAnalyzer *a, RlxName text) {
  uint64_t known;
  if (rlx_map_get(&a->metadata, text, &known)) return (const Metadata *)(uintptr_t)known;
  Metadata *m = read_metadata(a, rlx_store_text(a->store, text));
  rlx_map_put(&a->metadata, text, (uint64_t)(uintptr_t)m);
  return m;
}

RlxValue rlx_metadata_load(RlxEval *e, RlxName text, RlxSpan span) {
  RlxValue v = rlx_names_path(&e->analyzer->words, "metadata");
  v.span = span;
  v.count = text;
  return v;
}

RlxValue rlx_metadata_subscript(RlxEval *e, const RlxValue *base, RlxValue index, RlxSpan span) {
  const Metadata *m = base ? metadata_of(e->analyzer, base->count) : NULL;
  int64_t i;
  uint64_t number;
  if (m && !base->nested && index.kind == RLX_VALUE_STR &&
      rlx_map_get(&m->numbers, index.string, &number)) {
    RlxValue v = *base;
    v.span = span;
    v.nested = (uint32_t)number + 1;
    return v;
  }
  const List *list = m && base->nested ? &m->lists.at[base->nested - 1] : NULL;
  const bool is_there =
      list && rlx_value_as_integer(&index, &i) && i >= 0 && i < (int64_t)list->count && list->at[i];
  RlxExpr *x =
      rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                   is_there ? list->at[i]->sinfo
                            : rlx_sinfo_tensor_ndim(e->store, -1, rlx_dtype_unknown(), NULL));
  if (is_there)
    x->constant.bytes = list->at[i]->constant.bytes;
  else
    e->tainted |= RLX_OPEN; // it may have any shape and dtype
  return rlx_value_expr(x);
}
