// The list of test suites. One entry adds a suite:
//   name, groups   what `npm test -- --only` calls it
//   needs          what the set-up must bring: 'native', 'wasm', 'browser', 'headless', 'engines', 'arm', 'python'
//   builds         what must be built before it runs, in this order (names of builds.mjs; suites share them)
//   processors     how many it keeps busy while it runs, about
//   onRequest      true: only when it is named
//   run            ({ toolchain, thorough, progress }) -> { code, passed, failed, output, failures }; see runners.mjs

import { findEngines } from '../setup/engines.mjs';
import { arm } from './arm.mjs';
import { catch2, programOf, vitest } from './runners.mjs';

export const Suites = [
  // Built and begun in this order: the browser tests run longest, and the others are built and run beside them.
  vitest('engines', {
    groups: ['browser'],
    needs: ['wasm', 'browser', 'engines'],
    builds: ['modules', 'site'],
    // Beside no other: WebKit's driver answers "unknown error" now and then when it does not get a processor.
    processors: Infinity,
    env: findEngines,
  }),
  vitest('e2e', { groups: ['browser'], needs: ['wasm', 'headless'], builds: ['modules', 'site'] }),
  // Sanitized, the same draws take five times as long; the fuzzer goes further.
  catch2('native-asan', { groups: ['native'], draws: 5000 }),
  vitest('web', { projects: ['web', 'dom'], needs: ['wasm', 'python'], builds: ['modules'] }),
  catch2('native-release', { groups: ['native'] }),
  catch2('native-release', {
    name: 'broken-transforms',
    groups: ['native'],
    command: () => programOf('native-release', 'conv2d_broken_tests'),
  }),
  vitest('package', {
    groups: ['native', 'wasm'],
    needs: ['native', 'wasm', 'headless'],
    builds: ['native-release', 'modules'],
  }),
  catch2('wasm-simd', { groups: ['wasm'] }),
  catch2('wasm-relaxed', { groups: ['wasm'], builds: ['wasm-simd'] }),
  arm(0, 2),
  arm(1, 2),
];
