#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// The SIMD kernels of the layers without weights, one table for each instruction set. None fuses a multiply-add and
/// the order of additions does not depend on the lanes, so all sets give the same bits.
namespace conv2d::layer_kernels {

/// Outputs that are neighbors in memory, and the cells of x that their windows read. Tap (p, q) of output t reads
/// x[first + p * row + q * tap + t * step] if 0 <= column + q * tap_column + t * step < width, and padding otherwise.
struct WindowRun {
  std::ptrdiff_t first = 0;           ///< may lie before x when the first tap is in the padding
  std::ptrdiff_t row = 0, tap = 0;    ///< floats from one tap to the next, down and to the right
  std::ptrdiff_t step = 1;            ///< floats from one output's window to the next
  std::ptrdiff_t rows = 0, taps = 0;  ///< taps of a window, without the rows in the padding
  std::ptrdiff_t column = 0;          ///< position of `first` in its row
  std::ptrdiff_t tap_column = 0;      ///< columns from one tap to the next
  std::ptrdiff_t width = 0;           ///< floats of a row
  std::ptrdiff_t outputs = 0;
};

struct LayerKernels {
  std::string_view instruction_set;
  int lanes = 0;
  /// y[t] = x[t] if it is above 0 or NaN, else +0.
  void (*relu)(const float* x, std::ptrdiff_t count, float* y) noexcept = nullptr;
  /// dx[t] = +0 where x[t] <= 0, else dy[t].
  void (*relu_gate)(const float* x, const float* dy, std::ptrdiff_t count, float* dx) noexcept = nullptr;
  /// The largest cell of each window, and its index in x: of equal cells the first, of NaNs the last.
  void (*max_pool)(const WindowRun& run, const float* x, float* y, std::int32_t* winners) noexcept = nullptr;
  /// The sum of each window's cells, tap by tap, divided by `cells`, or by the number of its cells in x if that is 0.
  void (*average_pool)(const WindowRun& run, const float* x, float cells, float* y) noexcept = nullptr;
  /// shares[t] = dy[t] / the divisor of average_pool.
  void (*shares)(const WindowRun& run, const float* dy, float cells, float* shares) noexcept = nullptr;
  /// Adds shares[t] to each cell of dx that window t reads, tap by tap.
  void (*spread)(const WindowRun& run, const float* shares, float* dx) noexcept = nullptr;
};

/// The tables of this architecture, in the order of micro_kernels::compiled_sets().
std::span<const LayerKernels* const> compiled() noexcept;

/// Further tables. Empty, but a test program links its own definition.
std::span<const LayerKernels* const> test_kernels() noexcept;

/// The table of an instruction set; that of the set that every processor has, if there is none of this name.
const LayerKernels& of(std::string_view instruction_set) noexcept;

}  // namespace conv2d::layer_kernels
