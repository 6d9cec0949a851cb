/// Reading and writing .safetensors: a header that is read is held against the file before anything is made of it.
///
/// Always true: a tensor lies in the file as a whole, has exactly the bytes that its shape and dtype
/// need, and shares them with no other.
#include "jit/runtime/safetensors.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

enum { NDIM_MAX = RLX_TENSOR_NDIM_MAX, NAME_MAX_BYTES = 4096 };

typedef struct Reader {
  const char *at, *end;
  RlxError *err;
} Reader;

typedef struct Entry {
  RlxDType dtype;
  int ndim;
  int64_t dims[NDIM_MAX];
  int64_t begin, stop; ///< in the elements' part
  bool has_dtype, has_shape, has_offsets;
} Entry;

static bool fail(Reader *r, const char *why) { return rlx_error_set(r->err, "its header %s", why); }

static void blanks(Reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool take(Reader *r, char c) {
  blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

enum { ESCAPE = 6 }; // bytes of the escape \u and its digits

/// The code point of the escape \u that begins at `r->at`, of two escapes where it is a surrogate pair; 0, which
/// no name may have: it is damaged.
static uint32_t read_code_point(Reader *r) {
  const int32_t first = rlx_text_escaped_unit(r->at, r->end);
  if (first <= 0) return 0;
  r->at += ESCAPE;
  if (first < 0xD800 || first > 0xDBFF) return (uint32_t)first;
  const int32_t second = rlx_text_escaped_unit(r->at, r->end);
  if (second < 0xDC00 || second > 0xDFFF) return (uint32_t)first;
  r->at += ESCAPE;
  return 0x10000 + ((uint32_t)(first - 0xD800) << 10) + (uint32_t)(second - 0xDC00);
}

/// A string of JSON; half of a surrogate pair alone is taken for the replacement character.
static bool read_string(Reader *r, RlxBuf *out) {
  rlx_buf_clear(out);
  if (!take(r, '"')) return fail(r, "lacks a string");
  while (r->at < r->end && *r->at != '"') {
    const char c = *r->at;
    if ((unsigned char)c < 32) return fail(r, "has a control character in a string");
    if (c == '\\' && r->end - r->at > 1) {
      static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
      const char *known = r->at[1] ? strchr(from, r->at[1]) : NULL;
      if (known) {
        rlx_buf_putc(out, to[known - from]);
        r->at += 2;
      } else {
        const uint32_t code = read_code_point(r);
        if (!code) return fail(r, "has a damaged escape in a string");
        rlx_utf8_put(out, code);
      }
    } else
      rlx_buf_putc(out, *r->at++);
    if (out->size > NAME_MAX_BYTES)
      return rlx_error_set(r->err, "its header has a string of more than %d bytes", NAME_MAX_BYTES);
  }
  if (r->at == r->end) return fail(r, "ends inside a string");
  r->at++;
  return true;
}

static bool read_count(Reader *r, int64_t *out) {
  blanks(r);
  const char *start = r->at;
  *out = 0;
  while (r->at < r->end && isdigit((unsigned char)*r->at))
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *r->at++ - '0', out))
      return fail(r, "has a number that is too large");
  return r->at > start || fail(r, "lacks a number that is not negative");
}

/// Integers in brackets; their count, or -1.
static int read_counts(Reader *r, int64_t *out, int most) {
  int count = 0;
  if (!take(r, '[')) return fail(r, "lacks a list of numbers"), -1;
  if (take(r, ']')) return 0;
  for (;;) {
    if (count == most)
      return rlx_error_set(r->err, "its header has a list of more than %d numbers", most), -1;
    if (!read_count(r, &out[count++])) return -1;
    if (take(r, ']')) return count;
    if (!take(r, ',')) return fail(r, "has a damaged list"), -1;
  }
}

static const struct {
  const char *name, *dtype;
} dtypes[] = {{"BOOL", "bool"},
              {"U8", "uint8"},
              {"I8", "int8"},
              {"U16", "uint16"},
              {"I16", "int16"},
              {"U32", "uint32"},
              {"I32", "int32"},
              {"U64", "uint64"},
              {"I64", "int64"},
              {"F16", "float16"},
              {"BF16", "bfloat16"},
              {"F32", "float32"},
              {"F64", "float64"},
              {"F8_E4M3", "float8_e4m3fn"},
              {"F8_E5M2", "float8_e5m2"}};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

static bool read_dtype(Reader *r, const char *name, RlxDType *out) {
  for (size_t i = 0; i < DTYPES; i++)
    if (!strcmp(dtypes[i].name, name))
      return rlx_dtype_parse(dtypes[i].dtype, strlen(dtypes[i].dtype), out);
  return rlx_error_set(r->err, "tensors of dtype %.40s are not supported", name);
}

static bool read_entry(Reader *r, Entry *e) {
  RlxBuf text = {0};
  bool ok = take(r, '{') || fail(r, "lacks what it says of a tensor");
  for (bool more = ok && !take(r, '}'); ok && more;) {
    ok = read_string(r, &text) && (take(r, ':') || fail(r, "lacks a colon"));
    const char *key = rlx_buf_text(&text);
    int64_t offsets[2];
    if (!ok) break;
    if (!strcmp(key, "dtype")) {
      ok = (!e->has_dtype || fail(r, "has a dtype twice")) && read_string(r, &text) &&
           read_dtype(r, rlx_buf_text(&text), &e->dtype);
      e->has_dtype = true;
    } else if (!strcmp(key, "shape")) {
      ok = !e->has_shape || fail(r, "has a shape twice");
      if (ok) ok = (e->ndim = read_counts(r, e->dims, NDIM_MAX)) >= 0;
      e->has_shape = true;
    } else if (!strcmp(key, "data_offsets")) {
      ok = !e->has_offsets || fail(r, "has data_offsets twice");
      if (ok) {
        int count = read_counts(r, offsets, 2);
        ok = count == 2 || (count >= 0 && fail(r, "has data_offsets that are not two"));
      }
      if (ok) e->begin = offsets[0], e->stop = offsets[1];
      e->has_offsets = true;
    } else
      ok = rlx_error_set(r->err, "its header says \"%.60s\" of a tensor, which is not known", key);
    if (ok && take(r, '}')) break;
    if (ok) ok = take(r, ',') || fail(r, "lacks a comma");
  }
  rlx_buf_free(&text);
  if (ok && !(e->has_dtype && e->has_shape && e->has_offsets))
    ok = fail(r, "lacks dtype, shape or data_offsets of a tensor");
  return ok;
}

/// "__metadata__": an object of strings, of which nothing is kept.
static bool skip_metadata(Reader *r) {
  RlxBuf text = {0};
  bool ok = take(r, '{') || fail(r, "has __metadata__ that is no object");
  for (bool more = ok && !take(r, '}'); ok && more;) {
    // values may be long; the limit is for names
    ok = read_string(r, &text) && (take(r, ':') || fail(r, "lacks a colon"));
    if (ok) {
      blanks(r);
      ok = r->at < r->end && *r->at == '"';
      for (ok = ok && ++r->at; ok && r->at < r->end && *r->at != '"'; r->at++)
        if (*r->at == '\\' && r->at + 1 < r->end) r->at++;
      ok = (ok && r->at < r->end) || fail(r, "has __metadata__ that is not of strings");
      if (ok) r->at++;
    }
    if (ok && take(r, '}')) break;
    if (ok) ok = take(r, ',') || fail(r, "lacks a comma");
  }
  rlx_buf_free(&text);
  return ok;
}

typedef struct Part {
  int64_t begin, stop;
} Part;

static int by_begin(const void *a, const void *b) {
  const Part *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return (x->stop > y->stop) - (x->stop < y->stop);
}

/// Whether each byte of the data, which is `size` long, is of one tensor, as the format has it: no two
/// overlap, and nothing hides between them or behind the last.
static bool covers(Reader *r, Part *parts, uint32_t count, int64_t size) {
  int64_t stop = 0;
  if (count > 1) qsort(parts, count, sizeof *parts, by_begin);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].begin < stop) return fail(r, "has tensors that overlap");
    if (parts[i].begin > stop)
      return rlx_error_set(r->err,
                           "its header leaves %lld bytes of the data from %lld on to no tensor",
                           (long long)(parts[i].begin - stop), (long long)stop);
    stop = parts[i].stop;
  }
  return stop == size || rlx_error_set(r->err, "%lld bytes stand behind the data of its tensors",
                                       (long long)(size - stop));
}

/// A tensor in the mapping; elements that do not lie on their own boundary are copied.
static RlxObject *make_tensor(RlxHeap *heap, RlxStorage *storage, int64_t data, const Entry *e,
                              RlxError *err) {
  int64_t at = data + e->begin;
  size_t item = rlx_dtype_bytes(e->dtype);
  bool is_bool = e->dtype.code == RLX_DTYPE_BOOL;
  if (item && at % (int64_t)item == 0 && !is_bool)
    return rlx_tensor_in(heap, storage, at, e->dtype, e->dims, e->ndim);
  RlxObject *x = rlx_tensor_new(heap, e->dtype, e->dims, e->ndim, err);
  if (!x) return NULL;
  const char *from = (const char *)storage->data + at;
  if (e->stop > e->begin) memcpy(x->data, from, (size_t)(e->stop - e->begin));
  for (int64_t i = 0; is_bool && i < e->stop - e->begin; i++)
    ((uint8_t *)x->data)[i] = ((uint8_t *)x->data)[i] != 0;
  return x;
}

static bool read_header(Reader *r, RlxHeap *heap, RlxStorage *storage, int64_t data,
                        RlxNamedTensors *out) {
  RlxBuf name = {0};
  RlxMap seen = {0};
  Vec(Part) parts = {0};
  bool ok = (rlx_utf8_is_valid(r->at, (size_t)(r->end - r->at), NULL) || fail(r, "is not UTF-8")) &&
            (take(r, '{') || fail(r, "is no object of JSON"));
  for (bool more = ok && !take(r, '}'); ok && more;) {
    ok = read_string(r, &name) && (take(r, ':') || fail(r, "lacks a colon"));
    if (!ok) break;
    const char *text = rlx_buf_text(&name);
    uint64_t key = rlx_hash_bytes(text, name.size, 1), at;
    if (rlx_map_get(&seen, key, &at)) {
      ok = rlx_error_set(r->err, "its header has \"%.200s\" twice", text);
      break;
    }
    rlx_map_put(&seen, key, 1);
    if (!strcmp(text, "__metadata__"))
      ok = skip_metadata(r);
    else {
      Entry e = {0};
      int64_t bytes, there = storage->bytes - data;
      ok = out->count < RLX_SAFETENSORS_MAX ||
           rlx_error_set(r->err, "its header has more than %d tensors", RLX_SAFETENSORS_MAX);
      ok = ok && read_entry(r, &e);
      if (ok && (!rlx_tensor_size(e.dtype, e.dims, e.ndim, &bytes) || e.begin > e.stop ||
                 e.stop - e.begin != bytes))
        ok = fail(r, "gives a tensor another size than its shape");
      if (ok && e.stop > there)
        ok = rlx_error_set(r->err, "the file ends inside its data: %lld bytes there, %lld needed",
                           (long long)there, (long long)e.stop);
      RlxObject *x = ok ? make_tensor(heap, storage, data, &e, r->err) : NULL;
      ok = x != NULL;
      if (!ok && *r->err->text) rlx_error_prefix(r->err, "%.200s", text);
      if (ok) rlx_vec_push(out, (RlxNamedTensor){rlx_mem_strdup(text), x});
      if (ok) rlx_vec_push(&parts, (Part){e.begin, e.stop});
    }
    if (ok && take(r, '}')) break;
    if (ok) ok = take(r, ',') || fail(r, "lacks a comma");
  }
  blanks(r);
  if (ok && r->at < r->end) ok = fail(r, "goes on behind its end");
  if (ok) ok = covers(r, parts.at, parts.count, storage->bytes - data);
  rlx_vec_free(&parts);
  rlx_map_free(&seen);
  rlx_buf_free(&name);
  return ok;
}

bool rlx_safetensors_open(RlxHeap *heap, const char *path, RlxNamedTensors *out, RlxError *err) {
  struct stat st;
  // without waiting: the path may be a pipe, which is refused
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat(fd, &st)) {
    rlx_error_set(err, "%s: cannot open: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  unsigned char head[8];
  uint64_t length = 0;
  bool ok = S_ISREG(st.st_mode) || rlx_error_set(err, "is no regular file");
  if (ok && (st.st_size < 8 || pread(fd, head, 8, 0) != 8))
    ok = rlx_error_set(err, "not a .safetensors file");
  for (int i = 7; ok && i >= 0; i--) length = length << 8 | head[i];
  if (ok && (length > RLX_SAFETENSORS_HEADER_MAX || (int64_t)length > st.st_size - 8))
    ok = rlx_error_set(err,
                       "not a .safetensors file: a header of %llu bytes, where the file has %lld "
                       "and %d are the most",
                       (unsigned long long)length, (long long)st.st_size,
                       RLX_SAFETENSORS_HEADER_MAX);
  // private and writable: what a call writes in place stays in memory
  void *map = ok ? mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_NORESERVE, fd, 0)
                 : MAP_FAILED;
  if (ok && map == MAP_FAILED) ok = rlx_error_set(err, "cannot be mapped: %s", strerror(errno));
  close(fd);
  if (ok) {
    RlxStorage *storage = rlx_storage_mapping(heap, map, st.st_size);
    RlxNamedTensors found = {0};
    Reader r = {(const char *)map + 8, (const char *)map + 8 + length, err};
    ok = read_header(&r, heap, storage, 8 + (int64_t)length, &found);
    for (uint32_t i = 0; ok && i < found.count; i++) rlx_vec_push(out, found.at[i]);
    if (ok)
      rlx_vec_free(&found);
    else
      rlx_named_tensors_free(&found);
    rlx_storage_unref(storage);
  }
  if (!ok && !strstr(err->text, path)) rlx_error_prefix(err, "%s", path);
  return ok;
}

// ---- writing

/// What the format calls a dtype; NULL: it has none.
static const char *name_of(RlxDType t) {
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_dtype_text(t, text);
  for (size_t i = 0; i < DTYPES; i++)
    if (!strcmp(dtypes[i].dtype, text)) return dtypes[i].name;
  return NULL;
}

/// Appends what the header says of a tensor whose elements begin at `*at`, which goes on behind them.
static bool put_entry(RlxJson *json, const RlxNamedTensor *t, int64_t *at, RlxError *err) {
  const RlxObject *x = t->tensor;
  char dtype[RLX_DTYPE_TEXT_MAX];
  const char *name = name_of(x->dtype);
  if (!name)
    return rlx_error_set(err, "%.200s: a .safetensors file has no tensors of %s", t->name,
                         rlx_dtype_text(x->dtype, dtype));
  rlx_json_key(json, t->name);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "dtype");
  rlx_json_text(json, name);
  rlx_json_key(json, "shape");
  rlx_json_begin(json, '[');
  for (int i = 0; i < x->count; i++) rlx_json_int(json, x->dims[i]);
  rlx_json_end(json, ']');
  rlx_json_key(json, "data_offsets");
  rlx_json_begin(json, '[');
  rlx_json_int(json, *at);
  *at += rlx_tensor_bytes(x);
  rlx_json_int(json, *at);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  return true;
}

static int by_item(const void *a, const void *b) {
  const RlxNamedTensor *const *x = a, *const *y = b;
  const int p = (int)rlx_dtype_bytes((*x)->tensor->dtype),
            q = (int)rlx_dtype_bytes((*y)->tensor->dtype);
  return p != q ? q - p : (*x > *y) - (*x < *y);
}

bool rlx_safetensors_write(const RlxNamedTensors *tensors, const char *path,
                           const volatile sig_atomic_t *cancel, RlxError *err) {
  RlxBuf header = {0}, all = {0};
  RlxJson json = {.out = &header};
  int64_t end = 0;
  bool ok = tensors->count <= RLX_SAFETENSORS_MAX ||
            rlx_error_set(err, "a .safetensors file has at most %d tensors", RLX_SAFETENSORS_MAX);
  // The widest elements first: each lies on its own boundary.
  const RlxNamedTensor **order = rlx_mem_zeroed((size_t)tensors->count + 1, sizeof *order);
  for (uint32_t i = 0; i < tensors->count; i++) order[i] = &tensors->at[i];
  if (tensors->count > 1) qsort(order, tensors->count, sizeof *order, by_item);
  rlx_json_begin(&json, '{');
  for (uint32_t i = 0; ok && i < tensors->count; i++) ok = put_entry(&json, order[i], &end, err);
  rlx_json_end(&json, '}');
  while (header.size % 8) rlx_buf_putc(&header, ' ');
  for (int i = 0; i < 8; i++) rlx_buf_putc(&all, (char)((uint64_t)header.size >> 8 * i));
  rlx_buf_putn(&all, header.at, header.size);
  for (uint32_t i = 0; ok && i < tensors->count && !(cancel && *cancel); i++)
    if (rlx_tensor_bytes(order[i]->tensor))
      rlx_buf_putn(&all, order[i]->tensor->data, (size_t)rlx_tensor_bytes(order[i]->tensor));
  ok = ok && rlx_file_write_unless(path, all.at, all.size, cancel, err);
  free(order);
  rlx_buf_free(&header);
  rlx_buf_free(&all);
  return ok;
}

void rlx_named_tensors_free(RlxNamedTensors *tensors) {
  for (uint32_t i = 0; i < tensors->count; i++) {
    free(tensors->at[i].name);
    rlx_object_unref(tensors->at[i].tensor);
  }
  rlx_vec_free(tensors);
}
