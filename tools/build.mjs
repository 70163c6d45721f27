// npm run build: the WebAssembly variants and the static site in web/dist. `--single`: the site in one file instead.

import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildModules, buildSingleFile, buildSite } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const { values } = parseArgs({ options: { single: { type: 'boolean', default: false } } });

await runMain(async () => {
  const toolchain = await setUp({ wasm: true });
  if (values.single) {
    const file = await buildSingleFile(toolchain);
    say(`the page is in ${relative(projectRoot, file)}; a browser opens it from the disk`);
    return;
  }
  await buildModules(toolchain);
  await buildSite();
  say('the site is in web/dist; any static file server can serve it');
});
