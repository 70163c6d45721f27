import { useEffect, useMemo, useState } from 'preact/hooks';
import { type PackedLink, packLink } from '../../link/pack-link';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { addressOf, CARRIED } from '../copy-link';
import type { Page } from '../page';
import { Sheet } from '../Sheet';
import { type Group, groupsOf, type Prepared, type Row, type State, stateOf, withState } from './class-parts';
import './class-sheet.css';

interface ClassSheetProps {
  readonly page: Page;
  readonly onClose: () => void;
}

const many = (count: number): string => count.toLocaleString('en');

/** A link for a class: what is seen now, with parts of the page locked or hidden. Nothing changes on this page. */
export function ClassSheet({ page, onClose }: ClassSheetProps) {
  const { address, look } = page;
  const seen = useMemo(() => address.seen(), [address]);
  const groups = useMemo(() => groupsOf(seen.look.mode), [seen]);
  const [prepared, setPrepared] = useState<Prepared>(() => ({
    locked: look.locked.peek(),
    absent: look.absent.peek(),
    masked: look.masked.peek(),
  }));
  const [link, setLink] = useState<PackedLink | null>(null);
  const [said, say] = useState('');
  useEffect(() => {
    let isNewest = true;
    packLink({ ...seen, look: { ...seen.look, ...prepared } }).then(
      (next) => isNewest && setLink(next),
      () => say('The link could not be made.'),
    );
    return () => {
      isNewest = false;
    };
  }, [seen, prepared]);
  const all = (rows: readonly Row[], state: State) => {
    say('');
    setPrepared(rows.reduce((before, row) => withState(row, state, before), prepared));
  };
  const rowsOf = (title: string) => groups.find((group) => group.title === title)?.rows ?? [];
  const href = link ? addressOf(link.hash) : undefined;
  const copy = () =>
    navigator.clipboard.writeText(href ?? '').then(
      () => say('Link copied.'),
      () => say('The browser did not allow copying: open it in a tab, whose address it is.'),
    );
  return (
    <Sheet title="Prepare a link for class" wide onClose={onClose}>
      <div class="class-sheet">
        <p>
          The link opens what you see now: the numbers, the view, the cell that is kept, the lesson. Choose what a
          student finds locked, which says so and why, or does not find at all. Nothing changes on your own page.
        </p>
        <div class="class-sheet__bar">
          <Button onClick={() => all(rowsOf('Sizes'), 'locked')}>Lock all sizes</Button>
          <Button onClick={() => all(rowsOf('Views'), 'hidden')}>This view alone</Button>
          <Button
            onClick={() =>
              all(
                groups.flatMap(({ rows }) => rows),
                'free',
              )
            }
          >
            Free everything
          </Button>
        </div>
        <div class="class-sheet__groups">
          {groups.map((group) => (
            <fieldset key={group.title} class="class-sheet__group">
              <legend>{group.title}</legend>
              {group.rows.map((row) => (
                <Select
                  key={row.words}
                  label={row.words}
                  options={optionsOf(row, group)}
                  value={stateOf(row, prepared)}
                  onChange={(state) => all([row], state)}
                />
              ))}
            </fieldset>
          ))}
        </div>
        <p class="class-sheet__note">
          This guides a class, and does not guard anything: whoever changes the link opens all of it again. A hidden
          number is nowhere on the student’s page until it is revealed; lock revealing, too, where it must be found.
        </p>
        <div class="class-sheet__bar class-sheet__bar--end">
          <Button kind="primary" onClick={() => void copy()}>
            Copy the link
          </Button>
          {href !== undefined && (
            <a class="button button--plain" href={href} target="_blank" rel="noopener">
              See it as a student, in a new tab
            </a>
          )}
          <p class="class-sheet__note" role="status">
            {said} {link && sizeText(link)}
          </p>
        </div>
      </div>
    </Sheet>
  );
}

const optionsOf = ({ lock, hide }: Row, { hidden }: Group): readonly { value: State; label: string }[] => [
  { value: 'free', label: 'as it is' },
  ...(lock === undefined ? [] : [{ value: 'locked' as const, label: 'locked' }]),
  ...(hide === undefined ? [] : [{ value: 'hidden' as const, label: hidden }]),
];

function sizeText({ hash, omitted }: PackedLink): string {
  const { length } = addressOf(hash);
  const cut = length > CARRIED.mostly ? ', more than most places carry' : '';
  const left = omitted.length > 0 ? ` It leaves out the numbers of ${omitted.join(', ')}: they are too many.` : '';
  return `The link has ${many(length)} characters${cut}.${left}`;
}
