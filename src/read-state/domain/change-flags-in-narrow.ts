import type { CommandContext } from '../../kernel/command-context.js';
import type { FlagOperation } from './change-flags.js';

/** The same as ChangeFlags for the messages around one, of those that a narrow holds. */
export class ChangeFlagsInNarrow<Narrow, Range> {
  constructor(
    readonly userId: number,
    readonly narrow: Narrow,
    readonly range: Range,
    readonly operation: FlagOperation,
    readonly flag: string,
    readonly by: CommandContext,
  ) {}
}
