import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import type { Message } from '../../platform/client-events.js';
import { channels } from '../../platform/store.js';
import { topicsOf } from '../../platform/topics.js';

interface MoveMessageProps {
  readonly message: Message;
  readonly ask: (method: string, path: string, body?: object) => Promise<boolean>;
}

/** What a move takes along, as the API names it. */
const MODES = [
  { mode: 'change_one', label: 'This message alone' },
  { mode: 'change_later', label: 'This message and all after it' },
  { mode: 'change_all', label: 'The whole topic' },
] as const;

/** Moves a message of a channel to another topic or channel; the server decides whether one may. */
export function MoveMessage({ message: { id, stream_id, subject }, ask }: MoveMessageProps) {
  const isOpen = useSignal(false);
  if (!isOpen.value)
    return (
      <button type="button" onClick={() => (isOpen.value = true)}>
        Move
      </button>
    );

  async function move(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const channelId = Number(fields.get('channel'));
    const isMoved = await ask('PATCH', `/messages/${id}`, {
      topic: String(fields.get('topic')).trim(),
      propagate_mode: String(fields.get('mode')),
      ...(channelId !== stream_id && { stream_id: channelId }),
    });
    if (isMoved) isOpen.value = false;
  }

  const known = [...channels.value.values()].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <form class="move" onSubmit={move}>
      <label>
        To the channel
        <select name="channel">
          {known.map((channel) => (
            <option key={channel.stream_id} value={channel.stream_id} selected={channel.stream_id === stream_id}>
              {channel.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        and the topic
        <input name="topic" defaultValue={subject} list={`topics-${id}`} autocomplete="off" />
      </label>
      <datalist id={`topics-${id}`}>
        {topicsOf.value.get(stream_id ?? 0)?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label>
        Takes along
        <select name="mode">
          {MODES.map(({ mode, label }) => (
            <option key={mode} value={mode}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Move it</button>
      <button type="button" onClick={() => (isOpen.value = false)}>
        Leave it here
      </button>
    </form>
  );
}
