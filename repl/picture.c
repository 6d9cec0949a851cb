/// Pictures for terminals, and as files. Sources: kitty's graphics protocol
/// (https://sw.kovidgoyal.net/kitty/graphics-protocol/), sixel as in DEC's VT330 manual; half blocks in
/// colours of 24 bits, or of the 256 that xterm has.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "repl/values.h"

void rlx_base64_write(const unsigned char *p, size_t size, RlxBuf *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    unsigned v = (unsigned)p[i] << 16 | (i + 1 < size ? (unsigned)p[i + 1] << 8 : 0) |
                 (i + 2 < size ? p[i + 2] : 0);
    rlx_buf_putc(out, digits[v >> 18]);
    rlx_buf_putc(out, digits[v >> 12 & 63]);
    rlx_buf_putc(out, i + 1 < size ? digits[v >> 6 & 63] : '=');
    rlx_buf_putc(out, i + 2 < size ? digits[v & 63] : '=');
  }
}

static void write_kitty(const unsigned char *rgb, int width, int height, RlxBuf *out) {
  enum { CHUNK = 3072 }; // 4096 characters, which is the most
  size_t size = (size_t)width * (size_t)height * 3;
  for (size_t at = 0; at < size; at += CHUNK) {
    size_t n = size - at < CHUNK ? size - at : CHUNK;
    rlx_buf_puts(out, "\033_G");
    if (!at) rlx_buf_printf(out, "a=T,f=24,s=%d,v=%d,", width, height);
    rlx_buf_printf(out, "m=%d;", at + n < size);
    rlx_base64_write(rgb + at, n, out);
    rlx_buf_puts(out, "\033\\");
  }
  rlx_buf_putc(out, '\n');
}

/// Of a cube of 6 x 6 x 6 colours.
static int cube(const unsigned char *p) {
  return (p[0] * 5 + 127) / 255 * 36 + (p[1] * 5 + 127) / 255 * 6 + (p[2] * 5 + 127) / 255;
}

/// A character so many times in a row.
static void put_run(char character, int times, RlxBuf *out) {
  if (times > 3) rlx_buf_printf(out, "!%d", times), times = 1;
  while (times-- > 0) rlx_buf_putc(out, character);
}

static void write_sixel(const unsigned char *rgb, int width, int height, RlxBuf *out) {
  rlx_buf_printf(out, "\033Pq\"1;1;%d;%d", width, height);
  for (int c = 0; c < 216; c++)
    rlx_buf_printf(out, "#%d;2;%d;%d;%d", c, c / 36 * 20, c / 6 % 6 * 20, c % 6 * 20);
  for (int top = 0; top < height; top += 6) {
    bool used[216] = {false};
    for (int y = top; y < height && y < top + 6; y++)
      for (int x = 0; x < width; x++)
        used[cube(rgb + ((size_t)y * (size_t)width + (size_t)x) * 3)] = true;
    for (int c = 0; c < 216; c++) {
      if (!used[c]) continue;
      rlx_buf_printf(out, "#%d", c);
      int before = 0, times = 0;
      for (int x = 0; x < width; x++) {
        int bits = 0;
        for (int y = top; y < height && y < top + 6; y++)
          if (cube(rgb + ((size_t)y * (size_t)width + (size_t)x) * 3) == c) bits |= 1 << (y - top);
        if (bits != before) put_run((char)(63 + before), times, out), times = 0;
        before = bits;
        times++;
      }
      if (before) put_run((char)(63 + before), times, out); // what is empty needs not be said
      rlx_buf_putc(out, '$');
    }
    rlx_buf_putc(out, '-');
  }
  rlx_buf_puts(out, "\033\\\n");
}

static void put_colour(const unsigned char *p, bool is_back, bool is_true, RlxBuf *out) {
  if (is_true)
    rlx_buf_printf(out, "\033[%d;2;%d;%d;%dm", is_back ? 48 : 38, p[0], p[1], p[2]);
  else
    rlx_buf_printf(out, "\033[%d;5;%dm", is_back ? 48 : 38, 16 + cube(p));
}

static void write_blocks(const unsigned char *rgb, int width, int height, RlxBuf *out) {
  const char *colours = getenv("COLORTERM");
  bool is_true = colours && (!strcmp(colours, "truecolor") || !strcmp(colours, "24bit"));
  for (int y = 0; y < height; y += 2) {
    for (int x = 0; x < width; x++) {
      const unsigned char *upper = rgb + ((size_t)y * (size_t)width + (size_t)x) * 3;
      put_colour(upper, false, is_true, out);
      if (y + 1 < height) put_colour(upper + (size_t)width * 3, true, is_true, out);
      rlx_buf_puts(out, "▀");
    }
    rlx_buf_puts(out, "\033[0m\n");
  }
}

static int light(const unsigned char *p) { return (p[0] * 30 + p[1] * 59 + p[2] * 11) / 100; }

static void write_shades(const unsigned char *rgb, int width, int height, RlxBuf *out) {
  static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
  for (int y = 0; y < height; y += 2) {
    for (int x = 0; x < width; x++) {
      const unsigned char *upper = rgb + ((size_t)y * (size_t)width + (size_t)x) * 3;
      int v = light(upper);
      if (y + 1 < height) v = (v + light(upper + (size_t)width * 3)) / 2;
      rlx_buf_puts(out, shades[v * 5 / 256]);
    }
    rlx_buf_putc(out, '\n');
  }
}

// ---- PNG (RFC 2083): one stream of stored blocks (RFC 1950, 1951), so nothing has to be compressed

static uint32_t crc_of(const char *p, size_t size) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    crc ^= (unsigned char)p[i];
    for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

static void put_word(uint32_t v, RlxBuf *out) {
  for (int shift = 24; shift >= 0; shift -= 8) rlx_buf_putc(out, (char)(v >> shift));
}

static void put_chunk(const char *type, const RlxBuf *content, RlxBuf *out) {
  put_word((uint32_t)content->size, out);
  const size_t start = out->size;
  rlx_buf_puts(out, type);
  rlx_buf_putn(out, rlx_buf_text(content), content->size);
  put_word(crc_of(out->at + start, out->size - start), out);
}

/// Adler-32 (RFC 1950).
static uint32_t sum_of(const char *p, size_t size) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < size; i++) {
    a = (a + (unsigned char)p[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

static void write_png(const unsigned char *rgb, int width, int height, RlxBuf *out) {
  enum { BLOCK = 65535 };
  RlxBuf head = {0}, rows = {0}, data = {0}, none = {0};
  put_word((uint32_t)width, &head);
  put_word((uint32_t)height, &head);
  rlx_buf_putn(&head, "\x08\x02\0\0", 5); // 8 bits, RGB; deflate, no filter, not interlaced
  for (int y = 0; y < height; y++) {
    rlx_buf_putc(&rows, 0); // unfiltered
    rlx_buf_putn(&rows, (const char *)rgb + (size_t)y * (size_t)width * 3, (size_t)width * 3);
  }
  rlx_buf_putn(&data, "\x78\x01", 2);
  for (size_t at = 0; at < rows.size; at += BLOCK) {
    const size_t n = rows.size - at < BLOCK ? rows.size - at : BLOCK;
    const unsigned lengths = (unsigned)n | (unsigned)~n << 16;
    rlx_buf_putc(&data, at + n == rows.size); // whether it is the last
    for (int shift = 0; shift < 32; shift += 8) rlx_buf_putc(&data, (char)(lengths >> shift));
    rlx_buf_putn(&data, rows.at + at, n);
  }
  put_word(sum_of(rows.at, rows.size), &data);
  rlx_buf_putn(out, "\x89PNG\r\n\x1a\n", 8);
  put_chunk("IHDR", &head, out);
  put_chunk("IDAT", &data, out);
  put_chunk("IEND", &none, out);
  rlx_buf_free(&head);
  rlx_buf_free(&rows);
  rlx_buf_free(&data);
}

void rlx_picture_write(const unsigned char *rgb, int width, int height, RlxPictureForm form,
                       RlxBuf *out) {
  switch (form) {
  case RLX_PICTURE_SHADES: write_shades(rgb, width, height, out); return;
  case RLX_PICTURE_BLOCKS: write_blocks(rgb, width, height, out); return;
  case RLX_PICTURE_KITTY: write_kitty(rgb, width, height, out); return;
  case RLX_PICTURE_SIXEL: write_sixel(rgb, width, height, out); return;
  case RLX_PICTURE_PNG: write_png(rgb, width, height, out); return;
  }
}
