import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Focus, focusOn, validFocus } from '../geometry/focus';
import { gridOf, remapCell } from '../geometry/grid';
import type { Links } from '../geometry/links';
import type { BoxRegion } from '../geometry/region';
import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import { DEFAULT_LOOK, type Look, MODES, type ModeId, NOTHING_CHOSEN, type ViewState } from './look';
import { IN_EXERCISES } from './parts';
import type { LookSnapshot, LookSnapshots, Touched } from './snapshot';

/** The current cell and all cells linked to it. */
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

/**
 * State of the view: one signal for each field, so that a component renders only when a field that it reads changes.
 * The fields of Look are in links and in undo; the others are transient.
 */
export interface LookStore extends LookSnapshots, Omit<Fields, 'pinned' | 'focus' | 'locked'> {
  readonly pinned: ReadonlySignal<Cell | null>;
  /** Valid for the result on the page. */
  readonly focus: ReadonlySignal<Focus>;
  /** Parts locked by the look, and by a running exercise. */
  readonly locked: ReadonlySignal<Look['locked']>;
  /** An exercise is open. */
  readonly exercise: Signal<boolean>;
  /** Options of each mode. */
  readonly settings: Readonly<Record<ModeId, ReadonlySignal<ViewState>>>;
  /** Sets the given options; '' resets an option to the default of the view. */
  readonly choose: (mode: ModeId, change: ViewState) => void;
  readonly setFocus: (focus: Focus) => void;
  /** All fields of Look. */
  readonly written: ReadonlySignal<Look>;
  /** Replaces all fields. A pinned cell applies to the next result, if it has such a cell. */
  readonly open: (look: Look) => void;

  readonly hovered: ReadonlySignal<Cell | null>;
  /** Regions that an explanation highlights. */
  readonly term: Signal<readonly BoxRegion[]>;
  readonly playing: Signal<boolean>;
  /** Height of the bottom sheet on a narrow page; always 'peek' on a wide one. */
  readonly sheet: Signal<'peek' | 'half' | 'full'>;
  /** The sheet shows the controls instead of the side panel. */
  readonly controlling: Signal<boolean>;

  /** The hovered cell, else the pinned one, else the suggested one. */
  readonly current: ReadonlySignal<Cell | null>;
  readonly highlights: ReadonlySignal<Highlights | null>;
  /** Sets the hovered cell. */
  readonly hover: (cell: Cell | null) => void;
  readonly unpin: () => void;
  /**
   * Suggests a cell of a result (null: the next one), until the user pins or unpins a cell, uses a player or opens a link.
   */
  readonly suggest: (cell: Cell, geometry?: Geometry | null) => void;
  /** Suggests another cell of the result, if one is suggested. */
  readonly moveSuggestion: (cell: Cell) => void;
  /** The player of the mode was used, and no cell was pinned since. */
  readonly played: ReadonlySignal<boolean>;
  /** The player was used: its step is explained instead of a suggested or pinned cell, until a cell is pinned. */
  readonly play: () => void;
  /** Pins the cell, or unpins it if it is pinned. */
  readonly togglePin: (cell: Cell) => void;
  /** Moves the hovered cell, and the pinned one with it, if any. For the arrow keys. */
  readonly move: (cell: Cell) => void;
  /** Pins a cell and shows its slice. */
  readonly pinAndShow: (cell: Cell) => void;
  /** Adapts to a new result, perhaps of other sizes; null: no result. `dyOfY`: dy is the gradient of a loss at y. */
  readonly setGeometry: (geometry: Geometry | null, dyOfY?: boolean) => void;
}

type LinksOf = (g: Geometry, cell: Cell, dyOfY: boolean) => Links;

/** `links` returns null until its code is loaded: nothing is highlighted until then. */
export function createLook(links: () => LinksOf | null, start: Look = DEFAULT_LOOK): LookStore {
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
  /** The mode of the player that was used last. */
  const playedIn = signal<ModeId | null>(null);
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
    const linksOf = g && cell && links();
    return linksOf ? { cell, ...linksOf(g, cell, joined.value) } : null;
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

  const exercise = signal(false);

  return {
    ...fields,
    exercise,
    locked: computed(() =>
      exercise.value ? [...new Set([...fields.locked.value, ...IN_EXERCISES])] : fields.locked.value,
    ),
    focus,
    settings,
    setFocus(next) {
      wanted.value = next;
    },
    choose(mode, change) {
      const next = Object.entries({ ...settings[mode].value, ...change }).filter(([, value]) => value !== '');
      settings[mode].value = next.length === 0 ? NOTHING_CHOSEN : Object.fromEntries(next);
    },
    written,
    open: (look) => open(look, null),
    hovered,
    term,
    playing: signal(false),
    sheet: signal('peek'),
    controlling: signal(false),
    current,
    highlights: computed(
      () =>
        linked.value && {
          ...linked.value,
          pinned: isSame(current.value, pinned.value),
          suggested: !hovered.value && !pinned.value,
          term: term.value,
        },
    ),
    hover(cell) {
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    unpin: () => pin(null),
    suggest(cell, geometry = null) {
      batch(() => {
        suggested.value = { cell, geometry };
        playedIn.value = null;
      });
    },
    moveSuggestion(cell) {
      if (suggested.peek()) suggested.value = { cell, geometry: shown.peek() };
    },
    played: computed(() => playedIn.value === fields.mode.value),
    play() {
      batch(() => {
        playedIn.value = fields.mode.value;
        suggested.value = null;
      });
    },
    togglePin: (cell) => pin(isSame(pinned.value, cell) ? null : cell),
    move(cell) {
      if (pinned.value) {
        pinned.value = cell;
        addressed.value = shown.value;
        playedIn.value = null;
      }
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    pinAndShow(cell) {
      const g = shown.peek();
      if (!g) return;
      batch(() => {
        wanted.value = focusOn(g, cell, focus.value);
        hovered.value = null;
        pin(cell);
      });
    },
    setGeometry(now, dyOfY = false) {
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
    save(touched: Touched): LookSnapshot | null {
      const geometry = addressed.peek();
      if (touched === 'values') return null;
      if (touched === 'everything') return { kind: 'look', look: written.peek(), geometry };
      const common = { kind: 'spot', focus: wanted.peek(), geometry } as const;
      if (touched === 'sizes') return { ...common, pinned: pinned.peek(), yields: true };
      return { ...common, pinned: isSame(touched.cell, pinned.peek()) ? pinned.peek() : null, yields: false };
    },
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
