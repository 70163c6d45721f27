#include "evidence/shapes.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace conv2d_check {
namespace {

/// An order of axes. A missing letter is an axis of size 1; L is the only axis along which a 1-D convolution moves.
struct Order {
  std::string_view axes;
  bool last;  ///< channels (of weights: filters) vary fastest
  double cost = 0;

  [[nodiscard]] bool is_1d() const noexcept { return axes.find('L') != std::string_view::npos; }
  [[nodiscard]] std::int64_t size(const Dims& shape, char letter) const noexcept {
    const std::size_t at = axes.find(letter);
    return at == std::string_view::npos ? 1 : shape[at];
  }
};

constexpr Order kActivations[]{
    {"NCHW", false}, {"NHWC", true}, {"CHW", false},   {"HWC", true},   {"NHW", false, 4}, {"NCL", false},
    {"NLC", true},   {"HW", false},  {"CL", false, 2}, {"LC", true, 2}, {"NL", false, 3},  {"L", false},
};

struct WeightsOrder {
  Order order{};
  WeightsLayout layout = WeightsLayout::automatic;
};

constexpr WeightsOrder kWeights[]{
    {{"OIHW", false}, WeightsLayout::oihw},   {{"HWIO", true}, WeightsLayout::hwio},
    {{"OHWI", true}, WeightsLayout::ohwi},    {{"HWCM", true, 1}, WeightsLayout::hwio},
    {{"OIL", false}, WeightsLayout::oihw},    {{"LIO", true}, WeightsLayout::hwio},
    {{"OLI", true}, WeightsLayout::ohwi},     {{"LCM", true, 1}, WeightsLayout::hwio},
    {{"OHW", false, 1}, WeightsLayout::oihw}, {{"HWO", true, 1}, WeightsLayout::hwio},
    {{"IHW", false, 1}, WeightsLayout::oihw}, {{"HWI", true, 1}, WeightsLayout::hwio},
    {{"HW", false}, WeightsLayout::oihw},     {{"OI", false, 2}, WeightsLayout::oihw},
    {{"IO", true, 2}, WeightsLayout::hwio},   {{"OL", false, 3}, WeightsLayout::oihw},
    {{"LO", true, 3}, WeightsLayout::hwio},   {{"L", false}, WeightsLayout::oihw},
};

/// Orders of different frameworks in one layer.
constexpr double kMixed = 20;

bool is_same_dimension(const Order& w, bool is_1d) { return w.is_1d() == is_1d || w.axes == "OI" || w.axes == "IO"; }

/// Key of the arrangement in memory: orders that differ only in axes of size 1 are the same.
std::string key_of(const Reading& r) {
  const bool x_matters = r.c > 1 && r.h * r.w > 1;
  const bool y_matters = r.k > 1 && r.oh * r.ow != 1;
  std::string key = x_matters || y_matters ? (r.layout == Layout::nhwc ? "l" : "f") : "-";
  const std::int64_t inputs = r.c / r.groups, taps = r.kh * r.kw;
  const int axes = (inputs > 1 ? 1 : 0) + (taps > 1 ? 1 : 0) + (r.k > 1 ? 1 : 0);
  if (axes > 1) {
    const bool hwio = r.weights == WeightsLayout::hwio;
    // O I HW, HW I O and O HW I, without the axes of size 1.
    std::string order = hwio ? "tio" : r.weights == WeightsLayout::oihw ? "oit" : "oti";
    if (inputs == 1) std::erase(order, 'i');
    if (taps == 1) std::erase(order, 't');
    if (r.k == 1) std::erase(order, 'o');
    key += order;
  }
  for (const std::int64_t size : {r.n, r.h, r.w, r.c, r.k, r.kh, r.kw, r.groups, r.oh, r.ow})
    key += "," + std::to_string(size);
  return key;
}

bool read_weights(const WeightsOrder& w, const Dims& shape, Reading& r) {
  const Order& order = w.order;
  r.weights = w.layout;
  r.w_order = order.axes;
  r.kh = order.size(shape, 'H');
  r.kw = order.is_1d() ? order.size(shape, 'L') : order.size(shape, 'W');
  r.k = order.size(shape, 'O');
  const std::int64_t channels = order.size(shape, 'C');
  if (order.axes.find('C') != std::string_view::npos) {
    // Keras' depthwise weights: M filters for each of C channels.
    if (channels != r.c || channels == 1) return false;
    r.k = channels * order.size(shape, 'M');
    r.groups = channels;
    return r.k > 0;
  }
  const std::int64_t inputs = order.size(shape, 'I');
  if (inputs < 1 || r.c % inputs != 0 || r.kh < 1 || r.kw < 1) return false;
  r.groups = r.c / inputs;
  return r.k >= 1 && r.k % r.groups == 0;
}

}  // namespace

std::vector<Reading> readings_of(const Dims& x, const Dims& w, const Dims* y) {
  std::vector<Reading> found;
  for (const Order& ox : kActivations) {
    if (ox.axes.size() != x.size()) continue;
    for (const WeightsOrder& ow : kWeights) {
      if (ow.order.axes.size() != w.size() || !is_same_dimension(ow.order, ox.is_1d())) continue;
      Reading r{.layout = ox.last ? Layout::nhwc : Layout::nchw, .x_order = std::string(ox.axes), .is_1d = ox.is_1d()};
      r.n = ox.size(x, 'N');
      r.c = ox.size(x, 'C');
      r.h = ox.size(x, 'H');
      r.w = ox.is_1d() ? ox.size(x, 'L') : ox.size(x, 'W');
      if (r.n < 1 || r.c < 1 || r.h < 1 || r.w < 1 || !read_weights(ow, w, r)) continue;
      const bool is_alike = ox.last == ow.order.last || r.c == 1;
      r.cost = ox.cost + ow.order.cost + (is_alike ? 0 : kMixed) + (r.groups > 1 ? 1 : 0) +
               (r.weights == WeightsLayout::ohwi ? 3 : 0);
      if (y == nullptr) {
        found.push_back(r);
        continue;
      }
      for (const Order& oy : kActivations) {
        if (oy.axes.size() != y->size() || oy.is_1d() != ox.is_1d()) continue;
        // The order of x may say nothing where x has one channel.
        Reading both = r;
        if (oy.last != ox.last) {
          const bool x_is_free = r.c == 1 || r.h * r.w == 1, y_is_free = r.k == 1;
          if (!x_is_free && !y_is_free) continue;
          if (x_is_free) both.layout = oy.last ? Layout::nhwc : Layout::nchw;
          both.cost += 2;
        }
        if (oy.size(*y, 'N') != r.n || oy.size(*y, 'C') != r.k) continue;
        both.oh = oy.size(*y, 'H');
        both.ow = oy.is_1d() ? oy.size(*y, 'L') : oy.size(*y, 'W');
        if (both.oh < 1 || both.ow < 1) continue;
        both.cost += (oy.axes == ox.axes ? 0 : 4) + oy.cost;
        found.push_back(both);
      }
    }
  }
  std::ranges::stable_sort(found, {}, &Reading::cost);
  std::set<std::string> known;
  std::erase_if(found, [&](const Reading& r) { return !known.insert(key_of(r)).second; });
  return found;
}

std::vector<Reading> readings_without_weights(const Dims& x, const Dims& y) {
  std::vector<Reading> found;
  for (const Order& order : kActivations) {
    if (order.axes.size() != x.size() || x.size() != y.size()) continue;
    if (order.size(x, 'N') != order.size(y, 'N') || order.size(x, 'C') != order.size(y, 'C')) continue;
    Reading r{
        .layout = order.last ? Layout::nhwc : Layout::nchw, .x_order = std::string(order.axes), .is_1d = order.is_1d()};
    const char columns = order.is_1d() ? 'L' : 'W';
    r.n = order.size(x, 'N');
    r.groups = r.k = r.c = order.size(x, 'C');
    r.h = order.size(x, 'H'), r.w = order.size(x, columns);
    r.oh = order.size(y, 'H'), r.ow = order.size(y, columns);
    r.cost = order.cost;
    if (std::min({r.n, r.c, r.h, r.w, r.oh, r.ow}) >= 1) found.push_back(r);
  }
  return found;
}

Dims squeezed(const Dims& shape) {
  Dims sizes = shape;
  std::erase(sizes, 1);
  return sizes;
}

bool is_shape(const Dims& shape, const Dims& wanted) { return squeezed(shape) == squeezed(wanted); }

bool is_list(const Dims& shape, std::int64_t count) {
  const Dims sizes = squeezed(shape);
  return count == 1 ? sizes.empty() : sizes == Dims{count};
}

}  // namespace conv2d_check
