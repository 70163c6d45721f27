import { expect, test } from 'vitest';
import { readString } from './read';

/** Prints and sources of many programs. Values: those that the program has, worked out by hand. */

type Form = readonly [from: string, text: string, shape: readonly number[], values: readonly number[]];
const four = [1.5, -2, 3.25, 4] as const;
const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY];

const ONE: readonly Form[] = [
  // PyTorch
  [
    'PyTorch, of a layer',
    'tensor([[[[ 1.5000, -2.0000],\n          [ 3.2500,  4.0000]]]], grad_fn=<ConvolutionBackward0>)',
    [1, 1, 2, 2],
    four,
  ],
  [
    'PyTorch, a leaf',
    'tensor([[[[ 1.5, -2.0],[ 3.25,  4.0]]]], dtype=torch.float64, requires_grad=True)',
    [1, 1, 2, 2],
    four,
  ],
  [
    'PyTorch, powers of ten',
    'tensor([[1.5000e+00, 1.2000e-05],\n        [3.0000e+08, -4.0000e-38]])',
    [2, 2],
    [1.5, 1.2e-5, 3e8, -4e-38],
  ],
  [
    'PyTorch 0.4',
    '\n(0 ,0 ,.,.) = \n  1  2\n  3  4\n\n(0 ,1 ,.,.) = \n  5  6\n  7  8\n[torch.FloatTensor of size 1x2x2x2]\n',
    [1, 2, 2, 2],
    [1, 2, 3, 4, 5, 6, 7, 8],
  ],
  [
    'PyTorch, of a GPU',
    "x.grad: tensor([[1.5, -2.0],\n        [3.25, 4.0]], device='cuda:0', grad_fn=<SumBackward1>)",
    [2, 2],
    four,
  ],
  [
    'PyTorch, a device in a call',
    "tensor([1.5, -2.], device=device(type='cuda', index=0), names=('N',))",
    [2],
    [1.5, -2],
  ],
  ['PyTorch, a vector on several lines', 'dw =\ntensor([1.5,\n        -2.0])', [2], [1.5, -2]],
  [
    'torch.func',
    'GradTrackingTensor(lvl=1, value=\n    tensor([[ 1.5, -2.0],\n            [ 3.25, 4.0]]))',
    [2, 2],
    four,
  ],
  [
    'a parameter below its name',
    'weight: Parameter containing:\ntensor([[1.5, -2.0],\n        [3.25, 4.0]], requires_grad=True)',
    [2, 2],
    four,
  ],
  ['autograd.grad of one', '(tensor([[[[1., 2.],\n          [3., 4.]]]]),)', [1, 1, 2, 2], [1, 2, 3, 4]],
  ['print("dw", dw)', 'dw tensor([[[[37., 47.],\n          [67., 77.]]]])', [1, 1, 2, 2], [37, 47, 67, 77]],
  ['print(x.shape, x)', 'torch.Size([2, 2]) tensor([[1.5, -2.0],\n        [3.25, 4.0]])', [2, 2], four],
  ['print("dw", dw.shape, dw)', 'dw (2, 2) [[1.5 -2.]\n [3.25 4.]]', [2, 2], four],
  ['print(x, x.shape)', 'tensor([[1.5, -2.0],\n        [3.25, 4.0]]) torch.Size([2, 2])', [2, 2], four],
  // libtorch, R torch
  ['libtorch', '(1,1,.,.) = \n  1.5000 -2.0000\n  3.2500  4.0000\n[ CPUFloatType{1,1,2,2} ]', [1, 1, 2, 2], four],
  [
    'libtorch, a common factor',
    '0.01 *\n 1.5000 -2.0000\n 3.2500  4.0000\n[ CPUFloatType{2,2} ]',
    [2, 2],
    [0.015, -0.02, 0.0325, 0.04],
  ],
  [
    'libtorch, a factor for each page',
    '(1,1,.,.) = \n 0.01 *\n  1.5000\n\n(2,1,.,.) = \n 1000 *\n  2.5000\n[ CPUFloatType{2,1,1,1} ]',
    [2, 1, 1, 1],
    [0.015, 2500],
  ],
  ['libtorch, a vector', ' 1.5000\n-2.0000\n[ CPUFloatType{2} ]', [2], [1.5, -2]],
  [
    'libtorch, columns',
    'Columns 1 to 2 1.5000 -2.0000\n 3.2500  4.0000\n\nColumns 3 to 3 5.0000\n 6.0000\n[ CPUFloatType{2,3} ]',
    [2, 3],
    [1.5, -2, 5, 3.25, 4, 6],
  ],
  [
    'R torch',
    'torch_tensor\n 1.5000 -2.0000\n 3.2500  4.0000\n[ CPUFloatType{2,2} ][ requires_grad = TRUE ]',
    [2, 2],
    four,
  ],
  [
    'R torch, four axes',
    'torch_tensor\n(1,1,.,.) = \n  1.5000 -2.0000\n  3.2500  4.0000\n[ CPUFloatType{1,1,2,2} ]',
    [1, 1, 2, 2],
    four,
  ],
  ['Torch 7', ' 1.5000 -2.0000\n 3.2500  4.0000\n[torch.DoubleTensor of size 2x2]', [2, 2], four],
  [
    'early PyTorch on a GPU',
    'dw\n 1.5000 -2.0000\n 3.2500  4.0000\n[torch.cuda.FloatTensor of size 2x2 (GPU 0)]',
    [2, 2],
    four,
  ],
  // NumPy
  ['print("dw", dw)', 'dw [[1. 2.]\n [3. 4.]]', [2, 2], [1, 2, 3, 4]],
  ['a label above', 'dw\n[[ 1.5  -2.  ]\n [ 3.25  4.  ]]', [2, 2], four],
  ['a label of words above', 'Gradient of w:\n[[ 1.5  -2.  ]\n [ 3.25  4.  ]]', [2, 2], four],
  ['a label with a remark', 'dw (analytic): [[1.5, -2.], [3.25, 4.]]', [2, 2], four],
  ['an f-string', 'dw = array([[ 1.5 , -2.  ],\n       [ 3.25,  4.  ]])', [2, 2], four],
  ['f"{dw.shape=} …"', 'dw.shape=(2, 2) dw=array([[1.5, -2.], [3.25, 4.]])', [2, 2], four],
  ['a gradient of a dictionary', "grads['dW1'] = [[1.5, -2.], [3.25, 4.]]", [2, 2], four],
  ['numbers of NumPy 2', '[np.float32(1.5), np.float32(-2.0), np.float32(3.25), np.float32(4.0)]', [4], four],
  ['infinities', 'array([[nan, inf], [-inf, -0.]])', [2, 2], [nan, inf, -inf, -0]],
  ['wide exponents', '[[1.50e+000 -2.00e+000]\n [3.25e+000 4.00e+000]]', [2, 2], four],
  ['a type', 'array([[ 1.5, -2. ],\n       [ 3.25, 4. ]], dtype=float32)', [2, 2], four],
  ['a type in a call', "np.array([1.5, -2.], dtype=np.dtype('float32'))", [2], [1.5, -2]],
  ['repr of one list of arrays', '[array([[1.5, -2.], [3.25, 4.]])]', [2, 2], four],
  ['CuPy', 'cupy.array([[1.5, -2.], [3.25, 4.]])', [2, 2], four],
  ['Chainer', 'variable([[ 1.5 , -2.  ],\n          [ 3.25,  4.  ]])', [2, 2], four],
  [
    'xarray',
    '<xarray.DataArray (h: 2, w: 2)> Size: 32B\narray([[ 1.5 , -2.  ],\n       [ 3.25,  4.  ]])\nDimensions without coordinates: h, w',
    [2, 2],
    four,
  ],
  ['IPython', 'In [5]: dw\nOut[5]: \narray([[ 1.5 , -2.  ],\n       [ 3.25,  4.  ]])\n', [2, 2], four],
  ['IPython, the output only', 'Out[12]: array([1.5, -2. ])', [2], [1.5, -2]],
  ['Python, its prompt', '>>> dw\narray([[ 1.5, -2. ],\n       [ 3.25,  4. ]])\n', [2, 2], four],
  [
    'Python, an expression',
    '>>> np.round(dw, 2)\narray([[ 1.5, -2. ],\n       [ 3.25,  4. ]])\n>>> dw.shape\n(2, 2)\n',
    [2, 2],
    four,
  ],
  ['Python, an input of two lines', '>>> x = np.array([[1.5, -2.],\n...               [3.25, 4.]])\n', [2, 2], four],
  ['Python, print in a prompt', '>>> print(dw)\n[[ 1.5  -2.  ]\n [ 3.25  4.  ]]', [2, 2], four],
  // TensorFlow, Keras, JAX
  [
    'a tensor',
    'tf.Tensor(\n[[[[ 1.5 ]\n   [-2.  ]]\n\n  [[ 3.25]\n   [ 4.  ]]]], shape=(1, 2, 2, 1), dtype=float32)',
    [1, 2, 2, 1],
    four,
  ],
  ['a number', 'tf.Tensor(2.5, shape=(), dtype=float32)', [], [2.5]],
  [
    'a variable',
    "<tf.Variable 'conv/kernel:0' shape=(2, 2) dtype=float32, numpy=\narray([[ 1.5 , -2.  ],\n       [ 3.25,  4.  ]], dtype=float32)>",
    [2, 2],
    four,
  ],
  [
    'Keras 3',
    '<Variable path=sequential/conv2d/kernel, shape=(2, 2, 1, 1), dtype=float32, value=[[[[ 1.5 ]]\n\n  [[-2.  ]]]\n\n\n [[[ 3.25]]\n\n  [[ 4.  ]]]]>',
    [2, 2, 1, 1],
    four,
  ],
  ['JAX', 'Array([[[[ 1.5 , -2.  ],\n         [ 3.25,  4.  ]]]], dtype=float32, weak_type=True)', [1, 1, 2, 2], four],
  ['early JAX', 'DeviceArray([[1.5, -2.],\n             [3.25, 4.]], dtype=float32)', [2, 2], four],
  ['MLX', 'array([[1.5, -2],\n       [3.25, 4]], dtype=float32)', [2, 2], four],
  // Other frameworks
  ['MXNet', '\n[[[[ 1.5  -2.  ]\n   [ 3.25  4.  ]]]]\n<NDArray 1x1x2x2 @cpu(0)>', [1, 1, 2, 2], four],
  ['MXNet, a name', 'dw: \n[[ 1.5  -2.  ]\n [ 3.25  4.  ]]\n<NDArray 2x2 @gpu(0)>', [2, 2], four],
  ['MXNet 2', 'array([[1.5, -2.], [3.25, 4.]], ctx=gpu(0))', [2, 2], four],
  [
    'Paddle',
    'Tensor(shape=[1, 1, 2, 2], dtype=float32, place=Place(cpu), stop_gradient=True,\n       [[[[ 1.50000000, -2.        ],\n          [ 3.25000000,  4.        ]]]])',
    [1, 1, 2, 2],
    four,
  ],
  ['TensorFlow.js', 'Tensor\n    [[1.5 , -2],\n     [3.25, 4 ]]', [2, 2], four],
  [
    'TensorFlow.js, print(true)',
    'Tensor\n  dtype: float32\n  rank: 2\n  shape: [2,2]\n  values:\n    [[1.5 , -2],\n     [3.25, 4 ]]',
    [2, 2],
    four,
  ],
  ['Candle', '[[[[ 1.5000, -2.0000],\n   [ 3.2500,  4.0000]]]]\nTensor[[1, 1, 2, 2], f32]', [1, 1, 2, 2], four],
  ['Candle, a GPU', '[1.5000, -2.0000]\nTensor[[2], f32, cuda:0]', [2], [1.5, -2]],
  [
    'Burn',
    'Tensor {\n  data:\n[[[[1.5, -2.0],\n   [3.25, 4.0]]]],\n  shape:  [1, 1, 2, 2],\n  device:  Cpu,\n  backend:  "ndarray",\n  kind:  "Float",\n  dtype:  "f32",\n}',
    [1, 1, 2, 2],
    four,
  ],
  [
    'ndarray of Rust',
    '[[[[1.5, -2.0],\n   [3.25, 4.0]]]], shape=[1, 1, 2, 2], strides=[4, 4, 2, 1], layout=Cc (0x5), const ndim=4',
    [1, 1, 2, 2],
    four,
  ],
  ['Nx', '#Nx.Tensor<\n  f32[2][2]\n  [\n    [1.5, -2.0],\n    [3.25, 4.0]\n  ]\n>', [2, 2], four],
  ['XLA', 'f32[2,2]{1,0} { { 1.5, -2 }, { 3.25, 4 } }', [2, 2], four],
  ['MLIR', '%cst = arith.constant dense<[[1.5, -2.0], [3.25, 4.0]]> : tensor<2x2xf32>', [2, 2], four],
  [
    'a memref of MLIR',
    'Unranked Memref base@ = 0x5581 rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data = \n[[1.5,   -2], \n [3.25,   4]]',
    [2, 2],
    four,
  ],
  [
    'TVM',
    '<tvm.nd.NDArray shape=(2, 2), cpu(0)>\narray([[ 1.5 , -2.  ],\n       [ 3.25,  4.  ]], dtype=float32)',
    [2, 2],
    four,
  ],
  // MATLAB, Octave, R, Julia
  ['MATLAB', 'w =\n\n    1.5000   -2.0000\n    3.2500    4.0000\n\n', [2, 2], four],
  ['MATLAB, whole numbers', 'dw =\n\n     1     2\n     3     4\n', [2, 2], [1, 2, 3, 4]],
  ['MATLAB, ans', 'ans =\n\n    1.5000   -2.0000\n    3.2500    4.0000\n', [2, 2], four],
  ['MATLAB, its prompt', '>> w\n\nw =\n\n    1.5000   -2.0000\n    3.2500    4.0000\n\n', [2, 2], four],
  [
    'MATLAB, a common factor',
    'w =\n\n   1.0e+03 *\n\n    1.5000   -0.0020\n    0.0033    0.0040\n',
    [2, 2],
    [1500, -2, 3.3, 4],
  ],
  [
    'MATLAB, columns',
    'w =\n\n  Columns 1 through 2\n\n     1     2\n     4     5\n\n  Column 3\n\n     3\n     6\n\n',
    [2, 3],
    [1, 2, 3, 4, 5, 6],
  ],
  [
    'MATLAB, pages',
    'w(:,:,1,1) =\n\n    1.5000   -2.0000\n    3.2500    4.0000\n\n\nw(:,:,1,2) =\n\n     5     6\n     7     8\n\n',
    [2, 2, 1, 2],
    [1.5, 5, -2, 6, 3.25, 7, 4, 8],
  ],
  [
    'Octave, pages',
    'ans =\n\nans(:,:,1) =\n\n   1   2\n   3   4\n\nans(:,:,2) =\n\n   5   6\n   7   8\n\n',
    [2, 2, 2],
    [1, 5, 2, 6, 3, 7, 4, 8],
  ],
  [
    'Octave, columns',
    'w =\n\n Columns 1 and 2:\n\n   1   2\n   4   5\n\n Column 3:\n\n   3\n   6\n\n',
    [2, 3],
    [1, 2, 3, 4, 5, 6],
  ],
  ['MATLAB, a source', 'w = [1.5 -2; 3.25 4]; % filter', [2, 2], four],
  ['R, a matrix', '     [,1] [,2]\n[1,] 1.50   -2\n[2,] 3.25    4\n', [2, 2], four],
  ['R, its prompt', '> w\n     [,1] [,2]\n[1,] 1.50   -2\n[2,] 3.25    4\n', [2, 2], four],
  [
    'R, columns',
    '     [,1] [,2]\n[1,]    1    2\n[2,]    4    5\n     [,3]\n[1,]    3\n[2,]    6\n',
    [2, 3],
    [1, 2, 3, 4, 5, 6],
  ],
  ['R, a vector', '[1]  1.50 -2.00\n[3]  3.25  4.00', [4], four],
  [
    'R, pages',
    ', , 1\n\n     [,1] [,2]\n[1,]    1    2\n[2,]    3    4\n\n, , 2\n\n     [,1] [,2]\n[1,]    5    6\n[2,]    7    8\n\n',
    [2, 2, 2],
    [1, 5, 2, 6, 3, 7, 4, 8],
  ],
  ['R, a data frame', '    V1 V2\n1 1.50 -2\n2 3.25  4', [2, 2], four],
  ['Julia, a matrix', '2×2 Matrix{Float64}:\n 1.5   -2.0\n 3.25   4.0', [2, 2], four],
  ['Julia, its prompt', 'julia> w\n2×2 Array{Float32,2}:\n 1.5   -2.0\n 3.25   4.0\n', [2, 2], four],
  ['Julia, a vector', '4-element Vector{Float32}:\n  1.5\n -2.0\n  3.25\n  4.0', [4], four],
  ['Julia, a source', 'w = Float32[1.5 -2.0; 3.25 4.0]', [2, 2], four],
  ['Julia, Float32', 'w = [1.5f0 -2f0; 32.5f-1 4f0]', [2, 2], four],
  // JavaScript
  ['our tensor in Node', '{ shape: [ 1, 2, 2, 1 ], data: Float32Array(4) [ 1.5, -2, 3.25, 4 ] }', [1, 2, 2, 1], four],
  [
    'a name around it',
    '{\n  y: {\n    shape: [ 1, 2, 2, 1 ],\n    data: Float32Array(4) [ 1.5, -2, 3.25, 4 ]\n  }\n}',
    [1, 2, 2, 1],
    four,
  ],
  ['a name before it', 'y { shape: [ 1, 2, 2, 1 ], data: Float32Array(4) [ 1.5, -2, 3.25, 4 ] }', [1, 2, 2, 1], four],
  ['our tensor as JSON', '{"shape":[1,2,2,1],"data":{"0":1.5,"1":-2,"2":3.25,"3":4}}', [1, 2, 2, 1], four],
  ['a name around its JSON', '{"y":{"shape":[1,2,2,1],"data":{"0":1.5,"1":-2,"2":3.25,"3":4}}}', [1, 2, 2, 1], four],
  ['ONNX Runtime', '{"x": {"dims":[1,1,2,2],"type":"float32","data":[1.5,-2,3.25,4],"size":4}}', [1, 1, 2, 2], four],
  [
    'ONNX Runtime, its memory',
    '{"dims":[2,2],"type":"float32","cpuData":{"0":1.5,"1":-2,"2":3.25,"3":4},"dataLocation":"cpu","size":4}',
    [2, 2],
    four,
  ],
  ['ConvNetJS', '{"sx":2,"sy":2,"depth":1,"w":{"0":1.5,"1":-2,"2":3.25,"3":4}}', [2, 2, 1], four],
  ['a typed array', 'Float32Array(4) [1.5, -2, 3.25, 4]', [4], four],
  ['a typed array of early Node', 'Float32Array [ 1.5, -2, 3.25, 4 ]', [4], four],
  ['an array of Chrome', '(4) [1.5, -2, 3.25, 4]', [4], four],
  ['an array of arrays', 'Array(2) [ Array(2) [ 1.5, -2 ], Array(2) [ 3.25, 4 ] ]', [2, 2], four],
  ['rows of typed arrays', '[\n  Float32Array(2) [ 1.5, -2 ],\n  Float32Array(2) [ 3.25, 4 ]\n]', [2, 2], four],
  ['an object of indices', '{"0":1.5,"1":-2,"2":3.25,"3":4}', [4], four],
  ['objects of indices', '[{"0":1.5,"1":-2},{"0":3.25,"1":4}]', [2, 2], four],
  ['an expanded array of Chrome', 'Float32Array(4)\n0: 1.5\n1: -2\n2: 3.25\n3: 4', [4], four],
  ['a source', 'const w = [[1.5, -2], [3.25, 4]];', [2, 2], four],
  ['a typed source', 'const w: number[][] = [\n  [1.5, -2], // first row\n  [3.25, 4], /* second */\n];', [2, 2], four],
  ['a typed array in source', 'export const w = new Float32Array([1.5, -2, 3.25, 4]);', [4], four],
  ['TensorFlow.js, a source', 'const x = tf.tensor2d([1.5, -2, 3.25, 4], [2, 2]);', [2, 2], four],
  ['ONNX Runtime, a source', "const x = new ort.Tensor('float32', [1.5, -2, 3.25, 4], [2, 2]);", [2, 2], four],
  ['a strided array', '{ data: [1.5, -2, 3.25, 4], shape: [2, 2], stride: [2, 1], offset: 0 }', [2, 2], four],
  // C and C++
  ['C', 'static const float w[2][2] = {{1.5f, -2.0f}, {3.25f, 4.0f}};', [2, 2], four],
  ['C, a flat list', 'float w[2][2] = {1.5f, -2.f, 3.25f, 4.f,};', [2, 2], four],
  [
    'C, several lines',
    'const double w[2][2] = {\n  {1.5, -2.0}, // first row\n  {3.25, 4.0}  // second row\n};',
    [2, 2],
    four,
  ],
  ['C++, a vector', 'std::vector<std::vector<float>> w = {{1.5f, -2.0f}, {3.25f, 4.0f}};', [2, 2], four],
  ['C++, libtorch', 'auto w = torch::tensor({{1.5, -2.0}, {3.25, 4.0}});', [2, 2], four],
  ['xtensor', '{{ 1.5 , -2.  },\n { 3.25,  4.  }}', [2, 2], four],
  ['OpenCV', '[1.5, -2;\n 3.25, 4]', [2, 2], four],
  ['Eigen', 'w =\n 1.5   -2\n3.25    4', [2, 2], four],
  ['Eigen, on the line of the name', 'w = 1.5   -2\n3.25    4', [2, 2], four],
  ['Armadillo', 'w:\n   1.5000  -2.0000\n   3.2500   4.0000\n', [2, 2], four],
  ['GDB', '$1 = {{1.5, -2}, {3.25, 4}}', [2, 2], four],
  // Other languages
  ['Python, a source', 'import numpy as np\nx = np.array([[1.5, -2.0], [3.25, 4.0]])\n', [2, 2], four],
  [
    'Python, a typed source',
    'w: np.ndarray = np.array([\n    [1.5, -2.0],  # first row\n    [3.25, 4.0],\n])',
    [2, 2],
    four,
  ],
  [
    'Python, a cast',
    'x = np.array([[1.5, -2.0], [3.25, 4.0]]).astype(np.float32).reshape(1, 1, 2, -1)',
    [1, 1, 2, 2],
    four,
  ],
  [
    'Python, a view',
    'x = torch.tensor([1.5, -2.0, 3.25, 4.0]).view(1, 1, 2, 2).requires_grad_(True)',
    [1, 1, 2, 2],
    four,
  ],
  ['Go, a print', 'w [[1.5 -2] [3.25 4]]', [2, 2], four],
  ['Go, a source', 'w := [][]float32{{1.5, -2}, {3.25, 4}}', [2, 2], four],
  ['Go, %#v', '[][]float32{[]float32{1.5, -2}, []float32{3.25, 4}}', [2, 2], four],
  ['Rust, a print', '[[1.5, -2.0], [3.25, 4.0]]', [2, 2], four],
  [
    'Rust, {:#?}',
    '[\n    [\n        1.5,\n        -2.0,\n    ],\n    [\n        3.25,\n        4.0,\n    ],\n]',
    [2, 2],
    four,
  ],
  ['Rust, a source', 'let w: [[f32; 2]; 2] = [[1.5, -2.0], [3.25f32, 4_f32]];', [2, 2], four],
  ['Rust, macros', 'let w = vec![vec![1.5, -2.0], vec![3.25, 4.0]];', [2, 2], four],
  ['ndarray of Rust, a source', 'let w = array![[1.5, -2.0], [3.25, 4.0]];', [2, 2], four],
  ['nalgebra', '\n  ┌             ┐\n  │  1.5    -2  │\n  │ 3.25     4  │\n  └             ┘\n', [2, 2], four],
  ['Java', 'float[][] w = {{1.5f, -2f}, {3.25f, 4f}};', [2, 2], four],
  ['Java, new', 'double[][] w = new double[][] {{1.5, -2}, {3.25, 4}};', [2, 2], four],
  ['C#', 'float[,] w = new float[2, 2] {{1.5f, -2f}, {3.25f, 4f}};', [2, 2], four],
  ['Kotlin', 'val w = arrayOf(floatArrayOf(1.5f, -2f), floatArrayOf(3.25f, 4f))', [2, 2], four],
  ['Swift', 'let w: [[Float]] = [[1.5, -2], [3.25, 4]]', [2, 2], four],
  ['Mathematica', 'w = {{1.5, -2.}, {3.25, 4.}}', [2, 2], four],
  ['LaTeX', 'w = \\begin{bmatrix} 1.5 & -2 \\\\ 3.25 & 4 \\end{bmatrix}', [2, 2], four],
  // Texts around values
  ['a minus sign of a PDF', '[[1.5, −2], [3.25, 4]]', [2, 2], four],
  ['an en dash', '[[1.5, –2], [3.25, 4]]', [2, 2], four],
  ['Markdown', '```python\n[[1.5, -2.0],\n [3.25, 4.0]]\n```', [2, 2], four],
  [
    'Markdown, a sentence',
    'Here is my gradient:\n\n```\ntensor([[1.5, -2.0],\n        [3.25, 4.0]])\n```\n',
    [2, 2],
    four,
  ],
  ['a quotation', '> [[1.5, -2.0],\n>  [3.25, 4.0]]', [2, 2], four],
  ['ends of lines of Windows', 'dw\r\n[[ 1.5  -2.  ]\r\n [ 3.25  4.  ]]\r\n', [2, 2], four],
  ['tabs', 'dw =\n\t1.5\t-2\n\t3.25\t4\n', [2, 2], four],
  ['a label over a table', 'dw:\n1 2\n3 4', [2, 2], [1, 2, 3, 4]],
  ['a label over CSV', 'dw:\n1.5, -2\n3.25, 4', [2, 2], four],
  ['a word over a table', 'dw\n1 2\n3 4', [2, 2], [1, 2, 3, 4]],
  ['a label before a row', 'db: 0.5 0.25 -1', [3], [0.5, 0.25, -1]],
  ['a label before one number', 'db 0.5', [], [0.5]],
  ['commas of thousands', '"1,000.5","2"\n"3","4"', [2, 2], [1000.5, 2, 3, 4]],
  ['commas of thousands, quoted at the end', '2,"1,000.5"\n"3",4', [2, 2], [2, 1000.5, 3, 4]],
  ['pandas', '      0    1\n0  1.50 -2.0\n1  3.25  4.0', [2, 2], four],
  ['pandas, titles and a footer', '      a    b\n0  1.50 -2.0\n1  3.25  4.0\n\n[2 rows x 2 columns]', [2, 2], four],
  ['a series of pandas', '0    1.50\n1   -2.00\ndtype: float64', [2], [1.5, -2]],
  ['to_csv of pandas', ',0,1\n0,1.5,-2.0\n1,3.25,4.0\n', [2, 2], four],
  ['labels of rows', 'a b\nr1 1.5 -2\nr2 3.25 4', [2, 2], four],
];

/** -0 equals 0 here only if both have the sign. */
const floats = (values: readonly number[]) => Float32Array.from(values);

test.each(ONE)('reads %s: %j', async (_, text, shape, values) => {
  expect(await readString(text)).toEqual([expect.objectContaining({ shape, values: floats(values) })]);
});

test('the comparison refuses another value, order, shape and count', async () => {
  const [, , shape] = ['', '', [2, 2]] as const;
  const read = await readString('[[1, 2], [3, 4]]');
  for (const [sizes, values] of [
    [shape, [1, 2, 3, 5]],
    [shape, [1, 3, 2, 4]],
    [[4], [1, 2, 3, 4]],
    [shape, [1, 2, 3]],
  ] as const) {
    expect(read).not.toEqual([expect.objectContaining({ shape: sizes, values: floats(values) })]);
  }
});

type Several = readonly [
  from: string,
  text: string,
  arrays: readonly (readonly [string, readonly number[], readonly number[]])[],
];

const SEVERAL: readonly Several[] = [
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
];

test.each(SEVERAL)('reads several arrays from %s: %j', async (_, text, arrays) => {
  expect(await readString(text)).toEqual(
    arrays.map(([name, shape, values]) => expect.objectContaining({ name, shape, values: floats(values) })),
  );
});

/** Never read: the numbers would be wrong, or are sizes. The reason says what to do. */
const REFUSED: readonly (readonly [from: string, text: string, reason: RegExp])[] = [
  [
    'Julia, four axes',
    '2×2×1×2 Array{Float32, 4}:\n[:, :, 1, 1] =\n 1.5   -2.0\n 3.25   4.0\n\n[:, :, 1, 2] =\n 5.0  6.0\n 7.0  8.0',
    /Julia names the axes .* Paste JSON\.json/,
  ],
  [
    'Julia, four axes in one line',
    'w = Float32[1.5 -2.0; 3.25 4.0;;;; 5.0 6.0; 7.0 8.0]',
    /Julia names the axes|expected a number, found “;”/,
  ],
  [
    'Julia, a part',
    '3×3 Matrix{Float64}:\n 1.0  …  2.0\n ⋮    ⋱  ⋮\n 3.0  …  4.0',
    /stands for numbers that were not printed/,
  ],
  [
    'NumPy, a part',
    '[[ 0.   1.  ... 61.  62. ]\n [64.  65. ... 125. 126. ]]',
    /np\.set_printoptions\(threshold=np\.inf\)/,
  ],
  ['Node, a part', 'Float32Array(200) [\n  1, 2, 3,\n  ... 197 more items\n]', /JSON\.stringify/],
  [
    'R torch, a part',
    'torch_tensor\n 1 2\n 3 4\n... [the output was truncated (use n=-1 to disable)]\n[ CPUFloatType{9,2} ]',
    /Print it with n = -1/,
  ],
  ['a masked array', 'masked_array(data=[[1.5, --], [3.25, 4.0]], mask=[[False, True],[False, False]])', /masked/],
  ['complex numbers', 'array([[1.+2.j, 3.+0.j]])', /complex numbers are not supported/],
  [
    'complex numbers of MATLAB',
    'w =\n\n   1.0000 + 2.0000i   3.0000 + 0.0000i\n',
    /complex|is not a number|computation/,
  ],
  ['a computation', 'np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16', /this is a computation/],
  ['a transpose', 'w = np.array([[1, 2]]).T', /this is a computation/],
  ['a division without a remainder', 'x = np.array([7, 8]) // 2', /this is a computation/],
  ['a division by a name', 'x = [7, 8] // n', /this is a computation/],
  ['a call with a space', 'x = np.sqrt ([[1, 4]])', /computation|is not a number/],
  ['a sum before', 'y = a + [[1, 2]]', /is not a number|computation|expected/],
  ['a cast that changes numbers', 'x = np.array([1.5, 2.5]).astype(int)', /this is a computation/],
  ['torch.Size', 'torch.Size([1, 3, 5, 5])', /^these are sizes, not values\. Print the array itself/],
  ['sizes', 'x.shape: torch.Size([1, 3, 5, 5])\nw.shape: torch.Size([4, 3, 3, 3])', /^these are sizes/],
  ['sizes of NumPy', 'x.shape = (1, 3, 5, 5)', /^these are sizes/],
  ['sizes as JSON', '{"shape":[2,2],"dtype":"float32","size":4}', /^these are sizes/],
  [
    'a tensor of TensorFlow.js as JSON',
    '{"kept":false,"isDisposedInternal":false,"shape":[2,2],"dtype":"float32","size":4}',
    /sizes|none of its entries/,
  ],
  ['arrays that Node collapsed', '[ [ [Array], [Array] ] ]', /“Array” stands for numbers .* JSON\.stringify/],
  ['arrays that Chrome collapsed', '(2) [Array(2), Array(2)]', /“Array\(…\)” stands for numbers/],
  ['a typed array that Chrome collapsed', 'w: Float32Array(4)', /stands for numbers|computation/],
  ['another count', 'Float32Array(5) [1.5, -2, 3.25, 4]', /says 5 items, but has 4/],
  ['another shape of Candle', '[[1.5, -2.0]]\nTensor[[2, 2], f32]', /says \[2, 2\], but/],
  ['another shape of libtorch', ' 1 2\n 3 4\n[ CPUFloatType{3,2} ]', /says \[3, 2\], but/],
  [
    'a missing page',
    '(0 ,0 ,.,.) = \n  1  2\n\n(0 ,2 ,.,.) = \n  5  6\n[torch.FloatTensor of size 1x2x1x2]',
    /pages of this array are missing|says/,
  ],
  ['a missing first page', 'w(:,:,2) =\n\n     3     4\n', /pages of this array are missing/],
  ['a missing row of R', '     [,1] [,2]\n[2,] 1.50   -2\n', /row 1 is missing/],
  ['missing columns', 'w =\n\n  Columns 9 through 10\n\n     1     2\n', /column 1 is missing/],
  ['another count of a shape', '{"shape":[1,2,2,1],"data":[1.5,-2]}', /needs 4 numbers, but it has 2/],
  [
    'strides of columns',
    '{ data: [1, 2, 3, 4], shape: [2, 2], stride: [1, 2] }',
    /strides \[1, 2\] are not those of rows/,
  ],
  ['bytes', '{"type":"Buffer","data":[0,0,192,63],"shape":[4]}', /bytes, not numbers/],
  [
    'columns of pandas as JSON',
    '{"0":{"0":1.5,"1":3.25},"1":{"0":-2.0,"1":4.0}}',
    /not certain if its objects are rows or columns/,
  ],
  [
    'a declaration with other sizes',
    'float w[3][2] = {{1, 2}, {3, 4}};',
    /declared with the sizes \[3, 2\], but has \[2, 2\]/,
  ],
  ['a partly filled declaration', 'float w[4] = {1, 2};', /declared with the sizes \[4\], but has \[2\]/],
  ['rows or one list', 'w = [1 2\n3 4]', /may be rows or one list/],
  [
    'numbers one by one',
    'float_data: 1.5\nfloat_data: -2\nfloat_data: 3.25\nfloat_data: 4',
    /float_data occurs 4 times with one number each/,
  ],
  ['an index of pandas', '      a    b\n7  1.50 -2.0\n9  3.25  4.0', /2 titles are above 3 columns/],
  ['one column of pandas', '      a\n0  1.50\n1  3.25', /may be an index/],
  ['a column named index', 'index,a,b\n5,1.5,2\n9,3,4', /may be an index|titles/],
  ['an empty corner', '\t2\n3\t4', /cell 1 of this line is empty/],
  [
    'tinygrad',
    '<Tensor <UOp CPU (2, 2) float (<Ops.COPY: 7>, None)> on CPU with grad None>',
    /has no numbers\. Print its values/,
  ],
  [
    'a tracer of JAX',
    'Traced<ShapedArray(float32[2,2])>with<DynamicJaxprTrace(level=1/0)>',
    /is not a number|computation|no numbers/,
  ],
  [
    'Dask',
    'dask.array<array, shape=(2, 2), dtype=float64, chunksize=(2, 2), chunktype=numpy.ndarray>',
    /no numbers|is not a number/,
  ],
  ['a splat of MLIR', 'dense<1.0> : tensor<2x2xf32>', /says \[2, 2\], but/],
  ['LLDB', '(float [2][2]) w = ([0] = ([0] = 1, [1] = 2), [1] = ([0] = 3, [1] = 4))', /./],
  ['a layer', 'Conv2d(1, 1, kernel_size=(3, 3), stride=(1, 1))', /“Conv2d\(…\)” is a computation/],
  ['R, a source by columns', 'w <- matrix(c(1, 2, 3, 4), nrow = 2)', /./],
  ['Eigen, a source', 'Eigen::Matrix2f w; w << 1.5, -2, 3.25, 4;', /./],
  ['numbers of lines', '1  x = np.array([[1, 2],\n2                [3, 4]])', /is not a number/],
  ['a log', '2024-01-01 12:00:00 dw [[1, 2]]', /is not a number|./],
  ['a loop', 'for i in range(3):\n    x = [1, 2]', /computation|is not a number/],
  ['a function', 'def f(x):\n    return x', /computation|is not a number/],
  ['numbers and words', 'loss 0.5 at step 3', /is not a number|computation/],
  ['a list of lists that differ', '[[1, 2], [3]]', /item 2 of this list is 1 number in brackets/],
  ['two common factors', '0.01 *\n 1\n0.1 *\n 2\n[ CPUFloatType{2} ]', /different common factors/],
  ['a sum of C', 'float b[] = {1.5f-2};', /may be a difference or an exponent/],
  ['a quantized type', 'tensor([1, 2], dtype=complex64) + 1', /this is a computation/],
];

test.each(REFUSED)('refuses %s: %j', async (_, text, reason) => {
  const read = await readString(text);
  expect(read).toEqual(expect.stringMatching(reason));
});
