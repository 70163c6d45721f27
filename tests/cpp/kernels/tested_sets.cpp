#include "kernels/tested_sets.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "compiler/compiler.hpp"
#include "kernels/emulated.hpp"
#include "layer_kernels/layer_kernels.hpp"
#include "support/environment.hpp"
#include "support/guarded_buffer.hpp"
#include "support/kernel_sets.hpp"

// Whether the portable set is not one of the library's: the tests then add it.
#if defined(CONV2D_X86_64) || defined(CONV2D_AARCH64)
#define CONV2D_TEST_PORTABLE
#endif

#ifdef CONV2D_TEST_PORTABLE
namespace conv2d::micro_kernels {
extern const KernelSet kPortableKernels;
}
namespace conv2d::layer_kernels {
extern const LayerKernels kPortableLayerKernels;
}
#endif

namespace conv2d::test {

#if defined(CONV2D_X86_64)
extern const Operations kSse2Operations, kAvx2Operations, kAvx512Operations;
#elif defined(CONV2D_AARCH64)
extern const Operations kNeonOperations;
#elif defined(__wasm__)
extern const Operations kWasmOperations;
#endif
extern const Operations kPortableOperations;

namespace {

#if defined(_WIN32)
// A variable without a value does not exist there.
void setenv(const char* name, const char* value, int) { _putenv_s(name, value); }
void unsetenv(const char* name) { _putenv_s(name, ""); }
#endif

const Operations* operations_of(std::string_view set) {
#if defined(CONV2D_X86_64)
  if (set == "sse2") return &kSse2Operations;
  if (set == "avx2") return &kAvx2Operations;
  if (set == "avx512") return &kAvx512Operations;
#elif defined(CONV2D_AARCH64)
  if (set == "neon") return &kNeonOperations;
#elif defined(__wasm__)
  if (set == "wasm") return &kWasmOperations;
#else
  if (set == "portable") return &kPortableOperations;
#endif
  throw std::logic_error("no operations_*.cpp for " + std::string(set));
}

std::vector<TestedSet> all_sets() {
  std::vector<TestedSet> sets;
  for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
    sets.push_back({.kernels = set.kernels,
                    .operations = operations_of(set.kernels->instruction_set),
                    .runs_here = set.runs_here()});
  }
#if !defined(__EMSCRIPTEN__)
  // No emulated set where a real one covers 16 lanes; neither of them where the whole program runs in an emulator.
  const bool covered =
      std::ranges::any_of(sets, [](const TestedSet& set) { return set.runs_here && set.kernels->lanes == 16; });
  const bool wanted = environment("CONV2D_EMULATED_SETS") != "no";
#ifdef CONV2D_TEST_PORTABLE
  sets.push_back({&micro_kernels::kPortableKernels, &kPortableOperations, false, wanted});
#endif
  sets.push_back({&kEmulated512Kernels, &kEmulated512Operations, true, wanted && !covered});
#endif
  return sets;
}

}  // namespace

const std::vector<TestedSet>& tested_sets() {
  static const std::vector<TestedSet> sets = all_sets();
  return sets;
}

Exercised& exercised(const std::string& set) {
  static std::map<std::string, Exercised> by_set;
  return by_set[set];
}

std::vector<std::string> kernel_sets() {
  std::vector<std::string> names;
  for_each_set([&](const TestedSet& set) {
#if defined(CONV2D_TEST_ASAN)
    // Whole passes take minutes on emulated registers and do not need the sanitizer to detect over-reads.
    if (set.emulated) return;
#endif
    names.push_back(set.name());
  });
  return names;
}

RequestedSet::RequestedSet(const std::string& name) : before_(environment(kVariable)) {
  setenv(kVariable, name.c_str(), 1);
}

RequestedSet::~RequestedSet() {
  if (before_.empty()) {
    unsetenv(kVariable);
  } else {
    setenv(kVariable, before_.c_str(), 1);
  }
}

KernelSetScope::KernelSetScope(const std::string& name) : requested_(name) {
  const std::vector<std::string> all = kernel_sets();
  if (std::ranges::find(all, name) == all.end()) throw std::logic_error("no kernel set " + name);
  const std::string& chosen = requested_.before();
  if (name != (chosen.empty() ? micro_kernels::select({})->instruction_set : chosen)) part_ = 10;
  name_ = name;
  ++exercised(name).passes;
}

micro_kernels::KernelSet& custom_set() {
  static micro_kernels::KernelSet set;
  return set;
}

}  // namespace conv2d::test

/// The sets that only these tests have, in place of the library's empty list.
std::span<const conv2d::micro_kernels::CompiledSet> conv2d::micro_kernels::test_sets() noexcept {
  static const CompiledSet kSets[] = {
#ifdef CONV2D_TEST_PORTABLE
    {&kPortableKernels, {}},
#endif
#if !defined(__EMSCRIPTEN__)
    {&test::kEmulated512Kernels, {}},
#endif
    {&test::custom_set(), {}},
  };
  return kSets;
}

std::span<const conv2d::layer_kernels::LayerKernels* const> conv2d::layer_kernels::test_kernels() noexcept {
#if defined(__EMSCRIPTEN__)
  return {};
#else
  static const LayerKernels* const kTables[] = {
#ifdef CONV2D_TEST_PORTABLE
      &kPortableLayerKernels,
#endif
      &test::kEmulated512LayerKernels};
  return kTables;
#endif
}
