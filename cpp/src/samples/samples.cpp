#include "conv2d_check/samples.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "desc/geometry.hpp"
#include "verdict/exact.hpp"

namespace conv2d_check {
namespace {

/// Numerical Recipes' generator: the samples do not depend on the standard library.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::int64_t below(std::int64_t size) {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<std::int64_t>(state_ >> 8U) % size;
  }
  template <std::size_t kCount>
  std::int64_t one_of(const std::array<std::int64_t, kCount>& values) {
    return values[static_cast<std::size_t>(below(kCount))];
  }

 private:
  std::uint32_t state_;
};

/// Sizes around the widths of vectors and tiles, where tails begin.
constexpr std::array<std::int64_t, 10> kChannels{1, 2, 3, 4, 5, 7, 8, 9, 16, 17};
constexpr std::array<std::int64_t, 12> kImages{3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 18};
constexpr std::array<std::int64_t, 6> kKernels{1, 2, 3, 3, 4, 5};
/// Keeps a sample below a millisecond in a plain loop.
constexpr std::int64_t kMostTerms = 400'000;

ConvDesc base(const SampleOptions& options) {
  ConvDesc desc{.layout = options.layout, .weights_layout = options.weights_layout};
  desc.n = 1, desc.h = 5, desc.w = 6, desc.c = 2, desc.k = 3, desc.kh = desc.kw = 3;
  return desc;
}

/// One property after the other, each alone, so that a wrong one is told from the others.
std::vector<ConvDesc> simple(const SampleOptions& options) {
  std::vector<ConvDesc> all;
  const auto add = [&](auto change) {
    ConvDesc desc = base(options);
    change(desc);
    all.push_back(desc);
  };
  add([](ConvDesc&) {});
  add([](ConvDesc& d) { d.c = d.k = 1; });
  add([](ConvDesc& d) { d.n = 3; });
  add([](ConvDesc& d) { d.kh = 2, d.kw = 4; });
  add([](ConvDesc& d) { d.kh = d.kw = 1; });
  add([](ConvDesc& d) { d.padding = {1, 1, 1, 1}; });
  add([](ConvDesc& d) { d.padding = {0, 1, 2, 0}; });
  add([](ConvDesc& d) { d.h = d.w = 7, d.stride_h = d.stride_w = 2; });
  add([](ConvDesc& d) { d.h = 8, d.w = 8, d.stride_h = 2, d.stride_w = 3; });
  add([](ConvDesc& d) { d.h = 8, d.w = 9, d.dilation_h = d.dilation_w = 2; });
  add([](ConvDesc& d) { d.h = 9, d.w = 8, d.dilation_h = 3, d.dilation_w = 2; });
  add([](ConvDesc& d) { d.c = d.k = d.groups = 4; });
  add([](ConvDesc& d) { d.c = 4, d.k = 6, d.groups = 2; });
  add([](ConvDesc& d) { d.c = 4, d.k = 6, d.groups = 2, d.stride_h = d.stride_w = 2, d.h = d.w = 7; });
  add([](ConvDesc& d) { d.h = d.w = 8, d.stride_h = d.stride_w = 2, d.padding = {1, 1, 1, 1}; });
  add([](ConvDesc& d) { d.h = d.w = 3, d.padding = {2, 2, 2, 2}; });
  return all;
}

ConvDesc random_desc(Random& random, const SampleOptions& options) {
  ConvDesc desc = base(options);
  desc.n = 1 + random.below(3);
  desc.h = random.one_of(kImages), desc.w = random.one_of(kImages);
  desc.kh = random.one_of(kKernels), desc.kw = random.below(2) == 0 ? desc.kh : random.one_of(kKernels);
  desc.c = random.one_of(kChannels), desc.k = random.one_of(kChannels);
  if (random.below(3) == 0) {
    desc.groups = 2 + random.below(3);
    desc.c = desc.groups * (1 + random.below(4)), desc.k = desc.groups * (1 + random.below(4));
    if (random.below(3) == 0) desc.c = desc.k = desc.groups = 3 + random.below(15);
  }
  if (random.below(2) == 0) {
    desc.stride_h = 1 + random.below(3);
    desc.stride_w = random.below(2) == 0 ? desc.stride_h : 1 + random.below(3);
  }
  if (random.below(3) == 0) {
    desc.dilation_h = 1 + random.below(3);
    desc.dilation_w = random.below(2) == 0 ? desc.dilation_h : 1 + random.below(3);
  }
  if (random.below(3) != 0) {
    const std::int64_t pad = random.below(std::max(desc.kh, desc.kw));
    desc.padding = {pad, pad, pad, pad};
    if (random.below(3) == 0)
      desc.padding = {random.below(desc.kh), random.below(desc.kh), random.below(desc.kw), random.below(desc.kw)};
  }
  return desc;
}

/// Whole numbers from -4 to 4 without 0: every term shows, and all sums are exact.
std::vector<float> values(Random& random, std::int64_t size) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto value = static_cast<float>(1 + random.below(4));
    all.push_back(random.below(2) == 0 ? value : -value);
  }
  return all;
}

std::string pair_text(std::int64_t rows, std::int64_t cols) {
  return rows == cols ? std::to_string(rows) : std::to_string(rows) + "x" + std::to_string(cols);
}

std::string name_of(const ConvDesc& d, Layer layer) {
  std::string name =
      "x " + std::to_string(d.n) + "x" + std::to_string(d.h) + "x" + std::to_string(d.w) + "x" + std::to_string(d.c);
  if (layer == Layer::relu) return name;
  name += (layer == Layer::conv ? ", kernel " : ", window ") + std::to_string(d.kh) + "x" + std::to_string(d.kw);
  if (layer == Layer::conv) name += ", " + std::to_string(d.k) + (d.k == 1 ? " filter" : " filters");
  if (d.stride_h > 1 || d.stride_w > 1) name += ", stride " + pair_text(d.stride_h, d.stride_w);
  const auto& p = d.padding;
  if (p != conv2d::Padding{}) {
    name += p.top == p.bottom && p.left == p.right
                ? ", padding " + pair_text(p.top, p.left)
                : ", padding top " + std::to_string(p.top) + " bottom " + std::to_string(p.bottom) + " left " +
                      std::to_string(p.left) + " right " + std::to_string(p.right);
  }
  if (d.dilation_h > 1 || d.dilation_w > 1) name += ", dilation " + pair_text(d.dilation_h, d.dilation_w);
  if (d.groups > 1) name += ", " + std::to_string(d.groups) + " groups";
  return name;
}

/// The description for a layer without weights: pooling has no groups, filters or dilation of its own.
ConvDesc of_layer(ConvDesc desc, Layer layer) {
  if (layer == Layer::conv) return desc;
  desc.k = desc.groups = desc.c;
  desc.dilation_h = desc.dilation_w = 1;
  const auto limited = [](std::int64_t pad, std::int64_t window) { return std::min(pad, window / 2); };
  desc.padding = {limited(desc.padding.top, desc.kh), limited(desc.padding.bottom, desc.kh),
                  limited(desc.padding.left, desc.kw), limited(desc.padding.right, desc.kw)};
  if (layer == Layer::relu) {
    desc.kh = desc.kw = desc.stride_h = desc.stride_w = 1;
    desc.padding = {};
  }
  return desc;
}

Sample make(const ConvDesc& desc, const Geometry& g, Pass pass, const SampleOptions& options, Random& random) {
  Sample sample{.name = name_of(desc, options.layer),
                .desc = desc,
                .pass = pass,
                .options = {.layer = options.layer, .count_include_pad = options.count_include_pad},
                .x = values(random, g.x_size),
                .w = values(random, options.layer == Layer::conv ? g.w_size : 0),
                .b = values(random, options.layer == Layer::conv ? g.k : 0),
                .dy = values(random, g.y_size),
                .expected = {}};
  const Problem problem{.layer = options.layer,
                        .count_include_pad = options.count_include_pad,
                        .geometry = g,
                        .in = {.x = sample.x, .w = sample.w, .b = sample.b, .dy = sample.dy}};
  for (const double value : exact(problem, pass).values) sample.expected.push_back(static_cast<float>(value));
  return sample;
}

constexpr std::uint32_t kPattern = 0x7fc0c0de;  ///< a NaN

}  // namespace

Output::Output(std::size_t size) : cells_(size + 2 * kGuard, std::bit_cast<float>(kPattern)) {}

std::string Output::outside() const {
  const auto written = [](std::span<const float> guard) {
    return std::ranges::count_if(guard, [](float cell) { return std::bit_cast<std::uint32_t>(cell) != kPattern; });
  };
  const auto before = written(std::span(cells_).first(kGuard)), after = written(std::span(cells_).last(kGuard));
  std::string text;
  if (before > 0) text = std::to_string(before) + (before == 1 ? " element" : " elements") + " before the start";
  if (after > 0)
    text += (text.empty() ? "" : " and ") + std::to_string(after) + (after == 1 ? " element" : " elements") +
            " after the end";
  return text;
}

Verdict Sample::judge(const Elements& result) const {
  return conv2d_check::judge(desc, pass, {.x = x, .w = w, .b = b, .dy = dy}, result, options);
}

Verdict Sample::judge(const Output& result) const {
  const std::string outside = result.outside();
  if (outside.empty()) return judge(Elements(result.span()));
  Verdict verdict;
  verdict.judgement = Judgement::does_not_fit;
  verdict.reason = "the kernel wrote " + outside;
  verdict.sentence = "The kernel wrote outside of its result: " + outside + ".";
  return verdict;
}

std::vector<Sample> samples(Pass pass, const SampleOptions& options) {
  std::vector<Sample> all;
  Random random(20200101);
  std::vector<ConvDesc> first = simple(options);
  std::ranges::reverse(first);
  while (std::ssize(all) < options.count) {
    ConvDesc desc = first.empty() ? random_desc(random, options) : first.back();
    if (!first.empty()) first.pop_back();
    desc = of_layer(desc, options.layer);
    const auto geometry = conv2d::resolve(desc);
    if (!geometry.ok() || geometry->macs() > kMostTerms) continue;
    all.push_back(make(desc, *geometry, pass, options, random));
  }
  return all;
}

std::vector<std::uint16_t> to_bfloat16(std::span<const float> values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) {
    const double rounded = round_to(value, {.kind = FormatKind::bfloat16});
    bits.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(rounded)) >> 16U));
  }
  return bits;
}

std::vector<std::uint16_t> to_float16(std::span<const float> values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) {
    const double rounded = std::abs(round_to(value, {.kind = FormatKind::float16}));
    std::uint16_t size = 0;
    if (std::isnan(value)) {
      size = 0x7e00;
    } else if (std::isinf(rounded)) {
      size = 0x7c00;
    } else if (rounded < 0x1p-14) {
      size = static_cast<std::uint16_t>(rounded * 0x1p24);
    } else {
      const int exponent = std::ilogb(rounded);
      size = static_cast<std::uint16_t>(((exponent + 15) << 10) + static_cast<int>(std::ldexp(rounded, 10 - exponent)) -
                                        1024);
    }
    bits.push_back(static_cast<std::uint16_t>(size | (std::signbit(value) ? 0x8000U : 0U)));
  }
  return bits;
}

}  // namespace conv2d_check
