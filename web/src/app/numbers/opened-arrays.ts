import { type FileContents, type FileTensor, type Refused, refuse } from '../../formats/format';
import type { ReadMessage, ReadRequest, SentContents } from '../../formats/read-worker';
import workerAddress from '../../formats/read-worker.ts?worker&url';
import type { Geometry } from '../../protocol/problem';
import type { InputName } from '../../protocol/tensors';
import { scriptAddress } from '../../trust/script-address';

/** The pinned cell of an input, and the geometry that its index is for. */
export interface PinnedInputCell {
  readonly tensor: InputName;
  readonly index: number;
  readonly geometry: Geometry;
}

/** An opened file or a pasted text, and what was read from it. */
export interface OpenedArrays {
  /** File name; '' for pasted text. */
  readonly name: string;
  readonly opened: FileContents | Refused;
  /** The cell that was pinned when the text was pasted; null: none. */
  readonly at: PinnedInputCell | null;
  /** Ends the worker that reads it, which frees its memory. */
  readonly end: () => void;
}

/** Timeout in ms. */
const TIMEOUT = 20_000;

const TIMED_OUT = refuse(`reading took more than ${TIMEOUT / 1000} seconds and was stopped`);
const FAILED = refuse('the file reader failed to load: check your connection and try again');

/** Opens a file or a text in a worker, which stays alive to read the chosen arrays. */
export async function readInWorker(name: string, from: Blob | string): Promise<Pick<OpenedArrays, 'opened' | 'end'>> {
  const worker = new Worker(scriptAddress(workerAddress), { type: 'module', name: 'conv2d reader' });
  const waiting = new Map<number | 'opened', (answer: ReadMessage | null) => void>();
  const end = () => {
    worker.terminate();
    for (const done of [...waiting.values()]) done(null);
  };
  worker.onmessage = ({ data }: MessageEvent<ReadMessage>) =>
    waiting.get('opened' in data ? 'opened' : data.tensor)?.(data);
  let why = TIMED_OUT;
  worker.onerror = () => {
    why = FAILED;
    end();
  };
  const ask = (key: number | 'opened', request: ReadRequest) =>
    new Promise<ReadMessage | null>((resolve) => {
      const timer = setTimeout(end, TIMEOUT);
      waiting.set(key, (answer) => {
        clearTimeout(timer);
        waiting.delete(key);
        resolve(answer);
      });
      worker.postMessage(request);
    });
  const read = async (tensor: number): Promise<FileTensor | Refused> => {
    const answer = await ask(tensor, { tensor });
    return answer && 'read' in answer ? answer.read : why;
  };
  const answer = await ask('opened', { name, from });
  const opened = answer && 'opened' in answer ? answer.opened : why;
  return { opened: 'refusal' in opened ? opened : listed(opened, read), end };
}

const listed = (sent: SentContents, read: (tensor: number) => Promise<FileTensor | Refused>): FileContents => ({
  ...sent,
  tensors: sent.tensors.map((tensor, index) => ({ ...tensor, read: () => read(index) })),
});
