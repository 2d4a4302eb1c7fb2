import type { ComponentChildren } from 'preact';
import { connection } from '../../platform/connection.js';
import { nameOf } from '../../platform/names.js';
import { hrefOf, type Place } from '../../platform/places.js';
import { myId } from '../../platform/store.js';
import { useTitle } from '../../platform/title.js';
import { MessageList } from './message-list.js';
import { Recent } from './recent.js';
import { Sidebar } from './sidebar.js';
import './reading.css';

interface ReadingProps {
  readonly place: Place;
  /** Whether one is at no place in particular: on a phone, the conversations are shown alone. */
  readonly isAtHome: boolean;
  readonly account: ComponentChildren;
  /** Where one writes; at a place without messages, all of it. */
  readonly children: ComponentChildren;
}

/** A topic at any time of its past. */
const pastOf = ({ channelId, topic }: { readonly channelId: number; readonly topic: string }): string =>
  `#/history?${new URLSearchParams({ channel: String(channelId), topic })}`;

/** The conversations, and the messages of one of them. */
export function Reading({ place, isAtHome, account, children }: ReadingProps) {
  const name = nameOf(place);
  useTitle(name);
  return (
    <div class={isAtHome ? 'app at-home' : 'app'}>
      <div class="side">
        <Sidebar place={place} />
        {account}
      </div>
      <main>
        <div class="bar">
          <a class="back" href="#/">
            All conversations
          </a>
          <h1>{name}</h1>
          {place.kind === 'topic' && <a href={pastOf(place)}>As it was</a>}
          <p class="connection" role="status">
            {connection.value === 'online' ? '' : 'Connecting …'}
          </p>
        </div>
        {/* Messages are asked for once their events come: nothing can happen between the two. */}
        {myId.value !== 0 && <Messages place={place} key={hrefOf(place)} />}
        {children}
      </main>
    </div>
  );
}

function Messages({ place }: { readonly place: Place }) {
  switch (place.kind) {
    case 'recent':
      return <Recent />;
    case 'drafts':
    case 'scheduled':
      return null;
    default:
      return <MessageList place={place} />;
  }
}
