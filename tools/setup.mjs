// Finds or fetches everything that the builds and tests need. Run by the other tools; by hand: node tools/setup.mjs

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { missingArm } from './setup/arm.mjs';
import { missingBrowser } from './setup/browser.mjs';
import { planEmscripten } from './setup/emscripten.mjs';
import { missingFuzzer } from './setup/fuzzer.mjs';
import { checkBuildTools, checkNode, missingBuildTools } from './setup/machine.mjs';
import { ensureNativeDeps, nativeDepsFolder } from './setup/native-deps.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { isComplete } from './setup/private-folder.mjs';
import { runMain, say } from './setup/report.mjs';
import { installPackages } from './setup/system-packages.mjs';

/**
 * Brings the machine to where `wants` ({ native, wasm, browser, fuzzer, arm }) can be built and run; what is there already is not
 * repeated. Resolves with { emscripten: { root, env } | undefined, nativeDeps: folder | undefined }.
 */
export async function setUp(wants) {
  checkNode();
  await ensureNodeModules();
  const builds = wants.native || wants.wasm;
  const plan = wants.wasm ? await planEmscripten() : undefined;
  // Everything that needs root in one command, named at once to those who are not.
  await installPackages([
    ...(builds ? await missingBuildTools(wants) : []),
    ...(plan?.packages ?? []),
    ...(wants.browser ? missingBrowser() : []),
    ...(wants.fuzzer ? await missingFuzzer() : []),
    ...(wants.arm ? missingArm() : []),
  ]);
  if (builds) {
    await checkBuildTools(wants);
    await ensureNativeDeps();
  }
  const emscripten = await plan?.ensure();
  return { emscripten, nativeDeps: isComplete(nativeDepsFolder()) ? nativeDepsFolder() : undefined };
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const { values } = parseArgs({
      options: { native: { type: 'boolean' }, wasm: { type: 'boolean' }, browser: { type: 'boolean' } },
    });
    const everything = Object.keys(values).length === 0;
    await setUp(everything ? { native: true, wasm: true, browser: true } : values);
    say('everything that was asked for is there');
  });
}
