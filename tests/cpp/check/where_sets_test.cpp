#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "support/rng.hpp"
#include "verdict/where_axes.hpp"

using namespace conv2d_check;
using conv2d::test::Rng;

namespace {

using Mask = std::vector<char>;
using Sizes = std::vector<std::int64_t>;

/// The indices that a phrase about rows names, by a reading of its own; `group_size` as in ResultAxis.
class Reading {
 public:
  Reading(std::string phrase, std::int64_t size, std::int64_t group_size)
      : phrase_(std::move(phrase)), size_(size), group_size_(group_size) {}

  [[nodiscard]] std::optional<Mask> mask() const {
    const auto n = [this](std::size_t i) { return number(i); };
    const std::int64_t s = size_, g = group_size_;
    using At = std::int64_t;
    if (phrase_.empty()) return of([](At) { return true; });
    if (is("row (\\d+)( \\(the last\\))?")) return of([&](At i) { return i == n(1) && (n(2) == 1 || i < s - 1); });
    if (is("rows from (\\d+) on")) return of([&](At i) { return i >= n(1); });
    if (is("rows (\\d+) to (\\d+)")) return of([&](At i) { return i >= n(1) && i <= n(2); });
    if (is("the first (\\d+) rows")) return of([&](At i) { return i < n(1); });
    if (is("the last (\\d+) rows")) return of([&](At i) { return i >= s - n(1); });
    if (is("(odd|even) rows")) return of([&](At i) { return i % 2 == parity(); });
    if (is("(odd|even) rows from (\\d+) on")) return of([&](At i) { return i % 2 == parity() && i >= n(2); });
    if (is("(odd|even) rows from (\\d+) to (\\d+)"))
      return of([&](At i) { return i % 2 == parity() && i >= n(2) && i <= n(3); });
    if (is("every (\\d+)(?:st|nd|rd|th) row from (\\d+) on"))
      return of([&](At i) { return i >= n(2) && (i - n(2)) % n(1) == 0; });
    if (is("every (\\d+)(?:st|nd|rd|th) row from (\\d+) to (\\d+)"))
      return of([&](At i) { return i >= n(2) && i <= n(3) && (i - n(2)) % n(1) == 0; });
    if (is("the first( \\d+)? of every (\\d+) rows")) return of([&](At i) { return i % n(2) < n(1); });
    if (is("the last( \\d+)? of every (\\d+) rows")) return of([&](At i) { return i % n(2) >= n(2) - n(1); });
    if (is("the last( \\d+)? and the first( \\d+)? of every (\\d+) rows"))
      return of([&](At i) { return i % n(3) >= n(3) - n(1) || i % n(3) < n(2); });
    if (is("the first( \\d+)? rows? of each group")) return of([&](At i) { return i % g < n(1); });
    if (is("the last( \\d+)? rows? of each group")) return of([&](At i) { return i % g >= g - n(1); });
    if (is("the last( \\d+)? rows? and the first( \\d+)? rows? of each group"))
      return of([&](At i) { return i % g >= g - n(1) || i % g < n(2); });
    if (is("rows with remainder (\\d+) modulo (\\d+)")) return of([&](At i) { return i % n(2) == n(1); });
    if (is("rows with remainder (\\d+) to (\\d+) modulo (\\d+)"))
      return of([&](At i) { return i % n(3) >= n(1) && i % n(3) <= n(2); });
    if (is("the first( \\d+)? and the last( \\d+)? rows?")) return of([&](At i) { return i < n(1) || i >= s - n(2); });
    if (is("rows (other than )?((?:\\d+, )*\\d+(?: and \\d+)?)")) {
      Mask mask(static_cast<std::size_t>(s), n(1) == 1 ? 0 : 1);
      const bool is_list = match_[1].length() == 0;
      for (char& flag : mask) flag = is_list ? 0 : 1;
      const std::string list = match_[2];
      const std::regex digits("\\d+");
      for (auto at = std::sregex_iterator(list.begin(), list.end(), digits); at != std::sregex_iterator(); ++at)
        mask[std::stoul(at->str())] = is_list ? 1 : 0;
      return mask;
    }
    if (is("rows of (.*)")) {
      const std::string groups = std::regex_replace(match_[1].str(), std::regex("group"), "row");
      const auto inner = Reading(groups, s / g, 0).mask();
      if (!inner) return std::nullopt;
      return of([&](At i) { return (*inner)[static_cast<std::size_t>(i / g)] != 0; });
    }
    return std::nullopt;
  }

 private:
  bool is(const char* pattern) const {
    // Compiling a pattern takes longer than reading thousands of phrases with it.
    static std::map<std::string, std::regex, std::less<>> compiled;
    const auto at = compiled.find(pattern);
    const std::regex& regex = at != compiled.end() ? at->second : compiled.emplace(pattern, pattern).first->second;
    return std::regex_match(phrase_, match_, regex);
  }
  /// A number of the phrase; "the last row" says 1 by saying none.
  [[nodiscard]] std::int64_t number(std::size_t i) const {
    const std::string text = match_[i];
    return text.find_first_of("0123456789") == std::string::npos ? (text.empty() && phrase_.starts_with("row ") ? 0 : 1)
                                                                 : std::stoll(text);
  }
  [[nodiscard]] std::int64_t parity() const { return match_[1] == "odd" ? 1 : 0; }
  template <class Holds>
  [[nodiscard]] Mask of(Holds holds) const {
    Mask mask;
    for (std::int64_t i = 0; i < size_; ++i) mask.push_back(holds(i) ? 1 : 0);
    return mask;
  }

  std::string phrase_;
  std::int64_t size_, group_size_;
  mutable std::smatch match_;
};

/// Intervals, periods, edges and their complements, and arbitrary sets.
Mask random_mask(Rng& rng, std::int64_t size) {
  Mask mask(static_cast<std::size_t>(size));
  const std::int64_t kind = rng.between(0, 5), a = rng.between(0, size - 1), b = rng.between(a, size - 1);
  const std::int64_t period = rng.between(2, 9), first = rng.between(0, period - 1), length = rng.between(1, period);
  for (std::int64_t i = 0; i < size; ++i) {
    const bool inside = i >= a && i <= b, periodic = (i - first + period) % period < length;
    const bool holds = kind == 0   ? inside
                       : kind == 1 ? periodic
                       : kind == 2 ? !inside
                       : kind == 3 ? inside && periodic
                       : kind == 4 ? rng.one_in(3)
                                   : i == a || i == b;
    mask[static_cast<std::size_t>(i)] = holds ? 1 : 0;
  }
  return mask;
}

}  // namespace

TEST_CASE("a set of indices is the one that its words name, and holds all indices that were given", "[where]") {
  Rng rng(2024);
  int in_words_exactly = 0;
  for (int run = 0; run < 20000; ++run) {
    const std::int64_t groups = rng.between(1, 4), group_size = groups > 1 ? rng.between(1, 9) : 0;
    const std::int64_t size = groups > 1 ? groups * group_size : rng.between(1, 40);
    const ResultAxis axis{.one = "row", .many = "rows", .size = size, .group_size = group_size};
    const Mask given = random_mask(rng, size);
    const std::vector<std::uint32_t> counts(given.begin(), given.end());
    const auto sets = sets_of(axis, counts, rng.one_in(2));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::string words = in_words(sets[i].pattern, axis.one, axis.many);
      INFO(words << ", " << size << " rows in groups of " << group_size);
      const auto read = Reading(words, size, group_size).mask();
      REQUIRE(read);
      REQUIRE(*read == sets[i].mask);
      REQUIRE(std::count(read->begin(), read->end(), 1) == sets[i].count);
      for (std::size_t at = 0; at < given.size(); ++at) REQUIRE((*read)[at] >= given[at]);
      in_words_exactly += i == 0 && *read == given ? 1 : 0;
    }
  }
  CHECK(in_words_exactly > 10000);
}
