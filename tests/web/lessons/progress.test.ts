import { expect, test } from 'vitest';
import { readProgress } from '../../../web/src/app/lesson/progress';

const NONE = { done: [], at: {} };

test('how far somebody came is read as it was written', () => {
  const kept = { done: ['one-window'], at: { padding: 2 } };
  expect(readProgress(JSON.stringify(kept))).toEqual(kept);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['a number', '7'],
  ['null', 'null'],
  ['other things', '{"done":7,"at":"x"}'],
])('what cannot be understood is no progress: %s', (_name, text) => {
  expect(readProgress(text)).toEqual(NONE);
});

test('steps that cannot be are left out', () => {
  expect(readProgress('{"done":["a",3],"at":{"a":1,"b":-1,"c":0.5,"d":"2"}}')).toEqual({ done: ['a'], at: { a: 1 } });
});
