import { expect, test } from 'vitest';
import { looksLikeNumbers } from '../../../web/src/app/numbers/open-import';

test.each([
  '1 2 3\n4 5 6',
  '1,000\t2,000',
  '0,5;1,5',
  '-1.5e-3',
  'nan 1 inf 2',
  'height,width\n1,2\n3,4',
  '# made by a program\n1 2\n3 4',
  'w = np.array([[1, 2], [3, 4]], dtype=np.float32)',
  'tensor([[1., 2.]], requires_grad=True)',
  'Parameter containing:\ntensor([1.], requires_grad=True)',
  '>>> x\narray([1, 2])',
  'x = 3',
  '{"x": [1, 2]}',
  '<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>',
])('%j is an array', (text) => expect(looksLikeNumbers(text)).toBe(true));

test.each([
  'See you at 5 in room 12, second floor.',
  'Version 2 is out',
  'https://example.org/a/path?id=12',
  'The model has 3 layers and 64 filters',
  'Π and Ω are 2 letters',
  'no digits',
])('%j is a sentence', (text) => expect(looksLikeNumbers(text)).toBe(false));
