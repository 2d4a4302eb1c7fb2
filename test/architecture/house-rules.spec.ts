import { describe, expect, it } from '@jest/globals';
import { type SourceFile, sourceFiles } from './source-files.js';

const production = sourceFiles('src', 'projections');
const everything = [...production, ...sourceFiles('test')];

/** Paths of the files that break a rule. */
const breaking = (files: readonly SourceFile[], breaks: (file: SourceFile) => boolean): string[] =>
  files.filter(breaks).map(({ path }) => path);

const mentions =
  (pattern: RegExp) =>
  ({ text }: SourceFile): boolean =>
    pattern.test(text);

/** Lines that are nothing but a string say nothing of what the code does. */
const withoutTables = (file: SourceFile): SourceFile => ({
  ...file,
  text: file.text.replace(/^\s*'[^'\n]*',?$/gm, ''),
});

const LONGEST = 330;
// In two halves, so that this file keeps its own rule.
const UNFINISHED = new RegExp(`\\b(${['TO', 'FIX'].map((half, index) => half + ['DO', 'ME'][index]).join('|')})\\b`);

describe('the house rules', () => {
  it('sees the files', () => {
    expect(production.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['src/app/config/config.ts', 'src/platform/kernel/decider.ts', 'projections/index.ts']),
    );
  });

  it('reads the environment in src/app/config only', () => {
    const outside = production.filter(({ path }) => !path.startsWith('src/app/config/'));
    expect(breaking(outside, mentions(/process\s*\.\s*env\b|process\[['"]env|\benv\b.*from 'node:process'/))).toEqual(
      [],
    );
  });

  it('keeps rules free of Nest, files, clocks and chance', () => {
    const rules = production.filter(({ path }) => path.includes('/domain/')).map(withoutTables);
    const impure =
      /@nestjs|Date\.now|new Date\(\)|Math\.random|random(Bytes|UUID|Int)|performance\.now|from 'node:fs|\bprocess\.|\basync\b|\bawait\b/;
    expect(rules.length).toBeGreaterThan(5);
    expect(breaking(rules, mentions(impure))).toEqual([]);
  });

  it('keeps projections free of clocks and chance', () => {
    const pure = production.filter(({ path }) => path.endsWith('.projection.ts') || path.includes('directory.changes'));
    const impure = /Date\.now|new Date\(\)|Math\.random|random(Bytes|UUID|Int)|performance\.now|\bprocess\./;
    expect(pure.length).toBeGreaterThan(1);
    expect(breaking(pure, mentions(impure))).toEqual([]);
  });

  it(`has no file of more than ${LONGEST} lines`, () => {
    expect(breaking(production, ({ text }) => text.split('\n').length - 1 > LONGEST)).toEqual([]);
  });

  it('has no notes of work left for later', () => {
    expect(breaking(everything, mentions(UNFINISHED))).toEqual([]);
  });

  it('has no drawer for odds and ends, and no file that only hands on others', () => {
    expect(breaking(everything, ({ path }) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(path))).toEqual([]);
    const handsOn = ({ path, text }: SourceFile): boolean =>
      (/(^|\/)index\.ts$/.test(path) && path !== 'projections/index.ts') || /^export \* from/m.test(text);
    expect(breaking(everything, handsOn)).toEqual([]);
  });

  it('has no test that is switched off or switches off others', () => {
    const tests = everything.filter(({ path }) => path.endsWith('.spec.ts'));
    expect(breaking(tests, mentions(/^\s*(x(it|describe|test)|(it|describe|test)\.(only|skip|todo))\b/m))).toEqual([]);
  });
});
