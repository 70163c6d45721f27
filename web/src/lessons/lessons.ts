import type { Lesson, Step } from './lesson';

const FILES = import.meta.glob<{ readonly lesson: Lesson }>('./lessons/*.ts', { eager: true });

export interface NamedLesson extends Lesson {
  /** The name of its file: what a link calls it. */
  readonly id: string;
}

/** THE LIST, in the order in which one reads them. */
export const LESSONS: readonly NamedLesson[] = Object.entries(FILES)
  .map(([path, { lesson }]) => ({ ...lesson, id: path.replace(/^.*\/|\.ts$/g, '') }))
  .sort((a, b) => a.place - b.place);

/** A step of a lesson. */
export interface Place {
  readonly lesson: NamedLesson;
  /** Counted from 0. */
  readonly index: number;
  readonly step: Step;
}

/** "padding.2": the second step of the lesson called padding. */
export const placeText = ({ id }: NamedLesson, index: number): string => `${id}.${index + 1}`;

/** The place that a text names; null when there is none, as in a link of another version of the page. */
export function placeOf(text: string | null): Place | null {
  const [id, number] = text?.split('.') ?? [];
  const lesson = LESSONS.find((candidate) => candidate.id === id);
  const index = Number(number) - 1;
  const step = lesson?.steps[index];
  return lesson && step ? { lesson, index, step } : null;
}

/** What a step opens, with the place of the lesson in it. */
export const linkOf = ({ lesson, index, step }: Place): string =>
  `${step.link}&side=lesson&lesson=${placeText(lesson, index)}`;

/** What a link that names a lesson and nothing else stands for: the step, the first where it names none, with its problem. */
export function stepLink(bare: string): string {
  const parts = bare.split('&');
  const text = parts.find((part) => part.startsWith('lesson='))?.slice('lesson='.length) ?? '';
  const place = placeOf(text.includes('.') ? text : `${text}.1`);
  const others = parts.filter((part) => !/^(lesson|side)=/.test(part));
  return place ? [linkOf(place), ...others].join('&') : bare;
}

/** A link with parts of it replaced: "h=5&stride=1" and "stride=2" are "h=5&stride=2". */
export function laidOver(link: string, change: string): string {
  const keyOf = (part: string) => part.slice(0, part.indexOf('='));
  const changes = change.split('&');
  const kept = link.split('&').filter((part) => !changes.some((other) => keyOf(other) === keyOf(part)));
  return [...kept, ...changes].join('&');
}
