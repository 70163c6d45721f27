import { useMemo, useRef, useState } from 'preact/hooks';
import { type FileContents, sentenceOf, shapeText } from '../../formats/format';
import { arrange, type LayoutReading, orderOf, readingsOf, type Sizes } from '../../formats/layouts';
import { cellName } from '../../geometry/labels';
import {
  type ConvDesc,
  type CountName,
  INPUTS,
  type InputName,
  RESULTS,
  TENSORS,
  type TensorName,
} from '../../protocol/problem';
import { SIZES } from '../../protocol/size-table';
import { editNumbers } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { Refusal } from '../../ui/notices';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { ArrayChoice, lossText, readingText, useArrays } from './ArrayChoice';
import { Comparisons, type Imported } from './Comparisons';
import { type Offers, sizesOf, type TensorChoice, type TensorChoices } from './offers';
import type { OpenedArrays } from './opened-arrays';
import { acceptEdit, blockOf, OpenSavedProblem, PasteBlock, type SavedProblemProps } from './PasteBlock';
import { GeometryChoice, misfitTexts, Solutions } from './Solutions';
import { type Solution, solutionsOf } from './solve';
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
  const [compared, setCompared] = useState<Compared | null>(null);
  const close = () => closer.current?.();
  return (
    <Sheet
      title={compared ? 'Comparison' : name ? `Import ${name}` : 'Import pasted values'}
      wide={compared !== null}
      closer={closer}
      onClose={onClose}
    >
      {'refusal' in opened ? (
        <p role="alert">
          Nothing was changed: {labelOf(name)} could not be read.{' '}
          <strong>{capitalized(sentenceOf(opened.refusal))}.</strong>
        </p>
      ) : compared ? (
        <>
          {compared.solutions.length > 1 && <GeometryChoice page={page} solutions={compared.solutions} />}
          <Comparisons page={page} imported={compared.imported} onBack={() => setCompared(null)} onDone={close} />
        </>
      ) : (
        <ImportForm page={page} name={name} opened={opened} at={at} onCompare={setCompared} onTaken={close} />
      )}
    </Sheet>
  );
}

interface Compared {
  readonly imported: readonly Imported[];
  /** With the axis orders of the import. */
  readonly solutions: readonly Solution[];
}

interface ImportFormProps extends SavedProblemProps {
  readonly name: string;
  readonly onCompare: (compared: Compared) => void;
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
  const { desc: before, b } = store.problem.value;
  const [chosen, setChosen] = useState<TensorChoices>({});
  const [picked, setPicked] = useState(0);
  const [why, setWhy] = useState<string | null>(null);
  const solutions = useMemo(() => solutionsOf(opened, chosen, before), [opened, chosen, before]);
  const solution = solutions[picked] ?? solutions[0];
  const { offers = NO_OFFERS, desc: after = before, isSolved = false } = solution ?? {};
  const read = useArrays(offers);
  const choose = (target: TensorName, choice: TensorChoice | null) => {
    setWhy(null);
    setPicked(0);
    // From the first choice on, no array changes its tensor by itself.
    const kept = TENSORS.map((name) => {
      const index = offers[name]?.tensor;
      const isTaken = index === undefined || index === choice?.tensor;
      return [name, name in chosen ? chosen[name] : isTaken ? null : { tensor: index, reading: null }];
    });
    setChosen({ ...Object.fromEntries(kept), [target]: choice });
  };
  const fits = (target: TensorName) => Boolean(offers[target]?.reading);
  const [takes, compares] = [INPUTS.filter(fits), RESULTS.filter(fits)];
  // The file has the y of a layer without a bias.
  const removesBias = b !== null && !offers.b && ['x', 'w', 'y'].every((one) => fits(one as TensorName));
  const sizes = sizesOf(after);
  /** The values of an array in each axis order, or what is wrong with it. */
  const numbersOf = async (target: TensorName) => {
    const offer = offers[target];
    if (!offer?.reading) return `there is no array for ${target}`;
    const tensor = read.get(offer.tensor) ?? (await offer.listed.read());
    if ('refusal' in tensor) return sentenceOf(tensor.refusal);
    const order = orderOf(target, after.layout);
    const arranged = (one: LayoutReading) => ({ text: readingText(one), values: arrange(tensor.values, one, order) });
    const others = offer.readings.filter((one) => one.fits && one !== offer.reading);
    return { ...arranged(offer.reading), others: () => others.map(arranged) };
  };
  const take = async () => {
    const tensors: Partial<Record<InputName, Float32Array>> = {};
    for (const input of takes) {
      const found = await numbersOf(input);
      if (typeof found === 'string') return setWhy(found);
      tensors[input] = found.values;
    }
    const imported: Imported[] = [];
    for (const result of compares) {
      const found = await numbersOf(result);
      if (typeof found === 'string') return setWhy(found);
      imported.push({ ...found, result, others: found.others() });
    }
    if (takes.length > 0) {
      const edit = () => editNumbers(store.problem.peek(), { desc: after, tensors, name, removesBias });
      const refused = acceptEdit(store, edit, { field: 'x', text: labelOf(name) });
      if (refused !== null) return setWhy(refused);
    }
    const orders = ordersOf(offers);
    const alike = takes.length > 0 ? solutions.filter((one) => ordersOf(one.offers) === orders) : [];
    if (imported.length > 0) onCompare({ imported, solutions: alike });
    else onTaken();
  };
  const question = (target: TensorName, without: string) => (
    <ArrayChoice
      key={target}
      target={target}
      without={without}
      opened={opened}
      sizes={sizes}
      offer={offers[target]}
      read={read.get(offers[target]?.tensor ?? -1)}
      onChoose={(choice) => choose(target, choice)}
    />
  );
  const inputs = INPUTS.map((input) => question(input, input === 'b' && removesBias ? 'no bias' : 'unchanged'));
  const results = RESULTS.map((result) => question(result, 'do not compare'));
  return (
    <div class="numbers">
      {opened.link !== '' && <OpenSavedProblem page={page} opened={opened} onTaken={onTaken} />}
      <Notes texts={opened.notes} />
      {!isUseful(opened, sizes) && (
        <p>
          Nothing can be imported: no tensor of a convolution has the shape{' '}
          {opened.tensors.map(({ shape }) => shapeText(shape)).join(', ')}. Arrays need at most four axes, and sizes
          within the limits of this page.
        </p>
      )}
      {solution && (
        <>
          <Notes texts={misfitTexts(solution)} name="field-message" />
          <Solutions
            solutions={solutions}
            picked={picked}
            note="If another one is right, set its stride and padding on the page, and import the file again."
            onPick={setPicked}
          />
        </>
      )}
      {isSolved && <Losses offers={offers} read={read} />}
      {isSolved ? (
        <details class="numbers__compare">
          <summary>Arrays and their axis orders</summary>
          {inputs}
          {results}
        </details>
      ) : (
        <>
          {inputs}
          <SizeChanges before={before} after={after} />
          <details class="numbers__compare" open={compares.length > 0}>
            <summary>Compare with the results of this page</summary>
            {results}
          </details>
        </>
      )}
      {isSolved && <SizeChanges before={before} after={after} />}
      {removesBias && <p>The file has no bias. The bias of the page is removed.</p>}
      <div class="numbers__end">
        <Button kind="primary" disabled={takes.length + compares.length === 0} onClick={() => void take()}>
          {actionText(takes, compares)}
        </Button>
        <Refusal why={why} />
      </div>
    </div>
  );
}

const NO_OFFERS: Offers = {};

const ordersOf = (offers: Offers): string => JSON.stringify(Object.values(offers).map(({ reading }) => reading?.name));

/** What is lost in reading the arrays. */
function Losses({ offers, read }: { readonly offers: Offers; readonly read: ReturnType<typeof useArrays> }) {
  const losses = Object.entries(offers).flatMap(([target, { tensor: index }]) => {
    const tensor = read.get(index);
    const text = tensor && ('refusal' in tensor ? `${sentenceOf(tensor.refusal)}.` : lossText(tensor));
    return text ? [`${target}: ${text}`] : [];
  });
  return <Notes texts={losses} />;
}

const Notes = ({ texts, name = 'value-source__note' }: { readonly texts: readonly string[]; readonly name?: string }) =>
  texts.map((text) => (
    <p key={text} class={name}>
      {text}
    </p>
  ));

/** Whether an array can be an input, or a result to compare. */
const isUseful = ({ tensors }: FileContents, sizes: Sizes): boolean =>
  tensors.some(({ shape }) => [...INPUTS, ...RESULTS].some((target) => readingsOf(shape, target, sizes).length > 0));

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
