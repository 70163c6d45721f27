import { describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import { shapeSize, yShape } from '../../../web/src/protocol/shapes';
import { arrayOf, LOSS_WORDS, type Loss, lossFault } from '../../../web/src/sources/loss';
import { LOSS_TEXTS, lossOf } from '../../../web/src/sources/loss-menu';
import { editLoss } from '../../../web/src/state/edits';
import type { Problem } from '../../../web/src/state/problem';
import { descOf } from '../geometry/arbitrary-geometry';
import { layerOf, withDesc } from '../support/problems';

const { problem } = parseLink('h=7&stride=2&padding=1&x=ramp');
const shape = yShape(layerOf(problem).desc);
const dy = Float32Array.from({ length: shapeSize(shape) }, (_, i) => i - 3);

/** Each one as chosen in the menu; a loss also with a target. */
const made = LOSS_WORDS.flatMap((word): readonly (readonly [string, Loss])[] => {
  const loss = lossOf(word, { shape, dy });
  const target = word === 'cross_entropy' ? new Float32Array(dy.length).fill(1) : dy;
  return [[word, loss], ...(loss.kind === 'given' ? [] : [[`${word}, target`, { ...loss, target }] as const])];
});

const set = (loss: Loss): Problem => {
  const edited = editLoss(problem, 0, loss);
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
};

test('losses and sources of a given dy have different words and labels', () => {
  expect(new Set(LOSS_WORDS).size).toBe(LOSS_WORDS.length);
  expect(new Set(LOSS_WORDS.map((word) => LOSS_TEXTS[word].label)).size).toBe(LOSS_WORDS.length);
});

describe.each(made)('%s', (_label, loss) => {
  test('comes back from a link', () => {
    const { hash, omitted } = writeLink({ problem: set(loss), look: DEFAULT_LOOK });
    expect(omitted).toEqual([]);
    const { problem: back, complaints } = parseLink(hash);
    expect([back.loss, complaints]).toEqual([loss, []]);
  });

  test('fits y after y has become smaller, and larger', () => {
    for (const h of [3, 12]) {
      const moved = withDesc(set(loss), descOf({ ...layerOf(problem).desc, h, k: 2 }));
      expect(lossFault(moved.loss, layerOf(moved).desc.layout, yShape(layerOf(moved).desc))).toBeNull();
      expect(arrayOf(moved.loss)?.length).toBe(arrayOf(loss) ? shapeSize(yShape(layerOf(moved).desc)) : undefined);
    }
  });

  test('tells its array, so that undo can count it', () => {
    const kept = Object.values({ ...loss, ...('dy' in loss && loss.dy) }).filter(
      (member) => member instanceof Float32Array,
    );
    expect([arrayOf(loss) ?? []].flat()).toEqual(kept);
  });
});

test('every example is valid', () => {
  for (const word of LOSS_WORDS.filter((each) => each !== 'values')) {
    expect(parseLink(`h=7&dy=${LOSS_TEXTS[word].example}`).complaints).toEqual([]);
  }
});

describe('the target of cross-entropy', () => {
  const link = (dy: string, layout = 'nhwc') => parseLink(`h=4&w=4&k=3&layout=${layout}&x=ramp&dy=${dy}`);
  // Two positions a row, three channels.
  const second = [0, 1, 0];
  const planes = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0];

  test('is a class by its number, in the channels of the layout', () => {
    expect([...(arrayOf(link('cross_entropy:1').problem.loss) ?? [])]).toEqual([second, second, second, second].flat());
    expect([...(arrayOf(link('cross_entropy:1', 'nchw').problem.loss) ?? [])]).toEqual(planes);
    expect(arrayOf(link('cross_entropy:0').problem.loss)).toBeNull();
    for (const wrong of ['cross_entropy:3', 'cross_entropy:-1', 'cross_entropy', 'mse:1'])
      expect(link(wrong).complaints).toHaveLength(1);
  });

  test('is refused with the position that is no distribution', () => {
    const target = Float32Array.from([second, second, [0.5, 0.25, 0], second].flat());
    const { problem } = link('cross_entropy:0');
    const shape = yShape(layerOf(problem).desc);
    const fault = lossFault({ kind: 'cross_entropy', target }, 'nhwc', shape);
    expect(fault?.wrong).toBe(
      'cross_entropy needs a target of at least 0 with the sum 1 over the channels; at position 2 it is 0.75',
    );
    expect(lossFault({ kind: 'cross_entropy', target: target.with(8, 0.25) }, 'nhwc', shape)).toBeNull();
    expect(lossFault({ kind: 'cross_entropy', target: target.with(0, -1).with(2, 1) }, 'nhwc', shape)).not.toBeNull();
  });

  test('becomes class 0 at a position that loses its class', () => {
    const { problem } = link('cross_entropy:2');
    const fewer = withDesc(problem, { ...layerOf(problem).desc, k: 2 });
    expect([...(arrayOf(fewer.loss) ?? [])]).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    const wider = withDesc(problem, { ...layerOf(problem).desc, w: 5 });
    expect([...(arrayOf(wider.loss) ?? [])].slice(0, 9)).toEqual([0, 0, 1, 0, 0, 1, 1, 0, 0]);
  });
});
