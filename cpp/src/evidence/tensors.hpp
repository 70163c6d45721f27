#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d_check/arrays.hpp"

/// The tensors of a layer, as arrays of a file.
namespace conv2d_check {

/// Inputs and results of a layer.
enum class Role { x, w, b, y, dy, dx, dw, db };
inline constexpr int kRoles = 8;
inline constexpr std::array<std::string_view, kRoles> kRoleNames{"x", "w", "b", "y", "dy", "dx", "dw", "db"};
inline constexpr std::array kResults{Role::y, Role::dx, Role::dw, Role::db};

constexpr std::size_t index_of(Role role) noexcept { return static_cast<std::size_t>(role); }
constexpr std::string_view to_string(Role role) noexcept { return kRoleNames[index_of(role)]; }

/// The gradient of an input or of the output, and back.
constexpr Role gradient_of(Role role) noexcept {
  constexpr std::array kGradients{Role::dx, Role::dw, Role::db, Role::dy};
  return role <= Role::y ? kGradients[index_of(role)] : role;
}

using Dims = std::vector<std::int64_t>;

std::int64_t count_of(const Dims& shape) noexcept;
std::string to_string(const Dims& shape);  ///< "[2, 3]"

struct Tensor {
  std::string name{};
  Dims shape{};
  Elements elements{};          ///< as in the file
  std::vector<float> values{};  ///< the same, as float32
  bool is_text = false;
  std::ptrdiff_t index = -1;  ///< of the array in the file; -1: it is none of the file
};

/// The image with its channels moved from the second axis to the last, or back. Its elements refer to its own memory:
/// it must be moved, not copied.
Tensor with_moved_channels(const Tensor& image, bool to_last);

/// The tensors of one layer. Null: the file does not have it.
struct Tensors {
  std::array<const Tensor*, kRoles> of{};

  const Tensor*& operator[](Role role) noexcept { return of[index_of(role)]; }
  const Tensor* operator[](Role role) const noexcept { return of[index_of(role)]; }
  [[nodiscard]] bool has(Role role) const noexcept { return (*this)[role] != nullptr; }
  [[nodiscard]] bool any(std::initializer_list<Role> roles) const noexcept;
};

}  // namespace conv2d_check
