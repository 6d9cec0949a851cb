/// Which files below a folder may hold scripts.
#include "config/scripts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

/// The rules of one folder that was entered, or of one above the start.
typedef struct Scope {
  char *folder; // as the walk spells it, with "/" behind it; "" for the folders above the start
  RlxIgnore rules;
  char *prefix; // path from that folder to the start of the walk, with "/" behind it, or ""
} Scope;

const char *const rlx_script_endings[] = {".py", ".relax", ".tvmscript", NULL};

typedef struct Walk {
  RlxConfigs *configs; // or NULL
  RlxScripts *out;
  Vec(Scope) scopes; // outermost first
  RlxBuf path;       // scratch
} Walk;

static void scope_free(Scope *scope) {
  free(scope->folder);
  free(scope->prefix);
  rlx_ignore_free(&scope->rules);
}

/// Adds the rules of `folder`/.gitignore, if there is one. A file that cannot be read has none, nor has what is no regular
/// file: a pipe would make the reader wait, and git follows no link there either (gitignore(5)).
static void scope_add(Walk *walk, const char *folder, const char *seen_as, const char *prefix) {
  rlx_buf_clear(&walk->path);
  rlx_buf_printf(&walk->path, "%s/.gitignore", folder);
  RlxBuf text = {0};
  if (!rlx_file_read_regular(walk->path.at, RLX_FILE_LIMIT_BYTES, &text, NULL)) return;
  Scope scope = {.folder = rlx_mem_strdup(seen_as), .prefix = rlx_mem_strdup(prefix)};
  rlx_ignore_parse(&scope.rules, rlx_buf_text(&text));
  rlx_vec_push(&walk->scopes, scope);
  rlx_buf_free(&text);
}

/// Whether the innermost rule that knows the path ignores it.
static bool is_ignored(Walk *walk, const RlxFileVisit *visit) {
  for (uint32_t i = walk->scopes.count; i-- > 0;) {
    const Scope *scope = &walk->scopes.at[i];
    size_t skip = strlen(scope->folder);
    rlx_buf_clear(&walk->path);
    rlx_buf_printf(&walk->path, "%s%s", scope->prefix, visit->path + skip);
    RlxIgnoreAnswer answer = rlx_ignore_ask(&scope->rules, walk->path.at, visit->is_folder);
    if (answer != RLX_IGNORE_SILENT) return answer == RLX_IGNORE_YES;
  }
  return false;
}

bool rlx_scripts_is_name(const char *name) {
  for (size_t i = 0; rlx_script_endings[i]; i++)
    if (rlx_text_ends_in(name, rlx_script_endings[i])) return true;
  return false;
}

static bool visit_one(void *user, const RlxFileVisit *visit) {
  Walk *walk = user;
  // Leave the scopes of folders that are behind us.
  while (walk->scopes.count) {
    Scope *last = &rlx_vec_last(&walk->scopes);
    if (strncmp(visit->path, last->folder, strlen(last->folder)) == 0) break;
    scope_free(last);
    (void)rlx_vec_pop(&walk->scopes);
  }
  if (!visit->is_folder) {
    bool is_script = rlx_scripts_is_name(visit->name);
    bool is_notebook = rlx_text_ends_in(visit->name, ".ipynb");
    if ((!is_script && !is_notebook) || is_ignored(walk, visit) ||
        (walk->configs && rlx_configs_excludes(walk->configs, visit->path, false)))
      return false;
    char *path = rlx_mem_strdup(visit->path);
    if (is_script)
      rlx_vec_push(&walk->out->files, path);
    else
      rlx_vec_push(&walk->out->notebooks, path);
    return false;
  }
  if (visit->name[0] == '.' || strcmp(visit->name, "node_modules") == 0 ||
      strcmp(visit->name, "__pycache__") == 0 || is_ignored(walk, visit)) {
    return false;
  }
  if (walk->configs && rlx_configs_excludes(walk->configs, visit->path, true)) return false;
  rlx_buf_clear(&walk->path);
  rlx_buf_printf(&walk->path, "%s/pyvenv.cfg", visit->path);
  if (rlx_file_exists(walk->path.at)) return false;
  RlxBuf seen_as = {0};
  rlx_buf_printf(&seen_as, "%s/", visit->path);
  scope_add(walk, visit->path, seen_as.at, "");
  rlx_buf_free(&seen_as);
  rlx_vec_push(&walk->out->folders, rlx_mem_strdup(visit->path));
  return true;
}

/// The rules of the folders above `root` up to the repository's top, and of `root` itself.
static void enter_root(Walk *walk, const char *root, const char *seen_as) {
  char *real = realpath(root, NULL);
  if (!real) return;
  // Find the top first, then add from the outside in.
  size_t size = strlen(real);
  size_t top = 0; // size of the top's path; 0: not in a repository
  for (size_t end = size; end > 0 && top == 0;) {
    rlx_buf_clear(&walk->path);
    rlx_buf_printf(&walk->path, "%.*s/.git", (int)end, real);
    if (rlx_file_exists(walk->path.at)) top = end;
    while (end > 0 && real[end - 1] != '/') end--;
    if (end > 0) end--;
  }
  for (size_t end = top; top != 0 && end < size;) {
    char *folder = rlx_mem_strndup(real, end);
    RlxBuf prefix = {0};
    rlx_buf_printf(&prefix, "%s/", real + end + 1);
    scope_add(walk, folder, seen_as, prefix.at);
    rlx_buf_free(&prefix);
    free(folder);
    end++;
    while (end < size && real[end] != '/') end++;
  }
  scope_add(walk, root, seen_as, "");
  free(real);
}

/// A key of the file itself, whatever it is called.
static uint64_t identity_of(const struct stat *info) {
  return rlx_hash_mix((uint64_t)info->st_dev, (uint64_t)info->st_ino) | 1;
}

static void put_first(RlxMap *map, uint64_t key, uint64_t value) {
  if (!rlx_map_get(map, key, NULL)) rlx_map_put(map, key, value);
}

/// Leaves out the links, symbolic or hard, to a file that is in the list already: it would be read, and its findings told, once
/// for each of its names. The name that is no link stays, else the first one.
static void leave_out_links(RlxScripts *scripts, uint32_t from) {
  RlxMap seen = {0};
  struct stat info;
  for (uint32_t i = from; i < scripts->files.count; i++)
    if (lstat(scripts->files.at[i], &info) == 0 && S_ISREG(info.st_mode))
      put_first(&seen, identity_of(&info), i);
  uint32_t kept = from;
  for (uint32_t i = from; i < scripts->files.count; i++) {
    uint64_t first = i;
    if (stat(scripts->files.at[i], &info) == 0 && S_ISREG(info.st_mode) &&
        !rlx_map_get(&seen, identity_of(&info), &first))
      rlx_map_put(&seen, identity_of(&info), i);
    if (first == i)
      scripts->files.at[kept++] = scripts->files.at[i];
    else
      free(scripts->files.at[i]);
  }
  scripts->files.count = kept;
  rlx_map_free(&seen);
}

bool rlx_scripts_collect(const char *root, RlxConfigs *configs, RlxScripts *out, RlxError *err) {
  Walk walk = {.configs = configs, .out = out};
  RlxBuf seen_as = {0};
  rlx_buf_puts(&seen_as, root);
  if (seen_as.size == 0 || seen_as.at[seen_as.size - 1] != '/') rlx_buf_putc(&seen_as, '/');
  enter_root(&walk, root, seen_as.at);
  rlx_vec_push(&out->folders, rlx_mem_strdup(root));
  const uint32_t from = out->files.count;
  bool ok = rlx_file_walk(root, visit_one, &walk, err);
  leave_out_links(out, from);
  for (uint32_t i = 0; i < walk.scopes.count; i++) scope_free(&walk.scopes.at[i]);
  rlx_vec_free(&walk.scopes);
  rlx_buf_free(&walk.path);
  rlx_buf_free(&seen_as);
  return ok;
}

void rlx_scripts_free(RlxScripts *scripts) {
  for (uint32_t i = 0; i < scripts->files.count; i++) free(scripts->files.at[i]);
  for (uint32_t i = 0; i < scripts->folders.count; i++) free(scripts->folders.at[i]);
  for (uint32_t i = 0; i < scripts->notebooks.count; i++) free(scripts->notebooks.at[i]);
  rlx_vec_free(&scripts->files);
  rlx_vec_free(&scripts->folders);
  rlx_vec_free(&scripts->notebooks);
}
