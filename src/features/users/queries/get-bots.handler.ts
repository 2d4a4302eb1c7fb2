import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { requireMember } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { botForClients } from './bots-for-clients.js';

/** The changeable fields of a bot. */
export interface BotSettings {
  readonly full_name: string;
  readonly avatar_url: string;
  readonly default_sending_stream: null;
  readonly default_events_register_stream: null;
  readonly default_all_public_streams: false;
}

export interface OwnBot extends BotSettings {
  readonly user_id: number;
  /** The bot's address. */
  readonly username: string;
  readonly api_key: string;
}

export class GetBotSettings extends Query<{ botId: number }, BotSettings> {}

/** A user's active bots. */
export class GetOwnBots extends Query<{ owner: UserRecord }, readonly OwnBot[]> {}

@QueryHandler(GetBotSettings)
export class GetBotSettingsHandler implements IQueryHandler<GetBotSettings> {
  constructor(private readonly directory: Directory) {}

  async execute({ botId }: GetBotSettings): Promise<BotSettings> {
    return settingsOf(this.directory.user(botId) ?? refuse('BOT_NOT_FOUND'));
  }
}

@QueryHandler(GetOwnBots)
export class GetOwnBotsHandler implements IQueryHandler<GetOwnBots> {
  constructor(private readonly directory: Directory) {}

  async execute({ owner }: GetOwnBots): Promise<readonly OwnBot[]> {
    requireMember(owner);
    const own = this.directory.allUsers().filter(({ bot, isActive }) => isActive && bot?.ownerId === owner._id);
    return own.map((bot) => {
      const { user_id, email: username, api_key } = botForClients(bot);
      return { user_id, username, api_key, ...settingsOf(bot) };
    });
  }
}

function settingsOf(bot: UserRecord): BotSettings {
  const told = botForClients(bot);
  return {
    full_name: told.full_name,
    avatar_url: told.avatar_url,
    default_sending_stream: told.default_sending_stream,
    default_events_register_stream: told.default_events_register_stream,
    default_all_public_streams: told.default_all_public_streams,
  };
}
