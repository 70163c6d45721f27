// npm run lint: house rules of both languages and the arrows between rooms. `--fix` (npm run format) writes what can be
// written by a machine.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeModules, projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { capture, mustRun, which } from './setup/run-process.mjs';
import { installPackages } from './setup/system-packages.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values } = parseArgs({ options: { fix: { type: 'boolean' } } });
  await setUp({});
  if (!which('clang-format')) await installPackages([{ name: 'clang-format', reason: 'the format of C++' }]);
  const sources = await cppSources();
  const biome = [join(nodeModules, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'];
  const checks = [
    ['biome', process.execPath, [...biome, ...(values.fix ? ['--write'] : [])]],
    ['clang-format', 'clang-format', [...(values.fix ? ['-i'] : ['--dry-run', '-Werror']), ...sources]],
    ['arrows, on broken examples', process.execPath, ['tools/check-arrows.mjs', '--self-test']],
    ['arrows', process.execPath, ['tools/check-arrows.mjs']],
    ['values, on examples and in views', process.execPath, ['tools/check-values.mjs']],
  ];
  let failed = 0;
  for (const [name, command, args] of checks) {
    const { code, output } = await capture(command, args, { cwd: projectRoot });
    say(`${name}: ${code === 0 ? 'fine' : `\n${output}`}`);
    if (code !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});

/** Everything that is or would be in the repository. */
async function cppSources() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.cpp', '*.hpp'];
  const { stdout } = await mustRun('git', args, { cwd: projectRoot });
  return stdout.trim().split('\n').filter(Boolean);
}
