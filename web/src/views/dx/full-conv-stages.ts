import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Geometry, ProcessName, StageName } from '../../protocol/problem';
import { counted } from '../../ui/quantities';
import { type Needs, plainStage } from '../kit/answers';
import { chosenSteps } from '../kit/walk/chosen-steps';

/** A stage from dy to the full convolution. */
interface ConvStage {
  readonly id: string;
  readonly label: string;
  /** The upsampled dy that the stage draws; null: dy. */
  readonly upsampled: Extract<StageName, 'dy_upsampled' | 'dy_extended' | 'dy_inserted'> | null;
  readonly sentence: (g: Geometry) => string;
}

/** THE LIST of stages. The last one slides. */
export const CONV_STAGES: readonly ConvStage[] = [
  {
    id: 'dy',
    label: '1 dy',
    upsampled: null,
    sentence: (g) => `dy is ${g.oh} × ${g.ow}. dx must become ${g.h} × ${g.w}.`,
  },
  {
    id: 'zeros',
    label: '2 zeros between',
    upsampled: 'dy_upsampled',
    sentence: (g) =>
      g.stride_h === 1 && g.stride_w === 1
        ? 'Stride 1 skips no positions, so no zeros are inserted.'
        : `Stride ${g.stride_h} × ${g.stride_w} skipped positions, so zeros (hatched) are inserted between the cells of dy.`,
  },
  {
    id: 'remainder',
    label: '3 remainder',
    upsampled: 'dy_extended',
    sentence: (g) =>
      g.remainder_h === 0 && g.remainder_w === 0
        ? 'The last window ends at the edge, so there is no remainder to append.'
        : `The stride left ${counted(g.remainder_h, 'row')} and ${counted(g.remainder_w, 'column')} at the end unread. They are appended as zeros (“output padding”).`,
  },
  {
    id: 'padded',
    label: '4 padding',
    upsampled: 'dy_inserted',
    sentence: (g) =>
      `Padding (dots): kernel size − 1, so ${g.dilated_kh - 1} rows and ${g.dilated_kw - 1} columns on each side. Every overlap with dy is included.`,
  },
  {
    id: 'slide',
    label: '5 flip w, slide',
    upsampled: 'dy_inserted',
    sentence: () => 'w, flipped by 180°, slides over it with stride 1. Each position is one cell of dx.',
  },
];

export const SLIDE = 'slide';

export function chosenStage(g: Geometry, { stage, t, unturned }: ViewState) {
  return {
    stage: CONV_STAGES.find(({ id }) => id === stage) ?? CONV_STAGES.at(-1),
    // All steps at first: with w not flipped the wrong cells then show at once.
    steps: chosenSteps(t, stepCount(g, CORRECT)),
    // The common mistake.
    unflipped: unturned === true,
  };
}

export const CORRECT: ProcessName = 'dx_full_conv';
const WRONG: ProcessName = 'dx_full_conv_unflipped';

export function fullConvNeeds(g: Geometry, state: ViewState): Needs {
  const { stage, steps, unflipped: unturned } = chosenStage(g, state);
  const stages = [unturned ? 'w_exchanged' : 'w_flipped', ...(stage?.upsampled ? [stage.upsampled] : [])] as const;
  // The correct result too, by the same loops: a cell is wrong where the two differ.
  const processes = unturned ? [WRONG, CORRECT] : [CORRECT];
  return [
    ...stages.map((name) => plainStage(name)),
    ...processes.map((process) => ({ kind: 'partial', process, steps }) as const),
  ];
}
