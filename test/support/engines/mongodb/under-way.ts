import { type Command, documentsOf } from './command.js';
import { fieldsAt } from './fields.js';

/** A command without a reply so far. */
export class UnderWay {
  isInterrupted = false;
  end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}

/**
 * The commands of transactions that are under way, and the kills of their sessions. A session has one command at a time. A kill goes
 * to the server after the replies to the commands that it interrupts, and a session's next command after the reply to its kill: where
 * both come at once, SecantusDB keeps the transaction's locks, and nothing frees them.
 */
export class CommandsUnderWay {
  private readonly commands = new Map<string, UnderWay>();
  private readonly kills = new Map<string, UnderWay>();

  begin(session: string): UnderWay {
    const begun = new UnderWay();
    this.commands.set(session, begun);
    return begun;
  }

  /** Interrupts the commands of the sessions that a `killSessions` names. */
  interrupt(killSessions: Command): { readonly kill: UnderWay; readonly after: Promise<void> } {
    const kill = new UnderWay();
    const before: Promise<void>[] = [];
    for (const session of sessionsIn(killSessions)) {
      const command = this.commands.get(session);
      if (command) command.isInterrupted = true;
      before.push(...[command, this.kills.get(session)].flatMap((each) => each?.ended ?? []));
      this.kills.set(session, kill);
    }
    return { kill, after: Promise.all(before).then(() => undefined) };
  }

  /** The end of the session's last kill; undefined if there was none. */
  killed(session: string): Promise<void> | undefined {
    return this.kills.get(session)?.ended;
  }
}

function sessionsIn(killSessions: Command): ReadonlySet<string> {
  const found = new Set<string>();
  for (const at of documentsOf(killSessions, 'killSessions')) {
    const id = fieldsAt(killSessions.bytes, at).get('id');
    if (id) found.add(killSessions.bytes.toString('hex', id.at, id.at + id.length));
  }
  return found;
}
