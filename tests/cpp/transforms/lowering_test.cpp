#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/matchers.hpp"
#include "transforms/im2col.hpp"
#include "transforms/problems.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// The column of a tap in its row of x_col.
std::int64_t column_of(const ConvDesc& d, const Sizes& s, const Tap& t, ColumnOrder order) {
  return order == ColumnOrder::kh_kw_c ? (t.p * d.kw + t.q) * s.group_c + t.channel
                                       : (t.channel * d.kh + t.p) * d.kw + t.q;
}

/// All rows, none, the first, the last, and some in between.
std::vector<ColumnRows> pieces_of(std::int64_t rows, Rng& rng) {
  std::vector<ColumnRows> pieces{{.count = rows}, {.count = 0}};
  if (rows == 0) return pieces;
  pieces.push_back({.count = 1});
  pieces.push_back({.first = rows - 1, .count = 1});
  const std::int64_t first = rng.between(0, rows - 1);
  pieces.push_back({.first = first, .count = rng.between(1, rows - first)});
  return pieces;
}

bool holds(const ColumnRows& piece, const Tap& t) {
  return t.group == piece.group && t.position >= piece.first && t.position < piece.first + piece.count;
}

}  // namespace

TEST_CASE("im2col copies the windows of any rows, in both column orders, and writes zeros for padding",
          "[transforms]") {
  Failures failures;
  for_each_problem(Layout::nhwc, 61,
                   [&](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng& rng) {
                     const std::vector<float> x = iota_floats(s.x_size);
                     const std::int64_t row_size = d.kh * d.kw * s.group_c;
                     for (const Guard guard : {Guard::behind, Guard::in_front}) {
                       GuardedInput in(x, guard);
                       for (ColumnRows piece : pieces_of(d.n * s.oh * s.ow, rng)) {
                         piece.group = rng.between(0, d.groups - 1);
                         for (const ColumnOrder order : {ColumnOrder::kh_kw_c, ColumnOrder::c_kh_kw}) {
                           piece.order = order;
                           CheckedOutput out(piece.count * row_size);
                           for_each_tap(d, s, [&](const Tap& t) {
                             if (!holds(piece, t)) return;
                             out.expect((t.position - piece.first) * row_size + column_of(d, s, t, order),
                                        t.x < 0 ? 0.0F : at(x, t.x));
                           });
                           im2col(g, piece, in.data(), out.data());
                           failures.add(out.failure(), name + " group, first, count, order:", piece.group, piece.first,
                                        piece.count, static_cast<int>(order));
                         }
                       }
                     }
                   });
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("col2im adds any rows to the elements that they came from, and drops those of the padding", "[transforms]") {
  Failures failures;
  for_each_problem(
      Layout::nhwc, 62, [&](const auto& name, const ConvDesc& d, const Sizes& s, const Geometry& g, Rng& rng) {
        const std::int64_t row_size = d.kh * d.kw * s.group_c;
        for (const Guard guard : {Guard::behind, Guard::in_front}) {
          for (ColumnRows piece : pieces_of(d.n * s.oh * s.ow, rng)) {
            piece.group = rng.between(0, d.groups - 1);
            const std::vector<float> columns = numbers(piece.count * row_size, Data::integers, rng);
            const std::vector<float> before = numbers(s.x_size, Data::integers, rng);
            std::vector<Sum> sums(before.size());
            for (std::size_t i = 0; i < before.size(); ++i) sums[i].add(before[i]);
            for_each_tap(d, s, [&](const Tap& t) {
              if (t.x < 0 || !holds(piece, t)) return;
              const std::int64_t row = (t.position - piece.first) * row_size;
              sums[static_cast<std::size_t>(t.x)].add(at(columns, row + column_of(d, s, t, ColumnOrder::kh_kw_c)));
            });
            GuardedInput in(columns, guard);
            CheckedOutput dx(s.x_size);
            for (std::int64_t i = 0; i < s.x_size; ++i) {
              dx.set_initial(i, at(before, i));
              dx.expect(i, sums[static_cast<std::size_t>(i)]);
            }
            col2im_add(g, piece, in.data(), dx.data());
            failures.add(dx.failure(), name + " group, first, count:", piece.group, piece.first, piece.count);
          }
        }
      });
  CHECK_THAT(failures, NoFailure());
}
