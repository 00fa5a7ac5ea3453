import { part, type TabFeature } from '../feature.ts'

export const access = {
  tab: 'access',
  part: (server) => part(() => import('./Access.svelte'), { server }),
  atConnection: (connectionId) => part(() => import('./Invitations.svelte'), { connectionId }),
} as const satisfies TabFeature
