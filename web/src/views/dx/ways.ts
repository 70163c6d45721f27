import { WATCHED, type Watched } from '../kit/walk/processes';

/** A way to compute dx: `id` is the name of the algorithm that goes it. */
export interface Way {
  readonly id: string;
  readonly label: string;
  readonly idea: string;
  /** Where the way is a walk that can be watched. */
  readonly watched: Watched | null;
}

const watchedBy = (process: Watched['process']) => WATCHED.find((entry) => entry.process === process) ?? null;

const SCATTER = watchedBy('dx_scatter');
const GATHER = watchedBy('dx_gather');

/** THE LIST of ways. */
export const WAYS: readonly Way[] = [
  { id: 'scatter', label: 'scatter', idea: SCATTER?.idea ?? '', watched: SCATTER },
  { id: 'gather', label: 'gather', idea: GATHER?.idea ?? '', watched: GATHER },
  {
    id: 'full_conv',
    label: 'full convolution',
    idea: 'dx is itself a convolution: of dy, spread out and padded, with w turned by 180 degrees. Go through the stages.',
    watched: null,
  },
  {
    id: 'phase_split',
    label: 'phase split',
    idea: 'With a stride, most of the spread dy is zeros. Cells of dx that are a stride apart meet the same few taps of w, so each such grid is a small dense convolution of dy, with no zero in it.',
    watched: null,
  },
];
