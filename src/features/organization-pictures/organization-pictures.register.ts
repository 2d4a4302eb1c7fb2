import { Directory } from '../../directory/directory.js';
import { picturesForClients } from '../../directory/organization-pictures.js';
import { ReadsState, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { LARGEST_PICTURE_MIB } from '../uploads/domain/upload-settings.js';

const LIMITS = { max_icon_file_size_mib: LARGEST_PICTURE_MIB, max_logo_file_size_mib: LARGEST_PICTURE_MIB };

@ReadsState()
export class OrganizationPicturesStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts(): StateParts {
    return { organization: { realm: () => ({ ...LIMITS, ...this.pictures() }) } };
  }

  private pictures(): Readonly<Record<string, string>> {
    const { organization } = this.directory;
    const fields = organization ? Object.values(picturesForClients).map((forClients) => forClients(organization)) : [];
    return Object.fromEntries(
      fields.flatMap((of) => Object.entries(of)).map(([name, value]) => [`realm_${name}`, value]),
    );
  }
}
