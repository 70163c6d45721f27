import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

/** Drops and pastes are heard a moment after the second chunk is shown. */
const listening = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([], 'x.npy'));
        const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(over);
        document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }));
        return over.defaultPrevented;
      }),
    )
    .toBe(true);

/** Drops files on the page. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  await listening(page);
  await page.evaluate(
    (parts) => {
      const dataTransfer = new DataTransfer();
      for (const [name, content] of parts) {
        const part = typeof content === 'string' ? content : new Uint8Array(content);
        dataTransfer.items.add(new File([part], name));
      }
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(({ name, bytes }) => [name, typeof bytes === 'string' ? bytes : [...bytes]] as const),
  );
}

/** Pastes a text on the page. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await listening(page);
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
