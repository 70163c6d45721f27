// conv2d_bench [--threads=1,2] [Google Benchmark's options]: every algorithm x pass x named shape, and in
// conv2d_bench_peers the native peers. Names are SHAPE/PASS/PARTY/FORM; tools/bench/native.mjs reads the JSON that
// --benchmark_out writes.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "conv2d_teach/numeric.hpp"
#include "problem.hpp"

// All memory of all parties begins on a cache line, as tensors do in PyTorch. std::vector aligns to 16 bytes, where
// every second register of AVX2 and every register of AVX-512 crosses two lines.
void* operator new(std::size_t size) {
  constexpr std::size_t kLine = 64;
  if (void* memory = std::aligned_alloc(kLine, (size / kLine + 1) * kLine)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace conv2d::bench;

/// Largest relative error: Winograd F(4x4, 3x3) is below it, a wrong tap above.
constexpr double kTolerance = 1e-4;

/// An entrant on one shape and pass. Prepared at the first of the many runs that Google Benchmark makes.
class Benchmark {
 public:
  Benchmark(const NamedShape& shape, conv2d::Pass pass, Entrant entrant)
      : shape_(&shape), pass_(pass), entrant_(std::move(entrant)) {}

  void operator()(benchmark::State& state) {
    try {
      prepare();
      if (!(error_ <= kTolerance)) {
        state.SkipWithError(("wrong result: relative error " + std::to_string(error_)).c_str());
        return;
      }
      for ([[maybe_unused]] auto turn : state) {
        runner_->run();
        benchmark::DoNotOptimize(runner_->output().data());
        benchmark::ClobberMemory();
      }
      const conv2d::Geometry& g = problem_->geometry;
      state.counters["flops"] = flops(g, pass_);
      state.counters["tensor_floats"] = static_cast<double>(g.x_size + g.w_size + g.y_size);
      state.counters["workspace_floats"] = static_cast<double>(runner_->workspace_floats);
      state.counters["error"] = error_;
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  }

 private:
  void prepare() {
    if (runner_) return;
    problem_ = problem(*shape_, pass_);
    runner_ = std::make_shared<Runner>(entrant_.prepare(*problem_));
    runner_->run();
    error_ = conv2d::relative_error(runner_->output(), problem_->expected);
  }

  const NamedShape* shape_;
  conv2d::Pass pass_;
  Entrant entrant_;
  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<Runner> runner_;
  double error_ = 0;
};

void register_all(const NamedShape& shape, conv2d::Pass pass, const std::vector<Entrant>& entrants) {
  for (const Entrant& entrant : entrants) {
    const std::string name = std::string(shape.name) + "/" + std::string(conv2d::to_string(pass)) + "/" + entrant.name;
    // Google Benchmark copies the callable; all copies share one state.
    const auto run = std::make_shared<Benchmark>(shape, pass, entrant);
    benchmark::RegisterBenchmark(name.c_str(), [run](benchmark::State& state) {
      (*run)(state);
    })->Unit(benchmark::kMillisecond);
  }
}

/// The numbers of threads of "--threads=1,2", which is removed from the arguments; 1 without the option.
std::vector<int> take_threads(int& argc, char** argv) {
  constexpr std::string_view kOption = "--threads=";
  std::vector<int> threads;
  int remaining = 0;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    argv[remaining++] = argv[i];
    if (!argument.starts_with(kOption)) continue;
    --remaining;
    for (char* at = argv[i] + kOption.size(); *at != '\0'; at += *at == ',') {
      char* end = at;
      threads.push_back(static_cast<int>(std::strtol(at, &end, 10)));
      if (end == at || threads.back() < 1) return {};
      at = end;
    }
  }
  argc = remaining;
  return threads.empty() ? std::vector<int>{1} : threads;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<int> threads = take_threads(argc, argv);
  if (threads.empty()) return 1;
  register_ceiling();
#ifdef CONV2D_BENCH_PEERS
  benchmark::AddCustomContext("onednn", onednn_version());
  benchmark::AddCustomContext("openblas", openblas_version());
  benchmark::AddCustomContext("xnnpack", CONV2D_BENCH_XNNPACK);
#endif
  for (const NamedShape& shape : kNamedShapes) {
    const conv2d::Result<conv2d::Geometry> geometry = conv2d::resolve(shape.desc);
    if (!geometry.ok()) return 1;
    for (const conv2d::Pass pass : kPasses) {
      register_all(shape, pass, ours(*geometry, pass, threads));
#ifdef CONV2D_BENCH_PEERS
      register_all(shape, pass, ours_strict(*geometry, pass, threads));
      register_all(shape, pass, onednn(*geometry, pass));
      register_all(shape, pass, openblas(*geometry, pass));
      register_all(shape, pass, xnnpack(*geometry, pass));
#endif
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
