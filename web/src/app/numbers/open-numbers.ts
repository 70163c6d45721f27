import type { Source } from '../../formats/format';
import { openFile } from '../../formats/formats';
import { readText } from '../../formats/text';
import type { Numbers } from './numbers';

export { NumbersSheet } from './NumbersSheet';

export async function openNumbers(name: string, from: Blob | string, at: Numbers['at']): Promise<Numbers> {
  return { name, opened: typeof from === 'string' ? readText(from) : await openFile(sourceOf(name, from)), at };
}

const sourceOf = (name: string, blob: Blob): Source => ({
  name,
  size: blob.size,
  bytes: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
});
