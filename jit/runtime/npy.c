/// numpy's array format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#include "jit/runtime/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#include "base/file.h"
#include "base/mem.h"

enum { MAX_NDIM = 64 };
static const size_t array_limit_bytes = (size_t)1 << 36;

void rlx_named_tensors_free(RlxNamedTensors *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    free(list->at[i].name);
    rlx_object_unref(list->at[i].tensor);
  }
  rlx_vec_free(list);
}

typedef struct Header {
  RlxDType dtype;
  bool swapped, fortran;
  int ndim;
  int64_t dims[MAX_NDIM];
  bool has_descr, has_order, has_shape;
} Header;

typedef struct Reader {
  const char *at, *end;
} Reader;

static void blanks(Reader *r) {
  while (r->at < r->end && isspace((unsigned char)*r->at)) r->at++;
}
static bool take(Reader *r, char c) {
  blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}
static bool quoted(Reader *r, char *out, size_t capacity) {
  blanks(r);
  if (r->at == r->end || (*r->at != '\'' && *r->at != '"')) return false;
  char quote = *r->at++;
  size_t n = 0;
  while (r->at < r->end && *r->at != quote && n + 1 < capacity) out[n++] = *r->at++;
  out[n] = 0;
  return take(r, quote);
}

static bool descr_dtype(const char *descr, Header *h, RlxError *err) {
  const char *p = descr;
  char order = '=';
  if (*p && strchr("<>=|", *p)) order = *p++;
  char kind = *p ? *p++ : 0;
  char *rest = NULL;
  long bytes = strtol(p, &rest, 10);
  int code = kind == 'f'   ? RLX_DTYPE_FLOAT
             : kind == 'i' ? RLX_DTYPE_INT
             : kind == 'u' ? RLX_DTYPE_UINT
             : kind == 'b' ? RLX_DTYPE_BOOL
                           : 0;
  bool ok = code && rest != p && !*rest && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
  if (code == RLX_DTYPE_FLOAT && bytes == 1) ok = false;
  if (code == RLX_DTYPE_BOOL && bytes != 1) ok = false;
  if (!ok)
    return rlx_error_set(err,
                         "arrays of numpy dtype '%s' are not supported: use integers, floats of 16 "
                         "to 64 bits, or bool",
                         descr);
  h->dtype = rlx_dtype((RlxDTypeCode)code, (int)bytes * 8);
  h->swapped = order == '>' && bytes > 1;
  return true;
}

static bool shape_tuple(Reader *r, Header *h, RlxError *err) {
  if (!take(r, '(')) return rlx_error_set(err, "the header's shape is no tuple");
  while (!take(r, ')')) {
    blanks(r);
    int64_t v = 0;
    const char *start = r->at;
    while (r->at < r->end && isdigit((unsigned char)*r->at))
      if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *r->at++ - '0', &v))
        return rlx_error_set(err, "a dimension in the header is too large");
    if (r->at == start) return rlx_error_set(err, "the header's shape is not made of integers");
    if (r->at < r->end && *r->at == 'L') r->at++; // numpy under Python 2
    if (h->ndim == MAX_NDIM)
      return rlx_error_set(err, "an array has more than %d dimensions", MAX_NDIM);
    h->dims[h->ndim++] = v;
    take(r, ',');
  }
  return true;
}

static bool read_header(Reader *r, Header *h, RlxError *err) {
  char key[32], text[64];
  if (!take(r, '{')) return rlx_error_set(err, "the header is no dictionary");
  while (!take(r, '}')) {
    if (!quoted(r, key, sizeof key) || !take(r, ':'))
      return rlx_error_set(err, "the header is no dictionary of strings");
    if (!strcmp(key, "descr")) {
      if (!quoted(r, text, sizeof text))
        return rlx_error_set(err, "arrays of structures are not supported");
      if (!descr_dtype(text, h, err)) return false;
      h->has_descr = true;
    } else if (!strcmp(key, "fortran_order")) {
      blanks(r);
      bool yes = r->end - r->at >= 4 && !memcmp(r->at, "True", 4);
      if (!yes && !(r->end - r->at >= 5 && !memcmp(r->at, "False", 5)))
        return rlx_error_set(err, "the header's fortran_order is neither True nor False");
      r->at += yes ? 4 : 5;
      h->fortran = yes;
      h->has_order = true;
    } else if (!strcmp(key, "shape")) {
      if (!shape_tuple(r, h, err)) return false;
      h->has_shape = true;
    } else
      return rlx_error_set(err, "the header has an unknown key '%s'", key);
    take(r, ',');
  }
  if (!h->has_descr || !h->has_order || !h->has_shape)
    return rlx_error_set(err, "the header lacks descr, fortran_order or shape");
  return true;
}

/// Copies column-major `from` into row-major `to`.
static void from_fortran(RlxObject *x, const char *from) {
  size_t item = rlx_dtype_bytes(x->dtype);
  int64_t count = rlx_tensor_count(x), index[MAX_NDIM] = {0}, stride[MAX_NDIM], s = 1;
  for (int d = 0; d < x->count; d++) {
    stride[d] = s;
    s *= x->dims[d];
  }
  for (int64_t i = 0; i < count; i++) {
    int64_t at = 0;
    for (int d = 0; d < x->count; d++) at += index[d] * stride[d];
    memcpy((char *)x->data + (size_t)i * item, from + (size_t)at * item, item);
    for (int d = x->count; d-- > 0;) {
      if (++index[d] < x->dims[d]) break;
      index[d] = 0;
    }
  }
}

static void swap_bytes(char *data, int64_t count, size_t item) {
  for (int64_t i = 0; i < count; i++, data += item)
    for (size_t k = 0; k < item / 2; k++) {
      char c = data[k];
      data[k] = data[item - 1 - k];
      data[item - 1 - k] = c;
    }
}

static RlxObject *decode(RlxHeap *heap, const char *bytes, size_t size, RlxError *err) {
  if (size < 10 || memcmp(bytes, "\x93NUMPY", 6)) {
    rlx_error_set(err, "not a .npy file");
    return NULL;
  }
  const unsigned char *u = (const unsigned char *)bytes;
  size_t start = u[6] == 1 ? 10 : 12;
  if (u[6] < 1 || u[6] > 3) {
    rlx_error_set(err, "version %d of the .npy format is not known", u[6]);
    return NULL;
  }
  size_t length =
      size < start ? SIZE_MAX
      : u[6] == 1  ? (size_t)(u[8] | u[9] << 8)
                   : (size_t)u[8] | (size_t)u[9] << 8 | (size_t)u[10] << 16 | (size_t)u[11] << 24;
  if (size < start || length > size - start) {
    rlx_error_set(err, "the file ends inside its header");
    return NULL;
  }
  Header h = {0};
  Reader r = {bytes + start, bytes + start + length};
  if (!read_header(&r, &h, err)) return NULL;
  size_t left = size - start - length;
  int64_t want = (int64_t)rlx_dtype_bytes(h.dtype);
  bool zero = false;
  for (int i = 0; i < h.ndim; i++) zero |= h.dims[i] == 0;
  for (int i = 0; i < h.ndim && !zero; i++)
    if (__builtin_mul_overflow(want, h.dims[i], &want)) want = INT64_MAX;
  if (zero) want = 0;
  if (want == INT64_MAX || (size_t)want > left) {
    rlx_error_set(err, "the file ends inside its data: %zu bytes there, %lld needed", left,
                  (long long)want);
    return NULL;
  }
  RlxObject *x = rlx_tensor_new(heap, h.dtype, h.dims, h.ndim, err);
  if (!x) return NULL;
  const char *data = bytes + start + length;
  if (h.fortran && h.ndim > 1)
    from_fortran(x, data);
  else
    memcpy(x->data, data, (size_t)want);
  if (h.swapped) swap_bytes(x->data, rlx_tensor_count(x), rlx_dtype_bytes(h.dtype));
  if (h.dtype.code == RLX_DTYPE_BOOL)
    for (int64_t i = 0; i < want; i++) ((uint8_t *)x->data)[i] = ((uint8_t *)x->data)[i] != 0;
  return x;
}

RlxObject *rlx_npy_decode(RlxHeap *heap, const char *bytes, size_t size, RlxError *err) {
  return decode(heap, bytes, size, err);
}

void rlx_npy_encode(const RlxObject *x, RlxBuf *out) {
  RlxDType t = x->dtype;
  char kind = t.code == RLX_DTYPE_BOOL   ? 'b'
              : t.code == RLX_DTYPE_INT  ? 'i'
              : t.code == RLX_DTYPE_UINT ? 'u'
                                         : 'f';
  bool widened = kind == 'f' && t.code != RLX_DTYPE_FLOAT;
  if (widened) t = RLX_FLOAT32;
  RlxBuf header = {0};
  rlx_buf_printf(&header, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
                 t.bits == 8 ? '|' : '<', kind, t.bits / 8);
  for (int i = 0; i < x->count; i++)
    rlx_buf_printf(&header, "%s%lld", i ? ", " : "", (long long)x->dims[i]);
  rlx_buf_printf(&header, "%s), }", x->count == 1 ? "," : "");
  while ((10 + header.size + 1) % 64) rlx_buf_putc(&header, ' ');
  rlx_buf_putc(&header, '\n');
  rlx_buf_putn(out, "\x93NUMPY\x01\x00", 8);
  rlx_buf_putc(out, (char)(header.size & 255));
  rlx_buf_putc(out, (char)(header.size >> 8));
  rlx_buf_putn(out, header.at, header.size);
  rlx_buf_free(&header);
  int64_t count = rlx_tensor_count(x);
  size_t bytes = (size_t)count * rlx_dtype_bytes(t);
  rlx_buf_reserve(out, bytes);
  rlx_elements_convert(out->at + out->size, t, x->data, x->dtype, count);
  out->size += bytes;
  out->at[out->size] = 0;
}

RlxObject *rlx_npy_read(RlxHeap *heap, const char *path, RlxError *err) {
  RlxBuf bytes = {0};
  RlxObject *x = NULL;
  if (rlx_file_read_limited(path, array_limit_bytes, &bytes, err)) {
    x = decode(heap, rlx_buf_text(&bytes), bytes.size, err);
    if (!x) rlx_error_prefix(err, "%s", path);
  }
  rlx_buf_free(&bytes);
  return x;
}

bool rlx_npy_write(const RlxObject *tensor, const char *path, RlxError *err) {
  RlxBuf bytes = {0};
  rlx_npy_encode(tensor, &bytes);
  bool ok = rlx_file_write(path, bytes.at, bytes.size, err);
  rlx_buf_free(&bytes);
  return ok;
}

static bool read_member(RlxHeap *heap, zip_t *zip, zip_int64_t i, RlxNamedTensors *out,
                        RlxError *err) {
  zip_stat_t stat;
  if (zip_stat_index(zip, (zip_uint64_t)i, 0, &stat) || !(stat.valid & ZIP_STAT_SIZE) ||
      !(stat.valid & ZIP_STAT_NAME))
    return rlx_error_set(err, "member %lld cannot be read", (long long)i);
  if (stat.size > array_limit_bytes) return rlx_error_set(err, "%s is too large", stat.name);
  zip_file_t *file = zip_fopen_index(zip, (zip_uint64_t)i, 0);
  if (!file) return rlx_error_set(err, "%s: %s", stat.name, zip_strerror(zip));
  RlxBuf bytes = {0};
  char chunk[1 << 16];
  zip_int64_t got;
  while ((got = zip_fread(file, chunk, sizeof chunk)) > 0) rlx_buf_putn(&bytes, chunk, (size_t)got);
  zip_fclose(file);
  RlxObject *x = NULL;
  if (got < 0)
    rlx_error_set(err, "%s is damaged", stat.name);
  else {
    x = decode(heap, rlx_buf_text(&bytes), bytes.size, err);
    if (!x) rlx_error_prefix(err, "%s", stat.name);
  }
  rlx_buf_free(&bytes);
  if (!x) return false;
  size_t length = strlen(stat.name);
  if (length > 4 && !strcmp(stat.name + length - 4, ".npy")) length -= 4;
  rlx_vec_push(out, (RlxNamedTensor){rlx_mem_strndup(stat.name, length), x});
  return true;
}

static bool read_archive(RlxHeap *heap, const char *path, RlxNamedTensors *out, RlxError *err) {
  int code = 0;
  zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
  if (!zip) {
    zip_error_t why;
    zip_error_init_with_code(&why, code);
    rlx_error_set(err, "%s: %s", path, zip_error_strerror(&why));
    zip_error_fini(&why);
    return false;
  }
  bool ok = true;
  zip_int64_t count = zip_get_num_entries(zip, 0);
  for (zip_int64_t i = 0; ok && i < count; i++) ok = read_member(heap, zip, i, out, err);
  zip_discard(zip);
  return ok || rlx_error_prefix(err, "%s", path);
}

static bool read_folder(RlxHeap *heap, const char *path, RlxNamedTensors *out, RlxError *err) {
  RlxBuf name = {0};
  bool ok = true;
  for (int i = 0; ok && i < 100000; i++) {
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "%s/%03d.npy", path, i);
    if (!rlx_file_exists(rlx_buf_text(&name))) break;
    RlxObject *x = rlx_npy_read(heap, rlx_buf_text(&name), err);
    ok = x != NULL;
    if (!ok) break;
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "arr_%d", i);
    rlx_vec_push(out, (RlxNamedTensor){rlx_mem_strdup(rlx_buf_text(&name)), x});
  }
  rlx_buf_free(&name);
  return ok;
}

bool rlx_arrays_read(RlxHeap *heap, const char *path, RlxNamedTensors *out, RlxError *err) {
  return rlx_file_is_folder(path) ? read_folder(heap, path, out, err)
                                  : read_archive(heap, path, out, err);
}

static bool write_archive(RlxObject *const *tensors, int count, const char *path, RlxError *err) {
  int code = 0;
  zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!zip) return rlx_error_set(err, "%s cannot be written", path);
  RlxBuf *parts = rlx_mem_zeroed((size_t)count + 1, sizeof *parts);
  bool ok = true;
  for (int i = 0; ok && i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "arr_%d.npy", i);
    rlx_npy_encode(tensors[i], &parts[i]);
    zip_source_t *source = zip_source_buffer(zip, parts[i].at, parts[i].size, 0);
    zip_int64_t at = source ? zip_file_add(zip, name, source, ZIP_FL_OVERWRITE) : -1;
    if (source && at < 0) zip_source_free(source);
    ok = at >= 0;
  }
  if (ok && zip_close(zip)) ok = false;
  if (!ok) {
    rlx_error_set(err, "%s: %s", path, zip_strerror(zip));
    zip_discard(zip);
  }
  for (int i = 0; i < count; i++) rlx_buf_free(&parts[i]);
  free(parts);
  return ok;
}

bool rlx_arrays_write(RlxObject *const *tensors, int count, const char *path, RlxError *err) {
  size_t length = strlen(path);
  if (length > 4 && !strcmp(path + length - 4, ".npz"))
    return write_archive(tensors, count, path, err);
  if (mkdir(path, 0777) && errno != EEXIST)
    return rlx_error_set(err, "%s: %s", path, strerror(errno));
  RlxBuf name = {0};
  bool ok = true;
  for (int i = 0; ok && i < count; i++) {
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "%s/%03d.npy", path, i);
    ok = rlx_npy_write(tensors[i], rlx_buf_text(&name), err);
  }
  rlx_buf_free(&name);
  return ok;
}
