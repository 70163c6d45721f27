#include "session/mistake_session.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "mistakes/mistake.hpp"
#include "support/matchers.hpp"
#include "support/oracle.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.h = 4, .w = 4, .c = 1, .k = 1, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};

void put(MistakeSession& fixture, MistakeSlot slot, const std::vector<float>& values) {
  REQUIRE(fixture.reserve(slot, static_cast<std::int64_t>(values.size())).ok());
  std::ranges::copy(values, fixture.span(slot).begin());
}

int place_of(std::string_view name) {
  const auto all = mistakes::list();
  const auto found = std::ranges::find(all, name, &mistakes::Mistake::name);
  REQUIRE(found != all.end());
  return static_cast<int>(found - all.begin());
}

struct Held {
  Held() {
    Rng rng(41);
    t = integer_tensors(kDesc, *sizes_of(kDesc), rng);
    right = oracle(kDesc, *sizes_of(kDesc), t);
    REQUIRE(session.set_problem({.windows = kDesc}).ok());
    put(session, MistakeSlot::x, t.x);
    put(session, MistakeSlot::w, t.w);
    put(session, MistakeSlot::b, t.b);
    put(session, MistakeSlot::dy, t.dy);
  }
  TensorValues t;
  Oracle right;
  MistakeSession session;
};

}  // namespace

TEST_CASE("without a problem there is no diagnosis", "[session][mistakes]") {
  MistakeSession fixture;
  CHECK(fixture.diagnose(Pass::forward, 0, 1, 0).status.field == "desc");
  CHECK(fixture.apply(Pass::forward, 0).status.field == "desc");
  CHECK(fixture.gradient_check({.epsilon = 0.1}).status.field == "desc");
  CHECK(fixture.set_problem({.windows = {.kh = 0}}).code == ErrorCode::invalid_size);
  CHECK(fixture.reserve(MistakeSlot::x, -1).code == ErrorCode::invalid_argument);
}

TEST_CASE("a correct value is confirmed, a bug gives its own values, and both are recognized", "[session][mistakes]") {
  Held fixture;
  const std::vector<double>& dx = fixture.right.dx.value;
  const DiagnosisResult right = fixture.session.diagnose(Pass::backward_data, 5, dx[5], 0);
  REQUIRE(right.status.ok());
  CHECK(right.right);
  CHECK(right.explanations.empty());
  CHECK(fixture.session.diagnose(Pass::backward_data, 16, 1, 0).status.field == "cell");

  const int padding = place_of("padding_forgotten");
  const AppliedMistakeResult shown = fixture.session.apply(Pass::backward_data, padding);
  REQUIRE(shown.status.ok());
  CHECK(shown.applicable);
  CHECK(shown.differs);
  CHECK(std::ranges::count(shown.equivalent, padding) == 1);
  const std::span<const float> wrong = fixture.session.span(MistakeSlot::wrong);
  std::vector<double> off(dx.size());
  std::size_t cell = 0;
  for (std::size_t i = 0; i < dx.size(); ++i) {
    off[i] = wrong[i] - dx[i];
    if (off[i] != 0) cell = i;
  }
  CHECK_THAT(fixture.session.span(MistakeSlot::difference), Equals(off));
  const DiagnosisResult wrongly =
      fixture.session.diagnose(Pass::backward_data, static_cast<std::int64_t>(cell), wrong[cell], 0);
  CHECK(!wrongly.right);
  CHECK(std::ranges::count(wrongly.explanations, padding) == 1);
  CHECK(fixture.session.apply(Pass::backward_data, -1).status.field == "index");

  put(fixture.session, MistakeSlot::measured, {dx.begin(), dx.end()});
  const GradientComparisonResult checked = fixture.session.compare_gradient();
  REQUIRE(checked.status.ok());
  CHECK(checked.failed == std::ranges::count_if(off, [](double value) { return value != 0; }));
  CHECK(fixture.session.reserve(MistakeSlot::measured, 3).ok());
  CHECK(fixture.session.compare_gradient().status.code == ErrorCode::length_mismatch);
}

TEST_CASE("imported values are compared with the correct ones", "[session][mistakes]") {
  Held fixture;
  put(fixture.session, MistakeSlot::user_result, {1, 2, 3.5F, -4});
  put(fixture.session, MistakeSlot::expected, {1, 2, 3, -4});
  const DifferenceResult result = fixture.session.subtract();
  REQUIRE(result.status.ok());
  CHECK(result.worst == 2);
  CHECK_THAT(fixture.session.span(MistakeSlot::difference), Equals(std::vector<double>{0, 0, 0.5, 0}));
  REQUIRE(fixture.session.drop_signs(MistakeSlot::user_result).ok());
  CHECK(fixture.session.span(MistakeSlot::user_result)[3] == 4);
  put(fixture.session, MistakeSlot::magnitudes, {1, 2, 3, 4});
  CHECK(fixture.session.rounding() > 0);
  REQUIRE(fixture.session.reserve(MistakeSlot::user_result, 3).ok());
  CHECK(fixture.session.subtract().status.code == ErrorCode::length_mismatch);
}

TEST_CASE("a session diagnoses the mistakes of ReLU and pooling", "[session][mistakes][layers]") {
  MistakeSession session;
  CHECK_THAT(session.diagnose(Pass::forward, 0, 1, 0).status, Fails(ErrorCode::invalid_argument, "desc"));
  REQUIRE_THAT(session.set_problem({.kind = "max_pool", .windows = {.w = 4, .kw = 2}}), Succeeds());
  put(session, MistakeSlot::x, {3, 1, 3, 2});
  put(session, MistakeSlot::dy, {1, 10, 100});
  const auto all = mistakes::layer_mistakes();
  const auto divided = std::ranges::find(all, std::string_view("divided"), &mistakes::LayerMistake::name);
  const auto place = static_cast<int>(divided - all.begin());
  const DiagnosisResult found = session.diagnose(Pass::backward_data, 2, 55, 0.5);
  REQUIRE_THAT(found.status, Succeeds());
  CHECK(!found.right);
  CHECK(found.explanations == std::vector<int>{place});
  CHECK(session.diagnose(Pass::backward_data, 2, 110, 0.5).right);
}

TEST_CASE("a session checks the gradient in its slot, and otherwise that of the reference", "[session][mistakes]") {
  Held fixture;
  MistakeSession& session = fixture.session;
  const CheckOptions options{.parameter = Parameter::w, .float64 = true, .epsilon = 0.125};
  const CheckSummary of_reference = session.gradient_check(options);
  REQUIRE_THAT(of_reference.status, Succeeds());
  CHECK(of_reference.cells == 9);
  CHECK(of_reference.max_absolute_error == 0);  // of integers, in double
  const std::vector<double>& dw = fixture.right.dw.value;
  CHECK_THAT(session.check_table().subspan(3 * 9, 9), Equals(dw));
  CHECK_THAT(session.check_table().subspan(4 * 9, 9), Equals(dw));

  std::vector<float> gradient(dw.begin(), dw.end());
  gradient[5] += 1000;  // as of a broken kernel
  put(session, MistakeSlot::gradient, gradient);
  const CheckSummary of_kernel = session.gradient_check(options);
  CHECK(of_kernel.max_absolute_error == 1000);
  CHECK(of_kernel.verdict == static_cast<std::int64_t>(GradientVerdict::wrong));
  CHECK(session.check_table()[3 * 9 + 5] == dw[5] + 1000);
  CHECK(session.check_table()[4 * 9 + 5] == dw[5]);

  REQUIRE(session.reserve_check_cells(2).ok());
  std::ranges::copy(std::array{4, 0}, session.check_cells().begin());
  const CheckSummary some = session.gradient_check(options);
  CHECK(some.cells == 2);
  CHECK(some.max_absolute_error == 0);
  CHECK_THAT(session.check_table().first(2), Equals(std::vector<double>{4, 0}));
  session.check_cells()[0] = -1;
  CHECK(session.gradient_check(options).status.field == "indices");
  REQUIRE(session.reserve_check_cells(0).ok());

  // The gradient in the slot is not that of another loss, which the caller leaves out.
  REQUIRE(session.reserve(MistakeSlot::gradient, 0).ok());
  const CheckOptions curved{.loss = Loss::mse, .parameter = Parameter::w, .float64 = true, .epsilon = 0.125};
  CHECK(session.gradient_check(curved).status.field == "target");
  put(session, MistakeSlot::target, fixture.t.dy);
  CHECK(session.gradient_check(curved).verdict == static_cast<std::int64_t>(GradientVerdict::confirmed));
}

TEST_CASE("a session finds values that a mistake gives, too, in all layers", "[session][mistakes][layers]") {
  MistakeSession session;
  const auto ambiguity = [&](Pass pass) { return session.ambiguity(pass, 1); };
  CHECK_THAT(ambiguity(Pass::forward).status, Fails(ErrorCode::invalid_argument, "desc"));
  REQUIRE_THAT(session.set_problem({.windows = {.w = 4, .kw = 2, .stride_w = 2}}), Succeeds());
  put(session, MistakeSlot::w, {2, 5});
  // 2*3 - 5*1 = 1, and without the stride 2*-7 + 5*3 = 1 or 2*1 + 5*3 = 17.
  put(session, MistakeSlot::x, {9, -7, 3, -1});
  CHECK(ambiguity(Pass::forward).ambiguous);
  put(session, MistakeSlot::x, {9, 1, 3, -1});
  CHECK_FALSE(ambiguity(Pass::forward).ambiguous);
  // The dy of two windows cancel, or not.
  REQUIRE_THAT(session.set_problem({.kind = "average_pool", .windows = {.w = 4, .kw = 2}}), Succeeds());
  put(session, MistakeSlot::dy, {1, -1, 100});
  CHECK(ambiguity(Pass::backward_data).ambiguous);
  put(session, MistakeSlot::dy, {1, 10, 100});
  CHECK_FALSE(ambiguity(Pass::backward_data).ambiguous);
}
