import type { Focus } from '../geometry/focus';
import type { Cell, Hidden } from '../protocol/cell';

/** What the page shows of a problem, as plain data: the same in links, tests and the store. */

/** The views, in the order of their tabs. */
export const MODES = ['board', 'geometry', 'dx', 'dw', 'lowering', 'matrix', 'dy', 'gradient-check', 'learn'] as const;
export type ModeId = (typeof MODES)[number];

export const SIDES = ['explain', 'algorithms', 'lesson', 'code'] as const;
/** A tab of the side panel. */
export type SideId = (typeof SIDES)[number];

/** Options of a mode by name. Views validate them: they may come from a link. */
export type ViewState = Readonly<Record<string, string | number | boolean>>;

export const NOTHING_CHOSEN: ViewState = {};

/**
 * All fields and their defaults. Their form in links: link/look-fields.ts. A default never changes: the meaning of links would
 * change.
 */
export const DEFAULT_LOOK = {
  mode: 'board' as ModeId,
  /** By mode; modes with default options are missing. */
  settings: {} as Readonly<Partial<Record<ModeId, ViewState>>>,
  /** The pinned cell, which stays explained. */
  pinned: null as Cell | null,
  focus: { n: 0, c: 0, k: 0 } as Focus,
  /** The color scale; null: chosen by the values. */
  transfer: null as 'linear' | 'root' | null,
  side: 'explain' as SideId,
  /**
   * What the tab Code shows, as in numpy.dw.y: a language, a result, and the result of the view at the time of the
   * choice.
   */
  code: null as string | null,
  /** The open lesson and its step, counted from 1: "padding.2". The name may be unknown to this version of the page. */
  lesson: null as string | null,
  /** Answers of an exercise set (app/exercise/answers.ts). */
  answers: null as string | null,
  /** Lecture view: the text of the step or the stage, full screen; null: the lesson is beside the stage. */
  lecture: null as 'words' | 'stage' | null,
  /** Setup of the open race (app/race/setup.ts); null: no race is open. */
  race: null as string | null,
  /** Times of another device (app/race/record-text.ts), to compare with. */
  times: null as string | null,
  /** Link of the second problem of a comparison; '' before it is chosen; null: no comparison. */
  with: null as string | null,
  controls: 'open' as 'open' | 'folded',
  masked: [] as readonly Hidden[],
  /** Locked parts and hidden parts of the page, by name (parts.ts). */
  locked: [] as readonly string[],
  absent: [] as readonly string[],
};

export type Look = Readonly<typeof DEFAULT_LOOK>;
