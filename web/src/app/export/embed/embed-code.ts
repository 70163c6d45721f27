import type { Linked } from '../../../link/field';
import { DEFAULT_LOOK, type Look } from '../../../look/look';

export interface Frame {
  readonly mode: Look['mode'];
  /** What a screen reader calls the frame. */
  readonly title: string;
  readonly width: string;
  readonly height: string;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Of the page that drives the frame; '': none. */
  readonly origin: string;
}

/** What is seen, as far as a frame shows it: one mode, and nothing beside it. */
export const framed = ({ problem, look }: Linked, mode: Look['mode']): Linked => ({
  problem,
  look: {
    ...DEFAULT_LOOK,
    settings: look.settings[mode] ? { [mode]: look.settings[mode] } : {},
    pinned: look.pinned,
    focus: look.focus,
    transfer: look.transfer,
    masked: look.masked,
  },
});

/** Scheme and host of an address that somebody typed; null: it is none. */
export function originIn(text: string): string | null {
  try {
    const { origin, protocol } = new URL(text.trim());
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}

/** The lines that show it in another page. `site` is the address of this one, `hash` the link of what is framed. */
export function embedCode(site: string, hash: string, frame: Frame): string {
  const address = new URL('embed.html', site);
  address.searchParams.set('embed', frame.mode);
  if (frame.theme !== 'auto') address.searchParams.set('theme', frame.theme);
  const origin = originIn(frame.origin);
  if (origin) address.searchParams.set('origin', origin);
  address.hash = hash;
  const whole = new URL(site);
  whole.search = '';
  whole.hash = `${hash}&mode=${frame.mode}`;
  return [
    '<iframe',
    `  title="${attribute(frame.title)}"`,
    `  src="${attribute(address.href)}"`,
    `  width="${frame.width}"`,
    `  height="${frame.height}"`,
    '  style="border: 0"',
    '></iframe>',
    `<p><a href="${attribute(whole.href)}">Open it in the conv2d playground</a></p>`,
    '',
  ].join('\n');
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };

const attribute = (text: string): string => text.replace(/[&"<]/g, (sign) => ESCAPED[sign] ?? '');

/** Nobody else finds a page there. */
export const isOwnMachine = (site: string): boolean =>
  /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(site).hostname);
