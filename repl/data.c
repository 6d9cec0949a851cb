/// Data in: load, random, normal, arange and lists at the prompt.
///
/// Always true: files are regular ones, and heads are looked at before elements.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/npy.h"
#include "jit/runtime/random.h"
#include "jit/runtime/safetensors.h"
#include "repl/data.h"
#include "repl/numbers.h"
#include "repl/results.h"
#include "repl/tables.h"

enum { NDIM_MAX = 32, KEYWORDS_MAX = 8, TEXT_MAX_BYTES = 64 << 20 };

// ---- calls

typedef RlxReplNumber Number;

typedef struct Keyword {
  const char *name;
  Number number;
  const char *text;
} Keyword;

typedef struct Call {
  RlxRepl *repl;
  const char *name;
  Number numbers[NDIM_MAX]; ///< by position; a tuple's are spread
  int count;
  const char *texts[2];
  int text_count;
  Keyword keywords[KEYWORDS_MAX];
  int keyword_count;
} Call;

/// What load() is told when its argument is no text.
#define LOAD_TAKES "load takes the name of a file in quotes: load(\"x.npy\")"

/// The dtype that a type of Python's stands for, `float` say; NULL: the node is none.
static const char *python_dtype(const Call *c, const RlxAst *node) {
  const char *name = node->kind == RLX_AST_NAME ? rlx_store_text(c->repl->store, node->name) : "";
  const RlxReplBuiltinRow *row = rlx_repl_builtin_named(name);
  const RlxReplMethodRow *method =
      row && row->form == RLX_REPL_BUILTIN_ONE ? rlx_repl_method_named(row->method) : NULL;
  return method ? method->op : NULL;
}

static bool read_call(Call *c, const RlxAst *call, RlxError *err) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *a = call->children[i];
    int more = 0;
    if (a->kind == RLX_AST_KEYWORD && c->keyword_count < KEYWORDS_MAX) {
      int k = c->keyword_count++;
      const RlxAst *value = a->children[0];
      c->keywords[k].name = rlx_store_text(c->repl->store, a->name);
      const char *type = python_dtype(c, value);
      if (value->kind == RLX_AST_STRING || type)
        c->keywords[k].text = type ? type : value->text;
      else if (!rlx_repl_number(c->repl, value, &c->keywords[k].number))
        return rlx_error_set(err, "%s: the value of %s is no number", c->name, c->keywords[k].name);
    } else if (a->kind == RLX_AST_STRING && c->text_count < 2)
      c->texts[c->text_count++] = a->text;
    else if (!strcmp(c->name, "load"))
      return rlx_error_set(err, LOAD_TAKES);
    else if ((i == 1 || a->kind == RLX_AST_STARRED) &&
             rlx_repl_shape(c->repl, a->kind == RLX_AST_STARRED ? a->children[0] : a,
                            c->numbers + c->count, NDIM_MAX - c->count, &more))
      c->count += more;
    else if (c->count == NDIM_MAX || !rlx_repl_number(c->repl, a, &c->numbers[c->count++]))
      return rlx_error_set(err, "%s: argument %u is no number", c->name, i);
  }
  return true;
}

static bool keywords_known(const Call *c, const char *const *known, RlxError *err) {
  for (int i = 0; i < c->keyword_count; i++) {
    int k = 0;
    while (known[k] && strcmp(known[k], c->keywords[i].name) != 0) k++;
    if (!known[k]) return rlx_error_set(err, "%s has no argument %s", c->name, c->keywords[i].name);
    if (c->keywords[i].text && strcmp(known[k], "dtype") != 0)
      return rlx_error_set(err, "%s: the value of %s is no number", c->name, known[k]);
  }
  return true;
}

/// The number that keyword `name` gives; NULL: it is not there.
static const Number *given_number(const Call *c, const char *name) {
  for (int i = 0; i < c->keyword_count; i++)
    if (!strcmp(c->keywords[i].name, name)) return &c->keywords[i].number;
  return NULL;
}

static double number_keyword(const Call *c, const char *name, double otherwise) {
  const Number *given = given_number(c, name);
  return given ? given->value : otherwise;
}

static bool dtype_keyword(const Call *c, RlxDType *out, RlxError *err) {
  for (int i = 0; i < c->keyword_count; i++) {
    const char *text = c->keywords[i].text;
    if (strcmp(c->keywords[i].name, "dtype") != 0) continue;
    if (!text || !rlx_dtype_parse(text, strlen(text), out) || !rlx_dtype_known(*out) ||
        !rlx_dtype_bytes(*out) || out->bits > 64 || (out->bits & (out->bits - 1)) ||
        out->lanes != 1)
      return rlx_error_set(err, "%s: %s is no dtype", c->name, text ? text : "a number");
  }
  return true;
}

/// The dimensions that are given by position.
static bool read_dims(const Call *c, int64_t *dims, RlxError *err) {
  for (int i = 0; i < c->count; i++) {
    if (c->numbers[i].kind != RLX_NUMBER_INT || c->numbers[i].integer < 0)
      return rlx_error_set(err, "%s: dimension %d is no length", c->name, i);
    dims[i] = c->numbers[i].integer;
  }
  return true;
}

static RlxObject *make_full(Call *c, int64_t value, RlxError *err) {
  static const char *const known[] = {"dtype", NULL};
  RlxDType dtype = RLX_FLOAT32;
  int64_t dims[NDIM_MAX];
  if (c->text_count == 1 && !c->keyword_count) // zeros((2, 3), "int32")
    c->keywords[c->keyword_count++] = (Keyword){.name = "dtype", .text = c->texts[0]};
  if (!keywords_known(c, known, err) || !dtype_keyword(c, &dtype, err) || !read_dims(c, dims, err))
    return NULL;
  RlxObject *x = rlx_tensor_new(rlx_jit_heap(c->repl->jit), dtype, dims, c->count, err);
  const int64_t count = x ? rlx_tensor_count(x) : 0;
  for (int64_t i = 0; i < count; i++) rlx_element_set_integer(x->data, dtype, i, value);
  return x;
}

static RlxObject *make_random(Call *c, bool normal, RlxError *err) {
  static const char *const known[] = {"seed", "dtype", NULL}, *const known_normal[] = {
                                                                  "seed", "dtype", "mean", "std",
                                                                  NULL};
  RlxDType dtype = RLX_FLOAT32;
  int64_t dims[NDIM_MAX];
  if (!keywords_known(c, normal ? known_normal : known, err) || !dtype_keyword(c, &dtype, err))
    return NULL;
  if (!read_dims(c, dims, err)) return NULL;
  if (normal && !rlx_dtype_is_float(dtype))
    return rlx_error_set(err, "normal makes floats only"), NULL;
  double given = number_keyword(c, "seed", -1);
  uint64_t seed = given >= 0 ? (uint64_t)given : rlx_repl_next_seed(c->repl);
  RlxObject *x = rlx_tensor_new(rlx_jit_heap(c->repl->jit), dtype, dims, c->count, err);
  if (x && normal)
    rlx_random_normal(x, seed, number_keyword(c, "mean", 0), number_keyword(c, "std", 1));
  else if (x)
    rlx_random_uniform(x, seed, 0, rlx_dtype_is_float(dtype) ? 1 : 16);
  return x;
}

/// Start, stop and step by position or by name.
static bool read_range(const Call *c, Number *range, RlxError *err) {
  static const char *const names[] = {"start", "stop", "step"};
  const int first = c->count == 1 && !given_number(c, "stop"); // of one number, that is the stop
  bool has_stop = c->count > 1 || first;
  range[0] = (Number){RLX_NUMBER_INT, 0, 0};
  range[2] = (Number){RLX_NUMBER_INT, 1, 1};
  for (int i = 0; i < c->count && i < 3; i++) range[i + first] = c->numbers[i];
  for (int i = 0; i < 3; i++) {
    const Number *given = given_number(c, names[i]);
    if (!given) continue;
    if (i >= first && i < c->count + first)
      return rlx_error_set(err, "arange: %s is given twice", names[i]);
    has_stop |= i == 1;
    range[i] = *given;
  }
  if (c->count > 3 || !has_stop)
    return rlx_error_set(err, "arange takes a stop, a start and a stop, or these and a step");
  return range[2].value != 0 || rlx_error_set(err, "arange: the step is 0");
}

static RlxObject *make_range(Call *c, RlxError *err) {
  static const char *const known[] = {"start", "stop", "step", "dtype", NULL};
  Number range[3];
  bool is_float = false;
  if (!keywords_known(c, known, err) || !read_range(c, range, err)) return NULL;
  for (int i = 0; i < 3; i++) is_float |= range[i].kind == RLX_NUMBER_FLOAT;
  RlxDType dtype = is_float ? RLX_FLOAT32 : RLX_INT64;
  if (!dtype_keyword(c, &dtype, err)) return NULL;
  const double start = range[0].value, step = range[2].value,
               length = (range[1].value - start) / step;
  if (!(length < 1e15)) return rlx_error_set(err, "arange: too many elements"), NULL;
  int64_t count = length > 0 ? (int64_t)length : 0;
  if ((double)count < length) count++;
  RlxObject *x = rlx_tensor_new(rlx_jit_heap(c->repl->jit), dtype, &count, 1, err);
  for (int64_t i = 0; x && i < count; i++)
    if (is_float)
      rlx_element_set_number(x->data, dtype, i, start + (double)i * step);
    else
      rlx_element_set_integer(x->data, dtype, i, range[0].integer + i * range[2].integer);
  return x;
}

// ---- files

/// What does not fit into the memory that an evaluation may have is not wanted.
static bool is_wanted(const void *data, const RlxArrayHead *head, RlxError *err) {
  const int64_t *most = data;
  return !*most || head->bytes <= *most ||
         rlx_error_set(err, "%lld bytes are more than the %lld that an evaluation may take",
                       (long long)head->bytes, (long long)*most);
}

static bool is_regular(const char *path, RlxError *err) {
  struct stat st;
  if (stat(path, &st)) return rlx_error_set(err, "%s: there is no such file", path);
  return S_ISREG(st.st_mode) || rlx_error_set(err, "%s: is no regular file", path);
}

/// A tuple of the tensors, whose fields have names; takes all over.
static RlxObject *named_tuple(RlxRepl *repl, RlxNamedTensors *found) {
  RlxObject **fields = rlx_mem_zeroed((size_t)found->count + 1, sizeof *fields);
  char **names = rlx_mem_zeroed((size_t)found->count + 1, sizeof *names);
  for (uint32_t i = 0; i < found->count; i++) {
    fields[i] = found->at[i].tensor;
    names[i] = rlx_mem_strdup(found->at[i].name);
  }
  RlxObject *tuple = rlx_tuple_new(rlx_jit_heap(repl->jit), fields, (int)found->count);
  rlx_repl_name_fields(repl, tuple, names, (int)found->count);
  free(fields);
  rlx_named_tensors_free(found);
  return tuple;
}

// Files of numpy are decoded in a worker, which hands over a tensor, or the names and the members of
// an archive in turn.

typedef struct Reading {
  RlxHeap *heap;
  const char *path;
  int64_t most; ///< bytes of an array; 0: any
} Reading;

static RlxObject *decode_array(void *data, RlxError *err) {
  const Reading *r = data;
  const RlxArrayFit fit = {is_wanted, &r->most, NULL};
  return rlx_npy_read(r->heap, r->path, &fit, err);
}

/// A member as a value: a string when it is the text that :save wrote, else a tensor. NULL: it cannot be read; `*is_foreign`:
/// because it is no array of numbers.
static RlxObject *decode_member(const Reading *r, const RlxArrays *arrays, int i, bool *is_foreign,
                                RlxError *err) {
  const RlxArrayFit fit = {is_wanted, &r->most, is_foreign};
  if (strcmp(rlx_arrays_name(arrays, i), "session.py") != 0)
    return rlx_arrays_read(arrays, i, r->heap, &fit, err);
  RlxBuf text = {0};
  const bool ok = rlx_arrays_text(arrays, i, TEXT_MAX_BYTES, &text, err);
  RlxObject *x = ok ? rlx_string_new(r->heap, rlx_buf_text(&text), text.size) : NULL;
  rlx_buf_free(&text);
  return x;
}

/// The name, no member's, under which the worker hands over whose tensors they are.
static const char of_variable[] = "#variable";
/// The same for what is left out: why.
static const char left_out[] = "#left out";

static RlxObject *decode_archive(void *data, RlxError *err) {
  const Reading *r = data;
  RlxArrays *arrays = rlx_arrays_open(r->path, err);
  if (!arrays) return NULL;
  const int count = rlx_arrays_count(arrays);
  RlxObject **fields = rlx_mem_zeroed(2 * (size_t)count + 3, sizeof *fields), *all = NULL;
  int done = 0;
  for (; done < count; done++) {
    const char *name = rlx_arrays_name(arrays, done);
    bool is_foreign = false;
    RlxError why = {0};
    RlxObject *x = decode_member(r, arrays, done, &is_foreign, &why);
    if (!x && !is_foreign) {
      *err = why;
      break;
    }
    if (!x) {
      name = left_out;
      x = rlx_string_new(r->heap, why.text, strlen(why.text));
    }
    fields[2 * done] = rlx_string_new(r->heap, name, strlen(name));
    fields[2 * done + 1] = x;
  }
  size_t size;
  const size_t lead = strlen(RLX_REPL_ARCHIVE_OF);
  const char *comment = rlx_arrays_comment(arrays, &size);
  const bool is_whole = done == count;
  if (is_whole && comment && size > lead && !memcmp(comment, RLX_REPL_ARCHIVE_OF, lead)) {
    fields[2 * done] = rlx_string_new(r->heap, of_variable, strlen(of_variable));
    fields[2 * done++ + 1] = rlx_string_new(r->heap, comment + lead, size - lead);
  }
  if (is_whole) all = rlx_tuple_new(r->heap, fields, 2 * done);
  for (int i = 0; i < 2 * done; i++) rlx_object_unref(fields[i]);
  free(fields);
  rlx_arrays_close(arrays);
  return all;
}

RlxObject *rlx_repl_made_apart(RlxRepl *repl, const char *what,
                               RlxObject *(*make)(void *data, RlxError *err), void *data,
                               bool takes_libraries, RlxError *err) {
  RlxWorkerOptions options = rlx_repl_worker_options(repl, 1);
  options.make_value = make;
  options.takes_libraries = takes_libraries;
  options.data = data;
  options.what = what;
  RlxWorkerResult result;
  rlx_worker_call(repl->jit, NULL, 0, NULL, 0, &options, &result);
  if (result.outcome != RLX_OUTCOME_DONE) *err = result.error.error;
  rlx_repl_take_outcome(repl, result.outcome);
  return result.value;
}

/// What `decode` makes of the file in a worker, as above.
static RlxObject *read_apart(RlxRepl *repl, const char *path,
                             RlxObject *(*decode)(void *data, RlxError *err), RlxError *err) {
  if (!is_regular(path, err)) return NULL;
  Reading reading = {rlx_jit_heap(repl->jit), path, repl->options->confinement.memory_bytes};
  return rlx_repl_made_apart(repl, path, decode, &reading, true, err);
}

/// Says what of an archive is left out, the first members one by one; the rest of it is there.
static void tell_left_out(const RlxObject *all) {
  enum { TOLD = 3 };
  int count = 0;
  for (int i = 0; i + 1 < all->count; i += 2)
    if (all->fields[i + 1]->kind == RLX_OBJECT_STRING && !strcmp(all->fields[i]->text, left_out) &&
        count++ < TOLD)
      rlx_text_say(stdout, "note: left out: %s", all->fields[i + 1]->text);
  if (count > TOLD) printf("note: and %d more that are no arrays of numbers\n", count - TOLD);
}

bool rlx_repl_read_archive(RlxRepl *repl, const char *path, RlxNamedTensors *out, RlxBuf *text,
                           RlxBuf *variable, RlxError *err) {
  RlxObject *all = read_apart(repl, path, decode_archive, err);
  if (!all) return false;
  bool ok = true;
  const char *first_left = NULL;
  for (int i = 0; ok && i + 1 < all->count; i += 2) {
    const RlxObject *name = all->fields[i];
    RlxObject *x = all->fields[i + 1];
    ok = name->kind == RLX_OBJECT_STRING && all->count % 2 == 0 &&
         (x->kind == RLX_OBJECT_TENSOR || x->kind == RLX_OBJECT_STRING);
    if (!ok)
      rlx_error_set(err, "%s: what the worker handed over is no archive", path);
    else if (x->kind == RLX_OBJECT_TENSOR)
      rlx_vec_push(out, (RlxNamedTensor){rlx_mem_strdup(name->text), rlx_object_ref(x)});
    else if (!strcmp(name->text, of_variable)) {
      if (variable) rlx_buf_puts(variable, x->text);
    } else if (!strcmp(name->text, left_out)) {
      if (!first_left) first_left = x->text;
    } else if (text)
      rlx_buf_puts(text, x->text);
  }
  // A session comes back as a whole or not at all.
  if (ok && first_left && (text || !out->count)) ok = rlx_error_set(err, "%s", first_left);
  if (ok && first_left) tell_left_out(all);
  rlx_object_unref(all);
  return ok;
}

/// What :save called "h#bfloat16" is h again, of that dtype.
static void give_dtypes(RlxRepl *repl, RlxNamedTensors *found) {
  for (uint32_t i = 0; i < found->count; i++) {
    RlxNamedTensor *t = &found->at[i];
    char *mark = strrchr(t->name, '#');
    RlxDType dtype;
    if (!mark || !rlx_dtype_parse(mark + 1, strlen(mark + 1), &dtype) || !rlx_dtype_is_float(dtype))
      continue;
    RlxObject *y =
        rlx_tensor_new(rlx_jit_heap(repl->jit), dtype, t->tensor->dims, t->tensor->count, NULL);
    if (!y) continue;
    rlx_elements_convert(y->data, dtype, t->tensor->data, t->tensor->dtype,
                         rlx_tensor_count(t->tensor));
    rlx_object_unref(t->tensor);
    t->tensor = y;
    *mark = 0;
  }
}

/// Members of an archive by name. One that is dropped has no name and no tensor until the end.
typedef struct Members {
  RlxNamedTensors *found;
  RlxStrMap places;
} Members;

/// Member `name`; NULL: there is none.
static RlxNamedTensor *member(const Members *m, const char *name) {
  uint64_t at;
  return rlx_strmap_get(&m->places, name, strlen(name), &at) ? &m->found->at[at] : NULL;
}

static void index_member(Members *m, uint32_t at) {
  const char *name = m->found->at[at].name;
  if (!member(m, name)) rlx_strmap_put(&m->places, name, strlen(name), at);
}

static void forget_member(Members *m, RlxNamedTensor *t) {
  rlx_strmap_remove(&m->places, t->name, strlen(t->name));
  free(t->name);
  t->name = NULL;
}

static void drop_member(Members *m, const char *owner, const char *mark) {
  RlxBuf name = {0};
  rlx_buf_printf(&name, "%s%s", owner, mark);
  RlxNamedTensor *t = member(m, rlx_buf_text(&name));
  rlx_buf_free(&name);
  if (!t) return;
  forget_member(m, t);
  rlx_object_unref(t->tensor);
  t->tensor = NULL;
}

/// Names a field of the variable `owner`: as it is called there, behind the variable where the file has others.
static void name_field(Members *m, const char *owner, uint32_t i, const char *name, bool is_alone) {
  RlxBuf was = {0}, is = {0};
  rlx_buf_printf(&was, "%s.%u", owner, i);
  rlx_buf_printf(&is, "%s%s%s", is_alone ? "" : owner, is_alone ? "" : ".", name);
  RlxNamedTensor *field = member(m, rlx_buf_text(&was));
  if (field && !member(m, rlx_buf_text(&is))) {
    forget_member(m, field);
    field->name = rlx_buf_steal(&is);
    index_member(m, (uint32_t)(field - m->found->at));
  }
  rlx_buf_free(&was);
  rlx_buf_free(&is);
}

/// Whether the archive has members of `owner` only.
static bool is_only(const Members *m, const char *owner) {
  const size_t size = strlen(owner);
  for (uint32_t i = 0; i < m->found->count; i++) {
    const char *name = m->found->at[i].name;
    if (name && (strncmp(name, owner, size) || (name[size] != '.' && name[size] != '#')))
      return false;
  }
  return true;
}

/// What :save wrote of a variable whose fields have names ("w.0", "w.1", "w#tuple", "w#names") has them again.
static void give_field_names(RlxNamedTensors *found) {
  static const char mark[] = "#names";
  Members m = {.found = found};
  for (uint32_t i = 0; i < found->count; i++) index_member(&m, i);
  for (uint32_t i = 0; i < found->count; i++) {
    const RlxObject *x = found->at[i].tensor;
    if (!x || !rlx_text_ends_in(found->at[i].name, mark) || x->count != 1 || x->dtype.bits != 8)
      continue;
    const size_t bytes = (size_t)rlx_tensor_bytes(x);
    char *owner = rlx_mem_strndup(found->at[i].name, strlen(found->at[i].name) - strlen(mark));
    const bool is_alone = is_only(&m, owner);
    uint32_t field = 0; // each has a member, or several
    for (size_t at = 0; at < bytes && field < found->count; field++) {
      char *name = rlx_mem_strndup((const char *)x->data + at, // the file may have no NUL
                                   strnlen((const char *)x->data + at, bytes - at));
      at += strlen(name) + 1;
      name_field(&m, owner, field, name, is_alone);
      free(name);
    }
    drop_member(&m, owner, "#tuple");
    drop_member(&m, owner, mark);
    free(owner);
  }
  rlx_strmap_free(&m.places);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < found->count; i++)
    if (found->at[i].name) found->at[kept++] = found->at[i];
  found->count = kept;
}

RlxObject *rlx_repl_named_tensors(RlxRepl *repl, RlxNamedTensors *found) {
  give_dtypes(repl, found);
  give_field_names(found);
  return named_tuple(repl, found);
}

static RlxObject *load_file(Call *c, const char *path, RlxError *err) {
  RlxNamedTensors found = {0};
  if (rlx_text_ends_in(path, ".npy")) return read_apart(c->repl, path, decode_array, err);
  bool is_safe = rlx_text_ends_in(path, ".safetensors");
  if (!is_safe && !rlx_text_ends_in(path, ".npz"))
    return rlx_error_set(err, "%s: load reads .npy, .npz and .safetensors", path), NULL;
  if (is_safe ? is_regular(path, err) &&
                    rlx_safetensors_open(rlx_jit_heap(c->repl->jit), path, &found, err)
              : rlx_repl_read_archive(c->repl, path, &found, NULL, NULL, err))
    return rlx_repl_named_tensors(c->repl, &found);
  rlx_named_tensors_free(&found);
  return NULL;
}

static RlxObject *make_loaded(Call *c, RlxError *err) {
  static const char *const none[] = {NULL};
  if (!keywords_known(c, none, err)) return NULL;
  if (c->text_count != 1 || c->count) return rlx_error_set(err, LOAD_TAKES), NULL;
  char *path = rlx_file_from_home(c->texts[0]);
  RlxObject *x = load_file(c, path, err);
  free(path);
  return x;
}

// ---- calls

static RlxObject *make(Call *c, RlxError *err) {
  return !strcmp(c->name, "load")     ? make_loaded(c, err)
         : !strcmp(c->name, "arange") ? make_range(c, err)
         : !strcmp(c->name, "zeros")  ? make_full(c, 0, err)
         : !strcmp(c->name, "ones")   ? make_full(c, 1, err)
                                      : make_random(c, !strcmp(c->name, "normal"), err);
}

static RlxObject *make_in_worker(void *data, RlxError *err) { return make(data, err); }

/// Whether it makes so many elements that somebody may want to end it.
static bool is_long(const Call *c) {
  enum { LONG = 1 << 22 };
  double product = 1;
  for (int i = 0; i < c->count; i++) product *= c->numbers[i].value;
  return strcmp(c->name, "load") != 0 && fabs(product) > (double)LONG;
}

/// The seed of the session's next random values, where none was given: a worker cannot take it.
static void give_seed(Call *c) {
  const bool is_random = !strcmp(c->name, "random") || !strcmp(c->name, "normal");
  if (!is_random || given_number(c, "seed") || c->keyword_count == KEYWORDS_MAX) return;
  const double seed = (double)rlx_repl_next_seed(c->repl);
  c->keywords[c->keyword_count++] = (Keyword){"seed", {RLX_NUMBER_INT, (int64_t)seed, seed}, NULL};
}

RlxObject *rlx_repl_data_call(RlxRepl *repl, const char *name, const RlxAst *call) {
  Call c = {.repl = repl, .name = name};
  RlxError err = {0};
  RlxObject *x = NULL;
  if (!read_call(&c, call, &err)) {
    rlx_text_say(stdout, "error: %s", err.text);
    return NULL;
  }
  if (is_long(&c)) {
    give_seed(&c);
    x = rlx_repl_made_apart(repl, name, make_in_worker, &c, false, &err);
  } else
    x = make(&c, &err);
  if (!x) rlx_text_say(stdout, "error: %s", err.text);
  return x;
}
