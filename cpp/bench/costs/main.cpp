// conv2d_costs [--packed] [coefficient...]: the estimate of the cost model for every algorithm x pass x named shape on
// one thread, as JSON, with the coefficients of this build or the given ones, in the order of cost/constants.hpp; and
// the slope of each cost in each coefficient. --packed: weights are kept packed, as on the page.

#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "../named_shapes.hpp"
#include "algorithms/algorithm_entry.hpp"
#include "algorithms/prepared_pass.hpp"
#include "conv2d/conv2d.hpp"
#include "cost/constants.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace {

using namespace conv2d;

using Coefficients = std::array<double, sizeof(cost::Constants) / sizeof(double)>;

/// The shortest text that reads back as the same double.
std::string text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string list(const Coefficients& values) {
  std::string all;
  for (const double value : values) {
    all += all.empty() ? '[' : ',';
    all += text(value);
  }
  all += ']';
  return all;
}

/// The estimate of the cost model for an algorithm.
class Estimate {
 public:
  Estimate(const algorithm::Entry& entry, const Geometry& g, bool packed) : entry_(entry), g_(g), packed_(packed) {}

  double at(const Coefficients& coefficients) const {
    const auto costs = std::bit_cast<cost::Constants>(coefficients);
    micro_kernels::KernelSet kernels = *algorithm::kernels_of().value();
    kernels.costs = &costs;
    return algorithm::PreparedPass(entry_, g_, {.kernels = &kernels, .packed_weights = packed_}, 1).cost();
  }

  /// Difference quotients: a cost is piecewise linear in its coefficients.
  Coefficients slopes(const Coefficients& coefficients) const {
    Coefficients slopes;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      Coefficients other = coefficients;
      other[i] *= 1 + 1e-6;
      slopes[i] = (at(other) - at(coefficients)) / (other[i] - coefficients[i]);
    }
    return slopes;
  }

 private:
  const algorithm::Entry& entry_;
  const Geometry& g_;
  bool packed_ = false;
};

struct Options {
  Coefficients coefficients = std::bit_cast<Coefficients>(*algorithm::kernels_of().value()->costs);
  bool packed = false;
};

std::optional<Options> read(int argc, char** argv) {
  Options options;
  std::size_t given = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--packed") {
      options.packed = true;
      continue;
    }
    if (given == options.coefficients.size()) return {};
    char* end = argv[i];
    options.coefficients[given++] = std::strtod(argv[i], &end);  // libc++ has no std::from_chars for it
    if (end == argv[i] || *end != '\0') return {};
  }
  if (given != 0 && given != options.coefficients.size()) return {};
  return options;
}

int length(std::string_view name) { return static_cast<int>(name.size()); }

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = read(argc, argv);
  if (!options) {
    std::fputs("conv2d_costs [--packed] [coefficient...]: as many coefficients as cost/constants.hpp has\n", stderr);
    return 1;
  }
  std::printf(R"({"values":%s,"costs":[)", list(options->coefficients).c_str());
  const char* comma = "\n";
  for (const bench::NamedShape& shape : bench::kNamedShapes) {
    const Result<Geometry> g = resolve(shape.desc);
    if (!g.ok()) return 1;
    for (const Pass pass : bench::kPasses) {
      const std::string_view name = to_string(pass);
      for (const algorithm::Entry& entry : algorithm::list()) {
        if (entry.pass != pass || !entry.unsupported_reason(*g).empty()) continue;
        const Estimate estimate(entry, *g, options->packed);
        std::printf(R"(%s{"shape":"%.*s","pass":"%.*s","algorithm":"%.*s","cost":%s,"slopes":%s})", comma,
                    length(shape.name), shape.name.data(), length(name), name.data(), length(entry.name),
                    entry.name.data(), text(estimate.at(options->coefficients)).c_str(),
                    list(estimate.slopes(options->coefficients)).c_str());
        comma = ",\n";
      }
    }
  }
  std::puts("]}");
  return 0;
}
