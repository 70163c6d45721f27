import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { startJudge } from '../../compute/judge-client';
import { countOf, type FileContents, type FileTensor, refusalText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import { FILE_LIMITS } from '../../protocol/file-limits';
import type { JudgeRequest } from '../../protocol/judge';
import type { FileVerdict } from '../../protocol/verdict';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { ProgressBar } from '../../ui/notices';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { Comparisons } from './Comparisons';
import { ImportInputs } from './ImportInputs';
import { type Compared, type Correction, judgeFile, NO_CORRECTION } from './judge-request';
import type { OpenedArrays } from './opened-arrays';
import { blockOf, OpenSavedProblem, PasteBlock, type SavedProblemProps } from './PasteBlock';
import { Verdict } from './Verdict';
import './numbers-sheet.css';

interface ImportSheetProps {
  readonly page: Page;
  readonly numbers: OpenedArrays;
  readonly onClose: () => void;
}

/** Capitalizes a sentence, unless it begins with a file name or a field name. */
const capitalized = (text: string): string =>
  /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Checks the results of opened arrays, and imports arrays. */
export function ImportSheet({ page, numbers, onClose }: ImportSheetProps) {
  const { name, opened, at } = numbers;
  const closer = useRef<(() => void) | null>(null);
  const [compared, setCompared] = useState<Compared | null>(null);
  /** Null: not known yet. */
  const [isVerdict, setVerdict] = useState<boolean | null>('refusal' in opened ? false : null);
  const close = () => closer.current?.();
  const file = name || 'pasted values';
  const title = isVerdict ? `Check of ${file}` : `Import ${file}`;
  return (
    <Sheet
      title={compared ? 'Cell by cell' : isVerdict === null ? capitalized(file) : title}
      wide={compared !== null || isVerdict === true}
      closer={closer}
      onClose={onClose}
    >
      {'refusal' in opened ? (
        <p role="alert">
          Nothing was changed: {name || 'the pasted text'} could not be read.{' '}
          <strong>{capitalized(refusalText(opened.refusal))}.</strong>
        </p>
      ) : (
        <>
          {compared && <Comparisons page={page} imported={compared} onBack={() => setCompared(null)} onDone={close} />}
          <div hidden={compared !== null}>
            <ImportForm
              page={page}
              name={name}
              opened={opened}
              at={at}
              onCompare={setCompared}
              onVerdict={setVerdict}
              onTaken={close}
            />
          </div>
        </>
      )}
    </Sheet>
  );
}

interface ImportFormProps extends SavedProblemProps {
  readonly name: string;
  readonly onCompare: (compared: Compared) => void;
  /** Called with whether a verdict is shown. */
  readonly onVerdict: (isVerdict: boolean) => void;
}

/** A table is pasted at the pinned cell or becomes a whole tensor. */
function ImportForm({ at, ...props }: ImportFormProps & Pick<OpenedArrays, 'at'>) {
  const block = at && blockOf(props.opened);
  const [isWhole, setWhole] = useState(block === null);
  if (!at || !block) return <WholeTensors {...props} />;
  const name = cellName(at.geometry, at);
  return (
    <div class="numbers">
      <Segmented
        label="where"
        value={isWhole}
        options={[
          { value: false, label: `from ${name}` },
          { value: true, label: 'as a whole tensor' },
        ]}
        onChange={setWhole}
      />
      {isWhole ? (
        <WholeTensors {...props} />
      ) : (
        <PasteBlock page={props.page} listed={block} at={at} name={name} onTaken={props.onTaken} />
      )}
    </div>
  );
}

function WholeTensors({ page, name, opened, onCompare, onVerdict, onTaken }: ImportFormProps) {
  const [correction, setCorrection] = useState<Correction>(NO_CORRECTION);
  const { judgement, cancel, retry } = useJudgement(page, opened, correction);
  const isJudged = judgement.status === 'judged';
  // Corrected arrays stay a check, even if nothing can be judged with them.
  const isVerdict = isJudged && (judgement.verdict.layers.length > 0 || correction !== NO_CORRECTION);
  useEffect(() => {
    if (judgement.status !== 'working') onVerdict(isVerdict);
  }, [judgement, isVerdict, onVerdict]);
  const isHidden = page.look.hiddenCells.value.length > 0;
  return (
    <div class="numbers">
      {opened.link !== '' && <OpenSavedProblem page={page} opened={opened} onTaken={onTaken} />}
      {opened.notes.map((note) => (
        <p key={note} class="value-source__note note">
          {note}
        </p>
      ))}
      {judgement.status === 'working' && <ProgressBar label={judgement.what} fraction={null} onCancel={cancel} />}
      {'message' in judgement && (
        <div class={`notice row wrap ${judgement.status === 'failed' ? 'notice--wrong' : ''}`} role="status">
          <p>{judgement.message}</p>
          {judgement.status !== 'too_large' && <Button onClick={retry}>Try again</Button>}
        </div>
      )}
      {isJudged && isHidden && (
        <p class="value-source__note note">
          Some values of this page are hidden, so its values are not used in the check.
        </p>
      )}
      {isJudged && isVerdict && (
        <Verdict
          {...{ page, name, opened, correction, onCompare, onTaken }}
          verdict={judgement.verdict}
          read={judgement.read}
          onCorrect={setCorrection}
        />
      )}
      {judgement.status !== 'working' && !isVerdict && (
        <ImportInputs {...{ page, name, opened, onTaken }} verdict={isJudged ? judgement.verdict : null} />
      )}
    </div>
  );
}

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

/** Reads all arrays of the file once. Returns a sentence if one cannot be read. */
async function readAll({ tensors }: FileContents, signal: AbortSignal): Promise<Map<number, FileTensor> | string> {
  const read = new Map<number, FileTensor>();
  for (const [index, header] of tensors.entries()) {
    const tensor = await header.read();
    signal.throwIfAborted();
    if ('refusal' in tensor) return `${header.name || 'The array'} could not be read: ${refusalText(tensor.refusal)}.`;
    read.set(index, tensor);
  }
  return read;
}

/** Asks the worker. After an abort, nothing waits for the answer. */
const judgeIn =
  (signal: AbortSignal) =>
  (request: JudgeRequest): Promise<FileVerdict> =>
    new Promise((resolve, reject) => {
      const end = startJudge(request, (message) => {
        if (message.type === 'verdict') resolve(message.verdict);
        else reject(new Error(message.message));
      });
      signal.addEventListener('abort', end);
    });

/** Judges the arrays of a file, again after each correction. */
function useJudgement(page: Page, opened: FileContents, correction: Correction) {
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
