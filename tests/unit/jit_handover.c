/// Results in a memory file (jit/handover.h): what lies there already is not copied, what is no part of
/// the result goes, and whoever reads believes nothing.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit/handover.h"
#include "tests/test.h"

enum { START = 1 << 16, ROWS = 128, COLUMNS = 256, BYTES = ROWS * COLUMNS * 4 };

static RlxObject *filled(RlxHeap *heap, char byte) {
  RlxError err;
  RlxObject *x = rlx_tensor_new(heap, RLX_FLOAT32, (int64_t[]){ROWS, COLUMNS}, 2, &err);
  memset(x->data, byte, BYTES);
  return x;
}

static bool holds(const RlxObject *x, char byte) {
  for (int64_t i = 0; i < rlx_tensor_bytes(x); i++)
    if (((const char *)x->data)[i] != byte) return false;
  return true;
}

typedef struct Both {
  RlxHeap *child, *parent;
  int fd;
} Both;

static Both begin(void) {
  Both b = {rlx_heap_new(), rlx_heap_new(), memfd_create("rlx-test", MFD_CLOEXEC)};
  assert_true(b.fd >= 0 && !ftruncate(b.fd, START));
  rlx_heap_share(b.child, b.fd, START);
  return b;
}

static void end(Both *b) {
  assert_int_equal(rlx_heap_used_bytes(b->child), 0);
  rlx_heap_free(b->child);
  rlx_heap_free(b->parent);
  close(b->fd);
}

static int64_t bytes_in_use(int fd) {
  struct stat s;
  return fstat(fd, &s) ? -1 : (int64_t)s.st_blocks * 512;
}

/// Of three tensors the middle one is no part of the result, and the last one is there twice.
static void what_a_result_needs_stays(void **state) {
  (void)state;
  Both b = begin();
  RlxObject *x = filled(b.child, 1), *y = filled(b.child, 2), *z = filled(b.child, 3);
  RlxObject *t = rlx_tuple_new(b.child, (RlxObject *[]){x, z, z}, 3);
  RlxHandover place;
  assert_true(rlx_handover_write(b.child, b.fd, START, t, NULL, 0, &place, &(RlxError){0}));
  if (x->storage->file_at) { // without guard pages
    assert_true(place.is_mapped);
    assert_true(bytes_in_use(b.fd) < 3 * BYTES); // x, z
  }
  rlx_object_unref(t);
  rlx_object_unref(x);
  rlx_object_unref(y);
  rlx_object_unref(z);
  RlxObject *read = rlx_handover_read(b.parent, b.fd, START, &place, NULL, 0);
  assert_true(read && read->count == 3);
  if (read) {
    assert_true(holds(read->fields[0], 1) && holds(read->fields[1], 3) &&
                holds(read->fields[2], 3));
    assert_ptr_equal(read->fields[1], read->fields[2]); // one tensor, as it was
  }
  rlx_object_unref(read);
  end(&b);
}

/// In whichever order the tensors of a result lie in the file, and whether one is a part of another.
static void tensors_stand_in_any_order(void **state) {
  (void)state;
  enum { COUNT = 4 };
  static const int orders[][COUNT] = {{3, 2, 1, 0}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 0, 3, 0}};
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    Both b = begin();
    RlxObject *made[COUNT], *fields[COUNT + 1];
    for (int i = 0; i < COUNT; i++) made[i] = filled(b.child, (char)(i + 1));
    for (int i = 0; i < COUNT; i++) fields[i] = made[orders[k][i]];
    fields[COUNT] = rlx_tensor_in(b.child, made[2]->storage, 4096, RLX_FLOAT32,
                                  (int64_t[]){ROWS / 2, COLUMNS}, 2);
    RlxObject *t = rlx_tuple_new(b.child, fields, COUNT + 1);
    rlx_object_unref(fields[COUNT]);
    for (int i = 0; i < COUNT; i++) rlx_object_unref(made[i]);
    RlxHandover place;
    assert_true(rlx_handover_write(b.child, b.fd, START, t, NULL, 0, &place, &(RlxError){0}));
    rlx_object_unref(t);
    RlxObject *read = rlx_handover_read(b.parent, b.fd, START, &place, NULL, 0);
    assert_true(read && read->count == COUNT + 1);
    for (int i = 0; read && i < COUNT; i++)
      assert_true(holds(read->fields[i], (char)(orders[k][i] + 1)));
    assert_true(!read || holds(read->fields[COUNT], 3));
    rlx_object_unref(read);
    end(&b);
  }
}

/// What is freed is used again, or leaves the file with the heap's memory.
static void freed_storage_is_used_again(void **state) {
  (void)state;
  Both b = begin();
  RlxObject *x = filled(b.child, 1);
  const int64_t at = x->storage->file_at;
  rlx_object_unref(x);
  x = filled(b.child, 2);
  assert_int_equal(x->storage->file_at, at);
  rlx_object_unref(x);
  rlx_heap_trim(b.child);
  assert_int_equal(bytes_in_use(b.fd), 0);
  assert_int_equal(rlx_heap_held_bytes(b.child), 0);
  end(&b);
}

/// The word behind the two dimensions of a tensor says where its elements are.
static void a_place_that_is_none_is_refused(void **state) {
  (void)state;
  Both b = begin();
  RlxObject *x = filled(b.child, 1), *y = filled(b.child, 2);
  RlxObject *t = rlx_tuple_new(b.child, (RlxObject *[]){x, y}, 2);
  RlxHandover place;
  assert_true(rlx_handover_write(b.child, b.fd, START, t, NULL, 0, &place, &(RlxError){0}));
  const int64_t second = place.start + 8 * (3 + 3 + 2 + 1 + 3 + 2); // behind two heads and x
  int64_t was = 0;
  assert_true(pread(b.fd, &was, sizeof was, second) == sizeof was);
  assert_int_equal(was, y->storage->file_at);
  const int64_t wrong[] = {
      -64,     1,        64,          START - 64,     START,    START + BYTES - 64,
      was + 8, was + 64, place.start, INT64_MAX - 63, INT64_MIN};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong && was; i++) {
    assert_true(pwrite(b.fd, &wrong[i], sizeof wrong[i], second) == sizeof wrong[i]);
    RlxObject *read = rlx_handover_read(b.parent, b.fd, START, &place, NULL, 0);
    assert_true(!read);
    rlx_object_unref(read);
  }
  const int64_t starts[] = {0, START - 8, START + 1, -8, INT64_MAX - 7, INT64_MIN};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
      const RlxHandover other = {starts[i], is_mapped};
      assert_true(!rlx_handover_read(b.parent, b.fd, START, &other, NULL, 0));
    }
  rlx_object_unref(t);
  rlx_object_unref(x);
  rlx_object_unref(y);
  end(&b);
}

/// A tensor that comes again is the number of one before it.
static void a_number_that_is_none_is_refused(void **state) {
  (void)state;
  Both b = begin();
  RlxObject *x = filled(b.child, 1), *y = filled(b.child, 2);
  RlxObject *inner = rlx_tuple_new(b.child, (RlxObject *[]){y, x}, 2);
  RlxObject *t = rlx_tuple_new(b.child, (RlxObject *[]){x, inner}, 2);
  RlxHandover place;
  assert_true(rlx_handover_write(b.child, b.fd, START, t, NULL, 0, &place, &(RlxError){0}));
  const bool is_shared = x->storage->file_at != 0; // else elements stand between the heads
  const int64_t last = place.start + 8 * (3 + 3 + 2 + 1 + 3 + 3 + 2 + 1 + 2);
  int64_t was = -1;
  assert_true(pread(b.fd, &was, sizeof was, last) == sizeof was);
  assert_true(!is_shared || was == 0);
  const int64_t numbers[] = {0, 1, 2, -1, INT32_MAX, (int64_t)1 << 32, INT64_MAX, INT64_MIN};
  for (size_t i = 0; is_shared && i < sizeof numbers / sizeof *numbers; i++) {
    assert_true(pwrite(b.fd, &numbers[i], sizeof was, last) == sizeof was);
    RlxObject *read = rlx_handover_read(b.parent, b.fd, START, &place, NULL, 0);
    assert_true((read != NULL) == (i < 2)); // of x, and of y beside it
    if (read)
      assert_ptr_equal(read->fields[1]->fields[1],
                       i ? read->fields[1]->fields[0] : read->fields[0]);
    rlx_object_unref(read);
  }
  rlx_object_unref(t);
  rlx_object_unref(inner);
  rlx_object_unref(x);
  rlx_object_unref(y);
  end(&b);
}

/// Nested as deep as it is read, and one deeper.
static void what_cannot_be_read_is_not_written(void **state) {
  (void)state;
  enum { DEEPEST = 1000 };
  Both b = begin();
  RlxHandover place;
  RlxError err = {0};
  RlxObject *t = rlx_tuple_new(b.child, NULL, 0);
  for (int i = 1; i < DEEPEST; i++) {
    RlxObject *around = rlx_tuple_new(b.child, &t, 1);
    rlx_object_unref(t);
    t = around;
  }
  assert_true(rlx_handover_write(b.child, b.fd, START, t, NULL, 0, &place, &err));
  RlxObject *read = rlx_handover_read(b.parent, b.fd, START, &place, NULL, 0);
  assert_non_null(read);
  rlx_object_unref(read);
  RlxObject *around = rlx_tuple_new(b.child, &t, 1);
  assert_false(rlx_handover_write(b.child, b.fd, START, around, NULL, 0, &place, &err));
  assert_string_equal(err.text, "tuples are nested more than 1000 deep in the result");
  rlx_object_unref(around);
  rlx_object_unref(t);
  end(&b);
}

/// New elements of arguments that others hold need memory of their own: where there is some for the first alone, none changes.
static void arguments_change_all_or_none(void **state) {
  (void)state;
  enum { COUNT = 3 };
  for (int fitting = 0; fitting <= COUNT; fitting++) {
    Both b = begin();
    RlxObject *theirs[COUNT], *ours[COUNT], *others[COUNT];
    RlxError err;
    for (int i = 0; i < COUNT; i++) {
      theirs[i] = filled(b.child, (char)(i + 5));
      theirs[i]->storage->is_written = true;
      ours[i] = filled(b.parent, 1);
      others[i] = rlx_tensor_view(b.parent, ours[i], RLX_FLOAT32, ours[i]->dims, 2, 0, &err);
    }
    RlxObject *result = rlx_tuple_new(b.child, NULL, 0);
    RlxHandover place;
    assert_true(
        rlx_handover_write(b.child, b.fd, START, result, theirs, COUNT, &place, &(RlxError){0}));
    rlx_heap_limit(b.parent, rlx_heap_used_bytes(b.parent) + (int64_t)fitting * BYTES);
    RlxObject *read = rlx_handover_read(b.parent, b.fd, START, &place, ours, COUNT);
    assert_int_equal(read != NULL, fitting == COUNT);
    for (int i = 0; i < COUNT; i++) {
      assert_true(holds(ours[i], fitting == COUNT ? (char)(i + 5) : 1));
      assert_true(holds(others[i], 1)); // who else holds it keeps what was there
    }
    rlx_object_unref(read);
    rlx_object_unref(result);
    for (int i = 0; i < COUNT; i++) {
      rlx_object_unref(others[i]);
      rlx_object_unref(ours[i]);
      rlx_object_unref(theirs[i]);
    }
    assert_int_equal(rlx_heap_used_bytes(b.parent), 0);
    end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_result_needs_stays),
      cmocka_unit_test(tensors_stand_in_any_order),
      cmocka_unit_test(freed_storage_is_used_again),
      cmocka_unit_test(a_place_that_is_none_is_refused),
      cmocka_unit_test(a_number_that_is_none_is_refused),
      cmocka_unit_test(what_cannot_be_read_is_not_written),
      cmocka_unit_test(arguments_change_all_or_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
