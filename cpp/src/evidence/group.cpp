#include "evidence/group.hpp"

#include <algorithm>
#include <map>

#include "evidence/names.hpp"

namespace conv2d_check {
namespace {

constexpr std::size_t kMostAxes = 4;

bool has_weights(const LayerArrays& layer) { return layer.tensors.any({Role::w, Role::dw}); }

/// A layer without weights has no dw: one of the shape of x, such as "dE_dk", is its dx.
void take_dw_as_dx(LayerArrays& layer) {
  Tensors& t = layer.tensors;
  const bool is_dx = t.has(Role::dw) && !t.has(Role::w) && !t.has(Role::dx) && t.has(Role::x) &&
                     t.any({Role::y, Role::dy}) && t[Role::dw]->shape == t[Role::x]->shape;
  if (is_dx) std::swap(t[Role::dw], t[Role::dx]);
}

/// Layers such as ReLU: with an image and its output.
bool has_no_need_of_weights(const LayerArrays& layer) {
  const Tensors& t = layer.tensors;
  return t.any({Role::x, Role::dx}) && t.any({Role::y, Role::dy}) &&
         (t.any({Role::y}) ? t.has(Role::x) : t.has(Role::dx));
}

/// Moves what fits into free roles.
void move_into(LayerArrays& from, LayerArrays& to) {
  for (std::size_t role = 0; role < kRoles; ++role) {
    if (from.tensors.of[role] == nullptr || to.tensors.of[role] != nullptr) continue;
    to.tensors.of[role] = from.tensors.of[role];
    from.tensors.of[role] = nullptr;
  }
  to.is_deconv = to.is_deconv || from.is_deconv;
}

std::ptrdiff_t arrays_in(const LayerArrays& layer) { return kRoles - std::ranges::count(layer.tensors.of, nullptr); }

std::size_t axes_of_weights(const LayerArrays& layer) {
  const Tensor* w = layer.tensors[Role::w];
  return w == nullptr ? 0 : w->shape.size();
}

/// "layer1" and "layer1.conv".
bool is_part_of(const std::string& a, const std::string& b) { return a.starts_with(b) || b.starts_with(a); }

/// Keras gives the name of the layer to the weights only: "conv2d/kernel:0" beside "inputs" and "d_kernel".
void join_parameters(std::vector<LayerArrays>& layers) {
  const auto is_parameters = [](const LayerArrays& layer) {
    return layer.tensors.any({Role::w, Role::b}) &&
           !layer.tensors.any({Role::x, Role::y, Role::dy, Role::dx, Role::dw, Role::db});
  };
  if (layers.size() != 2) return;
  const auto parameters = std::ranges::find_if(layers, is_parameters);
  if (parameters == layers.end()) return;
  LayerArrays& other = layers[parameters == layers.begin() ? 1 : 0];
  if (!other.tensors.any({Role::w, Role::b}) && other.tensors.any({Role::x, Role::dx})) move_into(*parameters, other);
}

/// Arrays that are no layer by themselves join the layer with weights that shares their name, or the only one.
void join_fragments(std::vector<LayerArrays>& layers) {
  const auto weighted = std::ranges::count_if(layers, has_weights);
  for (LayerArrays& fragment : layers) {
    if (has_weights(fragment)) continue;
    std::vector<LayerArrays*> possible;
    for (LayerArrays& layer : layers) {
      if (has_weights(layer) && (weighted == 1 || (!fragment.name.empty() && is_part_of(layer.name, fragment.name))))
        possible.push_back(&layer);
    }
    // A whole ReLU of its own name stays one.
    const bool stays = has_no_need_of_weights(fragment) && !fragment.name.empty() && possible.size() == 1 &&
                       !is_part_of(possible.front()->name, fragment.name);
    if (possible.size() == 1 && !stays) move_into(fragment, *possible.front());
  }
}

bool is_possible(Role role, const Tensor& tensor) {
  const std::size_t axes = tensor.shape.size();
  if (role == Role::b || role == Role::db) return squeezed(tensor.shape).size() <= 1;
  return axes >= 1 && axes <= kMostAxes && !tensor.values.empty();
}

}  // namespace

Grouping group_by_names(std::span<const Tensor> tensors) {
  Grouping found;
  std::map<std::string, std::size_t> known;
  for (const Tensor& tensor : tensors) {
    const auto name = read_name(tensor.name);
    if (!name || tensor.shape.size() > kMostAxes) {
      found.rest.push_back(&tensor);
      continue;
    }
    const auto [at, is_new] = known.try_emplace(name->layer, found.layers.size());
    if (is_new) found.layers.push_back({.name = name->layer});
    LayerArrays& layer = found.layers[at->second];
    layer.is_deconv = layer.is_deconv || name->is_deconv;
    if (layer.tensors.has(name->role)) {
      found.rest.push_back(&tensor);
    } else {
      layer.tensors[name->role] = &tensor;
    }
  }
  join_parameters(found.layers);
  join_fragments(found.layers);
  std::erase_if(found.layers,
                [](const LayerArrays& layer) { return std::ranges::count(layer.tensors.of, nullptr) == kRoles; });
  std::ranges::for_each(found.layers, take_dw_as_dx);
  // A single layer may still find its tensors among arrays without names.
  if (found.layers.size() == 1) return found;
  for (const LayerArrays& layer : found.layers) {
    if (can_be_judged(layer)) continue;
    if (std::pair(arrays_in(layer), axes_of_weights(layer)) >
        std::pair(arrays_in(found.inputs), axes_of_weights(found.inputs))) {
      found.inputs = layer;
    }
    for (const Tensor* tensor : layer.tensors.of) {
      if (tensor != nullptr) found.rest.push_back(tensor);
    }
  }
  std::erase_if(found.layers, [](const LayerArrays& layer) { return !can_be_judged(layer); });
  return found;
}

bool can_be_judged(const LayerArrays& layer) noexcept {
  const Tensors& t = layer.tensors;
  return t.any({Role::y, Role::dx, Role::dw, Role::db}) && (has_weights(layer) || has_no_need_of_weights(layer));
}

namespace {

using Roles = std::vector<Role>;

/// Tensors of one shape, in the usual orders of files.
const std::vector<Roles>& usual_orders() {
  static const std::vector<Roles> kOrders{
      {Role::x, Role::dx},
      {Role::w, Role::dw},
      {Role::y, Role::dy},
      {Role::b, Role::db},
      {Role::dx, Role::x},
      {Role::dw, Role::w},
      {Role::dy, Role::y},
      {Role::db, Role::b},
      {Role::x, Role::y, Role::dy, Role::dx},
      {Role::x, Role::y, Role::dx, Role::dy},
      {Role::x, Role::dx, Role::y, Role::dy},
      {Role::y, Role::x, Role::dy, Role::dx},
      {Role::x, Role::w, Role::y},
      {Role::x, Role::w, Role::y, Role::dy, Role::dx, Role::dw},
      {Role::x, Role::w, Role::y, Role::dx, Role::dw, Role::dy},
      {Role::x, Role::y, Role::dx, Role::w, Role::dw, Role::dy},
  };
  return kOrders;
}

/// Sizes decide which assignments are possible: those that leave fewer arrays over and fit come first.
bool fits(const LayerArrays& layer) {
  const Tensors& t = layer.tensors;
  const auto shape = [&](Role own) { return t.has(own) ? t[own] : t[gradient_of(own)]; };
  const Tensor *x = shape(Role::x), *w = shape(Role::w), *y = shape(Role::y);
  if (x == nullptr || y == nullptr || !t.any({Role::x, Role::dy})) return false;
  if (t.has(Role::b) && t.has(Role::db) && count_of(t[Role::b]->shape) != count_of(t[Role::db]->shape)) return false;
  if (w == nullptr) return !readings_without_weights(x->shape, y->shape).empty();
  const bool is_conv = space_of(readings_of(x->shape, w->shape, &y->shape), {}).size > 0;
  return is_conv || space_of(readings_of(y->shape, w->shape, &x->shape), {}).size > 0;
}

/// Of those that fit; and of all, which are only compared by size.
constexpr std::size_t kMostAssignments = 60, kMostTried = 20000;

struct Assignments {
  std::vector<Grouping> fitting{};
  std::size_t tried = 0;
};

void assign(const std::vector<std::vector<const Tensor*>>& groups, std::size_t at, bool any_role,
            const Grouping& so_far, Assignments& found) {
  if (found.fitting.size() >= kMostAssignments || found.tried >= kMostTried) return;
  if (at == groups.size()) {
    ++found.tried;
    const LayerArrays& layer = so_far.layers.front();
    if (can_be_judged(layer) && fits(layer)) found.fitting.push_back(so_far);
    return;
  }
  const auto& group = groups[at];
  std::vector<Roles> tried;
  for (const Roles& order : usual_orders()) {
    Roles taken;
    for (const Role role : order) {
      const bool is_allowed = any_role || role <= Role::dy;
      const bool is_free = !so_far.layers.front().tensors.has(role) && is_possible(role, *group.front());
      const bool is_bias = role == Role::b || role == Role::db;
      if (is_allowed && is_free &&
          (!is_bias || group.front()->shape.size() == 1 || squeezed(group.front()->shape).size() <= 1))
        taken.push_back(role);
    }
    taken.resize(std::min(taken.size(), group.size()));
    if (taken.empty() || std::ranges::find(tried, taken) != tried.end()) continue;
    tried.push_back(taken);
    Grouping next = so_far;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i < taken.size()) {
        next.layers.front().tensors[taken[i]] = group[i];
      } else {
        next.rest.push_back(group[i]);
      }
    }
    assign(groups, at + 1, any_role, next, found);
  }
  Grouping next = so_far;
  next.rest.insert(next.rest.end(), group.begin(), group.end());
  assign(groups, at + 1, any_role, next, found);
}

}  // namespace

std::vector<Grouping> assignments_of(const LayerArrays& layer, const std::vector<const Tensor*>& rest, bool any_role) {
  std::vector<std::vector<const Tensor*>> groups;
  constexpr std::size_t kMostGroups = 6;
  Grouping start{.layers = {layer}, .rest = {}};
  for (const Tensor* tensor : rest) {
    const auto same =
        std::ranges::find_if(groups, [&](const auto& group) { return group.front()->shape == tensor->shape; });
    if (same != groups.end()) {
      same->push_back(tensor);
    } else if (groups.size() < kMostGroups && !tensor->shape.empty()) {
      groups.push_back({tensor});
    } else {
      start.rest.push_back(tensor);
    }
  }
  Assignments all;
  assign(groups, 0, any_role, start, all);
  std::vector<Grouping> found = std::move(all.fitting);
  std::ranges::stable_sort(found, {}, [](const Grouping& one) { return one.rest.size(); });
  if (found.empty()) found.push_back({.layers = {layer}, .rest = rest});
  return found;
}

}  // namespace conv2d_check
