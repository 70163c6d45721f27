/** The chosen number of steps, at most `total`; before a choice, which can come from a link, `first`. */
export const chosenSteps = (chosen: unknown, total: number, first = total): number =>
  typeof chosen === 'number' ? Math.max(0, Math.min(total, Math.round(chosen))) : Math.min(total, first);
