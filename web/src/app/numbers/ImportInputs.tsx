import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type FileContents,
  type FileTensor,
  type Refused,
  refusalText,
  shapeText,
  type TensorHeader,
} from '../../formats/format';
import { arrange, type LayoutReading, orderOf, readingsOf, type Sizes } from '../../formats/layouts';
import { type ConvDesc, type CountName, INPUTS, type InputName } from '../../protocol/problem';
import { SIZES } from '../../protocol/size-table';
import type { FileVerdict } from '../../protocol/verdict';
import { editNumbers } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { RefusalNotice } from '../../ui/notices';
import { formatExact } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import type { Page } from '../page/page';
import {
  guessed,
  type InputChoice,
  type InputChoices,
  inputChoices,
  inputMisfit,
  inputsImport,
  layoutSizes,
  type Offer,
  type Offers,
} from './import-inputs';
import { acceptEdit } from './PasteBlock';

interface ImportInputsProps {
  readonly page: Page;
  readonly name: string;
  readonly opened: FileContents;
  /** Null: the arrays were not checked. */
  readonly verdict: FileVerdict | null;
  readonly onTaken: () => void;
}

/** Imports x, w, b and dy of a file without results. */
export function ImportInputs({ page, name, opened, verdict, onTaken }: ImportInputsProps) {
  const { store } = page;
  const { desc: current } = store.layer.value;
  const before = opened.desc ?? current;
  const [chosen, setChosen] = useState<InputChoices>({});
  const [why, setWhy] = useState<string | null>(null);
  const found = useMemo(() => {
    const read = inputChoices(verdict?.inputs);
    return Object.keys(read).length > 0 ? read : guessed(opened, before);
  }, [verdict, opened, before]);
  const choices = useMemo(() => ({ ...found, ...chosen }), [found, chosen]);
  const { desc, offers } = useMemo(
    () => inputsImport(opened, choices, before, verdict?.inputs),
    [opened, choices, before, verdict],
  );
  const read = useArrays(offers);
  const sizes = layoutSizes(desc);
  const takes = INPUTS.filter((input) => offers[input]?.reading);
  const choose = (target: InputName, choice: InputChoice | null) => {
    setWhy(null);
    // An array is one input only.
    const others = INPUTS.filter((one) => one !== target && choices[one]?.tensor === choice?.tensor && choice);
    setChosen({ ...chosen, ...Object.fromEntries(others.map((one) => [one, null])), [target]: choice });
  };
  const take = async () => {
    const tensors: Partial<Record<InputName, Float32Array>> = {};
    for (const input of takes) {
      const offer = offers[input];
      if (!offer?.reading) continue;
      const tensor = read.get(offer.tensor) ?? (await offer.listed.read());
      if ('refusal' in tensor) return setWhy(refusalText(tensor.refusal));
      tensors[input] = arrange(tensor.values, offer.reading, orderOf(input, desc.layout));
    }
    const edit = () => editNumbers(store.problem.peek(), store.layer.peek().index, { desc, tensors, name });
    const refused = acceptEdit(store, edit, { field: 'x', text: name || 'the pasted text' });
    if (refused !== null) return setWhy(refused);
    onTaken();
  };
  if (!INPUTS.some((input) => opened.tensors.some(({ shape }) => readingsOf(shape, input, sizes).length > 0))) {
    return (
      <p>
        Nothing can be imported: no input of a convolution has the shape{' '}
        {opened.tensors.map(({ shape }) => shapeText(shape)).join(', ')}. Arrays need at most four axes.
      </p>
    );
  }
  return (
    <>
      {INPUTS.map((input) => (
        <ArrayChoice
          key={input}
          target={input}
          without="unchanged"
          opened={opened}
          sizes={sizes}
          offer={offers[input]}
          read={read.get(offers[input]?.tensor ?? -1)}
          onChoose={(choice) => choose(input, choice)}
        />
      ))}
      {INPUTS.map((input) => {
        const offer = offers[input];
        return offer && !offer.reading ? (
          <p key={input} class="field-message">
            {inputMisfit(input, offer, desc)}
          </p>
        ) : null;
      })}
      <SizeChanges before={current} after={desc} />
      <div class="numbers__end row wrap loose">
        <Button kind="primary" disabled={takes.length === 0} onClick={() => void take()}>
          {takes.length === 0 ? 'Import' : `Import ${takes.join(', ')}`}
        </Button>
        <RefusalNotice why={why} />
      </div>
    </>
  );
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

const NOUNS: Readonly<Record<string, string>> = {
  ...{ N: 'image', H: 'row', W: 'column', C: 'channel', I: 'input channel', O: 'filter' },
};

/** "NHWC: 1 image, 5 rows, …" */
const readingText = ({ name, axes, shape, fits }: LayoutReading): string =>
  `${name}: ${[...axes].map((letter, axis) => counted(shape[axis] ?? 1, NOUNS[letter] ?? '')).join(', ')}${fits ? ' (fits)' : ''}`;

/** The values of a chosen array, or why they cannot be read. */
type Read = FileTensor | Refused;

/** Reads the chosen arrays only: a file may be large. */
export function useArrays(offers: Offers): ReadonlyMap<number, Read> {
  const [read, setRead] = useState<ReadonlyMap<TensorHeader, Read>>(new Map());
  /** Each array is read once. */
  const asked = useRef(new Set<TensorHeader>());
  useEffect(() => {
    for (const { listed } of Object.values(offers)) {
      if (asked.current.has(listed)) continue;
      asked.current.add(listed);
      listed.read().then((tensor) => setRead((others) => new Map([...others, [listed, tensor]])));
    }
  }, [offers]);
  return useMemo(() => {
    const found = Object.values(offers).map(({ tensor, listed }) => [tensor, read.get(listed)] as const);
    return new Map(found.filter((entry): entry is [number, Read] => entry[1] !== undefined));
  }, [offers, read]);
}

interface ArrayChoiceProps {
  readonly target: InputName;
  /** The option for no array. */
  readonly without: string;
  readonly opened: FileContents;
  /** Sizes of the problem after the import. */
  readonly sizes: Sizes;
  readonly offer: Offer | undefined;
  readonly read: Read | undefined;
  readonly onChoose: (choice: InputChoice | null) => void;
}

function ArrayChoice({ target, without, opened, sizes, offer, read, onChoose }: ArrayChoiceProps) {
  const possible = opened.tensors.flatMap(({ name, shape, stored }, index) =>
    index === offer?.tensor || readingsOf(shape, target, sizes).length > 0
      ? [{ value: index, label: `${name || 'these values'} ${shapeText(shape)}, ${stored}` }]
      : [],
  );
  if (possible.length === 0) return null;
  return (
    <section class="numbers__question grid">
      <Select
        label={target}
        options={[{ value: null, label: without }, ...possible]}
        value={offer?.tensor ?? null}
        onChange={(tensor) => onChoose(tensor === null ? null : { tensor, reading: null })}
      />
      {offer && offer.readings.length > 0 && (
        <Select
          label="read as"
          options={offer.readings.map((reading) => ({ value: reading.name, label: readingText(reading) }))}
          value={offer.reading?.name ?? null}
          placeholder="choose an axis order"
          onChange={(reading) => onChoose({ tensor: offer.tensor, reading })}
        />
      )}
      {offer && read && (
        <p class="value-source__note note">{'refusal' in read ? refusalText(read.refusal) : firstValues(read)}</p>
      )}
    </section>
  );
}

const FIRST = 6;

export function firstValues(tensor: FileTensor): string {
  const { values } = tensor;
  const first = Array.from(values.subarray(0, FIRST), (value) => formatExact(value)).join(', ');
  if (values.length === 0) return 'No values.';
  return `First values: ${first}${values.length > FIRST ? ' …' : '.'} ${lossText(tensor)}`.trimEnd();
}

/** "12 of 54 were rounded to float32."; '' if nothing was lost. */
function lossText({ values, loss: { rounded, overflowed } }: FileTensor): string {
  const infinite =
    overflowed === 1
      ? ' 1 is too large for float32 and becomes infinite.'
      : ` ${overflowed} are too large for float32 and become infinite.`;
  return rounded === 0
    ? ''
    : `${rounded} of ${values.length} were rounded to float32.${overflowed === 0 ? '' : infinite}`;
}
