import { type Command, documentsOf } from './command.js';
import { fieldsAt } from './fields.js';

/** A command of a transaction that is not answered yet. */
export interface CommandUnderWay {
  isInterrupted: boolean;
}

/** The commands of transactions that are under way. A session has one at a time. */
export class CommandsUnderWay {
  private readonly bySession = new Map<string, CommandUnderWay>();

  begin(session: string): CommandUnderWay {
    const begun = { isInterrupted: false };
    this.bySession.set(session, begun);
    return begun;
  }

  end(session: string, command: CommandUnderWay): void {
    if (this.bySession.get(session) === command) this.bySession.delete(session);
  }

  /** Interrupts the commands of the sessions that a `killSessions` names. */
  interrupt(killSessions: Command): void {
    for (const at of documentsOf(killSessions, 'killSessions')) {
      const id = fieldsAt(killSessions.bytes, at).get('id');
      const found = id && this.bySession.get(killSessions.bytes.toString('hex', id.at, id.at + id.length));
      if (found) found.isInterrupted = true;
    }
  }
}
