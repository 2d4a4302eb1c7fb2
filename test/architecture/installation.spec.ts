import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './source-files.js';

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

describe('the installation', () => {
  it('runs no script of any package', () => {
    const { allowScripts } = read('package.json') as { readonly allowScripts: Readonly<Record<string, boolean>> };
    const { packages } = read('package-lock.json') as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const scripted = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(allowScripts).toStrictEqual(Object.fromEntries(scripted.map((name) => [name, false])));
  });
});
