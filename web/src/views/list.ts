import type { ModeId } from '../look/look';
import { boardView } from './overview/OverviewView';
import type { View } from './shared/view-model';

export interface ViewEntry {
  readonly id: ModeId;
  readonly title: string;
  /** Views of a group follow one another. */
  readonly group?: 'Backward' | 'As matrices' | 'Train';
  /**
   * false: drawn from a result alone, so that it follows a drag at once. Answers arrive only after the last edit, and until then
   * a view that needs them shows its previous frame.
   */
  readonly usesAnswers?: false;
  readonly load: () => Promise<View>;
}

/** THE LIST: the views of the page, in this order. All but the first are downloaded on first use. */
export const VIEWS: readonly ViewEntry[] = [
  { id: 'board', title: 'Overview', usesAnswers: false, load: () => Promise.resolve(boardView) },
  {
    id: 'network',
    title: 'Network',
    usesAnswers: false,
    load: async () => (await import('./network/NetworkView')).networkView,
  },
  {
    id: 'geometry',
    title: 'Sizes and coverage',
    load: async () => (await import('./geometry/GeometryView')).geometryView,
  },
  { id: 'dx', title: 'dx', group: 'Backward', load: async () => (await import('./dx/DxView')).dxView },
  { id: 'dw', title: 'dw & db', group: 'Backward', load: async () => (await import('./dw/DwView')).dwView },
  {
    id: 'lowering',
    title: 'im2col',
    group: 'As matrices',
    load: async () => (await import('./im2col/Im2colView')).loweringView,
  },
  {
    id: 'matrix',
    title: 'Matrix',
    group: 'As matrices',
    load: async () => (await import('./matrix/MatrixView')).matrixView,
  },
  {
    id: 'gradient-check',
    title: 'Gradient check',
    group: 'Train',
    load: async () => (await import('./gradient-check/GradientCheckView')).gradientCheckView,
  },
  { id: 'learn', title: 'Learn', group: 'Train', load: async () => (await import('./learn/LearnView')).learnView },
];

/** Whether a view follows a drag at once (`usesAnswers`). */
export const followsDrags = (mode: ModeId): boolean =>
  VIEWS.some(({ id, usesAnswers }) => id === mode && usesAnswers === false);
