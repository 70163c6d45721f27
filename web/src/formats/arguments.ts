import type { NamedArgument } from '../protocol/judge';

const WHOLE = /^\d+$/;
/** Names of arguments; conv2d_check knows them exactly. A file has other texts as well: format "pt". */
const IS_ARGUMENT = /pad|stride|dilation|group/i;

/** The arguments among texts beside arrays, as in the metadata of a .safetensors file: stride "2,2", padding "same". */
export function argumentsIn(metadata: ReadonlyMap<string, string>): readonly NamedArgument[] {
  return [...metadata].flatMap(([name, text]): readonly NamedArgument[] => {
    if (!IS_ARGUMENT.test(name) || text.length > LONGEST) return [];
    const parts = text.split(/[^-+.\w]+/).filter(Boolean);
    const isNumbers = parts.length > 0 && parts.every((part) => WHOLE.test(part));
    return [{ name, values: isNumbers ? parts.map(Number) : [], text: isNumbers ? '' : text }];
  });
}

/** Characters of an argument. */
const LONGEST = 80;
