import { groupOfFilter } from '../../geometry/focus';
import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';
import { layoutBoard } from '../kit/board-layout';
import { StagePanel } from '../kit/StagePanel';
import type { Scene } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import { SPREAD, sizeFor } from './DilatedDy';
import { ghostSentence, ghosts, hasGhosts } from './stops';

/** Images whose results are drawn; of a larger batch, those around the one in focus. */
const MOST_IMAGES = 4;

/** One group, that is one channel of one image; then the sum over the images. */
export function Grouped({ scene, answers, events, width }: ViewProps) {
  const { geometry: g, focus, transfer, highlights } = scene;
  const stage = (name: string) => answers.details?.stages.find((entry) => entry.stage === name)?.tensor;
  const [dy, perImage] = [stage('dy_spread'), stage('dw_per_image')];
  if (!dy || !perImage) return null;

  const size = sizeFor(g, width);
  const picture: Scene = {
    ...scene,
    layout: { ...layoutBoard(g, width, 0), arrangement: 'stack', cell: { x: size, w: size, y: size, b: size } },
  };
  const common = { geometry: g, transfer, events, size, highlights };
  const result = (n: number, role = '') => (
    <StagePanel
      {...common}
      name="dw_per_image"
      tensor={perImage}
      slice={n * g.k + focus.k}
      channel={focus.c - groupOfFilter(g, focus.k) * g.group_c}
      title="dw"
      subtitle={g.n > 1 ? `of image ${n}` : 'of the image'}
      label={`dw of image ${n}${role}, dw ways`}
      accent="var(--id-w)"
      under={ghosts(g)}
    />
  );
  const images = shownImages(g, focus.n);
  return (
    <>
      <p class="steps__idea">
        {groupSentence(g, focus)} {ghostSentence(g)}
      </p>
      <div class="steps__row">
        <TensorPanel tensor="x" scene={picture} events={events} place="dw ways" />
        <div class="dw-ways__term">
          <span class="row__sign" aria-hidden="true">
            ∗
          </span>
          <StagePanel
            {...common}
            name="dy_spread"
            tensor={dy}
            slice={focus.n}
            channel={focus.k}
            title="dy"
            subtitle={SPREAD}
            label="dy_spread, dw ways"
            accent="var(--id-y)"
          />
        </div>
        <div class="dw-ways__term">
          <span class="row__sign" aria-hidden="true">
            =
          </span>
          {result(focus.n)}
        </div>
      </div>
      <p class="steps__idea">{sumSentence(g, images.length)}</p>
      {(g.n > 1 || hasGhosts(g)) && (
        <div class="steps__row">
          {g.n > 1 &&
            images.map((n, i) => (
              <div key={n} class="dw-ways__term">
                {i > 0 && (
                  <span class="row__sign" aria-hidden="true">
                    +
                  </span>
                )}
                {result(n, ', to add')}
              </div>
            ))}
          <div class="dw-ways__term">
            <span class="row__sign" aria-hidden="true">
              {images.length < g.n ? '+ … =' : '='}
            </span>
            <TensorPanel tensor="dw" scene={picture} events={events} place="dw ways" />
          </div>
        </div>
      )}
    </>
  );
}

function shownImages(g: Geometry, n: number): readonly number[] {
  const first = Math.max(0, Math.min(n, g.n - MOST_IMAGES));
  return Array.from({ length: Math.min(g.n, MOST_IMAGES) }, (_, i) => first + i);
}

function groupSentence(g: Geometry, { n, c, k }: Scene['focus']): string {
  const count = g.n * g.c;
  const all = `${g.n} ${g.n === 1 ? 'image' : 'images'} × ${g.c} ${g.c === 1 ? 'channel' : 'channels'} = ${count} ${count === 1 ? 'group' : 'groups'}`;
  const which = count > 1 ? ` Here: image ${n}, channel ${c}, with the dy of filter ${k}.` : '';
  return `${all}. In each, one channel of one image is convolved with the dy of that image, once per filter.${which}`;
}

function sumSentence(g: Geometry, shown: number): string {
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  const slice = row > g.kh || col > g.kw ? `Sliced to ${g.kh} × ${g.kw}` : 'Nothing to slice off';
  if (g.n === 1) return `${slice}, and with one image there is nothing to add: this is dw.`;
  return `${slice}, then added up over the batch${shown < g.n ? ` of ${g.n} images, of which ${shown} are drawn` : ''}:`;
}
