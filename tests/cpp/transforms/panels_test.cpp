#include "transforms/panels.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/matchers.hpp"
#include "transforms/problems.hpp"
#include "transforms/weight_panels.hpp"
#include "transforms/window_panels.hpp"

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

/// Panels of every width from a few lanes up, of the whole depth and of a piece of it.
void check_panels(const std::string& name, const PanelSource& source, const Matrix& matrix, Rng& rng,
                  Failures& failures) {
  if (matrix.lanes == 0 || matrix.depth == 0) return;
  for (const std::int64_t width : kWidths) {
    for (const std::int64_t first : {std::int64_t{0}, matrix.lanes / 2, matrix.lanes - 1}) {
      const std::int64_t from = rng.between(0, matrix.depth - 1);
      for (const auto& [depth_first, depth] :
           {std::pair(std::int64_t{0}, matrix.depth), std::pair(from, rng.between(1, matrix.depth - from))}) {
        const PanelRange range{.first = first,
                               .valid = std::min(width, matrix.lanes - first),
                               .width = width,
                               .first_k = depth_first,
                               .k = depth};
        CheckedOutput panel(depth * width);
        for (std::int64_t d = 0; d < depth; ++d) {
          for (std::int64_t lane = 0; lane < width; ++lane) {
            panel.expect(d * width + lane, lane < range.valid ? matrix(first + lane, depth_first + d) : 0.0F);
          }
        }
        source(range, panel.data());
        failures.add(panel.failure(), name + " width, first lane, valid, first depth, depth:", width, first,
                     range.valid, depth_first, depth);
      }
    }
  }
}

/// The same with a leading step.
void check_with_leading_step(const std::string& name, const PanelSource& inner, const Matrix& matrix, Rng& rng,
                             Failures& failures) {
  const std::vector<float> values = numbers(matrix.lanes, Data::integers, rng);
  GuardedInput bias(values);
  for (const bool ones : {false, true}) {
    Matrix longer(matrix.lanes, matrix.depth + 1);
    for (std::int64_t lane = 0; lane < matrix.lanes; ++lane) {
      longer(lane, 0) = ones ? 1.0F : at(values, lane);
      for (std::int64_t d = 0; d < matrix.depth; ++d) longer(lane, d + 1) = matrix(lane, d);
    }
    const LeadingStep step{.inner = inner, .values = ones ? nullptr : bias.data()};
    check_panels(name + (ones ? " after ones" : " after a bias"), step.source(), longer, rng, failures);
  }
}

}  // namespace

TEST_CASE("panels of a matrix in memory, along its rows and along its columns, and with a leading step",
          "[transforms]") {
  Failures failures;
  Rng rng(66);
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
          const ColumnLanes dense_depth{.data = in_depth.data(), .row_stride = row_stride};
          const RowLanes dense_lanes{.data = in_lane.data(), .row_stride = lane_stride};
          check_panels("ColumnLanes of " + size, dense_depth.source(), of_depth, rng, failures);
          check_panels("RowLanes of " + size, dense_lanes.source(), of_lane, rng, failures);
          check_with_leading_step("ColumnLanes of " + size, dense_depth.source(), of_depth, rng, failures);
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

TEST_CASE("panels of weights: the filters of a group, in both column orders", "[transforms]") {
  Failures failures;
  for_each_problem(
      Layout::nhwc, 67, [&](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng& rng) {
        const std::vector<float> w = iota_floats(s.w_size);
        for (const Guard guard : {Guard::behind, Guard::in_front}) {
          GuardedInput in(w, guard);
          const std::int64_t group = rng.between(0, d.groups - 1);
          for (const ColumnOrder order : {ColumnOrder::kh_kw_c, ColumnOrder::c_kh_kw}) {
            Matrix w_col(s.group_k, d.kh * d.kw * s.group_c);
            for (std::int64_t p = 0; p < d.kh; ++p) {
              for (std::int64_t q = 0; q < d.kw; ++q) {
                for (std::int64_t c = 0; c < s.group_c; ++c) {
                  const std::int64_t row =
                      order == ColumnOrder::kh_kw_c ? (p * d.kw + q) * s.group_c + c : (c * d.kh + p) * d.kw + q;
                  for (std::int64_t k = 0; k < s.group_k; ++k) {
                    w_col(k, row) = at(w, w_index(d, p, q, c, group * s.group_k + k));
                  }
                }
              }
            }
            const WCol weights{.g = &g, .w = in.data(), .group = group, .order = order};
            check_panels(name, weights.source(), w_col, rng, failures);
          }
        }
      });
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("panels of windows: taps of a group as lanes, read from the image", "[transforms]") {
  Failures failures;
  for_each_problem(Layout::nhwc, 68,
                   [&](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng& rng) {
                     const std::vector<float> x = iota_floats(s.x_size);
                     for (const Guard guard : {Guard::behind, Guard::in_front}) {
                       GuardedInput in(x, guard);
                       const std::int64_t group = rng.between(0, d.groups - 1);
                       Matrix x_col(d.kh * d.kw * s.group_c, d.n * s.oh * s.ow);
                       for_each_tap(d, s, [&](const Tap& t) {
                         if (t.group != group) return;
                         x_col((t.p * d.kw + t.q) * s.group_c + t.channel, t.position) = t.x < 0 ? 0.0F : at(x, t.x);
                       });
                       const XColTransposed windows{.g = &g, .x = in.data(), .group = group};
                       check_panels(name, windows.source(), x_col, rng, failures);
                     }
                   });
  CHECK_THAT(failures, NoFailure());
}
