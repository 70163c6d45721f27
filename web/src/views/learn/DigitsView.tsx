import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { isPlain, type LayerOf, plainLayer } from '../../layers/list';
import { DIGIT_LAYERS, DIGIT_STEPS, DIGITS, type DigitImage, digitInput, type Trained } from '../../protocol/digits';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { Chart, type Series } from '../../ui/plot/Chart';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import type { NetworkAct } from '../shared/scene';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { wholeStage } from '../shared/stage/layout';
import { useViewModel, type ViewProps } from '../shared/view-model';
import { DigitPicture } from './DigitPicture';
import { DrawnDigit } from './DrawnDigit';
import {
  BLANK,
  CONVOLUTIONS,
  type DigitsPlot,
  digitsChoice,
  digitsSentence,
  gradientFault,
  percent,
  STARTS,
  trainedIn,
} from './digits-choice';
import './digits.css';

const CLASSES = Array.from({ length: DIGITS.classes }, (_, i) => i);

/** The probability of each class. */
function Shares({ of, label }: { of: Float32Array | null; label: string }) {
  const best = of?.indexOf(Math.max(...of));
  return (
    <ul class="shares plain" aria-label={label}>
      {CLASSES.map((digit) => (
        <li key={digit} class={digit === best ? 'shares__class shares__class--best' : 'shares__class'}>
          <span>{digit}</span>
          <span class="shares__bar" style={{ '--share': of?.[digit] ?? 0 }} />
          <span class="shares__text">{of ? percent(of[digit] ?? 0) : '–'}</span>
        </li>
      ))}
    </ul>
  );
}

const Part = ({ title, wide, children }: { title: string; wide?: boolean; children: ComponentChildren }) => (
  <section class={wide ? 'digits__wide' : ''} aria-label={title}>
    <h3 class="digits__title">{title}</h3>
    {children}
  </section>
);

/** The images as a problem with the weights of this step: its dw is that of their loss. */
function problemOf(images: readonly DigitImage[], { weights }: Trained): NetworkAct {
  const pixels = DIGITS.side ** 2;
  const x = new Float32Array(images.length * pixels);
  const target = new Float32Array(images.length * DIGITS.classes);
  images.forEach((image, i) => {
    x.set(image.pixels, i * pixels);
    target[i * DIGITS.classes + image.label] = 1;
  });
  const layers = DIGIT_LAYERS.map(({ kind, window }, i): LayerOf<Float32Array> => {
    if (isPlain(kind)) {
      const { kh, kw, stride_h, stride_w, padding } = window;
      return plainLayer(kind, kind === 'max_pool' ? { kh, kw, stride_h, stride_w, padding } : {});
    }
    const { w, b } = weights[CONVOLUTIONS.indexOf(i)] as Trained['weights'][number];
    return { kind: 'conv', fields: window, w, b };
  });
  return { kind: 'load', input: digitInput(images.length), x, layers, loss: { kind: 'cross_entropy', target } };
}

export function DigitsView({ wanted, answers, onState }: ViewProps) {
  const { layout, events } = useViewModel();
  const trained = trainedIn(answers);
  const now = digitsChoice(wanted);
  // Not drawn again with each step of the player.
  const drawing = useMemo(
    () => <DrawnDigit drawn={now.drawn} onDraw={(drawn) => onState({ drawn })} />,
    [now.drawn, onState],
  );
  if (!trained) return null;
  const { image, batch } = trained;
  const load = (images: readonly DigitImage[]) => events.onNetwork(problemOf(images, trained));
  const fault = gradientFault(trained);
  return (
    <LayoutBox box={wholeStage(layout.value)} scrolls>
      <div class="digits">
        <Part title="The images of the next step" wide>
          <div class="digits__batch">
            {batch.map((each, place) => (
              <button
                // By place: with new elements for each step, frames took up to 280 ms.
                key={place}
                type="button"
                class="digits__choice"
                aria-pressed={each.number === image.number}
                aria-label={`image ${each.number}: a ${each.label}`}
                onClick={() => onState({ image: each.number })}
              >
                <DigitPicture pixels={each.pixels} label="" />
              </button>
            ))}
          </div>
        </Part>
        <Part title={`Image ${image.number}: a ${image.label}${image.isHeldOut ? ', held out' : ''}`}>
          <div class="digits__pair row">
            <div class="digits__large">
              <DigitPicture pixels={image.pixels} label={`image ${image.number}`} />
            </div>
            <Shares of={image.probabilities} label="probability of each class" />
          </div>
          <p class="row wrap tight">
            <Button onClick={() => load([image])}>Open this image</Button>
            <Button onClick={() => load(batch)}>Open the batch</Button>
          </p>
        </Part>
        <Part title="Draw a digit">
          <div class="digits__pair row">
            {drawing}
            <Shares of={trained.drawn} label="probability of each class for your digit" />
          </div>
          <p>
            <Button disabled={now.drawn === BLANK} onClick={() => onState({ drawn: '' })}>
              Clear
            </Button>
          </p>
        </Part>
        <Part title="Mean |dx|, held-out images">
          <div class="digits__large">
            <DigitPicture
              pixels={trained.receptive}
              label="mean of |dx| by pixel"
              ramp="amount"
              most={Math.max(...trained.receptive)}
            />
          </div>
          <p class="small soft">
            The effective receptive field: every pixel reaches y, but the loss depends most on those with the strongest
            color.
          </p>
        </Part>
        <Part title={PLOTS[now.plot].title} wide>
          {fault && <p class="kit__note note">{fault}</p>}
          <Curve plot={now.plot} trained={trained} onStep={(t) => onState({ t })} />
        </Part>
      </div>
    </LayoutBox>
  );
}

const PLOTS: Readonly<Record<DigitsPlot, Readonly<Record<'title' | 'axis', string>>>> = {
  norms: { title: 'Norm of dw by layer', axis: 'norm of dw' },
  loss: { title: 'Loss of each batch', axis: 'loss L' },
  accuracy: { title: 'Recognized held-out images after each epoch', axis: 'images' },
};

function seriesOf(plot: DigitsPlot, { history, epochs }: Trained): readonly Series[] {
  const { steps, losses, norms } = history;
  const over = (name: string, valueAt: (i: number) => number | undefined): Series => ({
    name,
    points: Array.from(steps, (x, i) => ({ x, y: valueAt(i) ?? Number.NaN })),
  });
  if (plot === 'accuracy')
    return [{ name: 'held-out', points: epochs.map(({ steps: x, correct }) => ({ x, y: correct })) }];
  if (plot === 'loss') return [over('loss', (i) => losses[i])];
  return CONVOLUTIONS.map((layer, at) => over(`layer ${layer + 1}`, (i) => norms[i * CONVOLUTIONS.length + at]));
}

const Curve = ({ plot, trained, onStep }: { plot: DigitsPlot; trained: Trained; onStep: (step: number) => void }) => (
  <Chart
    label={`${PLOTS[plot].title}, over the steps`}
    xLabel="steps"
    yLabel={PLOTS[plot].axis}
    series={seriesOf(plot, trained)}
    named={plot === 'norms'}
    until={DIGIT_STEPS}
    height={180}
    logarithmic={plot === 'norms'}
    onChoose={onStep}
  />
);

/** Where the weights start, and what is plotted. */
export function DigitsSettings({ wanted, onState }: ViewProps) {
  const now = digitsChoice(wanted);
  return (
    <>
      <Select label="start" options={STARTS} value={now.scale} onChange={(scale) => onState({ scale, t: 0 })} />
      <Select
        label="plot"
        options={[
          { value: 'accuracy', label: 'held-out accuracy' },
          { value: 'loss', label: 'loss' },
          { value: 'norms', label: 'norms of dw' },
        ]}
        value={now.plot}
        onChange={(plot) => onState({ plot })}
      />
    </>
  );
}

/** Steps per second. */
const SPEEDS = [1, 4, 16, 64, 256];

export function DigitsPlayer({ state, wanted, answers, onState }: ViewProps) {
  const trained = trainedIn(answers);
  return (
    trained && (
      <Scrubber
        label="steps of gradient descent"
        value={digitsChoice(wanted).steps}
        total={DIGIT_STEPS}
        row={DIGITS.batches}
        speeds={SPEEDS}
        sentence={digitsSentence(digitsChoice(state), trained)}
        onChange={(t) => onState({ t })}
      />
    )
  );
}

export const AboutDigits = () => (
  <>
    <p>
      A network learns to recognize digits: convolution, ReLU, max pooling, convolution, ReLU, and a dense layer. A
      dense layer is a convolution with the size of its input: here 4 × 4.
    </p>
    <p>
      A step uses the next {DIGITS.batch} of 1,438 images. The loss is the cross-entropy of softmax(y) and the class,
      and dy = (p − target) / {DIGITS.batch}. Momentum adds up the gradients:
    </p>
    <p class="view-formula">v ← {DIGITS.momentum} · v + dw</p>
    <p class="view-formula">w ← w − {DIGITS.rate} · v</p>
    <p>
      {DIGITS.batches} steps are an epoch. The other 359 images are held out: no step uses them, so they measure how
      well the network reads digits that it has not seen.
    </p>
    <p>
      “Open the batch” makes a problem of the network with the weights of this step. Its dw is the dw of the next step,
      and every cell of it explains itself. Take one step here and open the batch again to see what changed.
    </p>
    <p class="small soft">
      Images: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository,
      1998, doi.org/10.24432/C50P49, CC BY 4.0: the 1,797 images that scikit-learn contains. Pixels are divided by 16.
    </p>
  </>
);
