/// Symbolic integers from text, for tests: names, numbers, + - * // % comparisons, and, or, not,
/// min(a, b), max(a, b), abs(a), select(c, a, b), truncdiv(a, b), truncmod(a, b), i32(name). A
/// lower-case name is a dimension, an upper-case one any integer.
#ifndef RLX_TESTS_PRIM_TEXT_H
#define RLX_TESTS_PRIM_TEXT_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/struct_info/sinfo.h"

typedef struct PrimText {
  RlxStore *store;
  const char *at;
} PrimText;

static const RlxPrim *prim_text_or(PrimText *t);

static bool prim_text_word(PrimText *t, const char *word) {
  while (*t->at == ' ') t->at++;
  size_t n = strlen(word);
  if (strncmp(t->at, word, n) != 0) return false;
  if (isalnum((unsigned char)word[n - 1]) && (isalnum((unsigned char)t->at[n]) || t->at[n] == '_'))
    return false;
  t->at += n;
  return true;
}

static const RlxPrim *prim_text_var(PrimText *t, RlxDType dtype) {
  while (*t->at == ' ') t->at++;
  size_t n = 0;
  while (isalnum((unsigned char)t->at[n]) || t->at[n] == '_') n++;
  if (n == 0) {
    fprintf(stderr, "not an expression: %s\n", t->at);
    abort();
  }
  RlxName name = rlx_store_intern(t->store, t->at, n);
  const RlxPrim *var = rlx_prim_var(t->store, rlx_symvar(t->store, 1, name, dtype, false));
  if (islower((unsigned char)t->at[0])) rlx_sinfo_shape(t->store, &var, 1);
  t->at += n;
  return var;
}

static const RlxPrim *prim_text_atom(PrimText *t) {
  static const struct {
    const char *word;
    RlxPrimKind kind;
  } functions[] = {{"min(", RLX_PRIM_MIN},           {"max(", RLX_PRIM_MAX},
                   {"truncdiv(", RLX_PRIM_TRUNCDIV}, {"truncmod(", RLX_PRIM_TRUNCMOD},
                   {"shl(", RLX_PRIM_SHL},           {"shr(", RLX_PRIM_SHR},
                   {"bitand(", RLX_PRIM_BITAND},     {"bitor(", RLX_PRIM_BITOR}};
  while (*t->at == ' ') t->at++;
  if (isdigit((unsigned char)*t->at)) {
    char *end;
    int64_t value = strtoll(t->at, &end, 10);
    t->at = end;
    return rlx_prim_int(t->store, value);
  }
  if (prim_text_word(t, "-")) {
    const RlxPrim *a = prim_text_atom(t);
    return rlx_prim_sub(t->store, rlx_prim_int(t->store, 0), a);
  }
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    if (!prim_text_word(t, functions[i].word)) continue;
    const RlxPrim *a = prim_text_or(t);
    prim_text_word(t, ",");
    const RlxPrim *b = prim_text_or(t);
    prim_text_word(t, ")");
    return rlx_prim_binary(t->store, functions[i].kind, a, b);
  }
  if (prim_text_word(t, "select(")) {
    const RlxPrim *args[3];
    for (int i = 0; i < 3; i++) {
      args[i] = prim_text_or(t);
      prim_text_word(t, i < 2 ? "," : ")");
    }
    return rlx_prim_select(t->store, args[0], args[1], args[2]);
  }
  bool is_abs = prim_text_word(t, "abs(");
  if (is_abs || prim_text_word(t, "(")) {
    const RlxPrim *a = prim_text_or(t);
    prim_text_word(t, ")");
    return is_abs ? rlx_prim_unary(t->store, RLX_PRIM_ABS, a) : a;
  }
  if (prim_text_word(t, "i32(")) {
    const RlxPrim *a = prim_text_var(t, RLX_INT32);
    prim_text_word(t, ")");
    return a;
  }
  return prim_text_var(t, RLX_INT64);
}

static const RlxPrim *prim_text_product(PrimText *t) {
  const RlxPrim *a = prim_text_atom(t);
  for (;;) {
    RlxPrimKind kind;
    if (prim_text_word(t, "//"))
      kind = RLX_PRIM_FLOORDIV;
    else if (prim_text_word(t, "%"))
      kind = RLX_PRIM_FLOORMOD;
    else if (prim_text_word(t, "*"))
      kind = RLX_PRIM_MUL;
    else
      return a;
    a = rlx_prim_binary(t->store, kind, a, prim_text_atom(t));
  }
}

static const RlxPrim *prim_text_sum(PrimText *t) {
  const RlxPrim *a = prim_text_product(t);
  for (;;) {
    if (prim_text_word(t, "+"))
      a = rlx_prim_add(t->store, a, prim_text_product(t));
    else if (prim_text_word(t, "-"))
      a = rlx_prim_sub(t->store, a, prim_text_product(t));
    else
      return a;
  }
}

static const RlxPrim *prim_text_comparison(PrimText *t) {
  if (prim_text_word(t, "not"))
    return rlx_prim_unary(t->store, RLX_PRIM_NOT, prim_text_comparison(t));
  const RlxPrim *a = prim_text_sum(t);
  if (prim_text_word(t, "==")) return rlx_prim_binary(t->store, RLX_PRIM_EQ, a, prim_text_sum(t));
  if (prim_text_word(t, "!=")) return rlx_prim_binary(t->store, RLX_PRIM_NE, a, prim_text_sum(t));
  if (prim_text_word(t, "<=")) return rlx_prim_binary(t->store, RLX_PRIM_LE, a, prim_text_sum(t));
  if (prim_text_word(t, "<")) return rlx_prim_binary(t->store, RLX_PRIM_LT, a, prim_text_sum(t));
  if (prim_text_word(t, ">=")) return rlx_prim_binary(t->store, RLX_PRIM_LE, prim_text_sum(t), a);
  if (prim_text_word(t, ">")) return rlx_prim_binary(t->store, RLX_PRIM_LT, prim_text_sum(t), a);
  return a;
}

static const RlxPrim *prim_text_or(PrimText *t) {
  const RlxPrim *a = prim_text_comparison(t);
  for (;;) {
    if (prim_text_word(t, "and"))
      a = rlx_prim_binary(t->store, RLX_PRIM_AND, a, prim_text_comparison(t));
    else if (prim_text_word(t, "or"))
      a = rlx_prim_binary(t->store, RLX_PRIM_OR, a, prim_text_comparison(t));
    else
      return a;
  }
}

static inline const RlxPrim *prim_text(RlxStore *store, const char *text) {
  PrimText t = {store, text};
  const RlxPrim *p = prim_text_or(&t);
  while (*t.at == ' ') t.at++;
  if (*t.at) {
    fprintf(stderr, "not read to the end: %s\n", t.at);
    abort();
  }
  return p;
}

#endif
