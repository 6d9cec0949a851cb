/// Findings as JSON, in the contract of spec 5.
#include "cli/check_impl.h"

static void fixes_json(RlxCheck *c, const RlxFinding *d) {
  RlxJson *json = &c->json;
  rlx_json_key(json, "fixes");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < d->fix_count; i++) {
    const RlxReportFix *fix = &d->fixes[i];
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "title", fix->title);
    rlx_json_key_bool(json, "safe", fix->is_safe);
    rlx_json_key(json, "edits");
    rlx_json_begin(json, '[');
    for (uint32_t k = 0; k < fix->edit_count; k++) {
      rlx_json_begin(json, '{');
      rlx_json_key(json, "range");
      rlx_check_range(c, fix->edits[k].span);
      rlx_json_key_text(json, "newText", fix->edits[k].text);
      rlx_json_end(json, '}');
    }
    rlx_json_end(json, ']');
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

static void one_json(RlxCheck *c, const RlxFinding *d) {
  RlxJson *json = &c->json;
  const RlxDiagRow *row = rlx_diag_row(d->id);
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "code", row->code);
  rlx_json_key_text(json, "name", row->name);
  rlx_json_key_text(json, "severity", rlx_severity_names[d->severity]);
  rlx_json_key_text(json, "message", d->message);
  rlx_json_key(json, "range");
  rlx_check_range(c, d->span);
  rlx_json_key(json, "function");
  if (d->function)
    rlx_json_text(json, d->function);
  else
    rlx_json_null(json);
  rlx_json_key(json, "related");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < d->related_count; i++) {
    const RlxReportNote *related = &d->related[i];
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "message", related->message);
    rlx_json_key(json, "range");
    rlx_check_range(c, d->related[i].span);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  fixes_json(c, d);
  rlx_json_end(json, '}');
}

static void begin(RlxCheck *c) { rlx_buf_puts(c->json.out, "{\"rlx\": 1, \"files\": ["); }

static void file_begin(RlxCheck *c) {
  c->json.needs_comma = c->files > 1;
  rlx_json_begin(&c->json, '{');
  rlx_json_key_text(&c->json, "file", c->path);
  rlx_json_key(&c->json, "diagnostics");
  rlx_json_begin(&c->json, '[');
}

static void file_end(RlxCheck *c) {
  rlx_json_end(&c->json, ']');
  rlx_json_end(&c->json, '}');
}

/// What was not done: beside the findings, so that no finding is not taken for nothing wrong.
static void faults_json(RlxCheck *c) {
  RlxJson *json = &c->json;
  if (!c->faults.count) return;
  rlx_json_key(json, "faults");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < c->faults.count; i++) rlx_json_text(json, c->faults.at[i].text);
  rlx_json_end(json, ']');
}

/// What was not read though a folder with it was named.
static void unread_json(RlxCheck *c) {
  RlxJson *json = &c->json;
  if (!c->unread_inputs.count) return;
  rlx_json_key(json, "unread");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < c->unread_inputs.count; i++) rlx_json_text(json, c->unread_inputs.at[i]);
  rlx_json_end(json, ']');
}

static void end(RlxCheck *c) {
  rlx_json_end(&c->json, ']');
  faults_json(c);
  unread_json(c);
  rlx_buf_printf(c->json.out,
                 ", \"summary\": {\"files\": %u, \"errors\": %llu, \"warnings\": %llu, "
                 "\"information\": %llu, \"hints\": %llu}}\n",
                 c->files - c->unread, (unsigned long long)c->counts[1],
                 (unsigned long long)c->counts[2], (unsigned long long)c->counts[3],
                 (unsigned long long)c->counts[4]);
}

const RlxCheckFormat rlx_check_json = {begin, file_begin, one_json, file_end, end};
