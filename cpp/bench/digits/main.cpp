// conv2d_digits DIGITS EPOCHS: trains the network of the page on web/content/digits.txt on one thread. Prints the
// milliseconds of each epoch and how many held-out images are recognized after the last, as JSON.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "conv2d_teach/training.hpp"

namespace {

using namespace conv2d;

struct Images {
  std::vector<float> x;
  std::vector<std::int32_t> labels;

  [[nodiscard]] LabelledImages view() const noexcept { return {x, labels}; }
};

constexpr LayerDesc kLayers[]{{.windows = {.k = 8, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}},
                              {.kind = "relu"},
                              {.kind = "max_pool", .windows = {.kh = 2, .kw = 2, .stride_h = 2, .stride_w = 2}},
                              {.windows = {.k = 8, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}},
                              {.kind = "relu"},
                              {.windows = {.k = 10, .kh = 4, .kw = 4}}};
constexpr std::int64_t kBatch = 32;

}  // namespace

int main(int count, char** arguments) {
  const std::string path = count > 1 ? arguments[1] : "";
  const int epochs = count > 2 ? std::atoi(arguments[2]) : 10;
  std::ifstream file(path);
  Images to_train, held_out;
  std::string line;
  for (int image = 0; std::getline(file, line); ++image) {
    Images& part = image % 5 == 4 ? held_out : to_train;
    part.labels.push_back(line[0] - '0');
    for (const char letter : line.substr(1)) part.x.push_back(static_cast<float>(letter - 'a') / 16);
  }
  Result<Training> started = Training::start({.n = kBatch, .h = 8, .w = 8, .c = 1, .layers = kLayers}, {});
  if (!started.ok() || held_out.labels.empty()) {
    std::fprintf(stderr, "usage: conv2d_digits web/content/digits.txt EPOCHS\n");
    return 1;
  }
  Training training = std::move(started).value();
  const auto batches = static_cast<std::int64_t>(to_train.labels.size()) / kBatch;
  std::printf("{\"epoch_ms\": [");
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t step = epoch * batches; step < (epoch + 1) * batches; ++step) {
      if (!training.gradients(to_train.view(), step).ok()) return 1;
      training.update();
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    std::printf("%s%.3f", epoch == 0 ? "" : ", ", time.count());
  }
  const Result<Evaluation> result = training.evaluate(held_out.view());
  if (!result.ok()) return 1;
  std::printf("], \"correct\": %lld, \"images\": %zu}\n", static_cast<long long>(result->correct),
              held_out.labels.size());
  return 0;
}
