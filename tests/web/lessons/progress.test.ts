import { expect, test } from 'vitest';
import { readProgress } from '../../../web/src/app/lesson/progress';

const NONE = { done: [], at: {} };

test('stored progress survives a round trip', () => {
  const kept = { done: ['one-window'], at: { padding: 2 } };
  expect(readProgress(JSON.stringify(kept))).toEqual(kept);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['a number', '7'],
  ['null', 'null'],
  ['other things', '{"done":7,"at":"x"}'],
])('invalid text gives no progress: %s', (_name, text) => {
  expect(readProgress(text)).toEqual(NONE);
});

test('invalid steps are dropped', () => {
  expect(readProgress('{"done":["a",3],"at":{"a":1,"b":-1,"c":0.5,"d":"2"}}')).toEqual({ done: ['a'], at: { a: 1 } });
});
