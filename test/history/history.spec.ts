import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type DraftDocument, drafts } from '../../projections/drafts/drafts.projection.js';
import { projections } from '../../projections/index.js';
import { MESSAGES, type MessageDocument, messages } from '../../projections/messages/messages.projection.js';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import {
  type SavedSnippetDocument,
  savedSnippets,
} from '../../projections/saved-snippets/saved-snippets.projection.js';
import { consequences } from '../../src/app/features.js';
import { isDirectoryEvent } from '../../src/directory/directory.changes.js';
import { Directory } from '../../src/directory/directory.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import type { EngineSettings, Engines } from '../../src/platform/engines/engines.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { START } from '../../src/platform/kernel/position.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import type { StoredEvent } from '../../src/platform/log/event-store.js';
import { threadEntry } from '../../src/platform/threads/thread-entry.js';
import { withOwnEngines } from '../support/engines/own-engines.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const versions = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const read = (version: string, file: string): string => readFileSync(join(here, version, file), 'utf8');
const logOf = (version: string): StoredEvent[] =>
  read(version, 'log.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.each(versions)('a log that was written by version %s', (version) => {
  it('gives the same documents today', () =>
    withOwnEngines(async ({ settings }) => {
      const engines = await openEngines(settings);
      try {
        const keys: Record<string, string> = JSON.parse(read(version, 'keys.json'));
        for (const [id, key] of Object.entries(keys)) {
          await engines.contentKeys.putIfAbsent(id, Buffer.from(key, 'base64'));
        }
        for (const { stream, revision, position: _, ...event } of logOf(version)) {
          const result = await engines.eventStore.append(stream, [event], 'any');
          expect(result.revision).toBe(revision);
        }
        expect(await whatCanBeRead(engines, settings)).toEqual(JSON.parse(read(version, 'expected.json')));
      } finally {
        await engines.close();
      }
    }));
});

/** Types since the newest recorded version. `scripts/record-history.ts` records them with the next one. */
const UNRELEASED: readonly string[] = [
  'ChannelFolderArchived',
  'ChannelFolderCreated',
  'ChannelFolderDescriptionChanged',
  'ChannelFolderRenamed',
  'ChannelFolderUnarchived',
  'ChannelFoldersReordered',
  'ChannelPutInFolder',
  'DeletedKeysFound',
  'EventSkipped',
  'LogSignerChanged',
  'MissingKeysAccepted',
];

/** Time brings the first two, and a restored log the others. */
const NEVER_RECORDED: readonly string[] = [
  'BackupRestored',
  'InvitationExpired',
  'QueueExpired',
  'RestoredLogAccepted',
];

it('the recorded logs have every released type of event except those that no recorder can bring about', () => {
  const recorded = new Set(versions.flatMap(logOf).map(({ type }) => type));
  const missing = [...eventRegistry.keys()].filter((type) => !recorded.has(type));
  expect(missing.sort()).toEqual([...UNRELEASED, ...NEVER_RECORDED].sort());
});

it.each(versions)('process managers appended in version %s only events that they declare', (version) => {
  const events = logOf(version);
  const typeOf = new Map(events.map(({ id, type }) => [id, type]));
  const followed = events.flatMap(({ type, metadata: { causationId } }) => {
    const cause = typeOf.get(String(causationId));
    return cause === undefined ? [] : [`${type} follows ${cause}`];
  });
  expect(followed.length).toBeGreaterThan(0);
  const declared = consequences.flatMap(({ on, appends }) => appends.map((type) => `${type} follows ${on}`));
  expect(followed.filter((one) => !declared.includes(one))).toEqual([]);
});

async function whatCanBeRead(engines: Engines, settings: EngineSettings): Promise<object> {
  const { eventStore, documentStore, contentKeys } = engines;
  const codec = new EventCodec(contentKeys, eventRegistry);
  const rebuild = { engines: settings, projectionsModule: threadEntry('projections/index.js') };
  const runner = new ProjectionRunner({ eventStore, documentStore, codec, projections, rebuild });
  await runner.start();
  await runner.settled();
  try {
    expect(runner.status().map(({ error }) => error)).toEqual(projections.map(() => null));
    const directory = new Directory();
    const { events } = await eventStore.readAll({ after: START, limit: 100_000 });
    for (const event of await codec.decode(events)) if (isDirectoryEvent(event)) directory.apply(event);
    await runner.waitFor(projections, await eventStore.head());
    const found = await runner
      .collection<MessageDocument>(messages, MESSAGES)
      .find({}, { sort: { _id: 1 }, limit: 1000 });
    const kept = await runner
      .collection<DraftDocument>(drafts, drafts.items)
      .find({}, { sort: { _id: 1 }, limit: 1000 });
    const snippets = await runner
      .collection<SavedSnippetDocument>(savedSnippets, savedSnippets.items)
      .find({}, { sort: { _id: 1 }, limit: 1000 });
    const placeOf = (message: MessageDocument): string =>
      message.type === 'channel'
        ? `${directory.channel(message.channelId)?.name} > ${message.topic}`
        : message.participants.join(',');
    return {
      users: directory.allUsers().map(({ _id, email, role, isActive }) => [_id, email, role, isActive]),
      channels: directory
        .allChannels()
        .map(({ _id, name, inviteOnly }) => [_id, name, inviteOnly, directory.subscriberIds(_id)]),
      userGroups: directory.groups
        .all()
        .map(({ _id, name, isDeactivated }) => [
          _id,
          name,
          isDeactivated,
          directory.groups.directMemberIds(_id),
          directory.groups.directSubgroupIds(_id),
        ]),
      organization: {
        settings: directory.organization?.settings,
        defaultChannels: directory.organization?.defaultChannelIds,
        profileFields: directory.organization?.profileFields.map(({ id, name }) => [id, name]),
        linkifiers: directory.organization?.linkifiers.map(({ id, pattern }) => [id, pattern]),
        playgrounds: directory.organization?.playgrounds.map(({ id, name }) => [id, name]),
      },
      userSettings: directory
        .allUsers()
        .flatMap(({ _id, settings = {} }) => (Object.keys(settings).length > 0 ? [[_id, settings]] : [])),
      drafts: kept.map(({ userId, draftId, topic, text }) => [userId, draftId, topic, text]),
      ...(snippets.length > 0 && {
        savedSnippets: snippets.map(({ userId, snippetId, title, content }) => [userId, snippetId, title, content]),
      }),
      messages: found.map((message) => [message._id, message.senderId, placeOf(message), message.text]),
    };
  } finally {
    await runner.close();
  }
}
