// Options and tags of targets: looked up in target_options.def and target_tags.def.
#include "analyzer/words/targets.h"

#include <string.h>

#include "base/text.h"

static const struct {
  const char *name;
  RlxTargetTakes takes;
  const char *kinds;
} options[] = {
#define RLX_TARGET_OPTION(name, takes, kinds) {name, RLX_TARGET_##takes, kinds},
#include "analyzer/words/target_options.def"
#undef RLX_TARGET_OPTION
};

static const char *const tags[] = {
#define RLX_TARGET_TAG(name) name,
#include "analyzer/words/target_tags.def"
#undef RLX_TARGET_TAG
};

bool rlx_target_is_tag(const char *name) {
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (strcmp(tags[i], name) == 0) return true;
  return false;
}

RlxTargetTakes rlx_target_option(const char *name, const char *kind) {
  if (strncmp(name, "feature.", 8) == 0) return RLX_TARGET_ANYTHING;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const char *kinds = options[i].kinds;
    if (strcmp(options[i].name, name) == 0 && (!*kinds || !kind || rlx_text_is_among(kind, kinds)))
      return options[i].takes;
  }
  return RLX_TARGET_NOTHING;
}

const char *rlx_target_prefix(const char *name, const char *kind) {
  // What TVM 0.25 and 0.27 ask of the processor's name when they complete a target.
  static const char *const prefixes[][3] = {{"cuda", "arch", "sm_"},
                                            {"nvptx", "mcpu", "sm_"},
                                            {"rocm", "mcpu", "gfx"},
                                            {"nvptx", "mtriple", "nvptx64-nvidia-cuda"},
                                            {"rocm", "mtriple", "amdgcn-amd-amdhsa-hcc"}};
  for (size_t i = 0; kind && i < sizeof prefixes / sizeof *prefixes; i++)
    if (strcmp(prefixes[i][0], kind) == 0 && strcmp(prefixes[i][1], name) == 0)
      return prefixes[i][2];
  return NULL;
}
