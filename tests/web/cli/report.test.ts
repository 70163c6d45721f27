import { describe, expect, it } from 'vitest';
import { consoleReport, type Report } from '../../../web/package/cli/report';
import type { FileVerdict, LayerVerdict, TensorVerdict } from '../../../web/src/protocol/verdict';

const tensor = (verdict: TensorVerdict['verdict'], array: string, sentence: string): TensorVerdict => ({
  ...{ verdict, array, sentence, operands: ['x: in', 'w: W'], format: 'float32', factor: 1 },
});

const layer = (name: string, tensors: LayerVerdict['tensors'], others: Partial<LayerVerdict> = {}): LayerVerdict => ({
  ...{ name, kind: 'conv', evidence: 'the only one of 40 that gives y', arrays: {}, dy: 'file', tensors },
  geometry: {
    ...{ kernel: [3, 2], stride: [2, 2], padding: [1, 1, 1, 1], dilation: [1, 1], groups: 1 },
    order: { x: 'NCHW', w: 'OIHW' },
  },
  ...others,
});

const verdict = (layers: readonly LayerVerdict[], others: Partial<FileVerdict> = {}): FileVerdict => ({
  ...{ verdict: 'wrong', sentence: '1 of 2 results is wrong.', layers, unused: [] },
  ...others,
});

const textOf = (of: FileVerdict, others: Partial<Report> = {}): string =>
  consoleReport({ file: 'a.npz', verdict: of, notes: [], links: new Map(), page: '', ...others });

const y = tensor('matches', 'out', 'All 6 values of y are right.');
const dw = tensor('mistake', 'grad', 'dw is flipped.');

describe('the report', () => {
  it('has a line for each tensor, the evidence and the operands', () => {
    expect(textOf(verdict([layer('', { y, dw })], { unused: ['epoch', 'loss'] }), { notes: ['c was skipped.'] })).toBe(
      `a.npz: wrong. 1 of 2 results is wrong.
  Note: c was skipped.
  conv, kernel 3 x 2, stride 2, padding 1, x NCHW, w OIHW
    Evidence: the only one of 40 that gives y
    Judged with: x: in, w: W
    ✓  y   out   All 6 values of y are right.
    ✗  dw  grad  dw is flipped.
  Not used: epoch, loss`,
    );
  });

  it('says what else fits, and which dy was assumed', () => {
    const db = tensor('cannot_tell', 'db', 'No dy.');
    const open = layer('', { db }, { alternatives: ['stride 3'], told_apart_by: 'A larger x.', dy: 'ones' });
    const text = textOf(verdict([open], { verdict: 'cannot_tell' }));
    expect(text).toMatch(/^a\.npz: cannot tell\./);
    for (const line of [
      'Fits as well: stride 3',
      'A larger x.',
      'dy is not in the file. 1 in each cell',
      '?  db  db  No dy.',
    ])
      expect(text).toContain(`\n    ${line}`);
  });

  it('shows several layers as a table, and details of those that are not right', () => {
    const pool = layer('pool', { y }, { kind: 'max_pool', geometry: null });
    const layers = [layer('conv1', { y, dw }), pool, layer('conv2', { y, dx: y })];
    const joins = [
      { from: 'conv1', to: 'pool', tensors: 'y -> x', relation: 'equal' },
      { from: 'conv1', to: 'pool', tensors: 'dx -> dy', relation: 'differs' },
    ] as const;
    expect(textOf(verdict(layers, { joins }))).toBe(
      `a.npz: wrong. 1 of 2 results is wrong.
  layer  kind      geometry                                           y  dx  dw  db
  conv1  conv      kernel 3 x 2, stride 2, padding 1, x NCHW, w OIHW  ✓      ✗
  pool   max_pool                                                     ✓
  conv2  conv      kernel 3 x 2, stride 2, padding 1, x NCHW, w OIHW  ✓  ✓
  conv1 and pool: dx -> dy differs, but must be equal
  conv1: conv, kernel 3 x 2, stride 2, padding 1, x NCHW, w OIHW
    Evidence: the only one of 40 that gives y
    Judged with: x: in, w: W
    ✓  y   out   All 6 values of y are right.
    ✗  dw  grad  dw is flipped.`,
    );
  });

  it('names a geometry in full', () => {
    const geometry = {
      ...{ kernel: [1, 5], stride: [1, 2], padding: [0, 0, 2, 1], dilation: [1, 3], groups: 4 },
      ...{ output_padding: [1, 1], order: { x: 'NCL', w: 'OIL' } },
    };
    const text = (kind: LayerVerdict['kind']) => textOf(verdict([layer('', { y }, { kind, geometry })]));
    expect(text('conv1d')).toContain(
      'conv1d, kernel 5, stride 2, padding 2, 1, dilation 3, 4 groups, output padding 1, x NCL, w OIL\n',
    );
    expect(text('conv')).toContain('kernel 1 x 5, stride 1 x 2, padding 0, 0, 2, 1, dilation 1 x 3, 4 groups');
  });

  it.each([
    ['', '#h=5', 'On the page, with this after its address: #h=5'],
    ['https://example.org/#h=7', 'h=5', 'On the page: https://example.org/#h=5'],
  ])('links to the page %s', (page, hash, line) => {
    const links = new Map([[0, { hash: hash.replace('#', '') }]]);
    expect(textOf(verdict([layer('', { y })]), { page, links })).toContain(`\n    ${line}`);
    const none = new Map([[0, { reason: 'too large' }]]);
    expect(textOf(verdict([layer('', { y })]), { page, links: none })).toContain(
      '\n    No link to the page: too large',
    );
  });
});
