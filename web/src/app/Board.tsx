import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { DySource } from '../sources/dy-sources';
import { useWidth } from '../ui/use-size';
import { boardView } from '../views/board/BoardView';
import { NO_ANSWERS } from '../views/kit/needs';
import type { ViewProps } from '../views/kit/view';

interface BoardProps extends Pick<ViewProps, 'scene' | 'events'> {
  readonly dySource: DySource;
  /** A newer problem is being computed, and has been for a while: the picture is of the one before. */
  readonly late: boolean;
  /** Settings of the picture. */
  readonly settings: ComponentChildren;
}

const NOTHING_CHOSEN = {};

/** The board, in the room there is. */
export function Board({ scene, events, dySource, late, settings }: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  return (
    <div ref={element} class={late ? 'board--late' : ''}>
      <div class="view__head">
        <div class="view__settings">{settings}</div>
      </div>
      {width > 0 && (
        <boardView.Component
          scene={scene}
          state={NOTHING_CHOSEN}
          wanted={NOTHING_CHOSEN}
          answers={NO_ANSWERS}
          events={events}
          onState={() => undefined}
          dySource={dySource}
          width={width}
        />
      )}
    </div>
  );
}
