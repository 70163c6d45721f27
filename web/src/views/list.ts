import type { ModeId } from '../look/look';
import { boardView } from './board/BoardView';
import type { View } from './kit/view';

export interface ViewEntry {
  readonly id: ModeId;
  readonly title: string;
  /** One sentence for somebody who sees it for the first time. */
  readonly sentence: string;
  readonly load: () => Promise<View>;
}

/** THE LIST: the modes of the page, in this order. All but the first are downloaded when somebody looks at them. */
export const VIEWS: readonly ViewEntry[] = [
  {
    id: 'board',
    title: 'Board',
    sentence: 'The whole of it: x and w make y, and what comes back through dy makes dx, dw and db.',
    load: () => Promise.resolve(boardView),
  },
  {
    id: 'steps',
    title: 'Step by step',
    sentence: 'Stop a pass after any number of steps. Every frame is what the algorithm has computed by then.',
    load: async () => (await import('./steps/StepsView')).stepsView,
  },
  {
    id: 'dx',
    title: 'dx',
    sentence: 'Four algorithms for one gradient. Each is run by itself and measured against the reference.',
    load: async () => (await import('./dx/DxView')).dxView,
  },
  {
    id: 'dw',
    title: 'dw and db',
    sentence: 'What each weight hears from dy, by three algorithms, and the bias. Each is run by itself and measured.',
    load: async () => (await import('./dw/DwView')).dwView,
  },
  {
    id: 'lowering',
    title: 'Lowering',
    sentence: 'Convolution as matrix products: x unrolled into x_col, three products, and the copies folded back.',
    load: async () => (await import('./lowering/LoweringView')).loweringView,
  },
  {
    id: 'dy',
    title: 'Paint dy',
    sentence: 'Choose what comes back from the loss, or draw it, and watch where it goes: into dx, and into dw.',
    load: async () => (await import('./dy/DyView')).dyView,
  },
  {
    id: 'gradient-check',
    title: 'Gradient check',
    sentence: 'Is the gradient right? Move one number a little, run the forward pass twice, and compare the slope.',
    load: async () => (await import('./gradient-check/GradientCheckView')).gradientCheckView,
  },
  {
    id: 'geometry',
    title: 'Geometry',
    sentence:
      'Sizes and what follows from them: which cells are read how often, what is left over, what else would fit.',
    load: async () => (await import('./geometry/GeometryView')).geometryView,
  },
];
