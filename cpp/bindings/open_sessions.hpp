#pragma once

#include "session/session.hpp"
#include "shared/handle.hpp"

/// The list of open sessions. Plain exports check it, because JavaScript can pass any number as a handle.
namespace conv2d::bindings {

Handle add_session();
/// Does nothing if no open session has this handle.
void remove_session(Handle handle);
bool is_open(const session::Session* session);

}  // namespace conv2d::bindings
