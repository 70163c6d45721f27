// 64-bit Arm: a cross compiler and the user mode of qemu, or natively on an Arm machine.

import { arch, platform } from 'node:os';
import { SetupError } from './report.mjs';
import { capture, which } from './run-process.mjs';
import { missingOf } from './system-packages.mjs';

const machineIsArm = arch() === 'arm64';
const compiler = 'aarch64-linux-gnu-g++';
/** Reads Arm libraries; that of another machine cannot. */
export const armObjdump = machineIsArm ? 'objdump' : 'aarch64-linux-gnu-objdump';

const emulator = () => which('qemu-aarch64') ?? which('qemu-aarch64-static');

/** Missing packages for building and running Arm programs, as a list for installPackages. */
export function missingArm() {
  if (machineIsArm) return [];
  if (platform() !== 'linux')
    throw new SetupError('Arm programs run on Linux (emulated) or on an Arm machine', 'run this on one of them');
  return missingOf(
    [which(compiler), 'g++-aarch64-linux-gnu', 'a compiler for Arm'],
    [emulator(), 'qemu-user', 'runs Arm programs'],
  );
}

/** The command line that runs an Arm program on this machine. */
export function runOnArm(program) {
  return machineIsArm ? [program] : [emulator(), program];
}

/** The emulator and compiler of the Arm programs, in one line. */
export async function describeArm() {
  if (machineIsArm) return 'on this Arm machine itself';
  const [emulated, compiled] = await Promise.all([
    capture(emulator(), ['--version']),
    capture(compiler, ['--version']),
  ]);
  const first = ({ stdout }) => stdout.split('\n')[0].trim();
  return `${first(emulated)}; ${first(compiled)}`;
}
