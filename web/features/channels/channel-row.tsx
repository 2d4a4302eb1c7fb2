import { useDeed } from '../../platform/deed.js';
import { ChangeDescribed } from '../../platform/described.js';
import { DescribedRow, peopleInWords, type Step } from '../../platform/described-rows.js';
import { Problem } from '../../platform/office.js';
import { hrefOf } from '../../platform/places.js';
import { channels } from '../../platform/store.js';
import { archive, type Channel, change, isMine, join, leave, setOwn } from './all-channels.js';
import { mayAdminister, mayJoin } from './channel-may.js';
import { ChannelRights } from './channel-rights.js';
import { Members } from './members.js';

/** A channel and what one can do with it. */
export function ChannelRow({ channel }: { readonly channel: Channel }) {
  const { stream_id: channelId, name, description, is_archived: isArchived, invite_only: isPrivate } = channel;
  return (
    <DescribedRow
      name={name}
      title={<a href={hrefOf({ kind: 'channel', channelId })}>#{name}</a>}
      hint={`${isPrivate ? 'private, ' : ''}${peopleInWords(channel.subscriber_count)}${description === '' ? '' : ` · ${description}`}`}
      step={stepOf(channel)}
    >
      {isArchived ? null : (
        <>
          {isMine(channel) && <OwnChoices channel={channel} />}
          {mayAdminister(channel) && <ChangeForm key={`${isPrivate} ${name} ${description}`} channel={channel} />}
          <Members channel={channel} />
          <ChannelRights channel={channel} />
        </>
      )}
    </DescribedRow>
  );
}

function stepOf(channel: Channel): Step | null {
  const { invite_only: isPrivate, subscriber_count: people } = channel;
  if (channel.is_archived)
    return mayAdminister(channel) ? { label: 'Open again', run: () => change(channel, { is_archived: false }) } : null;
  if (!isMine(channel)) return mayJoin(channel) ? { label: 'Join', run: () => join(channel) } : null;
  const warning = isPrivate && people === 1 ? 'You are the last one in it, and it is private.' : undefined;
  return { label: 'Leave', run: () => leave(channel), warning };
}

/** What others do not see. */
function OwnChoices({ channel }: { readonly channel: Channel }) {
  const { problem, run } = useDeed();
  const mine = channels.value.get(channel.stream_id);
  return (
    <p class="choices">
      <label>
        <input
          type="checkbox"
          checked={mine?.pin_to_top ?? false}
          onChange={({ currentTarget }) => void run(() => setOwn(channel, 'pin_to_top', currentTarget.checked))}
        />{' '}
        At the top of my list
      </label>
      <label>
        <input
          type="checkbox"
          checked={mine?.is_muted ?? false}
          onChange={({ currentTarget }) => void run(() => setOwn(channel, 'is_muted', currentTarget.checked))}
        />{' '}
        Muted
      </label>
      <Problem>{problem}</Problem>
    </p>
  );
}

/** Name, description and privacy, for those who keep the channel. */
function ChangeForm({ channel }: { readonly channel: Channel }) {
  const { stream_id: id, name, description, invite_only: isPrivate } = channel;
  return (
    <ChangeDescribed
      {...{ id, name, description }}
      save={async ({ name: newName, ...changes }, form) => {
        const isToBePrivate = form.get('private') !== null;
        await change(channel, {
          ...changes,
          ...(newName !== undefined && { new_name: newName }),
          ...(isToBePrivate !== isPrivate && { is_private: isToBePrivate }),
        });
      }}
      end={{ label: 'Archive', run: () => archive(channel) }}
    >
      <PrivateField isPrivate={isPrivate} />
    </ChangeDescribed>
  );
}

export const PrivateField = ({ isPrivate = false }: { readonly isPrivate?: boolean }) => (
  <label>
    <input type="checkbox" name="private" defaultChecked={isPrivate} /> Private: only those who are in it read it
  </label>
);
