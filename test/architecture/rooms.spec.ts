import { describe, expect, it } from '@jest/globals';
import { document } from './documents.js';
import { sourceFiles } from './source-files.js';

const files = sourceFiles('src', 'projections').map(({ path }) => path);

/** The folders of a feature: the first column of the table in ARCHITECTURE.md. */
const table = document('ARCHITECTURE.md').text.split('Inside a feature:\n\n')[1]?.split('\n\n')[0] ?? '';
const rooms = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[\w-]+(?=`)/g) ?? []);

/** The kinds of files by their suffix, and the rooms of a feature or floors that they stand in. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  feature: ['feature'],
  routes: ['feature'],
  register: ['feature'],
  'client-events': ['feature'],
  refusals: ['feature', 'directory', 'platform'],
  settings: ['feature', 'events', 'app'],
  controller: ['http', 'platform', 'app'],
  parameters: ['http'],
  descriptions: ['http'],
  mapping: ['http'],
  guard: ['http', 'directory', 'platform'],
  decorator: ['http', 'directory', 'platform'],
  decorators: ['http', 'platform'],
  interceptor: ['platform'],
  filter: ['platform'],
  module: ['platform', 'app'],
  state: ['domain'],
  // A small list has its commands and queries in one file of its feature. A query that opens the log stands in `log`.
  handlers: ['commands', 'feature'],
  handler: ['commands', 'queries', 'log'],
  queries: ['queries'],
  events: ['events'],
  upcasters: ['events'],
  projection: ['projections'],
  retention: ['projections'],
  documents: ['projections', 'platform', 'app'],
  changes: ['directory'],
  records: ['directory'],
  command: ['app'],
  commands: ['app'],
  process: ['platform'],
  thread: ['feature', 'platform', 'projections', 'app'],
};

/** Features that serve others. Their files stand beside the declaration. */
const OPEN = ['markdown', 'code-colours', 'event-queues'];

/** Answers the room of a feature's file, `feature` beside its declaration, or the floor of another file. */
function placeOf(path: string): string {
  const [root = '', floor = '', , room = ''] = path.split('/');
  if (floor === 'features') return room.endsWith('.ts') ? 'feature' : room;
  return root === 'src' ? floor : root;
}

const kindOf = (path: string): string | undefined => /\.([^./]+)\.ts$/.exec(path)?.[1];

describe('the rooms', () => {
  it('are folders of the table, each in use', () => {
    const used = files.filter((path) => /^src\/features\/[^/]+\//.test(path)).map(placeOf);
    expect(new Set(used)).toEqual(new Set(['feature', ...rooms]));
  });

  it('hold files of known kinds, each in a room of its kind', () => {
    const misplaced = files.filter((path) => {
      const kind = kindOf(path);
      if (kind !== undefined) return !KINDS[kind]?.includes(placeOf(path));
      return placeOf(path) === 'feature' && !OPEN.includes(path.split('/')[2] ?? '');
    });
    expect(misplaced).toEqual([]);
  });

  it('of handlers have no file of a service', () => {
    const services = sourceFiles('src').filter(
      ({ path, text }) => kindOf(path) === undefined && /^@Injectable\(|: FactoryProvider</m.test(text),
    );
    expect(services.filter(({ path }) => ['commands', 'queries'].includes(placeOf(path)))).toEqual([]);
  });

  it('have one declaration and one file of refusals a feature, named like the feature', () => {
    const named = files.filter((path) => /^src\/features\/.*\.(feature|refusals)\.ts$/.test(path));
    expect(named.filter((path) => !/^src\/features\/([^/]+)\/\1\.\w+\.ts$/.test(path))).toEqual([]);
  });
});
