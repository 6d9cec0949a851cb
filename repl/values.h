/// Looking at values: printed to the session's width and precision, figures, plots, pictures.
#ifndef RLX_REPL_VALUES_H
#define RLX_REPL_VALUES_H

#include "jit/runtime/format.h"
#include "repl/session.h"

/// Appends a value as it is printed: with the session's digits, as wide as the terminal.
void rlx_repl_put_value(const RlxRepl *repl, const RlxObject *value, RlxBuf *out);
/// Prints a value that was entered, and keeps it as `_`.
void rlx_repl_show(RlxRepl *repl, RlxObject *value);
/// Evaluates an expression and shows its value; false after a message.
bool rlx_repl_show_value(RlxRepl *repl, const char *text);
/// Prints a text, through $PAGER (or less) when it is longer than the screen.
void rlx_repl_print_paged(const RlxRepl *repl, const char *text);
/// The value of the expression, which must be a tensor with elements; NULL after a message.
RlxObject *rlx_repl_tensor(RlxRepl *repl, const char *text);

typedef struct RlxReplFigures {
  double min, max, sum; ///< of the elements that are finite
  int64_t count, finite, zeros, nans, infs;
} RlxReplFigures;
/// Of a tensor; false after a message: Ctrl-C ended it.
bool rlx_repl_figures(RlxRepl *repl, const RlxObject *x, RlxReplFigures *out);

/// Whether element `i` of two tensors is the same: integers of one dtype to the last digit, NaN and NaN too.
bool rlx_repl_same_element(const RlxObject *x, const RlxObject *y, int64_t i);
/// How far apart these elements are: of integers of one dtype, whatever a double holds of them.
double rlx_repl_distance(const RlxObject *x, const RlxObject *y, int64_t i);

/// Columns of the terminal, or 75 where there is none.
int rlx_repl_width(void);
/// Columns that a line of figures may take: those of the terminal, INT_MAX where there is none.
int rlx_repl_line_width(void);
/// Appends lines of figures; those of more than `width` columns go on in the next line, `indent` to the right, behind a
/// comma outside of brackets.
void rlx_repl_put_folded(const char *text, int indent, int width, RlxBuf *out);
/// Appends a head with blanks up to `column`, and `text` behind it, whose lines are broken where the terminal's end; where
/// these are short it stands below.
void rlx_repl_put_item(const char *head, int column, const char *text, RlxBuf *out);
/// Whether a Ctrl-C came, asked for element `i` and answered for some of them only.
bool rlx_repl_is_stopped(const RlxRepl *repl, int64_t i);

// ---- picture.c
/// How a terminal takes pictures.
typedef enum RlxPictureForm {
  RLX_PICTURE_SHADES, ///< characters of four shades, no colours
  RLX_PICTURE_BLOCKS, ///< half blocks in colours
  RLX_PICTURE_KITTY,
  RLX_PICTURE_SIXEL,
  RLX_PICTURE_PNG, ///< a file, and no terminal's
} RlxPictureForm;
/// Appends `width` x `height` pixels of three bytes each.
void rlx_picture_write(const unsigned char *rgb, int width, int height, RlxPictureForm form,
                       RlxBuf *out);

/// terminal.c. How the terminal says that it takes pictures, asked once: kitty's, sixels, or none of both
/// (RLX_PICTURE_SHADES).
RlxPictureForm rlx_repl_terminal_form(RlxRepl *repl);
/// Pixels from its left to its right; 0: it does not say.
int rlx_repl_pixel_width(void);

/// Appends bytes as base64.
void rlx_base64_write(const unsigned char *bytes, size_t size, RlxBuf *out);

#endif
