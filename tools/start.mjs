// npm start: set up, build the WebAssembly variants, serve the page with live reload. PORT chooses the port.

import { join } from 'node:path';
import { buildModules } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const toolchain = await setUp({ wasm: true });
  await buildModules(toolchain);
  const { createServer } = await import('vite');
  const port = process.env.PORT ? { port: Number(process.env.PORT), strictPort: true } : {};
  const server = await createServer({ configFile: join(projectRoot, 'web/vite.config.ts'), server: port });
  await server.listen();
  say('the page is served at');
  server.printUrls();
});
