#pragma once

#include "shared/conversions.hpp"

/// The list of open sessions. Plain exports check it, because JavaScript can pass any number as a handle.
namespace conv2d::bindings {

Handle add_session();
/// Does nothing if no open session has this handle.
void remove_session(Handle handle);

}  // namespace conv2d::bindings
