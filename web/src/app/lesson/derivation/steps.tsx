import type { ComponentChildren } from 'preact';
import type { TensorName } from '../../../protocol/problem';
import { Fraction, Indexed, Maths, Plain, Sum, Words } from '../../../ui/Maths';

/** A tensor's symbol, connected to its panel in the view, and its indices. */
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
  /** Tensors in the formulas. */
  readonly tensors: readonly TensorName[];
  /** The lesson with numbers for this step. */
  readonly lesson: string;
}

/** For one image, one channel and one filter; the last step adds more of each. */
export const DERIVATION: readonly DerivationStep[] = [
  {
    title: 'Forward',
    words: [
      'The first formula has stride s, dilation d and padding P at the top and left. A cell outside of x counts as 0. The last formula is the simplest case, s = d = 1 and P = 0. The rest is derived for this case.',
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
    title: 'The gradient dy',
    words: [
      'The loss L depends on this layer only through y. So the layer needs only the derivative of L by each cell of y. The other gradients are named in the same way.',
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
      'A weight changes L through every cell of y. Multiply the derivatives along each path, then add all paths. y[i,j] contains the weight w[p,q] once, with the factor x[i+p,j+q].',
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
    words: ['Every cell of y contains the bias with the factor 1.'],
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
      'Which weight multiplies x[m,n] in y[i,j]? The weight with p = m − i and q = n − j. If there is no such weight, the term is 0.',
    ],
    formulas: [
      <Maths key="1" said="dx[m,n] = sum over i,j of dL by dy[i,j] times dy[i,j] by dx[m,n]">
        <T of="dx" at="m,n" />
        <Is />
        <Sum over="i,j" />
        <Slope of="y" at="i,j" />
        <Effect of="x" at="m,n" />
      </Maths>,
      <Maths key="2" said="= sum over i,j of dy[i,j] times w[m-i,n-j]">
        <Is />
        <Sum over="i,j" />
        <T of="dy" at="i,j" />
        <T of="w" at="m−i,n−j" />
      </Maths>,
    ],
    tensors: ['dx', 'y', 'x', 'dy', 'w'],
    lesson: 'scatter',
  },
  {
    title: 'The flip',
    words: [
      'Sum over the weights instead of the outputs: substitute i = m − p and j = n − q. The minus signs mean that dy is read backwards. Let v be w flipped by 180°. Let e be dy padded with kh − 1 and kw − 1 zeros on each side. Then both run forward, and dx is a convolution like the forward pass.',
    ],
    formulas: [
      <Maths key="1" said="dx[m,n] = sum over p,q of dy[m-p,n-q] times w[p,q]">
        <T of="dx" at="m,n" />
        <Is />
        <Sum over="p,q" />
        <T of="dy" at="m−p,n−q" />
        <T of="w" at="p,q" />
      </Maths>,
      <Maths key="2" said="= sum over p,q of e[m+p,n+q] times v[p,q], where v[p,q] = w[kh-1-p,kw-1-q]">
        <Is />
        <Sum over="p,q" />
        <Indexed symbol={<mi>e</mi>} at="m+p,n+q" />
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
      'Now y[i,j] contains x[m,n] where s·i + p = m. So only weights count for which i and j are whole numbers. This equals inserting s − 1 zeros between the cells of dy. Rows after the last window have gradient 0.',
    ],
    formulas: [
      <Maths key="1" said="dx[m,n] = sum over p,q of dy[i,j] times w[p,q]">
        <T of="dx" at="m,n" />
        <Is />
        <Sum over="p,q" />
        <T of="dy" at="i,j" />
        <T of="w" at="p,q" />
      </Maths>,
      <Maths key="2" said="i = (m-p)/s and j = (n-q)/s">
        <mi>i</mi>
        <Is />
        <Fraction top={<Plain text="m−p" />} bottom={<mi>s</mi>} />
        <Words text="and" />
        <mi>j</mi>
        <Is />
        <Fraction top={<Plain text="n−q" />} bottom={<mi>s</mi>} />
      </Maths>,
    ],
    tensors: ['dx', 'dy', 'w'],
    lesson: 'stride',
  },
  {
    title: 'All of it in two lines',
    words: [
      'Write x and y as lists of numbers. Then the layer is a matrix C of weights and zeros. The backward pass is the transpose of C. Without a bias the two sums below are equal for all x and dy. This is the shortest test of a backward pass.',
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
        <Sum over="m,n" />
        <T of="x" at="m,n" />
        <T of="dx" at="m,n" />
      </Maths>,
    ],
    tensors: ['y', 'x', 'dx', 'dy'],
    lesson: 'transposed',
  },
  {
    title: 'Channels, filters and images',
    words: [
      'With several channels, y also sums over them, and dx has a formula for each. With several filters, dx sums over them, because each uses x. With several images, dw and db sum over them, because each uses w and b. A value that is shared in the forward pass gets a sum in the backward pass.',
    ],
    formulas: [],
    tensors: ['dx', 'dw', 'db'],
    lesson: 'channels',
  },
];
