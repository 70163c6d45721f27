import content from '../../../../content/experiments.yaml';
import type { ConvDesc, Pass } from '../../../protocol/problem';
import { resolvePadding } from '../../../protocol/shapes';
import type { ShownLayer } from '../../../state/problem';
import type { Store } from '../../../state/store';

/** A change of the settings that exposes some of the bugs: an entry in web/content/experiments.yaml. */
interface Experiment {
  readonly label: string;
  readonly kind?: 'remainder' | 'bias';
  readonly on?: Partial<ConvDesc>;
  readonly off?: Partial<ConvDesc>;
}

type Layer = Pick<ShownLayer, 'desc' | 'b'>;

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

export function isOn({ kind, on = {} }: Experiment, { desc, b }: Layer): boolean {
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
  const { desc } = store.layer.peek();
  const { rows, cols } = remainderOf({ ...desc, ...on });
  const more = kind === 'remainder' && { h: desc.h + Number(rows === 0), w: desc.w + Number(cols === 0) };
  store.setDesc(toOn ? { ...on, ...more } : off);
}

/** The experiment after the last one that is on. */
export const nextOf = (layer: Layer): Experiment => {
  const [first = { label: '' }] = experiments;
  return experiments[experiments.findLastIndex((each) => isOn(each, layer)) + 1] ?? first;
};

/** Turns one experiment on and all others off. */
export function turnOnly(experiment: Experiment, store: Store): void {
  for (const each of experiments) if (isOn(each, store.layer.peek())) turn(each, store, false);
  turn(experiment, store, true);
}

/** At most one setting is on: what it changes is then seen alone. A remainder goes with a stride. */
export const isSimple = (layer: Layer): boolean =>
  experiments.filter((each) => each.kind !== 'remainder' && isOn(each, layer)).length <= 1;

/** The order in which an opening looks for a result that shows the bug, after the current one. */
const SHOWN_FIRST: readonly Pass[] = ['backward_data', 'forward', 'backward_weights', 'backward_bias'];

/** The pass that an opening shows: the current one if its result is wrong; null: no result is. */
export const passToShow = (current: Pass, isWrong: (pass: Pass) => boolean): Pass | null =>
  [current, ...SHOWN_FIRST].find(isWrong) ?? null;
