# rlx: `make` builds build/rlx; `make help` lists the rest. Sources are found by wildcard: to add a file, add the file.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DEFAULT_GOAL := all

SAN ?=
STRESS ?=
BUILD ?= build$(if $(STRESS),-stress)$(if $(SAN),-san)
PREFIX ?= /usr/local
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
DESTDIR ?=
ifeq ($(origin CC),default)
CC := cc
endif
PKG_CONFIG ?= pkg-config

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual -Wswitch-enum -Wstrict-prototypes \
  -Wmissing-prototypes -Wvla -Wundef -Wformat=2 -Wdouble-promotion
OPTIMIZE ?= $(if $(SAN),-O1,-O2) -g
COMMA := ,
SANITIZE := $(if $(SAN),-fsanitize=address$(COMMA)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -DRLX_STRICT)
DEFINES := -D_GNU_SOURCE $(if $(STRESS),-DRLX_STRESS -DRLX_STRICT)
LINKED := tree-sitter libcjson libedit libutf8proc libxxhash
PACKAGES := $(LINKED) libzip # which is loaded when it is needed (jit/runtime/zip.h)

# pkg-config is asked once per make, and only by targets that compile.
lazy = $(or $($(1)_cached),$(eval $(1)_cached := $(2))$($(1)_cached))
PKG_CFLAGS = $(call lazy,PKG_CFLAGS,$(shell $(PKG_CONFIG) --cflags $(PACKAGES)) -DRLX_NOTHING)
PKG_LIBS = $(call lazy,PKG_LIBS,$(shell $(PKG_CONFIG) --libs $(LINKED)) -lisl -lm -ldl)
CMOCKA = $(call lazy,CMOCKA,$(shell $(PKG_CONFIG) --cflags --libs cmocka) -lcmocka)

ALL_CFLAGS = -std=c17 $(WARNINGS) $(WERROR) $(OPTIMIZE) $(SANITIZE) $(DEFINES) -pthread -I. $(PKG_CFLAGS) $(CFLAGS)
# $ORIGIN finds librlx-llvm.so beside the program, in a test's ../.., and where `make install` puts it.
RPATH := -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib/rlx:$$ORIGIN/..:$$ORIGIN/../..'
ALL_LDFLAGS = $(SANITIZE) -pthread $(RPATH) $(LDFLAGS)

SOURCES := $(wildcard base/*.c config/*.c grammar/src/*.c analyzer/*.c analyzer/*/*.c jit/*.c \
  $(filter-out jit/llvm/%,$(wildcard jit/*/*.c)) server/*.c server/*/*.c repl/*.c cli/*.c)
LLVM_SOURCES := $(wildcard jit/llvm/*.c)
HEADERS := $(wildcard base/*.h config/*.h analyzer/*.h analyzer/*/*.h jit/*.h jit/*/*.h server/*.h server/*/*.h repl/*.h cli/*.h)
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIB := $(BUILD)/librlx.a
LIB_OBJECTS := $(filter-out $(BUILD)/obj/cli/main.o,$(OBJECTS))

TEST_SOURCES := $(wildcard tests/unit/*.c tests/prop/*.c tests/jit/*.c tests/grammar/*.c)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
QUICK_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))

# LLVM is looked for only when there is code for it: newest first, with its headers, 15 or later.
llvm_ok = $(shell v=$$($(1) --version 2>/dev/null) && [ "$${v%%.*}" -ge 15 ] && [ "$${v%%.*}" -le 19 ] && \
  [ -f "$$($(1) --includedir)/llvm-c/Core.h" ] && echo $(1))
ifneq ($(LLVM_SOURCES),)
ifeq ($(origin LLVM_CONFIG),undefined)
LLVM_CONFIG := $(firstword $(foreach c,llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15 \
  llvm-config,$(if $(FOUND_LLVM),,$(eval FOUND_LLVM := $(call llvm_ok,$c))$(FOUND_LLVM))))
endif
endif
PLUGIN := $(if $(LLVM_CONFIG),$(BUILD)/librlx-llvm.so)

.PHONY: all
all: $(BUILD)/rlx $(PLUGIN)
ifneq ($(LLVM_SOURCES),)
ifeq ($(LLVM_CONFIG),)
	@echo "note: no LLVM 15..19 found, so nothing can be evaluated; tools/setup.sh build installs one"
endif
endif

$(BUILD)/rlx: $(BUILD)/obj/cli/main.o $(LIB)
	@echo "  link $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

# The list of objects is a prerequisite, so that removing a source rebuilds the archive.
$(LIB): $(LIB_OBJECTS) $(BUILD)/objects.list
	@rm -f $@ && $(AR) rcs $@ $(LIB_OBJECTS)

$(BUILD)/objects.list: FORCE
	@mkdir -p $(@D); echo '$(LIB_OBJECTS)' | cmp -s - $@ || echo '$(LIB_OBJECTS)' >$@

# Flags and compiler are a prerequisite of every object.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LLVM_CONFIG)' | cmp -s - $@ || { \
	  $(PKG_CONFIG) --exists $(PACKAGES) || { echo "libraries are missing: run tools/setup.sh build" >&2; exit 1; }; \
	  echo '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LLVM_CONFIG)' >$@; }

.PHONY: FORCE
FORCE:

# Generated code: its warnings are not ours. It asks the compiler not to optimize its lexer, to compile faster.
$(BUILD)/obj/grammar/src/parser.o: grammar/src/parser.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@sed '/^#pragma.* optimize/d' $< >$(@:.o=.c)
	@$(CC) $(ALL_CFLAGS) -w -Igrammar/src -c -o $@ $(@:.o=.c)

$(BUILD)/obj/grammar/src/%.o: grammar/src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) $(ALL_CFLAGS) -DTREE_SITTER_REUSE_ALLOCATOR -Igrammar/src -MMD -MP -c -o $@ $<

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# What a worker calls is looked up once, when the program starts, not in each worker anew.
$(BUILD)/obj/jit/worker.o $(BUILD)/obj/jit/confine.o $(BUILD)/obj/jit/handover.o: ALL_CFLAGS += -fno-plt

# The list of spellings follows from the operators' rows; it is written only when it differs.
$(BUILD)/spellings.ok: $(filter-out analyzer/ops/spellings.def,$(wildcard analyzer/ops/*.def)) tools/op_spellings.sh
	@mkdir -p $(@D)
	@CC='$(CC)' tools/op_spellings.sh >$(@:.ok=.def) && grep -q RLX_SPELLING $(@:.ok=.def)
	@cmp -s $(@:.ok=.def) analyzer/ops/spellings.def || cp $(@:.ok=.def) analyzer/ops/spellings.def
	@touch $@
$(BUILD)/obj/analyzer/ops/op_table.o: $(BUILD)/spellings.ok

$(BUILD)/llvm/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  cc   $<"
	@$(CC) $(ALL_CFLAGS) -isystem $$($(LLVM_CONFIG) --includedir) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

# The plug-in may use base/ and jit/codegen/kernel.c: it carries its own copy, compiled for a shared object.
LLVM_OBJECTS := $(LLVM_SOURCES:%.c=$(BUILD)/llvm/%.o) $(patsubst %.c,$(BUILD)/llvm/%.o,$(wildcard base/*.c) jit/codegen/kernel.c)
$(BUILD)/librlx-llvm.so: $(LLVM_OBJECTS)
	@echo "  link $@"
	@$(CC) $(SANITIZE) -pthread $(LDFLAGS) -shared -Wl,--gc-sections -o $@ $^ $$($(LLVM_CONFIG) --ldflags --libs core orcjit native passes --link-shared) \
	  -Wl,-rpath,$$($(LLVM_CONFIG) --libdir) $$($(PKG_CONFIG) --libs libutf8proc) -lm

$(BUILD)/bench/%: bench/%.c $(LIB)
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(PKG_LIBS)

# A change in the library links the tests again, it does not compile them.
.SECONDARY: $(TEST_SOURCES:%.c=$(BUILD)/obj/%.o)
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(LIB)
	@mkdir -p $(@D)
	@$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(PKG_LIBS) $(CMOCKA)

-include $(OBJECTS:.o=.d) $(LLVM_OBJECTS:.o=.d) $(TEST_SOURCES:%.c=$(BUILD)/obj/%.d)

# ---- tests -----------------------------------------------------------------------------------------------------
.PHONY: tests quick check test test-extra update stress conformance bench try setup
FUZZ_SOURCES := $(wildcard tests/fuzz/*.c)
tests: $(TEST_PROGRAMS) $(FUZZ_SOURCES:%.c=$(BUILD)/obj/%.ok)
# The entries for fuzzing are linked by `make fuzz` and `make fuzz-replay` alone; that they compile is seen here.
$(BUILD)/obj/tests/fuzz/%.ok: tests/fuzz/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -fsyntax-only -MMD -MP -MT $@ -MF $(@:.ok=.d) $< && touch $@
-include $(FUZZ_SOURCES:%.c=$(BUILD)/obj/%.d)

quick: all $(QUICK_PROGRAMS) layers
	+@BUILD=$(BUILD) tests/run.sh quick

check: all tests
	+@BUILD=$(BUILD) tests/run.sh check

# As many jobs as there are processors, where nobody said how many.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

test: setup-test
	@$(MAKE) --no-print-directory $(JOBS) all tests
	+@BUILD=$(BUILD) tests/run.sh test

test-extra: setup-extra
	@$(MAKE) --no-print-directory $(JOBS) all tests
	+@BUILD=$(BUILD) tests/run.sh extra

update: all tests
	+@BUILD=$(BUILD) tests/run.sh update

stress:
	@$(MAKE) --no-print-directory SAN=1 STRESS=1 check

conformance: all
	@BUILD=$(BUILD) tools/conformance.sh

bench: all $(BUILD)/bench/deduce
	@BUILD=$(BUILD) python3 bench/run.py

try: setup-build
	@$(MAKE) --no-print-directory -s $(JOBS) all
	@BUILD=$(BUILD) tools/try.sh

-include editors/editors.mk

.PHONY: setup-build setup-test setup-extra
setup-build setup-test setup-extra: setup-%:
	@BUILD=$(BUILD) tools/setup.sh $*

# ---- fuzzing: one libFuzzer entry per tests/fuzz/fuzz_*.c; FUZZ_SECONDS each ----------------------------------------
FUZZ_SECONDS ?= 60
FUZZ_CC ?= $(firstword $(foreach c,clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang,$(shell command -v $c)))
FUZZ_NAMES := $(patsubst tests/fuzz/%.c,%,$(filter tests/fuzz/fuzz_%,$(FUZZ_SOURCES)))
.PHONY: fuzz fuzz-build fuzz-replay
fuzz-build: $(PLUGIN) # which the target of the JIT loads: of the same sources
	@$(MAKE) --no-print-directory BUILD=build-fuzz SAN=1 CC=$(FUZZ_CC) SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow,function -fno-sanitize-recover=undefined -DRLX_STRICT' build-fuzz/librlx.a
	@for f in $(FUZZ_NAMES); do $(FUZZ_CC) -std=c17 -O1 -g -D_GNU_SOURCE -DRLX_STRICT -fsanitize=fuzzer,address,undefined -pthread -I. $(PKG_CFLAGS) \
	  -o build-fuzz/$$f tests/fuzz/$$f.c build-fuzz/librlx.a $(PKG_LIBS) || exit 1; done

fuzz: fuzz-build
	@for f in $(FUZZ_NAMES); do mkdir -p build-fuzz/corpus/$$f; echo "fuzz $$f for $(FUZZ_SECONDS) s"; \
	  build-fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	  -artifact_prefix=build-fuzz/$$f- build-fuzz/corpus/$$f $$(ls -d tests/fuzz/seeds/$$f 2>/dev/null) >build-fuzz/$$f.log 2>&1 \
	  || { tail -40 build-fuzz/$$f.log; exit 1; }; tail -8 build-fuzz/$$f.log; done

# The same entries behind a plain main that replays files: build/tests/fuzz/fuzz_NAME FILE…
fuzz-replay: $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz/%)
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(LIB)
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ tests/fuzz/$*.c tests/fuzz/replay.c $(LIB) $(PKG_LIBS)

# ---- hygiene ---------------------------------------------------------------------------------------------------
OWN_C := $(filter-out grammar/src/parser.c grammar/src/tree_sitter/%,$(SOURCES) $(LLVM_SOURCES) $(HEADERS) \
  $(wildcard tests/*.h tests/unit/*.[ch] tests/prop/*.[ch] tests/jit/*.[ch] tests/ref/*.[ch] tests/fuzz/*.c))
CLANG_FORMAT ?= $(firstword $(foreach c,clang-format-19 clang-format-18 clang-format-17 clang-format-16 clang-format-15,$(shell command -v $c)) clang-format)
CLANG_TIDY ?= $(firstword $(foreach c,clang-tidy-19 clang-tidy-18 clang-tidy-17 clang-tidy-16 clang-tidy-15,$(shell command -v $c)) clang-tidy)
TIDY ?= $(filter-out grammar/src/parser.c,$(SOURCES))
.PHONY: format format-check tidy clang-warnings layers headers
format:
	@$(CLANG_FORMAT) -i $(OWN_C)

format-check:
	@$(CLANG_FORMAT) --dry-run -Werror $(OWN_C)

tidy:
	@$(CLANG_TIDY) --quiet $(TIDY) -- -std=c17 $(DEFINES) -I. -Igrammar/src $(PKG_CFLAGS)

# What clang warns of and gcc does not.
clang-warnings:
	@$(FUZZ_CC) -std=c17 $(WARNINGS) -Werror $(DEFINES) -I. -Igrammar/src -I$(BUILD) $(PKG_CFLAGS) -fsyntax-only $(filter-out grammar/src/parser.c,$(SOURCES))

layers:
	@tools/layers.py
	@tools/generate_rooms --check

# Every header compiles alone.
headers: $(HEADERS:%=$(BUILD)/headers/%.ok)
$(BUILD)/headers/%.ok: % $(BUILD)/flags
	@mkdir -p $(@D); printf '#include "%s"\nextern int rlx_header_alone;\n' $< >$(@:.ok=.c)
	@$(CC) $(ALL_CFLAGS) $(if $(findstring jit/llvm/,$<),$(if $(LLVM_CONFIG),-isystem $$($(LLVM_CONFIG) --includedir))) -Wno-unused-function -fsyntax-only $(@:.ok=.c) && touch $@

# ---- install ---------------------------------------------------------------------------------------------------
.PHONY: install uninstall clean help
install: all
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/doc/rlx/docs/images'
	install -m 755 $(BUILD)/rlx '$(DESTDIR)$(PREFIX)/bin/rlx'
	$(if $(PLUGIN),install -d '$(DESTDIR)$(PREFIX)/lib/rlx')
	$(if $(PLUGIN),install -m 755 $(PLUGIN) '$(DESTDIR)$(PREFIX)/lib/rlx/')
	install -m 644 README.md CHANGELOG.md LICENSE '$(DESTDIR)$(PREFIX)/share/doc/rlx/'
	install -m 644 docs/*.md '$(DESTDIR)$(PREFIX)/share/doc/rlx/docs/'
	install -m 644 docs/images/* '$(DESTDIR)$(PREFIX)/share/doc/rlx/docs/images/'

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/rlx'
	rm -rf '$(DESTDIR)$(PREFIX)/lib/rlx' '$(DESTDIR)$(PREFIX)/share/doc/rlx'

clean:
	rm -rf build build-san build-stress build-stress-san build-fuzz

help:
	@echo 'make                 build/rlx, and build/librlx-llvm.so where LLVM 15..19 is found'
	@echo 'make try             install what is missing, build, show it on the examples'
	@echo 'make test            install what is missing, run everything a contributor and CI run (< 15 min)'
	@echo 'make check           tests that need nothing but the build (< 1 min); SAN=1 adds ASan and UBSan'
	@echo 'make quick           the fast part of check;  make update  rewrites the goldens'
	@echo 'make test-extra      browsers, long fuzzing;  make fuzz FUZZ_SECONDS=600;  make stress'
	@echo 'make conformance     figures over ../shared/conformance;  make bench'
	@echo 'make vscode          editors/vscode/rlx.vsix;  make editors-test;  make vscode-test'
	@echo 'make layers headers format format-check tidy clang-warnings'
	@echo 'make install PREFIX= [DESTDIR=];  make clean'
	@echo 'variables: CC BUILD SAN=1 STRESS=1 WERROR=-Werror LLVM_CONFIG PREFIX'
