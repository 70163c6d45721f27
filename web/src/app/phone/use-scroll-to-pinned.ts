import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { LookStore } from '../../look/look-store';
import { scrollTo } from './scroll';

/** Scrolls a pinned cell above the sheet, once for each cell, so that the user can scroll away. */
export function useScrollToPinned({ highlights, pinned, sheet }: LookStore): void {
  const lastScrolled = useRef('');
  useSignalEffect(() => {
    const highlight = highlights.value;
    if (!pinned.value || sheet.value === 'peek') lastScrolled.current = '';
    else if (highlight?.pinned && sheet.value === 'half') {
      const { tensor, index } = highlight.cell;
      if (lastScrolled.current === `${tensor} ${index}`) return;
      lastScrolled.current = `${tensor} ${index}`;
      // In the next frame the mark is drawn and the page has its final height.
      const panel = `main .panel--${tensor.replace('_padded', '')}`;
      requestAnimationFrame(() => scrollTo(document.querySelector(`${panel} .mark--focus`), 'nearest'));
    }
  });
}
