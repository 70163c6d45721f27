import { Segmented } from '../../ui/controls/Choice';
import { type Needs, plainStage } from '../shared/answers';
import { Badge } from '../shared/Badge';
import { MatrixProduct, ProductWords } from '../shared/MatrixProduct';
import { formulaOf, isMatrixDrawable, tooLargeText } from '../shared/matrix-product';
import { useGeometry, type View, type ViewProps } from '../shared/view-model';
import { Col2im, Col2imPlayer, col2imNeeds } from './Col2im';
import { FOLLOWS, LOWERING_PARTS, type LoweringPart, loweringChoice, PRODUCTS } from './choice';
import { Im2col, Im2colPlayer } from './Im2col';
import './im2col.css';
import '../shared/stage/beside.css';

const PART_VIEWS = {
  unroll: { Component: Im2col, Player: Im2colPlayer },
  products: { Component: Products, Player: ProductsWords },
  fold: { Component: Col2im, Player: Col2imPlayer },
} as const;

const IDEAS: Readonly<Record<LoweringPart, string>> = {
  unroll:
    'im2col copies every window of x into one row of a matrix. A pixel in several windows is copied several times.',
  products: 'With x_col, all three passes are matrix products, which computers do fastest. Choose one.',
  fold: 'col2im is the transpose of im2col: it adds the gradients of all copies of a pixel into that pixel.',
};

/** One of the three products, with the row and the column of the selected entry. */
function Products({ state, answers }: ViewProps) {
  const { product } = loweringChoice(useGeometry(), state);
  return (
    <MatrixProduct product={product} answers={answers}>
      <p>{product.idea}</p>
    </MatrixProduct>
  );
}

function ProductsWords({ state, answers }: ViewProps) {
  const { product } = loweringChoice(useGeometry(), state);
  return (
    <>
      <ProductWords product={product} />
      <Badge answers={answers} algorithm={product.algorithm} />
    </>
  );
}

/** Convolution as matrix products: im2col, three products, col2im. */
function Im2colView(props: ViewProps) {
  const g = useGeometry();
  const { Component } = PART_VIEWS[loweringChoice(g, props.state).part];
  return isMatrixDrawable(g) ? <Component {...props} /> : <p class="view-none">{tooLargeText(g)}</p>;
}

function LoweringSettings({ wanted, onState }: ViewProps) {
  const { part, follow, product } = loweringChoice(useGeometry(), wanted);
  return (
    <>
      <Segmented
        label="part"
        quiet
        options={LOWERING_PARTS}
        value={part}
        onChange={(value) => onState({ part: value })}
      />
      {part === 'products' && (
        <Segmented
          label="product"
          quiet
          options={PRODUCTS.map((each) => ({ value: each.id, label: each.c.name, name: formulaOf(each) }))}
          value={product.id}
          onChange={(id) => onState({ lane: id })}
        />
      )}
      {part === 'unroll' && (
        <Segmented
          label="Hover highlights"
          quiet
          options={FOLLOWS}
          value={follow}
          onChange={(value) => onState({ follow: value })}
        />
      )}
    </>
  );
}

function LoweringPlayer(props: ViewProps) {
  const g = useGeometry();
  const { Player } = PART_VIEWS[loweringChoice(g, props.state).part];
  return isMatrixDrawable(g) ? <Player {...props} /> : null;
}

function AboutLowering({ state }: ViewProps) {
  const { part, product } = loweringChoice(useGeometry(), state);
  return (
    <>
      <p>{IDEAS[part]}</p>
      {part === 'products' && <p>{product.idea}</p>}
    </>
  );
}

export const loweringView: View = {
  question: 'How does a convolution become a matrix product, and its gradient, too?',
  sentence: 'Convolution as matrix products: im2col, three products, and col2im.',
  needs(content, state): Needs {
    const { geometry: g } = content;
    const choice = loweringChoice(g, state);
    if (!isMatrixDrawable(g)) return [];
    if (choice.part === 'unroll') return [{ kind: 'stage', stage: 'x_col', ...choice.form }];
    if (choice.part === 'fold') return col2imNeeds(content, state);
    const { a, b, c, pass, algorithm } = choice.product;
    return [...[a, b, c].map(({ name }) => plainStage(name)), { kind: 'compare', pass, algorithms: [algorithm] }];
  },
  formulas: () => ['y_col = x_col · w_col', 'dw_col = x_colᵀ · dy_col', 'dx_col = dy_col · w_colᵀ'],
  Component: Im2colView,
  Settings: LoweringSettings,
  Player: LoweringPlayer,
  About: AboutLowering,
};
