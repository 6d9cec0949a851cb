/// numpy's array format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#include "jit/runtime/npy.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"
#include "jit/runtime/zip.h"

typedef struct Reader {
  const char *at, *end;
  bool is_foreign; ///< as in RlxArrayFit
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

static bool descr_dtype(const char *descr, RlxArrayHead *h, RlxError *err) {
  const char *p = descr;
  char order = '=';
  if (*p && strchr("<>=|", *p)) order = *p++;
  char kind = *p ? *p++ : 0;
  char *rest = NULL;
  long bytes = isdigit((unsigned char)*p) ? strtol(p, &rest, 10) : 0;
  int code = kind == 'f'   ? RLX_DTYPE_FLOAT
             : kind == 'i' ? RLX_DTYPE_INT
             : kind == 'u' ? RLX_DTYPE_UINT
             : kind == 'b' ? RLX_DTYPE_BOOL
                           : 0;
  bool ok = code && rest && !*rest && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
  if (code == RLX_DTYPE_FLOAT && bytes == 1) ok = false;
  if (code == RLX_DTYPE_BOOL && bytes != 1) ok = false;
  if (!ok)
    return rlx_error_set(err,
                         "arrays of numpy dtype '%s' are not supported: use integers, floats of 16 "
                         "to 64 bits, or bool",
                         descr);
  h->dtype = rlx_dtype((RlxDTypeCode)code, (int)bytes * 8);
  h->is_swapped = order == '>' && bytes > 1;
  return true;
}

static bool shape_tuple(Reader *r, RlxArrayHead *h, RlxError *err) {
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
    if (h->ndim == RLX_ARRAY_NDIM_MAX)
      return rlx_error_set(err, "an array has more than %d dimensions", RLX_ARRAY_NDIM_MAX);
    h->dims[h->ndim++] = v;
    bool is_more = take(r, ',');
    if (is_more) continue;
    if (h->ndim > 1 && take(r, ')')) return true;
    return rlx_error_set(err, "the header's shape is no tuple");
  }
  return true;
}

static bool truth(Reader *r, bool *out) {
  blanks(r);
  size_t left = (size_t)(r->end - r->at);
  *out = left >= 4 && !memcmp(r->at, "True", 4);
  if (!*out && !(left >= 5 && !memcmp(r->at, "False", 5))) return false;
  r->at += *out ? 4 : 5;
  return true;
}

/// The dictionary between its braces; blanks may follow it, and nothing else.
static bool read_dictionary(Reader *r, RlxArrayHead *h, RlxError *err) {
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  char key[32], text[64];
  bool has[3] = {false, false, false};
  if (!take(r, '{')) return rlx_error_set(err, "the header is no dictionary");
  while (!take(r, '}')) {
    if (!quoted(r, key, sizeof key) || !take(r, ':'))
      return rlx_error_set(err, "the header is no dictionary of strings");
    int which = 0;
    while (which < 3 && strcmp(key, keys[which]) != 0) which++;
    if (which == 3) return rlx_error_set(err, "the header has an unknown key '%s'", key);
    if (has[which]) return rlx_error_set(err, "the header has the key '%s' twice", key);
    has[which] = true;
    r->is_foreign = which == 0;
    if (which == 0 && !quoted(r, text, sizeof text))
      return rlx_error_set(err, "arrays of structures are not supported");
    if (which == 0 && !descr_dtype(text, h, err)) return false;
    r->is_foreign = false;
    if (which == 1 && !truth(r, &h->is_fortran))
      return rlx_error_set(err, "the header's fortran_order is neither True nor False");
    if (which == 2 && !shape_tuple(r, h, err)) return false;
    if (!take(r, ',')) {
      if (take(r, '}')) break;
      return rlx_error_set(err, "the header has no comma behind '%s'", key);
    }
  }
  blanks(r);
  if (r->at < r->end) return rlx_error_set(err, "the header goes on behind its dictionary");
  if (!has[0] || !has[1] || !has[2])
    return rlx_error_set(err, "the header lacks descr, fortran_order or shape");
  if (!rlx_tensor_size(h->dtype, h->dims, h->ndim, &h->bytes))
    return rlx_error_set(err, "the header's shape is larger than any memory");
  return true;
}

/// Copies column-major `from` into row-major `to`.
static void from_fortran(RlxObject *x, const char *from) {
  size_t item = rlx_dtype_bytes(x->dtype);
  int64_t count = rlx_tensor_count(x), index[RLX_ARRAY_NDIM_MAX] = {0}, stride[RLX_ARRAY_NDIM_MAX],
          s = 1;
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

// ---- where bytes come from

typedef struct Source {
  const char *memory; ///< or NULL
  size_t memory_left;
  zip_file_t *member; ///< or NULL
  const RlxZip *lib;  ///< of the member
  int fd;             ///< when it is neither
  int64_t left;       ///< bytes to come as far as the container says; -1: it does not
} Source;

/// Reads `size` bytes, fewer at the end; -1 when the container is damaged or cannot be read.
static int64_t source_read(Source *s, void *out, int64_t size) {
  const int64_t most = 1 << 26;
  int64_t done = 0;
  while (done < size) {
    int64_t want = size - done < most ? size - done : most, got;
    char *to = (char *)out + done;
    if (s->memory) {
      got = want < (int64_t)s->memory_left ? want : (int64_t)s->memory_left;
      if (got) memcpy(to, s->memory, (size_t)got);
      s->memory += got;
      s->memory_left -= (size_t)got;
    } else if (s->member)
      got = s->lib->zip_fread(s->member, to, (zip_uint64_t)want);
    else
      got = read(s->fd, to, (size_t)want);
    if (got < 0 && !s->member && errno == EINTR) continue;
    if (got < 0) return -1;
    if (!got) break;
    done += got;
  }
  if (s->left >= 0) s->left -= done;
  return done;
}

static bool damaged(RlxError *err) { return rlx_error_set(err, "it is damaged"); }

/// The head of the array; the source stands at the elements then.
static bool read_head(Source *s, RlxArrayHead *h, bool *is_foreign, RlxError *err) {
  unsigned char fixed[12];
  char text[RLX_ARRAY_HEADER_MAX];
  int64_t got = source_read(s, fixed, 10);
  if (got < 0) return damaged(err);
  *is_foreign = got < 10 || memcmp(fixed, "\x93NUMPY", 6) != 0;
  if (*is_foreign) return rlx_error_set(err, "not a .npy file");
  int version = fixed[6];
  if (version < 1 || version > 3)
    return rlx_error_set(err, "version %d of the .npy format is not known", version);
  uint32_t length = (uint32_t)(fixed[8] | fixed[9] << 8);
  if (version > 1) {
    if (source_read(s, fixed + 10, 2) != 2)
      return rlx_error_set(err, "the file ends inside its header");
    length |= (uint32_t)fixed[10] << 16 | (uint32_t)fixed[11] << 24;
  }
  if (s->left >= 0 && length > s->left)
    return rlx_error_set(err, "the file ends inside its header");
  if (length > sizeof text)
    return rlx_error_set(err, "a header of %u bytes is longer than %d", length,
                         RLX_ARRAY_HEADER_MAX);
  got = source_read(s, text, length);
  if (got < 0) return damaged(err);
  if (got < (int64_t)length) return rlx_error_set(err, "the file ends inside its header");
  Reader r = {text, text + length, false};
  *h = (RlxArrayHead){0};
  const bool ok = read_dictionary(&r, h, err);
  *is_foreign = r.is_foreign;
  return ok;
}

/// All that the head says is there.
static bool read_elements(Source *s, void *out, int64_t bytes, RlxError *err) {
  int64_t got = source_read(s, out, bytes);
  if (got < 0) return damaged(err);
  return got == bytes || rlx_error_set(err,
                                       "the file ends inside its data: %lld bytes there, %lld "
                                       "needed",
                                       (long long)got, (long long)bytes);
}

/// An archive's member ends with its elements; that is also where its checksum is looked at.
static bool ends_there(Source *s, RlxError *err) {
  char more;
  if (!s->member) return true;
  int64_t got = source_read(s, &more, 1);
  if (got < 0) return damaged(err);
  return !got || rlx_error_set(err, "it goes on behind its elements");
}

static RlxObject *decode(RlxHeap *heap, Source *s, const RlxArrayFit *fit, RlxError *err) {
  RlxArrayHead h;
  bool is_foreign = false;
  const bool is_read = read_head(s, &h, &is_foreign, err);
  if (fit && fit->is_foreign) *fit->is_foreign = is_foreign;
  if (!is_read || (fit && !fit->is_wanted(fit->data, &h, err))) return NULL;
  if (s->left >= 0 && s->left < h.bytes) {
    rlx_error_set(err, "the file ends inside its data: %lld bytes there, %lld needed",
                  (long long)s->left, (long long)h.bytes);
    return NULL;
  }
  RlxObject *x = rlx_tensor_new(heap, h.dtype, h.dims, h.ndim, err);
  if (!x) return NULL;
  bool ok, turns = h.is_fortran && h.ndim > 1 && h.bytes;
  if (turns) {
    RlxObject *columns = rlx_tensor_new(heap, h.dtype, h.dims, h.ndim, err);
    ok = columns && read_elements(s, columns->data, h.bytes, err);
    if (ok) from_fortran(x, columns->data);
    rlx_object_unref(columns);
  } else
    ok = read_elements(s, x->data, h.bytes, err);
  if (!ok || !ends_there(s, err)) {
    rlx_object_unref(x);
    return NULL;
  }
  if (h.is_swapped) swap_bytes(x->data, rlx_tensor_count(x), rlx_dtype_bytes(h.dtype));
  if (h.dtype.code == RLX_DTYPE_BOOL)
    for (int64_t i = 0; i < h.bytes; i++) ((uint8_t *)x->data)[i] = ((uint8_t *)x->data)[i] != 0;
  return x;
}

RlxObject *rlx_npy_decode(RlxHeap *heap, const char *bytes, size_t size, RlxError *err) {
  Source s = {.memory = bytes, .memory_left = size, .fd = -1, .left = (int64_t)size};
  return decode(heap, &s, NULL, err);
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

/// `how`: 0, or O_NONBLOCK for a file that nobody named, which waits for nobody and must be a regular one.
static RlxObject *read_file(RlxHeap *heap, const char *path, int how, const RlxArrayFit *fit,
                            RlxError *err) {
  struct stat st;
  Source s = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | how), .left = -1};
  if (s.fd < 0 || fstat(s.fd, &st)) {
    rlx_error_set(err, "%s: cannot open: %s", path, strerror(errno));
    if (s.fd >= 0) close(s.fd);
    return NULL;
  }
  if (S_ISREG(st.st_mode)) s.left = st.st_size;
  RlxObject *x = NULL;
  if (S_ISDIR(st.st_mode))
    rlx_error_set(err, "is a folder");
  else if (how && !S_ISREG(st.st_mode))
    rlx_error_set(err, "is not a regular file");
  else
    x = decode(heap, &s, fit, err);
  close(s.fd);
  if (!x && !*err->code) rlx_error_prefix(err, "%s", path); // with a code: what is_wanted said
  return x;
}

RlxObject *rlx_npy_read(RlxHeap *heap, const char *path, const RlxArrayFit *fit, RlxError *err) {
  return read_file(heap, path, 0, fit, err);
}

bool rlx_npy_write(const RlxObject *tensor, const char *path, const volatile sig_atomic_t *cancel,
                   RlxError *err) {
  RlxBuf bytes = {0};
  rlx_npy_encode(tensor, &bytes);
  bool ok = rlx_file_write_unless(path, bytes.at, bytes.size, cancel, err);
  rlx_buf_free(&bytes);
  return ok;
}

// ---- many arrays

struct RlxArrays {
  char *path;
  zip_t *zip;        ///< NULL: a folder
  RlxZip lib;        ///< with `zip`
  Vec(char *) names; ///< owned
};

/// The archive's names; false when one comes twice, for nobody would know which is meant.
static bool list_archive(RlxArrays *a, RlxError *err) {
  zip_int64_t count = a->lib.zip_get_num_entries(a->zip, 0);
  if (count > RLX_ARRAYS_MAX)
    return rlx_error_set(err, "%s has more than %d arrays", a->path, RLX_ARRAYS_MAX);
  RlxMap seen = {0};
  bool ok = true;
  for (zip_int64_t i = 0; ok && i < count; i++) {
    const char *name = a->lib.zip_get_name(a->zip, (zip_uint64_t)i, 0);
    size_t length = name ? strlen(name) : 0;
    if (name && rlx_text_ends_in(name, ".npy")) length -= 4;
    uint64_t key = rlx_hash_bytes(name ? name : "", length, 1), at;
    if (rlx_map_get(&seen, key, &at))
      ok = rlx_error_set(err, "%s has two arrays of the name %s", a->path, a->names.at[at]);
    rlx_map_put(&seen, key, a->names.count);
    rlx_vec_push(&a->names, rlx_mem_strndup(name ? name : "", length));
  }
  rlx_map_free(&seen);
  return ok;
}

static void list_folder(RlxArrays *a) {
  RlxBuf name = {0};
  for (int i = 0; i < RLX_ARRAYS_MAX; i++) {
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "%s/%03d.npy", a->path, i);
    if (!rlx_file_exists(rlx_buf_text(&name))) break;
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "arr_%d", i);
    rlx_vec_push(&a->names, rlx_mem_strdup(rlx_buf_text(&name)));
  }
  rlx_buf_free(&name);
}

RlxArrays *rlx_arrays_open(const char *path, RlxError *err) {
  RlxArrays *a = rlx_mem_zeroed(1, sizeof *a);
  a->path = rlx_mem_strdup(path);
  bool ok = true;
  if (rlx_file_is_folder(path))
    list_folder(a);
  else {
    int code = 0;
    ok = rlx_zip_load(&a->lib, err);
    const bool is_loaded = ok;
    if (ok) a->zip = a->lib.zip_open(path, ZIP_RDONLY, &code);
    ok = a->zip && list_archive(a, err);
    if (is_loaded && !a->zip) {
      zip_error_t why;
      a->lib.zip_error_init_with_code(&why, code);
      rlx_error_set(err, "%s: %s", path, a->lib.zip_error_strerror(&why));
      a->lib.zip_error_fini(&why);
    }
  }
  if (ok) return a;
  rlx_arrays_close(a);
  return NULL;
}

void rlx_arrays_close(RlxArrays *a) {
  if (!a) return;
  for (uint32_t i = 0; i < a->names.count; i++) free(a->names.at[i]);
  rlx_vec_free(&a->names);
  if (a->zip) a->lib.zip_discard(a->zip);
  free(a->path);
  free(a);
}

int rlx_arrays_count(const RlxArrays *a) { return (int)a->names.count; }
const char *rlx_arrays_name(const RlxArrays *a, int i) { return a->names.at[i]; }

static RlxObject *read_member(const RlxArrays *a, int i, RlxHeap *heap, const RlxArrayFit *fit,
                              RlxError *err) {
  zip_stat_t stat;
  if (a->lib.zip_stat_index(a->zip, (zip_uint64_t)i, 0, &stat)) stat.valid = 0;
  Source s = {.member = a->lib.zip_fopen_index(a->zip, (zip_uint64_t)i, 0),
              .lib = &a->lib,
              .fd = -1,
              .left =
                  stat.valid & ZIP_STAT_SIZE && stat.size <= INT64_MAX ? (int64_t)stat.size : -1};
  RlxObject *x = NULL;
  if (s.member) {
    x = decode(heap, &s, fit, err);
    a->lib.zip_fclose(s.member);
  } else
    rlx_error_set(err, "%s", a->lib.zip_strerror(a->zip));
  if (!x && !*err->code) rlx_error_prefix(err, "%s: %s", a->path, a->names.at[i]);
  return x;
}

RlxObject *rlx_arrays_read(const RlxArrays *a, int i, RlxHeap *heap, const RlxArrayFit *fit,
                           RlxError *err) {
  if (a->zip) return read_member(a, i, heap, fit, err);
  RlxBuf name = {0};
  rlx_buf_printf(&name, "%s/%03d.npy", a->path, i);
  RlxObject *x = read_file(heap, rlx_buf_text(&name), O_NONBLOCK, fit, err);
  rlx_buf_free(&name);
  return x;
}

/// Adds `part`, which must live until the archive is closed.
static bool add_member(const RlxZip *lib, zip_t *zip, const char *name, const RlxBuf *part) {
  zip_source_t *source = lib->zip_source_buffer(zip, part->at, part->size, 0);
  zip_int64_t at =
      source ? lib->zip_file_add(zip, name, source, ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8) : -1;
  if (source && at < 0) lib->zip_source_free(source);
  return at >= 0;
}

#ifdef ZIP_ER_CANCELLED // libzip 1.6
static int is_cancelled(zip_t *zip, void *cancel) {
  (void)zip;
  return *(const volatile sig_atomic_t *)cancel;
}
#endif

/// Has the archive's closing given up once `*cancel` is set; NULL: never.
static void cancel_with(const RlxZip *lib, zip_t *zip, const volatile sig_atomic_t *cancel) {
#ifdef ZIP_ER_CANCELLED
  if (cancel)
    lib->zip_register_cancel_callback_with_state(zip, is_cancelled, NULL,
                                                 (void *)(uintptr_t)cancel);
#else
  (void)lib;
  (void)zip;
  (void)cancel;
#endif
}

bool rlx_archive_write(const RlxArchive *archive, const char *path,
                       const volatile sig_atomic_t *cancel, RlxError *err) {
  static const char empty[22] = "PK\5\6"; // libzip writes no archive of nothing
  const int count = archive->count;
  int code = 0;
  RlxZip lib;
  if (!count && !archive->text)
    return rlx_file_write_unless(path, empty, sizeof empty, cancel, err);
  if (!rlx_zip_load(&lib, err)) return false;
  char *beside = rlx_file_beside(path, err);
  if (!beside) return false;
  zip_t *zip = lib.zip_open(beside, ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!zip) {
    rlx_error_set(err, "%s: cannot write: %s", path, strerror(errno));
    free(beside);
    return false;
  }
  cancel_with(&lib, zip, cancel);
  RlxBuf *parts = rlx_mem_zeroed((size_t)count + 1, sizeof *parts);
  bool ok = true;
  for (int i = 0; ok && i < count && !(cancel && *cancel); i++) {
    RlxBuf name = {0};
    if (archive->names)
      rlx_buf_printf(&name, "%s.npy", archive->names[i]);
    else
      rlx_buf_printf(&name, "arr_%d.npy", i);
    rlx_npy_encode(archive->tensors[i], &parts[i]);
    ok = add_member(&lib, zip, rlx_buf_text(&name), &parts[i]);
    rlx_buf_free(&name);
  }
  ok &= !(cancel && *cancel);
  if (ok && archive->text) ok = add_member(&lib, zip, archive->text_name, archive->text);
  if (ok && archive->comment)
    ok =
        !lib.zip_set_archive_comment(zip, archive->comment, (zip_uint16_t)strlen(archive->comment));
  if (ok && lib.zip_close(zip)) ok = false;
  if (!ok) {
    if (cancel && *cancel)
      rlx_error_set(err, "interrupted");
    else
      rlx_error_set(err, "%s: %s", path, lib.zip_strerror(zip));
    lib.zip_discard(zip);
  }
  ok = ok && rlx_file_take_place(beside, path, err);
  free(beside);
  for (int i = 0; i < count; i++) rlx_buf_free(&parts[i]);
  free(parts);
  return ok;
}

bool rlx_arrays_write(RlxObject *const *tensors, int count, const char *path, RlxError *err) {
  if (rlx_text_ends_in(path, ".npz"))
    return rlx_archive_write(&(RlxArchive){.tensors = tensors, .count = count}, path, NULL, err);
  if (mkdir(path, 0777) && errno != EEXIST)
    return rlx_error_set(err, "%s: %s", path, strerror(errno));
  RlxBuf name = {0};
  bool ok = true;
  for (int i = 0; ok && i < count; i++) {
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "%s/%03d.npy", path, i);
    ok = rlx_npy_write(tensors[i], rlx_buf_text(&name), NULL, err);
  }
  rlx_buf_free(&name);
  return ok;
}

const char *rlx_arrays_comment(const RlxArrays *a, size_t *out_size) {
  int size = 0;
  const char *text = a->zip ? a->lib.zip_get_archive_comment(a->zip, &size, ZIP_FL_ENC_RAW) : NULL;
  *out_size = text && size > 0 ? (size_t)size : 0;
  return text;
}

bool rlx_arrays_text(const RlxArrays *a, int i, int64_t limit_bytes, RlxBuf *out, RlxError *err) {
  zip_stat_t stat;
  bool ok = a->zip && !a->lib.zip_stat_index(a->zip, (zip_uint64_t)i, 0, &stat) &&
            stat.valid & ZIP_STAT_SIZE && stat.size <= (zip_uint64_t)limit_bytes;
  zip_file_t *member = ok ? a->lib.zip_fopen_index(a->zip, (zip_uint64_t)i, 0) : NULL;
  if (!member)
    return rlx_error_set(err, "%s: %s cannot be read, or is too long", a->path, a->names.at[i]);
  Source s = {.member = member, .lib = &a->lib, .fd = -1, .left = -1};
  rlx_buf_reserve(out, (size_t)stat.size + 1);
  int64_t got = source_read(&s, out->at + out->size, (int64_t)stat.size);
  a->lib.zip_fclose(member);
  if (got != (int64_t)stat.size)
    return rlx_error_set(err, "%s: %s is damaged", a->path, a->names.at[i]);
  out->size += (size_t)got;
  out->at[out->size] = 0;
  return true;
}
