import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/** Answers the nodes of a file that the predicate accepts, each with the nodes around it, innermost first. */
export function nodesOf<Found extends ts.Node>(
  { path, text }: SourceFile,
  isFound: (node: ts.Node) => node is Found,
): { readonly node: Found; readonly around: readonly ts.Node[]; readonly place: string }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, around: readonly ts.Node[]): ReturnType<typeof nodesOf<Found>> => {
    const line = (): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const found = isFound(node) ? [{ node, around, place: `${path}:${line()}: ${node.getText(source)}` }] : [];
    const inside: ReturnType<typeof nodesOf<Found>>[] = [];
    ts.forEachChild(node, (child) => {
      inside.push(visit(child, [node, ...around]));
    });
    return [...found, ...inside.flat()];
  };
  return visit(source, []);
}
