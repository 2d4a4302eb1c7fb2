import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { BesideName } from '../../platform/beside-name.js';
import type { Channel } from '../../platform/client-events.js';
import { nameOf, topicName } from '../../platform/names.js';
import { hrefOf, type Place } from '../../platform/places.js';
import { direct, keyOf } from '../../platform/state/conversation.js';
import { countOf, countOfChannel } from '../../platform/state/unread.js';
import { channels, directs, myId, people, unread } from '../../platform/store.js';
import { followTopics, loadTopics, topicsOf } from '../../platform/topics.js';
import { Search } from './search.js';

const MOST_TOPICS = 12;
const MOST_DIRECTS = 30;
const MOST_FOUND = 10;

/** All places that one can go to. */
export function Sidebar({ place }: { readonly place: Place }) {
  useEffect(followTopics, []);
  return (
    <nav aria-label="Conversations">
      <Search />
      <ul>
        {(['recent', 'mentions', 'starred', 'drafts', 'scheduled'] as const).map((kind) => (
          <PlaceLink key={kind} to={{ kind }} current={place} name={nameOf({ kind })} count={0} />
        ))}
      </ul>
      <h2>Channels</h2>
      <ChannelList place={place} />
      <a href="#/channels">All channels</a>
      <h2>Direct messages</h2>
      <Directs place={place} />
      <FindPerson />
    </nav>
  );
}

function ChannelList({ place }: { readonly place: Place }) {
  const sorted = useComputed(() =>
    [...channels.value.values()].sort(
      (a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || a.name.localeCompare(b.name),
    ),
  );
  if (sorted.value.length === 0) return <p class="hint">You are in no channel</p>;
  return (
    <ul>
      {sorted.value.map((channel) => (
        <ChannelItem key={channel.stream_id} channel={channel} place={place} />
      ))}
    </ul>
  );
}

function ChannelItem({ channel, place }: { readonly channel: Channel; readonly place: Place }) {
  const { stream_id: channelId } = channel;
  const isOpen = (place.kind === 'channel' || place.kind === 'topic') && place.channelId === channelId;
  const count = useComputed(() => countOfChannel(unread.value, channelId));
  return (
    <PlaceLink to={{ kind: 'channel', channelId }} current={place} name={`#${channel.name}`} count={count.value}>
      {isOpen && <Topics channelId={channelId} place={place} />}
    </PlaceLink>
  );
}

function Topics({ channelId, place }: { readonly channelId: number; readonly place: Place }) {
  const showsAll = useSignal(false);
  useEffect(() => loadTopics(channelId), [channelId]);
  const topics = topicsOf.value.get(channelId) ?? [];
  const some = showsAll.value ? topics : topics.slice(0, MOST_TOPICS);
  return (
    <>
      <ul>
        {some.map(({ name }) => {
          const to = { kind: 'topic', channelId, topic: name } as const;
          const count = countOf(unread.value, to);
          return <PlaceLink key={name} to={to} current={place} name={topicName(name)} count={count} />;
        })}
      </ul>
      {some.length < topics.length && (
        <button type="button" class="quiet" onClick={() => (showsAll.value = true)}>
          All {topics.length} topics
        </button>
      )}
    </>
  );
}

function Directs({ place }: { readonly place: Place }) {
  const sorted = useComputed(() =>
    [...directs.value.values()].sort((a, b) => b.newestId - a.newestId).slice(0, MOST_DIRECTS),
  );
  return (
    <ul>
      {sorted.value.map(({ conversation }) => (
        <PlaceLink
          key={keyOf(conversation)}
          to={conversation}
          current={place}
          name={nameOf(conversation)}
          count={countOf(unread.value, conversation)}
          userId={conversation.kind === 'direct' ? oneOf(conversation.userIds) : undefined}
        />
      ))}
    </ul>
  );
}

/** @returns undefined: there are several, or nobody else */
const oneOf = (ids: readonly number[]): number | undefined => (ids.length === 1 ? ids[0] : undefined);

function FindPerson() {
  const typed = useSignal('');
  const words = typed.value.trim().toLowerCase();
  const found =
    words === ''
      ? []
      : [...people.value.values()]
          .filter(({ full_name }) => full_name.toLowerCase().includes(words))
          .slice(0, MOST_FOUND);
  return (
    <>
      <input
        type="search"
        aria-label="Find a person to write to"
        placeholder="Write to …"
        value={typed}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <ul aria-label="People found">
        {found.map(({ user_id, full_name }) => (
          <li key={user_id}>
            <a href={hrefOf(direct([user_id], myId.value))} onClick={() => (typed.value = '')}>
              <span>
                {full_name} <BesideName userId={user_id} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

interface PlaceLinkProps {
  readonly to: Place;
  readonly current: Place;
  readonly name: string;
  readonly count: number;
  /** Whose name it is; undefined: nobody's alone. */
  readonly userId?: number | undefined;
  readonly children?: ComponentChildren;
}

function PlaceLink({ to, current, name, count, userId, children }: PlaceLinkProps) {
  const href = hrefOf(to);
  return (
    <li>
      <a href={href} aria-current={href === hrefOf(current) ? 'page' : undefined}>
        <span>
          {name} {userId !== undefined && <BesideName userId={userId} />}
        </span>
        {count > 0 && (
          <span class="count" role="img" aria-label={`${count} unread`}>
            {count}
          </span>
        )}
      </a>
      {children}
    </li>
  );
}
