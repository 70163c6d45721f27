/** The host's end of the embedding messages (docs/embedding.md), as far as a comparison needs them. */

export interface Selected {
  readonly tensor: string;
  readonly index: number;
  readonly kept: boolean;
}

export interface FrameEvents {
  /** The problem in the frame changed. Null: its values do not fit in a link. */
  readonly onState: (link: string | null) => void;
  readonly onSelect: (cell: Selected | null) => void;
  /** All requests have been answered. */
  readonly onQuiet: () => void;
}

export interface FrameConnection {
  /** Replaces fields of the frame's state. Rapid changes are merged; the frame gets the newest. */
  readonly change: (fields: Readonly<Record<string, string | null>>) => void;
  /** A request is pending: the next message of the frame may be its echo. */
  readonly isBusy: () => boolean;
  readonly close: () => void;
}

interface Message {
  readonly conv2d?: number;
  readonly id?: number;
  readonly event?: string;
  readonly ok?: boolean;
  readonly state?: { readonly link: string; readonly omitted: readonly string[] };
  readonly cell?: Selected | null;
}

const VERSION = 1;

export function connectFrame(frame: HTMLIFrameElement, { onState, onSelect, onQuiet }: FrameEvents): FrameConnection {
  let queued: Readonly<Record<string, string | null>> | null = null;
  let last = 0;
  const pending = new Map<number, (answer: Message) => void>();
  let ready = false;
  const request = (message: object, then: (answer: Message) => void) => {
    last += 1;
    pending.set(last, then);
    frame.contentWindow?.postMessage({ conv2d: VERSION, id: last, ...message }, location.origin);
  };
  const send = () => {
    if (!ready || pending.size > 0 || !queued) return;
    const state = queued;
    queued = null;
    request({ do: 'change', state }, () => undefined);
  };
  const greet = () =>
    request({ do: 'hello' }, () => {
      ready = true;
    });
  const reportState = ({ link, omitted }: NonNullable<Message['state']>) => onState(omitted.length > 0 ? null : link);
  const onMessage = ({ source, origin, data }: MessageEvent<Message | null>) => {
    if (source !== frame.contentWindow || origin !== location.origin || data?.conv2d !== VERSION) return;
    const { id, event, state, cell } = data;
    if (event === 'ready') {
      pending.clear();
      greet();
    } else if (event === 'select') onSelect(cell ?? null);
    else if (event === 'change' && state) {
      // A "change" event omits values that need compression; the answer to "get" has them.
      if (state.omitted.length === 0) reportState(state);
      else request({ do: 'get' }, (answer) => answer.state && reportState(answer.state));
    } else if (id !== undefined) {
      pending.get(id)?.(data);
      pending.delete(id);
      send();
      if (pending.size === 0) onQuiet();
    }
  };
  window.addEventListener('message', onMessage);
  return {
    change(fields) {
      queued = { ...queued, ...fields };
      send();
    },
    isBusy: () => pending.size > 0 || queued !== null,
    close: () => window.removeEventListener('message', onMessage),
  };
}
