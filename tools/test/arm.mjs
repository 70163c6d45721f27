// The native test program for 64-bit Arm, which is where NEON runs: emulated, or directly on an Arm machine.

import { describeArm, runOnArm } from '../setup/arm.mjs';
import { catch2, programOf } from './runners.mjs';

/**
 * One of `shares` parts of the test cases. The emulator keeps little more than one processor busy, and the whole takes more
 * than two minutes of it (137 s): in two parts they run on two. The random geometries are not what takes long (2,000 of every
 * property: 9 s), so they are as many as elsewhere.
 */
export function arm(share, shares) {
  const preset = 'native-arm';
  const part = ['--shard-count', String(shares), '--shard-index', String(share)];
  const suite = catch2(preset, {
    name: `${preset}-${share + 1}`,
    groups: ['arm'],
    needs: ['native', 'arm'],
    onRequest: true,
    env: { CONV2D_EMULATED_SETS: 'no' }, // of the tests: they are run where nothing else is emulated
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
