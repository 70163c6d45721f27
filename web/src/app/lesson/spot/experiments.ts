import type { ConvDesc, Pass } from '../../../protocol/problem';
import { resolvePadding } from '../../../protocol/shapes';
import { openOf, type Problem } from '../../../state/problem';
import type { Store } from '../../../state/store';

/** A change of the settings that exposes some of the bugs. */
interface Experiment {
  readonly label: string;
  readonly isOn: (problem: Problem) => boolean;
  readonly set: (store: Store, on: boolean) => void;
}

const NO_PADDING = { top: 0, bottom: 0, left: 0, right: 0 };
const RING = { top: 1, bottom: 1, left: 1, right: 1 };

/** An experiment with sizes: it is on while the problem has all of `on`. */
function sizes(label: string, on: Partial<ConvDesc>, off: Partial<ConvDesc>): Experiment {
  return {
    label,
    isOn(problem) {
      const { desc } = openOf(problem);
      return Object.entries(on).every(
        ([name, value]) => JSON.stringify(desc[name as keyof ConvDesc]) === JSON.stringify(value),
      );
    },
    set: (store, isOn) => store.setDesc(isOn ? on : off),
  };
}

/** Rows and columns that no window reads. */
function remainderOf(desc: ConvDesc): { readonly rows: number; readonly cols: number } {
  const { top, bottom, left, right } = resolvePadding(desc);
  return {
    rows: (desc.h + top + bottom - (desc.kh - 1) * desc.dilation_h - 1) % desc.stride_h,
    cols: (desc.w + left + right - (desc.kw - 1) * desc.dilation_w - 1) % desc.stride_w,
  };
}

const REMAINDER: Experiment = {
  label: 'stride 2 with a remainder',
  isOn(problem) {
    const { rows, cols } = remainderOf(openOf(problem).desc);
    return rows > 0 && cols > 0;
  },
  set(store, isOn) {
    if (!isOn) {
      store.setDesc({ stride_h: 1, stride_w: 1 });
      return;
    }
    const { desc } = openOf(store.problem.peek());
    const strided = { ...desc, stride_h: 2, stride_w: 2, padding_mode: 'explicit_sides', padding: NO_PADDING } as const;
    const { rows, cols } = remainderOf(strided);
    store.setDesc({
      ...{ stride_h: 2, stride_w: 2, padding_mode: 'explicit_sides', padding: NO_PADDING },
      ...{ h: desc.h + (rows > 0 ? 0 : 1), w: desc.w + (cols > 0 ? 0 : 1) },
    });
  },
};

const BIAS: Experiment = {
  label: 'bias',
  isOn: (problem) => openOf(problem).b !== null,
  set: (store, isOn) => (isOn ? store.setSource('b', { kind: 'random', seed: 1 }) : store.removeBias()),
};

/** The experiments: each bug that the values alone do not show appears with one of them. */
export const EXPERIMENTS: readonly Experiment[] = [
  sizes(
    'padding 1',
    { padding_mode: 'explicit_sides', padding: RING },
    { padding_mode: 'explicit_sides', padding: NO_PADDING },
  ),
  sizes('stride 2', { stride_h: 2, stride_w: 2 }, { stride_h: 1, stride_w: 1 }),
  sizes('stride 2 down, 1 across', { stride_h: 2, stride_w: 1 }, { stride_h: 1, stride_w: 1 }),
  REMAINDER,
  sizes('dilation 2', { dilation_h: 2, dilation_w: 2 }, { dilation_h: 1, dilation_w: 1 }),
  sizes('two images', { n: 2 }, { n: 1 }),
  sizes('two groups', { c: 2, k: 2, groups: 2 }, { c: 1, k: 1, groups: 1 }),
  BIAS,
];

/** Problems on which a bug opens that the current problem does not show, simplest first. The last one shows every bug. */
export const OPENINGS = [
  'h=5&kh=3&bias=random:3&x=random:1&weights=random:2&dy=random:4',
  'n=2&h=6&c=2&k=2&groups=2&kh=3&stride=2x1&dilation=2&padding=1&bias=random:3&x=random:1&weights=random:2&dy=random:4',
] as const;

/** The order in which an opening looks for a result that shows the bug, after the current one. */
const SHOWN_FIRST: readonly Pass[] = ['backward_data', 'forward', 'backward_weights', 'backward_bias'];

/** The pass that an opening shows: the current one if its result is wrong; null: no result is. */
export const passToShow = (current: Pass, isWrong: (pass: Pass) => boolean): Pass | null =>
  [current, ...SHOWN_FIRST].find(isWrong) ?? null;
