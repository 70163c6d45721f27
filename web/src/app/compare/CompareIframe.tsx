import { effect } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { remapCell } from '../../geometry/grid';
import type { Cell, Geometry } from '../../protocol/problem';
import { themeChoice } from '../../ui/theme';
import type { Page } from '../page/page';
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

/** The hovered or pinned cell of the frame. */
type Selected = Cell & { readonly kept: boolean };

interface Message {
  readonly conv2d?: number;
  readonly id?: number;
  readonly event?: string;
  readonly state?: { readonly link: string; readonly omitted: readonly string[] };
  readonly cell?: Selected | null;
}

type Fields = Readonly<Record<string, string | null>>;

const VERSION = 1;

/**
 * The host's end of the embedding messages (docs/embedding.md), with one cursor for both problems: a cell that is hovered
 * or pinned on one side is marked at the same place on the other side, if it exists there. `other`: the other geometry, once
 * known. `onState`: the problem in the frame changed; null: its values do not fit in a link.
 */
function connectFrame(
  frame: HTMLIFrameElement,
  { look, scene }: Page,
  other: () => Geometry | null,
  onState: (link: string | null) => void,
) {
  let ready = false;
  let last = 0;
  /** The requests without an answer: the next message of the frame may be their echo. */
  const pending = new Map<number, (answer: Message) => void>();
  /** Rapid changes are merged; the frame gets the newest. */
  let queued: Fields | null = null;
  /** The last known pinned cell in the frame, and the cell here that mirrors a cell in the frame. */
  let pinnedThere: Cell | null = null;
  let mirrored: Cell | null = null;
  /** A selection that arrived while a request was pending. */
  let missed: Selected | null = null;

  const request = (message: object, then: (answer: Message) => void = () => undefined) => {
    last += 1;
    pending.set(last, then);
    frame.contentWindow?.postMessage({ conv2d: VERSION, id: last, ...message }, location.origin);
  };
  const send = () => {
    if (!ready || pending.size > 0 || !queued) return;
    const state = queued;
    queued = null;
    request({ do: 'change', state });
  };
  const change = (fields: Fields) => {
    queued = { ...queued, ...fields };
    send();
  };
  const mapCell = (cell: Cell | null, from: Geometry | null | undefined, to: Geometry | null | undefined) =>
    cell && from && to ? remapCell({ tensor: cell.tensor, index: cell.index }, from, to) : null;

  const show = () => {
    const cell = look.current.value;
    if (cell && isSame(cell, mirrored)) return;
    mirrored = null;
    const next = mapCell(cell, scene.value?.geometry, other());
    if (isSame(next, pinnedThere)) return;
    pinnedThere = next;
    change({ cell: next && `${next.tensor}.${next.index}` });
  };

  const receive = (selected: Selected | null) => {
    missed = selected;
    if (pending.size > 0 || queued) return;
    const here = mapCell(selected, other(), scene.peek()?.geometry);
    mirrored = here;
    if (selected?.kept && !isSame(selected, pinnedThere)) {
      pinnedThere = selected;
      look.hover(null);
      if (here) look.pinAndShow(here);
      return;
    }
    // The frame is back at the cell that is pinned here.
    look.hover(selected?.kept ? null : here);
    if (selected === null && pinnedThere !== null) {
      pinnedThere = null;
      look.unpin();
    }
  };

  const reportState = ({ link, omitted }: NonNullable<Message['state']>) => onState(omitted.length > 0 ? null : link);
  const onMessage = ({ source, origin, data }: MessageEvent<Message | null>) => {
    if (source !== frame.contentWindow || origin !== location.origin || data?.conv2d !== VERSION) return;
    const { id, event, state, cell } = data;
    if (event === 'ready') {
      pending.clear();
      request({ do: 'hello' }, () => {
        ready = true;
      });
    } else if (event === 'select') receive(cell ?? null);
    else if (event === 'change' && state) {
      // A "change" event omits values that need compression; the answer to "get" has them.
      if (state.omitted.length === 0) reportState(state);
      else request({ do: 'get' }, (answer) => answer.state && reportState(answer.state));
    } else if (id !== undefined) {
      pending.get(id)?.(data);
      pending.delete(id);
      send();
      if (pending.size > 0) return;
      // Unless it echoes a request.
      const selected = missed;
      missed = null;
      if (selected && !isSame(selected, pinnedThere)) receive(selected);
    }
  };
  window.addEventListener('message', onMessage);
  const disposers = [
    effect(show),
    effect(() => change({ mode: look.mode.value })),
    effect(() => {
      const { n, c, k } = look.focus.value;
      change({ slice: `n${n}.c${c}.k${k}` });
    }),
  ];
  return {
    /** Call when the geometry of the other problem becomes known. */
    show,
    close() {
      window.removeEventListener('message', onMessage);
      for (const dispose of disposers) dispose();
    },
  };
}

const isSame = (a: Cell | null, b: Cell | null): boolean =>
  a === b || (a !== null && b !== null && a.tensor === b.tensor && a.index === b.index);
