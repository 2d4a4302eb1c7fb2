import type { Engines, OpenEngineSettings } from '../config/engines.js';
import { openEngines } from '../config/open-engines.js';
import { OrganizationIdentity } from '../roles/organization-identity.js';

/** Engines that hold an organization, and whose documents are those of the log. @throws StartRefused and the like */
export async function openOrganization(settings: OpenEngineSettings): Promise<Engines> {
  const engines = await openEngines({ ...settings, mustExist: true });
  return closedIfRefused(engines, () => new OrganizationIdentity(engines, settings).check());
}

/** Nothing is left open where the check refuses them. */
export async function closedIfRefused(engines: Engines, check: () => Promise<void>): Promise<Engines> {
  try {
    await check();
    return engines;
  } catch (error) {
    await engines.close();
    throw error;
  }
}
