#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chains/layer_descs.hpp"
#include "session/mistake_session.hpp"
#include "shared/conversions.hpp"

/// The module "mistakes", loaded with the first exercise or gradient check.

namespace conv2d::bindings {

EMSCRIPTEN_DECLARE_VAL_TYPE(IndexList);

/// Output only.
template <>
struct Passed<std::vector<int>> {
  using Type = IndexList;
  static std::vector<int> in(const IndexList&) { return {}; }
  static IndexList out(const std::vector<int>& indices) { return IndexList(emscripten::val::array(indices)); }
};

}  // namespace conv2d::bindings

namespace {

using namespace conv2d::bindings;
using namespace conv2d::session;
using conv2d::mistakes::LayerMistake;
using conv2d::mistakes::Mistake;
using conv2d::mistakes::MistakeText;
using emscripten::val;

EMSCRIPTEN_DECLARE_VAL_TYPE(MistakeList);
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerMistakeList);

template <class List, class Row>
List list_of(std::span<const Row> rows) {
  return List(val::array(rows.begin(), rows.end()));
}
MistakeList mistakes() { return list_of<MistakeList>(conv2d::mistakes::list()); }
LayerMistakeList layer_mistakes() { return list_of<LayerMistakeList>(conv2d::mistakes::layer_mistakes()); }

/// The first mistakes of the list are the bugs of "Spot the bug".
int bug_count() { return static_cast<int>(conv2d::mistakes::bugs().size()); }

/// The texts of a mistake in the results of one pass.
template <MistakeText Mistake::*Text>
void text_fields_of_pass(const char* sentence, const char* lesson) {
  const auto add = [](const char* name, std::string_view MistakeText::*member) {
    add_field<std::string_view>(emscripten::internal::TypeID<Mistake>::get(), name,
                                std::bit_cast<std::uintptr_t>(Text) + std::bit_cast<std::uintptr_t>(member));
  };
  add(sentence, &MistakeText::sentence);
  add(lesson, &MistakeText::lesson);
}

/// The first of the layers.
conv2d::Status set_problem(Handle handle, const LayerDescs& layers) {
  return session_at<MistakeSession>(handle).set_problem(descs_of(layers).front());
}

Float32View view(Handle handle, MistakeSlot slot) {
  return view_of<Float32View>(session_at<MistakeSession>(handle).span(slot));
}

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_mistakes) {
  using emscripten::value_object;
  emscripten::register_type<MistakeList>("MistakeRow[]");
  emscripten::register_type<LayerMistakeList>("LayerMistakeRow[]");
  emscripten::register_type<IndexList>("number[]");
  emscripten::enum_<MistakeSlot>("MistakeSlot")
      .value("x", MistakeSlot::x)
      .value("w", MistakeSlot::w)
      .value("b", MistakeSlot::b)
      .value("dy", MistakeSlot::dy)
      .value("wrong", MistakeSlot::wrong)
      .value("difference", MistakeSlot::difference)
      .value("measured", MistakeSlot::measured)
      .value("user_result", MistakeSlot::user_result)
      .value("expected", MistakeSlot::expected)
      .value("magnitudes", MistakeSlot::magnitudes);
  value_object<Mistake> row("MistakeRow");
  field<&Mistake::name>(row, "name");
  field<&Mistake::title>(row, "title");
  field<&Mistake::sentence>(row, "sentence");
  field<&Mistake::lesson>(row, "lesson");
  text_fields_of_pass<&Mistake::forward>("forward_sentence", "forward_lesson");
  text_fields_of_pass<&Mistake::weights>("weights_sentence", "weights_lesson");
  value_object<LayerMistake> layer_row("LayerMistakeRow");
  field<&LayerMistake::name>(layer_row, "name");
  field<&LayerMistake::title>(layer_row, "title");
  field<&LayerMistake::sentence>(layer_row, "sentence");
  field<&LayerMistake::lesson>(layer_row, "lesson");
  field<&LayerMistake::kind>(layer_row, "kind");
  field<&LayerMistake::pass>(layer_row, "pass");
  value_object<DiagnosisResult> diagnosis("DiagnosisResult");
  field<&DiagnosisResult::status>(diagnosis, "status");
  field<&DiagnosisResult::right>(diagnosis, "right");
  field<&DiagnosisResult::rounded>(diagnosis, "rounded");
  field<&DiagnosisResult::explanations>(diagnosis, "explanations");
  value_object<AppliedMistakeResult> applied("AppliedMistakeResult");
  field<&AppliedMistakeResult::status>(applied, "status");
  field<&AppliedMistakeResult::differs>(applied, "differs");
  field<&AppliedMistakeResult::equivalent>(applied, "equivalent");
  value_object<GradientComparisonResult> gradient("GradientComparisonResult");
  field<&GradientComparisonResult::status>(gradient, "status");
  field<&GradientComparisonResult::failed>(gradient, "failed");
  field<&GradientComparisonResult::worst>(gradient, "worst");
  value_object<DifferenceResult> difference("DifferenceResult");
  field<&DifferenceResult::status>(difference, "status");
  field<&DifferenceResult::worst>(difference, "worst");
  value_object<AmbiguityResult> ambiguity("AmbiguityResult");
  field<&AmbiguityResult::status>(ambiguity, "status");
  field<&AmbiguityResult::ambiguous>(ambiguity, "ambiguous");
  using emscripten::function;
  function("mistakes", &mistakes);
  function("bug_count", &bug_count);
  function("open_session", &open_session<MistakeSession>);
  function("close_session", &close_session<MistakeSession>);
  function("set_problem", &set_problem);
  function("reserve", &Call<&MistakeSession::reserve>::of);
  function("view", &view);
  function("stats", &Call<&MistakeSession::stats>::of);
  function("diagnose", &Call<&MistakeSession::diagnose>::of);
  function("layer_mistakes", &layer_mistakes);
  function("ambiguity", &Call<&MistakeSession::ambiguity>::of);
  function("apply", &Call<&MistakeSession::apply>::of);
  function("compare_gradient", &Call<&MistakeSession::compare_gradient>::of);
  function("subtract", &Call<&MistakeSession::subtract>::of);
  function("drop_signs", &Call<&MistakeSession::drop_signs>::of);
  function("rounding", &Call<&MistakeSession::rounding>::of);
}
