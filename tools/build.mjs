// npm run build: the WebAssembly variants and the static site in web/dist.

import { buildModules, buildSite } from './setup/cmake-build.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const toolchain = await setUp({ wasm: true });
  await buildModules(toolchain);
  await buildSite();
  say('the site is in web/dist; any static file server can serve it');
});
