import { describe, expect, it } from '@jest/globals';
import { topicLinks } from '../../../src/features/markdown/channel-links.js';

const linkifier = (pattern: string, urlTemplate: string) => ({
  id: 1,
  pattern,
  urlTemplate,
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
});
const issues = linkifier('#(?P<id>[0-9]+)', 'https://tracker.example/{id}');
const repos = linkifier('(?P<repo>[a-z]+)#(?P<id>[0-9]+)', 'https://code.example/{repo}/{id}');
const months = linkifier('(?P<month>#[0-9]+ may)', 'https://a.example/{month}');

const issue = (id: number) => ({ text: `#${id}`, url: `https://tracker.example/${id}` });

describe('The links in a topic', () => {
  it('have no unsafe scheme', () => {
    const any = linkifier('!(?P<it>.+)!', '{+it}');
    expect(topicLinks('!javascript:alert(1)!', [any])).toEqual([]);
    expect(topicLinks('!\u0001data:text/html,a!', [any])).toEqual([]);
    expect(topicLinks('!tel:1!', [any])).toEqual([{ text: '!tel:1!', url: 'tel:1' }]);
  });

  it('are the matches of linkifiers, in the order of the text', () => {
    expect(topicLinks('#2 before web#7, #1', [issues, repos])).toEqual([
      issue(2),
      { text: 'web#7', url: 'https://code.example/web/7' },
      issue(1),
    ]);
  });

  it('include URLs', () => {
    expect(topicLinks('see https://a.example/b, python.org; x', [])).toEqual([
      { text: 'https://a.example/b', url: 'https://a.example/b' },
      { text: 'python.org', url: 'https://python.org' },
    ]);
  });

  it('do not overlap: the earlier linkifier takes precedence', () => {
    expect(topicLinks('#1 may', [issues, months])).toEqual([issue(1)]);
    expect(topicLinks('#1 may', [months, issues])).toEqual([{ text: '#1 may', url: 'https://a.example/%231%20may' }]);
  });

  it('are of a linkifier rather than of a URL', () => {
    const site = linkifier('(?P<all>python\\.org)', 'https://a.example/{all}');
    expect(topicLinks('python.org', [site])).toEqual([{ text: 'python.org', url: 'https://a.example/python.org' }]);
  });

  it('are empty for a topic without links', () => {
    expect(topicLinks('', [issues])).toEqual([]);
    expect(topicLinks('lunch a#1', [issues])).toEqual([]);
  });

  it('are those of the present linkifiers', () => {
    expect(topicLinks('#1', [issues])).toEqual([issue(1)]);
    expect(topicLinks('#1', [])).toEqual([]);
  });
});
