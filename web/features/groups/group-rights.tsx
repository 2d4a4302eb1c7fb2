import type { Group, GroupRight } from '../../platform/all-groups.js';
import { RightsSection } from '../../platform/rights-section.js';
import { type PermissionRow, whoMay } from '../../platform/setting-rows.js';
import { permissionRules } from '../../platform/store.js';
import { changeGroup } from './change-groups.js';
import { mayManage } from './group-may.js';

const ROWS: readonly PermissionRow<GroupRight>[] = [
  whoMay('can_manage_group', 'Change it'),
  whoMay('can_add_members_group', 'Add people'),
  whoMay('can_remove_members_group', 'Remove people'),
  whoMay('can_join_group', 'Join it'),
  whoMay('can_leave_group', 'Leave it'),
  whoMay('can_mention_group', 'Mention it'),
];

export const GroupRights = ({ group }: { readonly group: Group }) => (
  <RightsSection
    title={group.name}
    rows={ROWS}
    isReadOnly={!mayManage(group)}
    rules={permissionRules.value.group}
    read={(name) => group[name]}
    change={(name, value) => changeGroup(group, { [name]: value })}
  />
);
