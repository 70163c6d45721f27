#include <array>

#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {

// One line per mistake, in the order of the page.
// clang-format off
#define CONV2D_MISTAKES(entry)   \
  entry(opposite_weight)         \
  entry(averaged)                \
  entry(padding_forgotten)       \
  entry(unpadded_indices)        \
  entry(stride_forgotten)        \
  entry(strides_exchanged)       \
  entry(remainder_first)         \
  entry(assigned)                \
  entry(one_image)               \
  entry(divided_by_batch)        \
  entry(other_group)             \
  entry(transposed)              \
  entry(dilation_forgotten)      \
  entry(bias_forgotten)
// clang-format on

#define CONV2D_DECLARE(name) extern const Mistake name;
CONV2D_MISTAKES(CONV2D_DECLARE)
#undef CONV2D_DECLARE

std::span<const Mistake> list() noexcept {
  // Built on first use, because the entries are constants of other translation units.
#define CONV2D_COPY(name) name,
  static const std::array entries{CONV2D_MISTAKES(CONV2D_COPY)};
#undef CONV2D_COPY
  return entries;
}

}  // namespace conv2d::mistakes
