/// Listing offers: groups, columns, the signature.
#include "repl/offers_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "repl/look.h"

void rlx_line_offers_free(RlxLineOffers *offers) {
  for (uint32_t i = 0; i < offers->items.count; i++) {
    free(offers->items.at[i].text);
    free(offers->items.at[i].detail);
  }
  rlx_vec_free(&offers->items);
  free(offers->signature);
  *offers = (RlxLineOffers){0};
}

size_t rlx_offers_common(const RlxLineOffers *offers) {
  if (!offers->items.count) return 0;
  const char *first = offers->items.at[0].text;
  size_t common = strlen(first);
  for (uint32_t i = 1; i < offers->items.count; i++) {
    size_t k = 0;
    while (k < common && offers->items.at[i].text[k] == first[k]) k++;
    common = k;
  }
  while (common && rlx_utf8_is_continuation(first[common])) common--; // whole characters of UTF-8
  return common;
}

int rlx_terminal_width(void) {
  int rows, width;
  if (rlx_terminal_size(&rows, &width)) return width;
  const char *columns = getenv("COLUMNS");
  int n = columns ? atoi(columns) : 0;
  return n > 0 ? n : 80;
}

int rlx_terminal_height(void) {
  int rows, width;
  return rlx_terminal_size(&rows, &width) ? rows : 0;
}

static int columns_of(const char *text) {
  int n = 0;
  for (; *text; text++) n += !rlx_utf8_is_continuation(*text);
  return n;
}

/// One group, in columns that are as wide as its widest text; filled downwards, in at most `lines` lines
/// (0: any number).
static void print_group(const RlxLineOffers *offers, const char *group, int width, int lines) {
  const bool headed = *group != 0;
  const char *dim = rlx_repl_is_colored() ? "\033[2m" : "", *plain = *dim ? "\033[0m" : "";
  Vec(const char *) texts = {0};
  int widest = 0, indent = headed ? 2 : 0;
  for (uint32_t i = 0; i < offers->items.count; i++) {
    const RlxLineOffer *o = &offers->items.at[i];
    if (strcmp(o->group, group) != 0) continue;
    rlx_vec_push(&texts, o->text);
    if (columns_of(o->text) > widest) widest = columns_of(o->text);
  }
  int across = (width - indent) / (widest + 2);
  if (across < 1) across = 1;
  const int all = (int)texts.count;
  int down = (all + across - 1) / across, count = all;
  if (lines > 0 && down > lines) down = lines, count = lines * across;
  if (headed) printf("%s%s%s\n", dim, group, plain);
  for (int row = 0; row < down; row++) {
    printf("%*s", indent, "");
    for (int i = row; i < count; i += down) {
      bool is_last = i + down >= count;
      printf("%s%*s", texts.at[i], is_last ? 0 : widest + 2 - columns_of(texts.at[i]), "");
    }
    putchar('\n');
  }
  if (count < all) printf("%*s%s… and %d more%s\n", indent, "", dim, all - count, plain);
  rlx_vec_free(&texts);
}

/// Whether offer `i` is the first of its group.
static bool begins_group(const RlxLineOffers *offers, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (!strcmp(offers->items.at[k].group, offers->items.at[i].group)) return false;
  return true;
}

/// Lines for each group, so that all of them fit on the screen; 0: any number.
static int lines_of_group(const RlxLineOffers *offers, int height) {
  enum {
    AROUND = 3,
    LEAST = 2
  }; // the line that is typed, the signature, the prompt; heading and rest
  int groups = 0;
  for (uint32_t i = 0; i < offers->items.count; i++) groups += begins_group(offers, i);
  if (height <= 0 || !groups) return 0;
  const int lines = (height - AROUND) / groups - 2;
  return lines < LEAST ? LEAST : lines;
}

void rlx_offers_print(const RlxLineOffers *offers, int width, int height) {
  const bool colors = rlx_repl_is_colored();
  const int lines = lines_of_group(offers, height);
  const RlxLineOffer *one = offers->items.count == 1 ? &offers->items.at[0] : NULL;
  for (uint32_t i = 0; i < offers->items.count; i++) {
    const RlxLineOffer *o = &offers->items.at[i];
    if (strlen(o->text) == offers->word) one = o; // written out
    if (begins_group(offers, i)) print_group(offers, o->group, width, lines);
  }
  if (one && one->detail) {
    RlxBuf text = {0}, lines_of = {0};
    rlx_buf_printf(&text, "%s: %s", one->text, one->detail);
    rlx_buf_put_wrapped(&lines_of, rlx_buf_text(&text), 0, (size_t)width);
    fputs(rlx_buf_text(&lines_of), stdout);
    rlx_buf_free(&text);
    rlx_buf_free(&lines_of);
  }
  const char *s = offers->signature;
  if (!s) return;
  size_t from = offers->active_start, to = offers->active_end;
  bool marks = colors && to > from;
  if (marks)
    printf("%.*s\033[1m%.*s\033[0m%s\n", (int)from, s, (int)(to - from), s + from, s + to);
  else
    printf("%s\n", s);
}
