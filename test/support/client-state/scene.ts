import { Directory } from '../../../src/directory/directory.js';
import { oneOf, type Roll } from '../dice.js';
import { Annals, type Member } from '../servers/annals.js';

/** A server with users and channels, for the acts of storms. */
export class Scene {
  /** Deactivated accounts, in the order of their deactivation. */
  readonly ended: Member[] = [];
  readonly bots: number[] = [];
  /** Markdown links to uploaded files. */
  readonly links: string[] = [];
  private made = 0;

  private constructor(
    readonly annals: Annals,
    readonly owner: Member,
    /** Users whose queues are compared. They stay active. The first is a member, the second a guest. */
    readonly readers: readonly [Member, Member, Member],
    readonly others: Member[],
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
    const annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '1', ...settings });
    const owner = await annals.owner();
    const readers = [await annals.user('reader'), await annals.user('guest', 600), owner] as const;
    const scene = new Scene(annals, owner, [...readers], [await annals.user('other'), await annals.user('another')]);
    for (const invite_only of [false, true, false, true]) {
      const channel = { name: `channel ${scene.next()}`, invite_only };
      await owner.api.post('/channels/create', { ...channel, subscribers: [owner.id, scene.others[0]?.id] });
    }
    return scene;
  }

  /** Makes a number that no name of the scene has. */
  next(): number {
    return ++this.made;
  }

  get everybody(): readonly Member[] {
    return [...this.readers, ...this.others];
  }

  anybody(roll: Roll): Member {
    return oneOf(this.everybody, roll);
  }

  channelId(roll: Roll): number {
    const ids = this.annals.app
      .get(Directory)
      .allChannels()
      .map(({ _id }) => _id);
    return oneOf(ids, roll);
  }

  /** Lists the newest messages that a member may read; empty for a member who was just deactivated. */
  async newest(member: Member, count: number): Promise<readonly SeenMessage[]> {
    const { body } = await member.api.get('/messages', { anchor: 'newest', num_before: count, num_after: 0 });
    return body.messages ?? [];
  }

  /** Makes content that may mention a member or have an alert word. */
  words(roll: Roll): string {
    const { id } = this.anybody(roll);
    return `m${this.next()} w${roll(9)}${roll(3) === 0 ? ` @**|${id}**` : ''}${roll(9) === 0 ? ` @_**|${id}**` : ''}`;
  }
}

interface SeenMessage {
  readonly id: number;
  readonly type: string;
  readonly sender_id: number;
}
