import type { ComponentType } from 'preact';
import { BackwardView } from './BackwardView';
import { ForwardView } from './ForwardView';
import type { ViewProps } from './scene';

export interface View {
  readonly id: string;
  readonly title: string;
  /** One sentence for somebody who sees it for the first time. */
  readonly sentence: string;
  readonly Component: ComponentType<ViewProps>;
}

/** THE LIST: the page shows these, in this order. */
export const VIEWS: readonly View[] = [
  {
    id: 'forward',
    title: 'Forward',
    sentence: 'Each cell of y is one window of x, multiplied by w cell by cell and added up.',
    Component: ForwardView,
  },
  {
    id: 'backward',
    title: 'Backward',
    sentence: 'dy says how the loss changes with each cell of y; x, w and b get their share of it.',
    Component: BackwardView,
  },
];
