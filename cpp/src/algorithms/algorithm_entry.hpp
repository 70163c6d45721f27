#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engines/engines.hpp"

namespace conv2d::teaching_loops {
struct LoopKernel;
}

namespace conv2d::algorithm {

using engine::ExecutablePointer;
using engine::KernelSet;
using engine::Operands;
using engine::PrepareOptions;

/// The memory orders that an algorithm supports. Other tensors are converted (see prepared_pass.hpp).
enum class Layouts {
  all,
  hwio_weights,      ///< activations in any order, HWIO
  nhwc_activations,  ///< NHWC, weights in any order
  nhwc_only,         ///< NHWC and HWIO
};

/// One algorithm of one pass, a row of the catalogue. The rest of the library knows algorithms only through it.
struct Entry {
  std::string_view name;
  Pass pass = Pass::forward;
  std::string_view description;
  Layouts layouts = Layouts::all;
  /// See unsupported_reason(). Null: every geometry is supported.
  std::string (*unsupported)(const Geometry&, Pass) = nullptr;
  /// See error_bound(). Null: the bound of one sum over all products of an element, in any order.
  double (*bound)(const Geometry&, Pass) = nullptr;
  /// See AlgorithmInfo::accuracy. Below strict, an algorithm mixes cells (AlgorithmInfo::mixes_cells).
  Accuracy accuracy = Accuracy::strict;
  /// What runs the pass: an engine, or plain loops (teaching_loops.hpp).
  ExecutablePointer (*engine)(const Geometry&, Pass, const PrepareOptions&) = nullptr;
  const teaching_loops::LoopKernel* loops = nullptr;

  /// Why the geometry is not supported, for a person; empty when it is.
  [[nodiscard]] std::string unsupported_reason(const Geometry& g) const {
    return unsupported ? unsupported(g, pass) : std::string();
  }
  /// See AlgorithmInfo::error_bound.
  [[nodiscard]] double error_bound(const Geometry& g) const;
  /// Prepares the pass. Precondition: unsupported_reason() is empty, and the layout is supported.
  [[nodiscard]] ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) const;
};

/// The error bound of a sum of `terms` products, each rounded, in any order of addition: terms * u / (1 - terms * u)
/// with u = 2^-24, in units of u. Above 2^23 terms the formula does not apply, and the bound is larger than any real
/// error.
constexpr double sum_error_bound(std::int64_t terms) noexcept {
  constexpr double kUnit = 1.0 / (1 << 24);
  const double n = static_cast<double>(terms) + 1;
  return n * kUnit < 0.5 ? n / (1 - n * kUnit) : 2 * n;
}

/// All entries, grouped by pass, in the order of the page's menus. The reference is the last of each pass.
std::span<const Entry> list() noexcept;

/// The kernels of the instruction set of that name. Without a name, those of the environment variable
/// CONV2D_INSTRUCTION_SET, or else of the fastest set. Error invalid_argument when this machine does not have it.
Result<const KernelSet*> kernels_of(std::string_view instruction_set = {});

}  // namespace conv2d::algorithm
