import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useDeed } from '../../platform/deed.js';
import { AddDescribed } from '../../platform/described.js';
import { Office, Problem } from '../../platform/office.js';
import { ROLES } from '../../platform/roles.js';
import { me } from '../../platform/session.js';
import { all, create, followChannels, loadChannels } from './all-channels.js';
import { ChannelRow, PrivateField } from './channel-row.js';

/** All channels: which one is in, and what one may change of them. The server decides that. */
export function Channels() {
  const { problem, run } = useDeed();
  const words = useSignal('');
  useEffect(() => {
    // Somebody else may have been signed in.
    all.value = [];
    void run(loadChannels);
    return followChannels();
  }, []);
  const reader = me.value;
  const sought = words.value.trim().toLowerCase();
  const found = all.value.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(sought));
  const current = found.filter((channel) => !channel.is_archived);
  const archived = found.filter((channel) => channel.is_archived);
  return (
    <Office at="channels">
      <Problem>{problem}</Problem>
      <input
        type="search"
        aria-label="Find a channel"
        placeholder="Find a channel"
        value={words}
        onInput={({ currentTarget }) => (words.value = currentTarget.value)}
      />
      <section aria-labelledby="current">
        <h2 id="current">{current.length === 1 ? '1 channel' : `${current.length} channels`}</h2>
        <ul class="rows">
          {current.map((channel) => (
            <ChannelRow key={channel.stream_id} channel={channel} />
          ))}
        </ul>
      </section>
      {reader && reader.role !== ROLES.guest && (
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
