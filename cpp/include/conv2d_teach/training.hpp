#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "conv2d/config.hpp"
#include "conv2d/status.hpp"
#include "conv2d_teach/chain.hpp"

/// Training of a classifier in mini-batches: a chain with one cell of its last y for each class, and gradient descent
/// with momentum. The same options give bitwise the same weights.
namespace conv2d {

/// Images and their classes. Both are the caller's memory.
struct LabelledImages {
  std::span<const float> x;              ///< one image after the other, each in the layout of the chain
  std::span<const std::int32_t> labels;  ///< one for each image, from 0 to the number of classes - 1
};

struct TrainingOptions {
  double rate = 0.05;
  double momentum = 0.9;
  /// The weights start uniformly between -bound and bound, with bound = scale * sqrt(6 / (kh * kw * group_c)) (He et
  /// al., 2015, for ReLU); biases start at 0.
  double scale = 1;
  std::uint32_t seed = 1;  ///< of the initial weights and of the order of the images
  std::string_view loss = "cross_entropy";
};

/// The results for some images.
struct Evaluation {
  double loss = 0;           ///< mean over the images
  std::int64_t correct = 0;  ///< images with the largest y at their class
};

/// Per channel of y of a layer, the share of cells above 0, over all images: 0 where a ReLU is closed for all of them.
struct OpenShares {
  std::size_t layer = 0;
  std::span<float> shares;  ///< k of the layer
};

/// What else an evaluation writes.
struct EvaluationResults {
  /// mean(|dx|) over all images, of the loss of each image alone: one image, or empty for none.
  std::span<float> mean_abs_dx{};
  std::span<const OpenShares> open{};
};

/// A chain with its tensors. Only `start` allocates memory.
class Training {
 public:
  /// Plans a chain of desc.n images, the size of a batch, and draws its weights. Errors: those of plan_chain;
  /// invalid_argument ("rate", "momentum", "scale": negative or not finite; "layers": the last y has more than one cell
  /// for each class), out_of_memory.
  static CONV2D_API Result<Training> start(const ChainDesc& desc, const TrainingOptions& options);

  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;
  Training(Training&&) noexcept;
  Training& operator=(Training&&) noexcept;
  ~Training();

  [[nodiscard]] CONV2D_API const Chain& chain() const noexcept;
  /// w and b of all layers, one after the other: first the values, then the velocities. Writable, to go back to an
  /// earlier state.
  [[nodiscard]] CONV2D_API std::span<float> state() noexcept;
  /// w, b, dw and db of the layers, y and dy, x and dx: those of the last run.
  [[nodiscard]] CONV2D_API const ChainTensors<float>& tensors() const noexcept;

  /// Computes the loss of batch number `step`, and the gradients of w and b. Each epoch visits all images once, in an
  /// order of its own, and leaves out the rest that fills no batch. Errors: check_images().
  CONV2D_API Result<double> gradients(const LabelledImages& images, std::int64_t step) noexcept;
  /// Uses the gradients of the last gradients(), which evaluations do not change:
  /// velocity = momentum * velocity + gradient, value -= rate * velocity, each computed in double and rounded to float.
  CONV2D_API void update() noexcept;

  /// The numbers of the images of the last gradients().
  [[nodiscard]] CONV2D_API std::span<const std::int32_t> batch_images() const noexcept;

  /// Runs the chain for all images. Errors: as gradients(); length_mismatch ("mean_abs_dx", "shares");
  /// invalid_argument ("layer": there is no such layer).
  CONV2D_API Result<Evaluation> evaluate(const LabelledImages& images, const EvaluationResults& results = {}) noexcept;
  /// The probabilities of the classes of one image: softmax of the last y. Errors: length_mismatch ("x",
  /// "probabilities").
  CONV2D_API Status predict(std::span<const float> image, std::span<float> probabilities) noexcept;

 private:
  struct Content;
  explicit Training(std::unique_ptr<Content> content) noexcept;

  std::unique_ptr<Content> content_;
};

}  // namespace conv2d
