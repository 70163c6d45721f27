import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { LookStore } from '../look/look-store';
import type { Work } from '../protocol/shapes';
import { device, inputOf, type Problem } from '../state/problem';
import type { Store } from '../state/store';
import type { KnownInputs, LinkContent, MissingInput, ParsedLink } from './field';
import { readLink } from './read-link';
import type { Link, writeLink } from './write-link';

/** Delay in ms after the last change before the address is written; browsers allow about 3 writes a second. */
const WRITE_PAUSE = 400;

type LinkKind = 'link' | 'example';

interface FaultyLink {
  /** Without the "#". */
  readonly hash: string;
  readonly kind: LinkKind;
  /** A part of the page failed to load: the same link can be tried again. */
  readonly unread: boolean;
  /** The cost, if it needs a confirmation. */
  readonly costs: Work | null;
  readonly knownInputs: KnownInputs;
}

export type Address = ReturnType<typeof createAddress>;

/**
 * Keeps the address in sync with store and look: changes are written to the hash, a hash that the user opens or types
 * is read. A mode, an example, a lesson step and a link each add an entry to the browser's history. Other changes
 * replace the current entry: edits have undo. `opened`: the link that store and look were created from.
 */
export function createAddress(store: Store, look: LookStore, opened: ParsedLink, page: Window) {
  const addressed = () => page.location.hash.slice(1);
  /** A document of a frame's srcdoc would complete a mere "#" with the address of the page around it, and must not open that. */
  const addressOf = (hash: string) => new URL(`#${hash}`, page.location.href);
  /** The address as it was last read or written. */
  let written = addressed();
  const complaints = signal(opened.complaints);
  const faulty = signal(faultyOf(opened, written, 'link'));
  const gaps = signal(gapsOf(opened));
  const reading = signal(0);
  const seen = (): LinkContent => ({ problem: store.problem.peek(), look: look.written.peek() });
  /**
   * The state shown while the address has a fault, or more values than the page would write. Such an address is not
   * overwritten: it stays until the state changes, and is then the previous history entry.
   */
  let beside = faulty.peek() || opened.packed ? seen() : null;
  let last = seen();
  /** The state before the mode or lesson changed, since the last write. */
  let left: LinkContent | null = null;
  let omits = false;
  /** States that their links do not hold in full, by address: for Back and Forward. */
  const states = new Map<string, LinkContent>();
  const remember = (hash: string, state: LinkContent) => {
    states.delete(hash);
    states.set(hash, state);
    for (const oldest of states.keys()) if (states.size > mostStates()) states.delete(oldest);
  };
  /** The `open` call that is reading the address. */
  let reader: object | null = null;
  let timer = 0;

  // The writer is not part of the first download.
  const write = async (): Promise<void> => {
    writeBy((await import('./write-link')).writeLink);
  };
  const writeBy = (writer: typeof writeLink): Link => {
    const link = writer(seen());
    page.clearTimeout(timer);
    if (mustWait(writer, link)) return link;
    if (link.hash !== written) {
      const { history } = page;
      const before = !beside && left && writer(left);
      if (before) {
        history.replaceState(history.state, '', addressOf(before.hash));
        if (left && before.omitted.length > 0) remember(before.hash, left);
      }
      if (beside || (before && before.hash !== link.hash)) history.pushState(null, '', addressOf(link.hash));
      else history.replaceState(history.state, '', addressOf(link.hash));
      written = addressed();
    }
    omits = link.omitted.length > 0;
    beside = null;
    left = null;
    return link;
  };
  /** A new address before its event, an address that is being read, or one that has a fault. */
  const mustWait = (writer: typeof writeLink, link: Link) =>
    reader !== null ||
    addressed() !== written ||
    (beside?.problem === store.problem.peek() && writer(beside).hash === link.hash);
  /** The problem that the address opened; the library may still reject it. */
  let opens = opened.problem;
  const stopRefused = effect(() => {
    if (store.draft.value?.refused === opens) beside = seen();
  });
  const stopWriting = effect(() => {
    const now = { problem: store.problem.value, look: look.written.value };
    if (!isSameChoice(now, last)) left ??= last;
    last = now;
    page.clearTimeout(timer);
    // If the writer fails to load, the next change tries again.
    timer = page.setTimeout(() => void write().catch(() => undefined), WRITE_PAUSE);
  });

  /**
   * Opens a link as one edit; of two links opened at once, the later one. A link replaces the whole look, an example
   * only what it sets. False if another link was opened in the meantime, or if the link has a fault: nothing changes
   * then. `anyway`: without a limit on the cost.
   */
  const open = async (
    hash: string,
    kind: LinkKind = 'link',
    anyway = false,
    knownInputs: KnownInputs = {},
  ): Promise<boolean> => {
    const later = store.begin();
    const bare = hash.replace(/^#/, '');
    if (bare === written) reader = later;
    reading.value += 1;
    const found = states.get(bare);
    const parsed = { ...(await readLink(bare, anyway, knownInputs)), ...(found && { ...found, missing: [] }) };
    reading.value -= 1;
    const overtaken = later();
    if (reader === later) reader = null;
    if (overtaken) {
      if (overtaken === 'edited') complain({ ...parsed, fault: 'unread', complaints: [OVERTAKEN] }, bare, kind);
      // The newer change is kept, in the address too.
      if (bare === written) beside = null;
      await write().catch(() => undefined);
      return false;
    }
    if (parsed.fault) {
      complain(parsed, bare, kind);
      return false;
    }
    const before = left ?? last;
    const looks = kind === 'link' || Object.keys(parsed.lookChanges).length > 0;
    batch(() => {
      opens = parsed.problem;
      store.open(parsed.problem, looks ? 'everything' : 'sizes');
      const { locked, hiddenParts } = look.written.peek();
      // Examples and lesson steps keep the locked and hidden parts of the page.
      const next = bare === written ? parsed.look : { ...parsed.look, locked, hiddenParts };
      if (looks) look.open(kind === 'link' ? next : { ...look.written.peek(), ...parsed.lookChanges });
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
      // Only the link in the address affects the address; an example does not.
      if (hash === written) beside = faulty.value || parsed.packed ? seen() : null;
    });
  const onHash = () => {
    const hash = addressed();
    if (hash === written) return;
    if (omits) remember(written, seen());
    written = hash;
    void open(hash);
  };
  page.addEventListener('hashchange', onHash);

  return {
    /** Errors and warnings of the last link, and that link. */
    complaints: complaints as ReadonlySignal<readonly string[]>,
    faulty: faulty as ReadonlySignal<FaultyLink | null>,
    /** How many links are being read; reading may load parts of the page. */
    reading: reading as ReadonlySignal<number>,
    /** Inputs that the last link names but does not contain, until they are replaced. */
    missing: computed(() =>
      gaps.value
        .filter(({ missing, inPlace }) => standIn(store.problem.value, missing) === inPlace)
        .map(({ missing }) => missing),
    ),
    dismiss(): void {
      complaints.value = [];
      faulty.value = null;
      gaps.value = [];
    },
    open,
    /** Opens a corrected link, or the link of a file, as if typed into the address bar. */
    goTo(hash: string, knownInputs: KnownInputs = {}): void {
      if (omits) remember(written, seen());
      page.history.pushState(null, '', addressOf(hash.replace(/^[^#]*#/, '')));
      written = addressed();
      void open(written, 'link', false, knownInputs);
    },
    seen,
    /** Writes `link`, of the current state, to the address. It stays until the state changes. */
    async show(link: Link): Promise<void> {
      await write();
      beside = null;
      writeBy(() => link);
      beside = seen();
    },
    /** Writes the address without delay and returns it: a browser may ignore the write while the page is unloading. */
    flush(writer: typeof writeLink): string {
      if (mustWait(writer, writer(seen()))) return addressed();
      return writeBy(writer).hash;
    },
    stop(): void {
      stopRefused();
      stopWriting();
      page.clearTimeout(timer);
      page.removeEventListener('hashchange', onHash);
    },
  };
}

/** An edited image of a megapixel is 12 MB. */
const mostStates = () => Math.max(2, device.memory);

const isSameChoice = ({ look: a }: LinkContent, { look: b }: LinkContent): boolean =>
  a.mode === b.mode && a.lesson === b.lesson;

const OVERTAKEN = 'The link was not opened: the page changed while the link was being read.';

const faultyOf = (
  { fault, costs, knownInputs, complaints }: ParsedLink,
  hash: string,
  kind: LinkKind,
): FaultyLink | null =>
  fault || complaints.length > 0 ? { hash, kind, unread: fault === 'unread', costs, knownInputs } : null;

interface Gap {
  readonly missing: MissingInput;
  readonly inPlace: unknown;
}

const gapsOf = ({ problem, missing }: ParsedLink): readonly Gap[] =>
  missing.map((entry) => ({ missing: entry, inPlace: standIn(problem, entry) }));

/** The stand-in for a missing input; edits and size changes keep the same object. */
const standIn = (problem: Problem, { input }: MissingInput): unknown =>
  input === 'dy' ? problem.loss : inputOf(problem, input)?.source;
