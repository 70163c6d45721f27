import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { LookStore } from '../../look/look-store';
import { scrollTo } from './scroll';

/** Brings the pinned cell above the sheet that explains it: once, so that one may scroll elsewhere then. */
export function useInSight({ highlights, pinned, sheet }: LookStore): void {
  const seen = useRef('');
  useSignalEffect(() => {
    const lit = highlights.value;
    if (!pinned.value || sheet.value === 'peek') seen.current = '';
    else if (lit?.pinned && sheet.value === 'half') {
      const { tensor, index } = lit.cell;
      if (seen.current === `${tensor} ${index}`) return;
      seen.current = `${tensor} ${index}`;
      // Drawn by then, and the page as long as it gets by the sheet's height.
      const panel = `main .panel--${tensor.replace('_padded', '')}`;
      requestAnimationFrame(() => scrollTo(document.querySelector(`${panel} .mark--focus`), 'nearest'));
    }
  });
}
