/// Expressions and calls of operators as TVM prints them: operands in place, then the StructInfo
/// arguments, then the operator's attributes by name with every default written out. Source: TVM
/// v0.25 src/script/printer/relax/{call,expr}.cc.

#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/edit/print_impl.h"
#include "base/text.h"

static const char *row_name(const RlxOpRow *row) { return row->registry + strlen("relax."); }

static bool in_family(const RlxOpRow *row, const char *families) {
  const char *name = row_name(row);
  for (const char *at = families; *at;) {
    size_t n = strcspn(at, " ");
    if (strncmp(name, at, n) == 0 && (at[n - 1] == '.' || name[n] == '\0')) return true;
    at += n + (at[n] == ' ');
  }
  return false;
}

// ---- calls

typedef struct Call {
  RlxScriptPrinter *p;
  const RlxCall *call;
  const RlxSInfo *sinfo; // of the result
  bool any;              // an argument was printed
} Call;

static void next(Call *c, const char *keyword) {
  if (c->any) rlx_buf_puts(c->p->out, ", ");
  c->any = true;
  if (keyword) rlx_buf_printf(c->p->out, "%s=", keyword);
}

/// Attributes that TVM keeps as operands, by operator.
static bool is_operand(const RlxOpRow *row, const RlxOpParam *param) {
  switch (param->kind) {
  case RLX_PARAM_TENSOR:
  case RLX_PARAM_EXPR:
  case RLX_PARAM_SHAPE:
  case RLX_PARAM_TUPLE:
  case RLX_PARAM_CALLEE: return strcmp(param->name, "tir_vars") != 0;
  case RLX_PARAM_PRIM: return !in_family(row, "layout_transform");
  case RLX_PARAM_SINFO: return false;
  case RLX_PARAM_ANY:
    if (in_family(row, "assert_op")) return strcmp(param->name, "format_args") == 0;
    return in_family(row, "unique strided_slice hint_on_device index_put");
  case RLX_PARAM_INT:
  case RLX_PARAM_FLOAT:
  case RLX_PARAM_BOOL:
  case RLX_PARAM_STR:
  case RLX_PARAM_DTYPE:
  case RLX_PARAM_INTS: break;
  }
  return in_family(row, "builtin. memory. vm. hint_on_device") ||
         (param->kind == RLX_PARAM_STR && in_family(row, "call_py_func"));
}

/// Operands that are left out keep their place only where TVM fills it with an empty tuple.
static bool is_left_out(const RlxValue *v) {
  return v->kind == RLX_VALUE_NONE || v->kind == RLX_VALUE_ABSENT;
}

/// The callee of a packed call is written as its name alone.
static void print_callee(RlxScriptPrinter *p, const RlxValue *v) {
  if ((v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) &&
      v->expr->kind == RLX_EXPR_EXTERN)
    rlx_print_string(p->out, rlx_store_text(p->store, v->expr->name));
  else
    rlx_print_value(p, v);
}

static const RlxValue *argument(const RlxCall *call, const char *name) {
  int i = rlx_op_param(call->row, name);
  return i >= 0 && (uint32_t)i < call->arg_count ? &call->args[i] : NULL;
}

static uint32_t fields_of(const RlxValue *v, const RlxExpr **tuple) {
  *tuple = v->kind == RLX_VALUE_EXPR &&
                   (v->expr->kind == RLX_EXPR_TUPLE || v->expr->kind == RLX_EXPR_SHAPE)
               ? v->expr
               : NULL;
  if (*tuple)
    return (*tuple)->kind == RLX_EXPR_SHAPE ? (uint32_t)(*tuple)->dim_count : (*tuple)->field_count;
  return v->kind == RLX_VALUE_LIST ? v->count : 1;
}

static void print_field(RlxScriptPrinter *p, const RlxValue *v, const RlxExpr *tuple, uint32_t i) {
  if (tuple && tuple->kind == RLX_EXPR_SHAPE)
    rlx_print_prim(p, tuple->dims[i]);
  else if (tuple)
    rlx_print_expr(p, tuple->fields[i]);
  else
    rlx_print_operand(p, v->kind == RLX_VALUE_LIST ? &v->items[i] : v, RLX_PARAM_EXPR);
}

/// From 0.26 on the scalars of a PrimFunc stand among its arguments.
static void print_with_vars(RlxScriptPrinter *p, const RlxValue *args, const RlxValue *vars) {
  const RlxExpr *tuple, *shape;
  uint32_t count = fields_of(args, &tuple), more = fields_of(vars, &shape);
  rlx_buf_putc(p->out, '(');
  for (uint32_t i = 0; i < count + more; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    if (i < count)
      print_field(p, args, tuple, i);
    else
      print_field(p, vars, shape, i - count);
  }
  rlx_buf_puts(p->out, count + more == 1 ? ",)" : ")");
}

/// What stands for the tuple of itself alone. Source: TVM v0.25 and v0.27
/// python/tvm/relax/op/base.py.
static bool is_one_argument(const RlxOpRow *row, const RlxValue *v) {
  return in_family(row,
                   "call_dps_packed call_tir call_tir_inplace call_tir_with_grad dist.call_tir") &&
         v->kind == RLX_VALUE_EXPR && v->expr->sinfo &&
         (v->expr->sinfo->kind == RLX_SINFO_TENSOR || v->expr->sinfo->kind == RLX_SINFO_DTENSOR);
}

static const RlxAst *find_call(const RlxAst *ast, RlxSpan span) {
  if (!ast || ast->span.start > span.start || ast->span.end < span.end) return NULL;
  if (ast->kind == RLX_AST_CALL && ast->span.start == span.start && ast->span.end == span.end)
    return ast;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *found = find_call(ast->children[i], span);
    if (found) return found;
  }
  return NULL;
}

/// `tvm.cpu()` as the device that it makes.
static void print_python_device(Call *c, const RlxAst *ast, const RlxValue *v) {
  static const struct {
    const char *name;
    int type; // of DLDeviceType
  } devices[] = {{"cpu", 1}, {"cuda", 2}, {"opencl", 4}, {"vulkan", 7}, {"metal", 8}, {"rocm", 10}};
  bool is_made = ast && ast->children[0]->kind == RLX_AST_ATTRIBUTE && ast->child_count <= 2 &&
                 (ast->child_count == 1 || ast->children[1]->kind == RLX_AST_INT);
  const char *name = is_made ? rlx_store_text(c->p->store, ast->children[0]->name) : "";
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
    if (strcmp(devices[i].name, name) != 0) continue;
    rlx_buf_printf(c->p->out, "R.device(device_type=%d, index=%lld)", devices[i].type,
                   ast->child_count == 2 ? (long long)ast->children[1]->integer : 0);
    return;
  }
  rlx_print_value(c->p, v);
}

/// `R.device(1, 0)` with its keywords.
static void print_device(Call *c, const RlxValue *v) {
  static const char *const keywords[] = {"device_type", "index"};
  const RlxAst *ast = c->p->stmt ? find_call(c->p->stmt->value, v->span) : NULL;
  uint32_t count = ast ? ast->child_count - 1 : 0;
  bool is_plain = count && count <= 2;
  for (uint32_t i = 0; i < count; i++) is_plain &= ast->children[i + 1]->kind == RLX_AST_INT;
  if (!is_plain) {
    print_python_device(c, ast, v);
    return;
  }
  rlx_buf_puts(c->p->out, "R.device(");
  for (uint32_t i = 0; i < count; i++) {
    rlx_buf_printf(c->p->out, "%s%s=", i ? ", " : "", keywords[i]);
    rlx_print_source(c->p, ast->children[i + 1]->span);
  }
  rlx_buf_puts(c->p->out, count == 1 ? ", index=0)" : ")");
}

/// A shape with -1 or 0 says what is to be found out, and the result has it.
static bool asks_for_dimension(const Call *c, const RlxValue *v) {
  if (!in_family(c->call->row, "reshape") || v->kind != RLX_VALUE_EXPR ||
      v->expr->kind != RLX_EXPR_SHAPE || c->sinfo->kind != RLX_SINFO_TENSOR || !c->sinfo->dims)
    return false;
  for (int32_t i = 0; i < v->expr->dim_count; i++)
    if (v->expr->dims[i]->kind == RLX_PRIM_INT && v->expr->dims[i]->value <= 0) return true;
  return false;
}

static void print_dims(RlxScriptPrinter *p, const RlxPrim *const *dims, int32_t count) {
  rlx_buf_puts(p->out, "R.shape([");
  for (int32_t i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_print_prim(p, dims[i]);
  }
  rlx_buf_puts(p->out, "])");
}

static void print_one_operand(Call *c, const RlxOpParam *param, const RlxValue *v) {
  if (param->is_variadic && v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) {
      next(c, NULL);
      rlx_print_operand(c->p, &v->items[i], RLX_PARAM_EXPR);
    }
    return;
  }
  if (is_left_out(v)) {
    if (in_family(c->call->row,
                  "memory.alloc_tensor vm.alloc_tensor")) { // its default, written out
      next(c, NULL);
      rlx_print_open_scalar(c->p);
      rlx_buf_putc(c->p->out, '0');
      rlx_print_close_scalar(c->p);
      return;
    }
    if (!in_family(c->call->row, "memory.view")) return;
    next(c, NULL);
    rlx_buf_puts(c->p->out, "R.tuple()");
    return;
  }
  if (v->kind == RLX_VALUE_LIST && v->count < 2 && in_family(c->call->row, "assert_op")) {
    if (v->count) next(c, NULL), rlx_print_operand(c->p, &v->items[0], RLX_PARAM_EXPR);
    return;
  }
  next(c, NULL);
  if (param->kind != RLX_PARAM_CALLEE && strcmp(param->name, "args") == 0 &&
      is_one_argument(c->call->row, v)) {
    rlx_buf_putc(c->p->out, '(');
    rlx_print_operand(c->p, v, param->kind);
    rlx_buf_puts(c->p->out, ",)");
    return;
  }
  bool takes_vars = c->p->options.dialect == RLX_DIALECT_027 && strcmp(param->name, "args") == 0 &&
                    argument(c->call, "tir_vars") && !is_left_out(argument(c->call, "tir_vars"));
  if (takes_vars)
    print_with_vars(c->p, v, argument(c->call, "tir_vars"));
  else if (v->kind == RLX_VALUE_STR && in_family(c->call->row, "call_py_func"))
    rlx_print_string(c->p->out, rlx_store_text(c->p->store, v->string));
  else if (param->kind == RLX_PARAM_CALLEE)
    print_callee(c->p, v);
  else if (in_family(c->call->row, "hint_on_device"))
    print_device(c, v);
  else if (param->kind == RLX_PARAM_SHAPE && asks_for_dimension(c, v))
    print_dims(c->p, c->sinfo->dims, c->sinfo->ndim);
  else
    rlx_print_operand(c->p, v, param->kind);
}

/// Several outputs are a list.
static void print_outputs(RlxScriptPrinter *p, const RlxSInfo *tuple) {
  rlx_buf_putc(p->out, '[');
  for (int32_t i = 0; i < tuple->count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_print_sinfo(p, tuple->fields[i]);
  }
  rlx_buf_putc(p->out, ']');
}

/// Further keywords of a packed call are its attributes; the IR does not keep them.
static void print_packed_attributes(Call *c) {
  static const char *const known[] = {"sinfo_args", "ty_args", "type_args"};
  const RlxAst *ast = c->p->stmt ? find_call(c->p->stmt->value, c->call->span) : NULL;
  for (uint32_t i = 1; ast && i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i];
    if (arg->kind != RLX_AST_KEYWORD) continue;
    const char *name = rlx_store_text(c->p->store, arg->name);
    bool is_known = false;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
      is_known |= strcmp(name, known[k]) == 0;
    if (is_known) continue;
    next(c, name);
    rlx_print_source(c->p, arg->children[0]->span);
  }
}

/// One result's StructInfo. Two functions of 0.27 read no word alone there, only `R.Any()`.
static void print_result(Call *c, const RlxValue *v) {
  bool is_called = c->p->options.dialect == RLX_DIALECT_027 &&
                   in_family(c->call->row, "call_inplace_packed invoke_pure_closure");
  size_t start = c->p->out->size;
  rlx_print_value(c->p, v);
  if (is_called && !strchr(rlx_buf_text(c->p->out) + start, '(')) rlx_buf_puts(c->p->out, "()");
}

static void print_sinfo_argument(Call *c, const RlxOpParam *param, const RlxValue *v) {
  if (is_left_out(v)) return;
  bool is_out = strncmp(param->name, "out", 3) == 0;
  c->p->in_argument = true;
  next(c, rlx_print_word(c->p, is_out ? RLX_SPELLING_OUT_SINFO : RLX_SPELLING_SINFO_ARGS));
  if (is_out && v->kind == RLX_VALUE_SINFO && v->sinfo->kind == RLX_SINFO_TUPLE) {
    print_outputs(c->p, v->sinfo);
  } else if (is_out && v->kind == RLX_VALUE_LIST && v->count == 1) {
    rlx_print_value(c->p, &v->items[0]);
  } else if (v->kind == RLX_VALUE_LIST) {
    if (is_out)
      rlx_buf_putc(c->p->out, '[');
    else
      rlx_buf_putc(c->p->out, '(');
    for (uint32_t i = 0; i < v->count; i++) {
      if (i) rlx_buf_puts(c->p->out, ", ");
      print_result(c, &v->items[i]);
    }
    rlx_buf_puts(c->p->out, is_out ? "]" : v->count == 1 ? ",)" : ")");
  } else if (is_out) {
    rlx_print_value(c->p, v);
  } else {
    rlx_buf_putc(c->p->out, '(');
    print_result(c, v);
    rlx_buf_puts(c->p->out, ",)");
  }
  c->p->in_argument = false;
}

/// Attributes whose order is not that of the operator's parameters.
static const struct {
  const char *families, *names;
} attribute_orders[] = {
    {"nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d grad.",
     "pool_size strides dilation padding"},
    {"nn.pad", "pad_width pad_value pad_mode"},
    {"quantize dequantize", "out_dtype axis"},
    {"call_tir_inplace", "inplace_indices"},
};

/// Place of an attribute among those that have one of their own; others come behind them, in the
/// row's order.
static size_t attribute_place(const RlxOpRow *row, const RlxOpParam *param) {
  for (size_t i = 0; i < sizeof attribute_orders / sizeof attribute_orders[0]; i++) {
    if (!in_family(row, attribute_orders[i].families)) continue;
    const char *names = attribute_orders[i].names,
               *found = rlx_text_find_word(names, param->name, strlen(param->name));
    if (found) return (size_t)(found - names);
  }
  return SIZE_MAX;
}

/// How many spatial axes `nn.conv2d`, `nn.max_pool3d`… have; 0 for others.
static uint32_t spatial_axes(const RlxOpRow *row) {
  for (const char *at = row_name(row); *at; at++)
    if (*at >= '1' && *at <= '3' && at[1] == 'd') return (uint32_t)(*at - '0');
  return 0;
}

/// A single number where TVM keeps a list, repeated as often as the list is long.
static void print_numbers(Call *c, const RlxOpParam *param, const RlxValue *v) {
  uint32_t axes = spatial_axes(c->call->row), count = 1;
  bool is_padding = strcmp(param->name, "padding") == 0;
  const RlxValue *items = v;
  uint32_t given = 1;
  if (v->kind == RLX_VALUE_LIST) items = v->items, given = v->count;
  if (axes) count = is_padding ? 2 * axes : axes;
  if (!given || given >= count) count = given;
  rlx_buf_putc(c->p->out, '[');
  for (uint32_t i = 0; i < count; i++) {
    if (i) rlx_buf_puts(c->p->out, ", ");
    rlx_print_value(c->p, &items[i % given]);
  }
  rlx_buf_putc(c->p->out, ']');
}

/// A function of indices stays as it is written.
static void print_index_map(RlxScriptPrinter *p, const RlxValue *v) {
  RlxBuf text = {0}, *out = p->out;
  p->out = &text;
  rlx_print_source(p, v->span);
  p->out = out;
  bool is_lambda = strncmp(rlx_buf_text(&text), "lambda", 6) == 0;
  if (is_lambda)
    rlx_buf_printf(p->out, "T.index_map(%s)", rlx_buf_text(&text));
  else
    rlx_buf_puts(p->out, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

/// Attributes that no release before 0.27 has.
static const struct {
  const char *families, *name;
} attributes_of_027[] = {
    {"image.affine_grid", "align_corners"},
    {"vision.multibox_transform_loc", "apply_softmax"},
};

static bool is_void(const RlxScriptPrinter *p, const RlxValue *v) {
  const char *text = v->kind == RLX_VALUE_STR ? rlx_store_text(p->store, v->string) : NULL;
  return text && (!*text || strcmp(text, "void") == 0);
}

/// Two float32 for each spatial axis, 0 when nothing was given.
static void print_roi(Call *c, const RlxValue *v) {
  uint32_t count = v->kind == RLX_VALUE_LIST   ? v->count
                   : v->kind == RLX_VALUE_NONE ? 2 * spatial_axes(c->call->row)
                                               : 1;
  rlx_buf_putc(c->p->out, '[');
  for (uint32_t i = 0; i < count; i++) {
    const RlxValue *item = v->kind == RLX_VALUE_LIST ? &v->items[i] : v;
    if (i) rlx_buf_puts(c->p->out, ", ");
    if (item->kind == RLX_VALUE_INT || item->kind == RLX_VALUE_NONE ||
        item->kind == RLX_VALUE_FLOAT)
      rlx_print_typed_number(c->p,
                             item->kind == RLX_VALUE_INT     ? (double)item->integer
                             : item->kind == RLX_VALUE_FLOAT ? item->number
                                                             : 0,
                             RLX_FLOAT32);
    else
      rlx_print_value(c->p, item);
  }
  rlx_buf_putc(c->p->out, ']');
}

static void print_attribute(Call *c, const RlxOpParam *param, const RlxValue *v) {
  if (v->kind == RLX_VALUE_ABSENT) return;
  bool now = c->p->options.dialect == RLX_DIALECT_027;
  if (now && strstr(param->name, "axis_separators")) return; // 0.26 dropped them
  for (size_t i = 0; !now && i < sizeof attributes_of_027 / sizeof attributes_of_027[0]; i++)
    if (strcmp(param->name, attributes_of_027[i].name) == 0 &&
        in_family(c->call->row, attributes_of_027[i].families))
      return;
  char text[RLX_DTYPE_TEXT_MAX];
  bool none = v->kind == RLX_VALUE_NONE;
  if (none && in_family(c->call->row, "call_tir_with_grad call_packed call_pure_packed")) return;
  next(c, param->name);
  const RlxValue *layout =
      none && strcmp(param->name, "out_layout") == 0 ? argument(c->call, "data_layout") : NULL;
  if (none && strcmp(param->name, "out_layout") == 0 && !layout)
    layout = argument(c->call, "layout");
  if (layout)
    rlx_print_value(c->p, layout);
  else if (strcmp(param->name, "index_map") == 0)
    print_index_map(c->p, v);
  else if (none && strstr(param->name, "axis_separators"))
    rlx_buf_puts(c->p->out, "[]");
  else if (c->call->row->id == RLX_OP_ID(to_vdevice) && c->sinfo->kind == RLX_SINFO_TENSOR &&
           c->sinfo->vdevice)
    rlx_buf_printf(
        c->p->out, "\"%s:%d:%s\"", rlx_store_text(c->p->store, c->sinfo->vdevice->target),
        (int)c->sinfo->vdevice->place, rlx_store_text(c->p->store, c->sinfo->vdevice->scope));
  else if (strcmp(param->name, "roi") == 0)
    print_roi(c, v);
  else if (none && param->kind == RLX_PARAM_BOOL)
    rlx_buf_puts(c->p->out, "False");
  else if (none && c->call->row->id == RLX_OP_ID(arange) && rlx_dtype_known(c->sinfo->dtype))
    rlx_buf_printf(c->p->out, "\"%s\"", rlx_dtype_text(c->sinfo->dtype, text));
  else if (param->kind == RLX_PARAM_DTYPE && (none || is_void(c->p, v)))
    rlx_buf_puts(c->p->out, now ? "None" : "\"void\""); // 0.27 makes void a dtype like others
  else if (param->kind == RLX_PARAM_INTS && (v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_LIST))
    print_numbers(c, param, v);
  else if (param->kind == RLX_PARAM_FLOAT && v->kind == RLX_VALUE_INT)
    rlx_print_number(c->p->out, (double)v->integer);
  else if (strcmp(param->name, "format") == 0)
    rlx_print_operand(c->p, v, RLX_PARAM_STR);
  else
    rlx_print_value(c->p, v);
}

static bool is_attribute(const RlxOpRow *row, const RlxOpParam *param) {
  return !is_operand(row, param) && param->kind != RLX_PARAM_SINFO &&
         strcmp(param->name, "tir_vars") != 0;
}

static void print_attributes(Call *c, uint32_t count) {
  const RlxOpRow *row = c->call->row;
  for (size_t done = 0;;) { // those with a place, nearest first
    uint32_t best = count;
    size_t place = SIZE_MAX;
    for (uint32_t i = 0; i < count; i++) {
      size_t at =
          is_attribute(row, &row->params[i]) ? attribute_place(row, &row->params[i]) : SIZE_MAX;
      if (at >= done && at < place) best = i, place = at;
    }
    if (best == count) break;
    print_attribute(c, &row->params[best], &c->call->args[best]);
    done = place + 1;
  }
  for (uint32_t i = 0; i < count; i++)
    if (is_attribute(row, &row->params[i]) && attribute_place(row, &row->params[i]) == SIZE_MAX)
      print_attribute(c, &row->params[i], &c->call->args[i]);
}

/// The spelling of an operator: that of the script where one row has several that differ in more
/// than style.
static void print_operator(RlxScriptPrinter *p, const RlxCall *call) {
  const char *script = call->row->script;
  static const char dist[] = "dist.call_tir";
  uint32_t end = p->stmt ? p->stmt->start + call->name_span.end : 0;
  if (call->row->id == RLX_OP_ID(call_tir) && end >= sizeof dist &&
      strncmp(p->source + end - (sizeof dist - 1), dist, sizeof dist - 1) == 0) {
    rlx_buf_puts(p->out, "R.dist.call_tir");
    return;
  }
  if (call->row->id == RLX_OP_ID(nn_attention) && argument(call, "bias") &&
      !is_left_out(argument(call, "bias")))
    rlx_buf_puts(p->out, "R.nn.attention_bias");
  else if (call->row->id == RLX_OP_ID(nn_relu6))
    rlx_buf_puts(p->out, "R.clip");
  else if (*script)
    rlx_buf_printf(p->out, "R.%.*s", (int)strcspn(script, " "), script);
  else
    rlx_buf_printf(p->out, "R.%s", row_name(call->row));
}

static void print_row_call(RlxScriptPrinter *p, const RlxCall *call, const RlxSInfo *sinfo) {
  Call c = {p, call, sinfo, false};
  const RlxOpRow *row = call->row;
  uint32_t count =
      (uint32_t)row->param_count < call->arg_count ? (uint32_t)row->param_count : call->arg_count;
  print_operator(p, call);
  rlx_buf_putc(p->out, '(');
  for (uint32_t i = 0; i < count; i++)
    if (is_operand(row, &row->params[i])) print_one_operand(&c, &row->params[i], &call->args[i]);
  if (row->id == RLX_OP_ID(nn_relu6)) // stands for a clip
    for (int64_t i = 0; i <= 6; i += 6)
      next(&c, NULL),
          rlx_print_operand(p, &(RlxValue){.kind = RLX_VALUE_INT, .integer = i}, RLX_PARAM_PRIM);
  if (row->purity == RLX_OP_BY_ARGUMENT) print_packed_attributes(&c);
  for (uint32_t i = 0; i < count; i++)
    if (row->params[i].kind == RLX_PARAM_SINFO)
      print_sinfo_argument(&c, &row->params[i], &call->args[i]);
  print_attributes(&c, count);
  const RlxValue *tir_vars = argument(call, "tir_vars");
  if (tir_vars && !is_left_out(tir_vars) && p->options.dialect != RLX_DIALECT_027) {
    next(&c, "tir_vars");
    rlx_print_operand(p, tir_vars, RLX_PARAM_EXPR);
  }
  rlx_buf_putc(p->out, ')');
}

static void print_function_call(RlxScriptPrinter *p, const RlxCall *call) {
  bool packed = call->callee->kind == RLX_EXPR_EXTERN;
  if (packed) {
    rlx_buf_puts(p->out, "R.call_packed(");
    rlx_print_string(p->out, rlx_store_text(p->store, call->callee->name));
  } else {
    rlx_print_expr(p, call->callee);
    rlx_buf_putc(p->out, '(');
  }
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (i || packed) rlx_buf_puts(p->out, ", ");
    const RlxValue *v = &call->args[i];
    if (!packed && v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_PRIM &&
        rlx_print_is_number(v->expr->prim)) { // a plain number would be a tensor
      rlx_buf_puts(p->out, "R.prim_value(");
      rlx_print_prim_literal(p, v->expr->prim);
      rlx_buf_putc(p->out, ')');
    } else
      rlx_print_operand(p, v, RLX_PARAM_EXPR);
  }
  if (packed && call->sinfo_arg_count) {
    rlx_buf_printf(p->out, ", %s=(", rlx_print_word(p, RLX_SPELLING_SINFO_ARGS));
    p->in_argument = true;
    for (uint32_t i = 0; i < call->sinfo_arg_count; i++) {
      if (i) rlx_buf_puts(p->out, ", ");
      rlx_print_sinfo(p, call->sinfo_args[i]);
    }
    p->in_argument = false;
    rlx_buf_puts(p->out, call->sinfo_arg_count == 1 ? ",)" : ")");
  }
  rlx_buf_putc(p->out, ')');
}

// ---- expressions

static void print_fields(RlxScriptPrinter *p, const RlxExpr *x) {
  for (uint32_t i = 0; i < x->field_count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_print_expr(p, x->fields[i]);
  }
}

static void print_tuple(RlxScriptPrinter *p, const RlxExpr *x) {
  if (!x->field_count) {
    rlx_buf_puts(p->out, "R.tuple()");
    return;
  }
  rlx_buf_putc(p->out, '(');
  print_fields(p, x);
  rlx_buf_puts(p->out, x->field_count == 1 ? ",)" : ")");
}

static void print_shape(RlxScriptPrinter *p, const RlxExpr *x) {
  print_dims(p, x->dims, x->dim_count);
}

static void print_named(RlxScriptPrinter *p, const char *constructor, const char *text) {
  rlx_buf_printf(p->out, "R.%s(", constructor);
  rlx_print_string(p->out, text);
  rlx_buf_putc(p->out, ')');
}

bool rlx_print_is_unit(const RlxSInfo *sinfo) {
  return sinfo && sinfo->kind == RLX_SINFO_TUPLE && sinfo->count == 0;
}

/// Python's True is the integer 1 to TVM, up to 0.25 in R.prim_value(True), too.
static bool is_python_bool(const RlxScriptPrinter *p, const RlxExpr *x) {
  static const char *const words[] = {"True", "False", "R.prim_value("};
  if (!p->stmt || x->span.end > p->stmt->size) return false;
  size_t count = rlx_file_dialect_at(p->file, p->stmt->start) == RLX_DIALECT_027 ? 2 : 3;
  for (size_t i = 0; i < count; i++)
    if (strncmp(p->source + p->stmt->start + x->span.start, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

static void print_scalar(RlxScriptPrinter *p, const RlxExpr *x) {
  bool is_bool = x->prim->kind == RLX_PRIM_INT && rlx_dtype_is_bool(x->prim->dtype);
  if (is_bool && is_python_bool(p, x))
    rlx_buf_putc(p->out, x->prim->value ? '1' : '0');
  else if (is_bool && p->options.dialect == RLX_DIALECT_027)
    rlx_buf_puts(p->out, x->prim->value ? "T.bool(True)" : "T.bool(False)");
  else
    rlx_print_prim_literal(p, x->prim);
}

void rlx_print_expr(RlxScriptPrinter *p, const RlxExpr *x) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_VAR:
    rlx_buf_puts(p->out, rlx_print_is_unit(x->var->sinfo) ? "R.tuple()" : rlx_print_var(p, x->var));
    return;
  case RLX_EXPR_GLOBAL:
    if (p->in_module) {
      rlx_buf_puts(p->out, "cls.");
      if (!p->uses_siblings || p->symbols_at_sibling == UINT32_MAX)
        p->symbols_at_sibling = p->symbols.count;
      p->uses_siblings = true;
    }
    rlx_buf_puts(p->out, rlx_store_text(p->store, x->name));
    return;
  case RLX_EXPR_EXTERN: print_named(p, "ExternFunc", rlx_store_text(p->store, x->name)); return;
  case RLX_EXPR_CONSTANT: rlx_print_constant_value(p, x); return;
  case RLX_EXPR_SHAPE: print_shape(p, x); return;
  case RLX_EXPR_PRIM:
    rlx_print_open_scalar(p);
    print_scalar(p, x);
    rlx_print_close_scalar(p);
    return;
  case RLX_EXPR_STRING: print_named(p, "str", rlx_store_text(p->store, x->name)); return;
  case RLX_EXPR_DTYPE:
    print_named(p, "dtype", rlx_dtype_known(x->dtype) ? rlx_dtype_text(x->dtype, dtype) : "void");
    return;
  case RLX_EXPR_TUPLE: print_tuple(p, x); return;
  case RLX_EXPR_TUPLE_GET:
    if (x->tuple->kind == RLX_EXPR_TUPLE && x->index >= 0 && x->index < x->tuple->field_count) {
      rlx_print_expr(p, x->tuple->fields[x->index]);
      return;
    }
    rlx_print_expr(p, x->tuple);
    rlx_buf_printf(p->out, "[%lld]", (long long)x->index);
    return;
  case RLX_EXPR_CALL:
    if (x->call->row)
      print_row_call(p, x->call, x->sinfo);
    else
      print_function_call(p, x->call);
    return;
  case RLX_EXPR_HOLE:
  case RLX_EXPR_OP:
  case RLX_EXPR_IF:
  case RLX_EXPR_FUNCTION: break;
  }
  rlx_print_source(p, x->span);
}

void rlx_print_right_side(RlxScriptPrinter *p, const RlxExpr *x) {
  bool says_scalar =
      p->options.dialect == RLX_DIALECT_027 && p->options.annotate == RLX_ANNOTATE_ALL;
  if (x->kind == RLX_EXPR_PRIM && says_scalar) {
    if (x->prim->kind == RLX_PRIM_INT && !rlx_dtype_is_bool(x->prim->dtype))
      rlx_buf_printf(p->out, "%lld", (long long)x->prim->value); // the annotation says its dtype
    else
      rlx_print_prim_literal(p, x->prim);
  } else if (x->kind ==
             RLX_EXPR_PRIM) { // alone it would declare a symbolic variable, or be a tensor
    rlx_buf_puts(p->out, "R.prim_value(");
    rlx_print_prim_literal(p, x->prim);
    rlx_buf_putc(p->out, ')');
  } else if (x->kind == RLX_EXPR_TUPLE && x->field_count > 1)
    print_fields(p, x);
  else
    rlx_print_expr(p, x);
}
