import { beforeAll, describe, expect, test } from 'vitest';
import { stepRefOf } from '../../../web/src/lessons/lessons';
import type { SentDy } from '../../../web/src/protocol/messages';
import type { Pass } from '../../../web/src/protocol/problem';
import { prepareAnswer } from '../../../web/src/worker/answers';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { mistakes } from '../../../web/src/worker/mistakes';
import { makeDesc, makeRequest } from './requests';
import { errorOf, load } from './support';

// tests/cpp/mistakes tests diagnoses; this file tests the answers to the page.
describe('the diagnosis of a number', () => {
  let engine: ConvEngine;
  const ask = (pass: Pass, index: number, written: string) => engine.ask(1, { kind: 'diagnose', pass, index, written });
  const told = (pass: Pass, index: number, written: string) => {
    const { verdict, mistakes: possible } = ask(pass, index, written);
    return [verdict, ...possible.map(({ id }) => id)];
  };
  const dy: SentDy = { kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(1, 2, 3, 4) };
  const w = Float32Array.of(9, 8, 7, 6, 5, 4, 3, 2, 1);

  beforeAll(async () => {
    engine = (await load('simd')).engine;
    await prepareAnswer({ kind: 'diagnose' });
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy } }), 1);
  });

  test('accepts the right number in any notation, without a mistake', () => {
    // As in the lesson on flipping: 1*5 + 2*6 + 3*8 + 4*9.
    for (const written of ['77', ' 77.0 ', '+77', '7.7e1', '77.000'])
      expect(told('backward_data', 5, written)).toEqual(['right']);
    expect(told('backward_data', 5, '8e1')).toEqual(['rounded']);
    expect(told('backward_data', 5, '80')).toEqual(['unknown']);
  });

  test('says whether a mistake gives the right value of a cell, and refuses a cell that does not exist', () => {
    const of = (pass: Pass, index: number) => engine.ask(1, { kind: 'ambiguous', pass, index }).ambiguous;
    const signed = w.with(3, -6);
    engine.compute(makeRequest(makeDesc(), { w: signed, loss: { kind: 'given', dy } }), 1);
    // dx[0,0] = 1*9 has the same row and column. dx[1,0] = -1*6 + 3*9 = 21, dx[0,1] = 1*8 + 2*9 = 26, not flipped 1*4 + 3*1,
    // without signs 33.
    expect([of('backward_data', 0), of('backward_data', 4)]).toEqual([true, false]);
    expect(errorOf(() => of('backward_data', 99)).field).toBe('cell');
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy } }), 1);
  });

  test('finds the kernel that was not flipped: dx[1,1] is 23', () => {
    const { verdict, mistakes: possible } = ask('backward_data', 5, '23');
    expect(verdict).toBe('known');
    expect(possible).toEqual([
      {
        id: 'opposite_weight',
        title: 'Weight of the opposite corner',
        sentence: expect.stringContaining('For dx the kernel is flipped'),
        step: 'gather.5',
      },
    ]);
  });

  test('has separate texts and lessons per pass for a flipped kernel', () => {
    const idea = (pass: 'forward' | 'backward_weights', index: number, written: string) =>
      ask(pass, index, written).mistakes.find(({ id }) => id === 'opposite_weight');
    // y[0,0] with w from its end: 0*1 + 1*2 + 2*3 + 4*4 + 5*5 + 6*6 + 8*7 + 9*8 + 10*9.
    expect(idea('forward', 0, '303')).toMatchObject({
      sentence: expect.stringContaining('forward pass does not flip'),
      step: 'one-window.4',
    });
    // dw[0,0] with the cells that dw[2,2] met: 10*1 + 11*2 + 14*3 + 15*4.
    expect(idea('backward_weights', 0, '134')).toMatchObject({
      sentence: expect.stringContaining('dw was flipped'),
      step: 'dw.4',
    });
  });

  test('returns all mistakes that give a number, or none', () => {
    expect(told('backward_data', 5, '19.25')).toEqual(['known', 'averaged']);
    expect(told('backward_data', 5, '36')).toEqual(['known', 'assigned']);
    expect(told('backward_data', 5, '1234')).toEqual(['unknown']);
    // dx[0,0] = 1*9: with the weight of the other corner 1*1, divided by the nine weights 9/9, without weights 1.
    expect(told('backward_data', 0, '1')).toEqual(['known', 'opposite_weight', 'averaged', 'weights_left_out']);
  });

  test('includes b if there is one', () => {
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy }, b: Float32Array.of(1000) }), 1);
    expect(told('forward', 0, '1147')).toEqual(['right']);
    expect(told('forward', 0, '147')).toEqual(['known', 'bias_forgotten']);
    engine.compute(makeRequest(makeDesc(), { w, loss: { kind: 'given', dy } }), 1);
    expect(told('forward', 0, '147')).toEqual(['right']);
  });

  test('calls inputs right or wrong, without mistakes', () => {
    // x counts 0, 1, 2, ...; afterwards the problem is checked as before.
    const given = (name: 'x' | 'w' | 'dy', index: number, written: string) =>
      engine.ask(1, { kind: 'diagnose', pass: name, index, written });
    expect(given('x', 7, '7')).toEqual({ verdict: 'right', mistakes: [] });
    expect(given('x', 7, '8')).toEqual({ verdict: 'unknown', mistakes: [] });
    expect(given('w', 0, '9.0')).toEqual({ verdict: 'right', mistakes: [] });
    expect(given('dy', 3, '-4')).toEqual({ verdict: 'unknown', mistakes: [] });
    expect(errorOf(() => given('w', 9, '1'))).toMatchObject({ code: 'invalid_argument', field: 'index' });
    expect(told('backward_data', 5, '77')).toEqual(['right']);
  });

  test('rejects invalid questions', () => {
    const error = (index: number, written: string) => errorOf(() => ask('forward', index, written));
    expect(error(4, '1')).toMatchObject({ code: 'invalid_argument', field: 'cell' });
    expect(error(-1, '1')).toMatchObject({ code: 'invalid_argument', field: 'cell' });
    for (const written of ['', '1 2', '1,5', 'NaN', 'Infinity', '0x10', '1e999', '.', '--1'])
      expect(error(0, written), written).toMatchObject({ code: 'invalid_argument', field: 'written' });
  });

  test('reports a problem that is too large', () => {
    const side = 1100;
    engine.compute(makeRequest(makeDesc({ h: side, w: side, kh: 1, kw: 1 })), 1);
    expect(errorOf(() => ask('forward', 0, '1'))).toMatchObject({ code: 'unsupported' });
  });

  test('every mistake has texts and a lesson step', () => {
    const { entries, layerEntries } = mistakes();
    expect(entries.length).toBeGreaterThanOrEqual(43);
    expect(layerEntries.length).toBeGreaterThanOrEqual(18);
    for (const { id, title, sentence, step } of [...entries, ...layerEntries]) {
      expect(title, id).toMatch(/^(?:[\p{Lu}x=]|dy )/u);
      expect(sentence, id).toMatch(/\.$/);
      expect(stepRefOf(step), `${id}: ${step}`).not.toBeNull();
    }
  });
});
