/// Completion in an open schedule: words, primitives, and inside of a call the row's parameters,
/// blocks and loops by name, and what earlier steps gave.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "repl/sched_impl.h"

typedef struct Offer {
  const char *word;
  size_t size;
  const char *quote; ///< before names: "\"" inside of a string
  RlxBuf *out;
} Offer;

static void offer(const char *name, void *data) {
  const Offer *o = data;
  char spelled[200];
  snprintf(spelled, sizeof spelled, "%s%s%s", o->quote, name, o->quote);
  size_t n = strlen(spelled);
  if (n <= o->size || memcmp(spelled, o->word, o->size) != 0) return;
  const char *old = rlx_buf_text(o->out); // once only
  for (const char *p = old; *p; p += strcspn(p, "\n") + 1)
    if (strcspn(p, "\n") == n && memcmp(p, spelled, n) == 0) return;
  rlx_buf_printf(o->out, "%s\n", spelled);
}

/// The primitive whose brackets are open before `word`, and where they open; NULL: none.
static const RlxPrimitive *call_around(const char *line, const char *word, const char **open) {
  int depth = 0;
  for (const char *p = word; p > line; p--) {
    if (strchr(")]}", p[-1])) depth++;
    if (!strchr("([{", p[-1]) || depth-- > 0) continue;
    if (p[-1] != '(') {
      depth = 0;
      continue;
    }
    const char *end = p - 1, *start = end;
    while (start > line && rlx_text_in_name(start[-1])) start--;
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)(end - start < 70 ? end - start : 70), start);
    *open = p;
    return rlx_primitive_find(name);
  }
  return NULL;
}

/// What the argument that `word` begins, or is inside of, has to be: by its keyword, or by the number of
/// commas before it.
static RlxTakes taken_at(const RlxPrimitive *p, const char *open, const char *word) {
  const char *begin = open;
  int depth = 0, at = 0, count = rlx_primitive_param_count(p);
  for (const char *c = open; c < word; c++) {
    depth += strchr("([{", *c) ? 1 : strchr(")]}", *c) ? -1 : 0;
    if (*c != ',' || depth) continue;
    begin = c + 1;
    at++;
  }
  while (begin < word && *begin == ' ') begin++;
  size_t size = 0;
  while (begin + size < word && rlx_text_in_name(begin[size])) size++;
  bool has_keyword = size && begin[size] == '=';
  if (!has_keyword && p->params[0].takes == RLX_TAKES_LOOPS) at = 0; // fuse(i, j, k)
  for (int i = 0; has_keyword && i < count; i++)
    if (strlen(p->params[i].name) == size && !memcmp(p->params[i].name, begin, size)) at = i;
  return at < count ? (RlxTakes)p->params[at].takes : RLX_TAKES_ANY;
}

static void offer_parameters(const RlxPrimitive *p, Offer *o) {
  char name[80];
  for (int i = 0; i < rlx_primitive_param_count(p); i++) {
    snprintf(name, sizeof name, "%s=", p->params[i].name);
    offer(name, o);
  }
}

static void offer_words(Offer *o) {
  static const char *const names[] = {
#define RLX_SCHED(name, argument, help) ":" #name,
#include "repl/sched_words.def"
#undef RLX_SCHED
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) offer(names[i], o);
}

void rlx_repl_sched_complete(const RlxRepl *repl, const char *line, const char *word, size_t size,
                             RlxBuf *out) {
  Offer o = {word, size, "", out};
  const RlxSchedule *s = repl->sched->schedule;
  if (size && *word == ':') {
    offer_words(&o);
    return;
  }
  const char *open;
  const RlxPrimitive *p = call_around(line, word, &open);
  if (!p) { // the beginning of a step
    char name[160];
    for (int i = 0; (p = rlx_primitive_at(i)) != NULL; i++) {
      snprintf(name, sizeof name, "sch.%s", p->name);
      offer(name, &o);
      offer(p->name, &o);
    }
    return;
  }
  const RlxTakes takes = taken_at(p, open, word);
  if (size && strchr("\"'", *word)) {
    o.quote = *word == '"' ? "\"" : "'";
    if (takes != RLX_TAKES_LOOP && takes != RLX_TAKES_LOOPS)
      rlx_schedule_each_name(s, false, offer, &o);
    if (takes != RLX_TAKES_BLOCK && takes != RLX_TAKES_BLOCKS && takes != RLX_TAKES_STRING)
      rlx_schedule_each_name(s, true, offer, &o);
    return;
  }
  if (takes == RLX_TAKES_BOOL) {
    offer("True", &o);
    offer("False", &o);
    return;
  }
  offer_parameters(p, &o);
  rlx_schedule_each_variable(s, offer, &o);
}
