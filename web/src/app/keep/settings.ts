import { decoded } from '../../link/text';
import { writeLink } from '../../link/write-link';
import { DEFAULT_LOOK } from '../../look/look';
import { PASSES, RESULT_OF, type SizeName } from '../../protocol/problem';
import { SIZE_NAMES, SIZES } from '../../protocol/size-table';
import type { Problem } from '../../state/problem';

/** A setting that changed, named as in the controls. */
interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const isSize = (key: string): key is SizeName => key in SIZES;

const NAMES: Readonly<Record<string, string>> = {
  ...{ kh: 'kernel rows', kw: 'kernel columns', n: 'images', weights: 'w', bias: 'b' },
  ...Object.fromEntries(PASSES.map((pass) => [pass, `algorithm of ${RESULT_OF[pass]}`])),
};
const nameOf = (key: string): string =>
  NAMES[key] ?? (isSize(key) ? SIZES[key].label : key.replace('layer.', 'layer '));

/** Defaults that a link omits. */
const OMITTED: Readonly<Record<string, string>> = {
  ...{ layout: 'nhwc', bias: 'none' },
  ...Object.fromEntries(SIZE_NAMES.map((name) => [SIZES[name].link.key ?? name, String(SIZES[name].link.initial)])),
  ...Object.fromEntries(PASSES.map((pass) => [pass, 'automatic'])),
};

/** The fields of the problem in a link, by key. */
function fieldsOf(problem: Problem): ReadonlyMap<string, string> {
  const parts = writeLink({ problem, look: DEFAULT_LOOK }).hash.split('&');
  return new Map(
    parts.map((part) => {
      const [key = '', text = ''] = part.split('=', 2);
      return [key, decoded(text) ?? text];
    }),
  );
}

/** The settings in which two problems differ. */
export function changesOf(earlier: Problem, problem: Problem): readonly Change[] {
  const [before, after] = [fieldsOf(earlier), fieldsOf(problem)];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [was, is] = [before, after].map((texts) => texts.get(key) ?? OMITTED[key] ?? 'none') as [string, string];
    if (was === is) return [];
    const [first, second] = [summary(was), summary(is)];
    return [{ name: nameOf(key), before: first, after: first === second ? `${second}, other values` : second }];
  });
}

/** The source without its single values. */
function summary(text: string): string {
  const [source = '', values] = text.split('~', 2);
  const name = source.length > 24 ? `${source.slice(0, 23)}…` : source.replaceAll(/[:;]/g, ' ');
  return values === undefined ? name : `${name}, edited`;
}
