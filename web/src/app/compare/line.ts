/** The host's end of the messages to a frame of this site (docs/embedding.md): what a comparison needs of them. */

export interface Selected {
  readonly tensor: string;
  readonly index: number;
  readonly kept: boolean;
}

export interface Heard {
  /** Its reader changed something. Null: the numbers are too many for a link. */
  readonly onState: (link: string | null) => void;
  readonly onSelect: (cell: Selected | null) => void;
  /** All that was said has been answered. */
  readonly onQuiet: () => void;
}

export interface Line {
  /** Replaces fields of what the frame shows; of many changes in a row the frame gets the newest. */
  readonly change: (fields: Readonly<Record<string, string | null>>) => void;
  /** Something was said that has not been answered: what the frame tells now may be its echo. */
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

export function openLine(frame: HTMLIFrameElement, { onState, onSelect, onQuiet }: Heard): Line {
  let waiting: Readonly<Record<string, string | null>> | null = null;
  let last = 0;
  const asked = new Map<number, (answer: Message) => void>();
  let ready = false;
  const ask = (message: object, then: (answer: Message) => void) => {
    last += 1;
    asked.set(last, then);
    frame.contentWindow?.postMessage({ conv2d: VERSION, id: last, ...message }, location.origin);
  };
  const send = () => {
    if (!ready || asked.size > 0 || !waiting) return;
    const state = waiting;
    waiting = null;
    ask({ do: 'change', state }, () => undefined);
  };
  const greet = () =>
    ask({ do: 'hello' }, () => {
      ready = true;
    });
  const tell = ({ link, omitted }: NonNullable<Message['state']>) => onState(omitted.length > 0 ? null : link);
  const onMessage = ({ source, origin, data }: MessageEvent<Message | null>) => {
    if (source !== frame.contentWindow || origin !== location.origin || data?.conv2d !== VERSION) return;
    const { id, event, state, cell } = data;
    if (event === 'ready') {
      asked.clear();
      greet();
    } else if (event === 'select') onSelect(cell ?? null);
    else if (event === 'change' && state) {
      // What is told leaves out numbers that have to be compressed; an answer has them.
      if (state.omitted.length === 0) tell(state);
      else ask({ do: 'get' }, (answer) => answer.state && tell(answer.state));
    } else if (id !== undefined) {
      asked.get(id)?.(data);
      asked.delete(id);
      send();
      if (asked.size === 0) onQuiet();
    }
  };
  window.addEventListener('message', onMessage);
  return {
    change(fields) {
      waiting = { ...waiting, ...fields };
      send();
    },
    isBusy: () => asked.size > 0 || waiting !== null,
    close: () => window.removeEventListener('message', onMessage),
  };
}
