#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "compiler/compiler.hpp"
#include "conv2d/conv2d.hpp"
#include "kernels/tested_sets.hpp"
#include "simd/batch.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;
using micro_kernels::CompiledSet;

namespace {

constexpr ConvDesc kSmall{.h = 6, .w = 5, .c = 5, .k = 7, .kh = 3, .kw = 2};

/// The fastest instruction set according to xsimd, which does not ask for AVX512VL; all processors with AVX512BW have
/// it.
std::string fastest_by_xsimd() {
#if defined(CONV2D_X86_64)
  const auto machine = xsimd::available_architectures();
  const bool avx2 = machine.has(xsimd::avx2{}) && machine.has(xsimd::fma3<xsimd::avx2>{});
  const bool avx512 = machine.has(xsimd::avx512f{}) && machine.has(xsimd::avx512cd{}) &&
                      machine.has(xsimd::avx512dq{}) && machine.has(xsimd::avx512bw{});
  return avx2 && avx512 ? "avx512" : avx2 ? "avx2" : "sse2";
#elif defined(CONV2D_AARCH64)
  return "neon";
#elif defined(__wasm__)
  return "wasm";
#else
  return "portable";
#endif
}

}  // namespace

TEST_CASE("the library chooses the fastest instruction set of the processor") {
  const micro_kernels::KernelSet* fastest = micro_kernels::select({});
  REQUIRE(fastest != nullptr);
  CHECK(fastest->instruction_set == fastest_by_xsimd());
  CHECK(micro_kernels::compiled_sets().back().runs_here());
  for (const CompiledSet& set : micro_kernels::compiled_sets()) {
    const micro_kernels::KernelSet* by_name = micro_kernels::select(set.kernels->instruction_set);
    CHECK(by_name == (set.runs_here() ? set.kernels : nullptr));
  }
}

#if defined(CONV2D_X86_64) && CONV2D_GNU_LANGUAGE  // MSVC has one option for several extensions
TEST_CASE("an instruction set requires every processor extension that it is compiled with") {
  // The flags are those of cpp/cmake/InstructionSets.cmake.
  const auto [name, flags] = GENERATE(std::pair{"sse2", CONV2D_FLAGS_SSE2}, std::pair{"avx2", CONV2D_FLAGS_AVX2},
                                      std::pair{"avx512", CONV2D_FLAGS_AVX512});
  std::set<std::string> compiled;
  std::istringstream words(flags);
  for (std::string flag; words >> flag;) {
    if (flag.starts_with("-m")) compiled.insert(flag.substr(2));
  }
  for (const CompiledSet& set : micro_kernels::compiled_sets()) {
    if (set.kernels->instruction_set == name)
      CHECK(compiled == std::set<std::string>(set.extensions.begin(), set.extensions.end()));
  }
}
#endif

TEST_CASE("a kernel set test runs on that set, and the library chooses again afterwards") {
  for (const std::string& name : kernel_sets()) {
    const KernelSetScope set(name);
    CHECK(plan(kSmall, Pass::forward)->instruction_set() == name);
  }
  CHECK_THROWS(KernelSetScope("mmx"));
}

#if !defined(__EMSCRIPTEN__)
TEST_CASE("a requested instruction set runs, or is an error that lists the available ones") {
  std::string here;
  for (const CompiledSet& set : micro_kernels::compiled_sets()) {
    if (set.runs_here()) here.append(here.empty() ? "" : ", ").append(set.kernels->instruction_set);
  }
  const auto check_refused = [&](const std::string& name) {
    const RequestedSet requested(name);
    const Result<Plan> planned = plan(kSmall, Pass::forward);
    CHECK_THAT(planned, Fails(ErrorCode::invalid_argument, "CONV2D_INSTRUCTION_SET", {"\"" + name + "\""}));
    CHECK(planned.status().message.ends_with("this processor can run " + here));
    CHECK_THAT(plan(kSmall, Pass::backward_data, {.algorithm = "direct"}), !Succeeds());
    for (const AlgorithmInfo& info : algorithms(resolve(kSmall).value(), Pass::forward)) {
      CHECK(!info.supported);
      CHECK(!info.reason.empty());
    }
  };
  for (const CompiledSet& set : micro_kernels::compiled_sets()) {
    const std::string name(set.kernels->instruction_set);
    if (!set.runs_here()) {
      check_refused(name);
      continue;
    }
    const RequestedSet requested(name);
    CHECK(plan(kSmall, Pass::forward)->instruction_set() == name);
  }
  for (const char* unknown : {"avx1024", "AVX2", "sse", "emulated1024"}) check_refused(unknown);
  const RequestedSet none("");
  CHECK(plan(kSmall, Pass::forward)->instruction_set() == fastest_by_xsimd());
}
#endif

namespace {

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

/// After all tests, prints a line for every set: what ran on it in this process, or why nothing did. With
/// CONV2D_KERNEL_TABLE=1 also the names of the kernels.
class Summary : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;

  void testRunEnded(const Catch::TestRunStats&) override {
    const bool names = std::getenv("CONV2D_KERNEL_TABLE") != nullptr;
    for (const TestedSet& set : tested_sets()) {
      const Exercised& what = exercised(set.name());
      std::string text = "did not run: this processor lacks it";
      if (set.emulated) text = "not needed: another set has as many lanes, or CONV2D_EMULATED_SETS=no";
      if (set.name() == "portable") text = "did not run: CONV2D_EMULATED_SETS=no";
      if (set.runs_here) {
        text = set.emulated ? "ran emulated, " : "ran natively, ";
        text += std::to_string(what.operations.size()) + " operations, " + std::to_string(what.kernels.size()) +
                " kernels, " + std::to_string(what.passes) + " tests of whole passes";
      }
      std::printf("instruction sets: %-11s %2d lanes  %s\n", set.name().c_str(), set.kernels->lanes, text.c_str());
      if (names)
        std::printf("  operations: %s\n  kernels: %s\n", joined(what.operations).c_str(), joined(what.kernels).c_str());
    }
    std::fflush(stdout);
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(Summary)
