/// Path patterns as in .gitignore.
///
/// Always true: matching is bounded by the product of the two lengths, whatever the pattern.
#ifndef RLX_BASE_GLOB_H
#define RLX_BASE_GLOB_H

#include <stdbool.h>

#include "base/vec.h"

/// Whether `pattern` matches all of `path` (parts separated by "/"): `*` and `?` stay inside a
/// part, `[a-z]` and `[!a-z]` are one character, a part `**` is any number of parts, `\` takes the
/// next character literally.
bool rlx_glob_match(const char *pattern, const char *path);

/// One line of an ignore file.
typedef struct RlxIgnoreRule {
  char *pattern;  // owned; matches a path below the folder of the ignore file
  bool is_folder; // it ended in "/": folders only
  bool is_kept;   // it started with "!": what matches is not ignored after all
} RlxIgnoreRule;

/// The rules of one ignore file, in its order. Zeroed is empty.
typedef Vec(RlxIgnoreRule) RlxIgnore;

/// Each path is held against each rule: the rules of an ignore file behind these are not read.
enum { RLX_IGNORE_RULES_MAX = 4096 };

/// Adds the rules in the text of an ignore file (git's documentation, gitignore(5)).
void rlx_ignore_parse(RlxIgnore *ignore, const char *text);
void rlx_ignore_free(RlxIgnore *ignore);

typedef enum RlxIgnoreAnswer {
  RLX_IGNORE_SILENT, // no rule matches: ask the ignore file further up
  RLX_IGNORE_YES,
  RLX_IGNORE_NO, // a "!" rule matches
} RlxIgnoreAnswer;

/// What the last rule that matches says of `path`, relative to the ignore file's folder.
RlxIgnoreAnswer rlx_ignore_ask(const RlxIgnore *ignore, const char *path, bool is_folder);

#endif
