/// The plug-in's only export: engines, units, texts. One LLVM context per unit, one resource
/// tracker per unit, so that dropping a unit gives all of its memory back.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <llvm/Config/llvm-config.h>

#include "base/hash.h"
#include "base/mem.h"
#include "jit/llvm/emit.h"
#include "jit/llvm/region.h"
#include "jit/plan/plan.h"

struct RlxEngine {
  LLVMOrcLLJITRef jit;
  LLVMOrcLLJITRef
      quick; // for long bodies and quick units: the code generator's least effort; made when needed
  Region *region; // of the quick one; NULL: it has none
  LLVMTargetMachineRef machine;
  RlxEngineOptions options;
  RlxTarget target;
  uint64_t next_unit; // makes symbols unique
};

typedef struct Symbol {
  char *symbol;
  RlxKernelFn *address;
} Symbol;

struct RlxCode {
  RlxEngine *engine;
  LLVMOrcResourceTrackerRef tracker;
  void *pages; // in the region; NULL: it is elsewhere
  size_t pages_size;
  Vec(Symbol) kernels;
  Sites sites;
};

/// True when `failure` is NULL; else moves its text into `err`. Consumes `failure` either way.
static bool llvm_ok(LLVMErrorRef failure, RlxError *err) {
  if (!failure) return true;
  char *text = LLVMGetErrorMessage(failure);
  rlx_error_set(err, "LLVM: %s", text);
  LLVMDisposeErrorMessage(text);
  return false;
}

// ---- engines

static LLVMTargetMachineRef host_machine(int opt_level, RlxError *err) {
  char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(),
       *features = LLVMGetHostCPUFeatures(), *why = NULL;
  LLVMTargetRef target;
  LLVMTargetMachineRef machine = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &why)) {
    rlx_error_set(err, "LLVM: %s", why);
    LLVMDisposeMessage(why);
  } else {
    LLVMCodeGenOptLevel level = opt_level <= 0   ? LLVMCodeGenLevelNone
                                : opt_level == 1 ? LLVMCodeGenLevelLess
                                                 : LLVMCodeGenLevelDefault;
    machine = LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                      LLVMCodeModelJITDefault);
    if (!machine) rlx_error_set(err, "LLVM has no code generator for this machine");
  }
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return machine;
}

static RlxTarget describe_host(void) {
  char *features = LLVMGetHostCPUFeatures();
  RlxTarget t = {.vector_bytes = 16, .vector_registers = 16, .threads = 1};
#if defined(__aarch64__)
  t.vector_registers = 32;
#endif
  if (strstr(features, "+avx2")) t.vector_bytes = 32;
  if (strstr(features, "+avx512f") && strstr(features, "+avx512vl")) {
    t.vector_bytes = 64;
    t.vector_registers = 32;
  }
  LLVMDisposeMessage(features);
  return t;
}

static void engine_free(RlxEngine *engine) {
  if (!engine) return;
  LLVMOrcLLJITRef jits[2] = {engine->jit, engine->quick};
  for (int i = 0; i < 2; i++) {
    LLVMErrorRef failure = jits[i] ? LLVMOrcDisposeLLJIT(jits[i]) : NULL;
    if (failure) LLVMConsumeError(failure);
  }
  region_free(engine->region);
  if (engine->machine) LLVMDisposeTargetMachine(engine->machine);
  free(engine);
}

/// `region` may be NULL.
static bool start_jit(LLVMOrcLLJITRef *jit, int opt_level, Region *region, RlxError *err) {
  LLVMTargetMachineRef machine = host_machine(opt_level, err);
  if (!machine) return false;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  region_use(region, builder);
  if (!llvm_ok(LLVMOrcCreateLLJIT(jit, builder), err)) return false;
  LLVMOrcDefinitionGeneratorRef process;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(*jit);
  if (!llvm_ok(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, prefix, NULL, NULL),
               err))
    return false;
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*jit), process);
  return true;
}

static RlxEngine *engine_new(const RlxEngineOptions *options, RlxError *err) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
  RlxEngine *engine = rlx_mem_zeroed(1, sizeof *engine);
  engine->options.opt_level = 2;
  if (options) engine->options = *options;
  if (engine->options.opt_level < 0) engine->options.opt_level = 2;
  engine->target = describe_host();
  engine->machine = host_machine(engine->options.opt_level, err);
  if (engine->machine && start_jit(&engine->jit, engine->options.opt_level, NULL, err))
    return engine;
  engine_free(engine);
  return NULL;
}

static RlxTarget engine_target(const RlxEngine *engine) { return engine->target; }

// ---- units

static void code_free(RlxCode *code) {
  if (!code) return;
  if (code->tracker) {
    LLVMErrorRef failure = LLVMOrcResourceTrackerRemove(code->tracker);
    if (failure) LLVMConsumeError(failure);
    LLVMOrcReleaseResourceTracker(code->tracker);
  }
  for (uint32_t i = 0; i < code->kernels.count; i++) free(code->kernels.at[i].symbol);
  rlx_vec_free(&code->kernels);
  for (uint32_t i = 0; i < code->sites.count; i++) {
    free(code->sites.at[i].function);
    free(code->sites.at[i].text);
  }
  rlx_vec_free(&code->sites);
  free(code);
}

static LLVMModuleRef new_module(RlxEngine *engine, LLVMContextRef c) {
  LLVMModuleRef m = LLVMModuleCreateWithNameInContext("unit", c);
  char *triple = LLVMGetTargetMachineTriple(engine->machine);
  LLVMSetTarget(m, triple);
  LLVMDisposeMessage(triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(engine->machine);
  LLVMSetModuleDataLayout(m, layout);
  LLVMDisposeTargetData(layout);
  return m;
}

/// The module of a unit; NULL on failure. `prefix` goes before each symbol.
static LLVMModuleRef build_module(RlxEngine *engine, LLVMContextRef c, const RlxUnit *unit,
                                  const char *prefix, Sites *sites, RlxError *err) {
  LLVMModuleRef m = new_module(engine, c);
  Emit e = {.c = c,
            .m = m,
            .b = LLVMCreateBuilderInContext(c),
            .names = unit->names,
            .sites = sites,
            .err = err,
            .options = &engine->options,
            .fast_math = engine->options.fast_math,
            .vector_bytes = engine->target.vector_bytes};
  bool ok = true;
  for (int i = 0; i < unit->func_count && ok; i++) {
    char symbol[256];
    snprintf(symbol, sizeof symbol, "%s%.200s", prefix, unit->funcs[i].symbol);
    ok = emit_primfunc(&e, &unit->funcs[i], symbol);
  }
  LLVMDisposeBuilder(e.b);
  char *why = NULL;
  if (ok && engine->options.verify && LLVMVerifyModule(m, LLVMReturnStatusAction, &why))
    ok = rlx_error_set(err, "the generated code is not valid: %s", why);
  if (why) LLVMDisposeMessage(why);
  if (ok) return m;
  LLVMDisposeModule(m);
  return NULL;
}

#if LLVM_VERSION_MAJOR >= 18
#define COMBINE "instcombine<no-verify-fixpoint>"
#else
#define COMBINE "instcombine"
#endif

/// What our code needs of default<O2>, in a third of its time: there are no calls to inline, and
/// explicit vectors need no unrolling. Measured on a matmul of 256: 15 instead of 39 ms, the same
/// code speed.
static const char level2[] =
    "function(sroa,early-cse<memssa>,simplifycfg," COMBINE
    ",loop-mssa(loop-rotate,licm,simple-loop-unswitch),simplifycfg," COMBINE
    ",loop(indvars,loop-idiom,loop-deletion),loop-vectorize," COMBINE
    ",slp-vectorizer,loop-unroll<O2>,loop-mssa(licm),early-cse<memssa>," COMBINE ",simplifycfg)";

/// Bodies are calls with a little between them.
static const char body_passes[] =
    "always-inline,function(sroa,early-cse<memssa>,simplifycfg," COMBINE ")";

/// A body of many steps runs long kernels once each: what the code between them costs does not
/// show, but its compile time does.
enum { LONG_BODY = 48 };
static const char long_body_passes[] = "always-inline";

static bool optimise(RlxEngine *engine, LLVMModuleRef m, const char *body, RlxError *err) {
  static const char *const passes[] = {"", "function(sroa,early-cse,simplifycfg)", level2,
                                       "default<O3>"};
  int level = engine->options.opt_level;
  if (level <= 0) return true;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
  bool ok = llvm_ok(
      LLVMRunPasses(m, body ? body : passes[level > 3 ? 3 : level], engine->machine, options), err);
#ifdef __SANITIZE_THREAD__
  ok = ok && llvm_ok(LLVMRunPasses(m, "function(tsan)", engine->machine, options), err);
#endif
  LLVMDisposePassBuilderOptions(options);
  return ok;
}

/// For code that runs too short to be worth more: values in registers, and the code generator's
/// least effort. Any other pass takes longer than what it saves in all runs.
static const char quick_passes[] = "function(sroa)";

/// The JIT of quick code and long bodies; made when first needed. NULL and `err`.
static LLVMOrcLLJITRef quick_jit(RlxEngine *engine, RlxError *err) {
  if (engine->quick) return engine->quick;
  if (!engine->region) engine->region = region_new();
  if (!start_jit(&engine->quick, 0, engine->region, err)) return NULL;
  return engine->quick;
}

/// Defines the extern functions that the host knows; those of the C library are found by the
/// process generator.
static bool resolve_externs(RlxEngine *engine, LLVMOrcLLJITRef jit, LLVMModuleRef m,
                            void *(*helper)(const char *), RlxError *err) {
  LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(jit);
  for (LLVMValueRef fn = LLVMGetFirstFunction(m); fn; fn = LLVMGetNextFunction(fn)) {
    if (!LLVMIsDeclaration(fn) || LLVMGetIntrinsicID(fn) || !LLVMGetFirstUse(fn)) continue;
    size_t size;
    const char *name = LLVMGetValueName2(fn, &size);
    void *address = helper ? helper(name) : NULL;
    if (!address)
      address =
          engine->options.resolve ? engine->options.resolve(name, engine->options.user) : NULL;
#ifdef __SANITIZE_THREAD__ // gcc's library watches memset itself
    if (!address && strncmp(name, "__tsan_mem", 10) == 0) address = dlsym(RTLD_DEFAULT, name + 7);
#endif
    if (!address) {
      if (!dlsym(RTLD_DEFAULT, name))
        return rlx_error_set(err, "extern function `%s` is not known", name);
      continue;
    }
    LLVMOrcCSymbolMapPair pair = {
        LLVMOrcLLJITMangleAndIntern(jit, name),
        {(LLVMOrcExecutorAddress)(uintptr_t)address,
         {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0}}};
    LLVMOrcMaterializationUnitRef definition = LLVMOrcAbsoluteSymbols(&pair, 1);
    LLVMErrorRef failure = LLVMOrcJITDylibDefine(dylib, definition);
    if (!failure) continue;
    LLVMConsumeError(failure); // defined by an earlier unit: the same function
    LLVMOrcDisposeMaterializationUnit(definition);
  }
  return true;
}

static bool look_up(RlxCode *code, LLVMOrcLLJITRef jit, const RlxUnit *unit, const char *prefix,
                    RlxError *err) {
  for (int i = 0; i < unit->func_count; i++) {
    char symbol[256];
    snprintf(symbol, sizeof symbol, "%s%.200s", prefix, unit->funcs[i].symbol);
    LLVMOrcExecutorAddress address;
    if (!llvm_ok(LLVMOrcLLJITLookup(jit, &address, symbol), err)) return false;
    RlxKernelFn *fn;
    uintptr_t raw = (uintptr_t)address;
    memcpy(&fn, &raw, sizeof fn);
    rlx_vec_push(&code->kernels, (Symbol){rlx_mem_strdup(unit->funcs[i].symbol), fn});
  }
  return true;
}

static RlxCode *compile(RlxEngine *engine, const RlxUnit *unit, RlxError *err) {
  RlxCode *code = rlx_mem_zeroed(1, sizeof *code);
  code->engine = engine;
  LLVMOrcLLJITRef jit = unit->is_quick ? quick_jit(engine, err) : engine->jit;
  if (!jit) return code_free(code), NULL;
  char prefix[32];
  snprintf(prefix, sizeof prefix, "u%llu.", (unsigned long long)++engine->next_unit);
  LLVMOrcThreadSafeContextRef safe = LLVMOrcCreateNewThreadSafeContext();
  LLVMModuleRef m = build_module(engine, LLVMOrcThreadSafeContextGetContext(safe), unit, prefix,
                                 &code->sites, err);
  bool ok = m && optimise(engine, m, unit->is_quick ? quick_passes : NULL, err) &&
            resolve_externs(engine, jit, m, engine->options.helper, err);
  if (!ok && m) LLVMDisposeModule(m);
  if (ok) {
    LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(m, safe);
    code->tracker = LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(jit));
    ok = llvm_ok(LLVMOrcLLJITAddLLVMIRModuleWithRT(jit, code->tracker, module), err);
    if (!ok) LLVMOrcDisposeThreadSafeModule(module);
  }
  LLVMOrcDisposeThreadSafeContext(safe);
  if (!ok || !look_up(code, jit, unit, prefix, err)) return code_free(code), NULL;
  if (unit->is_quick) code->pages = region_last(engine->region, &code->pages_size);
  return code;
}

// ---- bodies of Relax functions

struct RlxBodyDraft {
  RlxEngine *engine;
  LLVMOrcThreadSafeContextRef safe;
  LLVMModuleRef m; // NULL: given to the engine
  char name[200];
  bool is_long;
};

static void body_drop(RlxBodyDraft *draft) {
  if (!draft) return;
  if (draft->m) LLVMDisposeModule(draft->m);
  LLVMOrcDisposeThreadSafeContext(draft->safe);
  free(draft);
}

static RlxBodyDraft *body_draft(RlxEngine *engine, const Plan *plan, const RlxInterner *names,
                                uint64_t *out_hash, RlxError *err) {
  RlxBodyDraft *draft = rlx_mem_zeroed(1, sizeof *draft);
  draft->engine = engine;
  draft->safe = LLVMOrcCreateNewThreadSafeContext();
  LLVMContextRef c = LLVMOrcThreadSafeContextGetContext(draft->safe);
  draft->m = new_module(engine, c);
  snprintf(draft->name, sizeof draft->name, "%.180s", *plan->name ? plan->name : "function");
  Sites sites = {0};
  Emit e = {.c = c,
            .m = draft->m,
            .b = LLVMCreateBuilderInContext(c),
            .names = names,
            .sites = &sites,
            .err = err,
            .options = &engine->options,
            .vector_bytes = engine->target.vector_bytes};
  draft->is_long = plan->steps.count > LONG_BODY;
  bool ok = emit_body(&e, plan, draft->name);
  LLVMDisposeBuilder(e.b);
  rlx_vec_free(&sites); // a kernel that can fail is not inlined
  char *why = NULL;
  if (ok && engine->options.verify && LLVMVerifyModule(draft->m, LLVMReturnStatusAction, &why))
    ok = rlx_error_set(err, "the generated code is not valid: %s", why);
  if (why) LLVMDisposeMessage(why);
  if (!ok) return body_drop(draft), NULL;
  LLVMMemoryBufferRef bits = LLVMWriteBitcodeToMemoryBuffer(draft->m);
  *out_hash = rlx_hash_bytes(LLVMGetBufferStart(bits), LLVMGetBufferSize(bits), 0);
  LLVMDisposeMemoryBuffer(bits);
  return draft;
}

static void *body_address(LLVMOrcLLJITRef jit, const char *name, RlxError *err) {
  LLVMOrcExecutorAddress address;
  if (!llvm_ok(LLVMOrcLLJITLookup(jit, &address, name), err)) return NULL;
  return (void *)(uintptr_t)address;
}

static bool body_compile(RlxBodyDraft *draft, RlxBodyCode *out, RlxError *err) {
  RlxEngine *engine = draft->engine;
  char fast[256], entry[264], from[264];
  snprintf(fast, sizeof fast, "b%llu.%s", (unsigned long long)++engine->next_unit, draft->name);
  snprintf(entry, sizeof entry, "%s.entry", fast);
  snprintf(from, sizeof from, "%s.entry", draft->name);
  LLVMOrcLLJITRef jit = draft->is_long ? quick_jit(engine, err) : engine->jit;
  if (!jit) return false;
  LLVMSetValueName2(LLVMGetNamedFunction(draft->m, draft->name), fast, strlen(fast));
  LLVMSetValueName2(LLVMGetNamedFunction(draft->m, from), entry, strlen(entry));
  if (!optimise(engine, draft->m, draft->is_long ? long_body_passes : body_passes, err) ||
      !resolve_externs(engine, jit, draft->m, engine->options.helper, err))
    return false;
  RlxCode *code = rlx_mem_zeroed(1, sizeof *code);
  code->engine = engine;
  LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(draft->m, draft->safe);
  draft->m = NULL;
  code->tracker = LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(jit));
  bool ok = llvm_ok(LLVMOrcLLJITAddLLVMIRModuleWithRT(jit, code->tracker, module), err);
  if (!ok) LLVMOrcDisposeThreadSafeModule(module);
  *out = (RlxBodyCode){code, NULL, NULL};
  ok = ok && (out->entry = body_address(jit, entry, err)) &&
       (out->fast = body_address(jit, fast, err));
  if (!ok) code_free(code);
  return ok;
}

static RlxKernelFn *kernel(const RlxCode *code, const char *symbol) {
  for (uint32_t i = 0; i < code->kernels.count; i++)
    if (!strcmp(code->kernels.at[i].symbol, symbol)) return code->kernels.at[i].address;
  return NULL;
}

static void *code_pages(const RlxCode *code, size_t *out_size) {
  *out_size = code->pages_size;
  return code->pages;
}

static RlxFault describe(const RlxCode *code, int32_t status, const RlxKernelContext *ctx,
                         RlxBuf *out, RlxSpan *out_span) {
  if (out_span) *out_span = rlx_span(0, 0);
  if (status < 1 || (uint32_t)status > code->sites.count) {
    rlx_buf_printf(out, "kernel failed with status %d", (int)status);
    return RLX_FAULT_OTHER;
  }
  const Site *site = &code->sites.at[status - 1];
  if (out_span) *out_span = site->span;
  rlx_buf_printf(out, "%s: ", site->function);
  if (site->kind == SITE_ASSERT)
    rlx_buf_puts(out, site->text);
  else if (site->kind == SITE_MEMORY)
    rlx_buf_printf(out, "no memory for %lld bytes of `%s`", (long long)ctx->failure.extent,
                   site->text);
  else
    rlx_buf_printf(out, "index %lld is out of bounds for dimension %d of %s%s%s, extent %lld",
                   (long long)ctx->failure.index, site->dim, site->kind == SITE_RESULT ? "" : "`",
                   site->text, site->kind == SITE_RESULT ? "" : "`",
                   (long long)ctx->failure.extent);
  return site->kind == SITE_ASSERT   ? RLX_FAULT_ASSERTION
         : site->kind == SITE_MEMORY ? RLX_FAULT_OTHER
                                     : RLX_FAULT_INDEX;
}

/// The text of `m` as it is compiled: with the passes `body`, and in a JIT of quick code.
static bool module_text(RlxEngine *engine, LLVMModuleRef m, const char *body, bool is_quick,
                        RlxUnitText kind, RlxBuf *out, RlxError *err) {
  bool ok = kind == RLX_TEXT_LLVM_RAW || optimise(engine, m, body, err);
  if (ok && kind != RLX_TEXT_ASM) {
    char *printed = LLVMPrintModuleToString(m);
    rlx_buf_puts(out, printed);
    LLVMDisposeMessage(printed);
  } else if (ok) {
    LLVMMemoryBufferRef buffer;
    char *why = NULL;
    LLVMTargetMachineRef quick = is_quick ? host_machine(0, err) : NULL;
    if (is_quick && !quick) return false;
    ok = !LLVMTargetMachineEmitToMemoryBuffer(quick ? quick : engine->machine, m, LLVMAssemblyFile,
                                              &why, &buffer);
    if (quick) LLVMDisposeTargetMachine(quick);
    if (ok) {
      rlx_buf_putn(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
      LLVMDisposeMemoryBuffer(buffer);
    } else {
      rlx_error_set(err, "LLVM: %s", why);
      LLVMDisposeMessage(why);
    }
  }
  return ok;
}

static bool body_text(RlxBodyDraft *draft, RlxUnitText kind, RlxBuf *out, RlxError *err) {
  return module_text(draft->engine, draft->m, draft->is_long ? long_body_passes : body_passes,
                     draft->is_long, kind, out, err);
}

static bool text(RlxEngine *engine, const RlxUnit *unit, RlxUnitText kind, RlxBuf *out,
                 RlxError *err) {
  LLVMContextRef c = LLVMContextCreate();
  Sites sites = {0};
  LLVMModuleRef m = build_module(engine, c, unit, "", &sites, err);
  bool ok = m && module_text(engine, m, unit->is_quick ? quick_passes : NULL, unit->is_quick, kind,
                             out, err);
  if (m) LLVMDisposeModule(m);
  LLVMContextDispose(c);
  for (uint32_t i = 0; i < sites.count; i++) {
    free(sites.at[i].function);
    free(sites.at[i].text);
  }
  rlx_vec_free(&sites);
  return ok;
}

static const RlxLlvmApi api = {
    .version = RLX_LLVM_API_VERSION,
    .size = sizeof(RlxLlvmApi),
    .llvm_version = LLVM_VERSION_STRING,
    .engine_new = engine_new,
    .engine_free = engine_free,
    .target = engine_target,
    .compile = compile,
    .code_free = code_free,
    .kernel = kernel,
    .code_pages = code_pages,
    .describe = describe,
    .text = text,
    .body_draft = body_draft,
    .body_compile = body_compile,
    .body_text = body_text,
    .body_drop = body_drop,
    .inherit = rlx_llvm_inherit,
};

__attribute__((visibility("default"))) const RlxLlvmApi *rlx_llvm_api(void);
const RlxLlvmApi *rlx_llvm_api(void) {
  rlx_llvm_watch_memory();
  return &api;
}
