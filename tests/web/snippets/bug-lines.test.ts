import { beforeAll, describe, expect, test } from 'vitest';
import { type Geometry, PASSES, type Pass, RESULT_OF } from '../../../web/src/protocol/problem';
import { bugLines, wrongLoops } from '../../../web/src/snippets/bug-lines';
import { codeShape, type Subject } from '../../../web/src/snippets/snippet';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { bugAt, mistakes } from '../../../web/src/worker/mistakes';
import { makeDesc } from '../contract/requests';
import { load } from '../contract/support';
import { givenOf, randomDescs } from './problems';

// Runs the loops with the lines of each bug and compares their results with those of the library.

const SEED = 7;
/** The seed of whole numbers (problems.ts), with and without a bias. */
const WHOLE = [0, 3] as const;

type Nested = number[] | Nested[];

/** Values in memory order as nested arrays, and back. */
function nest(values: readonly number[], sizes: readonly number[]): Nested {
  const [, ...inner] = sizes;
  if (inner.length === 0) return [...values];
  const each = inner.reduce((product, size) => product * size, 1);
  return Array.from({ length: sizes[0] ?? 0 }, (_, i) => nest(values.slice(i * each, (i + 1) * each), inner));
}

/** Numbers that only the wrong lines name; `count` at the indices of the loops. */
function countOf(g: Geometry, pass: Pass) {
  const inside = (at: number, size: number) => at >= 0 && at < size;
  const rowOf = (i: number, p: number) => i * g.stride_h + p * g.dilation_h - g.padding.top;
  const colOf = (j: number, q: number) => j * g.stride_w + q * g.dilation_w - g.padding.left;
  const number = (length: number, fits: (at: number) => boolean) =>
    Array.from({ length }, (_, at) => at).filter(fits).length;
  /** How many taps of a window are in x; how many windows read a cell; in how many windows a tap is in x. */
  return (i: number, j: number, p: number, q: number, r: number, s: number): number => {
    switch (pass) {
      case 'forward':
        return (
          number(g.kh, (tap) => inside(rowOf(i, tap), g.h)) *
          number(g.kw, (tap) => inside(colOf(j, tap), g.w)) *
          g.group_c
        );
      case 'backward_data':
        return (
          number(g.oh, (at) => number(g.kh, (tap) => rowOf(at, tap) === r) > 0) *
          number(g.ow, (at) => number(g.kw, (tap) => colOf(at, tap) === s) > 0)
        );
      case 'backward_weights':
        return g.n * number(g.oh, (at) => inside(rowOf(at, p), g.h)) * number(g.ow, (at) => inside(colOf(at, q), g.w));
      case 'backward_bias':
        return g.n * g.oh * g.ow;
    }
  };
}

/** Runs C++ loops as JavaScript: the two differ in types and in the division of whole numbers. */
function run(lines: readonly string[], g: Geometry, pass: Pass, inputs: Readonly<Record<string, Nested>>): Nested {
  const script = lines
    .join('\n')
    .replace(/double row\[KH\]\[KW\]\[C\] = \{\};/, 'let row = zeros([KH, KW, C]);')
    .replace(/\b(?:int|double) /g, 'let ')
    .replace(/\(([^()]|\([^()]*\))*\) \/ SH/g, (text) => `Math.floor(${text})`)
    .replace(/\(([^()]|\([^()]*\))*\) \/ SW/g, (text) => `Math.floor(${text})`)
    .replace(/\b([kc]) \/ (GK|GC)/g, 'Math.floor($1 / $2)')
    .replace(
      /\/ count;/g,
      `/ count(${['n', 'i', 'j', 'p', 'q', 'r', 's']
        .slice(1)
        .map((name) => `typeof ${name} === "undefined" ? 0 : ${name}`)
        .join(', ')});`,
    );
  const names: Readonly<Record<string, unknown>> = {
    ...{ N: g.n, H: g.h, W: g.w, C: g.c, KH: g.kh, KW: g.kw, K: g.k, OH: g.oh, OW: g.ow },
    ...{ SH: g.stride_h, SW: g.stride_w, DH: g.dilation_h, DW: g.dilation_w, TOP: g.padding.top, LEFT: g.padding.left },
    ...{ GC: g.group_c, GK: g.group_k, RH: g.remainder_h, RW: g.remainder_w },
    ...inputs,
    zeros: (sizes: readonly number[]) => nest(Array(sizes.reduce((all, size) => all * size, 1)).fill(0), sizes),
    count: countOf(g, pass),
  };
  const result = RESULT_OF[pass];
  const sizes = codeShape(g, result);
  const body = `const ${result} = zeros(${JSON.stringify(sizes)});\n${script}\nreturn ${result};`;
  return new Function(...Object.keys(names), body)(...Object.values(names)) as Nested;
}

describe('the lines of a bug', () => {
  let engine: ConvEngine;
  let ids: readonly string[] = [];
  beforeAll(async () => {
    engine = (await load('simd')).engine;
    await prepareAnswer({ kind: 'bug' });
    ids = mistakes().bugs.map(({ id }) => id);
  });

  test('give the values of the bug, in every pass and on every problem', () => {
    const ran = new Set<string>();
    const changed = new Set<string>();
    for (const [at, desc] of randomDescs(120, 11).entries()) {
      const { geometry: g, tensors } = givenOf(engine, desc, WHOLE[at % 2] ?? 0);
      const subject: Subject = { geometry: g, bias: tensors.b !== undefined };
      const inputs = Object.fromEntries(
        (['x', 'w', 'b', 'dy'] as const).flatMap((name) => {
          const tensor = tensors[name];
          return tensor ? [[name, nest(Array.from(tensor.data), codeShape(g, name))]] : [];
        }),
      );
      for (const pass of PASSES) {
        for (const letter of ids.keys()) {
          const id = ids[bugAt(SEED, letter, ids.length)] ?? '';
          const { wrong, difference } = engine.ask(1, { kind: 'bug', seed: SEED, letter, pass });
          const lines = wrongLoops(subject, pass, id);
          const where = `${id} in ${pass} of ${JSON.stringify(desc)}`;
          if (lines === null) {
            expect(difference.stats.max_abs === 0, where).toBe(true);
            continue;
          }
          changed.add(`${id} ${pass}`);
          // A mistake that the problem does not allow changes nothing.
          if (difference.stats.max_abs === 0) continue;
          ran.add(`${id} ${pass}`);
          const values = [
            run(
              lines.map(({ wrong: text }) => text),
              g,
              pass,
              inputs,
            ),
          ].flat(4) as number[];
          const far = values.filter(
            (value, i) => Math.abs(value - (wrong.data[i] ?? Number.NaN)) > 1e-4 * (1 + Math.abs(value)),
          );
          expect(far.length + Math.abs(values.length - wrong.data.length), where).toBe(0);
        }
      }
    }
    // Every bug was run, in each pass that it changes.
    expect([...ran].sort()).toEqual([...changed].sort());
    expect(new Set([...ran].map((name) => name.split(' ')[0]))).toEqual(new Set(ids));
  });

  test('are the lines that differ from the loops of the tab Code', () => {
    const { geometry } = givenOf(engine, makeDesc(), 0);
    const g = geometry;
    expect(bugLines({ geometry: g, bias: false }, 'backward_data', 'opposite_weight')).toEqual({
      lines: [
        {
          right: 'dx[n][r][s][c] += dy[n][i][j][k] * w[p][q][c][k];',
          wrong: 'dx[n][r][s][c] += dy[n][i][j][k] * w[KH-1-p][KW-1-q][c][k];',
        },
      ],
      note: null,
    });
    expect(bugLines({ geometry: g, bias: false }, 'backward_weights', 'one_image')?.lines).toEqual([
      { right: 'for (int n = 0; n < N; ++n)', wrong: 'for (int n = 0; n < 1; ++n)' },
    ]);
    expect(bugLines({ geometry: g, bias: false }, 'forward', 'bias_forgotten')).toBeNull();
    expect(bugLines({ geometry: g, bias: false }, 'forward', 'no such bug')).toBeNull();
  });
});
