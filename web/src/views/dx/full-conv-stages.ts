import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Geometry, ProcessName, StageName } from '../../protocol/problem';
import { type Needs, plainStage } from '../kit/answers';

/** What dy looks like at each stage on the way to the full convolution. */
export interface ConvStage {
  readonly id: string;
  readonly label: string;
  /** null: dy itself. */
  readonly spread: Extract<StageName, 'dy_spread' | 'dy_extended' | 'dy_inserted'> | null;
  readonly sentence: (g: Geometry) => string;
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** THE LIST of stages. The last one slides. */
export const CONV_STAGES: readonly ConvStage[] = [
  {
    id: 'dy',
    label: '1 dy',
    spread: null,
    sentence: (g) => `dy as it arrives: ${g.oh} × ${g.ow}. dx must become ${g.h} × ${g.w}.`,
  },
  {
    id: 'zeros',
    label: '2 zeros between',
    spread: 'dy_spread',
    sentence: (g) =>
      g.stride_h === 1 && g.stride_w === 1
        ? 'Stride 1 skipped nothing, so nothing goes between the cells.'
        : `The stride ${g.stride_h} × ${g.stride_w} jumped over positions: their zeros (hatched) go back between the cells.`,
  },
  {
    id: 'remainder',
    label: '3 remainder',
    spread: 'dy_extended',
    sentence: (g) =>
      g.remainder_h === 0 && g.remainder_w === 0
        ? 'The last window ends at the edge: no remainder to append.'
        : `The stride left ${many(g.remainder_h, 'row')} and ${many(g.remainder_w, 'column')} unread at the end: appended as zeros (“output padding”).`,
  },
  {
    id: 'padded',
    label: '4 padding',
    spread: 'dy_inserted',
    sentence: (g) =>
      `Padded (dots) with ${g.dilated_kh - 1} rows and ${g.dilated_kw - 1} columns on each side, the size of the kernel less one, so that every overlap with dy counts.`,
  },
  {
    id: 'slide',
    label: '5 turn w, slide',
    spread: 'dy_inserted',
    sentence: () => 'w turned by 180 degrees slides over it with stride 1. Each stop is one cell of dx.',
  },
];

export const SLIDE = 'slide';

export interface ChosenStage {
  readonly stage: ConvStage | undefined;
  readonly steps: number;
  /** Without the turn: the common mistake. */
  readonly unturned: boolean;
}

export function chosenStage(g: Geometry, { stage, t, unturned }: ViewState): ChosenStage {
  const total = stepCount(g, 'dx_full_conv');
  return {
    stage: CONV_STAGES.find(({ id }) => id === stage) ?? CONV_STAGES.at(-1),
    // The whole of dx first: whoever skips the turn should see at once what that does.
    steps: typeof t === 'number' ? Math.max(0, Math.min(total, Math.round(t))) : total,
    unturned: unturned === true,
  };
}

export const RIGHT: ProcessName = 'dx_full_conv';
const WRONG: ProcessName = 'dx_full_conv_unturned';

export function fullConvNeeds(g: Geometry, state: ViewState): Needs {
  const { stage, steps, unturned } = chosenStage(g, state);
  const stages = [unturned ? 'w_exchanged' : 'w_turned', ...(stage?.spread ? [stage.spread] : [])] as const;
  // The right one too, by the same loops: a cell is wrong where the two are not the same.
  const processes = unturned ? [WRONG, RIGHT] : [RIGHT];
  return [
    ...stages.map((name) => plainStage(name)),
    ...processes.map((process) => ({ kind: 'partial', process, steps }) as const),
  ];
}
