import katex from 'katex';
import type { Growth } from './growth.js';
import { escapeQuoted } from './tree.js';

/** Greatest size of all formulas of a text, in characters: they must not block the server. */
const MOST_CHARACTERS = 3_000;
/** Cost of a formula besides its length, in characters. */
const COST_OF_FORMULA = 4;

const MOST_EXPANDED = 100;
/** Greatest size of a formula's own definitions, expanded, in characters. */
const MOST_DEFINED_CHARACTERS = 10_000;

/** Matches definitions. With `#`, they could double their argument again and again. */
const DEFINES = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet)(?![a-zA-Z@])/;

/** Renders the formulas of one text. */
export class Formulas {
  private left = MOST_CHARACTERS;

  constructor(private readonly growth: Pick<Growth, 'admits'>) {}

  /** A formula as HTML; null if it is invalid, would take too long or be too long. */
  htmlOf(source: string, displayMode: boolean): string | null {
    const maxExpand = mostExpanded(source);
    this.left -= source.length + COST_OF_FORMULA;
    if (this.left < 0 || maxExpand === 0) return null;
    try {
      const html = katex.renderToString(source, { displayMode, strict: false, trust: false, maxSize: 500, maxExpand });
      return this.growth.admits(html) ? html : null;
    } catch {
      // Deep nesting that exhausts the stack throws, too.
      return null;
    }
  }

  /** Formulas of a block, which empty lines separate. */
  blockOf(source: string): string {
    return source
      .split('\n\n')
      .map((one) => this.htmlOf(one, true) ?? asTyped(one))
      .join('\n\n');
  }
}

const asTyped = (source: string): string =>
  `<span class="tex-error">${escapeQuoted(source).replaceAll("'", '&#x27;')}</span>`;

/** Greatest number of expansions of names in a formula. */
function mostExpanded(source: string): number {
  if (!DEFINES.test(source)) return MOST_EXPANDED;
  return source.includes('#') ? 0 : Math.min(MOST_EXPANDED, Math.floor(MOST_DEFINED_CHARACTERS / source.length));
}
