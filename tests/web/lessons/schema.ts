/** Finds wrong fields in files of web/content. */

/** The errors of a value, each with the place of the field: "steps.2.task is missing". */
export type Check = (value: unknown, at: string) => readonly string[];

const wrong = (at: string, value: unknown, what: string): readonly string[] => [
  `${at || 'the file'} is ${value === undefined ? 'missing' : `not ${what}`}`,
];

const a =
  (what: string, accepts: (value: unknown) => boolean): Check =>
  (value, at) =>
    accepts(value) ? [] : wrong(at, value, what);

const placed = (at: string, name: string | number): string => (at === '' ? String(name) : `${at}.${name}`);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

export const text = a('a text', (value) => typeof value === 'string' && value !== '');
export const count = a('a whole number', isCount);
export const link = a(
  'a link',
  (value) => value === '' || (typeof value === 'string' && /^[\w.]+=[^\s#]*$/.test(value)),
);
export const oneOf = (...known: readonly string[]): Check =>
  a(`one of ${known.join(', ')}`, (value) => known.some((one) => one === value));
export const matching = (pattern: RegExp, what: string): Check =>
  a(what, (value) => typeof value === 'string' && pattern.test(value));
export const either =
  (...checks: readonly Check[]): Check =>
  (value, at) => {
    const found = checks.map((check) => check(value, at));
    return found.find((errors) => errors.length === 0) ?? found.at(typeof value === 'object' ? -1 : 0) ?? [];
  };

export const list =
  (of: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((each, index) => of(each, placed(at, index + 1))) : wrong(at, value, 'a list');

/** Any names, each with a value. */
export const map =
  (of: Check): Check =>
  (value, at) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, each]) => of(each, placed(at, name)))
      : wrong(at, value, 'fields');

/** Fields; one with "?" may be missing. Others are unknown. */
export const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (!isObject(value)) return wrong(at, value, 'fields');
    const names = Object.keys(checks).map((name) => name.replace('?', ''));
    const unknown = Object.keys(value).filter((name) => !names.includes(name));
    return [
      ...unknown.map((name) => `${placed(at, name)} is unknown`),
      ...Object.entries(checks).flatMap(([key, check]) => {
        const name = key.replace('?', '');
        return key.endsWith('?') && value[name] === undefined ? [] : check(value[name], placed(at, name));
      }),
    ];
  };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
