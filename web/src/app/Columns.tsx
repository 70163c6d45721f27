import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Cell } from '../protocol/problem';
import { LoadingNotice } from '../ui/notices';
import { ControlColumn } from './controls/ControlColumn';
import { deferred, useDeferred } from './deferred/deferred';
import { ExampleNote } from './examples/examples';
import type { PartProps } from './features/feature';
import { useWide } from './page/hooks';
import { CurrentViewProvider, useLoadedView } from './stage/current-view';
import { createViewEvents, Stage } from './stage/Stage';

/** Controls, view and side panel; a narrow page has a strip and a bottom sheet instead. */
export function Columns({ page, context, examples }: PartProps) {
  const tapped = useSignal<Cell | null>(null);
  const events = useMemo(() => {
    const onPicked = (cell: Cell) => {
      tapped.value = { ...cell };
    };
    return createViewEvents(page, { onPicked });
  }, [page, tapped]);
  const currentView = useLoadedView(page, events);
  useDeferred(page.currentContent.value !== null);
  const wide = useWide();
  const side = { page, context, events };
  const parts = deferred.loaded.value;
  const hasControls = !page.look.hiddenParts.value.includes('controls');
  return (
    <CurrentViewProvider value={currentView}>
      <div class="app__columns grid loose">
        {wide ? (
          hasControls ? (
            <ControlColumn page={page} note={<ExampleNote examples={examples} />} />
          ) : (
            <div />
          )
        ) : parts ? (
          <parts.PhoneStrip page={page} />
        ) : (
          <div class="strip" />
        )}
        <Stage page={page} />
        {!parts && (
          <div class="side">
            <LoadingNotice of={deferred} />
          </div>
        )}
        {parts && wide && <parts.SidePanel {...side} />}
        {parts && !wide && <parts.PhoneSheet {...side} tapped={tapped} />}
      </div>
    </CurrentViewProvider>
  );
}
