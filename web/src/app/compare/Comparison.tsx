import { useEffect, useRef, useState } from 'preact/hooks';
import { encoded } from '../../link/text';
import { Button } from '../../ui/controls/Button';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';
import { Stage } from '../stage/Stage';
import { Beginning } from './Beginning';
import { Differences } from './Differences';
import { Frame } from './Frame';
import { linkOf } from './other';
import { useOther } from './use-other';
import './compare.css';

/** The page's own stage, and another problem beside it in a frame of its own. */
export function Comparison({ page }: { readonly page: Page }) {
  const { look, address } = page;
  const link = look.with.value ?? '';
  const known = useOther(link);
  const [said, say] = useState<string | null>(null);
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What one pressed is gone, or lies under what closes now.
    const { activeElement: active } = document;
    if (active === null || active === document.body) room.current?.focus({ preventScroll: true });
  }, []);
  const swap = async () => {
    const mine = await linkOf(address.seen());
    if ('complaint' in mine) return say(mine.complaint);
    say(null);
    await address.open(`${link}&mode=${look.mode.peek()}&with=${encoded(mine.link)}`);
  };
  const geometry = known?.link === link ? (known.result?.geometry ?? null) : null;
  return (
    <div ref={room} class="compare" tabIndex={-1}>
      <section class="compare__head" aria-labelledby="compare-title">
        <div class="compare__bar">
          <h2 id="compare-title">Two problems side by side</h2>
          {link !== '' && <Button onClick={() => void swap()}>Swap them</Button>}
          {link !== '' && (
            <Button
              onClick={() => {
                look.with.value = '';
              }}
            >
              Another one
            </Button>
          )}
          <Button
            shortcut="C"
            onClick={() => {
              look.with.value = null;
            }}
          >
            Back to one
          </Button>
          <Refusal why={said} />
        </div>
        {known && <Differences page={page} other={known.other} result={known.result} late={known.link !== link} />}
      </section>
      <div class="compare__columns">
        <Stage page={page} />
        {link === '' ? <Beginning page={page} /> : <Frame page={page} link={link} geometry={geometry} say={say} />}
      </div>
    </div>
  );
}
