#pragma once

#include <cstdint>
#include <string_view>

#include "conv2d/config.hpp"

namespace conv2d {

/// Required accuracy of an algorithm. Each level also allows the algorithms of all stricter levels.
enum class Accuracy {
  /// All algorithms, including Winograd F(4x4, 3x3). Its error_bound is about 256 * (channels / 2 + 23), relative to
  /// the
  /// largest possible sum. On random data its errors are up to 20 times those of plain sums. A NaN or infinity in x or
  /// dy affects all 4 x 4 outputs of the tiles that read it.
  fast,
  /// Excludes F(4x4, 3x3). Winograd F(2x2, 3x3) is allowed: its error_bound is about 7 * (channels / 2 + 23), relative
  /// to
  /// the largest possible sum. On random data its errors equal those of plain sums. A NaN or infinity affects all 2 x 2
  /// outputs of a tile.
  standard,
  /// Excludes Winograd: each output is the sum of its own terms. The error of an output is at most
  /// error_bound * 2^-24 * sum |a * b| over its own terms, and a NaN or infinity affects only outputs that read it.
  strict,
};

/// The name of the enumerator, e.g. "strict".
CONV2D_API std::string_view to_string(Accuracy accuracy) noexcept;

/// Most threads of a run, and of a ThreadPool.
inline constexpr int kMaxThreads = 64;

/// What plan() may choose. The defaults: the fastest algorithm, on one thread.
struct PlanOptions {
  /// Name from `algorithms()`. Empty: the algorithm with the lowest AlgorithmInfo::cost that `accuracy` allows.
  std::string_view algorithm{};
  /// Maximum number of threads of a run, at least 1. Values above kMaxThreads mean kMaxThreads. The plan uses fewer if
  /// it estimates that more would take longer, and 1 if they would not save a quarter of the time. It does not know how
  /// many processors there are.
  int threads = 1;
  /// Minimum number of multiply-adds per thread; limits the number of threads. 0: divide the work wherever possible,
  /// even if that is estimated to take longer.
  std::int64_t macs_per_thread = std::int64_t{1} << 20;
  /// The weights will be packed once for many runs (pack_weights), so the choice ignores the cost of packing.
  bool packed_weights = false;
  /// Instruction set of the kernels; this processor must have it. Empty: the value of the environment variable
  /// CONV2D_INSTRUCTION_SET, or else the fastest.
  std::string_view instruction_set{};
  /// Also applies if `algorithm` is set: plan() then fails with `unsupported` if it is less accurate.
  Accuracy accuracy = Accuracy::fast;
  /// True: choose the algorithm as for one thread, so that results are bitwise identical for every number of threads.
  /// An algorithm that threads cannot share is chosen for a large pass only if it is 1.3 times as fast as the others.
  /// False: choose the fastest algorithm for this number of threads; another number may then select another algorithm,
  /// which rounds differently.
  bool deterministic = true;
  /// backward_weights and backward_bias only: a run adds the gradient to its output, for example over the parts of a
  /// large batch. The workspace then has room for the gradient, and a canceled run leaves the output as it was.
  bool accumulate = false;
};

}  // namespace conv2d
