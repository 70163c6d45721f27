import type { Focus } from '../geometry/grid';
import { type Cell, type Geometry, type Hidden, INPUTS } from '../protocol/problem';
import { SIZE_PARTS } from '../protocol/size-table';

/** What the page shows of a problem, as plain data: the same in links, tests and the store. */

/** The views, in the order of their tabs. */
export const MODES = [
  'board',
  'network',
  'geometry',
  'dx',
  'dw',
  'lowering',
  'matrix',
  'gradient-check',
  'learn',
] as const;
export type ModeId = (typeof MODES)[number];

export const SIDE_IDS = ['explain', 'algorithms', 'lesson', 'code'] as const;
/** A tab of the side panel. */
export type SideId = (typeof SIDE_IDS)[number];

/** A question of a teacher about the problem of a link. */
export interface TeacherQuestion {
  /** The cell with the asked value; null: it asks for something else. */
  readonly cell: Cell | null;
  /** Plain text; '' for the usual one. */
  readonly sentence: string;
  /** Without a cell: ["rows of y"], a size in counts.yaml; ["4"], a number; or "" and options, the right one with a star: ["", "*no", "yes"]. */
  readonly asks?: readonly string[];
}

/** Options of a mode by name. Views validate them: they may come from a link. */
export type ViewState = Readonly<Record<string, string | number | boolean>>;

export const NOTHING_CHOSEN: ViewState = {};

/** What the user finds in a mode on opening it. A link without these options keeps its meaning: the defaults of the view. */
export const OPENS_WITH: Readonly<Partial<Record<ModeId, ViewState>>> = { dw: { way: 'dilated_dy' } };

/**
 * All fields and their defaults. Their form in links: link/look-fields.ts. A default never changes: the meaning of links would
 * change.
 */
export const DEFAULT_LOOK = {
  mode: 'board' as ModeId,
  /** The layer that the views show, counted from 0; null: the first one with weights. Pinned and hovered cells are its cells. */
  layer: null as number | null,
  /** By mode; modes with default options are missing. */
  settings: {} as Readonly<Partial<Record<ModeId, ViewState>>>,
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
  /** Answers of an exercise set (app/lesson/exercise/work.ts). */
  answers: null as string | null,
  /** Homework (app/lesson/exercise/work.ts): name, numbers, time of hand-in, a digest of it, and questions of a teacher. */
  student: null as string | null,
  seed: null as string | null,
  date: null as string | null,
  digest: null as string | null,
  questions: [] as readonly TeacherQuestion[],
  /** Lecture view; null: the lesson is beside the stage. */
  lecture: null as 'words' | null,
  controls: 'open' as 'open' | 'folded',
  hiddenCells: [] as readonly Hidden[],
  /** Locked parts and hidden parts of the page, by name (below). */
  locked: [] as readonly string[],
  hiddenParts: [] as readonly string[],
};

export type Look = Readonly<typeof DEFAULT_LOOK>;

/**
 * The part of the look that undo and redo restore.
 *
 * An undo step is an edit of the problem. A change of the look alone (mode, slice, color scale) is not a step. As in a
 * text editor, undo returns to the position of the edit and leaves the rest of the look:
 *
 * | edit                                  | restores                                                      |
 * | a cell                                | the slice of the cell; the pin, if that cell was pinned       |
 * | sizes, an image                       | the slice, and the pinned cell unless another one is pinned   |
 * | all values of a tensor, the algorithm | nothing: the change is visible everywhere                     |
 * | a link, an example, starting over     | the whole look, which a link replaces                         |
 *
 * Undo also returns to the layer of the edit: the one that differs between the two problems. No step contains the shown layer.
 *
 * The edit of a cell does not restore the mode, so that you can compare two modes while you undo. It does not restore
 * the pin if another cell was edited, so that you can watch y while you undo. The hovered cell is never restored.
 */
export type LookSnapshot =
  | {
      readonly kind: 'spot';
      readonly focus: Focus;
      /** null: the pin does not change. */
      readonly pinned: Cell | null;
      /** Another pinned cell wins. */
      readonly yields: boolean;
      /** The geometry of `pinned` and `focus`. */
      readonly geometry: Geometry | null;
    }
  | { readonly kind: 'look'; readonly look: Look; readonly geometry: Geometry | null };

/** What an edit changes: one cell, the sizes, the values of a tensor, or everything. */
export type Touched = { readonly cell: Cell } | 'sizes' | 'values' | 'everything';

/** Parts of the page that a link can lock or hide. Their names are written in links. */

/** Values of a tensor: its cells and its source. */
const VALUES = ['values.x', 'values.w', 'values.b', 'values.dy'] as const;
/** Commands by id. "controls" is also the whole column; "hide" is also the command that reveals a value. */
const COMMANDS = ['lessons', 'examples', 'undo', 'redo', 'copy-link', 'export', 'hide', 'controls'] as const;

/** Parts that a running exercise locks: its question depends on them, or they would answer it. */
export const IN_EXERCISES: readonly string[] = [...SIZE_PARTS, ...INPUTS, 'undo', 'redo'];

const MODE_PARTS = MODES.map((mode) => `mode.${mode}` as const);
/** Views show which cells belong to a sum: locked until a hint is taken. */
export const BEFORE_HINTS: readonly string[] = MODE_PARTS;
const SIDE_PARTS = SIDE_IDS.map((side) => `side.${side}` as const);

export const LOCKABLE = [...MODE_PARTS, ...SIZE_PARTS, ...INPUTS, ...COMMANDS] as const;
/** Values are hidden by tensor or cell instead (look.hiddenCells). */
export const HIDEABLE = [...MODE_PARTS, ...SIDE_PARTS, ...SIZE_PARTS, ...VALUES, ...COMMANDS] as const;

export type Lockable = (typeof LOCKABLE)[number];
export type Hideable = (typeof HIDEABLE)[number];

export const isLockable = (name: string): name is Lockable => LOCKABLE.some((part) => part === name);
export const isHideable = (name: string): name is Hideable => HIDEABLE.some((part) => part === name);
