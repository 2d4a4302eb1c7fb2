import type { Engines, OpenEngineSettings } from '../../platform/engines/engines.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { OrganizationIdentity } from '../roles/organization-identity.js';

/**
 * Opens engines that hold an organization, and checks that their documents are the log's. @throws StartRefused and the
 * like
 */
export async function openOrganization(settings: OpenEngineSettings): Promise<Engines> {
  const engines = await openEngines({ ...settings, mustExist: true });
  return closedIfRefused(engines, () => new OrganizationIdentity(engines, settings).check());
}

/** Closes the engines if the check refuses them. */
export async function closedIfRefused(engines: Engines, check: () => Promise<void>): Promise<Engines> {
  try {
    await check();
    return engines;
  } catch (error) {
    await engines.close();
    throw error;
  }
}
