import { describe, expect, it } from '@jest/globals';
import { type SourceFile, sourceFiles } from './source-files.js';

const production = sourceFiles('src', 'projections');
const everything = [...production, ...sourceFiles('test')];

/** Answers the paths of the files that break a rule. */
const breaking = (files: readonly SourceFile[], breaks: (file: SourceFile) => boolean): string[] =>
  files.filter(breaks).map(({ path }) => path);

const mentions =
  (pattern: RegExp) =>
  ({ text }: SourceFile): boolean =>
    pattern.test(text);

/** Removes lines with only a string: they are data, and may contain any word. */
const withoutTables = (file: SourceFile): SourceFile => ({
  ...file,
  text: file.text.replace(/^\s*'[^'\n]*',?$/gm, ''),
});

const LONGEST = 330;
// Is made of two halves, so that this file does not break its own rule.
const UNFINISHED = new RegExp(`\\b(${['TO', 'FIX'].map((half, index) => half + ['DO', 'ME'][index]).join('|')})\\b`);

describe('the house rules', () => {
  it('find the files', () => {
    expect(production.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['src/app/config/config.ts', 'src/platform/kernel/deciding.ts', 'projections/index.ts']),
    );
  });

  it('allow src/app/config alone to read the environment', () => {
    const outside = production.filter(({ path }) => !path.startsWith('src/app/config/'));
    expect(breaking(outside, mentions(/process\s*\.\s*env\b|process\[['"]env|\benv\b.*from 'node:process'/))).toEqual(
      [],
    );
  });

  it('keep domain files free of Nest, files, clocks and randomness', () => {
    const rules = production.filter(({ path }) => path.includes('/domain/')).map(withoutTables);
    const impure =
      /@nestjs|Date\.now|new Date\(\)|Math\.random|random(Bytes|UUID|Int)|performance\.now|from 'node:fs|\bprocess\.|\basync\b|\bawait\b/;
    expect(rules.length).toBeGreaterThan(5);
    expect(breaking(rules, mentions(impure))).toEqual([]);
  });

  it('keep projections free of clocks and randomness', () => {
    const pure = production.filter(({ path }) => path.endsWith('.projection.ts') || path.includes('directory.changes'));
    const impure = /Date\.now|new Date\(\)|Math\.random|random(Bytes|UUID|Int)|performance\.now|\bprocess\./;
    expect(pure.length).toBeGreaterThan(1);
    expect(breaking(pure, mentions(impure))).toEqual([]);
  });

  it(`allow no file of more than ${LONGEST} lines`, () => {
    expect(breaking(production, ({ text }) => text.split('\n').length - 1 > LONGEST)).toEqual([]);
  });

  it('allow no notes of unfinished work', () => {
    expect(breaking(everything, mentions(UNFINISHED))).toEqual([]);
  });

  it('begin comments with their subject or a verb', () => {
    const fragment =
      /^[ \t]*(?:\/\*\*(?:\n[ \t]*\*)?|(?<!^[ \t]*\/\/.*\n[ \t]*)\/\/) ?(?:And|But|Or|So|Because|Since|Although|Which|That|It|Its|They|Their|Those|Not|Otherwise|Also|Then|If so)\b/m;
    expect(breaking(production, mentions(fragment))).toEqual([]);
  });

  it('keep the prose of comments within 120 characters a line', () => {
    expect(breaking(production, mentions(/^[ \t]*(?:\/\*\*|\*(?!\*)|\/\/)(?! ?.{0,120}(?: \*\/)?$)/m))).toEqual([]);
  });

  it('allow no utils folders and no barrel files', () => {
    expect(breaking(everything, ({ path }) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(path))).toEqual([]);
    const handsOn = ({ path, text }: SourceFile): boolean =>
      (/(^|\/)index\.ts$/.test(path) && path !== 'projections/index.ts') || /^export \* from/m.test(text);
    expect(breaking(everything, handsOn)).toEqual([]);
  });
});
