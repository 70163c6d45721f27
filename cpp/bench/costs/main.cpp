// conv2d_costs [--packed] [price...]: what the cost model says of every algorithm x pass x named shape on one thread,
// as JSON, at the prices of this build or at the given ones, in the order of cost/constants.hpp; and how each cost
// changes with each price. --packed: weights are kept packed, as the page keeps them.

#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/prepared_pass.hpp"
#include "conv2d/conv2d.hpp"
#include "cost/constants.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace {

using namespace conv2d;

using Prices = std::array<double, sizeof(cost::Constants) / sizeof(double)>;

struct NamedShape {
  std::string_view name;
  ConvDesc desc;
};

constexpr NamedShape kNamedShapes[]{
#include "named_shapes.inc"
};

struct NamedPass {
  Pass pass;
  std::string_view name;
};

constexpr NamedPass kPasses[]{{Pass::forward, "forward"},
                              {Pass::backward_data, "backward_data"},
                              {Pass::backward_weights, "backward_weights"},
                              {Pass::backward_bias, "backward_bias"}};

/// As many digits as tell it from every other double.
std::string text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string list(const Prices& values) {
  std::string all;
  for (const double value : values) {
    all += all.empty() ? '[' : ',';
    all += text(value);
  }
  all += ']';
  return all;
}

/// What the cost model says of an algorithm at these prices.
class Estimate {
 public:
  Estimate(const algorithm::Entry& entry, const Geometry& g, bool packed) : entry_(entry), g_(g), packed_(packed) {}

  double at(const Prices& prices) const {
    const auto costs = std::bit_cast<cost::Constants>(prices);
    micro_kernels::KernelSet kernels = micro_kernels::kernels();
    kernels.costs = &costs;
    return algorithm::PreparedPass(entry_, g_, {.kernels = &kernels, .threads = 1, .packed_weights = packed_}).cost();
  }

  /// Differences: a cost is piecewise linear in its prices.
  Prices slopes(const Prices& prices) const {
    Prices slopes;
    for (std::size_t i = 0; i < prices.size(); ++i) {
      Prices other = prices;
      other[i] *= 1 + 1e-6;
      slopes[i] = (at(other) - at(prices)) / (other[i] - prices[i]);
    }
    return slopes;
  }

 private:
  const algorithm::Entry& entry_;
  const Geometry& g_;
  bool packed_ = false;
};

struct Options {
  Prices prices = std::bit_cast<Prices>(*micro_kernels::kernels().costs);
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
    if (given == options.prices.size()) return {};
    char* end = argv[i];
    options.prices[given++] = std::strtod(argv[i], &end);  // libc++ has no std::from_chars for it
    if (end == argv[i] || *end != '\0') return {};
  }
  if (given != 0 && given != options.prices.size()) return {};
  return options;
}

int length(std::string_view name) { return static_cast<int>(name.size()); }

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = read(argc, argv);
  if (!options) {
    std::fputs("conv2d_costs [--packed] [price...]: as many prices as cost/constants.hpp has\n", stderr);
    return 1;
  }
  std::printf(R"({"values":%s,"costs":[)", list(options->prices).c_str());
  const char* comma = "\n";
  for (const NamedShape& shape : kNamedShapes) {
    const Result<Geometry> g = resolve(shape.desc);
    if (!g.ok()) return 1;
    for (const auto& [pass, name] : kPasses) {
      for (const algorithm::Entry& entry : algorithm::list()) {
        if (entry.pass != pass || !entry.why_not(*g).empty()) continue;
        const Estimate estimate(entry, *g, options->packed);
        std::printf(R"(%s{"shape":"%.*s","pass":"%.*s","algorithm":"%.*s","cost":%s,"slopes":%s})", comma,
                    length(shape.name), shape.name.data(), length(name), name.data(), length(entry.name),
                    entry.name.data(), text(estimate.at(options->prices)).c_str(),
                    list(estimate.slopes(options->prices)).c_str());
        comma = ",\n";
      }
    }
  }
  std::puts("]}");
  return 0;
}
