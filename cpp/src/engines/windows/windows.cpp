#include "engines/windows/windows.hpp"

#include <algorithm>

#include "engines/chunks.hpp"
#include "engines/windows/division.hpp"
#include "engines/windows/run.hpp"

namespace conv2d::engine {
namespace {

/// Runs the products one after the other. Each is divided on its own, since their numbers of taps may differ.
class WindowsExecutable final : public Executable {
 public:
  WindowsExecutable(std::vector<WindowProduct> all, WindowTensorsOf tensors, const PrepareOptions& options)
      : all_(std::move(all)), tensors_(tensors) {
    if (kThreads) {
      for (const WindowProduct& whole : all_) {
        if (parts_ == options.threads) break;
        parts_ = std::max(parts_, part_count(whole, options.threads));
      }
    }
    plans_ = std::make_unique<WindowPlan[]>(all_.size() * static_cast<std::size_t>(parts_));
    WindowPlan* plans = plans_.get();
    for (WindowProduct& whole : all_) {
      whole.packed_offset = packed_floats_.value_or(0);
      packed_floats_ = packed_floats_ + packed_weights_floats(whole);
      plan_product(whole, plans, options);
      plans += parts_;
    }
  }

  void pack(const float* w, float* packed) const noexcept override {
    for (const WindowProduct& whole : all_) pack_weights(whole, w, packed);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& hook) const noexcept override {
    const WindowTensors tensors = tensors_(o);
    std::int64_t macs = 0;
    for (std::size_t i = 0; i < all_.size(); ++i) macs += macs_of(plan_of(i, part.index));
    Progress progress(hook, macs);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const WindowPlan& plan = plan_of(i, part.index);
      WindowRunner windows(plan, tensors, memory.own);
      for (std::int64_t t = 0; t < plan.steps(); ++t) {
        windows.step(t);
        if (!progress.advance(plan.macs_per_step())) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] const WindowPlan& plan_of(std::size_t product, int part) const noexcept {
    return plans_[product * static_cast<std::size_t>(parts()) + static_cast<std::size_t>(part)];
  }
  static std::int64_t macs_of(const WindowPlan& plan) noexcept { return plan.steps() * plan.macs_per_step(); }

  /// Plans the parts of the product, and takes the largest scratch memory and the cost of the slowest part.
  void plan_product(const WindowProduct& whole, WindowPlan* plans, const PrepareOptions& options) noexcept {
    const Division division = best_division(whole, parts());
    double slowest = 0;
    for (int i = 0; i < parts(); ++i) {
      ScratchLayout scratch;
      plans[i] = WindowPlan::of(part_of(whole, division, {i, parts()}), scratch);
      own_ = larger_of(own_, scratch);
      const WindowProduct& part = plans[i].product;
      slowest = std::max(slowest, window_cost(part) + (options.packed_weights ? 0.0 : window_packing_cost(part)));
    }
    cost_ += slowest;
  }

  std::vector<WindowProduct> all_;
  std::unique_ptr<WindowPlan[]> plans_;  ///< [product][part]
  WindowTensorsOf tensors_;
};

}  // namespace

ExecutablePointer prepare_windows(std::vector<WindowProduct> products, WindowTensorsOf tensors,
                                  const PrepareOptions& options) {
  return std::make_unique<WindowsExecutable>(std::move(products), tensors, options);
}

}  // namespace conv2d::engine
