#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <string>
#include <utility>

#include "open_sessions.hpp"
#include "session/session.hpp"
#include "shared/conversions.hpp"

/// The JavaScript interface of the module. Names are those of the library. See shared/conversions.hpp for counts and
/// arrays.

namespace {

using conv2d::bindings::Float32View;
using conv2d::bindings::Handle;
using conv2d::bindings::view_of;
using conv2d::session::Session;
using conv2d::session::Shape;
using emscripten::val;

// Named types, so that --emit-tsd writes them instead of `any`.
EMSCRIPTEN_DECLARE_VAL_TYPE(Int32View);
EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8View);
EMSCRIPTEN_DECLARE_VAL_TYPE(AlgorithmList);
EMSCRIPTEN_DECLARE_VAL_TYPE(ProgressCallback);

/// Result of set_problem.
struct ProblemResult {
  conv2d::Status status;
  conv2d::Geometry geometry;
  Shape x_shape{}, w_shape{}, y_shape{};
};

/// Result of plan.
struct PlanResult {
  conv2d::Status status;
  std::string algorithm;  ///< name of the algorithm
  std::int64_t workspace_floats = 0;
  std::int64_t packed_floats = 0;  ///< of the weights, which are packed from the second run on
  int threads = 1;                 ///< number of threads
};

Session& at(Handle handle) { return conv2d::bindings::session_at<Session>(handle); }

ProblemResult set_problem(Handle handle, const conv2d::ConvDesc& desc) {
  Session& session = at(handle);
  conv2d::Status status = session.set_problem(desc);
  if (!status.ok()) return {.status = std::move(status), .geometry = {}};
  const conv2d::Geometry& g = *session.geometry();
  return {.status = {}, .geometry = g, .x_shape = g.x_shape(), .w_shape = g.w_shape(), .y_shape = g.y_shape()};
}

PlanResult plan(Handle handle, conv2d::Pass pass, const std::string& algorithm) {
  Session& session = at(handle);
  conv2d::Status status = session.plan(pass, algorithm);
  if (!status.ok()) return {.status = std::move(status), .algorithm = {}};
  const conv2d::Plan& planned = *session.planned(pass);
  return {.status = {},
          .algorithm = std::string(planned.algorithm()),
          .workspace_floats = planned.workspace_floats(),
          .packed_floats = planned.packed_floats(),
          .threads = planned.threads()};
}

Float32View view(Handle handle, conv2d::session::Slot slot) { return view_of<Float32View>(at(handle).view(slot)); }
Int32View indices(Handle handle, conv2d::session::IndexSlot slot) {
  return view_of<Int32View>(at(handle).indices(slot));
}
Uint8View pixels(Handle handle) { return view_of<Uint8View>(at(handle).pixels()); }

AlgorithmList algorithms(Handle handle, conv2d::Pass pass) {
  return AlgorithmList(val::array(at(handle).algorithms(pass)));
}

/// `progress` must not throw: an exception would not restore the module's stack pointer.
conv2d::Status run(Handle handle, conv2d::Pass pass, ProgressCallback progress) {
  const auto step = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    return (*static_cast<const ProgressCallback*>(context))(static_cast<double>(done), static_cast<double>(total))
        .as<bool>();
  };
  return at(handle).run(pass, {.step = step, .context = &progress});
}

template <int kAxis>
double get_size(const Shape& shape) {
  return static_cast<double>(shape[kAxis]);
}
template <int kAxis>
void set_size(Shape& shape, double value) {
  shape[kAxis] = conv2d::bindings::to_count(value);
}

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_arrays) {
  emscripten::register_type<Int32View>("Int32Array");
  emscripten::register_type<Uint8View>("Uint8Array");
  emscripten::register_type<AlgorithmList>("AlgorithmRow[]");
  emscripten::register_type<ProgressCallback>("(done: number, total: number) => boolean");
}

EMSCRIPTEN_BINDINGS(conv2d_session) {
  using namespace conv2d::bindings;
  using namespace conv2d::session;
  using emscripten::value_object;
  using Info = conv2d::AlgorithmInfo;
  value_object<Info> row("AlgorithmRow");
  text_field<&Info::name>(row, "name");
  text_field<&Info::description>(row, "description");
  row.field("supported", &Info::supported).field("reason", &Info::reason);
  count_field<&Info::workspace_floats>(row, "workspace_floats");
  row.field("cost", &Info::cost).field("error_bound", &Info::error_bound).field("mixes_cells", &Info::mixes_cells);
  emscripten::value_array<Shape>("Shape")
      .element(&get_size<0>, &set_size<0>)
      .element(&get_size<1>, &set_size<1>)
      .element(&get_size<2>, &set_size<2>)
      .element(&get_size<3>, &set_size<3>);
  value_object<ProblemResult>("ProblemResult")
      .field("status", &ProblemResult::status)
      .field("geometry", &ProblemResult::geometry)
      .field("x_shape", &ProblemResult::x_shape)
      .field("w_shape", &ProblemResult::w_shape)
      .field("y_shape", &ProblemResult::y_shape);
  value_object<PlanResult> planned("PlanResult");
  planned.field("status", &PlanResult::status).field("algorithm", &PlanResult::algorithm);
  count_field<&PlanResult::workspace_floats>(planned, "workspace_floats");
  count_field<&PlanResult::packed_floats>(planned, "packed_floats");
  planned.field("threads", &PlanResult::threads);
  value_object<StageResult>("StageResult").field("status", &StageResult::status).field("shape", &StageResult::shape);
  value_object<PartialResult> partial("PartialResult");
  partial.field("status", &PartialResult::status).field("shape", &PartialResult::shape);
  count_field<&PartialResult::total_steps>(partial, "total_steps");
  value_object<ScalarResult>("ScalarResult")
      .field("status", &ScalarResult::status)
      .field("value", &ScalarResult::value);

  using emscripten::function;
  function("open_session", &conv2d::bindings::add_session);
  function("close_session", &conv2d::bindings::remove_session);
  function("set_problem", &::set_problem);
  function("reserve", &Call<&Session::reserve>::of);
  function("reserve_indices", &Call<&Session::reserve_indices>::of);
  function("reserve_pixels", &Call<&Session::reserve_pixels>::of);
  function("view", &view);
  function("indices", &indices);
  function("pixels", &pixels);
  function("algorithms", &algorithms);
  function("plan", &::plan);
  function("run", &run);
  function("stage", &Call<&Session::stage>::of);
  function("partial", &Call<&Session::partial>::of);
  function("fold", &Call<&Session::fold>::of);
  function("coverage", &Call<&Session::coverage>::of);
  function("products", &Call<&Session::products>::of);
  function("max_abs_difference", &Call<&Session::max_abs_difference>::of);
  function("adjoint", &Call<&Session::adjoint>::of);
  function("stats", &Call<&Session::stats>::of);
  function("random_dy", &Call<&Session::random_dy>::of);
  function("loss_dy", &Call<&Session::loss_dy>::of);
  function("loss_cell", &Call<&Session::loss_cell>::of);
  function("tensor_of_pixels", &Call<&Session::tensor_of_pixels>::of);
}
