import { groups, useGroups } from '../../platform/all-groups.js';
import { patch } from '../../platform/api.js';
import { Office, Problem } from '../../platform/office.js';
import { PictureForm } from '../../platform/picture-form.js';
import { isAdministrator } from '../../platform/roles.js';
import { me } from '../../platform/session.js';
import { SettingGroups } from '../../platform/setting-groups.js';
import { organization, permissionRules } from '../../platform/store.js';
import { ORGANIZATION_SETTINGS, type OrganizationSetting } from './organization-rows.js';
import { ORGANIZATION_PERMISSIONS } from './permission-rows.js';

const change = async (name: OrganizationSetting, value: unknown): Promise<void> =>
  void (await patch('/realm', { [name]: value }));

/** What the organization is, and its settings: everybody sees them, administrators change them. */
export function Organization() {
  const isReadOnly = !(me.value && isAdministrator(me.value));
  const now = organization.value;
  const { problem } = useGroups();
  const rows = {
    read: (name: OrganizationSetting) => now?.[name],
    change,
    isReadOnly,
    rules: permissionRules.value.realm,
  };
  return (
    <Office at="organization">
      {now && (
        <>
          {isReadOnly && <p class="hint">Administrators change these settings.</p>}
          <PictureForm
            noun="icon"
            title="Icon"
            address={typeof now.icon_url === 'string' ? now.icon_url : null}
            path="/realm/icon"
            isReadOnly={isReadOnly}
          />
          <SettingGroups groups={ORGANIZATION_SETTINGS} {...rows} />
          <Problem>{problem}</Problem>
          {groups.value.length > 0 && <SettingGroups groups={ORGANIZATION_PERMISSIONS} {...rows} />}
        </>
      )}
    </Office>
  );
}
