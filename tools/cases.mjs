// npm run cases -- DIR: runs every case file of a folder natively and with both WebAssembly variants.

import { resolve } from 'node:path';
import { buildPreset } from './setup/cmake-build.mjs';
import { closingLine, runMain, SetupError, say, seconds } from './setup/report.mjs';
import { capture } from './setup/run-process.mjs';
import { setUp } from './setup.mjs';
import { programOf } from './test/runners.mjs';

await runMain(async () => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new SetupError('which folder of case files?', 'npm run cases -- DIR');
  const toolchain = await setUp({ native: true, wasm: true });
  const total = { passed: 0, failed: 0 };
  await buildPreset('native-release', toolchain, { targets: ['conv2d_cases'] });
  await buildPreset('wasm-simd', toolchain, { targets: ['conv2d_cases', 'conv2d_cases_relaxed'] });
  for (const preset of ['native-release', 'wasm-simd', 'wasm-relaxed']) {
    const started = Date.now();
    const [command, ...args] = programOf(preset, 'conv2d_cases');
    const { code, output } = await capture(command, [...args, resolve(folder)]);
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [0, 0, 0];
    // A program that crashed or read no case counts as one failure.
    const count = { passed: Number(passed), failed: Number(failed) || (code !== 0 || Number(passed) === 0 ? 1 : 0) };
    if (count.failed > 0) say(output.trimEnd());
    say(`${preset.padEnd(15)} ${closingLine(count)} in ${seconds(Date.now() - started)}`);
    total.passed += count.passed;
    total.failed += count.failed;
  }
  say(closingLine(total));
  return total.failed === 0 ? 0 : 1;
});
