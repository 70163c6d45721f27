#include <algorithm>
#include <cmath>

#include "desc/geometry.hpp"
#include "desc/windows.hpp"
#include "evidence/agreement.hpp"
#include "evidence/layer.hpp"

namespace conv2d_check {
namespace {

constexpr std::int64_t kMostWindow = 16;
constexpr std::size_t kCells = 200;
/// Windows of other sizes than the stride, and of other sizes than 2 and 3, are unusual.
constexpr double kOtherStride = 2, kOtherWindow = 1;

/// A layer without weights: a window, and how it moves.
struct Pool {
  Reading reading{};
  AxisWay row{}, column{};
  Layer layer = Layer::max_pool;
  bool count_include_pad = true;
  double cost = 0;

  [[nodiscard]] Candidate candidate() const { return {.reading = reading, .row = row, .column = column, .cost = cost}; }
};

struct Window {
  std::int64_t size;
  AxisWay way;
};

std::vector<Window> windows_of(std::int64_t in, std::int64_t out, Layout layout, const std::vector<Given>& given,
                               bool columns) {
  std::vector<Window> found;
  for (std::int64_t size = 1; size <= std::max(in, out); ++size) {
    if (size > kMostWindow && size != in) continue;
    for (AxisWay way : ways_of({.in = in, .kernel = size, .out = out}, layout, given, columns)) {
      // Every window has a cell of x, and no window is larger than its image without the padding.
      const bool is_usual = way.dilation == 1 && way.before < size && way.after < size && (size <= in + way.before);
      if (!is_usual) continue;
      way.cost += (way.stride == size || out == 1 ? 0 : kOtherStride) +
                  (size == 2 || size == 3 || size == in ? 0 : kOtherWindow);
      found.push_back({size, way});
    }
  }
  return found;
}

Problem problem_of(const Pool& pool, const Geometry& g, const Tensors& tensors) {
  Problem problem = conv2d_check::problem_of(g, tensors);
  problem.layer = pool.layer;
  problem.count_include_pad = pool.count_include_pad;
  return problem;
}

/// Whether the cells of the result agree; stops at the first that does not.
bool gives(const Pool& pool, const Tensors& tensors, Role result, std::size_t most) {
  const auto geometry = conv2d::resolve(pool.candidate().desc());
  if (!geometry.ok()) return false;
  const std::vector<float>& values = tensors[result]->values;
  const Pass pass = pass_of(result);
  if (std::ssize(values) != geometry.value().result_size(pass)) return false;
  const Problem problem = problem_of(pool, geometry.value(), tensors);
  for (const std::int64_t cell : telling_cells(conv2d::result_shape(geometry.value(), pass), most)) {
    const Expected expected = exact_at(problem, pass, std::span(&cell, 1));
    // A cell of x that wins is copied: only its storage rounds it.
    const double norm = pool.layer == Layer::average_pool ? expected.norms[0] : 0.1 * std::abs(expected.values[0]);
    if (!error_of(values[static_cast<std::size_t>(cell)], expected.values[0], norm).agrees) return false;
  }
  return true;
}

bool can_tell(const Tensors& t, Role result, Layer layer) {
  if (!t.has(result)) return false;
  if (result == Role::y) return t.has(Role::x);
  return t.has(Role::dy) && (t.has(Role::x) || layer == Layer::average_pool);
}

/// All windows with these sizes, for max and average pooling.
std::vector<Pool> pools_of(const Reading& r, const std::vector<Given>& given) {
  std::vector<Pool> found;
  const std::vector<Window> columns = windows_of(r.w, r.ow, r.layout, given, true);
  std::vector<Window> rows{{1, AxisWay{.is_same = true}}};
  if (!r.is_1d) rows = windows_of(r.h, r.oh, r.layout, given, false);
  for (const Window& row : rows) {
    for (const Window& column : columns) {
      const bool is_square = row.size == column.size;
      // With different sizes and moves along the axes there are too many, and none is usual.
      if (!is_square && !r.is_1d && r.h == r.w && r.oh == r.ow) continue;
      if (row.size * column.size == 1 && row.way.stride == 1 && column.way.stride == 1) continue;
      Pool pool{.reading = r, .row = row.way, .column = column.way};
      pool.reading.kh = row.size, pool.reading.kw = column.size;
      pool.cost = r.cost + cost_of(row.way, column.way, is_square) + (is_square || r.is_1d ? 0 : kOtherWindow);
      const bool is_padded = row.way.before + row.way.after + column.way.before + column.way.after > 0;
      found.push_back(pool);
      pool.layer = Layer::average_pool;
      found.push_back(pool);
      pool.count_include_pad = false;
      if (is_padded) found.push_back(pool);
    }
  }
  std::ranges::stable_sort(found, {}, &Pool::cost);
  return found;
}

std::string_view kind_of(Layer layer) {
  return layer == Layer::relu ? "relu" : layer == Layer::max_pool ? "max_pool" : "average_pool";
}

std::string window_words(const Pool& pool) {
  const Reading& r = pool.reading;
  std::string text = "window " + (r.is_1d ? "" : std::to_string(r.kh) + " x ") + std::to_string(r.kw) + ", " +
                     words_of(pool.candidate(), false);
  const std::size_t groups = text.rfind(", " + std::to_string(r.groups) + " groups");
  if (groups != std::string::npos && r.groups > 1) text.erase(groups);
  if (pool.layer == Layer::average_pool && !pool.count_include_pad) text += ", padding not counted";
  return text;
}

class PoolAttempt {
 public:
  PoolAttempt(const LayerArrays& layer, const Context& context)
      : layer_(layer), context_(context), given_(given_for(layer.name, context.arguments)) {}

  Attempt run() {
    const Tensors& t = layer_.tensors;
    const Tensor* x = t.has(Role::x) ? t[Role::x] : t[Role::dx];
    const Tensor* y = t.has(Role::y) ? t[Role::y] : t[Role::dy];
    if (x == nullptr || y == nullptr) return {};
    for (const Reading& reading : readings_without_weights(x->shape, y->shape)) {
      if (reading.h == reading.oh && reading.w == reading.ow) try_relu(reading);
      if (best_.by_values) return best_;
      if (t.has(Role::x) && t.has(Role::y) && t[Role::x]->values == t[Role::y]->values) {
        take_identity(reading);
        return best_;
      }
      try_pools(reading);
      if (best_.by_values) return best_;
    }
    return best_;
  }

 private:
  std::vector<Upstream> upstreams() {
    const Tensors& t = layer_.tensors;
    std::vector<Upstream> all = upstreams_of(t, t.has(Role::y) ? t[Role::y]->shape : Dims{}, context_.store);
    if (all.empty()) all.push_back({.source = t.has(Role::dy) ? DySource::file : DySource::missing});
    return all;
  }

  /// Judges the pool with each possible dy, and keeps it if it explains more than the best so far.
  void judge_pool(const Pool& pool, bool by_values, const std::string& evidence) {
    if (context_.only_by_values && !by_values) return;
    for (const Upstream& dy : upstreams()) {
      Known known{.desc = pool.candidate().desc(),
                  .reading = pool.reading,
                  .layer = pool.layer,
                  .count_include_pad = pool.count_include_pad,
                  .dy = dy};
      const std::vector<TensorVerdict> verdicts =
          judge_results(known, layer_.tensors, context_.owner, context_.options, context_.store);
      const double score = explained(verdicts);
      // Values that fit nothing, and no named mistake: most likely a layer with weights that the file does not have.
      if (!by_values && score < 3) continue;
      if (score <= best_.score && by_values == best_.by_values) continue;
      best_.score = score;
      best_.has_sizes = true;
      best_.by_values = by_values;
      best_.layer = {.name = layer_.name,
                     .kind = std::string(kind_of(pool.layer)),
                     .has_geometry = pool.layer != Layer::relu,
                     .evidence = evidence,
                     .dy = dy.source,
                     .tensors = verdicts};
      if (pool.layer == Layer::relu) continue;
      best_.layer.geometry = geometry_of(known.desc, pool.reading, false);
      best_.layer.geometry.groups = 1;
      best_.layer.geometry.w_order = "";
    }
  }

  void try_relu(const Reading& reading) {
    const Pool relu{.reading = reading, .layer = Layer::relu};
    bool fits = false;
    Tensors with_dy = layer_.tensors;
    for (const Upstream& dy : upstreams()) {
      if (dy.tensor != nullptr) with_dy[Role::dy] = dy.tensor;
      for (const Role result : {Role::y, Role::dx}) {
        fits = fits || (can_tell(with_dy, result, Layer::relu) && gives(relu, with_dy, result, kCells));
      }
    }
    judge_pool(relu, fits,
               fits ? "y is x where x > 0, else 0, or dx is dy there" : "x and y have the same size, as of ReLU");
  }

  /// y is x: right for a window of one cell and for a layer that does nothing, wrong for a ReLU that was left out. What
  /// this reading explains cannot be told from a mistake. Two equal arrays without names are no layer.
  void take_identity(const Reading& reading) {
    Pool pool{.reading = reading};
    pool.reading.kh = pool.reading.kw = 1;
    judge_pool(pool, false, "y is x, as of a window of one cell");
    if (best_.layer.kind != kind_of(Layer::max_pool)) return;
    for (TensorVerdict& one : best_.layer.tensors) {
      if (one.verdict.judgement != Judgement::matches) continue;
      one.verdict.judgement = Judgement::cannot_tell;
      one.verdict.reason = one.name == "y" ? "y is x, which is right for a window of one cell and wrong for ReLU"
                                           : "dx is dy, which is right for a window of one cell and wrong for ReLU";
      one.verdict.sentence = "Cannot tell whether " + one.name + " is right: " + one.verdict.reason + ".";
    }
  }

  void try_pools(const Reading& reading) {
    const std::vector<Pool> all = pools_of(reading, given_);
    std::vector<Pool> fitting;
    Role by = Role::y;
    Tensors with_dy = layer_.tensors;
    for (const Upstream& dy : upstreams()) {
      if (!fitting.empty()) break;
      if (dy.tensor != nullptr) with_dy[Role::dy] = dy.tensor;
      for (const Role result : {Role::y, Role::dx}) {
        if (!fitting.empty()) break;
        by = result;
        std::ranges::copy_if(all, std::back_inserter(fitting), [&](const Pool& pool) {
          return can_tell(with_dy, result, pool.layer) && gives(pool, with_dy, result, kCells);
        });
      }
    }
    if (fitting.empty()) {
      for (std::size_t i = 0; i < std::min(all.size(), 2 * kPlausible); ++i) {
        judge_pool(all[i], false,
                   "No window of " + std::to_string(all.size()) + " gives y. " + window_words(all[i]) +
                       " explains the most results");
      }
      return;
    }
    std::string evidence =
        window_words(fitting.front()) + ": the only one of " + std::to_string(all.size()) + " windows that gives ";
    if (fitting.size() > 1) {
      evidence = window_words(fitting.front()) + ": the likeliest of " + std::to_string(fitting.size()) +
                 " windows, of " + std::to_string(all.size()) + ", that give ";
    }
    judge_pool(fitting.front(), true, evidence + std::string(to_string(by)));
    constexpr std::size_t kShown = 5;
    for (std::size_t i = 1; i < std::min(fitting.size(), kShown); ++i) {
      best_.layer.alternatives.push_back(std::string(kind_of(fitting[i].layer)) + ", " + window_words(fitting[i]));
    }
    if (fitting.size() > 1)
      best_.layer.told_apart_by = "Other values of x, such as random ones, would tell them apart.";
  }

  const LayerArrays& layer_;
  const Context& context_;
  std::vector<Given> given_;
  Attempt best_;
};

}  // namespace

Attempt attempt_without_weights(const LayerArrays& layer, const Context& context) {
  return PoolAttempt(layer, context).run();
}

}  // namespace conv2d_check
