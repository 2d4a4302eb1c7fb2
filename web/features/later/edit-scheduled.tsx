import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { patch } from '../../platform/api.js';
import type { Scheduled } from '../../platform/client-events.js';
import { useDeed } from '../../platform/deed.js';
import { LaterField } from '../../platform/later-field.js';
import { fieldOf, secondsOf } from '../../platform/later-times.js';
import { Problem } from '../../platform/office.js';

interface EditScheduledProps {
  readonly message: Scheduled;
  readonly onEnd: () => void;
}

/** Changes the words and the time of a message that is not sent yet. */
export function EditScheduled({ message, onEnd }: EditScheduledProps) {
  const { problem, isBusy, run } = useDeed();
  const { scheduled_message_id: id, content, scheduled_delivery_timestamp: seconds, failed } = message;
  const before = failed ? '' : fieldOf(new Date(seconds * 1000));
  const time = useSignal(before);
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);

  async function save(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const changes = {
      content: String(new FormData(event.currentTarget).get('content')),
      // The field has no seconds: a time that nobody changed stays as it is.
      ...(time.value !== before && { scheduled_delivery_timestamp: secondsOf(time.value) }),
    };
    if (await run(async () => void (await patch(`/scheduled_messages/${id}`, changes)))) onEnd();
  }

  return (
    <form onSubmit={save}>
      <textarea ref={box} name="content" aria-label="Scheduled message" rows={3} required defaultValue={content} />
      <LaterField value={time} />
      <Problem>{problem}</Problem>
      <button type="submit" aria-disabled={isBusy}>
        Save
      </button>{' '}
      <button type="button" onClick={onEnd}>
        Cancel
      </button>
    </form>
  );
}
