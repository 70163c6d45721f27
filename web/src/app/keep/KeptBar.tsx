import { useEffect, useMemo } from 'preact/hooks';
import type { ModeId } from '../../look/look';
import type { Shown } from '../../state/exchange';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import type { Answers } from '../../views/shared/answers';
import type { Page } from '../page/page';
import { problemLine } from '../page/problem-line';
import { describeDifferences } from './differences';
import { changesOf } from './settings';
import './kept-bar.css';

export { differencesAsked, differencesIn } from './differences';

const OPTIONS = [
  { value: 'values', label: 'values' },
  { value: 'difference', label: 'difference', hint: 'y, dx, dw and db: the current result minus the kept one' },
] as const;

interface KeptBarProps {
  readonly page: Page;
  readonly kept: Shown;
  readonly view: ModeId;
  /** Of the view; missing while it is not drawn. */
  readonly answers: Answers | undefined;
}

/** What was kept, what has changed since, and the choice to show the difference on the Overview. */
export function KeptBar({ page, kept, view, answers }: KeptBarProps) {
  const { store, look, currentContent } = page;
  const { result, showsDifference } = page.kept;
  const problem = store.problem.value;
  const now = currentContent.value;
  const changes = useMemo(() => changesOf(kept.problem, problem), [kept, problem]);
  const isShown = showsDifference.value && view === 'board';
  const isLocked = [...look.locked.value, ...look.hiddenParts.value].includes('mode.board');
  useEffect(() => {
    // Another result has no difference yet.
    if (kept === currentContent.peek()) showsDifference.value = false;
  }, [kept, currentContent, showsDifference]);
  const drop = () => {
    result.value = null;
    showsDifference.value = false;
    document.getElementById('stage')?.focus({ preventScroll: true });
  };
  const words = isShown && now ? describeDifferences(kept, now, answers) : null;
  return (
    <section class="kept small" aria-labelledby="kept-title">
      <div class="kept__head row wrap">
        <h2 id="kept-title" class="kept__title small">
          Kept
        </h2>
        <p role="status">{problemLine(kept)}</p>
        {(view === 'board' || !isLocked) && (
          <Segmented
            label="show of the results"
            quiet
            options={OPTIONS}
            value={isShown ? 'difference' : 'values'}
            onChange={(value) => {
              showsDifference.value = value === 'difference';
              if (value === 'difference' && view !== 'board') look.openMode('board');
            }}
          />
        )}
        <Button onClick={drop}>Drop</Button>
      </div>
      <p class="kept__changes soft">
        {changes.length === 0 ? (
          'Nothing has changed since. '
        ) : (
          <>
            Changed since:{' '}
            {changes.map(({ name, before, after }) => (
              <span key={name} class="kept__change">
                {name} {before} → {after}
              </span>
            ))}
          </>
        )}
      </p>
      {words && (
        <p class="kept__words">
          {words.missing.map((sentence) => (
            <span key={sentence}>{sentence} </span>
          ))}
          {words.largest.length > 0 && 'Largest differences: '}
          {words.largest.map((text) => (
            <span key={text} class="kept__change">
              {text}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
