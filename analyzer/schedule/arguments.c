/// Arguments of steps: kinds, defaults, and which loop, block or buffer is meant.
#include "analyzer/schedule/schedule_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rlx_schedule_is_given(const RlxScheduleCall *c, int i) {
  return c->args[i].kind != RLX_SCHEDULE_ABSENT && c->args[i].kind != RLX_SCHEDULE_NONE;
}

bool rlx_schedule_flag(const RlxScheduleCall *c, int i, bool otherwise) {
  const RlxScheduleValue *v = &c->args[i];
  if (v->kind == RLX_SCHEDULE_BOOL) return v->boolean;
  return v->kind == RLX_SCHEDULE_INT ? v->integer != 0 : otherwise;
}

int64_t rlx_schedule_integer(const RlxScheduleCall *c, int i, int64_t otherwise) {
  return c->args[i].kind == RLX_SCHEDULE_INT ? c->args[i].integer : otherwise;
}

const char *rlx_schedule_text(const RlxScheduleCall *c, int i) {
  const RlxScheduleValue *v = &c->args[i];
  return v->kind == RLX_SCHEDULE_STRING || v->kind == RLX_SCHEDULE_LAMBDA ? v->text : NULL;
}

// ---- kinds

__attribute__((format(printf, 2, 3))) static bool refuse_argument(RlxScheduleCall *c,
                                                                  const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", c->primitive->name,
                             text);
}

#define K(kind) (1U << RLX_SCHEDULE_##kind)
static const struct {
  uint32_t kinds;
  uint8_t each; ///< RlxTakes
  const char *words;
} takes[] = {
#define RLX_TAKES(name, kinds, each, words) {kinds, RLX_TAKES_##each, words},
#include "analyzer/schedule/takes.def"
#undef RLX_TAKES
};
#undef K

const char *rlx_takes_words(RlxTakes t) { return takes[t].words; }

bool rlx_takes_text(RlxTakes t) { return takes[t].kinds == 1U << RLX_SCHEDULE_STRING; }

static const char *kind_words(const RlxScheduleValue *v) {
  if (v->kind == RLX_SCHEDULE_THING) return "what `sch.get` tells of one";
  static const char *const words[] = {
      [RLX_SCHEDULE_NONE] = "None",
      [RLX_SCHEDULE_BOOL] = "True or False",
      [RLX_SCHEDULE_INT] = "an integer",
      [RLX_SCHEDULE_FLOAT] = "a float",
      [RLX_SCHEDULE_STRING] = "a text",
      [RLX_SCHEDULE_LIST] = "a list",
      [RLX_SCHEDULE_DICT] = "a dict",
      [RLX_SCHEDULE_BLOCK] = "a block",
      [RLX_SCHEDULE_LOOP] = "a loop",
      [RLX_SCHEDULE_BUFFER] = "a buffer",
      [RLX_SCHEDULE_LAMBDA] = "a lambda",
      [RLX_SCHEDULE_ITEM] = "an item",
      [RLX_SCHEDULE_STAR] = "the items of a list",
      [RLX_SCHEDULE_OVER] = "what a loop goes over",
  };
  return words[v->kind];
}

static bool is_one_of(const RlxScheduleValue *v, RlxTakes t) {
  return (takes[t].kinds >> v->kind & 1) != 0;
}

bool rlx_takes_part(RlxTakes t, const RlxScheduleValue *v) {
  if (v->kind == RLX_SCHEDULE_LIST) return v->count && rlx_takes_part(t, &v->items[0]);
  const RlxTakes each = (RlxTakes)takes[t].each;
  return is_one_of(v, t) || (each != RLX_TAKES_ANY && is_one_of(v, each));
}

/// Whether the value is what parameter `i` takes.
static bool check_kind(RlxScheduleCall *c, int i) {
  const RlxPrimitiveParam *param = &c->primitive->params[i];
  const RlxScheduleValue *v = &c->args[i];
  RlxTakes t = (RlxTakes)param->takes;
  const char *or_none = param->is_none ? ", or None" : "";
  if (!is_one_of(v, t))
    return refuse_argument(c, "`%s` takes %s%s; this is %s", param->name, takes[t].words, or_none,
                           kind_words(v));
  if (t == RLX_TAKES_INT && v->integer != (int32_t)v->integer)
    return refuse_argument(c, "`%s` takes %s of 32 bits", param->name, takes[t].words);
  for (uint32_t k = 0; v->kind == RLX_SCHEDULE_LIST && k < v->count; k++)
    if (!is_one_of(&v->items[k], (RlxTakes)takes[t].each))
      return refuse_argument(c, "`%s` takes %s%s; its item %u is %s", param->name, takes[t].words,
                             or_none, k, kind_words(&v->items[k]));
  return true;
}

/// The function that a step is about which names none.
static int function_meant(const RlxSchedule *s) {
  const int function = rlx_schedule_function_named(s, s->working_on ? s->working_on : "main");
  return function < 0 ? 0 : function;
}

/// The function that the first reference among the arguments is about. `*left`: values that may be looked at; lists in lists have
/// no end of them.
static int function_of(const RlxSchedule *s, const RlxScheduleValue *v, int *left) {
  if (--*left < 0) return -1;
  if (v->kind == RLX_SCHEDULE_BLOCK || v->kind == RLX_SCHEDULE_LOOP)
    return v->ref.handle >= 0 && (uint32_t)v->ref.handle < s->handles.count
               ? s->handles.at[v->ref.handle].function
           : v->ref.function ? rlx_schedule_function_named(s, v->ref.function)
                             : function_meant(s);
  if (v->kind == RLX_SCHEDULE_LIST)
    for (uint32_t i = 0; i < v->count; i++) {
      int f = function_of(s, &v->items[i], left);
      if (f >= 0) return f;
    }
  return -1;
}

bool rlx_schedule_check_arguments(RlxScheduleCall *c) {
  const RlxPrimitive *p = c->primitive;
  enum { VALUES_MAX = 10000 };
  int count = rlx_primitive_param_count(p), function = -1, left = VALUES_MAX;
  for (int i = 0; i < count; i++) {
    const RlxPrimitiveParam *param = &p->params[i];
    uint8_t kind = c->args[i].kind;
    if (kind == RLX_SCHEDULE_ABSENT) {
      if (!param->is_optional)
        return refuse_argument(c, "`%s` is missing, it takes %s", param->name,
                               takes[param->takes].words);
      continue;
    }
    if (kind == RLX_SCHEDULE_NONE && param->is_none) continue;
    if (!check_kind(c, i)) return false;
    if (function < 0) function = function_of(c->s, &c->args[i], &left);
  }
  c->function = function < 0 ? function_meant(c->s) : function;
  if (c->function < 0 || (uint32_t)c->function >= c->s->functions.count) c->function = 0;
  return true;
}

// ---- by number: pre-order over all blocks (an init before the body), and over all loops

typedef struct Find {
  bool is_loop;
  int left;                  ///< to pass before the one that is meant
  const char *name, *within; ///< by name
  const RlxSchedule *s;
  const RlxTirStmt *found, *first_other; ///< the second of that name
  int count;
} Find;

static bool is_named(const Find *f, RlxName name) {
  return strcmp(rlx_store_text(f->s->store, name), f->name) == 0;
}

static bool look_at(const RlxTirStmt *s, void *data) {
  Find *f = data;
  bool is_kind = s->kind == (f->is_loop ? RLX_TIR_FOR : RLX_TIR_BLOCK);
  if (!is_kind) return !f->found || f->name;
  if (f->name) {
    if (is_named(f, f->is_loop ? s->var->name : s->block->name)) {
      f->count++;
      if (!f->found)
        f->found = s;
      else if (!f->first_other)
        f->first_other = s;
    }
    return true;
  }
  if (!f->found && f->left-- == 0) f->found = s;
  return !f->found;
}

/// The root block that is written stands alone at the top.
static bool has_written_root(const RlxPrimFunc *f) {
  const RlxTirStmt *s = f->body;
  return s && s->kind == RLX_TIR_BLOCK && s->block->iter_count == 0;
}

static bool by_index(RlxScheduleCall *c, bool is_loop, int index, RlxSchedulePlace *out) {
  const RlxPrimFunc *f = c->s->functions.at[c->function].f;
  bool has_root = has_written_root(f);
  if (!is_loop && index == 0 && !has_root) {
    *out = (RlxSchedulePlace){NULL, true};
    return true;
  }
  Find find = {.is_loop = is_loop, .left = is_loop || has_root ? index : index - 1, .s = c->s};
  if (index >= 0) rlx_tir_visit(f->body, look_at, NULL, &find);
  if (!find.found)
    return refuse_argument(c, "there is no %s of that number", is_loop ? "loop" : "block");
  *out = (RlxSchedulePlace){find.found, !is_loop && has_root && index == 0};
  return true;
}

// ---- by name

/// Splits "i#2" into the name and which one of that name.
static const char *plain_name(RlxScheduleCall *c, const char *name, int *which) {
  const char *mark = strchr(name, '#');
  *which = mark ? atoi(mark + 1) : 0;
  return mark ? rlx_arena_strndup(c->s->arena, name, (size_t)(mark - name)) : name;
}

typedef struct Nth {
  Find find;
  int left;
} Nth;

static bool look_for_nth(const RlxTirStmt *s, void *data) {
  Nth *n = data;
  bool is_kind = s->kind == (n->find.is_loop ? RLX_TIR_FOR : RLX_TIR_BLOCK);
  if (is_kind && is_named(&n->find, n->find.is_loop ? s->var->name : s->block->name) &&
      --n->left == 0)
    n->find.found = s;
  return true;
}

typedef struct Names {
  const Find *find;
  RlxArena *arena;
  const char *text; ///< "b0", "b1"
  int count;
} Names;

enum { NAMES_MAX = 8 };

static bool note_name(const RlxTirStmt *s, void *data) {
  Names *n = data;
  if (s->kind != (n->find->is_loop ? RLX_TIR_FOR : RLX_TIR_BLOCK)) return true;
  const char *name =
      rlx_store_text(n->find->s->store, n->find->is_loop ? s->var->name : s->block->name);
  const char *quoted = rlx_arena_printf(n->arena, "\"%s\"", name);
  if (strstr(n->text, quoted)) return true;
  if (n->count++ < NAMES_MAX)
    n->text = rlx_arena_printf(n->arena, "%s%s%s", n->text, *n->text ? ", " : "", quoted);
  return true;
}

/// What there is instead of a name that nothing has: "; there are …", up to NAMES_MAX.
static const char *others(RlxScheduleCall *c, const Find *find, const RlxPrimFunc *f) {
  Names n = {.find = find, .arena = c->s->arena, .text = ""};
  rlx_tir_visit(f->body, note_name, NULL, &n);
  if (!n.count) return "";
  return rlx_arena_printf(c->s->arena, "; there %s %s%s", n.count == 1 ? "is" : "are", n.text,
                          n.count > NAMES_MAX ? ", …" : "");
}

static bool by_name(RlxScheduleCall *c, bool is_loop, const RlxScheduleRef *ref,
                    RlxSchedulePlace *out) {
  const RlxPrimFunc *f = c->s->functions.at[c->function].f;
  int which = 0;
  const char *name = plain_name(c, ref->name, &which);
  if (!is_loop && strcmp(name, "root") == 0 && !has_written_root(f)) {
    *out = (RlxSchedulePlace){NULL, true};
    return true;
  }
  Nth nth = {.find = {.is_loop = is_loop, .name = name, .s = c->s}, .left = which};
  if (which)
    rlx_tir_visit(f->body, look_for_nth, NULL, &nth);
  else
    rlx_tir_visit(f->body, look_at, NULL, &nth.find);
  if (!nth.find.found)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_FOUND), NULL, "sss",
                               is_loop ? "loop" : "block", ref->name, others(c, &nth.find, f));
  if (nth.find.first_other) {
    rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_UNIQUE), nth.find.found, "isss", nth.find.count,
                        is_loop ? "loops" : "blocks", ref->name, name);
    rlx_schedule_also(c, nth.find.first_other, "the second one");
    return false;
  }
  *out = (RlxSchedulePlace){nth.find.found, false};
  return true;
}

const char *rlx_schedule_quoted(RlxScheduleCall *c, const char *name) {
  const uint32_t function = (uint32_t)function_meant(c->s);
  if (function >= c->s->functions.count) return "";
  for (int is_loop = 1; is_loop >= 0; is_loop--) {
    Find find = {.is_loop = is_loop, .name = name, .s = c->s};
    rlx_tir_visit(c->s->functions.at[function].f->body, look_at, NULL, &find);
    if (find.found)
      return rlx_arena_printf(c->s->arena, ": the %s of that name is \"%s\", in quotes",
                              is_loop ? "loop" : "block", name);
  }
  return "";
}

// ---- what an argument names

static bool find_place(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out) {
  bool is_loop = v->kind == RLX_SCHEDULE_LOOP;
  if (v->ref.handle >= 0) {
    const RlxScheduleHandle *h = &c->s->handles.at[v->ref.handle];
    if (h->removed_by >= 0)
      return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_REMOVED), NULL, "sis",
                                 is_loop ? "loop" : "block", h->removed_by + 1,
                                 c->s->past.at[h->removed_by].step.primitive->name);
    const RlxPrimFunc *f = c->s->functions.at[c->function].f;
    bool is_written =
        h->is_root && has_written_root(f) && !f->root_alloc_count; // by a step since then
    *out = (RlxSchedulePlace){is_written ? f->body : h->stmt, h->is_root};
    // Where all was understood the tree tells, and steps that ask no more need no analysis.
    bool has_holes = f->has_holes;
    bool is_there = h->is_root && !is_loop ? true
                    : !has_holes           ? rlx_schedule_path(c, h->stmt, NULL, 0) > 0
                    : is_loop              ? rlx_schedule_loop_info(c, h->stmt) != NULL
                                           : rlx_schedule_block_info(c, h->stmt) != NULL;
    // A loop over what was not understood, a mistake in the script, has nothing in it.
    if (!is_there)
      return refuse_argument(c, "the %s had nothing in it, and is gone",
                             is_loop ? "loop" : "block");
    return true;
  }
  return v->ref.index >= 0 ? by_index(c, is_loop, v->ref.index, out)
                           : by_name(c, is_loop, &v->ref, out);
}

/// Does `s` stand in the init of a block around it?
static bool is_in_init(const RlxScheduleCall *c, const RlxTirStmt *s) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  int n = rlx_schedule_path(c, s, path, DEEP);
  for (int i = 0; i + 1 < (n < DEEP ? n : DEEP); i++)
    if (path[i]->kind == RLX_TIR_BLOCK && path[i]->init == path[i + 1]) return true;
  return false;
}

/// A block without variables that is the whole function: the root, under whatever name.
static bool is_whole_function(const RlxPrimFunc *f, const RlxTirStmt *s) {
  return s && s == f->body && s->kind == RLX_TIR_BLOCK && !s->block->iter_count &&
         !f->root_alloc_count;
}

/// As in TVM, no step changes what stands in an init: dependencies do not tell who runs after it.
bool rlx_schedule_resolve(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out) {
  if (v->kind != RLX_SCHEDULE_LOOP && v->kind != RLX_SCHEDULE_BLOCK)
    return refuse_argument(c, "a loop or block is needed");
  if (!find_place(c, v, out)) return false;
  out->is_root |= is_whole_function(c->f, out->stmt);
  if (c->primitive->is_query || !out->stmt || !is_in_init(c, out->stmt)) return true;
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), out->stmt, "ss", c->primitive->name,
                             "what stands in a T.init is changed only once decompose_reduction "
                             "has made it a block of its own");
}

static RlxScheduleValue as_ref(const RlxScheduleValue *v, uint8_t kind) {
  if (v->kind != RLX_SCHEDULE_STRING) return *v;
  RlxScheduleValue out = {.kind = kind};
  out.ref = (RlxScheduleRef){.name = v->text, .index = -1, .handle = -1};
  return out;
}

bool rlx_schedule_block(RlxScheduleCall *c, int i, RlxSchedulePlace *out) {
  RlxScheduleValue v = as_ref(&c->args[i], RLX_SCHEDULE_BLOCK);
  if (!rlx_schedule_resolve(c, &v, out)) return false;
  const RlxTirBlock *b = out->stmt ? out->stmt->block : NULL;
  if (c->primitive->is_query || !b || (b->read_count >= 0 && b->write_count >= 0)) return true;
  const char *why = rlx_arena_printf(
      c->s->arena, "block \"%s\" needs T.reads and T.writes, which its body does not tell",
      rlx_schedule_block_name(c, out->stmt));
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), out->stmt, "ss",
                             c->primitive->name, why);
}

bool rlx_schedule_loop(RlxScheduleCall *c, int i, const RlxTirStmt **out) {
  RlxScheduleValue v = as_ref(&c->args[i], RLX_SCHEDULE_LOOP);
  RlxSchedulePlace place;
  if (!rlx_schedule_resolve(c, &v, &place)) return false;
  *out = place.stmt;
  return true;
}

bool rlx_schedule_item_loop(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out) {
  RlxScheduleValue ref = as_ref(v, RLX_SCHEDULE_LOOP);
  return rlx_schedule_resolve(c, &ref, out);
}

bool rlx_schedule_item_block(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out) {
  RlxScheduleValue ref = as_ref(v, RLX_SCHEDULE_BLOCK);
  return rlx_schedule_resolve(c, &ref, out);
}

/// A loop where a text is the name of no block.
bool rlx_schedule_item_any(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out) {
  RlxScheduleValue ref = as_ref(v, RLX_SCHEDULE_BLOCK);
  if (v->kind == RLX_SCHEDULE_STRING) {
    int which = 0;
    Find block = {.name = plain_name(c, v->text, &which), .s = c->s}, loop = block;
    loop.is_loop = true;
    const RlxPrimFunc *f = c->s->functions.at[c->function].f;
    rlx_tir_visit(f->body, look_at, NULL, &block);
    rlx_tir_visit(f->body, look_at, NULL, &loop);
    if (!block.found && loop.found) ref = as_ref(v, RLX_SCHEDULE_LOOP);
  }
  return rlx_schedule_resolve(c, &ref, out);
}

bool rlx_schedule_no_buffer(RlxScheduleCall *c, const RlxTirStmt *block, bool is_write) {
  const RlxTirRegion *regions = is_write ? block->block->writes : block->block->reads;
  int count = is_write ? block->block->write_count : block->block->read_count;
  const char *names = count ? "" : "nothing";
  for (int k = 0; k < count; k++)
    names = rlx_arena_printf(c->s->arena, "%s%s%s (%d)", names,
                             !k              ? ""
                             : k + 1 < count ? ", "
                                             : " and ",
                             rlx_store_text(c->s->store, regions[k].buffer->name), k);
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_BUFFER), block, "sss",
                             rlx_schedule_block_name(c, block), is_write ? "writes" : "reads",
                             names);
}

bool rlx_schedule_buffer(RlxScheduleCall *c, int i, const RlxTirStmt *block, bool is_write,
                         RlxTirBuffer **out, int *out_position) {
  const RlxScheduleValue *v = &c->args[i];
  const RlxTirRegion *regions = is_write ? block->block->writes : block->block->reads;
  int count = is_write ? block->block->write_count : block->block->read_count, position = -1;
  const char *name = v->kind == RLX_SCHEDULE_STRING   ? v->text
                     : v->kind == RLX_SCHEDULE_BUFFER ? v->ref.name
                                                      : NULL;
  if (v->kind == RLX_SCHEDULE_INT && v->integer == (int32_t)v->integer)
    position = (int)v->integer;
  else if (v->kind == RLX_SCHEDULE_BUFFER && v->ref.index >= 0)
    position = v->ref.index;
  else if (name)
    for (int k = 0; k < count && position < 0; k++)
      if (strcmp(rlx_store_text(c->s->store, regions[k].buffer->name), name) == 0) position = k;
  if (position < 0 || position >= count) return rlx_schedule_no_buffer(c, block, is_write);
  *out = regions[position].buffer;
  if (out_position) *out_position = position;
  return true;
}

bool rlx_schedule_any_buffer(RlxScheduleCall *c, int i, const RlxTirStmt *block, bool *out_is_write,
                             RlxTirBuffer **out, int *out_position) {
  RlxScheduleValue v = c->args[i], numbered = v;
  *out_is_write = v.kind == RLX_SCHEDULE_BUFFER && v.is_write;
  if (v.kind == RLX_SCHEDULE_LIST) { // ("write", 0)
    bool is_pair = v.count == 2 && v.items[0].kind == RLX_SCHEDULE_STRING &&
                   v.items[1].kind == RLX_SCHEDULE_INT;
    *out_is_write = is_pair && strcmp(v.items[0].text, "write") == 0;
    if (!is_pair || !(*out_is_write || strcmp(v.items[0].text, "read") == 0))
      return refuse_argument(c, "`%s` is a name, or a pair: (\"read\", 0), (\"write\", 0)",
                             c->primitive->params[i].name);
    numbered = v.items[1];
  } else if (v.kind == RLX_SCHEDULE_STRING)
    for (int k = 0; k < block->block->write_count; k++)
      *out_is_write |=
          strcmp(rlx_store_text(c->s->store, block->block->writes[k].buffer->name), v.text) == 0;
  const RlxScheduleValue *args = c->args;
  RlxScheduleValue now[RLX_SCHEDULE_ARGS_MAX];
  memcpy(now, args, sizeof now);
  now[i] = numbered;
  c->args = now;
  bool ok = rlx_schedule_buffer(c, i, block, *out_is_write, out, out_position);
  c->args = args;
  return ok;
}
