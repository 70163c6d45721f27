#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "conv2d/conv_desc.hpp"

/// The names of the tensors of a session, and of the steps that compute them.
namespace conv2d::session {

/// The float32 tensors. x and dx belong to the chain, and so does target; `stage` and `result` are the outputs of
/// stage(), partial(), fold() and others. The rest belongs to a layer, with dy as the gradient at its output.
enum class Slot { x, w, b, y, dy, dx, dw, db, target, stage, result };
inline constexpr std::size_t kSlotCount = 11;

enum class IndexSlot { a, b };

constexpr std::string_view to_string(Slot slot) noexcept {
  constexpr std::array<std::string_view, kSlotCount> kNames{"x",  "w",  "b",      "y",     "dy",    "dx",
                                                            "dw", "db", "target", "stage", "result"};
  return kNames[static_cast<std::size_t>(slot)];
}

/// A tensor of a layer. Of a later layer, x is the y of the layer before, and dx its dy. The layer is ignored for
/// target, stage and result.
struct TensorId {
  std::int64_t layer = 0;
  Slot slot = Slot::x;

  bool operator==(const TensorId&) const = default;
};

/// What a step computes. The first four are the passes.
enum class Operation { forward, backward_data, backward_weights, backward_bias, loss };
inline constexpr std::size_t kOperationCount = 5;

constexpr Operation operation_of(Pass pass) noexcept { return static_cast<Operation>(pass); }
/// Precondition: the operation is a pass.
constexpr Pass pass_of(Operation operation) noexcept { return static_cast<Pass>(operation); }

/// A set of operations, one bit for each.
using Operations = std::uint32_t;
constexpr Operations only(Operation operation) noexcept { return Operations{1} << static_cast<unsigned>(operation); }
inline constexpr Operations kAllOperations = (Operations{1} << kOperationCount) - 1;

/// The loss step is one of the last layer; its layer is ignored.
struct Step {
  std::int64_t layer = 0;
  Operation operation = Operation::forward;

  bool operator==(const Step&) const = default;
};

/// The output of a pass.
constexpr Slot output_of(Pass pass) noexcept {
  constexpr Slot kOutputs[]{Slot::y, Slot::dx, Slot::dw, Slot::db};
  return kOutputs[static_cast<std::size_t>(pass)];
}

}  // namespace conv2d::session
