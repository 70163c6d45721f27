import type { FileContents, Source, TensorHeader } from './format';
import { openFiles, openText } from './formats';

/** Worker that reads files or a text, so that a large one does not block the page. */

/** First the files or the text, then the tensors to read. The answer comes on the port that is sent along. */
export type ReadRequest = { readonly from: readonly File[] | string } | { readonly tensor: number };

/** FileContents without functions, for postMessage. */
export type SentContents = Omit<FileContents, 'tensors'> & { readonly tensors: readonly Omit<TensorHeader, 'read'>[] };

const sourceOf = (file: File): Source => ({
  name: file.name,
  size: file.size,
  bytes: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
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
  const { from } = data;
  const opened = await (typeof from === 'string' ? openText(from) : openFiles(from.map(sourceOf)));
  if ('refusal' in opened) return port?.postMessage(opened);
  tensors = opened.tensors;
  port?.postMessage({ ...opened, tensors: tensors.map(({ name, shape, stored }) => ({ name, shape, stored })) });
};
