// What a suite may ask to be built before it runs, by name: the modules of the page, the built site, a preset's test programs.

import { buildModules, buildPreset, buildSite } from '../setup/cmake-build.mjs';

const named = {
  modules: buildModules,
  site: buildSite,
  // Of this preset nothing else is run.
  'native-arm': (toolchain, options) => buildPreset('native-arm', toolchain, { ...options, targets: ['conv2d_tests'] }),
};

/** At low priority: suites run at the same time, and some of them have deadlines. */
export function buildByName(name, toolchain) {
  const options = { background: true };
  return named[name] ? named[name](toolchain, options) : buildPreset(name, toolchain, options);
}
