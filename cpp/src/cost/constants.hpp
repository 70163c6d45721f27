#pragma once

/// The coefficients of the cost model, with which a plan chooses its algorithm: how long each step takes on a family of
/// processors. The cost functions of engines and algorithms count the steps and multiply them with these coefficients.
///
/// All are cycles of one core per unit of the comment. A "register" is one of the instruction set in use, so that the
/// same coefficients serve 4, 8 and 16 lanes. Only ratios matter.
///
/// Base table: measured natively on a Zen 3 core with AVX2, mostly with 1 to 512 channels.
/// The values below; tables.cpp has what other families of processors change.
///
/// tools/fit-costs reads and writes this file: one `double name = value;` per line with its comment, in structs that
/// are listed at the end in the order of `Constants`.
namespace conv2d::cost {

/// Matrix products with im2col (engines/products).
struct Products {
  double step_register = 0.5;  ///< dw: a row of a tile, per position and register across
  double step_min = 0.667;     ///< dw: the same with one register across, which is bound by its loads
  double tile = 50;            ///< dw: to begin and end a tile, per block of positions
  double from_memory = 1.2;    ///< factor of the products with x_col and dx_col, which are read from L2
  double row = 5;              ///< to begin a row of x_col or dy
  double row_float = 1.2;      ///< per float of it
  double dw_float = 0.5;       ///< to read and write a float of dw, per block of positions
  double dw_x_span = 60;       ///< to pack the lanes of a tile from a row of x
  double dw_x_float = 2;       ///< per position of it
  double dw_dy_row = 2;        ///< to pack a row of dy
  double dw_dy_float = 0.4;    ///< per float of it
};

/// im2col and col2im, per output position.
struct Im2col {
  double tap = 12;              ///< im2col, order kh_kw_c: a tap
  double tap_float = 0.5;       ///< per float of it
  double c_kh_kw_tap = 7;       ///< im2col, order c_kh_kw: a tap
  double c_kh_kw_float = 1;     ///< per float of it
  double col2im_tap = 11;       ///< col2im: a tap
  double col2im_float = 0.5;    ///< per float of it
  double cleared_float = 0.25;  ///< a float of dx that col2im adds to
};

/// Windows read in place (engines/windows).
struct Windows {
  double window = 2;            ///< to find a window
  double padded_channel = 0.5;  ///< to copy a channel of a cell into a padded copy
  double tile = 40;             ///< to begin and end a tile
  double tile_span = 6;         ///< per span of taps
  double full_step = 1.1;       ///< a step of the reduction of a window, in a full panel
  double last_register = 0.55;  ///< the same in the last panel, per register across
  double last_min = 0.8;        ///< the same, minimum
  double tile_2x4_step = 2.2;   ///< the same with 2x4 tiles
  double tile_2x4_window = 10;  ///< to begin and end a window with 2x4 tiles
  double tile_2x4_span = 3;     ///< per span of taps
  double dot_register = 0.6;    ///< a register of products of a dot tile
  double packed_weight = 2.5;   ///< to pack a weight
  double packed_cell = 0.7;     ///< to pack a cell of a plane
};

/// Winograd F(2x2, 3x3) and F(4x4, 3x3) (engines/winograd).
struct Winograd {
  double step_register = 0.6;  ///< a row of a product, per step and register across
  double row_tile = 60;        ///< to begin and end a tile of a product
  double tile = 600;           ///< to transform a tile of cells and outputs
  double tile_register = 4;    ///< per register of it
  double weight_cell = 1.6;    ///< a cell of a transformed weight, which does not fit into the cache
  double weight = 8;           ///< to transform the nine taps of a channel and filter
  double dw_register = 10;     ///< a register of the products for dw, to transform them and to add to dw
};

/// One filter per plane (engines/plane).
struct Plane {
  double block = 300;          ///< to begin the copy of a block of rows
  double copied_register = 1;  ///< per register of it
  double tile_row = 20;        ///< to begin a row of tiles
  double tile = 60;            ///< to begin and end two registers across
  double tile_tap = 14;        ///< per tap of it: eight multiply-adds and nine loads
};

/// dw as outer products (engines/outer_product).
struct OuterProduct {
  double tile_register = 0.6;     ///< a register of a tile's sums, per pixel
  double tile_min = 4;            ///< a tile, minimum: the latency of an addition to the same sum
  double line = 12;               ///< to begin and end a line of a tile
  double tile = 45;               ///< to begin and end a tile
  double packed_x_float = 0.5;    ///< to copy a float of x
  double packed_dy_float = 0.4;   ///< to copy a float of dy
  double divided_register = 0.5;  ///< a register of sums, in the choice of the division among threads
  double divided_float = 1;       ///< a float that only a divided pass copies
};

/// One channel per group (engines/depthwise).
struct Depthwise {
  double row = 30;            ///< to begin and end a row of products
  double row_tap = 4;         ///< per tap of it
  double register_tap = 1.2;  ///< a register of products, which takes two loads
  double scalar_tap = 4;      ///< per column that fills no register: a chain of scalar products, bound by its latency
  double repeated_float = 1;  ///< to repeat a channel for each of its filters
  double tap_lookup = 8;      ///< to find the output that reads a cell through a tap
};

/// Algorithms without an engine, and what surrounds all algorithms.
struct Loops {
  double element = 1;            ///< a multiply-add of a contraction's innermost loop
  double scattered = 1.5;        ///< added for each tensor that is not contiguous: not vectorized
  double innermost = 10;         ///< to begin the innermost loop
  double cleared_float = 1;      ///< to clear or fill a float of an accumulator
  double upsampled_float = 1;    ///< a float of the upsampled dy
  double image_float = 2;        ///< a weight's gradient of one image, added to the others
  double direct_mac = 4;         ///< a multiply-add of the formula
  double gather_mac = 3;         ///< a multiply-add of gather
  double gather_cell = 50;       ///< to find the outputs that use a cell
  double scatter_mac = 4;        ///< a multiply-add of scatter: read, added and written back
  double dilated_mac = 2.5;      ///< a multiply-add of dilated_dy: dw is read and written
  double direct_dw_mac = 1.5;    ///< a multiply-add of direct dw, in a tile of 4 x 8 sums
  double narrow_dw_mac = 3;      ///< the same, in a tile of one row or column
  double bias_float = 0.3;       ///< a float of dy in the sum of db
  double bias_filter = 20;       ///< to begin and end a filter's sum
  double reference_mac = 5;      ///< a multiply-add of the reference: in double, with its index arithmetic
  double reference_sum = 10;     ///< an addition of the reference for db
  double converted_float = 1.6;  ///< a float that is converted to the other layout, from tensors larger than L2
  double fork_join = 30000;      ///< to start the parts on other threads and to wait for the last
  double late_part = 0.1;        ///< of a part, for which a divided run waits: threads do not start and end together
};

struct Constants {
  Products products;
  Im2col im2col;
  Windows windows;
  Winograd winograd;
  Plane plane;
  OuterProduct outer_product;
  Depthwise depthwise;
  Loops loops;
};

// One table per family of processors; a KernelSet names its table. kZen3 is borrowed by the other native sets. With
// AVX-512 its choices are within 0.5 % of the best on a Zen 5 core (geometric mean of 48 races). NEON and the emulated
// sets have no measurements, and SSE2, which has no fused multiply-add, takes longer for arithmetic than the table
// says.
extern const Constants kZen3, kWasmSimd, kWasmRelaxed;

}  // namespace conv2d::cost
