#include "evidence/solve_conv.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

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

/// db agrees with the sums of dy: whether this dy is that of the file.
bool db_agrees(const Tensors& tensors, const Candidate& candidate) {
  return tensors.has(Role::db) && !giving({candidate}, tensors, Role::db).empty();
}

/// Searches in one space, of which each is made once: see Store.
class Search {
 public:
  Search(const Tensors& tensors, const Dims& y_shape, const std::vector<Given>& given, const Space& space, Store& store)
      : tensors_(tensors), y_shape_(y_shape), given_(given), space_(space), store_(store) {}

  const std::vector<Candidate>& by_y(bool free_bias) const {
    return store_
        .found(key(Role::y, free_bias, tensors_, {Role::x, Role::w, Role::b, Role::y}),
               [&] { return Store::Found{.candidates = giving_y(space_, tensors_, free_bias)}; })
        .candidates;
  }

  /// The likeliest candidate of those that are tried with gradients.
  const Store::Found& likeliest() {
    return store_.found(key(Role::db, false, tensors_, {}), [&] {
      const auto& all = tried();
      return Store::Found{.candidates = {all.begin(), all.begin() + std::min<std::ptrdiff_t>(1, std::ssize(all))},
                          .tried = std::ssize(all)};
    });
  }

  /// Of the likeliest candidates. `with`: the tensors with a dy.
  const Store::Found& by_gradient(const Tensors& with, Role result) {
    return store_.found(key(result, false, with, {Role::dy, result == Role::dx ? Role::w : Role::x, result}), [&] {
      return Store::Found{.candidates = giving(tried(), with, result), .tried = std::ssize(tried())};
    });
  }

  [[nodiscard]] const Tensors& tensors() const noexcept { return tensors_; }

 private:
  const std::vector<Candidate>& tried() {
    if (!tried_) tried_ = space_.likeliest(affordable(space_, 2));
    return *tried_;
  }

  /// `reads`: the tensors from which the result is computed, and the result.
  [[nodiscard]] Store::SearchKey key(Role result, bool free_bias, const Tensors& with,
                                     std::initializer_list<Role> reads) const {
    std::array<const Tensor*, kRoles> of{};
    for (const Role role : reads) of[index_of(role)] = with[role];
    return {result,
            free_bias,
            of,
            shape_source(tensors_, Role::x)->shape,
            shape_source(tensors_, Role::w)->shape,
            y_shape_,
            given_.empty() ? "" : given_.front().words};
  }

  const Tensors& tensors_;
  const Dims& y_shape_;
  const std::vector<Given>& given_;
  const Space& space_;
  Store& store_;
  std::optional<std::vector<Candidate>> tried_;
};

/// Geometries by these gradients, with the dy that explains the most results.
void solve_by_gradients(Search& search, const std::vector<Upstream>& upstreams, std::span<const Role> gradients,
                        Solution& solution) {
  // Results after a wrong one may still decide, so each is tried by itself.
  const bool starts_from_y = !solution.fitting.empty();
  std::vector<Candidate> start = solution.fitting;
  if (!starts_from_y && !upstreams.empty()) {
    const auto& [first, tried] = search.likeliest();
    solution.tried = std::max(solution.tried, tried);
    start = first;
  }
  std::size_t most = 0;
  if (upstreams.size() == 1) solution.dy = upstreams.front();
  for (const Upstream& upstream : upstreams) {
    Tensors with = search.tensors();
    with[Role::dy] = upstream.tensor;
    std::vector<Candidate> found = start;
    std::vector<Role> by;
    std::size_t explained = 0;
    for (const Role result : gradients) {
      if (!can_tell(with, result)) continue;
      // Before any result has decided, all likely candidates are tried.
      const bool tries_all = !starts_from_y && explained == 0;
      const Store::Found some =
          tries_all ? search.by_gradient(with, result)
                    : Store::Found{.candidates = giving(found, with, result), .tried = std::ssize(found)};
      if (some.candidates.empty()) continue;
      ++explained;
      if (std::ssize(some.candidates) < some.tried) by.push_back(result);
      found = some.candidates;
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

bool can_tell(const Tensors& t, Role result) {
  if (!t.has(result)) return false;
  if (result == Role::y) return t.has(Role::x) && t.has(Role::w);
  return t.has(Role::dy) && t.has(result == Role::dx ? Role::w : Role::x);
}

std::vector<Upstream> upstreams_of(const Tensors& tensors, const Dims& y_shape, Store& store) {
  if (tensors.has(Role::dy)) return {{DySource::file, tensors[Role::dy]}};
  if (!tensors.any({Role::dx, Role::dw, Role::db}) || y_shape.empty()) return {};
  std::vector<Upstream> found{{DySource::ones, store.constant(y_shape, 1)},
                              {DySource::mean, store.constant(y_shape, 1.0F / static_cast<float>(count_of(y_shape)))}};
  if (tensors.has(Role::y) && tensors[Role::y]->shape == y_shape) found.push_back({DySource::y, tensors[Role::y]});
  return found;
}

Solution solve_conv(const Tensors& tensors, const std::vector<Given>& given, Store& store, Effort effort,
                    Role look_at) {
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
    Search search(tensors, y_shape, given, one.space, store);
    const bool has_y = can_tell(tensors, Role::y) && tensors[Role::y]->shape == y_shape;
    if (has_y) {
      one.fitting = search.by_y(false);
      if (one.fitting.empty() && !tensors.has(Role::b)) {
        one.fitting = search.by_y(true);
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
    constexpr std::array kGradients{Role::dx, Role::dw};
    const std::span<const Role> all(kGradients);
    const std::vector<Upstream> upstreams = upstreams_of(tensors, dy_shape, store);
    bool goes_on = true;
    if (effort == Effort::first_look && one.fitting.empty()) {
      Solution look;
      if (look_at == Role::dx) solve_by_gradients(search, upstreams, all.first(1), look);
      goes_on = !look.fitting.empty();
    }
    if (goes_on) solve_by_gradients(search, upstreams, all, one);
    if (one.fitting.empty() && effort == Effort::whole) find_plausible(tensors, one);
    check_given(given, one);
    const bool is_better = !solution.has_sizes || (solution.fitting.empty() && !one.fitting.empty());
    if (is_better) solution = std::move(one);
    if (!solution.fitting.empty()) break;
  }
  return solution;
}

double most_explained(const Tensors& tensors, const Solution& solution) {
  Tensors with = tensors;
  if (solution.dy.tensor != nullptr) with[Role::dy] = solution.dy.tensor;
  const Candidate& best = solution.fitting.front();
  double most = best.is_given() ? kOfArguments : 0;
  for (const Role result : kResults) {
    if (!with.has(result)) continue;
    const bool is_found = std::ranges::find(solution.by, result) != solution.by.end();
    const bool can_be_told = result == Role::db ? with.has(Role::dy) : can_tell(with, result);
    const bool agrees = is_found || (can_be_told && !giving({best}, with, result).empty());
    most += agrees ? kMatch : kMistake;
  }
  return most;
}

}  // namespace conv2d_check
