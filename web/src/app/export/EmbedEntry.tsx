import { useMemo, useState } from 'preact/hooks';
import { escaped } from '../../figure/svg';
import type { LinkContent } from '../../link/field';
import { DEFAULT_LOOK, type Look } from '../../look/look';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { VIEWS } from '../../views/list';
import type { Page } from '../page/page';
import { useCopy } from '../page/use-copy';
import { usePackedLink } from '../page/use-packed-link';

const SIZES = ['720 × 560', '480 × 360', '960 × 640', '100% × 560'].map((value) => ({
  value,
  label: value.replace('100%', 'full width'),
}));

const THEMES = [
  { value: 'auto', label: 'system' },
  { value: 'light', label: 'light' },
  { value: 'dark', label: 'dark' },
] as const;

/** HTML that embeds the current view in another page. */
export function EmbedEntry({ page: { address } }: { readonly page: Page }) {
  const seen = useMemo(() => address.seen(), [address]);
  const [mode, setMode] = useState(seen.look.mode);
  const [size, setSize] = useState('720 × 560');
  const [theme, setTheme] = useState<IframeOptions['theme']>('auto');
  const [origin, setOrigin] = useState('');
  const { copy, say, outcome } = useCopy();
  const shown = useMemo(() => embeddedState(seen, mode), [seen, mode]);
  const link = usePackedLink(shown, () => say('The embed code could not be created.'));
  if (!link) return outcome;
  // That of a frame's srcdoc.
  if (location.protocol === 'about:')
    return <p>This page is in a frame without an address of its own. Open the page itself to get the code.</p>;

  const [width = '', height = ''] = size.split(' × ');
  const title = `Convolution: ${VIEWS.find(({ id }) => id === mode)?.title ?? ''}`;
  const file = document.documentElement.dataset['embedPage'] ?? 'embed.html';
  const code = embedCode(location.href, link.hash, { file, mode, title, width, height, theme, origin });
  const isOrigin = origin.trim() === '' || parseOrigin(origin) !== null;
  return (
    <div class="export grid loose">
      <p>
        Paste this code into your own page, notebook or slides. It shows one view with its player, without the rest of
        this page. Readers can hover, edit and play.
      </p>
      <div class="export__row row wrap">
        <Select
          label="view"
          options={VIEWS.map(({ id, title: label }) => ({ value: id, label }))}
          value={mode}
          onChange={setMode}
        />
        <Select label="size" options={SIZES} value={size} onChange={setSize} />
        <Select label="theme" options={THEMES} value={theme} onChange={setTheme} />
        <label class="export__field">
          controlled by the page at
          <input
            type="text"
            value={origin}
            placeholder="none, or https://course.example"
            spellcheck={false}
            autocomplete="off"
            aria-invalid={!isOrigin}
            onInput={(event) => setOrigin(event.currentTarget.value)}
          />
        </label>
      </div>
      <textarea
        aria-label="embed code"
        rows={9}
        readOnly
        spellcheck={false}
        value={code}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="export__row row wrap">
        <Button kind="primary" onClick={() => void copy('Code', code)}>
          Copy code
        </Button>
        {outcome}
      </div>
      <ul class="export__note note">
        {!isOrigin && <li>“{origin}” is not a page address such as https://course.example, so the code omits it.</li>}
        {link.omitted.length > 0 && (
          <li>There are too many values in {link.omitted.join(', ')} for an address: the frame shows other values.</li>
        )}
        {isLocalhost(location.href) && (
          <li>
            This page is on your own machine{location.host && `, at ${location.host}`}: other people cannot open the
            frame.
          </li>
        )}
      </ul>
    </div>
  );
}

interface IframeOptions {
  /** The page of frames, beside this one; '': this one (web/site/single-file.ts). */
  readonly file: string;
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
    hiddenCells: look.hiddenCells,
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
  const address = new URL(frame.file, site);
  address.search = '';
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

/** Whether other machines cannot reach the address. A file has no host. */
export const isLocalhost = (site: string): boolean =>
  /^($|localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(site).hostname);
