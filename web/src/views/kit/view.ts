import type { ComponentType } from 'preact';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import type { DySource } from '../../sources/dy-sources';
import type { Answers, Needs } from './answers';

/**
 * The picture's content, `state` and `answers` always belong together: until the answers for what is wanted are there, a
 * view is drawn once more with what it had. Controls show `wanted`, so that they follow the hand at once.
 */
export interface ViewProps {
  readonly state: ViewState;
  readonly answers: Answers;
  readonly wanted: ViewState;
  /** Changes the named values and keeps the others. */
  readonly onState: (change: ViewState) => void;
  /** Where dy comes from. Like `wanted`, it may be ahead of the picture. */
  readonly dySource: DySource;
}

/** A mode of the stage. All its parts stand in one picture. */
export interface View {
  /** For somebody who sees it for the first time. */
  readonly sentence: string;
  /** What it asks the library about the problem on the stage. */
  readonly needs: (geometry: Geometry, state: ViewState) => Needs;
  /** It draws what there is while other answers are missing; else it is drawn when all are there. */
  readonly fillsIn?: boolean;
  /** The panels, each at its place. */
  readonly Component: ComponentType<ViewProps>;
  /** What can be chosen, in a line above the panels. */
  readonly Settings?: ComponentType<ViewProps>;
  /** Stands at the stage's lower edge. */
  readonly Player?: ComponentType<ViewProps>;
  /** Words about what one sees, beside the stage while no cell is explained. */
  readonly About?: ComponentType<ViewProps>;
}
