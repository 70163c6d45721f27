#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conv2d/config.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d_teach/layers.hpp"

/// A chain of layers, each with the output of the one before as its x:
///
///   describe (ChainDesc) -> plan_chain -> forward -> loss_gradient of the last y -> backward
///
/// forward and backward are loops over run_pass, which runs one pass of one layer. A chain of one convolution gives the
/// same bits as the plans of its passes. As with one convolution, runs use the caller's memory, allocate nothing and
/// throw nothing, and the results are bitwise identical for every number of threads. The layers without weights run on
/// one thread.
namespace conv2d {

inline constexpr std::size_t kMaxLayers = 16;

struct ChainDesc {
  Layout layout = Layout::nhwc;  ///< of all activations
  /// Of the input x; n >= 0, the others >= 1, but h and w may be 0 before a convolution.
  std::int64_t n = 1, h = 1, w = 1, c = 1;
  std::span<const LayerDesc> layers{};  ///< 1 to kMaxLayers
};

/// An algorithm of a pass of a layer, by its name.
struct LayerAlgorithm {
  std::size_t layer = 0;
  Pass pass = Pass::forward;
  std::string_view name;
};

/// As in PlanOptions, for all convolutions of the chain.
struct ChainOptions {
  int threads = 1;
  std::string_view instruction_set{};  ///< also of the layers without weights
  /// None: strict for the forward passes before the last ReLU or max_pool or before a loss with a kink, else fast.
  /// Other algorithms can round the input of a ReLU from 0 to above 0, part equal cells of a maximum, or move an output
  /// from its target.
  std::optional<Accuracy> accuracy{};
  bool packed_weights = false;
  std::string_view loss = "linear";  ///< behind the chain (losses.hpp); absolute_error has a kink
  /// In place of the chosen ones, at most one for each pass of a layer. Without `accuracy`, each may have any.
  std::span<const LayerAlgorithm> algorithms{};
};

/// Elements of the tensors of a chain.
struct ChainMemory {
  std::int64_t activation_floats = 0;  ///< all outputs, which backward reads, without x
  std::int64_t winners = 0;            ///< int32 indices that backward reads
  std::int64_t parameter_floats = 0;   ///< w and b
  std::int64_t gradient_floats = 0;    ///< dx, and dy, dw and db of all layers
  std::int64_t workspace_floats = 0;   ///< one workspace for all layers
};

struct ChainContent;

/// A chain that is ready to run. Immutable, cheap to copy, and without tensors.
class Chain {  // NOLINT(*-special-member-functions): a move is a copy
 public:
  Chain(const Chain&) = default;
  Chain& operator=(const Chain&) = default;
  ~Chain() = default;

  [[nodiscard]] CONV2D_API std::size_t size() const noexcept;  ///< number of layers
  /// Precondition: i < size().
  [[nodiscard]] CONV2D_API const LayerInfo& layer(std::size_t i) const noexcept;
  [[nodiscard]] CONV2D_API const ChainMemory& memory() const noexcept;
  [[nodiscard]] CONV2D_API std::span<const LayerInfo> layers() const noexcept;
  /// The plan of a pass of layer i, valid as long as the chain; null for a layer without weights. Precondition: as
  /// layer().
  [[nodiscard]] CONV2D_API const Plan* plan(std::size_t i, Pass pass) const noexcept;
  /// The algorithm of a pass of layer i; empty for a layer without weights.
  [[nodiscard]] CONV2D_API std::string_view algorithm(std::size_t i, Pass pass) const noexcept;
  /// The name of ChainOptions::loss, in static storage.
  [[nodiscard]] CONV2D_API std::string_view loss() const noexcept;
  [[nodiscard]] CONV2D_API bool has_target() const noexcept;  ///< the loss is not linear
  /// Instruction set of its kernels.
  [[nodiscard]] CONV2D_API std::string_view instruction_set() const noexcept;

 private:
  friend struct ChainContent;
  explicit Chain(std::shared_ptr<const ChainContent> content) noexcept : content_(std::move(content)) {}

  std::shared_ptr<const ChainContent> content_;
};

/// The sizes of all layers, without plans and kernels. Errors: as plan_chain, but for its options.
CONV2D_API Result<std::vector<LayerInfo>> resolve_chain(const ChainDesc& desc);

/// Plans a chain. Errors: those of `resolve` and `plan`, with the layer in front of the field ("layers[2].kh") and of
/// the message; "n", "h", "w", "c" or "x" for the input; invalid_argument ("layers": none or more than kMaxLayers;
/// "layers[2].kind"; "loss": no such name; "algorithms": of a layer without weights or one that does not exist);
/// invalid_dilation and invalid_padding for pooling; overflow ("layers[2].x": the index of a winner needs more than 31
/// bits; "layers[2].kh": a window has more than 2^24 cells). Allocates memory.
CONV2D_API Result<Chain> plan_chain(const ChainDesc& desc, const ChainOptions& options = {});

/// The chain with another algorithm for one pass; an empty name chooses it, as plan_chain. All other passes keep their
/// plans. Errors: those of plan_chain.
CONV2D_API Result<Chain> with_algorithm(const Chain& chain, const LayerAlgorithm& algorithm);

/// The tensors of one layer. Members that a run does not use are ignored.
template <class T>
struct LayerTensors {
  std::span<const T> w{};  ///< LayerInfo::w_size
  std::span<const T> b{};  ///< LayerInfo::b_size, or empty for no bias
  /// The layer's output: written by forward, read by backward. May be empty of a convolution before a ReLU: forward
  /// then writes only the ReLU's y, clamped as it is stored (Clamp), and backward reads that. All other tensors have
  /// the same bits.
  std::span<T> y{};
  std::span<std::int32_t> winners{};  ///< max_pool: flat indices in its x; written by forward, read by backward
  /// The gradient at the layer's output: of the last layer read by backward, of the others written by it.
  std::span<T> dy{};
  std::span<T> dw{}, db{};  ///< written by backward; empty: not computed
  /// Of w, by forward and by backward_data, read instead of it: the results of pack_weights() for Chain::plan. Or
  /// empty.
  std::span<const T> packed{}, packed_backward{};
};

template <class T>
struct ChainTensors {
  std::span<const T> x{};
  std::span<T> dx{};                          ///< written by backward; empty: not computed
  std::span<const LayerTensors<T>> layers{};  ///< one for each layer
};

/// Runs one pass of layer i: forward writes its y and winners; backward_data, backward_weights and backward_bias write
/// dx (of the first layer; else dy of the layer before), dw and db. Reads what operands_of says, where x of a layer is
/// the y of the layer before, and the workspace: that of Chain::plan, or LayerInfo::workspace_floats without a plan.
/// The progress hook is that of conv2d::run. Errors: as forward and backward, for these tensors; unsupported ("pass":
/// a layer without weights has no such pass); invalid_argument ("layer": there is no layer i).
CONV2D_API Status run_pass(const Chain& chain, std::size_t i, Pass pass, const ChainTensors<float>& tensors,
                           const Resources& resources) noexcept;

/// Runs all layers, first to last: writes y and winners. The progress hook is called with the number of finished layers
/// before each layer. Errors: length_mismatch ("x", "layers[2].w", "layers", "workspace", ...), cancelled, and
/// invalid_argument of conv2d::run for tensors of a convolution that overlap. Other tensors must not overlap either.
CONV2D_API Status forward(const Chain& chain, const ChainTensors<float>& tensors, const Resources& resources) noexcept;

/// Runs all layers, last to first, from dy of the last one: writes dy of the others, dw, db and dx. Reads the y and
/// winners that forward wrote. Errors: as forward; invalid_argument ("layers[2].winners": not an index of the layer's
/// x, because forward has not run with these tensors).
CONV2D_API Status backward(const Chain& chain, const ChainTensors<float>& tensors, const Resources& resources) noexcept;

/// The chain by plain loops with double accumulators, without code shared with the kernels. Each y and each gradient is
/// rounded to T. Instantiated for float and double. Precondition: the spans have the right lengths; no y is left out.
namespace reference {

template <class T>
CONV2D_API void forward(const Chain& chain, const ChainTensors<T>& tensors);

template <class T>
CONV2D_API void backward(const Chain& chain, const ChainTensors<T>& tensors);

}  // namespace reference

}  // namespace conv2d
