/// `rlx check`: what is wrong in scripts, in any of the formats; fixes; exit codes (spec 5).
/// Always true: findings go to standard output, errors about the tool to standard error; a file is
/// only written when its content on disk is what was analysed.
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/cache.h"
#include "cli/check_impl.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/settings.h"

static void ignore_finding(RlxCheck *c, const RlxFinding *d) {
  (void)c;
  (void)d;
}

/// When a fixed text or a diff is the answer, findings only count for the exit code.
static const RlxCheckFormat silent = {.finding = ignore_finding};

typedef struct Options {
  int format, color;
  bool fix, unsafe_fixes, diff, statistics, show_settings, write_baseline, watch;
  int64_t jobs;
  const char *stdin_name, *baseline;
  RlxSettingOptions settings;
  uint32_t reported; // problems of configurations
} Options;

/// One run over the inputs.
typedef struct Run {
  RlxCheck check;
  Options *options;
  RlxBaseline *baseline;
  const RlxConfig *config; // of the file before
  RlxBuf cache;            // its folder
  int code;
} Run;

/// Says on standard error what went wrong, and keeps it for the formats that report it.
static void report_fault(Run *run, const char *text, bool of_file) {
  rlx_text_say(stderr, "rlx check: %s", text);
  rlx_vec_push(&run->check.faults, (RlxFault){rlx_mem_strdup(text), of_file});
  run->code = RLX_EXIT_USAGE;
}

// ---- one file

static void write_step(RlxCheck *c, void (*step)(RlxCheck *)) {
  if (step) step(c);
}

static void flush(RlxCheck *c) {
  if (c->holds) return;
  fwrite(rlx_buf_text(c->json.out), 1, c->json.out->size, stdout);
  rlx_buf_clear(c->json.out);
}

/// Whether the command line names diagnostics to report: then they are shown, hints too.
static bool names_codes(const RlxConfig *config) {
  static const RlxSettingId lists[] = {RLX_SETTING_select, RLX_SETTING_extend_select};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    const RlxConfigValue *value = &config->values[lists[i]];
    for (uint32_t k = 0; value->origin == RLX_ORIGIN_OPTION && k < value->texts.count; k++)
      if (strcmp(value->texts.at[k], "ALL") != 0) return true;
  }
  return false;
}

/// What the configuration of the file says.
static void configure(Run *run, const char *path) {
  RlxCheck *c = &run->check;
  RlxBuf relative = {0};
  const RlxConfig *config = rlx_configs_of(run->options->settings.configs, path, &relative);
  if (config != run->config || rlx_config_has_per_file(config))
    rlx_config_policy(config, rlx_buf_text(&relative), &c->policy);
  run->config = config;
  c->least = (int)rlx_config_number(config, RLX_SETTING_show) + 1;
  if (config->values[RLX_SETTING_show].origin == RLX_ORIGIN_DEFAULT && names_codes(config))
    c->least = RLX_HINT;
  c->fail_on = (int)rlx_config_number(config, RLX_SETTING_fail_on) + 1;
  if (c->fail_on > RLX_HINT) c->fail_on = 0; // never
  if (config->values[RLX_SETTING_show].origin == RLX_ORIGIN_DEFAULT && c->least < c->fail_on)
    c->least = c->fail_on; // what fails is seen
  rlx_buf_free(&relative);
}

/// Counts the finding among those that --fix, or --unsafe-fixes, would try to fix; what they left out
/// in this run is named by itself.
static void count_fixes(const Options *o, RlxCheck *c, const RlxFinding *d) {
  bool has_fix = false, is_safe = false;
  if (!rlx_check_is_fixed(d->id, d->severity, c->least)) return;
  for (uint32_t i = 0; i < d->fix_count; i++) {
    has_fix |= d->fixes[i].edit_count > 0;
    is_safe |= d->fixes[i].edit_count && d->fixes[i].is_safe;
  }
  c->fixable += is_safe && !o->fix;
  c->unsafe += has_fix && !is_safe && !o->unsafe_fixes;
}

static void report_finding(Run *run, const RlxFinding *found) {
  RlxCheck *c = &run->check;
  RlxFinding d = *found;
  d.severity = rlx_policy_severity(&c->policy, d.id, d.severity);
  if (!d.severity) return;
  c->mark = rlx_check_mark(c, &d);
  if (run->options->write_baseline) {
    rlx_baseline_add(run->baseline, c->path, c->mark, &d);
    return;
  }
  if (run->baseline && rlx_baseline_knows(run->baseline, c->path, c->mark)) {
    c->known++;
    return;
  }
  c->counts[d.severity]++;
  count_fixes(run->options, c, &d);
  c->by_code[d.id]++;
  c->failed |= d.severity <= c->fail_on;
  c->format->finding(c, &d);
}

/// The fixes that were taken back, a line each.
static void say_left_out(const char *path, const char *lines) {
  while (*lines) {
    int size = (int)strcspn(lines, "\n");
    rlx_text_say(stderr, "rlx check: %s:%.*s", path, size, lines);
    lines += size + 1;
  }
}

static void take(RlxCheckJob *job, void *data) {
  Run *run = data;
  RlxCheck *c = &run->check;
  RlxLines lines = {0};
  RlxColumns columns = {0};
  if (job->failed) report_fault(run, job->err.text, !job->is_skipped);
  if (job->is_skipped) return;
  c->path = job->shown;
  if (job->is_diff) {
    RlxBuf diff = {0};
    rlx_diff(c->path, &job->content, &job->after, &diff);
    rlx_text_put_lines(c->json.out, stdout, rlx_buf_text(&diff), diff.size);
    rlx_buf_free(&diff);
  } else if (job->is_stdin && job->fix)
    rlx_text_write(stdout, rlx_buf_text(&job->content), job->content.size);
  else if (job->fixed)
    rlx_text_say(stderr, "rlx check: %s: %u fixed", c->path, job->fixed);
  say_left_out(c->path, rlx_buf_text(&job->left_out));
  configure(run, c->path);
  c->text = rlx_buf_text(&job->content);
  rlx_lines_build(&lines, c->text, (uint32_t)job->content.size);
  c->lines = &lines;
  c->columns = &columns;
  c->hashed = NULL;
  if (run->baseline) rlx_baseline_saw(run->baseline, c->path);
  c->files++;
  c->unread += job->failed;
  c->fault = job->failed ? job->err.text : NULL;
  write_step(c, c->format->file_begin);
  // A diff shows what fixes do; what the file has now decides about the exit code all the same.
  for (uint32_t i = 0; i < job->report.count; i++) report_finding(run, &job->report.at[i]);
  write_step(c, c->format->file_end);
  flush(c);
  rlx_lines_free(&lines);
  rlx_vec_free(&columns.steps);
}

// ---- all files

static const struct {
  const char *name;
  const RlxCheckFormat *format;
} formats[] = {
    {"text", &rlx_check_text},   {"concise", &rlx_check_concise}, {"json", &rlx_check_json},
    {"sarif", &rlx_check_sarif}, {"github", &rlx_check_github},   {"gitlab", &rlx_check_gitlab},
    {"junit", &rlx_check_junit},
};

/// One line per code that was found, the most frequent first.
static void statistics(RlxCheck *c) {
  for (;;) {
    int best = -1;
    for (int i = 0; i < rlx_diag_count(); i++)
      if (c->by_code[i] && (best < 0 || c->by_code[i] > c->by_code[best])) best = i;
    if (best < 0) return;
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)best);
    rlx_buf_printf(c->json.out, "%6llu  %s  %s\n", (unsigned long long)c->by_code[best], row->code,
                   row->name);
    c->by_code[best] = 0;
  }
}

/// What a repository's `schedules` may cost: so many traces, and statements that all of them look at.
enum { TRACES_MAX = 1000, LOOKS_OF_ALL = 30000000 };

/// The folders of caches and the policies of fixes, which jobs point to.
typedef struct Kept {
  Vec(char *) caches;
  Vec(RlxPolicy *) policies;
  Vec(char *) texts;
  Vec(const RlxConfig *) asked; ///< whose `schedules` were looked at
  uint32_t traces;              ///< that they name
} Kept;

static RlxCheckJob make_job(Run *run, const RlxInput *input, Kept *kept) {
  Options *o = run->options;
  bool is_stdin = strcmp(input->path, "-") == 0;
  RlxCheckJob job = {.path = input->path,
                     .shown = is_stdin && o->stdin_name ? o->stdin_name : input->path,
                     .is_explicit = input->is_explicit};
  // What a walk of `.` finds is called as one without a path calls it: GitLab wants it so.
  while (strncmp(job.shown, "./", 2) == 0 && job.shown[2]) job.shown += 2;
  const RlxConfig *before = run->config;
  configure(run, job.shown);
  const RlxConfig *config = run->config;
  job.settings = rlx_config_settings(config);
  job.root = config->folder;
  if (config != before || !kept->caches.count) {
    const char *folder = rlx_config_number(config, RLX_SETTING_cache)
                             ? config->values[RLX_SETTING_cache_dir].text
                             : NULL;
    if (folder)
      rlx_cache_folder(
          folder,
          config->values[RLX_SETTING_cache_dir].origin == RLX_ORIGIN_OPTION ? NULL : config->folder,
          &run->cache);
    else
      rlx_buf_clear(&run->cache);
    if (folder && *folder && config->values[RLX_SETTING_cache_dir].origin == RLX_ORIGIN_FILE &&
        !rlx_cache_is_inside(rlx_buf_text(&run->cache), config->folder)) {
      rlx_text_say(stderr,
                   "rlx check: cache-dir: `%s` leads out of the project, so nothing is kept",
                   folder);
      rlx_buf_clear(&run->cache);
    }
    rlx_vec_push(&kept->caches, rlx_mem_strdup(rlx_buf_text(&run->cache)));
  }
  if (o->fix || o->diff) {
    RlxPolicy *policy = rlx_mem_zeroed(1, sizeof *policy);
    *policy = run->check.policy;
    rlx_vec_push(&kept->policies, policy);
    job.fix = policy;
    job.least = run->check.least;
    job.takes_unsafe = o->unsafe_fixes;
    job.is_diff = o->diff;
    job.is_stdin = is_stdin;
    job.baseline = run->baseline;
  }
  if (*rlx_vec_last(&kept->caches)) job.cache = rlx_vec_last(&kept->caches);
  return job;
}

/// The length of the script's path in a key of `schedules`: "model.py" or "model.py::dense".
static int script_size(const char *key) {
  const char *mark = strstr(key, "::");
  return mark ? (int)(mark - key) : (int)strlen(key);
}

/// The path of a file that the configuration names, as the script beside it is called: where `path`
/// ends in `relative`, what is before that and `file`. NULL, after a message: it leads out of the
/// configuration's folder.
static const char *beside(Run *run, const char *path, const char *relative, const char *file,
                          Kept *kept) {
  size_t size = strlen(path), tail = strlen(relative);
  bool fits = size >= tail && strcmp(path + size - tail, relative) == 0;
  RlxBuf out = {0}, absolute = {0};
  if (fits)
    rlx_buf_printf(&out, "%.*s%s", (int)(size - tail), path, file);
  else
    rlx_buf_printf(&out, "%s/%s", run->config->folder, file);
  rlx_buf_printf(&absolute, "%s/%s", run->config->folder, file);
  bool leads_out = *file == '/' || strstr(file, "..") ||
                   !rlx_cache_is_inside(rlx_buf_text(&absolute), run->config->folder);
  rlx_buf_free(&absolute);
  if (leads_out) {
    RlxBuf text = {0};
    rlx_buf_printf(&text, "schedules: `%s` leads out of the project, so it is not read", file);
    report_fault(run, rlx_buf_text(&text), false);
    rlx_buf_free(&text);
    rlx_buf_free(&out);
    return NULL;
  }
  rlx_vec_push(&kept->texts, rlx_buf_steal(&out));
  return rlx_vec_last(&kept->texts);
}

/// Says which scripts that the configuration names in `schedules` are none, once for each configuration:
/// the traces beside them would never be carried out.
static void check_scripts(Run *run, const RlxConfig *config, Kept *kept) {
  const RlxConfigValue *named = &config->values[RLX_SETTING_schedules];
  for (uint32_t i = 0; i < kept->asked.count; i++)
    if (kept->asked.at[i] == config) return;
  rlx_vec_push(&kept->asked, config);
  for (uint32_t i = 0; config->folder && i < named->entries.count; i++) {
    struct stat info;
    RlxBuf path = {0}, text = {0};
    int size = script_size(named->entries.at[i].key);
    rlx_buf_printf(&path, "%s/%.*s", config->folder, size, named->entries.at[i].key);
    if (*named->entries.at[i].key == '/' || strstr(named->entries.at[i].key, ".."))
      rlx_buf_puts(&text, "leads out of the project");
    else if (stat(rlx_buf_text(&path), &info) != 0)
      rlx_buf_printf(&text, "cannot open: %s", strerror(errno));
    else if (!S_ISREG(info.st_mode))
      rlx_buf_puts(&text, "not a regular file");
    if (text.size) {
      RlxBuf whole = {0};
      rlx_buf_printf(&whole, "schedules: the script of `%s`: %s", named->entries.at[i].key,
                     rlx_buf_text(&text));
      report_fault(run, rlx_buf_text(&whole), false);
      rlx_buf_free(&whole);
    }
    rlx_buf_free(&path);
    rlx_buf_free(&text);
  }
}

/// The traces that the configuration names beside the script of `input`.
static void add_traces(Run *run, const RlxInput *input, const RlxCheckJob *script,
                       RlxCheckJobs *jobs, Kept *kept) {
  RlxBuf relative = {0};
  if (strcmp(input->path, "-") == 0) return; // its text is read once
  const RlxConfig *config =
      rlx_configs_of(run->options->settings.configs, script->shown, &relative);
  const RlxConfigValue *named = &config->values[RLX_SETTING_schedules];
  for (uint32_t i = 0; config->folder && relative.size && i < named->entries.count; i++) {
    const RlxConfigEntry *entry = &named->entries.at[i];
    int size = script_size(entry->key), skipped = strncmp(entry->key, "./", 2) == 0 ? 2 : 0;
    const char *function = entry->key[size] ? entry->key + size + 2 : NULL;
    if ((size_t)(size - skipped) != relative.size ||
        memcmp(entry->key + skipped, rlx_buf_text(&relative), relative.size) != 0)
      continue;
    for (uint32_t k = 0; k < entry->texts.count; k++) {
      const char *path =
          beside(run, script->shown, rlx_buf_text(&relative), entry->texts.at[k], kept);
      if (!path) continue;
      if (kept->traces++ >= TRACES_MAX) continue; // said below
      RlxCheckJob job = {.path = path,
                         .shown = path,
                         .root = config->folder,
                         .is_explicit = true,
                         .settings = script->settings,
                         .script = script->shown,
                         .function = function};
      rlx_vec_push(jobs, job);
    }
  }
  rlx_buf_free(&relative);
}

/// Gives each trace its part of what all of them may look at.
static void share_looks(Run *run, RlxCheckJobs *jobs, uint32_t traces) {
  if (traces > TRACES_MAX) {
    char text[128];
    snprintf(text, sizeof text, "schedules: %u traces, of which the first %d are carried out",
             traces, TRACES_MAX);
    report_fault(run, text, false);
    traces = TRACES_MAX;
  }
  for (uint32_t i = 0; i < jobs->count; i++)
    if (jobs->at[i].script) jobs->at[i].looks = LOOKS_OF_ALL / traces;
}

static int thread_count(const Options *o, uint32_t files) {
  cpu_set_t set;
  int64_t count = o->jobs                                       ? o->jobs
                  : sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                                : 1;
  if (count > files / 2) count = files / 2; // a thread is worth it from two files on
  return count < 1 ? 1 : (int)count;
}

/// What is wrong with configurations, for the formats that report it; rlx_setting_report says it.
static void keep_setting_problems(Run *run) {
  const RlxConfigProblems *problems = rlx_configs_problems(run->options->settings.configs);
  for (uint32_t i = run->options->reported; i < problems->count; i++) {
    RlxBuf text = {0};
    rlx_config_problem_print(&problems->at[i], &text);
    while (text.size && rlx_buf_text(&text)[text.size - 1] == '\n')
      rlx_buf_truncate(&text, text.size - 1);
    rlx_vec_push(&run->check.faults, (RlxFault){rlx_buf_steal(&text), false});
  }
}

/// Says that there was something to read, and no script in it.
static void say_without_scripts(RlxCheck *c, uint32_t inputs) {
  RlxBuf text = {0};
  if (!inputs || c->files || c->faults.count) return;
  rlx_buf_printf(&text, "%u file%s, none of them has a script", inputs, inputs == 1 ? "" : "s");
  rlx_text_say(stderr, "rlx check: %s", rlx_buf_text(&text));
  rlx_vec_push(&c->unread_inputs, rlx_buf_steal(&text));
}

static void check_inputs(Run *run, const RlxInputs *inputs) {
  RlxCheck *c = &run->check;
  RlxCheckJobs jobs = {0};
  Kept kept = {0};
  for (uint32_t i = 0; i < inputs->count; i++) {
    RlxCheckJob job = make_job(run, &inputs->at[i], &kept);
    rlx_vec_push(&jobs, job);
    add_traces(run, &inputs->at[i], &job, &jobs, &kept);
    check_scripts(run, rlx_configs_of(run->options->settings.configs, job.shown, NULL), &kept);
  }
  for (uint32_t i = 0; i < inputs->folders.count; i++) { // of a folder without scripts, too
    RlxBuf folder = {0};
    rlx_buf_printf(&folder, "%s/", inputs->folders.at[i]);
    check_scripts(run, rlx_configs_of(run->options->settings.configs, rlx_buf_text(&folder), NULL),
                  &kept);
    rlx_buf_free(&folder);
  }
  share_looks(run, &jobs, kept.traces);
  run->config = NULL;
  write_step(c, c->format->begin);
  rlx_check_run(&jobs, thread_count(run->options, jobs.count), true, take, run);
  bool is_text = c->format == &rlx_check_text || c->format == &rlx_check_concise;
  if (run->options->statistics && is_text) statistics(c);
  keep_setting_problems(run);
  say_without_scripts(c, inputs->count);
  write_step(c, c->format->end);
  flush(c);
  for (uint32_t i = 0; i < kept.caches.count; i++) {
    if (*kept.caches.at[i]) rlx_cache_tidy(kept.caches.at[i]);
    free(kept.caches.at[i]);
  }
  for (uint32_t i = 0; i < kept.policies.count; i++) free(kept.policies.at[i]);
  rlx_vec_free(&kept.caches);
  rlx_vec_free(&kept.policies);
  for (uint32_t i = 0; i < kept.texts.count; i++) free(kept.texts.at[i]);
  rlx_vec_free(&kept.texts);
  rlx_vec_free(&kept.asked);
  rlx_vec_free(&jobs);
}

/// After the last file: what is to be said about the baseline.
static void finish_baseline(Run *run) {
  RlxError err = {0};
  if (!run->baseline) return;
  uint32_t stale = rlx_baseline_stale(run->baseline);
  if (run->options->write_baseline) {
    if (rlx_baseline_write(run->baseline, &err))
      rlx_text_say(stderr, "rlx check: %s: %u finding%s", run->options->baseline, stale,
                   stale == 1 ? "" : "s");
    else
      run->code = RLX_EXIT_USAGE, rlx_text_say(stderr, "rlx check: %s", err.text);
  } else {
    if (run->check.known)
      rlx_text_say(stderr, "rlx check: %llu known from the baseline",
                   (unsigned long long)run->check.known);
    if (stale)
      rlx_text_say(stderr,
                   "rlx check: %u of the baseline did not come; --write-baseline takes %s out",
                   stale, stale == 1 ? "it" : "them");
  }
  rlx_baseline_free(run->baseline);
}

/// Watches the folders of the inputs. Whether some were not watched yet: what happened in them
/// before is known to nobody.
static bool watch_folders(RlxWatch *watch, const RlxInputs *inputs) {
  bool any = false;
  for (uint32_t i = 0; i < inputs->folders.count; i++)
    any |= rlx_watch_folder(watch, inputs->folders.at[i]);
  for (uint32_t i = 0; i < inputs->count; i++) {
    if (!inputs->at[i].is_explicit) continue;
    const char *path = inputs->at[i].path, *slash = strrchr(path, '/');
    char *folder = slash ? rlx_mem_strndup(path, (size_t)(slash - path) + 1) : rlx_mem_strdup("./");
    any |= rlx_watch_folder(watch, folder);
    free(folder);
  }
  return any;
}

/// One run. With `watch`, its folders are watched, from before their files are read.
static int check_once(Options *o, const RlxArgs *args, RlxWatch *watch) {
  RlxInputs inputs = {0};
  RlxError err = {0};
  RlxBuf out = {0};
  Run run = {.options = o};
  bool has_inputs = rlx_inputs_collect(args, o->settings.configs, &inputs, &err);
  while (watch && watch_folders(watch, &inputs)) { // files may have come before they were watched
    rlx_inputs_free(&inputs);
    inputs = (RlxInputs){0};
    rlx_configs_forget(o->settings.configs);
    has_inputs = rlx_inputs_collect(args, o->settings.configs, &inputs, &err);
  }
  bool is_fixed_stdin = o->fix && inputs.count == 1 && strcmp(inputs.at[0].path, "-") == 0;
  bool is_silent = o->diff || is_fixed_stdin || o->write_baseline;
  run.check = (RlxCheck){.format = is_silent ? &silent : formats[o->format].format,
                         .json = {.out = &out},
                         .color = rlx_color_is_on((RlxColor)o->color, stdout)};
  if (!has_inputs) report_fault(&run, err.text, false);
  rlx_inputs_report_unread(&inputs, "check");
  rlx_inputs_unread(&inputs, &run.check.unread_inputs);
  if (o->baseline && !(run.baseline = rlx_baseline_open(o->baseline, o->write_baseline, &err))) {
    report_fault(&run, err.text, false);
    inputs.count = 0; // everything in it would count as new
  }
  bool is_text = run.check.format == &rlx_check_text || run.check.format == &rlx_check_concise;
  if (!o->baseline || run.baseline || !is_text) check_inputs(&run, &inputs);
  finish_baseline(&run);
  if (!rlx_setting_report(&o->settings, &o->reported)) run.code = RLX_EXIT_USAGE;
  if (run.check.failed && run.code == RLX_EXIT_OK) run.code = RLX_EXIT_FINDINGS;
  rlx_map_free(&run.check.marks);
  for (uint32_t i = 0; i < run.check.faults.count; i++) free(run.check.faults.at[i].text);
  rlx_vec_free(&run.check.faults);
  rlx_unread_free(&run.check.unread_inputs);
  rlx_buf_free(&run.cache);
  rlx_buf_free(&out);
  rlx_inputs_free(&inputs);
  return run.code;
}

/// Runs again whenever something changes, until it is interrupted.
static int check_forever(Options *o, const RlxArgs *args) {
  RlxError err = {0};
  RlxWatch *watch = rlx_watch_new(&err);
  bool is_terminal = isatty(STDOUT_FILENO);
  do {
    if (!watch) break;
    if (is_terminal) fputs("\033[2J\033[3J\033[H", stdout);
    rlx_configs_forget(o->settings.configs);
    o->reported = 0;
    check_once(o, args, watch);
    fflush(stdout);
    if (isatty(STDERR_FILENO)) fputs("watching; Ctrl-C ends\n", stderr);
  } while (rlx_watch_wait(watch, &err));
  rlx_text_say(stderr, "rlx check: %s", err.text);
  rlx_watch_free(watch);
  return RLX_EXIT_USAGE;
}

/// The settings that hold for each path.
static int show_settings(Options *options, const RlxArgs *args) {
  RlxBuf out = {0};
  for (uint32_t i = 0; i == 0 || i < args->count; i++) {
    RlxBuf path = {0};
    rlx_buf_puts(&path, args->count ? args->at[i] : "./");
    if (rlx_file_is_folder(path.at) && path.at[path.size - 1] != '/') rlx_buf_putc(&path, '/');
    if (i) rlx_buf_putc(&out, '\n');
    rlx_config_print(rlx_configs_of(options->settings.configs, path.at, NULL), &out);
    rlx_buf_free(&path);
  }
  fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  rlx_buf_free(&out);
  return rlx_setting_report(&options->settings, &options->reported) ? RLX_EXIT_OK : RLX_EXIT_USAGE;
}

static int check(const RlxUsage *usage, const RlxArgs *args, Options *o) {
  if (o->show_settings) return show_settings(o, args);
  o->fix |= o->unsafe_fixes;
  if (o->write_baseline && !o->baseline)
    return rlx_usage_error(usage, "--write-baseline needs --baseline=FILE");
  if (o->watch && (o->fix || o->diff || o->write_baseline))
    return rlx_usage_error(usage, "--watch only reports");
  return o->watch ? check_forever(o, args) : check_once(o, args, NULL);
}

int rlx_cmd_check(int argc, char **argv) {
  const char *format_names[sizeof formats / sizeof formats[0] + 1] = {0};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) format_names[i] = formats[i].name;
  Options o = {.color = RLX_COLOR_AUTO};
  int code = RLX_EXIT_OK;
  RlxOption options[12 + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_choice("format", &o.format, "FORMAT", format_names, "how to print"),
      rlx_option_choice("color", &o.color, "WHEN", rlx_color_names, "colour the text"),
      rlx_option_flag("fix", &o.fix,
                      "apply safe fixes to the files; standard input is printed fixed"),
      rlx_option_flag("unsafe-fixes", &o.unsafe_fixes,
                      "apply the other fixes, too, which may not be what was meant"),
      rlx_option_flag("diff", &o.diff, "print what --fix would change, write nothing"),
      rlx_option_text("baseline", &o.baseline, "FILE", "report only what this file does not know"),
      rlx_option_flag("write-baseline", &o.write_baseline,
                      "write all findings to the baseline, report none"),
      rlx_option_flag("watch", &o.watch, "run again whenever a file changes"),
      rlx_option_flag("statistics", &o.statistics, "count the findings of each code (text)"),
      rlx_option_int("jobs", &o.jobs, "N", 1, 1024, "threads; by default one per core"),
      rlx_option_text("stdin-filename", &o.stdin_name, "NAME", "what to call standard input"),
      rlx_option_flag("show-settings", &o.show_settings,
                      "show every setting with its value and where it is from"),
  };
  size_t count = 12;
  rlx_setting_options(&o.settings, RLX_SETTING_SCOPE_ANALYSIS | RLX_SETTING_SCOPE_REPORT, options,
                      &count);
  RlxUsage usage = {"check", "[PATH…]",
                    "Reports what is wrong in scripts: files, folders, or - for standard "
                    "input.\nCODES are codes, starts of codes, names or ALL, with commas between.",
                    options, count};
  RlxArgs args = {0};
  if (rlx_options_parse(&usage, argc, argv, &args, &code) &&
      rlx_setting_options_done(&o.settings, &usage, &code))
    code = check(&usage, &args, &o);
  rlx_args_free(&args);
  rlx_setting_options_free(&o.settings);
  return code;
}
