import type { Numbers } from './numbers';
import { readBeside } from './read-beside';

export { NumbersSheet } from './NumbersSheet';

export async function openNumbers(name: string, from: Blob | string, at: Numbers['at']): Promise<Numbers> {
  return { name, at, ...(await readBeside(name, from)) };
}
