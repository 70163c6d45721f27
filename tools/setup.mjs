// Finds or downloads everything that the builds and tests need. The other tools call it; to run it alone: node
// tools/setup.mjs

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { closePrivateApt } from './setup/apt-private.mjs';
import { missingArm } from './setup/arm.mjs';
import { missingBrowser, missingHeadless } from './setup/browser.mjs';
import { missingCompilerCache } from './setup/compiler-cache.mjs';
import { planEmscripten } from './setup/emscripten.mjs';
import { missingEngines } from './setup/engines.mjs';
import { missingFuzzer } from './setup/fuzzer.mjs';
import { checkBuildTools, checkNode, missingBuildTools } from './setup/machine.mjs';
import { ensureNativeDeps, nativeDepsFolder } from './setup/native-deps.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { isComplete } from './setup/private-folder.mjs';
import { missingPython } from './setup/python.mjs';
import { runMain, say } from './setup/report.mjs';
import { which } from './setup/run-process.mjs';
import { checkRights, installPackages, missingOf } from './setup/system-packages.mjs';

/**
 * Installs what `wants` ({ native, wasm, browser, headless, engines, fuzzer, arm, python, docs }) needs to build and run;
 * skips what exists. Resolves with { emscripten: { root, env } | undefined, nativeDeps: folder | undefined }.
 */
export async function setUp(wants) {
  checkNode();
  const builds = wants.native || wants.wasm;
  const plan = wants.wasm ? await planEmscripten() : undefined;
  // Collects everything that needs root into one command, and reports it before any download.
  const packages = [
    ...(builds ? [...missingBuildTools(wants), ...missingCompilerCache()] : []),
    ...(plan?.packages ?? []),
    ...(wants.browser ? missingBrowser() : []),
    ...(wants.headless ? missingHeadless() : []),
    ...(wants.engines ? missingEngines() : []),
    ...(wants.fuzzer ? await missingFuzzer() : []),
    ...(wants.arm ? missingArm() : []),
    ...(wants.python ? await missingPython() : []),
    ...(wants.docs
      ? missingOf(
          [which('doxygen'), 'doxygen', 'reads the headers'],
          [which('python3'), 'python3', 'writes the reference'],
        )
      : []),
  ];
  checkRights(packages);
  const nodeModules = ensureNodeModules();
  const installed = installPackages(packages);
  const [emscripten] = await allDone([
    plan?.ensure(allDone([nodeModules, installed])),
    builds && ensureNativeDeps(),
    builds && installed.then(() => checkBuildTools(wants)),
    nodeModules,
    installed,
  ]).finally(closePrivateApt);
  return { emscripten, nativeDeps: isComplete(nativeDepsFolder()) ? nativeDepsFolder() : undefined };
}

/** Like Promise.all, but waits for all promises even after a failure. */
async function allDone(promises) {
  const results = await Promise.allSettled(promises);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return results.map(({ value }) => value);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const { values } = parseArgs({
      options: { native: { type: 'boolean' }, wasm: { type: 'boolean' }, browser: { type: 'boolean' } },
    });
    const everything = Object.keys(values).length === 0;
    await setUp(everything ? { native: true, wasm: true, browser: true } : values);
    say('everything requested is installed');
  });
}
