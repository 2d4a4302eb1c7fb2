import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { permissionsForClients } from '../../../directory/permissions-for-clients.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { requireAuditor } from './require-auditor.js';

/** Who may audit besides owners. */
export class GetAuditors extends Query<{ readonly reader: UserRecord }, object> {}

export const auditorQueries = [
  answersFrom(GetAuditors, Directory, ({ reader }, directory) => {
    requireAuditor(reader, directory);
    const { can_audit_group } = directory.settings;
    return permissionsForClients({ can_audit_group }, directory);
  }),
];
