import type { Pass } from '../protocol/problem';
import { differentiated, GRADIENTS, makes, type PythonDialect, takes } from './python';
import { recorded } from './python-network';
import { flat, isPadded, type Line, linesOf, type PlainSubject, type Subject } from './snippet';

const pair = (rows: number, cols: number) => (rows === cols ? String(rows) : `(${rows}, ${cols})`);

/**
 * The passes with torch.nn.functional.conv2d and autograd. conv2d pads both sides of an axis equally: otherwise x is
 * padded first, and autograd crops the gradient of the padding. PyTorch's layout is nchw, with w as oihw. PyTorch 1.13
 * has no gradient of a w in double precision that is not contiguous in that order.
 */
function pytorchCode(subject: Subject, wanted: readonly Pass[]): readonly Line[] {
  const { geometry: g, bias } = subject;
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const even = pad.top === pad.bottom && pad.left === pad.right;
  const { inputs, made, forward, sums } = differentiated(subject, wanted, 'dy.sum(dim');
  const isDifferentiated = inputs.length > 0;
  const [x, w] = nhwc ? ['x_nchw', 'w_oihw'] : ['x', 'w'];
  const call = flat([
    `y = F.conv2d(${even ? x : 'x_padded'}, ${w}`,
    bias && 'b',
    g.stride_h * g.stride_w > 1 && `stride=${pair(g.stride_h, g.stride_w)}`,
    even && isPadded(g) && `padding=${pair(pad.top, pad.left)}`,
    g.dilation_h * g.dilation_w > 1 && `dilation=${pair(g.dilation_h, g.dilation_w)}`,
    g.groups > 1 && `groups=${g.groups}`,
  ]);
  const body = [
    inputs.map((tensor) => `${tensor}.requires_grad_()`),
    isDifferentiated && '',
    nhwc && [
      '# x[n, row, col, c] to x[n, c, row, col], w[row, col, c, k] to w[k, c, row, col]',
      'x_nchw = x.permute(0, 3, 1, 2)',
      'w_oihw = w.permute(3, 2, 0, 1).contiguous()',
    ],
    !even && [
      '# conv2d pads both sides equally, so other padding is added first',
      `x_padded = F.pad(${x}, (${pad.left}, ${pad.right}, ${pad.top}, ${pad.bottom}))  # left, right, top, bottom`,
    ],
    `${call.join(', ')})`,
    nhwc && 'y = y.permute(0, 2, 3, 1)  # to NHWC',
  ];
  const [left, right] =
    inputs.length === 1 ? [`(${made[0]},)`, inputs[0]] : [made.join(', '), `(${inputs.join(', ')})`];
  const backward = flat([isDifferentiated && `${left} = torch.autograd.grad(y, ${right}, grad_outputs=dy)`, sums]);
  const lines = [forward && body, backward.length > 0 && ['', backward]];
  return linesOf(['import torch\nimport torch.nn.functional as F\n', lines], {
    [nhwc ? 'y = y.permute' : 'y =']: makes('y'),
    'x_padded =': takes('x'),
    'x_nchw =': takes('x'),
    'w_oihw =': takes('w'),
    ...GRADIENTS,
  });
}

/**
 * The pools of PyTorch pad both sides of an axis equally, by at most half of the window: other padding is added first. A
 * maximum must not choose it.
 */
function pytorchPlain(layer: PlainSubject): readonly string[] {
  const { geometry: g, kind } = layer;
  if (kind === 'relu') return ['y = F.relu(x)'];
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const x = nhwc ? 'x_nchw' : 'x';
  const fits = pad.top === pad.bottom && pad.left === pad.right && 2 * pad.top <= g.kh && 2 * pad.left <= g.kw;
  const inner = kind === 'max_pool' ? 'max_pool2d' : 'avg_pool2d';
  const without = kind === 'average_pool' && !layer.count_include_pad;
  const window = `${pair(g.kh, g.kw)}, stride=${pair(g.stride_h, g.stride_w)}`;
  const padded = (tensor: string, value: string) =>
    `F.pad(${tensor}, (${pad.left}, ${pad.right}, ${pad.top}, ${pad.bottom})${value})  # left, right, top, bottom`;
  const sides = isPadded(g) && [`padding=${pair(pad.top, pad.left)}`, without && 'count_include_pad=False'];
  return flat([
    nhwc && 'x_nchw = x.permute(0, 3, 1, 2)',
    fits
      ? `y = F.${inner}(${flat([x, window, sides]).join(', ')})`
      : [
          `x_padded = ${padded(x, kind === 'max_pool' ? ', value=float("-inf")' : '')}`,
          `y = F.${inner}(x_padded, ${window})`,
          without && [`is_inside = ${padded(`torch.ones_like(${x})`, '')}`, `y = y / F.${inner}(is_inside, ${window})`],
        ],
    nhwc && 'y = y.permute(0, 2, 3, 1)  # to NHWC',
  ]);
}

export const PYTORCH: PythonDialect = {
  name: 'PyTorch',
  code: pytorchCode,
  array: (list, sizes) => `torch.tensor(${list}, dtype=torch.float32).reshape(${sizes})`,
  bytes: (bytes, sizes) => `torch.frombuffer(bytearray(${bytes}), dtype=torch.float32).reshape(${sizes})`,
  double: 'tensor.double()',
  difference: (page, here) => `(${page} - ${here}).abs().max().item()`,
  largest: (tensor) => `${tensor}.abs().max()`,
  network: {
    plain: pytorchPlain,
    passes(steps) {
      const { forward, leaves, inputs, gradients, last } = recorded(steps);
      return [
        `for tensor in (${leaves.join(', ')}):`,
        ...['    tensor.requires_grad_()', ''],
        ...[...forward, ''],
        `${gradients.join(', ')} = torch.autograd.grad(`,
        `    ${last.y}, (${inputs.join(', ')}), grad_outputs=${last.dy}`,
        ')',
      ];
    },
    sum: (dy) => `${dy}.sum(dim`,
    run: [
      'inputs = [tensor.requires_grad_() for tensor in inputs]',
      'y = layer(*inputs)',
      'return (y, *torch.autograd.grad(y, inputs, grad_outputs=dy))',
    ],
  },
};
