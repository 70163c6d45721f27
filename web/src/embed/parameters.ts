import { MODES } from '../look/look';

/** The query parameters of an embed. The state after its "#" is that of a link. */
interface EmbedParameters {
  /** The mode to show, as in a link; null: the mode of the state. */
  readonly mode: (typeof MODES)[number] | null;
  /** null: the theme of the system. */
  readonly theme: 'light' | 'dark' | null;
  /** Origins that may read and control the embed when they frame it. */
  readonly origins: readonly string[];
  /** One sentence for each parameter that is not valid. */
  readonly complaints: readonly string[];
}

const MOST_ORIGINS = 8;

/** `search`: the address from its "?" on. `own`: the origin of this site, used when the address names no origin. */
export function embedParametersOf(search: string, own: string): EmbedParameters {
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
      `origin is "${text.slice(0, 40)}" in the address of this frame, but must be a scheme and a host, as in https://course.example. It is ignored.`,
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

/** The text if it is only an origin, and not "*" or "null": every file and every sandboxed page has that origin. */
function originOf(text: string): string | null {
  try {
    const { origin, protocol } = new URL(text);
    return /^https?:$/.test(protocol) && text.replace(/\/$/, '').toLowerCase() === origin ? origin : null;
  } catch {
    return null;
  }
}
