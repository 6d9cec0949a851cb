/// Findings for CI systems: GitHub's workflow commands, GitLab's code quality report, JUnit's XML.
#include <string.h>

#include "base/hash.h"
#include "cli/check_impl.h"

// ---- GitHub: ::error file=…,line=…,col=…,title=…::message

static void github_text(RlxBuf *out, const char *text, bool is_property) {
  while (*text) {
    const size_t plain = strcspn(text, is_property ? "%\r\n:," : "%\r\n");
    rlx_text_put_shown(out, text, plain);
    text += plain;
    if (*text) rlx_buf_printf(out, "%%%02X", (unsigned)*text++);
  }
}

static void github(RlxCheck *c, const RlxFinding *d) {
  static const char *const commands[] = {"", "error", "warning", "notice", "notice"};
  if (d->severity > c->least) return;
  const RlxDiagRow *row = rlx_diag_row(d->id);
  RlxPlace start = rlx_check_place(c, d->span.start), end = rlx_check_place(c, d->span.end);
  RlxBuf *out = c->json.out;
  rlx_buf_printf(out, "::%s file=", commands[d->severity]);
  github_text(out, c->path, true);
  rlx_buf_printf(out, ",line=%u,endLine=%u", start.line, end.line);
  if (start.line == end.line)
    rlx_buf_printf(out, ",col=%u,endColumn=%u", start.column, end.column); // columns need one line
  rlx_buf_printf(out, ",title=%s %s::", row->code, row->name);
  github_text(out, d->message, false);
  rlx_buf_putc(out, '\n');
}

static void github_line(RlxCheck *c, const char *level, const char *text) {
  rlx_buf_printf(c->json.out, "::%s title=rlx check::", level);
  github_text(c->json.out, text, false);
  rlx_buf_putc(c->json.out, '\n');
}

static void github_end(RlxCheck *c) {
  for (uint32_t i = 0; i < c->faults.count; i++) github_line(c, "error", c->faults.at[i].text);
  for (uint32_t i = 0; i < c->unread_inputs.count; i++)
    github_line(c, "warning", c->unread_inputs.at[i]);
}

const RlxCheckFormat rlx_check_github = {.finding = github, .end = github_end};

// ---- GitLab

typedef struct GitlabEntry {
  const char *text, *name, *severity, *path;
  uint64_t mark; ///< the same for the same entry in a later run
  uint32_t begin, end;
} GitlabEntry;

static void gitlab_entry(RlxJson *json, const GitlabEntry *e) {
  RlxBuf mark = {0};
  rlx_buf_printf(
      &mark, "%016llx",
      (unsigned long long)rlx_hash_mix(rlx_hash_bytes(e->path, strlen(e->path), 0), e->mark));
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "description", e->text);
  rlx_json_key_text(json, "check_name", e->name);
  rlx_json_key_text(json, "fingerprint", rlx_buf_text(&mark));
  rlx_json_key_text(json, "severity", e->severity);
  rlx_json_key(json, "location");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "path", e->path);
  rlx_json_key(json, "lines");
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "begin", e->begin);
  rlx_json_key_int(json, "end", e->end);
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
  rlx_buf_free(&mark);
}

static void gitlab(RlxCheck *c, const RlxFinding *d) {
  static const char *const severities[] = {"", "critical", "minor", "info", "info"};
  if (d->severity > c->least) return;
  gitlab_entry(&c->json,
               &(GitlabEntry){d->message, rlx_diag_row(d->id)->code, severities[d->severity],
                              c->path, c->mark, rlx_check_place(c, d->span.start).line,
                              rlx_check_place(c, d->span.end).line});
}

/// What concerns no file of the report stands at the project's folder: an entry has a path.
static void gitlab_run(RlxCheck *c, const char *severity, const char *path, const char *text) {
  gitlab_entry(&c->json, &(GitlabEntry){text, "rlx check", severity, path,
                                        rlx_hash_bytes(text, strlen(text), 0), 1, 1});
}

static void gitlab_file_begin(RlxCheck *c) {
  if (c->fault) gitlab_run(c, "blocker", c->path, c->fault);
}

static void gitlab_begin(RlxCheck *c) { rlx_json_begin(&c->json, '['); }

static void gitlab_end(RlxCheck *c) {
  for (uint32_t i = 0; i < c->faults.count; i++)
    if (!c->faults.at[i].of_file) gitlab_run(c, "blocker", ".", c->faults.at[i].text);
  for (uint32_t i = 0; i < c->unread_inputs.count; i++)
    gitlab_run(c, "info", ".", c->unread_inputs.at[i]);
  rlx_json_end(&c->json, ']');
  rlx_buf_putc(c->json.out, '\n');
}

const RlxCheckFormat rlx_check_gitlab = {gitlab_begin, gitlab_file_begin, gitlab, NULL, gitlab_end};

// ---- JUnit: a test case per file, a failure per finding

/// XML has no place for most control characters and for bytes that are no UTF-8, escaped or not.
static void xml_text(RlxBuf *out, const char *text) {
  while (*text) {
    const size_t plain = strcspn(text, "&<>\"\n");
    rlx_text_put_shown(out, text, plain);
    text += plain;
    if (*text) rlx_buf_printf(out, "&#%d;", *text++);
  }
}

static void junit_error(RlxBuf *out, const char *text) {
  rlx_buf_puts(out, "      <error message=\"");
  xml_text(out, text);
  rlx_buf_puts(out, "\"/>\n");
}

static void junit_begin(RlxCheck *c) { c->holds = true; }

static void junit_file_begin(RlxCheck *c) {
  c->case_failed = false;
  rlx_buf_puts(c->json.out, "    <testcase classname=\"rlx.check\" name=\"");
  xml_text(c->json.out, c->path);
  rlx_buf_puts(c->json.out, "\">\n");
  if (c->fault) junit_error(c->json.out, c->fault);
}

static void junit(RlxCheck *c, const RlxFinding *d) {
  if (d->severity > c->least) return;
  c->cases_failed += !c->case_failed;
  c->case_failed = true;
  const RlxDiagRow *row = rlx_diag_row(d->id);
  RlxPlace at = rlx_check_place(c, d->span.start);
  rlx_buf_printf(c->json.out, "      <failure type=\"%s\" message=\"",
                 rlx_severity_names[d->severity]);
  xml_text(c->json.out, d->message);
  rlx_buf_puts(c->json.out, "\">");
  xml_text(c->json.out, c->path);
  rlx_buf_printf(c->json.out, ":%u:%u: %s %s</failure>\n", at.line, at.column, row->code,
                 row->name);
}

static void junit_file_end(RlxCheck *c) { rlx_buf_puts(c->json.out, "    </testcase>\n"); }
/// The counts are attributes of the head.
static void junit_end(RlxCheck *c) {
  RlxBuf head = {0};
  uint32_t cases = c->files;
  for (uint32_t i = 0; i < c->faults.count; i++) {
    if (c->faults.at[i].of_file) continue;
    rlx_buf_puts(c->json.out, "    <testcase classname=\"rlx.check\" name=\"rlx check\">\n");
    junit_error(c->json.out, c->faults.at[i].text);
    rlx_buf_puts(c->json.out, "    </testcase>\n");
    cases++;
  }
  const uint32_t skipped = c->unread_inputs.count;
  for (uint32_t i = 0; i < skipped; i++) {
    rlx_buf_puts(c->json.out, "    <testcase classname=\"rlx.check\" name=\"rlx check\">\n");
    rlx_buf_puts(c->json.out, "      <skipped message=\"");
    xml_text(c->json.out, c->unread_inputs.at[i]);
    rlx_buf_puts(c->json.out, "\"/>\n    </testcase>\n");
    cases++;
  }
  rlx_buf_puts(&head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  rlx_buf_printf(&head, "<testsuites tests=\"%u\" failures=\"%u\" errors=\"%u\">\n", cases,
                 c->cases_failed, c->faults.count);
  rlx_buf_printf(&head,
                 "  <testsuite name=\"rlx check\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
                 "skipped=\"%u\">\n",
                 cases, c->cases_failed, c->faults.count, skipped);
  rlx_buf_splice(c->json.out, 0, 0, rlx_buf_text(&head), head.size);
  rlx_buf_puts(c->json.out, "  </testsuite>\n</testsuites>\n");
  rlx_buf_free(&head);
  c->holds = false;
}

const RlxCheckFormat rlx_check_junit = {junit_begin, junit_file_begin, junit, junit_file_end,
                                        junit_end};
