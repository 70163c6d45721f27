import type { FileTensor, Listed, Opened, Refused } from './format';
import { openFile } from './formats';
import { readText } from './text';

/** Reads files and texts beside the page, so that none of them, however large or odd, holds it up. One worker for each. */

/** What the page sends: first what is to be opened, then the numbers of the tensors that it wants. */
export type ReadRequest = { readonly name: string; readonly from: Blob | string } | { readonly tensor: number };

/** `Opened` as it can be sent. */
export type SentOpened = Omit<Opened, 'tensors'> & { readonly tensors: readonly Omit<Listed, 'read'>[] };

export type ReadMessage =
  | { readonly opened: SentOpened | Refused }
  | { readonly tensor: number; readonly read: FileTensor | Refused };

const post = (message: ReadMessage, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

const openBlob = (name: string, blob: Blob) =>
  openFile({
    name,
    size: blob.size,
    bytes: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
  });

let tensors: readonly Listed[] = [];

self.onmessage = async ({ data }: MessageEvent<ReadRequest>) => {
  if ('tensor' in data) {
    const read = await tensors[data.tensor]?.read();
    if (!read) return;
    // A copy of its own: several tensors may lie in one buffer.
    if ('refusal' in read) post({ tensor: data.tensor, read });
    else {
      const values = read.values.slice();
      post({ tensor: data.tensor, read: { ...read, values } }, [values.buffer]);
    }
    return;
  }
  const { name, from } = data;
  const opened = typeof from === 'string' ? readText(from) : await openBlob(name, from);
  if ('refusal' in opened) return post({ opened });
  tensors = opened.tensors;
  const sent = tensors.map(({ name: called, shape, stored, order }) => ({ name: called, shape, stored, order }));
  post({ opened: { ...opened, tensors: sent } });
};
