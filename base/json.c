/// The JSON writer: puts commas where they belong and escapes texts.
#include "base/json.h"

#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#include "base/buf.h"

static void before_value(RlxJson *json) {
  if (json->needs_comma) rlx_buf_putc(json->out, ',');
  json->needs_comma = true;
}

void rlx_json_begin(RlxJson *json, char open) {
  before_value(json);
  rlx_buf_putc(json->out, open);
  json->needs_comma = false;
}

void rlx_json_end(RlxJson *json, char close) {
  rlx_buf_putc(json->out, close);
  json->needs_comma = true;
}

static bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; }

static void quoted(RlxBuf *out, const char *text, size_t size) {
  size_t plain = 0; // start of the bytes not written yet
  size_t i = 0;
  while (i < size && is_plain((unsigned char)text[i])) i++;
  rlx_buf_reserve(out, size + 2);
  out->at[out->size++] = '"';
  if (i == size) { // nearly all are
    memcpy(out->at + out->size, text, size);
    out->size += size;
    rlx_buf_putc(out, '"');
    return;
  }
  while (i < size) {
    unsigned char c = (unsigned char)text[i];
    if (is_plain(c)) {
      i++;
      continue;
    }
    uint32_t code = 0;
    size_t length = c >= 0x80 ? rlx_utf8_decode(text + i, size - i, &code) : 0;
    if (length > 1) {
      i += length;
      continue;
    }
    rlx_buf_putn(out, text + plain, i - plain);
    if (c >= 0x80)
      rlx_buf_puts(out, "\xEF\xBF\xBD");
    else if (c == '"' || c == '\\')
      rlx_buf_putn(out, (const char[]){'\\', (char)c}, 2);
    else if (c == '\n')
      rlx_buf_puts(out, "\\n");
    else if (c == '\t')
      rlx_buf_puts(out, "\\t");
    else if (c == '\r')
      rlx_buf_puts(out, "\\r");
    else
      rlx_buf_printf(out, "\\u%04x", c);
    plain = ++i;
  }
  rlx_buf_putn(out, text + plain, size - plain);
  rlx_buf_putc(out, '"');
}

void rlx_json_key(RlxJson *json, const char *key) {
  rlx_json_text(json, key);
  rlx_buf_putc(json->out, ':');
  json->needs_comma = false;
}

void rlx_json_raw_key(RlxJson *json, const char *text, size_t size) {
  rlx_json_raw(json, text, size);
  json->needs_comma = false;
}

void rlx_json_textn(RlxJson *json, const char *text, size_t size) {
  before_value(json);
  quoted(json->out, text, size);
}

void rlx_json_text(RlxJson *json, const char *text) {
  if (text)
    rlx_json_textn(json, text, strlen(text));
  else
    rlx_json_null(json);
}

void rlx_json_int(RlxJson *json, int64_t value) {
  before_value(json);
  rlx_buf_put_int(json->out, value);
}

#define PUT(to, text) ((to) = (char *)memcpy((to), (text), sizeof(text) - 1) + sizeof(text) - 1)

static char *put_digits(char *to, uint32_t value) {
  for (uint32_t rest = value; rest >= 10; rest /= 10) to++;
  rlx_digits_before(to + 1, value);
  return to + 1;
}

static char *put_place(char *to, uint32_t line, uint32_t character) {
  PUT(to, "{\"line\":");
  to = put_digits(to, line);
  PUT(to, ",\"character\":");
  to = put_digits(to, character);
  *to++ = '}';
  return to;
}

void rlx_json_one_place(RlxJson *json, uint32_t line, uint32_t character) {
  char text[80];
  rlx_json_raw(json, text, (size_t)(put_place(text, line, character) - text));
}

void rlx_json_two_places(RlxJson *json, const uint32_t start[2], const uint32_t end[2]) {
  enum { MOST = 160 };
  before_value(json);
  rlx_buf_reserve(json->out, MOST);
  char *at = json->out->at + json->out->size;
  PUT(at, "{\"start\":");
  at = put_place(at, start[0], start[1]);
  PUT(at, ",\"end\":");
  at = put_place(at, end[0], end[1]);
  PUT(at, "}");
  *at = '\0';
  json->out->size = (size_t)(at - json->out->at);
}

void rlx_json_number(RlxJson *json, double value) {
  if (isnan(value)) {
    rlx_json_text(json, "nan");
  } else if (isinf(value)) {
    rlx_json_text(json, value < 0 ? "-inf" : "inf");
  } else {
    before_value(json);
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, value);
      if (digits == 17 || strtod(text, NULL) == value) break;
    }
    rlx_buf_puts(json->out, text);
    if (!strpbrk(text, ".e")) rlx_buf_puts(json->out, ".0");
  }
}

void rlx_json_bool(RlxJson *json, bool value) {
  before_value(json);
  rlx_buf_puts(json->out, value ? "true" : "false");
}

void rlx_json_null(RlxJson *json) {
  before_value(json);
  rlx_buf_puts(json->out, "null");
}

void rlx_json_raw(RlxJson *json, const char *text, size_t size) {
  before_value(json);
  rlx_buf_putn(json->out, text, size);
}

void rlx_json_key_text(RlxJson *json, const char *key, const char *text) {
  rlx_json_key(json, key);
  rlx_json_text(json, text);
}

void rlx_json_key_int(RlxJson *json, const char *key, int64_t value) {
  rlx_json_key(json, key);
  rlx_json_int(json, value);
}

void rlx_json_key_bool(RlxJson *json, const char *key, bool value) {
  rlx_json_key(json, key);
  rlx_json_bool(json, value);
}
