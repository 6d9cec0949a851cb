/// What property tests over scripts share: the scripts of this repository and, when they are there,
/// of ../shared/corpus. RLX_WHOLE=1 takes all of the corpus, otherwise a sample that stays within
/// seconds.
#ifndef RLX_TESTS_PROP_SCRIPTS_H
#define RLX_TESTS_PROP_SCRIPTS_H

#include "analyzer/analyzer.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

typedef struct Scripts {
  Vec(char *) paths;
  const char *suffix;
} Scripts;

static inline bool scripts_visit(void *user, const RlxFileVisit *visit) {
  Scripts *s = user;
  size_t size = strlen(visit->name), end = strlen(s->suffix);
  if (visit->is_folder) return true;
  if (size > end && strcmp(visit->name + size - end, s->suffix) == 0)
    rlx_vec_push(&s->paths, strdup(visit->path));
  return true;
}

/// Adds one in `step` of the `.py` files below `folder`; none when it is not there.
static inline void scripts_add(Scripts *s, const char *folder, uint32_t step) {
  RlxError err = {0};
  uint32_t from = s->paths.count, kept = from;
  s->suffix = ".py";
  if (!rlx_file_walk(folder, scripts_visit, s, &err)) return;
  for (uint32_t i = from; i < s->paths.count; i++) {
    if ((i - from) % step == 0)
      s->paths.at[kept++] = s->paths.at[i];
    else
      free(s->paths.at[i]);
  }
  s->paths.count = kept;
}

static inline bool scripts_whole(void) { return getenv("RLX_WHOLE") != NULL; }

static inline void scripts_free(Scripts *s) {
  for (uint32_t i = 0; i < s->paths.count; i++) free(s->paths.at[i]);
  rlx_vec_free(&s->paths);
}

/// The text of a script without the lines of golden tests (`#!`).
static inline bool scripts_read(const char *path, RlxBuf *out) {
  RlxBuf raw = {0};
  RlxError err = {0};
  rlx_buf_clear(out);
  bool fine = rlx_file_read(path, &raw, &err);
  const char *text = rlx_buf_text(&raw), *end = text + raw.size;
  for (const char *line = text; fine && line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line)), *at = line;
    next = next ? next + 1 : end;
    while (at < next && *at == ' ') at++;
    if (!(next - at > 2 && at[0] == '#' && at[1] == '!' && at[2] == ' '))
      rlx_buf_putn(out, line, (size_t)(next - line));
    line = next;
  }
  rlx_buf_free(&raw);
  return fine;
}

#endif
