// The port for vcpkg with stand-ins for its functions, which make the same calls of CMake with the built library. The recipe of Conan
// needs Conan (packaging/README.md); here only its names are compared.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILD_FOLDER, cmakeCacheEntry, ROOT, run, textOf, WORK_FOLDER } from './build';

const packages = join(WORK_FOLDER, 'vcpkg');

const STAND_INS = `
set(CURRENT_PACKAGES_DIR "${packages}")
function(vcpkg_cmake_configure)
  cmake_parse_arguments(ARG "" "SOURCE_PATH" "OPTIONS" \${ARGN})
  message("source \${ARG_SOURCE_PATH}")
  foreach(option IN LISTS ARG_OPTIONS)
    message("option \${option}")
  endforeach()
endfunction()
function(vcpkg_cmake_install)
  execute_process(COMMAND "\${CMAKE_COMMAND}" --install "${BUILD_FOLDER}" --prefix "${packages}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(ARG "" "CONFIG_PATH" "" \${ARGN})
  file(RENAME "${packages}/\${ARG_CONFIG_PATH}" "${packages}/share/conv2d")
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(ARG "" "" "FILE_LIST" \${ARGN})
  foreach(name IN LISTS ARG_FILE_LIST)
    file(READ "\${name}" text)
    file(APPEND "${packages}/share/conv2d/copyright" "\${text}")
  endforeach()
endfunction()
`;

it('the port for vcpkg configures with options that exist, and finds its files', async () => {
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(join(packages, 'share'), { recursive: true });
  const script = join(packages, 'port.cmake');
  writeFileSync(script, `${STAND_INS}\ninclude("${join(ROOT, 'packaging/vcpkg/conv2d/portfile.cmake')}")\n`);
  const printed = await run('sh', '-c', `cmake -P "${script}" 2>&1`);
  expect(/^source (.*)$/m.exec(printed)?.[1]).toBe(ROOT.replace(/\/$/, ''));
  const options = [...printed.matchAll(/^option -D(\w+)=(\w+)$/gm)];
  expect(options.map(([, name, value]) => [name, value])).toEqual([
    ['CONV2D_BUILD_TESTS', 'OFF'],
    ['CONV2D_BUILD_BENCH', 'OFF'],
  ]);
  for (const [, name = ''] of options) expect(cmakeCacheEntry(name)).toMatch(/^(?:ON|OFF)$/);
  const left = (await run('find', packages, '-type', 'f'))
    .trim()
    .split('\n')
    .map((file) => file.slice(packages.length + 1));
  expect(left).toEqual(
    expect.arrayContaining(['include/conv2d.h', 'share/conv2d/conv2d-config.cmake', 'share/conv2d/copyright']),
  );
  expect(left.filter((name) => /^(?:debug|share\/doc)\//.test(name))).toEqual([]);
});

it('the recipes name the targets and libraries that CMake installs', () => {
  const installed = [
    ...textOf('cpp/CMakeLists.txt')
      .concat(textOf('cpp/bindings/c/CMakeLists.txt'))
      .matchAll(/ALIAS (conv2d\w*)\)/g),
  ]
    .map(([, name]) => name)
    .filter((name) => name !== 'conv2d_teach');
  const named = [...textOf('packaging/conan/conanfile.py').matchAll(/\.libs = \["(\w+)"\]/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(installed.sort());
});
