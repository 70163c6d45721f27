import { useEffect, useRef, useState } from 'preact/hooks';
import { refusalText } from '../../formats/format';
import { cellName } from '../../geometry/labels';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { ProgressBar } from '../../ui/notices';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { type Compared, Comparisons } from './Comparisons';
import { ImportInputs } from './ImportInputs';
import { type Correction, NO_CORRECTION } from './judge-request';
import type { OpenedArrays } from './opened-arrays';
import { blockOf, OpenSavedProblem, PasteBlock, type SavedProblemProps } from './PasteBlock';
import { useJudgement } from './use-judgement';
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
        value={isWhole ? 'whole' : 'cell'}
        options={[
          { value: 'cell', label: `from ${name}` },
          { value: 'whole', label: 'as a whole tensor' },
        ]}
        onChange={(value) => setWhole(value === 'whole')}
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
  const isHidden = page.look.masked.value.length > 0;
  return (
    <div class="numbers">
      {opened.link !== '' && <OpenSavedProblem page={page} opened={opened} onTaken={onTaken} />}
      <Notes texts={opened.notes} />
      {judgement.status === 'working' && <ProgressBar label={judgement.what} fraction={null} onCancel={cancel} />}
      {'message' in judgement && <NotChecked {...judgement} onRetry={retry} />}
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

interface NotCheckedProps {
  readonly status: 'failed' | 'canceled' | 'too_large';
  readonly message: string;
  readonly onRetry: () => void;
}

function NotChecked({ status, message, onRetry }: NotCheckedProps) {
  return (
    <div class={status === 'failed' ? 'notice row wrap notice--wrong' : 'notice row wrap'} role="status">
      <p>{message}</p>
      {status !== 'too_large' && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

const Notes = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.map((text) => (
    <p key={text} class="value-source__note note">
      {text}
    </p>
  ));
