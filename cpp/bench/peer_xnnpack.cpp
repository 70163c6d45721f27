#include <pthreadpool.h>
#include <xnnpack.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>

#include "problem.hpp"

/// XNNPACK, which runs TensorFlow Lite on a CPU. Weights are packed once, when an operator is made. It has no
/// gradients; the gradient of x is its transposed convolution of dy.
namespace conv2d::bench {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void must(xnn_status status) {
  if (status != xnn_status_success) throw std::runtime_error("XNNPACK: status " + std::to_string(status));
}

/// As many threads as the other peers have (tools/bench/native.mjs sets the variable); nullptr: one.
pthreadpool_t pool() {
  static const pthreadpool_t shared = [] {
    const char* text = std::getenv("OMP_NUM_THREADS");
    const long threads = text == nullptr ? 1 : std::strtol(text, nullptr, 10);
    return threads > 1 ? pthreadpool_create(static_cast<std::size_t>(threads)) : nullptr;
  }();
  return shared;
}

/// Weights of HWIO order as `outer`, kh, kw, `inner` in each group: filters and channels, or for the transposed
/// convolution channels and filters.
std::vector<float> in_order(const Geometry& g, const std::vector<float>& w, bool is_transposed) {
  const std::int64_t outer = is_transposed ? g.group_c : g.group_k;
  const std::int64_t inner = is_transposed ? g.group_k : g.group_c;
  std::vector<float> ordered;
  ordered.reserve(w.size());
  for (std::int64_t group = 0; group < g.groups; ++group) {
    for (std::int64_t o = 0; o < outer; ++o) {
      for (std::int64_t tap = 0; tap < g.kh * g.kw; ++tap) {
        for (std::int64_t i = 0; i < inner; ++i) {
          const std::int64_t c = is_transposed ? o : i;
          const std::int64_t k = group * g.group_k + (is_transposed ? i : o);
          ordered.push_back(w[static_cast<std::size_t>((tap * g.group_c + c) * g.k + k)]);
        }
      }
    }
  }
  return ordered;
}

struct Work {
  xnn_operator_t op = nullptr;
  std::vector<float> out, workspace;  // on cache lines, as all memory of this program

  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() { xnn_delete_operator(op); }
};

std::uint32_t u(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::size_t z(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Both kinds of operators have the same parameters. The transposed one reads filters, writes channels and has no bias.
void create(Work& work, const Problem& problem, bool is_transposed) {
  const Geometry& g = problem.geometry;
  const std::vector<float> w = in_order(g, problem.w, is_transposed);
  const auto make = is_transposed ? xnn_create_deconvolution2d_nhwc_f32 : xnn_create_convolution2d_nhwc_f32;
  const auto [group_in, group_out] = is_transposed ? std::pair(g.group_k, g.group_c) : std::pair(g.group_c, g.group_k);
  must(make(u(g.padding.top), u(g.padding.right), u(g.padding.bottom), u(g.padding.left), u(g.kh), u(g.kw),
            u(g.stride_h), u(g.stride_w), u(g.dilation_h), u(g.dilation_w), u(g.groups), z(group_in), z(group_out),
            z(g.groups * group_in), z(g.groups * group_out), w.data(), is_transposed ? nullptr : problem.b.data(),
            -kInfinity, kInfinity, 0, nullptr, nullptr, &work.op));
}

void prepare_forward(Work& work, const Problem& problem) {
  const Geometry& g = problem.geometry;
  create(work, problem, false);
  std::size_t bytes = 0, alignment = 1;
  must(xnn_reshape_convolution2d_nhwc_f32(work.op, z(g.n), z(g.h), z(g.w), &bytes, &alignment, nullptr, nullptr,
                                          pool()));
  work.workspace.resize(bytes / sizeof(float) + 1);
  must(xnn_setup_convolution2d_nhwc_f32(work.op, work.workspace.data(), problem.x.data(), work.out.data()));
}

void prepare_backward_data(Work& work, const Problem& problem) {
  const Geometry& g = problem.geometry;
  create(work, problem, true);
  // Rows and columns of x that no window reads.
  const auto unread = [](std::int64_t size, std::int64_t windows, std::int64_t stride, std::int64_t reach) {
    return u(size - (windows - 1) * stride - reach);
  };
  const std::int64_t rows = g.h + g.padding.top + g.padding.bottom;
  const std::int64_t cols = g.w + g.padding.left + g.padding.right;
  must(xnn_reshape_deconvolution2d_nhwc_f32(
      work.op, z(g.n), z(g.oh), z(g.ow), unread(rows, g.oh, g.stride_h, (g.kh - 1) * g.dilation_h + 1),
      unread(cols, g.ow, g.stride_w, (g.kw - 1) * g.dilation_w + 1), nullptr, nullptr, pool()));
  must(xnn_setup_deconvolution2d_nhwc_f32(work.op, problem.dy.data(), work.out.data()));
}

}  // namespace

std::vector<Entrant> xnnpack(const Geometry&, Pass pass) {
  if (pass != Pass::forward && pass != Pass::backward_data) return {};
  return {{"xnnpack/nhwc", [](const Problem& problem) -> Runner {
             must(xnn_initialize(nullptr));
             const auto work = std::make_shared<Work>();
             work->out.resize(z(problem.geometry.result_size(problem.pass)));
             (problem.pass == Pass::forward ? prepare_forward : prepare_backward_data)(*work, problem);
             return {.run = [work] { must(xnn_run_operator(work->op, pool())); },
                     .output = [work] { return std::span<const float>(work->out); }};
           }}};
}

}  // namespace conv2d::bench
