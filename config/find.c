/// Which configuration holds for a file: the nearest rlx.toml or pyproject.toml with [tool.rlx]
/// upwards from it.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "config/config.h"

/// A folder as it was spelt, with what holds there.
typedef struct Folder {
  char *real; // owned: absolute, without links; "" for the file system's root
  const RlxConfig *config;
} Folder;

struct RlxConfigs {
  RlxConfigMaker maker;
  Vec(RlxConfig *) all;
  Vec(Folder) folders;
  RlxStrMap spelt; // folder as spelt to its index in `folders`
  RlxStrMap real;  // absolute folder to the RlxConfig that holds there
  RlxConfigProblems problems;
};

RlxConfigs *rlx_configs_new(const RlxConfigMaker *maker) {
  RlxConfigs *configs = rlx_mem_zeroed(1, sizeof *configs);
  if (maker) configs->maker = *maker;
  return configs;
}

void rlx_configs_forget(RlxConfigs *configs) {
  for (uint32_t i = 0; i < configs->all.count; i++) rlx_config_free(configs->all.at[i]);
  for (uint32_t i = 0; i < configs->folders.count; i++) free(configs->folders.at[i].real);
  rlx_vec_free(&configs->all);
  rlx_vec_free(&configs->folders);
  rlx_strmap_free(&configs->spelt);
  rlx_strmap_free(&configs->real);
  rlx_config_problems_free(&configs->problems);
}

void rlx_configs_free(RlxConfigs *configs) {
  if (!configs) return;
  rlx_configs_forget(configs);
  free(configs);
}

const RlxConfigProblems *rlx_configs_problems(const RlxConfigs *configs) {
  return &configs->problems;
}

/// A new configuration, from `path` (NULL: from no file); NULL when there is nothing for rlx in the
/// file.
/// `real`: as in rlx_config_read.
static RlxConfig *make(RlxConfigs *configs, const char *path, const char *real) {
  const RlxConfigMaker *maker = &configs->maker;
  RlxConfig *config = rlx_config_new();
  if (maker->before) maker->before(config, maker->data);
  if (maker->user) rlx_config_read_user(config, maker->user, &configs->problems);
  if (path && !rlx_config_read(config, path, real, &configs->problems)) {
    rlx_config_free(config);
    return NULL;
  }
  if (maker->after) maker->after(config, maker->data);
  rlx_vec_push(&configs->all, config);
  return config;
}

/// Where the configuration of the repository that stands at `path` really lies, for the caller to
/// free; NULL when it is none. A folder, pipe or device is none, and
/// neither is a link to a file of another name, whose lines messages would show. (A file that the
/// command line names may be anything.)
static char *real_configuration(const char *path, const char *name) {
  struct stat info;
  char *real = realpath(path, NULL);
  const char *slash = real ? strrchr(real, '/') : NULL;
  bool fine = slash && strcmp(slash + 1, name) == 0 && !stat(real, &info) && S_ISREG(info.st_mode);
  if (fine) return real;
  free(real);
  return NULL;
}

/// The configuration in exactly this folder, or NULL.
static RlxConfig *in_folder(RlxConfigs *configs, const char *folder) {
  static const char *const names[] = {"rlx.toml", "pyproject.toml"};
  RlxConfig *config = NULL;
  RlxBuf path = {0};
  for (int i = 0; i < 2 && !config; i++) {
    rlx_buf_clear(&path);
    rlx_buf_printf(&path, "%s/%s", folder, names[i]);
    char *real = real_configuration(path.at, names[i]);
    if (real) config = make(configs, path.at, real);
    free(real);
  }
  rlx_buf_free(&path);
  return config;
}

/// The configuration for the absolute `folder`, which is asked once.
static const RlxConfig *find(RlxConfigs *configs, const char *folder) {
  uint64_t known = 0;
  const RlxConfig *config = NULL;
  size_t size = strlen(folder), from = size + 1; // `folder`[0..from) has been looked at
  bool is_fixed = configs->maker.is_isolated || configs->maker.file;
  if (is_fixed) size = 0;
  char *name = rlx_mem_strndup(folder, size);
  while (!config) {
    if (rlx_strmap_get(&configs->real, name, strlen(name), &known)) {
      config = (const RlxConfig *)(uintptr_t)known;
      break;
    }
    if (!is_fixed) config = in_folder(configs, name);
    from = strlen(name);
    if (config) break;
    if (!from)
      config = make(configs, configs->maker.is_isolated ? NULL : configs->maker.file, NULL);
    if (!from && !config)
      config = make(configs, NULL, NULL); // a pyproject.toml without [tool.rlx] was named
    char *slash = strrchr(name, '/');
    if (slash) *slash = '\0';
  }
  free(name);
  for (size_t end = size;; end--) { // all folders on the way
    if ((end == size || folder[end] == '/' || end == 0) && end >= from)
      rlx_strmap_put(&configs->real, folder, end, (uint64_t)(uintptr_t)config);
    if (end == 0 || end < from) break;
  }
  return config;
}

/// The folder's absolute path; of one that is not there, the part that is.
static char *absolute(const char *folder) {
  char *copy = rlx_mem_strdup(*folder ? folder : ".");
  for (;;) {
    char *real = realpath(copy, NULL);
    if (real) {
      free(copy);
      if (strcmp(real, "/") == 0) *real = '\0';
      return real;
    }
    char *slash = strrchr(copy, '/');
    if (!slash || slash == copy) {
      free(copy);
      return realpath(slash ? "/" : ".", NULL);
    }
    *slash = '\0';
  }
}

static const Folder *folder_of(RlxConfigs *configs, const char *spelt, size_t size) {
  uint64_t index = 0;
  if (rlx_strmap_get(&configs->spelt, spelt, size, &index)) return &configs->folders.at[index];
  char *name = rlx_mem_strndup(spelt, size);
  Folder folder = {.real = absolute(*name || !size ? name : "/")};
  if (!folder.real) folder.real = rlx_mem_strdup("");
  folder.config = find(configs, folder.real);
  rlx_strmap_put(&configs->spelt, spelt, size, configs->folders.count);
  rlx_vec_push(&configs->folders, folder);
  free(name);
  return &rlx_vec_last(&configs->folders);
}

const RlxConfig *rlx_configs_of(RlxConfigs *configs, const char *path, RlxBuf *out_relative) {
  const char *slash = strrchr(path, '/');
  size_t size = slash ? (size_t)(slash - path) + (slash == path) : 0;
  const Folder *folder = folder_of(configs, path, size);
  const RlxConfig *config = folder->config;
  if (!out_relative) return config;
  rlx_buf_clear(out_relative);
  size_t top = config->folder ? strlen(config->folder) : 0;
  if (!config->folder || strncmp(folder->real, config->folder, top) != 0 ||
      (folder->real[top] && folder->real[top] != '/'))
    return config;
  if (folder->real[top]) rlx_buf_printf(out_relative, "%s/", folder->real + top + 1);
  rlx_buf_puts(out_relative, slash ? slash + 1 : path);
  return config;
}

bool rlx_configs_excludes(RlxConfigs *configs, const char *path, bool is_folder) {
  RlxBuf relative = {0};
  const RlxConfig *config = rlx_configs_of(configs, path, &relative);
  bool excluded = config->exclude.count && relative.size &&
                  rlx_ignore_ask(&config->exclude, relative.at, is_folder) == RLX_IGNORE_YES;
  rlx_buf_free(&relative);
  return excluded;
}
