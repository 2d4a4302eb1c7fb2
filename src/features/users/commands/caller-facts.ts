import type { Directory } from '../../../directory/directory.js';
import { actorOf, may, requireMember } from '../../../directory/permissions.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import type { BotCreation, BotKeeper, Rank } from '../domain/bots.js';

export function rankOf(by: CommandContext, directory: Directory): Rank {
  const actor = actorOf(by, directory);
  return { isAdministrator: may(actor, 'administer', directory), isOwner: may(actor, 'own', directory) };
}

/** @throws DomainError for guests and for bots, which may not keep bots */
export function keeperOf(by: CommandContext, directory: Directory): BotKeeper {
  const actor = actorOf(by, directory);
  if (actor) requireMember(actor);
  return { id: by.actorId, ...rankOf(by, directory) };
}

export function botCreationBy(by: CommandContext, directory: Directory): BotCreation {
  const actor = actorOf(by, directory);
  return {
    mayCreateBots: may(actor, 'can_create_bots_group', directory),
    mayCreateWriteOnlyBots: may(actor, 'can_create_write_only_bots_group', directory),
  };
}

export const uniqueNamesIn = (directory: Directory): boolean => directory.setting('require_unique_names');
