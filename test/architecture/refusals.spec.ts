import { describe, expect, it } from '@jest/globals';
import { errorTable } from '../../src/http/error-table.js';
import { sourceFiles } from './source-files.js';

/** Files that refuse; each code is written out in the file that refuses with it. */
const refusing = sourceFiles('src', 'projections').filter(({ text }) => /from '[^']*domain-error\.js'/.test(text));

const codesIn = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map((match) => `${match[1]}`);

describe('refusals', () => {
  it('are found where they are written', () => {
    expect(refusing.flatMap(codesIn)).toEqual(
      expect.arrayContaining(['STREAM_DOES_NOT_EXIST', 'REQUEST_VARIABLE_MISSING', 'INVALID_USER_ID']),
    );
  });

  it('have a row each in the error table', () => {
    const missing = refusing.flatMap((file) =>
      codesIn(file)
        .filter((code) => !Object.hasOwn(errorTable, code))
        .map((code) => `${file.path}: ${code}`),
    );
    expect(missing).toEqual([]);
  });
});
