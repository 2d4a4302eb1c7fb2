import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type FileMeasure, UNMEASURED, type Upcaster } from '../../platform/kernel/event-definition.js';
import { concernsNobody } from '../shared/concerned.js';

/** Version 1 does not record the bytes of the picture. */
const organizationPictureChangedFrom1: Upcaster = (data) => ({ ...data, measure: UNMEASURED });

/** The stream of the organization's own pictures. */
export const ORGANIZATION_PICTURES_STREAM = 'organizationPictures';

/** The stored names of the pictures. */
const ORGANIZATION_PICTURES = ['icon', 'logo', 'nightLogo'] as const;

export type OrganizationPicture = (typeof ORGANIZATION_PICTURES)[number];

/** An uploaded icon or logo. It was stored before the event. */
export type OrganizationPictureChanged = DomainEvent<
  'OrganizationPictureChanged',
  {
    readonly picture: OrganizationPicture;
    /** Counts the changes of this picture, from 1: the default. */
    readonly version: number;
    /** The name in the file store. Random: part of the picture's URL. */
    readonly fileId: string;
    readonly measure: FileMeasure;
    /** The name of the file that is replaced, which is deleted; null: there was none. */
    readonly previousFileId: string | null;
  }
>;

/** The organization has the default picture again. */
export type OrganizationPictureRemoved = DomainEvent<
  'OrganizationPictureRemoved',
  {
    readonly picture: OrganizationPicture;
    readonly version: number;
    /** The name of the file, which is deleted. */
    readonly previousFileId: string;
  }
>;

export type OrganizationPictureEvent = OrganizationPictureChanged | OrganizationPictureRemoved;

export const organizationPictureEvents = [
  defineEvent<OrganizationPictureChanged>({
    type: 'OrganizationPictureChanged',
    version: 2,
    concerns: concernsNobody,
    upcasters: { 1: organizationPictureChangedFrom1 },
    files: ['fileId'],
    measures: ({ data: { measure } }) => ({ fileId: measure }),
    endsFiles: ['previousFileId'],
  }),
  defineEvent<OrganizationPictureRemoved>({
    type: 'OrganizationPictureRemoved',
    concerns: concernsNobody,
    endsFiles: ['previousFileId'],
  }),
];
