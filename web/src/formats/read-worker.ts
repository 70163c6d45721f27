import type { FileContents, Source, TensorHeader } from './format';
import { openFiles, openText } from './formats';

/** Worker that reads files or a text, so that a large one does not block the page. */

/** First the files or the text, then the tensors to read. The answer comes on the port that is sent along. */
export type ReadRequest = { readonly from: readonly FileEntry[] | string } | { readonly tensor: number };

export interface FileEntry {
  readonly name: string;
  readonly size: number;
}

/** Asks the page for bytes of a file. The answer, null if they could not be read, comes on the port that is sent along. */
export interface BytesRequest {
  readonly file: number;
  readonly from: number;
  readonly to: number;
}

/** FileContents without functions, for postMessage. */
export type SentContents = Omit<FileContents, 'tensors'> & { readonly tensors: readonly Omit<TensorHeader, 'read'>[] };

/** The page reads: in WebKit, workers of a document without an origin, as of a page that is itself a file, can read no blob. */
const sourceOf = (entry: FileEntry, file: number): Source => ({
  ...entry,
  bytes: (from, to) =>
    new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<ArrayBuffer | null>) => {
        port1.close();
        if (data) resolve(new Uint8Array(data));
        else reject(new Error('the file could not be read'));
      };
      self.postMessage({ file, from, to } satisfies BytesRequest, { transfer: [port2] });
    }),
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
