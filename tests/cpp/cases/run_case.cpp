#include "cases/run_case.hpp"

#include <algorithm>

#include "cases/verify.hpp"
#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/run.hpp"

namespace conv2d::test {

namespace {

/// Above this many multiply-adds or elements, an invalid case is planned but not run.
constexpr std::int64_t kSmall = 1 << 24;

void check_geometry(const ValidCase& c, const Geometry& g, CaseReport& report) {
  if (g.y_shape() != c.y_shape) report.failures.push_back("the output has a different shape");
  if (!(g.padding == c.pads)) report.failures.push_back("the padding resolves to different sides");
  for (const Status& status : {check_w_shape(g, c.w_shape), check_dy_shape(g, c.y_shape)}) {
    if (!status.ok()) report.failures.push_back("shape check: " + status.message);
  }
}

Failure failure_of(const ValidCase& c, const Geometry& g, Pass pass, const AlgorithmInfo& info) {
  const Result<Plan> planned = plan(g, pass, {.algorithm = info.name});
  if (!planned.ok()) return "does not plan: " + planned.status().message;
  if (planned->algorithm() != info.name) return "plans another algorithm: " + std::string(planned->algorithm());
  const Outcome outcome = run(*planned, c.tensors);
  if (!outcome.status.ok()) return "does not run: " + outcome.status.message;
  if (outcome.stray_write) return outcome.stray_write;
  return verify(outcome.out, c.expected[static_cast<std::size_t>(pass)], c.exact && sums_products(info));
}

/// Two threads must give the same bits as one, even for the smallest case.
Failure failure_on_two_threads(const ValidCase& c, const Geometry& g, Pass pass, const AlgorithmInfo& info,
                               const Team& team) {
  const Plan two = plan(g, pass, {.algorithm = info.name, .threads = 2, .macs_per_thread = 0}).value();
  if (two.threads() == 1) return {};
  const Outcome outcome = run(two, c.tensors, {}, team);
  if (!outcome.status.ok()) return "does not run on two threads: " + outcome.status.message;
  if (outcome.stray_write) return "on two threads: " + *outcome.stray_write;
  const Outcome alone = run(plan(g, pass, {.algorithm = info.name}).value(), c.tensors);
  const Failure difference = difference_of_bits(outcome.out, alone.out);
  return difference ? "differs on two threads: " + *difference : difference;
}

/// The status of the first library check that refuses the description; ok if none does.
Status check_description(const InvalidCase& c, const Geometry& g) {
  if (Status status = check_w_shape(g, c.w_shape); !status.ok()) return status;
  return c.dy_shape ? check_dy_shape(g, *c.dy_shape) : Status{};
}

bool small(const Geometry& g) {
  return g.x_size < kSmall && g.w_size < kSmall && g.y_size < kSmall && g.macs() < kSmall;
}

TensorValues meaningless(const InvalidCase& c, const Geometry& g) {
  const auto filled = [](std::int64_t size) { return std::vector<float>(static_cast<std::size_t>(size), 1.0f); };
  const std::int64_t b_length = std::min(c.b_length.value_or(0), kSmall);
  return {.x = filled(g.x_size), .w = filled(g.w_size), .b = filled(b_length), .dy = filled(g.y_size)};
}

/// Whether every algorithm refuses to run. Tensors that must not be allocated are empty, as the case format requires.
bool refused_when_run(const InvalidCase& c, const Geometry& g) {
  const TensorValues tensors = c.no_alloc || !small(g) ? TensorValues{} : meaningless(c, g);
  bool all_refuse = true;
  for (const AlgorithmInfo& info : algorithms(g, c.op)) {
    const Result<Plan> planned = plan(g, c.op, {.algorithm = info.name});
    if (!planned.ok()) continue;
    const bool run_it = !c.no_alloc && small(g);
    const Status status = run_it ? run(*planned, tensors).status : run_on(*planned, {});
    all_refuse = all_refuse && !status.ok();
  }
  return all_refuse;
}

bool refused(const InvalidCase& c) {
  if (!c.desc) return true;
  const Result<Geometry> g = resolve(*c.desc);
  if (!g.ok() || !check_description(c, *g).ok()) return true;
  return refused_when_run(c, *g);
}

}  // namespace

CaseReport run_valid_case(const ValidCase& c, const Team& team) {
  CaseReport report;
  const Result<Geometry> g = resolve(c.desc);
  if (!g.ok()) {
    if (!c.may_reject) report.failures.push_back("refused: " + g.status().message);
    return report;
  }
  check_geometry(c, *g, report);
  if (!report.failures.empty()) return report;
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(*g, pass)) {
      if (!info.supported) continue;
      ++report.comparisons;
      Failure failure = failure_of(c, *g, pass, info);
      if (!failure) failure = failure_on_two_threads(c, *g, pass, info, team);
      if (!failure) continue;
      report.failures.push_back(std::string(to_string(pass)) + " " + std::string(info.name) + ": " + *failure);
    }
  }
  return report;
}

CaseReport run_invalid_case(const InvalidCase& c) {
  CaseReport report{.comparisons = 1};
  if (!refused(c) && c.must_reject) report.failures.push_back("accepted, but must be rejected");
  return report;
}

}  // namespace conv2d::test
