import { toConvError } from '../../../../web/src/engine/validate';
import type { TensorHeader } from '../../../../web/src/formats/format';
import { openFiles, openText } from '../../../../web/src/formats/formats';
import type { BytesRequest, FileEntry, ReadRequest } from '../../../../web/src/formats/read-worker';
import type { JudgeMessage, JudgeRequest } from '../../../../web/src/protocol/judge';
import { judge } from '../../../../web/src/worker/judge';

/** In place of the workers that read arrays and that check them: in this process, with copies of messages as between threads. */

let working = 0;

/** Whether one of them has something to do. */
export const areArraysBusy = (): boolean => working > 0;

async function counted(work: () => Promise<void>): Promise<void> {
  working += 1;
  await work().finally(() => {
    working -= 1;
  });
}

const posted = <Data>(data: Data): MessageEvent<Data> =>
  new MessageEvent('message', { data: structuredClone(data) }) as MessageEvent<Data>;

interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage: (data: unknown) => void;
  close: () => void;
}

/** Delivers a message at once: the channels of Node deliver at times that the clock of a test does not know. */
export class InProcessChannel {
  readonly port1: Port = { onmessage: null, postMessage: () => undefined, close: () => undefined };
  readonly port2: Port = {
    onmessage: null,
    postMessage: (data) => this.port1.onmessage?.(posted(data)),
    close: () => undefined,
  };
}

abstract class ArrayWorker<Request> {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: (() => void) | null = null;
  protected isEnded = false;

  postMessage(request: Request, ports: readonly Port[] = []): void {
    void counted(() => this.answer(structuredClone(request), ports));
  }

  terminate(): void {
    this.isEnded = true;
  }

  protected abstract answer(request: Request, ports: readonly Port[]): Promise<void>;
}

export class InProcessReader extends ArrayWorker<ReadRequest> {
  #tensors: readonly TensorHeader[] = [];

  protected async answer(request: ReadRequest, [port]: readonly Port[]): Promise<void> {
    if ('tensor' in request) return port?.postMessage(await this.#tensors[request.tensor]?.read());
    const { from } = request;
    const sources = (entries: readonly FileEntry[]) =>
      entries.map((entry, file) => ({
        ...entry,
        bytes: (start: number, end: number) => this.#bytes({ file, from: start, to: end }),
      }));
    const opened = await (typeof from === 'string' ? openText(from) : openFiles(sources(from)));
    if ('refusal' in opened) return port?.postMessage(opened);
    this.#tensors = opened.tensors;
    const tensors = opened.tensors.map(({ name, shape, stored }) => ({ name, shape, stored }));
    port?.postMessage({ ...opened, tensors });
  }

  /** As the worker asks the page. */
  #bytes(data: BytesRequest): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const postMessage = (bytes: ArrayBuffer | null) =>
        bytes ? resolve(new Uint8Array(bytes)) : reject(new Error('the file could not be read'));
      this.onmessage?.({ data, ports: [{ postMessage }] } as unknown as MessageEvent);
    });
  }
}

export class InProcessJudge extends ArrayWorker<JudgeRequest> {
  protected async answer(request: JudgeRequest): Promise<void> {
    const message = await judge(request).then(
      (verdict): JudgeMessage => ({ type: 'verdict', verdict }),
      (thrown): JudgeMessage => ({ type: 'failed', message: toConvError(thrown).message }),
    );
    if (!this.isEnded) this.onmessage?.(posted(message));
  }
}
