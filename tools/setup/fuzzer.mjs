// A clang++ that can link libFuzzer with the sanitizers; its runtime is a separate package.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from './report.mjs';
import { capture, which } from './run-process.mjs';
import { candidateVersion, hasApt } from './system-packages.mjs';

const versions = ['21', '20', '19', '18', '17', '16', '15', '14'];

/** The name of the program, or undefined. Tries CXX first. */
export async function findFuzzingClang() {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-fuzz-'));
  try {
    const source = join(folder, 'probe.cpp');
    writeFileSync(source, 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n');
    const names = [process.env.CXX, ...versions.map((version) => `clang++-${version}`), 'clang++'];
    for (const name of names.filter((known) => known && which(known))) {
      const flags = ['-fsanitize=fuzzer,address,undefined', source, '-o', join(folder, 'probe')];
      if ((await capture(name, flags)).code === 0) return name;
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Missing packages of the fuzzer, as a list for installPackages. */
export async function missingFuzzer() {
  if (await findFuzzingClang()) return [];
  const reason = 'the fuzzer';
  for (const version of hasApt() ? versions : []) {
    const names = [`clang-${version}`, `libclang-rt-${version}-dev`];
    const known = await Promise.all(names.map(candidateVersion));
    if (known.every(Boolean)) return names.map((name) => ({ name, reason }));
  }
  throw new SetupError(
    'no clang++ with libFuzzer and AddressSanitizer',
    'install clang and its libclang-rt-dev, or set CXX to a clang++ that has them',
  );
}
