import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { post } from '../../platform/api.js';
import { useDeed } from '../../platform/deed.js';
import { LaterField } from '../../platform/later-field.js';
import { secondsOf } from '../../platform/later-times.js';
import { Problem } from '../../platform/office.js';
import { addressOf, type Conversation } from '../../platform/state/conversation.js';
import { myId } from '../../platform/store.js';

interface SendLaterProps {
  readonly to: Conversation;
  readonly content: string;
  /** @param seconds since 1970 */
  readonly onDone: (seconds: number) => void;
  readonly onCancel: () => void;
}

/** Has the server send what is written at a time that one chooses. */
export function SendLater({ to, content, onDone, onCancel }: SendLaterProps) {
  const { problem, isBusy, run } = useDeed();
  const time = useSignal('');

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const scheduled_delivery_timestamp = secondsOf(time.value);
    const message = { ...addressOf(to, myId.value), content, scheduled_delivery_timestamp, read_by_sender: true };
    if (await run(async () => void (await post('/scheduled_messages', message)))) onDone(scheduled_delivery_timestamp);
  }

  return (
    <form class="later-form" aria-label="Send later" onSubmit={submit}>
      <LaterField value={time} />
      <Problem>{problem}</Problem>
      <button type="submit" aria-disabled={isBusy}>
        Schedule
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}
