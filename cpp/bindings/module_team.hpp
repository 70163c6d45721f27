#pragma once

#include "conv2d/team.hpp"

namespace conv2d::bindings {

/// The module's threads, for the passes of all its sessions: as many as the page asked for when it loaded the module,
/// or the calling one in a build without threads. They belong to the module and not to a session, because a thread that
/// ends is free for the next session only after the page's event loop has turned.
Team module_team();

}  // namespace conv2d::bindings
