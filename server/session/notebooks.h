/// Notebooks: the cells of one are one file with one namespace. The file's text is that of its code
/// cells, one below the other, so analysis and methods know nothing of cells: what a request says of
/// a cell is turned into places of the file, and what is answered back into places of cells.
///
/// Always true: the file has the notebook's URI; a cell begins at the start of a line; a line of a
/// cell has as many characters in the file as in the cell.
#ifndef RLX_SERVER_NOTEBOOKS_H
#define RLX_SERVER_NOTEBOOKS_H

#include "server/session/session.h"

typedef struct RlxCell {
  char *uri;
  char *text;     ///< as the client has it, NUL-terminated; NULL: not told
  bool is_code;   ///< what stands in it is part of the file
  bool is_python; ///< by its language
  bool has_version;
  int64_t version;
  uint32_t line, line_count; ///< in the file, when it is part of it
  uint64_t shown;            ///< hash of the diagnostics that were published, 0: none were
} RlxCell;

struct RlxNotebook {
  char *uri;
  Vec(RlxCell) cells; ///< in their order
  Vec(RlxCell) aside; ///< that went, and whose texts are not closed: they may come back
  Vec(char *) gone;   ///< cells that went and whose diagnostics are still shown
};
typedef struct RlxNotebook RlxNotebook;

/// The notebook with this URI, or (`of_cell`) the one that holds the cell with this URI; NULL: none.
RlxNotebook *rlx_notebook_find(const RlxServer *server, const char *uri);
RlxNotebook *rlx_notebook_of_cell(const RlxServer *server, const char *uri, RlxCell **out_cell);
/// The cell of the file's line; NULL: none.
RlxCell *rlx_notebook_cell_at(const RlxNotebook *notebook, uint32_t line);
static inline bool rlx_cell_is_shown(const RlxCell *cell) {
  return cell->is_code && cell->is_python && cell->text;
}

/// Appends "line 3" for a line (from 0) of the file `uri`, or "line 1 of cell 2" where it is in a cell of a notebook that the request is not about.
void rlx_put_line_name(const RlxServer *server, const char *uri, uint32_t line, RlxBuf *out);

/// The bytes of the notebook's file that the request is about: a cell's, where a method answers for the whole
/// document; of any other file all.
RlxSpan rlx_cell_asked(const RlxServer *server, RlxFile *file);

/// A notebook without cells; the one that has the URI already goes.
RlxNotebook *rlx_notebook_add(RlxServer *server, const char *uri);
void rlx_notebook_remove(RlxServer *server, RlxNotebook *notebook);
void rlx_notebooks_free(RlxServer *server);
/// Puts `array` (NotebookCell, may be NULL) where `remove` cells from `start` are. A cell that moves, or comes back before its text is
/// closed, keeps its text.
void rlx_notebook_splice(RlxNotebook *notebook, uint32_t start, uint32_t remove,
                         const cJSON *array);
void rlx_notebook_set_text(RlxCell *cell, const char *text); // NULL: it is not told
/// The text of the cell with that URI is closed.
void rlx_notebook_close_text(RlxNotebook *notebook, const char *uri);
/// Makes the file follow the cells.
void rlx_notebook_compose(RlxServer *server, RlxNotebook *notebook);

/// Calls a method: with places of cells turned into places of the notebook's file before, and the
/// other way round after.
RlxRpcCode rlx_cells_call(RlxServer *server, RlxMethodFn *handler, const char *method,
                          const cJSON *params, RlxJson *result);
/// The way back alone: `result` is about `cell` of `notebook` where it does not say what it is about
/// (both NULL: about none).
void rlx_cells_leave(RlxServer *server, const RlxNotebook *notebook, const RlxCell *cell,
                     RlxBuf *result);
/// Publishes the diagnostics of a notebook's file, whose array is `diagnostics`, cell by cell, where
/// they changed.
void rlx_cells_publish(RlxServer *server, RlxNotebook *notebook, const RlxBuf *diagnostics);

#endif
