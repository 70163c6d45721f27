import { useEffect, useState } from 'preact/hooks';
import { type PackedLink, packLink, type Weight } from '../../link/pack-link';
import { writeProblemFile } from '../../link/problem-file';
import { LINK_LIMITS } from '../../protocol/limits';
import { Button } from '../../ui/controls/Button';
import { addressOf, CARRIED, copied } from '../copy-link';
import type { Page } from '../page';
import { Sheet } from '../Sheet';
import { saveFile } from '../save-file';
import './link-sheet.css';

const FILE_NAME = 'conv2d-problem.json';

const many = (count: number): string => count.toLocaleString('en');

interface LinkSheetProps {
  readonly page: Page;
  readonly onClose: () => void;
}

/** Before a link is copied that is long, or leaves something out: how large it is, what makes it so, and what else there is. */
export function LinkSheet({ page, onClose }: LinkSheetProps) {
  const { address } = page;
  const [link, setLink] = useState<PackedLink | null>(null);
  const [said, say] = useState('');
  useEffect(() => {
    packLink(address.seen()).then(setLink, () => say('The link could not be made.'));
  }, [address]);
  if (!link) return null;
  const { length } = addressOf(link.hash);
  const left = link.omitted.join(', ');
  return (
    <Sheet title="A large link" onClose={onClose}>
      <div class="link-sheet">
        {left === '' ? (
          <p>
            This link has {many(length)} characters. Mail programs, chats and documents carry {many(CARRIED.everywhere)}{' '}
            nearly everywhere and {many(CARRIED.mostly)} in most places; a longer one is often cut, and then does not
            open. Browsers open all of it.
          </p>
        ) : (
          <p>
            The numbers of {left} are too many for a link: at most {many(LINK_LIMITS.characters)} characters are read of
            one.
            {!link.isAble && ' This browser cannot compress them; a newer one carries more.'}
          </p>
        )}
        <table class="link-sheet__weights">
          <caption>What it carries number by number</caption>
          <thead>
            <tr>
              <th scope="col">tensor</th>
              <th scope="col">numbers</th>
              <th scope="col">characters</th>
            </tr>
          </thead>
          <tbody>
            {link.weights.map((weight) => (
              <tr key={weight.input}>
                <th scope="row">{weight.input}</th>
                <td>{many(weight.numbers)}</td>
                <td>{charactersText(weight)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div class="link-sheet__end">
          <Button kind="primary" onClick={() => void copied(link, address).then(say)}>
            {left === '' ? 'Copy it all the same' : `Copy it without ${left}`}
          </Button>
          <Button onClick={() => void saveProblem(address).then(say)}>Save it as a file</Button>
        </div>
        <p class="link-sheet__note">
          The file opens the same, with all numbers, whatever its size: drop it on the page, or choose it with “Open
          numbers”.
        </p>
        <p role="status">{said}</p>
      </div>
    </Sheet>
  );
}

async function saveProblem(address: Page['address']): Promise<string> {
  saveFile(FILE_NAME, await writeProblemFile(address.seen()));
  return `${FILE_NAME} was saved.`;
}

const charactersText = ({ characters }: Weight): string =>
  characters === null ? `more than ${many(LINK_LIMITS.characters)}` : many(characters);
