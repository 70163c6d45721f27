// The tarball in another project: in Node, and compiled against its types.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Api from '../../web/package/index';
import { ROOT, runIn, textOf } from './build';
import { backward, forward, type Problem } from './loops';
import { EXPECTED_OUTPUT, makeProject, type Project, VERSION } from './project';

let project: Project;
let api: typeof Api;

beforeAll(async () => {
  project = await makeProject('tests/package/javascript');
  api = await import(pathToFileURL(join(project.folder, 'node_modules/conv2d/index.js')).href);
});
afterAll(() => project.remove());

/** A file of the installed package. */
const installed = (name: string): string => readFileSync(join(project.folder, 'node_modules/conv2d', name), 'utf8');

const expectPrinted = (text: string): void => expect(text.trim().split('\n')).toEqual(EXPECTED_OUTPUT);

const whole = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => ((i * 7 + seed) % 11) - 5);

describe('in Node, the package', () => {
  it('runs the example of README.md', async () => {
    expect(await runIn(project.folder, process.execPath, 'first.mjs')).toBe(
      'y 54,72,144,162, dx[2,2] 432, dw[0,0] 3528\n',
    );
  });

  it('runs the example of docs/javascript.md', async () => {
    expectPrinted(await runIn(project.folder, process.execPath, 'layer.mjs'));
  });

  it('runs the examples', async () => {
    cpSync(join(ROOT, 'examples/javascript'), project.folder, { recursive: true });
    expect(await runIn(project.folder, process.execPath, 'node.mjs')).toBe(
      'y  37 47 67 77\ndx 1 2 0 3 5 2 0 3 4\ndw 6 8 12 14\n',
    );
    expect(await runIn(project.folder, process.execPath, 'worker.mjs')).toBe(
      `in the worker: x, with 0 values left here\ny: 1 x 64 x 64 x 1, ${9 / 16} in the corner, 1 in the middle\n`,
    );
  });

  it('runs the example of a prepared layer', async () => {
    const lines = (await runIn(project.folder, process.execPath, 'prepared.mjs')).trim().split('\n');
    expect(lines.slice(0, -2)).toEqual(
      expect.arrayContaining(['reference: 0', expect.stringMatching(/^direct: \d+$/)]),
    );
    // 4 of 9 taps of 8 channels meet x in the corner. A corner of dw is the sum of y without its first row and column:
    // 16 pixels reached by 9 taps, 8 at the edges reached by 6, and the corner.
    const sums = (value: number) => [4 * 8 * value, (16 * 9 + 8 * 6 + 4) * 8 * value];
    expect(lines.slice(-2)).toEqual([1, 2].map((w) => `w = ${w}: y ${sums(w)[0]} in the corner, dw ${sums(w)[1]}`));
  });

  it('runs it in a worker', async () => {
    const worker = new Worker(pathToFileURL(join(project.folder, 'layer.mjs')), { stdout: true });
    const texts: string[] = [];
    worker.stdout.on('data', (text) => texts.push(String(text)));
    expect(await new Promise((resolve) => worker.on('exit', resolve))).toBe(0);
    expectPrinted(texts.join(''));
  });

  // Integers, so that every order of summation gives the same result.
  it.each(['simd', 'relaxed'] as const)('computes the same as loops, in NCHW with every option: %s', async (build) => {
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
      db: { shape: [6], data: Float32Array.from(expected.db) },
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

  // Newer versions have relaxed SIMD without a flag.
  it.runIf(process.versions.node.startsWith('20.'))(
    'rejects relaxed SIMD without its flag, and prints nothing else',
    async () => {
      const asks = ["{ build: 'relaxed' }", "{ build: 'threads', threads: 2 }", '{ threads: 2 }'];
      const program = `import { createConv } from 'conv2d';
      for (const ask of [${asks}]) {
        const conv = await createConv(ask).catch((failure) => failure);
        console.log(conv.code ?? conv.build, conv.threads ?? conv.message);
      }`;
      const all = `"${process.execPath}" --input-type=module --eval '${program.replaceAll("'", '"')}' 2>&1`;
      const lines = (await runIn(project.folder, 'env', '-u', 'NODE_OPTIONS', 'sh', '-c', all)).trim().split('\n');
      const refused =
        /^unsupported this JavaScript engine has no relaxed SIMD \(Node 20: --experimental-wasm-relaxed-simd\); leave/;
      expect(lines).toEqual([expect.stringMatching(refused), expect.stringMatching(refused), 'simd 1']);
    },
  );

  it('uses one thread if there is no shared memory', async () => {
    vi.stubGlobal('crossOriginIsolated', false);
    const conv = await api.createConv({ threads: 2 });
    vi.unstubAllGlobals();
    expect([conv.build, conv.threads]).toEqual(['relaxed', 1]);
    conv.dispose();
  });
});

describe('an error', () => {
  const x = { shape: [1, 4, 4, 2], data: whole(32, 1) } as const;
  const w = { shape: [3, 3, 2, 1], data: whole(18, 1) } as const;
  const ok = { x, w };
  const cases: readonly (readonly [what: string, options: object, code: string, field: string])[] = [
    ['a zero stride', { ...ok, stride: [1, 0] }, 'invalid_stride', 'stride'],
    ['a fractional dilation', { ...ok, dilation: 1.5 }, 'invalid_argument', 'dilation'],
    ['three strides', { ...ok, stride: [1, 1, 1] }, 'invalid_argument', 'stride'],
    ['a list of numbers', { x, w: { ...w, data: [1, 2] } }, 'invalid_argument', 'w.data'],
    ['too few values', { x: { ...x, data: whole(31, 1) }, w }, 'length_mismatch', 'x.data'],
    ['three sizes', { x: { ...x, shape: [4, 4, 2] }, w }, 'invalid_argument', 'x.shape'],
    ['a size as text', { x: { ...x, shape: [1, 4, 4, '2'] }, w }, 'invalid_argument', 'x.shape'],
    ['mismatched channels', { x, w: { shape: [3, 3, 1, 2], data: w.data } }, 'channel_mismatch', 'w.shape'],
    ['a bias for other filters', { ...ok, b: whole(2, 1) }, 'length_mismatch', 'b'],
    ['an unknown algorithm', { ...ok, algorithm: 'guess' }, 'unknown_algorithm', 'algorithm'],
    ['a misspelled option', { ...ok, strides: 2 }, 'invalid_argument', 'strides'],
    ['no arguments', {}, 'invalid_argument', 'x'],
    ['null as padding', { ...ok, padding: null }, 'invalid_argument', 'padding'],
  ];

  it('has a code and a field, and changes nothing', async () => {
    const conv = await api.createConv();
    const before = conv.forward(ok);
    for (const [what, options, code, field] of cases) {
      const thrown = await Promise.resolve(options as Api.Forward)
        .then((it) => conv.forward(it))
        .catch((error) => error);
      expect(thrown, what).toBeInstanceOf(api.ConvFailure);
      expect([thrown.code, thrown.field], what).toEqual([code, field]);
      expect(thrown.message.length, what).toBeGreaterThan(10);
    }
    const dy = { shape: [1, 3, 3, 1], data: whole(9, 1) } as const;
    expect(() => conv.backward({ ...ok, dy })).toThrow('dy is 1 x 3 x 3 x 1, but x and w give 1 x 2 x 2 x 1');
    expect(() => conv.backward({ ...ok, dy: before, of: ['dz' as 'dx'] })).toThrow('of has the string "dz"');
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
    ['options', null],
  ])('%s is named for invalid options %o', async (field, options) => {
    await expect(api.createConv(options as Api.Options)).rejects.toMatchObject({ code: 'invalid_argument', field });
  });
});

describe('the tarball', () => {
  it.each([
    ['typescript', 'nodenext', 'nodenext'],
    ['typescript', 'esnext', 'bundler'],
    ['typescript5', 'nodenext', 'nodenext'],
  ])('has types that %s accepts: --module %s, --moduleResolution %s', async (version, module, resolution) => {
    const compiler = join(ROOT, 'node_modules', version, 'bin/tsc');
    const options = ['--module', module, '--moduleResolution', resolution];
    await runIn(project.folder, process.execPath, compiler, '-p', '.', ...options);
  });

  it('declares the exported types and nothing else', () => {
    const text = installed('index.d.ts').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    const names = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
    const declared = names(/^(?:export )?(?:declare )?(?:type|interface|const|function|class) (\w+)/gm);
    const exported = names(/^export (?:declare )?(?:type|interface|const|function|class) (\w+)/gm);
    const source = textOf('web/package/index.ts');
    const listed = [...source.matchAll(/^export type \{([^}]*)\}/gm)].flatMap(([, list]) => list?.match(/\w+/g) ?? []);
    expect(exported).toEqual(new Set([...listed, 'ConvFailure', 'ErrorCode', 'check', 'createConv']));
    // Internal types that these are built from.
    expect(declared).toEqual(new Set([...exported, 'EngineErrorCode', 'Variant']));
    expect(text).not.toMatch(/\b(?:any|unknown|Function|MainModule|StageName|image_unreadable)\b/);
  });

  it('has a README that starts with usage', () => {
    const [before, example] = installed('README.md').split(/^```js\n|^```\n/m);
    expect(before).toContain('npm install');
    expect(before).not.toContain('npm run pack');
    expect(example).toBe(textOf('tests/package/javascript/layer.mjs'));
    // Files of the repository are not in the package.
    expect(installed('README.md')).not.toMatch(/\]\((?!https?:)/);
  });

  it('has a package.json with a description, and without URLs that the project does not have', () => {
    const made = JSON.parse(installed('package.json'));
    expect(made).toMatchObject({ name: 'conv2d', license: 'MIT', description: expect.stringContaining('convolution') });
    expect(made.keywords).toEqual(expect.arrayContaining(['convolution', 'webassembly', 'simd']));
    for (const field of ['repository', 'homepage', 'private', 'dependencies']) expect(made).not.toHaveProperty(field);
    expect(made).toMatchObject({ version: VERSION });
  });
});
