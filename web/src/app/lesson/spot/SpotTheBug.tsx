import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { cellName } from '../../../geometry/labels';
import { parseLink } from '../../../link/parse-link';
import type { LookStore } from '../../../look/look-store';
import type { Content } from '../../../protocol/messages';
import { PASS_OF, PASSES, RESULT_OF, RESULTS, type ResultName } from '../../../protocol/problem';
import type { Bug } from '../../../protocol/questions';
import { Button } from '../../../ui/controls/Button';
import { Checkbox, Segmented } from '../../../ui/controls/Choice';
import { formatExact } from '../../../ui/numbers';
import { DifferenceMaps } from '../../page/DifferenceMaps';
import { useRestoreFocus } from '../../page/hooks';
import { type Page, perPage } from '../../page/page';
import { useAnsweredSubject } from '../../questions/answered-subject';
import { PendingLine } from '../../questions/PendingLine';
import { useCurrentView } from '../../stage/current-view';
import { studyStateOf } from '../study';
import { type BugRef, bugRefOf, bugRefText, letterName, scoreOf } from './bugs';
import { experiments, isOn, openings, passToShow, turn } from './experiments';
import { GuessForm } from './GuessForm';

/** CSS pixels in the side panel: two maps side by side, or one. */
const ROOM = { beside: 144, alone: 296 };

/** A bug that is being opened: the search for a problem that shows it. */
interface Opening {
  /** "7 2": seed and letter. */
  readonly key: string;
  /** How many of the openings were tried. */
  readonly tried: number;
  /** The revision of the last problem that was judged: an answer can be reported again while the next problem is computed. */
  readonly judged: number | null;
}

const keyOf = ({ seed, letter }: BugRef) => `${seed} ${letter}`;
/** A link that names a bug and no problem opens it like the list of lessons does. */
const openingOf = perPage(({ look, store }) => {
  const linked = bugRefOf(look.lesson.peek());
  const isUntouched = JSON.stringify(store.problem.peek()) === JSON.stringify(parseLink('side=lesson').problem);
  return signal<Opening | null>(linked && isUntouched ? { key: keyOf(linked), tried: 0, judged: null } : null);
});

/** Opens a bug from the list of lessons, on a problem that shows it. Leaving it gives back the current problem. */
export function openBug(page: Page, bugRef: BugRef): void {
  studyStateOf(page).enter({ kind: 'bug', ...bugRef });
  openingOf(page).value = { key: keyOf(bugRef), tried: 0, judged: null };
  page.look.lesson.value = bugRefText(bugRef);
}

/** A set of algorithms with one bug each: shows their results on the current problem and asks for the name of the bug. */
export function SpotTheBug({ page, bugRef }: { page: Page; bugRef: BugRef }) {
  const { look, store, client, currentContent } = page;
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
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject, { shownRevision: beside });
  const bugs = answered?.answers.of('bug') ?? [];
  const bug = bugs.find(({ question }) => question.pass === pass);
  const [names, setNames] = useState(bug?.answer.names ?? []);
  if (bug && names.length === 0) setNames(bug.answer.names);
  const { found, guesses } = scoreOf(seed);
  const go = (change: Partial<BugRef>) => {
    look.lesson.value = bugRefText({ ...bugRef, ...change });
  };
  const goTo = (next: BugRef) => {
    opening.value = { key: keyOf(next), tried: 0, judged: null };
    go(next);
  };
  useRestoreFocus('spot', () => document.querySelector<HTMLElement>('.spot .lesson__title'));
  // A problem that is too large for this search fails.
  const failed = pending?.status === 'failed' ? content?.revision : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is judged once
  useEffect(() => {
    const now = opening.peek();
    const judged = failed ?? answered?.revision ?? null;
    if (!isOpening || !now || judged === null || judged === now.judged) return;
    const shown = passToShow(pass, (each) =>
      bugs.some(({ question, answer }) => question.pass === each && answer.difference.stats.max_abs !== 0),
    );
    const link = shown ? undefined : openings[now.tried];
    opening.value = link ? { ...now, tried: now.tried + 1, judged } : null;
    if (shown) go({ pass: shown });
    else if (link) void page.address.open(`${link}&side=lesson&lesson=${bugRefText(bugRef)}`);
  }, [answered, failed, isOpening]);
  const { problem } = store;
  return (
    <section class="spot grid" aria-label="Spot the bug">
      <div class="ends">
        <h2 class="lesson__title" tabIndex={-1}>
          Spot the bug
        </h2>
        <Button label="Back to the lessons" kind="icon" onClick={studyStateOf(page).leave} />
      </div>
      <p class="soft">
        Each letter is a convolution with one bug. Change the settings until you can tell which bug it is.
      </p>
      {names.length > 0 && (
        <>
          <p class="note">
            {found.length} of {names.length} found, {guesses} {guesses === 1 ? 'guess' : 'guesses'}
          </p>
          <div class="spot__letters">
            <Segmented
              label="Bug"
              value={String(letter)}
              options={names.map((_, index) => ({
                value: String(index),
                label: found.includes(index) ? `${letterName(index)} ✓` : letterName(index),
              }))}
              onChange={(chosen) => goTo({ ...bugRef, letter: Number(chosen) })}
            />
          </div>
        </>
      )}
      <fieldset class="spot__tries wrap">
        <legend>Experiments (change the controls)</legend>
        {experiments.map((each) => (
          <Checkbox
            key={each.label}
            label={each.label}
            checked={isOn(each, problem.value)}
            onChange={(toOn) => turn(each, store, toOn)}
          />
        ))}
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
      <Segmented
        label="Tensor"
        value={tensor}
        options={RESULTS.map((value) => ({ value, label: value }))}
        onChange={(chosen) => go({ pass: PASS_OF[chosen] })}
      />
      {!isOpening && <PendingLine pending={pending} look={look} cancel={cancel} retry={retry} />}
      {answered && bug && !isOpening && (
        <Findings look={look} content={answered.content} tensor={tensor} name={name} bug={bug.answer} />
      )}
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
      {names.length > 0 && found.length === names.length && (
        <Button onClick={() => goTo({ ...bugRef, seed: seed + 1, letter: 0 })}>
          All found. Start again in another order
        </Button>
      )}
    </section>
  );
}

interface FindingsProps {
  readonly look: LookStore;
  readonly content: Content;
  readonly tensor: ResultName;
  /** "C" */
  readonly name: string;
  readonly bug: Bug;
}

/** The values with the bug, the correct values and their difference, for the visible slices, and how many cells are wrong. */
function Findings(props: FindingsProps) {
  const { look, content, tensor, name, bug } = props;
  const { wrong, difference } = bug;
  const right = content.tensors[tensor];
  if (!right) return null;
  const { length } = difference.data;
  const off = difference.data.filter((value) => value !== 0).length;
  const index = difference.data.findIndex((value) => value !== 0);
  return (
    <>
      <div class="spot__maps wrap">
        <DifferenceMaps
          geometry={content.geometry}
          result={tensor}
          focus={look.focus.value}
          maps={[
            { subtitle: `with bug ${name}`, label: `${tensor} with bug ${name}`, tensor: wrong },
            { subtitle: 'correct', label: `correct ${tensor}`, tensor: right },
          ]}
          maxAbs={right.stats.max_abs || wrong.stats.max_abs}
          difference={{
            subtitle: 'error',
            label: `error of bug ${name} in ${tensor}`,
            tensor: difference,
            maxAbs: difference.stats.max_abs,
          }}
          room={ROOM}
          onHover={look.hover}
          onPick={look.togglePin}
        />
      </div>
      {off === 0 ? (
        <p class="spot__none soft">These settings do not expose the bug. Try others.</p>
      ) : (
        <p class="spot__none soft">
          {off} of {length} {length === 1 ? 'cell' : 'cells'} of {tensor} {off === 1 ? 'is' : 'are'} wrong.{' '}
          <Button onClick={() => look.pinAndShow({ tensor, index })}>Show a wrong cell</Button>
        </p>
      )}
      <CheckResult {...props} />
    </>
  );
}

/** The result of the gradient check of a bug, and how it was measured. */
function CheckResult({ content: { geometry }, tensor, name, bug: { check } }: FindingsProps) {
  if (tensor === 'y') {
    return (
      <p class="spot__check soft">
        A gradient check cannot find a bug in y: it takes y as correct. Compare the values above.
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
