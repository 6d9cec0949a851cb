/// The order of definitions in the analysed text. In a file a function knows what those before it give, and of those behind
/// it what they declare: TVM's rule. At the prompt a function may be entered before the one that it calls, or call another
/// one from now on: it moves behind those that it mentions and that declare no result, and what mentions it moves along.
///
/// Always true: what was read from one file keeps that file's order; of functions that call each other in a circle none
/// moves for what closes the circle.
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "repl/session.h"

typedef struct Mover { ///< a definition that has to move, or what it moves for
  RlxName name;
  uint32_t place; ///< before anything moved
  uint32_t
      rank; ///< in the new order, from the last to the first; 0: what mentions it was not looked at yet
} Mover;

typedef struct Order {
  RlxRepl *repl;
  Vec(Mover) movers;
  RlxMap of_name;     ///< their places in `movers`
  RlxReplNames open;  ///< to be looked at; once that was done for all above it, it gets its rank
  Vec(uint32_t) done; ///< of `movers`, by their ranks
} Order;

static uint32_t place_of(const RlxRepl *repl, const RlxReplDef *def) {
  return (uint32_t)(def - repl->defs.at);
}

/// Behind the string that begins at `p`.
static const char *behind_string(const char *p) {
  const char quote = *p++;
  while (*p && *p != quote) p += *p == '\\' && p[1] ? 2 : 1;
  return p + (*p != 0);
}

/// Whether it is a function whose head says what it gives: others know that wherever it stands.
static bool declares_result(const RlxReplDef *def) {
  const char *p = def->text;
  int depth = 0;
  while (*p == '@' || *p == '#' || isspace((unsigned char)*p))
    p += isspace((unsigned char)*p) ? 1 : strcspn(p, "\n");
  if (strncmp(p, "def", 3) != 0) return false; // a module has functions of both kinds
  while (*p && (depth > 0 || *p != ':')) {
    if (!depth && p[0] == '-' && p[1] == '>') return true;
    if (*p == '"' || *p == '\'') {
      p = behind_string(p);
      continue;
    }
    if (*p == '#') p += strcspn(p, "\n");
    if (!*p) break;
    depth += strchr("([{", *p) != NULL;
    depth -= strchr(")]}", *p) != NULL;
    p++;
  }
  return false;
}

/// Whether it is a function or a module. A constant is known wherever it stands.
static bool is_function(const RlxReplDef *def) { return def && def->text && *def->text == '@'; }

/// Whether `user` at `user_place`, which mentions `def` at `place`, has to stand behind it.
static bool is_bound(const RlxReplDef *user, uint32_t user_place, const RlxReplDef *def,
                     uint32_t place) {
  if (user == def || !is_function(user) || !is_function(def) || declares_result(def)) return false;
  return !user->origin || !def->origin || strcmp(user->origin, def->origin) != 0 ||
         place < user_place;
}

static Mover *mover_of(Order *o, RlxName name) {
  uint64_t i;
  return rlx_map_get(&o->of_name, name, &i) ? &o->movers.at[i] : NULL;
}

/// The place that the definition had before anything moved.
static uint32_t first_place(Order *o, const RlxReplDef *def) {
  const Mover *mover = mover_of(o, def->id);
  return mover ? mover->place : place_of(o->repl, def);
}

/// Whether the definition stands before one that it has to stand behind.
static bool is_early(Order *o, RlxReplDef *def) {
  const RlxReplNames *names = rlx_repl_names_of(o->repl, def);
  const Mover *own = mover_of(o, def->id);
  const uint32_t place = place_of(o->repl, def);
  for (uint32_t i = 0; i < names->count; i++) {
    const RlxReplDef *other = rlx_repl_def_of(o->repl, names->at[i]);
    if (!other || place_of(o->repl, other) < place ||
        !is_bound(def, first_place(o, def), other, first_place(o, other)))
      continue;
    const Mover *its = mover_of(o, other->id);
    if (!own || !its || its->rank > own->rank) return true; // else it closes a circle
  }
  return false;
}

/// Whether something stands before `def` that has to stand behind it.
static bool is_late(Order *o, RlxReplDef *def) {
  if (declares_result(def)) return false;
  const uint32_t place = place_of(o->repl, def);
  const RlxReplNames *users = rlx_repl_users_of(o->repl, rlx_repl_def_id(o->repl, def));
  for (uint32_t i = 0; i < users->count; i++) {
    const RlxReplDef *user = rlx_repl_def_of(o->repl, users->at[i]);
    if (user && place_of(o->repl, user) < place &&
        is_bound(user, place_of(o->repl, user), def, place))
      return true;
  }
  return false;
}

/// Has the definitions looked at that have to stand behind `def`.
static void open_users(Order *o, const RlxReplDef *def) {
  const uint32_t place = place_of(o->repl, def);
  const RlxReplNames *users = rlx_repl_users_of(o->repl, def->id);
  for (uint32_t i = 0; i < users->count; i++) {
    const RlxReplDef *user = rlx_repl_def_of(o->repl, users->at[i]);
    if (user && !mover_of(o, users->at[i]) && is_bound(user, place_of(o->repl, user), def, place))
      rlx_vec_push(&o->open, users->at[i]);
  }
}

/// Ranks the definition behind all that has to stand behind it.
static void rank(Order *o, RlxName name) {
  rlx_vec_push(&o->open, name);
  while (o->open.count) {
    const RlxName next = rlx_vec_last(&o->open);
    Mover *mover = mover_of(o, next);
    if (mover) {
      o->open.count--;
      if (mover->rank) continue;
      rlx_vec_push(&o->done, (uint32_t)(mover - o->movers.at));
      mover->rank = o->done.count;
      continue;
    }
    const RlxReplDef *def = rlx_repl_def_of(o->repl, next);
    rlx_map_put(&o->of_name, next, o->movers.count);
    rlx_vec_push(&o->movers, (Mover){next, place_of(o->repl, def), 0});
    open_users(o, def);
  }
}

void rlx_repl_order(RlxRepl *repl) {
  Order o = {.repl = repl};
  for (uint32_t i = 0; i < repl->staged.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (!is_function(def) || mover_of(&o, def->id)) continue;
    if (is_early(&o, def) || is_late(&o, def)) rank(&o, def->id);
  }
  for (uint32_t i = o.done.count; i-- > 0;) {
    RlxReplDef *def = rlx_repl_def_of(repl, o.movers.at[o.done.at[i]].name);
    if (is_early(&o, def)) rlx_repl_move_last(repl, def);
  }
  rlx_vec_free(&o.movers);
  rlx_map_free(&o.of_name);
  rlx_vec_free(&o.open);
  rlx_vec_free(&o.done);
}

const RlxReplDef *rlx_repl_unknown_to(RlxRepl *repl, RlxReplDef *def) {
  if (!is_function(def)) return NULL;
  const RlxReplNames *names = rlx_repl_names_of(repl, def);
  for (uint32_t i = 0; i < names->count; i++) {
    const RlxReplDef *other = rlx_repl_def_of(repl, names->at[i]);
    if (is_function(other) && place_of(repl, other) >= place_of(repl, def) &&
        !strncmp(other->text, "@R.function", 11) && !declares_result(other))
      return other;
  }
  return NULL;
}
