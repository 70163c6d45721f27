#include "cost/complete.hpp"
#include "cost/tables.hpp"

namespace conv2d::cost {

/// The coefficients of kZen3. Their choices are within 0.1 % of the best in Chromium 156 on a Zen 3 core (geometric
/// mean of 48 races).
extern constexpr Constants kWasmRelaxed{
    .products = {.step_register = 0.5,
                 .step_min = 2.0 / 3.0,
                 .tile = 50,
                 .from_memory = 1.2,
                 .packed_row = 5.0,
                 .packed_row_float = 1.2,
                 .packed_weight = 2.5,
                 .dw_float = 0.5,
                 .dw_x_span = 60,
                 .dw_x_float = 2.0,
                 .dw_dy_row = 2.0,
                 .dw_dy_float = 0.4},
    .im2col = {.tap = 12,
               .tap_float = 0.5,
               .c_kh_kw_tap = 7,
               .c_kh_kw_float = 1.0,
               .col2im_tap = 11,
               .col2im_float = 0.5,
               .cleared_float = 0.25},
    .windows = {.window = 2.0,
                .padded_channel = 0.5,
                .tile = 40,
                .tile_span = 6.0,
                .full_step = 1.1,
                .last_register = 0.55,
                .last_min = 0.8,
                .tile_2x4_step = 2.2,
                .tile_2x4_window = 10,
                .tile_2x4_span = 3.0,
                .dot_register = 0.6,
                .packed_weight = 2.5},
    .winograd =
        {.step_register = 0.6, .row_tile = 60, .tile = 600, .tile_register = 4.0, .weight_cell = 1.6, .weight = 8.0},
    .plane = {.block = 80, .copied_register = 1.0, .tile_row = 20, .tile = 30, .tile_tap = 6.0},
    .outer_product = {.tile_register = 0.6,
                      .tile_min = 4.0,
                      .line = 12,
                      .tile = 45,
                      .packed_x_float = 0.5,
                      .packed_dy_float = 0.4,
                      .divided_register = 0.5,
                      .divided_float = 1.0},
    .depthwise =
        {.row = 30, .row_tap = 4.0, .register_tap = 1.2, .scalar_tap = 4.0, .repeated_float = 1.0, .tap_lookup = 8.0},
    .loops = {.element = 1.0,
              .scattered = 1.5,
              .innermost = 10,
              .cleared_float = 1.0,
              .upsampled_float = 1.0,
              .image_float = 2.0,
              .direct_mac = 4.0,
              .gather_mac = 3.0,
              .gather_cell = 50,
              .scatter_mac = 4.0,
              .dilated_mac = 2.5,
              .direct_dw_mac = 1.5,
              .narrow_dw_mac = 3.0,
              .bias_float = 0.3,
              .bias_filter = 20,
              .reference_mac = 5.0,
              .reference_sum = 10,
              .converted_float = 3.0,
              .fork_join = 180e3},
};

static_assert(complete(kWasmRelaxed));

}  // namespace conv2d::cost
