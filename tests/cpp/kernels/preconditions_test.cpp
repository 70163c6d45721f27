#include "support/abort_message.hpp"

#ifdef CONV2D_TEST_PROCESSES

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "kernels/tested_sets.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

TEST_CASE("preconditions of kernels are checked in debug builds only") {
  // Enough memory for every access of a kernel that does not check its arguments.
  std::vector<float> memory(16384, 1.0F);
  float* const at = memory.data() + 8192;
  std::vector<const float*> windows(kMaxWindowRows, at);
  std::vector<float*> outs(kMaxWindowRows, at);
  for_each_set([&](const TestedSet& set) {
    if (set.emulated) return;
    const KernelSet& k = *set.kernels;
    INFO("kernels of " << set.name());
    const auto check = [](const char* words, const auto& kernel, const auto& given) {
      CHECK_THAT(precondition_failure(words, [&] { kernel(given); }), NoFailure());
    };
    const WindowSpans one{.rows = 1, .cols = 1, .length = k.lanes};
    WindowTile tile{.windows = windows.data(),
                    .out = outs.data(),
                    .rows = kMaxWindowRows,
                    .b = at,
                    .start = at,
                    .columns = 0,
                    .spans = one};
    check("tile.columns >= 1", k.window_tile[0], tile);
    tile.rows = 0;
    check("tile.windows && tile.out && tile.b && tile.start && tile.rows >= kRows", k.window_tile[0], tile);
    DotTile dots{
        .windows = windows.data(), .out = outs.data(), .rows = kMaxWindowRows, .b = at, .start = at, .spans = one};
    dots.spans.length += 1;
    check("spans.rows >= 1 && spans.cols >= 1 && spans.length >= 1 && spans.length % kA == 0", k.dot_tile[0], dots);
    const TapCells cells{.data = at};
    check("p.channels >= 0 && p.channels % simd::kLanes<Arch> == 0", k.tap_kernels[0].sum,
          TapSum{.cells = cells, .w = at, .start = at, .out = at, .pixels = 1, .channels = 1});
    check("p.channels >= 0 && p.channels % simd::kLanes<Arch> == 0", k.tap_kernels[0].products,
          TapProducts{.cells = cells, .dy = at, .dw = at, .pixels = 1, .channels = 1});
    OuterProductTile product{.a = at, .b = at, .c = at, .images = {}, .lines = {}, .pixels = {}, .row_stride = 64};
    product.images.count = -1;
    check("p.images.count >= 0", k.outer_product[0][0], product);
    product.images.count = 0;
    product.tiles = 0;
    check("p.tiles >= 1", k.outer_product[0][0], product);
    check("p.rows >= 1", k.plane_rows, PlaneRows{.in = at, .w = at, .out = at, .rows = 0, .columns = 1});
    check("p.columns >= 0 && p.left >= 0 && p.left + p.columns <= p.pitch", k.plane_copy,
          PlaneCopy{.from = at, .rows = 1, .columns = 3, .to = at, .pitch = 4, .to_rows = 1, .left = 2});
    check("p.count >= 0", k.product_sum, ProductSum{.columns = -1, .out = at});
    check("s.count >= 0", k.row_sum, RowSum{.rows = at, .count = -1, .columns = 1, .out = at});
    check("t.count >= 0 && t.count % kLanes == 0", k.winograd_4x4.cells,
          WinogradTransform{.from = at, .to = at, .count = 1});
  });
}

#endif
