// npm run check -- FILE...: judges the arrays of files. `-- --help` lists the options. Standard output has only the results.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildCheckModule } from './setup/cmake-build.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { reportToStderr, runMain } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const folder = join(buildRoot, 'check');
const command = join(folder, 'conv2d-check.js');
/** Sources of the bundle, with their times of change. */
const stamp = join(folder, 'sources.json');

/** That of the command; without it, nothing was judged. */
let status = 2;

await runMain(async () => {
  reportToStderr();
  await buildCheckModule(await setUp({ wasm: true }));
  if (!isCurrent()) await bundleAgain();
  // npm changes the folder, but files are named from that of the user.
  const cwd = process.env.npm_lifecycle_event === 'check' ? process.env.INIT_CWD : undefined;
  const args = [command, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
  status = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 2)));
});
process.exitCode = status;

function isCurrent() {
  if (!existsSync(stamp) || !existsSync(command)) return false;
  return JSON.parse(readFileSync(stamp, 'utf8')).every(([path, time]) => timeOf(path) === time);
}

function timeOf(path) {
  const file = join(projectRoot, path);
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

async function bundleAgain() {
  const { Generated } = await import('./pack/bundle.mjs');
  const { bundleCommand } = await import('./pack/bundle-command.mjs');
  mkdirSync(folder, { recursive: true });
  const sources = await bundleCommand(folder, relative(folder, Generated));
  const paths = [...sources.map((path) => relative(projectRoot, path)), 'tools/pack/bundle.mjs', 'package-lock.json'];
  writeFileSync(stamp, JSON.stringify(paths.map((path) => [path, timeOf(path)])));
}
