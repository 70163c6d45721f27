#pragma once

/// What the estimates of the plan's choice count with: how long each thing takes on a family of processors. Every
/// engine and algorithm says how much of a thing it does (cost functions beside them) and takes its price from here.
///
/// All are cycles of one core, of what the comment names; a "register" is one of the instruction set in use, so that
/// the same prices serve 4, 8 and 16 lanes. Only ratios matter. tools/fit-costs reads this file: one `double name = 0;`
/// a line with its comment, in structs that are listed at the end in the order of `Constants`.
namespace conv2d::cost {

/// Products of packed panels (engines/products).
struct Products {
  double step_register = 0;     ///< a row of a tile, per step of depth and register across
  double step_least = 0;        ///< the same of the whole row at least: one register across is bound by its loads
  double tile = 0;              ///< to begin and end a tile, per block of depth
  double from_memory = 0;       ///< factor: what x_col and dx_col take, which are larger than the cache of their panels
  double packed_row = 0;        ///< to pack a row of A
  double packed_row_float = 0;  ///< and each float of it
  double packed_weight = 0;     ///< to pack a weight
  double dw_float = 0;          ///< to read and write a float of dw, per block of depth
  double dw_x_run = 0;          ///< to pack the lanes of a tile out of a row of x
  double dw_x_float = 0;        ///< and each position of it
  double dw_dy_row = 0;         ///< to pack a row of dy
  double dw_dy_float = 0;       ///< and each float of it
};

/// im2col and col2im, per output position.
struct Lowering {
  double tap = 0;            ///< im2col, where the channels of a tap stay together
  double tap_float = 0;      ///< and each float of it
  double apart_tap = 0;      ///< im2col, where they do not
  double apart_float = 0;    ///< and each float of it
  double folded_tap = 0;     ///< col2im
  double folded_float = 0;   ///< and each float of it
  double cleared_float = 0;  ///< a float of dx that col2im adds to
};

/// Windows read where they lie (engines/windows).
struct Windows {
  double window = 0;          ///< to find a window
  double padded_channel = 0;  ///< the same out of a padded copy, per channel
  double tile = 0;            ///< to begin and end a tile
  double tile_run = 0;        ///< and each run of taps in it
  double full_step = 0;       ///< a window's step of depth in a full panel
  double last_register = 0;   ///< the same in the last panel, per register across
  double last_least = 0;      ///< and at least
  double wide_step = 0;       ///< the same in a wide panel
  double wide_window = 0;     ///< to begin and end a window there
  double wide_run = 0;        ///< and each run of taps in it
  double dot_register = 0;    ///< a register of products of a dot tile
  double packed_weight = 0;   ///< to pack a weight
};

/// Winograd F(2x2, 3x3) and F(4x4, 3x3) (engines/winograd).
struct Winograd {
  double step_register = 0;  ///< a row of a product, per step of depth and register across
  double row_tile = 0;       ///< to begin and end a tile of a product
  double tile = 0;           ///< to transform a tile of cells and outputs
  double tile_register = 0;  ///< and each register of it
  double weight_cell = 0;    ///< a cell of a transformed weight, which does not stay in the cache
  double weight = 0;         ///< to transform the nine taps of a channel and filter
};

/// One channel and one filter (engines/plane).
struct Plane {
  double block = 0;            ///< to begin to copy a block of rows
  double copied_register = 0;  ///< and each register of it
  double strip = 0;            ///< to begin a strip of rows
  double tile = 0;             ///< to begin and end two registers across
  double tile_tap = 0;         ///< and each tap of it: eight multiply-adds and nine loads
};

/// dw as outer products (engines/outer_product).
struct OuterProduct {
  double tile_register = 0;     ///< a register of a tile's sums, per pixel
  double tile_least = 0;        ///< a tile at least: until the next product to the same sum can begin
  double line = 0;              ///< to begin and end a tile's line
  double tile = 0;              ///< to begin and end a tile
  double packed_x_float = 0;    ///< to copy a float of x
  double packed_dy_float = 0;   ///< to copy a float of dy
  double divided_register = 0;  ///< a register of sums, as far as it is weighed how to divide them among threads
  double divided_float = 0;     ///< a float that a part copies because it is one
};

/// One channel per group (engines/depthwise).
struct Depthwise {
  double row = 0;             ///< to begin and end a row of products
  double row_tap = 0;         ///< and each tap of it
  double register_tap = 0;    ///< a register of products, which takes two loads
  double rest_tap = 0;        ///< a column that fills no register: a chain of scalar products, bound by its latency
  double repeated_float = 0;  ///< to repeat a channel for each of its filters
  double searched_tap = 0;    ///< to find the output that read a cell through a tap
};

/// Algorithms that are loops of their own, and what is around all.
struct Loops {
  double element = 0;          ///< a multiply-add of a contraction's innermost loop
  double scattered = 0;        ///< and more for each tensor that is not read or written side by side: not vectorised
  double innermost = 0;        ///< to begin the innermost loop
  double cleared_float = 0;    ///< to clear or fill a float of what is added to
  double spread_float = 0;     ///< a float of dy with zeros between
  double image_float = 0;      ///< a weight's gradient of one image, added to the others
  double direct_mac = 0;       ///< a multiply-add of the formula
  double gather_mac = 0;       ///< of the sum of one dx
  double gather_cell = 0;      ///< to find the outputs that a cell fed
  double scatter_mac = 0;      ///< read, added and written back
  double dilated_mac = 0;      ///< one weight's gradient, read and written
  double direct_dw_mac = 0;    ///< in a tile of 4 x 8 sums
  double narrow_dw_mac = 0;    ///< in a tile of one row or column
  double bias_float = 0;       ///< a float of dy in the sum of db
  double bias_filter = 0;      ///< to begin and end a filter's sum
  double reference_mac = 0;    ///< of the reference: in double, with its index arithmetic
  double reference_sum = 0;    ///< of its db
  double converted_float = 0;  ///< a float that goes into the other layout, out of more than the L2 cache
  double handed_out = 0;       ///< to hand parts to other threads, and to wait for the last
};

struct Constants {
  Products products;
  Lowering lowering;
  Windows windows;
  Winograd winograd;
  Plane plane;
  OuterProduct outer_product;
  Depthwise depthwise;
  Loops loops;
};

}  // namespace conv2d::cost
