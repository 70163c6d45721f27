// Named builds for the suites: the modules of the page, the built site, the test programs of a preset.

import { buildModules, buildPreset, buildSite } from '../setup/cmake-build.mjs';

const target =
  (preset, ...targets) =>
  (toolchain, options) =>
    buildPreset(preset, toolchain, { ...options, targets });

const named = {
  modules: buildModules,
  site: buildSite,
  // These presets need no other target.
  'native-arm': target('native-arm', 'conv2d_tests'),
  'native-tsan': target('native-tsan', 'conv2d_threads_tests'),
  'wasm-passes': target('wasm-simd', 'conv2d_pass_tests', 'conv2d_pass_tests_relaxed'),
  'wasm-simd': target('wasm-simd', 'conv2d_tests'),
  'wasm-threads': target('wasm-threads', 'conv2d_pass_tests'),
};

/** At low priority: suites with deadlines run at the same time. */
export function buildByName(name, toolchain) {
  const options = { background: true };
  return named[name] ? named[name](toolchain, options) : buildPreset(name, toolchain, options);
}
