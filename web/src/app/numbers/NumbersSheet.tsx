import { useEffect, useRef, useState } from 'preact/hooks';
import { type FileTensor, type Opened, type Refused, sentenceOf, shapeText } from '../../formats/format';
import { arrange, readingsOf, type Sizes } from '../../formats/layouts';
import type { ConvDesc, TensorName } from '../../protocol/problem';
import { affordable } from '../../state/edits';
import { editNumbers } from '../../state/number-edits';
import type { InputName } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';
import { Sheet } from '../Sheet';
import type { Brought } from './brought';
import { Comparisons } from './Comparisons';
import {
  type Choice,
  type Choices,
  guess,
  INPUTS,
  type Offer,
  offersOf,
  RESULTS,
  readingText,
  sizesOf,
} from './offers';
import './numbers-sheet.css';

interface NumbersSheetProps {
  readonly page: Page;
  readonly numbers: { readonly name: string; readonly opened: Opened | Refused };
  readonly onClose: () => void;
}

/** Asks what numbers from outside shall be: a shape never proves a layout, and nothing is replaced unasked. */
export function NumbersSheet({ page, numbers, onClose }: NumbersSheetProps) {
  const { name, opened } = numbers;
  const closer = useRef<(() => void) | null>(null);
  const [brought, setBrought] = useState<readonly Brought[] | null>(null);
  const close = () => closer.current?.();
  return (
    <Sheet
      title={brought ? 'Compared with what is computed here' : `Numbers of ${name}`}
      wide={brought !== null}
      closer={closer}
      onClose={onClose}
    >
      {'refusal' in opened ? (
        <p role="alert">
          Nothing was changed, since {name} could not be read. <strong>{sentenceOf(opened.refusal)}.</strong>
        </p>
      ) : brought ? (
        <Comparisons page={page} brought={brought} onBack={() => setBrought(null)} onDone={close} />
      ) : (
        <Questions page={page} name={name} opened={opened} onCompare={setBrought} onTaken={close} />
      )}
    </Sheet>
  );
}

type Read = FileTensor | Refused;

interface QuestionsProps {
  readonly page: Page;
  readonly name: string;
  readonly opened: Opened;
  readonly onCompare: (brought: readonly Brought[]) => void;
  readonly onTaken: () => void;
}

function Questions({ page, name, opened, onCompare, onTaken }: QuestionsProps) {
  const { store } = page;
  const before = store.problem.value.desc;
  const [choices, setChoices] = useState<Choices>(() => guess(opened, before));
  const [why, setWhy] = useState<string | null>(null);
  const offers = offersOf(opened, choices, before);
  const read = useRead(opened, choices);
  const choose = (target: TensorName, choice: Choice | null) => {
    setWhy(null);
    const { [target]: _, ...others } = choices;
    setChoices(choice ? { ...others, [target]: choice } : others);
  };
  const isChosen = (target: TensorName) => choices[target] !== undefined;
  const [takes, compares] = [INPUTS.filter(isChosen), RESULTS.filter(isChosen)];
  /** What is wrong with a choice, or its numbers as they were read. */
  const numbersOf = (target: TensorName): string | { readonly values: Float32Array; readonly offer: Offer } => {
    const [offer, choice] = [offers.tensors[target], choices[target]];
    const tensor = choice && read.get(choice.tensor);
    if (!offer || !tensor) return 'the numbers are still being read';
    if ('refusal' in tensor) return sentenceOf(tensor.refusal);
    if (!offer.reading) return `${shapeText(offer.listed.shape)} cannot be ${target} of this convolution`;
    return { values: tensor.values, offer };
  };
  const take = () => {
    const tensors: Partial<Record<InputName, Float32Array>> = {};
    for (const input of takes) {
      const found = numbersOf(input);
      if (typeof found === 'string') return setWhy(found);
      const { values, offer } = found;
      if (offer.reading) tensors[input] = arrange(values, offer.reading, offer.order);
    }
    const brought: Brought[] = [];
    for (const made of compares) {
      const found = numbersOf(made);
      if (typeof found === 'string') return setWhy(found);
      const { values, offer } = found;
      const fitting = offer.readings.filter(({ fits }) => fits);
      const [chosen, ...others] = [offer.reading, ...fitting.filter((one) => one !== offer.reading)].flatMap((one) =>
        one ? [{ text: readingText(one), values: arrange(values, one, offer.order) }] : [],
      );
      if (chosen) brought.push({ made, name: offer.listed.name || name, ...chosen, others });
    }
    if (takes.length > 0) {
      const edited = affordable(() => editNumbers(store.problem.peek(), { desc: offers.desc, tensors }));
      if ('error' in edited) return setWhy(edited.error.message);
      store.accept(edited, { field: 'x', text: name }, 'sizes');
    }
    if (brought.length > 0) onCompare(brought);
    else onTaken();
  };
  const question = (target: TensorName, without: string) => (
    <Question
      key={target}
      target={target}
      without={without}
      opened={opened}
      sizes={sizesOf({ ...before, ...offers.desc })}
      choice={choices[target]}
      offer={offers.tensors[target]}
      read={choices[target] && read.get(choices[target].tensor)}
      onChoose={(choice) => choose(target, choice)}
    />
  );
  const results = RESULTS.map((made) => question(made, 'is not compared'));
  return (
    <div class="numbers">
      {opened.notes.map((note) => (
        <p key={note} class="value-source__note">
          {note}
        </p>
      ))}
      {INPUTS.map((input) => question(input, 'stays as it is'))}
      <Changes before={before} after={{ ...before, ...offers.desc }} />
      <details class="numbers__compare" open={compares.length > 0}>
        <summary>Compare with what is computed here</summary>
        {results}
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
  if (compares.length === 0) return 'Take these numbers';
  const compared = compares.join(', ');
  return takes.length === 0 ? `Compare ${compared}` : `Take ${takes.join(', ')}, then compare ${compared}`;
}

/** The numbers of what is chosen: of a large file nothing else is read. */
function useRead(opened: Opened, choices: Choices): ReadonlyMap<number, Read> {
  const [read, setRead] = useState<ReadonlyMap<number, Read>>(new Map());
  useEffect(() => {
    let current = true;
    for (const choice of Object.values(choices)) {
      if (read.has(choice.tensor)) continue;
      opened.tensors[choice.tensor]?.read().then((tensor) => {
        if (current) setRead((others) => new Map([...others, [choice.tensor, tensor]]));
      });
    }
    return () => {
      current = false;
    };
  }, [opened, choices, read]);
  return read;
}

interface QuestionProps {
  readonly target: TensorName;
  /** What becomes of it without any. */
  readonly without: string;
  readonly opened: Opened;
  /** Of the problem as it will be. */
  readonly sizes: Sizes;
  readonly choice: Choice | undefined;
  readonly offer: Offer | undefined;
  readonly read: Read | undefined;
  readonly onChoose: (choice: Choice | null) => void;
}

function Question({ target, without, opened, sizes, choice, offer, read, onChoose }: QuestionProps) {
  const possible = opened.tensors.flatMap(({ name, shape, stored }, index) =>
    index === choice?.tensor || readingsOf(shape, target, sizes).length > 0
      ? [{ value: String(index), label: `${name || 'these numbers'} ${shapeText(shape)}, ${stored}` }]
      : [],
  );
  if (possible.length === 0) return null;
  return (
    <section class="numbers__question">
      <Select
        label={target}
        options={[{ value: '-', label: without }, ...possible]}
        value={choice ? String(choice.tensor) : '-'}
        onChange={(value) => onChoose(value === '-' ? null : { tensor: Number(value), reading: null })}
      />
      {choice && offer && offer.readings.length > 0 && (
        <Select
          label="read as"
          options={offer.readings.map((reading, index) => ({ value: String(index), label: readingText(reading) }))}
          value={String(offer.reading ? offer.readings.indexOf(offer.reading) : 0)}
          onChange={(value) => onChoose({ ...choice, reading: Number(value) })}
        />
      )}
      {offer && !offer.reading && <p class="field-message">It cannot be {target}: the sizes do not fit.</p>}
      {choice && read && (
        <p class="value-source__note">{'refusal' in read ? sentenceOf(read.refusal) : firstNumbers(read)}</p>
      )}
    </section>
  );
}

const FIRST = 6;

function firstNumbers({ values, loss }: FileTensor): string {
  const first = Array.from(values.subarray(0, FIRST), (value) => formatExact(value)).join(', ');
  const rounded = loss.rounded === 0 ? '' : ` ${loss.rounded} of ${values.length} are rounded to float32.`;
  const infinite = loss.overflowed === 0 ? '' : ` ${loss.overflowed} are too large for it and become infinite.`;
  return `It begins ${first}${values.length > FIRST ? ' …' : '.'}${rounded}${infinite}`;
}

const NAMES = { n: 'images', h: 'height', w: 'width', c: 'channels', kh: 'kernel height', kw: 'kernel width' } as const;
const SIZES = { ...NAMES, k: 'filters', groups: 'groups' } as const;

/** What else becomes of the problem. */
function Changes({ before, after }: { readonly before: ConvDesc; readonly after: ConvDesc }) {
  const changed = (Object.keys(SIZES) as (keyof typeof SIZES)[]).filter((size) => before[size] !== after[size]);
  if (changed.length === 0) return null;
  return (
    <p>Sizes that change: {changed.map((size) => `${SIZES[size]} ${before[size]} → ${after[size]}`).join(', ')}.</p>
  );
}
