import { beforeAll, describe, expect, test } from 'vitest';
import { likeliest } from '../../../web/src/app/lesson/predict/predictor';
import { EXERCISES } from '../../../web/src/lessons/exercises';
import { prepareAnswer } from '../../../web/src/worker/answers';
import { mistakes } from '../../../web/src/worker/mistakes';

// Which of several mistakes that give a number are explained.

const entry = (id: string, step: string) => ({ id, step, title: '', sentence: '' });
type Entry = ReturnType<typeof entry>;
const ids = (study: string | null, ...of: readonly Entry[]) => likeliest(of, study).map(({ id }) => id);

const flip = entry('opposite_weight', 'gather.5');
const averaged = entry('averaged', 'col2im.2');
const image = entry('one_image', 'bias-batch.3');
const order = entry('reading_order', 'gather.1');

describe('the likeliest mistakes', () => {
  test('are the first two of the list, if nothing is known of the question', () => {
    expect(ids(null, averaged, image, flip)).toEqual(['averaged', 'one_image']);
    expect(ids('questions.1', averaged, image, flip)).toEqual(['averaged', 'one_image']);
    expect(ids(null, flip)).toEqual(['opposite_weight']);
  });

  test('are those that the step explains, then those of its lesson', () => {
    expect(ids('gather.1', averaged, flip, order)).toEqual(['reading_order', 'opposite_weight']);
    expect(ids('gather.5', averaged, order, flip)).toEqual(['opposite_weight', 'reading_order']);
    expect(ids('padding.2', averaged, order, flip)).toEqual(['averaged', 'reading_order']);
  });

  test('are those that the question is about, in its order', () => {
    const about = (...of: readonly Entry[]) =>
      likeliest(of, 'gradients.4', ['opposite_weight', 'one_image']).map(({ id }) => id);
    expect(about(averaged, order, image)).toEqual(['one_image', 'averaged']);
    expect(about(image, averaged, flip)).toEqual(['opposite_weight', 'one_image']);
  });
});

describe('the mistakes that a set is about', () => {
  beforeAll(() => prepareAnswer({ kind: 'diagnose' }));

  test('are mistakes of the library', () => {
    const { entries, layerEntries } = mistakes();
    const known = [...entries, ...layerEntries].map(({ id }) => id);
    const named = EXERCISES.flatMap((set) => set.mistakes ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(named));
  });
});
