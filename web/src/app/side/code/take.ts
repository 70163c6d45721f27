import { saveFile } from '../../save-file';

/** Ways in which somebody takes a text away. Each says how it went. */

/** Longer ones are a matter for a file, in characters. */
const MOST_COPIED = 2 ** 21;

export async function copyText(text: string, what: string): Promise<string> {
  if (text.length > MOST_COPIED) return `${what} has ${sizeOf(text)}, too much for the clipboard: save it as a file.`;
  try {
    await navigator.clipboard.writeText(text);
    return `${what} was copied.`;
  } catch {
    return 'The browser did not allow copying.';
  }
}

export function saveText(text: string, file: string): string {
  saveFile(file, new Blob([text], { type: 'text/plain' }));
  return `${file} was saved.`;
}

const sizeOf = (text: string): string => `${(text.length / 2 ** 20).toFixed(1)} MB`;
