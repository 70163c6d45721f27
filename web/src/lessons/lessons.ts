import paths from '../../content/paths.yaml';
import { exerciseRefOf } from './exercises';
import type { Lesson, StepData } from './lesson';

export interface Path<Of> {
  readonly title: string;
  readonly lessons: readonly Of[];
  /** Once all lessons up to here are done: what the reader knows now, and what to do next. */
  readonly ending: { readonly title: string; readonly words: string; readonly next: string };
}

const files = import.meta.glob<Omit<Lesson, 'id'>>('../../content/lessons/*.yaml', { eager: true, import: 'default' });

/** The core path, from one window to a checked gradient in about an hour, and its branches. */
export const PATHS: readonly Path<Lesson>[] = (paths as readonly Path<string>[]).map((path) => ({
  ...path,
  lessons: path.lessons.flatMap((id) => {
    const lesson = files[`../../content/lessons/${id}.yaml`];
    return lesson ? [{ id, ...lesson }] : [];
  }),
}));

export const LESSONS: readonly Lesson[] = PATHS.flatMap(({ lessons }) => lessons);

/** The path that ends with a lesson; undefined in the middle of a path. */
export const pathEndedBy = (lesson: Lesson): Path<Lesson> | undefined =>
  PATHS.find(({ lessons }) => lessons.at(-1) === lesson);

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

/**
 * The link of a step, including the step's name. The cell that it asks for is hidden and pinned; once the step is `solved`, it is
 * shown, and the solution is on the page.
 */
function linkAt({ lesson, index, step }: StepRef, isSolved: boolean): string {
  const { asks, hides, later, link, solution } = step;
  const cell = typeof asks === 'string' ? asks : undefined;
  const hidden = [isSolved ? undefined : cell && (hides ?? cell), later].filter(Boolean).join();
  const changes = [
    ...(hidden ? [`hidden=${hidden}`] : []),
    // A digit is that of a layer: "dy1.3".
    ...(cell ? [`${/\d\./.test(cell) ? 'network.' : ''}cell=${cell}`] : []),
    ...(isSolved && solution ? [solution] : []),
  ];
  const changed = changes.length === 0 ? link : withLinkFields(link, changes.join('&'));
  return `${changed}&side=lesson&lesson=${stepRefText(lesson, index)}`;
}

export const linkOf = (place: StepRef): string => linkAt(place, false);

/** The link of a step with its task done. */
export const solvedLink = (place: StepRef): string => linkAt(place, true);

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
