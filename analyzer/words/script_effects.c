/// Which functions of T have effects, from the rows of script_effects.def.
#include "analyzer/words/script_effects.h"

#include <stdlib.h>
#include <string.h>

typedef struct Row {
  const char *name;
  RlxScriptEffect effect;
} Row;

static const Row rows[] = {
#define RLX_SCRIPT_EFFECT(name, effect) {name, RLX_EFFECT_##effect},
#include "analyzer/words/script_effects.def"
#undef RLX_SCRIPT_EFFECT
};

static int by_name(const void *name, const void *row) {
  return strcmp(name, ((const Row *)row)->name);
}

RlxScriptEffect rlx_script_effect(const char *name) {
  const Row *row = bsearch(name, rows, sizeof rows / sizeof *rows, sizeof *rows, by_name);
  return row ? row->effect : RLX_EFFECT_NONE;
}

bool rlx_script_is_known_extern(const char *name) {
  static const char *const names[] = {
#define RLX_EXTERN_MATH(name) #name, #name "f",
#define RLX_EXTERN(name)      #name,
#include "analyzer/words/externs.def"
#undef RLX_EXTERN_MATH
#undef RLX_EXTERN
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}
