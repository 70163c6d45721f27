import type { FileContents, TensorHeader } from './format';
import { openFile } from './formats';
import { readText } from './text';

/** Worker that reads one file or text, so that a large one does not block the page. */

/** First the file or text, then the tensors to read. The answer comes on the port that is sent along. */
export type ReadRequest = { readonly name: string; readonly from: Blob | string } | { readonly tensor: number };

/** FileContents without functions, for postMessage. */
export type SentContents = Omit<FileContents, 'tensors'> & { readonly tensors: readonly Omit<TensorHeader, 'read'>[] };

const openBlob = (name: string, blob: Blob) =>
  openFile({
    name,
    size: blob.size,
    bytes: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
  });

let tensors: readonly TensorHeader[] = [];

self.onmessage = async ({ data, ports: [port] }: MessageEvent<ReadRequest>) => {
  if ('tensor' in data) {
    const read = await tensors[data.tensor]?.read();
    if (!read) return;
    if ('refusal' in read) return port?.postMessage(read);
    // Copied, because several tensors may share a buffer.
    const values = read.values.slice();
    return port?.postMessage({ ...read, values }, [values.buffer]);
  }
  const { name, from } = data;
  const opened = typeof from === 'string' ? readText(from) : await openBlob(name, from);
  if ('refusal' in opened) return port?.postMessage(opened);
  tensors = opened.tensors;
  const sent = tensors.map(({ name: called, shape, stored, order }) => ({ name: called, shape, stored, order }));
  port?.postMessage({ ...opened, tensors: sent });
};
