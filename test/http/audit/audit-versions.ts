/** An event as the audit answers it, as far as specs read it. */
export interface AuditEvent {
  readonly kind: string;
  readonly position: number;
  readonly time: string;
  readonly request_id: string;
  readonly caused_by: string | null;
  readonly client: string;
  readonly address: string | null;
  readonly actor: { readonly user_id: number; readonly name: string; readonly email: string } | null;
  readonly channels: readonly { readonly channel_id: number }[];
  readonly topics: readonly { readonly channel_id: number; readonly topic: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
  readonly data: any;
}

export interface MessageVersion {
  /** null: no longer in the log. */
  readonly text: string | null;
  readonly channelId: number;
  readonly topic: string;
}

/** The message after each event that changed its text or its place. Made of the audit's answer alone. */
export function messageVersions(events: readonly AuditEvent[]): readonly MessageVersion[] {
  const versions: MessageVersion[] = [];
  for (const { kind, data } of events) {
    const last = versions.at(-1);
    if (kind === 'MessageSent') versions.push({ text: textOf(data), ...placeOf(data.recipient) });
    if (kind === 'MessageEdited') versions.push({ ...required(last), text: textOf(data) });
    if (kind === 'MessagesMoved') {
      expectSame(placeOf(data.from), placeOf(required(last)));
      versions.push({ text: required(last).text, ...placeOf(data.to) });
    }
  }
  return versions;
}

/** The channel after each event. */
export function channelVersions(events: readonly AuditEvent[]) {
  const versions: { readonly name: string; readonly description: string }[] = [];
  for (const { kind, data } of events) {
    const { name, description } = kind === 'ChannelCreated' ? data : required(versions.at(-1));
    if (kind === 'ChannelRenamed') expectSame(data.from, name);
    if (kind === 'ChannelDescriptionChanged') expectSame(data.from, description);
    versions.push({
      name: kind === 'ChannelRenamed' ? data.to : name,
      description: kind === 'ChannelDescriptionChanged' ? data.to : description,
    });
  }
  return versions;
}

/** The account after each event. */
export function userVersions(events: readonly AuditEvent[]) {
  const versions: { readonly name: string; readonly role: number }[] = [];
  for (const { kind, data } of events) {
    if (kind === 'UserCreated') versions.push({ name: data.fullName, role: data.role });
    else {
      const last = required(versions.at(-1));
      expectSame(data.from, kind === 'UserRenamed' ? last.name : last.role);
      versions.push(kind === 'UserRenamed' ? { ...last, name: data.to } : { ...last, role: data.to });
    }
  }
  return versions;
}

const textOf = ({ content }: { readonly content: { readonly text: string } | null }): string | null =>
  content === null ? null : content.text;

const placeOf = ({ channelId, topic }: { readonly channelId: number; readonly topic: string }) => ({
  channelId,
  topic,
});

function required<Version>(version: Version | undefined): Version {
  if (version === undefined) throw new Error('the trail begins with a change');
  return version;
}

/** The value before a change has to be the one that the change before it made. */
function expectSame(from: unknown, before: unknown): void {
  if (JSON.stringify(from) === JSON.stringify(before)) return;
  throw new Error(`the trail has a gap: ${JSON.stringify(before)} became ${JSON.stringify(from)}`);
}
