import type { ViewValue } from '../../../contract/bridge/passed.ts'
import { PanelProblem } from '../../base/problem.ts'
import type { Compositions } from '../../panel/composed.ts'

export const softwareViews: Compositions = {
  'software.list': {
    of: ['software.list', 'software.versions'],
    isItem: ({ versions }) => Array.isArray(versions),
    async read(ask) {
      const { items: catalog, leftOut, more } = await ask('software.list')
      let unlisted = false
      const items: ViewValue<'software.list'>['items'] = []
      let failed: Error | undefined
      let failures = 0
      const reading = catalog.map(({ id }) => ask('software.versions', { params: { softwareId: id } }))
      for (const [index, read] of (await Promise.allSettled(reading)).entries()) {
        const software = catalog[index]
        if (read.status === 'fulfilled' && software) {
          const { items: versions, heldSince } = read.value
          items.push({ ...software, versions, ...(heldSince && { heldSince }) })
          unlisted ||= read.value.more !== false || read.value.leftOut.length > 0
        } else if (read.status === 'rejected') {
          failed = read.reason as Error
          // List it without versions: they are unknown.
          const unreached =
            failed instanceof PanelProblem && failed.problem.serviceCode === 'software.catalogue-unreachable'
          if (software) items.push({ ...software, versions: [], ...(unreached && { unreached }) })
          unlisted = true
          failures += 1
        }
      }
      // One failure doesn't hide the others, unless all fail.
      if (failed && failures === catalog.length) throw failed
      return { items, leftOut, more: more || (unlisted && 'perhaps') }
    },
  },
}
