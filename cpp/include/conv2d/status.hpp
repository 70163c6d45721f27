#pragma once

#include <cassert>
#include <optional>
#include <string_view>
#include <utility>

#include "conv2d/config.hpp"
#include "conv2d/message.hpp"

namespace conv2d {

/// Kind of error. `Status::message` has the details.
enum class ErrorCode {
  ok,
  invalid_size,         ///< a size is negative, or 0 where at least 1 is required
  invalid_stride,       ///< stride < 1
  invalid_dilation,     ///< dilation < 1
  invalid_padding,      ///< a padding is negative
  invalid_groups,       ///< groups < 1, or groups does not divide c or k
  channel_mismatch,     ///< the input channels of the weights are not c / groups
  kernel_too_large,     ///< the dilated kernel is larger than the padded input
  input_size_mismatch,  ///< dy does not have the shape that x_shape gives
  length_mismatch,      ///< a buffer does not have the number of elements of its shape
  overflow,             ///< a size, index or byte count exceeds the address space
  out_of_memory,        ///< memory could not be allocated
  unknown_algorithm,    ///< the pass has no algorithm of this name
  unsupported,          ///< the algorithm does not support this geometry (reason in the message)
  invalid_argument,     ///< another argument is outside its range
  cancelled,            ///< the progress hook returned false; the output is unspecified
};

/// The name of the enumerator, e.g. "kernel_too_large".
CONV2D_API std::string_view to_string(ErrorCode code) noexcept;

/// Success or an error: a code, the name of the invalid argument (a member of ConvDesc, a tensor or a parameter), and a
/// sentence with the expected and the actual value. Never allocates. If ok(), field and message are empty.
struct [[nodiscard]] Status {
  ErrorCode code = ErrorCode::ok;
  std::string_view field;  ///< static storage duration
  Message message;

  [[nodiscard]] bool ok() const noexcept { return code == ErrorCode::ok; }
};

/// A value, or the Status of the error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                                  // NOLINT(*-explicit-*)
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT(*-explicit-*)

  [[nodiscard]] bool ok() const noexcept { return value_.has_value(); }
  [[nodiscard]] const Status& status() const noexcept { return status_; }

  /// Precondition: ok().
  [[nodiscard]] const T& value() const& noexcept {
    assert(ok());
    return *value_;
  }
  [[nodiscard]] T&& value() && noexcept {
    assert(ok());
    return std::move(*value_);
  }
  const T* operator->() const noexcept { return &value(); }
  const T& operator*() const noexcept { return value(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace conv2d
