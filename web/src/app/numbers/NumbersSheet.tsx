import { useEffect, useRef, useState } from 'preact/hooks';
import { type FileTensor, type Opened, type Refused, sentenceOf, shapeText } from '../../formats/format';
import { arrange, readingsOf } from '../../formats/layouts';
import type { ConvDesc } from '../../protocol/problem';
import { affordable } from '../../state/edits';
import { editNumbers } from '../../state/number-edits';
import type { InputName } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { formatExact } from '../../ui/numbers';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';
import { Sheet } from '../Sheet';
import { type Choices, guess, INPUTS, type Offer, offersOf, readingText, sizesOf } from './offers';
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
  return (
    <Sheet title={`Numbers of ${name}`} closer={closer} onClose={onClose}>
      {'refusal' in opened ? (
        <p role="alert">
          Nothing was changed, since {name} could not be read. <strong>{sentenceOf(opened.refusal)}.</strong>
        </p>
      ) : (
        <Questions page={page} name={name} opened={opened} onTaken={() => closer.current?.()} />
      )}
    </Sheet>
  );
}

type Read = FileTensor | Refused;

interface QuestionsProps {
  readonly page: Page;
  readonly name: string;
  readonly opened: Opened;
  readonly onTaken: () => void;
}

function Questions({ page, name, opened, onTaken }: QuestionsProps) {
  const { store } = page;
  const before = store.problem.value.desc;
  const [choices, setChoices] = useState<Choices>(() => guess(opened, before));
  const [why, setWhy] = useState<string | null>(null);
  const offers = offersOf(opened, choices, before);
  const read = useRead(opened, choices);
  const choose = (input: InputName, choice: Choices[InputName] | null) => {
    setWhy(null);
    const { [input]: _, ...others } = choices;
    setChoices(choice ? { ...others, [input]: choice } : others);
  };
  const take = () => {
    const tensors: Partial<Record<InputName, Float32Array>> = {};
    for (const input of INPUTS) {
      const [offer, choice] = [offers.inputs[input], choices[input]];
      const tensor = choice && read.get(choice.tensor);
      if (!offer || !choice) continue;
      if (!tensor) return setWhy('the numbers are still being read');
      if ('refusal' in tensor) return setWhy(sentenceOf(tensor.refusal));
      if (!offer.reading) return setWhy(`${shapeText(offer.listed.shape)} cannot be ${input} of this convolution`);
      tensors[input] = arrange(tensor.values, offer.reading, offer.order);
    }
    const edited = affordable(() => editNumbers(store.problem.peek(), { desc: offers.desc, tensors }));
    if ('error' in edited) return setWhy(edited.error.message);
    store.accept(edited, { field: 'x', text: name }, 'sizes');
    onTaken();
  };
  return (
    <div class="numbers">
      {opened.notes.map((note) => (
        <p key={note} class="value-source__note">
          {note}
        </p>
      ))}
      {INPUTS.map((input) => (
        <Question
          key={input}
          input={input}
          opened={opened}
          before={before}
          choice={choices[input]}
          offer={offers.inputs[input]}
          read={choices[input] && read.get(choices[input].tensor)}
          onChoose={(choice) => choose(input, choice)}
        />
      ))}
      <Changes before={before} after={{ ...before, ...offers.desc }} />
      <div class="numbers__end">
        <Button kind="primary" disabled={Object.keys(choices).length === 0} onClick={take}>
          Take these numbers
        </Button>
        <Refusal why={why} />
      </div>
    </div>
  );
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
  readonly input: InputName;
  readonly opened: Opened;
  readonly before: ConvDesc;
  readonly choice: Choices[InputName];
  readonly offer: Offer | undefined;
  readonly read: Read | undefined;
  readonly onChoose: (choice: Choices[InputName] | null) => void;
}

function Question({ input, opened, before, choice, offer, read, onChoose }: QuestionProps) {
  const sizes = sizesOf(before);
  const possible = opened.tensors.flatMap(({ name, shape, stored }, index) =>
    index === choice?.tensor || readingsOf(shape, input, sizes).length > 0
      ? [{ value: String(index), label: `${name || 'these numbers'} ${shapeText(shape)}, ${stored}` }]
      : [],
  );
  if (possible.length === 0) return null;
  return (
    <section class="numbers__question">
      <Select
        label={input}
        options={[{ value: '-', label: 'stays as it is' }, ...possible]}
        value={choice ? String(choice.tensor) : '-'}
        onChange={(value) => onChoose(value === '-' ? null : { tensor: Number(value), reading: 0 })}
      />
      {choice && offer && offer.readings.length > 0 && (
        <Select
          label="read as"
          options={offer.readings.map((reading, index) => ({ value: String(index), label: readingText(reading) }))}
          value={String(offer.reading ? offer.readings.indexOf(offer.reading) : 0)}
          onChange={(value) => onChoose({ ...choice, reading: Number(value) })}
        />
      )}
      {offer && !offer.reading && <p class="field-message">It cannot be {input}: the sizes do not fit.</p>}
      {read && <p class="value-source__note">{'refusal' in read ? sentenceOf(read.refusal) : firstNumbers(read)}</p>}
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
