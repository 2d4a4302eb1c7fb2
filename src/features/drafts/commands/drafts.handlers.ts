import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import type { DraftEvent } from '../../../events/drafts/drafts.events.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { derivedId, newEventId } from '../../../platform/kernel/ids.js';
import { MAX_MESSAGE_LENGTH } from '../../messages/domain/message-content.js';
import {
  CreateDrafts,
  DeleteDraft,
  type DraftsState,
  decideCreateDrafts,
  decideDeleteDraft,
  decideEditDraft,
  drafts,
  EditDraft,
} from '../domain/drafts.js';
import type { DraftFacts, WrittenDraft } from '../domain/written-draft.js';

const draftsOf = ({ userId }: { readonly userId: number }): CommandStream<DraftsState, DraftEvent> => ({
  stream: personalStream(userId),
  decider: drafts,
  expects: 'any',
});

export const draftHandlers = [
  decidesOn(CreateDrafts, {
    stream: draftsOf,
    decide: decideCreateDrafts,
    uses: Directory,
    facts: ({ userId, drafts: written }, directory) => {
      const request = newEventId();
      return { ...factsFor(userId, written, directory), keyId: (index) => derivedId('draft', request, index) };
    },
    // In the order of the drafts.
    answer: (events) => events.map(({ data }) => data.draftId),
  }),
  decidesOn(EditDraft, {
    stream: draftsOf,
    decide: decideEditDraft,
    uses: Directory,
    facts: ({ userId, draft }, directory) => ({ ...factsFor(userId, [draft], directory), keyId: newEventId() }),
  }),
  decidesOn(DeleteDraft, { stream: draftsOf, decide: decideDeleteDraft }),
];

/** Channels and users that the user may name in the drafts. */
function factsFor(userId: number, written: readonly WrittenDraft[], directory: Directory): DraftFacts {
  const user = directory.existingUser(userId);
  const named = (type: WrittenDraft['type']): number[] =>
    written.flatMap((draft) => (draft.type === type ? draft.to : []));
  const channels = named('channel').flatMap((id) => directory.channel(id) ?? []);
  const open = channels.filter((channel) => !channel.isArchived && may(user, { channel, to: 'read' }, directory));
  return {
    now: Date.now(),
    longestText: MAX_MESSAGE_LENGTH,
    channelIds: new Set(open.map(({ _id }) => _id)),
    people: new Map(
      named('direct')
        .flatMap((id) => directory.user(id) ?? [])
        .map((person) => [person._id, person]),
    ),
  };
}
