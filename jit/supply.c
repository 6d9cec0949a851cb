/// Extern functions from other files and from libraries: loading (jit/supply.h).
#include "jit/supply.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/plan/plan.h"

static bool load_library(Supply *s, const char *path, RlxError *err) {
  // Without a slash the loader would look into the system's folders.
  char *here = rlx_mem_zeroed(strlen(path) + 3, 1);
  strcat(strcpy(here, strchr(path, '/') ? "" : "./"), path);
  s->library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
  free(here);
  return s->library || rlx_error_set(err, "%s: it cannot be loaded: %s", path, dlerror());
}

static bool first_error(RlxFile *file, const char *path, RlxError *err) {
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  bool found = false;
  for (uint32_t i = 0; i < diags.count && !found; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR) continue;
    found = true;
    RlxLineColumn at = rlx_lines_locate(rlx_document_lines(rlx_file_document(file)), d->span.start);
    rlx_error_code(err, rlx_diag_row(d->diag->id)->code);
    rlx_error_set(err, "%s:%u:%u: %s", path, at.line + 1, at.column + 1, d->diag->message);
  }
  rlx_vec_free(&diags);
  return found;
}

static bool load_script(RlxJit *jit, RlxAnalyzer *analyzer, Supply *s, const char *path,
                        RlxError *err) {
  RlxBuf source = {0};
  if (!rlx_file_read(path, &source, err)) { // as any script
    rlx_buf_free(&source);
    return false;
  }
  s->file = rlx_file_open(analyzer, rlx_buf_text(&source), (uint32_t)source.size);
  rlx_buf_free(&source);
  s->program = rlx_program_new(jit, s->file);
  if (first_error(s->file, path, err)) {
    rlx_program_free(s->program);
    rlx_file_close(s->file);
    return false;
  }
  return true;
}

bool rlx_jit_supply(RlxJit *jit, RlxAnalyzer *analyzer, const char *path, RlxError *err) {
  Supply s = {0};
  bool is_library = rlx_text_ends_in(path, ".so") || rlx_text_ends_in(path, ".dylib") ||
                    rlx_text_ends_in(path, ".dll");
  if (is_library ? !load_library(&s, path, err) : !load_script(jit, analyzer, &s, path, err))
    return false;
  rlx_vec_push(&jit->supplies, s);
  return true;
}
