import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { startJudge } from '../../compute/judge-client';
import { countOf, type FileContents, type FileTensor, refusalText } from '../../formats/format';
import { FILE_LIMITS } from '../../protocol/file-limits';
import type { JudgeRequest } from '../../protocol/judge';
import type { FileVerdict } from '../../protocol/verdict';
import type { Page } from '../page/page';
import { type Correction, judgeFile } from './judge-request';

type ImportJudgement =
  | { readonly status: 'working'; readonly what: string }
  /** Not judged; the inputs can still be imported. */
  | { readonly status: 'failed' | 'canceled' | 'too_large'; readonly message: string }
  | { readonly status: 'judged'; readonly verdict: FileVerdict; readonly read: ReadonlyMap<number, FileTensor> };

const WORKING: ImportJudgement = { status: 'working', what: 'Reading the arrays' };
const CHECKING: ImportJudgement = { status: 'working', what: 'Checking the arrays' };
const CANCELED: ImportJudgement = { status: 'canceled', message: 'Canceled. The arrays were not checked.' };

/** "These arrays have 48.2 million numbers together; …", or null. */
export function tooLarge({ tensors }: Pick<FileContents, 'tensors'>): string | null {
  const count = tensors.reduce((sum, { shape }) => sum + countOf(shape), 0);
  if (count <= FILE_LIMITS.judged) return null;
  const millions = (numbers: number) => `${Math.round(numbers / 1e5) / 10} million numbers`;
  return `These arrays have ${millions(count)}. The page checks up to ${millions(FILE_LIMITS.judged)}: save one layer, or fewer images (x[:1]).`;
}

class Canceled extends Error {}

/** Reads all arrays of the file once. Returns a sentence if one cannot be read. */
async function readAll({ tensors }: FileContents, signal: AbortSignal): Promise<Map<number, FileTensor> | string> {
  const read = new Map<number, FileTensor>();
  for (const [index, header] of tensors.entries()) {
    const tensor = await header.read();
    if (signal.aborted) throw new Canceled();
    if ('refusal' in tensor) return `${header.name || 'The array'} could not be read: ${refusalText(tensor.refusal)}.`;
    read.set(index, tensor);
  }
  return read;
}

const judgeIn =
  (signal: AbortSignal) =>
  (request: JudgeRequest): Promise<FileVerdict> =>
    new Promise((resolve, reject) => {
      const end = startJudge(request, (message) => {
        if (message.type === 'verdict') resolve(message.verdict);
        else reject(new Error(message.message));
      });
      signal.addEventListener('abort', () => {
        end();
        reject(new Canceled());
      });
    });

/** Judges the arrays of a file, again after each correction. */
export function useJudgement(page: Page, opened: FileContents, correction: Correction) {
  const [judgement, setJudgement] = useState<ImportJudgement>(WORKING);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const read = useRef<ReadonlyMap<number, FileTensor> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt runs it again
  useEffect(() => {
    const message = tooLarge(opened);
    if (message) {
      setJudgement({ status: 'too_large', message });
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const run = async (): Promise<ImportJudgement> => {
      const arrays = read.current ?? (await readAll(opened, signal));
      if (typeof arrays === 'string') return { status: 'failed', message: arrays };
      read.current = arrays;
      setJudgement(CHECKING);
      return {
        status: 'judged',
        verdict: await judgeFile(page, opened, arrays, correction, judgeIn(signal)),
        read: arrays,
      };
    };
    setJudgement(read.current ? CHECKING : WORKING);
    run().then(
      (found) => {
        if (!signal.aborted) setJudgement(found);
      },
      (thrown: unknown) => {
        if (signal.aborted) return;
        const message = thrown instanceof Error ? thrown.message : String(thrown);
        setJudgement({ status: 'failed', message: `The arrays were not checked: ${message}.` });
      },
    );
    return () => controller.abort();
  }, [page, opened, correction, attempt]);
  const cancel = useCallback(() => {
    running.current?.abort();
    setJudgement(CANCELED);
  }, []);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { judgement, cancel, retry };
}
