import { check, gather, scatter } from './backward';
import { exerciseRefOf } from './exercises';
import { oneWindow, padding, sliding } from './forward';
import { biasBatch, channels, groups } from './layers';
import type { Lesson, Step } from './lesson';
import { col2im, im2col } from './lowering';
import { remainder, stride, transposed } from './strides';
import { dw, learning, loss } from './training';

/** All lessons, in reading order. */
export const LESSONS: readonly Lesson[] = [
  oneWindow,
  sliding,
  padding,
  channels,
  loss,
  dw,
  scatter,
  gather,
  stride,
  remainder,
  im2col,
  col2im,
  biasBatch,
  groups,
  check,
  transposed,
  learning,
];

/** A step of a lesson. */
export interface StepRef {
  readonly lesson: Lesson;
  /** Counted from 0. */
  readonly index: number;
  readonly step: Step;
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

/** The link of a step, including the step's name. */
export const linkOf = ({ lesson, index, step }: StepRef): string =>
  `${step.link}&side=lesson&lesson=${stepRefText(lesson, index)}`;

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
export function withFields(link: string, change: string): string {
  const keyOf = (part: string) => part.slice(0, part.indexOf('='));
  const changes = change.split('&');
  const unchanged = link.split('&').filter((part) => !changes.some((other) => keyOf(other) === keyOf(part)));
  return [...unchanged, ...changes].join('&');
}
