import type { LinkContent } from '../../link/field';
import { INPUT_FIELDS } from '../../link/input-fields';
import { SIZE_FIELDS } from '../../link/size-fields';
import type { Problem } from '../../state/problem';

/** A setting that differs, named as in the controls. */
export interface Difference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ h: 'height', w: 'width', kh: 'kernel rows', kw: 'kernel columns' },
  ...{ n: 'images', c: 'channels', k: 'filters', weights: 'w', bias: 'b' },
  ...{ forward: 'algorithm of y', backward_data: 'algorithm of dx' },
  ...{ backward_weights: 'algorithm of dw', backward_bias: 'algorithm of db' },
};
/** Defaults that a link omits. */
const OMITTED: Readonly<Record<string, string>> = {
  ...{ n: '1', c: '1', k: '1', groups: '1', dilation: '1', layout: 'nhwc', bias: 'none' },
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
    return [{ name: NAMES[field.key] ?? field.key, here: first, there: `${second}${alike}` }];
  });
}

/** The source without its single values. */
function summary(text: string): string {
  const [source = '', values] = text.split('~', 2);
  const name = source.length > 24 ? `${source.slice(0, 23)}…` : source.replace(':', ' ');
  return values === undefined ? name : `${name}, edited`;
}
