import type { Page } from 'playwright-core';

interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Drops files on the page. The second chunk handles drops. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  // The side panel comes with the same chunk.
  await page.locator('.side [role=tab]').first().waitFor();
  await page.evaluate(
    (parts) => {
      const dataTransfer = new DataTransfer();
      for (const [name, bytes] of parts) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(({ name, bytes }) => [name, [...bytes]] as const),
  );
}
