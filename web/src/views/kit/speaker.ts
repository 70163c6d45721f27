import { useState } from 'preact/hooks';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';

interface Speaker {
  /** What one points at or has pinned; null while the frame speaks for itself. */
  readonly highlights: Highlights | null;
  /** The scrubber was moved: a cell that was pinned before then stands back. */
  readonly onScrub: () => void;
}

/** A picture of a process speaks of its last step, unless a person asks about a cell. */
export function useSpeaker(highlights: Highlights | null): Speaker {
  const [quiet, setQuiet] = useState<Cell | null>(null);
  const pinned = highlights?.pinned ? highlights.cell : null;
  const hushed = pinned !== null && pinned.tensor === quiet?.tensor && pinned.index === quiet.index;
  return { highlights: hushed ? null : highlights, onScrub: () => setQuiet(pinned) };
}
