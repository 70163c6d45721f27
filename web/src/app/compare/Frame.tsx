import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { Geometry } from '../../protocol/problem';
import { themeChoice } from '../../ui/theme';
import type { Page } from '../page';
import { type Cursor, createCursor } from './cursor';
import { openLine } from './line';
import { stripped } from './other';

interface FrameProps {
  readonly page: Page;
  readonly link: string;
  /** Of the other problem; null: not known yet. */
  readonly geometry: Geometry | null;
  readonly say: (sentence: string | null) => void;
}

/** The other problem, as an embed of this site: it has a worker and an undo of its own, and keeps nothing. */
export function Frame({ page, link, geometry, say }: FrameProps) {
  const theme = themeChoice.value;
  /** What is known to stand in the frame: what its reader does is written to the link, and must not load it again. */
  const inside = useRef<string | null>(null);
  const opened = useRef({ theme, source: '' });
  if (inside.current !== link || opened.current.theme !== theme) {
    inside.current = link;
    opened.current = { theme, source: sourceOf(link, theme, page.look.mode.peek()) };
  }
  const { source } = opened.current;
  const hear = useCallback(
    (told: string | null) => {
      say(told === null ? 'The numbers of the other one are too many for a link: the tables are of before.' : null);
      if (told === null) return;
      inside.current = stripped(told);
      page.look.with.value = inside.current;
    },
    [page, say],
  );
  return <Framed key={source} page={page} source={source} geometry={geometry} onState={hear} />;
}

interface FramedProps extends Pick<FrameProps, 'page' | 'geometry'> {
  readonly source: string;
  readonly onState: (link: string | null) => void;
}

function Framed({ page, source, geometry, onState }: FramedProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const sizes = useRef(geometry);
  const cursor = useRef<Cursor | null>(null);
  useEffect(() => {
    sizes.current = geometry;
    cursor.current?.show();
  }, [geometry]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const line = openLine(element, {
      onState,
      onSelect: (cell) => cursor.current?.hear(cell),
      onQuiet: () => cursor.current?.recall(),
    });
    const between = createCursor(page, () => sizes.current, line);
    cursor.current = between;
    return () => {
      between.stop();
      line.close();
    };
  }, [page, onState]);
  return <iframe ref={frame} class="compare__frame" title="The other problem" src={source} />;
}

function sourceOf(link: string, theme: string, mode: string): string {
  const source = new URL(location.href);
  source.search = new URLSearchParams({ embed: mode, ...(theme !== 'auto' && { theme }) }).toString();
  source.hash = link;
  return source.href;
}
