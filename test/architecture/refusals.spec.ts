import { describe, expect, it } from '@jest/globals';
import { refusals } from '../../src/app/features.js';
import { sourceFiles } from './source-files.js';

/** Files that refuse. Each of them contains its codes as literals. */
const refusing = sourceFiles('src', 'projections').filter(({ text }) =>
  /\b(?:refuse|DomainError)\b[^;]* from '[^']*deciding\.js'/.test(text),
);

const codesIn = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map((match) => `${match[1]}`);

describe('refusals', () => {
  it('are found in the source files', () => {
    expect(refusing.flatMap(codesIn)).toEqual(
      expect.arrayContaining(['STREAM_DOES_NOT_EXIST', 'REQUEST_VARIABLE_MISSING', 'INVALID_USER_ID']),
    );
  });

  it('are each raised somewhere', () => {
    const raised = new Set(
      sourceFiles('src', 'projections')
        .filter(({ path }) => !path.endsWith('.refusals.ts'))
        .flatMap(({ text }) => [...text.matchAll(/'([A-Z_]+)'/g)].map((match) => `${match[1]}`)),
    );
    expect(Object.keys(refusals).filter((code) => !raised.has(code))).toEqual([]);
  });

  it('have a row each in the error table', () => {
    const missing = refusing.flatMap((file) =>
      codesIn(file)
        .filter((code) => !Object.hasOwn(refusals, code))
        .map((code) => `${file.path}: ${code}`),
    );
    expect(missing).toEqual([]);
  });
});
