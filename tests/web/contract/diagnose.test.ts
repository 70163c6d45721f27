import { beforeAll, describe, expect, test } from 'vitest';
import { placeOf } from '../../../web/src/lessons/lessons';
import type { DySource } from '../../../web/src/protocol/messages';
import type { Pass } from '../../../web/src/protocol/problem';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { mistakes } from '../../../web/src/worker/mistakes';
import { makeDesc, makeRequest } from './requests';
import { errorOf, load } from './support';

// The answers of the room of mistakes itself are tested in C++ (tests/cpp/mistakes); here, that they arrive.
describe('what a wrong number comes from', () => {
  let engine: ConvEngine;
  const ask = (pass: Pass, index: number, written: string) => engine.ask(1, { kind: 'diagnose', pass, index, written });
  const told = (pass: Pass, index: number, written: string) => {
    const { verdict, mistakes: possible } = ask(pass, index, written);
    return [verdict, ...possible.map(({ id }) => id)];
  };
  const dy: DySource = { kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(1, 2, 3, 4) };
  const w = Float32Array.of(9, 8, 7, 6, 5, 4, 3, 2, 1);

  beforeAll(async () => {
    engine = (await load('simd')).engine;
    await prepareAnswer({ kind: 'diagnose' });
    engine.compute(makeRequest(makeDesc(), { w, dy }), 1);
  });

  test('the right number is right in whatever digits, and no reason is given', () => {
    // As in the lesson on the turn: 1*5 + 2*6 + 3*8 + 4*9.
    for (const written of ['77', ' 77.0 ', '+77', '7.7e1', '77.000'])
      expect(told('backward_data', 5, written)).toEqual(['right']);
    expect(told('backward_data', 5, '8e1')).toEqual(['unknown']);
  });

  test('without the turn of the kernel dx[1,1] is 23', () => {
    const { verdict, mistakes: possible } = ask('backward_data', 5, '23');
    expect(verdict).toBe('known');
    expect(possible).toEqual([
      {
        id: 'opposite_weight',
        title: 'The weight of the opposite corner',
        sentence: expect.stringContaining('not turned where it must be'),
        step: 'gather.5',
      },
    ]);
  });

  test('a number that several mistakes give is said to be all of theirs, one that none gives nobody’s', () => {
    expect(told('backward_data', 5, '19.25')).toEqual(['known', 'averaged']);
    expect(told('backward_data', 5, '36')).toEqual(['known', 'assigned']);
    expect(told('backward_data', 5, '1234')).toEqual(['unknown']);
    // dx[0,0] = 1*9: with the weight of the other corner 1*1, divided by the nine weights 9/9.
    expect(told('backward_data', 0, '1')).toEqual(['known', 'opposite_weight', 'averaged']);
  });

  test('b is read where there is one', () => {
    engine.compute(makeRequest(makeDesc(), { w, dy, b: Float32Array.of(1000) }), 1);
    expect(told('forward', 0, '1147')).toEqual(['right']);
    expect(told('forward', 0, '147')).toEqual(['known', 'bias_forgotten']);
    engine.compute(makeRequest(makeDesc(), { w, dy }), 1);
    expect(told('forward', 0, '147')).toEqual(['right']);
  });

  test('what is given is right or wrong, and comes of no mistake', () => {
    // x counts 0, 1, 2, ...; afterwards the problem itself is judged as before.
    const given = (name: 'x' | 'w' | 'dy', index: number, written: string) =>
      engine.ask(1, { kind: 'diagnose', pass: name, index, written });
    expect(given('x', 7, '7')).toEqual({ verdict: 'right', mistakes: [] });
    expect(given('x', 7, '8')).toEqual({ verdict: 'unknown', mistakes: [] });
    expect(given('w', 0, '9.0')).toEqual({ verdict: 'right', mistakes: [] });
    expect(given('dy', 3, '-4')).toEqual({ verdict: 'unknown', mistakes: [] });
    expect(errorOf(() => given('w', 9, '1'))).toMatchObject({ code: 'invalid_argument', field: 'index' });
    expect(told('backward_data', 5, '77')).toEqual(['right']);
  });

  test('what is no question is refused', () => {
    const error = (pass: unknown, index: unknown, written: unknown) =>
      errorOf(() => ask(pass as Pass, index as number, written as string));
    expect(error('sideways', 0, '1')).toMatchObject({ code: 'invalid_argument', field: 'pass' });
    expect(error('forward', 0.5, '1')).toMatchObject({ code: 'invalid_argument', field: 'index' });
    expect(error('forward', 4, '1')).toMatchObject({ code: 'invalid_argument', field: 'cell' });
    expect(error('forward', -1, '1')).toMatchObject({ code: 'invalid_argument', field: 'cell' });
    expect(error('forward', 0, 1)).toMatchObject({ code: 'invalid_argument', field: 'written' });
    for (const written of ['', '1 2', '1,5', 'NaN', 'Infinity', '0x10', '1e999', '.', '--1'])
      expect(error('forward', 0, written), written).toMatchObject({ code: 'invalid_argument', field: 'written' });
  });

  test('a problem that is too large to look through is said to be', () => {
    const side = 1100;
    engine.compute(makeRequest(makeDesc({ h: side, w: side, kh: 1, kw: 1 })), 1);
    expect(errorOf(() => ask('forward', 0, '1'))).toMatchObject({ code: 'unsupported' });
  });

  test('every mistake has words, and a step of a lesson that cures it', () => {
    const { entries } = mistakes();
    expect(entries.length).toBeGreaterThanOrEqual(14);
    for (const { id, title, sentence, step } of entries) {
      expect(title, id).toMatch(/^[\p{Lu}x=]/u);
      expect(sentence, id).toMatch(/\.$/);
      expect(placeOf(step), `${id}: ${step}`).not.toBeNull();
    }
  });
});
