// npm run pack: the library for JavaScript as one tarball, build/npm/conv2d-VERSION.tgz. `--built`: with the modules that are there.

import { parseArgs } from 'node:util';
import { makePackage } from './pack/make-package.mjs';
import { buildModule } from './setup/cmake-build.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values } = parseArgs({ options: { built: { type: 'boolean' } } });
  if (!values.built) {
    const toolchain = await setUp({ wasm: true });
    for (const preset of ['wasm-relaxed', 'wasm-simd']) await buildModule(preset, toolchain);
  }
  say(await makePackage());
});
