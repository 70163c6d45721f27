// The native test program for 64-bit Arm, which covers NEON: emulated, or directly on an Arm machine.

import { describeArm, runOnArm } from '../setup/arm.mjs';
import { catch2, programOf } from './runners.mjs';

/**
 * One of `shares` parts of the test cases. The emulator uses little more than one processor, and all tests take 137 s:
 * two parts use two processors. Random geometries are not the slow part (2,000 per property: 9 s), so their number is
 * the usual one.
 */
export function arm(share, shares) {
  const preset = 'native-arm';
  const part = ['--shard-count', String(shares), '--shard-index', String(share)];
  const suite = catch2(preset, {
    name: `${preset}-${share + 1}`,
    groups: ['arm'],
    needs: ['native', 'arm'],
    when: 'thorough',
    env: { CONV2D_EMULATED_SETS: 'no' }, // the emulated kernel sets of the tests; other suites run them
    command: () => [...runOnArm(programOf(preset, 'conv2d_tests')), ...part],
  });
  return {
    ...suite,
    async run(context) {
      const result = await suite.run(context);
      return { ...result, output: `engine: ${await describeArm()}\n${result.output}` };
    },
  };
}
