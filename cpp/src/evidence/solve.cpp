#include "evidence/solve.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/agreement.hpp"

namespace conv2d_check {
namespace {

/// Products of a search by dx or dw, and candidates that it tries.
constexpr std::int64_t kMostProducts = 200'000'000;
constexpr std::int64_t kFewest = 200, kMost = 20'000;

std::size_t affordable(const Space& space, std::int64_t cells) {
  std::int64_t terms = 1;
  for (const Space::Part& part : space.parts) {
    for (const Role role : {Role::dx, Role::dw}) terms = std::max(terms, terms_of_cell(part.reading, role));
  }
  return static_cast<std::size_t>(std::clamp(kMostProducts / (terms * cells), kFewest, kMost));
}

const Tensor* shape_source(const Tensors& tensors, Role own) {
  return tensors.has(own) ? tensors[own] : tensors[gradient_of(own)];
}

bool can_tell(const Tensors& t, Role result) {
  if (!t.has(result)) return false;
  if (result == Role::y) return t.has(Role::x) && t.has(Role::w);
  return t.has(Role::dy) && t.has(result == Role::dx ? Role::w : Role::x);
}

/// db agrees with the sums of dy: whether this dy is that of the file.
bool db_agrees(const Tensors& tensors, const Candidate& candidate) {
  return tensors.has(Role::db) && !giving({candidate}, tensors, Role::db).empty();
}

/// Geometries by dx and dw, with the dy that explains the most results.
void solve_by_gradients(const Tensors& tensors, const std::vector<Upstream>& upstreams, Solution& solution) {
  // Results after a wrong one may still decide, so each is tried by itself.
  const bool starts_from_y = !solution.fitting.empty();
  const std::vector<Candidate> all =
      starts_from_y ? solution.fitting : solution.space.likeliest(affordable(solution.space, 2));
  if (!starts_from_y && !upstreams.empty()) solution.tried = std::max(solution.tried, std::int64_t{std::ssize(all)});
  std::size_t most = 0;
  if (upstreams.size() == 1) solution.dy = upstreams.front();
  for (const Upstream& upstream : upstreams) {
    Tensors with = tensors;
    with[Role::dy] = upstream.tensor;
    std::vector<Candidate> found = all;
    std::vector<Role> by;
    std::size_t explained = 0;
    for (const Role result : {Role::dx, Role::dw}) {
      if (!can_tell(with, result)) continue;
      std::vector<Candidate> some = giving(found, with, result);
      if (some.empty()) continue;
      ++explained;
      if (some.size() < found.size()) by.push_back(result);
      found = std::move(some);
    }
    if (!found.empty() && db_agrees(with, found.front())) ++explained;
    if (explained <= most) continue;
    most = explained;
    solution.dy = upstream;
    solution.by.insert(solution.by.end(), by.begin(), by.end());
    if (starts_from_y || !by.empty()) solution.fitting = found;
  }
}

bool by_agreement(const Candidate& a, const Candidate& b) {
  if (a.agreeing != b.agreeing) return a.agreeing > b.agreeing;
  return a.is_given() != b.is_given() ? a.is_given() : a.cost < b.cost;
}

/// The likeliest, and those with which the most cells agree.
void find_plausible(const Tensors& tensors, Solution& solution) {
  constexpr std::int64_t kCellsOfResults = 60;
  std::vector<Candidate> all = solution.space.likeliest(affordable(solution.space, kCellsOfResults));
  std::vector<Candidate> agreeing = all;
  for (const Role result : {Role::y, Role::dx, Role::dw}) {
    if (can_tell(tensors, result)) count_agreeing(agreeing, tensors, result);
  }
  std::ranges::stable_sort(agreeing, by_agreement);
  // A few cells agree by chance.
  constexpr double kSomeCells = 0.3;
  std::erase_if(agreeing, [](const Candidate& one) { return one.agreeing < kSomeCells; });
  agreeing.resize(std::min(agreeing.size(), kPlausible / 2));
  solution.plausible = agreeing;
  for (const Candidate& one : all) {
    if (solution.plausible.size() >= kPlausible) break;
    const auto is_same = [&](const Candidate& other) {
      return other.cost == one.cost && other.desc().padding == one.desc().padding;
    };
    if (std::ranges::none_of(agreeing, is_same)) solution.plausible.push_back(one);
  }
}

/// Whether the geometry that the arguments give is among the best.
void check_given(const std::vector<Given>& given, Solution& solution) {
  if (given.empty()) return;
  const auto& best = solution.fitting.empty() ? solution.plausible : solution.fitting;
  solution.contradicts_given = std::ranges::none_of(best, [&](const Candidate& one) {
    return one.is_given() && given.front().groups.value_or(one.reading.groups) == one.reading.groups;
  });
}

}  // namespace

std::vector<Upstream> upstreams_of(const Tensors& tensors, const Dims& y_shape, Store& store) {
  if (tensors.has(Role::dy)) return {{DySource::file, tensors[Role::dy]}};
  if (!tensors.any({Role::dx, Role::dw, Role::db}) || y_shape.empty()) return {};
  std::vector<Upstream> found;
  const auto size = count_of(y_shape);
  for (const DySource source : {DySource::ones, DySource::mean}) {
    const float value = source == DySource::ones ? 1.0F : 1.0F / static_cast<float>(size);
    Tensor& dy = store.emplace_back();
    dy.shape = y_shape;
    dy.values.assign(static_cast<std::size_t>(size), value);
    dy.elements = Elements(std::span<const float>(dy.values));
    found.push_back({source, &dy});
  }
  if (tensors.has(Role::y) && tensors[Role::y]->shape == y_shape) found.push_back({DySource::y, tensors[Role::y]});
  return found;
}

Solution solve_conv(const Tensors& tensors, const std::vector<Given>& given, Store& store) {
  const Tensor* x = shape_source(tensors, Role::x);
  const Tensor* w = shape_source(tensors, Role::w);
  Solution solution;
  if (x == nullptr || w == nullptr) return solution;
  std::vector<const Tensor*> outputs;
  for (const Role role : {Role::y, Role::dy}) {
    const Tensor* output = tensors[role];
    if (output != nullptr && (outputs.empty() || outputs.front()->shape != output->shape)) outputs.push_back(output);
  }
  const bool is_known = !outputs.empty();
  if (!is_known) outputs.push_back(nullptr);
  for (const Tensor* output : outputs) {
    Solution one;
    const Dims y_shape = output == nullptr ? Dims{} : output->shape;
    one.space = space_of(readings_of(x->shape, w->shape, output == nullptr ? nullptr : &y_shape), given);
    if (one.space.size == 0) continue;
    one.has_sizes = true;
    const bool has_y = can_tell(tensors, Role::y) && tensors[Role::y]->shape == y_shape;
    if (has_y) {
      one.fitting = giving_y(one.space, tensors, false);
      if (one.fitting.empty() && !tensors.has(Role::b)) {
        one.fitting = giving_y(one.space, tensors, true);
        one.free_bias = !one.fitting.empty();
      }
      if (!one.fitting.empty()) one.by.push_back(Role::y);
      one.tried = tried_by_y(one.space);
    }
    Dims dy_shape = y_shape;
    if (output == nullptr && !tensors.has(Role::dy)) {
      // As large as the largest output: a sum of a smaller one reads fewer of the ones.
      std::int64_t most = 0;
      for (const Candidate& c : one.space.likeliest(affordable(one.space, 2))) {
        most = std::max(most, c.reading.n * c.reading.k * c.reading.oh * c.reading.ow);
      }
      dy_shape = {most};
    }
    solve_by_gradients(tensors, upstreams_of(tensors, dy_shape, store), one);
    if (one.fitting.empty()) find_plausible(tensors, one);
    check_given(given, one);
    const bool is_better = !solution.has_sizes || (solution.fitting.empty() && !one.fitting.empty());
    if (is_better) solution = std::move(one);
    if (!solution.fitting.empty()) break;
  }
  return solution;
}

}  // namespace conv2d_check
