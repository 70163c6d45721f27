#include "open_sessions.hpp"

#include <emscripten/emscripten.h>

#include <optional>

#include "session/session.hpp"

#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten/em_asm.h>

#include "conv2d/thread_pool.hpp"
#endif

/// The list of open sessions, and the plain exports that check it. Embind would add twice the size of these functions
/// to the download, and a call through it with a callback and a Status takes longer than a small convolution. They
/// return the ErrorCode; invalid_argument for an unknown session, step or slot.

namespace conv2d::bindings {
namespace {

using session::Operation;
using session::Session;
using session::Slot;

/// The threads of the module, shared by all its sessions: the number that the page requested, or 1 in a build without
/// threads. They belong to the module and not to a session, because an ended thread is reusable only after the page's
/// event loop has run.
Team module_team() {
#ifdef __EMSCRIPTEN_PTHREADS__
  static ThreadPool pool(EM_ASM_INT({ return Module["threads"]; }));
  return pool.team();
#else
  return {};
#endif
}

struct OpenSession {
  Session session;
  OpenSession* next = nullptr;
};
OpenSession* first_open = nullptr;

bool is_open(const Session* session) {
  const OpenSession* open = first_open;
  while (open && &open->session != session) open = open->next;
  return open != nullptr;
}

constexpr bool is_slot(unsigned slot) { return slot < session::kSlotCount; }
constexpr int kInvalidArgument = static_cast<int>(ErrorCode::invalid_argument);

}  // namespace

/// Session::next: the layer times kOperationCount plus the operation, or -1 if all is current.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_next(const Session* session, unsigned operations) {
  const auto step = is_open(session) ? session->next(operations) : std::nullopt;
  if (!step) return -1;
  return static_cast<int>(step->layer) * static_cast<int>(session::kOperationCount) + static_cast<int>(step->operation);
}

/// Session::run without a progress callback.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_run(Session* session, int layer, int operation) {
  if (!is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->run({layer, static_cast<Operation>(operation)}, {}).code);
}

/// Session::sgd_step.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_sgd_step(Session* session, bool of_x, double rate) {
  if (!is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->sgd_step(of_x, rate).code);
}

/// Session::subtract, of two tensors of one layer.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_subtract(Session* session, int layer, unsigned to, unsigned of,
                                                    double rate) {
  if (!is_slot(to) || !is_slot(of) || !is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->subtract({layer, static_cast<Slot>(to)}, {layer, static_cast<Slot>(of)}, rate).code);
}

/// Session::power_iteration_step.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_power_iteration_step(Session* session, bool of_x, double rate) {
  if (!is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->power_iteration_step(of_x, rate).code);
}

Handle add_session() {
  first_open = new OpenSession{.session = Session(module_team()), .next = first_open};
  return reinterpret_cast<Handle>(&first_open->session);
}

void remove_session(Handle handle) {
  OpenSession** link = &first_open;
  while (*link && reinterpret_cast<Handle>(&(*link)->session) != handle) link = &(*link)->next;
  if (OpenSession* const closed = *link) {
    *link = closed->next;
    delete closed;
  }
}

}  // namespace conv2d::bindings
