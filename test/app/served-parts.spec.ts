import { describe, expect, it } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import ts from 'typescript';
import { features, loadApis } from '../../src/app/features.js';
import { type FeatureApi, partsIn, servedParts } from '../../src/app/served-parts.js';
import { type ClientEventWriter, WritesClientEvents } from '../../src/features/event-queues/client-event-writer.js';
import { ReadsState, type StateReader } from '../../src/features/event-queues/state-reader.js';
import { sourceFiles } from '../architecture/source-files.js';
import { nodesOf } from '../architecture/syntax.js';

class Ask {}

@Controller('asked')
class Asked {}

@CommandHandler(Ask)
class Asks {}

@QueryHandler(Ask)
class Answers {}

@Injectable()
class Helps {}

@WritesClientEvents()
class Writes implements ClientEventWriter {
  readonly kinds = [];
  prepare = () => () => null;
}

@ReadsState()
class Reads implements StateReader {
  parts = () => ({});
}

class Undecorated extends Helps {}

const provided = { provide: Ask, useValue: new Ask() };

describe('the served parts of a feature', () => {
  it('are told by their decorators', () => {
    const files = [{ Asked }, { Reads, Writes }, { Asks, Helps, Ask, Undecorated, LIMIT: 5, names: ['a'], none: null }];
    expect(servedParts('asking', files)).toEqual({
      controllers: [Asked],
      providers: [Asks, Helps],
      clientEvents: [Writes],
      register: [Reads],
    });
  });

  it('are also objects that provide, and lists', () => {
    const { providers } = servedParts('asking', [{ provided }, { handlers: [Asks, Answers] }]);
    expect(providers).toEqual([provided, Asks, Answers]);
  });

  it('are served once, even if several files export them', () => {
    const { controllers, providers } = servedParts('asking', [
      { Asked, Helps },
      { Asked, Helps },
    ]);
    expect({ controllers, providers }).toEqual({ controllers: [Asked], providers: [Helps] });
  });

  it('are in every file', () => {
    expect(() => servedParts('asking', [{ Asked }, { Ask, Undecorated }])).toThrow(
      'file 2 in the api of asking serves nothing: it exports Ask, Undecorated',
    );
    expect(() => servedParts('asking', [{}])).toThrow('file 1 in the api of asking serves nothing: it exports nothing');
  });
});

const everythingOf = ({ controllers, providers, clientEvents, register }: FeatureApi): ReadonlySet<unknown> =>
  new Set([...controllers, ...providers, ...clientEvents, ...register]);

describe('the declarations of features', () => {
  it('name each file of their folder that has a part for clients', async () => {
    const apis = (await loadApis()).map(everythingOf);
    const served = new Map<string, ReadonlySet<unknown>>(
      features.map(({ name }, index) => [name, apis[index] ?? new Set()]),
    );
    // A guard is named by the controllers that it guards.
    const files = sourceFiles('src/features').filter(({ path }) => !/\/(domain|markdown)\/|\.guard\.ts$/.test(path));
    const found: string[] = [];
    const forgotten: string[] = [];
    for (const { path } of files) {
      const file: object = await import(`../../${path}`);
      const [, , folder = ''] = path.split('/');
      const own = served.get(folder) ?? new Set();
      const parts = partsIn(file);
      if (parts.length > 0) found.push(path);
      if (parts.some((part) => !own.has(part))) forgotten.push(path);
    }
    expect(found.length).toBeGreaterThan(100);
    expect(forgotten).toEqual([]);
  });

  it.each([
    ['ClientEventWriter', 'WritesClientEvents'],
    ['StateReader', 'ReadsState'],
  ])('find each class that implements %s: it is decorated by %s', (type, decorator) => {
    const classes = sourceFiles('src/features').flatMap((file) => nodesOf(file, ts.isClassDeclaration));
    const bearing = classes.filter(({ node }) =>
      node.heritageClauses?.some(({ types }) => types.some(({ expression }) => expression.getText() === type)),
    );
    const bare = bearing.filter(
      ({ node }) => !ts.getDecorators(node)?.some((one) => one.getText() === `@${decorator}()`),
    );
    expect(bearing.length).toBeGreaterThan(5);
    expect(bare.map(({ node }) => node.name?.text)).toEqual([]);
  });
});
