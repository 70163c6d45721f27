#include <emscripten/bind.h>
#include <emscripten/emscripten.h>
#include <emscripten/val.h>
#include <malloc.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conv2d/algorithm.hpp"
#include "session.hpp"
#include "shared/handle.hpp"
#include "shared/views.hpp"

/// The module as JavaScript sees it: the library's own names, with counts as doubles (see shared/sizes.hpp) and arrays
/// as views of the heap that are good until the next call.

namespace {

using conv2d::bindings::Float32View;
using conv2d::bindings::Handle;
using conv2d::bindings::Session;
using conv2d::bindings::view_of;
using emscripten::val;

// Named array types, so that --emit-tsd writes them instead of `any`.
EMSCRIPTEN_DECLARE_VAL_TYPE(Float64View);
EMSCRIPTEN_DECLARE_VAL_TYPE(Int32View);
EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8View);
EMSCRIPTEN_DECLARE_VAL_TYPE(AlgorithmList);
EMSCRIPTEN_DECLARE_VAL_TYPE(ProgressCallback);

/// conv2d::AlgorithmInfo with types that cross the boundary.
struct AlgorithmRow {
  std::string name, description;
  bool supported = false;
  std::string reason;
  double workspace_floats = 0, cost = 0, error_bound = 0;
};

/// A session in the list of those that are open. conv2d_run looks into it; JavaScript calls it without Embind, and any
/// number could be an address.
struct Open {
  Session session;
  Open* next = nullptr;
};
Open* first_open = nullptr;

Handle open_session() {
  first_open = new Open{.session = {}, .next = first_open};
  return reinterpret_cast<Handle>(&first_open->session);
}

bool is_open(const Session* session) {
  const Open* open = first_open;
  while (open && &open->session != session) open = open->next;
  return open != nullptr;
}

void close_session(Handle handle) {
  Open** link = &first_open;
  while (*link && reinterpret_cast<Handle>(&(*link)->session) != handle) link = &(*link)->next;
  if (Open* const closed = *link) {
    *link = closed->next;
    delete closed;
  }
}

Session& at(Handle handle) { return conv2d::bindings::session_at<Session>(handle); }

Float32View view(Handle handle, conv2d::bindings::Slot slot) { return view_of<Float32View>(at(handle).writable(slot)); }
Int32View indices(Handle handle, conv2d::bindings::IndexSlot slot) {
  return view_of<Int32View>(at(handle).indices(slot));
}
Uint8View pixels(Handle handle) { return view_of<Uint8View>(at(handle).pixels()); }
Float64View check_table(Handle handle) { return view_of<Float64View>(at(handle).check_table()); }

AlgorithmList algorithms(Handle handle, conv2d::Pass pass) {
  std::vector<AlgorithmRow> rows;
  if (const auto& geometry = at(handle).geometry()) {
    for (const conv2d::AlgorithmInfo& info : conv2d::algorithms(*geometry, pass)) {
      rows.push_back({std::string(info.name), std::string(info.description), info.supported, info.reason,
                      static_cast<double>(info.workspace_floats), info.cost, info.error_bound});
    }
  }
  return AlgorithmList(val::array(rows));
}

/// `progress` must not throw: an exception would leave the module's stack where it stood.
conv2d::Status run(Handle handle, conv2d::Pass pass, ProgressCallback progress) {
  const auto step = [](void* context, std::int64_t done, std::int64_t total) {
    return (*static_cast<const ProgressCallback*>(context))(static_cast<double>(done), static_cast<double>(total))
        .as<bool>();
  };
  return at(handle).run(pass, {.step = step, .context = &progress});
}

double heap_in_use() { return static_cast<double>(static_cast<std::uint32_t>(mallinfo().uordblks)); }

}  // namespace

/// Session::run without a progress callback; returns the ErrorCode as a number. A plain export: to hand a callback in
/// and a Status out through Embind takes longer than a small convolution. invalid_argument for a handle of no open
/// session, and for a number of no pass.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_run(Session* session, int pass) {
  const bool is_pass = pass >= 0 && pass <= static_cast<int>(conv2d::Pass::backward_bias);
  if (!is_pass || !is_open(session)) return static_cast<int>(conv2d::ErrorCode::invalid_argument);
  return static_cast<int>(session->run(static_cast<conv2d::Pass>(pass), {}).code);
}

EMSCRIPTEN_BINDINGS(conv2d_arrays) {
  emscripten::register_type<Float64View>("Float64Array");
  emscripten::register_type<Int32View>("Int32Array");
  emscripten::register_type<Uint8View>("Uint8Array");
  emscripten::register_type<AlgorithmList>("AlgorithmRow[]");
  emscripten::register_type<ProgressCallback>("(done: number, total: number) => boolean");
}

EMSCRIPTEN_BINDINGS(conv2d_session) {
  using namespace conv2d::bindings;
  using emscripten::value_object;
  value_object<AlgorithmRow>("AlgorithmRow")
      .field("name", &AlgorithmRow::name)
      .field("description", &AlgorithmRow::description)
      .field("supported", &AlgorithmRow::supported)
      .field("reason", &AlgorithmRow::reason)
      .field("workspace_floats", &AlgorithmRow::workspace_floats)
      .field("cost", &AlgorithmRow::cost)
      .field("error_bound", &AlgorithmRow::error_bound);
  emscripten::value_array<Shape>("Shape")
      .element(emscripten::index<0>())
      .element(emscripten::index<1>())
      .element(emscripten::index<2>())
      .element(emscripten::index<3>());
  value_object<Resolved>("Resolved")
      .field("status", &Resolved::status)
      .field("geometry", &Resolved::geometry)
      .field("x_shape", &Resolved::x_shape)
      .field("w_shape", &Resolved::w_shape)
      .field("y_shape", &Resolved::y_shape);
  value_object<Planned>("Planned")
      .field("status", &Planned::status)
      .field("algorithm", &Planned::algorithm)
      .field("workspace_floats", &Planned::workspace_floats)
      .field("packed_floats", &Planned::packed_floats)
      .field("threads", &Planned::threads);
  value_object<Shaped>("Shaped").field("status", &Shaped::status).field("shape", &Shaped::shape);
  value_object<Framed>("Framed")
      .field("status", &Framed::status)
      .field("shape", &Framed::shape)
      .field("total_steps", &Framed::total_steps);
  value_object<Measured>("Measured").field("status", &Measured::status).field("value", &Measured::value);
  value_object<CheckOptions>("CheckOptions")
      .field("loss", &CheckOptions::loss)
      .field("parameter", &CheckOptions::parameter)
      .field("float64", &CheckOptions::float64)
      .field("epsilon", &CheckOptions::epsilon);
  value_object<CheckSummary>("CheckSummary")
      .field("status", &CheckSummary::status)
      .field("cells", &CheckSummary::cells)
      .field("max_absolute_error", &CheckSummary::max_absolute_error)
      .field("max_relative_error", &CheckSummary::max_relative_error);

  using emscripten::function;
  function("open_session", &::open_session);
  function("close_session", &::close_session);
  function("set_problem", &Call<&Session::set_problem>::of);
  function("reserve", &Call<&Session::reserve>::of);
  function("reserve_indices", &Call<&Session::reserve_indices>::of);
  function("reserve_pixels", &Call<&Session::reserve_pixels>::of);
  function("view", &view);
  function("indices", &indices);
  function("pixels", &pixels);
  function("check_table", &check_table);
  function("algorithms", &algorithms);
  function("plan", &Call<&Session::plan>::of);
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
  function("gradient_check", &Call<&Session::gradient_check>::of);
  function("heap_in_use", &heap_in_use);
}
