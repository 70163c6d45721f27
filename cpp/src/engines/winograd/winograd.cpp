#include "engines/winograd/winograd.hpp"

#include "engines/chunks.hpp"
#include "engines/winograd/run.hpp"

namespace conv2d::engine {
namespace {

class WinogradExecutable final : public Executable {
 public:
  WinogradExecutable(const WindowProduct& product, std::int64_t outputs, WindowTensorsOf tensors,
                     const PrepareOptions& options) noexcept
      : plan_(product, outputs, options.threads, common_, own_), tensors_(tensors) {
    parts_ = plan_.parts;
    cost_ = plan_.cost();
  }

  void fill_common(const Operands& o, Part part, const Memory& memory) const noexcept override {
    if (kThreads) WinogradRunner(plan_, tensors_(o), part, memory).fill_common();
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    WinogradRunner tiles(plan_, tensors_(o), part, memory);
    return in_chunks(plan_.steps(part), plan_.macs_per_step(part), progress, [&](Range steps) {
      for (std::int64_t t = steps.begin; t < steps.end; ++t) tiles.step(t);
    });
  }

 private:
  WinogradPlan plan_;
  WindowTensorsOf tensors_;
};

}  // namespace

ExecutablePointer prepare_winograd(const WindowProduct& product, std::int64_t outputs, WindowTensorsOf tensors,
                                   const PrepareOptions& options) {
  return std::make_unique<WinogradExecutable>(product, outputs, tensors, options);
}

}  // namespace conv2d::engine
