/// libzip, loaded when an archive is first read or written: with what it needs itself (OpenSSL) it would be a third of the
/// program's start.
#ifndef RLX_JIT_RUNTIME_ZIP_H
#define RLX_JIT_RUNTIME_ZIP_H

#include <stdbool.h>
#include <zip.h>

#include "base/error.h"

#ifdef ZIP_ER_CANCELLED // libzip 1.6
#define RLX_ZIP_CANCELS(ROW) ROW(zip_register_cancel_callback_with_state)
#else
#define RLX_ZIP_CANCELS(ROW)
#endif
#define RLX_ZIP_CALLS(ROW)                                                                         \
  ROW(zip_close)                                                                                   \
  ROW(zip_discard)                                                                                 \
  ROW(zip_error_fini)                                                                              \
  ROW(zip_error_init_with_code)                                                                    \
  ROW(zip_error_strerror)                                                                          \
  ROW(zip_fclose)                                                                                  \
  ROW(zip_file_add)                                                                                \
  ROW(zip_fopen_index)                                                                             \
  ROW(zip_fread)                                                                                   \
  ROW(zip_get_archive_comment)                                                                     \
  ROW(zip_get_name)                                                                                \
  ROW(zip_get_num_entries)                                                                         \
  ROW(zip_open)                                                                                    \
  ROW(zip_set_archive_comment)                                                                     \
  ROW(zip_source_buffer)                                                                           \
  ROW(zip_source_free)                                                                             \
  ROW(zip_stat_index)                                                                              \
  ROW(zip_strerror)                                                                                \
  RLX_ZIP_CANCELS(ROW)

/// Its functions, each by its name.
typedef struct RlxZip {
#define RLX_ZIP_FIELD(name) __typeof__(name) *name;
  RLX_ZIP_CALLS(RLX_ZIP_FIELD)
#undef RLX_ZIP_FIELD
} RlxZip;

/// Fills `*out`; the library stays loaded. False and `err`: there is none.
bool rlx_zip_load(RlxZip *out, RlxError *err);

#endif
