import { perform } from '../../commands/list';
import { PictureProvider } from '../../views/kit/picture';
import { Explain } from '../explain/Explain';
import { useStaged } from '../stage/staged';
import type { SideTabProps } from './list';

/** The cell that is spoken of; before there is one, what the mode shows. */
export function ExplainTab({ page, hands, events }: SideTabProps) {
  const { client, scene, look } = page;
  const content = scene.value;
  if (!content) return null;
  return (
    <Explain
      client={client}
      content={content}
      highlights={look.highlights.value}
      onTerm={(regions) => {
        look.term.value = regions;
      }}
      onGo={look.visit}
      onRelease={() => perform('release', hands)}
      onEdit={events.onEdit}
    >
      <AboutMode />
    </Explain>
  );
}

function AboutMode() {
  const { entry, show } = useStaged();
  return (
    <div class="about">
      <h3 class="about__title">{entry.title}</h3>
      <p class="about__sentence">{entry.sentence}</p>
      {show?.view.About && (
        <PictureProvider value={show.picture}>
          <show.view.About {...show.props} />
        </PictureProvider>
      )}
    </div>
  );
}
