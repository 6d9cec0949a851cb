/// Modules of the project: from a dotted name to a file.
/// Always true: what is read is a regular file whose real path lies in the project's root.
#include "config/modules.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"

enum { MODULE_BYTES = 1 << 20 };

/// Cuts the last part of a path off; false when none is left.
static bool go_up(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash || slash == path) return false;
  *slash = '\0';
  return true;
}

static bool has(const char *folder, const char *name) {
  RlxBuf path = {0};
  rlx_buf_printf(&path, "%s/%s", folder, name);
  struct stat info;
  bool is_there = stat(rlx_buf_text(&path), &info) == 0;
  rlx_buf_free(&path);
  return is_there;
}

static bool is_inside(const char *root, const char *path) {
  size_t size = strlen(root);
  return strncmp(root, path, size) == 0 && (path[size] == '/' || !path[size]);
}

/// The root of a script without configuration: see rlx_project_new.
static char *guess_root(const char *folder) {
  static const char *const marks[] = {".git", "pyproject.toml", "setup.py", "setup.cfg"};
  char *at = rlx_mem_strdup(folder);
  do {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      if (has(at, marks[i])) return at;
  } while (go_up(at));
  free(at);
  at = rlx_mem_strdup(folder);
  while (has(at, "__init__.py") && go_up(at)) {
  }
  return at;
}

void rlx_project_init(RlxProject *project, const char *path, const char *root) {
  *project = (RlxProject){.given_path = rlx_mem_strdup(path),
                          .given_root = root ? rlx_mem_strdup(root) : NULL};
}

/// Finds the script and its root, once. False: it is on no disk.
static bool locate(RlxProject *p) {
  if (p->is_located) return p->root != NULL;
  p->is_located = true;
  p->file = p->open_text ? rlx_file_real_path(p->given_path) : realpath(p->given_path, NULL);
  char *folder = p->file ? rlx_mem_strdup(p->file) : NULL;
  if (folder && go_up(folder)) {
    char *top = p->given_root ? realpath(p->given_root, NULL) : NULL;
    p->root = top && is_inside(top, folder) ? rlx_mem_strdup(top) : guess_root(folder);
    free(top);
  }
  free(folder);
  return p->root != NULL;
}

void rlx_project_deinit(RlxProject *project) {
  free(project->given_path);
  free(project->given_root);
  free(project->file);
  free(project->root);
}

/// Reads the file at `candidate`, if it is one that may be read. What an editor holds of it counts,
/// be the file there or not.
static bool read_file(const RlxProject *p, const char *candidate, RlxBuf *text, RlxBuf *path) {
  char *real = p->open_text ? rlx_file_real_path(candidate) : realpath(candidate, NULL);
  bool fine = real && is_inside(p->root, real);
  uint32_t size = 0;
  const char *open = fine && p->open_text ? p->open_text(p->open_data, real, &size) : NULL;
  struct stat info;
  RlxError err = {0};
  if (open)
    rlx_buf_putn(text, open, size);
  else
    fine = fine && stat(real, &info) == 0 && S_ISREG(info.st_mode) &&
           info.st_size <= MODULE_BYTES && rlx_file_read_regular(real, MODULE_BYTES, text, &err);
  if (fine) rlx_buf_puts(path, real);
  free(real);
  return fine;
}

/// The module `name` ("a.b", "" for the folder's own package) in `folder`: a package comes before a
/// file, as in Python.
static bool read_in(const RlxProject *p, const char *folder, const char *name, RlxBuf *text,
                    RlxBuf *path) {
  RlxBuf base = {0}, candidate = {0};
  rlx_buf_puts(&base, folder);
  if (*name) rlx_buf_puts(&base, "/");
  for (const char *c = name; *c; c++) rlx_buf_putc(&base, *c == '.' ? '/' : *c);
  rlx_buf_printf(&candidate, "%s/__init__.py", rlx_buf_text(&base));
  bool found = read_file(p, rlx_buf_text(&candidate), text, path);
  if (!found && *name) {
    rlx_buf_clear(&candidate);
    rlx_buf_printf(&candidate, "%s.py", rlx_buf_text(&base));
    found = read_file(p, rlx_buf_text(&candidate), text, path);
  }
  rlx_buf_free(&base);
  rlx_buf_free(&candidate);
  return found;
}

static bool read_module(void *data, const char *from, const char *module, RlxBuf *text,
                        RlxBuf *path) {
  RlxProject *p = data;
  if (!locate(p)) return false;
  size_t dots = strspn(module, ".");
  const char *name = module + dots;
  if (strchr(name, '/') || strstr(name, "..")) return false;
  char *folder = rlx_mem_strdup(*from ? from : p->file);
  bool is_there = go_up(folder);
  for (size_t i = 1; i < dots && is_there; i++) is_there = go_up(folder);
  bool found = is_there && dots && read_in(p, folder, name, text, path);
  if (!dots) {
    free(folder);
    folder = rlx_mem_strdup(p->file); // Python looks beside the script that it was started with
    found = (go_up(folder) && read_in(p, folder, name, text, path)) ||
            read_in(p, p->root, name, text, path);
  }
  free(folder);
  return found;
}

RlxModuleReader rlx_project_reader(RlxProject *project) {
  return (RlxModuleReader){.read = read_module, .data = project};
}

void rlx_project_attach(RlxProject *project, RlxFile *file, const char *path, const char *root) {
  rlx_project_init(project, path, root);
  RlxModuleReader reader = rlx_project_reader(project);
  rlx_file_set_reader(file, &reader);
}
