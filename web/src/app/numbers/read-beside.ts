import { type FileTensor, type Opened, type Refused, refuse } from '../../formats/format';
import type { ReadMessage, ReadRequest, SentOpened } from '../../formats/read-worker';
import workerAddress from '../../formats/read-worker.ts?worker&url';
import { scriptAddress } from '../../trust/script-address';

/** Whoever waits longer, in milliseconds, waits for something that does not come. */
const MOST = 20_000;

const LATE = refuse(`reading it took longer than ${MOST / 1000} seconds, and was stopped`);
const FAILED = refuse('what reads numbers could not be fetched: check the connection, then try again');

export interface Beside {
  readonly opened: Opened | Refused;
  /** Nothing more is read: gives the memory back. */
  readonly end: () => void;
}

/** Opens a file or a text in a worker of its own, which stays for the tensors that are chosen. */
export async function readBeside(name: string, from: Blob | string): Promise<Beside> {
  const worker = new Worker(scriptAddress(workerAddress), { type: 'module', name: 'conv2d reader' });
  const waiting = new Map<number | 'opened', (answer: ReadMessage | null) => void>();
  const end = () => {
    worker.terminate();
    for (const done of [...waiting.values()]) done(null);
  };
  worker.onmessage = ({ data }: MessageEvent<ReadMessage>) =>
    waiting.get('opened' in data ? 'opened' : data.tensor)?.(data);
  let why = LATE;
  worker.onerror = () => {
    why = FAILED;
    end();
  };
  const ask = (key: number | 'opened', request: ReadRequest) =>
    new Promise<ReadMessage | null>((resolve) => {
      const timer = setTimeout(end, MOST);
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

const listed = (sent: SentOpened, read: (tensor: number) => Promise<FileTensor | Refused>): Opened => ({
  ...sent,
  tensors: sent.tensors.map((tensor, index) => ({ ...tensor, read: () => read(index) })),
});
