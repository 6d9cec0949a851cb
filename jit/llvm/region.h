/// Memory for quick code: one reserved range of addresses, so that a process that was forked before has them free, too.
#ifndef RLX_JIT_LLVM_REGION_H
#define RLX_JIT_LLVM_REGION_H

#include <llvm-c/LLJIT.h>
#include <stddef.h>

typedef struct Region Region;

Region *region_new(void);         ///< NULL: there are no such addresses, or LLVM is too old
void region_free(Region *region); ///< all code must be gone; NULL is fine
/// The JIT that is made puts code and constants there.
void region_use(Region *region, LLVMOrcLLJITBuilderRef builder);
/// The pages of what was linked last; NULL: it is not there. They can be read and executed, and do not change any more.
void *region_last(const Region *region, size_t *out_size);

#endif
