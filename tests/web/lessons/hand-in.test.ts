import { describe, expect, test } from 'vitest';
import {
  answersOf,
  csvCell,
  csvCells,
  csvOf,
  type HandInRow,
  linksIn,
  meansOf,
} from '../../../web/src/app/lesson/exercise/handed-in';
import { totalText } from '../../../web/src/app/lesson/exercise/marking';
import {
  digestOf,
  type ExerciseWork,
  inputsText,
  NO_WORK,
  readAnswers,
  type Seal,
  sealed,
  sealOf,
  sipHash,
  storedWork,
} from '../../../web/src/app/lesson/exercise/work';
import { exerciseRefOf, exerciseSets } from '../../../web/src/lessons/exercises';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK, type Look } from '../../../web/src/look/look';

// cspell:ignore Cscript Łukasz Żółć محمد

// Links that hand in answers: their digest, what edited ones show, questions of teachers, and the table as CSV.

test('the hash has the values of its specification', () => {
  const key = [0x0706050403020100n, 0x0f0e0d0c0b0a0908n] as const;
  const bytes = (count: number) => Uint8Array.from({ length: count }, (_, at) => at);
  expect(sipHash(key, bytes(0)).toString(16)).toBe('726fdb47dd0e0e31');
  expect(sipHash(key, bytes(8)).toString(16)).toBe('93f5f5799a932462');
  expect(sipHash(key, bytes(15)).toString(16)).toBe('a129ca6149be45e5');
});

test('digests differ when texts move between fields', () => {
  const texts = [['a', 'b'], ['ab', ''], ['', 'ab'], ['a', 'b', ''], ['a","b']];
  expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
});

const QUESTIONS: Look['questions'] = [
  { cell: { tensor: 'dx', index: 5 }, sentence: 'Find dx[1,1], <b>100%</b> & ~now#' },
  { cell: { tensor: 'y', index: 0 }, sentence: '' },
];

/** A hand-in link of a set of the page, or of a teacher's questions. */
function handedIn(id: 'gradients' | 'questions', change: Partial<ExerciseWork> = {}): string {
  const questions = id === 'questions' ? QUESTIONS : [];
  const { problem } = parseLink('h=4&w=4&kh=2&kw=2&x=random:5&weights=random:6&dy=random:7');
  const set = exerciseSets(questions).find((candidate) => candidate.id === id);
  if (!set) throw new Error(`there is no ${id}`);
  const answers = id === 'questions' ? '7h_-3m2' : '41_-7hm2_5hh_r_0.5_12_3_9m1';
  const given = { ...NO_WORK, answers, student: 'Ada Łoś', seed: '7.each', date: '2026-03-01T12:00Z', ...change };
  const work = sealed(set, given, { questions, problem }, 'open');
  const lesson = `${id}.${set.questions + 1}`;
  return writeLink({ problem, look: { ...DEFAULT_LOOK, ...work, questions, lesson, side: 'lesson' } }).hash;
}

/** The row of a link as if every answer were right, or null if the link has no set. */
function rowOf(hash: string): (HandInRow & { readonly why: null }) | null {
  const { problem, look } = parseLink(hash);
  const set = exerciseRefOf(look.lesson, look.questions)?.set;
  if (!set) return null;
  const subject = { questions: look.questions, problem };
  const marks = Array.from({ length: set.questions }, () => 'right' as const);
  const rights = marks.map(() => '4');
  return { line: 1, why: null, set, work: look, subject, seal: sealOf(set, look, subject), marks, rights };
}

const sealIn = (hash: string): Seal | null => rowOf(hash)?.seal ?? null;

test('a link that the page made fits its digest, also with other names, seeds and dates', () => {
  for (const id of ['gradients', 'questions'] as const) {
    expect(sealIn(handedIn(id))).toBe('fits');
    for (const change of [{ student: null }, { seed: null }, { date: null }, { answers: null }, { student: '=1+1' }]) {
      expect(sealIn(handedIn(id, change)), JSON.stringify(change)).toBe('fits');
    }
  }
  const row = rowOf(handedIn('gradients'));
  expect(row && csvCells(row)).toEqual([
    ...['1', 'Ada Łoś', 'Gradients: dw and dx', '7.each', '2026-03-01T12:00Z'],
    ...['8', '8', 'hints: 3, revealed: 1, wrong attempts: 3', 'unchanged'],
  ]);
});

/** Links edited by hand, each with what was done. */
function edited(link: string): readonly (readonly [string, string])[] {
  const made: (readonly [string, string])[] = [];
  const add = (what: string, hash: string) => {
    if (hash !== link) made.push([what, hash]);
  };
  const replace = (key: string, text: string) => link.replace(new RegExp(`(^|&)${key}=[^&]*`), `$1${key}=${text}`);
  const textOf = (key: string) => new RegExp(`(?:^|&)${key}=([^&]*)`).exec(link)?.[1] ?? '';
  for (const key of ['answers', 'name', 'seed', 'date', 'digest']) {
    add(`${key} deleted`, link.replace(new RegExp(`&${key}=[^&]*`), ''));
    const value = textOf(key);
    for (let at = 0; at + 1 < value.length; at += 1) {
      const swapped = value.slice(0, at) + (value[at + 1] ?? '') + (value[at] ?? '') + value.slice(at + 2);
      add(`${key}: characters ${at} and ${at + 1} swapped`, replace(key, swapped));
      if (/[\da-f]/.test(value[at] ?? '')) {
        const other = value[at] === '1' ? '2' : '1';
        add(`${key}: character ${at} replaced`, replace(key, value.slice(0, at) + other + value.slice(at + 1)));
      }
    }
    add(`${key} twice`, `${link}&${key}=1`);
    add(`${key} empty`, replace(key, ''));
    add(`${key} far too long`, replace(key, '1'.repeat(5000)));
    add(`${key} hostile`, replace(key, '%3Cscript%3E%00%E2%80%AE'));
    add(`${key} not decodable`, replace(key, '%ff'));
  }
  const answers = textOf('answers');
  add('no hints', replace('answers', answers.replaceAll('h', '')));
  add('no misses', replace('answers', answers.replace(/m\d+/g, '')));
  add('not revealed', replace('answers', answers.replaceAll('r', '')));
  add('no help at all', replace('answers', answers.replace(/[hr]|m\d+/g, '')));
  add('another round', replace('answers', `2:${answers}`));
  add('other answers', replace('answers', answers.replace(/\d/g, '4')));
  add('answers appended', replace('answers', `${answers}_1`));
  add('letter case', replace('answers', answers.toUpperCase()));
  add('another set', link.replace(/lesson=[a-z]+\.\d+/, 'lesson=geometry.9'));
  add('a new set', link.replace(/lesson=[a-z]+\.\d+/, 'lesson=shapes.9'));
  add('the same numbers for all', replace('seed', '7'));
  add('another seed', replace('seed', '8.each'));
  add('another name', replace('name', 'Bo'));
  add('name in another case', replace('name', textOf('name').toLowerCase()));
  add('another day', replace('date', '2026-02-28T12:00Z'));
  add('digest of zeros', replace('digest', '0'.repeat(16)));
  add('digest in capitals', replace('digest', `${textOf('digest').slice(1)}F`));
  return made;
}

describe.each(['gradients', 'questions'] as const)('a link of %s that was edited by hand', (id) => {
  const link = handedIn(id);
  const all = edited(link);

  test('is never counted and never shown without help', () => {
    expect(all.length).toBeGreaterThan(100);
    for (const [what, hash] of all) {
      const row = rowOf(hash);
      if (row === null) continue;
      expect(row.seal, what).toBe('edited');
      expect(csvCells(row), what).toContain('not counted');
      expect(csvCells(row), what).toContain('unknown');
      expect(totalText(8, 8, row.seal), what).toMatch(/not counted/);
      for (const { text } of answersOf(row)) expect(text, what).toMatch(/help unknown|not answered|revealed/);
    }
  });

  test('is not counted without a digest, either', () => {
    const row = rowOf(link.replace(/&(name|seed|date|digest)=[^&]*/g, ''));
    expect(row && csvCells(row).slice(5, 8)).toEqual(['not counted', expect.stringMatching(/^\d$/), 'unknown']);
  });
});

test("a teacher's questions are covered: sentence, cell, order and problem", () => {
  const link = handedIn('questions');
  const edits = [
    link.replace('Find', 'Look'),
    link.replace('dx.5~', 'dx.6~'),
    link.replace('x=random:5', 'x=random:8'),
    link.replace('stride=1', 'stride=2'),
    link.replace(/questions=([^,]*),([^&]*)/, 'questions=$2,$1'),
  ];
  for (const edit of edits) {
    expect(edit).not.toBe(link);
    expect(sealIn(edit), edit).toBe('edited');
  }
});

// The digest of these links must fit in every later version.
test.each([
  'v=2&h=4&w=4&kh=2&kw=2&stride=1&padding=0&x=random:5&weights=random:6&dy=random:7&side=lesson&lesson=questions.3&answers=7h_-3m2&name=Ada%20%C5%81o%C5%9B&seed=7.each&date=2026-03-01T12:00Z&digest=220b0bd5d9e7c069&questions=dx.5~Find%20dx%5B1%252c1%5D%252c%20%3Cb%3E100%2525%3C%2Fb%3E%20%26%20%257enow%23,y.0~',
  'h=4&w=5&kh=2&kw=2&x=random:8109&weights=random:947&layer.2=max_pool;kernel:2;stride:1&dy=random:1918&mode=network&side=lesson&lesson=gates-and-pools.9&answers=-4hhm1_r&name=Ada%20%C5%81o%C5%9B&seed=7.each&date=2026-11-26T05:50Z&digest=24a6cf1d4655c70f',
])('the digest of a link fits in later versions: %s', (link) => {
  expect(sealIn(link)).toBe('fits');
});

test('answers need a digest', () => {
  expect(sealIn('lesson=gradients.1')).toBe('open');
  expect(sealIn('lesson=gradients.1&seed=7')).toBe('open');
  expect(sealIn('lesson=gradients.9&answers=41_-7h')).toBe('edited');
  expect(sealIn('lesson=gradients.1&seed=7&answers=4')).toBe('edited');
});

test('edited work is never signed', () => {
  const [set] = exerciseSets([]);
  if (!set) throw new Error('there is no set');
  const work = { ...NO_WORK, answers: '4' };
  const subject = { questions: [], problem: parseLink('').problem };
  expect(sealed(set, work, subject, 'edited')).toEqual(work);
  for (const seal of ['open', 'fits'] as const)
    expect(sealed(set, work, subject, seal).digest).toMatch(/^[0-9a-f]{16}$/);
});

test('work in browser storage survives, also that of older pages', () => {
  expect(storedWork('2:41_-7hm2')).toEqual({ ...NO_WORK, answers: '2:41_-7hm2' });
  expect(storedWork('41&name=A%26da&seed=7&digest=0123456789abcdef')).toEqual({
    ...NO_WORK,
    ...{ answers: '41', student: 'A&da', seed: '7', digest: '0123456789abcdef' },
  });
  expect(storedWork()).toEqual(NO_WORK);
  expect(storedWork('&name=%ff')).toEqual(NO_WORK);
});

/** Questions that ask for no cell: a size, a number, and one of some texts. */
const OTHERS: Look['questions'] = [
  { cell: null, sentence: '', asks: ['rows of y'] },
  { cell: null, sentence: '', asks: ['columns of y'] },
  { cell: null, sentence: 'How many windows, 100 % & more?', asks: ['-4.5'] },
  { cell: null, sentence: 'Which?', asks: ['', '*w, flipped', 'x~y', 'dy'] },
];

describe('fields of homework in a link', () => {
  test('questions about sizes, numbers and choices survive a round trip, also beside cells', () => {
    const { problem } = parseLink('h=4&kh=2');
    const questions = [...QUESTIONS, ...OTHERS];
    const { hash } = writeLink({ problem, look: { ...DEFAULT_LOOK, questions } });
    expect(hash).toContain(',!rows%20of%20y~,!columns%20of%20y~,!-4.5~How');
    const { look, complaints } = parseLink(hash);
    expect([look.questions, complaints]).toEqual([questions, []]);
    const [set] = exerciseSets(questions);
    const digests = [questions, OTHERS, [...OTHERS].reverse()].map(
      (own) => sealed(set as never, { ...NO_WORK, answers: '4' }, { questions: own, problem }, 'open').digest,
    );
    expect(new Set(digests).size).toBe(3);
  });

  test('questions survive a round trip', () => {
    const { look, problem, complaints } = parseLink(handedIn('questions'));
    expect([look.questions, complaints]).toEqual([QUESTIONS, []]);
    expect(inputsText(problem)).toBe(inputsText(parseLink(writeLink({ look, problem }).hash).problem));
  });

  test.each([
    ['name', `${'a'.repeat(61)}`],
    ['name', 'a%00b'],
    ['name', 'a%E2%80%AEb'],
    ['name', 'a%0Ab'],
    ['name', ''],
    ['seed', '1234567'],
    ['seed', '-1'],
    ['date', 'yesterday'],
    ['questions', 'dx'],
    ['questions', 'dx.9999~too far'],
    ['questions', 'x_col.1~'],
    ['questions', 'dx.1~a,dx.1~b'],
    ['questions', 'dx.1~a~b'],
    ['questions', `dx.1~${'a'.repeat(201)}`],
    ['questions', 'dx.1~a%00b'],
    ['questions', '!~Which~*a~b%00'],
    ['questions', `!~Which~*a~${'b'.repeat(201)}`],
    ['questions', '!4~a,!4~a'],
    ['questions', Array.from({ length: 21 }, (_, at) => `dx.${at}~`).join(',')],
    ['questions', `${'dx.1~,'.repeat(5000)}`],
  ])('%s=%s is refused by the name of the field', (key, text) => {
    const { complaints, look } = parseLink(`h=5&kh=3&${key}=${text}`);
    expect(complaints).toEqual([expect.stringMatching(`^${key} is `)]);
    expect([look.student, look.seed, look.date, look.questions]).toEqual([null, null, null, []]);
  });

  test('names of many scripts are accepted', () => {
    for (const name of ['Łukasz Żółć', '李小龍', 'محمد علی‌پور', 'O’Brien-Smith', '👩‍🔬'.slice(0, 2), `<img src=x>`]) {
      const { look, complaints } = parseLink(`h=5&name=${encodeURIComponent(name)}`);
      expect([look.student, complaints]).toEqual([name, []]);
    }
  });
});

describe('the table of marks', () => {
  test('finds links in text, in CSV, and in lines without any', () => {
    const text = [
      'Name,Link,Points',
      'Ada,https://example.org/#lesson=gradients.9&answers=1_2&digest=00,12',
      '"Bo";"http://localhost/#lesson=gradients.9&padding=1,0,2,0&answers=4";3',
      '',
      'two: https://a.org/#h=4 https://a.org/#h=5',
      'https://a.org/#top',
      '#lesson=gradients.9&questions=dx.4~a,y.3~b',
    ].join('\r\n');
    expect(linksIn(text).map(({ number, hash }) => [number, hash])).toEqual([
      [1, null],
      [2, 'lesson=gradients.9&answers=1_2&digest=00'],
      [3, 'lesson=gradients.9&padding=1,0,2,0&answers=4'],
      [5, 'h=4'],
      [5, 'h=5'],
      [6, null],
      [7, 'lesson=gradients.9&questions=dx.4~a,y.3~b'],
    ]);
  });

  test('quotes cells, and no cell is a formula', () => {
    expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
    for (const text of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', ' =1', '＝1', '-', '=HYPERLINK("x")']) {
      expect(csvCell(text)).toMatch(/^"'/);
    }
    for (const number of ['-7', '+2', '-0.5e-7', '41']) expect(csvCell(number)).toBe(`"${number}"`);
    expect(csvCell('a\nb')).toBe('"a\nb"');
  });

  test('has a line for each row, with answers and marks', () => {
    const row = rowOf(handedIn('questions', { student: '=cmd' }));
    if (!row) throw new Error('there is no row');
    const lines = csvOf([row, { line: 2, why: 'No link: “x”.' }]).split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      '"line","name","set","seed","handed in","points","of","help","link","answer 1","mark 1","answer 2","mark 2"',
    );
    expect(lines[1]).toMatch(
      /^"1","'=cmd","Questions [0-9a-f]{4}",.*"2","2",.*"7","✓ right, with a hint","-3","✓ right, after 2 wrong"$/,
    );
    expect(lines[2]).toBe('"2","","","","","","","","Line 2: No link: “x”."');
    expect(lines[3]).toMatch(
      /^"","mean of 1","Questions [0-9a-f]{4}","","","2.0","2","","all right","","100 %","","100 %"$/,
    );
  });

  test('has the right value beside a wrong one, and the mean of each set with its hardest questions', () => {
    const row = rowOf(handedIn('questions'));
    if (!row) throw new Error('there is no row');
    const rows: HandInRow[] = [
      { ...row, marks: ['right', 'wrong'] },
      { ...row, line: 2, marks: ['none', 'wrong'] },
      // Not counted.
      { ...row, line: 3, seal: 'edited', marks: ['right', 'right'] },
      { line: 4, why: 'No link: “x”.' },
    ];
    expect(rows.map((one) => answersOf(one).map(({ right }) => right))).toEqual([
      ['', ' (right: 4)'],
      ['', ' (right: 4)'],
      ['', ''],
      [],
    ]);
    const [mean, ...more] = meansOf(rows);
    expect(more).toEqual([]);
    expect(mean?.cells.slice(5)).toEqual(['0.5', '2', '', 'most often wrong: 2']);
    expect(mean?.shares).toEqual(['50 %', '0 %']);
  });
});

test('one hint and two hints are read and written', () => {
  expect(readAnswers('4_5h_6hh_7hhr').list.map(({ hints }) => hints)).toEqual([0, 1, 2, 2]);
});
