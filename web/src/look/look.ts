import type { Focus } from '../geometry/focus';
import type { Cell, Hidden } from '../protocol/cell';

/** All that one looks at and that can be written down: plain data, the same in a link, in a test and in the store. */

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

/** What a person chose in a mode: plain values by name. A view reads it with care, as if it came from a link. */
export type ViewState = Readonly<Record<string, string | number | boolean>>;

export const NOTHING_CHOSEN: ViewState = {};

export interface Look {
  readonly mode: ModeId;
  /** By mode; one in which nothing was chosen is missing. */
  readonly settings: Readonly<Partial<Record<ModeId, ViewState>>>;
  /** The cell that is kept explained. */
  readonly pinned: Cell | null;
  readonly focus: Focus;
  /** How values are spread over the colours; null: as suits them. */
  readonly transfer: 'linear' | 'root' | null;
  readonly side: SideId;
  /** What the tab Code shows, as in numpy.dw.y: a language, a result, and the one that the stage spoke of when it was chosen. */
  readonly code: string | null;
  /** The lesson that is open and its step, counted from 1: "padding.2". A name may be of another version of the page. */
  readonly lesson: string | null;
  /** What was answered in a set of exercises (app/exercise/answers.ts), for who is handed the link. */
  readonly answers: string | null;
  /** The lesson is shown on a projector: the words of its step, or the stage; null: it is read beside the stage. */
  readonly lecture: 'words' | 'stage' | null;
  /** What is raced on this device (app/race/setup.ts), while that room is open; null: it is not. */
  readonly race: string | null;
  /** What somebody else's device came to (app/race/record-text.ts), to compare with. */
  readonly times: string | null;
  /** The problem that stands beside this one, as a link; '' while none has been chosen; null: this one stands alone. */
  readonly with: string | null;
  readonly controls: 'open' | 'folded';
  readonly masked: readonly Hidden[];
  /** Parts of the page that cannot be changed, and parts that are not there, by their names (parts.ts). */
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
