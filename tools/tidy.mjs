// npm run tidy: clang-tidy over the library, with the checks of .clang-tidy. A file in which nothing was found is not looked at
// again until it, a header or the checks have changed: a file takes seconds, most of them in the standard headers.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import { configurePreset } from './setup/cmake-build.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, say, step } from './setup/report.mjs';
import { capture, mustRun, which } from './setup/run-process.mjs';
import { installPackages } from './setup/system-packages.mjs';
import { setUp } from './setup.mjs';

const Preset = 'native-tidy';
/** This one and no other: each version has other checks, and finds other things with the same. */
const Program = 'clang-tidy-19';

await runMain(async () => {
  const toolchain = await setUp({ native: true });
  if (!which(Program)) await installPackages([{ name: Program, reason: 'what is likely to be wrong in C++' }]);
  await configurePreset(Preset, toolchain);
  const folder = join(buildRoot, Preset);
  const commands = JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8'));
  const sources = commands.map(({ file }) => file).filter((file) => file.startsWith(join(projectRoot, 'cpp')));

  const record = join(folder, 'clean.json');
  const clean = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  const common = await readByAll();
  const found = new Set();
  await step('clang-tidy', async (progress) => {
    const waiting = [...sources];
    const worker = async () => {
      for (let file = waiting.pop(); file; file = waiting.pop()) {
        const name = relative(projectRoot, file);
        const hash = createHash('sha256').update(common).update(readFileSync(file)).digest('hex');
        if (clean[name] === hash) continue;
        // A compiler's own words for its own warnings are not clang's.
        const args = ['-p', folder, '--quiet', '--extra-arg=-Wno-unknown-warning-option', file];
        const { code, stdout } = await capture(Program, args, { cwd: projectRoot });
        if (code === 0) {
          clean[name] = hash;
          // Whoever stops here goes on there.
          writeFileSync(record, JSON.stringify(clean));
        } else {
          found.add(name);
          say(stdout.trim() || `${name}: ${Program} ended with exit code ${code}`);
        }
        progress(`${sources.length - waiting.length} of ${sources.length}`);
      }
    };
    await Promise.all(cpus().map(worker));
  });
  say(`clang-tidy: ${sources.length} files, ${found.size} with something to look at`);
  return found.size === 0 && sources.length > 0 ? 0 : 1;
});

/** What every file's findings depend on beside itself. */
async function readByAll() {
  const args = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'cpp/*.hpp',
    'cpp/*CMakeLists.txt',
    'cpp/*.cmake',
  ];
  const { stdout } = await mustRun('git', [...args, '.clang-tidy', 'CMakePresets.json'], { cwd: projectRoot });
  const hash = createHash('sha256');
  for (const name of stdout.trim().split('\n'))
    if (existsSync(join(projectRoot, name))) hash.update(readFileSync(join(projectRoot, name)));
  return hash.digest('hex');
}
