import type { ViewRef } from '../../../contract/bridge/passed.ts'
import { part, type TabFeature } from '../feature.ts'
import type { ServerState } from '../../core/server-state.svelte.ts'

/** Areas that have no view of their own yet: whether the service offers them, as the view of their first read says. */
const area = <Tab extends 'software'>(tab: Tab, asked: (server: ServerState) => ViewRef) =>
  ({
    tab,
    part: (server) => part(() => import('./AreaView.svelte'), { area: tab, asked: asked(server) }),
  }) satisfies TabFeature<Tab>

export const software = area('software', ({ connectionId }) => ({ view: 'software.list', connectionId }))
