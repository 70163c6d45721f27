// npm run bench:python: times calls of the Python package, natively on one thread: what a call adds to its kernel, and PyTorch
// where it is installed.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWheel } from './pack/make-wheel.mjs';
import { buildSingleFile } from './setup/cmake-build.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, SetupError } from './setup/report.mjs';
import { capture, mustRun } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';

const Folder = join(buildRoot, 'python');

await runMain(async () => {
  const { values } = parseArgs({
    options: { shapes: { type: 'string', default: 'R1,R2,S4,D1' }, rounds: { type: 'string', default: '15' } },
  });
  const toolchain = await setUp({ native: true, wasm: true, python: true });
  const wheel = await buildWheel(toolchain, await buildSingleFile(toolchain), Folder);
  const environment = join(Folder, 'environment');
  const system = await pythonWithNumpy();
  await mustRun(system, ['-m', 'venv', '--system-site-packages', '--without-pip', '--clear', environment]);
  const python = join(environment, 'bin/python');
  await mustRun(python, ['-m', 'pip', 'install', '--quiet', '--no-index', wheel]);
  const shapes = join(projectRoot, 'tests/problems/named_shapes.json');
  const script = join(projectRoot, 'cpp/bench/python/main.py');
  const { code } = await capture(python, [script, shapes, values.rounds, ...values.shapes.split(',')], { show: true });
  return code;
});

async function pythonWithNumpy() {
  for (const python of ['/usr/bin/python3', 'python3'])
    if ((await capture(python, ['-c', 'import numpy, pip, venv'])).code === 0) return python;
  throw new SetupError('found no Python with NumPy', 'install python3-numpy and python3-pip');
}
