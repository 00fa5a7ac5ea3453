import { part, WHOLE, type Feature } from '../feature.ts'

export const files = {
  tab: 'files',
  part: (server) => part(() => import('./Files.svelte'), { server }, WHOLE),
} as const satisfies Feature
