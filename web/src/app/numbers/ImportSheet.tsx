import { useRef, useState } from 'preact/hooks';
import { type FileContents, sentenceOf, shapeText } from '../../formats/format';
import { arrange, type LayoutReading } from '../../formats/layouts';
import { cellName } from '../../geometry/labels';
import type { ConvDesc, CountName, TensorName } from '../../protocol/problem';
import { SIZES } from '../../protocol/size-table';
import { INPUTS, type InputName, RESULTS } from '../../protocol/tensors';
import { editNumbers } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { Refusal } from '../../ui/notices';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import {
  ArrayChoice,
  guess,
  isUseful,
  offersOf,
  readingText,
  sizesOf,
  type TensorChoice,
  type TensorChoices,
  useArrays,
} from './ArrayChoice';
import { Comparisons, type Imported } from './Comparisons';
import type { OpenedArrays } from './opened-arrays';
import { acceptEdit, blockOf, OpenSavedProblem, PasteBlock } from './PasteBlock';
import './numbers-sheet.css';

interface ImportSheetProps {
  readonly page: Page;
  readonly numbers: OpenedArrays;
  readonly onClose: () => void;
}

/** Capitalizes a sentence, unless it begins with a file name or a field name. */
const capitalized = (text: string): string =>
  /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

const labelOf = (name: string): string => name || 'the pasted text';

/** Asks which tensor each imported array is and in which axis order: the shape alone does not determine it. */
export function ImportSheet({ page, numbers, onClose }: ImportSheetProps) {
  const { name, opened, at } = numbers;
  const closer = useRef<(() => void) | null>(null);
  const [imported, setImported] = useState<readonly Imported[] | null>(null);
  const close = () => closer.current?.();
  return (
    <Sheet
      title={imported ? 'Comparison' : name ? `Import ${name}` : 'Import pasted values'}
      wide={imported !== null}
      closer={closer}
      onClose={onClose}
    >
      {'refusal' in opened ? (
        <p role="alert">
          Nothing was changed: {labelOf(name)} could not be read.{' '}
          <strong>{capitalized(sentenceOf(opened.refusal))}.</strong>
        </p>
      ) : imported ? (
        <Comparisons page={page} imported={imported} onBack={() => setImported(null)} onDone={close} />
      ) : (
        <ImportForm page={page} name={name} opened={opened} at={at} onCompare={setImported} onTaken={close} />
      )}
    </Sheet>
  );
}

interface ImportFormProps {
  readonly page: Page;
  readonly name: string;
  readonly opened: FileContents;
  readonly onCompare: (imported: readonly Imported[]) => void;
  readonly onTaken: () => void;
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

function WholeTensors({ page, name, opened, onCompare, onTaken }: ImportFormProps) {
  const { store } = page;
  const before = store.problem.value.desc;
  const [choices, setChoices] = useState<TensorChoices>(() => guess(opened, before));
  const [why, setWhy] = useState<string | null>(null);
  const offers = offersOf(opened, choices, before);
  const read = useArrays(opened, choices);
  const choose = (target: TensorName, choice: TensorChoice | null) => {
    setWhy(null);
    const { [target]: _, ...others } = choices;
    setChoices(choice ? { ...others, [target]: choice } : others);
  };
  const isChosen = (target: TensorName) => choices[target] !== undefined;
  const [takes, compares] = [INPUTS.filter(isChosen), RESULTS.filter(isChosen)];
  const after = offers.desc;
  const sizes = sizesOf(after);
  /** The values of a choice in each axis order, or what is wrong with it. */
  const numbersOf = (target: TensorName) => {
    const [offer, choice] = [offers.tensors[target], choices[target]];
    const tensor = choice && read.get(choice.tensor);
    if (!offer || !tensor) return 'the values are still loading';
    if ('refusal' in tensor) return sentenceOf(tensor.refusal);
    const { reading, readings, order, listed } = offer;
    if (!reading) return `${shapeText(listed.shape)} does not fit ${target} of this convolution`;
    const arranged = (one: LayoutReading) => ({ text: readingText(one), values: arrange(tensor.values, one, order) });
    return {
      ...arranged(reading),
      others: () => readings.filter((one) => one.fits && one !== reading).map(arranged),
    };
  };
  const take = () => {
    const tensors: Partial<Record<InputName, Float32Array>> = {};
    for (const input of takes) {
      const found = numbersOf(input);
      if (typeof found === 'string') return setWhy(found);
      tensors[input] = found.values;
    }
    const imported: Imported[] = [];
    for (const result of compares) {
      const found = numbersOf(result);
      if (typeof found === 'string') return setWhy(found);
      imported.push({ ...found, result, others: found.others() });
    }
    if (takes.length > 0) {
      const edit = () => editNumbers(store.problem.peek(), { desc: after, tensors, name });
      const refused = acceptEdit(store, edit, { field: 'x', text: labelOf(name) });
      if (refused !== null) return setWhy(refused);
    }
    if (imported.length > 0) onCompare(imported);
    else onTaken();
  };
  const question = (target: TensorName, without: string) => (
    <ArrayChoice
      key={target}
      target={target}
      without={without}
      opened={opened}
      sizes={sizes}
      choice={choices[target]}
      offer={offers.tensors[target]}
      read={choices[target] && read.get(choices[target].tensor)}
      onChoose={(choice) => choose(target, choice)}
    />
  );
  return (
    <div class="numbers">
      {opened.link !== '' && <OpenSavedProblem page={page} opened={opened} onTaken={onTaken} />}
      {opened.notes.map((note) => (
        <p key={note} class="value-source__note">
          {note}
        </p>
      ))}
      {!isUseful(opened, sizes) && (
        <p>
          Nothing can be imported: no tensor of a convolution has the shape{' '}
          {opened.tensors.map(({ shape }) => shapeText(shape)).join(', ')}. Arrays need at most four axes, and sizes
          within the limits of this page.
        </p>
      )}
      {INPUTS.map((input) => question(input, 'unchanged'))}
      <SizeChanges before={before} after={after} />
      <details class="numbers__compare" open={compares.length > 0}>
        <summary>Compare with the results of this page</summary>
        {RESULTS.map((result) => question(result, 'do not compare'))}
      </details>
      <div class="numbers__end">
        <Button kind="primary" disabled={takes.length + compares.length === 0} onClick={take}>
          {actionText(takes, compares)}
        </Button>
        <Refusal why={why} />
      </div>
    </div>
  );
}

function actionText(takes: readonly TensorName[], compares: readonly TensorName[]): string {
  if (compares.length === 0) return 'Import';
  const compared = compares.join(', ');
  return takes.length === 0 ? `Compare ${compared}` : `Import ${takes.join(', ')}, then compare ${compared}`;
}

const SHOWN = ['n', 'h', 'w', 'c', 'kh', 'kw', 'k', 'groups'] as const;
const nameOf = (size: CountName): string => (size === 'n' ? 'images' : SIZES[size].label);

/** Sizes of the problem that an import changes. */
function SizeChanges({ before, after }: { readonly before: ConvDesc; readonly after: ConvDesc }) {
  const changed = SHOWN.filter((size) => before[size] !== after[size]);
  if (changed.length === 0) return null;
  return (
    <p>Sizes that change: {changed.map((size) => `${nameOf(size)} ${before[size]} → ${after[size]}`).join(', ')}.</p>
  );
}
