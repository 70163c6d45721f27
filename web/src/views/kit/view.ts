import type { ComponentChildren, ComponentType } from 'preact';
import type { ViewState } from '../../look/look';
import type { Content, Tensors } from '../../protocol/messages';
import type { Cell, Geometry, Pass, ResultName } from '../../protocol/problem';
import type { PartialAsk } from '../../protocol/questions';
import type { Answers, Needs } from './answers';

/**
 * `state` and `answers` always match: until the answers for `wanted` arrive, the view is drawn with the previous ones.
 * Controls show `wanted`, so that they respond at once.
 */
export interface ViewProps {
  readonly state: ViewState;
  readonly answers: Answers;
  readonly wanted: ViewState;
  /** Changes the given values and keeps the others. */
  readonly onState: (change: ViewState) => void;
}

/** A step of a player: the result of this many steps of a process. */
export type PlayerStep = PartialAsk;

/** What the questions of a view depend on. */
type Asking = Pick<Content, 'geometry' | 'fixed' | 'loss' | 'index' | 'layers'>;

/** A view of the page. All its parts share one view model. */
export interface View {
  /** The question that the view answers, at most 80 characters; always in sight. */
  readonly question: string;
  /** Describes the view in one or two sentences. */
  readonly sentence: string;
  /** The questions to the library about the current problem. */
  readonly needs: (content: Asking, state: ViewState) => Needs;
  /** Drawn with the answers that have arrived; otherwise drawn only when all have. */
  readonly showsPartialAnswers?: boolean;
  readonly Component: ComponentType<ViewProps>;
  readonly Settings?: ComponentType<ViewProps>;
  readonly Player?: ComponentType<ViewProps>;
  /** The formulas of the view are the sums of these tensors. */
  readonly sums?: readonly ResultName[];
  /** Formulas besides the sums. */
  readonly formulas?: (content: Content, state: ViewState) => readonly string[];
  /** The pass that the code panel shows when neither the player nor a cell has one; by default forward. */
  readonly pass?: Pass;
  /** The step of a player that asks the library nothing. */
  readonly stepOf?: (state: ViewState) => PlayerStep | null;
  /** Text in the side panel while no cell is explained. */
  readonly About?: ComponentType<ViewProps & AboutProps>;
}

/** A cell of a convolution of a network, with the tensors of that layer alone. */
export interface LayerSumProps {
  /** Counted from 0. */
  readonly layer: number;
  readonly geometry: Geometry;
  readonly tensors: Tensors;
  readonly cell: Cell;
  /** Another cell of the layer was chosen. */
  readonly onCell: (cell: Cell) => void;
}

export interface AboutProps {
  /** The sum behind such a cell, with its numbers. */
  readonly renderSum?: (sum: LayerSumProps) => ComponentChildren;
}
