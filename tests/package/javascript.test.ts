// The tarball in projects of others: nothing of this one is to be found from where they lie.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, runIn, textOf } from './build';

const EXAMPLE = 'tests/package/javascript';
let project = '';

beforeAll(async () => {
  const printed = await runIn(ROOT, process.execPath, 'tools/pack.mjs', '--built');
  project = mkdtempSync(join(tmpdir(), 'conv2d-project-'));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const name of ['layer.mjs', 'types.ts', 'tsconfig.json']) {
    cpSync(join(ROOT, EXAMPLE, name), join(project, name));
  }
  await runIn(
    project,
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    printed.trim().split('\n').at(-1) ?? '',
  );
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the tarball', () => {
  it('computes in Node, both ways, and names what is wrong', async () => {
    const lines = [
      `y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle`,
      `dx: ${4 * 128} in the corner, ${9 * 128} in the middle`,
      'dw: 3 x 3 x 64 x 128',
      'invalid_stride: ',
    ];
    const printed = (await runIn(project, process.execPath, 'layer.mjs')).trim().split('\n');
    expect(printed.map((line, i) => (i === 3 ? line.slice(0, 'invalid_stride: '.length) : line))).toEqual(lines);
  });

  it('has types, for each way of resolving modules, and no any among them', async () => {
    for (const resolution of ['nodenext', 'bundler']) {
      const module = resolution === 'bundler' ? 'esnext' : resolution;
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      await runIn(project, process.execPath, compiler, '-p', '.', '--module', module, '--moduleResolution', resolution);
    }
  });

  it('is of the version of the library, and needs no other package', () => {
    const made = JSON.parse(readFileSync(join(project, 'node_modules/conv2d/package.json'), 'utf8'));
    expect(made).toMatchObject({ version: JSON.parse(textOf('package.json')).version });
    expect(made).not.toHaveProperty('dependencies');
  });
});
