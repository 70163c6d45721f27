import { INPUT_KEYS, type KnownInput, type KnownInputs, type ParsedLink } from '../link/field';
import { readLink } from '../link/read-link';
import type { InputName } from '../protocol/problem';
import {
  numbersOfText,
  openDatabase,
  type PersistedPage,
  pagesIn,
  partOf,
  type TabState,
  takeTabState,
} from './browser-storage';

/** A link, completed with the inputs that this browser has stored. */
export interface RestoredPage {
  readonly opened: ParsedLink;
  /** Id of the stored record; null if there is none or if it belongs to another tab. */
  readonly id: string | null;
  readonly restored: readonly string[];
  readonly file: { readonly file: Blob; readonly reduced: unknown } | null;
}

/** Timeout in ms: the page opens even if IndexedDB does not answer. With ten times as much work as processors, 0.2 s were seen. */
const PATIENCE_MS = 5000;

/** Opens the address `hash`; after a reload, the state before it. Does not reject if storage is not available. */
export async function restorePage(hash: string): Promise<RestoredPage> {
  const bare = hash.replace('#', '');
  const mark = takeTabState();
  const marked = mark && isOf(mark, bare) ? mark : null;
  const newest = marked?.hash ?? bare;
  if (newest !== bare) history.replaceState(history.state, '', new URL(`#${newest}`, location.href));
  const found = await Promise.race([
    lookUp(newest, marked?.id ?? null).catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS)),
  ]);
  const late = Object.entries(marked?.late ?? {}).map(
    ([input, kept]) => [input, { data: numbersOfText(kept?.text ?? ''), edited: kept?.edited === true }] as const,
  );
  const knownInputs = { ...found?.knownInputs, ...Object.fromEntries(late) };
  const opened = await readLink(newest, false, knownInputs);
  const missing = opened.missing.map(({ input }) => String(input));
  const restored = Object.keys(knownInputs).filter((input) => !missing.includes(input));
  // The id of another tab is not reused: each tab has a record of its own.
  return { opened, id: marked?.id ?? null, restored: opened.fault ? [] : restored, file: found?.file ?? null };
}

/**
 * Back and Forward restore the state from each of its addresses; a followed link only from the last one. A reload is always of the
 * page that left the mark: the browser takes the address at its start, and until the next page comes the old one may write others.
 */
function isOf({ addresses, hash }: TabState, bare: string): boolean {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (arrival?.type === 'reload') return true;
  return (arrival?.type === 'back_forward' ? addresses : [hash]).includes(bare);
}

async function lookUp(hash: string, id: string | null) {
  const database = await openDatabase();
  try {
    const pages = await pagesIn(database);
    const page = pages.find((each) => each.id === id) ?? pages.find((each) => each.hash === hash);
    return page ? await fillOf(database, page, hash) : null;
  } finally {
    database.close();
  }
}

/** The text of an input in a link. Stored values are used only if it is the same. */
const textOf = (hash: string, input: string): string | undefined =>
  hash.split('&').find((part) => part.startsWith(`${INPUT_KEYS[input as InputName] ?? `layer.${input.slice(1)}`}=`));

async function fillOf(database: IDBDatabase, page: PersistedPage, hash: string) {
  const same = (input: string) => textOf(page.hash, input) === textOf(hash, input);
  const inputs = Object.entries(page.inputs).flatMap(([input, kept]) => (kept && same(input) ? [{ input, kept }] : []));
  const knownInputs = await Promise.all(
    inputs.map(async ({ input, kept: { key, edited } }) => {
      const data = await partOf(database, key);
      return data instanceof Float32Array ? [[input, { data, edited } satisfies KnownInput] as const] : [];
    }),
  );
  const file = page.file && same('x') ? await partOf(database, page.file.key) : null;
  return {
    knownInputs: Object.fromEntries(knownInputs.flat()) as KnownInputs,
    file: file instanceof Blob ? { file, reduced: page.file?.reduced } : null,
  };
}
