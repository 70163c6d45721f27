#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/gradient_check.hpp"

namespace conv2d::session {

/// The float32 tensors of a session. `stage` and `result` are the outputs of stage(), partial(), fold() and others.
enum class Slot { x, w, b, y, dy, dx, dw, db, target, stage, result };
inline constexpr std::size_t kSlotCount = 11;

enum class IndexSlot { a, b };

constexpr std::string_view name_of(Slot slot) noexcept {
  constexpr std::array<std::string_view, kSlotCount> kNames{"x",  "w",  "b",      "y",     "dy",    "dx",
                                                            "dw", "db", "target", "stage", "result"};
  return kNames[static_cast<std::size_t>(slot)];
}

/// The output of a pass.
constexpr Slot output_of(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return Slot::y;
    case Pass::backward_data:
      return Slot::dx;
    case Pass::backward_weights:
      return Slot::dw;
    case Pass::backward_bias:
      return Slot::db;
  }
  return Slot::y;
}

constexpr Slot slot_of(Parameter parameter) noexcept {
  return parameter == Parameter::x ? Slot::x : parameter == Parameter::w ? Slot::w : Slot::b;
}

constexpr Slot gradient_of(Parameter parameter) noexcept {
  return parameter == Parameter::x ? Slot::dx : parameter == Parameter::w ? Slot::dw : Slot::db;
}

}  // namespace conv2d::session
