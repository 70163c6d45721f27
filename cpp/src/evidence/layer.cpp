#include "evidence/layer.hpp"

#include <algorithm>
#include <cmath>

#include "desc/geometry.hpp"

namespace conv2d_check {
namespace {

/// Products of all geometries that are judged whole. Beyond, only the likeliest is.
constexpr std::int64_t kMostProducts = 300'000'000;

/// With x and w of the caller, where the file has none.
Tensors with_owner(const Tensors& tensors, const Owner& owner) {
  Tensors all = tensors;
  bool is_taken = false;
  for (const Role role : {Role::x, Role::w}) {
    const bool is_needed = !all.has(role) && owner.tensors.has(role) && tensors.any({Role::y, Role::dx, Role::dw});
    const Tensor* gradient = tensors[gradient_of(role)];
    const bool fits = is_needed && (gradient == nullptr || is_shape(owner.tensors[role]->shape, gradient->shape) ||
                                    squeezed(gradient->shape).size() <= 1);
    if (!fits) continue;
    all[role] = owner.tensors[role];
    if (role == Role::w && !all.has(Role::b)) all[Role::b] = owner.tensors[Role::b];
    is_taken = true;
  }
  if (is_taken && !all.has(Role::dy) && tensors.any({Role::dx, Role::dw})) all[Role::dy] = owner.tensors[Role::dy];
  return all;
}

/// y without its bias. Of the axes of y, one has as many cells as b: the channels.
Tensor bias_subtracted(const Tensor& y, const Tensor& b) {
  const auto channels = std::ssize(b.values);
  std::int64_t after = 0;
  std::int64_t inner = 1;
  // Channels are first after the batch, or last.
  if (!y.shape.empty() && y.shape.back() == channels) after = 1;
  for (std::size_t axis = y.shape.size(); after == 0 && axis-- > 0;) {
    if (y.shape[axis] == channels) after = inner;
    inner *= y.shape[axis];
  }
  Tensor plain = y;
  for (std::size_t i = 0; after > 0 && i < plain.values.size(); ++i) {
    plain.values[i] -= b.values[static_cast<std::size_t>(static_cast<std::int64_t>(i) / after % channels)];
  }
  plain.elements = Elements(std::span<const float>(plain.values));
  return plain;
}

/// dy of the right length, where the length of the search was that of the largest output.
void fit_dy(Known& known, std::int64_t size, const Tensors& tensors, Store& store) {
  if (known.dy.source != DySource::ones || std::ssize(known.dy.tensor->values) == size) return;
  known.dy.tensor = store.constant(wanted_shape(known, tensors, Role::dy), 1);
}

struct Judged {
  Candidate candidate{};
  Known known{};
  std::vector<TensorVerdict> verdicts{};
  double score = -1;
  bool has_bias = false;  ///< y has a bias that the file does not have
};

class ConvAttempt {
 public:
  ConvAttempt(const LayerArrays& layer, const Context& context, bool is_transposed)
      : layer_(layer),
        context_(context),
        is_transposed_(is_transposed),
        given_(given_for(layer.name, context.arguments)) {}

  Attempt run() {
    // Without dy, that of a transposed convolution is an operand of the search, so each one is tried.
    const Tensors all = with_owner(layer_.tensors, context_.owner);
    std::vector<Upstream> upstreams;
    if (is_transposed_) upstreams = upstreams_of(all, all.has(Role::y) ? all[Role::y]->shape : Dims{}, context_.store);
    if (upstreams.empty()) upstreams.emplace_back();
    Attempt best;
    for (const Upstream& upstream : upstreams) {
      Attempt one = with(all, upstream);
      const bool is_by_values = one.by_values != best.by_values && !std::isinf(context_.enough);
      const bool is_better = is_by_values ? one.by_values : one.score > best.score;
      if (is_better) best = std::move(one);
    }
    return best;
  }

 private:
  Attempt with(const Tensors& all, const Upstream& upstream) {
    Attempt attempt;
    const Tensors roles = searched(all, upstream);
    const bool is_first_look = std::isinf(context_.enough);
    const Effort effort = is_first_look             ? Effort::first_look
                          : context_.only_by_values ? Effort::by_values
                                                    : Effort::whole;
    const Role y_role = is_transposed_ ? Role::dx : Role::y;
    Solution solution = solve_conv(roles, given_, context_.store, effort, y_role);
    attempt.has_sizes = solution.has_sizes;
    attempt.by_values = !solution.fitting.empty();
    if (!solution.has_sizes || (context_.only_by_values && !attempt.by_values && !is_first_look)) return attempt;
    if (context_.enough >= 0) {
      const double most = attempt.by_values ? most_explained(roles, solution) : most_without_y(roles, y_role);
      // Of a transposed convolution, the search does not read db.
      const bool is_db_left = layer_.tensors.has(Role::db) && !roles.has(Role::db);
      attempt.score = most + (is_db_left ? kMatch : 0);
      attempt.is_judged = attempt.score >= context_.enough;
      attempt.fits_y = std::ranges::find(solution.by, y_role) != solution.by.end();
      if (!attempt.is_judged) return attempt;
    }
    Upstream dy = is_transposed_ ? upstream : solution.dy;
    const Judged best = best_of(solution, dy);
    attempt.score = best.score;
    LayerVerdict& found = attempt.layer;
    found.name = layer_.name;
    found.kind = is_transposed_ ? "conv_transpose" : best.candidate.reading.is_1d ? "conv1d" : "conv";
    found.has_geometry = true;
    found.geometry = geometry_of(best.known.desc, best.candidate.reading, is_transposed_);
    found.tensors = best.verdicts;
    attempt.fits_y = std::ranges::any_of(
        found.tensors, [](const TensorVerdict& one) { return one.name == "y" && static_cast<bool>(one.verdict); });
    found.dy = best.known.dy.source;
    solution.in_some_filters = solution.free_bias && !best.has_bias;
    explain(solution, best.candidate, given_, is_transposed_, context_.options.says_arguments, found);
    if (best.has_bias) found.evidence += ". y has a bias, which the file does not have";
    attempt.contradicts_given = solution.contradicts_given;
    return attempt;
  }

  /// The most that the results can score if y, which is searched first, fits no geometry.
  [[nodiscard]] double most_without_y(const Tensors& roles, Role y_role) const {
    double most = given_.empty() ? 0 : kOfArguments;
    for (const Role result : kResults) {
      if (roles.has(result)) most += result == y_role && can_tell(roles, result) ? kMistake : kMatch;
    }
    return most;
  }

  Tensors searched(const Tensors& all, const Upstream& upstream) {
    if (!is_transposed_) return all;
    Tensors with_dy = all;
    if (upstream.tensor != nullptr) with_dy[Role::dy] = upstream.tensor;
    if (all.has(Role::y) && all.has(Role::b)) with_dy[Role::y] = without_bias(*all[Role::y], *all[Role::b]);
    return exchanged(with_dy);
  }

  const Tensor* without_bias(const Tensor& y, const Tensor& b) {
    return context_.store.derived(Store::Derived::without_bias, y, &b, [&] { return bias_subtracted(y, b); });
  }

  Judged judge_candidate(const Candidate& candidate, const Upstream& dy, bool free_bias) {
    Judged one{.candidate = candidate};
    one.known = {.desc = candidate.desc(), .reading = candidate.reading, .is_transposed = is_transposed_, .dy = dy};
    const auto geometry = conv2d::resolve(one.known.desc);
    if (geometry.ok() && !is_transposed_) fit_dy(one.known, geometry.value().y_size, layer_.tensors, context_.store);
    Tensors tensors = layer_.tensors;
    const bool is_computed = tensors.has(Role::y) && tensors.has(Role::x) && tensors.has(Role::w) && geometry.ok();
    // What a transposed convolution reads as y is its dx, which has no bias.
    const bool finds_bias = free_bias && is_computed && !is_transposed_;
    if (finds_bias) tensors[Role::b] = bias_of(geometry.value());
    one.has_bias = finds_bias && tensors.has(Role::b);
    one.verdicts = judge_results(one.known, tensors, context_.owner, context_.options, context_.store);
    one.score = explained(one.verdicts);
    // A small bias that the file does not have escapes the search.
    const bool may_have_bias = !free_bias && !is_transposed_ && is_computed && !tensors.has(Role::b);
    if (may_have_bias && is_wrong(one.verdicts, "y")) {
      Judged other = judge_candidate(candidate, dy, true);
      if (!is_wrong(other.verdicts, "y")) return other;
    }
    return one;
  }

  static bool is_wrong(const std::vector<TensorVerdict>& verdicts, std::string_view name) {
    const auto one = std::ranges::find(verdicts, name, &TensorVerdict::name);
    return one != verdicts.end() && !one->verdict && one->verdict.judgement != Judgement::does_not_fit;
  }

  /// The bias that y has beyond the convolution of x and w: the mean of what is left, a filter each. A filter of which
  /// more is left than a constant has none; nullptr if the others have none either.
  const Tensor* bias_of(const Geometry& g) {
    Tensor& b = context_.store.add();
    b.name = "the bias that y has";
    b.shape = {g.k};
    const std::vector<float>& y = layer_.tensors[Role::y]->values;
    std::vector<double> sums(static_cast<std::size_t>(g.k)), squares(sums.size()), norms(sums.size());
    const Expected expected = exact(problem_of(g, layer_.tensors), Pass::forward);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto cell = static_cast<std::int64_t>(i);
      const std::int64_t filter = g.layout == Layout::nhwc ? cell % g.k : cell / (g.oh * g.ow) % g.k;
      const double left = static_cast<double>(y[i]) - expected.values[i];
      sums[static_cast<std::size_t>(filter)] += left;
      squares[static_cast<std::size_t>(filter)] += left * left;
      norms[static_cast<std::size_t>(filter)] += expected.norms[i] * expected.norms[i];
    }
    // Of the norm of a cell: sums in a lower format stay below.
    constexpr double kConstant = 0.05, kZero = 1e-4;
    const auto count = static_cast<double>(g.y_size / g.k);
    bool has_bias = false, all_constant = true;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double mean = sums[k] / count, norm = std::sqrt(norms[k] / count);
      const bool is_constant = std::sqrt(std::max(0.0, squares[k] / count - mean * mean)) <= kConstant * norm;
      b.values.push_back(is_constant ? static_cast<float>(mean) : 0.0F);
      has_bias = has_bias || (is_constant && std::abs(mean) > kZero * norm);
      all_constant = all_constant && is_constant;
    }
    if (!has_bias && !all_constant) return nullptr;
    b.elements = Elements(std::span<const float>(b.values));
    return &b;
  }

  Judged best_of(const Solution& solution, const Upstream& dy) {
    std::vector<Candidate> candidates = solution.fitting.empty() ? solution.plausible : solution.fitting;
    std::size_t most = solution.fitting.empty() ? candidates.size() : 1;
    const auto first = conv2d::resolve(candidates.front().desc());
    if (first.ok() && first.value().macs() * static_cast<std::int64_t>(most) > kMostProducts) most = 1;
    Judged best;
    for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) {
      Judged one = judge_candidate(candidates[i], dy, solution.free_bias);
      const double bonus = candidates[i].is_given() ? kOfArguments : 0;
      // Of those that explain as much, the likelier one.
      constexpr double kOfCost = 0.01, kMostCost = 50;
      const double penalty = solution.fitting.empty() ? kOfCost * std::min(candidates[i].cost, kMostCost) : 0;
      one.score += bonus - penalty;
      if (one.score > best.score) best = std::move(one);
    }
    const bool is_missing = dy.source == DySource::missing && layer_.tensors.any({Role::dx, Role::dw, Role::db});
    if (!is_missing || is_transposed_) return best;
    // A mistake may explain the gradients of one of the usual losses.
    const Dims shape = wanted_shape(best.known, layer_.tensors, Role::dy);
    const double enough = best.score + 3;
    for (const Upstream& upstream : upstreams_of(layer_.tensors, shape, context_.store)) {
      Judged one = judge_candidate(best.candidate, upstream, solution.free_bias);
      if (one.score >= enough && one.score > best.score) best = std::move(one);
    }
    return best;
  }

  const LayerArrays& layer_;
  const Context& context_;
  bool is_transposed_;
  std::vector<Given> given_;
};

/// Nothing can be judged: an operand without which no geometry follows is missing, or the sizes fit no geometry.
Attempt without_sizes(const LayerArrays& layer) {
  Attempt attempt;
  attempt.layer.name = layer.name;
  attempt.layer.kind = layer.is_deconv ? "conv_transpose" : "conv";
  const Tensors& t = layer.tensors;
  const bool has_x = t.any({Role::x, Role::dx}), has_w = t.any({Role::w, Role::dw});
  const std::string missing = !has_x ? "x" : "w";
  std::string shapes;
  for (const Role role : {Role::x, Role::w, Role::y, Role::dy}) {
    if (t.has(role))
      shapes += (shapes.empty() ? "" : ", ") + std::string(to_string(role)) + " " + to_string(t[role]->shape);
  }
  attempt.layer.dy = t.has(Role::dy) ? DySource::file : DySource::missing;
  attempt.layer.evidence =
      has_x && has_w ? "No stride, padding, dilation and groups give these sizes: " + shapes : missing + " is missing";
  for (const Role role : kResults) {
    if (!t.has(role)) continue;
    TensorVerdict one{.name = std::string(to_string(role)), .array = t[role]->name};
    const bool fits_nothing = has_x && has_w;
    one.verdict.judgement = fits_nothing ? Judgement::does_not_fit : Judgement::cannot_tell;
    one.verdict.reason = fits_nothing ? "shape" : missing + " is missing";
    one.verdict.sentence =
        fits_nothing ? attempt.layer.evidence + "." : "Cannot tell: the file does not have " + missing + ".";
    attempt.layer.tensors.push_back(one);
  }
  return attempt;
}

}  // namespace

Attempt attempt_conv(const LayerArrays& layer, const Context& context, bool is_transposed) {
  return ConvAttempt(layer, context, is_transposed).run();
}

namespace {

Attempt in_one_order(const LayerArrays& layer, const Context& context);

/// The layer with y and dy in the other order: a framework can store them unlike x.
Attempt in_two_orders(const LayerArrays& layer, const Context& context) {
  Context by_values = context;
  by_values.only_by_values = true;
  for (const bool to_last : {false, true}) {
    LayerArrays other = layer;
    for (const Role role : {Role::y, Role::dy}) {
      const Tensor* image = layer.tensors[role];
      if (image == nullptr || image->shape.size() != 4) continue;
      other.tensors[role] =
          context.store.derived(to_last ? Store::Derived::channels_last : Store::Derived::channels_second, *image,
                                nullptr, [&] { return with_moved_channels(*image, to_last); });
    }
    Attempt attempt = in_one_order(other, by_values);
    if (!attempt.by_values) continue;
    attempt.layer.evidence += to_last ? ". y is NCHW, x is NHWC" : ". y is NHWC, x is NCHW";
    return attempt;
  }
  return {};
}

}  // namespace

Attempt judge_layer(const LayerArrays& layer, const Context& context) {
  Attempt attempt = in_one_order(layer, context);
  // Assignments with sizes are many: orders are tried with the likeliest of them, if no values fit any.
  if (attempt.by_values || (attempt.has_sizes && context.only_by_values)) return attempt;
  // Sizes may fit another geometry by chance, so the values decide.
  Attempt other = in_two_orders(layer, context);
  return other.by_values && other.score > attempt.score ? other : attempt;
}

namespace {

Attempt in_one_order(const LayerArrays& layer, const Context& context) {
  const Tensors all = with_owner(layer.tensors, context.owner);
  const Tensors& own = layer.tensors;
  const bool is_image_and_output = own.any({Role::x, Role::dx}) && own.any({Role::y, Role::dy});
  if (!own.any({Role::w, Role::dw}) && (is_image_and_output || !all.has(Role::w))) {
    Attempt attempt = attempt_without_weights(layer, context);
    if (attempt.by_values || !all.has(Role::w)) return attempt.has_sizes ? attempt : without_sizes(layer);
    // A convolution with the owner's w only if its values say so.
    Attempt conv = attempt_conv(layer, context, false);
    if (conv.by_values || !conv.is_judged) return conv;
    return attempt.has_sizes ? attempt : without_sizes(layer);
  }
  Attempt conv = attempt_conv(layer, context, false);
  const bool has_y = all.any({Role::y}) || std::isinf(context.enough);
  if (conv.by_values && (conv.fits_y || !has_y) && !layer.is_deconv) return conv;
  // A transposed convolution where no convolution gives y, or where the name says so.
  Attempt transposed = attempt_conv(layer, context, true);
  if (std::isinf(context.enough) && (conv.has_sizes || transposed.has_sizes))
    return conv.score > transposed.score ? conv : transposed;
  const double margin = conv.by_values ? 0 : 2;
  const bool is_transposed =
      transposed.has_sizes && (transposed.by_values != conv.by_values
                                   ? transposed.by_values
                                   : layer.is_deconv || transposed.score > conv.score + margin || !conv.has_sizes);
  Attempt& best = is_transposed ? transposed : conv;
  return best.has_sizes ? best : without_sizes(layer);
}

}  // namespace

}  // namespace conv2d_check
