// @ts-check
import { isDirectoryEvent } from '../../dist/src/directory/directory.changes.js';
import { Directory } from '../../dist/src/directory/directory.js';
import { may } from '../../dist/src/directory/permissions.js';

const USERS = 10_000;
const DEPTH = 10;
const FIRST_GROUP = 9;
const LIMIT = 1_000_000;
/** So many checks between two looks at the clock. */
const BLOCK = 10_000;

/**
 * "May this user do that?", in this process and on one core: of 10,000 users in turn, where a permission is given to a
 * group that holds a group, and so on, ten deep. Each group holds 500 users, so that half of all may. Then the same right
 * after a group has changed, when who is in it must be worked out again.
 *
 * @param {Pick<import('./bench.js').Bench, 'effort' | 'say'>} bench
 * @returns {Promise<import('./result.js').Result>}
 */
export async function measurePermissionCheck({ effort, say }) {
  say(`checks of a permission given to groups nested ${DEPTH} deep`);
  const { directory, apply } = nestedGroups();
  const users = directory.allUsers();
  const check = (/** @type {number} */ seconds) => {
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

  /** @type {number[]} */
  const afterChanges = [];
  const [user] = users;
  for (let n = 0; n < 20 && user; n++) {
    const type = n % 2 === 0 ? 'UserGroupMembersRemoved' : 'UserGroupMembersAdded';
    apply('userGroups', type, { groupId: FIRST_GROUP, userIds: [1] });
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

/** A directory of 10,000 members, ten groups in each other, and the outermost of them in a permission. */
function nestedGroups() {
  const directory = new Directory();
  let position = 0;
  const apply = (/** @type {string} */ stream, /** @type {string} */ type, /** @type {object} */ data) => {
    position++;
    const metadata = { actorId: null, client: 'bench', at: Date.now(), correlationId: 'bench', causationId: null };
    const event = { type, data, id: `event ${position}`, stream, revision: position, position, metadata };
    if (!isDirectoryEvent(event)) throw new Error(`${type} is no event of the directory`);
    directory.apply(/** @type {any} */ (event));
  };
  for (let userId = 1; userId <= USERS; userId++) {
    const account = { userId, email: `user${userId}@example.com`, fullName: `User ${userId}`, role: 400 };
    apply('users', 'UserCreated', { ...account, passwordHash: null, channelIds: [] });
  }
  const size = USERS / 2 / DEPTH;
  for (let level = 0; level < DEPTH; level++) {
    const groupId = FIRST_GROUP + level;
    apply('userGroups', 'UserGroupCreated', {
      groupId,
      name: `group ${groupId}`,
      description: '',
      creatorId: 1,
      memberIds: Array.from({ length: size }, (_, index) => 1 + 2 * (level * size + index)),
      subgroupIds: level === 0 ? [] : [groupId - 1],
      permissions: {},
    });
  }
  const to = FIRST_GROUP + DEPTH - 1;
  apply('organization', 'OrganizationCreated', { name: 'Bench' });
  apply('organization', 'RealmSettingChanged', { setting: 'can_create_groups', from: 3, to });
  return { directory, apply };
}
