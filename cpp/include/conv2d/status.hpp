#pragma once

#include <cassert>
#include <optional>
#include <string_view>
#include <utility>

#include "conv2d/message.hpp"

namespace conv2d {

/// What went wrong. One value per kind of mistake; the sentence in `Status::message` names the numbers.
enum class ErrorCode {
  ok,
  invalid_size,         ///< a size is negative, or zero where at least 1 is needed
  invalid_stride,       ///< stride < 1
  invalid_dilation,     ///< dilation < 1
  invalid_padding,      ///< a padding is negative
  invalid_groups,       ///< groups < 1, or groups does not divide c or k
  channel_mismatch,     ///< the weights' input channels are not c / groups
  kernel_too_large,     ///< the dilated kernel does not fit into the padded input
  input_size_mismatch,  ///< backward_data: this x_shape does not produce this dy
  length_mismatch,      ///< a buffer does not hold the number of elements that its shape needs
  overflow,             ///< a size, an index or a byte count does not fit the address space
  out_of_memory,        ///< the memory asked for could not be had
  unknown_algorithm,    ///< no algorithm of this name for this pass
  unsupported,          ///< the named algorithm does not support this geometry (the message says why)
  invalid_argument,     ///< any other argument outside its range
  cancelled,            ///< the progress hook asked to stop; the output is unspecified
};

/// The enumerator's own name, e.g. "kernel_too_large".
std::string_view to_string(ErrorCode code) noexcept;

/// Errors are values: a code, the name of the field at fault (a name of ConvDesc or of a tensor), and a sentence
/// that says what is expected and what was found. To report one allocates nothing. An ok status has no field and no
/// message.
struct [[nodiscard]] Status {
  ErrorCode code = ErrorCode::ok;
  std::string_view field;  ///< lives for ever
  Message message;

  [[nodiscard]] bool ok() const noexcept { return code == ErrorCode::ok; }
};

/// Either a value or the Status that says why there is none.
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
