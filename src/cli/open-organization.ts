import type { Engines, OpenEngineSettings } from '../config/engines.js';
import { openEngines } from '../config/open-engines.js';
import { OrganizationIdentity } from '../roles/organization-identity.js';

/** Engines that hold an organization, and whose documents are those of the log. @throws StartRefused and the like */
export async function openOrganization(settings: OpenEngineSettings): Promise<Engines> {
  const engines = await openEngines({ ...settings, mustExist: true });
  try {
    await new OrganizationIdentity(engines, settings).check();
    return engines;
  } catch (error) {
    await engines.close();
    throw error;
  }
}
