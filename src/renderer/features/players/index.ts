import { part, type TabFeature, WHOLE } from '../feature.ts'

export const players = {
  tab: 'players',
  part: (server) => part(() => import('./Players.svelte'), { server }, WHOLE),
} as const satisfies TabFeature
