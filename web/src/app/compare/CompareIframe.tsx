import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { Geometry } from '../../protocol/problem';
import { themeChoice } from '../../ui/theme';
import type { Page } from '../page/page';
import { connectFrame } from './frame';
import { stripped } from './other-problem';

interface CompareIframeProps {
  readonly page: Page;
  readonly link: string;
  /** Geometry of the other problem; null while it is computed. */
  readonly geometry: Geometry | null;
  readonly say: (sentence: string | null) => void;
}

/** The other problem, as an embed of this site. It has its own worker and undo, and stores nothing. */
export function CompareIframe({ page, link, geometry, say }: CompareIframeProps) {
  const theme = themeChoice.value;
  /** The link that the frame shows. Changes inside the frame update `link`, which must not reload the frame. */
  const inside = useRef<string | null>(null);
  const opened = useRef({ theme, source: '' });
  if (inside.current !== link || opened.current.theme !== theme) {
    inside.current = link;
    opened.current = { theme, source: sourceOf(link, theme, page.look.mode.peek()) };
  }
  const { source } = opened.current;
  const onState = useCallback(
    (changed: string | null) => {
      say(
        changed === null ? 'The other problem has too many values for a link. The tables show an earlier state.' : null,
      );
      if (changed === null) return;
      inside.current = stripped(changed);
      page.look.with.value = inside.current;
    },
    [page, say],
  );
  const frame = useRef<HTMLIFrameElement>(null);
  const sizes = useRef(geometry);
  const connection = useRef<ReturnType<typeof connectFrame> | null>(null);
  useEffect(() => {
    sizes.current = geometry;
    connection.current?.show();
  }, [geometry]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source is another frame
  useEffect(() => {
    if (!frame.current) return;
    const connected = connectFrame(frame.current, page, () => sizes.current, onState);
    connection.current = connected;
    return () => connected.close();
  }, [page, onState, source]);
  return <iframe key={source} ref={frame} class="compare__frame" title="The other problem" src={source} />;
}

function sourceOf(link: string, theme: string, mode: string): string {
  const source = new URL(location.href);
  source.search = new URLSearchParams({ embed: mode, ...(theme !== 'auto' && { theme }) }).toString();
  source.hash = link;
  return source.href;
}
