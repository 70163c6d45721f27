#include "open_sessions.hpp"

#include <emscripten/emscripten.h>

#include "session/session.hpp"

#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten/em_asm.h>

#include "conv2d/thread_pool.hpp"
#endif

/// The list of open sessions, and the plain exports that check it. Embind would add twice the size of these functions
/// to the download, and a call through it with a callback and a Status takes longer than a small convolution. They
/// return the ErrorCode; invalid_argument for an unknown session, pass or slot.

namespace conv2d::bindings {
namespace {

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

/// Session::run without a progress callback.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_run(Session* session, int pass) {
  const bool is_pass = pass >= 0 && pass <= static_cast<int>(Pass::backward_bias);
  if (!is_pass || !is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->run(static_cast<Pass>(pass), {}).code);
}

/// Session::sgd_step.
extern "C" EMSCRIPTEN_KEEPALIVE int conv2d_sgd_step(Session* session, unsigned parameter, unsigned gradient,
                                                    double rate) {
  if (!is_slot(parameter) || !is_slot(gradient) || !is_open(session)) return kInvalidArgument;
  return static_cast<int>(session->sgd_step(static_cast<Slot>(parameter), static_cast<Slot>(gradient), rate).code);
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
