#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engines/executable.hpp"

namespace conv2d::algorithm {

using engine::ExecutablePointer;
using engine::KernelSet;
using engine::Operands;
using engine::PrepareOptions;

/// The memory orders that an algorithm supports. For `nhwc_only`, NCHW tensors are converted (see prepared_pass.hpp).
enum class Layouts { both, nhwc_only };

/// One algorithm of one pass, an entry of the list. The rest of the library knows algorithms only through it.
struct Entry {
  std::string_view name;
  Pass pass = Pass::forward;
  std::string_view description;
  Layouts layouts = Layouts::both;
  /// Why the geometry is not supported, for a person; empty when it is.
  std::string (*unsupported_reason)(const Geometry&) = nullptr;
  /// See AlgorithmInfo::error_bound.
  double (*error_bound)(const Geometry&) = nullptr;
  /// See AlgorithmInfo::accuracy. Below strict, an algorithm mixes cells (AlgorithmInfo::mixes_cells).
  Accuracy accuracy = Accuracy::strict;
  /// Prepares the pass. Precondition: unsupported_reason() is empty, and the layout is supported.
  ExecutablePointer (*prepare)(const Geometry&, const PrepareOptions&) = nullptr;
};

/// All entries, grouped by pass, in the order of the page's menus. The reference is the last of each pass.
std::span<const Entry> list() noexcept;

}  // namespace conv2d::algorithm
