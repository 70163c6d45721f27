#include "algorithms/winograd.hpp"

namespace conv2d::algorithm {

extern const Entry forward_winograd_4x4 = winograd_entry<Pass::forward, 4>(
    "winograd_4x4",
    "4 x 4 outputs at a time out of 36 products in place of 144: cells and weights are transformed, "
    "multiplied element by element and transformed back (Lavin and Gray).");

}  // namespace conv2d::algorithm
