import { useMemo, useState } from 'preact/hooks';
import { type FileContents, refusalText, shapeText } from '../../formats/format';
import { arrange, orderOf, readingsOf } from '../../formats/layouts';
import { type ConvDesc, type CountName, INPUTS, type InputName } from '../../protocol/problem';
import { SIZES } from '../../protocol/size-table';
import type { FileVerdict } from '../../protocol/verdict';
import { openOf } from '../../state/problem';
import { editNumbers } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { RefusalNotice } from '../../ui/notices';
import type { Page } from '../page/page';
import { ArrayChoice, useArrays } from './ArrayChoice';
import {
  guessed,
  type InputChoice,
  type InputChoices,
  inputChoices,
  inputMisfit,
  inputsImport,
  layoutSizes,
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
  const { desc: current } = openOf(store.problem.value);
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
    const edit = () => editNumbers(store.problem.peek(), { desc, tensors, name });
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
