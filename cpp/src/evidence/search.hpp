#pragma once

#include <cstdint>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "evidence/axes.hpp"
#include "evidence/shapes.hpp"
#include "evidence/tensors.hpp"
#include "verdict/exact.hpp"

/// Finds the geometries that give the values of a result: a few cells that tell are computed for each candidate.
namespace conv2d_check {

/// A geometry that fits the sizes.
struct Candidate {
  Reading reading{};
  AxisWay row{}, column{};
  double cost = 0;      ///< how unlikely it is
  double residual = 0;  ///< root mean square of the error, in units of the norm of a cell
  double agreeing = 0;  ///< share of the cells that agree

  [[nodiscard]] ConvDesc desc() const noexcept;
  [[nodiscard]] bool is_given() const noexcept { return (row.given & column.given) != 0; }
};

/// All candidates of some readings; they are too many to be stored.
struct Space {
  struct Part {
    Reading reading;
    std::vector<AxisWay> rows, columns;
  };
  std::vector<Part> parts{};
  std::int64_t size = 0;

  /// At most `most` candidates, the likeliest.
  [[nodiscard]] std::vector<Candidate> likeliest(std::size_t most) const;
};

/// Arguments that name an order of axes are those of the readings with this order.
Space space_of(const std::vector<Reading>& readings, const std::vector<Given>& all_given);

/// What is compared: a result, and whether its bias is not known (y only: then differences of cells are compared).
struct Evidence {
  Role result = Role::y;
  bool free_bias = false;
};

/// The candidates that give the values of y, the likeliest first; of those that no cell tells apart, all.
std::vector<Candidate> giving_y(const Space& space, const Tensors& tensors, bool free_bias);

/// How many candidates giving_y tries: of very many, the likeliest.
std::int64_t tried_by_y(const Space& space) noexcept;

/// Of `candidates`, those that give the values of this result.
std::vector<Candidate> giving(const std::vector<Candidate>& candidates, const Tensors& tensors, Role result);

/// Sets Candidate::agreeing to the share of the cells of `result` that agree, plus its old value.
void count_agreeing(std::vector<Candidate>& candidates, const Tensors& tensors, Role result);

/// Products that a cell of the result adds up.
std::int64_t terms_of_cell(const Reading& reading, Role result) noexcept;

/// Cells of a result with these four axes, in memory order: corners, edges, and some of the rest, at most `most`.
std::vector<std::int64_t> telling_cells(const std::array<std::int64_t, 4>& shape, std::size_t most);

/// The problem of a candidate, on the values of the tensors.
Problem problem_of(const conv2d::Geometry& geometry, const Tensors& tensors);

conv2d::Pass pass_of(Role result) noexcept;

}  // namespace conv2d_check
