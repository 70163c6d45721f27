import { useState } from 'preact/hooks';
import { type FileContents, sentenceOf } from '../../formats/format';
import type { KnownInput, KnownInputs } from '../../link/field';
import { INPUTS, type InputName } from '../../protocol/tensors';
import { Button } from '../../ui/controls/Button';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page/page';

interface OpenSavedProblemProps {
  readonly page: Page;
  readonly opened: FileContents;
  readonly onTaken: () => void;
}

/** Opens a file that this page saved: its link is opened like any other, with the values of the file. */
export function OpenSavedProblem({ page, opened, onTaken }: OpenSavedProblemProps) {
  const [why, setWhy] = useState<string | null>(null);
  const open = async () => {
    const knownInputs = await numbersFor(opened);
    if (typeof knownInputs === 'string') return setWhy(knownInputs);
    // Errors of the link are shown above the view.
    await page.address.open(opened.link, 'link', false, knownInputs);
    onTaken();
  };
  return (
    <div class="numbers__question">
      <p>This page saved this file, with the view and its settings.</p>
      <div class="numbers__end">
        <Button kind="primary" onClick={() => void open()}>
          Open as saved
        </Button>
        <Refusal why={why} />
      </div>
      <p class="value-source__note">Or import some of its arrays:</p>
    </div>
  );
}

/** Keys of the inputs in links, where w is the width. */
const KEYS = { x: 'x', w: 'weights', b: 'bias', dy: 'dy' } as const;

/** The values of the inputs that a link may omit (x, w, b, dy). With a loss, dy is the omitted target. */
async function numbersFor({ tensors, link }: FileContents): Promise<KnownInputs | string> {
  const knownInputs: { [Name in InputName]?: KnownInput } = {};
  for (const name of INPUTS) {
    const listed = tensors.find((tensor) => tensor.name === name);
    if (!listed || (name === 'dy' && !/(?:^|&)dy=values/.test(link))) continue;
    const read = await listed.read();
    if ('refusal' in read) return sentenceOf(read.refusal);
    knownInputs[name] = { data: read.values, edited: new RegExp(`(?:^|&)${KEYS[name]}=[^&]*~omitted`).test(link) };
  }
  return knownInputs;
}
