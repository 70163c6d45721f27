import { isPerPosition, LOSS_KINDS, type LossKind } from '../losses/list';
import type { SentLoss } from '../protocol/messages';
import type { Layout, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { notDistributed, oneHot } from './distribution';
import { numberText, parseCount } from './exact-text';
import { type DyReading, GIVEN_DYS, type GivenDy } from './given-dy';
import { copyCommon, logicalOf, nearestIndex } from './logical';

/**
 * The end of a problem: dy is given there, or the gradient of a loss between y and a target of y's length. null: 0 everywhere; of
 * cross_entropy, class 0 everywhere.
 */
export type Loss = { readonly kind: 'given'; readonly dy: GivenDy } | TargetLoss;

interface TargetLoss {
  readonly kind: LossKind;
  readonly target: Float32Array | null;
}

/** The word of a loss in links and menus; of a given dy that of its source. */
export type LossWord = GivenDy['kind'] | LossKind;

/** In the order of the menus. */
export const LOSS_WORDS: readonly LossWord[] = [...GIVEN_DYS.map(({ kind }) => kind), ...LOSS_KINDS];

export const wordOf = (loss: Loss): LossWord => (loss.kind === 'given' ? loss.dy.kind : loss.kind);

export const given = (dy: GivenDy): Loss => ({ kind: 'given', dy });

/** dy after an edit of a cell. */
export const painted = (shape: Shape, data: Float32Array): Loss => given({ kind: 'values', shape, data });

/** The single 1 of a given dy; null: it is another one. */
export const singleOf = (loss: Loss) => (loss.kind === 'given' && 'index' in loss.dy ? loss.dy : null);

export const followsPointer = (loss: Loss): boolean => singleOf(loss)?.kind === 'pointed';

/** The array of a loss, in memory and in a link. */
export function arrayOf(loss: Loss): Float32Array | null {
  if (loss.kind !== 'given') return loss.target;
  return 'data' in loss.dy ? loss.dy.data : null;
}

export const givenEntry = (word: string) => GIVEN_DYS.find(({ kind }) => kind === word);
export const targetKind = (word: string) => LOSS_KINDS.find((kind) => kind === word);

/** For "Shuffle": the next one of this kind. */
export function another(loss: Loss): Loss | undefined {
  const next = loss.kind === 'given' && givenEntry(loss.dy.kind)?.another?.(loss.dy);
  return next ? given(next) : undefined;
}

/** Its argument in a link. */
export const argumentOf = (loss: Loss): string | undefined =>
  loss.kind === 'given' ? givenEntry(loss.dy.kind)?.write?.(loss.dy) : loss.target ? undefined : '0';

/** `isOmitted`: without the values that the link leaves out. */
export function readLoss(word: string, text: DyReading, isOmitted: boolean): Loss | null {
  const kind = targetKind(word);
  if (kind) {
    if (text.hasValues || isOmitted) {
      const target = text.hasValues ? text.values(shapeSize(text.shape)) : null;
      return target || isOmitted ? { kind, target } : null;
    }
    const channel = parseCount(text.argument);
    if (channel === 0) return { kind, target: null };
    // A class by its number.
    const { layout, shape } = text;
    const isClass = isPerPosition(kind) && channel !== null && channel < logicalOf('pixels', layout, shape).sizes[3];
    return isClass ? { kind, target: oneHot(layout, shape, channel) } : null;
  }
  const entry = givenEntry(word);
  const dy = isOmitted ? entry && ({ kind: 'ones' } as const) : entry?.read(text);
  return dy ? given(dy) : null;
}

/** Why a loss does not fit y. */
interface Fault {
  readonly wrong: string;
  /** What a link must contain instead. */
  readonly right: string;
}

export function lossFault(loss: Loss, layout: Layout, y: Shape): Fault | null {
  const cells = shapeSize(y);
  if (loss.kind !== 'given') {
    const { kind, target } = loss;
    if (!target) return null;
    if (target.length === cells) return isPerPosition(loss.kind) ? distributionFault(target, layout, y) : null;
    return {
      wrong: `the target has ${target.length} values, but y has ${cells}`,
      right: `${kind} and a target of ${cells} values, one for each cell of y`,
    };
  }
  const { dy } = loss;
  if ('index' in dy) {
    const { kind, index } = dy;
    if (Number.isInteger(index) && index >= 0 && index < cells) return null;
    const many = cells.toLocaleString('en');
    return { wrong: `y has no cell ${index}`, right: `${kind} and the index of a cell of y, which has ${many} cells` };
  }
  if (!('data' in dy) || dy.shape.every((size, i) => size === y[i])) return null;
  const [of, to] = [dy.shape.join('.'), y.join('.')];
  return { wrong: `dy is ${of}, but y is ${to}`, right: `values for the cells of y, with the shape ${to}` };
}

function distributionFault(target: Float32Array, layout: Layout, y: Shape): Fault | null {
  const first = notDistributed(target, layout, y);
  if (!first) return null;
  const right = `a target of at least 0 with the sum 1 over the channels; at position ${first.position} it is ${numberText(first.sum)}`;
  return { wrong: `cross_entropy needs ${right}`, right: `cross_entropy and ${right}` };
}

/** The same for another output: cells keep their positions, new cells are 0. A cell that is gone becomes the nearest one. */
export function resizedLoss(loss: Loss, layout: Layout, from: Shape, toLayout: Layout, to: Shape): Loss {
  if (layout === toLayout && from.every((size, i) => size === to[i])) return loss;
  const [before, after] = [logicalOf('pixels', layout, from), logicalOf('pixels', toLayout, to)];
  const moved = (data: Float32Array): Float32Array => {
    const result = new Float32Array(shapeSize(to));
    copyCommon(data, before, result, after);
    return result;
  };
  if (loss.kind !== 'given') {
    const target = loss.target && moved(loss.target);
    // Positions without their distribution get class 0.
    if (target && isPerPosition(loss.kind)) notDistributed(target, toLayout, to, true);
    return { ...loss, target };
  }
  const { dy } = loss;
  if ('data' in dy) return painted(to, moved(dy.data));
  if (!('index' in dy)) return loss;
  return given(shapeSize(to) === 0 ? { kind: 'ones' } : { ...dy, index: nearestIndex(dy.index, before, after) });
}

/** The loss in a compute request. */
export function sentLoss(loss: Loss): SentLoss {
  if (loss.kind !== 'given') return loss;
  const { dy } = loss;
  return { kind: 'given', dy: 'index' in dy ? { kind: 'one_hot', index: dy.index } : dy };
}
