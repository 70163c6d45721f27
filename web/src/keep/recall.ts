import type { Carried, CarriedInput } from '../link/field';
import type { ParsedLink } from '../link/parse-link';
import { readLink } from '../link/read-link';
import { type Kept, type KeptFile, openDatabase, pagesIn, partOf } from './database';
import { type Mark, numbersOfText, takeMark } from './mark';

/** What an address opens, with what this browser has kept of it. */
export interface Recalled {
  readonly opened: ParsedLink;
  /** Under which it is kept; null where it is not, or belongs to another tab. */
  readonly id: string | null;
  /** Inputs that came from there. */
  readonly restored: readonly string[];
  readonly file: { readonly file: Blob; readonly reduced: unknown } | null;
}

/** A store that does not answer must not keep the page from opening. */
const PATIENCE_MS = 2000;

/** What the address `hash` opens; what was there before a reload, where it is the same one. Never rejects for want of a store. */
export async function recall(hash: string): Promise<Recalled> {
  const bare = hash.replace('#', '');
  const mark = takeMark();
  const marked = mark && addressesOf(mark).includes(bare) ? mark : null;
  const newest = marked?.hash ?? bare;
  if (newest !== bare) history.replaceState(history.state, '', `#${newest}`);
  const found = await Promise.race([
    lookUp(newest, marked?.id ?? null).catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS)),
  ]);
  const late = Object.entries(marked?.late ?? {}).map(
    ([input, kept]) => [input, { data: numbersOfText(kept?.text ?? ''), edited: kept?.edited === true }] as const,
  );
  const carried = { ...found?.carried, ...Object.fromEntries(late) };
  const opened = await readLink(newest, false, carried);
  const missing = opened.missing.map(({ input }) => String(input));
  const restored = Object.keys(carried).filter((input) => !missing.includes(input));
  // Of a page that is open elsewhere a copy is made: each tab keeps its own.
  return { opened, id: marked?.id ?? null, restored: opened.fault ? [] : restored, file: found?.file ?? null };
}

/**
 * Who comes back finds what was there, under whatever address the page was left. Who follows a link means what the link says: only
 * that of what was there last is about it.
 */
function addressesOf({ addresses, hash }: Mark): readonly string[] {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return arrival?.type === 'reload' || arrival?.type === 'back_forward' ? addresses : [hash];
}

interface Found {
  readonly carried: Carried;
  readonly file: Recalled['file'];
}

async function lookUp(hash: string, id: string | null): Promise<Found | null> {
  const database = await openDatabase();
  try {
    const pages = await pagesIn(database);
    const page = pages.find((each) => each.id === id) ?? pages.find((each) => each.hash === hash);
    return page ? await fillOf(database, page, hash) : null;
  } finally {
    database.close();
  }
}

/** In a link. */
const KEYS: Readonly<Record<string, string>> = { x: 'x', w: 'weights', b: 'bias', dy: 'dy' };

/** How a link speaks of an input: of another one nothing is taken. */
const textOf = (hash: string, input: string): string | undefined =>
  hash.split('&').find((part) => part.startsWith(`${KEYS[input]}=`));

async function fillOf(database: IDBDatabase, page: Kept, hash: string): Promise<Found> {
  const same = (input: string) => textOf(page.hash, input) === textOf(hash, input);
  const inputs = Object.entries(page.inputs).flatMap(([input, kept]) => (kept && same(input) ? [{ input, kept }] : []));
  const carried = await Promise.all(
    inputs.map(async ({ input, kept: { key, edited } }) => {
      const data = await partOf(database, key);
      return data instanceof Float32Array ? [[input, { data, edited } satisfies CarriedInput] as const] : [];
    }),
  );
  return {
    carried: Object.fromEntries(carried.flat()) as Carried,
    file: page.file && same('x') ? await fileOf(database, page.file) : null,
  };
}

async function fileOf(database: IDBDatabase, { key, reduced }: KeptFile): Promise<Found['file']> {
  const file = await partOf(database, key);
  return file instanceof Blob ? { file, reduced } : null;
}
