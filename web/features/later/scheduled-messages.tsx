import { useSignal } from '@preact/signals';
import { remove } from '../../platform/api.js';
import type { Scheduled } from '../../platform/client-events.js';
import { plannedTime } from '../../platform/clock.js';
import { useDeed } from '../../platform/deed.js';
import { nameOf } from '../../platform/names.js';
import { Problem } from '../../platform/office.js';
import { hrefOf } from '../../platform/places.js';
import { Rendered } from '../../platform/rendered.js';
import { direct, topic } from '../../platform/state/conversation.js';
import { myId } from '../../platform/store.js';
import { EditScheduled } from './edit-scheduled.js';
import { scheduled } from './later.js';
import { inTurn } from './later-state.js';

/** Messages that are to be sent, and those that could not be; their events change what is shown. */
export const ScheduledMessages = () => (
  <section aria-labelledby="scheduled">
    <h2 id="scheduled">Scheduled messages</h2>
    {scheduled.value.size === 0 && <p class="hint">No message waits to be sent</p>}
    <ul>
      {inTurn(scheduled.value).map((one) => (
        <ScheduledItem key={one.scheduled_message_id} message={one} />
      ))}
    </ul>
  </section>
);

function ScheduledItem({ message }: { readonly message: Scheduled }) {
  const { problem, isBusy, run } = useDeed();
  const isEdited = useSignal(false);
  const { scheduled_message_id: id, rendered_content, scheduled_delivery_timestamp: seconds, failed } = message;
  const conversation = message.type === 'stream' ? topic(message.to, message.topic) : direct(message.to, myId.value);
  return (
    <li>
      <p class="when">
        {plannedTime(seconds)} to <a href={hrefOf(conversation)}>{nameOf(conversation)}</a>
      </p>
      {failed && <p class="problem">It could not be sent. Edit it with another time, or delete it.</p>}
      {isEdited.value ? (
        <EditScheduled message={message} onEnd={() => (isEdited.value = false)} />
      ) : (
        <>
          <Rendered html={rendered_content} />
          <button type="button" onClick={() => (isEdited.value = true)}>
            Edit
          </button>{' '}
          <button
            type="button"
            aria-disabled={isBusy}
            onClick={() => void run(async () => void (await remove(`/scheduled_messages/${id}`)))}
          >
            Delete
          </button>
        </>
      )}
      <Problem>{problem}</Problem>
    </li>
  );
}
