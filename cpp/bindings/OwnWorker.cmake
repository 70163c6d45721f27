# Emscripten's loader starts its workers from a file of its own name, which a built site has renamed, by a mere text, which a
# strict policy refuses, and keeps them to itself. Whoever loads the module starts them instead, and can end them.
get_filename_component(name "${LOADER}" NAME)
set(by_name "new Worker(new URL(\"${name}\",import.meta.url),")
file(READ "${LOADER}" text)
string(REGEX REPLACE "new Worker\\( *new URL\\( *\"${name}\" *, *import.meta.url *\\) *," "Module.startWorker(" patched "${text}")
if(patched STREQUAL text)
  message(FATAL_ERROR "${LOADER} no longer starts its workers by ${by_name}")
endif()
file(WRITE "${LOADER}" "${patched}")
