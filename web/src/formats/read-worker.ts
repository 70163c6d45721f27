import type { FileContents, FileTensor, Refused, TensorHeader } from './format';
import { openFile } from './formats';
import { readText } from './text';

/** Worker that reads one file or text, so that a large one does not block the page. */

/** First message: the file or text. Further messages: tensors to read. */
export type ReadRequest = { readonly name: string; readonly from: Blob | string } | { readonly tensor: number };

/** `Opened` without functions, for postMessage. */
export type SentContents = Omit<FileContents, 'tensors'> & { readonly tensors: readonly Omit<TensorHeader, 'read'>[] };

export type ReadMessage =
  | { readonly opened: SentContents | Refused }
  | { readonly tensor: number; readonly read: FileTensor | Refused };

const post = (message: ReadMessage, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

const openBlob = (name: string, blob: Blob) =>
  openFile({
    name,
    size: blob.size,
    bytes: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
  });

let tensors: readonly TensorHeader[] = [];

self.onmessage = async ({ data }: MessageEvent<ReadRequest>) => {
  if ('tensor' in data) {
    const read = await tensors[data.tensor]?.read();
    if (!read) return;
    // Copied, because several tensors may share a buffer.
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
