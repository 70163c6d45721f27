import type { TeacherQuestion } from '../look/look';
import type { NetworkTensor, ResultName } from '../protocol/problem';

/** Questions about a number of cells, weights or products: sizes decide the answer, not values. */
export const ASKED_COUNTS = ['rows of y', 'columns of y', 'size of dw', 'weights', 'biases', 'products of y'] as const;
export type AskedCount = (typeof ASKED_COUNTS)[number];

/** Questions about the rows or columns of x that a cell at the end of a network depends on. */
export const REACHES = ['rows of x', 'columns of x'] as const;
export type ReachName = (typeof REACHES)[number];

/** Questions about the cells that a sum reads: they are chosen on the page. */
export const READS = ['reads y', 'reads dw', 'reads dx'] as const;
export type ReadsName = (typeof READS)[number];

/** A set of exercises. `tests/web/lessons/exercises.test.ts` runs each. */
export interface ExerciseSet {
  /** Its name in a link. Lessons and sets share one namespace: their names differ. */
  readonly id: string;
  readonly title: string;
  /** Learning goal, one sentence. */
  readonly sentence: string;
  /** Instructions above every question. */
  readonly words: string;
  /** The same seed always gives the same questions. Later rounds derive their own seeds. */
  readonly seed: number;
  readonly questions: number;
  /** Tensors with a hidden value, counts, or cells to choose, in turn. In a network they have their names in the view Network. */
  readonly asks: readonly (ResultName | NetworkTensor | AskedCount | ReachName | ReadsName)[];
  /**
   * Link fields that vary, each with its equally likely values (link/fields.ts): "h=3|4&w=4". `random` gets a seed for
   * each question, also inside of a layer: "layer.2=relu|conv;kh:2;kw:2;weights:random". Impossible combinations (a kernel larger than its x) are drawn again.
   */
  readonly varies: string;
  /** Names of the mistakes that the set is about: of several that give a wrong value, these are explained first. */
  readonly mistakes?: readonly string[];
}

export const EXERCISES: readonly ExerciseSet[] = [
  {
    id: 'forward-sums',
    title: 'Forward sums',
    sentence: 'Compute single values of y: find the window, multiply it by w cell by cell, and add.',
    words:
      'One value of y is hidden. Multiply its window on x by w, cell by cell, and add over all channels. Add the bias if there is one.',
    seed: 11,
    questions: 6,
    asks: ['y'],
    varies: 'h=3|4&w=4|5&kh=2&kw=2|3&c=1|1|2&k=1|1|2&padding=0|0|1&x=random&weights=random&bias=||random',
    mistakes: ['one_channel', 'bias_forgotten', 'unpadded_indices'],
  },
  {
    id: 'gradients',
    title: 'Gradients: dw and dx',
    sentence: 'Compute single values of dw, db and dx. Whole numbers only.',
    words:
      'One value of a gradient is hidden. Find every window that uses this weight (or cell of x). Each contributes one product with its cell of dy. Add them.',
    seed: 23,
    questions: 8,
    asks: ['dw', 'dx', 'dw', 'db'],
    varies: 'h=3|4&w=3|4&kh=2&kw=2|3&n=1|1|2&stride=1|1|2&padding=0|1&x=random&weights=random&dy=random',
    mistakes: ['dy_flipped', 'opposite_weight', 'one_image', 'stride_forgotten'],
  },
  {
    id: 'geometry',
    title: 'Strides, padding, dilation, groups',
    sentence: 'The same sums with stride, padding, dilation and groups.',
    words:
      'One value is hidden. Look at the controls first. Where is the window, which of its cells are padding, and which channels does it read?',
    seed: 5,
    questions: 8,
    asks: ['y', 'dx', 'y', 'dw'],
    varies:
      'h=4|5&w=5|6&kh=2&kw=2|3&c=1|2|2&k=1|2|2&groups=1|2&stride=1|2|1x2&dilation=1|1|2|1x2&padding=0|1|same|1,0,2,0&x=random&weights=random&dy=random',
    mistakes: ['stride_forgotten', 'dilation_forgotten', 'other_group', 'unpadded_indices'],
  },
  {
    id: 'shapes',
    title: 'Shapes and parameters',
    sentence: 'Count without values: output sizes, weights, biases and products.',
    words: 'This question is about the layer below, not about the tensors on the page.',
    seed: 31,
    questions: 8,
    asks: ['rows of y', 'weights', 'columns of y', 'size of dw', 'products of y', 'biases', 'rows of y', 'weights'],
    varies:
      'h=13|16|28|32|33&w=14|15|30|32&kh=2|3|3|5&kw=1|3|5&c=4|8|16&k=8|16|32&groups=1|1|2|4&stride=1|2|2|3&dilation=1|1|1|2&padding=0|1|2|1,0,1,0&bias=constant:1',
  },
  {
    id: 'readers',
    title: 'Where a gradient comes from',
    sentence: 'Choose the cells that a sum reads: of dy for dx, of x for dw and y.',
    words:
      'Choose the cells on the page, then press Check: click or tap them, or use the arrow keys and Space. Choose a cell again to take it back. Look at the stride, the padding and the dilation first.',
    seed: 47,
    questions: 6,
    asks: ['reads dx', 'reads y', 'reads dx', 'reads dw', 'reads dx', 'reads dw'],
    varies:
      'h=5|6|7&w=5|6|7&kh=2|3|3&kw=2|3|3&stride=1|1|2|2x1&dilation=1|1|1|2&padding=0|1|1|1,0,1,0&x=random&weights=random&dy=random',
  },
  {
    id: 'two-layers',
    title: 'Through two layers',
    sentence: 'Compute single values of y2, dy1 and dx in a network of two convolutions.',
    words: 'One value is hidden. The top row goes forward, the bottom row goes back: dy1 is the dx of layer 2.',
    seed: 74,
    questions: 6,
    asks: ['dy1', 'dx', 'y2', 'dx', 'dy1', 'dx'],
    varies:
      'h=4&w=4|5&kh=1|2&kw=2&x=random&weights=random&layer.2=conv;kh:2;kw:2;weights:random|conv;kh:2;kw:1;weights:random|conv;kh:2;kw:2;stride:2;weights:random|conv;kh:2;kw:2;padding:1,0,1,0;weights:random&dy=random',
    mistakes: ['opposite_weight'],
  },
  {
    id: 'gates-and-pools',
    title: 'Gates and pools',
    sentence: 'Compute single values and gradients of ReLU, max pooling and average pooling.',
    words: 'One value of y2 or dy1 is hidden. Look at layer 2 first: its kind, its window and its stride.',
    seed: 1099,
    questions: 8,
    asks: ['dy1', 'y2', 'dy1', 'dy1', 'y2', 'dy1', 'dy1', 'y2'],
    varies:
      'h=4|5&w=5&kh=2&kw=2&x=random&weights=random&bias=|constant:3&layer.2=relu|relu|max_pool;kernel:2;stride:1|max_pool;kernel:2|average_pool;kernel:2|average_pool;kernel:2;stride:1&dy=random',
  },
  {
    id: 'receptive-fields',
    title: 'Receptive fields',
    sentence: 'Count the rows and columns of x that one cell behind two or three layers depends on.',
    words: 'This question is about the network below, not about the tensors on the page.',
    seed: 89,
    questions: 6,
    asks: ['rows of x', 'columns of x'],
    varies:
      'h=40&w=40&kh=3|3|5&kw=3|3|5&stride=1|1|2&layer.2=conv;kh:3;kw:3|conv;kh:3;kw:5|conv;kh:3;kw:3;stride:2|max_pool;kernel:2|max_pool;kernel:3;stride:2|average_pool;kernel:2&layer.3=|relu|conv;kh:3;kw:3|conv;kh:2;kw:2|max_pool;kernel:2',
  },
];

/** The questions of a teacher as a set; its questions are in the link. */
export const OWN_SET = 'questions';

const ownSets = new WeakMap<readonly TeacherQuestion[], ExerciseSet>();

function ownSet(questions: readonly TeacherQuestion[]): ExerciseSet | undefined {
  const known = ownSets.get(questions) ?? {
    id: OWN_SET,
    title: 'Questions',
    sentence: 'Questions about the problem of this link.',
    words: 'Work out the hidden value.',
    seed: 0,
    questions: questions.length,
    asks: [],
    varies: '',
  };
  ownSets.set(questions, known);
  return questions.length === 0 ? undefined : known;
}

/** All sets, and that of the link. */
export function exerciseSets(own: readonly TeacherQuestion[]): readonly ExerciseSet[] {
  const set = ownSet(own);
  return set ? [set, ...EXERCISES] : EXERCISES;
}

/** A question of a set; the index after the last question is the result. */
export interface ExerciseRef {
  readonly set: ExerciseSet;
  /** Counted from 0. */
  readonly index: number;
}

/** "forward-sums.2": the second question. */
export const exerciseRefText = ({ set, index }: ExerciseRef): string => `${set.id}.${index + 1}`;

/** `own`: the questions in the link. */
export function exerciseRefOf(text: string | null, own: readonly TeacherQuestion[] = []): ExerciseRef | null {
  const [id, number] = text?.split('.') ?? [];
  const set = exerciseSets(own).find((candidate) => candidate.id === id);
  const index = Number(number) - 1;
  return set && index >= 0 && index <= set.questions ? { set, index } : null;
}
