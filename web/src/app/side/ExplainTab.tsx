import { perform } from '../../commands/list';
import { late } from '../../ui/late';
import { PictureProvider } from '../../views/kit/picture';
import type { Content } from '../../views/kit/scene';
import { Explain } from '../explain/Explain';
import type { ExplainCellProps } from '../explain/ExplainCell';
import { useStaged } from '../stage/staged';
import type { SideTabProps } from './tab';

/** The cell that is spoken of; before there is one, what the mode shows. */
export function ExplainTab({ page, hands, events, predicted }: SideTabProps & Pick<ExplainCellProps, 'predicted'>) {
  const { scene, look } = page;
  const { show } = useStaged();
  const content = scene.value;
  if (!content) return null;
  const staged = show?.picture.content.value ?? null;
  return (
    <Explain
      page={page}
      predicted={predicted}
      content={content}
      highlights={look.highlights.value}
      beside={staged?.revision ?? null}
      onTerm={(regions) => {
        look.term.value = regions;
      }}
      onGo={look.visit}
      onRelease={() => perform('release', hands)}
      onEdit={events.onEdit}
    >
      <AboutMode content={staged ?? content} />
    </Explain>
  );
}

/** What the formulas are made of comes after the first picture. */
const formulas = late(async () => (await import('./ModeFormulas')).ModeFormulas);

function AboutMode({ content }: { readonly content: Content }) {
  const { entry, show, loader } = useStaged();
  const ModeFormulas = formulas();
  return (
    <div class="about">
      <h3 class="about__title">{entry.title}</h3>
      <p class="about__sentence">{loader()?.sentence}</p>
      {ModeFormulas && <ModeFormulas mode={entry.id} content={content} />}
      {show?.view.About && (
        <PictureProvider value={show.picture}>
          <show.view.About {...show.props} />
        </PictureProvider>
      )}
    </div>
  );
}
