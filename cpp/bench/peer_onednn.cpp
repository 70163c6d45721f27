#include <oneapi/dnnl/dnnl.hpp>

#include "problem.hpp"

/// oneDNN 3 with plain NHWC tensors in and out. It may keep the weights in any order (packed once, as in a model). The
/// time includes the conversion of the gradient of the weights back to HWIO. By Winograd, too, where it has that.
namespace conv2d::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Dims = memory::dims;

constexpr auto kFloat = memory::data_type::f32;

/// Sizes in the terms of oneDNN: logical NCHW and (G)OIHW, dilations counted from 0.
struct Shape {
  explicit Shape(const Geometry& g)
      : grouped(g.groups > 1),
        x{g.n, g.c, g.h, g.w},
        y{g.n, g.k, g.oh, g.ow},
        w(grouped ? Dims{g.groups, g.group_k, g.group_c, g.kh, g.kw} : Dims{g.k, g.c, g.kh, g.kw}),
        strides{g.stride_h, g.stride_w},
        dilates{g.dilation_h - 1, g.dilation_w - 1},
        pad_begin{g.padding.top, g.padding.left},
        pad_end{g.padding.bottom, g.padding.right} {}

  bool grouped;
  Dims x, y, w, strides, dilates, pad_begin, pad_end;

  [[nodiscard]] memory::desc x_desc() const { return {x, kFloat, Tag::nhwc}; }
  [[nodiscard]] memory::desc y_desc() const { return {y, kFloat, Tag::nhwc}; }
  /// HWIO, where O counts the filters of all groups.
  [[nodiscard]] memory::desc w_plain() const { return {w, kFloat, grouped ? Tag::hwigo : Tag::hwio}; }
  [[nodiscard]] memory::desc w_any() const { return {w, kFloat, Tag::any}; }
};

const dnnl::engine& processor() {
  static const dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  return engine;
}

/// The state of a primitive that runs repeatedly.
struct Work {
  dnnl::engine engine = processor();
  dnnl::stream stream{engine};
  std::vector<std::pair<dnnl::primitive, std::unordered_map<int, memory>>> steps;
  std::vector<float> out;

  memory wrap(const memory::desc& desc, const std::vector<float>& values) {
    return {desc, engine, const_cast<float*>(values.data())};
  }
  memory in_order(memory plain, const memory::desc& wanted) {
    if (plain.get_desc() == wanted) return plain;
    memory packed(wanted, engine);
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
    stream.wait();
    return packed;
  }
  void run() {
    for (auto& [primitive, arguments] : steps) {
      primitive.execute(stream, arguments);
    }
    stream.wait();
  }
};

/// The description of `Primitive`, a convolution, with all its operands but the bias.
template <class Primitive, class... Hint>
typename Primitive::primitive_desc describe(dnnl::algorithm algorithm, const Shape& s, const Hint&... forward) {
  return {processor(), algorithm, s.x_desc(),  s.w_any(), s.y_desc(),
          s.strides,   s.dilates, s.pad_begin, s.pad_end, forward...};
}

dnnl::convolution_forward::primitive_desc forward_desc(dnnl::algorithm algorithm, const Shape& s, const Geometry& g) {
  const memory::desc bias({g.k}, kFloat, Tag::x);
  return {processor(), dnnl::prop_kind::forward_training,
          algorithm,   s.x_desc(),
          s.w_any(),   bias,
          s.y_desc(),  s.strides,
          s.dilates,   s.pad_begin,
          s.pad_end};
}

void add_forward(Work& work, dnnl::algorithm algorithm, const Shape& s, const Problem& problem) {
  const auto desc = forward_desc(algorithm, s, problem.geometry);
  const memory w = work.in_order(work.wrap(s.w_plain(), problem.w), desc.weights_desc());
  work.steps.push_back({dnnl::convolution_forward(desc),
                        {{DNNL_ARG_SRC, work.wrap(s.x_desc(), problem.x)},
                         {DNNL_ARG_WEIGHTS, w},
                         {DNNL_ARG_BIAS, work.wrap(desc.bias_desc(), problem.b)},
                         {DNNL_ARG_DST, work.wrap(s.y_desc(), work.out)}}});
}

void add_backward_data(Work& work, dnnl::algorithm algorithm, const Shape& s, const Problem& problem) {
  const auto desc =
      describe<dnnl::convolution_backward_data>(algorithm, s, forward_desc(algorithm, s, problem.geometry));
  const memory w = work.in_order(work.wrap(s.w_plain(), problem.w), desc.weights_desc());
  work.steps.push_back({dnnl::convolution_backward_data(desc),
                        {{DNNL_ARG_DIFF_DST, work.wrap(s.y_desc(), problem.dy)},
                         {DNNL_ARG_WEIGHTS, w},
                         {DNNL_ARG_DIFF_SRC, work.wrap(s.x_desc(), work.out)}}});
}

void add_backward_weights(Work& work, dnnl::algorithm algorithm, const Shape& s, const Problem& problem) {
  const auto desc =
      describe<dnnl::convolution_backward_weights>(algorithm, s, forward_desc(algorithm, s, problem.geometry));
  const memory plain = work.wrap(s.w_plain(), work.out);
  const bool is_plain = desc.diff_weights_desc() == s.w_plain();
  const memory dw = is_plain ? plain : memory(desc.diff_weights_desc(), work.engine);
  work.steps.push_back({dnnl::convolution_backward_weights(desc),
                        {{DNNL_ARG_SRC, work.wrap(s.x_desc(), problem.x)},
                         {DNNL_ARG_DIFF_DST, work.wrap(s.y_desc(), problem.dy)},
                         {DNNL_ARG_DIFF_WEIGHTS, dw}}});
  if (!is_plain) {
    work.steps.push_back({dnnl::reorder(dw, plain), {{DNNL_ARG_FROM, dw}, {DNNL_ARG_TO, plain}}});
  }
}

Runner prepare(const Problem& problem, dnnl::algorithm algorithm) {
  const Shape shape(problem.geometry);
  const auto work = std::make_shared<Work>();
  work->out.resize(static_cast<std::size_t>(problem.geometry.result_size(problem.pass)));
  const auto add = problem.pass == Pass::forward         ? add_forward
                   : problem.pass == Pass::backward_data ? add_backward_data
                                                         : add_backward_weights;
  add(*work, algorithm, shape, problem);
  return {.run = [work] { work->run(); }, .output = [work] { return std::span<const float>(work->out); }};
}

/// Whether this build of oneDNN computes the pass by Winograd.
bool has_winograd(const Geometry& g, Pass pass) {
  constexpr auto kWinograd = dnnl::algorithm::convolution_winograd;
  const Shape s(g);
  try {
    const auto forward = forward_desc(kWinograd, s, g);
    if (pass == Pass::backward_data) describe<dnnl::convolution_backward_data>(kWinograd, s, forward);
    if (pass == Pass::backward_weights) describe<dnnl::convolution_backward_weights>(kWinograd, s, forward);
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

}  // namespace

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl_version();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
}

std::vector<Entrant> onednn(const Geometry& geometry, Pass pass) {
  if (pass == Pass::backward_bias) return {};
  const auto entrant = [](const char* name, dnnl::algorithm algorithm) {
    return Entrant{name, [algorithm](const Problem& problem) { return prepare(problem, algorithm); }};
  };
  std::vector<Entrant> entrants{entrant("onednn/nhwc", dnnl::algorithm::convolution_direct)};
  if (has_winograd(geometry, pass)) {
    entrants.push_back(entrant("onednn/winograd", dnnl::algorithm::convolution_winograd));
  }
  return entrants;
}

}  // namespace conv2d::bench
