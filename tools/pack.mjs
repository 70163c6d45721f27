// npm run pack: packs the JavaScript library as build/npm/conv2d-VERSION.tgz. `--built` uses existing modules; `--to
// DIR` chooses the folder.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildModules } from './setup/cmake-build.mjs';
import { buildRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values } = parseArgs({ options: { built: { type: 'boolean' }, to: { type: 'string' } } });
  if (values.built) await setUp({});
  else await buildModules(await setUp({ wasm: true }));
  const { makePackage } = await import('./pack/make-package.mjs');
  say(await makePackage(resolve(values.to ?? join(buildRoot, 'npm'))));
});
