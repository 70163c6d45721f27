#include "transforms/panels.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/matchers.hpp"
#include "transforms/problems.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// A matrix as the contract defines it: element(lane, depth).
struct Matrix {
  std::int64_t lanes = 0, depth = 0;
  std::vector<float> values{};  ///< [depth][lane]

  Matrix(std::int64_t lane_count, std::int64_t depth_count)
      : lanes(lane_count), depth(depth_count), values(static_cast<std::size_t>(lane_count * depth_count)) {}
  float& operator()(std::int64_t lane, std::int64_t d) { return values[static_cast<std::size_t>(d * lanes + lane)]; }
  float operator()(std::int64_t lane, std::int64_t d) const { return at(values, d * lanes + lane); }
};

/// Widths with a specialized copy, and others.
constexpr std::int64_t kWidths[] = {1, 4, 5, 6, 8, 12, 16, 24, 32, 48};

/// Panels of every width (`full`: without lanes that the matrix does not have), from the first lane and later ones.
/// `pack(first, range, panel)` packs from lane `first`.
template <class Pack>
void check_panels(const std::string& name, const Matrix& matrix, Failures& failures, Pack pack, bool full = false) {
  for (const std::int64_t width : kWidths) {
    for (const std::int64_t first : {std::int64_t{0}, matrix.lanes / 2, matrix.lanes - 1}) {
      if (full && width > matrix.lanes - first) continue;
      const PanelRange range{.valid = std::min(width, matrix.lanes - first), .width = width, .reduction = matrix.depth};
      CheckedOutput panel(matrix.depth * width);
      for (std::int64_t d = 0; d < matrix.depth; ++d) {
        for (std::int64_t lane = 0; lane < width; ++lane) {
          panel.expect(d * width + lane, lane < range.valid ? matrix(first + lane, d) : 0.0F);
        }
      }
      pack(first, range, panel.data());
      failures.add(panel.failure(), name + " width, first lane, valid:", width, first, range.valid);
    }
  }
}

}  // namespace

TEST_CASE("panels of a matrix in memory, along its rows and along its columns", "[transforms]") {
  Failures failures;
  for (const Guard guard : {Guard::behind, Guard::in_front}) {
    for (const std::int64_t lanes : {1, 3, 4, 7, 12, 16, 17, 33, 49}) {
      for (const std::int64_t depth : {1, 2, 3, 4, 5, 8, 11}) {
        for (const std::int64_t gap : {0, 3}) {
          const std::int64_t row_stride = lanes + gap, lane_stride = depth + gap;
          const std::vector<float> by_depth = iota_floats((depth - 1) * row_stride + lanes);
          const std::vector<float> by_lane = iota_floats((lanes - 1) * lane_stride + depth);
          GuardedInput in_depth(by_depth, guard), in_lane(by_lane, guard);
          Matrix of_depth(lanes, depth), of_lane(lanes, depth);
          for (std::int64_t lane = 0; lane < lanes; ++lane) {
            for (std::int64_t d = 0; d < depth; ++d) {
              of_depth(lane, d) = at(by_depth, d * row_stride + lane);
              of_lane(lane, d) = at(by_lane, lane * lane_stride + d);
            }
          }
          const std::string size = std::to_string(lanes) + " lanes, depth " + std::to_string(depth);
          check_panels("columns as lanes, " + size, of_depth, failures,
                       [&](std::int64_t first, const PanelRange& range, float* panel) {
                         pack_column_lanes(in_depth.data() + first, row_stride, range, panel);
                       });
          check_panels("rows as lanes, " + size, of_lane, failures,
                       [&](std::int64_t first, const PanelRange& range, float* panel) {
                         pack_row_lanes(in_lane.data() + first * lane_stride, lane_stride, range, panel);
                       });
        }
      }
    }
  }
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("lanes at arbitrary addresses are interleaved, at every width and depth", "[transforms]") {
  Failures failures;
  for (const Guard guard : {Guard::behind, Guard::in_front}) {
    for (std::int64_t width = 1; width <= kMaxPanelWidth; ++width) {
      for (std::int64_t depth = 0; depth <= 9; ++depth) {
        // From the last to the first, one float apart.
        const std::vector<float> values = iota_floats(width * (depth + 1));
        GuardedInput in(values, guard);
        std::vector<const float*> lanes;
        CheckedOutput panel(depth * width);
        for (std::int64_t i = 0; i < width; ++i) {
          const std::int64_t first = (width - 1 - i) * (depth + 1) + 1;
          lanes.push_back(in.data() + first);
          for (std::int64_t d = 0; d < depth; ++d) panel.expect(d * width + i, at(values, first + d));
        }
        interleave(lanes.data(), width, depth, panel.data());
        failures.add(panel.failure(), std::string("width, depth:"), width, depth);
      }
    }
  }
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("panels of windows: taps of a group as lanes, read from the image", "[transforms]") {
  Failures failures;
  for_each_problem(
      Layout::nhwc, 68, [&](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng& rng) {
        const std::vector<float> x = iota_floats(s.x_size);
        for (const Guard guard : {Guard::behind, Guard::in_front}) {
          GuardedInput in(x, guard);
          const std::int64_t group = rng.between(0, d.groups - 1);
          Matrix x_col(d.kh * d.kw * s.group_c, d.n * s.oh * s.ow);
          for_each_tap(d, s, [&](const Tap& t) {
            if (t.group != group) return;
            x_col((t.p * d.kw + t.q) * s.group_c + t.channel, t.position) = t.x < 0 ? 0.0F : at(x, t.x);
          });
          if (x_col.depth == 0) return;
          check_panels(
              name, x_col, failures,
              [&](std::int64_t first, const PanelRange& range, float* to) {
                pack_x_col(g, {.group = group, .count = range.reduction}, in.data(), first, range.width, to);
              },
              true);
        }
      });
  CHECK_THAT(failures, NoFailure());
}
