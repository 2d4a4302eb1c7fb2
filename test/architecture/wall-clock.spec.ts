import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type SourceFile, sourceFiles } from './source-files.js';
import { nodesOf } from './syntax.js';

/** A machine may stand still for a while: shorter bounds fail without a fault. */
const LEAST_MS = 60_000;

/** Finds upper bounds of time that are shorter than a machine may stand still. */
function shortBounds(file: SourceFile): string[] {
  const constants = constantsOf(file);
  const isElapsed = (node: ts.Node): boolean => ELAPSED.test(node.getText()) || measuredIn(file).has(node.getText());
  return nodesOf(file, ts.isCallExpression)
    .filter(({ node }) => {
      const bound = boundOf(node, isElapsed);
      const ms = bound && numberOf(bound, constants);
      return ms !== undefined && ms < LEAST_MS;
    })
    .map(({ place }) => place.replace(/\s+/g, ' '));
}

/** How much time has passed: the difference to an earlier look at a clock. */
const ELAPSED = /\b(?:performance|Date)\.now\(\) - |\b\w+ - (?:performance|Date)\.now\(\)/;

/** Names of values that are an elapsed time. */
const measuredIn = ({ text }: SourceFile): ReadonlySet<string> =>
  new Set([...text.matchAll(/const (\w+) = (?:performance|Date)\.now\(\) - /g)].map(([, name = '']) => name));

/** The expression that bounds the time of a call, if the call has a bound. */
function boundOf(call: ts.CallExpression, isElapsed: (node: ts.Node) => boolean): ts.Expression | undefined {
  const { expression, arguments: given } = call;
  if (ts.isIdentifier(expression) && expression.text === 'eventually') return given[1];
  if (!ts.isPropertyAccessExpression(expression)) return;
  if (expression.getText() === 'AbortSignal.timeout') return given[0];
  if (!/^toBeLessThan(?:OrEqual)?$/.test(expression.name.text)) return;
  const [expected] = nodesIn(expression.expression, ts.isCallExpression);
  return expected?.arguments.some(isElapsed) ? given[0] : undefined;
}

function nodesIn<Found extends ts.Node>(node: ts.Node, isFound: (one: ts.Node) => one is Found): readonly Found[] {
  return isFound(node) ? [node] : (ts.forEachChild(node, (child) => nodesIn(child, isFound)) ?? []);
}

/** Values of the constants of a file that are numbers. */
function constantsOf(file: SourceFile): ReadonlyMap<string, number> {
  const constants = new Map<string, number>();
  for (const { node } of nodesOf(file, ts.isVariableDeclaration)) {
    const value = node.initializer && numberOf(node.initializer, constants);
    if (value !== undefined) constants.set(node.name.getText(), value);
  }
  return constants;
}

/** The value of an expression of literals and constants; undefined if it depends on anything that is measured. */
function numberOf(node: ts.Expression, constants: ReadonlyMap<string, number>): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
  if (ts.isIdentifier(node)) return constants.get(node.text);
  if (!ts.isBinaryExpression(node)) return;
  const [left, right] = [numberOf(node.left, constants), numberOf(node.right, constants)];
  if (left === undefined || right === undefined) return;
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.PlusToken:
      return left + right;
    case ts.SyntaxKind.MinusToken:
      return left - right;
    case ts.SyntaxKind.AsteriskToken:
      return left * right;
    case ts.SyntaxKind.SlashToken:
      return left / right;
    default:
      return;
  }
}

describe('bounds of time', () => {
  it.each([
    'await eventually(look, 10_000);',
    'const LONG = 3 * 1000; await eventually(() => look(), 2 * LONG);',
    'expect(performance.now() - begun).toBeLessThan(15_000);',
    'const took = performance.now() - begun; expect(took).toBeLessThanOrEqual(900);',
    'await fetch(url, { signal: AbortSignal.timeout(5000) });',
  ])('are found: %s', (text) => {
    expect(shortBounds({ path: 'a.spec.ts', text })).toHaveLength(1);
  });

  it.each([
    'await eventually(look); await eventually(look, 60_000);',
    'expect(performance.now() - begun).toBeLessThan(3 * alone);',
    'expect(performance.now() - begun).toBeGreaterThan(400);',
    'expect(list.length).toBeLessThan(400);',
  ])('may be long, lower bounds, or measured: %s', (text) => {
    expect(shortBounds({ path: 'a.spec.ts', text })).toEqual([]);
  });

  it('in specs allow for a machine that stands still for a while', () => {
    expect(sourceFiles('test').flatMap(shortBounds)).toEqual([]);
  });
});
