# Emscripten's loader starts its workers from a file of its own name. The built site names files by their contents: the loader
# must ask for itself by the address that it has. A page whose policy takes no mere text for an address hands it over.
get_filename_component(name "${LOADER}" NAME)
set(by_name "new URL(\"${name}\",import.meta.url)")
file(READ "${LOADER}" text)
string(REGEX REPLACE "new URL\\( *\"${name}\" *, *import.meta.url *\\)" "Module.workerAddress??new URL(import.meta.url)" patched "${text}")
if(patched STREQUAL text)
  message(FATAL_ERROR "${LOADER} no longer starts its workers by ${by_name}")
endif()
file(WRITE "${LOADER}" "${patched}")
