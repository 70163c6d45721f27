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
