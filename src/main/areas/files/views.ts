import { localized } from '../../../contract/messages/localized-text.ts'
import { problem } from '../../base/problem.ts'
import { inRuns } from './in-runs.ts'
import type { ComposedDependencies, Compositions } from '../../panel/composed.ts'

export const fileViews = ({ followedJobs }: ComposedDependencies): Compositions => ({
  'files.list': {
    of: ['files.list'],
    async read(ask, { params, query }) {
      const list = await ask('files.list', { params, query })
      return { ...list, items: inRuns(list.items) }
    },
  },
  'files.jobs': {
    of: ['files.jobs'],
    async read(ask, { connectionId, params }) {
      const { serverId = '' } = params
      const list = await ask('files.jobs', { params })
      // Follow listed jobs to their end, even without an event stream.
      for (const job of list.items) followedJobs.follow({ connectionId, serverId }, job)
      return list
    },
  },
  'files.search': {
    of: ['files.search'],
    async read(ask, { params, query }) {
      if (!query.name && !query.text) throw problem('invalid', localized('file.search-empty'))
      return await ask('files.search', { params, query })
    },
  },
})
