/// Parts of a block: what it reads and writes, its attributes, its iteration variables. They go to
/// the block that is being read.
#include <stdlib.h>
#include <string.h>

#include "analyzer/script/script_impl.h"

bool rlx_tir_is_in_block(RlxTirReader *r, const RlxAst *call, const char *word) {
  if (r->block && !r->is_in_init) return true;
  if (!r->is_displaced) rlx_tir_mistake(r, call, RLX_DIAG_ID(BLOCK_PART_PLACE), "s", word);
  r->is_displaced = true;
  return false;
}

void rlx_tir_twice(RlxTirReader *r, const RlxAst *call, const char *word) {
  if (!r->loop_depth) rlx_tir_mistake(r, call, RLX_DIAG_ID(BLOCK_PART_TWICE), "s", word);
}

void rlx_tir_read_regions(RlxTirReader *r, const RlxAst *call, bool is_read) {
  const char *word = is_read ? "T.reads" : "T.writes";
  if (!rlx_tir_is_in_block(r, call, word) || r->in_unknown) return;
  if ((is_read ? r->block->read_count : r->block->write_count) >= 0) rlx_tir_twice(r, call, word);
  RlxTirRegion regions[MAX_NDIM] = {{0}};
  int count = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    bool is_list = arg->kind == RLX_AST_LIST || arg->kind == RLX_AST_TUPLE;
    for (uint32_t k = 0; k < (is_list ? arg->child_count : 1) && count < MAX_NDIM; k++) {
      RlxTirRegion region = rlx_tir_region(r, rlx_tir_eval(r, is_list ? arg->children[k] : arg));
      if (region.buffer) regions[count++] = region;
    }
  }
  RlxTirRegion *list = rlx_arena_copy(r->f->arena, regions, (size_t)count, sizeof *regions);
  uint32_t base = r->stmt->start - r->origin;
  RlxSpan args = rlx_span(base + call->children[0]->span.end + 1, base + call->span.end - 1);
  if (is_read) {
    r->block->reads = list;
    r->block->read_count = count;
    r->block->reads_span = args;
  } else {
    r->block->writes = list;
    r->block->write_count = count;
    r->block->writes_span = args;
  }
}

typedef struct RlxTirEntry {
  const RlxAst *key, *value;
} RlxTirEntry;

static int compare_entries(const void *a, const void *b) {
  const RlxTirEntry *x = a, *y = b;
  return strcmp(x->key->text, y->key->text);
}

static bool dict_words(RlxTirReader *r, const RlxAst *dict, RlxBuf *out) {
  Vec(RlxTirEntry) entries = {0};
  bool known = true;
  for (uint32_t i = 0; i + 1 < dict->child_count; i += 2) {
    rlx_vec_push(&entries, (RlxTirEntry){dict->children[i], dict->children[i + 1]});
    known &= dict->children[i]->kind == RLX_AST_STRING;
  }
  if (known && entries.count) qsort(entries.at, entries.count, sizeof *entries.at, compare_entries);
  rlx_buf_putc(out, '{');
  for (uint32_t i = 0; known && i < entries.count; i++) {
    if (i) rlx_buf_puts(out, ", ");
    known = rlx_tir_data_words(r, entries.at[i].key, out);
    rlx_buf_puts(out, ": ");
    known = known && rlx_tir_data_words(r, entries.at[i].value, out);
  }
  rlx_buf_putc(out, '}');
  rlx_vec_free(&entries);
  return known;
}

static bool item_words(RlxTirReader *r, const RlxAst *ast, uint32_t from, const char *end,
                       RlxBuf *out) {
  bool known = true;
  for (uint32_t i = from; known && i < ast->child_count; i++) {
    if (i > from) rlx_buf_puts(out, ", ");
    known = rlx_tir_data_words(r, ast->children[i], out);
  }
  rlx_buf_puts(out, end);
  return known;
}

bool rlx_tir_data_words(RlxTirReader *r, const RlxAst *ast, RlxBuf *out) {
  if (ast->kind == RLX_AST_STRING && !strpbrk(ast->text, "\"\\\n\r\t"))
    rlx_buf_printf(out, "\"%s\"", ast->text);
  else if (ast->kind == RLX_AST_INT && !ast->is_big)
    rlx_buf_printf(out, "%lld", (long long)ast->integer);
  else if (ast->kind == RLX_AST_TRUE || ast->kind == RLX_AST_FALSE || ast->kind == RLX_AST_NONE)
    rlx_buf_puts(out, ast->kind == RLX_AST_TRUE    ? "True"
                      : ast->kind == RLX_AST_FALSE ? "False"
                                                   : "None");
  else if (ast->kind == RLX_AST_NAME)
    rlx_buf_puts(out, rlx_store_text(r->store, ast->name));
  else if (ast->kind == RLX_AST_DICT)
    return dict_words(r, ast, out);
  else if (ast->kind == RLX_AST_LIST) {
    rlx_buf_putc(out, '[');
    return item_words(r, ast, 0, "]", out);
  } else if (ast->kind == RLX_AST_TUPLE) {
    rlx_buf_putc(out, '(');
    return item_words(r, ast, 0, ast->child_count == 1 ? ",)" : ")", out);
  } else if (ast->kind == RLX_AST_CALL) {
    const char *path = rlx_tir_path(r, ast->children[0]);
    RlxDType dtype;
    if (!path || !rlx_dtype_parse(path, strlen(path), &dtype)) return false;
    rlx_buf_printf(out, "T.%s(", path);
    return item_words(r, ast, 1, ")", out);
  } else
    return false;
  return true;
}

RlxTirAnnotation *rlx_tir_read_annotations(RlxTirReader *r, const RlxAst *dict, int *count) {
  *count = 0;
  if (!dict || dict->kind != RLX_AST_DICT) return NULL;
  RlxTirAnnotation *list =
      rlx_arena_array(r->f->arena, RlxTirAnnotation, dict->child_count / 2 + 1);
  bool holes = r->f->has_holes;
  RlxTirIssues *issues = r->issues;
  r->issues = NULL; // values of annotations may be anything
  for (uint32_t i = 0; i + 1 < dict->child_count; i += 2) {
    const RlxAst *key = dict->children[i];
    if (key->kind != RLX_AST_STRING) continue;
    RlxTv v = rlx_tir_eval(r, dict->children[i + 1]);
    RlxTirExpr *value = v.kind == RLX_TV_EXPR ? v.expr : NULL;
    if (v.kind == RLX_TV_STRING) value = rlx_tir_string(r->f, v.text);
    RlxBuf words = {0};
    bool has_words = !value && rlx_tir_data_words(r, dict->children[i + 1], &words);
    list[(*count)++] = (RlxTirAnnotation){
        rlx_store_intern(r->store, key->text, key->text_size), value,
        has_words ? rlx_arena_strndup(r->f->arena, rlx_buf_text(&words), words.size) : NULL};
    rlx_buf_free(&words);
  }
  r->issues = issues;
  r->f->has_holes = holes;
  return list;
}

static RlxTirIterType iter_type(const char *word) {
  switch (*word) {
  case 'S':
  case 's': return strncmp(word, "scan", 4) ? RLX_ITER_DATA_PAR : RLX_ITER_ORDERED;
  case 'R':
  case 'r': return RLX_ITER_REDUCE;
  case 'O':
  case 'o': return RLX_ITER_OPAQUE;
  default: return RLX_ITER_OPAQUE;
  }
}

static void add_iter(RlxTirReader *r, RlxName name, RlxTirIterType type, RlxTirExpr *min,
                     RlxTirExpr *extent, RlxTirExpr *binding) {
  const int count = r->block->iter_count;
  if ((count & (count - 1)) == 0) { // 0 or a power of two: full
    RlxTirIterVar *grown =
        rlx_arena_array(r->f->arena, RlxTirIterVar, count ? 2 * (uint32_t)count : 1);
    if (count) memcpy(grown, r->block->iters, (size_t)count * sizeof *grown);
    r->block->iters = grown;
  }
  RlxDType dtype = binding && binding->kind == RLX_TIR_VAR ? binding->dtype : extent->dtype;
  if (binding && extent->dtype.bits > dtype.bits) dtype = extent->dtype;
  RlxTirVar *var = rlx_tir_var(r->f, name, rlx_dtype_is_int(dtype) ? dtype : RLX_INT32);
  r->block->iters[r->block->iter_count++] =
      (RlxTirIterVar){var, extent, min, binding, (uint8_t)type};
  rlx_tir_define(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, var), false));
}

void rlx_tir_bind_holes(RlxTirReader *r, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) rlx_tir_bind(r, target->name, rlx_tv_hole());
  bool many = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
  for (uint32_t i = 0; many && i < target->child_count; i++)
    rlx_tir_bind_holes(r, target->children[i]);
}

/// Two ints of Python: TVM takes `end - begin` before either becomes an expression, and each gets the dtype that it fits in by itself.
static bool has_narrow_extent(RlxTv begin, RlxTv end) {
  int64_t extent;
  if (!rlx_tv_is_decided(begin) || !rlx_tv_is_decided(end)) return false;
  const int64_t first = begin.expr->integer;
  if (__builtin_sub_overflow(end.expr->integer, first, &extent)) return false;
  return (first > INT32_MAX || first < INT32_MIN) && extent <= INT32_MAX && extent >= INT32_MIN;
}

void rlx_tir_read_axis(RlxTirReader *r, const RlxAst *call, const char *word, RlxName name) {
  const RlxAst *domain = rlx_tir_arg(r, call, 0, "dom"),
               *binding = rlx_tir_arg(r, call, 1, "binding");
  if (!rlx_tir_is_in_block(r, call, "T.axis")) {
    rlx_tir_bind(r, name, rlx_tv_hole());
    return;
  }
  if (!domain || !binding) {
    rlx_tir_mistake(r, call, RLX_DIAG_ID(AXIS), "ss", "T.axis", "it takes a domain and a binding");
    rlx_tir_bind(r, name, rlx_tv_hole());
    return;
  }
  RlxTirExpr *min = NULL, *extent;
  r->uses = RLX_USES_OUTSIDE;
  RlxTirExpr *value = rlx_tir_eval_expr(r, binding);
  r->uses = RLX_USES_NOWHERE;
  RlxTv v = rlx_tir_eval_scalar(r, domain);
  r->uses = RLX_USES_HERE;
  if (v.kind == RLX_TV_TUPLE && v.count == 2) {
    if (has_narrow_extent(v.items[0], v.items[1]))
      rlx_tir_mistake(r, domain, RLX_DIAG_ID(AXIS), "ss", "T.axis",
                      "its begin is an int64, its extent an int32");
    min = rlx_tir_as(r, v.items[0], rlx_dtype_unknown());
    RlxTirExpr *end = rlx_tir_as(r, v.items[1], rlx_dtype_unknown());
    extent = rlx_tir_binary(
        r->f, RLX_TIR_SUB, end,
        rlx_dtype_equal(end->dtype, min->dtype) ? min : rlx_tir_cast(r->f, end->dtype, min));
  } else {
    extent = rlx_tir_as(r, v, rlx_dtype_unknown());
  }
  add_iter(r, name, iter_type(word), min, extent, value);
}

/// The extent of the loop whose name stands for `binding`, and its minimum or NULL; NULL: it is none's.
static RlxTirExpr *loop_range(const RlxTirReader *r, const RlxTirExpr *binding, RlxTirExpr **min) {
  *min = NULL;
  uint64_t place = 0;
  const uint64_t key = rlx_tir_loop_key(binding);
  if (!rlx_map_get(&r->ranges, key, &place) || place > r->env.count) return NULL;
  const RlxTirBound *bound = &r->env.at[place - 1];
  // Where the loop has ended, another name may have its place.
  if (bound->name != RLX_NAME_NONE || bound->value.kind != RLX_TV_TUPLE ||
      rlx_tir_loop_key(bound->value.items[0].expr) != key)
    return NULL;
  if (bound->value.items[2].kind == RLX_TV_EXPR) *min = bound->value.items[2].expr;
  return bound->value.items[1].expr;
}

static bool has_star(const RlxAst *list) {
  for (uint32_t i = 0; i < list->child_count; i++)
    if (list->children[i]->kind == RLX_AST_STARRED) return true;
  return false;
}

/// `(*[i, j],)` is `[i, j]`.
static const RlxAst *without_stars(const RlxAst *list) {
  while (list && (list->kind == RLX_AST_TUPLE || list->kind == RLX_AST_LIST) &&
         list->child_count == 1 && has_star(list))
    list = list->children[0]->children[0];
  return list;
}

typedef struct RemapCounts {
  uint32_t loops, targets;
  bool many;       ///< the targets are a list: one name takes the whole list
  bool is_starred; ///< how many there are is not written
} RemapCounts;

/// Whether there are as many loops and names as letters, and the letters are some; else it is reported.
static bool remap_fits(RlxTirReader *r, const RlxAst *call, const RlxAst *kinds, RemapCounts n) {
  if (n.loops != kinds->text_size || n.targets != kinds->text_size) {
    if ((n.loops != kinds->text_size || n.many) && !n.is_starred)
      rlx_tir_mistake(r, call, RLX_DIAG_ID(AXIS), "ss", "T.axis.remap",
                      "it takes one letter and one loop for each variable");
    else
      rlx_tir_issue(r, call, "T.axis.remap with one name for several variables");
    return false;
  }
  for (uint32_t i = 0; i < kinds->text_size; i++) {
    if (strchr("SROsro", kinds->text[i])) continue;
    rlx_tir_mistake(r, kinds, RLX_DIAG_ID(AXIS), "ss", "T.axis.remap",
                    "its letters are S, R and O");
    return false;
  }
  return true;
}

void rlx_tir_read_remap(RlxTirReader *r, const RlxAst *call, const RlxAst *targets) {
  const RlxAst *kinds = rlx_tir_arg(r, call, 0, "kinds"),
               *loops = rlx_tir_arg(r, call, 1, "bindings");
  bool many = targets->kind == RLX_AST_TUPLE || targets->kind == RLX_AST_LIST;
  uint32_t count = many ? targets->child_count : 1;
  loops = without_stars(loops);
  if (!rlx_tir_is_in_block(r, call, "T.axis")) {
    rlx_tir_bind_holes(r, targets);
    return;
  }
  RlxTv given = rlx_tv_hole(); // loops under one name
  bool is_list = loops && (loops->kind == RLX_AST_LIST || loops->kind == RLX_AST_TUPLE);
  if (loops && loops->kind == RLX_AST_NAME) {
    r->uses = RLX_USES_OUTSIDE;
    given = rlx_tir_eval(r, loops);
    r->uses = RLX_USES_HERE;
  }
  uint32_t loop_count = is_list ? loops->child_count : given.kind == RLX_TV_TUPLE ? given.count : 0;
  if (!kinds || kinds->kind != RLX_AST_STRING || !loops ||
      (!is_list && given.kind != RLX_TV_TUPLE)) {
    rlx_tir_issue(r, call, "T.axis.remap takes one letter and one loop for each variable");
    rlx_tir_bind_holes(r, targets);
    return;
  }
  const bool is_starred = has_star(targets) || (is_list && has_star(loops));
  if (!remap_fits(r, call, kinds, (RemapCounts){loop_count, count, many, is_starred})) {
    rlx_tir_bind_holes(r, targets);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    const RlxAst *target = many ? targets->children[i] : targets;
    r->uses = RLX_USES_OUTSIDE;
    RlxTirExpr *binding = is_list ? rlx_tir_eval_expr(r, loops->children[i])
                                  : rlx_tir_as(r, given.items[i], rlx_dtype_unknown());
    RlxTirExpr *min, *extent = loop_range(r, binding, &min);
    r->uses = RLX_USES_HERE;
    if (!extent) {
      if (binding->kind != RLX_TIR_HOLE && binding->kind != RLX_TIR_VAR)
        rlx_tir_mistake(r, is_list ? loops->children[i] : loops, RLX_DIAG_ID(AXIS), "ss",
                        "T.axis.remap", "it binds loop variables only");
      else
        rlx_tir_issue(r, is_list ? loops->children[i] : loops, "T.axis.remap needs loop variables");
      extent = rlx_tir_hole_expr(r, "loop expected");
    }
    add_iter(r, target->kind == RLX_AST_NAME ? target->name : RLX_NAME_NONE,
             iter_type(&kinds->text[i]), min, extent, binding);
  }
}

// ---- the spelling of 2021

bool rlx_tir_has_domains(const RlxAst *call) {
  return call->child_count > 1 && call->children[1]->kind == RLX_AST_LIST;
}

/// `16`, `T.range(0, 16)`, `T.reduce_axis(0, 8)`, `T.scan_axis(…)`, `T.opaque_axis(…)`: begin and end.
static void read_domain(RlxTirReader *r, const RlxAst *domain, RlxName name) {
  const char *path = domain->kind == RLX_AST_CALL ? rlx_tir_path(r, domain->children[0]) : NULL;
  RlxTirIterType type = path && !strcmp(path, "reduce_axis")   ? RLX_ITER_REDUCE
                        : path && !strcmp(path, "scan_axis")   ? RLX_ITER_ORDERED
                        : path && !strcmp(path, "opaque_axis") ? RLX_ITER_OPAQUE
                                                               : RLX_ITER_DATA_PAR;
  bool is_axis = type != RLX_ITER_DATA_PAR || (path && !strcmp(path, "range"));
  r->uses = RLX_USES_NOWHERE;
  if (!is_axis) {
    add_iter(r, name, type, NULL, rlx_tir_eval_scalar_expr(r, domain), NULL);
  } else if (domain->child_count != 3) {
    rlx_tir_mistake(r, domain, RLX_DIAG_ID(AXIS), "ss", path, "it takes a begin and an end");
    add_iter(r, name, type, NULL, rlx_tir_hole_expr(r, "begin and end expected"), NULL);
  } else {
    RlxTirExpr *min = rlx_tir_eval_scalar_expr(r, domain->children[1]),
               *end = rlx_tir_eval_scalar_expr(r, domain->children[2]);
    bool is_zero = min->kind == RLX_TIR_INT && min->integer == 0;
    add_iter(r, name, type, is_zero ? NULL : min,
             is_zero ? end : rlx_tir_binary(r->f, RLX_TIR_SUB, end, min), NULL);
  }
  r->uses = RLX_USES_HERE;
}

void rlx_tir_read_domains(RlxTirReader *r, const RlxAst *call, const RlxAst *targets) {
  const RlxAst *domains = call->children[1];
  bool many = targets && (targets->kind == RLX_AST_TUPLE || targets->kind == RLX_AST_LIST);
  uint32_t count = many ? targets->child_count : targets ? 1 : 0;
  if (count != domains->child_count) {
    rlx_tir_mistake(r, call, RLX_DIAG_ID(AXIS), "ss", "T.block",
                    "it takes one domain for each variable");
    if (targets) rlx_tir_bind_holes(r, targets);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    const RlxAst *target = many ? targets->children[i] : targets;
    read_domain(r, domains->children[i],
                target->kind == RLX_AST_NAME ? target->name : RLX_NAME_NONE);
  }
}

void rlx_tir_read_bind(RlxTirReader *r, const RlxAst *call) {
  const RlxAst *name = call->children[1];
  r->uses = RLX_USES_OUTSIDE;
  RlxTirExpr *value = rlx_tir_eval_expr(r, call->children[2]);
  r->uses = RLX_USES_HERE;
  for (int i = 0; name->kind == RLX_AST_NAME && i < r->block->iter_count; i++) {
    RlxTirIterVar *v = &r->block->iters[i];
    if (v->var->name != name->name) continue;
    if (v->binding) rlx_tir_twice(r, call, "T.bind");
    v->binding = value;
    return;
  }
  rlx_tir_mistake(r, name, RLX_DIAG_ID(AXIS), "ss", "T.bind",
                  "its first argument is a variable of the block");
}

void rlx_tir_bind_domains(RlxTirReader *r, const RlxAst *call, uint32_t scope) {
  int free_count = 0;
  for (int i = 0; i < r->block->iter_count; i++) free_count += !r->block->iters[i].binding;
  uint32_t at = scope;
  for (int i = r->block->iter_count - 1; i >= 0; i--) { // the innermost loop is the last variable
    RlxTirIterVar *v = &r->block->iters[i];
    if (v->binding) continue;
    while (at > 0 && !v->binding) {
      const RlxTirBound *entry = &r->env.at[--at];
      bool is_loop = entry->name == RLX_NAME_NONE && entry->value.kind == RLX_TV_TUPLE &&
                     entry->value.count == 3 && entry->value.items[0].kind == RLX_TV_EXPR;
      if (is_loop) v->binding = entry->value.items[0].expr;
    }
    if (v->binding) continue;
    rlx_tir_mistake(r, call, RLX_DIAG_ID(AXIS), "ss", "T.block",
                    free_count > 1 ? "there are fewer loops around it than variables without T.bind"
                                   : "there is no loop around it for its variable");
    v->binding = rlx_tir_hole_expr(r, "loop expected");
  }
}
