#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>
#include <string_view>
#include <vector>

#include "mistakes/brought.hpp"
#include "mistakes/mistake.hpp"
#include "session/mistake_session.hpp"
#include "shared/count_field.hpp"
#include "shared/handle.hpp"
#include "shared/views.hpp"

/// The module of the wrong convolutions, which comes with the first exercise.

namespace {

using namespace conv2d::bindings;
using namespace conv2d::session;
using emscripten::val;

EMSCRIPTEN_DECLARE_VAL_TYPE(MistakeList);
EMSCRIPTEN_DECLARE_VAL_TYPE(PlaceList);
EMSCRIPTEN_DECLARE_VAL_TYPE(TitleList);

/// An entry of the list, for a person.
struct MistakeRow {
  std::string name, title, sentence, lesson;
};

MistakeList mistakes() {
  std::vector<MistakeRow> rows;
  for (const conv2d::mistakes::Mistake& each : conv2d::mistakes::list()) {
    rows.push_back({.name = std::string(each.name),
                    .title = std::string(each.title),
                    .sentence = std::string(each.sentence),
                    .lesson = std::string(each.lesson)});
  }
  return MistakeList(val::array(rows));
}

/// What each is called, for a person.
TitleList exactnesses() {
  std::vector<std::string> titles;
  for (const conv2d::mistakes::Exactness& each : conv2d::mistakes::exactnesses()) titles.emplace_back(each.title);
  return TitleList(val::array(titles));
}

Float32View view(Handle handle, MistakeSlot slot) {
  return view_of<Float32View>(session_at<MistakeSession>(handle).span(slot));
}

template <class Struct, std::vector<int> Struct::*Member>
PlaceList get_places(const Struct& object) {
  return PlaceList(val::array(object.*Member));
}
/// Such a list only ever leaves the module.
template <class Struct>
void set_places(Struct&, PlaceList) {}

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_mistakes) {
  using emscripten::value_object;
  emscripten::register_type<MistakeList>("MistakeRow[]");
  emscripten::register_type<PlaceList>("number[]");
  emscripten::register_type<TitleList>("string[]");
  emscripten::enum_<MistakeSlot>("MistakeSlot")
      .value("x", MistakeSlot::x)
      .value("w", MistakeSlot::w)
      .value("b", MistakeSlot::b)
      .value("dy", MistakeSlot::dy)
      .value("wrong", MistakeSlot::wrong)
      .value("difference", MistakeSlot::difference)
      .value("measured", MistakeSlot::measured)
      .value("brought", MistakeSlot::brought)
      .value("right", MistakeSlot::right)
      .value("magnitudes", MistakeSlot::magnitudes);
  value_object<MistakeRow>("MistakeRow")
      .field("name", &MistakeRow::name)
      .field("title", &MistakeRow::title)
      .field("sentence", &MistakeRow::sentence)
      .field("lesson", &MistakeRow::lesson);
  value_object<Diagnosed>("Diagnosed")
      .field("status", &Diagnosed::status)
      .field("right", &Diagnosed::right)
      .field("explanations", &get_places<Diagnosed, &Diagnosed::explanations>, &set_places<Diagnosed>);
  value_object<Shown>("Shown")
      .field("status", &Shown::status)
      .field("occasion", &Shown::occasion)
      .field("differs", &Shown::differs)
      .field("alike", &get_places<Shown, &Shown::alike>, &set_places<Shown>);
  value_object<CheckedBug> checked("CheckedBug");
  checked.field("status", &CheckedBug::status);
  count_field<&CheckedBug::failed>(checked, "failed");
  count_field<&CheckedBug::worst>(checked, "worst");
  value_object<HeldResult> held("HeldResult");
  held.field("status", &HeldResult::status);
  count_field<&HeldResult::worst>(held, "worst");
  count_field<&HeldResult::not_finite>(held, "not_finite");
  held.field("factor", &HeldResult::factor)
      .field("within", &get_places<HeldResult, &HeldResult::within>, &set_places<HeldResult>);
  value_object<Explained>("Explained")
      .field("status", &Explained::status)
      .field("exactness", &Explained::exactness)
      .field("mistakes", &get_places<Explained, &Explained::mistakes>, &set_places<Explained>);
  using emscripten::function;
  function("mistakes", &mistakes);
  function("open_session", &open_session<MistakeSession>);
  function("close_session", &close_session<MistakeSession>);
  function("set_problem", &Call<&MistakeSession::set_problem>::of);
  function("reserve", &Call<&MistakeSession::reserve>::of);
  function("view", &view);
  function("stats", &Call<&MistakeSession::stats>::of);
  function("diagnose", &Call<&MistakeSession::diagnose>::of);
  function("show", &Call<&MistakeSession::show>::of);
  function("check", &Call<&MistakeSession::check>::of);
  function("exactnesses", &exactnesses);
  function("hold", &Call<&MistakeSession::hold>::of);
  function("explain", &Call<&MistakeSession::explain>::of);
  function("drop_signs", &Call<&MistakeSession::drop_signs>::of);
  function("rounding", &Call<&MistakeSession::rounding>::of);
}
