import { onTestFinished } from 'vitest'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs as OfferedCatalogs } from '../../../tests/doubles/catalogs/extension-catalogs.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import type { SearchOrder } from '../../contract/areas/extensions.ts'
import type { ClientLimits } from '../requests/catalog-client.ts'
import { HeldClock } from '../../service/software/catalogs/kinds/catalogs.fixture.ts'
import { ExtensionCatalogs } from './extension-catalogs.ts'

export const PAPER = { software: 'paper', version: '1.21.11' }

/** Modrinth and Hangar on a server of their own, and what asks them; both end with the test. */
export async function extensionCatalogs(limits: Partial<ClientLimits> = {}) {
  const server = await CatalogServer.start()
  const clock = new HeldClock()
  const catalogs = new ExtensionCatalogs(temporary(), server.settings, clock, { limits, wait: clock.wait })
  onTestFinished(async () => {
    await catalogs.close()
    await server.stop()
  })
  const offered = new OfferedCatalogs(server)
  const { signal } = new AbortController()
  const search = (
    query: string,
    cursor: string | null = null,
    limit = 20,
    target = PAPER,
    sort: SearchOrder = 'relevance',
    category: string | null = null,
  ) => catalogs.search(query, target, { sort, category, limit, cursor }, signal)
  return { server, clock, catalogs, offered, signal, search }
}
