// Makes the wheel: the Python package, the C library, the page in one file, and their description. It is one for all versions of Python 3, as ctypes
// opens the library.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { armObjdump } from '../setup/arm.mjs';
import { buildPreset, isArm } from '../setup/cmake-build.mjs';
import { buildRoot, projectRoot } from '../setup/paths.mjs';
import { mustRun } from '../setup/run-process.mjs';
import { projectVersion } from '../setup/version.mjs';
import { zipOf } from './zip.mjs';

const Source = join(projectRoot, 'cpp/bindings/python/conv2d');
/** The libraries that every Linux of a manylinux tag has, and that the C library may need. */
const Allowed = /^(?:libc|libm|libpthread|ld-linux-[\w-]+)\.so\.\d+$/;

/** Builds the library, makes the wheel with the file `page` in the folder `target`, and returns its path. */
export async function buildWheel(toolchain, page, target, preset = 'native-release') {
  await buildPreset(preset, toolchain, { targets: ['conv2d_python'] });
  const library = join(buildRoot, preset, 'cpp/bindings/c/libconv2d_python.so');
  return makeWheel(library, page, target, isArm(preset) ? armObjdump : 'objdump');
}

/** Makes the wheel of a library (the target conv2d_python) and the file `page` in the folder `target`, and returns its path. */
export async function makeWheel(library, page, target, objdump = 'objdump') {
  const version = projectVersion();
  const { license } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const tag = `py3-none-${await platformOf(library, objdump)}`;
  const info = `conv2d-${version}.dist-info`;
  const files = [
    ...readdirSync(Source)
      .filter((name) => /\.(?:py|typed)$/.test(name))
      .sort()
      .map((name) => [`conv2d/${name}`, readFileSync(join(Source, name))]),
    ['conv2d/libconv2d_c.so', readFileSync(library)],
    ['conv2d/conv2d.html', readFileSync(page)],
    [`${info}/METADATA`, Buffer.from(metadata(version, license))],
    [`${info}/WHEEL`, Buffer.from(`Wheel-Version: 1.0\nGenerator: conv2d\nRoot-Is-Purelib: false\nTag: ${tag}\n`)],
    ...['LICENSE', 'THIRD_PARTY_NOTICES.txt'].map((name) => [
      `${info}/licenses/${name}`,
      readFileSync(join(projectRoot, name)),
    ]),
  ];
  const record = `${info}/RECORD`;
  const lines = files.map(([name, content]) => {
    const hash = createHash('sha256').update(content).digest('base64url');
    return `${name},sha256=${hash},${content.length}`;
  });
  mkdirSync(target, { recursive: true });
  const wheel = join(target, `conv2d-${version}-${tag}.whl`);
  writeFileSync(wheel, zipOf([...files, [record, Buffer.from([...lines, `${record},,`, ''].join('\n'))]]));
  return wheel;
}

function metadata(version, license) {
  const description = readFileSync(join(projectRoot, 'docs/python.md'), 'utf8');
  return `${[
    'Metadata-Version: 2.1',
    'Name: conv2d',
    `Version: ${version}`,
    'Summary: 2-D convolution and its gradients, with SIMD kernels, for NumPy',
    `License: ${license}`,
    'Requires-Python: >=3.9',
    'Requires-Dist: numpy>=1.21',
    'Description-Content-Type: text/markdown',
  ].join('\n')}\n\n${description}`;
}

/**
 * The platform tag of the library: the oldest glibc that has all functions it needs (PEP 600). Fails if it needs a library that
 * other machines may not have.
 */
async function platformOf(library, objdump) {
  const { stdout } = await mustRun(objdump, ['--private-headers', library]);
  const needed = [...stdout.matchAll(/^ +NEEDED +(\S+)$/gm)].map(([, name]) => name);
  const others = needed.filter((name) => !Allowed.test(name));
  if (others.length > 0) throw new Error(`${library} needs ${others.join(', ')}`);
  const minors = [...stdout.matchAll(/\bGLIBC_2\.(\d+)\b/g)].map(([, minor]) => Number(minor));
  const machine = /file format elf64-(x86-64|littleaarch64)/.exec(stdout)?.[1];
  const names = { 'x86-64': 'x86_64', littleaarch64: 'aarch64' };
  if (!machine || minors.length === 0) throw new Error(`${library} is no library for x86-64 or 64-bit Arm with glibc`);
  return `manylinux_2_${Math.max(...minors)}_${names[machine]}`;
}
