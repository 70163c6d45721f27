import { useRef, useState } from 'preact/hooks';
import { type Opened, sentenceOf, shapeText } from '../../formats/format';
import { arrange } from '../../formats/layouts';
import { cellName } from '../../geometry/labels';
import type { TensorName } from '../../protocol/problem';
import { affordable } from '../../state/edits';
import { editNumbers } from '../../state/number-edits';
import type { InputName } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';
import { Sheet } from '../Sheet';
import { accepted } from './accepted';
import type { Brought } from './brought';
import { Changes } from './Changes';
import { Comparisons } from './Comparisons';
import type { Numbers } from './numbers';
import { OpenLink } from './OpenLink';
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
import { blockOf, PutBlock } from './PutBlock';
import { Question, useRead } from './Question';
import './numbers-sheet.css';

interface NumbersSheetProps {
  readonly page: Page;
  readonly numbers: Numbers;
  readonly onClose: () => void;
}

const called = (name: string): string => name || 'what was pasted';

/** Asks what numbers from outside shall be: a shape never proves a layout, and nothing is replaced unasked. */
export function NumbersSheet({ page, numbers, onClose }: NumbersSheetProps) {
  const { name, opened, at } = numbers;
  const closer = useRef<(() => void) | null>(null);
  const [brought, setBrought] = useState<readonly Brought[] | null>(null);
  const close = () => closer.current?.();
  return (
    <Sheet
      title={brought ? 'Compared with what is computed here' : name ? `Numbers of ${name}` : 'Pasted numbers'}
      wide={brought !== null}
      closer={closer}
      onClose={onClose}
    >
      {'refusal' in opened ? (
        <p role="alert">
          Nothing was changed, since {called(name)} could not be read. <strong>{sentenceOf(opened.refusal)}.</strong>
        </p>
      ) : brought ? (
        <Comparisons page={page} brought={brought} onBack={() => setBrought(null)} onDone={close} />
      ) : (
        <Questions page={page} name={name} opened={opened} at={at} onCompare={setBrought} onTaken={close} />
      )}
    </Sheet>
  );
}

interface QuestionsProps {
  readonly page: Page;
  readonly name: string;
  readonly opened: Opened;
  readonly onCompare: (brought: readonly Brought[]) => void;
  readonly onTaken: () => void;
}

/** A table goes to the cell that is chosen, or becomes a whole tensor. */
function Questions({ at, ...props }: QuestionsProps & Pick<Numbers, 'at'>) {
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
          { value: 'cell', label: `from ${name} on` },
          { value: 'whole', label: 'as a whole tensor' },
        ]}
        onChange={(value) => setWhole(value === 'whole')}
      />
      {isWhole ? (
        <WholeTensors {...props} />
      ) : (
        <PutBlock page={props.page} listed={block} at={at} name={name} onTaken={props.onTaken} />
      )}
    </div>
  );
}

function WholeTensors({ page, name, opened, onCompare, onTaken }: QuestionsProps) {
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
      if (chosen) brought.push({ made, name: offer.listed.name || called(name), ...chosen, others });
    }
    if (takes.length > 0) {
      const edited = affordable(() => editNumbers(store.problem.peek(), { desc: offers.desc, tensors, name }));
      if ('error' in edited) return setWhy(edited.error.message);
      const refused = accepted(store, edited.problem, { field: 'x', text: called(name) });
      if (refused !== null) return setWhy(refused);
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
      {opened.link !== '' && <OpenLink page={page} opened={opened} onTaken={onTaken} />}
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
