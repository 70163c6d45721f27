#include <algorithm>
#include <optional>

#include "base/range.hpp"
#include "verdict/where_axes.hpp"

namespace conv2d_check {
namespace {

using Indices = std::vector<std::int64_t>;

constexpr std::int64_t kAllPeriods = 8192;  // axes up to this size are searched for every period

std::string number(std::int64_t i) { return std::to_string(i); }

/// The indices begin to end - 1 of an axis.
AxisSet interval(std::int64_t size, std::int64_t begin, std::int64_t end) {
  AxisSet set{.mask = std::vector<char>(static_cast<std::size_t>(size)), .count = end - begin};
  const std::int64_t count = end - begin;
  std::ranges::fill(std::span(set.mask).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)), 1);
  if (count == size) return set;
  set.words = 2;
  if (count == 1) {
    set.pattern = "#1 " + number(begin) + (end == size ? " (the last)" : "");
    set.words = 1;
  } else if (end == size) {
    set.pattern = count <= 3 ? "the last " + number(count) + " #n" : "#n from " + number(begin) + " on";
  } else if (begin == 0 && count <= 3) {
    set.pattern = "the first " + number(count) + " #n";
  } else {
    set.pattern = "#n " + number(begin) + " to " + number(end - 1);
  }
  return set;
}

/// The indices with one of `length` remainders by `period`, from `first` on and around the end of the period.
AxisSet periodic(const ResultAxis& axis, std::int64_t period, std::int64_t first, std::int64_t length) {
  AxisSet set{.mask = std::vector<char>(static_cast<std::size_t>(axis.size))};
  for (std::int64_t i = 0; i < axis.size; ++i) {
    const bool holds = (i - first + period) % period < length;
    set.mask[static_cast<std::size_t>(i)] = holds ? 1 : 0;
    set.count += holds ? 1 : 0;
  }
  const std::int64_t end = first + length;
  const bool is_group = axis.group_size == period;
  const std::string of_every = is_group ? "of each group" : "of every " + number(period) + " #n";
  // "the last filter of each group", "the last 2 of every 8 filters".
  const auto some = [&](const char* name, std::int64_t count) {
    const std::string number_of = count == 1 ? "" : " " + number(count);
    return std::string("the ") + name + number_of + (!is_group ? "" : count == 1 ? " #1" : " #n") + " ";
  };
  set.words = period == 2 ? 2 : 3;
  if (period == 2) {
    set.pattern = first == 0 ? "even #n" : "odd #n";
  } else if (length == 1 && !is_group) {
    set.pattern = "every " + ordinal(period) + " #1 from " + number(first) + " on";
  } else if (end == period) {
    set.pattern = some("last", length) + of_every;
  } else if (first == 0) {
    set.pattern = some("first", length) + of_every;
  } else if (end > period) {
    set.pattern = some("last", period - first) + "and " + some("first", end - period) + of_every;
  } else {
    set.pattern = "#n with remainder " + number(first) + " to " + number(end - 1) + " modulo " + number(period);
    if (length == 1) set.pattern = "#n with remainder " + number(first) + " modulo " + number(period);
  }
  return set;
}

/// The remainders of the indices by `period`, as an interval around the end; length 0: they are none, or all.
conv2d::Range remainders(const Indices& at, std::int64_t period) {
  std::vector<char> seen(static_cast<std::size_t>(period));
  std::int64_t count = 0;
  for (const std::int64_t i : at) {
    char& one = seen[static_cast<std::size_t>(i % period)];
    count += one == 0 ? 1 : 0;
    one = 1;
    if (count == period) return {};
  }
  const auto is_in = [&](std::int64_t r) { return seen[static_cast<std::size_t>((r + period) % period)] != 0; };
  std::int64_t first = 0, starts = 0;
  for (std::int64_t r = 0; r < period; ++r)
    if (is_in(r) && !is_in(r - 1)) first = r, ++starts;
  return starts == 1 ? conv2d::Range{first, first + count} : conv2d::Range{};
}

/// The shortest period that holds all indices; `is_exact`: and no others.
std::optional<AxisSet> find_period(const ResultAxis& axis, const Indices& at, bool is_exact) {
  const std::int64_t size = axis.size;
  const auto count = static_cast<std::int64_t>(at.size());
  for (std::int64_t period = 2; period <= size / 2; ++period) {
    if (size > kAllPeriods && period > 64 && (period & (period - 1)) != 0) continue;
    if (size > kAllPeriods && period > 4096) break;
    const conv2d::Range found = remainders(at, period);
    if (found.size() == 0) continue;
    const std::int64_t blocks = size / period;
    if (blocks * found.size() > (is_exact ? count : count * 4 / 3)) continue;
    AxisSet set = periodic(axis, period, found.begin, found.size());
    if (is_exact ? set.count == count : set.count <= count * 4 / 3) return set;
  }
  return std::nullopt;
}

/// Indices with the same distance, which do not run over the whole axis.
std::optional<AxisSet> find_steps(const ResultAxis& axis, const Indices& at, const std::vector<char>& mask) {
  const std::int64_t step = at[1] - at[0];
  for (std::size_t i = 1; i < at.size(); ++i)
    if (at[i] - at[i - 1] != step) return std::nullopt;
  if (at.size() < 3 || step < 2) return std::nullopt;
  AxisSet set{.mask = mask, .count = static_cast<std::int64_t>(at.size()), .words = 4};
  const std::string parity = at[0] % 2 == 0 ? "even" : "odd";
  set.pattern = step == 2 ? parity + " #n" : "every " + ordinal(step) + " #1";
  const bool to_end = at.back() + step >= axis.size;
  set.pattern += " from " + number(at[0]) + (to_end ? " on" : " to " + number(at.back()));
  return set;
}

std::string list_of(const Indices& at) {
  std::string list = number(at[0]);
  for (std::size_t i = 1; i < at.size(); ++i) list += (i + 1 == at.size() ? " and " : ", ") + number(at[i]);
  return list;
}

/// Whole groups.
std::optional<AxisSet> find_groups(const ResultAxis& axis, const Indices& at, const std::vector<char>& mask) {
  if (axis.group_size < 2) return std::nullopt;
  const std::int64_t groups = axis.size / axis.group_size;
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(groups));
  for (const std::int64_t i : at) ++counts[static_cast<std::size_t>(i / axis.group_size)];
  for (const std::uint32_t count : counts)
    if (count != 0 && count != axis.group_size) return std::nullopt;
  const AxisSet of_groups = sets_of(ResultAxis{.one = "group", .many = "groups", .size = groups}, counts, true).front();
  if (of_groups.pattern.empty()) return std::nullopt;
  return AxisSet{.mask = mask,
                 .count = static_cast<std::int64_t>(at.size()),
                 .pattern = "#n of " + in_words(of_groups.pattern, "group", "groups"),
                 .words = of_groups.words};
}

std::string edges(std::int64_t before, std::int64_t after) {
  const auto some = [](const char* name, std::int64_t count) {
    return std::string("the ") + name + (count == 1 ? "" : " " + number(count));
  };
  if (before == 1 && after == 1) return "the first and the last #1";
  return some("first", before) + " and " + some("last", after) + (after == 1 ? " #1" : " #n");
}

/// The shortest description of exactly these indices.
std::optional<AxisSet> exactly(const ResultAxis& axis, const Indices& at, const std::vector<char>& mask,
                               bool may_list) {
  const std::int64_t size = axis.size, first = at.front(), last = at.back();
  const auto count = static_cast<std::int64_t>(at.size());
  if (count == size) return interval(size, 0, size);
  if (auto groups = find_groups(axis, at, mask)) return groups;
  if (last - first + 1 == count) return interval(size, first, last + 1);
  if (auto period = find_period(axis, at, true)) return period;
  AxisSet set{.mask = mask, .count = count, .words = 3};
  std::int64_t before = 0, after = 0;
  while (mask[static_cast<std::size_t>(before)] != 0) ++before;
  while (mask[static_cast<std::size_t>(size - 1 - after)] != 0) ++after;
  if (before + after == count) {
    set.pattern = count == size - 1 ? "#n other than " + number(before) : edges(before, after);
    return set;
  }
  if (auto steps = find_steps(axis, at, mask)) return steps;
  if (!may_list) return std::nullopt;
  set.words = 4;
  if (count <= 3) {
    set.pattern = "#n " + list_of(at);
    return set;
  }
  Indices others;
  for (std::int64_t i = 0; i < size && others.size() <= 2; ++i)
    if (mask[static_cast<std::size_t>(i)] == 0) others.push_back(i);
  if (others.size() > 2) return std::nullopt;
  set.pattern = "#n other than " + list_of(others);
  return set;
}

}  // namespace

std::vector<AxisSet> sets_of(const ResultAxis& axis, const std::vector<std::uint32_t>& counts, bool may_list) {
  Indices at;
  std::vector<char> mask(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    mask[i] = 1;
    at.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<AxisSet> sets;
  if (at.empty()) return sets;
  if (auto exact = exactly(axis, at, mask, may_list)) {
    sets.push_back(std::move(*exact));
  } else if (auto period = find_period(axis, at, false)) {
    sets.push_back(std::move(*period));
  }
  const auto length = static_cast<std::int64_t>(at.size());
  const std::int64_t span = at.back() - at.front() + 1;
  if (span > length && span < axis.size && span <= length * 4 / 3)
    sets.push_back(interval(axis.size, at.front(), at.back() + 1));
  if (sets.empty() || !sets.back().pattern.empty()) sets.push_back(interval(axis.size, 0, axis.size));
  for (AxisSet& set : sets) {
    for (const NamedSet& named : axis.named)
      if (!set.pattern.empty() && set.fact.empty() && named.mask == set.mask) set.fact = named.fact;
  }
  return sets;
}

}  // namespace conv2d_check
