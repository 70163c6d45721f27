import { flat, pairOf } from '../layers/code';
import type { Pass } from '../protocol/problem';
import { lossText } from './loss';
import { differentiated, GRADIENT_MARKS, makes, type PythonDialect, takes } from './python';
import { type CodeLine, linesOf, listing, lossOf, type Subject } from './snippet';

/**
 * The passes with torch.nn.functional.conv2d and autograd. conv2d pads both sides of an axis equally: otherwise x is
 * padded first, and autograd crops the gradient of the padding. PyTorch's layout is nchw, with w as oihw. PyTorch 1.13
 * has no gradient of a w in double precision that is not contiguous in that order.
 */
const WITH_AUTOGRAD = `
                | import torch
                | import torch.nn.functional as F
                |
watched         | {leaves}
watched         |
forward nhwc    | # x[n, row, col, c] to x[n, c, row, col], w[row, col, c, k] to w[k, c, row, col]
forward nhwc    | x_nchw = x.permute(0, 3, 1, 2)
forward nhwc    | w_oihw = w.permute(3, 2, 0, 1).contiguous()
forward uneven  | # conv2d pads both sides equally, so other padding is added first
forward uneven  | x_padded = F.pad({x}, ({left}, {right}, {top}, {bottom}))  # left, right, top, bottom
forward         | y = F.conv2d({arguments})
forward nhwc    | y = y.permute(0, 2, 3, 1)  # to NHWC
unwatched       | y.requires_grad_()
loss            |
loss            | {loss}
tracked,sum     |
tracked         | {made} = torch.autograd.grad({from}, {of}{given})
sum             | {sum}`;

function pytorchCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
  const { geometry: g } = subject;
  const { inputs, sources, flags, values } = differentiated(subject, wanted, PYTORCH.sum);
  const loss = lossOf(subject, wanted);
  const [x, w] = flags.nhwc ? ['x_nchw', 'w_oihw'] : ['x', 'w'];
  const call = flat([
    [flags.even ? x : 'x_padded', w],
    flags.bias && 'b',
    flags.strided && `stride=${pairOf(g.stride_h, g.stride_w)}`,
    flags.even && flags.padded && `padding=${pairOf(g.padding.top, g.padding.left)}`,
    flags.dilated && `dilation=${pairOf(g.dilation_h, g.dilation_w)}`,
    flags.groups && `groups=${g.groups}`,
  ]);
  const lines = listing(WITH_AUTOGRAD, flags, {
    ...{ ...values, x, arguments: call.join(', ') },
    leaves: inputs.map((tensor) => `${tensor}.requires_grad_()`).join('\n'),
    made: sources.length === 1 ? `(${values.made},)` : values.made,
    of: sources.length === 1 ? values.sources : `(${values.sources})`,
    given: loss ? '' : ', grad_outputs=dy',
    loss: loss ? lossText('pytorch', loss, g, { y: 'y', dy: 'dy' }) : '',
  });
  return linesOf(lines, {
    [flags.nhwc ? 'y = y.permute' : 'y =']: makes('y'),
    'x_padded =': takes('x'),
    'x_nchw =': takes('x'),
    'w_oihw =': takes('w'),
    ...GRADIENT_MARKS,
  });
}

export const PYTORCH: PythonDialect = {
  name: 'PyTorch',
  code: pytorchCode,
  array: 'torch.tensor({list}, dtype=torch.float32).reshape({sizes})',
  bytes: 'torch.frombuffer(bytearray({bytes}), dtype=torch.float32).reshape({sizes})',
  double: 'tensor.double()',
  difference: '(page - here).abs().max().item()',
  largest: '{tensor}.abs().max()',
  largestGiven: '{tensor}.abs().max()',
  sum: '{db} = {dy}.sum(dim={axes})',
  gradientOfLoss: 'y.requires_grad_()\n{loss}\n({dy},) = torch.autograd.grad(loss, y)',
  network: {
    id: 'pytorch',
    passes: `\
for tensor in ({leaves}):
    tensor.requires_grad_()

{forward}

{gradients} = torch.autograd.grad(
    {from}, ({sources}){given}
)`,
    given: ', grad_outputs={dy}',
    run: `\
    inputs = [tensor.requires_grad_() for tensor in inputs]
    y = layer(*inputs)
    return (y, *torch.autograd.grad(y, inputs, grad_outputs=dy))`,
  },
};
