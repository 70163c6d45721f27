import type { Focus } from '../geometry/focus';
import type { Cell, Hidden } from '../protocol/cell';

/** What the page shows of a problem, as plain data: the same in links, tests and the store. */

export const MODES = [
  'board',
  'steps',
  'dx',
  'dw',
  'lowering',
  'matrix',
  'dy',
  'gradient-check',
  'geometry',
  'learn',
] as const;
export type ModeId = (typeof MODES)[number];

export const SIDES = ['explain', 'algorithms', 'lesson', 'code'] as const;
/** A tab of the side panel. */
export type SideId = (typeof SIDES)[number];

/** Options of a mode by name. Views validate them: they may come from a link. */
export type ViewState = Readonly<Record<string, string | number | boolean>>;

export const NOTHING_CHOSEN: ViewState = {};

export interface Look {
  readonly mode: ModeId;
  /** By mode; modes with default options are missing. */
  readonly settings: Readonly<Partial<Record<ModeId, ViewState>>>;
  /** The pinned cell, which stays explained. */
  readonly pinned: Cell | null;
  readonly focus: Focus;
  /** The color scale; null: chosen by the values. */
  readonly transfer: 'linear' | 'root' | null;
  readonly side: SideId;
  /**
   * What the tab Code shows, as in numpy.dw.y: a language, a result, and the result of the view at the time of the
   * choice.
   */
  readonly code: string | null;
  /** The open lesson and its step, counted from 1: "padding.2". The name may be unknown to this version of the page. */
  readonly lesson: string | null;
  /** Answers of an exercise set (app/exercise/answers.ts). */
  readonly answers: string | null;
  /** Lecture view: the text of the step or the stage, full screen; null: the lesson is beside the stage. */
  readonly lecture: 'words' | 'stage' | null;
  /** Setup of the open race (app/race/setup.ts); null: no race is open. */
  readonly race: string | null;
  /** Times of another device (app/race/record-text.ts), to compare with. */
  readonly times: string | null;
  /** Link of the second problem of a comparison; '' before it is chosen; null: no comparison. */
  readonly with: string | null;
  readonly controls: 'open' | 'folded';
  readonly masked: readonly Hidden[];
  /** Locked parts and hidden parts of the page, by name (parts.ts). */
  readonly locked: readonly string[];
  readonly absent: readonly string[];
}

export const DEFAULT_LOOK: Look = {
  mode: 'board',
  settings: {},
  pinned: null,
  focus: { n: 0, c: 0, k: 0 },
  transfer: null,
  side: 'explain',
  code: null,
  lesson: null,
  answers: null,
  lecture: null,
  race: null,
  times: null,
  with: null,
  controls: 'open',
  masked: [],
  locked: [],
  absent: [],
};
