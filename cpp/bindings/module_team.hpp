#pragma once

#include "conv2d/team.hpp"

namespace conv2d::bindings {

/// The threads of the module, shared by all its sessions: the number that the page requested, or 1 in a build without
/// threads. They belong to the module and not to a session, because an ended thread is reusable only after the page's
/// event loop has run.
Team module_team();

}  // namespace conv2d::bindings
