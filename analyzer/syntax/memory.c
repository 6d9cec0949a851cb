/// The memory of tree-sitter: by itself it aborts when there is none.
#include "analyzer/syntax/memory.h"

#include <stdlib.h>
#include <tree_sitter/api.h>

#include "base/mem.h"

static void *take(size_t size) { return rlx_mem_alloc(1, size); }
static void *resize(void *old, size_t size) { return rlx_mem_resize(old, 1, size); }

void rlx_syntax_use_memory(void) { ts_set_allocator(take, rlx_mem_zeroed, resize, free); }
