// The native test program for 64-bit Arm, which covers NEON: emulated, or directly on an Arm machine.

import { describeArm, runOnArm } from '../setup/arm.mjs';
import { catch2, programOf } from './runners.mjs';

/** One of `shares` parts of the test cases: the emulator uses little more than one processor. */
export function arm(share, shares) {
  const preset = 'native-arm';
  const part = ['--shard-count', String(shares), '--shard-index', String(share)];
  const suite = catch2(preset, {
    name: `${preset}-${share + 1}`,
    groups: ['arm'],
    needs: ['native', 'arm'],
    when: 'ci',
    draws: { usual: 300, thorough: 2000 }, // emulation is slow, and the native suites draw more
    env: { CONV2D_EMULATED_SETS: 'no' }, // the emulated kernel sets of the tests; other suites run them
    command: () => [...runOnArm(programOf(preset, 'conv2d_library_tests')), ...part],
  });
  return {
    ...suite,
    async run(context) {
      const result = await suite.run(context);
      return { ...result, output: `engine: ${await describeArm()}\n${result.output}` };
    },
  };
}
