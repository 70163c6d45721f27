import { gather, gradientChecks, scatter } from './backward';
import { receptive, vanishing } from './depth';
import { exerciseRefOf } from './exercises';
import { oneWindow, padding, sliding } from './forward';
import { biasBatch, channels, groups } from './layers';
import type { Asked, Lesson, StepData } from './lesson';
import { col2im, im2col } from './lowering';
import { chainRule, poolingLayers, reluLayers } from './networks';
import { remainder, stride, transposed } from './strides';
import { dw, learning, loss } from './training';

/** The core path: from one window to a checked gradient, in about an hour. */
export const CORE: readonly Lesson[] = [oneWindow, sliding, padding, loss, dw, scatter, gather, gradientChecks];

/** Branches of the path. */
export const FURTHER: readonly Lesson[] = [
  channels,
  stride,
  remainder,
  im2col,
  col2im,
  biasBatch,
  groups,
  transposed,
  learning,
  chainRule,
  reluLayers,
  poolingLayers,
  receptive,
  vanishing,
];

export const LESSONS: readonly Lesson[] = [...CORE, ...FURTHER];

/** The end of a path: what the reader knows now, and what to do next. */
export interface Ending {
  readonly title: string;
  readonly words: string;
  readonly next: string;
}

/** The ends of the path, by the last lesson. */
const ENDINGS: ReadonlyMap<Lesson | undefined, Ending> = new Map([
  [
    CORE.at(-1),
    {
      title: 'The end of the core path',
      words:
        'Forward, each cell of y is the sum of a window of x times w. Backward, dy comes back through the same products: dw sums x times dy, and dx sums w times dy, with the kernel flipped. A gradient check measures whether both are right.',
      next: 'Check yourself with the exercises, or choose one of the further lessons below.',
    },
  ],
  [
    FURTHER.at(-1),
    {
      title: 'The end of the lessons',
      words:
        'You can compute the forward pass and every gradient by hand, with stride, padding, dilation, groups and batches. You know them as loops, as matrix products and as a transposed matrix, you have seen a kernel learn from its gradient, and you know how gradients go back through a network.',
      next: 'Check yourself with the exercises, then find the mistakes in Spot the bug.',
    },
  ],
]);

/** Null in the middle of a path. */
export const endingOf = (lesson: Lesson): Ending | null => ENDINGS.get(lesson) ?? null;

export interface StepRef {
  readonly lesson: Lesson;
  /** Counted from 0. */
  readonly index: number;
  readonly step: StepData;
}

/** "padding.2": the second step of the lesson "padding". */
export const stepRefText = ({ id }: Lesson, index: number): string => `${id}.${index + 1}`;

/** Null for an unknown step, for example in a link of another version. */
export function stepRefOf(text: string | null): StepRef | null {
  const [id, number] = text?.split('.') ?? [];
  const lesson = LESSONS.find((candidate) => candidate.id === id);
  const index = Number(number) - 1;
  const step = lesson?.steps[index];
  return lesson && step ? { lesson, index, step } : null;
}

const named = (link: string, { lesson, index }: StepRef): string =>
  `${link}&side=lesson&lesson=${stepRefText(lesson, index)}`;

/** Fields of a link that hide cells and pin one; none for neither. A digit is that of a layer: "dy1.3". */
const cells = (hidden: string | undefined, pinned: Asked | undefined): readonly string[] => [
  ...(hidden ? [`hidden=${hidden}`] : []),
  ...(typeof pinned === 'string' ? [`${/\d\./.test(pinned) ? 'network.' : ''}cell=${pinned}`] : []),
];

const changed = (link: string, changes: readonly string[]): string =>
  changes.length === 0 ? link : withLinkFields(link, changes.join('&'));

/** The link of a step, including the step's name. The cell that it asks for is hidden and pinned. */
export function linkOf(place: StepRef): string {
  const { asks, hides, later, link } = place.step;
  const own = typeof asks === 'string' ? (hides ?? asks) : undefined;
  return named(changed(link, cells([own, later].filter(Boolean).join(), asks)), place);
}

/** The link of a step with its task done. */
export function solvedLink(place: StepRef): string {
  const { asks, later, link, solution } = place.step;
  return named(changed(link, [...cells(later, asks), ...(solution ? [solution] : [])]), place);
}

/** Completes a link that names only a lesson or a step with the problem of that step (default: the first step). */
export function stepLink(bare: string): string {
  const parts = bare.split('&');
  const text = parts.find((part) => part.startsWith('lesson='))?.slice('lesson='.length) ?? '';
  const place = stepRefOf(text.includes('.') ? text : `${text}.1`);
  const others = parts.filter((part) => !/^(lesson|side)=/.test(part));
  if (!place && exerciseRefOf(text)) return [...others, 'side=lesson', `lesson=${text}`].join('&');
  return place ? [linkOf(place), ...others].join('&') : bare;
}

/** Replaces fields of a link: "h=5&stride=1" and "stride=2" give "h=5&stride=2". */
export function withLinkFields(link: string, change: string): string {
  const keyOf = (part: string) => part.slice(0, part.indexOf('='));
  const changes = change.split('&');
  const unchanged = link.split('&').filter((part) => !changes.some((other) => keyOf(other) === keyOf(part)));
  return [...unchanged, ...changes].join('&');
}
