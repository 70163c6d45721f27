#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/mistake_session.hpp"
#include "shared/conversions.hpp"

/// The module "mistakes", loaded with the first exercise or gradient check.

namespace {

using namespace conv2d::bindings;
using namespace conv2d::session;
using conv2d::mistakes::LayerMistake;
using conv2d::mistakes::Mistake;
using conv2d::mistakes::MistakeText;
using emscripten::val;

EMSCRIPTEN_DECLARE_VAL_TYPE(MistakeList);
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerMistakeList);
EMSCRIPTEN_DECLARE_VAL_TYPE(IndexList);

template <class List, class Row>
List list_of(std::span<const Row> rows) {
  return List(val::array(rows.begin(), rows.end()));
}
MistakeList mistakes() { return list_of<MistakeList>(conv2d::mistakes::list()); }
LayerMistakeList layer_mistakes() { return list_of<LayerMistakeList>(conv2d::mistakes::layer_mistakes()); }

/// The first mistakes of the list are the bugs of "Spot the bug".
int bug_count() { return static_cast<int>(conv2d::mistakes::bugs().size()); }

template <MistakeText Mistake::*Text, std::string_view MistakeText::*Member>
std::string get_text_of_pass(const Mistake& mistake) {
  return std::string(mistake.*Text.*Member);
}
template <MistakeText Mistake::*Text>
void text_fields_of_pass(emscripten::value_object<Mistake>& object, const char* sentence, const char* lesson) {
  object.field(sentence, &get_text_of_pass<Text, &MistakeText::sentence>, &set_nothing<Mistake, const std::string&>);
  object.field(lesson, &get_text_of_pass<Text, &MistakeText::lesson>, &set_nothing<Mistake, const std::string&>);
}

Float32View view(Handle handle, MistakeSlot slot) {
  return view_of<Float32View>(session_at<MistakeSession>(handle).span(slot));
}

CheckCells check_cells(Handle handle) { return view_of<CheckCells>(session_at<MistakeSession>(handle).check_cells()); }
CheckTable check_table(Handle handle) { return view_of<CheckTable>(session_at<MistakeSession>(handle).check_table()); }

template <class Struct, auto Member>
IndexList get_indices(const Struct& object) {
  return IndexList(val::array(object.*Member));
}

template <auto Member, class Struct>
void index_list_field(emscripten::value_object<Struct>& object, const char* name) {
  object.field(name, &get_indices<Struct, Member>, &set_nothing<Struct, IndexList>);
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
      .value("magnitudes", MistakeSlot::magnitudes)
      .value("target", MistakeSlot::target)
      .value("gradient", MistakeSlot::gradient);
  value_object<Mistake> row("MistakeRow");
  text_field<&Mistake::name>(row, "name");
  text_field<&Mistake::title>(row, "title");
  text_field<&Mistake::sentence>(row, "sentence");
  text_field<&Mistake::lesson>(row, "lesson");
  text_fields_of_pass<&Mistake::forward>(row, "forward_sentence", "forward_lesson");
  text_fields_of_pass<&Mistake::weights>(row, "weights_sentence", "weights_lesson");
  value_object<LayerMistake> layer_row("LayerMistakeRow");
  text_field<&LayerMistake::name>(layer_row, "name");
  text_field<&LayerMistake::title>(layer_row, "title");
  text_field<&LayerMistake::sentence>(layer_row, "sentence");
  text_field<&LayerMistake::lesson>(layer_row, "lesson");
  layer_row.field("kind", &LayerMistake::kind).field("pass", &LayerMistake::pass);
  value_object<DiagnosisResult> diagnosis("DiagnosisResult");
  diagnosis.field("status", &DiagnosisResult::status).field("right", &DiagnosisResult::right);
  index_list_field<&DiagnosisResult::explanations>(diagnosis, "explanations");
  value_object<AppliedMistakeResult> applied("AppliedMistakeResult");
  applied.field("status", &AppliedMistakeResult::status).field("differs", &AppliedMistakeResult::differs);
  index_list_field<&AppliedMistakeResult::equivalent>(applied, "equivalent");
  value_object<GradientComparisonResult> gradient("GradientComparisonResult");
  gradient.field("status", &GradientComparisonResult::status);
  count_field<&GradientComparisonResult::failed>(gradient, "failed");
  count_field<&GradientComparisonResult::worst>(gradient, "worst");
  value_object<DifferenceResult> difference("DifferenceResult");
  difference.field("status", &DifferenceResult::status);
  count_field<&DifferenceResult::worst>(difference, "worst");
  value_object<CheckOptions>("CheckOptions")
      .field("loss", &CheckOptions::loss)
      .field("parameter", &CheckOptions::parameter)
      .field("float64", &CheckOptions::float64)
      .field("epsilon", &CheckOptions::epsilon);
  value_object<AmbiguityResult> ambiguity("AmbiguityResult");
  ambiguity.field("status", &AmbiguityResult::status).field("ambiguous", &AmbiguityResult::ambiguous);
  using emscripten::function;
  function("mistakes", &mistakes);
  function("bug_count", &bug_count);
  function("open_session", &open_session<MistakeSession>);
  function("close_session", &close_session<MistakeSession>);
  function("set_problem", &Call<&MistakeSession::set_problem>::of);
  function("reserve", &Call<&MistakeSession::reserve>::of);
  function("view", &view);
  function("stats", &Call<&MistakeSession::stats>::of);
  function("diagnose", &Call<&MistakeSession::diagnose>::of);
  function("layer_mistakes", &layer_mistakes);
  function("diagnose_layer", &Call<&MistakeSession::diagnose_layer>::of);
  function("ambiguity", &Call<&MistakeSession::ambiguity>::of);
  function("apply", &Call<&MistakeSession::apply>::of);
  function("compare_gradient", &Call<&MistakeSession::compare_gradient>::of);
  function("subtract", &Call<&MistakeSession::subtract>::of);
  function("drop_signs", &Call<&MistakeSession::drop_signs>::of);
  function("reserve_check_cells", &Call<&MistakeSession::reserve_check_cells>::of);
  function("check_cells", &check_cells);
  function("gradient_check", &Call<&MistakeSession::gradient_check>::of);
  function("check_table", &check_table);
  function("rounding", &Call<&MistakeSession::rounding>::of);
}
