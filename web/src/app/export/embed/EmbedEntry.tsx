import { useEffect, useMemo, useState } from 'preact/hooks';
import { type PackedLink, packLink } from '../../../link/pack-link';
import { Button } from '../../../ui/controls/Button';
import { Select } from '../../../ui/controls/Choice';
import { VIEWS } from '../../../views/list';
import type { ExportProps } from '../entry';
import { embedCode, type Frame, framed, isOwnMachine, originIn } from './embed-code';
import './embed-entry.css';

const SIZES = [
  { value: '720 × 560', label: '720 × 560' },
  { value: '480 × 360', label: '480 × 360' },
  { value: '960 × 640', label: '960 × 640' },
  { value: '100% × 560', label: 'as wide as the page, 560 high' },
] as const;

const THEMES = [
  { value: 'auto', label: 'as the reader’s system' },
  { value: 'light', label: 'light' },
  { value: 'dark', label: 'dark' },
] as const;

/** What one sees as a frame in another page: the lines to be copied there. */
export function EmbedEntry({ page: { address } }: ExportProps) {
  const seen = useMemo(() => address.seen(), [address]);
  const [mode, setMode] = useState(seen.look.mode);
  const [size, setSize] = useState<string>(SIZES[0].value);
  const [theme, setTheme] = useState<Frame['theme']>('auto');
  const [origin, setOrigin] = useState('');
  const [link, setLink] = useState<PackedLink | null>(null);
  const [said, say] = useState('');
  useEffect(() => {
    let isNewest = true;
    packLink(framed(seen, mode)).then(
      (next) => isNewest && setLink(next),
      () => say('The lines could not be made.'),
    );
    return () => {
      isNewest = false;
    };
  }, [seen, mode]);
  if (!link) return <p role="status">{said}</p>;

  const [width = '', height = ''] = size.split(' × ');
  const title = `A convolution: ${VIEWS.find(({ id }) => id === mode)?.title ?? ''}`;
  const code = embedCode(location.href, link.hash, { mode, title, width, height, theme, origin });
  const isOrigin = origin.trim() === '' || originIn(origin) !== null;
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => say('The lines were copied.'),
      () => say('The browser did not allow copying; the lines can be marked and copied by hand.'),
    );
  return (
    <div class="embed-entry">
      <p>
        These lines show what you see now in a page of your own, in a notebook or on a slide: one view with its player,
        without what stands around it here. Whoever reads them can point, change and play.
      </p>
      <div class="embed-entry__choices">
        <Select
          label="view"
          options={VIEWS.map(({ id, title: label }) => ({ value: id, label }))}
          value={mode}
          onChange={setMode}
        />
        <Select label="size" options={SIZES} value={size} onChange={setSize} />
        <Select label="colours" options={THEMES} value={theme} onChange={setTheme} />
        <label class="embed-entry__origin">
          driven by the page at
          <input
            type="text"
            value={origin}
            placeholder="nobody, or https://course.example"
            spellcheck={false}
            autocomplete="off"
            aria-invalid={!isOrigin}
            onInput={(event) => setOrigin(event.currentTarget.value)}
          />
        </label>
      </div>
      <textarea
        class="embed-entry__code"
        aria-label="lines for the other page"
        rows={9}
        readOnly
        spellcheck={false}
        value={code}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="embed-entry__end">
        <Button kind="primary" onClick={() => void copy()}>
          Copy the lines
        </Button>
        <p role="status">{said}</p>
      </div>
      <ul class="embed-entry__notes">
        {!isOrigin && (
          <li>“{origin}” is not the address of a page, such as https://course.example: it was left out.</li>
        )}
        {link.omitted.length > 0 && (
          <li>
            The numbers of {link.omitted.join(', ')} are too many for an address: the frame shows others in their place.
          </li>
        )}
        {isOwnMachine(location.href) && (
          <li>This page is on your own machine, at {location.host}: nobody else can open the frame from there.</li>
        )}
      </ul>
    </div>
  );
}
