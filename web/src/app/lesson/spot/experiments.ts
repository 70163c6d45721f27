import content from '../../../../content/experiments.yaml';
import type { ConvDesc, Pass } from '../../../protocol/problem';
import { resolvePadding } from '../../../protocol/shapes';
import { openOf, type Problem } from '../../../state/problem';
import type { Store } from '../../../state/store';

/** A change of the settings that exposes some of the bugs: an entry in web/content/experiments.yaml. */
interface Experiment {
  readonly label: string;
  readonly kind?: 'remainder' | 'bias';
  readonly on?: Partial<ConvDesc>;
  readonly off?: Partial<ConvDesc>;
}

/** `openings`: links, simplest first. */
export const { experiments, openings } = content as {
  readonly experiments: readonly Experiment[];
  readonly openings: readonly string[];
};

/** Rows and columns that no window reads. */
function remainderOf(desc: ConvDesc): { readonly rows: number; readonly cols: number } {
  const { top, bottom, left, right } = resolvePadding(desc);
  return {
    rows: (desc.h + top + bottom - (desc.kh - 1) * desc.dilation_h - 1) % desc.stride_h,
    cols: (desc.w + left + right - (desc.kw - 1) * desc.dilation_w - 1) % desc.stride_w,
  };
}

export function isOn({ kind, on = {} }: Experiment, problem: Problem): boolean {
  const { desc, b } = openOf(problem);
  if (kind === 'bias') return b !== null;
  if (kind === 'remainder') return Object.values(remainderOf(desc)).every((lines) => lines > 0);
  return JSON.stringify({ ...desc, ...on }) === JSON.stringify(desc);
}

export function turn({ kind, on = {}, off = {} }: Experiment, store: Store, toOn: boolean): void {
  if (kind === 'bias') {
    if (toOn) store.setSource('b', { kind: 'random', seed: 1 });
    else store.removeBias();
    return;
  }
  const { desc } = openOf(store.problem.peek());
  const { rows, cols } = remainderOf({ ...desc, ...on });
  const more = kind === 'remainder' && { h: desc.h + Number(rows === 0), w: desc.w + Number(cols === 0) };
  store.setDesc(toOn ? { ...on, ...more } : off);
}

/** The order in which an opening looks for a result that shows the bug, after the current one. */
const SHOWN_FIRST: readonly Pass[] = ['backward_data', 'forward', 'backward_weights', 'backward_bias'];

/** The pass that an opening shows: the current one if its result is wrong; null: no result is. */
export const passToShow = (current: Pass, isWrong: (pass: Pass) => boolean): Pass | null =>
  [current, ...SHOWN_FIRST].find(isWrong) ?? null;
