// Requires a build with threads: WebAssembly built without them divides nothing.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "algorithms/prepared_pass.hpp"
#include "conv2d/conv2d.hpp"
#include "support/environment.hpp"
#include "support/run.hpp"

// How well plans use threads, by the cost model: more threads than a machine has, and threads that it does not run.
// With CONV2D_DIVISIONS=1 the counts are printed.

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// A pass of 64 million to 4 billion multiply-adds, as in networks for images.
ConvDesc random_large_desc(Rng& rng) {
  constexpr std::int64_t kChannels[] = {1, 3, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};
  constexpr std::int64_t kSizes[] = {7, 8, 14, 16, 28, 32, 56, 64, 112, 224};
  constexpr std::int64_t kKernels[] = {1, 1, 3, 3, 3, 5, 7};
  const auto one_of = [&rng](const auto& values) {
    return values[static_cast<std::size_t>(rng.between(0, std::ssize(values) - 1))];
  };
  while (true) {
    const std::int64_t size = one_of(kSizes), kernel = one_of(kKernels), stride = rng.between(0, 3) == 0 ? 2 : 1;
    ConvDesc d{.n = rng.between(0, 2) == 0 ? rng.between(2, 32) : 1,
               .h = size,
               .w = size,
               .c = one_of(kChannels),
               .k = one_of(kChannels),
               .kh = kernel,
               .kw = kernel,
               .stride_h = stride,
               .stride_w = stride,
               .padding_mode = rng.between(0, 3) == 0 ? PaddingMode::valid : PaddingMode::same};
    if (rng.between(0, 7) == 0) d.groups = d.k = d.c;
    if (rng.between(0, 7) == 0) d.layout = Layout::nchw;
    const Result<Geometry> g = resolve(d);
    if (!g.ok()) continue;
    if (const std::int64_t macs = g->macs(); macs >= 64'000'000 && macs <= 4'000'000'000) return d;
  }
}

/// Ratios that are 1 or more, and the worst of them.
class Ratios {
 public:
  void add(double ratio, const std::string& what) {
    ++count_;
    if (ratio > 1) ++above_;
    logarithms_ += std::log(ratio);
    if (ratio <= worst_) return;
    worst_ = ratio;
    of_worst_ = what;
  }
  [[nodiscard]] double mean() const { return std::exp(logarithms_ / count_); }
  [[nodiscard]] double worst() const { return worst_; }
  /// The fraction above 1.
  [[nodiscard]] double above() const { return above_ / count_; }
  [[nodiscard]] std::string text() const {
    return "mean " + std::to_string(mean()) + ", above 1 " + std::to_string(above()) + ", worst " +
           std::to_string(worst_) + ": " + of_worst_;
  }

 private:
  double count_ = 0, above_ = 0, logarithms_ = 0, worst_ = 0;
  std::string of_worst_;
};

/// The time of `parts` parts of one unit each on `threads` threads, one of which runs at `speed`.
double time_of(int parts, int threads, double speed) {
  std::vector<double> free_at(static_cast<std::size_t>(threads), 0.0);
  double end = 0;
  for (int part = 0; part < parts; ++part) {
    const auto next = std::min_element(free_at.begin(), free_at.end());
    *next += next == free_at.end() - 1 ? 1 / speed : 1;
    end = std::max(end, *next);
  }
  return end;
}

}  // namespace

TEST_CASE("default plans of large passes are near the best of all algorithms and divisions, for any number of threads",
          "[engines]") {
  Rng rng(31);
  const bool prints = !environment("CONV2D_DIVISIONS").empty();
  const std::int64_t passes = std::max<std::int64_t>(60, property_runs() / 10);
  constexpr int kThreadCounts[] = {2, 3, 4, 6, 8};
  Ratios on_one, on_several;
  int undivided = 0, all = 0;
  for (std::int64_t run = 0; run < passes; ++run) {
    const ConvDesc d = random_large_desc(rng);
    const Geometry g = resolve(d).value();
    const Pass pass = kPasses[static_cast<std::size_t>(rng.between(0, 3))];
    const int threads = kThreadCounts[static_cast<std::size_t>(rng.between(0, 4))];
    const Plan chosen = plan(g, pass, {.threads = threads}).value();
    const std::string what = std::string(to_string(pass)) + " by " + std::string(chosen.algorithm()) + " on " +
                             std::to_string(threads) + ", " + to_string(d);
    for (const int count : {1, threads}) {
      double own = 0, best = 0;
      std::string_view name;
      for (const AlgorithmInfo& info : algorithms(g, pass, {.threads = count, .deterministic = false})) {
        if (!info.supported) continue;
        if (info.name == chosen.algorithm()) own = info.cost;
        if (best != 0 && info.cost >= best) continue;
        best = info.cost;
        name = info.name;
      }
      const double ratio = own / best;
      (count == 1 ? on_one : on_several).add(ratio, what + ", best " + std::string(name));
      if (prints && ratio > 1.1) std::printf("%d threads: %.2f %s, best %s\n", count, ratio, what.c_str(), name.data());
    }
    ++all;
    if (chosen.threads() == 1) ++undivided;
    if (prints && chosen.threads() == 1) std::printf("on one thread: %s\n", what.c_str());
  }
  INFO("one thread: " << on_one.text() << "\nseveral threads: " << on_several.text());
  INFO(undivided << " of " << all << " plans use one thread");
  if (prints) {
    std::printf("%d passes; one thread: %s\nseveral threads: %s\n%d plans use one thread\n", all, on_one.text().c_str(),
                on_several.text().c_str(), undivided);
  }
  CHECK(on_one.mean() < 1.01);
  CHECK(on_several.mean() < 1.05);
}

TEST_CASE("a busy processor does not make a divided pass slower than one thread", "[engines]") {
  Rng rng(32);
  const bool prints = !environment("CONV2D_DIVISIONS").empty();
  const std::int64_t passes = std::max<std::int64_t>(60, property_runs() / 20);
  for (const int threads : {2, 3, 4, 8}) {
    Ratios busy, absent;
    for (std::int64_t run = 0; run < passes; ++run) {
      const ConvDesc d = random_large_desc(rng);
      const Pass pass = kPasses[static_cast<std::size_t>(rng.between(0, 3))];
      const Plan one = plan(d, pass).value(), several = plan(d, pass, {.threads = threads}).value();
      if (several.threads() == 1) continue;
      const std::string what =
          std::string(to_string(pass)) + " by " + std::string(one.algorithm()) + ", " + to_string(d);
      const double whole = algorithm::PreparedPass::of(one).cost();
      const auto& divided = algorithm::PreparedPass::of(several);
      // The estimate is that of threads that all run.
      const double expected = time_of(divided.parts(), several.threads(), 1);
      const auto slower = [&](double time) { return divided.cost() * time / expected / whole; };
      busy.add(slower(time_of(divided.parts(), several.threads(), 0.5)), what);
      absent.add(slower(time_of(divided.parts(), several.threads() - 1, 1)), what);
    }
    if (prints) {
      std::printf("%d threads, time / time on one thread, one of them at half speed: %s\n  one of them never: %s\n",
                  threads, busy.text().c_str(), absent.text().c_str());
    }
    INFO(threads << " threads, one at half speed: " << busy.text() << "\none never: " << absent.text());
    CHECK(busy.mean() < 0.9);
    CHECK(busy.above() < (threads == 2 ? 0.3 : 0.1));
    CHECK(busy.worst() < 1.5);
    // Of two threads, one runs all parts.
    CHECK(absent.mean() < 1.15);
  }
}

#endif
