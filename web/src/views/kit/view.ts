import type { ComponentType } from 'preact';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import type { DySource } from '../../sources/dy-sources';
import type { Answers, Needs } from './needs';
import type { Scene, SceneEvents } from './scene';

/**
 * `scene`, `state` and `answers` always belong together: until the answers for what is wanted are there, a view is
 * drawn once more with what it had. Controls show `wanted`, so that they follow the hand at once.
 */
export interface ViewProps {
  /** Without a layout: a view lays itself out for its own room. */
  readonly scene: Omit<Scene, 'layout'>;
  readonly state: ViewState;
  readonly answers: Answers;
  readonly wanted: ViewState;
  readonly events: SceneEvents;
  /** Changes the named values and keeps the others. */
  readonly onState: (change: ViewState) => void;
  /** Where dy comes from. Like `wanted`, it may be ahead of the scene. */
  readonly dySource: DySource;
  /** Room in CSS pixels. */
  readonly width: number;
}

/** A view that is loaded when somebody looks at it. */
export interface View {
  readonly needs: (geometry: Geometry, state: ViewState) => Needs;
  readonly Component: ComponentType<ViewProps>;
}
