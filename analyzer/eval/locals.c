// Names that an expression itself binds: the latest of each name, and what it hid.

#include "analyzer/eval/locals.h"

void rlx_locals_bind(RlxLocals *locals, RlxName name, RlxValue value) {
  uint64_t before = 0;
  rlx_map_get(&locals->latest, name, &before);
  rlx_vec_push(&locals->all, (RlxLocal){name, (uint32_t)before, value});
  rlx_map_put(&locals->latest, name, locals->all.count);
}

const RlxValue *rlx_locals_get(const RlxLocals *locals, RlxName name) {
  uint64_t place;
  const bool is_there = locals->all.count && rlx_map_get(&locals->latest, name, &place);
  return is_there ? &locals->all.at[place - 1].value : NULL;
}

void rlx_locals_drop(RlxLocals *locals, uint32_t count) {
  while (locals->all.count > count) {
    const RlxLocal last = rlx_vec_pop(&locals->all);
    if (last.before)
      rlx_map_put(&locals->latest, last.name, last.before);
    else
      rlx_map_remove(&locals->latest, last.name);
  }
}

void rlx_locals_free(RlxLocals *locals) {
  rlx_vec_free(&locals->all);
  rlx_map_free(&locals->latest);
}
