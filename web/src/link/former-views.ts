/**
 * Links to views that the page no longer has. Their pictures are part of another view, so that these links keep working.
 *
 * "dy and loss" (mode=dy, dy.value, dy.reach, dy.same) is now in the menu of dy. It painted at once, showed the target in place of x,
 * and drew dx over a photo; on the Overview each of these is a choice.
 */

const DY_VIEW = { mode: 'board', 'board.paint': 'true', 'board.target': 'true', 'board.overlay': 'true' } as const;

/** The prefix of its settings. */
export const FORMER_SETTINGS = 'dy.';

/** Its tab, in lists of locked and hidden parts. */
export const isFormerPart = (name: string): boolean => name === 'mode.dy';

/** The texts of a link by key, as the present page would write them. */
export function withoutFormerViews(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const opensDy = texts.get('mode') === 'dy';
  const kept = [...texts].filter(([key]) => !key.startsWith(FORMER_SETTINGS) && !(opensDy && NOT_THERE.has(key)));
  const settings = [...texts].flatMap(([key, text]): [string, string][] => {
    const name = key.startsWith(FORMER_SETTINGS) ? key.slice(FORMER_SETTINGS.length) : '';
    // The colors are visible: they count only where that view is open, or was opened by an earlier message to an embed.
    const counts = name === 'same' ? opensDy || texts.has('board.paint') : name === 'value' || name === 'reach';
    return counts ? [[`board.${name}`, text]] : [];
  });
  return new Map([...(opensDy ? Object.entries(DY_VIEW) : []), ...settings, ...kept]);
}

/** The mode itself, and the step of the player of the Overview, which that view did not have. */
const NOT_THERE: ReadonlySet<string> = new Set(['mode', 'board.t']);
