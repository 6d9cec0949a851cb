/// The worker that stays.
///
/// Always true: the shared memory is the parent's and this worker's alone; a kernel that was compiled after the fork
/// is run in it when its code was given to it, and lies where the parent has it.
#include "jit/standing.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "jit/fork.h"
#include "jit/run/run.h"
#include "jit/runtime/context.h"
#include "jit/runtime/guarded.h"

enum {
  DATA_MAX = 16 << 20, ///< bytes of a kernel's tensors: the pages are there once they are used
  TENSORS_MAX = 32,    ///< of a kernel
  STEPS_MAX = 64,      ///< of a plan and the functions that it calls
  COPIES_MAX = 1000,   ///< values in a result that somebody else holds, too
  COPY_DEPTH_MAX = 64,
  ALIGN = 64,
  CALLS_MAX = 10000, ///< then another process takes over, for its CPU time is limited as a whole
};
/// For the kernels of a call the process is waited for at most so long, or for this part of the call's limit; after each
/// turn it is looked at whether it is still there.
enum { WAIT_MS = 2000, PART_OF_LIMIT = 4, TURN_NS = 50000000, SECOND_NS = 1000000000 };

/// What the two share. The parent reads nothing of it but `answered`, then `status`, once, and the elements where it put them:
/// the process may be one that a kernel with a mistake writes to.
typedef struct Order {
  sem_t asked, done;
  RlxKernelFn *fn; ///< NULL: `data` holds code for `pages`
  void *pages;
  size_t pages_size;
  int32_t tensor_count, status;
  int32_t at[TENSORS_MAX]; ///< of the tensors in `data`
  int64_t vars[RLX_KERNEL_MAX_VARS];
  uint32_t turn,
      answered; ///< number of the order, and of the last one that was carried out: `done` may be told twice
  _Alignas(ALIGN) char data[DATA_MAX + ALIGN * TENSORS_MAX];
} Order;

struct RlxStanding {
  RlxJit *jit;
  Order *order; ///< NULL: not made yet
  pid_t pid;    ///< 0: none
  int number;   ///< of the processes so far
  int compiled; ///< kernels when it was forked
  int calls;
  const volatile sig_atomic_t *cancel; ///< of the call
  uint32_t turn;                       ///< number of the last order
  bool takes_outputs; ///< a kernel of the plan may leave of its outputs what they hold, zeros
  double end_ms;      ///< of the waiting for it, as rlx_jit_now_ms() counts
};

// ---- the child

/// Puts code where the parent has it: addresses that were free when this process was forked.
static int32_t take_code(Order *order) {
  if (mprotect(order->pages, order->pages_size, PROT_READ | PROT_WRITE)) return 1;
  memcpy(order->pages, order->data, order->pages_size);
  if (mprotect(order->pages, order->pages_size, PROT_READ | PROT_EXEC)) return 1;
  __builtin___clear_cache(order->pages, (char *)order->pages + order->pages_size);
  return 0;
}

static int32_t carry_out(Order *order, RlxKernelContext *context) {
  void *data[TENSORS_MAX];
  if (!order->fn) return take_code(order);
  for (int i = 0; i < order->tensor_count; i++) data[i] = order->data + order->at[i];
  const int32_t status = order->fn(data, order->vars, context);
  if (status) rlx_context_reset(context);
  return status;
}

static _Noreturn void serve(Order *order, RlxKernelContext *context) {
  for (;;) {
    while (sem_wait(&order->asked)) {
      if (errno != EINTR) _exit(1);
    }
    const uint32_t turn = order->turn;
    order->status = carry_out(order, context);
    order->answered = turn;
    sem_post(&order->done);
  }
}

// ---- the parent

RlxStanding *rlx_standing_new(RlxJit *jit) {
  RlxStanding *s = rlx_mem_zeroed(1, sizeof *s);
  s->jit = jit;
  return s;
}

static void end(RlxStanding *s) {
  if (s->pid <= 0) return;
  kill(s->pid, SIGKILL);
  while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  s->pid = 0;
}

void rlx_standing_free(RlxStanding *s) {
  if (!s) return;
  end(s);
  if (s->order) munmap(s->order, sizeof *s->order);
  free(s);
}

static void inherit(Order *order, bool is_inherited) {
  madvise(order, sizeof *order, is_inherited ? MADV_DOFORK : MADV_DONTFORK);
}

/// Forks the process with all that is compiled; false: it cannot be.
static bool start(RlxStanding *s, const RlxConfinement *limits) {
  end(s);
  if (!s->order) {
    void *map =
        mmap(NULL, sizeof *s->order, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return false;
    s->order = map;
  }
  // Whoever had them before is gone.
  if (sem_init(&s->order->asked, 1, 0) || sem_init(&s->order->done, 1, 0)) return false;
  inherit(s->order, true);
  s->pid = rlx_fork_worker(s->jit, limits, false);
  if (s->pid == 0) serve(s->order, s->jit->context);
  inherit(s->order, false);
  s->compiled = s->jit->compiled;
  s->calls = 0;
  s->number++;
  return s->pid > 0;
}

/// Waits for the process; false when it is over, is to be interrupted or takes too long.
static bool is_done(RlxStanding *s, const volatile sig_atomic_t *cancel) {
  while (rlx_jit_now_ms() < s->end_ms && !(cancel && *cancel)) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += TURN_NS;
    end.tv_sec += end.tv_nsec / SECOND_NS;
    end.tv_nsec %= SECOND_NS;
    if (!sem_timedwait(&s->order->done, &end)) {
      if (s->order->answered == s->turn) return true;
      continue;
    }
    if (waitpid(s->pid, NULL, WNOHANG) == s->pid) return s->pid = 0, false;
  }
  return false;
}

/// Has what is ordered carried out; false: it failed, and the process may be gone.
static bool ask(RlxStanding *s) {
  s->order->turn = ++s->turn;
  if (!sem_post(&s->order->asked) && is_done(s, s->cancel)) return !s->order->status;
  end(s);
  return false;
}

/// Gives the process the code of a kernel, if it is newer than the process; false: it cannot be given.
static bool give_kernel(RlxStanding *s, Kernel *k) {
  size_t size;
  if (k->number <= s->compiled || k->standing == s->number) return true;
  void *pages = s->jit->api->code_pages(k->code, &size);
  if (!pages || size > sizeof s->order->data) return false;
  s->order->fn = NULL;
  s->order->pages = pages;
  s->order->pages_size = size;
  memcpy(s->order->data, pages, size);
  if (!ask(s)) return false;
  k->standing = s->number;
  return true;
}

/// The same for all kernels that a plan that is_taken() runs.
static bool give_code(RlxStanding *s, const Plan *plan) {
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *step = &plan->steps.at[i];
    if (step->kind == STEP_KERNEL && !give_kernel(s, step->kernel->kernel)) return false;
    if (step->kind == STEP_CALL && !give_code(s, step->callee->plan)) return false;
  }
  return true;
}

/// Whether the tensor's memory is the program's own: what lies in a file may not be there any more.
static bool is_memory(const RlxObject *x) {
  return !x->storage || x->storage->size_class >= 0 || x->storage->is_spared;
}

/// Which of the tensors before tensor `i` lies in the same memory, both of which are only read; `i`: none.
static int same_input(const Kernel *k, RlxObject *const *tensors, int i) {
  for (int j = 0; j < i && !k->written[i]; j++)
    if (!k->written[j] && tensors[j]->data == tensors[i]->data &&
        rlx_tensor_bytes(tensors[j]) == rlx_tensor_bytes(tensors[i]))
      return j;
  return i;
}

/// Runs a kernel in the process; false: it did not come to an end without a failure.
static bool run_there(void *data, const Kernel *k, RlxObject *const *tensors, const int64_t *vars) {
  RlxStanding *s = data;
  Order *order = s->order;
  int64_t at = 0, starts[TENSORS_MAX];
  if (k->tensor_count > TENSORS_MAX || s->pid <= 0) return false;
  for (int i = 0; i < k->tensor_count; i++) {
    const int64_t bytes = rlx_tensor_bytes(tensors[i]);
    const int same = same_input(k, tensors, i);
    if (same < i) {
      starts[i] = starts[same];
      order->at[i] = (int32_t)starts[i];
      continue;
    }
    if (!is_memory(tensors[i]) || bytes > DATA_MAX - at) return false;
    if (!k->written[i] || s->takes_outputs)
      memcpy(order->data + at, tensors[i]->data, (size_t)bytes);
    starts[i] = at;
    order->at[i] = (int32_t)at;
    at = (at + bytes + ALIGN - 1) / ALIGN * ALIGN;
  }
  order->fn = k->fn;
  order->tensor_count = k->tensor_count;
  memcpy(order->vars, vars, (size_t)k->var_count * sizeof *vars);
  if (!ask(s)) return false;
  for (int i = 0; i < k->tensor_count; i++)
    if (k->written[i])
      memcpy(tensors[i]->data, order->data + starts[i], (size_t)rlx_tensor_bytes(tensors[i]));
  return true;
}

/// Whether the step's results are new tensors that surely fit.
static bool is_small_kernel(RlxStanding *s, const KernelCall *call) {
  if (!call->kernel->trusted || call->kernel->may_alias || !call->kernel->fn || call->order)
    return false;
  for (int i = 0; i < call->output_count; i++) {
    const Output *o = &call->outputs[i];
    int64_t dims[RLX_PARAM_NDIM_MAX], bytes;
    if (o->inplace >= 0 || o->ndim > RLX_PARAM_NDIM_MAX) return false;
    for (int d = 0; d < o->ndim; d++) {
      if (o->dims[d].kind != DIM_CONST) return false;
      dims[d] = o->dims[d].value;
    }
    if (!rlx_tensor_size(o->dtype, dims, o->ndim, &bytes) || bytes > DATA_MAX) return false;
    s->takes_outputs |= o->is_cleared;
  }
  return true;
}

/// What the parent would have to carry out.
typedef struct Work {
  int left; ///< steps that it may still have, those of the functions that are called for each call
  bool has_kernel; ///< for the other process
} Work;

/// Whether the parent may carry out all steps but the kernels.
static bool is_taken(RlxStanding *s, const Plan *plan, Work *work) {
  if (!plan || !plan->is_interpreted || plan->body) return false;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *step = &plan->steps.at[i];
    if (work->left-- <= 0) return false;
    if (step->kind == STEP_KERNEL) {
      if (!is_small_kernel(s, step->kernel)) return false;
      work->has_kernel = true;
    } else if (step->kind == STEP_CALL) {
      if (!step->callee || step->callee->kind != RLX_ISLAND_RELAX ||
          !is_taken(s, step->callee->plan, work))
        return false;
    } else if (!step_is_plain((StepKind)step->kind)) {
      return false;
    }
  }
  return true;
}

/// Whether nobody else holds the value, as if it came from another process. Its memory may be an argument's, too: who writes
/// to what others see takes memory of its own (jit/handover.c).
static bool is_new(const RlxObject *x) {
  if (x->refs != 1) return false;
  if (x->kind != RLX_OBJECT_TUPLE)
    return x->kind != RLX_OBJECT_CLOSURE && x->kind != RLX_OBJECT_STORAGE;
  for (int i = 0; i < x->count; i++)
    if (x->fields[i]->kind == RLX_OBJECT_TUPLE || !is_new(x->fields[i])) return false;
  return true;
}

/// What others hold, copied as another process would send it: a tensor that is in it twice is one in the copy, too.
typedef struct Copies {
  RlxHeap *heap;
  RlxMap made;   ///< tensors to theirs, which `result` holds
  int64_t bytes; ///< that may still be copied
  int left;      ///< values that may still be looked at
} Copies;

static RlxObject *copy_of(Copies *c, const RlxObject *x, int depth);

static RlxObject *copy_tensor(Copies *c, const RlxObject *x) {
  uint64_t made;
  if (rlx_map_get(&c->made, (uintptr_t)x, &made))
    return rlx_object_ref((RlxObject *)(uintptr_t)made);
  const int64_t bytes = rlx_tensor_bytes(x);
  RlxError err = {0};
  if (!is_memory(x) || bytes > c->bytes) return NULL;
  RlxObject *copy = rlx_tensor_new(c->heap, x->dtype, x->dims, x->count, &err);
  if (!copy) return NULL;
  c->bytes -= bytes;
  memcpy(copy->data, x->data, (size_t)bytes);
  rlx_map_put(&c->made, (uintptr_t)x, (uintptr_t)copy);
  return copy;
}

static RlxObject *copy_tuple(Copies *c, const RlxObject *x, int depth) {
  if (depth == COPY_DEPTH_MAX || x->count > c->left) return NULL;
  RlxObject **fields = rlx_mem_zeroed((size_t)x->count + 1, sizeof *fields), *copy = NULL;
  int done = 0;
  while (done < x->count && (fields[done] = copy_of(c, x->fields[done], depth + 1))) done++;
  if (done == x->count) copy = rlx_tuple_new(c->heap, fields, x->count);
  for (int i = 0; i < done; i++) rlx_object_unref(fields[i]);
  free(fields);
  return copy;
}

/// The caller's reference; NULL: it is left to another worker.
static RlxObject *copy_of(Copies *c, const RlxObject *x, int depth) {
  if (c->left-- <= 0) return NULL;
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR: return copy_tensor(c, x);
  case RLX_OBJECT_TUPLE: return copy_tuple(c, x, depth);
  case RLX_OBJECT_SHAPE: return rlx_shape_new(c->heap, x->dims, x->count);
  case RLX_OBJECT_INT: return rlx_int_new(c->heap, x->integer, x->dtype);
  case RLX_OBJECT_FLOAT: return rlx_float_new(c->heap, x->number, x->dtype);
  case RLX_OBJECT_STRING: return rlx_string_new(c->heap, x->text, strlen(x->text));
  case RLX_OBJECT_DTYPE: return rlx_dtype_new(c->heap, x->dtype);
  case RLX_OBJECT_NULL: return rlx_null_new(c->heap);
  case RLX_OBJECT_CLOSURE:
  case RLX_OBJECT_STORAGE: break;
  }
  return NULL;
}

/// A value that nobody else holds, in place of one that somebody may: the caller's reference for the caller's; NULL: too large.
static RlxObject *unshared(RlxStanding *s, RlxObject *x) {
  if (is_new(x)) return x;
  Copies c = {.heap = s->jit->heap, .bytes = DATA_MAX, .left = COPIES_MAX};
  RlxObject *copy = copy_of(&c, x, 0);
  rlx_map_free(&c.made);
  rlx_object_unref(x);
  return copy;
}

static double wait_ms(double limit_seconds) {
  const double part = limit_seconds / PART_OF_LIMIT * 1e3;
  return limit_seconds > 0 && part < WAIT_MS ? part : WAIT_MS;
}

RlxObject *rlx_standing_call(RlxStanding *s, RlxProgram *program, RlxName function,
                             RlxObject *const *args, int count, const RlxConfinement *limits,
                             double limit_seconds, const volatile sig_atomic_t *cancel) {
  const Entry *entry = rlx_program_entry(program, function);
  Work work = {.left = STEPS_MAX};
  s->takes_outputs = false;
  if (!entry || entry->kind != RLX_ISLAND_RELAX || !is_taken(s, entry->plan, &work) ||
      rlx_guard_pages() != RLX_GUARD_OFF)
    return NULL;
  s->cancel = cancel;
  s->end_ms = rlx_jit_now_ms() + wait_ms(limit_seconds);
  const bool is_current =
      !work.has_kernel || (s->pid > 0 && s->calls++ < CALLS_MAX && give_code(s, entry->plan));
  if (!is_current && !start(s, limits)) return NULL;
  RlxRunError err = {0};
  s->jit->elsewhere = run_there;
  s->jit->elsewhere_data = s;
  rlx_heap_spare(s->jit->heap, true); // each page of the heap makes every later fork slower
  RlxObject *x = rlx_program_call(program, function, args, count, &err);
  s->jit->elsewhere = NULL;
  if (x) x = unshared(s, x);
  rlx_heap_spare(s->jit->heap, false);
  return x;
}
