#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "engines/windows/product.hpp"

/// The weights of a WindowProduct, packed for the micro-kernels.
namespace conv2d::engine {

/// The columns of a group, divided into panels of two registers; the last panel has one to three, since loads bound a
/// panel of a single register. Or into panels of four registers for 2x4 tiles, all of them full.
struct Panels {
  std::int64_t lanes = 1;    ///< floats per register
  std::int64_t vectors = 1;  ///< registers that all columns fill
  std::int64_t each = 2;     ///< registers of every panel but the last
  std::int64_t count = 1;

  Panels() = default;
  Panels(const micro_kernels::KernelSet& kernels, std::int64_t columns, std::int64_t registers = 2) noexcept;
  /// The panels that the product's weights are packed in.
  static Panels of(const WindowProduct& p) noexcept;
  [[nodiscard]] constexpr std::int64_t first_column(std::int64_t panel) const noexcept { return panel * each * lanes; }
  [[nodiscard]] constexpr std::int64_t vectors_of(std::int64_t panel) const noexcept {
    return panel + 1 < count ? each : vectors - each * panel;
  }
  /// Lanes of the widest panel.
  [[nodiscard]] constexpr std::int64_t widest() const noexcept {
    const std::int64_t last = vectors_of(count - 1);
    return (count > 1 && last < each ? each : last) * lanes;
  }
};

/// Writes panel[(p, q)][c][lane] for `width` lanes from column `first` of the group, taps `tap_step` floats apart.
/// Lanes past the last column are 0.
void pack_panel(const WindowProduct& p, const float* w, std::int64_t group, std::int64_t first, std::int64_t width,
                float* panel, std::int64_t tap_step) noexcept;

/// Whether the product uses dot tiles: up to kMaxDotColumns columns, and spans of whole registers.
bool prefers_dot_tiles(const WindowProduct& p) noexcept;

/// Whether the product uses 2x4 tiles: with a short reduction, a taller tile takes long to begin and end.
bool prefers_2x4_tiles(const WindowProduct& p) noexcept;

/// Packs a group for dot tiles: a register of each column in turn, in (p, q, c) order.
void pack_dots(const WindowProduct& p, const float* w, std::int64_t group, float* packed) noexcept;

/// Packs one panel of a group, or all its columns for dot tiles, at `to`. The offsets of p.weights refer to `w`.
void pack_weights_at(const WindowProduct& p, const float* w, std::int64_t group, std::int64_t panel,
                     float* to) noexcept;

/// Floats of packed weights before column `column` of a group's panels.
std::int64_t packed_before(const WindowProduct& p, std::int64_t group, std::int64_t column) noexcept;

/// Floats of a product's packed weights: [group][panel][tap][channel][lane].
CheckedInt packed_weights_floats(const WindowProduct& p) noexcept;

/// Packs the weights for WindowTensors::packed.
void pack_weights(const WindowProduct& p, const float* w, float* packed) noexcept;

}  // namespace conv2d::engine
