#pragma once

#include "engines/outer_product/blocks.hpp"
#include "engines/outer_product/parts.hpp"
#include "engines/prepared.hpp"

namespace conv2d::engine {

class PreparedOuterProduct final : public Prepared {
 public:
  PreparedOuterProduct(const Geometry& g, const Request& request) noexcept;

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override;

 private:
  Geometry g_;
  OuterBlocks blocks_;
  OuterDivision division_;
  std::int64_t filters_at_once_ = 0;  ///< whose dy is ready together
  std::int64_t line_blocks_ = 0, image_blocks_ = 0;
  Place x_, dy_;         ///< packed panels
  Place dw_transposed_;  ///< of all rows
  Place dw_;             ///< a part's columns
};

}  // namespace conv2d::engine
