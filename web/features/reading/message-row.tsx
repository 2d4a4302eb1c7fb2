import { Component } from 'preact';
import { StatusOf } from '../../platform/beside-name.js';
import type { Message } from '../../platform/client-events.js';
import { longTime, shortTime } from '../../platform/clock.js';
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
          <MessageActions message={message} />
        </article>
      </li>
    );
  }
}

/** Is rendered again for another setting of the clock, which a row is not. */
const Time = ({ at }: { readonly at: Date }) => <time dateTime={at.toISOString()}>{shortTime(at)}</time>;
