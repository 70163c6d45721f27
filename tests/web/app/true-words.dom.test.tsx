import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { PaddingFields } from '../../../web/src/app/controls/SizeFields';
import { unmetText } from '../../../web/src/app/explain/ComputedFrom';
import { paddingName } from '../../../web/src/protocol/shapes';
import { groupedSentence } from '../../../web/src/views/dw/DilatedDy';
import { wrongText } from '../../../web/src/views/dx/FullConvolution';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';

// Words of the page that depend on the problem.

afterEach(() => render(null, document.body));

const sides = (top: number) => ({ top, bottom: 0, left: 0, right: 0 });

test('padding of 0 on all sides is valid, whatever set it', () => {
  expect(paddingName(makeDesc())).toBe('valid');
  expect(paddingName(makeDesc({ padding: sides(1) }))).toBe('explicit_sides');
  expect(paddingName(makeDesc({ padding_mode: 'same', padding: sides(0) }))).toBe('same');
  expect(paddingName(makeDesc({ padding_mode: 'valid', padding: sides(1) }))).toBe('valid');
});

test('the control of padding says valid for 0 on all sides, and custom once it is chosen', () => {
  const onChange = vi.fn();
  const show = () =>
    act(() => render(<PaddingFields desc={makeDesc()} error={null} onChange={onChange} />, document.body));
  const chosen = () =>
    [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].find(({ checked }) => checked)?.parentElement
      ?.textContent;
  show();
  expect(chosen()).toContain('valid');
  // The sides can be set at once.
  expect(document.querySelector('[role=spinbutton]')).not.toBeNull();
  const custom = [...document.querySelectorAll('label')].find(({ textContent }) => textContent?.includes('custom'));
  act(() => custom?.querySelector('input')?.click());
  expect(onChange).toHaveBeenCalledWith({ padding_mode: 'explicit_sides', padding: sides(0) }, 'padding_mode');
  show();
  expect(chosen()).toContain('custom');
});

test('weights without a window: the stride skips none if it is 1', () => {
  const of = (stride_h: number) => unmetText(geometryOf(makeDesc({ stride_h })), 3);
  expect([of(1), of(2)]).toEqual([
    'No window here for 3 of 9 weights: it would be beyond the edge.',
    'No window here for 3 of 9 weights: skipped by the stride or beyond the edge.',
  ]);
});

test('without the flip, only the cells that have a value are counted', () => {
  expect([wrongText(6, 6, 16), wrongText(16, 16, 16)]).toEqual([
    'Without flipping w, 6 of 6 cells so far are wrong (outlined).',
    'Without flipping w, 16 of 16 cells are wrong (outlined).',
  ]);
});

test('dw of a batch is cut only if it is larger than the kernel', () => {
  const of = (h: number, n: number) => groupedSentence(geometryOf(makeDesc({ h, n, stride_h: 2 })));
  expect([of(5, 2), of(6, 2), of(5, 1)]).toEqual([
    'Nothing is cut off here: the 2 images are added.',
    'Only 3 × 3 cells are kept: the 2 images are added.',
    'Nothing is cut off here. There is one image, so this is dw.',
  ]);
});
