import { isPadded } from '../layers/code';
import { type Pass, RESULT_OF } from '../protocol/problem';
import type { Subject } from './snippet';

/** Code as text. Each line has its conditions before "|": words that are all true, or one of several with commas between. */

export type Flags = Readonly<Record<string, boolean>>;
export type Values = Readonly<Record<string, string | number>>;

/** The text with each {name} replaced by its value. Further lines of a value are indented like the first. */
export const fill = (text: string, values: Values): string =>
  text.replace(/^( *)(.*)$/gm, (_, indent: string, line: string) => {
    const valueAt = (whole: string, name: string) => String(values[name] ?? whole).replaceAll('\n', `\n${indent}`);
    return indent + line.replace(/\{(\w+)\}/g, valueAt);
  });

/** The lines that are there, filled. */
export function listing(template: string, flags: Flags, values: Values = {}): readonly string[] {
  const lines = template
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [conditions = ''] = line.split('|', 1);
      const isThere = (words: string) => words.split(',').some((word) => flags[word]);
      return (conditions.match(/\S+/g) ?? []).every(isThere) ? [line.slice(conditions.length + 2)] : [];
    });
  return fill(lines.join('\n'), values).split('\n');
}

/** What a problem has: words for the conditions of listings, and its sizes. `wanted`: the results to compute. */
export function termsOf({ geometry: g, bias }: Subject, wanted: readonly Pass[] = []) {
  const { padding, ...sizes } = g;
  const even = padding.top === padding.bottom && padding.left === padding.right;
  const flags: Flags = {
    ...Object.fromEntries(wanted.map((pass) => [RESULT_OF[pass], true])),
    ...{ bias, nhwc: g.layout === 'nhwc', nchw: g.layout === 'nchw' },
    ...{ one: g.groups === 1, groups: g.groups > 1, padded: isPadded(g) },
    ...{ strided: g.stride_h * g.stride_w > 1, dilated: g.dilation_h * g.dilation_w > 1 },
    ...{ even, uneven: !even },
  };
  return { flags, values: { ...sizes, ...padding } };
}
