/// Layouts as tvm.topi reads them: a capital is an axis, a number with a lower-case letter a tile of it.
#include "analyzer/eval/topi_layout.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LETTERS = 26 };
static const int64_t LENGTH_MOST = INT64_C(1) << 40;

typedef struct Layout {
  int ndim;
  char axis[RLX_TOPI_AXES];
  int64_t tile[RLX_TOPI_AXES]; ///< 0: a whole axis
} Layout;

static bool read_layout(const char *text, Layout *out) {
  bool seen[2][LETTERS] = {{0}};
  *out = (Layout){0};
  while (*text) {
    int64_t tile = 0;
    for (; isdigit((unsigned char)*text) && tile < 1 << 20; text++) tile = 10 * tile + *text - '0';
    const bool is_tile = islower((unsigned char)*text);
    if (!isalpha((unsigned char)*text) || is_tile != (tile > 0) || out->ndim == RLX_TOPI_AXES)
      return false;
    bool *known = &seen[is_tile][toupper((unsigned char)*text) - 'A'];
    if (*known) return false;
    *known = true;
    out->axis[out->ndim] = *text++;
    out->tile[out->ndim++] = tile;
  }
  for (int i = 0; i < LETTERS; i++)
    if (seen[1][i] && !seen[0][i]) return false;
  return true;
}

/// The product of an axis' tiles.
static int64_t tiles_of(const Layout *l, char axis) {
  int64_t product = 1;
  for (int i = 0; i < l->ndim; i++)
    if (l->tile[i] && toupper((unsigned char)l->axis[i]) == axis) product *= l->tile[i];
  return product;
}

/// Whether the two have the same whole axes.
static bool are_alike(const Layout *a, const Layout *b) {
  int balance[LETTERS] = {0};
  for (int i = 0; i < a->ndim; i++)
    if (!a->tile[i]) balance[a->axis[i] - 'A']++;
  for (int i = 0; i < b->ndim; i++)
    if (!b->tile[i]) balance[b->axis[i] - 'A']--;
  for (int i = 0; i < LETTERS; i++)
    if (balance[i]) return false;
  return true;
}

RlxTopiRelayout rlx_topi_relayout(const RlxTopiShape *shape, const char *from, const char *to,
                                  RlxTopiShape *out) {
  Layout is, wanted;
  int64_t whole[LETTERS] = {0};
  if (!read_layout(from, &is) || !read_layout(to, &wanted) || !are_alike(&is, &wanted))
    return RLX_TOPI_OTHER_AXES;
  if (is.ndim != shape->ndim) return RLX_TOPI_OTHER_RANK;
  for (int i = 0; i < is.ndim; i++) {
    const int64_t length = shape->lengths[i];
    if (is.tile[i] ? length != is.tile[i] : length < 0 || length > LENGTH_MOST)
      return RLX_TOPI_UNKNOWN;
    if (!is.tile[i]) whole[is.axis[i] - 'A'] = length * tiles_of(&is, is.axis[i]);
  }
  *out = (RlxTopiShape){.ndim = wanted.ndim};
  for (int i = 0; i < wanted.ndim; i++) {
    const int64_t tiles = wanted.tile[i] ? 1 : tiles_of(&wanted, wanted.axis[i]);
    const int64_t length = wanted.tile[i] ? wanted.tile[i] : whole[wanted.axis[i] - 'A'];
    out->lengths[i] = (length + tiles - 1) / tiles;
  }
  return RLX_TOPI_FITS;
}
