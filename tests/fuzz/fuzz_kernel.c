/// Any bytes as the lines that a notebook's front end sends to `rlx kernel`: each is answered by one line of JSON with its id.
#include <cjson/cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "cli/kernel.h"
#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { LINES_MOST = 12 };

static void must(int holds) {
  if (!holds) abort();
}

static void check_answer(const cJSON *request, const RlxBuf *out) {
  const cJSON *id = cJSON_GetObjectItemCaseSensitive(request, "id");
  must(!memchr(out->at, '\n', out->size) && rlx_utf8_is_valid(out->at, out->size, NULL));
  cJSON *answer = cJSON_ParseWithLength(out->at, out->size);
  must(cJSON_IsObject(answer));
  const cJSON *same = cJSON_GetObjectItemCaseSensitive(answer, "id");
  must(same != NULL);
  if (cJSON_IsString(id) && rlx_utf8_is_valid(id->valuestring, strlen(id->valuestring), NULL))
    must(cJSON_IsString(same) && !strcmp(id->valuestring, same->valuestring));
  if (cJSON_IsNumber(id) && isfinite(id->valuedouble))
    must(cJSON_IsNumber(same) && same->valuedouble == id->valuedouble);
  cJSON_Delete(answer);
}

/// Whether what is to be evaluated may be.
static bool is_allowed(const cJSON *request) {
  const cJSON *code = cJSON_GetObjectItemCaseSensitive(request, "code");
  return !cJSON_IsString(code) || fuzz_may_enter(code->valuestring);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, bytes, size);
  const RlxReplOptions options = fuzz_session();
  RlxKernel *kernel = rlx_kernel_open(&options);
  char *line = text;
  bool goes_on = kernel != NULL;
  for (int i = 0; goes_on && line && i < LINES_MOST; i++) {
    char *end = strchr(line, '\n');
    if (end) *end = '\0';
    cJSON *request = cJSON_Parse(line);
    if (is_allowed(request)) {
      RlxBuf out = {0};
      goes_on = rlx_kernel_answer(kernel, request, &out);
      check_answer(request, &out);
      rlx_buf_free(&out);
    }
    cJSON_Delete(request);
    line = end ? end + 1 : NULL;
  }
  if (kernel) rlx_kernel_close(kernel);
  free(text);
  return 0;
}
