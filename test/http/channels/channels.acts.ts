import { SubscribeUsers, UnsubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf, type Roll } from '../../support/dice.js';

const by = { actorId: null, client: 'test', correlationId: 'test' };
const VISIBILITY = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'];

export function subscriptionActs(scene: Scene): readonly Act[] {
  const { annals, owner } = scene;
  return [
    {
      name: 'a channel is made',
      run: (roll) => {
        const principals = [owner.id, scene.anybody(roll).id];
        const subscriptions = [{ name: `channel ${scene.next()}` }];
        const invite_only = roll(2) === 0;
        return owner.api.post('/users/me/subscriptions', { subscriptions, principals, invite_only });
      },
    },
    {
      name: 'two users are subscribed',
      weight: 2,
      run: (roll) => {
        const ids = [scene.anybody(roll).id, scene.anybody(roll).id];
        return annals.execute(new SubscribeUsers({ channelId: scene.channelId(roll), userIds: ids, by, color: null }));
      },
    },
    {
      name: 'the owner is subscribed',
      run: (roll) =>
        annals.execute(new SubscribeUsers({ channelId: scene.channelId(roll), userIds: [owner.id], by, color: null })),
    },
    {
      name: 'a user is unsubscribed',
      run: (roll) =>
        annals.execute(
          new UnsubscribeUsers({ channelId: scene.channelId(roll), userIds: [scene.anybody(roll).id], by }),
        ),
    },
    {
      name: 'a setting of a subscription changes',
      run: (roll) => {
        const property = oneOf(['is_muted', 'pin_to_top', 'push_notifications', 'in_home_view'], roll);
        const change = { stream_id: scene.channelId(roll), property, value: roll(2) === 0 };
        return scene.anybody(roll).api.post('/users/me/subscriptions/properties', { subscription_data: [change] });
      },
    },
  ];
}

export function channelActs(scene: Scene): readonly Act[] {
  const { owner, readers } = scene;
  const patch = (roll: Roll, changes: Record<string, unknown>) =>
    owner.api.patch(`/streams/${scene.channelId(roll)}`, changes);
  return [
    {
      name: 'a channel is renamed and described',
      run: (roll) => {
        const number = scene.next();
        return patch(roll, { new_name: `channel ${number}`, description: `*${number}*` });
      },
    },
    {
      name: 'a channel becomes public or private',
      weight: 2,
      run: (roll) => patch(roll, { is_private: roll(2) === 0, history_public_to_subscribers: true }),
    },
    {
      name: 'a channel becomes private, and may hide its history',
      run: (roll) => patch(roll, { is_private: true, history_public_to_subscribers: roll(2) === 0 }),
    },
    {
      name: 'a permission by which users see a channel changes',
      weight: 2,
      run: (roll) => {
        const direct_members = scene.everybody.filter(() => roll(2) === 0).map(({ id }) => id);
        return patch(roll, { [oneOf(VISIBILITY, roll)]: { new: { direct_members, direct_subgroups: [] } } });
      },
    },
    {
      name: 'a permission to send and a retention change',
      run: (roll) =>
        patch(roll, {
          can_send_message_group: { new: 2 + roll(4) },
          message_retention_days: roll(2) === 0 ? 'unlimited' : 'realm_default',
        }),
    },
    { name: 'a channel is archived', run: (roll) => owner.api.delete(`/streams/${scene.channelId(roll)}`) },
    { name: 'a channel is unarchived', run: (roll) => patch(roll, { is_archived: false }) },
    {
      // Is refused if a guest would become an administrator.
      name: 'a reader gets a role by request',
      run: (roll) => owner.api.patch(`/users/${readers[0].id}`, { role: oneOf([200, 300, 400, 600], roll) }),
    },
  ];
}
