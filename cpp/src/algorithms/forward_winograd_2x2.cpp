#include "algorithms/winograd.hpp"

namespace conv2d::algorithm {

extern const Entry forward_winograd_2x2 = winograd_entry<Pass::forward, 2>(
    "winograd_2x2",
    "2 x 2 outputs at a time out of 16 products in place of 36: cells and weights are transformed, "
    "multiplied element by element and transformed back (Lavin and Gray).");

}  // namespace conv2d::algorithm
