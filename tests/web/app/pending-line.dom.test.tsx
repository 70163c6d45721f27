import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PendingLine } from '../../../web/src/app/questions/PendingLine';
import { DEFAULT_LOOK, type Look } from '../../../web/src/look/look';
import { createLook, type LookStore } from '../../../web/src/look/look-store';

const HIDING: Look = { ...DEFAULT_LOOK, hiddenCells: [{ tensor: 'x_col', index: 3 }] };
let look: LookStore;
beforeEach(() => {
  look = createLook(() => null, HIDING);
});
afterEach(() => {
  act(() => render(null, document.body));
});

const nothing = () => undefined;
const show = (props: Partial<Parameters<typeof PendingLine>[0]>) =>
  act(() =>
    render(<PendingLine pending={{ status: 'hidden' }} cancel={nothing} retry={nothing} {...props} />, document.body),
  );
const buttons = () => [...document.querySelectorAll('button')];
const texts = () => buttons().map(({ textContent }) => textContent);
const click = (text: string) =>
  act(() =>
    buttons()
      .find(({ textContent }) => textContent === text)
      ?.click(),
  );

describe('the notice for an answer that needs hidden values', () => {
  it('offers to reveal them or to open another view', () => {
    const onElsewhere = vi.fn();
    show({ look, onElsewhere });
    expect(document.querySelector('.notice p')?.textContent).toBe(
      'This needs all values of the problem, and some are hidden.',
    );
    expect(texts()).toEqual(['Reveal all values', 'Open Overview']);
    click('Open Overview');
    expect(onElsewhere).toHaveBeenCalledOnce();
    click('Reveal all values');
    expect(look.hiddenCells.value).toEqual([]);
  });

  it('offers nothing if the link locks revealing', () => {
    look = createLook(() => null, { ...HIDING, locked: ['hide'] });
    show({ look });
    expect(document.querySelector('.notice p')?.textContent).toContain('Revealing them is locked by this link.');
    expect(texts()).toEqual([]);
  });
});
