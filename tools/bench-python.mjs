// npm run bench:python: times calls of the Python package, natively on one thread: what a call adds to its kernel, and PyTorch
// where it is installed. Then trains a network on digits with the library and with PyTorch.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWheel } from './pack/make-wheel.mjs';
import { buildPreset, buildSingleFile } from './setup/cmake-build.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { capture, mustRun } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';

const Folder = join(buildRoot, 'python');
/** Epochs of a training, and how often it is repeated. */
const Epochs = '10';
const TrainingRounds = 3;

const usage = `npm run bench:python -- [options]
  --shapes R1,S4  named shapes (tests/problems/named_shapes.json); R1,R2,S4,D1 by default
  --rounds 15     rounds, in each of which every party runs
  --only digits   only the training on digits`;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      shapes: { type: 'string', default: 'R1,R2,S4,D1' },
      rounds: { type: 'string', default: '15' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return say(usage);
  if (values.only === 'digits') {
    await compareTraining(await setUp({ native: true, python: true }));
    return 0;
  }
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
  if (code === 0) await compareTraining(toolchain);
  return code;
});

/** Time of an epoch of 44 batches of 32 images, medians of runs in turn. */
async function compareTraining(toolchain) {
  await buildPreset('native-release', toolchain, { targets: ['conv2d_digits'] });
  const [golden, digits] = ['tests/golden', 'web/content/digits.txt'].map((path) => join(projectRoot, path));
  const torch = join(projectRoot, 'cpp/bench/python/digits.py');
  const parties = {
    conv2d: [join(buildRoot, 'native-release/conv2d_digits'), [digits, Epochs]],
    PyTorch: [await pythonWithTorch(), [torch, golden, Epochs]],
  };
  const runs = { conv2d: [], PyTorch: [] };
  for (let round = 0; round < TrainingRounds; round += 1)
    for (const [party, [command, args]] of Object.entries(parties))
      runs[party].push(JSON.parse((await mustRun(command, args)).output.trim().split('\n').at(-1)));
  for (const [party, results] of Object.entries(runs)) {
    const [{ skipped, correct, images }] = results;
    if (skipped) say(`digits  ${party}: skipped, ${skipped}`);
    else {
      const times = results.flatMap(({ epoch_ms }) => epoch_ms).sort((a, b) => a - b);
      const median = times[Math.floor(times.length / 2)].toFixed(2);
      say(`digits  ${party}: ${median} ms an epoch, ${correct} of ${images} held-out images after ${Epochs}`);
    }
  }
}

/** The first one, which says so, if none has it. */
async function pythonWithTorch() {
  const pythons = ['/usr/bin/python3', 'python3'];
  for (const python of pythons) if ((await capture(python, ['-c', 'import torch'])).code === 0) return python;
  return pythons[0];
}

async function pythonWithNumpy() {
  for (const python of ['/usr/bin/python3', 'python3'])
    if ((await capture(python, ['-c', 'import numpy, pip, venv'])).code === 0) return python;
  throw new SetupError('found no Python with NumPy', 'install python3-numpy and python3-pip');
}
