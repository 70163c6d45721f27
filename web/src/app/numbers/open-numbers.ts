import type { Opened, Refused, Source } from '../../formats/format';
import { openFile } from '../../formats/formats';
import { readText } from '../../formats/text';

export { NumbersSheet } from './NumbersSheet';

/** What somebody brought, and what was read of it. */
export interface Numbers {
  readonly name: string;
  readonly opened: Opened | Refused;
}

export async function openNumbers(name: string, from: Blob | string): Promise<Numbers> {
  return { name, opened: typeof from === 'string' ? readText(from) : await openFile(sourceOf(name, from)) };
}

const sourceOf = (name: string, blob: Blob): Source => ({
  name,
  size: blob.size,
  bytes: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
});
