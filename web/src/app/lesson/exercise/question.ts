import { type ExerciseRef, exerciseRefText } from '../../../lessons/exercises';
import { parseLink } from '../../../link/parse-link';
import { cellText } from '../../../link/text';
import type { Cell } from '../../../protocol/cell';
import type { ConvDesc } from '../../../protocol/problem';
import { shapeSize, yShape } from '../../../protocol/shapes';
import { KIND_OF, type ResultName, shapeOf } from '../../../protocol/tensors';
import { logicalOf, positionAt } from '../../../sources/logical';
import type { Problem } from '../../../state/problem';

/** A question of a set. Set, round and index determine it completely. */
export interface Question {
  readonly problem: Problem;
  /** The hidden cell. */
  readonly cell: Cell;
  /** Opens the problem with the cell hidden. */
  readonly link: string;
}

/** Longest sum to work out on paper; longer questions are drawn again. */
const MOST_TERMS = 12;

/** Terms of a cell's sum, including padding. */
function mostTerms({ kh, kw, c, k, groups, ...desc }: ConvDesc, tensor: ResultName): number {
  if (tensor === 'y') return (kh * kw * c) / groups;
  if (tensor === 'dx') return (kh * kw * k) / groups;
  return shapeSize(yShape({ ...desc, kh, kw, c, groups, k: 1 }));
}

/** Attempts to draw valid sizes with a short sum. */
const MOST_DRAWS = 200;

export function questionOf(exerciseRef: ExerciseRef, round: number): Question {
  const { set, index } = exerciseRef;
  for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
    const dice = diceOf([set.seed, round, index, draw]);
    const parts = set.varies.split('&').flatMap((field) => {
      const [key, values = ''] = field.split('=');
      const texts = values.split('|');
      const text = texts[dice(texts.length)] ?? '';
      const seeded = text === 'random' ? `random:${1 + dice(9999)}` : text;
      return seeded === '' ? [] : [`${key}=${seeded}`];
    });
    const inputs = parts.join('&');
    const { problem, fault, complaints } = parseLink(inputs);
    if (fault || complaints.length > 0) continue;
    const tensor = set.asks[index % set.asks.length] ?? 'y';
    if (mostTerms(problem.desc, tensor) > MOST_TERMS) continue;
    const cell: Cell = { tensor, index: dice(shapeSize(shapeOf(tensor, problem.desc))) };
    const name = cellText(cell);
    const look = `cell=${name}${sliceOf(problem.desc, tensor, cell.index)}&side=lesson&lesson=${exerciseRefText(exerciseRef)}`;
    return { problem, cell, link: `${inputs}&hidden=${name}&${look}` };
  }
  throw new Error(`${set.id}: no valid sizes in ${MOST_DRAWS} draws`);
}

/** The slice of a cell, for a link; channel and filter are in the same group. */
function sliceOf(desc: ConvDesc, tensor: ResultName, index: number): string {
  const at = positionAt(index, logicalOf(KIND_OF[tensor], desc.layout, shapeOf(tensor, desc)));
  if (!at || tensor === 'db') return '';
  const [first, , third, last] = at;
  const [channels, filters] = [desc.c / desc.groups, desc.k / desc.groups];
  if (tensor === 'dw') return `&slice=c${Math.floor(last / filters) * channels + third}.k${last}`;
  if (tensor === 'y') return `&slice=n${first}.c${Math.floor(last / filters) * channels}.k${last}`;
  return `&slice=n${first}.c${last}.k${Math.floor(last / channels) * filters}`;
}

/** Deterministic random integers below a limit: mulberry32, seeded with a mix of `seeds`. */
function diceOf(seeds: readonly number[]): (below: number) => number {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x243f6a88);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
