import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Hands } from '../commands/command';
import type { ConvError } from '../protocol/errors';
import { cellAt } from '../state/addressed';
import type { InputName } from '../state/problem';
import { LateNotice } from '../ui/LateNotice';
import { late } from '../ui/late';
import type { SceneEvents } from '../views/kit/scene';
import { ControlColumn } from './controls/ControlColumn';
import type { Page } from './page';
import type { PictureChannels } from './picture-room';
import type { Pictures } from './pictures';
import { Stage } from './stage/Stage';
import { StagedProvider, useStage } from './stage/staged';

interface ColumnsProps {
  readonly page: Page;
  readonly hands: Hands;
  readonly pictures: Pictures;
  readonly channels: Signal<PictureChannels>;
  readonly error: Signal<ConvError | null>;
}

/** The first picture speaks for itself: the words come right after it. */
const sidePanel = late(async () => (await import('./side/SidePanel')).SidePanel);

/** Controls, stage and side panel: stage and panel draw parts of the same mode. */
export function Columns({ page, hands, pictures, channels, error }: ColumnsProps) {
  const events = useMemo(() => createEvents(page), [page]);
  const staged = useStage(page, events);
  const SidePanel = sidePanel();
  return (
    <StagedProvider value={staged}>
      <div class="app__columns">
        <ControlColumn page={page} pictures={pictures} channels={channels} error={error} />
        <Stage page={page} />
        {SidePanel ? (
          <SidePanel page={page} hands={hands} events={events} />
        ) : (
          <div class="side">
            <LateNotice what="What stands here" of={[sidePanel]} />
          </div>
        )}
      </div>
    </StagedProvider>
  );
}

const INPUTS: readonly InputName[] = ['x', 'w', 'b', 'dy'];

/** What a person does to the page's pictures. */
const createEvents = ({ store, look }: Page): SceneEvents => ({
  onHover: look.hover,
  onMove: look.move,
  onPick: look.toggle,
  onEdit: ({ tensor, index, geometry }, value) => {
    const input = INPUTS.find((name) => name === tensor);
    if (input) store.setCells(cellAt(input, { index }, geometry), value);
  },
  onFocus: look.setFocus,
  onDesc: (patch) => store.setDesc(patch),
  onDy: (source, geometry) => store.setDySource(source, { geometry }),
  onPaint: (indices, value, geometry, gesture) =>
    store.setCells({ tensor: 'dy', indices, geometry }, value, { gesture }),
});
