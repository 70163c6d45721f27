import type { Plugin } from 'vite';
import { parse } from 'yaml';

/** Reads the files of web/content. Texts lose the line break at their end; a !formula becomes a function of sizes. */
export function content(): Plugin {
  return {
    name: 'content',
    transform: (code, id) =>
      id.endsWith('.yaml')
        ? { code: `export default ${scriptOf(readContent(code))}`, map: null, moduleType: 'js' }
        : null,
  };
}

/** "floor(h / 2)" of the sizes of a layer. */
export class Formula {
  readonly script: string;

  constructor(text: string) {
    if (!/^[\w\s()+\-*/%<>=!&|]+$/.test(text)) throw new Error(`"${text}" is not a formula`);
    const named = text.replace(/\b[a-z]\w*/g, (name) => (/^(floor|ceil)$/.test(name) ? `Math.${name}` : `s.${name}`));
    this.script = `(s)=>${named}`;
  }
}

export const readContent = (text: string): unknown =>
  parse(text, (_, value) => (typeof value === 'string' ? value.trim() : value), {
    customTags: [{ tag: '!formula', resolve: (formula: string) => new Formula(formula) }],
  });

function scriptOf(value: unknown): string {
  if (value instanceof Formula) return value.script;
  if (Array.isArray(value)) return `[${value.map(scriptOf)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${scriptOf(each)}`)}}`;
}
