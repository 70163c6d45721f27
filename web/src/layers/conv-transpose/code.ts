import { flat, isPadded, pairOf, type Texts } from '../code';
import { type CodeSubject, OTHER_ROUNDINGS, type RoundedResult } from '../view';

/** Code of transposed convolutions. The geometry is that of the convolution from y to x: its h, w, c are those of y. */

type Subject = Pick<CodeSubject<unknown>, 'geometry' | 'bias'>;

/** NumPy: each tap of the kernel adds x, times its weights, to one cell of each window. */
export function numpyTransposed({ geometry: g, bias }: Subject): Texts {
  const { padding: pad } = g;
  const [last, back] = g.layout === 'nhwc' ? ['', ''] : ['_last', '.transpose(0, 3, 1, 2)'];
  return [
    `N, H, W, C = ${g.n}, ${g.oh}, ${g.ow}, ${g.k}  # x`,
    `KH, KW = ${g.kh}, ${g.kw}  # w`,
    `OH, OW, K = ${g.h}, ${g.w}, ${g.c}  # y`,
    `SH, SW, DH, DW = ${g.stride_h}, ${g.stride_w}, ${g.dilation_h}, ${g.dilation_w}  # stride, dilation`,
    `TOP, BOTTOM, LEFT, RIGHT = ${pad.top}, ${pad.bottom}, ${pad.left}, ${pad.right}  # padding: cut off from y`,
    `G, GC, GK = ${g.groups}, ${g.group_k}, ${g.group_c}  # groups; channels of x and of y in each`,
    '',
    last && [`x_last = x.transpose(0, 2, 3, 1)`, `w_last = w.transpose(2, 3, 1, 0)`],
    `x_groups = x${last}.reshape(N, H, W, G, GC)`,
    `w_groups = w${last}.reshape(KH, KW, GK, G, GC)`,
    'taps = [',
    '    (p, q, slice(p * DH, p * DH + (H - 1) * SH + 1, SH), slice(q * DW, q * DW + (W - 1) * SW + 1, SW))',
    '    for p in range(KH) for q in range(KW)',
    ']',
    '# each cell of x adds the kernel, times its value, to its window of y',
    'y_whole = np.zeros((N, TOP + OH + BOTTOM, LEFT + OW + RIGHT, G, GK))',
    'for p, q, rows, cols in taps:',
    "    y_whole[:, rows, cols] += np.einsum('nijgc,kgc->nijgk', x_groups, w_groups[p, q])",
    'y_cut = y_whole[:, TOP : TOP + OH, LEFT : LEFT + OW].reshape(N, OH, OW, K)',
    `y = ${bias ? '(y_cut + b)' : 'y_cut'}${back}`,
  ];
}

/** NumPy: dx, dw and db of it. */
export function numpyBackward({ geometry: g, bias }: Subject): Texts {
  const nhwc = g.layout === 'nhwc';
  return [
    `dy_last = ${nhwc ? 'dy' : 'dy.transpose(0, 2, 3, 1)'}`,
    'dy_whole = np.zeros(y_whole.shape)',
    'dy_whole[:, TOP : TOP + OH, LEFT : LEFT + OW] = dy_last.reshape(N, OH, OW, G, GK)',
    'dx_groups, dw_groups = np.zeros(x_groups.shape), np.zeros(w_groups.shape)',
    'for tap in taps:',
    '    p, q, rows, cols = tap',
    "    dx_groups += np.einsum('nijgk,kgc->nijgc', dy_whole[:, rows, cols], w_groups[p, q])",
    "    dw_groups[p, q] = np.einsum('nijgk,nijgc->kgc', dy_whole[:, rows, cols], x_groups)",
    `dx = dx_groups.reshape(N, H, W, C)${nhwc ? '' : '.transpose(0, 3, 1, 2)'}`,
    `dw = dw_groups.reshape(KH, KW, GK, C)${nhwc ? '' : '.transpose(3, 2, 0, 1)'}`,
    bias && 'db = dy_last.sum(axis=(0, 1, 2))',
  ];
}

/** PyTorch cuts both sides of an axis equally: otherwise all of y is computed, then cut. */
export function pytorchTransposed({ geometry: g, bias }: Subject): Texts {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const isEven = pad.top === pad.bottom && pad.left === pad.right;
  const [rows, cols] = outputPadding(g);
  const call = flat([
    nhwc ? ['x_nchw', 'w_oihw'] : ['x', 'w'],
    bias && 'b',
    g.stride_h * g.stride_w > 1 && `stride=${pairOf(g.stride_h, g.stride_w)}`,
    isEven && isPadded(g) && `padding=${pairOf(pad.top, pad.left)}`,
    rows + cols > 0 && `output_padding=${pairOf(rows, cols)}`,
    g.groups > 1 && `groups=${g.groups}`,
    g.dilation_h * g.dilation_w > 1 && `dilation=${pairOf(g.dilation_h, g.dilation_w)}`,
  ]);
  return [
    nhwc && ['x_nchw = x.permute(0, 3, 1, 2)', 'w_oihw = w.permute(3, 2, 0, 1).contiguous()'],
    `y = F.conv_transpose2d(${call.join(', ')})`,
    !isEven && `y = y[:, :, ${pad.top} : ${pad.top + g.h}, ${pad.left} : ${pad.left + g.w}]  # without the padding`,
    nhwc && 'y = y.permute(0, 2, 3, 1)  # to NHWC',
  ];
}

/** TensorFlow with channels last and without dilation, for a CPU: all of y, then cut. */
export function tensorflowTransposed({ geometry: g, bias }: Subject): Texts {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const [x, last] = nhwc ? ['x', 'w'] : ['x_last', 'w_last'];
  const [down, across] = [g.dilation_h, g.dilation_w];
  const isDilated = down * across > 1;
  const w = isDilated ? 'w_spread' : last;
  const whole = [g.n, pad.top + g.h + pad.bottom, pad.left + g.w + pad.right, g.group_c].join(', ');
  const call = (of: string, by: string) =>
    `tf.nn.conv2d_transpose(${of}, ${by}, [${whole}], [${g.stride_h}, ${g.stride_w}], "VALID")`;
  const split = (tensor: string) => `tf.split(${tensor}, ${g.groups}, axis=-1)`;
  return [
    !nhwc && ['x_last = tf.transpose(x, [0, 2, 3, 1])', 'w_last = tf.transpose(w, [2, 3, 1, 0])'],
    isDilated && [
      '# zeros between the weights: dilation',
      `w_spread = tf.reshape(${last}, [${g.kh}, 1, ${g.kw}, 1, ${g.group_c}, ${g.k}])`,
      `w_spread = tf.pad(w_spread, [[0, 0], [0, ${down - 1}], [0, 0], [0, ${across - 1}], [0, 0], [0, 0]])`,
      `w_spread = tf.reshape(w_spread, [${g.kh * down}, ${g.kw * across}, ${g.group_c}, ${g.k}])[:${g.dilated_kh}, :${g.dilated_kw}]`,
    ],
    g.groups === 1
      ? `y = ${call(x, w)}`
      : [
          `pairs = zip(${split(x)}, ${split(w)})`,
          `y = tf.concat([${call('x_group', 'w_group')} for x_group, w_group in pairs], axis=-1)`,
        ],
    isPadded(g) && `y = y[:, ${pad.top} : ${pad.top + g.h}, ${pad.left} : ${pad.left + g.w}]  # without the padding`,
    bias && 'y = y + b',
    !nhwc && 'y = tf.transpose(y, [0, 3, 1, 2])  # to NCHW',
  ];
}

/** The rows and columns of y behind its smallest size. */
const outputPadding = ({
  padding: { top, bottom, left, right },
  ...g
}: Subject['geometry']): readonly [number, number] => [
  g.h + top + bottom - ((g.oh - 1) * g.stride_h + g.dilated_kh),
  g.w + left + right - ((g.ow - 1) * g.stride_w + g.dilated_kw),
];

/** As of the passes of the convolution. */
export const roundingOf = ({ geometry: g, bias }: Subject): readonly RoundedResult[] => {
  const sum = (name: RoundedResult['name'], products: number, of: RoundedResult['of'], plus?: 'b'): RoundedResult => ({
    ...{ name, bound: products + OTHER_ROUNDINGS, products, of },
    ...(plus && { plus }),
  });
  return [
    sum('y', g.kh * g.kw * g.group_k, ['x', 'w'], bias ? 'b' : undefined),
    sum('dx', g.kh * g.kw * g.group_c, ['dy', 'w']),
    sum('dw', g.n * g.oh * g.ow, ['x', 'dy']),
    sum('db', g.n * g.h * g.w, ['dy']),
  ];
};
