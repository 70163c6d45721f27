#include <algorithm>
#include <array>

#include "losses/loss_list.hpp"

namespace conv2d {
namespace losses {
namespace {

template <class Loss>
consteval Entry entry_of() {
  if constexpr (Loss::kIsPerPosition) {
    return {.name = Loss::kName,
            .sums = Loss::sums,
            .term_at = Loss::term_at,
            .slope_at = Loss::slope_at,
            .cell = Loss::cell,
            .accepts = Loss::accepts,
            .target = Loss::kTarget};
  } else {
    return {.name = Loss::kName,
            .term_float = Loss::template term<float>,
            .term_double = Loss::template term<double>,
            .slope = Loss::slope,
            .divisor = Loss::kDivisor,
            .has_kink = Loss::kHasKink};
  }
}

template <class Loss>
consteval Checks checks_of() {
  if constexpr (Loss::kIsPerPosition) {
    return {.curvature_at = Loss::curvature_at, .bounds = Loss::bounds};
  } else {
    return {.curvature = Loss::kCurvature, .rounding = Loss::rounding, .truncation = Loss::truncation};
  }
}

constexpr auto kEntries = std::apply(
    []<class... Loss>(Loss...) {
      return std::array{Entry{.name = "linear"}, entry_of<Loss>()...};
    },
    Losses{});

/// Of the losses with a target. The linker leaves them out of a program that checks no gradients.
constexpr auto kChecks = std::apply([]<class... Loss>(Loss...) { return std::array{checks_of<Loss>()...}; }, Losses{});

constexpr auto kNames = [] {
  std::array<std::string_view, kEntries.size()> names;
  std::ranges::transform(kEntries, names.begin(), &Entry::name);
  return names;
}();

}  // namespace

const Entry* find(std::string_view name) noexcept {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Status no_such_loss() noexcept { return {ErrorCode::invalid_argument, "loss", "there is no such loss"}; }

const Checks& checks_of(const Entry& entry) noexcept { return kChecks[std::size_t(&entry - kEntries.data()) - 1]; }

}  // namespace losses

std::span<const std::string_view> loss_names() noexcept { return losses::kNames; }

}  // namespace conv2d
