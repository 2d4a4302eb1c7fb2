import type { Integration, ServiceMessage } from '../integration.js';
import type { Payload } from '../payload.js';
import { code, link, plain } from '../safe-markdown.js';
import { firstLine, pushMessage, said, topicOf } from './forge.js';

type Reader = (payload: Payload) => ServiceMessage | null;

const NOTHING = /^0+$/;

const ISSUE: Readonly<Record<string, string>> = { open: 'opened', close: 'closed', reopen: 'reopened' };

const MERGE_REQUEST: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'withdrew the approval of',
};

const PIPELINE: Readonly<Record<string, string>> = {
  success: 'succeeded',
  failed: 'failed',
  canceled: 'was cancelled',
};

/** The events that are posted, by `object_kind`. */
const KINDS: Readonly<Record<string, Reader>> = {
  push,
  tag_push: push,
  issue,
  merge_request: mergeRequest,
  note,
  pipeline,
};

export const gitlab: Integration = {
  name: 'gitlab',
  service: 'GitLab',
  eventHeader: 'x-gitlab-event',
  deliveryHeaders: ['idempotency-key', 'x-gitlab-event-uuid'],
  read: (payload) => {
    const kind = payload.maybe('object_kind');
    return Object.hasOwn(KINDS, kind) ? (KINDS[kind]?.(payload) ?? null) : null;
  },
};

function push(payload: Payload): ServiceMessage {
  const commits = payload.items('commits').map((commit) => ({
    id: commit.text('id'),
    url: commit.maybe('url'),
    message: commit.text('message'),
  }));
  const [before, after] = [payload.text('before'), payload.text('after')];
  const change = NOTHING.test(after) ? 'deleted' : NOTHING.test(before) ? 'created' : 'moved';
  const home = payload.maybe('project.web_url');
  return pushMessage({
    who: plain(payload.text('user_name')),
    project: project(payload),
    ref: payload.text('ref'),
    change,
    isForced: false,
    commits,
    count: payload.number('total_commits_count'),
    url: change === 'moved' ? `${home}/-/compare/${before}...${after}` : `${home}/-/commits/${after}`,
  });
}

function issue(payload: Payload): ServiceMessage | null {
  const action = payload.maybe('object_attributes.action');
  if (!Object.hasOwn(ISSUE, action)) return null;
  const description = action === 'open' ? payload.maybe('object_attributes.description') : '';
  const of = thing(payload, 'object_attributes', 'issue #');
  return { topic: of.topic, content: said(`${who(payload)} ${ISSUE[action]} ${of.words}`, description) };
}

function mergeRequest(payload: Payload): ServiceMessage | null {
  const action = payload.maybe('object_attributes.action');
  const of = thing(payload, 'object_attributes', 'MR !');
  // An update without new commits changes labels and the like.
  if (action === 'update' && payload.has('object_attributes.oldrev'))
    return { topic: of.topic, content: said(`${who(payload)} pushed to ${of.words}`) };
  if (!Object.hasOwn(MERGE_REQUEST, action)) return null;
  const [from, to] = [payload.text('object_attributes.source_branch'), payload.text('object_attributes.target_branch')];
  const branches = action === 'open' ? ` from ${code(from)} to ${code(to)}` : '';
  const description = action === 'open' ? payload.maybe('object_attributes.description') : '';
  return {
    topic: of.topic,
    content: said(`${who(payload)} ${MERGE_REQUEST[action]} ${of.words}${branches}`, description),
  };
}

function note(payload: Payload): ServiceMessage | null {
  if (payload.maybe('object_attributes.action') === 'update' || payload.isTrue('object_attributes.system')) return null;
  const of = commented(payload);
  const verb = link('commented', payload.text('object_attributes.url'));
  return {
    topic: of.topic,
    content: said(`${who(payload)} ${verb} on ${of.words}`, payload.text('object_attributes.note')),
  };
}

interface Thing {
  readonly topic: string;
  readonly words: string;
}

function commented(payload: Payload): Thing {
  switch (payload.text('object_attributes.noteable_type')) {
    case 'Issue':
      return thing(payload, 'issue', 'issue #');
    case 'MergeRequest':
      return thing(payload, 'merge_request', 'MR !');
    case 'Commit': {
      const [id, message] = [payload.text('commit.id'), payload.text('commit.message')];
      const words = `the commit ${link(id.slice(0, 7), payload.text('commit.url'))} ${plain(firstLine(message))}`;
      return { topic: project(payload), words };
    }
    default:
      return { topic: project(payload), words: 'a snippet' };
  }
}

/** An issue or a merge request, at a field. Only the event about it has its address. */
function thing(payload: Payload, at: string, sign: string): Thing {
  const [number, title] = [payload.number(`${at}.iid`), payload.text(`${at}.title`)];
  const words = link(`${sign}${number} ${title}`, payload.maybe(`${at}.url`));
  return { topic: topicOf(project(payload), sign, number, title), words };
}

function pipeline(payload: Payload): ServiceMessage | null {
  const status = payload.text('object_attributes.status');
  if (!Object.hasOwn(PIPELINE, status)) return null;
  const [id, ref] = [payload.number('object_attributes.id'), payload.text('object_attributes.ref')];
  const address = payload.maybe('object_attributes.url') || `${payload.maybe('project.web_url')}/-/pipelines/${id}`;
  const commit = link(payload.text('object_attributes.sha').slice(0, 7), payload.maybe('commit.url'));
  const failed = payload.items('builds').filter((build) => build.maybe('status') === 'failed');
  const jobs = failed.map((build) => `- ${plain(build.text('name'))} (${plain(build.maybe('stage'))}) failed`);
  const sentence = `${link(`Pipeline #${id}`, address)} ${PIPELINE[status]} on ${commit}`;
  return {
    topic: `${project(payload)} / ${ref}`,
    content: status === 'failed' && jobs.length > 0 ? `${sentence}\n\n${jobs.join('\n')}` : sentence,
  };
}

const project = (payload: Payload): string => payload.text('project.name');

const who = (payload: Payload): string => plain(payload.text('user.name'));
