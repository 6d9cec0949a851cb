/// Symbolic variables of a function, and dimensions that are texts: strings, and what is written of names that Python alone
/// knows. Always true: in a signature a string dimension declares its variables; elsewhere it mentions declared ones.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/refuse.h"
#include "base/hash.h"

/// Is `stmt` of the form `name = T.int64(4)`, which fixes a dimension of the signature up to 0.25? From
/// 0.26 on it is a variable of the body, whatever the signature has of that name.
static bool fixes_dimension(const RlxStore *store, const RlxStmt *stmt) {
  if (stmt->kind != RLX_STMT_ASSIGN || stmt->target_count != 1 ||
      stmt->targets[0]->kind != RLX_AST_NAME)
    return false;
  const RlxAst *call = stmt->value;
  if (!call || call->kind != RLX_AST_CALL || call->child_count != 2 ||
      call->children[1]->kind != RLX_AST_INT || call->children[1]->is_big)
    return false;
  const RlxAst *head = call->children[0];
  return head->kind == RLX_AST_ATTRIBUTE && strcmp(rlx_store_text(store, head->name), "int64") == 0;
}

enum { FIXED_LOOK = 16 }; ///< first statements that are looked at

static bool fixed_dimension(const RlxEval *e, RlxName name, int64_t *out) {
  const RlxBlock *body = e->fn->stmt->body;
  for (uint32_t i = 0; body && i < body->count && i < FIXED_LOOK; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if (!fixes_dimension(e->store, stmt) || stmt->targets[0]->name != name) continue;
    *out = stmt->value->children[1]->integer;
    return true;
  }
  return false;
}

/// The dtype of `name = T.float32()` among the first statements, `*out` unchanged when `stmt` is
/// none.
static bool declares_dtype(const RlxStore *store, const RlxStmt *stmt, RlxDType *out) {
  if (stmt->kind != RLX_STMT_ASSIGN || stmt->target_count != 1 ||
      stmt->targets[0]->kind != RLX_AST_NAME)
    return false;
  const RlxAst *call = stmt->value;
  if (!call || call->kind != RLX_AST_CALL || call->child_count != 1 ||
      call->children[0]->kind != RLX_AST_ATTRIBUTE)
    return false;
  const char *name = rlx_store_text(store, call->children[0]->name);
  RlxDType dtype;
  if (!rlx_dtype_parse(name, strlen(name), &dtype) || !rlx_dtype_known(dtype)) return false;
  *out = dtype;
  return true;
}

RlxDType rlx_declared_dtype(const RlxEval *e, RlxName name) {
  RlxDType dtype = RLX_INT64;
  const RlxBlock *body = e->fn ? e->fn->stmt->body : NULL;
  for (uint32_t i = 0;
       body && i < body->count && i < FIXED_LOOK && body->stmts[i]->kind == RLX_STMT_ASSIGN; i++)
    if (declares_dtype(e->store, body->stmts[i], &dtype) &&
        body->stmts[i]->targets[0]->name == name)
      return dtype;
  return RLX_INT64;
}

uint64_t rlx_fn_fixed_hash(const RlxFn *fn) {
  uint64_t hash = 0;
  const RlxBlock *body = fn->stmt->body;
  RlxDType dtype;
  for (uint32_t i = 0; body && i < body->count && i < FIXED_LOOK; i++)
    if (declares_dtype(fn->file->store, body->stmts[i], &dtype) &&
        !rlx_dtype_equal(dtype, RLX_INT64))
      hash = rlx_hash_mix(rlx_hash_mix(hash, body->stmts[i]->targets[0]->name),
                          (uint64_t)rlx_pack_dtype(dtype));
    else if (fixes_dimension(fn->file->store, body->stmts[i]))
      hash = rlx_hash_mix(rlx_hash_mix(hash, body->stmts[i]->targets[0]->name),
                          (uint64_t)body->stmts[i]->value->children[1]->integer);
  return hash;
}

/// The symbolic variable `name` of the function that is evaluated; in a signature it is declared by
/// this. A local function's signature declares its own, also where a function around it has one of
/// that name.
const RlxPrim *rlx_fn_symbol(RlxEval *e, RlxName name, RlxDType dtype) {
  uint64_t scope = 0;
  for (RlxFn *fn = e->fn; fn; fn = fn->outer) {
    if (!scope) scope = fn->function.scope;
    for (uint32_t i = rlx_fn_first_param(fn, name); i < fn->params.count; i++)
      if (fn->params.at[i].name == name && fn->params.at[i].value.kind == RLX_VALUE_PRIM)
        return fn->params.at[i].value.prim;
    if (e->is_signature) break;
  }
  int64_t fixed;
  if (e->fn && e->is_signature && e->fn->kind == RLX_ISLAND_RELAX && !rlx_eval_is_027(e) &&
      fixed_dimension(e, name, &fixed))
    return rlx_prim_int(e->store, fixed);
  const RlxPrim *prim = rlx_prim_var(e->store, rlx_symvar(e->store, scope, name, dtype, false));
  if (e->fn && e->is_signature) {
    RlxDef def = {.name = name, .stmt = e->fn->stmt, .span = e->fn->stmt->name_span};
    def.value.kind = RLX_VALUE_PRIM;
    def.value.prim = prim;
    rlx_vec_push(&e->fn->params, def);
  }
  return prim;
}

// ---- string dimensions: a recursive descent over + - * // % and calls

typedef struct Text {
  RlxEval *e;
  const char *at;
  RlxSpan span;
  RlxTermOf *term; ///< NULL: names are those of symbolic variables
  bool bad;
  int depth;
} Text;

static void blanks(Text *t) {
  while (*t->at == ' ' || *t->at == '\t' || *t->at == '\n') t->at++;
}

static const RlxPrim *sum(Text *t);
static const RlxPrim *comparison(Text *t);

static const RlxPrim *fail(Text *t) {
  t->bad = true;
  return rlx_prim_int(t->e->store, 0);
}

static const RlxPrim *text_symbol(Text *t, RlxName name) {
  RlxEval *e = t->e;
  if (e->env) {
    const RlxDef *def = rlx_env_get(e->env, name);
    rlx_vec_push(&e->reads, name);
    if (def && def->is_unbound) rlx_vec_push(&e->unbound_uses, ((RlxSymbolUse){def, t->span}));
    if (def && def->value.kind == RLX_VALUE_PRIM) return def->value.prim;
  }
  for (const RlxEnv *env = e->env                      ? e->env->parent
                           : e->fn && !e->is_signature ? e->fn->outer_env
                                                       : NULL;
       env; env = env->parent) {
    const RlxDef *def = rlx_env_get(env, name);
    if (!def || def->value.kind != RLX_VALUE_PRIM) continue;
    rlx_note_captured(e, def, t->span);
    return def->value.prim;
  }
  RlxValue v;
  if (!e->is_signature) rlx_note_read(e, name, true);
  if (!e->is_signature && e->analyzer->hooks->outer_value(e->file, e->stmt, name, &v) &&
      v.kind == RLX_VALUE_INT)
    return rlx_prim_int(e->store, v.integer);
  return rlx_fn_symbol(e, name, RLX_INT64);
}

static const RlxPrim *text_call(Text *t, const char *name, size_t size) {
  const RlxPrim *args[4];
  int count = 0;
  t->at++;
  blanks(t);
  while (*t->at && *t->at != ')' && count < 4 && !t->bad) {
    args[count++] = comparison(t);
    blanks(t);
    if (*t->at != ',') break;
    t->at++;
    blanks(t);
  }
  if (*t->at != ')' || !count) return fail(t);
  t->at++;
  const char *dot = memchr(name, '.', size);
  const char *last = dot ? dot + 1 : name;
  size_t length = size - (size_t)(last - name);
  static const struct {
    const char *name;
    RlxPrimKind kind;
  } binary[] = {{"min", RLX_PRIM_MIN},           {"max", RLX_PRIM_MAX},
                {"floordiv", RLX_PRIM_FLOORDIV}, {"floormod", RLX_PRIM_FLOORMOD},
                {"truncdiv", RLX_PRIM_TRUNCDIV}, {"truncmod", RLX_PRIM_TRUNCMOD}};
  for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++)
    if (count == 2 && strlen(binary[i].name) == length && memcmp(binary[i].name, last, length) == 0)
      return rlx_prim_binary(t->e->store, binary[i].kind, args[0], args[1]);
  if (count == 3 && ((length == 12 && memcmp(last, "if_then_else", 12) == 0) ||
                     (length == 6 && memcmp(last, "Select", 6) == 0)))
    return rlx_prim_select(t->e->store, args[0], args[1], args[2]);
  RlxDType dtype;
  if (count == 1 && rlx_dtype_parse(last, length, &dtype))
    return rlx_prim_cast(t->e->store, dtype, args[0]);
  return rlx_prim_call(t->e->store, rlx_store_intern(t->e->store, last, length), RLX_INT64, args,
                       count);
}

/// `cfg.sizes[0]`, whose first name was read, as one term.
static const RlxPrim *text_term(Text *t, const char *start) {
  for (int depth = 0; *t->at == '[' || depth;) {
    depth += (*t->at == '[') - (*t->at == ']');
    if (!*t->at++) return fail(t);
    while (!depth && (isalnum((unsigned char)*t->at) || *t->at == '_' || *t->at == '.')) t->at++;
  }
  const RlxPrim *term = t->term(t->e, start, (uint32_t)(t->at - start));
  return term ? term : fail(t);
}

/// Whether Python may find what a text names by a path or calls: the text is evaluated with the symbolic variables and the names of the
/// script around it. A variable has no members that are numbers, neither have R, T and I, and min and max want to know which is less.
static bool may_be_found(const Text *t, const char *start, size_t size) {
  RlxEval *e = t->e;
  const char *dot = memchr(start, '.', size);
  const bool is_call = *t->at == '(';
  if ((!dot && !is_call) || !e->fn || !rlx_refuse_may_tell(e)) return true;
  const RlxName root = rlx_store_intern(e->store, start, dot ? (size_t)(dot - start) : size);
  const char *text = rlx_store_text(e->store, root);
  RlxValue v;
  for (uint32_t i = rlx_fn_first_param(e->fn, root); i < e->fn->params.count; i++)
    if (e->fn->params.at[i].name == root && e->fn->params.at[i].value.kind == RLX_VALUE_PRIM)
      return is_call;
  rlx_note_read(e, root, true);
  const bool is_bound = e->analyzer->hooks->outer_value(e->file, e->fn->stmt, root, &v);
  if (is_bound || rlx_text_is_among(text, " R T I ")) {
    if (!is_bound) rlx_names_predefined(&e->analyzer->words, text, &v);
    return is_call || v.kind != RLX_VALUE_NAMESPACE ||
           !rlx_text_is_among(rlx_store_text(e->store, v.string), " R T I ");
  }
  if (rlx_names_is_builtin(text)) return strcmp(text, "min") != 0 && strcmp(text, "max") != 0;
  return rlx_fn_outermost(e->fn)->module && rlx_module_fn(rlx_fn_outermost(e->fn)->module, root);
}

static const RlxPrim *atom(Text *t) {
  blanks(t);
  if (t->bad || ++t->depth > 100) return fail(t);
  if (*t->at == '(') {
    t->at++;
    const RlxPrim *p = comparison(t);
    blanks(t);
    if (*t->at != ')') return fail(t);
    t->at++;
    return p;
  }
  if (*t->at == '-') {
    t->at++;
    return rlx_prim_sub(t->e->store, rlx_prim_int(t->e->store, 0), atom(t));
  }
  if (isdigit((unsigned char)*t->at)) {
    char *end = NULL;
    long long value = strtoll(t->at, &end, 10);
    t->at = end;
    return rlx_prim_int(t->e->store, value);
  }
  if (isalpha((unsigned char)*t->at) || *t->at == '_' || (unsigned char)*t->at >= 128) {
    const char *start = t->at;
    while (isalnum((unsigned char)*t->at) || *t->at == '_' || *t->at == '.' ||
           (unsigned char)*t->at >= 128)
      t->at++;
    if (t->term) return text_term(t, start);
    size_t size = (size_t)(t->at - start);
    if (!may_be_found(t, start, size)) return fail(t);
    if (*t->at == '(') return text_call(t, start, size);
    return text_symbol(t, rlx_store_intern(t->e->store, start, size));
  }
  return fail(t);
}

static const RlxPrim *product(Text *t) {
  const RlxPrim *p = atom(t);
  while (!t->bad) {
    blanks(t);
    if (*t->at == '*')
      t->at++, p = rlx_prim_mul(t->e->store, p, atom(t));
    else if (t->at[0] == '/' && t->at[1] == '/')
      t->at += 2, p = rlx_prim_floordiv(t->e->store, p, atom(t));
    else if (*t->at == '%')
      t->at++, p = rlx_prim_floormod(t->e->store, p, atom(t));
    else
      break;
  }
  return p;
}

static const RlxPrim *sum(Text *t) {
  const RlxPrim *p = product(t);
  while (!t->bad) {
    blanks(t);
    if (*t->at == '+')
      t->at++, p = rlx_prim_add(t->e->store, p, product(t));
    else if (*t->at == '-')
      t->at++, p = rlx_prim_sub(t->e->store, p, product(t));
    else
      break;
  }
  return p;
}

static const RlxPrim *comparison(Text *t) {
  static const struct {
    const char *text;
    RlxPrimKind kind;
    bool swapped;
  } ops[] = {{"<=", RLX_PRIM_LE, false}, {">=", RLX_PRIM_LE, true}, {"==", RLX_PRIM_EQ, false},
             {"!=", RLX_PRIM_NE, false}, {"<", RLX_PRIM_LT, false}, {">", RLX_PRIM_LT, true}};
  const RlxPrim *a = sum(t);
  blanks(t);
  for (size_t i = 0; i < sizeof ops / sizeof ops[0] && !t->bad; i++) {
    if (strncmp(t->at, ops[i].text, strlen(ops[i].text)) != 0) continue;
    t->at += strlen(ops[i].text);
    const RlxPrim *b = sum(t);
    return ops[i].swapped ? rlx_prim_binary(t->e->store, ops[i].kind, b, a)
                          : rlx_prim_binary(t->e->store, ops[i].kind, a, b);
  }
  return a;
}

const RlxPrim *rlx_prim_parse_text(RlxEval *e, const char *text, RlxSpan span) {
  Text t = {.e = e, .at = text, .span = span};
  const RlxPrim *p = comparison(&t);
  blanks(&t);
  return t.bad || *t.at ? NULL : p;
}

const RlxPrim *rlx_prim_parse_terms(RlxEval *e, const char *text, RlxTermOf *term) {
  Text t = {.e = e, .at = text, .term = term};
  const RlxPrim *p = sum(&t);
  blanks(&t);
  return t.bad || *t.at ? NULL : p;
}
