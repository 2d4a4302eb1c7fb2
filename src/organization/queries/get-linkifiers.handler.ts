import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { type LinkifierForClients, linkifiersForClients } from '../../directory/organization-for-clients.js';

export class GetLinkifiers {}

@QueryHandler(GetLinkifiers)
export class GetLinkifiersHandler implements IQueryHandler<GetLinkifiers, readonly LinkifierForClients[]> {
  constructor(private readonly directory: Directory) {}

  async execute(): Promise<readonly LinkifierForClients[]> {
    const { organization } = this.directory;
    return organization ? linkifiersForClients(organization) : [];
  }
}
