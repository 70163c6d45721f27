import { type Answer, type Request, readRequest, type Told, VERSION } from './protocol';

export interface Gate {
  /** Tells the host, if it has said hello: nobody is told who has not asked. */
  readonly tell: (told: Told) => void;
  readonly stop: () => void;
}

/**
 * The one way in. A message counts when it comes from the window that shows this one, and from one of the origins that may drive;
 * any other has no effect and no answer. An answer goes to the origin of its question alone.
 */
export function openGate(
  page: Window,
  origins: readonly string[],
  answer: (request: Request) => Promise<Answer>,
): Gate {
  const host = page.parent;
  /** Of the host, once it has said hello. */
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
      (cause): Answer => ({ ok: false, fault: 'failed', complaints: [`It could not be done (${cause}).`] }),
    );
    if (request.do === 'hello') listener = origin;
    send(origin, { id, ...answered });
  };
  // A window of its own is its own parent.
  if (host === page) return { tell: () => undefined, stop: () => undefined };
  page.addEventListener('message', onMessage);
  for (const origin of hostOf(page, origins)) send(origin, { event: 'ready' });
  return {
    tell(told) {
      if (listener !== null) send(listener, told);
    },
    stop: () => page.removeEventListener('message', onMessage),
  };
}

/** Whom to tell that somebody listens here. Where the browser says whose page shows this one, nobody else is tried. */
function hostOf({ location }: Window, origins: readonly string[]): readonly string[] {
  const { ancestorOrigins } = location as { readonly ancestorOrigins?: DOMStringList };
  return ancestorOrigins ? origins.filter((origin) => origin === ancestorOrigins[0]) : origins;
}
