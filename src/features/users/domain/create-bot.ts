import { ROLES } from '../../../events/shared/role.js';
import type { BotCreated } from '../../../events/users/users.events.js';
import { BOT_TYPES, type BotType } from '../../../events/users/users.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';
import { type BotCreation, mayCreateBot } from './bot-access.js';
import { checkedName, isAddress, isBotNameTaken, requireUniqueName } from './names.js';
import type { UsersState } from './users.state.js';

/** Supported types of bots. The server does not make the calls that bots of the other types need. */
const SUPPORTED: readonly BotType[] = [BOT_TYPES.generic, BOT_TYPES.incomingWebhook];

export interface CreatedBot {
  readonly userId: number;
  readonly apiKey: string;
}

export class CreateBot extends Command<
  {
    bot: { readonly fullName: string; readonly shortName: string; readonly type: BotType };
  },
  CreatedBot
> {}

export interface CreateBotFacts extends BotCreation {
  /** The caller, who will own the bot. */
  readonly ownerId: number;
  /** SHA-256 of the bot's first key, hexadecimal. */
  readonly keyHash: string;
  readonly uniqueNames: boolean;
  /** Domain of bots' addresses: `realm_bot_domain`. */
  readonly domain: string;
}

export const decideCreateBot: Decide<CreateBot, UsersState, BotCreated, CreateBotFacts> = ({ bot }, state, facts) => {
  // The owner may have been deactivated during the request.
  if (state.byId.get(facts.ownerId)?.status !== 'active') refuse('USER_DEACTIVATED');
  const fullName = checkedName(bot.fullName);
  const shortName = bot.shortName.trim();
  const email = `${shortName}-bot@${facts.domain}`;
  if (shortName === '' || !isAddress(email)) refuse('BOT_SHORT_NAME_INVALID');
  if (!SUPPORTED.includes(bot.type)) refuse('BOT_TYPE_UNSUPPORTED', { type: bot.type });
  if (state.idByEmail.has(foldCase(email))) refuse('BOT_SHORT_NAME_TAKEN');
  if (!mayCreateBot(bot.type, facts)) refuse('NOT_AUTHORIZED');
  if (isBotNameTaken(state, fullName)) refuse('BOT_NAME_TAKEN');
  if (facts.uniqueNames) requireUniqueName(state, fullName);
  return [
    {
      type: 'BotCreated',
      data: {
        userId: state.lastId + 1,
        email,
        fullName,
        role: ROLES.member,
        botType: bot.type,
        ownerId: facts.ownerId,
        keyHash: facts.keyHash,
      },
    },
  ];
};
