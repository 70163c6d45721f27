#include "conv2d_teach/training.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/errors.hpp"
#include "base/scratch.hpp"
#include "conv2d_teach/learning.hpp"
#include "conv2d_teach/losses.hpp"

namespace conv2d {
namespace {

/// state = 1664525 * state + 1013904223 (mod 2^32), as random_values of sessions.
class Random {
 public:
  explicit Random(std::uint32_t seed) noexcept : state_(seed) {}

  /// 24 random bits.
  std::uint32_t next() noexcept {
    state_ = 1664525U * state_ + 1013904223U;
    return state_ >> 8U;
  }
  /// 0 <= value < 1.
  double uniform() noexcept { return next() * 0x1p-24; }
  /// 0 <= value < count.
  std::size_t below(std::size_t count) noexcept {
    return static_cast<std::size_t>((std::uint64_t{next()} * count) >> 24U);
  }

 private:
  std::uint32_t state_;
};

Status check_options(const TrainingOptions& options) {
  struct Factor {
    std::string_view field;
    double value;
  };
  for (const auto& [field, value] :
       {Factor{"rate", options.rate}, Factor{"momentum", options.momentum}, Factor{"scale", options.scale}}) {
    if (std::isfinite(value) && value >= 0) continue;
    return {ErrorCode::invalid_argument, field, text(field, " must be a finite number that is not negative")};
  }
  return {};
}

Status out_of_memory() {
  return {ErrorCode::out_of_memory, "layers", "not enough memory for the tensors of the chain"};
}

}  // namespace

struct Training::Content {
  Content(const Chain& of, const TrainingOptions& with) noexcept
      : chain(of), options(with), loss(of.loss()), batch(of.layer(0).geometry.n), classes(last().channels) {}

  Chain chain;
  TrainingOptions options;
  std::string_view loss;  ///< in static storage
  std::int64_t batch, classes;
  Scratch<float> memory;
  Scratch<std::int32_t> winners, order;
  std::array<LayerTensors<float>, kMaxLayers> layers;
  ChainTensors<float> tensors;
  std::span<float> parameters, velocities, parameter_gradients;
  std::span<float> x, target, workspace;
  std::int64_t epoch = -1;  ///< that of `order`
  std::span<const std::int32_t> batch_images;

  [[nodiscard]] const LayerInfo& last() const noexcept { return chain.layers().back(); }
  [[nodiscard]] LossChannels channels() const noexcept { return LossChannels::of(last()); }
  [[nodiscard]] std::size_t image_size() const noexcept { return x.size() / static_cast<std::size_t>(batch); }

  Status allocate();
  void draw_weights() noexcept;
  [[nodiscard]] Status check_images(const LabelledImages& images) const noexcept;
  void set_order(std::int64_t to, std::size_t images) noexcept;
  /// Writes image `of` and its target to place `at` of the batch.
  void put(const LabelledImages& images, std::size_t of, std::size_t at) noexcept;
  Status forward() noexcept { return conv2d::forward(chain, tensors, {.workspace = workspace}); }
  /// The gradients of the loss of the batch: dx, or those of w and b.
  Status backward(bool of_x) noexcept;
  /// The loss of the first `count` images of the batch.
  [[nodiscard]] double loss_of(std::size_t count) const noexcept;
  [[nodiscard]] Status check_results(const EvaluationResults& results) const noexcept;
  /// How many of the first images of the batch have the largest y at their label.
  [[nodiscard]] std::int64_t correct(std::span<const std::int32_t> labels) const noexcept;
  /// `share`: of an image.
  void add_open(const OpenShares& open, std::size_t count, float share) const noexcept;
  /// Calls each(number of images) after forward of all images, a batch at a time; the last batch ends with copies.
  template <class Each>
  Status for_batches(const LabelledImages& images, const Each& each) noexcept;
};

Status Training::Content::allocate() {
  const ChainMemory& of = chain.memory();
  std::int64_t parameter_floats = 0, x_size = chain.layer(0).x_size;
  for (const LayerInfo& layer : chain.layers()) parameter_floats += layer.w_size + layer.b_size;
  const std::int64_t y_size = batch * classes;
  const std::array sizes{parameter_floats,     parameter_floats, parameter_floats, of.activation_floats,
                         of.activation_floats, x_size,           x_size,           y_size,
                         of.workspace_floats};
  ScratchLayout layout;
  // The velocities follow the parameters without a gap.
  const Offset state = layout.take(CheckedInt(2) * parameter_floats);
  std::array<Offset, sizes.size()> at{};
  for (std::size_t i = 2; i < sizes.size(); ++i) at[i] = layout.take(sizes[i]);
  if (!layout.floats().fits() || !memory.allocate(layout.floats().value()) || !winners.allocate(of.winners)) {
    return out_of_memory();
  }
  std::ranges::fill(memory.span(), 0.0F);
  const auto piece = [&](std::size_t i) {
    return std::span<float>(at[i].in(memory.span().data()), static_cast<std::size_t>(sizes[i]));
  };
  const auto count = static_cast<std::size_t>(parameter_floats);
  parameters = {state.in(memory.span().data()), count};
  velocities = {parameters.data() + count, count};
  parameter_gradients = piece(2);
  x = piece(5);
  target = piece(7);
  workspace = piece(8);
  std::span<float> w = parameters, dw = parameter_gradients, y = piece(3), dy = piece(4);
  std::span<std::int32_t> indices = winners.span();
  const auto take = [](auto& from, std::int64_t length) {
    const auto taken = from.first(static_cast<std::size_t>(length));
    from = from.subspan(taken.size());
    return taken;
  };
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& info = chain.layer(i);
    LayerTensors<float>& own = layers[i];
    own.w = take(w, info.w_size);
    own.b = take(w, info.b_size);
    own.dw = take(dw, info.w_size);
    own.db = take(dw, info.b_size);
    own.y = take(y, info.y_size);
    own.dy = take(dy, info.y_size);
    own.winners = take(indices, info.winners_size);
  }
  tensors = {.x = x, .dx = piece(6), .layers = std::span(layers).first(chain.size())};
  return {};
}

void Training::Content::draw_weights() noexcept {
  Random random(options.seed);
  float* to = parameters.data();
  for (const LayerInfo& layer : chain.layers()) {
    const Geometry& g = layer.geometry;
    const double inputs = static_cast<double>(g.kh * g.kw * g.group_c);
    const double bound = options.scale * std::sqrt(6.0 / inputs);
    for (std::int64_t i = 0; i < layer.w_size; ++i) to[i] = static_cast<float>((2 * random.uniform() - 1) * bound);
    to += layer.w_size + layer.b_size;
  }
}

Status Training::Content::check_images(const LabelledImages& images) const noexcept {
  const std::size_t count = images.labels.size();
  if (count == 0) return {ErrorCode::invalid_argument, "labels", "there are no images"};
  if (Status status = check_lengths({{"x", images.x.size(), static_cast<std::int64_t>(count * image_size())}});
      !status.ok()) {
    return status;
  }
  for (const std::int32_t label : images.labels) {
    if (label >= 0 && label < classes) continue;
    return {ErrorCode::invalid_argument, "labels", text("a label is ", label, ", but there are ", classes, " classes")};
  }
  return {};
}

void Training::Content::set_order(std::int64_t to, std::size_t images) noexcept {
  const std::span<std::int32_t> places = order.span();
  if (epoch == to && places.size() == images) return;
  if (places.size() != images && !order.allocate(static_cast<std::int64_t>(images))) return;
  const std::span<std::int32_t> shuffled = order.span();
  std::iota(shuffled.begin(), shuffled.end(), 0);
  Random random(options.seed + 1 + static_cast<std::uint32_t>(to));
  for (std::size_t i = images; i > 1; --i) std::swap(shuffled[i - 1], shuffled[random.below(i)]);
  epoch = to;
}

void Training::Content::put(const LabelledImages& images, std::size_t of, std::size_t at) noexcept {
  const std::size_t size = image_size();
  std::ranges::copy(images.x.subspan(of * size, size), x.subspan(at * size, size).begin());
  const std::span<float> one_hot =
      target.subspan(at * static_cast<std::size_t>(classes), static_cast<std::size_t>(classes));
  std::ranges::fill(one_hot, 0.0F);
  one_hot[static_cast<std::size_t>(images.labels[of])] = 1;
}

Status Training::Content::backward(bool of_x) noexcept {
  const LayerTensors<float>& end = layers[chain.size() - 1];
  if (Status status = loss_gradient<float>(loss, end.y, target, end.dy, channels()); !status.ok()) return status;
  if (!of_x) {
    return conv2d::backward(chain, {.x = tensors.x, .layers = tensors.layers}, {.workspace = workspace});
  }
  std::array<LayerTensors<float>, kMaxLayers> without = layers;
  for (LayerTensors<float>& layer : without) layer.dw = layer.db = {};
  return conv2d::backward(chain, {.x = tensors.x, .dx = tensors.dx, .layers = std::span(without).first(chain.size())},
                          {.workspace = workspace});
}

double Training::Content::loss_of(std::size_t count) const noexcept {
  const std::size_t cells = count * static_cast<std::size_t>(classes);
  const std::span<const float> y = layers[chain.size() - 1].y;
  return static_cast<double>(
      *loss_value<float>(loss, y.first(cells), std::span<const float>(target).first(cells), channels()));
}

template <class Each>
Status Training::Content::for_batches(const LabelledImages& images, const Each& each) noexcept {
  if (Status status = check_images(images); !status.ok()) return status;
  const std::size_t count = images.labels.size(), size = static_cast<std::size_t>(batch);
  for (std::size_t first = 0; first < count; first += size) {
    for (std::size_t i = 0; i < size; ++i) put(images, std::min(first + i, count - 1), i);
    Status status = forward();
    if (status.ok()) status = each(std::min(size, count - first));
    if (!status.ok()) return status;
  }
  return {};
}

Training::Training(std::unique_ptr<Content> content) noexcept : content_(std::move(content)) {}
Training::Training(Training&&) noexcept = default;
Training& Training::operator=(Training&&) noexcept = default;
Training::~Training() = default;

const Chain& Training::chain() const noexcept { return content_->chain; }
std::span<float> Training::state() noexcept { return {content_->parameters.data(), 2 * content_->parameters.size()}; }
const ChainTensors<float>& Training::tensors() const noexcept { return content_->tensors; }

Result<Training> Training::start(const ChainDesc& desc, const TrainingOptions& options) {
  if (Status status = check_options(options); !status.ok()) return status;
  const Result<Chain> chain = plan_chain(desc, {.loss = options.loss});
  if (!chain.ok()) return chain.status();
  const LayerInfo& last = chain->layers().back();
  if (desc.n < 1 || last.y_size != desc.n * last.channels) {
    return Status{ErrorCode::invalid_argument, "layers", "the last y must have one cell for each class and image"};
  }
  auto content = std::make_unique<Content>(*chain, options);
  if (Status status = content->allocate(); !status.ok()) return status;
  content->draw_weights();
  return Training(std::move(content));
}

Result<double> Training::gradients(const LabelledImages& images, std::int64_t step) noexcept {
  Content& own = *content_;
  if (Status status = own.check_images(images); !status.ok()) return status;
  const std::size_t count = images.labels.size(), size = static_cast<std::size_t>(own.batch);
  if (count < size || step < 0) {
    return Status{ErrorCode::invalid_argument, "labels", text("there are ", count, " images, fewer than a batch has")};
  }
  const auto batches = static_cast<std::int64_t>(count / size);
  own.set_order(step / batches, count);
  if (own.order.span().size() != count) return out_of_memory();
  own.batch_images = own.order.span().subspan(static_cast<std::size_t>(step % batches) * size, size);
  for (std::size_t i = 0; i < size; ++i) own.put(images, static_cast<std::size_t>(own.batch_images[i]), i);
  Status status = own.forward();
  if (status.ok()) status = own.backward(false);
  if (!status.ok()) return status;
  return own.loss_of(size);
}

void Training::update() noexcept {
  Content& own = *content_;
  for (std::size_t i = 0; i < own.velocities.size(); ++i) {
    own.velocities[i] = static_cast<float>(own.options.momentum * static_cast<double>(own.velocities[i]) +
                                           static_cast<double>(own.parameter_gradients[i]));
  }
  // The lengths are equal.
  (void)sgd_step(own.parameters, own.velocities, own.options.rate);
}

std::span<const std::int32_t> Training::batch_images() const noexcept { return content_->batch_images; }

Status Training::Content::check_results(const EvaluationResults& results) const noexcept {
  if (!results.mean_abs_dx.empty()) {
    const auto size = static_cast<std::int64_t>(image_size());
    if (Status status = check_lengths({{"mean_abs_dx", results.mean_abs_dx.size(), size}}); !status.ok()) return status;
  }
  for (const auto& [layer, shares] : results.open) {
    if (layer >= chain.size()) return {ErrorCode::invalid_argument, "layer", "there is no such layer"};
    if (Status status = check_lengths({{"shares", shares.size(), chain.layer(layer).channels}}); !status.ok()) {
      return status;
    }
  }
  return {};
}

std::int64_t Training::Content::correct(std::span<const std::int32_t> labels) const noexcept {
  const std::span<const float> y = layers[chain.size() - 1].y;
  const auto count = static_cast<std::size_t>(classes);
  std::int64_t hits = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::span<const float> scores = y.subspan(i * count, count);
    hits += std::ranges::max_element(scores) - scores.begin() == labels[i] ? 1 : 0;
  }
  return hits;
}

void Training::Content::add_open(const OpenShares& open, std::size_t count, float share) const noexcept {
  const LayerInfo& layer = chain.layer(open.layer);
  const auto channels = open.shares.size(), pixels = static_cast<std::size_t>(layer.y_size / batch) / channels;
  const std::span<const float> y = layers[open.layer].y;
  for (std::size_t i = 0; i < count * pixels * channels; ++i) {
    const std::size_t channel = layer.geometry.layout == Layout::nhwc ? i % channels : i / pixels % channels;
    if (y[i] > 0) open.shares[channel] += share / static_cast<float>(pixels);
  }
}

Result<Evaluation> Training::evaluate(const LabelledImages& images, const EvaluationResults& results) noexcept {
  Content& own = *content_;
  if (Status status = own.check_results(results); !status.ok()) return status;
  std::ranges::fill(results.mean_abs_dx, 0.0F);
  for (const OpenShares& open : results.open) std::ranges::fill(open.shares, 0.0F);
  Evaluation evaluation;
  double sum = 0;
  std::size_t first = 0;
  const float share = 1 / static_cast<float>(images.labels.size());
  const Status status = own.for_batches(images, [&](std::size_t count) -> Status {
    sum += own.loss_of(count) * static_cast<double>(count);
    evaluation.correct += own.correct(images.labels.subspan(first, count));
    first += count;
    for (const OpenShares& open : results.open) own.add_open(open, count, share);
    if (results.mean_abs_dx.empty()) return {};
    Status run = own.backward(true);
    // The gradient of a batch is that of the mean over its images.
    const float weight = static_cast<float>(own.batch) * share;
    const std::size_t size = own.image_size();
    for (std::size_t i = 0; i < count * size; ++i) {
      results.mean_abs_dx[i % size] += std::abs(own.tensors.dx[i]) * weight;
    }
    return run;
  });
  if (!status.ok()) return status;
  evaluation.loss = sum / static_cast<double>(images.labels.size());
  return evaluation;
}

Status Training::predict(std::span<const float> image, std::span<float> probabilities) noexcept {
  Content& own = *content_;
  if (Status status = check_lengths({{"x", image.size(), static_cast<std::int64_t>(own.image_size())},
                                     {"probabilities", probabilities.size(), own.classes}});
      !status.ok()) {
    return status;
  }
  for (std::size_t first = 0; first < own.x.size(); first += image.size()) {
    std::ranges::copy(image, own.x.subspan(first, image.size()).begin());
  }
  if (Status status = own.forward(); !status.ok()) return status;
  const std::span<const float> y = own.layers[own.chain.size() - 1].y.first(probabilities.size());
  const float largest = *std::ranges::max_element(y);
  double sum = 0;
  for (const float score : y) sum += std::exp(static_cast<double>(score - largest));
  for (std::size_t i = 0; i < y.size(); ++i) {
    probabilities[i] = static_cast<float>(std::exp(static_cast<double>(y[i] - largest)) / sum);
  }
  return {};
}

}  // namespace conv2d
