// Examples that the check must reject and accept, as [path, text].

export const rejectedExamples = [
  ['cpp/include/conv2d/conv2d.hpp', '#include "engines/windows/window_plan.hpp"'],
  ['cpp/include/conv2d/conv2d.hpp', '#include <xsimd/xsimd.hpp>'],
  ['cpp/include/conv2d/conv2d.hpp', '#include <emscripten/val.h>'],
  ['cpp/src/micro_kernels/kernel.hpp', '#include "conv2d/conv_desc.hpp"'],
  ['cpp/src/micro_kernels/kernel_wasm.cpp', '#include <wasm_simd128.h>'],
  ['cpp/src/engines/windows/window_runner.cpp', '#include "simd/simd.hpp"'],
  ['cpp/src/transforms/im2col.cpp', '#include "../engines/windows/windows.hpp"'],
  ['cpp/src/reference/reference.cpp', '#include "transforms/im2col.hpp"'],
  ['cpp/src/algorithms/direct.cpp', '#  include "reference/reference.hpp"'],
  ['cpp/src/plan.cpp', '#include "micro_kernels/kernel_set.hpp"'],
  ['cpp/src/desc/resolve.cpp', '#include "plan.hpp"'],
  ['cpp/src/desc/resolve.cpp', '#include "conv2d_teach/trace.hpp"'],
  ['cpp/src/desc/resolve.cpp', '#include "nowhere/plan.hpp"'],
  ['cpp/src/nowhere/plan.cpp', '#include <span>'],
  ['cpp/bindings/bind_session.cpp', '#include "algorithms/algorithm_entry.hpp"'],
  ['cpp/src/session/session.cpp', '#include <emscripten/val.h>'],
  ['tests/cpp/plan_test.cpp', '#include "engines/windows/window_plan.hpp"'],
  ['web/src/protocol/problem.ts', "import type { Cell } from '../geometry/cell';"],
  ['web/src/protocol/problem.ts', "import { signal } from '@preact/signals';"],
  ['web/src/ui/Grid.tsx', "import { list } from '../views/list';"],
  ['web/src/ui/Grid.tsx', "import type { Problem } from '../protocol/problem';"],
  ['web/src/views/overview/OverviewView.tsx', "import { client } from '../../compute/client';"],
  ['web/src/views/overview/OverviewView.tsx', "export { load } from '../../wasm/load';"],
  ['web/src/views/overview/OverviewView.tsx', "const engine = await import('../../worker/conv-engine');"],
  ['web/src/views/overview/OverviewView.tsx', "import {\n  a,\n  b,\n} from '../../state/store';"],
  ['web/src/views/dx/FullConvolution.tsx', "import { stepsOf } from '../steps/StepsView';"],
  ['web/src/views/shared/TensorPanel.tsx', "import { VIEWS } from '../list';"],
  ['web/src/geometry/axis.ts', "import '../ui/theme';"],
  ['web/src/worker/worker.ts', "import { store } from '../state/store';"],
  ['web/src/compute/spare-worker.ts', "import { start } from '../worker/worker.ts?worker';"],
  ['web/src/app/App.tsx', "import { load } from '../wasm/load';"],
  ['web/src/worker/worker.ts', "import { createConv } from '../../package/index';"],
  ['web/package/conv.ts', "import { openProblem } from '../src/state/problem';"],
  ['web/package/conv.ts', "import { open } from 'node:fs/promises';"],
  ['web/src/app/page/page.ts', "import { Stage } from '../stage/Stage';"],
  ['web/src/app/lesson/Lessons.tsx', "import { ExplainTab } from '../explain/ExplainTab';"],
  ['web/src/state/store.ts', "import { test } from '../../../tests/web/helpers';"],
];

export const acceptedExamples = [
  ['cpp/include/conv2d/conv2d.hpp', '#include <span>\n#include "conv2d/status.hpp"'],
  ['cpp/src/simd/simd.hpp', '#include <xsimd/xsimd.hpp>\n#include <wasm_simd128.h>'],
  [
    'cpp/src/algorithms/im2col_gemm.cpp',
    '#include "engines/windows/window_plan.hpp"\n#include "transforms/im2col.hpp"',
  ],
  ['cpp/bindings/bind_session.cpp', '#include "session/session.hpp"\n#include <emscripten/bind.h>'],
  ['tests/cpp/plan_test.cpp', '#include <catch2/catch_test_macros.hpp>\n#include "support/run.hpp"'],
  [
    'web/src/views/overview/OverviewView.tsx',
    "import type { Problem } from '../../protocol/problem';\nimport { TensorPanel } from '../shared/TensorPanel';\nimport { h } from 'preact/hooks';",
  ],
  ['web/src/compute/spare-worker.ts', "import address from '../worker/worker.ts?worker&url';"],
  [
    'web/package/cli/run.ts',
    "import { argumentList } from '../argument-list';\nimport { open } from 'node:fs/promises';",
  ],
  ['web/src/app/App.tsx', "// imports of '../wasm/load' are refused\nimport './app.css';"],
];

/** Files of cpp/src, and the one of them that repeats a name. */
export const namedExamples = {
  paths: ['cpp/src/layers/relu.cpp', 'cpp/src/layers/relu.hpp', 'cpp/src/losses/relu.cpp', 'cpp/bench/relu.cpp'],
  repeated: 'cpp/src/losses/relu.cpp',
};

// Files with and without import cycles, as { path: text }.

export const cyclicExamples = [
  { 'a/one.ts': "import { two } from './two';", 'a/two.ts': "import type { One } from './one';" },
  { 'a/one.ts': "const two = () => import('./two');", 'a/two.tsx': "import { one } from './one';" },
  {
    'a/one.ts': "import { two } from '../b/two';",
    'b/two.ts': "export { three } from '../three';",
    'three.ts': "import { one } from './a/one';",
  },
  { 'a/one.ts': "export type Self = typeof import('./one');" },
];

export const acyclicExamples = [
  {
    'a/one.ts': "import { two } from './two';\nimport { three } from './three';",
    'a/two.ts': "import { three } from './three';",
    'a/three.ts': "import { h } from 'preact';\nimport './one.css';",
  },
];

// Commands, as { files, found }: imports of packages before the set-up ("path:line"), and commands that are no file of tools.

const packageWith = (start) => JSON.stringify({ scripts: { start } });

export const commandExamples = [
  {
    files: {
      'package.json': packageWith('node tools/start.mjs'),
      'tools/start.mjs': "import { join } from 'node:path';\nimport { serve } from './start/serve.mjs';",
      'tools/start/serve.mjs': "\nimport { build } from 'vite';",
    },
    found: 'tools/start/serve.mjs:2',
  },
  {
    files: { 'package.json': packageWith('node tools/start.mjs --fast'), 'tools/start.mjs': "import 'vite/client';" },
    found: 'tools/start.mjs:1',
  },
  {
    files: {
      'package.json': packageWith('node tools/start.mjs'),
      'tools/start.mjs':
        "import {\n  setUp,\n} from './setup.mjs';\nawait setUp();\nconst { build } = await import('vite');",
    },
    found: '',
  },
  { files: { 'package.json': packageWith('vite preview') }, found: 'start' },
];
