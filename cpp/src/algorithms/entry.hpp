#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/share.hpp"
#include "conv2d/conv2d.hpp"

namespace conv2d::algorithm {

/// The tensors of a pass; inputs that the pass does not have are null, and so is b when there is no bias.
/// `out` is y, dx, dw or db. Lengths were checked by the caller; nothing overlaps.
struct Operands {
  const float* x = nullptr;
  const float* w = nullptr;
  const float* packed = nullptr;  ///< w as Packing::pack made it; null: read w
  const float* b = nullptr;
  const float* dy = nullptr;
  float* out = nullptr;
  Share share{};            ///< what of `out` is to be made; the whole, unless the entry divides itself
  float* common = nullptr;  ///< scratch that Division::prepare has filled; null in an undivided run
};

/// How an algorithm is divided among threads: each share makes its own part of `out` in its own scratch memory, waits
/// for no other, and sums every element as an undivided run does.
struct Division {
  /// Into how many shares, at most `most`, it can be divided; null: it cannot.
  int (*shares)(const Geometry&, int most) = nullptr;
  /// Floats of scratch of each of `shares` shares, -1 when the count overflows; null: as many as undivided.
  std::int64_t (*workspace_floats)(const Geometry&, int shares) = nullptr;
  /// Floats of scratch that all shares read, -1 when the count overflows; null: there are none.
  std::int64_t (*common_floats)(const Geometry&, int shares) = nullptr;
  /// Fills the share's part of Operands::common. All parts are filled before the first share runs. `workspace` is the
  /// share's own.
  void (*prepare)(const Geometry&, const Operands&, float* workspace) noexcept = nullptr;
};

/// A Division, where there can be threads.
constexpr Division divided(const Division& division) noexcept { return kThreads ? division : Division{}; }

/// How an algorithm rearranges the weights before it multiplies with them, for those who keep the result.
struct Packing {
  /// Floats of the packed weights, -1 when the count overflows; null: it has no use for them.
  std::int64_t (*floats)(const Geometry&) = nullptr;
  void (*pack)(const Geometry&, const float* w, float* packed) noexcept = nullptr;
  /// What a run with packed weights saves of Entry::cost, per weight.
  double cycles = 0;
};

/// Which memory orders `run` understands. For `nhwc_only`, conv2d.cpp converts NCHW tensors through the workspace.
enum class Layouts { both, nhwc_only };

/// One algorithm of one pass: what the list holds, and all that the rest of the library knows of it.
struct Entry {
  std::string_view name;
  Pass pass = Pass::forward;
  std::string_view description;
  Layouts layouts = Layouts::both;
  /// Empty when the geometry is supported, else the reason why not, for a person.
  std::string (*why_not)(const Geometry&) = nullptr;
  /// Floats of scratch; -1 when the count overflows.
  std::int64_t (*workspace_floats)(const Geometry&) = nullptr;
  /// Estimated time in arbitrary but common units (about: cycles of one core).
  double (*cost)(const Geometry&) = nullptr;
  /// See AlgorithmInfo::error_bound.
  double (*error_bound)(const Geometry&) = nullptr;
  /// See AlgorithmInfo::mixes_cells.
  bool mixes_cells = false;
  Division division{};
  Packing packing{};
  /// Computes the share's part of `out` (never reads it first). Returns false when the progress hook asked to stop.
  bool (*run)(const Geometry&, const Operands&, float* workspace, const ProgressHook&) noexcept = nullptr;
};

/// All entries, grouped by pass in the order in which they are shown; the reference comes last in each pass.
std::span<const Entry> list() noexcept;

}  // namespace conv2d::algorithm
