/// Writing JSON: a streaming writer into an RlxBuf, for answers too large to build as a tree first.
///
///     RlxJson json = {.out = &buf};
///     rlx_json_begin(&json, '{');
///     rlx_json_key_int(&json, "rlx", 1);
///     rlx_json_end(&json, '}');
///
/// Always true: commas and quotes are the writer's; text that is not UTF-8 comes out with U+FFFD,
/// so the result is always valid JSON; 64-bit integers are exact; a number that is not finite is
/// the string "nan", "inf" or "-inf".
#ifndef RLX_BASE_JSON_H
#define RLX_BASE_JSON_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct RlxJson {
  RlxBuf *out;
  bool needs_comma;
} RlxJson;

void rlx_json_begin(RlxJson *json, char open); // '{' or '['
/// Ends the innermost object or array.
void rlx_json_end(RlxJson *json, char close);
/// The key of the member whose value comes next.
void rlx_json_key(RlxJson *json, const char *key);
void rlx_json_text(RlxJson *json, const char *text); // NULL gives null
void rlx_json_textn(RlxJson *json, const char *text, size_t size);
/// A value, as those below.
void rlx_json_int(RlxJson *json, int64_t value);
/// A member of an object: a key and its value.
void rlx_json_key_text(RlxJson *json, const char *key, const char *text); // NULL gives null
void rlx_json_key_int(RlxJson *json, const char *key, int64_t value);
void rlx_json_key_bool(RlxJson *json, const char *key, bool value);
/// A place as the protocol has it.
void rlx_json_one_place(RlxJson *json, uint32_t line, uint32_t character);
/// A range as the protocol has it: from one line and column to another. Large answers hold tens of
/// thousands of these.
void rlx_json_two_places(RlxJson *json, const uint32_t start[2], const uint32_t end[2]);
/// Shortest decimal that reads back as the same double.
void rlx_json_number(RlxJson *json, double value);
void rlx_json_bool(RlxJson *json, bool value);
void rlx_json_null(RlxJson *json);
/// Finished members and the key of the next one, as they are: `"kind":13,"detail":`.
void rlx_json_raw_key(RlxJson *json, const char *text, size_t size);
#define rlx_json_literal_key(json, text) rlx_json_raw_key((json), (text), sizeof(text) - 1)
/// Finished JSON as it is.
void rlx_json_raw(RlxJson *json, const char *text, size_t size);

#endif
