import type { ExtensionCatalogs } from '../../extensions/catalogs/extension-catalogs.ts'
import { detailsView, iconView } from '../../extensions/catalogs/views.ts'
import * as refusals from '../../extensions/folder/refusals.ts'
import { withAge } from '../../extensions/requests/disk-cache.ts'
import type { HostOperations } from '../base/adapter.ts'

const PAGE = 20

/** What the catalogs offer, whatever the server. */
export function catalogOperations(catalogs: ExtensionCatalogs | null): HostOperations {
  const all = () => {
    if (!catalogs) throw refusals.noCatalog()
    return catalogs
  }
  return {
    'extensions.search': async ({ query: { query, ...asked }, signal, ...call }) => {
      const { software, version, sort = 'relevance', category = null, limit = PAGE, cursor = null } = asked
      const page = { sort, category, limit, cursor }
      const search = () => all().search(query, { software, version }, page, signal)
      const { value, ageMs } = await withAge(search)
      if (ageMs !== null) call.set('age', String(Math.max(1, Math.round(ageMs / 1000))))
      return { items: value.items, nextCursor: value.nextCursor }
    },
    'extensions.details': async ({ query: { project, ...target }, signal }) =>
      detailsView(await all().of(project).details(project, target, signal)),
    'extensions.icon': async ({ query: { project }, signal }) =>
      iconView(await all().of(project).icon(project, signal)),
  }
}
