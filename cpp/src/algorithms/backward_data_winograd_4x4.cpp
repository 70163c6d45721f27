#include "algorithms/winograd.hpp"

namespace conv2d::algorithm {

extern const Entry backward_data_winograd_4x4 = winograd_entry<Pass::backward_data, 4>(
    "winograd_4x4",
    "The turned kernel over dy, 4 x 4 outputs at a time out of 36 products in place of 144: both are "
    "transformed, multiplied element by element and transformed back.");

}  // namespace conv2d::algorithm
