import type { Role } from '../../../../src/events/shared/role.js';
import { GrantPermission } from '../../../../src/features/users/domain/grant-permission.js';
import { ask } from '../../../support/requests/uploads.js';
import { type Annals, type Member, by as server } from '../../../support/servers/annals.js';
import type { Actor, Asked } from './audited-act.js';

type Account = NonNullable<Asked['by']>;

/** A request that was answered. */
export interface Done {
  readonly by: Account;
  readonly status: number;
  readonly body: Body;
  readonly requestId: string;
  readonly address: string;
  /** The newest position of the log before it. */
  readonly head: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
}

/** Makes what acts need. */
export class Scene {
  private made = 0;

  private constructor(
    private readonly annals: Annals,
    /** May do everything, and acts in no test. */
    readonly owner: Member,
  ) {}

  static async of(annals: Annals, owner: Member): Promise<Scene> {
    await permitToCreate(annals, owner);
    return new Scene(annals, owner);
  }

  /** A name that nothing has. */
  name(): string {
    this.made += 1;
    return `thing${this.made}`;
  }

  /** A number of seconds since 1970 that lies ahead. */
  later(): number {
    this.made += 1;
    return Math.floor(Date.now() / 1000) + 100_000 + this.made;
  }

  async user(role: Role = 400): Promise<Actor> {
    return { ...(await this.annals.user(this.name(), role)), role };
  }

  /** Does what a test needs, and answers the body. */
  async done(
    { api }: Pick<Member, 'api'>,
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    params = {},
  ): Promise<Body> {
    const { status, body } = await api.ask(method, path, params);
    if (status !== 200) throw new Error(`${method} ${path} was to prepare an act: ${JSON.stringify(body)}`);
    return body;
  }

  /** A public channel of the owner. */
  async channel(subscribers: readonly Member[] = [], more: object = {}): Promise<{ id: number; name: string }> {
    const name = this.name();
    const all = [this.owner.id, ...subscribers.map(({ id }) => id)];
    const { id } = await this.done(this.owner, 'POST', '/channels/create', { name, subscribers: all, ...more });
    return { id, name };
  }

  /** A message in a channel of its own, to which the actor is subscribed. */
  async message(sender: Member, reader: Member = sender) {
    const channel = await this.channel(sender === reader ? [sender] : [sender, reader]);
    const topic = this.name();
    const post = { type: 'channel', to: channel.id, topic, content: 'As sent' };
    const { id } = await this.done(sender, 'POST', '/messages', post);
    return { id: id as number, channelId: channel.id, topic };
  }

  /** A group that the owner manages. */
  async group(members: readonly number[] = [], subgroups: readonly number[] = []) {
    const name = this.name();
    const group = { name, description: 'As made', members, subgroups };
    const { group_id } = await this.done(this.owner, 'POST', '/user_groups/create', group);
    return { id: group_id as number, name };
  }

  /** A bot of a user, which can ask. */
  async bot(owner: Member, more: object = {}): Promise<Member> {
    const short_name = this.name();
    const { user_id: id, api_key: apiKey } = await this.done(owner, 'POST', '/bots', {
      full_name: short_name,
      short_name,
      ...more,
    });
    const { email } = (await this.owner.api.get(`/users/${id}`)).body.user;
    return { id, email, apiKey, api: this.annals.api.as({ email, apiKey }) };
  }

  /** An account with a password, logged in once. */
  async person(role: Role): Promise<Actor & { readonly password: string }> {
    const password = 'first secret of 30';
    const email = `${this.name()}@example.com`;
    const full_name = this.name();
    const { user_id: id } = await this.done(this.owner, 'POST', '/users', { email, password, full_name });
    if (role !== 400) await this.done(this.owner, 'PATCH', `/users/${id}`, { role });
    const apiKey: string = (await this.logIn(email, password)).api_key;
    return { id, email, apiKey, api: this.annals.api.as({ email, apiKey }), role, password };
  }

  /** Permits an account to create others, as an operator does. */
  permitToCreate(user: Pick<Member, 'id'>): Promise<boolean> {
    return permitToCreate(this.annals, user);
  }

  /** Uploads a file that an act needs. */
  async sends(path: string, file: File, by: Account = this.owner): Promise<void> {
    const { status, body } = await this.upload(path, file, by);
    if (status !== 200) throw new Error(`POST ${path} was to prepare an act: ${JSON.stringify(body)}`);
  }

  /** Sends a request that the audit has to know of. */
  async send(operation: string, asked: Asked, actor: Actor): Promise<Done> {
    const [method, itsPath = ''] = operation.split(' ') as ['POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    const { path = itsPath, params = {}, file, by = actor } = asked;
    const address = `203.0.113.${actor.role % 250}`;
    const headers = { ...asked.headers, 'X-Forwarded-For': address, 'User-Agent': 'Completer/1.0' };
    const head = await this.annals.head();
    const began = Date.now();
    const answer = file
      ? await this.upload(path, file, by, headers)
      : await this.annals.api.as(by).ask(method, path, params, { headers });
    const { status, body } = answer;
    const ids = new Headers(answer.headers);
    return { by, status, body, requestId: ids.get('x-request-id') ?? '', address, head, began, ended: Date.now() };
  }

  private upload(path: string, file: File, by: Account, headers: Record<string, string> = {}) {
    const body = new FormData();
    body.append('file', file);
    return ask(this.annals.url, `/api/v1${path}`, by, { method: 'POST', body, headers });
  }

  logIn(username: string, password: string): Promise<Body> {
    return this.done({ api: this.annals.api }, 'POST', '/fetch_api_key', { username, password });
  }
}

const permitToCreate = (annals: Annals, { id }: Pick<Member, 'id'>): Promise<boolean> =>
  annals.execute(new GrantPermission({ permission: 'can_create_users', userId: id, by: server }));

// biome-ignore lint/suspicious/noExplicitAny: acts say what they need of it
type Body = any;
