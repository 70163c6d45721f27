#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "check/layer_file.hpp"
#include "check/plain_layer.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;

// y and dy in another order of axes than x: right only if they are the right values in the order that their shape says.

namespace {

using Order = std::array<std::size_t, 4>;
constexpr Order kNchw{0, 1, 2, 3}, kRowsSecond{0, 2, 1, 3}, kColumnsFirst{0, 1, 3, 2}, kReversed{0, 3, 2, 1};

/// All sizes differ, so that each shape says its order.
const Sizes kSizes{.n = 2, .c = 3, .h = 9, .w = 8, .k = 4, .kh = 3, .kw = 2, .stride = {2, 1}, .pad = {1, 0}};

struct Orders {
  Order x = kNchw, y = kNchw, dy = kNchw;
};

/// The file with x and dx in one order, y and dy in others.
File file_in(const Orders& orders) {
  test::Layer layer(kSizes);
  File file;
  test::Layer::add(file, "x", layer.x.permuted(orders.x));
  test::Layer::add(file, "w", orders.x == kNchw ? layer.w : layer.w.permuted(kHwio));
  test::Layer::add(file, "y", layer.y.permuted(orders.y));
  test::Layer::add(file, "dy", layer.dy.permuted(orders.dy));
  test::Layer::add(file, "dx", layer.dx.permuted(orders.x));
  test::Layer::add(file, "dw", orders.x == kNchw ? layer.dw : layer.dw.permuted(kHwio));
  return file;
}

/// The file with a result of another shape over the same memory: a reshape where a transposition is right.
File reshaped(File file, const char* name, const Order& order) {
  const std::vector<std::int64_t> shape = file.array(name).shape;
  std::vector<std::int64_t> other;
  for (const std::size_t axis : order) other.push_back(shape[axis]);
  const std::vector<float> values = file.values(name);
  file.remove(name).add(name, other, values);
  return file;
}

void check_wrong(const File& file) {
  const ArraysVerdict verdict = file.judge();
  INFO(to_json(verdict));
  CHECK(verdict.verdict == FileVerdict::wrong);
  CHECK_FALSE(verdict_of(verdict, "y"));
}

}  // namespace

TEST_CASE("y may have its channels last where x has them first, and the other way round", "[evidence]") {
  const ArraysVerdict last = file_in({.x = kNchw, .y = kNhwc, .dy = kNhwc}).judge();
  INFO(to_json(last));
  CHECK(last.verdict == FileVerdict::right);
  CHECK(last.layers[0].tensors.size() == 3);
  CHECK(last.layers[0].evidence.ends_with("y is NHWC, x is NCHW"));
  const ArraysVerdict first = file_in({.x = kNhwc, .y = kNchw, .dy = kNchw}).judge();
  INFO(to_json(first));
  CHECK(first.verdict == FileVerdict::right);
  CHECK(first.layers[0].evidence.ends_with("y is NCHW, x is NHWC"));
}

TEST_CASE("y in an order that no framework has is wrong", "[evidence]") {
  for (const Order& order : {kRowsSecond, kColumnsFirst, kReversed}) {
    check_wrong(file_in({.x = kNchw, .y = order, .dy = order}));
    check_wrong(file_in({.x = kNhwc, .y = order, .dy = order}));
    check_wrong(file_in({.x = kNchw, .y = order, .dy = kNchw}));
  }
}

TEST_CASE("y that was reshaped and not transposed is wrong", "[evidence]") {
  check_wrong(reshaped(file_in({}), "y", kNhwc));
  check_wrong(reshaped(reshaped(file_in({}), "y", kNhwc), "dy", kNhwc));
  check_wrong(reshaped(file_in({.x = kNchw, .y = kNchw, .dy = kNhwc}), "y", kNhwc));
  check_wrong(reshaped(file_in({.x = kNhwc, .y = kNhwc, .dy = kNhwc}), "y", kColumnsFirst));
}

TEST_CASE("a wrong cell of y in another order is found", "[evidence]") {
  for (const Orders& orders : {Orders{.x = kNchw, .y = kNhwc, .dy = kNhwc}, {.x = kNhwc, .y = kNchw, .dy = kNchw}}) {
    File file = file_in(orders);
    file.values("y")[7] += 1;
    check_wrong(file);
  }
}

TEST_CASE("y of other values in another order is wrong", "[evidence]") {
  File file = file_in({.x = kNchw, .y = kNhwc, .dy = kNhwc});
  // In place: the arrays refer to this memory.
  std::ranges::copy(random_values(std::ssize(file.values("y")), 5), file.values("y").begin());
  check_wrong(file);
}
