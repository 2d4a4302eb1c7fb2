import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

export const ORGANIZATION_STREAM = 'organization';

export type OrganizationCreated = DomainEvent<'OrganizationCreated', { readonly name: string }>;

export type OrganizationEvent = OrganizationCreated;

export const organizationEvents = [defineEvent<OrganizationCreated>({ type: 'OrganizationCreated', version: 1 })];
