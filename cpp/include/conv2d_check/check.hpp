#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"

/// Judges results of a convolution, of ReLU and of pooling that another program computed: whether they are right, and
/// if not, which mistake gives them or where they are wrong.
///
///   const auto verdict = conv2d_check::backward_weights(desc, {.x = x, .dy = dy}, dw);
///   CHECK(verdict);  // Catch2; EXPECT_TRUE(verdict) in GoogleTest; assert(verdict)
///
/// Right values are computed in double. Allowed are the errors of float32 sums in any order, of Winograd and of FFT;
/// then those of inputs and results in bfloat16, float16 and TF32, and of printed decimals.
namespace conv2d_check {

using conv2d::ConvDesc;
using conv2d::Pass;

/// The layer that computes the result.
enum class Layer {
  conv,          ///< see conv2d::ConvDesc
  relu,          ///< y = x where x > 0, else 0. Of the description only n, h, w, c and layout are read
  max_pool,      ///< the first of equal cells wins; padding never does. ConvDesc: window kh x kw, k = groups = c
  average_pool,  ///< sum / (kh * kw), or / the cells in x
};

/// Elements of a tensor in memory: float32, or 16-bit patterns of float16 or bfloat16. Refers to memory of the caller.
class Elements {
 public:
  enum class Type { float32, float16, bfloat16 };

  Elements() = default;
  // NOLINTBEGIN(*-explicit-*): a vector of floats is a tensor.
  template <class Floats>
  requires std::convertible_to<const Floats&, std::span<const float>> Elements(const Floats& values)
      : Elements(std::span<const float>(values), {}, Type::float32) {}
  // NOLINTEND(*-explicit-*)
  static Elements float16(std::span<const std::uint16_t> bits) { return {{}, bits, Type::float16}; }
  static Elements bfloat16(std::span<const std::uint16_t> bits) { return {{}, bits, Type::bfloat16}; }

  [[nodiscard]] Type type() const noexcept { return type_; }
  [[nodiscard]] std::size_t size() const noexcept { return type_ == Type::float32 ? floats_.size() : bits_.size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::span<const float> floats() const noexcept { return floats_; }      ///< empty for 16 bits
  [[nodiscard]] std::span<const std::uint16_t> bits() const noexcept { return bits_; }  ///< empty for float32

 private:
  Elements(std::span<const float> floats, std::span<const std::uint16_t> bits, Type type)
      : floats_(floats), bits_(bits), type_(type) {}

  std::span<const float> floats_;
  std::span<const std::uint16_t> bits_;
  Type type_ = Type::float32;
};

/// Tensors that a pass reads, in the layouts of the description. `b` may be empty: no bias.
struct Operands {
  Elements x{}, w{}, b{}, dy{};
};

/// What is known of a result beside its description.
struct Options {
  Layer layer = Layer::conv;
  bool count_include_pad = true;  ///< average_pool: divide by kh * kw
  bool bias_in_dx = false;        ///< dx of a transposed convolution: `b` of each channel of x is added to it
  bool is_text = false;           ///< the result was printed as text: zeros may be rounded numbers
  double learning_rate = 0;       ///< a further factor that has a reason, unless 0
  /// Formats of other arrays of the same program: in which other results match (Verdict::format), or all are printed.
  std::vector<std::string> formats{};
};

/// In this order of preference: one is given only where no earlier one holds, except that `cannot_tell` is given where
/// a right and a wrong result cannot be told apart.
enum class Judgement {
  matches,       ///< every cell is right, in `format`
  scaled,        ///< every cell is `factor` times the right value
  mistake,       ///< every cell is the value of the mistakes `names`, times `factor`
  partly_wrong,  ///< `where` describes the cells that differ
  differs,       ///< cells differ, and no rule describes them
  cannot_tell,   ///< an operand is missing, or rounding hides the difference between right and wrong
  does_not_fit,  ///< the length or shape is not that of the result, or the description or an operand is invalid
};

/// The name of the enumerator, as in the JSON of the command.
std::string_view to_string(Judgement judgement) noexcept;

/// The verdict on one result.
struct Verdict {
  Judgement judgement = Judgement::cannot_tell;
  std::string sentence;            ///< the verdict in words, with its numbers
  std::string format = "float32";  ///< "float32", "bfloat16", "float16", "tf32", "4 decimals", "5 digits"
  std::vector<std::string> names;  ///< of mistakes: one, two one after the other, or several that all give the result
  bool in_sequence = false;        ///< the two `names` were made one after the other
  double factor = 1;
  std::string factor_reason;  ///< "1/n", "a learning rate"; empty: none is known
  std::string where;          ///< "columns from 24 on"
  std::string relation;       ///< what the cells that differ are: "0", "2 times the right values"
  std::string reason;         ///< of cannot_tell and does_not_fit
  std::int64_t cells = 0;
  std::int64_t differing = 0;   ///< cells outside the rounding of `format`
  std::int64_t worst = -1;      ///< flat index of the cell with the largest error; -1 if all match
  double yours = 0, right = 0;  ///< at `worst`

  /// Whether the result is right: matches.
  explicit operator bool() const noexcept { return judgement == Judgement::matches; }
};

/// Prints the sentence.
std::ostream& operator<<(std::ostream& out, const Verdict& verdict);

/// Judges y, dx, dw or db, in the layouts of `desc`. Never throws; invalid arguments are Judgement::does_not_fit.
Verdict judge(const ConvDesc& desc, Pass pass, const Operands& operands, const Elements& result,
              const Options& options = {});

/// Judges y.
inline Verdict forward(const ConvDesc& desc, const Operands& operands, const Elements& y, const Options& options = {}) {
  return judge(desc, Pass::forward, operands, y, options);
}
/// Judges dx.
inline Verdict backward_data(const ConvDesc& desc, const Operands& operands, const Elements& dx,
                             const Options& options = {}) {
  return judge(desc, Pass::backward_data, operands, dx, options);
}
/// Judges dw.
inline Verdict backward_weights(const ConvDesc& desc, const Operands& operands, const Elements& dw,
                                const Options& options = {}) {
  return judge(desc, Pass::backward_weights, operands, dw, options);
}
/// Judges db.
inline Verdict backward_bias(const ConvDesc& desc, const Operands& operands, const Elements& db,
                             const Options& options = {}) {
  return judge(desc, Pass::backward_bias, operands, db, options);
}

}  // namespace conv2d_check
