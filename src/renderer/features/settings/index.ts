import { part, type TabFeature } from '../feature.ts'

export const settings = {
  tab: 'settings',
  part: (server) => part(() => import('./ServerSettings.svelte'), { server }),
} as const satisfies TabFeature
