/// :save of arrays and sessions, :restore.
///
/// Always true: an archive of a session brings back all of its values or none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "analyzer/syntax/syntax_operators.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/npy.h"
#include "repl/commands.h"
#include "repl/data.h"
#include "repl/results.h"

enum { DEPTH_MAX = 1000 }; ///< of tuples in one another, as of a result (jit/handover.c)

/// Whether numpy has no such dtype: bfloat16 and small floats are float32 in its files.
static bool is_not_of_numpy(RlxDType dtype) {
  return rlx_dtype_is_float(dtype) && dtype.code != RLX_DTYPE_FLOAT && dtype.lanes == 1;
}

/// What an archive of a session calls a value: its name and, behind "#", what is not an array in it. False: a part of it is
/// nothing that an archive holds, and `*skipped` counts it.
static bool flatten(RlxHeap *heap, const char *name, RlxObject *x, RlxNamedTensors *out,
                    uint32_t *skipped) {
  RlxBuf full = {0};
  char dtype[RLX_DTYPE_TEXT_MAX];
  RlxObject *y = NULL;
  bool is_whole = true;
  rlx_buf_puts(&full, name);
  if (x->kind == RLX_OBJECT_TENSOR) {
    if (is_not_of_numpy(x->dtype)) rlx_buf_printf(&full, "#%s", rlx_dtype_text(x->dtype, dtype));
    y = rlx_object_ref(x);
  } else if (x->kind == RLX_OBJECT_SHAPE) {
    int64_t n = x->count;
    rlx_buf_puts(&full, "#shape");
    y = rlx_tensor_new(heap, RLX_INT64, &n, 1, NULL);
    if (y && n) memcpy(y->data, x->dims, (size_t)n * sizeof *x->dims);
  } else if (x->kind == RLX_OBJECT_INT || x->kind == RLX_OBJECT_FLOAT) {
    rlx_buf_puts(&full, "#number");
    y = rlx_tensor_new(heap, x->dtype, NULL, 0, NULL);
    if (y && x->kind == RLX_OBJECT_INT)
      rlx_element_set_integer(y->data, y->dtype, 0, x->integer);
    else if (y)
      rlx_element_set_number(y->data, y->dtype, 0, x->number);
  } else if (x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count; i++) {
      RlxBuf field = {0};
      rlx_buf_printf(&field, "%s.%d", name, i);
      is_whole &= flatten(heap, rlx_buf_text(&field), x->fields[i], out, skipped);
      rlx_buf_free(&field);
    }
    int64_t count = x->count; // how many there are, for an empty one, too
    rlx_buf_puts(&full, "#tuple");
    y = rlx_tensor_new(heap, RLX_INT64, NULL, 0, NULL);
    if (y) rlx_element_set_integer(y->data, RLX_INT64, 0, count);
  }
  if (y)
    rlx_vec_push(out, (RlxNamedTensor){rlx_buf_steal(&full), y});
  else
    ++*skipped;
  rlx_buf_free(&full);
  return y && is_whole;
}

/// The names of a tuple's fields, each with a NUL behind it, as bytes.
static void flatten_names(RlxRepl *repl, const RlxReplVar *var, RlxNamedTensors *out) {
  char *const *names = rlx_repl_field_names(repl, var->value);
  if (!names) return;
  RlxBuf all = {0}, name = {0};
  for (int i = 0; i < var->value->count; i++) rlx_buf_putn(&all, names[i], strlen(names[i]) + 1);
  int64_t size = (int64_t)all.size;
  RlxObject *x =
      rlx_tensor_new(rlx_jit_heap(repl->jit), rlx_dtype(RLX_DTYPE_UINT, 8), &size, 1, NULL);
  if (x && size) memcpy(x->data, all.at, all.size);
  rlx_buf_printf(&name, "%s#names", var->name);
  if (x) rlx_vec_push(out, (RlxNamedTensor){rlx_buf_steal(&name), x});
  rlx_buf_free(&name);
  rlx_buf_free(&all);
}

/// `by_tensors`: what is no tensor is left out alone. Else the whole of it is: an archive with a part of a tuple could not be
/// restored, nor what is beside it.
static void save_variable(RlxRepl *repl, const RlxReplVar *var, bool by_tensors,
                          RlxNamedTensors *out, uint32_t *skipped) {
  const uint32_t before = out->count, others = *skipped;
  if (flatten(rlx_jit_heap(repl->jit), var->name, var->value, out, skipped) || by_tensors) {
    flatten_names(repl, var, out);
    return;
  }
  while (out->count > before) {
    const RlxNamedTensor *last = &out->at[--out->count];
    free(last->name);
    rlx_object_unref(last->tensor);
  }
  *skipped = others + 1;
}

/// `:save FILE.npz w`, w being the tensors of a file: an array of its own for each, called as it was there. False: `w` is
/// none, and nothing was done.
static bool save_named_fields(RlxRepl *repl, const RlxReplVar *var, RlxNamedTensors *out,
                              uint32_t *skipped) {
  char *const *names = rlx_repl_field_names(repl, var->value);
  bool are_tensors = names && var->value->count;
  for (int i = 0; are_tensors && i < var->value->count; i++)
    are_tensors = var->value->fields[i]->kind == RLX_OBJECT_TENSOR;
  for (int i = 0; are_tensors && i < var->value->count; i++)
    flatten(rlx_jit_heap(repl->jit), names[i], var->value->fields[i], out, skipped);
  return are_tensors;
}

static bool write_archive(const RlxRepl *repl, const char *path, const RlxNamedTensors *found,
                          const RlxBuf *text, const char *comment, RlxError *err) {
  RlxObject **tensors = rlx_mem_zeroed((size_t)found->count + 1, sizeof *tensors);
  char **names = rlx_mem_zeroed((size_t)found->count + 1, sizeof *names);
  for (uint32_t i = 0; i < found->count; i++) {
    tensors[i] = found->at[i].tensor;
    names[i] = found->at[i].name;
  }
  const RlxArchive archive = {tensors, names, (int)found->count, text, "session.py", comment};
  bool ok = rlx_archive_write(&archive, path, repl->interrupted, err);
  free(tensors);
  free(names);
  return ok;
}

/// Leaves the tensors, by names without marks: a .safetensors has nothing else, and dtypes of its own.
static void keep_tensors(RlxNamedTensors *found, uint32_t *skipped) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < found->count; i++) {
    RlxNamedTensor *t = &found->at[i];
    char *mark = strrchr(t->name, '#');
    RlxDType dtype;
    const bool is_shape = mark && !strcmp(mark, "#shape"),
               is_number = mark && !strcmp(mark, "#number"),
               is_tuple = mark && (!strcmp(mark, "#tuple") || !strcmp(mark, "#names"));
    *skipped += is_shape || is_number;
    if (mark && rlx_dtype_parse(mark + 1, strlen(mark + 1), &dtype)) *mark = 0;
    if (is_shape || is_number || is_tuple) {
      free(t->name);
      rlx_object_unref(t->tensor);
    } else
      found->at[count++] = *t;
  }
  found->count = count;
}

/// `:save FILE.safetensors`; `has_definitions`: the session has some, which are not written.
static bool write_tensors(const RlxRepl *repl, const char *path, RlxNamedTensors *found,
                          bool has_definitions, uint32_t *skipped, RlxError *err) {
  keep_tensors(found, skipped);
  if (!found->count) return rlx_error_set(err, "%s: there is no tensor to write", path);
  if (!rlx_safetensors_write(found, path, repl->interrupted, err)) return false;
  if (has_definitions)
    printf("# tensors alone are in a .safetensors; `:save FILE.npz` keeps definitions, too\n");
  return true;
}

/// The next word of `*text`; 0: there is none.
static size_t next_word(const char **text, const char **word) {
  *word = *text + strspn(*text, " ,");
  size_t n = strcspn(*word, " ,");
  *text = *word + n;
  return n;
}

static bool tell_unsaved(RlxRepl *repl, const RlxError *err) {
  if (*repl->interrupted) return rlx_repl_tell_interrupted(repl);
  rlx_text_say(stdout, "error: %s", err->text);
  return false;
}

/// Whether `text` is several variables, `x y` or `x, y`, whose names go into `out` with a blank before each.
static bool are_variables(RlxRepl *repl, const char *text, RlxBuf *out) {
  const char *word;
  uint32_t count = 0;
  for (size_t n; (n = next_word(&text, &word)); count++) {
    if (!rlx_repl_find(repl, word, n)) return false;
    rlx_buf_printf(out, " %.*s", (int)n, word);
  }
  return count > 1;
}

/// `:save FILE.npy EXPR`
static bool save_array(RlxRepl *repl, const char *path, const char *text) {
  RlxError err = {0};
  RlxObject *value = NULL;
  const RlxReplVar *var = rlx_repl_find(repl, text, strlen(text));
  RlxBuf names = {0};
  const bool are_several = are_variables(repl, text, &names);
  if (are_several)
    rlx_text_say(stdout, "error: a .npy file holds one tensor; `:save %.*s.npz%s` writes them all",
                 (int)strlen(path) - 4, path, rlx_buf_text(&names));
  rlx_buf_free(&names);
  if (are_several) return false;
  if (var)
    value = rlx_object_ref(var->value);
  else if (*text && !rlx_repl_value(repl, text, &value))
    return false;
  bool ok = value && value->kind == RLX_OBJECT_TENSOR;
  if (!ok) rlx_error_set(&err, "a .npy file holds one tensor: :save FILE.npy EXPR");
  ok = ok && rlx_npy_write(value, path, repl->interrupted, &err);
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (!ok)
    tell_unsaved(repl, &err);
  else if (is_not_of_numpy(value->dtype))
    printf("# as float32: numpy has no %s; .npz and .safetensors keep it\n",
           rlx_dtype_text(value->dtype, dtype));
  rlx_object_unref(value);
  return ok;
}

bool rlx_repl_save_data(RlxRepl *repl, const char *text, bool *ok) {
  const char *at = text, *word;
  char path[4096];
  size_t n = next_word(&at, &word);
  snprintf(path, sizeof path, "%.*s", (int)(n < 4000 ? n : 4000), word);
  if (rlx_text_ends_in(path, ".npy"))
    return *ok = save_array(repl, path, at + strspn(at, " ,")), true;
  const bool is_safe = rlx_text_ends_in(path, ".safetensors");
  if (!is_safe && !rlx_text_ends_in(path, ".npz")) return false;
  RlxNamedTensors found = {0};
  RlxError err = {0};
  RlxBuf source = {0};
  uint32_t skipped = 0, named = 0;
  RlxBuf comment = {0};
  *ok = true;
  while (*ok && (n = next_word(&at, &word))) {
    RlxReplVar *var = rlx_repl_find(repl, word, n);
    const bool is_alone = !named++ && !at[strspn(at, " ,")];
    if (!var) *ok = rlx_error_set(&err, "there is no variable %.*s", (int)n, word);
    if (var && is_alone && save_named_fields(repl, var, &found, &skipped))
      rlx_buf_printf(&comment, RLX_REPL_ARCHIVE_OF "%s", var->name);
    else if (var)
      save_variable(repl, var, is_safe, &found, &skipped);
  }
  bool is_session = !named;
  uint32_t i = 0;
  for (RlxReplVar *var; is_session && (var = rlx_repl_next_var(repl, &i));)
    save_variable(repl, var, is_safe, &found, &skipped);
  i = 0;
  for (RlxReplDef *def; is_session && (def = rlx_repl_next_def(repl, &i));)
    if (rlx_repl_is_saved(repl, def)) rlx_buf_printf(&source, "%s\n\n\n", def->text);
  if (*ok && is_safe)
    *ok = write_tensors(repl, path, &found, source.size > 0, &skipped, &err);
  else
    *ok = *ok && write_archive(repl, path, &found, is_session ? &source : NULL,
                               comment.size ? rlx_buf_text(&comment) : NULL, &err);
  if (!*ok)
    tell_unsaved(repl, &err);
  else if (skipped)
    printf("# %u value%s no %s%s and %s not saved\n", skipped, skipped == 1 ? " is" : "s are",
           is_safe ? "tensor" : "array", skipped == 1 ? "" : "s", skipped == 1 ? "is" : "are");
  rlx_named_tensors_free(&found);
  rlx_buf_free(&comment);
  rlx_buf_free(&source);
  return true;
}

// ---- :restore

/// An archive that is read: its members, and which of them has a name ("w.0", and "w" of "w#tuple"; "w#names" is one of its own).
typedef struct Members {
  RlxNamedTensors found;
  RlxStrMap places; ///< of the first with each name, from 1
} Members;

static void note_places(Members *m) {
  for (uint32_t i = 0; i < m->found.count; i++) {
    const char *member = m->found.at[i].name;
    const size_t mark = strcspn(member, "#"),
                 n = strcmp(member + mark, "#names") ? mark : strlen(member);
    uint64_t known;
    if (!rlx_strmap_get(&m->places, member, n, &known))
      rlx_strmap_put(&m->places, member, n, i + 1);
  }
}

static const RlxNamedTensor *member_of(const Members *m, const char *name, size_t size) {
  uint64_t place;
  return rlx_strmap_get(&m->places, name, size, &place) ? &m->found.at[place - 1] : NULL;
}

static RlxObject *find_value(RlxRepl *repl, const Members *m, const char *name, int depth);

/// Lengths are integers that are not negative.
static RlxObject *shape_of(RlxHeap *heap, const RlxObject *x) {
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  if (x->count != 1 || x->dims[0] > RLX_TENSOR_NDIM_MAX || rlx_dtype_is_float(x->dtype))
    return NULL;
  for (int64_t k = 0; k < x->dims[0]; k++) {
    dims[k] = rlx_element_integer(x->data, x->dtype, k);
    if (dims[k] < 0) return NULL;
  }
  return rlx_shape_new(heap, dims, (int)x->dims[0]);
}

static RlxObject *tuple_of(RlxRepl *repl, const Members *m, const char *name, int64_t count,
                           int depth) {
  if (count < 0 || count > m->found.count) return NULL;
  RlxObject **fields = rlx_mem_zeroed((size_t)count + 1, sizeof *fields), *tuple = NULL;
  bool ok = true;
  for (int64_t k = 0; ok && k < count; k++) {
    RlxBuf field = {0};
    rlx_buf_printf(&field, "%s.%lld", name, (long long)k);
    fields[k] = find_value(repl, m, rlx_buf_text(&field), depth + 1);
    ok = fields[k] != NULL;
    rlx_buf_free(&field);
  }
  if (ok) tuple = rlx_tuple_new(rlx_jit_heap(repl->jit), fields, (int)count);
  for (int64_t k = 0; k < count; k++) rlx_object_unref(fields[k]);
  free(fields);
  return tuple;
}

/// The value of the member that is called `name`; NULL: there is none, or it is no value of a session.
static RlxObject *find_value(RlxRepl *repl, const Members *m, const char *name, int depth) {
  const RlxNamedTensor *member = member_of(m, name, strlen(name));
  if (!member) return NULL;
  RlxHeap *heap = rlx_jit_heap(repl->jit);
  RlxObject *x = member->tensor;
  RlxDType dtype;
  const char *kind = member->name + strlen(name);
  if (!*kind) return rlx_object_ref(x);
  kind++;
  if (!strcmp(kind, "shape")) return shape_of(heap, x);
  if (!strcmp(kind, "number") && !x->count)
    return rlx_dtype_is_float(x->dtype)
               ? rlx_float_new(heap, rlx_element_number(x->data, x->dtype, 0), x->dtype)
               : rlx_int_new(heap, rlx_element_integer(x->data, x->dtype, 0), x->dtype);
  if (!strcmp(kind, "tuple") && !x->count && depth < DEPTH_MAX)
    return tuple_of(repl, m, name, rlx_element_integer(x->data, x->dtype, 0), depth);
  // Else a dtype that numpy does not have: those alone have a mark.
  if (!rlx_dtype_parse(kind, strlen(kind), &dtype) || !rlx_dtype_known(dtype) ||
      !is_not_of_numpy(dtype))
    return NULL;
  RlxObject *y = rlx_tensor_new(heap, dtype, x->dims, x->count, NULL);
  if (y) rlx_elements_convert(y->data, dtype, x->data, x->dtype, rlx_tensor_count(x));
  return y;
}

/// Names the fields of `tuple` again, where a member says what they are called.
static void restore_names(RlxRepl *repl, const Members *m, const char *name, RlxObject *tuple) {
  RlxBuf full = {0};
  rlx_buf_printf(&full, "%s#names", name);
  const RlxNamedTensor *member = member_of(m, rlx_buf_text(&full), full.size);
  rlx_buf_free(&full);
  if (!member || tuple->kind != RLX_OBJECT_TUPLE || member->tensor->count != 1) return;
  const RlxObject *x = member->tensor;
  const char *at = x->data, *end = at + rlx_tensor_bytes(x);
  char **names = rlx_mem_zeroed((size_t)tuple->count + 1, sizeof *names);
  int count = 0;
  while (count < tuple->count && at < end && memchr(at, 0, (size_t)(end - at))) {
    names[count++] = rlx_mem_strdup(at);
    at += strlen(at) + 1;
  }
  if (count == tuple->count) {
    rlx_repl_name_fields(repl, tuple, names, count);
    return;
  }
  for (int k = 0; k < count; k++) free(names[k]);
  free(names);
}

/// Takes the definitions of a session; what is wrong with one does not lose the others. What does not parse is told and left
/// out, as at the prompt: a bracket that it opens would take what is entered later along.
static bool define_all(RlxRepl *repl, const char *path, const char *text) {
  bool ok = true;
  RlxDocument *doc = rlx_document_new(repl->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(doc);
  repl->nesting++;
  for (uint32_t i = 0; i < root->count; i++) {
    const RlxStmt *stmt = root->stmts[i];
    const char *at = text + stmt->start;
    bool is_assigned = stmt->kind == RLX_STMT_ASSIGN && stmt->targets[0]->kind == RLX_AST_NAME;
    RlxName name = is_assigned ? stmt->targets[0]->name : stmt->name;
    bool is_import = stmt->kind == RLX_STMT_IMPORT;
    if (!name && !is_import) continue;
    char *called =
        name ? rlx_mem_strdup(rlx_store_text(repl->store, name)) : rlx_mem_strndup(at, stmt->size);
    if (stmt->has_error) {
      rlx_text_say(stdout, "error: %s: `%s` does not parse, so it is left out", path, called);
      ok = false;
    } else
      rlx_repl_stage(repl, called, strlen(called), at, stmt->size);
    free(called);
  }
  rlx_repl_settle(repl);
  repl->nesting--;
  rlx_document_free(doc);
  return ok;
}

static bool is_variable_name(const char *text, size_t size) {
  return rlx_text_is_name(text, size) && !rlx_word_is_reserved(text, (uint32_t)size);
}

/// Whether a member of an archive is a value of a session, or a field of one.
static bool is_of_session(const Members *m, const char *member) {
  const size_t n = strcspn(member, "#."), end = strcspn(member, "#");
  if (!is_variable_name(member, n)) return false;
  if (n == end) return true;
  const RlxNamedTensor *whole = member_of(m, member, n); // of "w.0" tells "w#tuple"
  return whole && !strcmp(whole->name + n, "#tuple");
}

bool rlx_repl_restore(RlxRepl *repl, const char *path) {
  Members m = {0};
  RlxNamedTensors values = {0};
  RlxError err = {0};
  RlxBuf text = {0}, variable = {0};
  const char *dot = strrchr(path, '.');
  bool ok = !dot || (strcmp(dot, ".npy") != 0 && strcmp(dot, ".safetensors") != 0);
  if (!ok)
    rlx_error_set(&err,
                  "%s: :restore reads what :save FILE.npz wrote; `x = load(\"%s\")` reads this",
                  path, path);
  ok = ok && rlx_repl_read_archive(repl, path, &m.found, &text, &variable, &err);
  const char *name_of_all = rlx_buf_text(&variable);
  if (ok && is_variable_name(name_of_all, strlen(name_of_all))) {
    RlxObject *x = rlx_repl_named_tensors(repl, &m.found);
    rlx_vec_push(&values, (RlxNamedTensor){rlx_mem_strdup(name_of_all), x});
    rlx_vec_clear(&m.found);
  }
  note_places(&m);
  for (uint32_t i = 0; ok && i < m.found.count; i++) {
    const char *member = m.found.at[i].name;
    size_t n = strcspn(member, "#");
    if (!is_of_session(&m, member)) {
      ok = rlx_error_set(&err, "%s: %s is no variable; `w = load(\"%s\")` reads it", path, member,
                         path);
      break;
    }
    if (!rlx_text_is_name(member, n) || !strcmp(member + n, "#names")) continue; // of a tuple
    char *name = rlx_mem_strndup(member, n);
    RlxObject *x = find_value(repl, &m, name, 0);
    if (x) restore_names(repl, &m, name, x);
    if (x)
      rlx_vec_push(&values, (RlxNamedTensor){name, x});
    else {
      ok = rlx_error_set(&err, "%s: %s is no value of a session", path, member);
      free(name);
    }
  }
  if (!ok) rlx_text_say(stdout, "error: %s", err.text);
  const bool are_whole = !ok || !text.size || define_all(repl, path, rlx_buf_text(&text));
  for (uint32_t i = 0; ok && i < values.count; i++) {
    rlx_repl_bind_value(repl, values.at[i].name, values.at[i].tensor);
    values.at[i].tensor = NULL;
  }
  rlx_named_tensors_free(&values);
  rlx_strmap_free(&m.places);
  rlx_named_tensors_free(&m.found);
  rlx_buf_free(&variable);
  rlx_buf_free(&text);
  return ok && are_whole;
}
