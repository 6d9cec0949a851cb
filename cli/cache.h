/// Results kept by content: `rlx check` analyses a text once per version of the program and
/// settings of the analysis.
///
/// Always true: an entry is used only when its key, its checksum and its form are right, so a
/// damaged or foreign file costs an analysis and nothing else; entries are written beside their
/// place and renamed; a cache that cannot be written is no error.
#ifndef RLX_CLI_CACHE_H
#define RLX_CLI_CACHE_H

#include "cli/report.h"

typedef struct RlxCacheKey {
  uint64_t low, high;
} RlxCacheKey;

/// What the key of every text starts with: the program itself. Ask once per run.
uint64_t rlx_cache_program(void);
/// The folder that `setting` names, below `base` when it is relative; "": rlx in $XDG_CACHE_HOME or
/// ~/.cache. An empty buffer: there is none.
void rlx_cache_folder(const char *setting, const char *base, RlxBuf *out);
/// Whether the folder, which may not be there yet, is below `base` when links are resolved.
bool rlx_cache_is_inside(const char *folder, const char *base);
/// The key of the results for `text` under `settings`, by this version of the program
/// (rlx_cache_program).
RlxCacheKey rlx_cache_key(uint64_t program, const RlxSettings *settings, const char *text,
                          size_t size);
/// Reads the entry of `key` into `out`, which the caller frees; false when there is none, or a
/// damaged one. `text_size` is the size of the text that the report is about.
bool rlx_cache_get(const char *folder, RlxCacheKey key, uint32_t text_size, RlxReport *out);
/// Writes the entry of `key`. Says nothing when it cannot.
void rlx_cache_put(const char *folder, RlxCacheKey key, const RlxReport *report);
/// Once a day: removes what was not used for a month.
void rlx_cache_tidy(const char *folder);

#endif
