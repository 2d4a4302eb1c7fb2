import type { GroupFacts } from '../events/shared/group-setting-rules.js';
import type { Directory } from './directory.js';

/** The facts about groups and accounts that decisions about permission settings need. */
export const groupFacts = (directory: Directory): GroupFacts => ({
  group: (id) => {
    const group = directory.groups.group(id);
    if (!group) return 'unknown';
    return group.isDeactivated ? 'deactivated' : 'active';
  },
  isActiveUser: (id) => directory.user(id)?.isActive ?? false,
});
