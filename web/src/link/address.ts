import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { LookStore } from '../look/look-store';
import type { Problem } from '../state/problem';
import type { Store } from '../state/store-types';
import type { Missing } from './field';
import type { ParsedLink } from './parse-link';
import { readLink } from './read-link';
import type { Link } from './write-link';

/** Pause after the last change before the address is written; browsers refuse more than about 3 writes a second. */
const WRITE_PAUSE = 400;

/**
 * The page's address, kept together with store and look: what changes is written to the hash (without a step in the
 * browser's history: undo is the store's), a hash that the user opens or types is read.
 */
export interface Address {
  /** What could not be understood of the last link. */
  readonly complaints: ReadonlySignal<readonly string[]>;
  /** What the last link named but could not carry, as long as nothing has taken its place. */
  readonly missing: ReadonlySignal<readonly Missing[]>;
  readonly dismiss: () => void;
  /**
   * Opens a link as one edit; of two that are opened at once the later one. An example leaves the look alone but for what
   * it says; a link of somebody else means the same to everybody. False when another was opened meanwhile.
   */
  readonly open: (hash: string, kind?: 'link' | 'example') => Promise<boolean>;
  /** The link of what one sees now, which the address then has as well. */
  readonly write: () => Promise<Link>;
  readonly stop: () => void;
}

/** `opened` is what store and look began with. */
export function createAddress(store: Store, look: LookStore, opened: ParsedLink, page: Window): Address {
  const complaints = signal(opened.complaints);
  const gaps = signal(gapsOf(opened));
  let written = page.location.hash.slice(1);
  let timer = 0;
  let turn = 0;

  const write = async (): Promise<Link> => {
    // Writing is no part of the first download either.
    const { writeLink } = await import('./write-link');
    const link = writeLink({ problem: store.problem.peek(), look: look.written.peek() });
    page.clearTimeout(timer);
    if (link.hash !== written) {
      written = link.hash;
      page.history.replaceState(page.history.state, '', `#${link.hash}`);
    }
    return link;
  };
  const stop = effect(() => {
    store.problem.value;
    look.written.value;
    page.clearTimeout(timer);
    // One that cannot be fetched is tried again with the next change; who asks for the link is told.
    timer = page.setTimeout(() => void write().catch(() => undefined), WRITE_PAUSE);
  });

  const open: Address['open'] = async (hash, kind = 'link') => {
    turn += 1;
    const mine = turn;
    const parsed = await readLink(hash);
    if (mine !== turn) return false;
    const looks = kind === 'link' || Object.keys(parsed.said).length > 0;
    batch(() => {
      store.open(parsed.problem, looks ? 'everything' : 'sizes');
      if (looks) look.open(kind === 'link' ? parsed.look : { ...look.written.peek(), ...parsed.said });
      if (parsed.suggested) look.suggest(parsed.suggested);
      complaints.value = parsed.complaints;
      gaps.value = gapsOf(parsed);
    });
    return true;
  };
  const onHash = () => {
    const hash = page.location.hash.slice(1);
    if (hash === written) return;
    written = hash;
    void open(hash);
  };
  page.addEventListener('hashchange', onHash);

  return {
    complaints,
    missing: computed(() =>
      gaps.value
        .filter(({ missing, inPlace }) => standIn(store.problem.value, missing) === inPlace)
        .map(({ missing }) => missing),
    ),
    dismiss() {
      complaints.value = [];
      gaps.value = [];
    },
    open,
    write,
    stop() {
      stop();
      page.clearTimeout(timer);
      page.removeEventListener('hashchange', onHash);
    },
  };
}

interface Gap {
  readonly missing: Missing;
  readonly inPlace: unknown;
}

const gapsOf = ({ problem, missing }: ParsedLink): readonly Gap[] =>
  missing.map((entry) => ({ missing: entry, inPlace: standIn(problem, entry) }));

/** What stands where something is missing; edits and other sizes leave it the same object. */
const standIn = (problem: Problem, { input }: Missing): unknown =>
  input === 'dy' ? problem.dy : problem[input]?.source;
