import katex from 'katex';
import { escapeQuoted } from './tree.js';

/** Of all formulas in one text, so that none of them, and no crowd of them, holds the server. */
const MOST_SIGNS = 3_000;
/** What a formula takes however short it is, in signs. */
const EACH = 4;

const MOST_EXPANDED = 100;
/** Signs that all the names a formula defines for itself may stand for, each time that it uses one. */
const MOST_DEFINED_SIGNS = 10_000;

/** With `#`, a definition could double what it is given, and its double. */
const DEFINES = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet)(?![a-zA-Z@])/;

/** The formulas of one text. */
export class Formulas {
  private left = MOST_SIGNS;

  /** A formula as HTML; null where it is none, or would take too long. */
  htmlOf(source: string, displayMode: boolean): string | null {
    const maxExpand = mostExpanded(source);
    this.left -= source.length + EACH;
    if (this.left < 0 || maxExpand === 0) return null;
    try {
      return katex.renderToString(source, { displayMode, strict: false, trust: false, maxSize: 500, maxExpand });
    } catch {
      // Also where it is nested so deep that the stack ends.
      return null;
    }
  }

  /** Formulas on lines of their own, an empty line between each two. */
  blockOf(source: string): string {
    return source
      .split('\n\n')
      .map((one) => this.htmlOf(one, true) ?? asTyped(one))
      .join('\n\n');
  }
}

const asTyped = (source: string): string =>
  `<span class="tex-error">${escapeQuoted(source).replaceAll("'", '&#x27;')}</span>`;

/** How many names are replaced by what they stand for. */
function mostExpanded(source: string): number {
  if (!DEFINES.test(source)) return MOST_EXPANDED;
  return source.includes('#') ? 0 : Math.min(MOST_EXPANDED, Math.floor(MOST_DEFINED_SIGNS / source.length));
}
