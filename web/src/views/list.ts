import type { ModeId } from '../look/look';
import { boardView } from './board/BoardView';
import type { View } from './kit/view';

export interface ViewEntry {
  readonly id: ModeId;
  readonly title: string;
  readonly load: () => Promise<View>;
}

/** THE LIST: the modes of the page, in this order. All but the first are downloaded when somebody looks at them. */
export const VIEWS: readonly ViewEntry[] = [
  {
    id: 'board',
    title: 'Board',
    load: () => Promise.resolve(boardView),
  },
  {
    id: 'steps',
    title: 'Step by step',
    load: async () => (await import('./steps/StepsView')).stepsView,
  },
  {
    id: 'dx',
    title: 'dx',
    load: async () => (await import('./dx/DxView')).dxView,
  },
  {
    id: 'dw',
    title: 'dw and db',
    load: async () => (await import('./dw/DwView')).dwView,
  },
  {
    id: 'lowering',
    title: 'Lowering',
    load: async () => (await import('./lowering/LoweringView')).loweringView,
  },
  {
    id: 'matrix',
    title: 'Matrix C',
    load: async () => (await import('./matrix/MatrixView')).matrixView,
  },
  {
    id: 'dy',
    title: 'Paint dy',
    load: async () => (await import('./dy/DyView')).dyView,
  },
  {
    id: 'gradient-check',
    title: 'Gradient check',
    load: async () => (await import('./gradient-check/GradientCheckView')).gradientCheckView,
  },
  {
    id: 'geometry',
    title: 'Geometry',
    load: async () => (await import('./geometry/GeometryView')).geometryView,
  },
  {
    id: 'learn',
    title: 'Learn',
    load: async () => (await import('./learn/LearnView')).learnView,
  },
];
