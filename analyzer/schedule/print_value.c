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

/// How strongly the operators of a value bind, as Python has it; large where it has none.
static int strength(const RlxScheduleValue *v) {
  static const struct {
    const char *name;
    int strength;
  } rows[] = {{"if", 0}, {"or", 1}, {"and", 2}, {"not", 3}, {"+", 5},   {"-", 5},
              {"*", 6},  {"/", 6},  {"//", 6},  {"%", 6},   {"neg", 7}, {"**", 8}};
  const char *name = v->kind == RLX_SCHEDULE_COMPUTED ? rlx_schedule_infix(v->more->text) : NULL;
  for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) return rows[i].strength;
  return name ? 4 : 9; // comparisons; a value
}

/// An operand, in parentheses where its operators bind less than `least`.
static void print_operand(const RlxScheduleValue *v, int least, RlxBuf *out) {
  const bool is_in = strength(v) < least;
  if (is_in) rlx_buf_putc(out, '(');
  rlx_schedule_print_value(v, out);
  if (is_in) rlx_buf_putc(out, ')');
}

/// isinstance(n, (int, tir.IntImm)): names of types, which are kept as texts.
static void print_types(const RlxScheduleValue *v, RlxBuf *out) {
  rlx_buf_putc(out, '(');
  for (uint32_t i = 0; i < v->count; i++)
    rlx_buf_printf(out, "%s%s", v->items[i].text, i + 1 < v->count || v->count == 1 ? ", " : "");
  rlx_buf_putc(out, ')');
}

static void print_computed(const RlxScheduleValue *v, RlxBuf *out) {
  const char *name = v->more->text;
  const int own = strength(v);
  const bool is_types = strcmp(name, "isinstance") == 0;
  if (strcmp(name, "if") == 0) {
    print_operand(&v->items[0], 1, out);
    rlx_buf_puts(out, " if ");
    print_operand(&v->items[1], 1, out);
    rlx_buf_puts(out, " else ");
    print_operand(&v->items[2], 0, out);
  } else if (rlx_schedule_infix(name) && v->count == 1) {
    rlx_buf_puts(out, strcmp(name, "neg") == 0 ? "-" : "not ");
    print_operand(&v->items[0], own, out);
  } else if (rlx_schedule_infix(name)) {
    const bool to_the_left = own == 5 || own == 6; // a - b - c is (a - b) - c
    print_operand(&v->items[0], to_the_left ? own : own + 1, out);
    rlx_buf_printf(out, " %s ", name);
    print_operand(&v->items[1], own + 1, out);
  } else {
    const bool is_method = *name == '.';
    if (is_method) print_operand(&v->items[0], 9, out);
    const bool is_math = strcmp(name, "ceil") == 0 || strcmp(name, "floor") == 0;
    rlx_buf_printf(out, "%s%s(",
                   is_math                        ? "math."
                   : strcmp(name, "ceildiv") == 0 ? "T."
                                                  : "",
                   name);
    for (uint32_t i = is_method; i < v->count; i++) {
      if (i > is_method) rlx_buf_puts(out, ", ");
      if (is_types && i)
        print_types(&v->items[i], out);
      else
        rlx_schedule_print_value(&v->items[i], out);
    }
    rlx_buf_putc(out, ')');
  }
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
    print_operand(&v->items[0], 9, out);
    for (uint32_t i = 1; i < v->count; i++) {
      rlx_buf_putc(out, i == 1 ? '[' : ':');
      if (v->items[i].kind != RLX_SCHEDULE_NONE) rlx_schedule_print_value(&v->items[i], out);
    }
    rlx_buf_putc(out, ']');
    break;
  case RLX_SCHEDULE_FIELD:
    print_operand(&v->items[0], 9, out);
    rlx_buf_printf(out, ".%s", v->more->text);
    break;
  case RLX_SCHEDULE_COMPUTED: print_computed(v, out); break;
  case RLX_SCHEDULE_THING: rlx_buf_printf(out, "<%s>", rlx_schedule_thing_words(v)); break;
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

void rlx_schedule_value_text(const RlxScheduleValue *v, RlxBuf *out) {
  rlx_schedule_print_value(v, out);
}

typedef struct NthName {
  RlxArena *arena;
  int left;
  const char *name; ///< in the arena
} NthName;

static void take_nth(const char *name, void *data) {
  NthName *n = data;
  if (n->left-- == 0) n->name = rlx_arena_strdup(n->arena, name);
}

/// `loop "i#2"`, as a step would name it now.
static void show_handle(RlxSchedule *s, const RlxScheduleValue *v, RlxBuf *out) {
  bool is_loop = v->kind == RLX_SCHEDULE_LOOP;
  int function, step;
  const int index = v->ref.handle < 0
                        ? -1
                        : rlx_schedule_handle_index(s, v->ref.handle, &is_loop, &function, &step);
  const bool is_root = v->ref.handle >= 0 && s->handles.at[v->ref.handle].is_root;
  NthName n = {.arena = s->arena, .left = index, .name = is_root ? "root" : NULL};
  if (index >= 0 && !is_root && s->functions.count == 1) {
    const RlxPrimFunc *f = s->functions.at[0].f;
    const bool has_root = f->body && f->body->kind == RLX_TIR_BLOCK && !f->body->block->iter_count;
    if (!is_loop && !has_root) n.left--; // the root that is not written counts, and has no name
    rlx_schedule_each_name(s, is_loop, take_nth, &n);
  }
  rlx_buf_puts(out, is_loop ? "loop" : "block");
  if (n.name) rlx_buf_printf(out, " \"%s\"", n.name);
  if (v->ref.handle >= 0 && index < 0) rlx_buf_puts(out, " that is gone");
}

void rlx_schedule_show_value(RlxSchedule *s, const RlxScheduleValue *v, RlxBuf *out) {
  enum { SHOWN_MAX = 2000 }; // bytes
  if (out->size > SHOWN_MAX) {
    rlx_buf_puts(out, "…");
    return;
  }
  static const RlxPrimitive asks = {.name = "get"};
  RlxScheduleCall c = {.s = s, .primitive = &asks};
  RlxScheduleValue name;
  switch ((int)v->kind) {
  case RLX_SCHEDULE_LOOP:
  case RLX_SCHEDULE_BLOCK: show_handle(s, v, out); break;
  case RLX_SCHEDULE_LIST:
    rlx_buf_putc(out, '[');
    for (uint32_t i = 0; i < v->count && out->size <= SHOWN_MAX; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_schedule_show_value(s, &v->items[i], out);
    }
    rlx_buf_putc(out, ']');
    break;
  case RLX_SCHEDULE_THING:
    rlx_buf_puts(out, rlx_schedule_thing_words(v));
    if (rlx_schedule_thing_name(&c, v, &name)) rlx_buf_printf(out, " \"%s\"", name.text);
    break;
  default: rlx_schedule_print_value(v, out);
  }
}
