import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { printable } from '../../../web/src/link/look-fields';
import { parseLink } from '../../../web/src/link/parse-link';
import { decodeValues, encodeValues } from '../../../web/src/link/text';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK, type Look } from '../../../web/src/look/look';
import type { InputTensor } from '../../../web/src/sources/inputs';
import type { Loss } from '../../../web/src/sources/loss';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { cellAt, type EditResult, editCells } from '../../../web/src/state/edits';
import { openingProblem, type Problem } from '../../../web/src/state/problem';
import { editImage } from '../../../web/src/state/value-edits';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { notebook4 } from '../support/notebook4';
import { layerOf, partsOf, withDesc } from '../support/problems';
import { arbitraryLinked } from './arbitrary-link';
import { bits } from './bits';

beforeAll(loadSamples);

const problemOf = (edited: EditResult): Problem => {
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
};

const linkOf = (problem: Problem, look: Partial<Look> = {}) =>
  writeLink({ problem, look: { ...DEFAULT_LOOK, ...look } });

const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

describe('a link', () => {
  test('of the first notebook problem is readable', () => {
    const problem = parseLink('h=7&kh=3&stride=2&padding=1&weights=countdown:12').problem;
    const plain = 'v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones';
    expect(linkOf(problem).hash).toBe(plain);
    expect(
      linkOf(problem, {
        mode: 'dx',
        settings: { board: { same: true, value: '1' }, dx: { way: 'gather', t: 5 } },
        pinned: { tensor: 'y', index: 12 },
        focus: { n: 1, c: 0, k: 3 },
        transfer: 'root',
        side: 'algorithms',
        controls: 'folded',
        hiddenCells: [
          { tensor: 'dx', index: null },
          { tensor: 'y', index: 4 },
        ],
        locked: ['stride', 'mode.dw'],
        hiddenParts: ['mode.learn', 'side.lesson'],
      }).hash,
    ).toBe(
      `${plain}&mode=dx&board.same=true&board.value=~1&dx.way=gather&dx.t=5&cell=y.12&slice=n1.k3&colours=root&side=algorithms&controls=folded&hidden=dx,y.4,mode.learn,side.lesson&locked=stride,mode.dw`,
    );
  });

  test('without content opens the opening problem', () => {
    expect(parseLink('')).toMatchObject({ problem: openingProblem(), look: DEFAULT_LOOK, complaints: [], missing: [] });
  });

  test('restores every problem and look, to the last bit', () => {
    fc.assert(
      fc.property(arbitraryLinked, ({ problem, look }) => {
        const { hash, omitted } = writeLink({ problem, look });
        const opened = parseLink(`#${hash}`);
        expect([omitted, opened.complaints, opened.missing]).toEqual([[], [], []]);
        expect(bits(sorted(layerOf(opened.problem).desc))).toBe(bits(sorted(layerOf(problem).desc)));
        const values = (of: Problem) => bits([of.x, layerOf(of).w, layerOf(of).b, of.loss]);
        expect(values(opened.problem)).toBe(values(problem));
        expect(opened.problem.layers).toHaveLength(1);
        expect(layerOf(opened.problem).algorithms).toEqual(layerOf(problem).algorithms);
        expect(opened.look).toEqual(look);
        // Characters that an address cannot have.
        expect(hash).not.toMatch(/[\s"<>`#]/);
      }),
      { numRuns: 1000 },
    );
  }, 60_000);

  test('can be typed by hand', () => {
    const { problem, look, complaints } = parseLink('h=5&kernel=2&s=2x1&p=same&d=1&g=1&mode=lowering&cell=x.3');
    expect(complaints).toEqual([]);
    expect(layerOf(problem).desc).toMatchObject({
      h: 5,
      w: 5,
      kh: 2,
      kw: 2,
      stride_h: 2,
      stride_w: 1,
      padding_mode: 'same',
    });
    expect(look).toEqual({ ...DEFAULT_LOOK, mode: 'lowering', pinned: { tensor: 'x', index: 3 } });
  });

  test('without sizes never changes its meaning', () => {
    const plain = {
      layout: 'nhwc',
      n: 1,
      c: 1,
      k: 1,
      groups: 1,
      stride_h: 1,
      stride_w: 1,
      dilation_h: 1,
      dilation_w: 1,
    };
    const none = { padding_mode: 'explicit_sides', padding: { top: 0, bottom: 0, left: 0, right: 0 } };
    const of = (hash: string) => parseLink(hash).problem;
    expect(layerOf(of('c=1')).desc).toEqual({ ...plain, ...none, h: 7, w: 7, kh: 3, kw: 3 });
    expect(layerOf(of('h=4&kh=2')).desc).toEqual({ ...plain, ...none, h: 4, w: 4, kh: 2, kw: 2 });
    expect(layerOf(of('w=4&kw=2')).desc).toEqual({ ...plain, ...none, h: 7, w: 4, kh: 3, kw: 2 });
    expect(layerOf(of('kernel=2x1&kh=3')).desc).toEqual({ ...plain, ...none, h: 7, w: 7, kh: 3, kw: 1 });
    expect(of('kh=2').x.source).toEqual({ kind: 'ramp', from: 0 });
    expect(layerOf(of('kh=2')).w.source).toEqual({ kind: 'countdown', from: 4 });
    expect([layerOf(of('kh=2')).b, of('kh=2').loss]).toEqual([null, { kind: 'given', dy: { kind: 'ones' } }]);
    expect(layerOf(of('b=ones')).b?.source).toEqual({ kind: 'constant', value: 1 });
  });

  test('never throws', () => {
    const keys = [
      'v',
      'h',
      'w',
      'kh',
      'stride',
      'padding',
      'x',
      'weights',
      'dy',
      'n',
      'groups',
      'mode',
      'dx.t',
      'cell',
    ];
    const pair = fc.tuple(
      fc.constantFrom(...keys, 'slice', 'hidden', 'locked', '__proto__', 'dy.__proto__'),
      fc.string(),
    );
    const pairs = fc.array(pair).map((parts) => parts.map(([key, value]) => `${key}=${value}`).join('&'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), pairs), (hash) => {
        const { problem, look } = parseLink(hash);
        expect(layerOf(problem).desc).toBeDefined();
        expect(Object.keys(look).sort()).toEqual(Object.keys(DEFAULT_LOOK).sort());
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('a link with invalid parts', () => {
  test('reports the ignored parts and keeps the rest', () => {
    const { problem, complaints } = parseLink(
      'h=6&kh=two&stride=1.5&color=red&x=noise&dy=one_hot:999&padding=1,2&weights=ones~i8.!!',
    );
    expect(layerOf(problem).desc).toMatchObject({ h: 6, kh: 3, stride_h: 1 });
    expect(problem.x.source).toEqual({ kind: 'ramp', from: 0 });
    expect(problem.loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
    expect(complaints).toHaveLength(7);
    expect(complaints).toContain('"color=red" in the link is unknown and was ignored.');
    expect(complaints).toContain('kh is "two" in the link, but must be a whole number; it was ignored.');
    expect(complaints).toContain(
      'dy is "one_hot:999" in the link, but must be one_hot and the index of a cell of y, which has 16 cells; it was ignored.',
    );
  });

  test.each(['race=this.y-dx', 'times=Chromium-140:8::::~lf:12'])('reports a field that is gone: %s', (field) => {
    const { problem, complaints } = parseLink(`h=6&${field}`);
    expect(layerOf(problem).desc.h).toBe(6);
    expect(complaints).toEqual([`"${field}" in the link is unknown and was ignored.`]);
  });

  test.each([
    'mode=cinema',
    'cell=y',
    'cell=z.3',
    'cell=y.-1',
    'slice=k',
    'slice=',
    'colors=gaudy',
    'side=left',
    'controls=no',
    'hidden=y,q',
    'hidden=C.5',
    'hidden=mode.learn,mode.nothing',
    'locked=q',
    'locked=dx',
    'locked=side.lesson',
    'locked=',
    'dx.=5',
    'dx.t=',
  ])('ignores %s, and says so', (part) => {
    const { look, complaints } = parseLink(`h=6&${part}`);
    expect(look).toEqual(DEFAULT_LOOK);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(part.split('=')[0]);
  });

  test('uses the last of two equal keys and reports it', () => {
    for (const hash of ['stride=2&stride=3', 's=2&stride=3']) {
      const { problem, complaints } = parseLink(`h=9&${hash}`);
      expect(layerOf(problem).desc.stride_h).toBe(3);
      expect(complaints).toEqual(['stride is in the link more than once; the last one counts.']);
    }
  });

  test.each(['-1', 'abc', '0', '1.5', ''])('of version "%s" reports the valid versions', (version) => {
    const { problem, complaints } = parseLink(`v=${version}&h=5`);
    expect(layerOf(problem).desc.h).toBe(5);
    expect(complaints).toEqual([`v is "${version}" in the link, but must be 1 or 2; it was ignored.`]);
  });

  test('of a newer version is read as far as possible', () => {
    const { problem, complaints } = parseLink('v=3&h=5&kh=3');
    expect(layerOf(problem).desc.h).toBe(5);
    expect(complaints).toEqual(['A newer version of this page made the link; some of its parts may be missing.']);
  });

  test('with sizes that do not fit together opens the opening problem', () => {
    const { problem, look, complaints } = parseLink('h=3&kh=9&mode=dx');
    expect(problem).toEqual(openingProblem());
    expect(look).toEqual(DEFAULT_LOOK);
    expect(complaints[0]).toMatch(/do not fit together \(kh is 9/);
  });

  test('uses the names of the controls, and shortens long texts', () => {
    const large = parseLink('h=99999999&kh=3').complaints[0];
    expect(large).toContain('more than a million GiB');
    expect(parseLink('h=20000&kh=3').complaints[0]).toContain('1.5 GiB');
    const long = parseLink(`x=${'y'.repeat(5000)}`).complaints[0] ?? '';
    expect(long.length).toBeLessThan(200);
  });
});

describe('values that a link leaves out', () => {
  const image = { h: 64, w: 60, channels: 3 } as const;
  const data = new Float32Array(64 * 60 * 3).fill(0.5);
  const cat = { kind: 'file', name: 'my cat~1.png', data } as const;

  test('are those of an image, which the link names', () => {
    const { hash, omitted } = linkOf(problemOf(editImage(notebook4(), 0, { ...image, source: cat })));
    expect(omitted).toEqual(['x']);
    const { problem, complaints, missing } = parseLink(hash);
    expect(complaints).toEqual([]);
    expect(missing).toEqual([{ input: 'x', image: 'my cat~1.png' }]);
    expect(problem.x).toMatchObject({ shape: [1, 64, 60, 3], source: { kind: 'file', name: 'my cat~1.png' } });
    // Opened and written again, it still reports them.
    expect(linkOf(problem).hash).toBe(hash);
  });

  test('are the edited cells of a large tensor', () => {
    const large = withDesc(notebook4(), descOf({ h: 99, w: 99 }));
    const target = new Float32Array(50 * 50);
    const losses: readonly [Loss, Loss][] = [
      [
        { kind: 'given', dy: { kind: 'values', shape: [1, 50, 50, 1], data: target } },
        { kind: 'given', dy: { kind: 'ones' } },
      ],
      [
        { kind: 'mse', target },
        { kind: 'mse', target: null },
      ],
    ];
    for (const [loss, instead] of losses) {
      const { hash, omitted } = linkOf({
        ...problemOf(editCells(large, 0, cellAt('x', { index: 0 }, geometryOf(layerOf(large).desc)), 5, null)),
        loss,
      });
      expect(omitted).toEqual(['x', 'dy']);
      const { problem, complaints, missing } = parseLink(hash);
      expect(complaints).toEqual([]);
      expect(missing).toEqual([
        { input: 'x', image: null },
        { input: 'dy', image: null },
      ]);
      expect(problem.x).toEqual(large.x);
      expect(problem.loss).toEqual(instead);
    }
  });

  test('are noticed by the gap in a link of version 1', () => {
    expect(parseLink('v=1&h=64&w=68&kh=3&kw=3&stride=1&padding=same').missing).toEqual([
      { input: 'x', image: '' },
      { input: 'dy', image: null },
    ]);
    expect(parseLink('h=64').missing).toEqual([]);
  });
});

describe('links from before links had a look', () => {
  interface Stored {
    readonly name: string;
    readonly hash: string;
    readonly opens: object;
  }
  const links = JSON.parse(readFileSync(new URL('./links-v1.json', import.meta.url), 'utf8')) as readonly Stored[];

  const bitsOf = (values: Float32Array) =>
    createHash('sha256')
      .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
      .digest('hex')
      .slice(0, 32);
  const tensor = (input: InputTensor | null) =>
    input && { shape: input.shape, source: input.source, edited: input.edited, bits: bitsOf(input.data) };
  const dyOf = (loss: Loss) => {
    const dy = loss.kind === 'given' ? loss.dy : loss;
    if (dy.kind === 'values') return { kind: dy.kind, shape: dy.shape, bits: bitsOf(dy.data) };
    return 'target' in dy && dy.target ? { kind: dy.kind, bits: bitsOf(dy.target) } : dy;
  };

  test('are at least fifty, and all different', () => {
    expect(new Set(links.map(({ hash }) => hash)).size).toBeGreaterThanOrEqual(50);
  });

  test.each(links)('open as before: $name', ({ hash, opens }) => {
    const { problem, look, complaints } = parseLink(hash);
    const { desc, x, w, b, loss, algorithms } = partsOf(problem);
    expect({ desc, x: tensor(x), w: tensor(w), b: tensor(b), dy: dyOf(loss), algorithms }).toEqual(opens);
    expect(look).toEqual(DEFAULT_LOOK);
    expect(complaints).toEqual([]);
  });
});

test.each([
  ['1e-6', 1e-6],
  ['1e-5', 0.00001],
  ['1E-7', 1e-7],
  ['0.10', 0.1],
  ['.5', 0.5],
  ['2e1', 20],
])('a setting is a number however it is written: %s', (text, number) => {
  const { look, complaints } = parseLink(`mode=gradient-check&gradient-check.epsilon=${text}&learn.rate=${text}`);
  expect(look.settings).toMatchObject({ 'gradient-check': { epsilon: number }, learn: { rate: number } });
  expect(complaints).toEqual([]);
});

describe('fields and values of pages before the first release', () => {
  test.each([
    ['mode=steps', /^mode is "steps" in the link, but must be board, /],
    ['mode=dy', /^mode is "dy" in the link, but must be board, /],
    ['steps.process=dx_gather', /^"steps.process=dx_gather" in the link is unknown and was ignored\.$/],
    ['dy.value=1', /^"dy.value=1" in the link is unknown and was ignored\.$/],
    ['locked=mode.steps,stride', /^locked is "mode.steps,stride" in the link, but must be parts of the page, /],
    ['hidden=mode.dy', /^hidden is "mode.dy" in the link, but must be tensors, cells or parts of the page, /],
    ['with=h=5', /^"with=h=5" in the link is unknown and was ignored\.$/],
    ['lecture=stage', /^lecture is "stage" in the link, but must be words; it was ignored\.$/],
  ])('%s is unknown', (field, words) => {
    const { look, complaints } = parseLink(`v=2&h=5&kh=3&cell=y.1&${field}`);
    expect(look).toEqual({ ...DEFAULT_LOOK, pinned: { tensor: 'y', index: 1 } });
    expect(complaints).toEqual([expect.stringMatching(words)]);
  });
});

describe('payloads', () => {
  test('restore every float', () => {
    fc.assert(
      fc.property(fc.uint32Array(), (any) => {
        const values = new Float32Array(any.buffer, any.byteOffset, any.length);
        const back = decodeValues(encodeValues(values), values.length);
        expect(back && [...new Uint32Array(back.buffer)]).toEqual([...any]);
      }),
    );
  });

  test('are short for small whole numbers', () => {
    expect(encodeValues(Float32Array.of(1, 2, -3))).toBe('i8.AQL9');
  });

  test('of another length, or with invalid text, are refused', () => {
    expect(decodeValues('i8.AQL9', 2)).toBeNull();
    expect(decodeValues('i8.AQL', 3)).toBeNull();
    expect(decodeValues('u9.AQL9', 3)).toBeNull();
    expect(decodeValues('i8.A', 1)).toBeNull();
  });
});

test('text that was made printable stays as it is', () => {
  expect(printable(' a \u0001 \n b ', 60)).toBe('a b');
  expect(printable('ab cd', 3)).toBe('ab');
  const text = fc
    .array(fc.constantFrom(' ', '\t', '\u0001', '\u202e', '\u200d', 'a', 'é', '𝔘'))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.nat(9), (any, most) => {
      const once = printable(any, most);
      expect(printable(once, most)).toBe(once);
    }),
  );
});
