import { isText, type Node, textOf } from './tree.js';

/** Enclose the number of a finished node in text that is still being read. Users cannot write them. */
const BEGIN = '\u0002';
const END = '\u0003';

const MARK = new RegExp(`${BEGIN}(\\d+)${END}`, 'g');

export const withoutMarks = (text: string): string => text.replaceAll(BEGIN, '').replaceAll(END, '');

/** Finished parts of a text, which later rules neither read nor change. */
export class Stash {
  private readonly nodes: Node[] = [];
  /** What was written, by number of the node. */
  private readonly sources: Node[] = [];

  /**
   * @param source what was written; default: the text of the node
   * @returns the mark that stands for the node
   */
  put(node: Node, source = node): string {
    this.nodes.push(node);
    this.sources.push(source);
    return `${BEGIN}${this.nodes.length - 1}${END}`;
  }

  /** The text as it was written: for addresses, names and formulas, in which nothing is marked up. */
  asWritten(words: string): string {
    return words.replace(MARK, (_, number) => this.asWritten(textOf(this.sources[Number(number)] ?? '')));
  }

  /** The nodes of a text, with marks replaced by what they stand for. */
  restored(words: string): Node[] {
    const nodes: Node[] = [];
    const add = (node: Node): void => {
      const last = nodes.at(-1);
      if (isText(node) && isText(last)) nodes.splice(-1, 1, last + node);
      else if (node !== '') nodes.push(node);
    };
    let at = 0;
    for (const mark of words.matchAll(MARK)) {
      add(words.slice(at, mark.index));
      const node = this.nodes[Number(mark[1])];
      if (node !== undefined) add(node);
      at = mark.index + mark[0].length;
    }
    add(words.slice(at));
    return nodes;
  }
}
