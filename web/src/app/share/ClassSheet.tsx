import { useMemo, useState } from 'preact/hooks';
import type { PackedLink } from '../../link/compress';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { fullUrl, URL_LIMITS } from '../page/clipboard';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { useCopy } from '../page/use-copy';
import { usePackedLink } from '../page/use-packed-link';
import {
  type Group,
  groupsOf,
  type PartState,
  type Restrictions,
  type Row,
  restrictedLook,
  stateOf,
  withState,
} from './class-parts';
import './share.css';

/** Prepares a link to the current view with parts of the page locked or hidden. This page does not change. */
export function ClassSheet({ page, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const { address, look } = page;
  const seen = useMemo(() => address.seen(), [address]);
  const groups = useMemo(() => groupsOf(seen.look.mode), [seen]);
  const [restrictions, setRestrictions] = useState<Restrictions>(() => ({
    locked: look.written.peek().locked,
    absent: look.absent.peek(),
    masked: look.masked.peek(),
  }));
  const { copy, say, outcome } = useCopy();
  const prepared = useMemo(() => ({ ...seen, look: restrictedLook(seen.look, restrictions) }), [seen, restrictions]);
  const link = usePackedLink(prepared, () => say('The link could not be created.'));
  const all = (rows: readonly Row[], state: PartState) => {
    say('');
    setRestrictions(rows.reduce((before, row) => withState(row, state, before), restrictions));
  };
  const everyRow = groups.flatMap(({ rows }) => rows);
  const rowsOf = (title: string) => groups.find((group) => group.title === title)?.rows ?? [];
  const href = link ? fullUrl(link.hash) : undefined;
  return (
    <Sheet title="Prepare a link for class" wide onClose={onClose}>
      <div class="share">
        <p>
          The link opens what you see now: the values, the view, the pinned cell and the lesson. Choose what students
          cannot change (locked) or cannot see (hidden). Your own page does not change.
        </p>
        <div class="share__bar">
          <Button onClick={() => all(rowsOf('Sizes'), 'locked')}>Lock all sizes</Button>
          <Button onClick={() => all(rowsOf('Views'), 'hidden')}>Hide other views</Button>
          <Button onClick={() => all(everyRow, 'free')}>Reset all</Button>
        </div>
        <div class="share__groups">
          {groups.map((group) => (
            <fieldset key={group.title} class="share__group">
              <legend>{group.title}</legend>
              {group.rows.map((row) => (
                <Select
                  key={row.label}
                  label={row.label}
                  options={optionsOf(row, group)}
                  value={stateOf(row, restrictions)}
                  onChange={(state) => all([row], state)}
                />
              ))}
            </fieldset>
          ))}
        </div>
        <p class="share__note">
          Locks guide, they do not protect: anyone can remove them by editing the link. Hidden values of x, w, b and dy
          are in the link. Hidden results are not on the page until they are revealed. To prevent that, lock “revealing
          values”.
        </p>
        <div class="share__bar share__bar--end">
          <Button kind="primary" disabled={href === undefined} onClick={() => void copy('Link', href ?? '')}>
            Copy link
          </Button>
          {href !== undefined && (
            <a class="button button--plain" href={href} target="_blank" rel="noopener">
              Preview as a student (new tab)
            </a>
          )}
          {outcome}
          <p class="share__note" role="status">
            {link && sizeText(link)}
          </p>
        </div>
      </div>
    </Sheet>
  );
}

const optionsOf = (
  { lock, hide }: Row,
  { hidden = 'hidden' }: Group,
): readonly { value: PartState; label: string }[] => [
  { value: 'free', label: 'normal' },
  ...(lock === undefined ? [] : [{ value: 'locked' as const, label: 'locked' }]),
  ...(hide === undefined ? [] : [{ value: 'hidden' as const, label: hidden }]),
];

function sizeText({ hash, omitted }: PackedLink): string {
  const { length } = fullUrl(hash);
  const cut = length > URL_LIMITS.mostly ? ', too many for some apps' : '';
  const left = omitted.length > 0 ? ` It omits the values of ${omitted.join(', ')}: there are too many.` : '';
  return `The link has ${length.toLocaleString('en')} characters${cut}.${left}`;
}
