import katex from 'katex';
import { escapeQuoted } from './tree.js';

/** A formula as HTML; null where it is none. */
export function formula(source: string, displayMode: boolean): string | null {
  try {
    return katex.renderToString(source, { displayMode, strict: false, trust: false, maxSize: 500, maxExpand: 100 });
  } catch {
    // Also where it is nested so deep that the stack ends.
    return null;
  }
}

/** Formulas on lines of their own, an empty line between each two. */
export function mathBlock(source: string): string {
  return source
    .split('\n\n')
    .map((one) => formula(one, true) ?? `<span class="tex-error">${escapeQuoted(one).replaceAll("'", '&#x27;')}</span>`)
    .join('\n\n');
}
