import { PROCESSES, type ProcessInfo } from '../kit/walk/processes';

/** An algorithm for dx, named `id`. */
export interface Algorithm {
  readonly id: string;
  readonly label: string;
  readonly idea: string;
  /** The step-by-step process of the algorithm; null: it has none. */
  readonly process: ProcessInfo | null;
}

const processNamed = (wanted: ProcessInfo['name']) => PROCESSES.find(({ name }) => name === wanted) ?? null;

const SCATTER = processNamed('dx_scatter');
const GATHER = processNamed('dx_gather');

/** THE LIST of algorithms. */
export const ALGORITHMS: readonly Algorithm[] = [
  { id: 'scatter', label: 'scatter', idea: SCATTER?.idea ?? '', process: SCATTER },
  { id: 'gather', label: 'gather', idea: GATHER?.idea ?? '', process: GATHER },
  {
    id: 'full_conv',
    label: 'full convolution',
    idea: 'dx is a convolution: the upsampled and padded dy with w flipped by 180°. Go through the stages.',
    process: null,
  },
  {
    id: 'phase_split',
    label: 'phase split',
    idea: 'With a stride, most of the upsampled dy is zeros. Cells of dx that are one stride apart use the same few weights. So each such grid is a small dense convolution of dy, without zeros.',
    process: null,
  },
];
