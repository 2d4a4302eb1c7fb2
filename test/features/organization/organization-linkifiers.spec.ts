import { describe, expect, it } from '@jest/globals';
import type { OrganizationEvent } from '../../../src/events/organization/organization.events.js';
import {
  AddLinkifier,
  ChangeLinkifier,
  compilePattern,
  decideAddLinkifier,
  decideChangeLinkifier,
  decideRemoveLinkifier,
  decideReorderLinkifiers,
  type LinkifierDraft,
  RemoveLinkifier,
  ReorderLinkifiers,
  templateVariables,
} from '../../../src/features/organization/domain/linkifiers.js';
import { organization } from '../../../src/features/organization/domain/organization.js';
import { given } from '../../support/events/given.js';
import { processorTime } from '../../support/processor-time.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const administrator = { mayAdminister: true };
const member = { mayAdminister: false };
const issues: LinkifierDraft = {
  pattern: '#(?P<id>[0-9]+)',
  urlTemplate: 'https://example.org/issues/{id}',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
};
const wayBack: LinkifierDraft = { ...issues, exampleInput: '#12', reverseTemplate: '#{id}' };
const added = (id: number, changes: Partial<LinkifierDraft> = {}): OrganizationEvent => ({
  type: 'LinkifierAdded',
  data: { linkifier: { id, ...issues, ...changes } },
});
const observatory = (...history: OrganizationEvent[]) =>
  given(organization, [{ type: 'OrganizationCreated', data: { name: 'Observatory' } }, ...history]);
const add = (changes: Partial<LinkifierDraft> = {}) => new AddLinkifier({ linkifier: { ...issues, ...changes }, by });

describe('linkifiers', () => {
  it('are added', () => {
    observatory()
      .when(decideAddLinkifier, add(), administrator)
      .then([added(1)]);
    observatory()
      .when(decideAddLinkifier, add(wayBack), administrator)
      .then([added(1, wayBack)]);
    const alternatives = { alternativeUrlTemplates: ['https://old.example.org/{id}'] };
    observatory()
      .when(decideAddLinkifier, add(alternatives), administrator)
      .then([added(1, alternatives)]);
  });

  it('never reuse an id', () => {
    observatory(added(1), { type: 'LinkifierRemoved', data: { linkifier: { id: 1, ...issues } } })
      .when(decideAddLinkifier, add(), administrator)
      .then([added(2)]);
  });

  it('are changed as a whole', () => {
    const change = new ChangeLinkifier({
      linkifierId: 1,
      linkifier: { ...issues, urlTemplate: 'https://new.example.org/{id}' },
      by,
    });
    observatory(added(1))
      .when(decideChangeLinkifier, change, administrator)
      .then([
        {
          type: 'LinkifierChanged',
          data: { from: { id: 1, ...issues }, to: { id: 1, ...issues, urlTemplate: 'https://new.example.org/{id}' } },
        },
      ]);
    observatory(added(1))
      .when(decideChangeLinkifier, new ChangeLinkifier({ linkifierId: 1, linkifier: issues, by }), administrator)
      .thenNothing();
  });

  it('are removed', () => {
    observatory(added(1))
      .when(decideRemoveLinkifier, new RemoveLinkifier({ linkifierId: 1, by }), administrator)
      .then([{ type: 'LinkifierRemoved', data: { linkifier: { id: 1, ...issues } } }]);
  });

  it('are reordered only all together', () => {
    const two = observatory(added(1), added(2, { pattern: 'b(?P<id>x)' }));
    const order = (...ids: number[]) =>
      two.when(decideReorderLinkifiers, new ReorderLinkifiers({ order: ids, by }), administrator);
    order(2, 1).then([{ type: 'LinkifiersReordered', data: { from: [1, 2], to: [2, 1] } }]);
    order(1, 2).thenNothing();
    order(2).thenRefuses('LINKIFIER_ORDER_INVALID');
    order(2, 2).thenRefuses('LINKIFIER_ORDER_INVALID');
    order(2, 1, 3).thenRefuses('LINKIFIER_ORDER_INVALID');
    expect(organization.evolve(two.state, { type: 'LinkifiersReordered', data: { from: [1, 2], to: [2, 1] } })).toEqual(
      expect.objectContaining({ linkifiers: [expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 1 })] }),
    );
  });

  it('are edited by administrators only', () => {
    const one = observatory(added(1));
    one.when(decideAddLinkifier, add(), member).thenRefuses('ADMINISTRATOR_REQUIRED');
    one
      .when(decideChangeLinkifier, new ChangeLinkifier({ linkifierId: 1, linkifier: issues, by }), member)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
    one
      .when(decideRemoveLinkifier, new RemoveLinkifier({ linkifierId: 1, by }), member)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
    one
      .when(decideReorderLinkifiers, new ReorderLinkifiers({ order: [1], by }), member)
      .thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('are refused if they do not exist', () => {
    const none = observatory();
    none
      .when(decideChangeLinkifier, new ChangeLinkifier({ linkifierId: 1, linkifier: issues, by }), administrator)
      .thenRefuses('LINKIFIER_NOT_FOUND');
    none
      .when(decideRemoveLinkifier, new RemoveLinkifier({ linkifierId: 1, by }), administrator)
      .thenRefuses('LINKIFIER_NOT_FOUND');
  });

  it.each<[string, Partial<LinkifierDraft>, string]>([
    ['an empty pattern', { pattern: ' ' }, 'LINKIFIER_PATTERN_INVALID'],
    ['a broken pattern', { pattern: '#(?P<id>[0-9]+' }, 'LINKIFIER_PATTERN_INVALID'],
    ['a look-around', { pattern: '(?=#)(?P<id>[0-9]+)' }, 'LINKIFIER_PATTERN_INVALID'],
    ['a back-reference', { pattern: '(?P<id>a)\\1' }, 'LINKIFIER_PATTERN_INVALID'],
    ['a group twice', { pattern: '(?P<id>a)(?P<id>b)' }, 'LINKIFIER_PATTERN_INVALID'],
    ['a pattern too long', { pattern: `(?P<id>a)${'b'.repeat(1000)}` }, 'LINKIFIER_PATTERN_INVALID'],
    ['a pattern too costly', { pattern: '(?P<id>(a{1,30}){1,30})' }, 'LINKIFIER_PATTERN_INVALID'],
    ['an unclosed variable', { urlTemplate: 'https://x.org/{id' }, 'INVALID_URL_TEMPLATE'],
    ['a variable in a variable', { urlTemplate: 'https://x.org/{a{id}' }, 'INVALID_URL_TEMPLATE'],
    ['a URL with a space', { urlTemplate: 'https://x.org/ {id}' }, 'INVALID_URL_TEMPLATE'],
    ['an empty URL', { urlTemplate: '' }, 'INVALID_URL_TEMPLATE'],
    ['a variable that is not a group', { urlTemplate: 'https://x.org/{id}{no}' }, 'TEMPLATE_GROUP_UNKNOWN'],
    ['a group that is not a variable', { urlTemplate: 'https://x.org/' }, 'PATTERN_GROUP_UNUSED'],
    ['another template without the group', { alternativeUrlTemplates: ['https://x.org/'] }, 'PATTERN_GROUP_UNUSED'],
    ['a broken other template', { alternativeUrlTemplates: ['{'] }, 'INVALID_URL_TEMPLATE'],
    [
      'too many other templates',
      { alternativeUrlTemplates: Array.from({ length: 21 }, () => issues.urlTemplate) },
      'TOO_MANY_URL_TEMPLATES',
    ],
    ['a reverse template without an example', { reverseTemplate: '#{id}' }, 'REVERSE_NEEDS_EXAMPLE'],
    ['an example that does not match', { exampleInput: '#x' }, 'EXAMPLE_DOES_NOT_MATCH'],
    ['an example too long', { exampleInput: `#${'1'.repeat(500)}` }, 'EXAMPLE_TOO_LONG'],
    [
      'a reverse template that does not give the example',
      { ...wayBack, reverseTemplate: 'issue {id}' },
      'REVERSE_DOES_NOT_MATCH',
    ],
    ['a reverse template without the group', { ...wayBack, reverseTemplate: '#12' }, 'PATTERN_GROUP_UNUSED'],
    ['a malformed reverse template', { ...wayBack, reverseTemplate: '#{id' }, 'INVALID_REVERSE_TEMPLATE'],
    ['a pattern in use', { urlTemplate: 'https://other.org/{id}' }, 'LINKIFIER_PATTERN_TAKEN'],
  ])('are refused with %s', (_, changes, code) => {
    observatory(added(1)).when(decideAddLinkifier, add(changes), administrator).thenRefuses(code);
  });

  it('may keep their own pattern, but not take the pattern of another', () => {
    const two = observatory(added(1), added(2, { pattern: 'b(?P<id>x)' }));
    const change = (id: number) =>
      new ChangeLinkifier({ linkifierId: id, linkifier: { ...issues, urlTemplate: 'https://new.org/{id}' }, by });
    expect(decideChangeLinkifier(change(1), two.state, administrator)).toHaveLength(1);
    two.when(decideChangeLinkifier, change(2), administrator).thenRefuses('LINKIFIER_PATTERN_TAKEN');
  });

  it('allow escaped braces in the reverse template', () => {
    const braces = { pattern: '\\{(?P<id>\\d+)\\}', exampleInput: '{7}', reverseTemplate: '{{{id}}}' };
    observatory()
      .when(decideAddLinkifier, add(braces), administrator)
      .then([added(1, braces)]);
  });
});

describe('a pattern of a user', () => {
  it('is matched in time linear in the text', () => {
    const took = processorTime(() => {
      for (const evil of ['(?P<id>(x+x+)+)y', '(?P<id>(a|a)*)b', '(?P<id>(.*)*)$x']) {
        compilePattern(evil).matcher('x'.repeat(10_000)).find();
        compilePattern(evil).matcher('a'.repeat(10_000)).find();
      }
    });
    expect(took).toBeLessThan(5000);
  });
});

describe('a URL template', () => {
  it.each<[string, string[] | null]>([
    ['https://example.org/{id}', ['id']],
    ['https://example.org/{owner}/{repo}{?q*,lang}{#part}', ['owner', 'repo', 'q', 'lang', 'part']],
    ['https://example.org/{id:3}{+path}', ['id', 'path']],
    ['https://example.org/', []],
    ['https://example.org/}', null],
    ['https://example.org/{}', null],
    ['https://example.org/{!id}', null],
    ['https://example.org/{id:0}', null],
    [`https://example.org/${'x'.repeat(2000)}`, null],
  ])('%s has the variables %j', (template, names) => {
    const variables = templateVariables(template);
    expect(variables && [...variables]).toEqual(names);
  });
});
