// npm run pack:python: packs the Python library as build/python/conv2d-VERSION-TAG.whl. `--to DIR` chooses the folder, `--page FILE` is
// the page in one file if it is built already. `--arm` packs it for 64-bit Arm.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWheel } from './pack/make-wheel.mjs';
import { buildSingleFile } from './setup/cmake-build.mjs';
import { buildRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, page: { type: 'string' }, arm: { type: 'boolean', default: false } },
  });
  const toolchain = await setUp({ native: true, wasm: !values.page, arm: values.arm });
  const page = values.page ?? (await buildSingleFile(toolchain));
  const target = resolve(values.to ?? join(buildRoot, 'python'));
  say(await buildWheel(toolchain, page, target, values.arm ? 'native-arm' : undefined));
});
