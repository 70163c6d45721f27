// npm run lint: checks format and lint rules of both languages, and the imports between rooms. `--fix` (npm run format)
// writes automatic fixes.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeModules, projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';
import { capture, which } from './setup/run-process.mjs';
import { listSources } from './setup/sources.mjs';
import { installPackages } from './setup/system-packages.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values } = parseArgs({ options: { fix: { type: 'boolean' } } });
  await setUp({});
  if (!which('clang-format')) await installPackages([{ name: 'clang-format', reason: 'the format of C and C++' }]);
  const sources = await listSources('*.cpp', '*.hpp', '*.c', '*.h');
  const biome = [join(nodeModules, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'];
  const checks = [
    ['biome', process.execPath, [...biome, ...(values.fix ? ['--write'] : [])]],
    ['clang-format', 'clang-format', [...(values.fix ? ['-i'] : ['--dry-run', '-Werror']), ...sources]],
    ['imports, self-test', process.execPath, ['tools/check-imports.mjs', '--self-test']],
    ['imports', process.execPath, ['tools/check-imports.mjs']],
    ['values', process.execPath, ['tools/check-values.mjs']],
    ['styles', process.execPath, ['tools/check-styles.mjs']],
    ['words', process.execPath, ['tools/check-words.mjs']],
    ['spelling', process.execPath, [join(nodeModules, 'cspell/bin.mjs'), '--no-progress', '--quiet', '.']],
  ];
  let failed = 0;
  for (const [name, command, args] of checks) {
    const { code, output } = await capture(command, args, { cwd: projectRoot });
    say(`${name}: ${code === 0 ? 'fine' : `\n${output}`}`);
    if (code !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
