import { gridOf } from '../geometry/grid';
import type { Geometry, Pass, Shape, TensorName } from '../protocol/problem';
import type { Numbers } from './literal';
import { sizesOf } from './snippet';

/** What a script is made of that asserts what the page computed. */

export type ResultName = 'y' | 'dx' | 'dw' | 'db';

export const RESULT_OF: Readonly<Record<Pass, ResultName>> = {
  forward: 'y',
  backward_data: 'dx',
  backward_weights: 'dw',
  backward_bias: 'db',
};

interface Held {
  readonly shape: Shape;
  readonly data: Float32Array;
  readonly stats: { readonly not_finite: number };
}

export interface Ran {
  readonly algorithm: string;
  /**
   * |result - exact| <= bound * 2^-24 * the largest sum that numbers of this size could give. That is all that an algorithm
   * declares which mixes cells; the others declare it of each element's own sum, which is no larger.
   */
  readonly bound: number;
}

export interface Given {
  readonly geometry: Geometry;
  readonly tensors: Readonly<Partial<Record<TensorName, Held>>>;
  /** The algorithm of a pass, where it ran, and the bound that it declares. */
  readonly ran: Readonly<Partial<Record<Pass, Ran>>>;
  readonly hides: boolean;
}

interface Result extends Ran {
  readonly pass: Pass;
  readonly name: ResultName;
  readonly numbers: Numbers;
}

export interface CheckSubject {
  readonly geometry: Geometry;
  readonly bias: boolean;
  readonly inputs: readonly Numbers[];
  readonly results: readonly Result[];
}

/** So many numbers make a file of about 90 MB: nobody waits for more. */
const MOST = 2 ** 24;

/** What can be checked, or in a sentence why nothing can. */
export function checkSubject({ geometry: g, tensors, ran, hides }: Given): CheckSubject | string {
  if (hides) return 'A check would tell the numbers that are hidden here: reveal them first.';
  const numbersOf = (name: TensorName): readonly Numbers[] => {
    const tensor = tensors[name];
    const whole = tensor?.data.length === gridOf(g, name).cells;
    return tensor && whole ? [{ name, sizes: sizesOf(g, name), data: tensor.data }] : [];
  };
  const inputs = (['x', 'w', 'b', 'dy'] as const).flatMap(numbersOf);
  const results = (Object.keys(RESULT_OF) as Pass[]).flatMap((pass) => {
    const how = ran[pass];
    const name = RESULT_OF[pass];
    return how ? numbersOf(name).map((numbers) => ({ pass, name, ...how, numbers })) : [];
  });
  if (results.length === 0) return 'Nothing is computed yet that could be checked.';
  const all = [...inputs, ...results.map(({ numbers }) => numbers)];
  const overflown = all.find(({ name }) => (tensors[name]?.stats.not_finite ?? 0) > 0);
  if (overflown) return `${overflown.name} has numbers that are not finite: no tolerance covers those.`;
  const count = all.reduce((sum, { data }) => sum + data.length, 0);
  if (count > MOST) {
    return `${count.toLocaleString('en')} numbers are too many for a script: at most ${MOST.toLocaleString('en')}.`;
  }
  return { geometry: g, bias: tensors.b !== undefined, inputs, results };
}

/** How many products an element of a result adds up, and what they are products of. */
export function sumOf(
  g: Geometry,
  name: ResultName,
): { readonly products: number; readonly of: readonly TensorName[] } {
  switch (name) {
    case 'y':
      return { products: g.kh * g.kw * g.group_c, of: ['x', 'w'] };
    case 'dx':
      return { products: g.kh * g.kw * g.group_k, of: ['dy', 'w'] };
    case 'dw':
      return { products: g.n * g.oh * g.ow, of: ['x', 'dy'] };
    case 'db':
      return { products: g.n * g.oh * g.ow, of: ['dy'] };
  }
}

/** Why the tolerance is what it is, as lines of a comment. */
export const TOLERANCE: readonly string[] = [
  'Here all is computed in double precision from the same float32 numbers, so what differs is the rounding of the page alone.',
  'Its algorithms declare: no value is further from the exact one than bound * 2^-24 times the largest sum that numbers of',
  'this size could give (products * max |a| * max |b|, and |b| for the bias). One more 2^-24 for being stored as float32.',
];
