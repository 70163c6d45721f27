import { useState } from 'preact/hooks';
import { type Opened, sentenceOf } from '../../formats/format';
import type { Carried, CarriedInput } from '../../link/field';
import { Button } from '../../ui/controls/Button';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';

interface OpenLinkProps {
  readonly page: Page;
  readonly opened: Opened;
  readonly onTaken: () => void;
}

/** A file that was saved here opens as it was looked at: its link goes the way of all links, with the file's numbers. */
export function OpenLink({ page, opened, onTaken }: OpenLinkProps) {
  const [why, setWhy] = useState<string | null>(null);
  const open = async () => {
    const carried = await numbersFor(opened);
    if (typeof carried === 'string') return setWhy(carried);
    // What is wrong with a link is told beside the stage.
    await page.address.open(opened.link, 'link', false, carried);
    onTaken();
  };
  return (
    <div class="numbers__question">
      <p>This file was saved here, with all that one looked at.</p>
      <div class="numbers__end">
        <Button kind="primary" onClick={() => void open()}>
          Open it as it was
        </Button>
        <Refusal why={why} />
      </div>
      <p class="value-source__note">Or take some of its numbers:</p>
    </div>
  );
}

/** What links call them: w is the width. */
const KEYS = { x: 'x', w: 'weights', b: 'bias', dy: 'dy' } as const;

/** Those that a link may leave out. Of a loss it leaves the target out, which is no dy. */
async function numbersFor({ tensors, link }: Opened): Promise<Carried | string> {
  const carried: { [Name in 'x' | 'w' | 'b' | 'dy']?: CarriedInput } = {};
  for (const name of ['x', 'w', 'b', 'dy'] as const) {
    const listed = tensors.find((tensor) => tensor.name === name);
    if (!listed || (name === 'dy' && !/(?:^|&)dy=values/.test(link))) continue;
    const read = await listed.read();
    if ('refusal' in read) return sentenceOf(read.refusal);
    carried[name] = { data: read.values, edited: new RegExp(`(?:^|&)${KEYS[name]}=[^&]*~omitted`).test(link) };
  }
  return carried;
}
