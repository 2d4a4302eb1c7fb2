import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type SourceFile, sourceFiles } from './source-files.js';
import { nodesOf } from './syntax.js';

/** Values come without a type where they enter the program, or where TypeScript forgets it. Each shape is a small codec. */
const SHAPES: readonly (readonly [why: string, shape: RegExp])[] = [
  ['a text of JSON', /^\(*JSON\.parse\(/],
  ['whatever was thrown', /^error\b/],
  ['TypeScript forgets which keys an object has', /^Object\.(?:keys|entries|fromEntries)\(/],
  ['the index is known to be in the list', /[\w)\]]\[[^[\]]+\]$/],
  ['a stream holds the events of one union', /\.(?:decode|decodeWithoutContent)\(/],
];

/** Folders that talk with a driver or a service, whose values they give a type. */
const CODECS: readonly (readonly [why: string, folder: RegExp])[] = [
  ['drivers of engines', /^src\/platform\/(?:sqlite|mongodb|[\w-]+\/(?:sqlite|mongodb|eventstoredb))\//],
  ['answers of services', /^src\/platform\/push\/(?:bouncer|google)\//],
  ['answers of mail servers, and mails that are stored sealed', /^src\/platform\/mail\//],
  ['keys, and what they open', /^src\/platform\/content-keys\//],
  ['the codec of events', /^src\/platform\/log\/event-codec\.ts$/],
];

/** These files had casts before there was this rule. The list gets no longer: a file leaves it with its last cast. */
const OLDER: readonly string[] = [
  'projections/client-events/client-events.projection.ts',
  'projections/client-events/directory-rules.ts',
  'projections/client-events/messages.ts',
  'projections/client-events/records.ts',
  'projections/client-events/user-groups.ts',
  'projections/client-events/user-settings.ts',
  'projections/directory/directory.projection.ts',
  'projections/runner/announcement.ts',
  'src/platform/documents/only-ids.ts',
  'projections/runner/pending-changes.ts',
  'projections/runner/rebuild.thread.ts',
  'projections/runner/write-size.ts',
  'src/app/cli/build-report.ts',
  'src/app/cli/copy-queues.ts',
  'src/app/cli/message-events.ts',
  'src/app/config/push-problems.ts',
  'src/directory/changes/rule.ts',
  'src/directory/directory-follower.ts',
  'src/directory/directory.changes.ts',
  'src/directory/directory.ts',
  'src/events/personal/user.settings.ts',
  'src/events/shared/group-setting-rules.ts',
  'src/events/shared/group-setting.ts',
  'src/events/shared/settings.ts',
  'src/features/channels/channels.client-events.ts',
  'src/features/channels/http/subscriptions.controller.ts',
  'src/features/invitations/reactors/invitation-mails.ts',
  'src/features/messages/commands/message-stream.ts',
  'src/features/messages/consequences/notice-withdrawal.ts',
  'src/features/messages/messages.client-events.ts',
  'src/features/messages/register/received-messages.ts',
  'src/features/narrow/domain/narrow.ts',
  'src/features/organization/commands/organization.handlers.ts',
  'src/features/outgoing-webhooks/reactors/bot-replies.ts',
  'src/features/personal/consequences/policy-following.ts',
  'src/features/push/reactors/pusher.ts',
  'src/features/uploads/commands/delete-file.handler.ts',
  'src/features/users/reactors/accounts.ts',
  'src/platform/commands/command-runner.ts',
  'src/platform/commands/decides-on.ts',
  'src/platform/commands/stream-states.ts',
  'src/platform/consumers/process-manager.ts',
  'src/platform/consumers/queued-effect.ts',
  'src/platform/consumers/reactor.ts',
  'src/platform/documents/field-path.ts',
  'src/platform/documents/planner.ts',
  'src/platform/engines/engine-urls.ts',
  'src/platform/http/envelope.ts',
  'src/platform/http/parameters/merge-parameters.ts',
  'src/platform/http/parameters/parameter-decorators.ts',
  'src/platform/kernel/deciding.ts',
  'src/platform/kernel/query.ts',
  'src/platform/log/encode-append.ts',
  'src/platform/read-models/projection.ts',
];

type Cast = ts.AsExpression | ts.TypeAssertion;

/** A cast that claims more than the compiler knows: neither `as const` nor `as unknown`. */
const isCast = (node: ts.Node): node is Cast =>
  (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
  !ts.isConstTypeReference(node.type) &&
  node.type.kind !== ts.SyntaxKind.UnknownKeyword;

const isDecoding = ({ expression }: Cast): boolean => SHAPES.some(([, shape]) => shape.test(expression.getText()));

const castsIn = (file: SourceFile) => (/\bas\b|<\w/.test(file.text) ? nodesOf(file, isCast) : []);

describe('casts', () => {
  const outside = sourceFiles('src', 'projections').filter(({ path }) => !CODECS.some(([, codec]) => codec.test(path)));
  const casting = outside
    .map((file) => ({ path: file.path, casts: castsIn(file).filter(({ node }) => !isDecoding(node)) }))
    .filter(({ casts }) => casts.length > 0);

  it('are in codecs only', () => {
    expect(outside.length).toBeGreaterThan(500);
    const added = casting.filter(({ path }) => !OLDER.includes(path));
    expect(added.flatMap(({ casts }) => casts.map(({ place }) => place))).toEqual([]);
  });

  it('are still in the files that are excused', () => {
    expect(OLDER.filter((path) => !casting.some((file) => file.path === path))).toEqual([]);
  });

  it.each([
    ['const one = value as Row;', 1],
    ['const one = <Row>value;', 1],
    ['const one = value as unknown as Row;', 1],
    ['const one = value as unknown;', 0],
    ['const one = [1] as const;', 0],
    ["import { one as other } from './one.js';\nconst text = 'value as Row'; // value as Row", 0],
    ['const one = JSON.parse(text) as Row;', 0],
    ['const one = rows[at] as Row;', 0],
    ['const one = [at] as Row;', 1],
  ])('are found in %j', (text, count) => {
    expect(castsIn({ path: 'one.ts', text }).filter(({ node }) => !isDecoding(node))).toHaveLength(count);
  });
});
