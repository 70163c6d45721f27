#include <gtest/gtest.h>
#include <conv2d_check/samples.hpp>

// A verdict in GoogleTest, as docs/testing.md has it.

namespace {

/// db of NCHW; with a bug, without the last image.
std::vector<float> my_db(const conv2d_check::Sample& sample) {
  const conv2d::Geometry g = conv2d::resolve(sample.desc).value();
  const std::int64_t per_image = g.k * g.oh * g.ow;
  std::vector<float> db(sample.expected.size());
#ifdef WITH_BUG
  const std::int64_t images = g.n > 1 ? g.n - 1 : g.n;
#else
  const std::int64_t images = g.n;
#endif
  for (std::int64_t i = 0; i < images * per_image; ++i)
    db[static_cast<std::size_t>(i / (g.oh * g.ow) % g.k)] += sample.dy[static_cast<std::size_t>(i)];
  return db;
}

}  // namespace

TEST(Kernel, Samples) {
  for (const auto& sample : conv2d_check::samples(conv2d_check::Pass::backward_bias)) {
    const std::vector<float> db = my_db(sample);
    const auto verdict = conv2d_check::backward_bias(sample.desc, {.dy = sample.dy}, db);
    EXPECT_TRUE(verdict) << verdict;
  }
}
