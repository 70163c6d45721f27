import type { LinkContent } from '../../link/field';
import { INPUT_FIELDS, SIZE_FIELDS } from '../../link/problem-fields';
import type { SizeName } from '../../protocol/problem';
import { SIZE_NAMES, SIZES } from '../../protocol/size-table';
import type { Problem } from '../../state/problem';

/** A setting that differs, named as in the controls. */
export interface Difference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

const isSize = (key: string): key is SizeName => key in SIZES;

const NAMES: Readonly<Record<string, string>> = {
  ...{ kh: 'kernel rows', kw: 'kernel columns', n: 'images', weights: 'w', bias: 'b' },
  ...{ forward: 'algorithm of y', backward_data: 'algorithm of dx' },
  ...{ backward_weights: 'algorithm of dw', backward_bias: 'algorithm of db' },
};
const nameOf = (key: string): string => NAMES[key] ?? (isSize(key) ? SIZES[key].label : key);

/** Defaults that a link omits. */
const OMITTED: Readonly<Record<string, string>> = {
  ...{ layout: 'nhwc', bias: 'none' },
  ...Object.fromEntries(SIZE_NAMES.map((name) => [SIZES[name].link.key ?? name, String(SIZES[name].link.initial)])),
};

export function differencesOf(here: Problem, there: Problem, look: LinkContent['look']): readonly Difference[] {
  return [...SIZE_FIELDS, ...INPUT_FIELDS].flatMap((field) => {
    const [a, b] = [here, there].map((problem) => {
      const text = field.write({ problem, look }, { omit: () => undefined, pack: () => undefined });
      return typeof text === 'string' ? text : (OMITTED[field.key] ?? 'automatic');
    });
    if (a === undefined || b === undefined || a === b) return [];
    const [first, second] = [summary(a), summary(b)];
    const alike = first === second ? ', other values' : '';
    return [{ name: nameOf(field.key), here: first, there: `${second}${alike}` }];
  });
}

/** The source without its single values. */
function summary(text: string): string {
  const [source = '', values] = text.split('~', 2);
  const name = source.length > 24 ? `${source.slice(0, 23)}…` : source.replace(':', ' ');
  return values === undefined ? name : `${name}, edited`;
}
