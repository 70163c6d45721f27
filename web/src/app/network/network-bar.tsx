import { lazy } from '../../ui/lazy';
import { Late, LoadingNotice } from '../../ui/notices';
import type { NetworkAct } from '../../views/shared/scene';
import type { Page } from '../page/page';

/** The code of networks: downloaded with the first one. */
const network = lazy('The network', () => import('./network-parts'));

/** The control of a draft that adds or removes a layer. */
const LAYERS = 'layers';

/** Where the open layer is in its network, and a refused change of its layers; nothing for a problem of one layer. */
export function NetworkBar({ page }: { readonly page: Page }) {
  const { store } = page;
  const draft = store.draft.value;
  const refused = draft?.field === LAYERS && draft.error.message;
  return store.problem.value.layers.length > 1 || refused ? (
    <Late part={network}>{({ Bar }) => <Bar page={page} refused={refused} />}</Late>
  ) : (
    <LoadingNotice of={network} />
  );
}

export const changeNetwork = (page: Page, act: NetworkAct): void =>
  // The notice above says that it loads, or failed to.
  network.use(
    ({ change }) => change(page, act, LAYERS),
    () => undefined,
  );
