// npm start: sets up, builds the module that most browsers use, serves the page with live reload, and builds the other
// modules in the background. PORT sets the port.

import { join } from 'node:path';
import { buildModules, ModuleVariants } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';
import { pendingModules } from './start/pending-modules.mjs';

await runMain(async () => {
  const toolchain = await setUp({ wasm: true });
  const [first, ...others] = ModuleVariants;
  await buildModules(toolchain, { variants: [first] });

  const modules = pendingModules(others);
  const { createServer } = await import('vite');
  const port = process.env.PORT ? { port: Number(process.env.PORT), strictPort: true } : {};
  const server = await createServer({
    configFile: join(projectRoot, 'web/vite.config.ts'),
    server: port,
    plugins: [modules.plugin],
  });
  await server.listen().catch(async (error) => {
    await server.close();
    throw new SetupError(error.message, 'PORT=8080 npm start');
  });
  say('the page is served at');
  server.printUrls();

  for (const variant of others) {
    const built = buildModules(toolchain, { variants: [variant], background: true });
    modules.expect(variant, built);
    await built.catch((error) => {
      if (!(error instanceof SetupError)) throw error;
      say(`${error.message}\nBrowsers that need this module show an error; others still work.`);
    });
  }
});
