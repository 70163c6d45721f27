#include "evidence/joins.hpp"

#include <algorithm>
#include <cmath>

namespace conv2d_check {
namespace {

/// Rounding between two files of the same values.
bool is_close(float a, float b) {
  constexpr float kRelative = 1e-5F;
  return std::abs(a - b) <= kRelative * std::max(std::abs(a), std::abs(b));
}

bool are_equal(const std::vector<float>& a, const std::vector<float>& b) { return std::ranges::equal(a, b, is_close); }

/// The share of the cells where x = y, or x = max(y, 0).
double share_of(const std::vector<float>& y, const std::vector<float>& x, bool relu) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < y.size(); ++i) count += is_close(relu ? std::max(y[i], 0.0F) : y[i], x[i]) ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, y.size()));
}

/// A y with some wrong cells still belongs to its x.
constexpr double kMostCells = 0.8;

/// dy = dx where the gate is open (x > 0), else 0.
bool is_gated(const std::vector<float>& dx, const std::vector<float>& dy, const std::vector<float>& x) {
  for (std::size_t i = 0; i < dx.size(); ++i) {
    if (!is_close(x[i] > 0 ? dx[i] : 0.0F, dy[i])) return false;
  }
  return true;
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

std::string backward_relation(const Tensors& from, const Tensors& to, const std::string& forward) {
  const std::vector<float>&dx = to[Role::dx]->values, &dy = from[Role::dy]->values;
  const bool may_be_relu = forward == "relu" || forward == "differs";
  if (may_be_relu && is_gated(dx, dy, to[Role::x]->values)) return "relu";
  if (forward == "relu") return "differs";
  return are_equal(dx, dy) ? "equal" : "differs";
}

}  // namespace

std::vector<Join> joins_of(const std::vector<LayerArrays>& layers) {
  std::vector<Join> joins;
  for (const LayerArrays& from : layers) {
    for (const LayerArrays& to : layers) {
      if (&from == &to) continue;
      const bool has_gradients = to.tensors.has(Role::dx) && from.tensors.has(Role::dy) &&
                                 squeezed(to.tensors[Role::dx]->shape) == squeezed(from.tensors[Role::dy]->shape);
      const std::string forward = forward_relation(from.tensors, to.tensors);
      if (!forward.empty()) joins.push_back({from.name, to.name, "y -> x", forward});
      if (!has_gradients) continue;
      const std::string backward = backward_relation(from.tensors, to.tensors, forward);
      // Without the values of x and y, only equal gradients show that the layers follow one another.
      if (!forward.empty() || backward == "equal") joins.push_back({from.name, to.name, "dx -> dy", backward});
    }
  }
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

}  // namespace conv2d_check
