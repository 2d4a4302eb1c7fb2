import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Document, document, documents } from './documents.js';
import { ROOT } from './source-files.js';

/** A path of the repository in a document; `*` and `<name>` stand for any part of a name. */
const PATHS = /(?<![\w./-])(?:src|projections|web|test|scripts|bench|deploy|bin|\.ci)\/[\w./<>*-]*[\w/>*]/g;

const isThere = (path: string): boolean => {
  const parts = path.split('/').filter((part) => part !== '');
  const found = (folder: string, [part, ...rest]: readonly string[]): boolean => {
    if (part === undefined) return true;
    if (!/[<*]/.test(part)) return existsSync(join(ROOT, folder, part)) && found(join(folder, part), rest);
    const pattern = new RegExp(`^${part.replace(/[.]/g, '\\.').replace(/<[^>]*>|\*+/g, '.+')}$`);
    return readdirSync(join(ROOT, folder)).some((name) => pattern.test(name) && found(join(folder, name), rest));
  };
  return found('', parts);
};

/** Files that are made, which a clean clone does not have. */
const made = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');

const FOLDERS = ['.ci', 'bench', 'bin', 'deploy', 'docs', 'projections', 'scripts', 'src', 'test', 'web'];

/** The texts of the repository, except recorded logs and this file, which contains the forbidden names. */
const texts: readonly Document[] = ['.', ...FOLDERS]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder !== '.', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
  .filter((path) => /\.(?:c?[jt]sx?|json|md|ya?ml)$|(?:^|\/)(?:Dockerfile|Caddyfile|run)$/.test(path))
  .filter((path) => !/^(?:test\/history\/\d|package-lock\.json|test\/architecture\/documents\.spec\.ts)/.test(path))
  .map(document);

/** Documents outside of the repository, which it must not mention. `docs/api.md` is its own. */
const PAPERS = /(?<!docs\/)\b(?:api\.md|api-coverage|DESIGN(?:\.md| ?§)|STYLE\.md|coverage §)/;
const RELATIVE = /(?<![\w./…])(?:\.\.\/)+[\w-]+/g;

describe('the documents', () => {
  it('name files and folders that exist', () => {
    const named = documents.flatMap(({ path, text }) =>
      (text.match(PATHS) ?? []).map((name) => ({ path, name: name.replace(/\/$/, '') })),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ name }) => !made.includes(`/${name}`) && !isThere(name))).toEqual([]);
  });

  it('name files without their folder only if there are such files', () => {
    const names = new Set(texts.map(({ path }) => path.split('/').at(-1)));
    const named = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w-][\w.-]*\.ts)`/g)].map(([, name]) => ({ path, name })),
    );
    expect(named.filter(({ name }) => !names.has(name))).toEqual([]);
  });

  it('link to pages and headings that exist', () => {
    const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, file = '', anchor]) => {
        const target = file === '' ? path : join(path, '..', file);
        const isBroken = !existsSync(join(ROOT, target)) || (anchor && anchors.get(target)?.has(anchor) === false);
        return isBroken ? [`${path}: ${link}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('refer to nothing outside of the repository', () => {
    expect(texts.length).toBeGreaterThan(1000);
    const pointing = texts.flatMap(({ path, text }) => {
      // Tests also have paths as input.
      const paths = path.startsWith('test/') ? [] : (text.match(RELATIVE) ?? []);
      const outside = paths.filter((to) => join(dirname(path), to).startsWith('..'));
      return [...outside, ...(PAPERS.exec(text) ?? [])].map((to) => `${path}: ${to}`);
    });
    expect(pointing).toEqual([]);
  });

  it('name decisions that are written down', () => {
    const written = new Set(
      document('docs/decisions.md')
        .text.match(/^## D\d+/gm)
        ?.map((heading) => heading.slice(3)),
    );
    expect(written.size).toBeGreaterThan(20);
    const unknown = texts.flatMap(({ path, text }) =>
      (text.match(/(?<=[(\s])D\d{1,2}(?=[),.:;\s])/g) ?? [])
        .filter((decision) => !written.has(decision))
        .map((decision) => `${path}: ${decision}`),
    );
    expect(unknown).toEqual([]);
  });
});

/** Answers the anchors that GitHub makes of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.match(/^#+ .+$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{Letter}\p{Number} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
