import { type FileContents, type FileTensor, type Refused, refusedBecause } from '../../formats/format';
import type { BytesRequest, ReadRequest, SentContents } from '../../formats/read-worker';
import workerAddress from '../../formats/read-worker.ts?worker&url';
import { startWorker } from '../../loading/start-worker';
import type { Geometry, InputName } from '../../protocol/problem';

/** The pinned cell of an input, and the geometry that its index is for. */
export interface PinnedInputCell {
  readonly tensor: InputName;
  readonly index: number;
  readonly geometry: Geometry;
}

export interface OpenedArrays {
  /** Name of the file, or "3 files"; '' for pasted text. */
  readonly name: string;
  readonly opened: FileContents | Refused;
  /** The cell that was pinned when the text was pasted; null: none. */
  readonly at: PinnedInputCell | null;
  /** Ends the worker that reads it, which frees its memory. */
  readonly end: () => void;
}

/** Timeout in ms. */
const TIMEOUT = 20_000;

const TIMED_OUT = refusedBecause(`reading took more than ${TIMEOUT / 1000} seconds and was stopped`);
const FAILED = refusedBecause('the file reader failed to load: check your connection and try again');

/** Opens files or a text in a worker, which stays alive to read the chosen arrays. */
export async function readInWorker(from: readonly File[] | string): Promise<Pick<OpenedArrays, 'opened' | 'end'>> {
  const worker = startWorker(workerAddress, 'conv2d reader');
  const waiting = new Set<() => void>();
  let why = TIMED_OUT;
  const end = () => {
    worker.terminate();
    for (const stop of [...waiting]) stop();
  };
  worker.onerror = () => {
    why = FAILED;
    end();
  };
  const files = typeof from === 'string' ? [] : from;
  worker.onmessage = async ({ data, ports: [port] }: MessageEvent<BytesRequest>) => {
    const part = files[data.file]?.slice(data.from, data.to);
    const bytes = (await part?.arrayBuffer().catch(() => null)) ?? null;
    port?.postMessage(bytes, bytes ? [bytes] : []);
  };
  const ask = <Answer>(request: ReadRequest) =>
    new Promise<Answer | Refused>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const timer = setTimeout(end, TIMEOUT);
      const done = (answer: Answer | Refused) => {
        clearTimeout(timer);
        waiting.delete(stop);
        port1.close();
        resolve(answer);
      };
      const stop = () => done(why);
      waiting.add(stop);
      port1.onmessage = ({ data }: MessageEvent<Answer | Refused>) => done(data);
      worker.postMessage(request, [port2]);
    });
  const entries = files.map(({ name, size }) => ({ name, size }));
  const opened = await ask<SentContents>({ from: typeof from === 'string' ? from : entries });
  if ('refusal' in opened) return { opened, end };
  const tensors = opened.tensors.map((header, tensor) => ({ ...header, read: () => ask<FileTensor>({ tensor }) }));
  return { opened: { ...opened, tensors }, end };
}
