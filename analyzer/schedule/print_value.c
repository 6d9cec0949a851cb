/// Values of schedules as text: arguments in a trace, annotations in a script.
#include <math.h>
#include <string.h>

#include "analyzer/schedule/schedule_impl.h"
#include "base/text.h"

static void print_number(double v, RlxBuf *out) {
  if (!isfinite(v)) {
    rlx_buf_printf(out, "float(\"%s\")", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
    return;
  }
  rlx_buf_put_double(out, v);
}

void rlx_schedule_print_value(const RlxScheduleValue *v, RlxBuf *out) {
  switch ((RlxScheduleKind)v->kind) {
  case RLX_SCHEDULE_ABSENT:
  case RLX_SCHEDULE_NONE: rlx_buf_puts(out, "None"); break;
  case RLX_SCHEDULE_BOOL: rlx_buf_puts(out, v->boolean ? "True" : "False"); break;
  case RLX_SCHEDULE_INT: rlx_buf_printf(out, "%lld", (long long)v->integer); break;
  case RLX_SCHEDULE_FLOAT: print_number(v->number, out); break;
  case RLX_SCHEDULE_STRING: rlx_text_put_string(out, v->text, strlen(v->text)); break;
  case RLX_SCHEDULE_NAME:
  case RLX_SCHEDULE_LAMBDA: rlx_buf_puts(out, v->text); break;
  case RLX_SCHEDULE_ITEM:
    rlx_schedule_print_value(&v->items[0], out);
    for (uint32_t i = 1; i < v->count; i++) {
      rlx_buf_putc(out, i == 1 ? '[' : ':');
      if (v->items[i].kind != RLX_SCHEDULE_NONE) rlx_schedule_print_value(&v->items[i], out);
    }
    rlx_buf_putc(out, ']');
    break;
  case RLX_SCHEDULE_STAR:
    rlx_buf_putc(out, '*');
    rlx_schedule_print_value(&v->items[0], out);
    break;
  case RLX_SCHEDULE_LIST:
  case RLX_SCHEDULE_OVER: {
    bool is_list = v->kind == RLX_SCHEDULE_LIST;
    if (!is_list) rlx_buf_puts(out, v->more->text);
    rlx_buf_putc(out, is_list ? '[' : '(');
    for (uint32_t i = 0; i < v->count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_schedule_print_value(&v->items[i], out);
    }
    rlx_buf_putc(out, is_list ? ']' : ')');
    break;
  }
  case RLX_SCHEDULE_DICT:
    rlx_buf_putc(out, '{');
    for (uint32_t i = 0; i + 1 < v->count; i += 2) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_schedule_print_value(&v->items[i], out);
      rlx_buf_puts(out, ": ");
      rlx_schedule_print_value(&v->items[i + 1], out);
    }
    rlx_buf_putc(out, '}');
    break;
  case RLX_SCHEDULE_BLOCK:
  case RLX_SCHEDULE_LOOP:
  case RLX_SCHEDULE_BUFFER:
    if (v->ref.name)
      rlx_text_put_string(out, v->ref.name, strlen(v->ref.name));
    else
      rlx_buf_printf(out, "%d", v->ref.index);
    break;
  }
}
