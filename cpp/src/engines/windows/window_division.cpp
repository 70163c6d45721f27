#include "engines/windows/window_plan.hpp"

#include "base/errors.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/loops.hpp"

namespace conv2d::engine {
namespace {

constexpr Division kDivisions[]{Division::images, Division::rows, Division::columns};

/// The number of units of a division: images, rows of windows, or panels of columns.
std::int64_t units(const StridedMatmul& p, Division division) noexcept {
  switch (division) {
    case Division::images:
      return p.n;
    case Division::rows:
      return p.rows.windows;
    case Division::columns:
      // The columns of different groups are not adjacent in the weights.
      return p.groups == 1 ? Panels::of(p).count : 1;
    case Division::none:
      break;
  }
  return 1;
}

/// Whether the part has the same sums as the undivided product, with weights packed in the same way.
bool same_sums(const StridedMatmul& whole, const StridedMatmul& part) noexcept {
  // Taps in the padding are multiplied by zeros or left out; with infinite weights the results differ. Where no tap is
  // in the padding, both are the same.
  const InputAccess access = BlockShape::of(part).access;
  const bool same_access = access == BlockShape::of(whole).access || access == InputAccess::in_place;
  const Panels panels = Panels::of(whole), panels_of_part = Panels::of(part);
  return same_access && panels.dots == panels_of_part.dots && panels.each == panels_of_part.each;
}

bool possible(const StridedMatmul& p, Division division, int parts) noexcept {
  if (units(p, division) < parts) return false;
  for (int i = 0; i < parts; ++i) {
    if (!same_sums(p, part_of(p, division, {i, parts}))) return false;
  }
  return true;
}

/// Runs the products one after the other, each on all blocks of its batch. Each is divided on its own, since their
/// numbers of taps may differ.
class WindowsExecutable final : public Executable {
 public:
  WindowsExecutable(std::vector<StridedMatmul> products, const WindowOperands& operands, const PrepareOptions& options)
      : all_(std::move(products)), operands_(operands) {
    if (kThreads) {
      for (const StridedMatmul& whole : all_) {
        if (parts_ == options.parts) break;
        parts_ = std::max(parts_, part_count(whole, options.parts));
      }
    }
    plans_ = std::make_unique<WindowPlan[]>(all_.size() * static_cast<std::size_t>(parts_));
    WindowPlan* plans = plans_.get();
    for (StridedMatmul& whole : all_) {
      CONV2D_DCHECK(whole.weights_vary || whole.batch.runs() == 1);
      const Panels panels = Panels::of(whole);
      packed_order_ = packed_order_ * 31 + static_cast<std::uint64_t>(panels.each) * 2 + (panels.dots ? 1 : 0);
      whole.packed_offset = packed_floats_.value_or(0);
      if (!whole.weights_vary) packed_floats_ = packed_floats_ + packed_weights_floats(whole);
      plan_product(whole, plans, options.packed_weights && !whole.weights_vary);
      plans += parts_;
    }
  }

  void pack(const float* w, float* packed) const noexcept override {
    for (const StridedMatmul& whole : all_) pack_weights(whole, w, packed);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& hook) const noexcept override {
    const WindowTensors tensors = operands_.in(o);
    std::int64_t macs = 0;
    for (std::size_t i = 0; i < all_.size(); ++i) macs += all_[i].batch.runs() * plan_of(i, part.index).macs();
    Progress progress(hook, macs);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const ProductBatch& batch = all_[i].batch;
      for (std::int64_t b = 0; b < batch.runs(); ++b) {
        const WindowTensors image = batch.image.after(b / batch.groups, tensors);
        const WindowTensors block = batch.group.after(b % batch.groups, image);
        if (!WindowRunner(plan_of(i, part.index), block, memory.own).run(progress)) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] const WindowPlan& plan_of(std::size_t product, int part) const noexcept {
    return plans_[product * static_cast<std::size_t>(parts()) + static_cast<std::size_t>(part)];
  }

  /// Plans the parts of the product, and takes the largest scratch memory and the cost of the slowest part.
  void plan_product(const StridedMatmul& whole, WindowPlan* plans, bool packed) noexcept {
    const Division division = best_division(whole, parts());
    // Without a barrier between the products, each part may add only to what it has written itself.
    CONV2D_DCHECK(whole.initial_sums != InitialSums::output || division == best_division(all_.front(), parts()));
    double slowest = 0;
    for (int i = 0; i < parts(); ++i) {
      ScratchLayout scratch;
      plans[i] = WindowPlan::of(part_of(whole, division, {i, parts()}), scratch);
      own_ = larger_of(own_, scratch);
      const StridedMatmul& part = plans[i].product;
      slowest = std::max(slowest, window_cost(part) + (packed ? 0.0 : window_packing_cost(part)));
    }
    cost_ += slowest * static_cast<double>(whole.batch.runs());
  }

  std::vector<StridedMatmul> all_;
  std::unique_ptr<WindowPlan[]> plans_;  ///< [product][part]
  WindowOperands operands_;
};

}  // namespace

int part_count(const StridedMatmul& product, int most) noexcept {
  CONV2D_DCHECK(most >= 1);
  int parts = most;
  const auto can = [&](Division division) { return possible(product, division, parts); };
  while (parts > 1 && std::none_of(std::begin(kDivisions), std::end(kDivisions), can)) --parts;
  return parts;
}

Division best_division(const StridedMatmul& p, int parts) noexcept {
  Division best = Division::none;
  double least = 0;
  if (!kThreads || parts == 1) return best;
  for (const Division division : kDivisions) {
    if (!possible(p, division, parts)) continue;
    const StridedMatmul last = part_of(p, division, {parts - 1, parts});
    // Packing counts even for weights that are packed already: a division of the weights needs less memory than one in
    // which every part has all of them.
    const double cost = window_cost(last) + window_packing_cost(last);
    if (best != Division::none && cost >= least) continue;
    best = division;
    least = cost;
  }
  return best;
}

StridedMatmul part_of(const StridedMatmul& p, Division division, Part part) noexcept {
  CONV2D_DCHECK(part.index >= 0 && part.index < part.count);
  StridedMatmul own = p;
  if (part.whole()) return own;
  const Range range = part.of(units(p, division));
  switch (division) {
    case Division::images:
      own.image_offset += range.begin * p.rows.size * p.cols.size * p.cell();
      own.out.first += range.begin * p.out.image;
      own.n = range.size();
      break;
    case Division::rows:
      own.rows.windows = range.size();
      own.rows.first += range.begin > 0 ? range.begin * p.rows.step : 0;
      own.out.first += range.begin > 0 ? range.begin * p.out.row : 0;
      if (p.initial_sums == InitialSums::bias_of_rows) own.bias_offset += range.begin;
      break;
    case Division::columns: {
      const Panels panels = Panels::of(p);
      const std::int64_t first = panels.first_column(range.begin);
      own.out_channels = (range.end < panels.count ? panels.first_column(range.end) : p.out_channels) - first;
      own.weights.first += first * p.weights.column;
      own.packed_offset += first * p.reduction();
      if (p.initial_sums == InitialSums::bias_of_columns) own.bias_offset += first;
      own.out.first += first;
      break;
    }
    case Division::none:
      if (part.index > 0) own.n = 0;
      break;
  }
  return own;
}

double window_cost(const StridedMatmul& p) noexcept {
  const micro_kernels::KernelSet& k = *p.kernels;
  const BlockShape shape = BlockShape::of(p);
  const auto windows = static_cast<double>(p.n) * static_cast<double>(p.rows.windows * p.cols.windows);
  const bool clipped = shape.access == InputAccess::clipped;
  const double reduction =
      static_cast<double>(p.reduction()) * (clipped ? fraction_inside(p.rows) * fraction_inside(p.cols) : 1.0);
  const cost::Windows& c = k.costs->windows;
  const bool joined = p.groups == 1 && p.cols.dilation == 1;
  const auto spans = static_cast<double>(p.rows.taps * (joined ? 1 : p.cols.taps));
  const double per_tile = c.tile + c.tile_span * spans;
  const auto tile = [&](double cycles, int rows) { return cycles + per_tile / static_cast<double>(rows); };
  double per_window = shape.access == InputAccess::padded
                          ? c.padded_channel * static_cast<double>(p.channels) * shape.copied_cells(p)
                          : c.window;
  const Panels panels = Panels::of(p);
  if (panels.dots) {
    const double lanes = k.lanes;
    per_window +=
        tile(c.dot_register * static_cast<double>(p.out_channels) * reduction / lanes, k.dot_rows[p.out_channels - 1]);
  } else if (panels.each != 2) {
    per_window +=
        static_cast<double>(panels.count) * (c.tile_2x4_step * reduction + c.tile_2x4_window + c.tile_2x4_span * spans);
  } else {
    const std::int64_t last = panels.vectors_of(panels.count - 1);
    per_window += static_cast<double>(panels.count - 1) * tile(c.full_step * reduction, k.window_rows[1]);
    per_window +=
        tile(std::max(c.last_min, c.last_register * static_cast<double>(last)) * reduction, k.window_rows[last - 1]);
  }
  return static_cast<double>(p.groups) * windows * per_window;
}

double window_packing_cost(const StridedMatmul& p) noexcept {
  const cost::Windows& c = p.kernels->costs->windows;
  return (p.weights_vary ? c.packed_cell : c.packed_weight) *
         static_cast<double>(p.groups * p.reduction() * p.out_channels);
}

std::string windows_unsupported_reason(const Geometry& g, Pass pass) {
  constexpr std::int64_t kMaxPhases = 1024;
  if (pass == Pass::forward || (CheckedInt(g.stride_h) * g.stride_w).value_or(kMaxPhases + 1) <= kMaxPhases) return {};
  return text("it supports at most ", kMaxPhases, " phases (stride_h x stride_w)");
}

ExecutablePointer prepare_windows(const Geometry& g, Pass pass, const PrepareOptions& options) {
  return prepare_products(products_of(g, *options.kernels, pass), window_operands(pass), options);
}

ExecutablePointer prepare_products(std::vector<StridedMatmul> products, const WindowOperands& operands,
                                   const PrepareOptions& options) {
  return std::make_unique<WindowsExecutable>(std::move(products), operands, options);
}

}  // namespace conv2d::engine
