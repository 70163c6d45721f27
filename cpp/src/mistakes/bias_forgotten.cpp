#include "mistakes/mistake.hpp"

namespace conv2d::mistakes {
namespace {

int variants(const Geometry&, Pass pass) { return pass == Pass::forward ? 1 : 0; }

}  // namespace

extern const Mistake bias_forgotten = {
    .name = "bias_forgotten",
    .title = "Bias forgotten",
    .sentence = "The bias of the filter was not added.",
    .lesson = "bias-batch.1",
    .variants = variants,
    .adds_bias = false,
};

}  // namespace conv2d::mistakes
