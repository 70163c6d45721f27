#include "problem.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include "conv2d/reference.hpp"

namespace conv2d::bench {
namespace {

/// Values in [-1, 1) from a linear congruential generator.
std::vector<float> random_values(std::int64_t length, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(length));
  for (float& value : values) {
    seed = 1664525 * seed + 1013904223;
    value = static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1;
  }
  return values;
}

std::shared_ptr<const Problem> make(const NamedShape& shape, Pass pass) {
  const Result<Geometry> resolved = resolve(shape.desc);
  if (!resolved.ok()) throw std::runtime_error(std::string(shape.name) + ": " + resolved.status().message);
  const Geometry& g = *resolved;
  auto made = std::make_shared<Problem>(Problem{.name = shape.name,
                                                .pass = pass,
                                                .geometry = g,
                                                .x = random_values(g.x_size, 1),
                                                .w = random_values(g.w_size, 2),
                                                .b = random_values(g.k, 3),
                                                .dy = random_values(g.y_size, 4),
                                                .expected = std::vector<float>(g.result_size(pass))});
  reference::run(g, pass, {.x = made->x, .w = made->w, .b = made->b, .dy = made->dy, .out = made->expected});
  return made;
}

}  // namespace

std::shared_ptr<const Problem> problem(const NamedShape& shape, Pass pass) {
  // The runs of one process interleave all problems, so the data of all of them stay in memory.
  static std::map<std::pair<std::string_view, Pass>, std::shared_ptr<const Problem>> made;
  std::shared_ptr<const Problem>& slot = made[{shape.name, pass}];
  if (!slot) slot = make(shape, pass);
  return slot;
}

double flops(const Geometry& g, Pass pass) noexcept {
  return pass == Pass::backward_bias ? static_cast<double>(g.y_size) : 2 * static_cast<double>(g.macs());
}

}  // namespace conv2d::bench
