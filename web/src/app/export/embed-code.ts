import { escaped } from '../../drawing/svg';
import type { LinkContent } from '../../link/field';
import { DEFAULT_LOOK, type Look } from '../../look/look';

export interface IframeOptions {
  readonly mode: Look['mode'];
  /** Accessible name of the frame. */
  readonly title: string;
  readonly width: string;
  readonly height: string;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Origin of the page that controls the frame; '': none. */
  readonly origin: string;
}

/** The state that a frame shows: one view, without panels and dialogs. */
export const embeddedState = ({ problem, look }: LinkContent, mode: Look['mode']): LinkContent => ({
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

/** Origin of a typed address; null if it is not an http(s) address. */
export function parseOrigin(text: string): string | null {
  try {
    const { origin, protocol } = new URL(text.trim());
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}

/** The HTML of the frame. `site` is the address of this page, `hash` the link that the frame shows. */
export function embedCode(site: string, hash: string, frame: IframeOptions): string {
  const address = new URL('embed.html', site);
  address.searchParams.set('embed', frame.mode);
  if (frame.theme !== 'auto') address.searchParams.set('theme', frame.theme);
  const origin = parseOrigin(frame.origin);
  if (origin) address.searchParams.set('origin', origin);
  address.hash = hash;
  const whole = new URL(site);
  whole.search = '';
  whole.hash = `${hash}&mode=${frame.mode}`;
  return [
    '<iframe',
    `  title="${escaped(frame.title)}"`,
    `  src="${escaped(address.href)}"`,
    `  width="${frame.width}"`,
    `  height="${frame.height}"`,
    '  style="border: 0"',
    '></iframe>',
    `<p><a href="${escaped(whole.href)}">Open in the conv2d playground</a></p>`,
    '',
  ].join('\n');
}

/** Whether other machines cannot reach the address. */
export const isLocalhost = (site: string): boolean =>
  /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(site).hostname);
