import type { Question } from '../protocol/questions';

const isArray = (value: unknown): value is Float32Array | Int32Array | Float64Array => ArrayBuffer.isView(value);

const KEYS = new WeakMap<Question, string>();

/** Equal for questions that ask the same, in whatever order their fields stand. */
export function keyOf(question: Question): string {
  const known = KEYS.get(question) ?? textOf(question);
  KEYS.set(question, known);
  return known;
}

const textOf = (question: Question): string =>
  JSON.stringify(question, (_, value: unknown) => {
    if (isArray(value)) return [...value];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** What an answer takes, in bytes: its arrays. */
export function bytesOf(value: unknown): number {
  if (isArray(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + bytesOf(member), 0);
}
