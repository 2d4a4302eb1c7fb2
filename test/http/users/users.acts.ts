import { DeactivateUser, ReactivateUser } from '../../../src/features/users/domain/activity.js';
import { UpdateUser, type UserChanges } from '../../../src/features/users/domain/update-user.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import type { Member } from '../../support/servers/annals.js';

const by = { actorId: null, client: 'test', correlationId: 'test' };

/** Has no owner: the acts could not demote the last one. */
const ROLES = [200, 300, 400, 400, 600] as const;

export function userActs(scene: Scene): readonly Act[] {
  const { annals, owner, readers, others, ended, bots } = scene;

  /** Is refused if another act has just deactivated the account, or if a guest would become an administrator. */
  const update = (user: Member, changes: UserChanges): Promise<void> =>
    annals.execute(new UpdateUser({ userId: user.id, changes, by })).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });

  return [
    {
      name: 'an account is made',
      run: async (roll) => others.push(await annals.user(`user${scene.next()}`, oneOf([400, 600], roll))),
    },
    {
      name: 'an account is deactivated',
      run: async () => {
        if (others.length <= 2) return;
        const user = others.shift() as Member;
        ended.push(user);
        await annals.execute(new DeactivateUser({ userId: user.id, by, notice: null }));
      },
    },
    {
      name: 'an account is reactivated',
      run: async () => {
        const user = ended.shift();
        if (!user) return;
        await annals.execute(new ReactivateUser({ userId: user.id, by }));
        others.push(user);
      },
    },
    { name: 'a user is renamed', run: (roll) => update(oneOf(others, roll), { fullName: `User ${scene.next()}` }) },
    { name: 'a user gets a role', run: (roll) => update(oneOf(others, roll), { role: oneOf(ROLES, roll) }) },
    { name: 'a reader gets a role', run: (roll) => update(readers[0], { role: oneOf(ROLES, roll) }) },
    {
      name: 'a user gets an address',
      run: (roll) => update(oneOf(others, roll), { email: `mail${scene.next()}@example.com` }),
    },
    {
      name: 'a user changes their settings',
      run: (roll) => {
        const timezone = oneOf(['Asia/Tokyo', 'Europe/Paris'], roll);
        const settings = { timezone, enable_sounds: roll(2) === 0, web_font_size_px: 10 + roll(4) };
        return scene.anybody(roll).api.patch('/settings', settings);
      },
    },
    {
      name: 'a bot is made',
      run: async () => {
        const number = scene.next();
        const { body } = await owner.api.post('/bots', { full_name: `Bot ${number}`, short_name: `b${number}` });
        bots.push(body.user_id);
      },
    },
    {
      name: 'a bot comes back, gets an owner, and may be deactivated',
      run: async (roll) => {
        if (bots.length === 0) return;
        const bot = oneOf(bots, roll);
        await owner.api.post(`/users/${bot}/reactivate`);
        const changes = { full_name: `Bot ${scene.next()}`, bot_owner_id: oneOf(readers, roll).id };
        await owner.api.patch(`/bots/${bot}`, changes);
        if (roll(2) === 0) await owner.api.delete(`/bots/${bot}`);
      },
    },
  ];
}
