import { MODES, type ModeId } from '../look/look';

/** What the address of an embed asks for, beside the state behind its "#", which is a link's. */
export interface Asked {
  /** The mode that is shown; null: the state says it. */
  readonly mode: ModeId | null;
  /** The colours; null: as the system has them. */
  readonly theme: 'light' | 'dark' | null;
  /** Of the pages that may read and drive the embed, as the window that shows it. */
  readonly origins: readonly string[];
  /** What could not be understood, one sentence each. */
  readonly complaints: readonly string[];
}

/** More hosts than one course has. */
const MOST_ORIGINS = 8;

/** `search` is the address from its "?" on; `own` the origin of this site, whose pages may drive where nobody else is named. */
export function askedBy(search: string, own: string): Asked {
  const parameters = new URLSearchParams(search);
  const complaints: string[] = [];
  const one = <Word extends string>(name: string, words: readonly Word[]): Word | null => {
    const text = parameters.get(name) ?? '';
    const found = words.find((word) => word === text) ?? null;
    if (text !== '' && found === null) {
      const listed = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
      complaints.push(`${name} is "${text.slice(0, 40)}" in the address of this frame, but must be ${listed}.`);
    }
    return found;
  };
  const named = parameters.getAll('origin');
  for (const text of named.filter((each) => originOf(each) === null)) {
    complaints.push(
      `origin is "${text.slice(0, 40)}" in the address of this frame, but must be the scheme and host of a page, as in https://course.example: nobody is let in by it.`,
    );
  }
  const origins = (named.length === 0 ? [own] : named).flatMap((each) => originOf(each) ?? []);
  return {
    mode: one('embed', MODES),
    theme: one('theme', ['light', 'dark']),
    origins: [...new Set(origins)].slice(0, MOST_ORIGINS),
    complaints,
  };
}

/**
 * A text that is an origin and nothing more. Not "*", and not "null", which any page has that was opened as a file or shut into
 * a sandbox: who it is could not be told.
 */
function originOf(text: string): string | null {
  try {
    const { origin, protocol } = new URL(text);
    return /^https?:$/.test(protocol) && text.replace(/\/$/, '').toLowerCase() === origin ? origin : null;
  } catch {
    return null;
  }
}
