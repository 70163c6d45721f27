#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "chains/layer_descs.hpp"
#include "open_sessions.hpp"
#include "session/session.hpp"
#include "shared/conversions.hpp"

/// The JavaScript interface of the module. Names are those of the library. See shared/conversions.hpp for counts and
/// arrays.

namespace {

using conv2d::bindings::Float32View;
using conv2d::bindings::Handle;
using conv2d::bindings::LayerDescs;
using conv2d::bindings::to_count;
using conv2d::bindings::view_of;
using conv2d::session::Session;
using conv2d::session::Shape;
using conv2d::session::Slot;
using conv2d::session::TensorId;
using emscripten::val;

// Named types, so that --emit-tsd writes them instead of `any`.
EMSCRIPTEN_DECLARE_VAL_TYPE(ShapeList);
EMSCRIPTEN_DECLARE_VAL_TYPE(Int32View);
EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8View);
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerRows);
EMSCRIPTEN_DECLARE_VAL_TYPE(AlgorithmList);
EMSCRIPTEN_DECLARE_VAL_TYPE(ProgressCallback);

/// A layer of a chain that was set.
struct LayerRow {
  conv2d::Geometry geometry;
  Shape x_shape{}, w_shape{}, y_shape{};
  std::int64_t w_size = 0, b_size = 0;
};

/// Result of set_problem.
struct ProblemResult {
  conv2d::Status status;
  LayerRows layers = LayerRows(val::array());  ///< empty after an error
};

/// How a pass of a layer runs.
struct PlanReport {
  std::string algorithm;  ///< empty for a layer without weights
  std::int64_t workspace_floats = 0;
  std::int64_t packed_floats = 0;  ///< of the weights, which are packed from the second run on
  int threads = 1;
};

Session& at(Handle handle) { return conv2d::bindings::session_at<Session>(handle); }
TensorId id_of(double layer, Slot slot) { return {to_count(layer), slot}; }

ProblemResult set_problem(Handle handle, const conv2d::ChainDesc& input, const LayerDescs& layers,
                          const std::string& loss) {
  ProblemResult result;
  result.status = at(handle).set_problem(input, conv2d::bindings::descs_of(layers), loss);
  if (!result.status.ok()) return result;
  for (const conv2d::LayerInfo& layer : at(handle).chain()->layers()) {
    const conv2d::Geometry& g = layer.geometry;
    result.layers.call<void>("push", LayerRow{.geometry = g,
                                              .x_shape = layer.x_shape,
                                              .w_shape = g.w_shape(),
                                              .y_shape = layer.y_shape,
                                              .w_size = layer.w_size,
                                              .b_size = layer.b_size});
  }
  return result;
}

conv2d::Status set_algorithm(Handle handle, double layer, conv2d::Pass pass, const std::string& name) {
  return at(handle).set_algorithm(to_count(layer), pass, name);
}

PlanReport report(Handle handle, double layer, conv2d::Pass pass) {
  const conv2d::Plan* const planned = at(handle).planned(to_count(layer), pass);
  if (!planned) return {};
  return {.algorithm = std::string(planned->algorithm()),
          .workspace_floats = planned->workspace_floats(),
          .packed_floats = planned->packed_floats(),
          .threads = planned->threads()};
}

conv2d::Status reserve(Handle handle, double layer, Slot slot, double length) {
  return at(handle).reserve(id_of(layer, slot), to_count(length));
}
Float32View values(Handle handle, double layer, Slot slot) {
  return view_of<Float32View>(at(handle).values(id_of(layer, slot)));
}
Float32View writable(Handle handle, double layer, Slot slot) {
  return view_of<Float32View>(at(handle).writable(id_of(layer, slot)));
}
double version(Handle handle, double layer, Slot slot) { return at(handle).version(id_of(layer, slot)); }
conv2d::TensorStats stats(Handle handle, double layer, Slot slot) { return at(handle).stats(id_of(layer, slot)); }
double norm(Handle handle, double layer, Slot slot) { return at(handle).norm(id_of(layer, slot)); }
Int32View winners(Handle handle, double layer) { return view_of<Int32View>(at(handle).winners(to_count(layer))); }
Int32View indices(Handle handle, conv2d::session::IndexSlot slot) {
  return view_of<Int32View>(at(handle).indices(slot));
}
Uint8View pixels(Handle handle) { return view_of<Uint8View>(at(handle).pixels()); }

AlgorithmList algorithms(Handle handle, double layer, conv2d::Pass pass) {
  return AlgorithmList(val::array(at(handle).algorithms(to_count(layer), pass)));
}

/// The hook that calls `progress`, which must not throw: an exception would not restore the module's stack pointer.
conv2d::ProgressHook hook_of(ProgressCallback& progress) {
  const auto step = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    return (*static_cast<const ProgressCallback*>(context))(static_cast<double>(done), static_cast<double>(total))
        .as<bool>();
  };
  return {.step = step, .context = &progress};
}

/// `operation`: the number of an Operation.
conv2d::Status run(Handle handle, double layer, int operation, ProgressCallback progress) {
  return at(handle).run({to_count(layer), static_cast<conv2d::session::Operation>(operation)}, hook_of(progress));
}
/// Of two tensors of one layer.
conv2d::session::ScalarResult max_abs_difference(Handle handle, double layer, Slot a, Slot b) {
  return at(handle).max_abs_difference(id_of(layer, a), id_of(layer, b));
}

}  // namespace

namespace conv2d::bindings {

/// Output only. A value_array would be 0.3 kB more of the first download.
template <>
struct Passed<Shape> {
  using Type = ShapeList;
  static Shape in(const ShapeList&) { return {}; }
  static ShapeList out(const Shape& shape) {
    const std::array<double, 4> sizes{static_cast<double>(shape[0]), static_cast<double>(shape[1]),
                                      static_cast<double>(shape[2]), static_cast<double>(shape[3])};
    return ShapeList(val::array(sizes.begin(), sizes.end()));
  }
};

}  // namespace conv2d::bindings

EMSCRIPTEN_BINDINGS(conv2d_session) {
  emscripten::register_type<ShapeList>("[number, number, number, number]");
  emscripten::register_type<Int32View>("Int32Array");
  emscripten::register_type<Uint8View>("Uint8Array");
  emscripten::register_type<LayerRows>("LayerRow[]");
  emscripten::register_type<AlgorithmList>("AlgorithmRow[]");
  emscripten::register_type<ProgressCallback>("(done: number, total: number) => boolean");

  using namespace conv2d::bindings;
  using namespace conv2d::session;
  using emscripten::value_object;
  using Info = conv2d::AlgorithmInfo;
  value_object<Info> row("AlgorithmRow");
  field<&Info::name>(row, "name");
  field<&Info::description>(row, "description");
  field<&Info::supported>(row, "supported");
  field<&Info::reason>(row, "reason");
  field<&Info::workspace_floats>(row, "workspace_floats");
  field<&Info::cost>(row, "cost");
  field<&Info::error_bound>(row, "error_bound");
  field<&Info::mixes_cells>(row, "mixes_cells");
  value_object<LayerRow> layer("LayerRow");
  field<&LayerRow::geometry>(layer, "geometry");
  field<&LayerRow::x_shape>(layer, "x_shape");
  field<&LayerRow::w_shape>(layer, "w_shape");
  field<&LayerRow::y_shape>(layer, "y_shape");
  field<&LayerRow::w_size>(layer, "w_size");
  field<&LayerRow::b_size>(layer, "b_size");
  value_object<ProblemResult> problem("ProblemResult");
  field<&ProblemResult::status>(problem, "status");
  field<&ProblemResult::layers>(problem, "layers");
  value_object<PlanReport> plan("PlanReport");
  field<&PlanReport::algorithm>(plan, "algorithm");
  field<&PlanReport::workspace_floats>(plan, "workspace_floats");
  field<&PlanReport::packed_floats>(plan, "packed_floats");
  field<&PlanReport::threads>(plan, "threads");
  value_object<StageResult> stage("StageResult");
  field<&StageResult::status>(stage, "status");
  field<&StageResult::shape>(stage, "shape");
  value_object<PartialResult> partial("PartialResult");
  field<&PartialResult::status>(partial, "status");
  field<&PartialResult::shape>(partial, "shape");
  field<&PartialResult::total_steps>(partial, "total_steps");
  value_object<ScalarResult> scalar("ScalarResult");
  field<&ScalarResult::status>(scalar, "status");
  field<&ScalarResult::value>(scalar, "value");

  using emscripten::function;
  function("open_session", &conv2d::bindings::add_session);
  function("close_session", &conv2d::bindings::remove_session);
  function("set_problem", &::set_problem);
  function("set_algorithm", &set_algorithm);
  function("report", &report);
  function("reserve", &reserve);
  function("reserve_indices", &Call<&Session::reserve_indices>::of);
  function("reserve_pixels", &Call<&Session::reserve_pixels>::of);
  function("values", &values);
  function("writable", &writable);
  function("winners", &winners);
  function("version", &version);
  function("stats", &stats);
  function("norm", &norm);
  function("indices", &indices);
  function("pixels", &pixels);
  function("algorithms", &algorithms);
  function("run", &run);
  function("loss", &Call<&Session::loss>::of);
  function("stage", &Call<&Session::stage>::of);
  function("partial", &Call<&Session::partial>::of);
  function("fold", &Call<&Session::fold>::of);
  function("coverage", &Call<&Session::coverage>::of);
  function("products", &Call<&Session::products>::of);
  function("max_abs_difference", &max_abs_difference);
  function("adjoint", &Call<&Session::adjoint>::of);
  function("random_dy", &Call<&Session::random_dy>::of);
  function("loss_cell", &Call<&Session::loss_cell>::of);
  function("averages", &Call<&Session::averages>::of);
  function("tensor_of_pixels", &Call<&Session::tensor_of_pixels>::of);
}
