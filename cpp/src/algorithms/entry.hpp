#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engines/prepared.hpp"

namespace conv2d::algorithm {

using engine::KernelSet;
using engine::Operands;
using engine::PreparedPointer;
using engine::Request;

/// Which memory orders an algorithm understands. For `nhwc_only`, NCHW tensors are converted (see prepared_pass.hpp).
enum class Layouts { both, nhwc_only };

/// One algorithm of one pass: what the list holds, and all that the rest of the library knows of it.
struct Entry {
  std::string_view name;
  Pass pass = Pass::forward;
  std::string_view description;
  Layouts layouts = Layouts::both;
  /// Empty when the geometry is supported, else the reason why not, for a person.
  std::string (*why_not)(const Geometry&) = nullptr;
  /// See AlgorithmInfo::error_bound.
  double (*error_bound)(const Geometry&) = nullptr;
  /// See AlgorithmInfo::mixes_cells.
  bool mixes_cells = false;
  /// Makes the pass ready. Precondition: why_not() is empty, and the layout is one that it understands.
  PreparedPointer (*prepare)(const Geometry&, const Request&) = nullptr;
};

/// All entries, grouped by pass in the order in which they are shown; the reference comes last in each pass.
std::span<const Entry> list() noexcept;

}  // namespace conv2d::algorithm
