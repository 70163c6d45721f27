#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d/reference.hpp"
#include "support/rng.hpp"
#include "verdict/where.hpp"
#include "verdict/where_axes.hpp"

/// Results of the reference in which a test plants a fault.
namespace conv2d_check::test {

using conv2d::test::Rng;

/// Reals in [-1, 1), or integers up to `integers` unless that is 0.
inline std::vector<float> values_of(std::int64_t size, Rng& rng, std::int64_t integers) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = integers > 0 ? static_cast<float>(rng.between(-integers, integers)) : rng.real();
  return values;
}

struct Planted {
  Planted(const ConvDesc& desc, Pass of, std::uint64_t seed, std::int64_t integers = 0)
      : Planted(*conv2d::resolve(desc), of, Rng(seed), integers) {}
  Planted(const Planted&) = delete;  // `problem` refers to x, w, b and dy
  Planted& operator=(const Planted&) = delete;

  /// Index along image, row, column, channel (tap row, tap column, input channel, filter).
  [[nodiscard]] CellIndex at(std::size_t cell) const { return index_of(axes, static_cast<std::int64_t>(cell)); }

  /// Sets the cells for which `is_wrong` to `value(cell)`.
  void change(const std::function<bool(const CellIndex&)>& is_wrong, const std::function<double(std::size_t)>& value) {
    for (std::size_t i = 0; i < yours.size(); ++i)
      if (is_wrong(at(i))) yours[i] = static_cast<double>(static_cast<float>(value(i)));
  }

  [[nodiscard]] std::vector<char> differs() const {
    std::vector<char> flags;
    for (std::size_t i = 0; i < yours.size(); ++i)
      flags.push_back(std::abs(yours[i] - right.values[i]) <= tolerance[i] ? 0 : 1);
    return flags;
  }
  [[nodiscard]] std::optional<Where> where() const {
    return describe(problem, pass, yours, right.values, tolerance, differs());
  }
  [[nodiscard]] std::string relation() const {
    return relation_of(problem, pass, yours, right.values, tolerance, differs());
  }

  /// The right value at other indices.
  [[nodiscard]] double right_at(const CellIndex& index) const {
    std::int64_t cell = 0;
    for (std::size_t a = 0; a < 4; ++a) cell += index[a] * axes[a].stride;
    return right.values[static_cast<std::size_t>(cell)];
  }

  /// The result of the reference for other operands, or another geometry with as large a result.
  [[nodiscard]] std::vector<double> result(const Geometry& geometry, const Inputs& in) const {
    std::vector<float> out(static_cast<std::size_t>(geometry.result_size(pass)));
    namespace reference = conv2d::reference;
    if (pass == Pass::forward) reference::forward<float>(geometry, in.x, in.w, in.b, out);
    if (pass == Pass::backward_data) reference::backward_data<float>(geometry, in.dy, in.w, out);
    if (pass == Pass::backward_weights) reference::backward_weights<float>(geometry, in.x, in.dy, out);
    if (pass == Pass::backward_bias) reference::backward_bias<float>(geometry, in.dy, out);
    return {out.begin(), out.end()};
  }

  Geometry g;
  Pass pass;
  Rng rng;
  std::vector<float> x, w, b, dy;
  Problem problem;
  ResultAxes axes;
  Expected right;
  std::vector<double> tolerance, yours;

 private:
  Planted(const Geometry& geometry, Pass of, Rng numbers, std::int64_t integers)
      : g(geometry),
        pass(of),
        rng(numbers),
        x(values_of(g.x_size, rng, integers)),
        w(values_of(g.w_size, rng, integers)),
        b(values_of(g.k, rng, integers)),
        dy(values_of(g.y_size, rng, integers)),
        problem{.geometry = g, .in = {.x = x, .w = w, .b = b, .dy = dy}},
        axes(axes_of(problem, pass)),
        right(exact(problem, pass)) {
    for (const double norm : right.norms)
      tolerance.push_back((16 + static_cast<double>(right.terms) / 4) * std::ldexp(norm, -24) + 1e-30);
    yours = result(g, problem.in);
  }
};

}  // namespace conv2d_check::test
