// The command conv2d-check and the function check of the tarball, in another project, on files with known results.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Api from '../../web/package/index';
import { writeNpy, writeNpz } from '../../web/src/formats/npy';
import { writeSafetensors } from '../../web/src/formats/safetensors';
import { parseCompressed } from '../../web/src/link/parse-link';
import { partsOf } from '../web/support/problems';
import { runIn, textOf } from './build';
import { type Case, convolution, named, renamed, trueConvolution, withStrideForgotten } from './check-cases';
import { makeProject, type Project } from './project';

let project: Project;
let api: typeof Api;

beforeAll(async () => {
  project = await makeProject('tests/package/javascript');
  api = await import(pathToFileURL(join(project.folder, 'node_modules/conv2d/index.js')).href);
});
afterAll(() => project.remove());

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the installed command in the project. */
function check(...args: readonly string[]): Promise<Ran> {
  const command = join(project.folder, 'node_modules/.bin/conv2d-check');
  return new Promise((resolve) =>
    execFile(command, args, { cwd: project.folder, maxBuffer: 1e8 }, (failed, out, err) =>
      resolve({ status: Number(failed?.code ?? 0), out, err }),
    ),
  );
}

const linesOf = ({ out }: Ran) => out.trim().split('\n');
const answers = (ran: Ran): readonly (Api.FileVerdict & { readonly file: string; readonly error?: string })[] =>
  linesOf(ran).map((line) => JSON.parse(line));

const save = (name: string, bytes: Uint8Array | string): string => {
  const path = join(project.folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
  return name;
};
const saveNpz = (name: string, arrays: Case): string => save(name, writeNpz(named(arrays)));

/** Two images, 3 channels of 7 x 6, 4 filters of 3 x 2, stride 2 x 1, padding only above and to the left. */
const right = convolution({ n: 2, c: 3, h: 7, w: 6, k: 4, kh: 3, kw: 2, stride: [2, 1], top: 1, left: 1 }, 1);
const half = { ...right, db: { ...right.db, data: right.db.data.map((value) => value / 2) } };
const shifted = {
  ...right,
  dw: { ...right.dw, data: right.dw.data.map((value, i) => (i % 7 === 3 ? value + i : value)) },
};

describe('conv2d-check', () => {
  it('says that right results are right, with their geometry, and exits with 0', async () => {
    const ran = await check(saveNpz('right.npz', right));
    expect([ran.status, ran.err]).toEqual([0, '']);
    const [head, ...lines] = linesOf(ran);
    expect(head).toBe('right.npz: right. All 4 results are right.');
    expect(ran.out).toContain('conv, kernel 3 x 2, stride 2 x 1, padding 1, 1, 1, 0, x NCHW, w OIHW');
    for (const result of ['y', 'dx', 'dw', 'db']) {
      expect(
        lines.filter((line) => line.trim().startsWith(`✓  ${result} `)),
        result,
      ).toHaveLength(1);
    }
    expect(ran.out).not.toContain('✗');
  });

  it('runs by npx', async () => {
    saveNpz('npx.npz', right);
    expect(await runIn(project.folder, 'npx', '--offline', '--no', 'conv2d-check', 'npx.npz')).toMatch(
      /^npx\.npz: right\./,
    );
  });

  it('answers with one line of JSON a file, with the documented names', async () => {
    const ran = await check('--json', saveNpz('one.npz', right), saveNpz('two.npz', half));
    expect([ran.status, ran.err]).toEqual([1, '']);
    const [one, two] = answers(ran);
    expect(one).toMatchObject({ file: 'one.npz', verdict: 'right', unused: [] });
    expect(one?.layers).toMatchObject([
      {
        name: '',
        kind: 'conv',
        geometry: {
          stride: [2, 1],
          padding: [1, 1, 1, 0],
          dilation: [1, 1],
          groups: 1,
          order: { x: 'NCHW', w: 'OIHW' },
        },
        evidence: expect.stringMatching(/only one of .* gives y/),
        dy: 'file',
        tensors: Object.fromEntries(
          ['y', 'dx', 'dw', 'db'].map((name) => [
            name,
            { verdict: 'matches', format: 'float32', factor: 1, array: name },
          ]),
        ),
      },
    ]);
    expect(two).toMatchObject({ file: 'two.npz', verdict: 'wrong' });
    expect(two?.layers[0]?.tensors).toMatchObject({
      y: { verdict: 'matches' },
      dw: { verdict: 'matches' },
      db: { verdict: 'scaled', factor: 0.5, sentence: expect.stringContaining('0.5 times the right one') },
    });
  });

  it('names the mistake behind a wrong result, and exits with 1', async () => {
    const square = convolution({ n: 2, c: 2, h: 7, w: 7, k: 3, kh: 3, kw: 3, stride: [2, 2], top: 1, left: 1 }, 7);
    const ran = await check('--json', saveNpz('forgotten.npz', { ...square, dw: withStrideForgotten(square) }));
    expect(ran.status).toBe(1);
    expect(answers(ran)[0]?.layers[0]?.tensors.dw).toMatchObject({ verdict: 'mistake', names: ['stride_forgotten'] });
    const text = await check('forgotten.npz');
    expect(text.status).toBe(1);
    expect(text.out).toMatch(/✗ {2}dw +dw +All \d+ values of dw are what this mistake gives/);
    expect(text.out).toMatch(/✓ {2}dx /);
  });

  it('exits with 1 for values that no mistake gives', async () => {
    const ran = await check('--json', saveNpz('shifted.npz', shifted));
    expect(ran.status).toBe(1);
    expect(['differs', 'partly_wrong']).toContain(answers(ran)[0]?.layers[0]?.tensors.dw?.verdict);
  });

  it('cannot tell without results, and exits with 2', async () => {
    const { x, w } = right;
    const ran = await check('--json', saveNpz('inputs.npz', { x, w }));
    expect(ran.status).toBe(2);
    expect(answers(ran)).toMatchObject([{ file: 'inputs.npz', verdict: 'cannot_tell' }]);
    expect(await check('inputs.npz')).toMatchObject({
      status: 2,
      out: expect.stringMatching(/^inputs\.npz: cannot tell\./),
    });
  });

  it('reports each file that cannot be read, and judges the others', async () => {
    const bytes = writeNpz(named(right));
    const bad = [
      ['cut.npz', /truncated|ends/],
      ['photo.png', /this is an image/],
      ['words.txt', /not a number|no numbers|could not be read/],
      ['missing.npz', /does not exist/],
    ] as const;
    save('cut.npz', bytes.subarray(0, bytes.length - 40));
    save('photo.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10));
    save('words.txt', 'dw: see the other file');
    const names = bad.map(([name]) => name);
    const ran = await check('--json', ...names, saveNpz('after.npz', right));
    expect(ran.status).toBe(2);
    const found = answers(ran);
    expect(found.map(({ file }) => file)).toEqual([...names, 'after.npz']);
    for (const [index, [name, reason]] of bad.entries()) {
      expect(found[index]).toMatchObject({ file: name, verdict: 'cannot_tell', error: expect.stringMatching(reason) });
      expect(ran.err.split('\n')[index]).toMatch(`conv2d-check: ${name}: ${found[index]?.error}`);
    }
    expect(found.at(-1)).toMatchObject({ verdict: 'right' });
    // A wrong result is worse.
    expect((await check('cut.npz', saveNpz('wrong.npz', half))).status).toBe(1);
    const text = await check('missing.npz');
    expect([text.status, text.out]).toEqual([2, '']);
  });

  it('reads every format', async () => {
    const list = named(right);
    const lists = Object.fromEntries(list.map(({ name, shape, values }) => [name, { shape, data: [...values] }]));
    const text = list.map(({ name, shape, values }) => `${name} = ${nested(shape, [...values])}`).join('\n');
    const files = [
      save('layer.safetensors', writeSafetensors(list)),
      save('layer.json', JSON.stringify(lists)),
      save('layer.txt', text),
      ...list.map(({ name, shape, values }) => save(`arrays/${name}.npy`, writeNpy(shape, values))),
    ];
    const ran = await check('--json', ...files);
    expect([ran.status, ran.err]).toEqual([0, '']);
    const found = answers(ran);
    expect(found.map(({ file }) => file)).toEqual([...files.slice(0, 3), files.slice(3).join(' ')]);
    for (const answer of found) {
      expect(answer).toMatchObject({ verdict: 'right', unused: [] });
      expect(Object.keys(answer.layers[0]?.tensors ?? {})).toEqual(['y', 'dx', 'dw', 'db']);
    }
  });

  it('takes printed decimals as rounded, and zeros only if they are printed', async () => {
    const sizes = { n: 1, c: 2, h: 6, w: 6, k: 2, kh: 3, kw: 3, stride: [1, 1], top: 1, left: 1 } as const;
    /** All digits of a layer, and `result` with some decimals. */
    const printed = (layer: Case, result: string, decimals: number): string =>
      named(layer)
        .map(({ name, shape, values }) => {
          const digits = (value: number) => (name === result ? value.toFixed(decimals) : String(value));
          return `${name} = ${nested(shape, [...values].map(digits))}`;
        })
        .join('\n');
    const real = convolution(sizes, 2, 0.37);
    const ran = await check('--json', save('printed.txt', printed(real, 'y', 2)));
    expect(answers(ran)[0]?.layers[0]?.tensors.y).toMatchObject({ verdict: 'matches', format: '2 decimals' });
    expect(ran.status).toBe(0);
    // Every dw is below 0.00005.
    const small = convolution(sizes, 2, 1e-4);
    expect(Math.max(...small.dw.data.map(Math.abs))).toBeLessThan(5e-5);
    const zeros = { ...small, dw: scaled(small.dw, 0) };
    const files = [save('zeros.txt', printed(small, 'dw', 4)), saveNpz('zeros.npz', zeros)];
    const found = answers(await check('--json', ...files)).map(({ layers }) => layers[0]?.tensors.dw?.verdict);
    expect(found).toEqual(['cannot_tell', 'differs']);
  });

  it('shows several layers as a table, with the first wrong one each way', async () => {
    const first = convolution({ n: 1, c: 2, h: 8, w: 8, k: 3, kh: 3, kw: 3, stride: [1, 1], top: 0, left: 0 }, 3);
    const second = convolution({ n: 1, c: 3, h: 6, w: 6, k: 2, kh: 3, kw: 3, stride: [1, 1], top: 0, left: 0 }, 4);
    const third = convolution({ n: 1, c: 2, h: 4, w: 4, k: 2, kh: 2, kw: 2, stride: [2, 2], top: 0, left: 0 }, 5);
    const layers = {
      ...renamed('conv1', first),
      ...renamed('conv2', { ...second, y: trueConvolution(second), db: half.db && scaled(second.db, 0.25) }),
      ...renamed('conv3', { ...third, dw: scaled(third.dw, -1) }),
    };
    const ran = await check(saveNpz('model.npz', layers));
    expect(ran.status).toBe(1);
    const lines = linesOf(ran).map((line) => line.trim());
    expect(lines[1]).toMatch(/^layer +kind +geometry +y +dx +dw +db$/);
    expect(lines[2]).toMatch(/^conv1 +conv +kernel 3 x 3, .* ✓ +✓ +✓ +✓$/);
    expect(lines[3]).toMatch(/^conv2 +conv +.* ✗ +. +. +✗$/);
    expect(lines[4]).toMatch(/^conv3 +conv +kernel 2 x 2, stride 2, .* ✓ +✓ +✗ +✓$/);
    expect(lines[0]).toContain('the first wrong layer forwards is conv2; the first wrong layer backwards is conv3');
    const [answer] = answers(await check('--json', 'model.npz'));
    expect(answer).toMatchObject({ verdict: 'wrong', first_wrong_forward: 'conv2', first_wrong_backward: 'conv3' });
    expect(answer?.layers.map(({ name }) => name)).toEqual(['conv1', 'conv2', 'conv3']);
  });

  it('lists arrays that it does not use, and takes arguments of the file', async () => {
    const epoch = { shape: [7], data: Float32Array.from({ length: 7 }, (_, i) => i) };
    const stride = { shape: [2], data: Float32Array.of(2, 1) };
    const ran = await check(saveNpz('more.npz', { ...right, epoch, stride }));
    expect(ran.status).toBe(0);
    expect(ran.out).toContain('Not used: epoch\n');
    expect(ran.out).toMatch(/The file says stride \[2, 1\], and the values agree/);
  });

  it('knows a learning rate only if it is given', async () => {
    const stepped = saveNpz('stepped.npz', { ...right, dw: scaled(right.dw, 0.03125) });
    const [without] = answers(await check('--json', stepped));
    const [known] = answers(await check('--json', '--learning-rate', '0.03125', stepped));
    expect(without?.layers[0]?.tensors.dw?.factor_reason ?? '').not.toContain('learning rate');
    expect(known?.layers[0]?.tensors.dw).toMatchObject({
      verdict: 'scaled',
      factor: 0.03125,
      factor_reason: 'a learning rate',
    });
  });

  it('refuses what is not an option, by name, and a call without files', async () => {
    for (const [args, named] of [
      [['--fast', 'right.npz'], '--fast'],
      [['--learning-rate', 'quick', 'right.npz'], '"quick"'],
      [['--page'], '--page'],
      [[], 'no file'],
    ] as const) {
      const ran = await check(...args);
      expect([ran.status, ran.out], named).toEqual([2, '']);
      expect(ran.err).toContain(named);
    }
    const help = await check('--help');
    expect([help.status, help.err]).toEqual([0, '']);
    for (const option of ['--json', '--learning-rate', '--page', '--help']) expect(help.out).toContain(option);
  });

  it('links to the page with the same inputs', async () => {
    const ran = await check('--page', 'https://example.org/page/#old', saveNpz('linked.npz', half));
    const [, hash = ''] = /On the page: https:\/\/example\.org\/page\/#(\S+)/.exec(ran.out) ?? [];
    const { fault, complaints, missing, problem } = await parseCompressed(hash, true, {});
    expect({ fault, complaints, missing }).toEqual({ fault: null, complaints: [], missing: [] });
    const { desc, x, w, b, loss } = partsOf(problem);
    expect(desc).toMatchObject({
      ...{ layout: 'nchw', n: 2, c: 3, h: 7, w: 6, k: 4, kh: 3, kw: 2, stride_h: 2, stride_w: 1 },
      padding: { top: 1, bottom: 1, left: 1, right: 0 },
    });
    expect([x.data, w.data, b?.data]).toEqual([right.x.data, right.w.data, right.b.data]);
    expect(loss).toMatchObject({ dy: { kind: 'values', data: right.dy.data } });
    const large = convolution(
      { n: 1, c: 8, h: 40, w: 40, k: 2, kh: 3, kw: 3, stride: [1, 1], top: 0, left: 0 },
      6,
      0.37,
    );
    const without = await check(saveNpz('large.npz', large));
    expect(without.out).toContain('No link to the page: its arrays are too large for a link.');
    expect(without.out).not.toContain('#');
  });
});

describe('check', () => {
  it('judges arrays by their names', async () => {
    const found = await api.check(half);
    expect(found).toMatchObject({ verdict: 'wrong', unused: [] });
    expect(found.layers[0]?.tensors).toMatchObject({
      y: { verdict: 'matches' },
      db: { verdict: 'scaled', factor: 0.5 },
    });
    expect(
      (await api.check(right, { stride: [2, 1], padding: { top: 1, bottom: 1, left: 1 } })).layers[0]?.evidence,
    ).toContain('The file says stride [2, 1], padding [1, 1, 1, 0], and the values agree');
  });

  it.each([
    ['arrays', [[]]],
    ['x', [{ x: null }]],
    ['x.shape', [{ x: { shape: 3, data: new Float32Array(3) } }]],
    ['x.data', [{ x: { shape: [4], data: new Float32Array(3) } }]],
    ['x.data', [{ x: { shape: [1], data: [1] } }]],
    ['strides', [{}, { strides: 2 }]],
    ['stride', [{}, { stride: 0 }]],
    ['padding.top', [{}, { padding: { top: -1 } }]],
    ['padding', [{}, { padding: 'full' }]],
    ['learning_rate', [{}, { learning_rate: '1' }]],
  ])('names %s of an invalid call', async (field, args) => {
    const call = api.check as (...args: readonly unknown[]) => Promise<unknown>;
    const thrown = await call(...args).catch((error) => error);
    expect(thrown).toBeInstanceOf(api.ConvFailure);
    expect(thrown).toMatchObject({ field });
  });

  it('loads its module with the first call only', async () => {
    const copy = join(project.folder, 'without-check');
    cpSync(join(project.folder, 'node_modules/conv2d'), copy, { recursive: true });
    for (const name of ['check.mjs', 'check.wasm']) rmSync(join(copy, name));
    const program = `import { check, createConv } from './index.js';
      (await createConv()).dispose();
      console.log((await check({}).catch((failure) => failure)).code);`;
    writeFileSync(join(copy, 'program.mjs'), program);
    expect(await runIn(copy, process.execPath, 'program.mjs')).toBe('module_unavailable\n');
  });

  it('runs the example of docs/javascript.md', async () => {
    const [, shown = ''] = /^It prints\n\n```\n(.*?)^```$/ms.exec(textOf('docs/javascript.md')) ?? [];
    // "…" stands for the end of a line.
    const begins = shown
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/…$/, ''));
    const printed = (await runIn(project.folder, process.execPath, 'check.mjs')).trimEnd().split('\n');
    expect(printed.map((line, at) => line.slice(0, begins[at]?.length))).toEqual(begins);
    expect(begins.at(-1)).toContain('0.25 times the right one');
  });
});

const scaled = ({ shape, data }: Api.CheckedArray, factor: number): Api.CheckedArray => ({
  shape,
  data: data.map((value) => value * factor),
});

/** Nested lists, as Python prints them. */
function nested(shape: readonly number[], values: readonly (number | string)[]): string {
  const [size = 0, ...rest] = shape;
  const step = values.length / size;
  const parts = Array.from({ length: size }, (_, i) => values.slice(i * step, (i + 1) * step));
  return `[${parts.map((part) => (rest.length === 0 ? String(part[0]) : nested(rest, part))).join(', ')}]`;
}
