import type { NamedArgument } from '../protocol/judge';

const WHOLE = /^\d+$/;

/** The arguments in the metadata of a .safetensors file: texts such as stride "2,2" and padding "same". */
export function argumentsIn(metadata: ReadonlyMap<string, string>): readonly NamedArgument[] {
  return [...metadata].flatMap(([name, text]): readonly NamedArgument[] => {
    if (text.length > LONGEST) return [];
    const parts = text.split(/[^-+.\w]+/).filter(Boolean);
    const isNumbers = parts.length > 0 && parts.every((part) => WHOLE.test(part));
    return [{ name, values: isNumbers ? parts.map(Number) : [], text: isNumbers ? '' : text }];
  });
}

/** Characters of an argument. */
const LONGEST = 80;
