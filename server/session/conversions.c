/// What an open document's text is in other dialects, as long as the text stays the same.
#include "server/session/session.h"

void rlx_open_file_forget_conversions(RlxOpenFile *file) {
  for (int i = 0; i < RLX_DIALECT_COUNT; i++) rlx_buf_free(&file->conversions.text[i]);
  file->conversions = (RlxConversions){0};
}

void rlx_open_file_changed(RlxOpenFile *file) {
  file->is_dirty = true;
  rlx_open_file_forget_conversions(file);
}
