import type { ComponentChildren } from 'preact';
import type { TensorName } from '../../../protocol/problem';
import { Fraction, Indexed, Maths, Plain, Sum, Words } from '../../../ui/Maths';

/** A tensor's symbol, joined with its panel on the stage, and its indices. */
const T = ({ of, at }: { readonly of: TensorName; readonly at?: string }) => {
  const symbol = (
    <mi class="derivation__symbol" data-tensor={of}>
      {of}
    </mi>
  );
  return at === undefined ? symbol : <Indexed symbol={symbol} at={at} />;
};

const Is = () => <mo>=</mo>;
const Times = () => <mo>·</mo>;

/** ∂L / ∂w[p,q] */
const Slope = ({ of, at }: { readonly of: TensorName; readonly at: string }) => (
  <Fraction
    top={<Plain text="∂L" />}
    bottom={
      <>
        <mo>∂</mo>
        <T of={of} at={at} />
      </>
    }
  />
);

/** ∂y[i,j] / ∂w[p,q] */
const Effect = ({ of, at }: { readonly of: TensorName; readonly at: string }) => (
  <Fraction
    top={
      <>
        <mo>∂</mo>
        <T of="y" at="i,j" />
      </>
    }
    bottom={
      <>
        <mo>∂</mo>
        <T of={of} at={at} />
      </>
    }
  />
);

export interface DerivationStep {
  readonly title: string;
  readonly words: readonly string[];
  readonly formulas: readonly ComponentChildren[];
  /** Tensors that the formulas name. */
  readonly tensors: readonly TensorName[];
  /** The lesson that tells it with numbers. */
  readonly lesson: string;
}

/** THE DERIVATION, for one image, one channel and one filter; what more of them change stands at the end. */
export const DERIVATION: readonly DerivationStep[] = [
  {
    title: 'Forward',
    words: [
      'With stride s, dilation d and padding P at the top and left; a cell of x outside of the picture counts as 0. Below it the simplest case, s = d = 1 and P = 0, for which the rest is derived.',
    ],
    formulas: [
      <Maths key="1" said="y[i,j] = b + sum over p,q of x[u,v] times w[p,q]">
        <T of="y" at="i,j" />
        <Is />
        <T of="b" />
        <mo>+</mo>
        <Sum over="p,q" />
        <T of="x" at="u,v" />
        <T of="w" at="p,q" />
      </Maths>,
      <Maths key="3" said="with u = s i + d p - P, v = s j + d q - P">
        <Plain text="u=si+dp−P" />
        <mo>,</mo>
        <mspace width="0.5em" />
        <Plain text="v=sj+dq−P" />
      </Maths>,
      <Maths key="2" said="y[i,j] = b + sum over p,q of x[i+p,j+q] times w[p,q]">
        <T of="y" at="i,j" />
        <Is />
        <T of="b" />
        <mo>+</mo>
        <Sum over="p,q" />
        <T of="x" at="i+p,j+q" />
        <T of="w" at="p,q" />
      </Maths>,
    ],
    tensors: ['y', 'b', 'x', 'w'],
    lesson: 'one-window',
  },
  {
    title: 'What comes back',
    words: [
      'The loss L depends on y only, so all that this layer must know of it is its slope at each cell of y. The other gradients are named in the same way.',
    ],
    formulas: [
      <Maths key="1" said="dy[i,j] = dL by dy[i,j]">
        <T of="dy" at="i,j" />
        <Is />
        <Slope of="y" at="i,j" />
      </Maths>,
    ],
    tensors: ['dy', 'y'],
    lesson: 'loss',
  },
  {
    title: 'dw by the chain rule',
    words: [
      'A weight acts on L through every cell of y. Each effect is multiplied by the slope behind it, and all are added. In y[i,j] the weight w[p,q] stands once, with the factor x[i+p,j+q].',
    ],
    formulas: [
      <Maths key="1" said="dw[p,q] = sum over i,j of dL by dy[i,j] times dy[i,j] by dw[p,q]">
        <T of="dw" at="p,q" />
        <Is />
        <Sum over="i,j" />
        <Slope of="y" at="i,j" />
        <Effect of="w" at="p,q" />
      </Maths>,
      <Maths key="2" said="= sum over i,j of dy[i,j] times x[i+p,j+q]">
        <Is />
        <Sum over="i,j" />
        <T of="dy" at="i,j" />
        <Times />
        <T of="x" at="i+p,j+q" />
      </Maths>,
    ],
    tensors: ['dw', 'y', 'w', 'dy', 'x'],
    lesson: 'dw',
  },
  {
    title: 'db',
    words: ['The bias stands in every cell of y with the factor 1.'],
    formulas: [
      <Maths key="1" said="db = sum over i,j of dy[i,j]">
        <T of="db" />
        <Is />
        <Sum over="i,j" />
        <T of="dy" at="i,j" />
      </Maths>,
    ],
    tensors: ['db', 'dy'],
    lesson: 'bias-batch',
  },
  {
    title: 'dx: the same rule',
    words: [
      'Which weight has x[r,s] in y[i,j]? The one with i + p = r and j + q = s, so p = r − i and q = s − j, if there is such a weight; else none, and the term is 0.',
    ],
    formulas: [
      <Maths key="1" said="dx[r,s] = sum over i,j of dL by dy[i,j] times dy[i,j] by dx[r,s]">
        <T of="dx" at="r,s" />
        <Is />
        <Sum over="i,j" />
        <Slope of="y" at="i,j" />
        <Effect of="x" at="r,s" />
      </Maths>,
      <Maths key="2" said="= sum over i,j of dy[i,j] times w[r-i,s-j]">
        <Is />
        <Sum over="i,j" />
        <T of="dy" at="i,j" />
        <T of="w" at="r−i,s−j" />
      </Maths>,
    ],
    tensors: ['dx', 'y', 'x', 'dy', 'w'],
    lesson: 'scatter',
  },
  {
    title: 'The turn',
    words: [
      'Count by the weight instead of by the output: put i = r − p and j = s − q. The minus signs say that dy is read backwards. Write v for w turned by 180 degrees, and e for dy with kh − 1 and kw − 1 zeros around it; then both run forwards, and dx is a convolution like the first one.',
    ],
    formulas: [
      <Maths key="1" said="dx[r,s] = sum over p,q of dy[r-p,s-q] times w[p,q]">
        <T of="dx" at="r,s" />
        <Is />
        <Sum over="p,q" />
        <T of="dy" at="r−p,s−q" />
        <T of="w" at="p,q" />
      </Maths>,
      <Maths key="2" said="= sum over p,q of e[r+p,s+q] times v[p,q], where v[p,q] = w[kh-1-p,kw-1-q]">
        <Is />
        <Sum over="p,q" />
        <Indexed symbol={<mi>e</mi>} at="r+p,s+q" />
        <Indexed symbol={<mi>v</mi>} at="p,q" />
      </Maths>,
      <Maths key="3" said="v[p,q] = w[kh-1-p,kw-1-q]">
        <Indexed symbol={<mi>v</mi>} at="p,q" />
        <Is />
        <T of="w" at="kh−1−p,kw−1−q" />
      </Maths>,
    ],
    tensors: ['dx', 'dy', 'w'],
    lesson: 'gather',
  },
  {
    title: 'With a stride',
    words: [
      'Now x[r,s] is met where t·i + p = r, with t for the stride, as s is taken. So only those weights count for which i and j are whole numbers. Between the cells of dy lie t − 1 zeros, so to speak; and rows behind the last window get nothing.',
    ],
    formulas: [
      <Maths key="1" said="dx[r,s] = sum over p,q of dy[i,j] times w[p,q]">
        <T of="dx" at="r,s" />
        <Is />
        <Sum over="p,q" />
        <T of="dy" at="i,j" />
        <T of="w" at="p,q" />
      </Maths>,
      <Maths key="2" said="i = (r-p)/t and j = (s-q)/t">
        <mi>i</mi>
        <Is />
        <Fraction top={<Plain text="r−p" />} bottom={<mi>t</mi>} />
        <Words text="and" />
        <mi>j</mi>
        <Is />
        <Fraction top={<Plain text="s−q" />} bottom={<mi>t</mi>} />
      </Maths>,
    ],
    tensors: ['dx', 'dy', 'w'],
    lesson: 'stride',
  },
  {
    title: 'All of it in two lines',
    words: [
      'Write x and y as lists of numbers. Then the layer is a table C whose entries are weights and zeros. The backward pass is the transposed table, and for all x and dy the two sums below are equal, if there is no bias: the shortest test of a backward pass.',
    ],
    formulas: [
      <Maths key="1" said="y = C x and dx = C transposed dy">
        <T of="y" />
        <Is />
        <mi>C</mi>
        <T of="x" />
        <Words text="and" />
        <T of="dx" />
        <Is />
        <msup>
          <mi>C</mi>
          <mi mathvariant="normal">T</mi>
        </msup>
        <T of="dy" />
      </Maths>,
      <Maths key="2" said="sum of y times dy = sum of x times dx">
        <Sum over="i,j" />
        <T of="y" at="i,j" />
        <T of="dy" at="i,j" />
        <Is />
        <Sum over="r,s" />
        <T of="x" at="r,s" />
        <T of="dx" at="r,s" />
      </Maths>,
    ],
    tensors: ['y', 'x', 'dx', 'dy'],
    lesson: 'transposed',
  },
  {
    title: 'More of everything',
    words: [
      'Several channels: y sums over them too, and dx has a formula for each. Several filters: dx sums over them, for each has used x. Several images: dw and db sum over them, for each has used w and b. What is shared going forward is added going back: that is the whole rule.',
    ],
    formulas: [],
    tensors: ['dx', 'dw', 'db'],
    lesson: 'channels',
  },
];
