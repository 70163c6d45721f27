// npm run pack: the library for JavaScript as one tarball, build/npm/conv2d-VERSION.tgz. `--built`: of the modules that are there;
// `--to DIR`: made in that folder.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makePackage } from './pack/make-package.mjs';
import { buildModules } from './setup/cmake-build.mjs';
import { buildRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values } = parseArgs({ options: { built: { type: 'boolean' }, to: { type: 'string' } } });
  if (!values.built) await buildModules(await setUp({ wasm: true }));
  say(await makePackage(resolve(values.to ?? join(buildRoot, 'npm'))));
});
