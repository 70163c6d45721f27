// npm run preview: serves the built site in web/dist with the recommended headers; builds it first if it is missing.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildModules, buildSite } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  if (existsSync(join(projectRoot, 'web/dist/index.html'))) await setUp({});
  else {
    await buildModules(await setUp({ wasm: true }));
    await buildSite();
  }
  const { preview } = await import('vite');
  const port = process.env.PORT ? { port: Number(process.env.PORT), strictPort: true } : {};
  const configFile = join(projectRoot, 'web/vite.config.ts');
  const server = await preview({ configFile, preview: port }).catch((error) => {
    throw new SetupError(error.message, 'PORT=8080 npm run preview');
  });
  say('the built site is served at');
  server.printUrls();
});
