// npm run fuzz -- SECONDS: runs the library on random descriptors and data with libFuzzer (clang), AddressSanitizer and
// UBSan. The corpus is kept in build/native-fuzz/corpus for the next run. Each run begins with the inputs that found a
// defect (tests/cpp/fuzz/found).

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPreset } from './setup/cmake-build.mjs';
import { findFuzzingClang } from './setup/fuzzer.mjs';
import { buildRoot, projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { capture } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const duration = Number(process.argv[2] ?? 60);
  if (!Number.isInteger(duration) || duration < 1)
    throw new SetupError('the duration must be a whole number of seconds', 'npm run fuzz -- 60');
  const toolchain = await setUp({ native: true, fuzzer: true });
  process.env.CXX = await findFuzzingClang();
  await buildPreset('native-fuzz', toolchain, { targets: ['conv2d_fuzz'] });

  const folder = join(buildRoot, 'native-fuzz');
  const corpus = join(folder, 'corpus');
  mkdirSync(corpus, { recursive: true });
  const { code, output } = await capture(join(folder, 'conv2d_fuzz'), [
    corpus,
    join(projectRoot, 'tests/cpp/fuzz/found'),
    `-max_total_time=${duration}`,
    '-max_len=256',
    '-rss_limit_mb=4096',
    '-print_final_stats=1',
    `-artifact_prefix=${folder}/finding-`,
  ]);
  const executions = /stat::number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? '0';
  const coverage = [...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '?';
  if (code !== 0) say(output.trimEnd());
  say(`fuzz: ${executions} executions, ${coverage} edges covered, ${code === 0 ? 'no finding' : 'A FINDING'}`);
  return code === 0 && executions !== '0' ? 0 : 1;
});
