import { describe, it } from '@jest/globals';
import type { PersonalEvent } from '../../../src/events/personal/personal.events.js';
import type { UserSettingValues } from '../../../src/events/personal/user.settings.js';
import type { UserSettingValue } from '../../../src/events/personal/user-settings.events.js';
import {
  ChangeUserSettings,
  decideChangeUserSettings,
} from '../../../src/features/personal/domain/change-user-settings.js';
import { personal } from '../../../src/features/personal/domain/personal.state.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };

const changed = (property: string, from: UserSettingValue, to: UserSettingValue): PersonalEvent => ({
  type: 'UserSettingChanged',
  data: { userId: 1, property, from, to },
});
const change = (settings: Partial<UserSettingValues>, history: readonly PersonalEvent[] = []) =>
  given(personal, history).when(
    decideChangeUserSettings,
    new ChangeUserSettings({ userId: 1, settings, by, account: {} }),
    undefined,
  );

describe('the settings of a user', () => {
  it('change one by one, in the order of their names, from their defaults', () =>
    change({ twenty_four_hour_time: true, color_scheme: 2, timezone: 'Asia/Tokyo' }).then([
      changed('color_scheme', 1, 2),
      changed('timezone', '', 'Asia/Tokyo'),
      changed('twenty_four_hour_time', false, true),
    ]));

  it('change from their former values', () =>
    change({ color_scheme: 3 }, [changed('color_scheme', 1, 2)]).then([changed('color_scheme', 2, 3)]));

  it('can be set back to their defaults', () =>
    change({ color_scheme: 1 }, [changed('color_scheme', 1, 2)]).then([changed('color_scheme', 2, 1)]));

  it('do not change if the value is already set', () => {
    change({ color_scheme: 1, enable_sounds: true }).thenNothing();
    change({ color_scheme: 2 }, [changed('color_scheme', 1, 2)]).thenNothing();
    change({}).thenNothing();
  });
});
