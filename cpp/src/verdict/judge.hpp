#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conv2d_check/check.hpp"
#include "verdict/exact.hpp"
#include "verdict/suspects.hpp"
#include "verdict/tolerance.hpp"

/// The decision, step by step. The order of the steps is the order of preference in `Judgement`.
namespace conv2d_check {

/// A factor that has a reason.
struct NamedFactor {
  double value;
  std::string reason;
};

/// The factors of a loss, of a learning rate and of a sign.
std::vector<NamedFactor> named_factors(const Problem& problem, Pass pass, const Options& options);

/// Allowed growth of errors by rounded operands.
inline constexpr double kGrowth = 1.02;

inline constexpr std::int64_t kMostDistinct = 400;

/// Number of values that differ by more than 1e-5 of the largest, up to kMostDistinct.
std::int64_t distinct_count(std::span<const double> values);

/// Whether `values` are much nearer to `mine` than to `other`.
bool is_nearer(std::span<const double> values, std::span<const double> mine, std::span<const double> other);

/// How a program read its operands and stored its result.
struct Precision {
  InputRounding rounding{};
  Storage storage{};
  bool rounds_inputs = false;

  [[nodiscard]] std::string name() const;
};

/// Judges one result. `values`: as many as the result has cells.
class Judge {
 public:
  Judge(const Problem& problem, Pass pass, std::span<const float> values, const Options& options);

  Verdict verdict();

 private:
  /// A suspect that may have given the values, with a factor.
  struct Accused {
    Suspect suspect;
    double factor = 1;
    std::string reason{};
  };

  struct TriedPrecision {
    std::shared_ptr<const RoundedProblem> problem;
    Precision precision;
    bool is_sure = true;
  };

  /// Expected values of a program, and what rounding may add.
  struct Target {
    Expected expected{};
    std::vector<double> scale{}, tolerance{};
  };

  /// Errors beyond those of plain sums.
  struct LargeErrors {
    std::size_t cells = 0;
    std::string why_no_tiles{};  ///< empty: they look like those of tiles or of an FFT, or there are none
  };

  [[nodiscard]] Target target_of(Expected expected) const;
  /// The exact result of rounded operands, computed once for each rounding.
  [[nodiscard]] const Expected& rounded_result(const InputRounding& rounding) const;
  [[nodiscard]] bool fits_scaled(const Target& target, double factor, const Storage& storage) const;
  [[nodiscard]] double best_factor(const Target& target) const;
  [[nodiscard]] std::span<const float> parameter() const;
  [[nodiscard]] std::optional<Verdict> not_finite();
  [[nodiscard]] std::optional<Verdict> as_float32();
  [[nodiscard]] std::optional<Verdict> as_named_factor(const Storage& storage) const;
  [[nodiscard]] double coarsest_step() const;
  [[nodiscard]] std::optional<Accused> accused(const Suspect& suspect, const Sample& sample) const;
  [[nodiscard]] std::vector<Accused> shortlist(std::span<const Suspect> suspects) const;
  [[nodiscard]] bool explains_worst(const Accused& one, const Problem& problem, const Precision& precision) const;
  [[nodiscard]] bool is_given_by(const Accused& one, const Problem& problem, const Precision& precision,
                                 std::size_t tried) const;
  [[nodiscard]] std::optional<Verdict> as_mistake(const Problem& problem, const Precision& precision,
                                                  std::span<const Accused> shortlist) const;
  [[nodiscard]] std::vector<TriedPrecision> tried_precisions() const;
  [[nodiscard]] std::optional<Verdict> in_formats();
  [[nodiscard]] std::optional<Verdict> mistakes_in_formats();
  [[nodiscard]] bool is_accident(const Target& target, const Precision& precision, int tried) const;
  [[nodiscard]] std::int64_t deciding_values(const Target& target, const Precision& precision) const;
  [[nodiscard]] bool is_thin(const Target& target, const Precision& precision, int tried) const;
  [[nodiscard]] bool is_alone(const Target& target, std::size_t cell, const Storage& storage) const;
  [[nodiscard]] LargeErrors large_errors(const Target& target, const Storage& storage,
                                         const Structure& structure) const;
  [[nodiscard]] bool is_doubted(const LargeErrors& errors, const Precision& precision, const Target& target);
  [[nodiscard]] bool shows_in_steps();
  void doubt(const Precision& precision, std::string reason, const Target& target, const Storage& storage);
  void find_worst_cells();
  [[nodiscard]] bool is_known(const Storage& storage) const;
  bool take_noise();
  [[nodiscard]] std::optional<Verdict> with_noise();
  [[nodiscard]] std::optional<Verdict> as_long_sum() const;
  [[nodiscard]] std::optional<Verdict> as_any_factor() const;
  [[nodiscard]] std::optional<Verdict> as_added(std::span<const float> added, bool is_parameter) const;
  [[nodiscard]] std::optional<Verdict> as_low_precision_sum() const;
  [[nodiscard]] Verdict as_different() const;

  [[nodiscard]] Verdict verdict_of(Judgement judgement) const;
  void describe_difference(Verdict& verdict, const Target& target, const Storage& storage) const;

  const Problem& problem_;
  Pass pass_;
  const Options& options_;
  std::vector<double> values_;
  bool few_ = false;
  Bound bound_ = Bound::plain_sum;
  Target right_;
  std::vector<PossibleStorage> storages_;
  std::vector<NamedFactor> factors_;
  std::vector<Accused> singles_;  ///< mistakes that may have given the values
  std::vector<TriedPrecision> precisions_;
  mutable std::deque<std::pair<InputRounding, Expected>> rounded_results_;
  std::optional<Verdict> as_tiles_;  ///< a match that needs the errors of tiles; a plain sum explains better
  bool no_tiles_ = false;            ///< in one of the precisions that fit, the errors are not those of tiles
  std::optional<Verdict> doubt_;     ///< the first precision that fits, but cannot be confirmed
  Structure suspicion_;
  std::vector<std::int64_t> worst_cells_;  ///< with the largest errors: a mistake has to explain these
  std::vector<double> noise_;              ///< per cell, of operands that were printed after the result was computed
  Format noise_format_{};
  std::int64_t not_finite_ = 0;  ///< cells in which NaN or Inf of the operands gives NaN or Inf
};

}  // namespace conv2d_check
