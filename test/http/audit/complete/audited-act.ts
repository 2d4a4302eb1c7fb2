import type { Role } from '../../../../src/events/shared/role.js';
import type { Member } from '../../../support/servers/annals.js';
import type { Scene } from './scene.js';

export interface Actor extends Member {
  readonly role: Role;
}

/** An event, as far as a spec knows its data beforehand. */
export interface Expected {
  readonly kind: string;
  readonly data?: object;
}

/** A request that changes something, and what the audit has to have of it. */
export interface Asked {
  /** Below `/api/v1`, if it differs from the operation's. */
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Sent besides those of every act. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of parameters. */
  readonly file?: File;
  /** Sends it instead of the actor that prepared it: an account of its own, which may end by it, or a bot. */
  readonly by?: Pick<Member, 'id' | 'email' | 'apiKey'>;
  /** With the values after the act, and those before it if the event has both. */
  readonly becomes: Expected;
  /** An older event with the values before the act, if the event of the act does not have them. */
  readonly was?: Expected;
}

export interface AuditedAct {
  /** Roles that may do it; default: all. */
  readonly may?: readonly Role[];
  /** Roles that are refused; default: those that may not. */
  readonly mayNot?: readonly Role[];
  readonly ask: (scene: Scene, by: Actor) => Promise<Asked>;
}

/** By the operation, `METHOD /path/{name}`, with the acts by which it is tried. */
export type AuditedActs = Readonly<Record<string, readonly AuditedAct[]>>;

export const EVERYBODY: readonly Role[] = [100, 200, 300, 400, 600];
export const MEMBERS: readonly Role[] = [100, 200, 300, 400];
export const ADMINISTRATORS: readonly Role[] = [100, 200];
export const OWNERS: readonly Role[] = [100];

export const everybody = (ask: AuditedAct['ask']): AuditedAct => ({ ask });
export const members = (ask: AuditedAct['ask']): AuditedAct => ({ may: MEMBERS, ask });
export const administrators = (ask: AuditedAct['ask']): AuditedAct => ({ may: ADMINISTRATORS, ask });
export const owners = (ask: AuditedAct['ask']): AuditedAct => ({ may: OWNERS, ask });
export const nobody = (ask: AuditedAct['ask']): AuditedAct => ({ may: [], ask });

/** Words that an answer of the audit does not have. */
export const SEALED = { sealed: true };
