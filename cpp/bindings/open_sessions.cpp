#include "open_sessions.hpp"

#include "module_team.hpp"

namespace conv2d::bindings {
namespace {

struct OpenSession {
  session::Session session;
  OpenSession* next = nullptr;
};
OpenSession* first_open = nullptr;

}  // namespace

Handle add_session() {
  first_open = new OpenSession{.session = session::Session(module_team()), .next = first_open};
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

bool is_open(const session::Session* session) {
  const OpenSession* open = first_open;
  while (open && &open->session != session) open = open->next;
  return open != nullptr;
}

}  // namespace conv2d::bindings
