import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ComputeClient } from '../../../compute/client';
import { EXERCISES } from '../../../lessons/exercises';
import { Button } from '../../../ui/controls/Button';
import { FileButton, Select } from '../../../ui/controls/Choice';
import { ProgressBar, RefusalNotice } from '../../../ui/notices';
import { MINUS } from '../../../ui/numbers';
import { fullUrl } from '../../page/clipboard';
import { Sheet } from '../../page/Sheet';
import { saveFile } from '../../page/save-file';
import { useCopy } from '../../page/use-copy';
import {
  answersOf,
  csvCells,
  csvOf,
  type HandInRow,
  HEADINGS,
  linksIn,
  MOST_LINES,
  markLine,
  meansOf,
} from './handed-in';
import './homework.css';

/** For teachers: the link of a set with numbers of its own, and marks for many hand-in links. */
export function Homework({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title="Homework" wide onClose={onClose}>
      <div class="homework grid loose">
        <SetLink />
        <Marks />
      </div>
    </Sheet>
  );
}

const NUMBERS = [
  { value: 'same', label: 'the same for everyone' },
  { value: 'seed', label: 'other numbers for this class' },
  { value: 'each', label: 'other numbers for each student' },
] as const;

function SetLink() {
  const [id, setId] = useState(EXERCISES[0]?.id ?? '');
  const [numbers, setNumbers] = useState<(typeof NUMBERS)[number]['value']>('same');
  const seed = useMemo(() => Math.floor(Math.random() * 1_000_000), []);
  const { copy, outcome } = useCopy();
  const field = numbers === 'same' ? '' : `&seed=${seed}${numbers === 'each' ? '.each' : ''}`;
  return (
    <section class="homework__part grid loose" aria-label="Link to a set">
      <h3>Link to a set</h3>
      <Select
        label="set"
        options={EXERCISES.map((set) => ({ value: set.id, label: set.title }))}
        value={id}
        onChange={setId}
      />
      <Select label="numbers" options={NUMBERS} value={numbers} onChange={setNumbers} />
      {numbers === 'each' && <p class="note">The page asks for a name first. The numbers follow from it.</p>}
      <div class="row wrap">
        <Button kind="primary" onClick={() => void copy('Link', fullUrl(`side=lesson&lesson=${id}.1${field}`))}>
          Copy link to the set
        </Button>
        {outcome}
      </div>
    </section>
  );
}

/** Characters of a text that is read. */
const MOST_TEXT = 2 ** 23;

function Marks() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [rows, setRows] = useState<readonly HandInRow[]>([]);
  /** The number of links that are being marked; null: nothing runs. */
  const [running, setRunning] = useState<number | null>(null);
  /** Stops the current run. A run that another one replaced must not end its successor. */
  const current = useRef<AbortController | null>(null);
  /** The file that was opened last. */
  const opened = useRef<File | null>(null);
  const stop = () => {
    current.current?.abort();
    current.current = null;
    setRunning(null);
  };
  useEffect(
    () => () => {
      current.current?.abort();
      opened.current = null;
    },
    [],
  );
  const mark = async () => {
    const text = box.current?.value ?? '';
    const lines = text.length > MOST_TEXT ? [] : linksIn(text);
    if (text.length > MOST_TEXT || lines.length > MOST_LINES)
      return setWhy(`That is too much at once. Mark at most ${MOST_LINES.toLocaleString('en')} links.`);
    if (lines.length === 0) return setWhy('Paste links first, one a line.');
    setWhy(null);
    setRows([]);
    stop();
    const abort = new AbortController();
    current.current = abort;
    setRunning(lines.length);
    const client = new ComputeClient();
    for (const line of lines) {
      const row = await markLine(line, client, abort.signal).catch(
        (cause): HandInRow => ({ line: line.number, why: `The link could not be marked (${cause}).` }),
      );
      if (abort.signal.aborted) break;
      setRows((before) => [...before, row]);
    }
    client.dispose();
    if (current.current === abort) stop();
  };
  const read = async (file: File) => {
    opened.current = file;
    if (file.size > MOST_TEXT) return setWhy(`${file.name} is too large.`);
    const text = await file.text().catch(() => null);
    if (opened.current !== file || !box.current) return;
    if (text === null) return setWhy(`${file.name} could not be read. Open it again.`);
    box.current.value = text;
    await mark();
  };
  const most = Math.max(0, ...rows.map((row) => answersOf(row).length));
  const numbers = Array.from({ length: most }, (_, index) => index);
  return (
    <section class="homework__part grid loose" aria-label="Mark answers">
      <h3>Mark answers</h3>
      <label class="homework__paste grid tight">
        Links of students, one a line, or a text or CSV file with them
        <textarea
          ref={box}
          rows={4}
          spellcheck={false}
          onInput={() => setWhy(null)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const [file] = event.dataTransfer?.files ?? [];
            if (!file) return;
            event.preventDefault();
            event.stopPropagation();
            void read(file);
          }}
        />
      </label>
      <RefusalNotice why={why} />
      <div class="row wrap">
        <Button kind="primary" disabled={running !== null} onClick={() => void mark()}>
          Mark answers
        </Button>
        <FileButton label="File with links" accept=".txt,.csv,.tsv,.md,text/*" onFile={(file) => void read(file)}>
          Open a file
        </FileButton>
        <Button
          disabled={rows.length === 0 || running !== null}
          onClick={() => saveFile('marks.csv', new Blob([`\ufeff${csvOf(rows)}`], { type: 'text/csv' }))}
        >
          Save as CSV
        </Button>
      </div>
      {running !== null && (
        <ProgressBar
          label={`Marking ${rows.length + 1} of ${running}`}
          fraction={rows.length / running}
          onCancel={stop}
        />
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <section class="homework__table" aria-label="Marks" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {HEADINGS.map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
                {numbers.map((index) => (
                  <th key={index} scope="col">
                    {index + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <MarkRow key={at} row={row} answers={numbers.length} />
              ))}
              {meansOf(rows).map(({ cells, shares }) => (
                <tr key={cells[2]} class="homework__mean">
                  {[...cells, ...shares].map((cell, index) => (
                    <td key={index}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p class="note">
        The library checks every answer again. The digest of a link shows that the link was changed by hand. It is no
        proof: its key is in the program of this page, so it can be forged.
      </p>
    </section>
  );
}

const SIGNS = { right: '✓', wrong: '✗', none: '', unjudged: '?' } as const;

function MarkRow({ row, answers }: { row: HandInRow; answers: number }) {
  const cells = csvCells(row);
  if (row.why !== null)
    return (
      <tr class="homework__broken">
        <td colSpan={HEADINGS.length + answers}>{cells.at(-1)}</td>
      </tr>
    );
  const given = answersOf(row);
  return (
    <tr class={row.seal === 'edited' ? 'homework__broken' : ''}>
      {cells.map((cell, index) => (
        <td key={HEADINGS[index]}>{cell}</td>
      ))}
      {Array.from({ length: answers }, (_, index) => {
        const answer = given[index];
        const sign = answer && (row.seal === 'edited' ? '' : SIGNS[answer.mark]);
        return (
          <td key={index} title={answer?.text}>
            {answer && (answer.written === '' ? '–' : `${sign} ${answer.written.replace('-', MINUS)}${answer.right}`)}
          </td>
        );
      })}
    </tr>
  );
}
