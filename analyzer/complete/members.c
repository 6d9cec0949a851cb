/// What the modules of TVM's Python have, by their paths: the rows of members.def.
#include <string.h>

#include "analyzer/complete/complete_impl.h"

static const RlxMembers members[] = {
#define RLX_MEMBERS(kind, path, names, text) {RLX_OFFER_##kind, path, names, text},
#include "analyzer/complete/members.def"
#undef RLX_MEMBERS
};

const RlxMembers *rlx_members_row(size_t at) {
  return at < sizeof members / sizeof *members ? &members[at] : NULL;
}

bool rlx_is_member(const char *path, const char *name) {
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (!strcmp(members[i].path, path) && rlx_text_is_among(name, members[i].names)) return true;
  return false;
}
