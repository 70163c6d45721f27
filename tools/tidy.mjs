// npm run tidy: runs clang-tidy on the library, with the checks of .clang-tidy. Skips files that were clean until they,
// a header or the checks change: a file takes seconds, mostly for the standard headers.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import { configurePreset } from './setup/cmake-build.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, say, step } from './setup/report.mjs';
import { capture, which } from './setup/run-process.mjs';
import { listSources, readSource } from './setup/sources.mjs';
import { installPackages } from './setup/system-packages.mjs';
import { setUp } from './setup.mjs';

const Preset = 'native-tidy';
/** A fixed version: each version has different checks and different results. */
const Program = 'clang-tidy-19';

await runMain(async () => {
  const toolchain = await setUp({ native: true });
  if (!which(Program)) await installPackages([{ name: Program, reason: 'static analysis of C++' }]);
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
        // Ignores warning options that only GCC knows.
        // libstdc++'s own stable_sort uses a function that it deprecates.
        const warnings = ['unknown-warning-option', 'deprecated-declarations'].map((one) => `--extra-arg=-Wno-${one}`);
        const args = ['-p', folder, '--quiet', ...warnings, file];
        const { code, stdout } = await capture(Program, args, { cwd: projectRoot });
        if (code === 0) {
          clean[name] = hash;
          // Lets an interrupted run resume.
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
  say(`clang-tidy: ${sources.length} files, ${found.size} with findings`);
  return found.size === 0 && sources.length > 0 ? 0 : 1;
});

/** A hash of everything that the findings of all files depend on. */
async function readByAll() {
  const names = await listSources(
    'cpp/*.hpp',
    'cpp/*CMakeLists.txt',
    'cpp/*.cmake',
    '.clang-tidy',
    'CMakePresets.json',
  );
  const hash = createHash('sha256');
  for (const name of names) hash.update(readSource(name));
  return hash.digest('hex');
}
