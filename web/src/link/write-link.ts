import { dyEntry } from '../sources/dy-sources';
import type { InputName, Problem } from '../state/problem';
import type { CarriedInput, Linked, Pen } from './field';
import { FIELDS, LINK_VERSION } from './fields';

/**
 * A problem and a look as the hash of a link, readable where it can be:
 *   v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones&mode=dx&dx.way=gather&cell=y.12
 */
export interface Link {
  /** Without the "#". */
  readonly hash: string;
  /** Inputs that are too large for a link: it says so, and who opens it is told. */
  readonly omitted: readonly InputName[];
}

/** `pack`: numbers as compressed text, where that is at hand; of others a link carries few. */
export function writeLink(state: Linked, pack: Pen['pack'] = () => undefined): Link {
  const omitted: InputName[] = [];
  const pen: Pen = { omit: (input) => omitted.push(input), pack };
  const parts = FIELDS.flatMap(({ key, write }) => {
    const written = write(state, pen);
    return typeof written === 'string' ? [[key, written] as const] : (written ?? []);
  });
  return { hash: [['v', LINK_VERSION] as const, ...parts].map((part) => part.join('=')).join('&'), omitted };
}

/** The numbers of an input, for who has to keep what a link leaves out. */
export function carriedOf(problem: Problem, name: InputName): CarriedInput | null {
  if (name !== 'dy') return problem[name];
  const { values } = dyEntry(problem.dy).write(problem.dy);
  return values ? { data: values, edited: true } : null;
}
