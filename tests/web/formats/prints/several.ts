import { four } from './one';

/** Prints and sources of several arrays, with their names. */

type Several = readonly [
  from: string,
  text: string,
  arrays: readonly (readonly [string, readonly number[], readonly number[]])[],
];

export const SEVERAL: readonly Several[] = [
  [
    'two arrays',
    '[[1.5 -2.]\n [3.25 4.]]\n[[1. 0.]\n [0. 1.]]',
    [
      ['', [2, 2], four],
      ['', [2, 2], [1, 0, 0, 1]],
    ],
  ],
  [
    'named_parameters',
    'conv1.weight tensor([[[[1., 2.],\n          [3., 4.]]]])\nconv1.bias tensor([0.5000])',
    [
      ['conv1.weight', [1, 1, 2, 2], [1, 2, 3, 4]],
      ['conv1.bias', [1], [0.5]],
    ],
  ],
  [
    'parameters with their names',
    'conv1.weight Parameter containing:\ntensor([[1., 2.]], requires_grad=True)\nconv1.bias None',
    [['conv1.weight', [1, 2], [1, 2]]],
  ],
  [
    'pairs',
    "('conv1.weight', Parameter containing:\ntensor([[1., 2.]], requires_grad=True))\n('conv1.bias', Parameter containing:\ntensor([0.5], requires_grad=True))",
    [
      ['conv1.weight', [1, 2], [1, 2]],
      ['conv1.bias', [1], [0.5]],
    ],
  ],
  [
    'a list of pairs',
    "[('w', tensor([[1., 2.]])), ('b', tensor([0.5]))]",
    [
      ['w', [1, 2], [1, 2]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'get_weights',
    '[array([[1., 2.]], dtype=float32), array([0.5], dtype=float32)]',
    [
      ['', [1, 2], [1, 2]],
      ['', [1], [0.5]],
    ],
  ],
  [
    'arrays of one shape',
    '[array([[1., 2.]]), array([[3., 4.]])]',
    [
      ['', [1, 2], [1, 2]],
      ['', [1, 2], [3, 4]],
    ],
  ],
  [
    'autograd.grad of two',
    '(tensor([[1., 2.]]), tensor([0.5]))',
    [
      ['', [1, 2], [1, 2]],
      ['', [1], [0.5]],
    ],
  ],
  ['autograd.grad of two, one of them None', '(tensor([[1., 2.]]), None)', [['', [1, 2], [1, 2]]]],
  [
    'tape.gradient',
    '[<tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[1., 2.]], dtype=float32)>, <tf.Tensor: shape=(3,), dtype=float32, numpy=array([1., 2., 3.], dtype=float32)>]',
    [
      ['', [1, 2], [1, 2]],
      ['', [3], [1, 2, 3]],
    ],
  ],
  [
    'value_and_grad',
    "(Array(0.5, dtype=float32), {'w': Array([[1., 2.]], dtype=float32)})",
    [
      ['', [], [0.5]],
      ['w', [1, 2], [1, 2]],
    ],
  ],
  [
    'Flax',
    "{'params': {'Conv_0': {'kernel': Array([[1., 2.]], dtype=float32), 'bias': Array([0.5], dtype=float32)}}}",
    [
      ['params.Conv_0.kernel', [1, 2], [1, 2]],
      ['params.Conv_0.bias', [1], [0.5]],
    ],
  ],
  [
    'FrozenDict',
    'FrozenDict({\n    params: {\n        Conv_0: {\n            kernel: Array([[1., 2.]], dtype=float32),\n            bias: Array([0.5], dtype=float32),\n        },\n    },\n})',
    [
      ['params.Conv_0.kernel', [1, 2], [1, 2]],
      ['params.Conv_0.bias', [1], [0.5]],
    ],
  ],
  [
    'Haiku',
    "{'conv2_d': {'w': Array([[1., 2.]], dtype=float32), 'b': Array([0.5], dtype=float32)}}",
    [
      ['conv2_d.w', [1, 2], [1, 2]],
      ['conv2_d.b', [1], [0.5]],
    ],
  ],
  [
    'NNX',
    "State({\n  'bias': VariableState(\n    type=Param,\n    value=Array([0.5], dtype=float32)\n  )\n})",
    [['bias', [1], [0.5]]],
  ],
  [
    'a class of data',
    'Gradients(dw=tensor([[1., 2.]]), db=tensor([0.5]))',
    [
      ['dw', [1, 2], [1, 2]],
      ['db', [1], [0.5]],
    ],
  ],
  [
    'Flux',
    '(weight = Float32[1.0 2.0], bias = Float32[0.5], σ = nothing)',
    [
      ['weight', [2], [1, 2]],
      ['bias', [1], [0.5]],
    ],
  ],
  [
    'print of several',
    'dw [[1. 2.]\n [3. 4.]] db [0.5]',
    [
      ['dw', [2, 2], [1, 2, 3, 4]],
      ['db', [1], [0.5]],
    ],
  ],
  [
    'a script',
    'import numpy as np\nfrom math import inf\nnp.random.seed(0)\nx = np.array([[1, 2]])\nw = np.array([[3]]); b = [0.5]\nprint(x, w)\n',
    [
      ['x', [1, 2], [1, 2]],
      ['w', [1, 1], [3]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'a script in C',
    '#include <stdio.h>\n// the input\nconst float x[1][2] = {{1.0f, 2.0f}};\nstatic float b[] = {0.5f};\n',
    [
      ['x', [1, 2], [1, 2]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'a script in JavaScript',
    "import * as tf from '@tensorflow/tfjs';\nconst ort = require('onnxruntime-node');\nconst x = [[1, 2]];\nlet b = [0.5];\n",
    [
      ['x', [1, 2], [1, 2]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'MATLAB',
    'w =\n\n     1     2\n     3     4\n\n\ndw =\n\n   -1.5000    2.0000\n\n',
    [
      ['w', [2, 2], [1, 2, 3, 4]],
      ['dw', [1, 2], [-1.5, 2]],
    ],
  ],
  [
    'Octave',
    'octave:1> w\nw =\n\n   1   2\n   3   4\n\noctave:2> b\nb = 0.5000\n',
    [
      ['w', [2, 2], [1, 2, 3, 4]],
      ['b', [], [0.5]],
    ],
  ],
  [
    'MATLAB pages',
    'w(:,:,1) =\n\n     1     2\n\n\nw(:,:,2) =\n\n     3     4\n\n\nb =\n\n    0.5000\n\n',
    [
      ['w', [1, 2, 2], [1, 3, 2, 4]],
      ['b', [1, 1], [0.5]],
    ],
  ],
  [
    'libtorch',
    'w:\n 1  2\n 3  4\n[ CPUFloatType{2,2} ]\nb:\n 0.5000\n[ CPUFloatType{1} ]',
    [
      ['w', [2, 2], [1, 2, 3, 4]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'shapes beside values',
    'x.shape: torch.Size([1, 2])\nx: tensor([[1., 2.]])\ndw shape (1, 2)\ndw tensor([[3., 4.]])',
    [
      ['x', [1, 2], [1, 2]],
      ['dw', [1, 2], [3, 4]],
    ],
  ],
  [
    'our results in Node',
    '{\n  y: { shape: [ 1, 2 ], data: Float32Array(2) [ 1.5, -2 ] },\n  dw: { shape: [ 1 ], data: Float32Array(1) [ 3 ] }\n}',
    [
      ['y', [1, 2], [1.5, -2]],
      ['dw', [1], [3]],
    ],
  ],
  [
    'JSON without braces',
    '"x": [[1, 2]],\n"w": [3]',
    [
      ['x', [1, 2], [1, 2]],
      ['w', [1], [3]],
    ],
  ],
  [
    'words between',
    'The input:\nx = [[1, 2]]\nAnd the weights are below.\nw = [3]',
    [
      ['x', [1, 2], [1, 2]],
      ['w', [1], [3]],
    ],
  ],
  [
    'a list of R',
    '[[1]]\n     [,1] [,2]\n[1,]    1    2\n\n[[2]]\n[1] 0.5\n',
    [
      ['', [1, 2], [1, 2]],
      ['', [1], [0.5]],
    ],
  ],
  [
    'a named list of R',
    '$w\n     [,1] [,2]\n[1,]    1    2\n\n$b\n[1] 0.5\n',
    [
      ['w', [1, 2], [1, 2]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'a tuple of Julia',
    '([1.0 2.0; 3.0 4.0], [5.0 6.0; 7.0 8.0])',
    [
      ['', [2, 2], [1, 2, 3, 4]],
      ['', [2, 2], [5, 6, 7, 8]],
    ],
  ],
  [
    'a loop in a prompt',
    '>>> for p in net.parameters():\n...     print(p.grad)\n...\ntensor([[1., 2.]])\ntensor([0.5])',
    [
      ['', [1, 2], [1, 2]],
      ['', [1], [0.5]],
    ],
  ],
  [
    'a calculation in a prompt',
    '>>> x = np.arange(9)\n>>> w = np.array([[1, 2]])\n>>> conv(x, w)\narray([[5., 6.]])\n',
    [
      ['w', [1, 2], [1, 2]],
      ['', [1, 2], [5, 6]],
    ],
  ],
  [
    'tensors with their names as JSON',
    '[{"name":"w","shape":[1,2],"data":[1,2]},{"name":"b","shape":[1],"data":[0.5]}]',
    [
      ['w', [1, 2], [1, 2]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'a Map of Node',
    "Map(2) { 'w' => [ 1, 2 ], 'b' => [ 0.5 ] }",
    [
      ['w', [2], [1, 2]],
      ['b', [1], [0.5]],
    ],
  ],
  [
    'sizes on the line of the values',
    'conv1.weight torch.Size([1, 2]) tensor([[1., 2.]])',
    [['conv1.weight', [1, 2], [1, 2]]],
  ],
  [
    'YAML',
    'weights:\n  conv1:\n    - [1, 2]\n    - [3, 4]\n  bias: [5]\n',
    [
      ['conv1', [2, 2], [1, 2, 3, 4]],
      ['bias', [1], [5]],
    ],
  ],
  [
    'numbers below each other',
    'tensor(2.5)\ntensor([0.5])',
    [
      ['', [], [2.5]],
      ['', [1], [0.5]],
    ],
  ],
  [
    'arrays below each other',
    'tensor([[1., 2.]])\ntensor([0.5])\narray([3, 4])',
    [
      ['', [1, 2], [1, 2]],
      ['', [1], [0.5]],
      ['', [2], [3, 4]],
    ],
  ],
];
