/// Memory between pages that nothing may touch, for tests: compiled kernels are not watched by a
/// sanitizer, but who leaves such memory is stopped by a signal.
///
/// The environment variable RLX_GUARD_PAGES turns it on for tensors and for the kernels' scratch
/// memory: `after` puts each block's last byte before the forbidden page, `before` its first byte
/// behind one. Fresh memory is filled with 0xCB, so that values that nobody wrote are seen, too.
#ifndef RLX_JIT_RUNTIME_GUARDED_H
#define RLX_JIT_RUNTIME_GUARDED_H

#include <stdint.h>

typedef enum RlxGuardPages { RLX_GUARD_OFF, RLX_GUARD_BEFORE, RLX_GUARD_AFTER } RlxGuardPages;

/// What RLX_GUARD_PAGES says; anything but `before` and `after` is off.
RlxGuardPages rlx_guard_pages(void);

/// `bytes` (0 is fine) between forbidden pages, filled with 0xCB; NULL: no memory. With
/// RLX_GUARD_AFTER the memory is aligned to what `bytes` is a multiple of only. Free with
/// rlx_guarded_free and the same arguments.
void *rlx_guarded_alloc(int64_t bytes, RlxGuardPages side);
void rlx_guarded_free(void *data, int64_t bytes, RlxGuardPages side);

#endif
