import type { ServiceMessage } from '../integration.js';
import { code, link, plain, quoted } from '../safe-markdown.js';

/** What services for code have in common. */

interface Commit {
  readonly id: string;
  readonly url: string;
  readonly message: string;
}

/** A push to a branch or a tag. */
interface Push {
  readonly who: string;
  readonly project: string;
  /** `refs/heads/main`, `refs/tags/v1` */
  readonly ref: string;
  readonly change: 'created' | 'deleted' | 'moved';
  readonly isForced: boolean;
  readonly commits: readonly Commit[];
  /** Of all commits; the service may name fewer. */
  readonly count: number;
  /** Where the push is shown as a whole. */
  readonly url: string;
}

const MOST_COMMITS = 20;

export function pushMessage({ who, project, ref, change, isForced, commits, count, url }: Push): ServiceMessage {
  const isTag = ref.startsWith('refs/tags/');
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  const what = `the ${change === 'created' ? 'new ' : ''}${isTag ? 'tag' : 'branch'} ${code(name)}`;
  const topic = isTag ? project : `${project} / ${name}`;
  if (change === 'deleted') return { topic, content: `${who} deleted ${what}` };
  if (isTag || count === 0) return { topic, content: `${who} pushed ${what}` };
  const pushed = link(count === 1 ? '1 commit' : `${count} commits`, url);
  const lines = commits.slice(0, MOST_COMMITS).map(commitLine);
  const more = count - lines.length;
  return {
    topic,
    content: [
      `${who} ${isForced ? 'force-pushed' : 'pushed'} ${pushed} to ${what}`,
      '',
      ...lines,
      ...(more > 0 ? [`- and ${more} more`] : []),
    ].join('\n'),
  };
}

const commitLine = ({ id, url, message }: Commit): string =>
  `- ${link(id.slice(0, 7), url)} ${plain(firstLine(message))}`;

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** `project / PR #5 Title`: what is said of a thing is in one topic. */
export const topicOf = (project: string, sign: string, number: number, title: string): string =>
  `${project} / ${sign}${number} ${title}`;

/** A sentence, and below it what somebody has written. */
export function said(sentence: string, markdown = ''): string {
  const words = quoted(markdown);
  return words === '' ? sentence : `${sentence}:\n\n${words}`;
}
