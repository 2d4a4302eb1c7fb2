import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { type ProfileFieldForClients, profileFieldsForClients } from '../../directory/organization-for-clients.js';

export class GetProfileFields {}

@QueryHandler(GetProfileFields)
export class GetProfileFieldsHandler implements IQueryHandler<GetProfileFields, readonly ProfileFieldForClients[]> {
  constructor(private readonly directory: Directory) {}

  async execute(): Promise<readonly ProfileFieldForClients[]> {
    const { organization } = this.directory;
    return organization ? profileFieldsForClients(organization) : [];
  }
}
