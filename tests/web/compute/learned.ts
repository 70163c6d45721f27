import type { Question } from '../../../web/src/protocol/questions';

/** A question of gradient descent: one step that learns w, with some members changed. */
export const learned = (change: object): Question => ({
  kind: 'learn',
  ...{
    learns: 'w',
    teacher: null,
    fromZero: false,
    scale: 1,
    rate: 0.1,
    batch: 1,
    noise: 0,
    watch: new Int32Array(0),
    steps: 1,
  },
  ...change,
});
