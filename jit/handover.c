/// Each value is kind, dtype and count, then dimensions, fields, text or elements: those of a tensor
/// behind its dimensions, or where the file has them already, later in the file than those before.
/// A tensor that is in the result again is SAME, with its number among the tensors before it.
/// Behind the result stands the number of each tensor that was written to, with its elements.
#include "jit/handover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "jit/runtime/shared.h"

enum {
  ALIGN = 64,
  WORD = 8,
  HEAD_WORDS = 3,
  DEPTH_MAX = 1000,
  NDIM_MAX = 1 << 16,
  SAME = RLX_OBJECT_STORAGE + 1, ///< beside the kinds of objects
};

static int64_t up(int64_t at, int64_t unit) { return (at + unit - 1) / unit * unit; }

// ---- writing

/// Bytes of the file.
typedef struct Range {
  int64_t start, end;
} Range;

typedef struct Writer {
  int fd;
  int64_t at; ///< where the next byte goes; what is before `held` bytes is written
  bool ok;
  RlxError *err;
  int left;         ///< objects that may still be written: a shared tuple is written for each place
  int depth;        ///< tuples around the object
  RlxMap tensors;   ///< of the result, each with its number
  RlxMap arguments; ///< tensors whose new elements are written
  int64_t shared_at; ///< the end of the last of `kept`
  Vec(Range) kept;   ///< ascending: elements of the result that the file had already
  size_t held;
  char hold[1024]; ///< small pieces are written together
} Writer;

static void write_at(Writer *w, const char *from, int64_t size, int64_t at) {
  while (size > 0 && w->ok) {
    ssize_t n = pwrite(w->fd, from, (size_t)size, at);
    if (n <= 0) {
      w->ok = n < 0 && errno == EINTR;
      continue;
    }
    from += n;
    size -= n;
    at += n;
  }
}

static void flush(Writer *w) {
  write_at(w, w->hold, (int64_t)w->held, w->at - (int64_t)w->held);
  w->held = 0;
}

static void put(Writer *w, const void *bytes, int64_t size) {
  if (size > (int64_t)(sizeof w->hold - w->held)) flush(w);
  if (size <= (int64_t)sizeof w->hold) {
    if (size) memcpy(w->hold + w->held, bytes, (size_t)size);
    w->held += (size_t)size;
  } else
    write_at(w, bytes, size, w->at);
  w->at += size;
}

static void skip_to(Writer *w, int64_t at) {
  if (at != w->at) flush(w);
  w->at = at;
}

static void put_elements(Writer *w, const RlxObject *x) {
  skip_to(w, up(w->at, ALIGN));
  put(w, x->data, rlx_tensor_bytes(x));
  skip_to(w, up(w->at, WORD));
}

/// Frees what the file had already and what is no part of the result. Not before all is written: a
/// tensor that comes later in the result may lie earlier in the file.
static void forget_others(const Writer *w, int64_t start, int64_t end) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  for (uint32_t i = 0; i <= w->kept.count; i++) {
    const int64_t from = up(i ? w->kept.at[i - 1].end : start, page);
    const int64_t to = (i < w->kept.count ? w->kept.at[i].start : end) / page * page;
    if (to > from) rlx_shared_forget(w->fd, from, to - from);
  }
}

/// The place of a tensor's elements that the file has already, or 0: then they follow. Places ascend,
/// so that whoever reads sees that no two tensors share elements.
static int64_t place_of(const Writer *w, const RlxObject *x) {
  if (!x->storage || !x->storage->file_at) return 0;
  const int64_t at = x->storage->file_at + ((const char *)x->data - (const char *)x->storage->data);
  return at % ALIGN == 0 && at >= w->shared_at && rlx_tensor_bytes(x) ? at : 0;
}

static void put_tensor(Writer *w, const RlxObject *x) {
  const int64_t place = place_of(w, x);
  put(w, x->dims, (int64_t)x->count * WORD);
  put(w, &place, WORD);
  if (!place) {
    put_elements(w, x);
    return;
  }
  w->shared_at = place + rlx_tensor_bytes(x);
  rlx_vec_push(&w->kept, (Range){place, w->shared_at});
}

enum { OBJECTS_MAX = 1 << 20 };

/// Writes that a tensor is one that the result has already; false: it is new, and has a number now.
static bool put_same(Writer *w, const RlxObject *x) {
  uint64_t number;
  if (!rlx_map_get(&w->tensors, (uintptr_t)x, &number)) {
    rlx_map_put(&w->tensors, (uintptr_t)x, rlx_map_count(&w->tensors));
    return false;
  }
  put(w, (int64_t[HEAD_WORDS]){SAME, 0, (int64_t)number}, HEAD_WORDS * WORD);
  return true;
}

/// Whether the reader takes the object, too.
static bool is_readable(Writer *w, const RlxObject *x) {
  const bool has_fields = x->kind == RLX_OBJECT_TUPLE || x->kind == RLX_OBJECT_CLOSURE;
  if (w->left-- <= 0)
    return rlx_error_set(w->err, "the result has more than %d parts", OBJECTS_MAX);
  return !has_fields || w->depth < DEPTH_MAX ||
         rlx_error_set(w->err, "tuples are nested more than %d deep in the result", DEPTH_MAX);
}

static void put_object(Writer *w, const RlxObject *x) {
  if (w->ok && !is_readable(w, x)) w->ok = false;
  if (!w->ok || (x->kind == RLX_OBJECT_TENSOR && put_same(w, x))) return;
  int64_t head[HEAD_WORDS] = {
      x->kind, (int64_t)x->dtype.code << 32 | (int64_t)x->dtype.bits << 16 | x->dtype.lanes,
      x->count};
  put(w, head, sizeof head);
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR: put_tensor(w, x); break;
  case RLX_OBJECT_SHAPE: put(w, x->dims, (int64_t)x->count * WORD); break;
  case RLX_OBJECT_INT: put(w, &x->integer, WORD); break;
  case RLX_OBJECT_FLOAT: put(w, &x->number, WORD); break;
  case RLX_OBJECT_STRING: {
    int64_t size = (int64_t)strlen(x->text);
    put(w, &size, WORD);
    put(w, x->text, size);
    skip_to(w, up(w->at, WORD));
    break;
  }
  case RLX_OBJECT_TUPLE:
  case RLX_OBJECT_CLOSURE: // its code stays behind
    w->depth++;
    for (int i = 0; i < x->count && w->ok; i++) put_object(w, x->fields[i]);
    w->depth--;
    break;
  case RLX_OBJECT_DTYPE:
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: break; // these do not leave the worker: no value
  }
}

/// Calls `each` for the tensors in `x` with their numbers, from `*at` on.
static void each_tensor(RlxObject *x, int64_t *at, void (*each)(void *, RlxObject *, int64_t),
                        void *data) {
  if (x->kind == RLX_OBJECT_TENSOR) each(data, x, (*at)++);
  if (x->kind == RLX_OBJECT_TUPLE || x->kind == RLX_OBJECT_CLOSURE)
    for (int i = 0; i < x->count; i++) each_tensor(x->fields[i], at, each, data);
}

static void put_written(void *data, RlxObject *x, int64_t number) {
  Writer *w = data;
  if (!x->storage || !x->storage->is_written || !rlx_map_put_ptr(&w->arguments, x, x)) return;
  put(data, &number, WORD);
  put_elements(data, x);
}

bool rlx_handover_write(const RlxHeap *heap, int fd, int64_t start, const RlxObject *result,
                        RlxObject *const *args, int count, RlxHandover *out, RlxError *err) {
  const int64_t shared_end = rlx_heap_shared_end(heap);
  Writer w = {.fd = fd,
              .at = up(shared_end > start ? shared_end : start, ALIGN),
              .ok = true,
              .err = err,
              .left = OBJECTS_MAX,
              .shared_at = start};
  out->start = w.at;
  put_object(&w, result);
  int64_t number = 0, end = -1;
  for (int i = 0; i < count; i++) each_tensor(args[i], &number, put_written, &w);
  put(&w, &end, WORD);
  flush(&w);
  forget_others(&w, start, shared_end);
  out->is_mapped = w.kept.count > 0;
  rlx_vec_free(&w.kept);
  rlx_map_free(&w.tensors);
  rlx_map_free(&w.arguments);
  if (!w.ok && !*err->text) rlx_error_set(err, "there is no memory for the result");
  return w.ok;
}

// ---- reading

typedef struct Reader {
  RlxHeap *heap;
  RlxStorage *storage;
  const char *base; ///< of the storage
  int64_t at, size;
  int64_t shared_at, shared_end; ///< where elements may lie that do not follow their dimensions
  Vec(RlxObject *) tensors;      ///< borrowed from what is made of them
} Reader;

/// `size` bytes at the place where the reader stands, and goes on behind them; NULL: they are not
/// there.
static const char *get(Reader *r, int64_t size) {
  if (size < 0 || r->at > r->size || size > r->size - r->at) return NULL;
  const char *at = r->base + r->at;
  r->at += size;
  return at;
}

static bool get_word(Reader *r, int64_t *out) {
  const char *at = get(r, WORD);
  if (at) memcpy(out, at, WORD);
  return at != NULL;
}

static RlxObject *get_object(Reader *r, int depth);

/// Where `bytes` elements lie; -1: not in the file, or over others.
static int64_t get_place(Reader *r, int64_t bytes) {
  int64_t place;
  if (!get_word(r, &place)) return -1;
  if (place) {
    if (place % ALIGN || place < r->shared_at || place > r->shared_end ||
        bytes > r->shared_end - place)
      return -1;
    r->shared_at = place + bytes;
    return place;
  }
  r->at = up(r->at, ALIGN);
  place = r->at;
  if (!get(r, bytes)) return -1;
  r->at = up(r->at, WORD);
  return place;
}

static RlxObject *get_tensor(Reader *r, RlxDType t, int count) {
  int64_t bytes, place = -1;
  const char *words = get(r, (int64_t)count * WORD);
  if (!words || !rlx_dtype_known(t) || !rlx_dtype_bytes(t)) return NULL;
  int64_t *dims = rlx_mem_zeroed((size_t)count + 1, WORD);
  memcpy(dims, words, (size_t)count * WORD);
  if (rlx_tensor_size(t, dims, count, &bytes)) place = get_place(r, bytes);
  RlxObject *x = place < 0 ? NULL : rlx_tensor_in(r->heap, r->storage, place, t, dims, count);
  if (x) rlx_vec_push(&r->tensors, x);
  free(dims);
  return x;
}

static RlxObject *get_fields(Reader *r, bool is_closure, int count, int depth) {
  if (depth == DEPTH_MAX || count > (r->size - r->at) / (HEAD_WORDS * WORD)) return NULL;
  RlxObject **fields = rlx_mem_zeroed((size_t)count + 1, sizeof *fields), *x = NULL;
  int done = 0;
  while (done < count && (fields[done] = get_object(r, depth + 1))) done++;
  if (done == count)
    x = is_closure ? rlx_closure_new(r->heap, NULL, fields, count)
                   : rlx_tuple_new(r->heap, fields, count);
  for (int i = 0; i < done; i++) rlx_object_unref(fields[i]);
  free(fields);
  return x;
}

static RlxObject *get_shape(Reader *r, int count) {
  const char *words = get(r, (int64_t)count * WORD);
  if (!words) return NULL;
  int64_t *dims = rlx_mem_zeroed((size_t)count + 1, WORD);
  memcpy(dims, words, (size_t)count * WORD);
  RlxObject *x = rlx_shape_new(r->heap, dims, count);
  free(dims);
  return x;
}

static RlxObject *get_object(Reader *r, int depth) {
  int64_t head[HEAD_WORDS], word;
  const char *bytes = get(r, sizeof head);
  if (!bytes) return NULL;
  memcpy(head, bytes, sizeof head);
  if (head[0] == SAME)
    return head[2] < 0 || head[2] >= r->tensors.count ? NULL
                                                      : rlx_object_ref(r->tensors.at[head[2]]);
  if (head[0] < 0 || head[0] > RLX_OBJECT_STORAGE || head[2] < 0) return NULL;
  RlxDType t = {(uint8_t)(head[1] >> 32), (uint8_t)(head[1] >> 16), (uint16_t)head[1]};
  RlxObjectKind kind = (RlxObjectKind)head[0];
  bool has_dims = kind == RLX_OBJECT_TENSOR || kind == RLX_OBJECT_SHAPE;
  const int64_t most = kind == RLX_OBJECT_TENSOR ? RLX_TENSOR_NDIM_MAX
                       : has_dims                ? NDIM_MAX
                                                 : INT32_MAX - 1;
  if (head[2] > most) return NULL;
  int count = (int)head[2];
  switch (kind) {
  case RLX_OBJECT_TENSOR: return get_tensor(r, t, count);
  case RLX_OBJECT_SHAPE: return get_shape(r, count);
  case RLX_OBJECT_INT: return get_word(r, &word) ? rlx_int_new(r->heap, word, t) : NULL;
  case RLX_OBJECT_FLOAT: {
    double number;
    if (!get_word(r, &word)) return NULL;
    memcpy(&number, &word, sizeof number);
    return rlx_float_new(r->heap, number, t);
  }
  case RLX_OBJECT_STRING: {
    if (!get_word(r, &word) || !(bytes = get(r, word))) return NULL;
    r->at = up(r->at, WORD);
    return rlx_string_new(r->heap, bytes, (size_t)word);
  }
  case RLX_OBJECT_TUPLE: return get_fields(r, false, count, depth);
  case RLX_OBJECT_CLOSURE: return get_fields(r, true, count, depth);
  case RLX_OBJECT_DTYPE: return rlx_dtype_new(r->heap, t);
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: return rlx_null_new(r->heap);
  }
  return NULL;
}

/// What goes into the arguments: the tensors by number, and where their new elements are.
typedef struct Taking {
  Reader *r;
  int64_t next; ///< number of the tensor whose elements come next; -1: none
  bool ok, is_copied;
  Vec(RlxStorage *)
      own;          ///< for each tensor, in their order; NULL: its elements stay where they are
  uint32_t renewed; ///< tensors that have their new elements
} Taking;

/// Memory of its own for a tensor whose memory others see, who keep what is in it; false: there is none.
static bool make_room(Taking *t, const RlxObject *x) {
  RlxStorage *own = NULL;
  if (x->storage && x->storage->refs > 1) {
    own = rlx_storage_new(t->r->heap, rlx_tensor_bytes(x));
    if (!own) return false;
  }
  rlx_vec_push(&t->own, own);
  return true;
}

static void renew(Taking *t, RlxObject *x, const char *from) {
  RlxStorage *own = t->own.at[t->renewed];
  t->own.at[t->renewed++] = NULL;
  if (own) {
    rlx_storage_unref(x->storage);
    x->storage = own;
    x->data = own->data;
  }
  memcpy(x->data, from, (size_t)rlx_tensor_bytes(x));
}

static void take_written(void *data, RlxObject *x, int64_t number) {
  Taking *t = data;
  if (!t->ok || t->next != number) return;
  t->r->at = up(t->r->at, ALIGN);
  const char *from = get(t->r, rlx_tensor_bytes(x));
  t->r->at = up(t->r->at, WORD);
  t->ok = from && get_word(t->r, &t->next) && (t->next > number || t->next == -1);
  if (t->ok && t->is_copied)
    renew(t, x, from);
  else if (t->ok)
    t->ok = make_room(t, x);
}

/// Reads the elements of the arguments that were written to; only the second time they are copied,
/// once all is known to be there, and memory for it: all of them change, or none.
static bool take_arguments(Reader *r, RlxObject *const *args, int count) {
  const int64_t start = r->at;
  Taking t = {.r = r, .ok = true};
  for (int turn = 0; turn < 2 && t.ok; turn++) {
    int64_t number = 0;
    t.is_copied = turn == 1;
    r->at = start;
    t.ok = get_word(r, &t.next);
    for (int i = 0; i < count; i++) each_tensor(args[i], &number, take_written, &t);
    t.ok = t.ok && (!count || t.next == -1);
  }
  for (uint32_t i = 0; i < t.own.count; i++) rlx_storage_unref(t.own.at[i]); // that were not needed
  rlx_vec_free(&t.own);
  return t.ok;
}

// ---- in children or not

static void inherit_one(void *data, RlxObject *x, int64_t number) {
  (void)number;
  if (x->storage && x->storage->is_spared) rlx_storage_inherit(x->storage, *(bool *)data);
}

void rlx_handover_inherit(RlxObject *const *args, int count, bool is_inherited) {
  int64_t number = 0;
  for (int i = 0; i < count; i++) each_tensor(args[i], &number, inherit_one, &is_inherited);
}

/// Fills it with the `size` bytes at `start` of the file; NULL: they cannot be read, and it is gone.
static RlxStorage *filled(RlxStorage *storage, int fd, int64_t start, int64_t size) {
  int64_t done = 0;
  while (storage && done < size) {
    const ssize_t n = pread(fd, (char *)storage->data + done, (size_t)(size - done), start + done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  if (done == size) return storage;
  rlx_storage_unref(storage);
  return NULL;
}

/// What is small is copied to the heap, what is larger to memory of its own beside that of other
/// results, which is one mapping to the system: each mapping makes every later fork slower, and each
/// page of the heap does. What is large costs more to copy than it costs to be a mapping.
enum { ON_HEAP_MAX = 16 << 10, COPIED_MAX = 64 << 10 };

static RlxStorage *copied(RlxHeap *heap, int fd, int64_t start, int64_t size) {
  if (size <= ON_HEAP_MAX) return filled(rlx_storage_new(heap, size), fd, start, size);
  RlxStorage *storage = rlx_storage_spared(heap, -1, size);
#ifdef MADV_POPULATE_WRITE // one call in place of a page fault for each page
  if (storage) madvise(storage->data, (size_t)size, MADV_POPULATE_WRITE);
#endif
  return filled(storage, fd, start, size);
}

RlxObject *rlx_handover_read(RlxHeap *heap, int fd, int64_t least, const RlxHandover *place,
                             RlxObject *const *args, int count) {
  const int64_t end = lseek(fd, 0, SEEK_END), start = place->start;
  if (start < least || start % WORD || end <= start) return NULL;
  const bool is_copied = !place->is_mapped && end - start <= COPIED_MAX;
  RlxStorage *storage =
      is_copied ? copied(heap, fd, start, end - start) : rlx_storage_spared(heap, fd, end);
  if (!storage) return NULL;
  Reader r = {.heap = heap, .storage = storage, .base = storage->data};
  if (is_copied)
    r.size = end - start;
  else {
    r.at = r.shared_end = start;
    r.size = end;
    r.shared_at = least;
  }
  RlxObject *x = get_object(&r, 0);
  if (x && !take_arguments(&r, args, count)) {
    rlx_object_unref(x);
    x = NULL;
  }
  rlx_storage_unref(storage);
  rlx_vec_free(&r.tensors);
  return x;
}
