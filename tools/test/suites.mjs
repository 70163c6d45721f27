// The list of test suites. One entry adds a suite:
//   name, groups   names for `npm test -- --only`
//   needs          tools for the set-up: 'native', 'wasm', 'browser', 'headless', 'engines', 'arm', 'python', 'docs'
//   builds         builds that must finish first, in this order (names of presets, or of test.mjs; suites share them)
//   processors     approximate number of processors that it uses
//   when           'ci': runs with CI=true or --thorough, or if named; 'thorough': with --thorough, or if named
//   matches        whether it has a test that a word of the command line selects
//   run            ({ toolchain, thorough, words, progress }) -> { code, passed, failed, output, failures }; see runners.mjs

import { arm } from './arm.mjs';
import { catch2, programOf, vitest, withFixedAddresses } from './runners.mjs';

export const Suites = [
  // Built and started in this order: the browser tests take longest, and the others build and run in parallel. Suites that
  // need all processors are last: none waits for them.
  vitest('e2e', { groups: ['browser'], needs: ['wasm', 'headless'], builds: ['modules', 'site'] }),
  // With sanitizers, a draw takes five times as long; the fuzzer covers more.
  catch2('native-asan', { groups: ['native'], draws: { usual: 300, thorough: 1000 }, when: 'ci' }),
  vitest('web', { projects: ['web', 'dom', 'page'], needs: ['wasm', 'python'], builds: ['modules'] }),
  catch2('native-release', { groups: ['native'] }),
  catch2('native-release', {
    name: 'broken-transforms',
    groups: ['native'],
    command: () => programOf('native-release', 'conv2d_broken_tests'),
  }),
  arm(0, 2),
  arm(1, 2),
  vitest('package', {
    needs: ['native', 'wasm', 'headless', 'python'],
    builds: ['native-release', 'modules', 'single'],
  }),
  // Its npm packages are 150 MB, which nothing else needs.
  vitest('docs', { needs: ['docs', 'headless'], builds: ['docs'], when: 'ci' }),
  catch2('wasm-simd', {
    groups: ['wasm'],
    builds: ['wasm-passes'],
    command: () => programOf('wasm-simd', 'conv2d_pass_tests'),
  }),
  catch2('wasm-relaxed', {
    groups: ['wasm'],
    builds: ['wasm-passes'],
    command: () => programOf('wasm-relaxed', 'conv2d_pass_tests'),
  }),
  // The other tests do not depend on what is different in WebAssembly. wasm-simd has run these, linked from the same objects.
  catch2('wasm-simd', {
    name: 'wasm-all',
    groups: ['wasm'],
    without: '~[micro]~[engines]~"property: *"',
    when: 'thorough',
  }),
  catch2('wasm-threads', {
    groups: ['wasm'],
    command: () => programOf('wasm-threads', 'conv2d_pass_tests'),
    when: 'ci',
    processors: 2,
  }),
  // ThreadSanitizer only finds races on executed paths, and more draws add no paths: one run is enough.
  catch2('native-tsan', {
    groups: ['native'],
    command: () => withFixedAddresses(programOf('native-tsan', 'conv2d_threads_tests')),
    env: { CONV2D_EMULATED_SETS: 'no' },
    when: 'ci',
    processors: 2,
  }),
  vitest('engines', {
    groups: ['browser'],
    needs: ['wasm', 'browser', 'engines'],
    builds: ['modules', 'site', 'single'],
    when: 'ci',
    // Runs alone: the WebKit driver sometimes answers "unknown error" if it gets no processor time.
    processors: Infinity,
  }),
];
