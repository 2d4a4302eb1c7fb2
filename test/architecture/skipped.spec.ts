import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type SourceFile, sourceFiles } from './source-files.js';
import { nodesOf } from './syntax.js';

const FUNCTIONS = /^(?:describe|it|test)$/;

/** `it.skip`, `describe.only.each`, `xit`: whatever leaves out a test, or all others. */
const leavesOut = (node: ts.Node): node is ts.PropertyAccessExpression | ts.Identifier =>
  ts.isIdentifier(node)
    ? /^(?:[xf](?:it|describe|test))$/.test(node.text)
    : ts.isPropertyAccessExpression(node) &&
      /^(?:skip|only|todo|failing)$/.test(node.name.text) &&
      FUNCTIONS.test(node.expression.getText());

/** Answers whether a choice between two values or statements decides on a node, which is not the condition itself. */
const isConditional = (node: ts.Node, around: readonly ts.Node[]): boolean => {
  const within = [node, ...around];
  return around.some((outer, at) => {
    if (ts.isConditionalExpression(outer)) return outer.condition !== within[at];
    return ts.isIfStatement(outer) && outer.expression !== within[at];
  });
};

/** Answers the places that leave out tests without asking anything. */
const leftOut = (file: SourceFile): string[] =>
  /\b(?:skip|only|todo|failing|[xf](?:it|describe|test))\b/.test(file.text)
    ? nodesOf(file, leavesOut)
        .filter(({ node, around }) => {
          const isSkip = ts.isPropertyAccessExpression(node) && node.name.text === 'skip';
          return !(isSkip && isConditional(node, around));
        })
        .map(({ place }) => place)
    : [];

describe('tests', () => {
  it('are left out only under a condition, and leave out no others', () => {
    const files = sourceFiles('test');
    expect(files.length).toBeGreaterThan(400);
    expect(files.flatMap(leftOut)).toEqual([]);
  });

  it.each([
    ["it.skip('', () => {});", 1],
    ["describe.skip.each([1])('', () => {});", 1],
    ['const one = it.skip;', 1],
    ["describe('', () => { if (it.skip) it('', () => {}); });", 1],
    ["it.only('', () => {}); it.todo(''); xit('', () => {}); fdescribe('', () => {});", 4],
    ["(isShared() ? it : it.only)('', () => {});", 1],
    ["// it.skip\nconst text = 'it.only';", 0],
    ["(isShared() ? describe : describe.skip)('', () => {});", 0],
    ["if (url) describe('', () => {});\nelse describe.skip('', () => {});", 0],
  ])('are found in %j', (text, count) => {
    expect(leftOut({ path: 'one.spec.ts', text })).toHaveLength(count);
  });
});
