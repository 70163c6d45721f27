// Finds arithmetic on tensor values in type-checked sources. A value is an element of a float array, a statistic or
// difference that the library measured, or a variable that holds one. Comparing, selecting, formatting or coloring
// values is not arithmetic. Values that a view stores in its own objects are not tracked.

import ts from 'typescript5';

const FLOATS = new Set(['Float32Array', 'Float64Array']);
/** Types of the protocol with numbers that the library computed. */
const MEASURED = new Set(['TensorStats', 'CompareRow', 'Products', 'GradientCheckRun']);
/** Numbers of these types that are not values: a time, the chosen step. */
const PLAIN = new Set(['milliseconds', 'epsilon']);

const ARITHMETIC = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.PlusEqualsToken,
  ts.SyntaxKind.MinusEqualsToken,
  ts.SyntaxKind.AsteriskEqualsToken,
  ts.SyntaxKind.SlashEqualsToken,
  ts.SyntaxKind.PercentEqualsToken,
  ts.SyntaxKind.AsteriskAsteriskEqualsToken,
]);
const STEPS = new Set([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken, ts.SyntaxKind.MinusToken]);

/** The names (by default those of this file) that no interface in `folder` declares. */
export function missingTypes(program, folder, names = [...MEASURED]) {
  const declared = new Set(
    program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(folder))
      .flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration).map(({ name }) => name.text)),
  );
  return names.filter((name) => !declared.has(name));
}

/** { path, line, message } for every finding in the source file. */
export function checkValues(checker, source, path) {
  const found = [];
  const report = (node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push({ path, line: line + 1, message: `arithmetic on a tensor value: ${node.getText(source).slice(0, 80)}` });
  };
  const visit = (node) => {
    if (isArithmetic(checker, node)) report(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isArithmetic(checker, node) {
  if (ts.isBinaryExpression(node)) {
    if (!ARITHMETIC.has(node.operatorToken.kind)) return false;
    // With a string operand, + formats the value.
    const isText = [node.left, node.right].some((side) =>
      hasFlag(checker.getTypeAtLocation(side), ts.TypeFlags.StringLike),
    );
    return !isText && (isValue(checker, node.left) || isValue(checker, node.right));
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    return STEPS.has(node.operator) && isValue(checker, node.operand);
  }
  const isMath = ts.isCallExpression(node) && /^Math\./.test(node.expression.getText());
  return isMath && node.arguments.some((argument) => isValue(checker, argument));
}

/** Whether the expression is a tensor value, directly or through a variable. */
function isValue(checker, node, seen = new Set()) {
  if (seen.has(node)) return false;
  seen.add(node);
  const also = (other) => isValue(checker, other, seen);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node)) {
    return also(node.expression);
  }
  if (ts.isConditionalExpression(node)) return also(node.whenTrue) || also(node.whenFalse);
  if (ts.isBinaryExpression(node)) {
    const picks = [
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.AmpersandAmpersandToken,
    ];
    return picks.includes(node.operatorToken.kind) && (also(node.left) || also(node.right));
  }
  if (ts.isElementAccessExpression(node)) return isFloats(checker, node.expression);
  if (ts.isPropertyAccessExpression(node)) return isMeasured(checker, node.expression, node.name.text);
  if (ts.isCallExpression(node)) return isNamedValue(node) || isElementCall(checker, node);
  return ts.isIdentifier(node) && comesFromValue(checker, node, also);
}

/** The function of the page that looks up a value. */
const isNamedValue = ({ expression }) => ts.isIdentifier(expression) && expression.text === 'valueAt';

const isElementCall = (checker, { expression }) =>
  ts.isPropertyAccessExpression(expression) &&
  expression.name.text === 'at' &&
  isFloats(checker, expression.expression);

function isMeasured(checker, owner, name) {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(owner));
  const types = type.isUnion() ? type.types : [type];
  return !PLAIN.has(name) && types.some((one) => MEASURED.has(one.symbol?.name)) && isNumber(checker, type, name);
}

function isNumber(checker, type, name) {
  const property = type.getProperty(name);
  return (
    property !== undefined &&
    hasFlag(checker.getNonNullableType(checker.getTypeOfSymbol(property)), ts.TypeFlags.NumberLike)
  );
}

/** A constant initialized with a value, a destructured value, or the element in a callback over a float array. */
function comesFromValue(checker, node, also) {
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (!declaration) return false;
  if (ts.isVariableDeclaration(declaration)) {
    const loop = declaration.parent.parent;
    if (ts.isForOfStatement(loop)) return isFloats(checker, loop.expression);
    return declaration.initializer !== undefined && also(declaration.initializer);
  }
  if (ts.isBindingElement(declaration)) return isBoundValue(checker, declaration);
  return ts.isParameter(declaration) && isElementParameter(checker, declaration);
}

function isBoundValue(checker, { name, propertyName, parent, initializer }) {
  if (initializer && isValue(checker, initializer)) return true;
  const owner = checker.getTypeAtLocation(parent);
  if (ts.isArrayBindingPattern(parent)) return FLOATS.has(owner.symbol?.name);
  const key = (propertyName ?? name).getText();
  return !PLAIN.has(key) && MEASURED.has(owner.symbol?.name) && isNumber(checker, owner, key);
}

/** The value in data.map((value, i) => ...), and both parameters in data.reduce((sum, value) => ...). */
function isElementParameter(checker, parameter) {
  const callback = parameter.parent;
  const call = callback.parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const at = callback.parameters.indexOf(parameter);
  const elements = /^reduce|^sort$/.test(call.expression.name.text) ? 2 : 1;
  return at < elements && isFloats(checker, call.expression.expression);
}

function isFloats(checker, node) {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
  const types = type.isUnion() ? type.types : [type];
  return types.some((one) => FLOATS.has(one.symbol?.name));
}

const hasFlag = (type, flag) => (type.flags & flag) !== 0;
