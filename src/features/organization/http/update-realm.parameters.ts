import { CHANGEABLE_REALM_SETTINGS, REALM_PERMISSIONS } from '../../../events/organization/realm.settings.js';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { inAlphabet, olderFlagsOf } from '../../../events/shared/settings.js';
import { settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';

const ROWS = {
  ...CHANGEABLE_REALM_SETTINGS,
  ...updatesOf(REALM_PERMISSIONS),
  ...olderFlagsOf(CHANGEABLE_REALM_SETTINGS),
};

/** `PATCH /realm`: every setting that can be changed, and older names that clients still send. */
export class UpdateRealmParameters extends settingsOf(inAlphabet(ROWS)) {}
