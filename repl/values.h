/// Looking at values: printed to the session's width and precision, figures, plots, pictures.
#ifndef RLX_REPL_VALUES_H
#define RLX_REPL_VALUES_H

#include "jit/runtime/format.h"
#include "repl/session.h"

/// Prints a value that was entered, and keeps it as `_`.
void rlx_repl_show(RlxRepl *repl, RlxObject *value);
/// The commands of their names, with `text` behind them; false after a message.
bool rlx_repl_stats(RlxRepl *repl, const char *text);
bool rlx_repl_plot(RlxRepl *repl, const char *text);
bool rlx_repl_image(RlxRepl *repl, const char *text);
bool rlx_repl_compare(RlxRepl *repl, const char *text);
bool rlx_repl_who(RlxRepl *repl);
/// Columns of the terminal, or 75 where there is none.
int rlx_repl_width(void);

// ---- picture.c
/// How a terminal takes pictures.
typedef enum RlxPictureForm {
  RLX_PICTURE_SHADES, ///< characters of four shades, no colours
  RLX_PICTURE_BLOCKS, ///< half blocks in colours
  RLX_PICTURE_KITTY,
  RLX_PICTURE_SIXEL,
} RlxPictureForm;
/// Appends `width` x `height` pixels of three bytes each.
void rlx_picture_write(const unsigned char *rgb, int width, int height, RlxPictureForm form,
                       RlxBuf *out);

#endif
