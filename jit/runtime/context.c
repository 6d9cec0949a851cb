/// Scratch memory and threads for kernels.
///
/// Always true: every block of scratch memory is in exactly one of the lists `free` and `used`; a
/// job is published and finished under the lock; workers sleep when there is none. The threads are
/// started at the first parallel loop.
#include "jit/runtime/context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"
#include "jit/runtime/guarded.h"

typedef struct Block { // 64 bytes before the memory handed out
  struct Block *next, *previous;
  int64_t bytes;
  char padding[64 - 3 * 8];
} Block;

typedef struct Guarded {
  void *data;
  int64_t bytes;
} Guarded;

typedef struct Job {
  RlxParallelBody *body;
  void *closure;
  int64_t extent, step;
  _Atomic int64_t next;
  _Atomic int32_t status;
} Job;

typedef struct Pool {
  RlxKernelContext base; // first: a context is a pool
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  Block *free, *used;
  int64_t held_bytes;
  int wanted, started; // threads besides the caller
  pthread_t *threads;
  Job *job;
  uint64_t generation; // of jobs
  int busy;
  bool quits;
  RlxGuardPages guard; // other than OFF: blocks have no header, and are listed in `guarded`
  Vec(Guarded) guarded;
} Pool;

// ---- scratch memory

static void unlink_block(Block **list, Block *b) {
  if (b->previous)
    b->previous->next = b->next;
  else
    *list = b->next;
  if (b->next) b->next->previous = b->previous;
}

static void push_block(Block **list, Block *b) {
  b->previous = NULL;
  b->next = *list;
  if (b->next) b->next->previous = b;
  *list = b;
}

/// The smallest free block that fits and is not more than four times too large.
static Block *find_block(Pool *pool, int64_t bytes) {
  Block *best = NULL;
  for (Block *b = pool->free; b; b = b->next)
    if (b->bytes >= bytes && b->bytes / 4 <= bytes && (!best || b->bytes < best->bytes)) best = b;
  return best;
}

static void *acquire_guarded(Pool *pool, int64_t bytes) {
  pthread_mutex_lock(&pool->lock);
  void *data = rlx_guarded_alloc(bytes, pool->guard);
  if (data) rlx_vec_push(&pool->guarded, ((Guarded){data, bytes}));
  pthread_mutex_unlock(&pool->lock);
  return data;
}

/// Gives back `data`, NULL: everything.
static void release_guarded(Pool *pool, const void *data) {
  pthread_mutex_lock(&pool->lock);
  for (uint32_t i = pool->guarded.count; i-- > 0;) {
    Guarded g = pool->guarded.at[i];
    if (data && g.data != data) continue;
    rlx_guarded_free(g.data, g.bytes, pool->guard);
    pool->guarded.at[i] = pool->guarded.at[--pool->guarded.count];
  }
  pthread_mutex_unlock(&pool->lock);
}

static void *acquire(RlxKernelContext *ctx, int64_t bytes) {
  Pool *pool = (Pool *)ctx;
  if (bytes < 0 || bytes > INT64_MAX / 2) return NULL;
  if (pool->guard) return acquire_guarded(pool, bytes);
  bytes = (bytes + 4095) / 4096 * 4096;
  if (bytes == 0) bytes = 4096;
  pthread_mutex_lock(&pool->lock);
  Block *b = find_block(pool, bytes);
  if (b) {
    unlink_block(&pool->free, b);
  } else {
    b = aligned_alloc(64, (size_t)bytes + sizeof *b);
    if (b) {
      b->bytes = bytes;
      pool->held_bytes += bytes;
    }
  }
  if (b) push_block(&pool->used, b);
  pthread_mutex_unlock(&pool->lock);
  return b ? b + 1 : NULL;
}

static void release(RlxKernelContext *ctx, void *memory) {
  Pool *pool = (Pool *)ctx;
  if (pool->guard) {
    release_guarded(pool, memory);
    return;
  }
  Block *b = (Block *)memory - 1;
  pthread_mutex_lock(&pool->lock);
  unlink_block(&pool->used, b);
  push_block(&pool->free, b);
  pthread_mutex_unlock(&pool->lock);
}

void rlx_context_reset(RlxKernelContext *ctx) {
  Pool *pool = (Pool *)ctx;
  if (pool->guard) release_guarded(pool, NULL);
  pthread_mutex_lock(&pool->lock);
  while (pool->used) {
    Block *b = pool->used;
    unlink_block(&pool->used, b);
    push_block(&pool->free, b);
  }
  pthread_mutex_unlock(&pool->lock);
  ctx->failure = (RlxKernelFailure){0, 0};
}

void rlx_context_trim(RlxKernelContext *ctx) {
  Pool *pool = (Pool *)ctx;
  pthread_mutex_lock(&pool->lock);
  while (pool->free) {
    Block *b = pool->free;
    unlink_block(&pool->free, b);
    pool->held_bytes -= b->bytes;
    free(b);
  }
  pthread_mutex_unlock(&pool->lock);
}

int64_t rlx_context_held_bytes(RlxKernelContext *ctx) {
  Pool *pool = (Pool *)ctx;
  pthread_mutex_lock(&pool->lock);
  int64_t bytes = pool->held_bytes;
  pthread_mutex_unlock(&pool->lock);
  return bytes;
}

// ---- threads

/// Takes slices until there is none left, or one failed.
static void work_on(Pool *pool, Job *job) {
  for (;;) {
    if (atomic_load_explicit(&job->status, memory_order_relaxed)) return;
    int64_t begin = atomic_fetch_add(&job->next, job->step);
    if (begin >= job->extent) return;
    int64_t end = job->extent - begin < job->step ? job->extent : begin + job->step;
    int32_t status = job->body(begin, end, job->closure, &pool->base), none = 0;
    if (status) atomic_compare_exchange_strong(&job->status, &none, status);
  }
}

static void *worker(void *arg) {
  Pool *pool = arg;
  uint64_t seen = 0;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (!pool->quits && (!pool->job || pool->generation == seen))
      pthread_cond_wait(&pool->wake, &pool->lock);
    if (pool->quits) break;
    seen = pool->generation;
    Job *job = pool->job;
    pool->busy++;
    pthread_mutex_unlock(&pool->lock);
    work_on(pool, job);
    pthread_mutex_lock(&pool->lock);
    if (--pool->busy == 0) pthread_cond_signal(&pool->done);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

static void start_threads(Pool *pool) {
  while (pool->started < pool->wanted) {
    if (pthread_create(&pool->threads[pool->started], NULL, worker, pool)) {
      pool->wanted = pool->started; // go on with those there are
      return;
    }
    pool->started++;
  }
}

static int32_t parallel_for(RlxKernelContext *ctx, int64_t extent, RlxParallelBody *body,
                            void *closure) {
  Pool *pool = (Pool *)ctx;
  if (extent <= 0) return 0;
  if (pool->wanted == 0 || extent == 1) return body(0, extent, closure, ctx);
  int64_t slices = 4 * (int64_t)(pool->wanted + 1);
  Job job = {.body = body,
             .closure = closure,
             .extent = extent,
             .step = extent / slices ? extent / slices : 1};
  start_threads(pool);
  pthread_mutex_lock(&pool->lock);
  pool->job = &job;
  pool->generation++;
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  work_on(pool, &job);
  pthread_mutex_lock(&pool->lock);
  pool->job = NULL; // nobody joins from here on
  while (pool->busy) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
  return atomic_load(&job.status);
}

// ---- life

RlxKernelContext *rlx_context_new(int threads) {
  Pool *pool = rlx_mem_zeroed(1, sizeof *pool);
  pool->base.acquire = acquire;
  pool->base.release = release;
  pool->base.parallel_for = parallel_for;
  pool->guard = rlx_guard_pages();
  pool->wanted = threads > 1 ? (threads < 64 ? threads - 1 : 63) : 0;
  pool->threads = rlx_mem_zeroed((size_t)pool->wanted + 1, sizeof *pool->threads);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
  return &pool->base;
}

void rlx_context_free(RlxKernelContext *ctx) {
  if (!ctx) return;
  Pool *pool = (Pool *)ctx;
  pthread_mutex_lock(&pool->lock);
  pool->quits = true;
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->started; i++) pthread_join(pool->threads[i], NULL);
  rlx_context_reset(ctx);
  rlx_context_trim(ctx);
  free(pool->threads);
  rlx_vec_free(&pool->guarded);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->wake);
  pthread_cond_destroy(&pool->done);
  free(pool);
}
