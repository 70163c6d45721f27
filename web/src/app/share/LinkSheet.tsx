import { useMemo } from 'preact/hooks';
import type { PackedLink } from '../../link/compress';
import { LINK_LIMITS } from '../../link/field';
import { writeProblemFile } from '../../link/problem-file';
import { Button } from '../../ui/controls/Button';
import { Table } from '../../ui/Table';
import { fullUrl, lengthText, URL_LIMITS } from '../page/clipboard';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { saveFile } from '../page/save-file';
import { COPY_BLOCKED, SelectedText, useCopy } from '../page/use-copy';
import { usePackedLink } from '../page/use-packed-link';
import './share.css';

const FILE_NAME = 'conv2d-problem.json';

const many = (count: number): string => count.toLocaleString('en');

/** Asks before copying a link that is long or omits values: shows its size, the reason, and the alternative of a file. */
export function LinkSheet({ page: { address }, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const seen = useMemo(() => address.seen(), [address]);
  const { copy, say, outcome } = useCopy();
  const link = usePackedLink(seen, () => say('The link could not be created.'));
  const copyAll = async (whole: PackedLink, text: string) => {
    const copying = copy('Link', text, lengthText(text));
    await address.show(whole);
    await copying;
  };
  const save = async () => {
    saveFile(FILE_NAME, await writeProblemFile(address.seen()));
    say(`${FILE_NAME} was saved.`);
  };
  if (!link) return null;
  const href = fullUrl(link.hash);
  const left = link.omitted.join(', ');
  // A short link gets here only if the clipboard refused it.
  if (left === '' && href.length <= URL_LIMITS.mostly)
    return (
      <Sheet title="Copy link" onClose={onClose}>
        <div class="share grid loose">
          <p>{COPY_BLOCKED} Copy the selected link yourself.</p>
          <SelectedText text={href} />
        </div>
      </Sheet>
    );
  return (
    <Sheet title="Large link" onClose={onClose}>
      <div class="share grid loose">
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
        <Table
          name="share__weights"
          caption="Values in the link"
          headings={['tensor', 'values', 'characters']}
          rows={link.inputLengths.map(({ input, numbers, characters }) => [
            input,
            many(numbers),
            characters === null ? `more than ${many(LINK_LIMITS.characters)}` : many(characters),
          ])}
        />
        <div class="share__bar wrap">
          <Button kind="primary" onClick={() => void copyAll(link, href)}>
            {left === '' ? 'Copy anyway' : `Copy without ${left}`}
          </Button>
          <Button onClick={() => void save()}>Save as file</Button>
        </div>
        <p class="note">
          The file always contains all values. To open it, drop it on the page or choose it with “Import arrays”.
        </p>
        {outcome}
      </div>
    </Sheet>
  );
}
