import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { LookStore } from '../look/look-store';
import type { Work } from '../protocol/work';
import type { Problem } from '../state/problem';
import type { Store } from '../state/store-types';
import type { Carried, Linked, Missing } from './field';
import type { ParsedLink } from './parse-link';
import { readLink } from './read-link';
import type { Link, writeLink } from './write-link';

/** Pause after the last change before the address is written; browsers refuse more than about 3 writes a second. */
const WRITE_PAUSE = 400;

/**
 * The page's address, kept together with store and look: what changes is written to the hash, a hash that the user opens or
 * types is read. Back and Forward lead from one chosen look to another, a mode, an example, a step of a lesson, a link: what is
 * changed in between stays in the same entry of the browser's history. For edits there is undo.
 */
export interface Address {
  /** What could not be understood of the last link. */
  readonly complaints: ReadonlySignal<readonly string[]>;
  /** The link that the complaints are about, to be corrected or tried again. */
  readonly faulty: ReadonlySignal<Faulty | null>;
  /** What the last link named but could not carry, as long as nothing has taken its place. */
  readonly missing: ReadonlySignal<readonly Missing[]>;
  /** How many links are being read; parts of the page may be fetched for that. */
  readonly reading: ReadonlySignal<number>;
  readonly dismiss: () => void;
  /**
   * Opens a link as one edit; of two that are opened at once the later one. An example leaves the look alone but for what
   * it says; a link of somebody else means the same to everybody. False when another was opened meanwhile, or it has a fault:
   * then everything stays as it is. `anyway`: whatever it takes to compute.
   */
  readonly open: (hash: string, kind?: LinkKind, anyway?: boolean, carried?: Carried) => Promise<boolean>;
  /** Goes to a link that somebody corrected, or that is of a file, as if it was typed into the address. */
  readonly goTo: (hash: string, carried?: Carried) => void;
  /** What a link is made of now. */
  readonly seen: () => Linked;
  /** Has a link of what is seen now in the address: it stays until something else is seen. */
  readonly show: (link: Link) => Promise<void>;
  /**
   * Has the address written at once, where it would be written soon. What it then is: a browser may not write it any more when
   * the page is about to go.
   */
  readonly flush: (writer: typeof writeLink) => string;
  readonly stop: () => void;
}

type LinkKind = 'link' | 'example';

export interface Faulty {
  /** Without the "#". */
  readonly hash: string;
  readonly kind: LinkKind;
  /** It could not be read for want of a part of the page: it may be tried again as it is. */
  readonly unread: boolean;
  /** What it takes to compute, which is more than is computed unasked. */
  readonly costs: Work | null;
  /** What the link leaves out, if it is known. */
  readonly carried: Carried;
}

/** `opened` is what store and look began with. */
export function createAddress(store: Store, look: LookStore, opened: ParsedLink, page: Window): Address {
  const addressed = () => page.location.hash.slice(1);
  /** The address as it was last read or written. */
  let written = addressed();
  const complaints = signal(opened.complaints);
  const faulty = signal(faultyOf(opened, written, 'link'));
  const gaps = signal(gapsOf(opened));
  const reading = signal(0);
  const seen = (): Linked => ({ problem: store.problem.peek(), look: look.written.peek() });
  /**
   * What was seen beside an address that has a fault, or more numbers than would be written. Such an address is not overwritten: it
   * stays until something else is seen, and is one step back then.
   */
  let beside = faulty.peek() || opened.packed ? seen() : null;
  let last = seen();
  /** What was seen when another look was chosen, since the address was written. */
  let left: Linked | null = null;
  let omits = false;
  /** By address, what links leave out: who comes back to one finds it. */
  const kept = new Map<string, Linked>();
  const keep = (hash: string, state: Linked) => {
    kept.delete(hash);
    kept.set(hash, state);
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
  };
  /** Who reads the address. */
  let reader: object | null = null;
  let timer = 0;

  // Writing is no part of the first download either.
  const write = async (): Promise<void> => {
    writeBy((await import('./write-link')).writeLink);
  };
  const writeBy = (writer: typeof writeLink): Link => {
    const link = writer(seen());
    page.clearTimeout(timer);
    if (isHeld(writer, link)) return link;
    if (link.hash !== written) {
      const { history } = page;
      const before = !beside && left && writer(left);
      if (before) {
        history.replaceState(history.state, '', `#${before.hash}`);
        if (left && before.omitted.length > 0) keep(before.hash, left);
      }
      if (beside || (before && before.hash !== link.hash)) history.pushState(null, '', `#${link.hash}`);
      else history.replaceState(history.state, '', `#${link.hash}`);
      written = addressed();
    }
    omits = link.omitted.length > 0;
    beside = null;
    left = null;
    return link;
  };
  /** Another address has come, and its event is about to; or it is read; or it has a fault. */
  const isHeld = (writer: typeof writeLink, link: Link) =>
    reader !== null ||
    addressed() !== written ||
    (beside?.problem === store.problem.peek() && writer(beside).hash === link.hash);
  /** What the address opened, which the library may yet refuse. */
  let opens = opened.problem;
  const stopRefused = effect(() => {
    if (store.draft.value?.refused === opens) beside = seen();
  });
  const stopWriting = effect(() => {
    const now = { problem: store.problem.value, look: look.written.value };
    if (!isSameChoice(now, last)) left ??= last;
    last = now;
    page.clearTimeout(timer);
    // One that cannot be fetched is tried again with the next change; who asks for the link is told.
    timer = page.setTimeout(() => void write().catch(() => undefined), WRITE_PAUSE);
  });

  const open: Address['open'] = async (hash, kind = 'link', anyway = false, carried = {}) => {
    const later = store.begin();
    const bare = hash.replace(/^#/, '');
    if (bare === written) reader = later;
    reading.value += 1;
    const found = kept.get(bare);
    const parsed = { ...(await readLink(bare, anyway, carried)), ...(found && { ...found, missing: [] }) };
    reading.value -= 1;
    const overtaken = later();
    if (reader === later) reader = null;
    if (overtaken) {
      if (overtaken === 'edited') complain({ ...parsed, fault: 'unread', complaints: [OVERTAKEN] }, bare, kind);
      // What was done stands, in the address too.
      if (bare === written) beside = null;
      await write().catch(() => undefined);
      return false;
    }
    if (parsed.fault) {
      complain(parsed, bare, kind);
      return false;
    }
    const before = left ?? last;
    const looks = kind === 'link' || Object.keys(parsed.said).length > 0;
    batch(() => {
      opens = parsed.problem;
      store.open(parsed.problem, looks ? 'everything' : 'sizes');
      const { locked, absent } = look.written.peek();
      // Who opens an example or the next step of a lesson is still on the page that somebody prepared.
      const next = bare === written ? parsed.look : { ...parsed.look, locked, absent };
      if (looks) look.open(kind === 'link' ? next : { ...look.written.peek(), ...parsed.said });
      if (parsed.suggested) look.suggest(parsed.suggested);
      complain(parsed, bare, kind);
      gaps.value = gapsOf(parsed);
    });
    left = bare === written ? null : before;
    return true;
  };
  const complain = (parsed: ParsedLink, hash: string, kind: LinkKind) =>
    batch(() => {
      complaints.value = parsed.complaints;
      faulty.value = faultyOf(parsed, hash, kind);
      // Others than the address, an example say, leave it where it is.
      if (hash === written) beside = faulty.value || parsed.packed ? seen() : null;
    });
  const onHash = () => {
    const hash = addressed();
    if (hash === written) return;
    if (omits) keep(written, seen());
    written = hash;
    void open(hash);
  };
  page.addEventListener('hashchange', onHash);

  return {
    complaints,
    faulty,
    reading,
    missing: computed(() =>
      gaps.value
        .filter(({ missing, inPlace }) => standIn(store.problem.value, missing) === inPlace)
        .map(({ missing }) => missing),
    ),
    dismiss() {
      complaints.value = [];
      faulty.value = null;
      gaps.value = [];
    },
    open,
    goTo(hash, carried = {}) {
      if (omits) keep(written, seen());
      page.history.pushState(null, '', `#${hash.replace(/^[^#]*#/, '')}`);
      written = addressed();
      void open(written, 'link', false, carried);
    },
    seen,
    async show(link) {
      await write();
      beside = null;
      writeBy(() => link);
      beside = seen();
    },
    flush(writer) {
      if (isHeld(writer, writer(seen()))) return addressed();
      return writeBy(writer).hash;
    },
    stop() {
      stopRefused();
      stopWriting();
      page.clearTimeout(timer);
      page.removeEventListener('hashchange', onHash);
    },
  };
}

/** Addresses whose numbers are kept; an edited picture of a megapixel is 12 MB. */
const MOST_KEPT = 8;

const isSameChoice = ({ look: a }: Linked, { look: b }: Linked): boolean =>
  a.mode === b.mode &&
  a.lesson === b.lesson &&
  (a.race === null) === (b.race === null) &&
  (a.with === null) === (b.with === null);

const OVERTAKEN = 'Not opened: something was changed while it was being read.';

const faultyOf = ({ fault, costs, carried, complaints }: ParsedLink, hash: string, kind: LinkKind): Faulty | null =>
  fault || complaints.length > 0 ? { hash, kind, unread: fault === 'unread', costs, carried } : null;

interface Gap {
  readonly missing: Missing;
  readonly inPlace: unknown;
}

const gapsOf = ({ problem, missing }: ParsedLink): readonly Gap[] =>
  missing.map((entry) => ({ missing: entry, inPlace: standIn(problem, entry) }));

/** What stands where something is missing; edits and other sizes leave it the same object. */
const standIn = (problem: Problem, { input }: Missing): unknown =>
  input === 'dy' ? problem.dy : problem[input]?.source;
