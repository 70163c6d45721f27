#include "algorithms/winograd.hpp"

namespace conv2d::algorithm {

extern const Entry backward_data_winograd_2x2 = winograd_entry<Pass::backward_data, 2>(
    "winograd_2x2",
    "The turned kernel over dy, 2 x 2 outputs at a time out of 16 products in place of 36: both are "
    "transformed, multiplied element by element and transformed back.");

}  // namespace conv2d::algorithm
