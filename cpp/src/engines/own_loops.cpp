#include "engines/own_loops.hpp"

#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

class PreparedLoops final : public Prepared {
 public:
  PreparedLoops(const Geometry& g, const OwnLoops& loops) : g_(g), run_(loops.run) {
    own_.take(loops.scratch);
    cost_ = loops.cost;
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    return run_(g_, o, memory.own, progress);
  }

 private:
  Geometry g_;
  decltype(OwnLoops::run) run_;
};

}  // namespace

const cost::Loops& loop_costs(const Request& request) noexcept { return request.kernels->costs->loops; }

PreparedPointer prepare_loops(const Geometry& g, const OwnLoops& loops) {
  return std::make_unique<PreparedLoops>(g, loops);
}

}  // namespace conv2d::engine
