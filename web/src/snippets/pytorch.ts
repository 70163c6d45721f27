import { flat, isPadded, pairOf } from '../layers/code';
import type { Pass } from '../protocol/problem';
import { differentiated, GRADIENT_MARKS, makes, type PythonDialect, takes } from './python';
import { networkParts } from './python-network';
import { type CodeLine, linesOf, type Subject } from './snippet';

/**
 * The passes with torch.nn.functional.conv2d and autograd. conv2d pads both sides of an axis equally: otherwise x is
 * padded first, and autograd crops the gradient of the padding. PyTorch's layout is nchw, with w as oihw. PyTorch 1.13
 * has no gradient of a w in double precision that is not contiguous in that order.
 */
function pytorchCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
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
    g.stride_h * g.stride_w > 1 && `stride=${pairOf(g.stride_h, g.stride_w)}`,
    even && isPadded(g) && `padding=${pairOf(pad.top, pad.left)}`,
    g.dilation_h * g.dilation_w > 1 && `dilation=${pairOf(g.dilation_h, g.dilation_w)}`,
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
    ...GRADIENT_MARKS,
  });
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
    id: 'pytorch',
    passes(steps) {
      const { forward, leaves, inputs, gradients, last } = networkParts(steps);
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
