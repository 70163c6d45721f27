#pragma once

#include <memory>

#include "algorithms/prepared_pass.hpp"

namespace conv2d {

/// Makes plans, and gives access to the PreparedPass of a plan.
struct PlanAccess {
  static Plan make(const Geometry& g, std::shared_ptr<const algorithm::PreparedPass> prepared);
  static const algorithm::PreparedPass& prepared(const Plan& plan) noexcept { return *plan.prepared_; }
};

}  // namespace conv2d
