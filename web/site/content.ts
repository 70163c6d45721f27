import type { Plugin } from 'vite';
import { parse } from 'yaml';

/** Reads the files of web/content. Texts lose the line break at their end. */
export function content(): Plugin {
  return {
    name: 'content',
    transform: (code, id) =>
      id.endsWith('.yaml')
        ? { code: `export default ${JSON.stringify(readContent(code))}`, map: null, moduleType: 'js' }
        : null,
  };
}

export const readContent = (text: string): unknown =>
  parse(text, (_, value) => (typeof value === 'string' ? value.trim() : value));
