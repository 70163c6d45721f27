#include "plan_report.hpp"

#if !defined(__wasm__)

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/prepared_pass.hpp"

namespace conv2d {

namespace {

/// The clock with which estimated cycles become a time: that of the servers on which the costs were measured.
constexpr double kCyclesPerMillisecond = 3e6;

bool is_wanted() noexcept {
  static const bool wanted = [] {
    const char* value = std::getenv("CONV2D_VERBOSE");
    return value && std::string_view(value) == "1";
  }();
  return wanted;
}

std::string rounded(double value) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.3g", value);
  return digits.data();
}

std::string joined(auto numbers, std::string_view separator) {
  std::string all;
  for (const std::int64_t number : numbers) {
    if (!all.empty()) all += separator;
    all += std::to_string(number);
  }
  return all;
}

std::string sizes_of(const Geometry& g) {
  using List = std::initializer_list<std::int64_t>;
  std::string text = "x " + joined(g.x_shape(), "x") + (g.layout == Layout::nhwc ? " nhwc" : " nchw");
  text += ", w " + joined(g.w_shape(), "x") + " " + std::string(to_string(g.weights_layout));
  text += ", y " + joined(g.y_shape(), "x");
  text += ", stride " + joined(List{g.stride_h, g.stride_w}, ",");
  text += ", dilation " + joined(List{g.dilation_h, g.dilation_w}, ",");
  text += ", padding " + joined(List{g.padding.top, g.padding.bottom, g.padding.left, g.padding.right}, ",");
  return text + ", groups " + std::to_string(g.groups);
}

/// Why each other algorithm was not chosen: its estimate relative to the chosen one, on one thread if `deterministic`,
/// or the reason why it is not supported.
std::string others_of(const Plan& plan, const PlanOptions& options) {
  const std::vector<AlgorithmInfo> infos = algorithms(plan.geometry(), plan.pass(), options);
  const auto chosen = std::ranges::find(infos, plan.algorithm(), &AlgorithmInfo::name);
  std::string text;
  for (const AlgorithmInfo& info : infos) {
    if (info.name == plan.algorithm()) continue;
    text += " | " + std::string(info.name) + ": ";
    text += info.supported ? rounded(info.cost / chosen->cost) + " times the time" : info.reason;
  }
  return text;
}

}  // namespace

void report_plan(const Plan& plan, const PlanOptions& options) {
  if (!is_wanted()) return;
  const double cycles = algorithm::PreparedPass::of(plan).cost();
  std::string line = "conv2d: " + std::string(to_string(plan.pass())) + " | " + sizes_of(plan.geometry());
  line += " | " + std::string(plan.algorithm()) + (options.algorithm.empty() ? "" : " (named by the caller)");
  line += ", " + std::string(plan.instruction_set());
  line += ", threads " + std::to_string(plan.threads()) + " of " + std::to_string(options.threads);
  line += ", " + rounded(cycles / kCyclesPerMillisecond) + " ms estimated at 3 GHz";
  line += others_of(plan, options) + "\n";
  // In one call, so that lines of several threads do not mix.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace conv2d

#endif
