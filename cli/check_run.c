/// Reading, fixing and analysing the files of a run, on several threads.
/// Always true: each thread has its own analyzer; results are handed over in the order of the jobs,
/// by the thread that asked.
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/diag/line_words.h"
#include "analyzer/edit/fix_all.h"
#include "analyzer/words/islands.h"
#include "base/hash.h"
#include "cli/cache.h"
#include "cli/check_impl.h"
#include "cli/inputs.h"
#include "cli/source.h"
#include "config/modules.h"

enum {
  BATCH = 256, // files per analyzer: names of one batch are not kept for the next
  STACK_BYTES = 16 * 1024 * 1024,
  PROGRESS_AFTER_MS = 600,
  PROGRESS_EVERY_MS = 100,
};

typedef struct Pool {
  RlxCheckJobs *jobs;
  uint64_t program; // for cache keys
  pthread_mutex_t lock;
  pthread_cond_t one_done;
  uint32_t next; // job to take
  uint32_t done;
} Pool;

typedef struct Worker {
  Pool *pool;
  RlxAnalyzer *analyzer;
  uint32_t files; // analysed by `analyzer`
} Worker;

static void analyze(Worker *worker, RlxCheckJob *job) {
  if (!worker->analyzer || worker->files++ % BATCH == 0) {
    rlx_analyzer_free(worker->analyzer);
    worker->analyzer = rlx_analyzer_new(NULL);
  }
  RlxFile *file =
      rlx_file_open(worker->analyzer, rlx_buf_text(&job->content), (uint32_t)job->content.size);
  rlx_file_configure(file, &job->settings);
  RlxProject project;
  rlx_project_attach(&project, file, job->is_stdin ? job->shown : job->path, job->root);
  rlx_report_make(file, rlx_analyzer_store(worker->analyzer), &job->report);
  job->asks_modules = rlx_file_asks_modules(file);
  rlx_file_close(file);
  rlx_project_deinit(&project);
}

/// What the baseline knows of a file, by finding (code and message): on which lines, and whether it
/// has come anew elsewhere.
typedef struct Known {
  RlxMap findings, lines, anew;
} Known;

typedef struct Fixing {
  const RlxCheckJob *job;
  Known known;
} Fixing;

static uint64_t finding_key(RlxDiagId id, const char *message) {
  return rlx_hash_mix(id, rlx_message_hash(message));
}

static uint64_t hash_of_line(const char *start) {
  return rlx_hash_bytes(start, strcspn(start, "\n"), 1);
}

/// The same with the text of the line that byte `at` of `text` stands on, and of the `def` above.
static uint64_t line_key(uint64_t finding, const char *text, uint32_t at) {
  const char *start = text + at;
  while (start > text && start[-1] != '\n') start--;
  uint64_t key = rlx_hash_mix(finding, hash_of_line(start + strspn(start, " \t")));
  for (;;) {
    const char *line = start + strspn(start, " \t");
    if (strncmp(line, "def ", strlen("def ")) == 0) return rlx_hash_mix(key, hash_of_line(line));
    if (start == text) return key;
    for (start--; start > text && start[-1] != '\n';) start--;
  }
}

/// Hints that are not fixed may come and go; warnings and errors may only go. What the baseline
/// hides is not fixed.
static RlxFixWish wish(const RlxFileDiag *d, const char *text, void *data) {
  const Fixing *fixing = data;
  const RlxCheckJob *job = fixing->job;
  int severity = rlx_policy_severity(job->fix, d->diag->id, d->diag->severity);
  if (!severity) return RLX_FIX_IGNORED;
  const uint64_t key = finding_key(d->diag->id, d->diag->message);
  if (rlx_map_get(&fixing->known.findings, key, NULL) &&
      (!rlx_map_get(&fixing->known.anew, key, NULL) ||
       rlx_map_get(&fixing->known.lines, line_key(key, text, d->span.start), NULL)))
    return RLX_FIX_KEPT;
  if (rlx_check_is_fixed(d->diag->id, severity, job->least)) return RLX_FIX_WANTED;
  return severity <= RLX_WARNING ? RLX_FIX_KEPT : RLX_FIX_IGNORED;
}

static void find_known(Worker *worker, RlxCheckJob *job, Known *known) {
  RlxLines lines = {0};
  const char *text = rlx_buf_text(&job->content);
  RlxCheck c = {.path = job->shown, .text = text, .lines = &lines};
  rlx_lines_build(&lines, text, (uint32_t)job->content.size);
  analyze(worker, job);
  for (uint32_t i = 0; i < job->report.count; i++) {
    const RlxFinding *d = &job->report.at[i];
    if (!rlx_policy_severity(job->fix, d->id, d->severity)) continue; // the baseline has none of it
    const uint64_t key = finding_key(d->id, d->message);
    if (rlx_baseline_has(job->baseline, job->shown, rlx_check_mark(&c, d))) {
      rlx_map_put(&known->findings, key, 1);
      rlx_map_put(&known->lines, line_key(key, text, d->span.start), 1);
    } else {
      rlx_map_put(&known->anew, key, 1);
    }
  }
  rlx_report_free(&job->report);
  job->report = (RlxReport){0};
  rlx_map_free(&c.marks);
  rlx_lines_free(&lines);
}

/// Applies fixes; afterwards the content is what is left to report on.
static bool fix(Worker *worker, RlxCheckJob *job) {
  RlxFixed fixed = {0};
  Fixing fixing = {.job = job};
  if (job->baseline) find_known(worker, job, &fixing.known);
  RlxProject project;
  rlx_project_init(&project, job->is_stdin ? job->shown : job->path, job->root);
  const RlxModuleReader reader = rlx_project_reader(&project);
  RlxFixing how = {.settings = &job->settings,
                   .wish = wish,
                   .data = &fixing,
                   .takes_unsafe = job->takes_unsafe,
                   .reader = &reader};
  rlx_fix_all(rlx_buf_text(&job->content), (uint32_t)job->content.size, &how, &fixed);
  rlx_project_deinit(&project);
  rlx_map_free(&fixing.known.findings);
  rlx_map_free(&fixing.known.lines);
  rlx_map_free(&fixing.known.anew);
  job->fixed = fixed.applied;
  job->left_out = fixed.left_out;
  if (job->is_diff) {
    job->after = fixed.text;
    return true;
  }
  bool fine = job->is_stdin || !fixed.applied ||
              rlx_source_write(job->path, job->root, &job->content, &fixed.text, &job->err);
  if (!fine) { // not written: reported on as it is
    rlx_buf_free(&fixed.text);
    job->fixed = 0;
    return false;
  }
  rlx_buf_free(&job->content);
  job->content = fixed.text;
  return true;
}

/// What Python would not read fails, though the rest is analysed.
static void check_encoding(RlxCheckJob *job) {
  if (!rlx_source_check_encoding(job->shown, &job->content, &job->err)) job->failed = true;
}

static void run_one(Worker *worker, RlxCheckJob *job) {
  if (job->script) {
    rlx_check_schedule(job);
    return;
  }
  job->failed = !rlx_source_read_input(job->path, job->is_explicit, &job->content, &job->err);
  const char *text = rlx_buf_text(&job->content);
  size_t size = job->content.size;
  if (job->failed || !rlx_islands_possible(text, size)) {
    // What a folder holds besides scripts is nobody's business; what is named, or may be a script, is read, or said.
    job->is_skipped =
        !job->is_explicit && (!job->failed || (size && !rlx_inputs_may_hold_script(text, size)));
    if (job->is_skipped) job->failed = false;
    if (job->is_explicit && !job->failed) check_encoding(job);
    if (!job->is_explicit || job->failed || !memmem(text, size, "rlx: ignore", 11)) return;
  }
  check_encoding(job);
  if (job->fix && !job->failed && !fix(worker, job)) job->failed = true;
  text = rlx_buf_text(&job->content);
  size = job->content.size;
  RlxCacheKey key = {0};
  if (job->cache) {
    key = rlx_cache_key(worker->pool->program, &job->settings, text, size);
    if (rlx_cache_get(job->cache, key, (uint32_t)size, &job->report)) return;
  }
  analyze(worker, job);
  if (job->cache && !job->asks_modules) // else other files count as well
    rlx_cache_put(job->cache, key, &job->report);
}

static void *work(void *data) {
  Pool *pool = data;
  Worker worker = {.pool = pool};
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    uint32_t i = pool->next < pool->jobs->count ? pool->next++ : UINT32_MAX;
    pthread_mutex_unlock(&pool->lock);
    if (i == UINT32_MAX) break;
    run_one(&worker, &pool->jobs->at[i]);
    pthread_mutex_lock(&pool->lock);
    pool->jobs->at[i].done = true;
    pool->done++;
    pthread_cond_signal(&pool->one_done);
    pthread_mutex_unlock(&pool->lock);
  }
  rlx_analyzer_free(worker.analyzer);
  return NULL;
}

static void drop(RlxCheckJob *job) {
  rlx_buf_free(&job->content);
  rlx_buf_free(&job->after);
  rlx_buf_free(&job->left_out);
  rlx_report_free(&job->report);
}

// ---- progress

typedef struct Progress {
  bool is_on, is_shown;
  int64_t start_ms, last_ms;
} Progress;

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void show_progress(Progress *p, uint32_t done, uint32_t count) {
  int64_t now = p->is_on ? now_ms() : 0;
  if (!p->is_on || now - p->start_ms < PROGRESS_AFTER_MS || now - p->last_ms < PROGRESS_EVERY_MS)
    return;
  fprintf(stderr, "\rrlx check: %u of %u files", done, count);
  fflush(stderr);
  p->last_ms = now;
  p->is_shown = true;
}

static void hide_progress(Progress *p) {
  if (p->is_shown) fputs("\r\033[K", stderr);
  p->is_shown = false;
}

// ---- running

static void run_here(Pool *pool, Progress *progress, void (*take)(RlxCheckJob *job, void *data),
                     void *data) {
  Worker worker = {.pool = pool};
  for (uint32_t i = 0; i < pool->jobs->count; i++) {
    RlxCheckJob *job = &pool->jobs->at[i];
    run_one(&worker, job);
    hide_progress(progress);
    take(job, data);
    drop(job);
    show_progress(progress, i + 1, pool->jobs->count);
  }
  rlx_analyzer_free(worker.analyzer);
}

/// Waits for job `i`; false when some time passed instead.
static bool wait_for(Pool *pool, uint32_t i, uint32_t *done) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += PROGRESS_EVERY_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&pool->lock);
  bool in_time = true;
  while (!pool->jobs->at[i].done && in_time)
    in_time = pthread_cond_timedwait(&pool->one_done, &pool->lock, &until) == 0;
  bool is_done = pool->jobs->at[i].done;
  *done = pool->done;
  pthread_mutex_unlock(&pool->lock);
  return is_done;
}

/// Memory that one file gave back serves the next: returning it to the system costs a page fault
/// each time.
static void keep_memory(void) {
#ifdef M_TRIM_THRESHOLD
  enum { MEGABYTE = 1024 * 1024 };
  mallopt(M_TRIM_THRESHOLD, 512 * MEGABYTE);
  mallopt(M_MMAP_THRESHOLD, 64 * MEGABYTE);
  mallopt(M_TOP_PAD, MEGABYTE);
#endif
}

void rlx_check_run(RlxCheckJobs *jobs, int threads, bool has_progress,
                   void (*take)(RlxCheckJob *job, void *data), void *data) {
  keep_memory();
  Pool pool = {.jobs = jobs,
               .program = rlx_cache_program(),
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .one_done = PTHREAD_COND_INITIALIZER};
  Progress progress = {.is_on = has_progress && isatty(STDERR_FILENO)};
  if (progress.is_on) progress.start_ms = now_ms();
  Vec(pthread_t) ids = {0};
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, STACK_BYTES);
  for (int i = 0; threads > 1 && i < threads; i++) {
    pthread_t id;
    if (pthread_create(&id, &attr, work, &pool) != 0) break;
    rlx_vec_push(&ids, id);
  }
  pthread_attr_destroy(&attr);
  if (!ids.count) run_here(&pool, &progress, take, data);
  for (uint32_t i = 0; ids.count && i < jobs->count; i++) {
    uint32_t done = 0;
    while (!wait_for(&pool, i, &done)) show_progress(&progress, done, jobs->count);
    hide_progress(&progress);
    take(&jobs->at[i], data);
    drop(&jobs->at[i]);
    show_progress(&progress, done, jobs->count);
  }
  hide_progress(&progress);
  for (uint32_t i = 0; i < ids.count; i++) pthread_join(ids.at[i], NULL);
  rlx_vec_free(&ids);
}
