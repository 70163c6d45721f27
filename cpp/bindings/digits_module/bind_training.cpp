#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "chains/layer_descs.hpp"
#include "conv2d_teach/numeric.hpp"
#include "conv2d_teach/training.hpp"
#include "shared/conversions.hpp"

/// The module "digits", loaded with the first training of a classifier. It has one training at a time, and two sets of
/// images: 0 to train, 1 held out.

namespace {

using namespace conv2d::bindings;
using conv2d::Status;
using conv2d::Training;

EMSCRIPTEN_DECLARE_VAL_TYPE(Labels);

struct Images {
  std::vector<float> x;
  std::vector<std::int32_t> labels;

  [[nodiscard]] conv2d::LabelledImages view() const noexcept { return {x, labels}; }
};

std::array<Images, 2> images;
std::optional<Training> training;
std::vector<float> result;

struct Loss {
  Status status;
  double value = 0;
};

/// The losses and hits of a set of images.
struct Scores {
  Status status;
  double loss = 0;
  std::int64_t correct = 0;
};

Images& set_of(double set) { return images[set == 0 ? 0 : 1]; }

/// Room for `count` images, to be written through images_x and images_labels.
void reserve_images(double set, double count, double image_size) {
  set_of(set).x.resize(static_cast<std::size_t>(to_count(count) * to_count(image_size)));
  set_of(set).labels.resize(static_cast<std::size_t>(to_count(count)));
}
Float32View images_x(double set) { return view_of<Float32View>(std::span<float>(set_of(set).x)); }
Labels images_labels(double set) { return view_of<Labels>(std::span<std::int32_t>(set_of(set).labels)); }

Status start(const conv2d::ChainDesc& input, const LayerDescs& layers, double rate, double momentum, double scale) {
  conv2d::ChainDesc desc = input;
  const std::vector<conv2d::LayerDesc> descs = descs_of(layers);
  desc.layers = descs;
  conv2d::Result<Training> started = Training::start(desc, {.rate = rate, .momentum = momentum, .scale = scale});
  if (!started.ok()) return started.status();
  training = std::move(started).value();
  return {};
}

// Precondition of the others: start has succeeded.

/// The gradients of batch number `step`.
Loss gradients(double step) {
  const conv2d::Result<double> loss = training->gradients(images[0].view(), to_count(step));
  return loss.ok() ? Loss{.status = {}, .value = *loss} : Loss{.status = loss.status()};
}
void update() { training->update(); }

std::size_t index_of(double layer) { return static_cast<std::size_t>(to_count(layer)); }
const conv2d::LayerTensors<float>& at(double layer) { return training->tensors().layers[index_of(layer)]; }
Float32View state() { return view_of<Float32View>(training->state()); }
Float32View weights(double layer) { return view_of<Float32View>(at(layer).w); }
Float32View biases(double layer) { return view_of<Float32View>(at(layer).b); }
/// Of dw of a layer, after gradients().
double norm(double layer) { return conv2d::norm(at(layer).dw); }
/// The numbers of the images of the last gradients().
Labels batch_images() { return view_of<Labels>(training->batch_images()); }

Scores scores_of(const conv2d::Result<conv2d::Evaluation>& scores) {
  return scores.ok() ? Scores{.status = {}, .loss = scores->loss, .correct = scores->correct}
                     : Scores{.status = scores.status()};
}
/// Of the images that are held out.
Scores evaluate() { return scores_of(training->evaluate(images[1].view())); }
/// Also writes to the result: mean(|dx|), and the share of open cells of each channel of two layers of `channels` each.
Scores evaluate_all(double first, double second, double channels) {
  const std::size_t pixels = images[1].x.size() / images[1].labels.size(), count = index_of(channels);
  result.assign(pixels + 2 * count, 0);
  const std::span<float> all = result;
  const std::array open{conv2d::OpenShares{index_of(first), all.subspan(pixels, count)},
                        conv2d::OpenShares{index_of(second), all.subspan(pixels + count, count)}};
  return scores_of(training->evaluate(images[1].view(), {.mean_abs_dx = all.first(pixels), .open = open}));
}
/// Of an image in the result, in place of which it writes the probabilities.
Status predict() {
  const std::vector<float> image = result;
  result.resize(static_cast<std::size_t>(training->chain().layers().back().geometry.k));
  return training->predict(image, result);
}
void reserve_result(double count) { result.resize(static_cast<std::size_t>(to_count(count))); }
Float32View result_view() { return view_of<Float32View>(std::span<float>(result)); }

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_training) {
  emscripten::register_type<Labels>("Int32Array");
  emscripten::value_object<Loss> loss("TrainingLoss");
  field<&Loss::status>(loss, "status");
  field<&Loss::value>(loss, "value");
  emscripten::value_object<Scores> scores("TrainingScores");
  field<&Scores::status>(scores, "status");
  field<&Scores::loss>(scores, "loss");
  field<&Scores::correct>(scores, "correct");

  using emscripten::function;
  function("reserve_images", &reserve_images);
  function("images_x", &images_x);
  function("images_labels", &images_labels);
  function("start", &start);
  function("gradients", &gradients);
  function("update", &update);
  function("state", &state);
  function("weights", &weights);
  function("biases", &biases);
  function("norm", &norm);
  function("batch_images", &batch_images);
  function("evaluate", &evaluate);
  function("evaluate_all", &evaluate_all);
  function("predict", &predict);
  function("reserve_result", &reserve_result);
  function("result", &result_view);
}
