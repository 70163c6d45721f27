// npm run fuzz -- SECONDS: feeds the library random descriptors and data under AddressSanitizer and UBSan (clang's
// libFuzzer). What the search has learned is kept in build/native-fuzz/corpus and built on by the next run.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPreset } from './setup/cmake-build.mjs';
import { buildRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { capture, which } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';

/** A clang++ that can link libFuzzer: its runtime is a package of its own. */
async function findClang() {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-fuzz-'));
  try {
    const source = join(folder, 'probe.cpp');
    writeFileSync(source, 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n');
    const versions = ['21', '20', '19', '18', '17', '16'].map((version) => `clang++-${version}`);
    for (const name of [process.env.CXX, ...versions, 'clang++'].filter(Boolean)) {
      if (!which(name) && !name.includes('/')) continue;
      const flags = ['-fsanitize=fuzzer,address,undefined', source, '-o', join(folder, 'probe')];
      if ((await capture(name, flags)).code === 0) return name;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  throw new SetupError(
    'no clang++ with libFuzzer and AddressSanitizer',
    'apt-get install clang-19 libclang-rt-19-dev (or clang and its libclang-rt-dev of another version)',
  );
}

await runMain(async () => {
  const duration = Number(process.argv[2] ?? 60);
  if (!Number.isInteger(duration) || duration < 1) throw new SetupError('for how many seconds?', 'npm run fuzz -- 60');
  process.env.CXX = await findClang();
  const toolchain = await setUp({ native: true });
  await buildPreset('native-fuzz', toolchain, { targets: ['conv2d_fuzz'] });

  const folder = join(buildRoot, 'native-fuzz');
  const corpus = join(folder, 'corpus');
  mkdirSync(corpus, { recursive: true });
  const { code, output } = await capture(join(folder, 'conv2d_fuzz'), [
    corpus,
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
