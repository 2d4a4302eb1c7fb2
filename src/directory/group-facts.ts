import type { GroupFacts } from '../kernel/group-setting-rules.js';
import type { Directory } from './directory.js';

/** What decisions about permission settings have to know of groups and accounts. */
export const groupFacts = (directory: Directory): GroupFacts => ({
  group: (id) => {
    const group = directory.groups.group(id);
    if (!group) return 'unknown';
    return group.isDeactivated ? 'deactivated' : 'active';
  },
  isActiveUser: (id) => directory.user(id)?.isActive ?? false,
});
