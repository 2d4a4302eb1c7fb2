import { Component } from 'preact';
import { StatusOf } from '../../platform/beside-name.js';
import type { Message, Reaction } from '../../platform/client-events.js';
import { longTime, shortTime } from '../../platform/clock.js';
import { characterOf } from '../../platform/content.js';
import { nameOf } from '../../platform/names.js';
import { hrefOf, type Place } from '../../platform/places.js';
import { Rendered } from '../../platform/rendered.js';
import { conversationOf } from '../../platform/state/conversation.js';
import { myId, people } from '../../platform/store.js';
import { MessageActions } from './message-actions.js';

interface RowProps {
  readonly message: Message;
  /** Whether the message before it is of another conversation. */
  readonly isNewPlace: boolean;
  readonly place: Place;
}

/** A message is immutable: a row is rendered again only for another one. */
export class MessageRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.message !== this.props.message || next.isNewPlace !== this.props.isNewPlace;
  }

  override render() {
    const { message, isNewPlace, place } = this.props;
    const conversation = conversationOf(message, myId.value);
    const isNamed = isNewPlace && place.kind !== 'topic' && place.kind !== 'direct';
    const at = new Date(message.timestamp * 1000);
    return (
      <li data-id={message.id} class={message.flags.includes('read') ? undefined : 'unread'}>
        {isNamed && (
          <a class="where" href={hrefOf(conversation)}>
            {nameOf(conversation)}
          </a>
        )}
        <article aria-label={`${message.sender_full_name}, ${longTime(at)}`}>
          <p class="who">
            <strong>{people.value.get(message.sender_id)?.full_name ?? message.sender_full_name}</strong>{' '}
            <StatusOf userId={message.sender_id} /> <Time at={at} />
            {message.last_edit_timestamp !== undefined && (
              <>
                {' '}
                <a href={`#/history?message=${message.id}`}>edited</a>
              </>
            )}
            {message.flags.includes('starred') && <span> starred</span>}
          </p>
          <Rendered html={message.content} />
          <Reactions message={message} />
          <MessageActions message={message} />
        </article>
      </li>
    );
  }
}

/** Is rendered again for another setting of the clock, which a row is not. */
const Time = ({ at }: { readonly at: Date }) => <time dateTime={at.toISOString()}>{shortTime(at)}</time>;

function Reactions({ message }: { readonly message: Message }) {
  const by = new Map<string, Reaction[]>();
  for (const reaction of message.reactions)
    by.set(reaction.emoji_name, [...(by.get(reaction.emoji_name) ?? []), reaction]);
  if (by.size === 0) return null;
  return (
    <ul class="reactions" aria-label="Reactions">
      {[...by].map(([name, reactions]) => (
        <li key={name} title={reactions.map(({ user_id }) => people.value.get(user_id)?.full_name).join(', ')}>
          <span role="img" aria-label={name}>
            {reactions[0]?.reaction_type === 'unicode_emoji' ? characterOf(reactions[0].emoji_code) : `:${name}:`}
          </span>{' '}
          {reactions.length}
        </li>
      ))}
    </ul>
  );
}
