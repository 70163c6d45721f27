#pragma once

#include "engines/executable.hpp"
#include "engines/outer_product/blocks.hpp"
#include "engines/outer_product/parts.hpp"

namespace conv2d::engine {

class OuterProductExecutable final : public Executable {
 public:
  OuterProductExecutable(const Geometry& g, const PrepareOptions& options) noexcept;

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override;

 private:
  Geometry g_;
  OuterBlocks blocks_;
  OuterDivision division_;
  std::int64_t filters_at_once_ = 0;  ///< filters with panels of dy that are packed together
  std::int64_t line_blocks_ = 0, image_blocks_ = 0;
  Offset x_, dy_;         ///< packed panels
  Offset dw_transposed_;  ///< of all rows
  Offset dw_;             ///< a part's columns
};

}  // namespace conv2d::engine
