/// Matching path patterns, and the rules of .gitignore files that are made of them.
///
/// Always true: of several rules that match a path the last one decides, as in git.
#include "base/glob.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vec.h"

/// Matches one character of a part against the head of `pattern`; gives what follows the head, or
/// NULL when it does not match.
static const char *match_one(const char *pattern, char c) {
  if (*pattern == '?') return pattern + 1;
  if (*pattern == '\\' && pattern[1]) return pattern[1] == c ? pattern + 2 : NULL;
  const char *close = *pattern == '[' && pattern[1] ? strchr(pattern + 2, ']') : NULL;
  if (!close) return *pattern == c ? pattern + 1 : NULL;
  const char *p = pattern + 1;
  bool is_inverted = *p == '!' || *p == '^';
  if (is_inverted) p++;
  if (p == close) { // "[!]…": the bracket is a member
    close = strchr(close + 1, ']');
    if (!close) return *pattern == c ? pattern + 1 : NULL;
  }
  bool is_member = false;
  for (; p < close; p++) {
    if (p + 2 < close && p[1] == '-') {
      is_member |= p[0] <= c && c <= p[2];
      p += 2;
    } else {
      is_member |= *p == c;
    }
  }
  return is_member != is_inverted ? close + 1 : NULL;
}

/// Matches one part; only the last `*` needs a second try.
static bool match_part(const char *pattern, const char *pattern_end, const char *part,
                       const char *part_end) {
  const char *star = NULL;
  const char *retry = NULL;
  while (part < part_end) {
    if (pattern < pattern_end && *pattern == '*') {
      star = ++pattern;
      retry = part;
      continue;
    }
    const char *next = pattern < pattern_end ? match_one(pattern, *part) : NULL;
    if (next) {
      pattern = next;
      part++;
    } else if (star) {
      pattern = star;
      part = ++retry;
    } else {
      return false;
    }
  }
  while (pattern < pattern_end && *pattern == '*') pattern++;
  return pattern == pattern_end;
}

static const char *part_end(const char *text) {
  const char *slash = strchr(text, '/');
  return slash ? slash : text + strlen(text);
}

/// The part behind the one that ends at `end`, or NULL behind the last.
static const char *next_part(const char *end) { return *end ? end + 1 : NULL; }

bool rlx_glob_match(const char *pattern, const char *path) {
  const char *star = NULL; // the pattern behind the last `**`
  const char *retry = NULL;
  while (path) {
    const char *path_end = part_end(path);
    const char *end = pattern ? part_end(pattern) : NULL;
    if (pattern && end - pattern == 2 && pattern[0] == '*' && pattern[1] == '*') {
      star = next_part(end);
      if (!star) return true;
      pattern = star;
      retry = path;
    } else if (pattern && match_part(pattern, end, path, path_end)) {
      pattern = next_part(end);
      path = next_part(path_end);
    } else if (star) {
      pattern = star;
      retry = next_part(part_end(retry));
      path = retry;
    } else {
      return false;
    }
  }
  return !pattern;
}

void rlx_ignore_parse(RlxIgnore *ignore, const char *text) {
  while (*text && ignore->count < RLX_IGNORE_RULES_MAX) {
    size_t size = strcspn(text, "\r\n");
    const char *line = text;
    text += size;
    text += strspn(text, "\r\n");
    while (size && line[size - 1] == ' ' && !(size > 1 && line[size - 2] == '\\')) size--;
    RlxIgnoreRule rule = {0};
    if (size && *line == '!') {
      rule.is_kept = true;
      line++;
      size--;
    }
    if (size && line[size - 1] == '/') {
      rule.is_folder = true;
      size--;
    }
    if (size == 0 || *line == '#') continue;
    // A slash at the start or in the middle ties the pattern to this folder.
    bool is_tied = memchr(line, '/', size) != NULL;
    RlxBuf pattern = {0};
    if (!is_tied) rlx_buf_puts(&pattern, "**/");
    if (*line == '/') {
      line++;
      size--;
    }
    rlx_buf_putn(&pattern, line, size);
    rule.pattern = rlx_buf_steal(&pattern);
    rlx_vec_push(ignore, rule);
  }
}

void rlx_ignore_free(RlxIgnore *ignore) {
  for (uint32_t i = 0; i < ignore->count; i++) free(ignore->at[i].pattern);
  rlx_vec_free(ignore);
}

RlxIgnoreAnswer rlx_ignore_ask(const RlxIgnore *ignore, const char *path, bool is_folder) {
  for (uint32_t i = ignore->count; i-- > 0;) {
    const RlxIgnoreRule *rule = &ignore->at[i];
    if (rule->is_folder && !is_folder) continue;
    if (!rlx_glob_match(rule->pattern, path)) continue;
    return rule->is_kept ? RLX_IGNORE_NO : RLX_IGNORE_YES;
  }
  return RLX_IGNORE_SILENT;
}
