// Pictures for terminals, byte by byte: kitty's chunks, and sixels with their runs.
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "repl/values.h"

/// What a picture is, all of whose bytes are `value`.
static RlxBuf plain(int width, int height, int value, RlxPictureForm form) {
  RlxBuf out = {0};
  const size_t size = (size_t)width * (size_t)height * 3;
  unsigned char *rgb = rlx_mem_zeroed(size, 1);
  memset(rgb, value, size);
  rlx_picture_write(rgb, width, height, form, &out);
  free(rgb);
  return out;
}

static void kitty_one_chunk(void **state) {
  (void)state;
  RlxBuf out = plain(2, 1, 255, RLX_PICTURE_KITTY);
  assert_string_equal(rlx_buf_text(&out), "\033_Ga=T,f=24,s=2,v=1,m=0;////////\033\\\n");
  rlx_buf_free(&out);
}

// 3072 bytes are the 4096 characters that a chunk may have; the keys stand in the first one only.
static void kitty_chunks(void **state) {
  (void)state;
  RlxBuf exact = plain(1024, 1, 0, RLX_PICTURE_KITTY), more = plain(1025, 1, 0, RLX_PICTURE_KITTY);
  static const char lead[] = "\033_Ga=T,f=24,s=1025,v=1,m=1;",
                    rest[] = "\033\\\033_Gm=0;AAAA\033\\\n";
  assert_null(strstr(rlx_buf_text(&exact), "m=1"));
  assert_int_equal(strncmp(rlx_buf_text(&more), lead, sizeof lead - 1), 0);
  assert_int_equal(strspn(rlx_buf_text(&more) + sizeof lead - 1, "A"), 4096);
  assert_string_equal(rlx_buf_text(&more) + sizeof lead - 1 + 4096, rest);
  rlx_buf_free(&exact);
  rlx_buf_free(&more);
}

/// Behind the colours: the picture itself.
static const char *bands(const RlxBuf *out) {
  const char *p = strstr(rlx_buf_text(out), "#215;2;100;100;100");
  assert_non_null(p);
  return p + strlen("#215;2;100;100;100");
}

// Six rows a band: "~" is all of them, "@" the first. More than three in a row are counted.
static void sixel_runs(void **state) {
  (void)state;
  RlxBuf wide = plain(10, 7, 255, RLX_PICTURE_SIXEL), narrow = plain(3, 6, 0, RLX_PICTURE_SIXEL);
  assert_ptr_equal(strstr(rlx_buf_text(&wide), "\033Pq\"1;1;10;7#0;2;0;0;0#1;"),
                   rlx_buf_text(&wide));
  assert_string_equal(bands(&wide), "#215!10~$-#215!10@$-\033\\\n");
  assert_string_equal(bands(&narrow), "#0~~~$-\033\\\n");
  rlx_buf_free(&wide);
  rlx_buf_free(&narrow);
}

// A colour's row ends with its last pixel.
static void sixel_colours(void **state) {
  (void)state;
  unsigned char rgb[6 * 3] = {0};
  memset(rgb + 2 * 3, 255, 3);
  RlxBuf out = {0};
  rlx_picture_write(rgb, 6, 1, RLX_PICTURE_SIXEL, &out);
  assert_string_equal(bands(&out), "#0@@?@@@$#215??@$-\033\\\n");
  rlx_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kitty_one_chunk),
      cmocka_unit_test(kitty_chunks),
      cmocka_unit_test(sixel_runs),
      cmocka_unit_test(sixel_colours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
