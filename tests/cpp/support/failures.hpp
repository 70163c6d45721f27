#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conv2d::test {

/// What a comparison found wrong, in a sentence; empty if nothing.
using Failure = std::optional<std::string>;

/// The first failures of many comparisons, with their locations. For tests with too many comparisons for CHECK, and for
/// programs without Catch2.
class Failures {
 public:
  /// `where` are texts and numbers.
  template <class... Parts>
  void add(const Failure& failure, const Parts&... where) {
    if (!failure || ++count_ > kShown) return;
    std::string line;
    (append(line, where), ...);
    lines_.push_back(line + ": " + *failure);
  }

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// A line for each failure listed, and the number of the others.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    if (count_ > kShown) all += "and " + std::to_string(count_ - kShown) + " more\n";
    return all;
  }

 private:
  static constexpr std::int64_t kShown = 8;

  static void append(std::string& line, std::string_view part) {
    if (!line.empty() && !line.ends_with(' ')) line += ' ';
    line += part;
  }
  static void append(std::string& line, std::integral auto number) { append(line, std::to_string(number)); }

  std::vector<std::string> lines_;
  std::int64_t count_ = 0;
};

}  // namespace conv2d::test
