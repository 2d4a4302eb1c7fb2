import type { Integration, ServiceMessage } from '../integration.js';
import type { Payload } from '../payload.js';
import { code, link, plain } from '../safe-markdown.js';
import { pushMessage, said, topicOf } from './forge.js';

type Reader = (payload: Payload) => ServiceMessage | null;

const PULL_REQUEST: Readonly<Record<string, string>> = {
  opened: 'opened',
  closed: 'closed',
  reopened: 'reopened',
  synchronize: 'pushed to',
  ready_for_review: 'asked for a review of',
  converted_to_draft: 'made a draft of',
};

const ISSUE: Readonly<Record<string, string>> = {
  opened: 'opened',
  closed: 'closed',
  reopened: 'reopened',
  deleted: 'deleted',
  assigned: 'assigned',
};

const REVIEW: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'asked for changes of',
  commented: 'reviewed',
};

const CONCLUSION: Readonly<Record<string, string>> = {
  success: 'succeeded',
  failure: 'failed',
  cancelled: 'was cancelled',
  timed_out: 'took too long',
  action_required: 'waits for somebody',
  startup_failure: 'could not start',
};

/** The events that are posted, by the header's name. */
const EVENTS: Readonly<Record<string, Reader>> = {
  ping: (payload) => ({
    topic: payload.maybe('repository.name') || payload.maybe('organization.login') || 'GitHub',
    content: said('GitHub has this URL now', payload.maybe('zen')),
  }),
  push,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: (payload) =>
    payload.text('action') === 'created'
      ? ofPullRequest(
          payload,
          `${link('commented', payload.text('comment.html_url'))} on ${code(payload.text('comment.path'))} in`,
          payload.text('comment.body'),
        )
      : null,
  issues: issue,
  issue_comment: (payload) =>
    payload.text('action') === 'created'
      ? ofIssue(payload, `${link('commented', payload.text('comment.html_url'))} on`, payload.text('comment.body'))
      : null,
  release,
  workflow_run: workflowRun,
};

export const github: Integration = {
  name: 'github',
  service: 'GitHub',
  eventHeader: 'x-github-event',
  deliveryHeaders: ['x-github-delivery'],
  read: (payload, { event }) => (Object.hasOwn(EVENTS, event) ? (EVENTS[event]?.(payload) ?? null) : null),
};

function push(payload: Payload): ServiceMessage {
  const commits = payload.items('commits').map((commit) => ({
    id: commit.text('id'),
    url: commit.maybe('url'),
    message: commit.text('message'),
  }));
  return pushMessage({
    who: who(payload),
    project: project(payload),
    ref: payload.text('ref'),
    change: payload.isTrue('deleted') ? 'deleted' : payload.isTrue('created') ? 'created' : 'moved',
    isForced: payload.isTrue('forced'),
    commits,
    count: commits.length,
    url: payload.maybe('compare'),
  });
}

function pullRequest(payload: Payload): ServiceMessage | null {
  const action = payload.text('action');
  if (action === 'closed' && payload.isTrue('pull_request.merged')) return ofPullRequest(payload, 'merged');
  if (!Object.hasOwn(PULL_REQUEST, action)) return null;
  const isNew = action === 'opened';
  return ofPullRequest(payload, PULL_REQUEST[action] ?? action, isNew ? payload.maybe('pull_request.body') : '', isNew);
}

function review(payload: Payload): ServiceMessage | null {
  const state = payload.text('review.state').toLowerCase();
  const body = payload.maybe('review.body');
  // Comments on lines are events of their own.
  if (payload.text('action') !== 'submitted' || (state === 'commented' && body === '')) return null;
  return Object.hasOwn(REVIEW, state) ? ofPullRequest(payload, REVIEW[state] ?? state, body) : null;
}

function ofPullRequest(payload: Payload, verb: string, body = '', withBranches = false): ServiceMessage {
  const [number, title] = [payload.number('pull_request.number'), payload.text('pull_request.title')];
  const branches = withBranches
    ? ` from ${code(payload.text('pull_request.head.ref'))} to ${code(payload.text('pull_request.base.ref'))}`
    : '';
  const pull = link(`PR #${number} ${title}`, payload.text('pull_request.html_url'));
  return {
    topic: topicOf(project(payload), 'PR #', number, title),
    content: said(`${who(payload)} ${verb} ${pull}${branches}`, body),
  };
}

function issue(payload: Payload): ServiceMessage | null {
  const action = payload.text('action');
  if (!Object.hasOwn(ISSUE, action)) return null;
  const to = action === 'assigned' ? ` to ${plain(payload.text('assignee.login'))}` : '';
  return ofIssue(payload, ISSUE[action] ?? action, action === 'opened' ? payload.maybe('issue.body') : '', to);
}

/** A pull request is an issue, too: comments on it are told as comments on an issue. */
function ofIssue(payload: Payload, verb: string, body = '', end = ''): ServiceMessage {
  const [number, title] = [payload.number('issue.number'), payload.text('issue.title')];
  const [sign, kind] = payload.has('issue.pull_request') ? ['PR #', 'PR'] : ['issue #', 'issue'];
  const thing = link(`${kind} #${number} ${title}`, payload.text('issue.html_url'));
  return {
    topic: topicOf(project(payload), sign, number, title),
    content: said(`${who(payload)} ${verb} ${thing}${end}`, body),
  };
}

function release(payload: Payload): ServiceMessage | null {
  if (payload.text('action') !== 'published') return null;
  const tag = payload.text('release.tag_name');
  const named = link(payload.maybe('release.name') || tag, payload.text('release.html_url'));
  const kind = payload.isTrue('release.prerelease') ? 'pre-release' : 'release';
  return {
    topic: project(payload),
    content: said(`${who(payload)} published the ${kind} ${named}`, payload.maybe('release.body')),
  };
}

function workflowRun(payload: Payload): ServiceMessage | null {
  const conclusion = payload.maybe('workflow_run.conclusion');
  if (payload.text('action') !== 'completed' || !Object.hasOwn(CONCLUSION, conclusion)) return null;
  const branch = payload.maybe('workflow_run.head_branch');
  const run = link(
    payload.maybe('workflow_run.name') || payload.text('workflow.name'),
    payload.text('workflow_run.html_url'),
  );
  const commit = code(payload.text('workflow_run.head_sha').slice(0, 7));
  return {
    topic: branch === '' ? project(payload) : `${project(payload)} / ${branch}`,
    content: `The workflow ${run} ${CONCLUSION[conclusion]} on ${commit}`,
  };
}

const project = (payload: Payload): string => payload.text('repository.name');

const who = (payload: Payload): string => link(payload.text('sender.login'), payload.maybe('sender.html_url'));
