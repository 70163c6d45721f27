import { useEffect, useState } from 'preact/hooks';
import { type InputLength, type PackedLink, packLink } from '../../link/compress';
import { LINK_LIMITS } from '../../link/field';
import { writeProblemFile } from '../../link/problem-file';
import { Button } from '../../ui/controls/Button';
import { fullUrl, lengthText, URL_LIMITS } from '../page/clipboard';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { saveFile } from '../page/save-file';
import { COPY_BLOCKED, SelectedText, useCopy } from '../page/use-copy';
import './link-sheet.css';

const FILE_NAME = 'conv2d-problem.json';

const many = (count: number): string => count.toLocaleString('en');

interface LinkSheetProps {
  readonly page: Page;
  readonly onClose: () => void;
}

/** Asks before copying a link that is long or omits values: shows its size, the reason, and the alternative of a file. */
export function LinkSheet({ page, onClose }: LinkSheetProps) {
  const { address } = page;
  const [link, setLink] = useState<PackedLink | null>(null);
  const { copy, say, outcome } = useCopy();
  useEffect(() => {
    packLink(address.seen()).then(setLink, () => say('The link could not be created.'));
  }, [address, say]);
  const copyAll = async (whole: PackedLink, text: string) => {
    const copying = copy('Link', text, lengthText(text));
    await address.show(whole);
    await copying;
  };
  if (!link) return null;
  const href = fullUrl(link.hash);
  const left = link.omitted.join(', ');
  // A short link gets here only if the clipboard refused it.
  if (left === '' && href.length <= URL_LIMITS.mostly)
    return (
      <Sheet title="Copy link" onClose={onClose}>
        <div class="link-sheet">
          <p>{COPY_BLOCKED} Copy the selected link yourself.</p>
          <SelectedText text={href} />
        </div>
      </Sheet>
    );
  return (
    <Sheet title="Large link" onClose={onClose}>
      <div class="link-sheet">
        {left === '' ? (
          <p>
            This link has {many(href.length)} characters. Nearly all mail programs, chats and documents accept{' '}
            {many(URL_LIMITS.everywhere)}, most accept {many(URL_LIMITS.mostly)}. If they cut the link, it does not
            open. Browsers open the full link.
          </p>
        ) : (
          <p>
            The values of {left} do not fit: a link can have at most {many(LINK_LIMITS.characters)} characters.
            {!link.canCompress && ' This browser cannot compress them; a newer browser can fit more.'}
          </p>
        )}
        <table class="link-sheet__weights">
          <caption>Values in the link</caption>
          <thead>
            <tr>
              <th scope="col">tensor</th>
              <th scope="col">values</th>
              <th scope="col">characters</th>
            </tr>
          </thead>
          <tbody>
            {link.inputLengths.map((weight) => (
              <tr key={weight.input}>
                <th scope="row">{weight.input}</th>
                <td>{many(weight.numbers)}</td>
                <td>{charactersText(weight)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div class="link-sheet__end">
          <Button kind="primary" onClick={() => void copyAll(link, href)}>
            {left === '' ? 'Copy anyway' : `Copy without ${left}`}
          </Button>
          <Button onClick={() => void saveProblem(address).then(say)}>Save as file</Button>
        </div>
        <p class="link-sheet__note">
          The file always contains all values. To open it, drop it on the page or choose it with “Import arrays”.
        </p>
        {outcome}
      </div>
    </Sheet>
  );
}

async function saveProblem(address: Page['address']): Promise<string> {
  saveFile(FILE_NAME, await writeProblemFile(address.seen()));
  return `${FILE_NAME} was saved.`;
}

const charactersText = ({ characters }: InputLength): string =>
  characters === null ? `more than ${many(LINK_LIMITS.characters)}` : many(characters);
