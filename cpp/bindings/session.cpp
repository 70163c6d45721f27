#include "session.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "module_team.hpp"
#include "values.hpp"

namespace conv2d::bindings {
namespace {

constexpr std::array<std::string_view, kSlotCount> kSlotNames{"x",  "w",  "b",      "y",     "dy",    "dx",
                                                              "dw", "db", "target", "stage", "result"};

constexpr std::string_view name_of(Slot slot) noexcept { return kSlotNames[static_cast<std::size_t>(slot)]; }

constexpr Slot output_of(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return Slot::y;
    case Pass::backward_data:
      return Slot::dx;
    case Pass::backward_weights:
      return Slot::dw;
    case Pass::backward_bias:
      return Slot::db;
  }
  return Slot::y;
}

constexpr Slot parameter_of(Parameter parameter) noexcept {
  return parameter == Parameter::x ? Slot::x : parameter == Parameter::w ? Slot::w : Slot::b;
}

constexpr Slot gradient_of(Parameter parameter) noexcept {
  return parameter == Parameter::x ? Slot::dx : parameter == Parameter::w ? Slot::dw : Slot::db;
}

constexpr std::int64_t size_of(const std::array<std::int64_t, 4>& shape) noexcept {
  return shape[0] * shape[1] * shape[2] * shape[3];
}

Status no_problem() { return {ErrorCode::invalid_argument, "desc", "no problem has been set in this session"}; }

Status not_planned() { return {ErrorCode::invalid_argument, "pass", "the pass has not been planned"}; }

}  // namespace

const HeapBuffer<float>& Session::tensor(Slot slot) const noexcept { return tensors_[static_cast<std::size_t>(slot)]; }
HeapBuffer<float>& Session::tensor(Slot slot) noexcept { return tensors_[static_cast<std::size_t>(slot)]; }

Resolved Session::set_problem(const ConvDesc& desc) {
  const Result<Geometry> resolved = resolve(desc);
  if (!resolved.ok()) {
    return {.status = resolved.status(), .geometry = {}};
  }
  for (const Slot slot : {Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db, Slot::stage, Slot::result}) {
    tensor(slot).release();
  }
  forget_packed();
  workspace_.release();
  check_table_.release();
  plans_ = {};
  loss_ = Loss::linear;
  geometry_ = *resolved;
  return {.status = {},
          .geometry = *geometry_,
          .x_shape = to_shape(geometry_->x_shape()),
          .w_shape = to_shape(geometry_->w_shape()),
          .y_shape = to_shape(geometry_->y_shape())};
}

Status Session::reserve(Slot slot, double length) {
  if (slot == Slot::w) forget_packed();
  return tensor(slot).reserve(to_count(length), name_of(slot));
}

std::span<float> Session::writable(Slot slot) noexcept {
  if (slot == Slot::w) forget_packed();
  return span(slot);
}

void Session::forget_packed() noexcept {
  for (PackedWeights& packed : packed_) {
    packed.values.release();
    packed.used = packed.ready = false;
  }
}

std::span<const float> Session::packed_weights(const Plan& plan) {
  PackedWeights& packed = packed_[static_cast<std::size_t>(plan.pass())];
  if (packed.ready) return packed.values.span();
  // A single run packs panel by panel, which costs no more. Without memory for all of them the others do, too.
  const bool again = std::exchange(packed.used, true);
  if (plan.packed_floats() == 0 || !again || !packed.values.reserve(plan.packed_floats(), "packed").ok() ||
      !pack_weights(plan, span(Slot::w), packed.values.span()).ok()) {
    return {};
  }
  packed.ready = true;
  return packed.values.span();
}

Status Session::reserve_indices(IndexSlot slot, double length) {
  return indices_[static_cast<std::size_t>(slot)].reserve(to_count(length),
                                                          slot == IndexSlot::a ? "index_a" : "index_b");
}

Status Session::reserve_pixels(double bytes) { return pixels_.reserve(to_count(bytes), "pixels"); }

std::span<std::int32_t> Session::indices(IndexSlot slot) const noexcept {
  return indices_[static_cast<std::size_t>(slot)].span();
}

Planned Session::plan(Pass pass, const std::string& algorithm) {
  if (!geometry_) {
    return {.status = no_problem(), .algorithm = {}};
  }
  Result<Plan> planned = conv2d::plan(
      *geometry_, pass, {.algorithm = algorithm, .threads = module_team().threads, .packed_weights = true});
  if (!planned.ok()) {
    return {.status = planned.status(), .algorithm = {}};
  }
  const Slot output = output_of(pass);
  Status status = tensor(output).reserve(geometry_->result_size(pass), name_of(output));
  if (status.ok()) {
    status = workspace_.reserve(planned->workspace_floats(), "workspace");
  }
  if (!status.ok()) {
    return {.status = std::move(status), .algorithm = {}};
  }
  plans_[static_cast<std::size_t>(pass)] = *planned;
  packed_[static_cast<std::size_t>(pass)] = {};
  return {.status = {},
          .algorithm = std::string(planned->algorithm()),
          .workspace_floats = static_cast<double>(planned->workspace_floats()),
          .packed_floats = static_cast<double>(planned->packed_floats()),
          .threads = planned->threads()};
}

Status Session::run(Pass pass, const ProgressHook& progress) {
  const std::optional<Plan>& plan = plans_[static_cast<std::size_t>(pass)];
  if (!plan) {
    return not_planned();
  }
  // The workspace is shared by the passes: another plan may have changed its length since.
  if (Status status = workspace_.reserve(plan->workspace_floats(), "workspace"); !status.ok()) {
    return status;
  }
  return conv2d::run(*plan,
                     {.x = span(Slot::x),
                      .w = span(Slot::w),
                      .packed = packed_weights(*plan),
                      .b = span(Slot::b),
                      .dy = span(Slot::dy),
                      .out = span(output_of(pass))},
                     {.workspace = workspace_.span(), .progress = progress, .team = module_team()});
}

Shaped Session::stage(Stage stage, const StageOptions& options) {
  if (!geometry_) {
    return {.status = no_problem()};
  }
  const auto shape = stage_shape(*geometry_, stage, options);
  if (!shape.ok()) {
    return {.status = shape.status()};
  }
  const std::array<std::int64_t, 4> sizes = *shape;
  Status status = tensor(Slot::stage).reserve(size_of(sizes), to_string(stage));
  if (status.ok()) {
    status = compute_stage(*geometry_, stage, {.x = span(Slot::x), .w = span(Slot::w), .dy = span(Slot::dy)},
                           span(Slot::stage), options);
  }
  return {.status = std::move(status), .shape = to_shape(sizes)};
}

Framed Session::partial(Process process, double steps) {
  if (!geometry_) {
    return {.status = no_problem()};
  }
  const auto shape = process_shape(*geometry_, process);
  if (!shape.ok()) {
    return {.status = shape.status()};
  }
  Status status = tensor(Slot::result).reserve(size_of(*shape), to_string(process));
  if (status.ok()) {
    status = workspace_.reserve(process_workspace_floats(*geometry_, process), "workspace");
  }
  if (status.ok()) {
    const PartialInputs inputs{.x = span(Slot::x), .w = span(Slot::w), .b = span(Slot::b), .dy = span(Slot::dy)};
    status = compute_partial(*geometry_, process, to_count(steps), inputs, span(Slot::result), workspace_.span());
  }
  return {.status = std::move(status),
          .shape = to_shape(*shape),
          .total_steps = static_cast<double>(process_steps(*geometry_, process))};
}

Framed Session::fold(FoldMode mode, double positions) {
  Shaped columns = stage(Stage::dx_col, {});
  if (!columns.status.ok()) {
    return {.status = std::move(columns.status)};
  }
  const std::int64_t all = geometry_->n * geometry_->oh * geometry_->ow;
  Status status = tensor(Slot::result).reserve(geometry_->x_size, "dx");
  if (status.ok()) {
    status = fold_partial(*geometry_, span(Slot::stage), mode, positions < 0 ? all : to_count(positions),
                          span(Slot::result));
  }
  return {
      .status = std::move(status), .shape = to_shape(geometry_->x_shape()), .total_steps = static_cast<double>(all)};
}

Status Session::coverage() {
  if (!geometry_) {
    return no_problem();
  }
  Status status = tensor(Slot::result).reserve(geometry_->h * geometry_->w, "coverage");
  return status.ok() ? conv2d::coverage(*geometry_, span(Slot::result)) : status;
}

Measured Session::products(Slot a, Slot b, double run) {
  const std::span<const std::int32_t> index_a = indices(IndexSlot::a);
  const std::span<const std::int32_t> index_b = indices(IndexSlot::b);
  const std::size_t length = static_cast<std::size_t>(std::max<std::int64_t>(to_count(run), 1));
  const std::size_t runs = (index_a.size() + length - 1) / length;
  if (Status status = tensor(Slot::result).reserve(static_cast<std::int64_t>(index_a.size() + runs), "products");
      !status.ok()) {
    return {.status = std::move(status)};
  }
  const std::span<float> out = span(Slot::result).first(index_a.size());
  const std::span<const float> other = index_b.empty() ? std::span<const float>{} : span(b);
  const auto sum = conv2d::products(span(a), index_a, other, index_b, out);
  if (!sum.ok()) {
    return {.status = sum.status()};
  }
  return {.status = subtotals(out, length, span(Slot::result).subspan(index_a.size())), .value = *sum};
}

Measured Session::max_abs_difference(Slot a, Slot b) const {
  const auto difference = conv2d::max_abs_difference(span(a), span(b));
  return difference.ok() ? Measured{.status = {}, .value = *difference} : Measured{.status = difference.status()};
}

Status Session::adjoint() {
  Status status = tensor(Slot::result).reserve(4, "numbers");
  return status.ok() ? adjoint_check(span(Slot::y), span(Slot::dy), span(Slot::x), span(Slot::dx), span(Slot::result))
                     : status;
}

Status Session::random_dy(double seed) {
  if (!geometry_) {
    return no_problem();
  }
  Status status = tensor(Slot::dy).reserve(geometry_->y_size, "dy");
  if (status.ok()) {
    random_values(static_cast<std::uint32_t>(to_count(seed)), span(Slot::dy));
  }
  return status;
}

Measured Session::loss_dy(Loss loss) {
  if (!geometry_) {
    return {.status = no_problem()};
  }
  Status status = tensor(Slot::dy).reserve(geometry_->y_size, "dy");
  if (status.ok()) {
    status = loss_gradient<float>(loss, span(Slot::y), span(Slot::target), span(Slot::dy));
  }
  if (!status.ok()) {
    return {.status = std::move(status)};
  }
  loss_ = loss;
  const auto value = loss_value<float>(loss, span(Slot::y), span(Slot::target));
  return {.status = {}, .value = static_cast<double>(*value)};
}

Status Session::loss_cell(double index) {
  const std::span<const float> y = span(Slot::y);
  const std::span<const float> target = span(Slot::target);
  const std::int64_t cell = to_count(index);
  if (loss_ == Loss::linear || cell < 0 || cell >= static_cast<std::int64_t>(std::min(y.size(), target.size()))) {
    return {ErrorCode::invalid_argument, "index", "index names no cell of a dy that is the gradient of a loss"};
  }
  Status status = tensor(Slot::result).reserve(5, "numbers");
  if (status.ok()) {
    const auto at = static_cast<std::size_t>(cell);
    const LossCell<float> made = conv2d::loss_cell(loss_, y[at], target[at], y.size());
    std::ranges::copy(std::array{y[at], target[at], made.difference, made.slope, made.gradient},
                      span(Slot::result).begin());
  }
  return status;
}

Status Session::tensor_of_pixels(double channels) {
  const std::int64_t pixel_count = static_cast<std::int64_t>(pixels().size() / 4);
  const int depth = channels == 1 ? 1 : 3;
  Status status = tensor(Slot::result).reserve(pixel_count * depth, "image");
  if (status.ok()) {
    values_of_pixels(pixels(), depth, span(Slot::result));
  }
  pixels_.release();
  return status;
}

CheckSummary Session::gradient_check(const CheckOptions& options) {
  if (!geometry_) {
    return {.status = no_problem()};
  }
  const std::span<const std::int32_t> chosen = indices(IndexSlot::a);
  HeapBuffer<std::int64_t> cells;
  if (Status status = cells.reserve(static_cast<std::int64_t>(chosen.size()), "indices"); !status.ok()) {
    return {.status = std::move(status)};
  }
  std::ranges::copy(chosen, cells.span().begin());
  // What the kernel made of the session's dy is on trial; a loss with a dy of its own has only the reference's
  // gradient.
  const Slot judged = gradient_of(options.parameter);
  const bool made = options.loss == Loss::linear && span(judged).size() == span(parameter_of(options.parameter)).size();
  const CheckTensors tensors{.x = span(Slot::x),
                             .w = span(Slot::w),
                             .b = span(Slot::b),
                             .dy = span(Slot::dy),
                             .target = span(Slot::target),
                             .gradient = made ? span(judged) : std::span<const float>{}};
  return fill_gradient_table(*geometry_, tensors, options, cells.span(), check_table_);
}

}  // namespace conv2d::bindings
