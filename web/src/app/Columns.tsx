import { useEffect, useMemo } from 'preact/hooks';
import { LoadingNotice } from '../ui/notices';
import './controls/control-column.css';
import { deferred, useDeferred } from './deferred/deferred';
import { ExampleNote } from './examples/examples';
import type { PartProps } from './features/feature';
import { CurrentViewProvider, useLoadedView } from './stage/current-view';
import { createViewEvents, Stage } from './stage/Stage';

/** Controls, stage and side panel. On a narrow page one of controls and panel is open, as a sheet beside or below the stage. */
export function Columns({ page, context, examples }: PartProps) {
  const { sheet, controls, lesson, hiddenParts } = page.look;
  const events = useMemo(() => createViewEvents(page), [page]);
  const currentView = useLoadedView(page, events);
  useDeferred(page.currentContent.value !== null);
  const isStudying = lesson.value !== null;
  useEffect(() => {
    if (isStudying) sheet.value = 'side';
  }, [isStudying, sheet]);
  const parts = deferred.loaded.value;
  return (
    <CurrentViewProvider value={currentView}>
      <div class="app__columns" data-sheet={sheet.value}>
        {!hiddenParts.value.includes('controls') && (
          <section class={`controls controls--${controls.value}`} id="controls" aria-label="Controls">
            {parts && (
              <parts.ControlColumn {...{ page, context }} note={<ExampleNote examples={examples} />}>
                <parts.ColorScaleField page={page} />
              </parts.ControlColumn>
            )}
          </section>
        )}
        <Stage page={page} context={context} />
        <aside class="side" id="side" aria-label="Explanations and lessons">
          {parts ? <parts.SidePanel {...{ page, context, events }} /> : <LoadingNotice of={deferred} />}
        </aside>
      </div>
    </CurrentViewProvider>
  );
}
