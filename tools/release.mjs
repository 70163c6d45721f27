// npm run release: makes every artifact of the version in build/release from a clean checkout, and uses each in an empty folder.
// docs/release.md lists them. A step that fails leaves out only the steps that need it.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Steps } from './release/steps.mjs';
import { buildRoot } from './setup/paths.mjs';
import { runMain, SetupError, say, seconds, step } from './setup/report.mjs';
import { projectVersion } from './setup/version.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const toolchain = await setUp({ native: true, wasm: true, headless: true, python: true });
  const version = projectVersion();
  const folder = join(buildRoot, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Outside of the project: no file of it is above this folder.
  const empty = mkdtempSync(join(tmpdir(), 'conv2d-release-'));
  say(`conv2d ${version}: ${Steps.length} steps`);
  const results = new Map();
  for (const [at, { name, title, needs, fix, run }] of Steps.entries()) {
    const started = Date.now();
    const label = `[${at + 1}/${Steps.length}] ${title}`;
    const missing = needs.filter((needed) => results.get(needed) !== 'done');
    if (missing.length > 0) {
      results.set(name, 'left out');
      say(`${label}: left out, it needs ${missing.join(', ')}`);
      continue;
    }
    try {
      const context = { toolchain, version, folder, empty };
      const said = await step(title, (progress) => run({ ...context, progress }), { silentEnd: true });
      results.set(name, 'done');
      say(`${label}: ${said} (${seconds(Date.now() - started)})`);
    } catch (error) {
      results.set(name, 'failed');
      say(
        `${label}: FAILED\n  ${error instanceof SetupError ? error.message : error.stack}\n  fix: ${error.fix ?? fix}`,
      );
    }
  }
  rmSync(empty, { recursive: true, force: true });
  const open = [...results].filter(([, result]) => result !== 'done').map(([name, result]) => `${name} (${result})`);
  say(open.length === 0 ? `the release is in ${folder}` : `no release: ${open.join(', ')}`);
  return open.length === 0 ? 0 : 1;
});
