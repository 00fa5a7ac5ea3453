import { part, type Feature } from '../feature.ts'

export const settings = {
  tab: 'settings',
  part: (server) => part(() => import('./ServerSettings.svelte'), { server }),
} as const satisfies Feature
