import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { EXAMPLES } from '../../../web/src/lessons/examples';

/** Valid links, and random mutations of them. */

const STORED = JSON.parse(readFileSync(new URL('./links-v1.json', import.meta.url), 'utf8')) as readonly {
  readonly hash: string;
}[];
/** With compressed values: 2,500 of x, a pattern with one edit; the target of a loss. */
const PACKED =
  'v=2&h=50&w=50&kh=3&kw=3&stride=2&padding=0&x=ramp~f32z.7cshEoJQFIXhGwwGA8FgMBAMBgOBYGCGe9-4AJfgElzCi0QikUgkEolEopFoNBoNzBAko-X_yynnEyEiIiIiIiIiIqLFG27VsDleWikf64OWWvSrMPFR3sn-rGHWvnexBL55bSMv9_oZnCZxRSAQCAQCgUD8SaiZOec0Hce-x6ZJx5H5B4FAIBAIBALxU_EB&weights=countdown:9&dy=mse~i8z.Y2BkYmZhGCVGCfIIAA&mode=dx&cell=y.12';
const GOOD = [
  ...STORED.map(({ hash }) => hash),
  ...EXAMPLES.flatMap(({ examples }) => examples.map(({ link }) => link)),
  'v=2&h=9&kh=3&n=2&c=4&k=6&groups=2&mode=dx&dx.way=gather&dx.t=5&cell=y.12&slice=n1.c2.k3&hidden=dx,y.4,mode.learn,stride&locked=padding,mode.dx,x,hide&forward=im2col_gemm',
  'h=512&w=512&c=3&k=3&groups=3&kh=3&padding=same&x=sample:landscape&weights=filter:blur&dy=mse:0',
  ...Array.from({ length: 5 }, () => PACKED),
].filter((hash) => hash !== '');

const NUMBERS = ['0', '-1', '2.5', '1e9', '4096', '99999', '999999999999999', '18446744073709551616', 'NaN', '\u0661'];
const KEYS = [
  'h',
  'w',
  'n',
  'c',
  'k',
  'kh',
  'kw',
  'groups',
  'stride',
  'dilation',
  'padding',
  'v',
  'x',
  'weights',
  'dy',
];
const PIECES = [
  '&',
  '=',
  '~',
  '%',
  '%25',
  '.',
  ',',
  ':',
  '#',
  '__proto__',
  '\ud800',
  '\u0000',
  'values:',
  'f32.',
  'i8z.',
  'f32z.',
  'n1.',
];

type Mutation = (hash: string) => string;

const at = (hash: string, share: number) => Math.floor(share * (hash.length + 1));
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  // Replaces a number of a field.
  fc.tuple(share, fc.constantFrom(...NUMBERS)).map(([where, number]) => (hash: string) => {
    const found = [...hash.matchAll(/\d+/g)];
    const one = found[Math.floor(where * found.length)];
    return one ? `${hash.slice(0, one.index)}${number}${hash.slice(one.index + one[0].length)}` : `${hash}&h=${number}`;
  }),
  // Adds or repeats a field.
  fc
    .tuple(
      fc.constantFrom(...KEYS),
      fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: 1, max: 5000 }).map(String)),
    )
    .map(
      ([key, value]) =>
        (hash: string) =>
          `${hash}&${key}=${value}`,
    ),
  fc.tuple(share, fc.constantFrom(...PIECES)).map(([where, piece]) => (hash: string) => {
    return `${hash.slice(0, at(hash, where))}${piece}${hash.slice(at(hash, where))}`;
  }),
  fc.tuple(share, share).map(([from, to]) => (hash: string) => {
    const [a, b] = [at(hash, from), at(hash, to)].sort((one, other) => one - other);
    return hash.slice(0, a) + hash.slice(b);
  }),
  // Repeats a part many times.
  fc
    .tuple(share, fc.integer({ min: 1, max: 20 }), fc.constantFrom(2, 40, 3000))
    .map(([from, length, times]) => (hash: string) => {
      const start = at(hash, from);
      return hash.slice(0, start) + hash.slice(start, start + length).repeat(times) + hash.slice(start);
    }),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => (hash: string) => `${hash}${text}`),
);

export const mutatedLinks: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...GOOD), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([hash, mutations]) => mutations.reduce((text, mutate) => mutate(text), hash));
