#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "named_shapes.hpp"

namespace conv2d::bench {

/// A pass of a shape with its data, in NHWC and HWIO, and the expected result.
struct Problem {
  std::string_view name;
  Pass pass = Pass::forward;
  Geometry geometry;
  std::vector<float> x, w, b, dy;
  std::vector<float> expected;  ///< by the naive loops with a double accumulator
};

/// Generates the data at the first call, and caches it.
std::shared_ptr<const Problem> problem(const NamedShape& shape, Pass pass);

/// Direct-convolution flops, padding taps included.
double flops(const Geometry& geometry, Pass pass) noexcept;

/// A prepared computation of a problem. Its buffers stay allocated between two calls of `run`.
struct Runner {
  std::function<void()> run;
  std::function<std::span<const float>()> output;
  std::int64_t workspace_floats = 0;
};

struct Entrant {
  std::string name;                               ///< "party/form", e.g. "ours/plan"
  std::function<Runner(const Problem&)> prepare;  ///< throws std::exception for a failure
};

/// The entrants that support this geometry and pass; ours on each of these numbers of threads: one thread as party
/// "ours", more as "ours-2-threads".
std::vector<Entrant> ours(const Geometry& geometry, Pass pass, std::span<const int> threads);
/// Ours with Accuracy::strict, where the plan computes by Winograd.
std::vector<Entrant> ours_strict(const Geometry& geometry, Pass pass, std::span<const int> threads);
std::vector<Entrant> onednn(const Geometry& geometry, Pass pass);
std::vector<Entrant> openblas(const Geometry& geometry, Pass pass);
std::vector<Entrant> xnnpack(const Geometry& geometry, Pass pass);

std::string onednn_version();
std::string openblas_version();

/// Registers a multiply-add loop on registers only, as "ceiling/<instruction set>".
void register_ceiling();

}  // namespace conv2d::bench
