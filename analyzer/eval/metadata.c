/// Reads the graph of objects that TVM writes as JSON, as far as constants go: "nodes" is a list of objects, each with its
/// "type" and its "data", which names others by their numbers; "root_index" is a map from types to lists of constants.
///
/// Always true: what is not as TVM writes it has no constants; nothing in it is followed twice.
#include "analyzer/eval/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct Part { ///< of the text
  const char *at, *end;
} Part;

typedef struct Node {
  Part type, data;
  const RlxExpr *tensor; ///< what it is, once it was read
  bool is_read;
} Node;

typedef struct Graph {
  Vec(Node) nodes;
  int64_t root;
} Graph;

typedef struct List { ///< of the constants of one type
  RlxName type;
  uint32_t count;
  const RlxExpr **at; ///< NULL: not read
} List;

typedef struct Metadata {
  Vec(List) lists;
} Metadata;

// ---- JSON

static const char *skip_blank(const char *p, const char *end) {
  while (p < end && strchr(" \t\r\n,:", *p)) p++;
  return p;
}

/// The value that begins at `p`, as it is written; strings without their quotes. Its end is `*next`.
static Part read_value(const char *p, const char *end, const char **next) {
  Part part = {skip_blank(p, end), end};
  p = part.at;
  if (p < end && *p == '"') {
    for (p = ++part.at; p < end && *p != '"'; p++) p += *p == '\\' && p + 1 < end;
    part.end = p;
    *next = p < end ? p + 1 : end;
    return part;
  }
  uint32_t depth = 0;
  bool in_string = false;
  for (; p < end; p++) {
    if (in_string && *p == '\\' && p + 1 < end)
      p++;
    else if (*p == '"')
      in_string = !in_string;
    else if (!in_string && (*p == '[' || *p == '{'))
      depth++;
    else if (!in_string && (*p == ']' || *p == '}')) {
      if (!depth) break;
      if (!--depth) {
        p++;
        break;
      }
    } else if (!in_string && !depth && strchr(" \t\r\n,", *p))
      break;
  }
  part.end = *next = p;
  return part;
}

/// The next value of a list or object; false: there is none. `*at` begins at the part itself.
static bool next_value(Part whole, const char **at, Part *out) {
  if (*at == whole.at && *at < whole.end) ++*at; // the bracket
  *at = skip_blank(*at, whole.end);
  if (*at >= whole.end || **at == ']' || **at == '}') return false;
  *out = read_value(*at, whole.end, at);
  return true;
}

static bool is_text(Part part, const char *text) {
  const size_t size = strlen(text);
  return (size_t)(part.end - part.at) == size && !memcmp(part.at, text, size);
}

/// What an object has under `key`; empty: nothing.
static Part field(Part object, const char *key) {
  const char *at = object.at;
  Part name, value;
  while (next_value(object, &at, &name) && next_value(object, &at, &value))
    if (is_text(name, key)) return value;
  return (Part){object.end, object.end};
}

/// -1: it is no number from 0 on.
static int64_t number(Part part) {
  int64_t v = 0;
  const char *p = part.at;
  if (p == part.end || part.end - p > 18) return -1;
  for (; p < part.end && *p >= '0' && *p <= '9'; p++) v = v * 10 + (*p - '0');
  return p == part.end ? v : -1;
}

static void read_graph(Part text, Graph *out) {
  const Part nodes = field(text, "nodes");
  const char *at = nodes.at;
  Part node;
  out->root = number(field(text, "root_index"));
  while (next_value(nodes, &at, &node))
    rlx_vec_push(&out->nodes, ((Node){.type = field(node, "type"), .data = field(node, "data")}));
}

static Node *node_of(const Graph *g, Part index, const char *type) {
  const int64_t i = number(index);
  Node *node = i >= 0 && i < (int64_t)g->nodes.count ? &g->nodes.at[i] : NULL;
  return node && (!type || is_text(node->type, type)) ? node : NULL;
}

// ---- tensors

static int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The bytes that base 64 stands for; `*size` is at most three quarters of the text.
static uint8_t *decode(RlxArena *arena, Part text, size_t *size) {
  uint8_t *out = rlx_arena_array(arena, uint8_t, (size_t)(text.end - text.at) / 4 * 3 + 3);
  uint32_t bits = 0;
  int held = 0;
  *size = 0;
  for (const char *p = text.at; p < text.end && *p != '='; p++) {
    const int d = digit(*p);
    if (d < 0) continue; // `\/`
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
static RlxExpr *read_tensor(RlxAnalyzer *a, Part text) {
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

static void read_list(RlxAnalyzer *a, const Graph *g, const Node *list, List *out) {
  const char *at = list->data.at;
  Part index;
  for (Part skipped; next_value(list->data, &at, &skipped);) out->count++;
  out->at = rlx_arena_array(a->arena, const RlxExpr *, out->count + 1);
  at = list->data.at;
  for (uint32_t i = 0; next_value(list->data, &at, &index); i++) {
    const Node *constant = node_of(g, index, NULL);
    Node *data = constant && constant->data.at < constant->data.end && *constant->data.at == '{'
                     ? node_of(g, field(constant->data, "data"), "ffi.Tensor")
                     : NULL;
    if (data && !data->is_read) data->tensor = read_tensor(a, data->data);
    if (data) data->is_read = true;
    out->at[i] = data ? data->tensor : NULL;
  }
}

static Metadata *read_metadata(RlxAnalyzer *a, const char *text) {
  Metadata *m = rlx_mem_zeroed(1, sizeof *m);
  Graph g = {0};
  read_graph((Part){text, text + strlen(text)}, &g);
  const Node *root = g.root >= 0 && g.root < (int64_t)g.nodes.count ? &g.nodes.at[g.root] : NULL;
  const char *at = root && is_text(root->type, "ffi.Map") ? root->data.at : NULL;
  Part key, value;
  while (at && next_value(root->data, &at, &key) && next_value(root->data, &at, &value)) {
    const Node *type = node_of(&g, key, "ffi.String"), *list = node_of(&g, value, "ffi.Array");
    if (!type || !list) continue;
    List read = {.type = rlx_store_intern(a->store, type->data.at,
                                          (size_t)(type->data.end - type->data.at))};
    read_list(a, &g, list, &read);
    rlx_vec_push(&m->lists, read);
  }
  rlx_vec_free(&g.nodes);
  return m;
}

void rlx_metadata_free(RlxAnalyzer *a) {
  RlxMapEntry entry;
  for (uint32_t at = 0; rlx_map_next(&a->metadata, &at, &entry);) {
    Metadata *m = (Metadata *)(uintptr_t)entry.value;
    rlx_vec_free(&m->lists);
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
  for (uint32_t k = 0; m && !base->nested && index.kind == RLX_VALUE_STR && k < m->lists.count; k++)
    if (m->lists.at[k].type == index.string) {
      RlxValue v = *base;
      v.span = span;
      v.nested = k + 1;
      return v;
    }
  const List *list = m && base->nested ? &m->lists.at[base->nested - 1] : NULL;
  const bool is_there =
      list && rlx_value_as_integer(&index, &i) && i >= 0 && i < (int64_t)list->count && list->at[i];
  RlxExpr *x =
      rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                   is_there ? list->at[i]->sinfo
                            : rlx_sinfo_tensor_ndim(e->store, -1, rlx_dtype_unknown(), NULL));
  if (is_there) x->constant.bytes = list->at[i]->constant.bytes;
  return rlx_value_expr(x);
}
