import { arrayOf } from '../sources/loss';
import { inputOf, type Problem } from '../state/problem';
import {
  type FieldWriter,
  type KnownInput,
  type LinkContent,
  type LinkInput,
  networkFields,
  writeFields,
} from './field';
import { FIELDS, LINK_VERSION } from './fields';

/**
 * A problem and a look as the hash of a link, as readable as possible:
 *   v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones&mode=dx&dx.way=gather&cell=y.12
 */
export interface Link {
  /** Without the "#". */
  readonly hash: string;
  /** Inputs that are too large for the link; the link marks them. */
  readonly omitted: readonly LinkInput[];
}

/** `pack`: returns values as compressed text. Without it, only small inputs fit. */
export function writeLink(state: LinkContent, pack: FieldWriter['pack'] = () => undefined): Link {
  const omitted: LinkInput[] = [];
  const pen: FieldWriter = { omit: (input) => omitted.push(input), pack };
  const fields = (state.problem.layers.length > 1 && networkFields.code?.fields) || FIELDS;
  const parts = [['v', LINK_VERSION] as const, ...writeFields(fields, state, pen)];
  return { hash: parts.map((part) => part.join('=')).join('&'), omitted };
}

/** The values of an input, for storing what a link leaves out. */
export function inputValuesOf(problem: Problem, name: LinkInput): KnownInput | null {
  if (name !== 'dy') return inputOf(problem, name);
  const data = arrayOf(problem.loss);
  return data && { data, edited: true };
}
