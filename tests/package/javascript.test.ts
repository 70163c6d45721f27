// The tarball in a project of somebody else: in Node, and for whoever compiles against its types.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Api from '../../web/src/engine/index';
import { ROOT, runIn } from './build';
import { backward, forward, type Problem } from './loops';
import { makeProject, type Project, VERSION } from './project';

let project: Project;
let api: typeof Api;

beforeAll(async () => {
  project = await makeProject('tests/package/javascript');
  api = await import(pathToFileURL(join(project.folder, 'node_modules/conv2d/index.js')).href);
});
afterAll(() => project.remove());

/** What the README's example prints: ones everywhere and a bias of 1. */
const PRINTED = [
  `y: ${4 * 64 + 1} in the corner, ${9 * 64 + 1} in the middle`,
  `dx: ${4 * 128} in the corner, ${9 * 128} in the middle`,
  'dw: 3 x 3 x 64 x 128',
  'invalid_stride of stride_h: ',
];
const expectPrinted = (text: string): void => {
  const lines = text.trim().split('\n');
  expect(lines.map((line, i) => (i === 3 ? line.slice(0, PRINTED[3]?.length) : line))).toEqual(PRINTED);
};

const whole = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => ((i * 7 + seed) % 11) - 5);

describe('in Node, the package', () => {
  it("runs the README's example", async () => {
    expectPrinted(await runIn(project.folder, process.execPath, 'layer.mjs'));
  });

  it('runs it in a worker', async () => {
    const worker = new Worker(pathToFileURL(join(project.folder, 'layer.mjs')), { stdout: true });
    const texts: string[] = [];
    worker.stdout.on('data', (text) => texts.push(String(text)));
    expect(await new Promise((resolve) => worker.on('exit', resolve))).toBe(0);
    expectPrinted(texts.join(''));
  });

  // Whole numbers, so that every order of summation gives the same.
  it.each(['simd', 'relaxed'] as const)('computes what loops compute, in NCHW with everything: %s', async (build) => {
    const conv = await api.createConv({ build });
    const sizes = { n: 2, c: 4, h: 9, w: 8, k: 6, kh: 3, kw: 2, groups: 2 };
    const steps = { stride: [2, 1], dilation: [1, 2], groups: 2 } as const;
    const p: Problem = { ...sizes, ...steps, top: 1, left: 2, oh: 4, ow: 8 };
    const x = { shape: [2, 4, 9, 8], data: whole(2 * 4 * 9 * 8, 1) } as const;
    const w = { shape: [6, 2, 3, 2], data: whole(6 * 2 * 3 * 2, 2) } as const;
    const b = whole(6, 3);
    const geometry = { ...steps, layout: 'nchw', padding: { top: 1, left: 2 } } as const;
    const y = conv.forward({ x, w, b, ...geometry });
    expect(y).toEqual({ shape: [2, 6, 4, 8], data: Float32Array.from(forward(p, x.data, w.data, b)) });
    const dy = { shape: y.shape, data: whole(y.data.length, 4) };
    const expected = backward(p, x.data, w.data, dy.data);
    expect(conv.backward({ x, w, dy, ...geometry })).toEqual({
      dx: { shape: x.shape, data: Float32Array.from(expected.dx) },
      dw: { shape: w.shape, data: Float32Array.from(expected.dw) },
      db: { shape: [1, 1, 1, 6], data: Float32Array.from(expected.db) },
    });
    conv.dispose();
  });

  it('computes the same bits on two threads, and ends them', async () => {
    const x = { shape: [1, 96, 96, 16], data: whole(96 * 96 * 16, 1).map(Math.sin) } as const;
    const w = { shape: [3, 3, 16, 32], data: whole(3 * 3 * 16 * 32, 2).map(Math.sin) } as const;
    const [one, two] = [await api.createConv({ build: 'relaxed' }), await api.createConv({ threads: 2 })];
    expect([one.build, one.threads, two.build, two.threads]).toEqual(['relaxed', 1, 'threads', 2]);
    expect(two.forward({ x, w, padding: 'same' })).toEqual(one.forward({ x, w, padding: 'same' }));
    one.dispose();
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    two.dispose();
    expect(ended).toHaveBeenCalledTimes(1);
    ended.mockRestore();
  });

  it('is on one thread where there is no shared memory', async () => {
    vi.stubGlobal('crossOriginIsolated', false);
    const conv = await api.createConv({ threads: 2 });
    vi.unstubAllGlobals();
    expect([conv.build, conv.threads]).toEqual(['relaxed', 1]);
    conv.dispose();
  });
});

describe('what is wrong', () => {
  const x = { shape: [1, 4, 4, 2], data: whole(32, 1) } as const;
  const w = { shape: [3, 3, 2, 1], data: whole(18, 1) } as const;
  const ok = { x, w };
  const cases: readonly (readonly [what: string, asked: object, code: string, field: string])[] = [
    ['a stride that is none', { ...ok, stride: [1, 0] }, 'invalid_stride', 'stride_w'],
    ['half a step', { ...ok, dilation: 1.5 }, 'invalid_argument', 'dilation_h'],
    ['three strides', { ...ok, stride: [1, 1, 1] }, 'invalid_argument', 'stride'],
    ['a list of numbers', { x, w: { ...w, data: [1, 2] } }, 'invalid_argument', 'w.data'],
    ['too few values', { x: { ...x, data: whole(31, 1) }, w }, 'length_mismatch', 'x.data'],
    ['three sizes', { x: { ...x, shape: [4, 4, 2] }, w }, 'invalid_argument', 'x.shape'],
    ['a size in words', { x: { ...x, shape: [1, 4, 4, '2'] }, w }, 'invalid_argument', 'x.shape'],
    ['other channels', { x, w: { shape: [3, 3, 1, 2], data: w.data } }, 'channel_mismatch', 'w'],
    ['a bias for other filters', { ...ok, b: whole(2, 1) }, 'length_mismatch', 'b'],
    ['an algorithm that nobody knows', { ...ok, algorithm: 'guess' }, 'unknown_algorithm', 'algorithm'],
    ['a word with a slip', { ...ok, strides: 2 }, 'invalid_argument', 'strides'],
    ['nothing', {}, 'invalid_argument', 'x'],
    ['no padding that there is', { ...ok, padding: null }, 'invalid_argument', 'padding'],
  ];

  it('has a code and a field, and changes nothing', async () => {
    const conv = await api.createConv();
    const before = conv.forward(ok);
    for (const [what, asked, code, field] of cases) {
      const thrown = await Promise.resolve(asked as Api.Forward)
        .then((it) => conv.forward(it))
        .catch((error) => error);
      expect(thrown, what).toBeInstanceOf(api.ConvFailure);
      expect([thrown.code, thrown.field], what).toEqual([code, field]);
      expect(thrown.message.length, what).toBeGreaterThan(10);
    }
    const dy = { shape: [1, 3, 3, 1], data: whole(9, 1) } as const;
    expect(() => conv.backward({ ...ok, dy })).toThrow('dy is 1 x 3 x 3 x 1, but x and w give 1 x 2 x 2 x 1');
    expect(() => conv.backward({ ...ok, dy: before, of: ['dz' as 'dx'] })).toThrow('of has dz');
    expect(conv.forward(ok)).toEqual(before);
    conv.dispose();
    conv.dispose();
    expect(() => conv.forward(ok)).toThrow('disposed');
  });

  it.each([
    ['threads', { threads: 0 }],
    ['threads', { threads: 1.5 }],
    ['threads', { threads: 65 }],
    ['build', { build: 'fast' }],
    ['speed', { speed: 2 }],
    ['the options', null],
  ])('%s is named when an engine is asked for with %o', async (field, options) => {
    await expect(api.createConv(options as Api.Options)).rejects.toMatchObject({ code: 'invalid_argument', field });
  });
});

describe('the tarball', () => {
  it.each([
    ['typescript', 'nodenext', 'nodenext'],
    ['typescript', 'esnext', 'bundler'],
    ['typescript5', 'nodenext', 'nodenext'],
  ])('has types that %s takes: --module %s, --moduleResolution %s', async (version, module, resolution) => {
    const compiler = join(ROOT, 'node_modules', version, 'bin/tsc');
    const options = ['--module', module, '--moduleResolution', resolution];
    await runIn(project.folder, process.execPath, compiler, '-p', '.', ...options);
  });

  it('has no any among its types', () => {
    const folder = join(project.folder, 'node_modules/conv2d/types');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
    expect(files).toContain('engine/api.d.ts');
    const code = (name: string) => readFileSync(join(folder, name), 'utf8').replace(/\/\*.*?\*\/|\/\/.*$/gms, '');
    expect(files.filter((name) => /\b(?:any|unknown\[\]|Function|MainModule)\b/.test(code(name)))).toEqual([]);
  });

  it('is of the version of the library, and needs no other package', () => {
    const made = JSON.parse(readFileSync(join(project.folder, 'node_modules/conv2d/package.json'), 'utf8'));
    expect(made).toMatchObject({ version: VERSION });
    expect(made).not.toHaveProperty('dependencies');
  });
});
