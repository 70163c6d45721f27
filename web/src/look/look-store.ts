import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Focus, focusOn, validFocus } from '../geometry/focus';
import { gridOf, remapCell } from '../geometry/grid';
import type { Links } from '../geometry/links';
import type { BoxRegion } from '../geometry/region';
import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import { DEFAULT_LOOK, type Look, MODES, type ModeId, NOTHING_CHOSEN, type ViewState } from './look';
import type { Place, Places, Touched } from './place';

/** The cell that is spoken of and everything joined to it. */
export interface Highlights extends Links {
  readonly cell: Cell;
  readonly pinned: boolean;
  /** Factors of the one term of its sum that is being pointed at. */
  readonly term: readonly BoxRegion[];
}

type Fields = Omit<Look, 'settings'>;

/**
 * The one store of how the page is looked at: a signal for each field, so that who reads one is not rendered when another
 * changes. The fields of Look can be linked and undone; the rest goes with the moment.
 */
export interface LookStore extends Places {
  readonly mode: Signal<ModeId>;
  readonly pinned: ReadonlySignal<Cell | null>;
  /** Always of the picture that is shown. */
  readonly focus: ReadonlySignal<Focus>;
  readonly transfer: Signal<Look['transfer']>;
  readonly side: Signal<Look['side']>;
  readonly code: Signal<Look['code']>;
  readonly lesson: Signal<Look['lesson']>;
  readonly answers: Signal<Look['answers']>;
  readonly lecture: Signal<Look['lecture']>;
  readonly race: Signal<Look['race']>;
  readonly times: Signal<Look['times']>;
  readonly with: Signal<Look['with']>;
  readonly controls: Signal<Look['controls']>;
  readonly masked: Signal<Look['masked']>;
  readonly locked: Signal<Look['locked']>;
  readonly absent: Signal<Look['absent']>;
  /** What was chosen in each mode. */
  readonly settings: Readonly<Record<ModeId, ReadonlySignal<ViewState>>>;
  /** Changes the named values and keeps the others; '' forgets one, so that the view chooses again. */
  readonly choose: (mode: ModeId, change: ViewState) => void;
  readonly setFocus: (focus: Focus) => void;
  /** Everything that can be written down. */
  readonly written: ReadonlySignal<Look>;
  /** Replaces all of it. A pinned cell is shown once the next picture is there, if that has such a cell. */
  readonly open: (look: Look) => void;

  readonly hovered: ReadonlySignal<Cell | null>;
  /** Parts of the picture that an explanation points at. */
  readonly term: Signal<readonly BoxRegion[]>;
  readonly playing: Signal<boolean>;
  /** Height of the sheet of a narrow page; always the lowest on a wide one. */
  readonly sheet: Signal<'peek' | 'half' | 'full'>;
  /** The sheet has the controls in it, instead of what stands beside the stage. */
  readonly controlling: Signal<boolean>;

  /** The hovered cell, else the pinned one, else the suggested one: a hovered one is a preview, a pinned one stays. */
  readonly current: ReadonlySignal<Cell | null>;
  readonly highlights: ReadonlySignal<Highlights | null>;
  /** A cell is pointed at, or none any more. */
  readonly hover: (cell: Cell | null) => void;
  readonly release: () => void;
  /** A cell to look at for as long as nobody has pinned one, released one or opened a link. Of the next picture. */
  readonly suggest: (cell: Cell) => void;
  /** A click: pins the cell, or releases it when it is the pinned one. */
  readonly toggle: (cell: Cell) => void;
  /** The keyboard goes to a cell: a pinned one comes along. */
  readonly move: (cell: Cell) => void;
  /** Pins a cell and has it in sight. */
  readonly visit: (cell: Cell) => void;
  /**
   * Another picture, of other numbers and perhaps other sizes, is shown; null: none. `dyOfY`: in it dy is the gradient of a
   * loss at y, else it is given.
   */
  readonly follow: (geometry: Geometry | null, dyOfY?: boolean) => void;
}

type LinksOf = (g: Geometry, cell: Cell, dyOfY: boolean) => Links;

/** `links` may come later: until then nothing is highlighted. */
export function createLook(links: () => LinksOf | null, start: Look = DEFAULT_LOOK): LookStore {
  const fields = signalsOf(start);
  const { pinned, focus: wanted } = fields;
  const settings = settingsOf(start);
  const hovered = signal<Cell | null>(null);
  const term = signal<readonly BoxRegion[]>([]);
  const shown = signal<Geometry | null>(null);
  const joined = signal(false);
  /** What `pinned` and `focus` address; null: the next picture's, whichever that is. */
  const addressed = signal<Geometry | null>(null);
  /** `geometry`: what the cell addresses; null: the next picture's. */
  const suggested = signal<{ readonly cell: Cell; readonly geometry: Geometry | null } | null>(null);
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
  const written = computed(
    (): Look => ({
      mode: fields.mode.value,
      settings: Object.fromEntries(
        MODES.map((mode) => [mode, settings[mode].value] as const).filter(([, state]) => state !== NOTHING_CHOSEN),
      ),
      pinned: pinned.value && plain(pinned.value),
      focus: wanted.value,
      transfer: fields.transfer.value,
      side: fields.side.value,
      code: fields.code.value,
      lesson: fields.lesson.value,
      answers: fields.answers.value,
      lecture: fields.lecture.value,
      race: fields.race.value,
      times: fields.times.value,
      with: fields.with.value,
      controls: fields.controls.value,
      masked: fields.masked.value,
      locked: fields.locked.value,
      absent: fields.absent.value,
    }),
  );

  const pin = (cell: Cell | null) =>
    batch(() => {
      pinned.value = cell;
      addressed.value = shown.value;
      suggested.value = null;
      term.value = [];
    });

  const open = (look: Look, geometry: Geometry | null) =>
    batch(() => {
      for (const mode of MODES) settings[mode].value = look.settings[mode] ?? NOTHING_CHOSEN;
      fields.mode.value = look.mode;
      pinned.value = look.pinned;
      wanted.value = look.focus;
      fields.transfer.value = look.transfer;
      fields.side.value = look.side;
      fields.code.value = look.code;
      fields.lesson.value = look.lesson;
      fields.answers.value = look.answers;
      fields.lecture.value = look.lecture;
      fields.race.value = look.race;
      fields.times.value = look.times;
      fields.with.value = look.with;
      fields.controls.value = look.controls;
      fields.masked.value = look.masked;
      fields.locked.value = look.locked;
      fields.absent.value = look.absent;
      addressed.value = geometry;
      hovered.value = null;
      suggested.value = null;
      term.value = [];
    });

  return {
    ...fields,
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
      () => linked.value && { ...linked.value, pinned: isSame(current.value, pinned.value), term: term.value },
    ),
    hover(cell) {
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    release: () => pin(null),
    suggest(cell) {
      suggested.value = { cell, geometry: null };
    },
    toggle: (cell) => pin(isSame(pinned.value, cell) ? null : cell),
    move(cell) {
      if (pinned.value) {
        pinned.value = cell;
        addressed.value = shown.value;
      }
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    visit(cell) {
      const g = shown.peek();
      if (!g) return;
      batch(() => {
        wanted.value = focusOn(g, cell, focus.value);
        hovered.value = null;
        pin(cell);
      });
    },
    follow(now, dyOfY = false) {
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
    here(touched: Touched): Place | null {
      const geometry = addressed.peek();
      if (touched === 'values') return null;
      if (touched === 'everything') return { kind: 'look', look: written.peek(), geometry };
      const common = { kind: 'spot', focus: wanted.peek(), geometry } as const;
      if (touched === 'sizes') return { ...common, pinned: pinned.peek(), yields: true };
      return { ...common, pinned: isSame(touched.cell, pinned.peek()) ? pinned.peek() : null, yields: false };
    },
    go(place: Place | null): Place | null {
      if (!place) return null;
      if (place.kind === 'look') {
        const back: Place = { kind: 'look', look: written.peek(), geometry: addressed.peek() };
        open(place.look, place.geometry);
        return back;
      }
      batch(() => {
        wanted.value = place.focus;
        if (!place.pinned || (place.yields && pinned.peek())) return;
        pinned.value = place.pinned;
        addressed.value = place.geometry;
      });
      return place;
    },
  };
}

function signalsOf(look: Look): { readonly [Name in keyof Fields]: Signal<Fields[Name]> } {
  return {
    mode: signal(look.mode),
    pinned: signal(look.pinned),
    focus: signal(look.focus),
    transfer: signal(look.transfer),
    side: signal(look.side),
    code: signal(look.code),
    lesson: signal(look.lesson),
    answers: signal(look.answers),
    lecture: signal(look.lecture),
    race: signal(look.race),
    times: signal(look.times),
    with: signal(look.with),
    controls: signal(look.controls),
    masked: signal(look.masked),
    locked: signal(look.locked),
    absent: signal(look.absent),
  };
}

const settingsOf = ({ settings }: Look) =>
  Object.fromEntries(MODES.map((mode) => [mode, signal<ViewState>(settings[mode] ?? NOTHING_CHOSEN)])) as Readonly<
    Record<ModeId, Signal<ViewState>>
  >;

/** The focus moved into the picture; the same object where it is inside. */
function inside(g: Geometry, focus: Focus): Focus {
  const valid = validFocus(g, focus);
  return valid.n === focus.n && valid.c === focus.c && valid.k === focus.k ? focus : valid;
}

/** Without its value: what a picture of a stage showed in a cell goes with the picture. */
const plain = ({ tensor, index }: Cell): Cell => ({ tensor, index });

/** The cell at its place in another picture, where it still exists; the same object where nothing changes. */
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
