import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { focusOn } from '../../../geometry/grid';
import { cellName } from '../../../geometry/labels';
import { parseLink } from '../../../link/parse-link';
import type { LookStore } from '../../../look/look-store';
import type { Content } from '../../../protocol/messages';
import {
  type Cell,
  PASS_OF,
  PASSES,
  RESULT_OF,
  RESULTS,
  type ResultName,
  type Tensor,
} from '../../../protocol/problem';
import type { Later, Store } from '../../../state/store';
import { Button } from '../../../ui/controls/Button';
import { Checkbox, Segmented } from '../../../ui/controls/Choice';
import { formatExact } from '../../../ui/numbers';
import { tellingIndex } from '../../../views/shared/telling';
import { type Page, perPage } from '../../page/page';
import { useAnsweredSubject } from '../../questions/answered-subject';
import { PendingLine } from '../../questions/PendingLine';
import { useCurrentView } from '../../stage/current-view';
import { studyStateOf } from '../study';
import { bugPictureOf, type Findings } from './bug-picture';
import { type BugRef, bugRefOf, bugRefText, letterName, scoreOf } from './bugs';
import { experiments, isOn, isSimple, nextOf, openings, passToShow, turn, turnOnly } from './experiments';
import { GuessForm } from './GuessForm';

/** A bug that is being opened: the search for a problem that shows it. */
interface Opening {
  /** "7 2": seed and letter. */
  readonly key: string;
  /** How many of the openings were tried. */
  readonly tried: number;
  /** The revision of the last problem that was judged: an answer can be reported again while the next problem is computed. */
  readonly judged: number | null;
  /** Whether the user changed or opened something since the last problem: the search ends then. */
  readonly later: Later;
}

const openingFor = (key: string, { since }: Store): Opening => ({ key, tried: 0, judged: null, later: since() });

const keyOf = ({ seed, letter }: BugRef) => `${seed} ${letter}`;
/** A link that names a bug and no problem opens it like the list of lessons does. */
const openingOf = perPage(({ look, store }) => {
  const linked = bugRefOf(look.lesson.peek());
  const isUntouched = JSON.stringify(store.problem.peek()) === JSON.stringify(parseLink('side=lesson').problem);
  return signal<Opening | null>(linked && isUntouched ? openingFor(keyOf(linked), store) : null);
});

/** Opens a bug from the list of lessons, on a problem that shows it. Leaving it gives back the current problem. */
export function openBug(page: Page, bugRef: BugRef): void {
  studyStateOf(page).enter({ kind: 'bug', ...bugRef });
  openingOf(page).value = openingFor(keyOf(bugRef), page.store);
  page.look.lesson.value = bugRefText(bugRef);
}

/** A set of algorithms with one bug each: shows their results on the current problem and asks for the name of the bug. */
export function SpotTheBug({ page, bugRef }: { page: Page; bugRef: BugRef }) {
  const { look, store, client, currentContent } = page;
  const { problem } = store;
  const { seed, letter, pass } = bugRef;
  const tensor = RESULT_OF[pass];
  const name = letterName(letter);
  const content = currentContent.value;
  const beside = useCurrentView().show?.model.content.value?.revision ?? null;
  const opening = openingOf(page);
  const isOpening = opening.value?.key === keyOf(bugRef);
  const subject = useMemo(
    () =>
      content && {
        of: `${seed} ${letter} ${pass} ${isOpening}`,
        ...{ revision: content.revision, layer: content.index },
        content,
        questions: (isOpening ? PASSES : [pass]).map((each) => ({ kind: 'bug', seed, letter, pass: each }) as const),
      },
    [content, seed, letter, pass, isOpening],
  );
  const { answered, ...asking } = useAnsweredSubject(client, subject, { shownRevision: beside });
  const bugs = answered?.answers.of('bug') ?? [];
  const bug = bugs.find(({ question }) => question.pass === pass);
  const [names, setNames] = useState(bug?.answer.names ?? []);
  if (bug && names.length === 0) setNames(bug.answer.names);
  const { found, guesses } = scoreOf(seed);
  const go = (change: Partial<BugRef>) => {
    look.lesson.value = bugRefText({ ...bugRef, ...change });
  };
  const goTo = (next: BugRef) => {
    opening.value = openingFor(keyOf(next), store);
    go(next);
  };
  // A problem that is too large for this search fails.
  const failed = asking.pending?.status === 'failed' ? content?.revision : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is judged once
  useEffect(() => {
    const now = opening.peek();
    const judged = failed ?? answered?.revision ?? null;
    if (!isOpening || !now || judged === null || judged === now.judged) return;
    if (now.later()) {
      opening.value = null;
      return;
    }
    const isWrong = ({ answer }: (typeof bugs)[number]) => answer.difference.stats.max_abs !== 0;
    const wrong = isSimple(store.layer.peek()) ? bugs.filter(isWrong) : [];
    const shown = passToShow(pass, (each) => wrong.some(({ question }) => question.pass === each));
    const link = shown ? undefined : openings[now.tried];
    opening.value = link ? { ...now, tried: now.tried + 1, judged } : null;
    const first = wrong.find(({ question }) => question.pass === shown);
    if (shown && first && answered) {
      const { content: of } = answered;
      const cell = worstCell(of, RESULT_OF[shown], first.answer.difference);
      go({ pass: shown });
      look.setFocus(focusOn(of.geometry, cell, look.focus.peek()));
      look.suggest(cell, of.geometry);
    } else if (link) {
      void page.address.open(`${link}&side=lesson&lesson=${bugRefText(bugRef)}`).then((isOpen) => {
        const asked = opening.peek();
        if (asked?.key === now.key) opening.value = isOpen ? { ...asked, later: store.since() } : null;
      });
    }
  }, [answered, failed, isOpening]);
  const [of, answer] = isOpening ? [] : [answered?.content, bug?.answer];
  const findings = useMemo(
    () => (of && answer ? { content: of, tensor, name, bug: answer } : null),
    [of, answer, tensor, name],
  );
  const picture = bugPictureOf(page);
  useEffect(() => {
    picture.findings.value = findings;
    page.picture.value = findings && picture.parts;
    return () => {
      page.picture.value = null;
    };
  }, [page, picture, findings]);
  const next = nextOf(store.layer.value);
  return (
    <section class="spot grid" aria-label="Spot the bug">
      <div class="ends">
        <h2 class="lesson__title" tabIndex={-1}>
          Spot the bug
        </h2>
        <Button label="Back to the lessons" kind="icon" onClick={studyStateOf(page).leave} />
      </div>
      <p class="soft">
        Each letter is a convolution with one bug. Switch settings on one at a time, and watch when the difference
        appears.
      </p>
      {names.length > 0 && (
        <>
          <p class="note">
            {found.length} of {names.length} found, {guesses} {guesses === 1 ? 'guess' : 'guesses'}
          </p>
          <div class="spot__letters">
            <Segmented
              label="Bug"
              value={letter}
              options={names.map((_, index) => ({
                value: index,
                label: found.includes(index) ? `${letterName(index)} ✓` : letterName(index),
              }))}
              onChange={(chosen) => goTo({ ...bugRef, letter: chosen })}
            />
          </div>
        </>
      )}
      <Segmented
        label="Tensor"
        value={tensor}
        options={RESULTS.map((value) => ({ value }))}
        onChange={(chosen) => go({ pass: PASS_OF[chosen] })}
      />
      {!isOpening && <PendingLine {...asking} look={look} />}
      {findings && <Wrong look={look} {...findings} />}
      <fieldset class="spot__tries wrap">
        <legend>Settings</legend>
        {experiments.map((each) => (
          <Checkbox
            key={each.label}
            label={each.label}
            checked={isOn(each, store.layer.value)}
            onChange={(toOn) => turn(each, store, toOn)}
          />
        ))}
        <Button onClick={() => turnOnly(next, store)}>Only {next.label}</Button>
        <Button
          onClick={() => {
            const { source } = problem.peek().x;
            const before = source.kind === 'random' ? source.seed : 0;
            store.setSource('x', { kind: 'random', seed: before + 1 });
            store.setSource('w', { kind: 'random', seed: before + 2 });
          }}
        >
          New values in x and w
        </Button>
      </fieldset>
      {names.length > 0 && content && (
        <GuessForm
          key={keyOf(bugRef)}
          page={page}
          bugRef={bugRef}
          names={names}
          content={content}
          isFound={found.includes(letter)}
        />
      )}
      {findings && <CheckResult {...findings} />}
      {names.length > 0 && found.length === names.length && (
        <Button onClick={() => goTo({ ...bugRef, seed: seed + 1, letter: 0 })}>
          All found. Start again in another order
        </Button>
      )}
    </section>
  );
}

/** How many cells are wrong. */
function Wrong({ look, content, tensor, bug: { difference } }: Findings & { readonly look: LookStore }) {
  const { length } = difference.data;
  const off = difference.data.filter((value) => value !== 0).length;
  return (
    <p class="spot__none soft">
      {off === 0 ? (
        'These settings do not expose the bug. Try others.'
      ) : (
        <>
          {off} of {length} {length === 1 ? 'cell' : 'cells'} of {tensor} {off === 1 ? 'is' : 'are'} wrong.{' '}
          <Button onClick={() => look.pinAndShow(worstCell(content, tensor, difference))}>Show a wrong cell</Button>
        </>
      )}
    </p>
  );
}

const worstCell = ({ geometry }: Content, tensor: ResultName, difference: Tensor): Cell => ({
  ...{ tensor, index: tellingIndex({ geometry, tensors: { [tensor]: difference } }, tensor) },
});

/** The result of the gradient check of a bug, and how it was measured. */
function CheckResult({ content: { geometry }, tensor, name, bug: { check } }: Findings) {
  if (tensor === 'y') {
    return (
      <p class="spot__check soft">
        A gradient check cannot find a bug in y: it takes y as correct. Compare the values.
      </p>
    );
  }
  if (!check) return <p class="spot__check soft">No gradient check: too many cells. Use a smaller problem.</p>;
  const { cells, failed, worst } = check;
  const from = tensor.slice(1);
  return (
    <div class="spot__check soft">
      <p class={worst ? 'spot__verdict spot__verdict--bad' : 'spot__verdict'}>
        {worst
          ? `✗ The gradient check fails in ${failed} of ${cells} ${cells === 1 ? 'cell' : 'cells'}.`
          : `✓ The gradient check passes: ${cells === 1 ? `the cell of ${tensor} matches` : `all ${cells} cells of ${tensor} match`}.`}
      </p>
      <p>
        It moves each cell of {from} a little up and down. It measures the change of the loss L = Σ y · dy, with the
        correct y and dy.
        {worst &&
          ` The largest error is in ${cellName(geometry, { tensor, index: worst.index })}: measured ${formatExact(worst.measured)}, with bug ${name} ${formatExact(worst.wrong)}.`}
      </p>
    </div>
  );
}
