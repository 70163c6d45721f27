#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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
  Reading(std::string_view phrase, std::int64_t size, std::int64_t group_size) : size_(size), group_size_(group_size) {
    if (phrase.starts_with("rows of ")) inner_ = phrase.substr(8);
    while (!phrase.empty()) read_from(phrase);
  }

  [[nodiscard]] std::optional<Mask> mask() const {
    using At = std::int64_t;
    const std::int64_t s = size_, g = group_size_;
    const auto n = [this](std::size_t at) { return at < numbers_.size() ? numbers_[at] : 0; };
    if (is("")) return of([](At) { return true; });
    // The last row is always named so.
    if (is("row #")) return of([&](At i) { return i == n(0) && i < s - 1; });
    if (is("row # (the last #)")) return of([&](At i) { return i == n(0); });
    if (is("rows from # on")) return of([&](At i) { return i >= n(0); });
    if (is("rows # to #")) return of([&](At i) { return i >= n(0) && i <= n(1); });
    if (is("the first # rows")) return of([&](At i) { return i < n(0); });
    if (is("the last # rows")) return of([&](At i) { return i >= s - n(0); });
    for (const At parity : {0, 1}) {
      const std::string rows = parity == 1 ? "odd rows" : "even rows";
      if (is(rows)) return of([&](At i) { return i % 2 == parity; });
      if (is(rows + " from # on")) return of([&](At i) { return i % 2 == parity && i >= n(0); });
      if (is(rows + " from # to #")) return of([&](At i) { return i % 2 == parity && i >= n(0) && i <= n(1); });
    }
    if (is("every #th row from # on")) return of([&](At i) { return i >= n(1) && (i - n(1)) % n(0) == 0; });
    if (is("every #th row from # to #"))
      return of([&](At i) { return i >= n(1) && i <= n(2) && (i - n(1)) % n(0) == 0; });
    if (is("the first # of every # rows")) return of([&](At i) { return i % n(1) < n(0); });
    if (is("the last # of every # rows")) return of([&](At i) { return i % n(1) >= n(1) - n(0); });
    if (is("the last # and the first # of every # rows"))
      return of([&](At i) { return i % n(2) >= n(2) - n(0) || i % n(2) < n(1); });
    if (is("the first # rows of each group")) return of([&](At i) { return i % g < n(0); });
    if (is("the last # rows of each group")) return of([&](At i) { return i % g >= g - n(0); });
    if (is("the last # rows and the first # rows of each group"))
      return of([&](At i) { return i % g >= g - n(0) || i % g < n(1); });
    if (is("rows with remainder # modulo #")) return of([&](At i) { return i % n(1) == n(0); });
    if (is("rows with remainder # to # modulo #"))
      return of([&](At i) { return i % n(2) >= n(0) && i % n(2) <= n(1); });
    if (is("the first # and the last # rows")) return of([&](At i) { return i < n(0) || i >= s - n(1); });
    if (is_list("rows #")) return of([&](At i) { return std::count(numbers_.begin(), numbers_.end(), i) > 0; });
    if (is_list("rows other than #"))
      return of([&](At i) { return std::count(numbers_.begin(), numbers_.end(), i) == 0; });
    if (!inner_.empty()) {
      const auto inner = Reading(as_rows(inner_), s / g, 0).mask();
      if (!inner) return std::nullopt;
      return of([&](At i) { return (*inner)[static_cast<std::size_t>(i / g)] != 0; });
    }
    return std::nullopt;
  }

 private:
  /// Takes a number or a character from the front of `phrase`. Numbers become #; "the last" is read as "the last 1",
  /// "3rd" as "3th", and "the first 1 row" as "the first 1 rows".
  void read_from(std::string_view& phrase) {
    const std::size_t digits = std::min(phrase.find_first_not_of("0123456789"), phrase.size());
    if (digits > 0) {
      add_number(std::stoll(std::string(phrase.substr(0, digits))));
      phrase.remove_prefix(digits);
      for (const std::string_view suffix : {"st", "nd", "rd", "th"}) {
        if (!phrase.starts_with(suffix)) continue;
        shape_ += "th";
        return phrase.remove_prefix(suffix.size());
      }
      return;
    }
    shape_ += phrase.front();
    phrase.remove_prefix(1);
    const bool next_is_number = phrase.size() > 1 && phrase[0] == ' ' && std::isdigit(phrase[1]) != 0;
    if ((shape_.ends_with("the first") || shape_.ends_with("the last")) && !next_is_number) {
      shape_ += ' ';
      add_number(1);
    }
    const bool is_one = !numbers_.empty() && numbers_.back() == 1;
    if (is_one && (shape_.ends_with("the first # row") || shape_.ends_with("the last # row"))) {
      shape_ += 's';
      if (phrase.starts_with('s')) phrase.remove_prefix(1);
    }
  }

  void add_number(std::int64_t number) {
    shape_ += '#';
    numbers_.push_back(number);
  }

  [[nodiscard]] bool is(std::string_view shape) const { return shape_ == shape; }

  /// `begin`, and more numbers: "rows 1, 4 and 7".
  [[nodiscard]] bool is_list(std::string_view begin) const {
    if (!shape_.starts_with(begin)) return false;
    std::string_view rest = std::string_view(shape_).substr(begin.size());
    while (rest.starts_with(", #")) rest.remove_prefix(3);
    return rest.empty() || rest == " and #";
  }

  /// A phrase about groups, as one about rows.
  static std::string as_rows(std::string phrase) {
    for (std::size_t at = phrase.find("group"); at != std::string::npos; at = phrase.find("group")) {
      phrase.replace(at, 5, "row");
    }
    return phrase;
  }

  template <class Holds>
  [[nodiscard]] Mask of(Holds holds) const {
    Mask mask;
    for (std::int64_t i = 0; i < size_; ++i) mask.push_back(holds(i) ? 1 : 0);
    return mask;
  }

  std::string shape_;  ///< the phrase with # for each number
  std::vector<std::int64_t> numbers_;
  std::string inner_;  ///< of "rows of ...": the groups
  std::int64_t size_, group_size_;
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
      REQUIRE(std::equal(given.begin(), given.end(), read->begin(), std::less_equal<>()));
      in_words_exactly += i == 0 && *read == given ? 1 : 0;
    }
  }
  CHECK(in_words_exactly > 10000);
}
