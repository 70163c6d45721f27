#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry& g, Pass) { return g.n > 1 ? 1 : 0; }

double divisor(const Geometry& g, Pass, std::int64_t, int) { return static_cast<double>(g.n); }

}  // namespace

extern const Mistake divided_by_batch = {
    .name = "divided_by_batch",
    .title = "Divided by the batch",
    .sentence =
        "The result was divided by the number of images. If the loss is a mean over the batch, dy already includes "
        "that "
        "division.",
    .lesson = "bias-batch.4",
    .variants = variants,
    .divisor = divisor,
};

}  // namespace conv2d::mistakes
