import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useDeed } from '../../platform/deed.js';
import { MemberList } from '../../platform/member-list.js';
import { Problem } from '../../platform/office.js';
import { type Channel, join, leave, membersOf } from './all-channels.js';
import { mayAdd, mayRemove } from './channel-may.js';

/** Who is in a channel: the server is asked when its number of subscribers changes. */
export function Members({ channel }: { readonly channel: Channel }) {
  const { problem, run } = useDeed();
  const members = useSignal<readonly number[]>([]);
  const load = async () => {
    members.value = await membersOf(channel);
  };
  useEffect(() => void run(load), [channel.subscriber_count]);
  return (
    <>
      <Problem>{problem}</Problem>
      <MemberList
        name={channel.name}
        members={members.value}
        add={mayAdd(channel) ? (id) => join(channel, [id]).then(load) : null}
        remove={mayRemove(channel) ? (id) => leave(channel, [id]).then(load) : null}
      />
    </>
  );
}
