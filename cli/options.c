/// Reading a command line by its table of options; --help is printed from the same rows.
#include "cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/exit.h"

void rlx_args_free(RlxArgs *args) { rlx_vec_free(args); }

int rlx_usage_error(const RlxUsage *usage, const char *format, ...) {
  RlxBuf what = {0};
  va_list args;
  va_start(args, format);
  rlx_buf_vprintf(&what, format, args);
  va_end(args);
  rlx_text_say(stderr, "rlx %s: %s", usage->command, rlx_buf_text(&what));
  fprintf(stderr, "'rlx %s --help' says more\n", usage->command);
  rlx_buf_free(&what);
  return RLX_EXIT_USAGE;
}

/// "--format=text|json", "--diff", "--out FILE".
static int print_option_head(FILE *out, const RlxOption *option) {
  int width = fprintf(out, "  --%s", option->name);
  switch (option->kind) {
  case RLX_OPTION_FLAG: break;
  case RLX_OPTION_CHOICE:
    for (size_t i = 0; option->choices[i]; i++) {
      width += fprintf(out, "%s%s", i ? "|" : "=", option->choices[i]);
    }
    break;
  case RLX_OPTION_TEXT:
  case RLX_OPTION_LIST: width += fprintf(out, "=%s", option->value ? option->value : "TEXT"); break;
  case RLX_OPTION_FLAG_INT: width += fprintf(out, "[=%s]", option->value); break;
  case RLX_OPTION_INT: width += fprintf(out, "=%s", option->value ? option->value : "N"); break;
  }
  return width;
}

static void print_help(const RlxUsage *usage) {
  printf("usage: rlx %s%s%s%s\n\n%s\n", usage->command, usage->options_count ? " [OPTION…]" : "",
         *usage->arguments ? " " : "", usage->arguments, usage->about);
  printf("\noptions:\n");
  for (size_t i = 0; i < usage->options_count; i++) {
    int width = print_option_head(stdout, &usage->options[i]);
    const char *help = usage->options[i].help ? usage->options[i].help : "";
    if (width > 26) {
      printf("\n%28s%s\n", "", help);
    } else {
      printf("%*s%s\n", 28 - width, "", help);
    }
  }
  printf("  --help                    show this\n");
}

static const RlxOption *find_option(const RlxUsage *usage, const char *name, size_t length) {
  for (size_t i = 0; i < usage->options_count; i++) {
    const RlxOption *option = &usage->options[i];
    if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) return option;
  }
  return NULL;
}

static int report_unknown(const RlxUsage *usage, const char *name, size_t length) {
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
  RlxNearest nearest = rlx_nearest_start(word);
  for (size_t i = 0; i < usage->options_count; i++) {
    rlx_nearest_try(&nearest, usage->options[i].name);
  }
  rlx_nearest_try(&nearest, "help");
  if (nearest.best) {
    return rlx_usage_error(usage, "unknown option '--%s'; did you mean '--%s'?", word,
                           nearest.best);
  }
  return rlx_usage_error(usage, "unknown option '--%s'", word);
}

static bool set_choice(const RlxUsage *usage, const RlxOption *option, const char *value,
                       int *out_code) {
  RlxNearest nearest = rlx_nearest_start(value);
  for (int i = 0; option->choices[i]; i++) {
    rlx_nearest_try(&nearest, option->choices[i]);
    if (strcmp(option->choices[i], value) != 0) continue;
    *(int *)option->target = i;
    return true;
  }
  char all[256] = "";
  for (size_t i = 0, used = 0; option->choices[i] && used < sizeof all - 1; i++) {
    int put = snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", option->choices[i]);
    used += put > 0 ? (size_t)put : 0;
  }
  if (nearest.best) {
    *out_code = rlx_usage_error(usage, "--%s: unknown value '%s'; did you mean '%s'? (%s)",
                                option->name, value, nearest.best, all);
  } else {
    *out_code =
        rlx_usage_error(usage, "--%s: unknown value '%s' (one of %s)", option->name, value, all);
  }
  return false;
}

static bool set_int(const RlxUsage *usage, const RlxOption *option, const char *value,
                    int *out_code) {
  char *end = NULL;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (errno != 0 || end == value || *end != '\0') {
    *out_code = rlx_usage_error(usage, "--%s: '%s' is not an integer", option->name, value);
    return false;
  }
  bool is_bounded = option->min != 0 || option->max != 0;
  if (is_bounded && (number < option->min || number > option->max)) {
    *out_code = rlx_usage_error(usage, "--%s: %lld is not in %" PRId64 "..%" PRId64, option->name,
                                number, option->min, option->max);
    return false;
  }
  *(int64_t *)option->target = number;
  return true;
}

static bool set_value(const RlxUsage *usage, const RlxOption *option, char *value, int *out_code) {
  switch (option->kind) {
  case RLX_OPTION_FLAG: *(bool *)option->target = true; return true;
  case RLX_OPTION_TEXT: *(const char **)option->target = value; return true;
  case RLX_OPTION_FLAG_INT:
  case RLX_OPTION_INT: return set_int(usage, option, value, out_code);
  case RLX_OPTION_CHOICE: return set_choice(usage, option, value, out_code);
  case RLX_OPTION_LIST: rlx_vec_push((RlxArgs *)option->target, value); return true;
  }
  return true;
}

bool rlx_options_parse(const RlxUsage *usage, int argc, char **argv, RlxArgs *args, int *out_code) {
  *out_code = RLX_EXIT_OK;
  bool is_over = false; // "--" was there
  for (int i = 1; i < argc; i++) {
    char *arg = argv[i];
    if (is_over || arg[0] != '-' || arg[1] == '\0') {
      rlx_vec_push(args, arg);
      continue;
    }
    if (strcmp(arg, "--") == 0) {
      is_over = true;
      continue;
    }
    if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
      print_help(usage);
      return false;
    }
    if (arg[1] != '-') {
      *out_code = rlx_usage_error(usage, "unknown option '%s'; options are long: '--name'", arg);
      return false;
    }
    const char *name = arg + 2;
    char *equals = strchr(arg, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const RlxOption *option = find_option(usage, name, length);
    if (!option) {
      *out_code = report_unknown(usage, name, length);
      return false;
    }
    char *value = equals ? equals + 1 : NULL;
    if (option->kind == RLX_OPTION_FLAG && value) {
      *out_code = rlx_usage_error(usage, "--%s takes no value", option->name);
      return false;
    }
    if (option->kind == RLX_OPTION_FLAG_INT && !value) {
      *(int64_t *)option->target = 0;
      continue;
    }
    if (option->kind != RLX_OPTION_FLAG && !value) {
      if (i + 1 >= argc) {
        *out_code = rlx_usage_error(usage, "--%s needs a value", option->name);
        return false;
      }
      value = argv[++i];
    }
    if (!set_value(usage, option, value, out_code)) return false;
  }
  return true;
}
