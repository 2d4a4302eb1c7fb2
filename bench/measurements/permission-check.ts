import type { DirectoryEvent } from '../../src/directory/directory.changes.js';
import { Directory } from '../../src/directory/directory.js';
import { may } from '../../src/directory/permissions.js';
import { USER_GROUP_PERMISSIONS } from '../../src/events/user-groups/user-groups.settings.js';
import { defaultPermissions } from '../data/default-permissions.js';
import type { Bench } from './bench.js';
import type { Result } from './result.js';

const USERS = 10_000;
const DEPTH = 10;
const FIRST_GROUP = 9;
const LIMIT = 1_000_000;
/** Checks between two looks at the clock. */
const BLOCK = 10_000;

/**
 * Measures "may this user do that?" in this process, on one core, for 10,000 users in turn. The permission is given to
 * a group that holds a group, and so on, ten deep; each holds 500 users, so that half of all may. Then a group is
 * changed, and the next check has to work out its members again.
 */
export async function measurePermissionCheck({ effort, say }: Pick<Bench, 'effort' | 'say'>): Promise<Result> {
  say(`checks of a permission given to groups nested ${DEPTH} deep`);
  const { directory, apply } = nestedGroups();
  const users = directory.allUsers();
  const check = (seconds: number) => {
    let checks = 0;
    let allowed = 0;
    const startedAt = performance.now();
    while (performance.now() - startedAt < seconds * 1000) {
      for (let n = 0; n < BLOCK; n++) {
        const user = users[(checks + n) % users.length];
        if (user && may(user, 'can_create_groups', directory)) allowed++;
      }
      checks += BLOCK;
    }
    if (Math.abs(allowed / checks - 0.5) > 0.01)
      throw new Error(`${allowed} of ${checks} were allowed: not half of them`);
    return checks / ((performance.now() - startedAt) / 1000);
  };
  check(effort.warmUpSeconds / 3);
  const perSecond = check(effort.sendSeconds / 2);

  const afterChanges: number[] = [];
  const [user] = users;
  for (let n = 0; n < 20 && user; n++) {
    const type = n % 2 === 0 ? 'UserGroupMembersRemoved' : 'UserGroupMembersAdded';
    apply('userGroups', { type, data: { groupId: FIRST_GROUP, userIds: [1] } });
    const startedAt = performance.now();
    may(user, 'can_create_groups', directory);
    afterChanges.push(performance.now() - startedAt);
  }
  afterChanges.sort((a, b) => a - b);

  const what = `permission check, groups nested ${DEPTH} deep`;
  return {
    rows: [
      {
        what,
        value: perSecond,
        unit: '/s',
        note: `in process; the first after a change ${(afterChanges[10] ?? 0).toFixed(2)} ms`,
      },
    ],
    targets: [{ what, value: perSecond, unit: '/s', bound: 'at least', limit: LIMIT }],
  };
}

/** Makes a directory of 10,000 members and ten nested groups, and gives a permission to the outermost one. */
function nestedGroups() {
  const directory = new Directory();
  let position = 0;
  const apply = (stream: string, event: DirectoryEvent) => {
    position++;
    const metadata = { actorId: null, client: 'bench', at: Date.now(), correlationId: 'bench', causationId: null };
    directory.apply({ ...event, id: `event ${position}`, stream, revision: position, position, metadata });
  };
  for (let userId = 1; userId <= USERS; userId++) {
    const account = { userId, email: `user${userId}@example.com`, fullName: `User ${userId}`, role: 400 } as const;
    apply('users', { type: 'UserCreated', data: { ...account, passwordHash: null, channelIds: [] } });
  }
  const size = USERS / 2 / DEPTH;
  for (let level = 0; level < DEPTH; level++) {
    const groupId = FIRST_GROUP + level;
    const data = {
      groupId,
      name: `group ${groupId}`,
      description: '',
      creatorId: 1,
      memberIds: Array.from({ length: size }, (_, index) => 1 + 2 * (level * size + index)),
      subgroupIds: level === 0 ? [] : [groupId - 1],
      permissions: defaultPermissions(USER_GROUP_PERMISSIONS),
    };
    apply('userGroups', { type: 'UserGroupCreated', data });
  }
  const to = FIRST_GROUP + DEPTH - 1;
  apply('organization', { type: 'OrganizationCreated', data: { name: 'Bench' } });
  apply('organization', { type: 'RealmSettingChanged', data: { setting: 'can_create_groups', from: 3, to } });
  return { directory, apply };
}
