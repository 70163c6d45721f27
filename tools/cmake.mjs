// Configures and builds a CMake preset: node tools/cmake.mjs PRESET [--target T]...

import { parseArgs } from 'node:util';
import { buildPreset, isArm, isWasm } from './setup/cmake-build.mjs';
import { runMain, SetupError } from './setup/report.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { target: { type: 'string', multiple: true } },
  });
  const [preset] = positionals;
  if (!preset)
    throw new SetupError(
      'no preset given',
      'node tools/cmake.mjs native-release|native-asan|native-arm|wasm-simd|wasm-threads [--target T]',
    );
  const toolchain = await setUp(isWasm(preset) ? { wasm: true } : { native: true, arm: isArm(preset) });
  await buildPreset(preset, toolchain, { targets: values.target, show: true });
});
