/// Findings as SARIF 2.1.0: rules with help, results with regions, related places and fixes.
/// Source: ../shared/schemas/sarif-schema-2.1.0.json.
#include <string.h>

#include "analyzer/ops/explain.h"
#include "base/version.h"
#include "cli/check_impl.h"

static const char *level(int severity) {
  return severity == RLX_ERROR ? "error" : severity == RLX_WARNING ? "warning" : "note";
}

static void message(RlxJson *json, const char *key, const char *text) {
  rlx_json_key(json, key);
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "text", text);
  rlx_json_end(json, '}');
}

static void region(RlxCheck *c, const char *key, RlxSpan span) {
  RlxJson *json = &c->json;
  RlxPlace start = rlx_check_place(c, span.start), end = rlx_check_place(c, span.end);
  rlx_json_key(json, key);
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "startLine", start.line);
  rlx_json_key_int(json, "startColumn", start.column);
  rlx_json_key_int(json, "endLine", end.line);
  rlx_json_key_int(json, "endColumn", end.column);
  rlx_json_end(json, '}');
}

/// The path as a relative URI reference: what may not stand in one is percent-encoded.
static void artifact(RlxCheck *c) {
  RlxBuf uri = {0};
  for (const char *at = c->path; *at; at++) {
    unsigned char byte = (unsigned char)*at;
    bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                 (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '-' ||
                 byte == '_' || byte == '~';
    if (plain)
      rlx_buf_putc(&uri, *at);
    else
      rlx_buf_printf(&uri, "%%%02X", byte);
  }
  rlx_json_key(&c->json, "artifactLocation");
  rlx_json_begin(&c->json, '{');
  rlx_json_key_text(&c->json, "uri", rlx_buf_text(&uri));
  rlx_json_end(&c->json, '}');
  rlx_buf_free(&uri);
}

static void location(RlxCheck *c, RlxSpan span, const char *text) {
  rlx_json_begin(&c->json, '{');
  rlx_json_key(&c->json, "physicalLocation");
  rlx_json_begin(&c->json, '{');
  artifact(c);
  region(c, "region", span);
  rlx_json_end(&c->json, '}');
  if (text) message(&c->json, "message", text);
  rlx_json_end(&c->json, '}');
}

static void fix(RlxCheck *c, const RlxReportFix *f) {
  RlxJson *json = &c->json;
  rlx_json_begin(json, '{');
  message(json, "description", f->title);
  rlx_json_key(json, "artifactChanges");
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  artifact(c);
  rlx_json_key(json, "replacements");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < f->edit_count; i++) {
    rlx_json_begin(json, '{');
    region(c, "deletedRegion", f->edits[i].span);
    message(json, "insertedContent", f->edits[i].text);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, ']');
  rlx_json_key(json, "properties");
  rlx_json_begin(json, '{');
  rlx_json_key_bool(json, "safe", f->is_safe);
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

static void fixes(RlxCheck *c, const RlxFinding *d) {
  bool any = false;
  for (uint32_t i = 0; i < d->fix_count; i++) {
    if (!d->fixes[i].edit_count) continue;
    if (!any) {
      rlx_json_key(&c->json, "fixes");
      rlx_json_begin(&c->json, '[');
      any = true;
    }
    fix(c, &d->fixes[i]);
  }
  if (any) rlx_json_end(&c->json, ']');
}

static void finding(RlxCheck *c, const RlxFinding *d) {
  RlxJson *json = &c->json;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "ruleId", rlx_diag_row(d->id)->code);
  rlx_json_key_int(json, "ruleIndex", d->id);
  rlx_json_key_text(json, "level", level(d->severity));
  message(json, "message", d->message);
  rlx_json_key(json, "locations");
  rlx_json_begin(json, '[');
  location(c, d->span, NULL);
  rlx_json_end(json, ']');
  if (d->related_count) {
    rlx_json_key(json, "relatedLocations");
    rlx_json_begin(json, '[');
    for (uint32_t i = 0; i < d->related_count; i++) {
      const RlxReportNote *related = &d->related[i];
      location(c, d->related[i].span, related->message);
    }
    rlx_json_end(json, ']');
  }
  fixes(c, d);
  rlx_json_end(json, '}');
}

static void rule(RlxJson *json, const RlxDiagRow *row) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "id", row->code);
  rlx_json_key_text(json, "name", row->name);
  RlxBuf pattern = {0};
  rlx_explain_message(row, &pattern);
  message(json, "shortDescription",
          strcmp(rlx_buf_text(&pattern), "…") ? rlx_buf_text(&pattern) : row->name);
  rlx_buf_free(&pattern);
  message(json, "fullDescription", row->explanation);
  rlx_json_key(json, "help");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "text", row->explanation);
  rlx_json_key(json, "markdown");
  RlxBuf help = {0};
  rlx_buf_printf(&help, "%s\n\nWrong:\n\n```python\n%s\n```\n\nRight:\n\n```python\n%s\n```\n",
                 row->explanation, row->wrong ? row->wrong : "", row->right ? row->right : "");
  rlx_json_text(json, rlx_buf_text(&help));
  rlx_buf_free(&help);
  rlx_json_end(json, '}');
  rlx_json_key(json, "defaultConfiguration");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "level", level((int)row->severity));
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

static void begin(RlxCheck *c) {
  RlxJson *json = &c->json;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  rlx_json_key_text(json, "version", "2.1.0");
  rlx_json_key(json, "runs");
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  rlx_json_key(json, "tool");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "driver");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "name", "rlx");
  rlx_json_key_text(json, "version", RLX_VERSION);
  rlx_json_key(json, "rules");
  rlx_json_begin(json, '[');
  for (int i = 0; i < rlx_diag_count(); i++) rule(json, rlx_diag_row((RlxDiagId)i));
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
  rlx_json_key_text(json, "columnKind", "utf16CodeUnits");
  rlx_json_key(json, "results");
  rlx_json_begin(json, '[');
}

static void notification(RlxJson *json, const char *level, const char *text) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "level", level);
  message(json, "message", text);
  rlx_json_end(json, '}');
}

/// What kept the tool from its work, and what it did not read, as notifications of the run.
static void invocation(RlxCheck *c) {
  RlxJson *json = &c->json;
  rlx_json_key(json, "invocations");
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  rlx_json_key_bool(json, "executionSuccessful", c->faults.count == 0);
  rlx_json_key(json, "toolExecutionNotifications");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < c->faults.count; i++) notification(json, "error", c->faults.at[i].text);
  for (uint32_t i = 0; i < c->unread_inputs.count; i++)
    notification(json, "warning", c->unread_inputs.at[i]);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, ']');
}

static void end(RlxCheck *c) {
  rlx_json_end(&c->json, ']');
  invocation(c);
  rlx_json_end(&c->json, '}');
  rlx_json_end(&c->json, ']');
  rlx_json_end(&c->json, '}');
  rlx_buf_putc(c->json.out, '\n');
}

const RlxCheckFormat rlx_check_sarif = {.begin = begin, .finding = finding, .end = end};
