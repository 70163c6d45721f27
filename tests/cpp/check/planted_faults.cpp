#include "check/planted_faults.hpp"

#include <algorithm>
#include <bit>

namespace conv2d_check::test {
namespace {

using Inside = std::function<bool(const CellIndex&)>;

/// A fault that sets cells to a value.
std::function<void(Planted&)> set(Inside inside, double (*value)(std::size_t)) {
  return [=](Planted& p) { p.change(inside, value); };
}
std::function<void(Planted&)> times(Inside inside, double factor) {
  return [=](Planted& p) { p.change(inside, [&](std::size_t i) { return factor * p.right.values[i]; }); };
}
/// Cells with the right values of others.
std::function<void(Planted&)> moved(Inside inside, std::function<CellIndex(CellIndex)> from) {
  return [=](Planted& p) { p.change(inside, [&](std::size_t i) { return p.right_at(from(p.at(i))); }); };
}
/// Cells computed from operands with some elements replaced.
using Replaced = std::function<void(Planted&, std::vector<float>& x, std::vector<float>& w, std::vector<float>& dy)>;
std::function<void(Planted&)> computed(Inside inside, Replaced replace) {
  return [=](Planted& p) {
    std::vector<float> x = p.x, w = p.w, dy = p.dy;
    replace(p, x, w, dy);
    const auto result = p.result(p.g, {.x = x, .w = w, .b = p.b, .dy = dy});
    p.change(inside, [&](std::size_t i) { return result[i]; });
  };
}

/// Sets the elements of w (nchw, oihw) with a tap and channel to 0.
void clear_w(Planted& p, std::vector<float>& w, const std::function<bool(const CellIndex&)>& is_clear) {
  const ResultAxes axes = axes_of(p.problem, Pass::backward_weights);
  for (std::size_t i = 0; i < w.size(); ++i)
    if (is_clear(index_of(axes, static_cast<std::int64_t>(i)))) w[i] = 0;
}
void clear_dy(Planted& p, std::vector<float>& dy, const std::function<bool(const CellIndex&)>& is_clear) {
  const ResultAxes axes = axes_of(p.problem, Pass::forward);
  for (std::size_t i = 0; i < dy.size(); ++i)
    if (is_clear(index_of(axes, static_cast<std::int64_t>(i)))) dy[i] = 0;
}

/// Rotates the kernels of w (oihw) by 180 degrees.
void flip(Planted& p, std::vector<float>& w) {
  const std::int64_t taps = p.g.kh * p.g.kw;
  for (auto kernel = w.begin(); kernel != w.end(); kernel += taps) std::reverse(kernel, kernel + taps);
}

/// y of an x that has its padding in it, with other values there.
std::function<void(Planted&)> padded(
    std::function<float(const Planted&, std::int64_t n, std::int64_t row, std::int64_t col, std::int64_t c)> outside) {
  return [=](Planted& p) {
    ConvDesc large = kPlain;
    large.h += 2, large.w += 2, large.padding = {};
    const Geometry g = *conv2d::resolve(large);
    std::vector<float> x(static_cast<std::size_t>(g.x_size));
    for (std::int64_t n = 0; n < g.n; ++n)
      for (std::int64_t c = 0; c < g.c; ++c)
        for (std::int64_t row = 0; row < g.h; ++row)
          for (std::int64_t col = 0; col < g.w; ++col) {
            const bool inside = row > 0 && row <= p.g.h && col > 0 && col <= p.g.w;
            x[static_cast<std::size_t>(((n * g.c + c) * g.h + row) * g.w + col)] =
                inside ? p.x[static_cast<std::size_t>(((n * g.c + c) * p.g.h + row - 1) * p.g.w + col - 1)]
                       : outside(p, n, row - 1, col - 1, c);
          }
    p.yours = p.result(g, {.x = x, .w = p.w, .b = p.b, .dy = p.dy});
  };
}
float x_at(const Planted& p, std::int64_t n, std::int64_t row, std::int64_t col, std::int64_t c) {
  return p.x[static_cast<std::size_t>(((n * p.g.c + c) * p.g.h + row) * p.g.w + col)];
}

}  // namespace

const std::vector<Fault>& faults() {
  static const std::vector<Fault> kFaults{
      // Vector tails and blocks along an axis.
      {"tail after vectors of 4", kPlain, kY, set([](auto& at) { return at[2] >= 28; }, zero),
       "column 28 (the last; windows that touch the right padding)", "0"},
      {"tail after vectors of 8", kPlain, kY, set([](auto& at) { return at[2] >= 24; }, not_a_number),
       "columns from 24 on", "NaN"},
      {"tail after vectors of 16", kPlain, kY, times([](auto& at) { return at[2] >= 16; }, 2), "columns from 16 on",
       "2 times the right values"},
      {"first vector of each row", kPlain, kDx, set([](auto& at) { return at[2] < 8; }, zero), "columns 0 to 7", "0"},
      {"last block of filters", kPlain, kY, set([](auto& at) { return at[3] >= 8; }, zero), "filters from 8 on", "0"},
      {"last channels of dx", kPlain, kDx, set([](auto& at) { return at[3] >= 4; }, not_a_number),
       "the last 2 channels", "NaN"},
      {"filters in blocks of 8", kRemainder, kY, set([](auto& at) { return at[3] % 8 >= 5; }, zero),
       "the last 3 of every 8 filters", "0"},
      {"filters in blocks of 8, db", kRemainder, kDb, set([](auto& at) { return at[3] % 8 >= 5; }, zero),
       "the last 3 of every 8 filters", "0"},
      {"a block in the middle", kPlain, kY, set([](auto& at) { return at[1] >= 8 && at[1] < 16; }, zero),
       "rows 8 to 15", "0"},
      {"the first row is skipped", kPlain, kDx, set([](auto& at) { return at[1] > 0; }, zero), "rows from 1 on", "0"},
      {"the interior alone", kPlain, kY,
       times([](auto& at) { return at[1] > 0 && at[1] < 29 && at[2] > 0 && at[2] < 28; }, -1),
       "rows 1 to 28 and columns 1 to 27", "minus the right values"},
      {"last filters of dw", kRemainder, kDw, set([](auto& at) { return at[3] >= 16; }, not_a_number),
       "the last 3 filters", "NaN"},
      {"last filters of db", kRemainder, kDb, set([](auto& at) { return at[3] >= 16; }, zero), "the last 3 filters",
       "0"},
      // Tiles.
      {"tiles of 2x2, one corner", kPlain, kY, set([](auto& at) { return at[1] % 2 == 1 && at[2] % 2 == 1; }, zero),
       "odd rows and odd columns", "0"},
      {"tiles of 4x4, last column", kPlain, kY, times([](auto& at) { return at[2] % 4 == 3; }, 0.5),
       "every 4th column from 3 on", "half the right values"},
      {"tiles of 4x4, incomplete ones", kPlain, kY, set([](auto& at) { return at[1] >= 28 || at[2] >= 28; }, zero),
       "the last 2 rows or column 28 (the last)", "0"},
      {"tiles of 8 columns, both ends", kPlain, kDx,
       set([](auto& at) { return at[2] % 8 == 0 || at[2] % 8 == 7; }, zero),
       "the last and the first of every 8 columns", "0"},
      {"last tile of 64 windows", kPlain, kY, set([](auto& at) { return at[1] * 29 + at[2] >= 832; }, zero),
       "windows from 832 on, counted row by row in each image", "0"},
      {"last tile of 8 windows", kGroups, kY,
       set([](auto& at) { return (at[0] * 13 + at[1]) * 12 + at[2] >= 464; }, not_a_number),
       "windows from 464 on, counted row by row over all images", "NaN"},
      // Parts of threads.
      {"second of three threads", kPlain, kY,
       set(
           [](auto& at) {
             const auto i = at[0] * 870 + at[1] * 29 + at[2];
             return i >= 580 && i < 1160;
           },
           zero),
       "rows 20 to 39, counted over all images", "0"},
      {"second of seven threads", kPlain, kDx,
       set(
           [](auto& at) {
             const auto i = at[1] * 29 + at[2];
             return i >= 125 && i < 250;
           },
           zero),
       "cells 125 to 249, counted row by row in each image", "0"},
      {"second thread of rows", kGroups, kY,
       set(
           [](auto& at) {
             const auto i = at[0] * 13 + at[1];
             return i >= 10 && i < 20;
           },
           zero),
       "rows 10 to 19, counted over all images", "0"},
      {"second thread of planes", kPlain, kY,
       set(
           [](auto& at) {
             const auto i = at[0] * 12 + at[3];
             return i >= 8 && i < 16;
           },
           zero),
       "planes 8 to 15, counted filter by filter over all images", "0"},
      {"second thread of dw", kPlain, kDw,
       set(
           [](auto& at) {
             const auto i = (at[0] * 3 + at[1]) * 6 + at[2];
             return i >= 40;
           },
           zero),
       "rows of w_col from 40 on", "0"},
      {"last image", kPlain, kY, set([](auto& at) { return at[0] == 1; }, zero), "image 1 (the last)", "0"},
      {"last image, last filters", kPlain, kY, set([](auto& at) { return at[0] == 1 && at[3] >= 8; }, not_a_number),
       "image 1 (the last), filters from 8 on", "NaN"},
      // Order in memory.
      {"tail in memory", kPlain, kY,
       [](Planted& p) {
         for (std::size_t i = p.yours.size() - 5; i < p.yours.size(); ++i) p.yours[i] = 0;
       },
       "elements from 20875 on in memory", "0"},
      {"last lane of 16 in memory", kPlain, kY,
       [](Planted& p) {
         for (std::size_t i = 15; i < p.yours.size(); i += 16) p.yours[i] = 0;
       },
       "every 16th element from 15 on in memory", "0"},
      {"a page of memory", kPlain, kDx,
       [](Planted& p) {
         for (std::size_t i = 4096; i < 5120; ++i) p.yours[i] = 7;
       },
       "elements 4096 to 5119 in memory", "the same value everywhere, 7"},
      // Groups.
      {"group 2", kGroups, kY, set([](auto& at) { return at[3] / 6 == 2; }, zero), "filters of group 2", "0"},
      {"groups after the first, dx", kGroups, kDx, set([](auto& at) { return at[3] >= 4; }, zero),
       "channels of the last 3 groups", "0"},
      {"last filter of each group", kGroups, kY, set([](auto& at) { return at[3] % 6 == 5; }, zero),
       "the last filter of each group", "0"},
      {"groups read group 0", kGroups, kY,
       computed(everywhere,
                [](Planted& p, auto& x, auto&, auto&) {
                  for (std::size_t i = 0; i < x.size(); ++i) x[i] = p.x[i / 16 * 16 + i % 4];
                }),
       "filters of the last 3 groups", "the right values for the input channels of group 0"},
      // Strides and the remainder.
      {"odd rows of dx", kRemainder, kDx, set([](auto& at) { return at[1] % 2 == 1; }, zero), "odd rows", "0"},
      {"a phase of dx", kSparse, kDx, times([](auto& at) { return at[1] % 3 == 1 && at[2] % 3 == 0; }, 2),
       "every 3rd row from 1 on and every 3rd column from 0 on", "2 times the right values"},
      {"remainder not zeroed", kSparse, kDx,
       [](Planted& p) {
         p.change([](auto& at) { return at[1] % 3 == 2 || at[2] % 3 == 2; },
                  [&](std::size_t) { return 1e30 * p.rng.real(); });
       },
       "every 3rd row or column from 2 on (no window reads them)", nullptr},
      // Contents of memory.
      {"uninitialized rows", kPlain, kY,
       [](Planted& p) {
         p.change(
             [](auto& at) { return at[1] >= 24; },
             [&](std::size_t) {
               return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(p.rng.next()) & 0xEFFFFFFF));
             });
       },
       "rows from 24 on", nullptr},
      {"rows of NaN, and a few wrong ones", kPlain, kDx,
       [](Planted& p) {
         p.change([](auto& at) { return at[1] >= 20; },
                  [](std::size_t i) { return i % 5 == 0 ? 1.0 : not_a_number(i); });
       },
       "rows from 20 on", "mostly no values of a sum, such as NaN: never written, or old contents"},
      {"bytes of an allocator", kPlain, kDx,
       set([](auto& at) { return at[1] >= 24; },
           [](std::size_t) { return static_cast<double>(std::bit_cast<float>(0xCDCDCDCDU)); }),
       "rows from 24 on", "the byte 0xCD repeated: never written"},
      {"dx added to that of another image", kPlain, kDx,
       [](Planted& p) {
         p.change([](auto& at) { return at[0] == 1; },
                  [&](std::size_t i) {
                    auto at = p.at(i);
                    at[0] = 0;
                    return p.right.values[i] + p.right_at(at);
                  });
       },
       "image 1 (the last)", "the right value plus that of the cell one image before"},
      {"dx added to old contents", kPlain, kDx,
       [](Planted& p) {
         p.change([](auto& at) { return at[3] >= 4; }, [&](std::size_t i) { return p.right.values[i] + p.rng.real(); });
       },
       "the last 2 channels", ""},
      // Values of other cells.
      {"one column too far", kPlain, kY,
       moved([](auto& at) { return at[1] % 2 == 1 && at[2] > 0; },
             [](auto at) {
               --at[2];
               return at;
             }),
       "odd rows and columns from 1 on", "the right value of the cell one column to the left"},
      {"lanes in reverse", kPlain, kY,
       moved([](auto& at) { return at[2] < 28; },
             [](auto at) {
               at[2] = at[2] / 4 * 4 + 3 - at[2] % 4;
               return at;
             }),
       "columns 0 to 27", "the right value of the cell in reverse order in each block of 4 columns"},
      {"an image twice", kPlain, kY,
       moved([](auto& at) { return at[0] == 1; },
             [](auto at) {
               at[0] = 0;
               return at;
             }),
       "image 1 (the last)", "the right value of the cell one image before"},
      {"flipped tail of dw", kPlain, kDw,
       moved([](auto& at) { return at[3] >= 8 && (at[0] != 1 || at[1] != 1); },
             [](auto at) {
               at[0] = 2 - at[0];
               at[1] = 2 - at[1];
               return at;
             }),
       "taps other than 4, counted row by row and filters from 8 on", "the right value of the tap rotated by 180°"},
      {"tap row and tap column exchanged", kPlain, kDw,
       moved(everywhere,
             [](auto at) {
               std::swap(at[0], at[1]);
               return at;
             }),
       "cells off the diagonal (tap row other than tap column)",
       "the right value of the tap with row and column exchanged"},
      // Sums.
      {"bias missing", kPlain, kY,
       [](Planted& p) {
         p.change([](auto& at) { return at[3] >= 8; },
                  [&](std::size_t i) { return p.right.values[i] - p.b[static_cast<std::size_t>(p.at(i)[3])]; });
       },
       "filters from 8 on", "the right values without the bias"},
      {"bias twice", kPlain, kY,
       [](Planted& p) {
         p.change([](auto& at) { return at[0] == 1; },
                  [&](std::size_t i) { return p.right.values[i] + p.b[static_cast<std::size_t>(p.at(i)[3])]; });
       },
       "image 1 (the last)", "the right values with the bias added twice"},
      {"a tap missing in the tail", kPlain, kY,
       computed(
           [](auto& at) { return at[2] >= 24; },
           [](Planted& p, auto&, auto& w, auto&) { clear_w(p, w, [](auto& at) { return at[0] == 1 && at[1] == 2; }); }),
       nullptr, "the right values without tap (1, 2)"},
      {"last channels missing", kPlain, kY,
       computed(everywhere,
                [](Planted& p, auto&, auto& w, auto&) { clear_w(p, w, [](auto& at) { return at[2] >= 4; }); }),
       nullptr, "the right values without the last 2 input channels"},
      {"only the last block of channels", kPlain, kY,
       computed([](auto& at) { return at[1] >= 28; },
                [](Planted& p, auto&, auto& w, auto&) { clear_w(p, w, [](auto& at) { return at[2] < 4; }); }),
       "the last 2 rows", "the right values without input channels 0 to 3"},
      {"a block of filters missing in dx", kPlain, kDx,
       computed(everywhere, [](Planted& p, auto&, auto& w,
                               auto&) { clear_w(p, w, [](auto& at) { return at[3] >= 4 && at[3] < 8; }); }),
       nullptr, "the right values without filters 4 to 7"},
      {"last image missing in dw", kPlain, kDw,
       computed(everywhere,
                [](Planted& p, auto&, auto&, auto& dy) { clear_dy(p, dy, [](auto& at) { return at[0] == 1; }); }),
       nullptr, "the right values without image 1 (the last)"},
      {"tail of columns missing in dw", kPlain, kDw,
       computed(everywhere,
                [](Planted& p, auto&, auto&, auto& dy) { clear_dy(p, dy, [](auto& at) { return at[2] >= 24; }); }),
       nullptr, "the right values without columns of dy from 24 on"},
      {"another tail of columns for each tap of dw", kPlain, kDw,
       [](Planted& p) {
         for (std::int64_t q = 0; q < 3; ++q)
           computed([q](auto& at) { return at[1] == q; },
                    [q](Planted& planted, auto&, auto&, auto& dy) {
                      clear_dy(planted, dy, [q](auto& at) { return at[2] >= 26 - q; });
                    })(p);
       },
       nullptr, "the right values without the last 3 columns of dy for tap (0, 0); other terms for other taps"},
      {"last windows missing in db", kPlain, kDb,
       computed(everywhere, [](Planted& p, auto&, auto&,
                               auto& dy) { clear_dy(p, dy, [](auto& at) { return at[1] * 29 + at[2] >= 864; }); }),
       nullptr, "the right values without windows from 864 on, counted row by row in each image"},
      {"bias of the first group", kGroups, kY,
       [](Planted& p) {
         p.change([](auto& at) { return at[3] >= 6; },
                  [&](std::size_t i) {
                    const auto filter = static_cast<std::size_t>(p.at(i)[3]);
                    return p.right.values[i] - p.b[filter] + p.b[filter % 6];
                  });
       },
       nullptr, "the right values with the bias of group 0"},
      {"bias of the first panel", kPlain, kY,
       [](Planted& p) {
         p.change([](auto& at) { return at[3] >= 8; },
                  [&](std::size_t i) {
                    const auto filter = static_cast<std::size_t>(p.at(i)[3]);
                    return p.right.values[i] - p.b[filter] + p.b[filter % 8];
                  });
       },
       "filters from 8 on", "the right values with the bias of the filter 8 before"},
      {"only the bias in one filter", kPlain, kY,
       [](Planted& p) { p.change([](auto& at) { return at[3] == 11; }, [&](std::size_t) { return p.b[11]; }); },
       "filter 11 (the last)", "only the bias"},
      // Phases.
      {"phases of rows and columns exchanged", kPlain, kDx,
       set([](auto& at) { return (at[1] + at[2]) % 2 == 1; }, zero), "cells with an odd sum of row and column", "0"},
      // Padding and formats.
      {"padding of 1", kPlain, kY, padded([](auto&, auto, auto, auto, auto) { return 1.0F; }),
       "the first and the last row or column (windows that touch the padding)",
       "the right values if the padding were 1"},
      {"padding repeats the edge", kPlain, kY, padded([](auto& p, auto n, auto row, auto col, auto c) {
         return x_at(p, n, std::clamp<std::int64_t>(row, 0, 29), std::clamp<std::int64_t>(col, 0, 28), c);
       }),
       "the first and the last row or column (windows that touch the padding)",
       "the right values if the padding repeated the nearest cell of x"},
      {"a row in bfloat16", kPlain, kY,
       [](Planted& p) {
         p.change([](auto& at) { return at[1] >= 28; },
                  [&](std::size_t i) { return round_to(p.right.values[i], {.kind = FormatKind::bfloat16}); });
       },
       "the last 2 rows", "the right values rounded to bfloat16"},
      {"a constant in a filter", kPlain, kY,
       [](Planted& p) {
         p.change([](auto& at) { return at[3] == 5; }, [&](std::size_t i) { return p.right.values[i] + 0.5; });
       },
       "filter 5", "the right values plus 0.5"},
      {"flipped kernel in the tail", kPlain, kY,
       computed([](auto& at) { return at[2] >= 24; }, [](Planted& p, auto&, auto& w, auto&) { flip(p, w); }),
       "columns from 24 on", "the values of the mistake \"Weight of the opposite corner\""},
      {"flipped kernel in dx of the last channels", kPlain, kDx,
       computed([](auto& at) { return at[3] >= 4; }, [](Planted& p, auto&, auto& w, auto&) { flip(p, w); }),
       "the last 2 channels", "the values of the mistake \"Weight of the opposite corner\""},
      {"one cell", kPlain, kY,
       times(
           [](auto& at) {
             return at == CellIndex{0, 3, 4, 2};
           },
           2),
       "one cell: image 0, row 3, column 4, filter 2", "2 times the right values"},
  };
  return kFaults;
}

}  // namespace conv2d_check::test
