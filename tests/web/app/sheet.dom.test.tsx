import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { Sheet } from '../../../web/src/app/page/Sheet';

afterEach(() => render(null, document.body));

test('a key belongs to an open dialog, and to the page once it is closed', async () => {
  const ofThePage = vi.fn();
  document.addEventListener('keydown', ofThePage);
  // The browser reports the end of a dialog later: until then it is closed and still on the page.
  await act(() =>
    render(
      <Sheet title="Examples" onClose={() => undefined}>
        …
      </Sheet>,
      document.body,
    ),
  );
  const dialog = document.querySelector('dialog') as HTMLDialogElement;
  const press = () =>
    dialog.querySelector('button')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
  press();
  expect(ofThePage).not.toHaveBeenCalled();
  dialog.close();
  press();
  expect(ofThePage).toHaveBeenCalledOnce();
  document.removeEventListener('keydown', ofThePage);
});
