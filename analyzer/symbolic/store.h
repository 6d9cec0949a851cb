/// The store: everything that is hash-consed and immutable: names, symbolic integers, StructInfos.
/// Equal means same pointer. One store serves all documents of a server or a command; it lives as
/// long as any of them.
#ifndef RLX_ANALYZER_STORE_H
#define RLX_ANALYZER_STORE_H

#include "base/arena.h"
#include "base/intern.h"

typedef struct RlxStore RlxStore;

/// An empty store; the caller frees it after everything that uses it.
RlxStore *rlx_store_new(void);
void rlx_store_free(RlxStore *store); // NULL is fine

/// The names of the store (RlxName ids and their text).
RlxInterner *rlx_store_names(RlxStore *store);
/// Text of `name`, NUL terminated, lives as long as the store. "" for 0.
const char *rlx_store_text(const RlxStore *store, RlxName name);
RlxName rlx_store_intern(RlxStore *store, const char *text, size_t size);
/// Counts `operations` of a prover that works outside of the store (sets of integers).
void rlx_store_spend(RlxStore *store, uint64_t operations);
/// What all questions about terms and sets have cost so far, in operations of a microsecond or two. The same questions in
/// the same order cost the same on each machine.
uint64_t rlx_store_spent(const RlxStore *store);
/// Bytes held by the store, for `:memory`-like displays and leak tests.
size_t rlx_store_bytes(const RlxStore *store);

#endif
