/// Completion in an open schedule: words, primitives, and inside of a call the row's parameters,
/// blocks and loops by name, and what earlier steps gave.
#include <stdio.h>
#include <string.h>

#include "analyzer/complete/complete.h"
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

/// Where `word` stands among the arguments of a call.
typedef struct Place {
  int at;           ///< parameter that the argument is for; -1: none that is known
  bool has_keyword; ///< it is given by its name
  bool is_inside;   ///< of a list that is the argument
  uint32_t given;   ///< parameters that the arguments before are for, a bit each
} Place;

/// The parameter that the argument from `begin` on is for: by its keyword, or else number `at`; -1: none.
static int parameter_of(const RlxPrimitive *p, const char *begin, const char *end, int at,
                        bool *out_has_keyword) {
  const int count = rlx_primitive_param_count(p);
  while (begin < end && *begin == ' ') begin++;
  size_t size = 0;
  while (begin + size < end && rlx_text_in_name(begin[size])) size++;
  *out_has_keyword = size && begin[size] == '=';
  if (!*out_has_keyword && p->params[0].takes == RLX_TAKES_LOOPS) return 0; // fuse(i, j, k)
  for (int i = 0; *out_has_keyword && i < count; i++)
    if (strlen(p->params[i].name) == size && !memcmp(p->params[i].name, begin, size)) return i;
  return !*out_has_keyword && at < count ? at : -1;
}

static Place place_of(const RlxPrimitive *p, const char *open, const char *word) {
  Place place = {0};
  const char *begin = open;
  int depth = 0, commas = 0;
  for (const char *c = open; c < word; c++) {
    depth += strchr("([{", *c) ? 1 : strchr(")]}", *c) ? -1 : 0;
    if (*c != ',' || depth) continue;
    const int before = parameter_of(p, begin, c, commas++, &place.has_keyword);
    if (before >= 0) place.given |= 1U << before;
    begin = c + 1;
  }
  place.is_inside = depth > 0;
  place.at = parameter_of(p, begin, word, commas, &place.has_keyword);
  return place;
}

/// Names of the parameters that no argument before is for, where an argument begins.
static void offer_parameters(const RlxPrimitive *p, const Place *place, Offer *o) {
  char name[80];
  if (place->has_keyword || place->is_inside) return;
  for (int i = 0; i < rlx_primitive_param_count(p); i++) {
    if (place->given >> i & 1) continue;
    snprintf(name, sizeof name, "%s=", p->params[i].name);
    offer(name, o);
  }
}

/// What such a text usually says.
static void offer_texts(RlxTakes takes, Offer *o) {
  static const char *const names[] = {
#define RLX_TAKES(name, kinds, each, words) #name,
#include "analyzer/schedule/takes.def"
#undef RLX_TAKES
  };
  for (const char *at = rlx_offer_values(names[takes]); *at; at += strspn(at, " ")) {
    char value[80];
    const size_t size = strcspn(at, " ");
    snprintf(value, sizeof value, "%.*s", (int)size, at);
    offer(value, o);
    at += size;
  }
}

/// Names of blocks and loops where the parameter takes them, and texts where it takes those.
static void offer_quoted(const RlxSchedule *s, const Place *place, RlxTakes takes, Offer *o) {
  const bool is_loop = takes == RLX_TAKES_LOOP || takes == RLX_TAKES_LOOPS;
  const bool is_block = takes == RLX_TAKES_BLOCK || takes == RLX_TAKES_BLOCKS ||
                        (takes == RLX_TAKES_NAME && place->at == 0);
  const bool is_either =
      takes == RLX_TAKES_NODE || takes == RLX_TAKES_TARGET || takes == RLX_TAKES_ANY;
  if (is_block || is_either) rlx_schedule_each_name(s, false, offer, o);
  if (is_loop || is_either) rlx_schedule_each_name(s, true, offer, o);
  offer_texts(takes, o);
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
  const Place place = place_of(p, open, word);
  const RlxTakes takes = place.at < 0 ? RLX_TAKES_ANY : (RlxTakes)p->params[place.at].takes;
  if (size && strchr("\"'", *word)) {
    o.quote = *word == '"' ? "\"" : "'";
    offer_quoted(s, &place, takes, &o);
    return;
  }
  const bool is_bool = takes == RLX_TAKES_BOOL;
  if (is_bool) {
    offer("True", &o);
    offer("False", &o);
  }
  offer_parameters(p, &place, &o);
  if (!rlx_takes_text(takes) && !is_bool) rlx_schedule_each_variable(s, takes, offer, &o);
  o.quote = "\"";
  if (rlx_takes_text(takes)) offer_quoted(s, &place, takes, &o);
}
