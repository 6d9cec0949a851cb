/// What LLVM and the C++ library do when there is no memory, or when LLVM gives up: by themselves
/// they throw or abort. Both functions are C++'s, without a C name, and looked for under theirs.
#include <llvm-c/ErrorHandling.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "jit/llvm/emit.h"

typedef void NewHandler(void);
typedef void BadAlloc(void *data, const char *reason, bool has_trace);

extern NewHandler *cpp_set_new_handler(NewHandler *handler) __asm__("_ZSt15set_new_handlerPFvvE")
    __attribute__((weak));
extern void llvm_install_bad_alloc_handler(BadAlloc *handler, void *data) __asm__(
    "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_") __attribute__((weak));

static void no_memory(void) { rlx_mem_exhausted(0); }

static void no_memory_for(void *data, const char *reason, bool has_trace) {
  (void)data;
  (void)reason;
  (void)has_trace;
  rlx_mem_exhausted(0);
}

static void fatal(const char *reason) {
  fprintf(stderr, "rlx: LLVM gives up, of which lack of memory is the usual cause: %s\n", reason);
  _exit(3);
}

void rlx_llvm_watch_memory(void) {
  if (cpp_set_new_handler) cpp_set_new_handler(no_memory);
  if (llvm_install_bad_alloc_handler) llvm_install_bad_alloc_handler(no_memory_for, NULL);
  LLVMInstallFatalErrorHandler(fatal);
}
