import type { Page } from 'playwright-core';

interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Drops and pastes need the second chunk. The side panel comes with it. */
const secondChunk = (page: Page) => page.locator('.side [role=tab]').first().waitFor();

/** Drops files on the page. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  await secondChunk(page);
  await page.evaluate(
    (parts) => {
      const dataTransfer = new DataTransfer();
      for (const [name, bytes] of parts) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(({ name, bytes }) => [name, [...bytes]] as const),
  );
}

/** Pastes a text on the page. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await secondChunk(page);
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
