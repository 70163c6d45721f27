#include <algorithm>
#include <cmath>
#include <set>

#include "desc/geometry.hpp"
#include "evidence/agreement.hpp"
#include "evidence/search.hpp"

namespace conv2d_check {

std::vector<std::int64_t> telling_cells(const std::array<std::int64_t, 4>& shape, std::size_t most) {
  const auto flat = [&](const std::array<std::int64_t, 4>& at) {
    std::int64_t cell = 0;
    for (std::size_t axis = 0; axis < 4; ++axis) cell = cell * shape[axis] + at[axis];
    return cell;
  };
  const std::int64_t size = shape[0] * shape[1] * shape[2] * shape[3];
  std::vector<std::int64_t> cells;
  std::set<std::int64_t> known;
  const auto add = [&](std::int64_t cell) {
    if (cells.size() < most && known.insert(cell).second) cells.push_back(cell);
  };
  if (size == 0) return cells;
  if (size <= static_cast<std::int64_t>(most)) {
    for (std::int64_t cell = 0; cell < size; ++cell) add(cell);
    return cells;
  }
  add(flat({shape[0] / 2, shape[1] / 2, shape[2] / 2, shape[3] / 2}));
  // All corners: each axis at its first or last index.
  for (unsigned corner = 0; corner < 16; ++corner) {
    std::array<std::int64_t, 4> at{};
    // Neighbors in this order differ in several axes, so that the first few already show all ends.
    const unsigned bits = (corner * 7U + 9U) % 16U;
    for (std::size_t axis = 0; axis < 4; ++axis) at[axis] = (bits >> axis & 1U) != 0 ? shape[axis] - 1 : 0;
    add(flat(at));
  }
  // The rest in steps of the golden ratio, which spreads any number of them evenly.
  const double ratio = 0.6180339887498949;
  double position = 0.5;
  for (std::size_t tries = 0; cells.size() < most && tries < 4 * most; ++tries) {
    position = std::fmod(position + ratio, 1.0);
    add(std::min(size - 1, static_cast<std::int64_t>(position * static_cast<double>(size))));
  }
  return cells;
}

conv2d::Pass pass_of(Role result) noexcept {
  switch (result) {
    case Role::dx:
      return Pass::backward_data;
    case Role::dw:
      return Pass::backward_weights;
    case Role::db:
      return Pass::backward_bias;
    default:
      return Pass::forward;
  }
}

Problem problem_of(const conv2d::Geometry& geometry, const Tensors& tensors) {
  Problem problem;
  problem.geometry = geometry;
  const auto values = [&](Role role) {
    return tensors.has(role) ? std::span<const float>(tensors[role]->values) : std::span<const float>();
  };
  problem.in = {.x = values(Role::x), .w = values(Role::w), .b = values(Role::b), .dy = values(Role::dy)};
  return problem;
}

std::int64_t terms_of_cell(const Reading& r, Role result) noexcept {
  const std::int64_t taps = r.kh * r.kw;
  if (result == Role::y) return taps * (r.c / r.groups);
  if (result == Role::dx) return taps * (r.k / r.groups);
  return r.n * std::max<std::int64_t>(1, r.oh) * std::max<std::int64_t>(1, r.ow);
}

namespace {

constexpr std::size_t kCells = 20;

/// Cells that tell, of results of one shape: that of nearly all candidates.
class Cells {
 public:
  const std::vector<std::int64_t>& of(const std::array<std::int64_t, 4>& shape) {
    if (cells_.empty() || shape != shape_) cells_ = telling_cells(shape, kCells);
    shape_ = shape;
    return cells_;
  }

 private:
  std::array<std::int64_t, 4> shape_{};
  std::vector<std::int64_t> cells_;
};

struct Comparison {
  double error = 0;
  std::size_t agreeing = 0, cells = 0;
};

/// `stops`: at the first cell that does not agree, which is the first one of most candidates.
Comparison compare_cells(const Candidate& candidate, const Tensors& tensors, Role result, Cells& telling, bool stops) {
  Comparison found;
  const auto geometry = conv2d::resolve(candidate.desc());
  const std::vector<float>& values = tensors[result]->values;
  if (!geometry.ok()) return found;
  const Pass pass = pass_of(result);
  if (std::ssize(values) != geometry.value().result_size(pass)) return found;
  const Problem problem = problem_of(geometry.value(), tensors);
  const std::span cells(telling.of(conv2d::result_shape(geometry.value(), pass)));
  const std::size_t together = stops ? 1 : cells.size();
  for (std::size_t first = 0; first < cells.size(); first += together) {
    const auto some = cells.subspan(first, together);
    const Expected expected = exact_at(problem, pass, some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!std::isfinite(values[static_cast<std::size_t>(some[i])])) continue;
      const CellError error =
          error_of(values[static_cast<std::size_t>(some[i])], expected.values[i], expected.norms[i]);
      found.error += error.relative * error.relative;
      found.agreeing += error.agrees ? 1 : 0;
      ++found.cells;
    }
    if (stops && found.agreeing < found.cells) return found;
  }
  return found;
}

}  // namespace

std::vector<Candidate> giving(const std::vector<Candidate>& candidates, const Tensors& tensors, Role result) {
  std::vector<Candidate> found;
  Cells telling;
  for (const Candidate& candidate : candidates) {
    const Comparison comparison = compare_cells(candidate, tensors, result, telling, true);
    if (comparison.cells == 0 || comparison.agreeing < comparison.cells) continue;
    found.push_back(candidate);
    found.back().residual = std::sqrt(comparison.error / static_cast<double>(comparison.cells));
  }
  keep_closest(found);
  return found;
}

void count_agreeing(std::vector<Candidate>& candidates, const Tensors& tensors, Role result) {
  Cells telling;
  for (Candidate& candidate : candidates) {
    const Comparison comparison = compare_cells(candidate, tensors, result, telling, false);
    if (comparison.cells > 0) {
      candidate.agreeing += static_cast<double>(comparison.agreeing) / static_cast<double>(comparison.cells);
    }
  }
}

}  // namespace conv2d_check
