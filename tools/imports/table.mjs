// What each room may include or import, besides itself.

/** C++: folders, longest match first. `packages` are external include folders. */
export const cppRooms = {
  'cpp/include': { name: 'include', uses: [] },
  'cpp/include/conv2d_teach': { name: 'teach', uses: ['include'] },
  'cpp/src/check': { name: 'check', uses: [] },
  'cpp/src/base': { name: 'base', uses: ['check', 'include'] },
  'cpp/src/cost': { name: 'cost', uses: [] },
  'cpp/src/simd': { name: 'simd', uses: [], packages: ['xsimd'] },
  'cpp/src/micro_kernels': { name: 'micro_kernels', uses: ['check', 'simd', 'cost'] },
  'cpp/src/desc': { name: 'desc', uses: ['check', 'base', 'include'] },
  'cpp/src/transforms': { name: 'transforms', uses: ['check', 'base', 'include'] },
  'cpp/src/engines': {
    name: 'engines',
    uses: ['check', 'transforms', 'micro_kernels', 'cost', 'desc', 'base', 'include'],
  },
  'cpp/src/threads': { name: 'threads', uses: ['check', 'include'], packages: ['emscripten'] },
  'cpp/src/reference': { name: 'reference', uses: ['check', 'include'] },
  'cpp/src/algorithms': {
    name: 'algorithms',
    uses: ['check', 'engines', 'transforms', 'micro_kernels', 'cost', 'desc', 'base', 'include'],
  },
  'cpp/src/trace': {
    name: 'trace',
    uses: ['check', 'algorithms', 'engines', 'transforms', 'micro_kernels', 'desc', 'base', 'teach', 'include'],
  },
  'cpp/src/numeric': { name: 'numeric', uses: ['check', 'base', 'teach', 'include'] },
  'cpp/src/gradient_check': {
    name: 'gradient_check',
    uses: ['check', 'transforms', 'desc', 'base', 'teach', 'include'],
  },
  'cpp/src/layer_kernels': { name: 'layer_kernels', uses: ['simd'] },
  'cpp/src/layers': { name: 'layers', uses: ['check', 'layer_kernels', 'desc', 'base', 'teach', 'include'] },
  'cpp/src/chain': {
    name: 'chain',
    uses: [
      'check',
      'layers',
      'layer_kernels',
      'algorithms',
      'micro_kernels',
      'gradient_check',
      'base',
      'teach',
      'include',
    ],
  },
  'cpp/src/learning': { name: 'learning', uses: ['check', 'base', 'teach', 'include'] },
  'cpp/src/mistakes': { name: 'mistakes', uses: ['check', 'desc', 'base', 'teach', 'include'] },
  'cpp/src/race': { name: 'race', uses: ['check', 'include'] },
  'cpp/src/session': { name: 'session', uses: ['check', 'mistakes', 'race', 'base', 'teach', 'include'] },
  'cpp/src': {
    name: 'plan.cpp and run.cpp',
    uses: ['check', 'algorithms', 'engines', 'reference', 'transforms', 'desc', 'base', 'include'],
  },
  'cpp/bindings/shared': { name: 'shared bindings', uses: ['teach', 'include'], packages: ['emscripten'] },
  'cpp/bindings/mistakes_module': {
    name: 'mistakes module',
    uses: ['shared bindings', 'session', 'mistakes', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bindings/race_module': {
    name: 'race module',
    uses: ['shared bindings', 'session', 'race', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bindings/network_module': {
    name: 'network module',
    uses: ['shared bindings', 'session', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bindings': {
    name: 'bindings',
    uses: ['shared bindings', 'session', 'teach', 'include'],
    packages: ['emscripten'],
  },
  'cpp/bench': { name: 'bench', uses: ['teach', 'include'], packages: ['benchmark'] },
  'cpp/bench/costs': {
    name: 'cost model report',
    uses: ['bench', 'algorithms', 'engines', 'micro_kernels', 'cost', 'base', 'include'],
  },
  'tests/cpp': { name: 'tests', uses: ['teach', 'include'], packages: ['catch2'] },
  'tests/cpp/kernels': {
    name: 'kernel tests',
    uses: ['simd', 'micro_kernels', 'layer_kernels', 'cost', 'tests', 'include'],
    packages: ['catch2'],
  },
  'tests/cpp/transforms': {
    name: 'tests of the transforms',
    uses: ['transforms', 'tests', 'include'],
    packages: ['catch2'],
  },
  'tests/cpp/engines': {
    name: 'tests of the engines',
    uses: ['engines', 'micro_kernels', 'desc', 'base', 'tests', 'include'],
    packages: ['catch2'],
  },
  'tests/cpp/layers': {
    name: 'tests of the layers',
    uses: ['layer_kernels', 'layers', 'tests', 'teach', 'include'],
    packages: ['catch2'],
  },
  'tests/cpp/broken': {
    name: 'broken transforms',
    uses: ['transforms', 'tests', 'teach', 'include'],
    packages: ['catch2'],
  },
  'tests/cpp/race': { name: 'tests of the race', uses: ['race', 'tests', 'include'], packages: ['catch2'] },
  'tests/cpp/session': {
    name: 'tests of the session',
    uses: ['session', 'mistakes', 'race', 'tests', 'include'],
    packages: ['catch2'],
  },
  'tests/cpp/mistakes': {
    name: 'tests of the mistakes',
    uses: ['mistakes', 'tests', 'teach', 'include'],
    packages: ['catch2'],
  },
};

/** One folder per view of the page: each uses the kit and no other view. */
const modes = ['board', 'dx', 'dw', 'lowering', 'matrix', 'dy', 'gradient-check', 'geometry', 'learn', 'network'];
const viewParts = { uses: ['look', 'sources', 'geometry', 'ui', 'protocol'], packages: ['preact', '@preact/signals'] };
const modeRooms = Object.fromEntries(
  modes.map((mode) => [
    `web/src/views/${mode}`,
    { ...viewParts, name: `the view ${mode}`, uses: ['kit', ...viewParts.uses] },
  ]),
);

/** The rooms that every part of the app may use. */
const appParts = {
  uses: [
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
    'trust',
    'service-worker',
    'views',
    'kit',
    'the view board',
    'ui',
    'drawing',
    'film',
    'lessons',
    'geometry',
    'protocol',
  ],
  packages: ['preact', '@preact/signals'],
};
/** The folders of the app, and which of them each one uses besides `page`. */
const streets = {
  page: [],
  questions: [],
  network: [],
  stage: ['network', 'questions', 'second'],
  lesson: ['questions', 'stage'],
  explain: ['questions', 'stage', 'lesson'],
  side: ['questions', 'stage', 'lesson', 'explain'],
  numbers: ['questions', 'lesson'],
  controls: ['numbers', 'second'],
  phone: ['stage', 'side', 'controls'],
  compare: ['questions', 'stage'],
  examples: [],
  export: [],
  share: ['side'],
  race: [],
  // Loads the parts of the second chunk, on demand; the stage and the controls show them.
  second: ['network', 'questions', 'stage', 'lesson', 'side', 'numbers', 'controls', 'phone'],
};
const streetName = (street) => `the app's ${street}`;
const streetRooms = Object.fromEntries(
  Object.entries(streets).map(([street, used]) => [
    `web/src/app/${street}`,
    {
      name: streetName(street),
      uses: [...(street === 'page' ? [] : ['page']), ...used].map(streetName).concat(appParts.uses),
      packages: appParts.packages,
    },
  ]),
);

/** TypeScript: folders of web/src. `packages` are npm packages, including their subpaths. */
export const webRooms = {
  'web/src/protocol': { name: 'protocol', uses: [] },
  // Inlined in the page, without imports.
  'web/src/early': { name: 'early', uses: [] },
  'web/src/trust': { name: 'trust', uses: [] },
  'web/src/storage': { name: 'storage', uses: [] },
  'web/src/wasm': { name: 'wasm', uses: [], packages: ['wasm-feature-detect'] },
  'web/src/engine': { name: 'engine', uses: ['wasm', 'trust', 'protocol'] },
  'web/src/worker': { name: 'worker', uses: ['engine', 'wasm', 'trust', 'protocol'] },
  'web/src/service-worker': { name: 'service-worker', uses: ['wasm'] },
  'web/src/compute': { name: 'compute', uses: ['trust', 'protocol'], packages: ['@preact/signals'] },
  'web/src/geometry': { name: 'geometry', uses: ['protocol'] },
  'web/src/sources': { name: 'sources', uses: ['trust', 'protocol'] },
  'web/src/look': { name: 'look', uses: ['geometry', 'protocol'], packages: ['@preact/signals'] },
  'web/src/state': { name: 'state', uses: ['look', 'sources', 'protocol'], packages: ['@preact/signals'] },
  'web/src/link': {
    name: 'link',
    uses: ['look', 'state', 'sources', 'lessons', 'formats', 'trust', 'protocol'],
    packages: ['@preact/signals'],
  },
  'web/src/persist': {
    name: 'persist',
    uses: ['link', 'look', 'state', 'sources', 'storage', 'protocol'],
    packages: ['@preact/signals'],
  },
  // File and text formats of arrays; loaded on demand.
  'web/src/formats': { name: 'formats', uses: ['protocol'] },
  // Code and formulas as text; loaded on demand.
  examples: { name: 'examples', uses: [] },
  'package.json': { name: 'package.json', uses: [] },
  'web/src/snippets': { name: 'snippets', uses: ['formats', 'geometry', 'protocol', 'examples'] },
  'web/src/commands': { name: 'commands', uses: ['look', 'state'] },
  'web/src/ui': { name: 'ui', uses: ['storage', 'trust'], packages: ['preact', '@preact/signals'] },
  'web/src/drawing': { name: 'drawing', uses: ['ui'] },
  'web/src/film': { name: 'film', uses: [], packages: ['gifenc', 'mediabunny'] },
  'web/src/views/kit': { ...viewParts, name: 'kit' },
  ...modeRooms,
  'web/src/views': { name: 'views', uses: ['kit', 'look', ...modes.map((mode) => `the view ${mode}`)] },
  'web/src/lessons': { name: 'lessons', uses: ['look', 'state', 'geometry', 'protocol'] },
  ...streetRooms,
  'web/src/app': {
    ...appParts,
    name: 'app',
    uses: [...Object.keys(streets).map(streetName), ...appParts.uses, 'package.json'],
  },
  'web/src/embed': {
    name: 'embed',
    uses: [
      ...['app', 'commands', 'link', 'look', 'state', 'sources', 'kit', 'ui', 'geometry', 'protocol'],
      ...['page', 'stage', 'second'].map(streetName),
    ],
    packages: ['preact', '@preact/signals'],
  },
  // The entry only mounts the shell.
  'web/src': { name: 'main', uses: ['app', 'embed'], packages: ['preact'] },
};
