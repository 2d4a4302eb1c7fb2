import { Controller, Get, Patch } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import {
  CHANGEABLE_REALM_SETTINGS,
  PLAIN_REALM_SETTINGS,
  type PlainRealmSetting,
  type PlainRealmSettings,
  REALM_PERMISSIONS,
} from '../../../events/organization/realm.settings.js';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { inAlphabet, namesOf, olderFlagsOf, sentOf } from '../../../events/shared/settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../platform/http/route-marks.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { ChangeRealmSettings } from '../domain/change-realm-settings.js';
import { GetServerSettings } from '../queries/organization.queries.js';

const ROWS = {
  ...CHANGEABLE_REALM_SETTINGS,
  ...updatesOf(REALM_PERMISSIONS),
  ...olderFlagsOf(CHANGEABLE_REALM_SETTINGS),
};

/** `PATCH /realm`: every setting that can be changed, and older names that clients still send. */
export class UpdateRealmParameters extends settingsOf(inAlphabet(ROWS)) {}

function changeRealmSettings(parameters: UpdateRealmParameters, by: CommandContext): ChangeRealmSettings {
  const sent: Readonly<Record<string, unknown>> = { ...parameters };
  const plain: Record<string, unknown> = {};
  for (const name of namesOf(PLAIN_REALM_SETTINGS)) {
    const value = plainValue(name, sent);
    if (value !== undefined) plain[name] = value;
  }
  return new ChangeRealmSettings({ plain, permissions: sentOf(REALM_PERMISSIONS, parameters), by });
}

/** Reads a setting's value from the parameters. A setting's own name wins over its older name. */
function plainValue(name: keyof PlainRealmSettings, sent: Readonly<Record<string, unknown>>): unknown {
  const { type, older, isTrimmed }: PlainRealmSetting = PLAIN_REALM_SETTINGS[name];
  const value = sent[name];
  const flag = older && sent[older.name];
  if (older && value === undefined && flag !== undefined) return flag ? older.true : older.false;
  if (typeof value !== 'string') return value;
  const { words = {} } = type;
  if (Object.hasOwn(words, value)) return words[value];
  return isTrimmed ? value.trim() : value;
}

@Controller('realm')
export class RealmController {
  constructor(private readonly dispatch: Dispatch) {}

  @Patch()
  async update(@Caller() { by }: Caller, @Parameters() parameters: UpdateRealmParameters): Promise<void> {
    await this.dispatch.do(changeRealmSettings(parameters, by));
  }
}

@Controller('server_settings')
export class ServerSettingsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Public()
  @Get()
  get(): Promise<object> {
    return this.dispatch.ask(new GetServerSettings());
  }
}
