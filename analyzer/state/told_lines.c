/// Lines as a person is told them.
#include "analyzer/state/state.h"

void rlx_file_put_line(const RlxFile *file, uint32_t line, RlxBuf *out) {
  if (file->line_names.put)
    file->line_names.put(file->line_names.data, file, line, out);
  else
    rlx_buf_printf(out, "line %u", line + 1);
}
