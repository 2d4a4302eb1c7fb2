import { NAMES, type NameDocument, type NameKind } from '../../../../projections/audit/names.js';
import { MAX_POSITION, type Position, START } from '../../../platform/kernel/position.js';
import type { AuditDocuments } from './audit-documents.js';

const AT_ONCE = 20;
const FEW = 4;

/** The names and addresses that accounts and channels had at some positions. */
export class NamesThen {
  /** By holder, newest first. */
  private readonly known = new Map<string, NameDocument[]>();

  constructor(private readonly documents: AuditDocuments) {}

  /** Reads the names of holders, each from a position on. */
  async readAll(oldest: ReadonlyMap<string, Position>): Promise<void> {
    const holders = [...oldest.keys()];
    // Most have one name and one address.
    const limit = FEW * holders.length + 1;
    const found = await this.documents
      .collection<NameDocument>(NAMES)
      .find({ holder: { $in: holders } }, { sort: { holder: 1, position: -1 }, limit });
    if (found.length === limit) {
      for (const [holder, position] of oldest) await this.read(holder, position);
      return;
    }
    for (const name of found) {
      const { holder } = name;
      const names = this.known.get(holder);
      if (names) names.push(name);
      else this.known.set(holder, [name]);
    }
  }

  /** Reads the names of a holder from the position on. */
  private async read(holder: string, oldest: Position): Promise<void> {
    const names = this.documents.collection<NameDocument>(NAMES);
    const found: NameDocument[] = [];
    for (let before = MAX_POSITION; ; ) {
      const some = await names.find(
        { holder, position: { $gt: START, $lt: before } },
        { sort: { position: -1 }, limit: AT_ONCE },
      );
      found.push(...some);
      const last = some.at(-1);
      if (!last || some.length < AT_ONCE || isAnswered(found, oldest)) break;
      // An event may give two names.
      before =
        found.filter(({ position }) => position === last.position).length > 1 ? last.position : last.position + 1;
    }
    this.known.set(holder, found);
  }

  /** The newest name; null: there is none. */
  today(holder: string, kind: NameKind): string | null {
    return this.of(holder, kind, MAX_POSITION);
  }

  /** The name right after the event at the position; null: there was none. */
  of(holder: string, kind: NameKind, position: Position): string | null {
    const names = this.known.get(holder) ?? [];
    return names.find((name) => name.kind === kind && name.position <= position)?.value ?? null;
  }
}

const isAnswered = (names: readonly NameDocument[], oldest: Position): boolean =>
  ['name', 'email'].every((kind) => names.some((name) => name.kind === kind && name.position <= oldest));
