#include "evidence/joins.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "verdict/formats.hpp"
#include "verdict/tolerance.hpp"

namespace conv2d_check {
namespace {

/// Rounding between two files of the same values.
bool is_close(float a, float b) {
  constexpr float kRelative = 1e-5F;
  return std::abs(a - b) <= kRelative * std::max(std::abs(a), std::abs(b));
}

/// The share of the cells where x = y, or x = max(y, 0).
double share_of(const std::vector<float>& y, const std::vector<float>& x, bool relu) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < y.size(); ++i) count += is_close(relu ? std::max(y[i], 0.0F) : y[i], x[i]) ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, y.size()));
}

/// A y with some wrong cells still belongs to its x.
constexpr double kMostCells = 0.8;

/// Whether `b` are the values of `a`, perhaps computed in another order and stored or printed in a lower format.
bool is_stored_from(std::span<const double> a, std::span<const double> b) {
  // Of the root mean square: two right programs add in different orders.
  constexpr double kOfAll = 1e-4, kOfValue = 1e-5;
  std::vector<double> tolerance(a.size());
  const double all = kOfAll * rms(a);
  for (std::size_t i = 0; i < a.size(); ++i) tolerance[i] = all + kOfValue * std::abs(a[i]);
  return std::ranges::any_of(storages_of(b, false), [&](const PossibleStorage& possible) {
    return possible.is_sure && fits(b, a, tolerance, possible.storage);
  });
}

bool are_equal(std::span<const double> a, std::span<const double> b) {
  return is_stored_from(a, b) || is_stored_from(b, a);
}

std::vector<double> doubles(const Tensor& tensor) { return {tensor.values.begin(), tensor.values.end()}; }

/// dx where the gate of a ReLU is open (x > 0), else 0.
std::vector<double> gated(const Tensors& tensors) {
  std::vector<double> values = doubles(*tensors[Role::dx]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(tensors[Role::x]->values[i] > 0)) values[i] = 0;
  }
  return values;
}

/// Why the first layer's y is the second one's x; empty: it is not.
std::string forward_relation(const Tensors& from, const Tensors& to) {
  const Tensor *y = from[Role::y], *x = to[Role::x];
  if (y == nullptr || x == nullptr || squeezed(y->shape) != squeezed(x->shape)) return "";
  const double equal = share_of(y->values, x->values, false), relu = share_of(y->values, x->values, true);
  if (equal == 1) return "equal";
  if (relu == 1) return "relu";
  return std::max(equal, relu) >= kMostCells ? "differs" : "";
}

bool has_gradients(const Tensors& from, const Tensors& to) {
  return to.has(Role::dx) && from.has(Role::dy) && squeezed(to[Role::dx]->shape) == squeezed(from[Role::dy]->shape);
}

/// A layer that may read y of another, and the gradient that it passes back.
struct Reader {
  const LayerArrays* layer;
  std::string forward;
  std::vector<double> gradient{};
};

std::string backward_relation(const Tensors& from, const Reader& reader) {
  const std::vector<double> dy = doubles(*from[Role::dy]);
  const bool may_be_relu = reader.forward == "relu" || reader.forward == "differs";
  if (may_be_relu && are_equal(gated(reader.layer->tensors), dy)) return "relu";
  if (reader.forward == "relu") return "differs";
  return are_equal(doubles(*reader.layer->tensors[Role::dx]), dy) ? "equal" : "differs";
}

/// Whether dy of `from` is the sum of the gradients of some layers that read its y, perhaps with dy of another layer: a
/// residual connection passes that one back as it is.
bool is_sum(const LayerArrays& from, const std::vector<Reader>& readers, const std::vector<LayerArrays>& layers) {
  const std::vector<double> dy = doubles(*from.tensors[Role::dy]);
  // More layers never read one tensor.
  constexpr std::size_t kMost = 4;
  const std::size_t count = std::min(kMost, readers.size());
  for (unsigned chosen = 1; chosen < 1U << count; ++chosen) {
    std::vector<double> sum(dy.size());
    for (std::size_t i = 0; i < count; ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      std::ranges::transform(sum, readers[i].gradient, sum.begin(), std::plus());
    }
    if (are_equal(sum, dy)) return true;
    for (const LayerArrays& other : layers) {
      const Tensor* added = other.tensors[Role::dy];
      if (&other == &from || added == nullptr || added->values.size() != dy.size()) continue;
      std::vector<double> with = doubles(*added);
      std::ranges::transform(sum, with, with.begin(), std::plus());
      if (are_equal(with, dy)) return true;
    }
  }
  return false;
}

/// The joins of a layer with all that may read its y.
void add_joins(const LayerArrays& from, const std::vector<LayerArrays>& layers, std::vector<Join>& joins) {
  std::vector<Reader> readers;
  std::vector<std::size_t> differing;
  for (const LayerArrays& to : layers) {
    if (&from == &to) continue;
    Reader reader{.layer = &to, .forward = forward_relation(from.tensors, to.tensors)};
    if (!reader.forward.empty()) joins.push_back({from.name, to.name, "y -> x", reader.forward});
    if (!has_gradients(from.tensors, to.tensors)) continue;
    const std::string backward = backward_relation(from.tensors, reader);
    // Without the values of x and y, only equal gradients show that the layers follow one another.
    if (reader.forward.empty() && backward != "equal") continue;
    if (backward == "differs") differing.push_back(joins.size());
    joins.push_back({from.name, to.name, "dx -> dy", backward});
    if (reader.forward.empty()) continue;
    reader.gradient = reader.forward == "relu" ? gated(to.tensors) : doubles(*to.tensors[Role::dx]);
    readers.push_back(std::move(reader));
  }
  if (differing.empty() || !is_sum(from, readers, layers)) return;
  for (const std::size_t i : differing) joins[i].relation = "sum";
}

}  // namespace

std::vector<Join> joins_of(const std::vector<LayerArrays>& layers) {
  std::vector<Join> joins;
  for (const LayerArrays& from : layers) add_joins(from, layers, joins);
  return joins;
}

std::vector<std::size_t> forward_order(const std::vector<LayerArrays>& layers, const std::vector<Join>& joins) {
  std::vector<std::size_t> order;
  std::vector<bool> is_placed(layers.size());
  const auto is_ready = [&](std::size_t i) {
    return std::ranges::none_of(joins, [&](const Join& join) {
      if (join.to != layers[i].name || join.from == join.to) return false;
      const auto before = std::ranges::find(layers, join.from, &LayerArrays::name) - layers.begin();
      return !is_placed[static_cast<std::size_t>(before)];
    });
  };
  while (order.size() < layers.size()) {
    std::size_t next = layers.size();
    for (std::size_t i = 0; i < layers.size() && next == layers.size(); ++i) {
      if (!is_placed[i] && is_ready(i)) next = i;
    }
    // A cycle: as in the file.
    for (std::size_t i = 0; i < layers.size() && next == layers.size(); ++i) {
      if (!is_placed[i]) next = i;
    }
    is_placed[next] = true;
    order.push_back(next);
  }
  return order;
}

std::vector<Join> broken_joins(const std::vector<Join>& joins) {
  std::vector<Join> broken;
  for (const Join& join : joins) {
    if (join.tensors != "dx -> dy" || join.relation != "differs") continue;
    const bool follows = std::ranges::any_of(joins, [&](const Join& other) {
      return other.from == join.from && other.to == join.to && other.tensors == "y -> x" && other.relation != "differs";
    });
    if (follows) broken.push_back(join);
  }
  return broken;
}

}  // namespace conv2d_check
