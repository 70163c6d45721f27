#include "support/digits.hpp"

#include <array>
#include <fstream>
#include <stdexcept>
#include <string>

#include "support/golden.hpp"

namespace conv2d::test {
namespace {

struct Split {
  Digits to_train, held_out;
};

Split read() {
  std::ifstream file(digits_path());
  if (!file) throw std::runtime_error("cannot read " + digits_path());
  Split split;
  std::string line;
  for (int image = 0; std::getline(file, line); ++image) {
    Digits& part = image % 5 == 4 ? split.held_out : split.to_train;
    part.labels.push_back(line[0] - '0');
    for (const char letter : line.substr(1)) part.x.push_back(static_cast<float>(letter - 'a') / 16);
  }
  return split;
}

const Split& digits() {
  static const Split split = read();
  return split;
}

}  // namespace

const Digits& digits_to_train() { return digits().to_train; }
const Digits& digits_held_out() { return digits().held_out; }

ChainDesc digits_network() {
  static constexpr std::array<LayerDesc, 6> kLayers{
      LayerDesc{.windows = {.k = 8, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}},
      LayerDesc{.kind = "relu"},
      LayerDesc{.kind = "max_pool", .windows = {.kh = 2, .kw = 2, .stride_h = 2, .stride_w = 2}},
      LayerDesc{.windows = {.k = 8, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}},
      LayerDesc{.kind = "relu"},
      LayerDesc{.windows = {.k = 10, .kh = 4, .kw = 4}}};
  return {.n = 32, .h = 8, .w = 8, .c = 1, .layers = kLayers};
}

}  // namespace conv2d::test
