import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { hrefOf } from '../../platform/places.js';
import { channels } from '../../platform/store.js';
import { archive, type Channel, change, isMine, join, leave, setOwn } from './all-channels.js';
import { Members } from './members.js';

/** A channel and what one can do with it. */
export function ChannelRow({ channel }: { readonly channel: Channel }) {
  const { problem, isBusy, run } = useDeed();
  const isOpen = useSignal(false);
  const { stream_id: channelId, name, description, is_archived: isArchived, invite_only: isPrivate } = channel;
  const isIn = isMine(channel);
  return (
    <li>
      <div class="who">
        <a href={hrefOf({ kind: 'channel', channelId })}>#{name}</a>
        <span class="hint">
          {isPrivate ? 'private, ' : ''}
          {people(channel.subscriber_count)}
          {description !== '' && ` · ${description}`}
        </span>
      </div>
      {!isArchived && (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => void run(() => (isIn ? leave(channel) : join(channel)))}
        >
          {isIn ? 'Leave' : 'Join'}
          <span class="unseen">{` ${name}`}</span>
        </button>
      )}
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        More<span class="unseen">{` of ${name}`}</span>
      </button>
      <Problem>{problem}</Problem>
      {isOpen.value && (
        <div class="more">
          {isIn && <OwnChoices channel={channel} />}
          <ChangeForm key={`${name} ${description}`} channel={channel} />
          {!isArchived && <Members channel={channel} />}
        </div>
      )}
    </li>
  );
}

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

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
  const { problem, isBusy, run } = useDeed();
  const { stream_id: id, name, description, invite_only: isPrivate, is_archived: isArchived } = channel;

  function save(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [newName, newDescription] = [String(form.get('name')), String(form.get('description'))];
    const isToBePrivate = form.get('private') !== null;
    // A right may be there for one of them alone.
    const changes = {
      ...(newName !== name && { new_name: newName }),
      ...(newDescription !== description && { description: newDescription }),
      ...(isToBePrivate !== isPrivate && { is_private: isToBePrivate }),
    };
    if (Object.keys(changes).length > 0) void run(() => change(channel, changes));
  }

  if (isArchived)
    return (
      <>
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => void run(() => change(channel, { is_archived: false }))}
        >
          Open again<span class="unseen">{` ${name}`}</span>
        </button>
        <Problem>{problem}</Problem>
      </>
    );
  return (
    <form onSubmit={save}>
      <label for={`name-${id}`}>Name</label>
      <input id={`name-${id}`} name="name" value={name} required autocomplete="off" />
      <label for={`description-${id}`}>Description</label>
      <input id={`description-${id}`} name="description" value={description} autocomplete="off" />
      <label>
        <input type="checkbox" name="private" checked={isPrivate} /> Private: only those who are in it read it
      </label>
      <Problem>{problem}</Problem>
      <button type="submit" aria-disabled={isBusy}>
        Save
      </button>{' '}
      <button type="button" aria-disabled={isBusy} onClick={() => void run(() => archive(channel))}>
        Archive<span class="unseen">{` ${name}`}</span>
      </button>
    </form>
  );
}
