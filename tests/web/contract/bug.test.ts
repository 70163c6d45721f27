import { beforeAll, describe, expect, test } from 'vitest';
import type { SentDy } from '../../../web/src/protocol/messages';
import { PASSES, type Pass } from '../../../web/src/protocol/problem';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { hide } from '../../../web/src/worker/masks';
import { bugAt, mistakes } from '../../../web/src/worker/mistakes';
import { makeDesc, makeRequest } from './requests';
import { errorOf, load, numbers } from './support';

// tests/cpp/mistakes tests the results of bugs; this file tests the answers to the page.

const SEED = 7;
const FIRST = ['padding_forgotten', 'stride_forgotten', 'dilation_forgotten'];
const dy: SentDy = { kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(1, 2, 3, 4) };
const w = Float32Array.of(9, 8, 7, 6, 5, 4, 3, 2, 1);

describe('bugs to spot', () => {
  let engine: ConvEngine;
  const ids = () => mistakes().bugs.map(({ id }) => id);
  const letterOf = (id: string) => ids().findIndex((_, letter) => ids()[bugAt(SEED, letter, ids().length)] === id);
  const bug = (id: string, pass: Pass) => engine.ask(1, { kind: 'bug', seed: SEED, letter: letterOf(id), pass });
  const name = (id: string, pass: Pass, guess: string | null) => {
    const answer = engine.ask(1, { kind: 'name_bug', seed: SEED, letter: letterOf(id), pass, id: guess });
    return { ...answer, bug: answer.bug?.id ?? null, equivalent: answer.equivalent.map((entry) => entry.id) };
  };

  beforeAll(async () => {
    engine = (await load('simd')).engine;
    engine.hide = hide;
    await prepareAnswer({ kind: 'bug' });
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy } }), 1);
  });

  test('returns the result of a bug, the differences, and the gradient check', () => {
    const { wrong, difference, check, names } = bug('opposite_weight', 'backward_data');
    expect(wrong.shape).toEqual([1, 4, 4, 1]);
    // dx[1,1] = 1*5 + 2*4 + 3*2 + 4*1 instead of 1*5 + 2*6 + 3*8 + 4*9.
    expect(wrong.data[5]).toBe(23);
    expect(difference.data[5]).toBe(23 - 77);
    // dx[0,3]: 2*7 is right, 2*3 is wrong.
    expect(numbers(difference.data.slice(0, 4))).toEqual([1 - 9, 4 - 26, 7 - 23, 6 - 14]);
    expect(difference.stats.max_abs).toBe(54);
    expect(check?.cells).toBe(16);
    expect(check?.failed).toBe(numbers(difference.data).filter((off) => off !== 0).length);
    expect(check?.worst).toEqual({ index: 5, measured: 77, wrong: 23 });
    expect(names.map(({ id }) => id)).toEqual(ids());
    expect(names[0]).toEqual({ id: 'opposite_weight', title: 'Weight of the opposite corner' });
  });

  test('has no gradient check for y, and has one for db without a bias', () => {
    expect(bug('opposite_weight', 'forward').check).toBeNull();
    expect(bug('opposite_weight', 'backward_bias').check).toEqual({ cells: 1, failed: 0, worst: null });
    expect(bug('assigned', 'backward_bias').check).toEqual({
      cells: 1,
      failed: 1,
      worst: { index: 0, measured: 10, wrong: 4 },
    });
  });

  test('measures slopes in double precision, in every pass and with any current loss', () => {
    engine.compute(makeRequest(makeDesc({ c: 2, k: 2 }), { loss: { kind: 'mse', target: null } }), 1);
    for (const pass of PASSES) {
      if (pass === 'forward') continue;
      const { check, difference } = bug('dilation_forgotten', pass);
      expect(difference.stats.max_abs === 0, pass).toBe(true);
      expect(check, pass).toMatchObject({ failed: 0, worst: null });
    }
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy } }), 1);
  });

  test('accepts only the name of the bug, and lists equivalent bugs', () => {
    expect(name('opposite_weight', 'backward_data', 'opposite_weight')).toEqual({
      verdict: 'right',
      bug: 'opposite_weight',
      equivalent: [],
    });
    expect(name('opposite_weight', 'backward_data', 'transposed')).toEqual({
      verdict: 'other',
      bug: null,
      equivalent: [],
    });
    // Without dilation and stride both give the right result.
    const { verdict, bug: revealed, equivalent } = name('dilation_forgotten', 'forward', 'stride_forgotten');
    expect([verdict, revealed, equivalent]).toEqual(['equivalent', null, []]);
    const named = name('dilation_forgotten', 'forward', 'dilation_forgotten');
    expect(named.equivalent).toContain('stride_forgotten');
    expect(named.equivalent).not.toContain('dilation_forgotten');
    expect(name('averaged', 'forward', null)).toMatchObject({ verdict: 'revealed', bug: 'averaged' });
  });

  test('the number of bugs is fixed: it decides which bug an existing link shows', () => {
    expect(ids().length).toBe(14);
    expect([0, 1, 2].map((letter) => ids()[bugAt(SEED, letter, ids().length)])).toEqual(FIRST);
  });

  test('each seed orders all bugs differently', () => {
    const order = (seed: number) => ids().map((_, letter) => bugAt(seed, letter, ids().length));
    for (const seed of [0, 1, 2, 999_999])
      expect([...order(seed)].sort((a, b) => a - b)).toEqual(ids().map((_, i) => i));
    // Over many seeds every bug has every letter about equally often.
    const times = new Map<number, number>();
    for (let seed = 0; seed < 100 * ids().length; seed += 1) {
      const [first = -1] = order(seed);
      times.set(first, (times.get(first) ?? 0) + 1);
    }
    expect(times.size).toBe(ids().length);
    for (const count of times.values()) expect(Math.abs(count - 100)).toBeLessThan(50);
  });

  test('rejects invalid questions, and all questions while values are hidden', () => {
    const error = (change: object) =>
      errorOf(() => engine.ask(1, { kind: 'bug', seed: 1, letter: 0, pass: 'forward', ...change } as never));
    expect(error({ letter: ids().length })).toMatchObject({ code: 'invalid_argument', field: 'letter' });
    expect(error({ letter: -1 })).toMatchObject({ code: 'invalid_argument', field: 'letter' });
    const naming = { kind: 'name_bug', id: 'nothing' };
    expect(error(naming)).toMatchObject({ code: 'invalid_argument', field: 'id' });
    engine.compute(
      makeRequest(makeDesc(), { w, loss: { kind: 'given', dy }, hidden: [{ layer: 0, tensor: 'dx', index: 3 }] }),
      1,
    );
    expect(error({})).toMatchObject({ code: 'unsupported', field: 'hidden' });
    expect(error({ kind: 'name_bug', id: null })).toMatchObject({ code: 'unsupported', field: 'hidden' });
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy } }), 1);
  });
});
