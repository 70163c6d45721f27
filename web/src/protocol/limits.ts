/** Text after "at most 64: " (limits: size-table.ts). */
export const LIMIT_REASON = 'the page does not draw more';

/** Maximum size of a link that is read, and number of its faults that are listed. Links that the page creates are shorter. */
export const LINK_LIMITS = { characters: 2 ** 17, parts: 256, complaints: 8 } as const;

/** Maximum characters of a link that another link contains. */
export const MOST_BESIDE = 2 ** 14;
