#include "engines/winograd/winograd.hpp"

#include "engines/portions.hpp"
#include "engines/winograd/run.hpp"

namespace conv2d::engine {
namespace {

class PreparedWinograd final : public Prepared {
 public:
  PreparedWinograd(const WindowProduct& product, std::int64_t outputs, WindowTensorsOf tensors,
                   const Request& request) noexcept
      : plan_(product, outputs, request.threads, common_, own_), tensors_(tensors) {
    parts_ = plan_.parts;
    cost_ = plan_.cost();
  }

  void fill_common(const Operands& o, Part part, const Memory& memory) const noexcept override {
    if (kThreads) WinogradRun(plan_, tensors_(o), part, memory).fill_common();
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    WinogradRun tiles(plan_, tensors_(o), part, memory);
    return in_portions(plan_.steps(part), plan_.macs_per_step(part), progress, [&](Range steps) {
      for (std::int64_t t = steps.begin; t < steps.end; ++t) tiles.step(t);
    });
  }

 private:
  WinogradPlan plan_;
  WindowTensorsOf tensors_;
};

}  // namespace

PreparedPointer prepare_winograd(const WindowProduct& product, std::int64_t outputs, WindowTensorsOf tensors,
                                 const Request& request) {
  return std::make_unique<PreparedWinograd>(product, outputs, tensors, request);
}

}  // namespace conv2d::engine
