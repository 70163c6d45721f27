import type { Address } from '../../link/address';
import { packLink } from '../../link/compress';
import type { Link } from '../../link/write-link';

/** Time in ms for the clipboard: a browser may ask the user first, and some never answer. */
const PATIENCE_MS = 5000;

/**
 * Returns whether copying succeeded within PATIENCE_MS after the content is there. Call it inside the click handler: Safari refuses content that comes after
 * asynchronous work, but accepts a promise of it. There is no clipboard over plain http.
 */
export async function toClipboard(content: string | Promise<string | Blob>, type = 'text/plain'): Promise<boolean> {
  const writing = write(content, type).then(
    () => true,
    () => false,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unanswered = Promise.resolve(content).then(
    () =>
      new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS, false);
      }),
    () => false,
  );
  const copied = await Promise.race([writing, unanswered]);
  clearTimeout(timer);
  return copied;
}

async function write(content: string | Promise<string | Blob>, type: string) {
  if (typeof content === 'string') await navigator.clipboard.writeText(content);
  else await writeLater(content, type);
}

async function writeLater(content: Promise<string | Blob>, type: string) {
  // Firefox before 127 has no ClipboardItem, and accepts text after asynchronous work.
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(String(await content));
  const blob = content.then((made) => (typeof made === 'string' ? new Blob([made], { type }) : made));
  // Avoids an unhandled rejection: a refused item does not await its blob.
  blob.catch(() => undefined);
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}

/** Longest URLs, in characters, that nearly all and that most mail programs, chats and documents accept. */
export const URL_LIMITS = { everywhere: 2000, mostly: 8000 } as const;

export const fullUrl = (hash: string): string => new URL(`#${hash}`, location.href).href;

/** Follows "Link copied". */
export const lengthText = ({ length }: string): string =>
  length <= URL_LIMITS.everywhere ? '' : `: ${length.toLocaleString('en')} characters`;

/** Copies the link of the state; returns the message. A long, incomplete or refused link needs the dialog: `ask`. */
export async function copyLink(address: Pick<Address, 'seen' | 'show'>, ask: () => void): Promise<string> {
  const making = packLink(address.seen());
  const isShort = (link: Link) => link.omitted.length === 0 && fullUrl(link.hash).length <= URL_LIMITS.mostly;
  const copying = toClipboard(
    making.then((link) => {
      if (!isShort(link)) throw new Error('the link dialog is needed first');
      return fullUrl(link.hash);
    }),
  );
  const link = await making;
  if (isShort(link)) await address.show(link);
  if (await copying) return `Link copied${lengthText(fullUrl(link.hash))}.`;
  ask();
  return '';
}
