#pragma once

#include "session/session.hpp"
#include "shared/handle.hpp"

/// The sessions that are open. Plain exports look into the list: JavaScript calls them without Embind, and any number
/// could be an address.
namespace conv2d::bindings {

Handle add_session();
/// Does nothing where none is open under the handle.
void remove_session(Handle handle);
bool is_open(const session::Session* session);

}  // namespace conv2d::bindings
