import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type BoxRegion, type Focus, focusOn, gridOf, remapCell, validFocus } from '../geometry/grid';
import type { Links, linksOf } from '../geometry/links';
import type { Cell, Geometry } from '../protocol/problem';
import {
  BEFORE_HINTS,
  DEFAULT_LOOK,
  IN_EXERCISES,
  type Look,
  type LookSnapshot,
  MODES,
  type ModeId,
  NOTHING_CHOSEN,
  OPENS_WITH,
  type Touched,
  type ViewState,
} from './look';

export interface Highlights extends Links {
  readonly cell: Cell;
  readonly pinned: boolean;
  /** The page chose the cell, not the user. */
  readonly suggested?: boolean;
  /** Factors of the hovered term of its sum. */
  readonly term: readonly BoxRegion[];
}

/** A field with one signal; the options of the modes have one signal for each mode. */
type Field = Exclude<keyof Look, 'settings'>;
type Fields = { readonly [Name in Field]: Signal<Look[Name]> };

export type LookStore = ReturnType<typeof createLook>;

/**
 * State of the view: one signal for each field, so that a component renders only when a field that it reads changes.
 * The fields of Look are in links and in undo; the others are transient. `links` returns null until its code is loaded: nothing is
 * highlighted until then.
 */
export function createLook(links: () => typeof linksOf | null, start: Look = DEFAULT_LOOK) {
  const fields = signalsOf(start);
  const { pinned, focus: wanted } = fields;
  const settings = settingsOf(start);
  const hovered = signal<Cell | null>(null);
  const term = signal<readonly BoxRegion[]>([]);
  const shown = signal<Geometry | null>(null);
  const joined = signal(false);
  /** The geometry of `pinned` and `focus`; null: that of the next result. */
  const addressed = signal<Geometry | null>(null);
  /** `geometry`: that of the cell; null: that of the next result. */
  const suggested = signal<{ readonly cell: Cell; readonly geometry: Geometry | null } | null>(null);
  const playedIn = signal<ModeId | null>(null);
  const exercise = signal(false);
  const noHintYet = signal(false);
  let last: Geometry | null = null;

  const focus = computed(() => (shown.value ? inside(shown.value, wanted.value) : wanted.value));
  const current = computed(() => {
    const g = shown.value;
    if (hovered.value || pinned.value) return hovered.value ?? (addressed.value === g ? pinned.value : null);
    return suggested.value && suggested.value.geometry === g ? suggested.value.cell : null;
  });
  const linked = computed(() => {
    const g = shown.value;
    const cell = current.value;
    const find = g && cell && links();
    if (cell && noHintYet.value) return { cell, sources: [], targets: [] };
    return find ? { cell, ...find(g, cell, joined.value) } : null;
  });
  const written = computed((): Look => {
    const values = Object.fromEntries(FIELDS.map((name) => [name, fields[name].value])) as Omit<Look, 'settings'>;
    const chosen = MODES.map((mode) => [mode, settings[mode].value] as const);
    return {
      ...values,
      pinned: pinned.value && plain(pinned.value),
      settings: Object.fromEntries(chosen.filter(([, state]) => state !== NOTHING_CHOSEN)),
    };
  });

  const pin = (cell: Cell | null) =>
    batch(() => {
      pinned.value = cell;
      addressed.value = shown.value;
      suggested.value = null;
      playedIn.value = null;
      term.value = [];
    });

  const open = (look: Look, geometry: Geometry | null) =>
    batch(() => {
      for (const mode of MODES) settings[mode].value = look.settings[mode] ?? NOTHING_CHOSEN;
      for (const name of FIELDS) setField(fields, name, look);
      addressed.value = geometry;
      hovered.value = null;
      suggested.value = null;
      playedIn.value = null;
      term.value = [];
    });

  /** Sets the given options; '' resets an option to the default of the view. */
  const choose = (mode: ModeId, change: ViewState): void => {
    const next = Object.entries({ ...settings[mode].value, ...change }).filter(([, value]) => value !== '');
    settings[mode].value = next.length === 0 ? NOTHING_CHOSEN : Object.fromEntries(next);
  };

  /** Shows another layer, without the cells of the one before. */
  const showLayer = (layer: number | null): void => {
    if (fields.layer.peek() === layer) return;
    batch(() => {
      fields.layer.value = layer;
      hovered.value = null;
      pin(null);
    });
  };

  const partsOutsideLesson = signal<readonly string[]>([]);

  return {
    ...fields,
    pinned: pinned as ReadonlySignal<Cell | null>,
    exercise,
    /** An exercise asks for a cell, and no hint was taken: cells that belong together are not outlined. */
    noHintYet,
    /** Parts locked by the look, by the questions of a teacher about this problem, and by a running exercise. */
    locked: computed(() => {
      const asks = fields.questions.value.length > 0;
      if (!exercise.value && !asks) return fields.locked.value;
      const more = [...(noHintYet.value ? BEFORE_HINTS : []), ...(asks ? ['examples'] : [])];
      return [...new Set([...fields.locked.value, ...IN_EXERCISES, ...more])];
    }),
    /** Parts that a lesson does not speak of. */
    partsOutsideLesson,
    /** Parts hidden by the look, and by a lesson. */
    hiddenParts: computed(() => [...fields.hiddenParts.value, ...partsOutsideLesson.value]),
    /** Valid for the result on the page. */
    focus,
    settings: settings as Readonly<Record<ModeId, ReadonlySignal<ViewState>>>,
    setFocus(next: Focus): void {
      wanted.value = next;
    },
    choose,
    /** Shows a mode; the first time with the options that it opens with. */
    openMode(mode: ModeId): void {
      batch(() => {
        fields.mode.value = mode;
        const first = OPENS_WITH[mode];
        if (first && settings[mode].value === NOTHING_CHOSEN) settings[mode].value = first;
      });
    },
    written,
    /** Replaces all fields. A pinned cell applies to the next result, if it has such a cell. */
    open: (look: Look) => open(look, null),
    hovered: hovered as ReadonlySignal<Cell | null>,
    /** Regions that an explanation highlights. */
    term,
    /** What is open beside the stage of a narrow page. A wide one shows both. */
    sheet: signal<'controls' | 'side' | null>(null),
    /** The hovered cell, else the pinned one, else the suggested one. */
    current,
    highlights: computed(
      (): Highlights | null =>
        linked.value && {
          ...linked.value,
          pinned: isSame(current.value, pinned.value),
          suggested: !hovered.value && !pinned.value,
          term: term.value,
        },
    ),
    hover(cell: Cell | null): void {
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    unpin: () => pin(null),
    showLayer,
    /** Suggests a cell of a result (null: the next one), until the user pins or unpins a cell, uses a player or opens a link. */
    suggest(cell: Cell, geometry: Geometry | null = null): void {
      batch(() => {
        suggested.value = { cell, geometry };
        playedIn.value = null;
      });
    },
    /** Suggests another cell of the result, if one is suggested. */
    moveSuggestion(cell: Cell): void {
      if (suggested.peek()) suggested.value = { cell, geometry: shown.peek() };
    },
    /** The player of the mode was used, and no cell was pinned since. */
    played: computed(() => playedIn.value === fields.mode.value),
    /** The player was used: its step is explained instead of a suggested or pinned cell, until a cell is pinned. */
    play(): void {
      batch(() => {
        playedIn.value = fields.mode.value;
        suggested.value = null;
      });
    },
    togglePin: (cell: Cell) => pin(isSame(pinned.value, cell) ? null : cell),
    /** Moves the hovered cell, and the pinned one with it, if any. For the arrow keys. */
    move(cell: Cell): void {
      if (pinned.value) {
        pinned.value = cell;
        addressed.value = shown.value;
        playedIn.value = null;
      }
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    pinAndShow(cell: Cell): void {
      const g = shown.peek();
      if (!g) return;
      batch(() => {
        wanted.value = focusOn(g, cell, focus.value);
        hovered.value = null;
        pin(cell);
      });
    },
    /** Adapts to a new result, perhaps of other sizes; null: no result. `dyOfY`: dy is the gradient of a loss at y. */
    setGeometry(now: Geometry | null, dyOfY = false): void {
      batch(() => {
        shown.value = now;
        joined.value = dyOfY;
        if (!now) return;
        hovered.value = placed(hovered.peek(), last, now);
        pinned.value = placed(pinned.peek(), addressed.peek() ?? now, now);
        const hint = suggested.peek();
        const still = hint && placed(hint.cell, hint.geometry ?? now, now);
        suggested.value = still && { cell: still, geometry: now };
        wanted.value = inside(now, wanted.peek());
        if (now !== last) term.value = [];
        addressed.value = now;
        last = now;
      });
    },
    /** Takes and restores snapshots; the edit history has one for each step. */
    save(touched: Touched): LookSnapshot | null {
      const geometry = addressed.peek();
      if (touched === 'values') return null;
      if (touched === 'everything') return { kind: 'look', look: written.peek(), geometry };
      const common = { kind: 'spot', focus: wanted.peek(), geometry } as const;
      if (touched === 'sizes') return { ...common, pinned: pinned.peek(), yields: true };
      return { ...common, pinned: isSame(touched.cell, pinned.peek()) ? pinned.peek() : null, yields: false };
    },
    /** Restores a target; returns the target for the step in the other direction. */
    restore(target: LookSnapshot | null): LookSnapshot | null {
      if (!target) return null;
      if (target.kind === 'look') {
        const back: LookSnapshot = { kind: 'look', look: written.peek(), geometry: addressed.peek() };
        open(target.look, target.geometry);
        return back;
      }
      batch(() => {
        wanted.value = target.focus;
        if (!target.pinned || (target.yields && pinned.peek())) return;
        pinned.value = target.pinned;
        addressed.value = target.geometry;
        playedIn.value = null;
      });
      return target;
    },
  };
}

const FIELDS = Object.keys(DEFAULT_LOOK).filter((name) => name !== 'settings') as readonly Field[];

const signalsOf = (look: Look) =>
  Object.fromEntries(FIELDS.map((name): [Field, unknown] => [name, signal(look[name])])) as Fields;

function setField<Name extends Field>(fields: Fields, name: Name, look: Look): void {
  fields[name].value = look[name];
}

const settingsOf = ({ settings }: Look) =>
  Object.fromEntries(MODES.map((mode) => [mode, signal<ViewState>(settings[mode] ?? NOTHING_CHOSEN)])) as Readonly<
    Record<ModeId, Signal<ViewState>>
  >;

/** The focus clamped to the geometry; the same object if it is valid. */
function inside(g: Geometry, focus: Focus): Focus {
  const valid = validFocus(g, focus);
  return valid.n === focus.n && valid.c === focus.c && valid.k === focus.k ? focus : valid;
}

/** Without the value, which belongs to one result. */
const plain = ({ tensor, index }: Cell): Cell => ({ tensor, index });

/**
 * The cell at its position in another geometry, or null if it does not exist there; the same object if nothing changes.
 */
function placed(cell: Cell | null, from: Geometry | null, to: Geometry): Cell | null {
  if (!cell || !from) return null;
  if (cell.index >= gridOf(from, cell.tensor).cells) return null;
  const moved = from === to ? cell : remapCell(cell, from, to);
  if (!moved) return null;
  return isSame(moved, cell) && cell.value === undefined ? cell : plain(moved);
}

function isSame(a: Cell | null, b: Cell | null): boolean {
  return a !== null && b !== null && a.tensor === b.tensor && a.index === b.index;
}
