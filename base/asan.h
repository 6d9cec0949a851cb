/// Tells AddressSanitizer which bytes nobody may touch, nothing without it; and whether the program has a sanitizer.
#ifndef RLX_BASE_ASAN_H
#define RLX_BASE_ASAN_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RLX_HAS_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(RLX_HAS_ASAN)
#define RLX_HAS_ASAN 1
#endif

/// Whether a sanitizer keeps notes of all memory: terabytes of addresses are taken, so that no limit for them holds.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RLX_HAS_SHADOW_MEMORY 1
#endif
#endif
#if defined(RLX_HAS_ASAN) || defined(__SANITIZE_THREAD__)
#undef RLX_HAS_SHADOW_MEMORY
#define RLX_HAS_SHADOW_MEMORY 1
#endif
#ifndef RLX_HAS_SHADOW_MEMORY
#define RLX_HAS_SHADOW_MEMORY 0
#endif

#ifdef RLX_HAS_ASAN
#include <sanitizer/asan_interface.h>
#define RLX_ASAN_POISON(address, size)   ASAN_POISON_MEMORY_REGION((address), (size))
#define RLX_ASAN_UNPOISON(address, size) ASAN_UNPOISON_MEMORY_REGION((address), (size))
#else
#define RLX_ASAN_POISON(address, size)   ((void)(address), (void)(size))
#define RLX_ASAN_UNPOISON(address, size) ((void)(address), (void)(size))
#endif

#endif
