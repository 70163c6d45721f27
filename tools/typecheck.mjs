// npm run typecheck: checks each part of the page against its actual library (DOM, worker, Node).

import { join } from 'node:path';
import { buildModules } from './setup/cmake-build.mjs';
import { nodeModules, projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { capture } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  // The compiler of the module writes its types.
  await buildModules(await setUp({ wasm: true }));
  let failed = 0;
  for (const project of [
    'web/tsconfig.json',
    'web/tsconfig.worker.json',
    'web/tsconfig.node.json',
    'tests/tsconfig.json',
  ]) {
    const args = [join(nodeModules, 'typescript/bin/tsc'), '-p', project, '--pretty', 'false'];
    const { code, output } = await capture(process.execPath, args, { cwd: projectRoot });
    say(`${project}: ${code === 0 ? 'no errors' : `\n${output}`}`);
    if (code !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
