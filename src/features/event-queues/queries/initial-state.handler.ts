import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { StatePart } from '../../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { API_VERSION } from '../../../platform/kernel/api-version.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import { STATE_READERS, type StateParts, type StateReader, type StateRequest } from '../state-reader.js';

/**
 * Empty parts of the register response, by the name under which clients fetch them. A feature that reads a part of the
 * name replaces the empty one.
 */
export const absentFeatures: Readonly<Record<string, object>> = {
  default_stream_groups: { realm_default_stream_groups: [] },
  giphy: { giphy_api_key: '' },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  video_calls: { has_zoom_token: false },
};

export class GetInitialState extends Query<{ reader: UserRecord; request: StateRequest }, InitialState> {}

interface InitialState {
  readonly state: Readonly<Record<string, unknown>>;
  /** The position that each part was read at; events after it bring the part up to date (D10). */
  readonly positions: Readonly<Record<StatePart, Position>>;
}

@QueryHandler(GetInitialState)
export class GetInitialStateHandler implements IQueryHandler<GetInitialState> {
  constructor(
    private readonly facts: Facts,
    @Inject(STATE_READERS) private readonly readers: readonly StateReader[],
  ) {}

  /** @throws UnavailableError, DocumentStoreUnavailable */
  async execute({ reader, request }: GetInitialState): Promise<InitialState> {
    const { fetchTypes } = request;
    const isWanted = (name: string): boolean => fetchTypes === null || fetchTypes.includes(name);
    const state: Record<string, unknown> = { ...API_VERSION };

    // 1. The organization, in one turn of the event loop: all of it is as of one position.
    const at = this.facts.directory.position;
    const all = this.readers.map((one) => one.parts({ reader, request, isWanted }));
    const given = new Set(all.flatMap(namesOf));
    for (const { absent = {}, organization = {} } of all) {
      for (const [name, empty] of Object.entries(absent))
        if (isWanted(name) && !given.has(name)) Object.assign(state, empty);
      for (const [name, read] of Object.entries(organization)) if (isWanted(name)) Object.assign(state, read());
    }

    // 2. The messages sent up to the same position. The feed knows each channel's first message.
    const sources = [clientEvents, ...new Set(this.readers.flatMap(({ sources: own = [] }) => own))];
    await this.facts.readModels.waitFor(sources, at);
    const through = Math.min(at, ...sources.map((source) => this.facts.readModels.position(source)));
    for (const { messages = {} } of all)
      for (const [name, read] of Object.entries(messages))
        if (isWanted(name)) Object.assign(state, await read(through));

    // 3. The reader's own parts.
    const positions: Record<StatePart, Position> = { organization: at, messages: through };
    for (const { own } of all) {
      if (!own) continue;
      positions[own.part] ??= at;
      const names = own.names.filter(isWanted);
      if (names.length === 0) continue;
      const read = await own.read(names, at);
      Object.assign(state, read.state);
      positions[own.part] = read.position;
    }
    return { state, positions };
  }
}

const namesOf = ({ organization = {}, messages = {}, own }: StateParts): string[] => [
  ...Object.keys(organization),
  ...Object.keys(messages),
  ...(own?.names ?? []),
];
