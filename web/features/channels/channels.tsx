import { useSignal } from '@preact/signals';
import { useGroups } from '../../platform/all-groups.js';
import { AddDescribed } from '../../platform/described.js';
import { DescribedList } from '../../platform/described-rows.js';
import { isGivenEverywhere } from '../../platform/given.js';
import { Office, Problem } from '../../platform/office.js';
import { me } from '../../platform/session.js';
import { all, create, useChannels } from './all-channels.js';
import { ChannelRow, PrivateField } from './channel-row.js';

/** All channels: which one is in, and what one may change of them. The server decides that. */
export function Channels() {
  const { problem, isLoaded } = useChannels();
  // They tell what to offer.
  const { problem: problemOfGroups, isLoaded: areGroupsLoaded } = useGroups();
  const words = useSignal('');
  const reader = me.value;
  const makes = ['can_create_public_channel_group', 'can_create_private_channel_group'].some(isGivenEverywhere);
  const sought = words.value.trim().toLowerCase();
  const found = all.value.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(sought));
  const current = found.filter((channel) => !channel.is_archived);
  const archived = found.filter((channel) => channel.is_archived);
  return (
    <Office at="channels">
      <Problem>{problem}</Problem>
      <Problem>{problemOfGroups}</Problem>
      <input
        type="search"
        aria-label="Find a channel"
        placeholder="Find a channel"
        value={words}
        onInput={({ currentTarget }) => (words.value = currentTarget.value)}
      />
      {isLoaded.value && areGroupsLoaded.value && (
        <DescribedList kind="channel" count={current.length} none={noneOf(sought, makes)}>
          {current.map((channel) => (
            <ChannelRow key={channel.stream_id} channel={channel} />
          ))}
        </DescribedList>
      )}
      {reader && makes && (
        <AddDescribed
          kind="channel"
          descriptionLabel="What it is about"
          create={(given, form) =>
            create({ ...given, invite_only: form.get('private') !== null, subscribers: [reader.userId] })
          }
        >
          <PrivateField />
        </AddDescribed>
      )}
      {archived.length > 0 && (
        <section aria-labelledby="archived">
          <h2 id="archived">Archived</h2>
          <ul class="rows">
            {archived.map((channel) => (
              <ChannelRow key={channel.stream_id} channel={channel} />
            ))}
          </ul>
        </section>
      )}
    </Office>
  );
}

function noneOf(sought: string, makes: boolean): string {
  if (sought !== '') return 'No channel has these words in its name or description: try others.';
  return makes ? 'There is no channel yet: make the first one below.' : 'You see no channel: ask somebody to add you.';
}
