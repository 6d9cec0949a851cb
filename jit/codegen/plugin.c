/// Finds and loads librlx-llvm.so on first use.
#include "jit/codegen/codegen.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/// Folders relative to the executable's: beside it (build), installed, and above a test program.
static const char *const places[] = {"", "../lib/rlx/", "../", "../../", "../lib/"};

static bool executable_folder(char *out, size_t capacity) {
  ssize_t size = readlink("/proc/self/exe", out, capacity - 1);
  if (size <= 0) return false;
  out[size] = 0;
  char *slash = strrchr(out, '/');
  if (!slash) return false;
  slash[1] = 0;
  return true;
}

static bool find_plugin(char *out, size_t capacity) {
  const char *given = getenv("RLX_LLVM");
  if (given && *given) {
    snprintf(out, capacity, "%s", given);
    return true;
  }
  char folder[PATH_MAX];
  if (!executable_folder(folder, sizeof folder)) return false;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    int size = snprintf(out, capacity, "%s%slibrlx-llvm.so", folder, places[i]);
    if (size > 0 && (size_t)size < capacity && rlx_file_exists(out)) return true;
  }
  return false;
}

/// LLVM's own start aborts when it gets no memory; there is no other reason for it.
static void no_memory(int signal) {
  static const char text[] = "rlx: out of memory, when LLVM was loaded\n";
  (void)signal;
  ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  _exit(3);
}

static void *load(const char *path) {
  struct sigaction action = {.sa_handler = no_memory}, before;
  sigaction(SIGABRT, &action, &before);
  // dlopen counts and returns the same handle again; it is never closed, because LLVM has global
  // state.
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  sigaction(SIGABRT, &before, NULL);
  return handle;
}

/// What the plug-in exports; NULL: it is not of this version.
static const RlxLlvmApi *api_of(void *handle) {
  RlxLlvmApiFn *get = NULL;
  void *symbol = dlsym(handle, "rlx_llvm_api");
  memcpy(&get, &symbol, sizeof get);
  const RlxLlvmApi *api = get ? get() : NULL;
  return api && api->version == RLX_LLVM_API_VERSION && api->size == sizeof *api ? api : NULL;
}

const RlxLlvmApi *rlx_llvm_load(RlxError *err) {
  char path[PATH_MAX + 64];
  if (!find_plugin(path, sizeof path)) {
    rlx_error_set(err, "librlx-llvm.so is not there, so nothing can be evaluated: build rlx where "
                       "LLVM 15 to 19 is installed");
    return NULL;
  }
  void *handle = load(path);
  if (!handle) {
    rlx_error_set(err, "cannot load %s: %s", path, dlerror());
    return NULL;
  }
  const RlxLlvmApi *api = api_of(handle);
  if (!api) rlx_error_set(err, "%s belongs to another version of rlx", path);
  return api;
}

const RlxLlvmApi *rlx_llvm_loaded(void) {
  char path[PATH_MAX + 64];
  void *handle = find_plugin(path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  return handle ? api_of(handle) : NULL;
}
