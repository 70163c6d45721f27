// What each room may include or import, besides itself.

import { posix } from 'node:path';

/** Rooms by folder. A room without a name has that of its folder. */
const named = (rooms) =>
  Object.fromEntries(
    Object.entries(rooms).map(([folder, room]) => [folder, { name: posix.basename(folder), ...room }]),
  );

/** The folders of tests/cpp, and which rooms each one uses besides the other tests. */
const tests = {
  kernels: ['compiler', 'simd', 'micro_kernels', 'layer_kernels', 'cost'],
  threads: ['threads'],
  transforms: ['transforms', 'teaching_loops'],
  engines: ['algorithms', 'engines', 'micro_kernels', 'desc', 'base'],
  layers: ['layer_kernels', 'layers', 'teach'],
  broken: ['transforms', 'teach'],
  c: [],
  smoke: [],
  session: ['session', 'mistakes'],
  mistakes: ['mistakes', 'teach'],
  check: ['evidence', 'verdict', 'mistakes', 'checks', 'teach'],
};
const testRooms = Object.fromEntries(
  Object.entries(tests).map(([folder, used]) => [
    `tests/cpp/${folder}`,
    { name: `tests of ${folder}`, uses: [...used, 'tests', 'include'], packages: ['catch2'] },
  ]),
);

/** C++: folders, longest match first. `packages` are external include folders. */
export const cppRooms = named({
  'cpp/include': { uses: [] },
  'cpp/include/conv2d_teach': { name: 'teach', uses: ['include'] },
  'cpp/include/conv2d_check': { name: 'checks', uses: ['include'] },
  'cpp/src/compiler': { uses: [] },
  'cpp/src/dcheck': { uses: [] },
  'cpp/src/base': { uses: ['compiler', 'dcheck', 'include'] },
  'cpp/src/cost': { uses: [] },
  'cpp/src/simd': { uses: ['compiler'], packages: ['xsimd'] },
  'cpp/src/micro_kernels': { uses: ['compiler', 'dcheck', 'simd', 'cost'] },
  'cpp/src/desc': { uses: ['dcheck', 'base', 'include'] },
  'cpp/src/transforms': { uses: ['compiler', 'dcheck', 'base', 'include'] },
  'cpp/src/engines': { uses: ['dcheck', 'transforms', 'micro_kernels', 'cost', 'desc', 'base', 'include'] },
  'cpp/src/threads': { uses: ['compiler', 'dcheck', 'include'], packages: ['emscripten'] },
  'cpp/src/reference': { uses: ['dcheck', 'include'] },
  'cpp/src/teaching_loops': { uses: ['dcheck', 'engines', 'cost', 'desc', 'base', 'include'] },
  'cpp/src/algorithms': {
    uses: [
      ...['dcheck', 'teaching_loops', 'engines', 'transforms', 'micro_kernels', 'cost', 'desc', 'base'],
      'include',
    ],
  },
  'cpp/src/trace': {
    uses: [
      ...['dcheck', 'algorithms', 'teaching_loops', 'engines', 'transforms', 'micro_kernels', 'desc', 'base'],
      ...['teach', 'include'],
    ],
  },
  'cpp/src/numeric': { uses: ['dcheck', 'base', 'teach', 'include'] },
  'cpp/src/layer_kernels': { uses: ['compiler', 'simd'] },
  'cpp/src/layers': { uses: ['dcheck', 'layer_kernels', 'desc', 'base', 'teach', 'include'] },
  'cpp/src/losses': { uses: ['base', 'teach', 'include'] },
  'cpp/src/gradient_check': { uses: ['dcheck', 'losses', 'layers', 'desc', 'base', 'teach', 'include'] },
  'cpp/src/chain': {
    uses: ['dcheck', 'losses', 'layers', 'layer_kernels', 'algorithms', 'micro_kernels', 'base', 'teach', 'include'],
  },
  'cpp/src/learning': { uses: ['dcheck', 'base', 'teach', 'include'] },
  'cpp/src/mistakes': { uses: ['dcheck', 'desc', 'base', 'teach', 'include'] },
  'cpp/src/verdict': { uses: ['dcheck', 'mistakes', 'desc', 'base', 'checks', 'teach', 'include'] },
  'cpp/src/evidence': { uses: ['dcheck', 'verdict', 'desc', 'base', 'checks', 'include'] },
  'cpp/src/samples': { uses: ['verdict', 'desc', 'base', 'checks', 'include'] },
  'cpp/src/session': { uses: ['dcheck', 'mistakes', 'base', 'teach', 'include'] },
  'cpp/src': {
    name: 'plan.cpp, plan_report.cpp, run.cpp and transposed.cpp',
    uses: ['dcheck', 'algorithms', 'engines', 'reference', 'transforms', 'desc', 'base', 'include'],
  },
  'cpp/bindings/shared': { name: 'shared bindings', uses: ['teach', 'include'], packages: ['emscripten'] },
  'cpp/bindings/chains': {
    uses: ['shared bindings', 'layers', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bindings/mistakes_module': {
    uses: ['shared bindings', 'chains', 'session', 'mistakes', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bindings/digits_module': {
    uses: ['shared bindings', 'chains', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bindings/check_module': { uses: ['mistakes', 'checks', 'include'], packages: ['emscripten'] },
  'cpp/bindings/c': { name: 'the C API', uses: ['checks', 'include'] },
  'cpp/bindings': {
    uses: ['shared bindings', 'chains', 'session', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bench': { uses: ['teach', 'include'], packages: ['benchmark'] },
  'cpp/bench/costs': {
    name: 'cost model report',
    uses: ['bench', 'algorithms', 'engines', 'micro_kernels', 'cost', 'base', 'include'],
  },
  'tests/cpp': { name: 'tests', uses: ['teach', 'include'], packages: ['catch2'] },
  ...testRooms,
});

/** One folder per view of the page: each uses what the views share and no other view. */
const modes = ['overview', 'dx', 'dw', 'im2col', 'matrix', 'dy', 'gradient-check', 'geometry', 'learn', 'network'];
const viewParts = {
  uses: ['layers', 'losses', 'look', 'sources', 'geometry', 'ui', 'protocol'],
  packages: ['preact', '@preact/signals'],
};
const modeRooms = Object.fromEntries(
  modes.map((mode) => [
    `web/src/views/${mode}`,
    // A network can begin with an example.
    {
      ...viewParts,
      name: `the view ${mode}`,
      uses: ['shared', ...viewParts.uses, ...(mode === 'network' ? ['lessons'] : [])],
    },
  ]),
);

/** The rooms that every part of the app may use. */
const appParts = {
  uses: [
    ...[
      'layers',
      'losses',
      'commands',
      'look',
      'link',
      'persist',
      'storage',
      'formats',
      'snippets',
      'state',
      'sources',
      'compute',
    ],
    ...['loading', 'service-worker', 'views', 'shared', 'the view overview', 'ui', 'figure', 'animation', 'lessons'],
    ...['geometry', 'protocol', 'content'],
  ],
  packages: ['preact', '@preact/signals'],
};
/** The folders of the app, and which of them each one uses besides `page`. */
const streets = {
  page: [],
  questions: [],
  network: [],
  stage: ['keep', 'network', 'questions', 'deferred'],
  lesson: ['questions', 'stage'],
  explain: ['questions', 'stage', 'lesson'],
  algorithms: ['questions'],
  code: ['stage', 'algorithms'],
  numbers: ['questions', 'lesson'],
  controls: ['numbers'],
  // Loaded by the stage.
  keep: [],
  examples: [],
  export: [],
  share: [],
  help: [],
  // The list of all that have a tab of the side panel or a dialog.
  features: ['explain', 'lesson', 'algorithms', 'code', 'examples', 'export', 'share', 'help'],
  side: ['features'],
  // Loads the parts of the second chunk, on demand; the stage and the controls show them.
  deferred: ['network', 'questions', 'stage', 'lesson', 'features', 'side', 'numbers', 'controls'],
};
const documents = ['package.json', 'THIRD_PARTY_NOTICES.txt'];
const streetName = (street) => `the app's ${street}`;
const streetRooms = Object.fromEntries(
  Object.entries(streets).map(([street, used]) => [
    `web/src/app/${street}`,
    {
      name: streetName(street),
      uses: [...(street === 'page' ? [] : ['page']), ...used]
        .map(streetName)
        .concat(appParts.uses, street === 'help' ? documents : []),
      packages: appParts.packages,
    },
  ]),
);

/** TypeScript: folders of web. `packages` are npm packages, including their subpaths. */
export const webRooms = named({
  // The npm package: its API, and the command conv2d-check, which runs in Node. The page uses neither.
  'web/package': { uses: ['engine', 'wasm', 'protocol'] },
  'web/package/cli': {
    name: 'command line',
    uses: ['package', 'engine', 'formats', 'link', 'look', 'state', 'sources', 'protocol'],
    packages: ['node:fs', 'node:path', 'node:util'],
  },
  'web/src/protocol': { uses: [] },
  // Inlined in the page.
  'web/src/boot': { uses: [] },
  // Whether a file that was loaded is whole, and the addresses of workers.
  'web/src/loading': { uses: [] },
  'web/src/storage': { uses: [] },
  'web/src/wasm': { uses: [], packages: ['wasm-feature-detect'] },
  // The modules, typed. The page's worker and the npm package use it.
  'web/src/engine': { uses: ['wasm', 'loading', 'protocol'] },
  'web/src/worker': { uses: ['content', 'losses', 'engine', 'wasm', 'loading', 'protocol'] },
  'web/src/service-worker': { uses: ['wasm'] },
  'web/src/compute': { uses: ['loading', 'protocol'], packages: ['@preact/signals'] },
  'web/src/geometry': { uses: ['protocol'] },
  // A loss is a file.
  'web/src/losses': { uses: [] },
  // A kind of layer is a folder with core.ts, and view.ts that is loaded later.
  'web/src/layers': { uses: ['sources', 'ui', 'protocol'] },
  'web/src/sources': { uses: ['losses', 'loading', 'protocol'] },
  'web/src/look': { uses: ['geometry', 'protocol'], packages: ['@preact/signals'] },
  'web/src/state': { uses: ['layers', 'look', 'sources', 'protocol'], packages: ['@preact/signals'] },
  'web/src/link': {
    uses: ['layers', 'look', 'state', 'sources', 'lessons', 'formats', 'loading', 'protocol'],
    packages: ['@preact/signals'],
  },
  'web/src/persist': {
    uses: ['link', 'look', 'state', 'sources', 'storage', 'protocol'],
    packages: ['@preact/signals'],
  },
  // File and text formats of arrays; loaded on demand.
  'web/src/formats': { uses: ['protocol'] },
  // Code and formulas as text; loaded on demand.
  examples: { uses: [] },
  'package.json': { uses: [] },
  'THIRD_PARTY_NOTICES.txt': { uses: [] },
  'web/src/snippets': { uses: ['layers', 'losses', 'sources', 'formats', 'geometry', 'protocol', 'examples'] },
  'web/src/commands': { uses: ['look', 'state'] },
  'web/src/ui': { uses: ['storage', 'loading'], packages: ['preact', '@preact/signals'] },
  'web/src/figure': { uses: ['ui'] },
  'web/src/animation': { uses: [], packages: ['gifenc'] },
  'web/src/views/shared': viewParts,
  ...modeRooms,
  'web/src/views': { uses: ['shared', 'look', ...modes.map((mode) => `the view ${mode}`)] },
  // Texts and settings of lessons, exercises and examples, without code.
  'web/content': { uses: [] },
  'web/src/lessons': { uses: ['content', 'look', 'state', 'sources', 'geometry', 'protocol'] },
  ...streetRooms,
  'web/src/app': {
    ...appParts,
    uses: [...Object.keys(streets).map(streetName), ...appParts.uses],
  },
  'web/src/embed': {
    uses: [
      ...['app', 'commands', 'link', 'look', 'state', 'sources', 'shared', 'ui', 'geometry', 'formats', 'protocol'],
      ...['page', 'stage', 'deferred', 'numbers'].map(streetName),
    ],
    packages: ['preact', '@preact/signals'],
  },
  // The entry only mounts the shell.
  'web/src': { name: 'main', uses: ['app', 'embed'], packages: ['preact'] },
});
