import { PASSES, type Pass } from '../../protocol/problem';
import { NAMED_SHAPES } from './shapes';
import { type ParameterId, SWEEPS } from './sweep';

/** The selection of races. In a link: "S1-R4.y-dx.every", "sweep-channels-R5", "this". */
export interface Setup {
  readonly what: 'this' | 'named' | 'sweep';
  /** In the order of NAMED_SHAPES. */
  readonly names: readonly string[];
  readonly parameter: ParameterId;
  /** Source of the other sizes in a sweep: a named shape, or "this" problem. */
  readonly base: string;
  readonly passes: readonly Pass[];
  /** Every algorithm of the library. */
  readonly every: boolean;
  /** More rounds. */
  readonly careful: boolean;
}

const LETTERS = { forward: 'y', backward_data: 'dx', backward_weights: 'dw', backward_bias: 'db' } as const;

const ALL = NAMED_SHAPES.map(({ name }) => name);

/** Fewer races on a small device. */
export const defaultSetup = (small: boolean): Setup => ({
  what: 'named',
  names: small ? ['S4', 'D2'] : ['S1', 'R5', 'D2'],
  parameter: 'channels',
  base: 'R5',
  passes: PASSES,
  every: false,
  careful: false,
});

export function setupText({ what, names, parameter, base, passes, every, careful }: Setup): string {
  const subject = what === 'this' ? 'this' : what === 'named' ? names.join('-') : `sweep-${parameter}-${base}`;
  const flags = [every ? 'every' : [], careful ? 'careful' : []].flat();
  return [subject, passes.map((pass) => LETTERS[pass]).join('-'), ...flags].join('.');
}

/** Parses a setup; unknown parts, such as "open", become defaults. */
export function parseSetup(text: string, small: boolean): Setup {
  const start = defaultSetup(small);
  const [subject = '', letters = '', ...flags] = text.split('.');
  const wanted = letters.split('-');
  const passes = PASSES.filter((pass) => wanted.includes(LETTERS[pass]));
  const rest = {
    passes: passes.length > 0 ? passes : start.passes,
    every: flags.includes('every'),
    careful: flags.includes('careful'),
  };
  if (subject === 'this') return { ...start, ...rest, what: 'this' };
  const [sweep, parameter, base] = subject.split('-');
  const swept = SWEEPS.find(({ id }) => id === parameter);
  if (sweep === 'sweep' && swept) {
    const known = base === 'this' || ALL.includes(base ?? '') ? (base ?? '') : start.base;
    return { ...start, ...rest, what: 'sweep', parameter: swept.id, base: known };
  }
  const named = subject.split('-');
  const names = ALL.filter((name) => named.includes(name));
  return { ...start, ...rest, names: names.length > 0 ? names : start.names };
}
