import { part, type TabFeature } from '../feature.ts'

export const access = {
  tab: 'access',
  part: (server) => part(() => import('./Access.svelte'), { server }),
} as const satisfies TabFeature
