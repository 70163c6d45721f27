import { type EmbedAnswer, type EmbedEvent, type EmbedRequest, readRequest, VERSION } from './protocol';

export interface HostChannel {
  /** Sends an event to the host, if it has sent "hello". */
  readonly send: (told: EmbedEvent) => void;
  readonly stop: () => void;
}

/**
 * Receives the messages of the host. A message counts if it comes from the parent window and from an allowed origin;
 * any other has no effect and no answer. An answer goes to the origin of its request only.
 */
export function openHostChannel(
  page: Window,
  origins: readonly string[],
  answer: (request: EmbedRequest) => Promise<EmbedAnswer>,
): HostChannel {
  const host = page.parent;
  /** Origin of the host after "hello". */
  let listener: string | null = null;
  const send = (origin: string, message: object) => host.postMessage({ conv2d: VERSION, ...message }, origin);
  const onMessage = async ({ source, origin, data }: MessageEvent) => {
    if (source !== host || !origins.includes(origin)) return;
    const request = readRequest(data);
    if (!request) return;
    const { id } = request;
    if ('fault' in request) {
      send(origin, { id, ok: false, fault: request.fault, complaints: request.complaints });
      return;
    }
    const answered = await answer(request).catch(
      (cause): EmbedAnswer => ({ ok: false, fault: 'failed', complaints: [`The request failed (${cause}).`] }),
    );
    if (request.do === 'hello') listener = origin;
    send(origin, { id, ...answered });
  };
  // A top-level window is its own parent.
  if (host === page) return { send: () => undefined, stop: () => undefined };
  page.addEventListener('message', onMessage);
  for (const origin of hostOf(page, origins)) send(origin, { event: 'ready' });
  return {
    send(told) {
      if (listener !== null) send(listener, told);
    },
    stop: () => page.removeEventListener('message', onMessage),
  };
}

/** Origins to send "ready" to. Only the parent's, in browsers that have `ancestorOrigins`. */
function hostOf({ location }: Window, origins: readonly string[]): readonly string[] {
  const { ancestorOrigins } = location as { readonly ancestorOrigins?: DOMStringList };
  return ancestorOrigins ? origins.filter((origin) => origin === ancestorOrigins[0]) : origins;
}
