#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "session/buffer.hpp"

/// What the tables of gradient checks share.
namespace conv2d::session {

/// A float tensor as T: a view, or a copy converted to double.
template <class T>
class Converted {
 public:
  Status assign(std::span<const float> values, std::string_view name) {
    if constexpr (std::is_same_v<T, float>) {
      view_ = values;
      return {};
    } else {
      Status status = copy_.reserve(static_cast<std::int64_t>(values.size()), name);
      if (status.ok()) {
        std::ranges::copy(values, copy_.span().begin());
        view_ = copy_.span();
      }
      return status;
    }
  }

  [[nodiscard]] std::span<const T> view() const noexcept { return view_; }

 private:
  Buffer<T> copy_;
  std::span<const T> view_;
};

/// The maximum; NaN if either is NaN.
inline double larger(double so_far, double error) noexcept {
  return std::isnan(so_far) || error <= so_far ? so_far : error;
}

}  // namespace conv2d::session
