import { part, WHOLE, type TabFeature } from '../feature.ts'

export const files = {
  tab: 'files',
  needs: 'files.read',
  part: (server) => part(() => import('./Files.svelte'), { server }, WHOLE),
} as const satisfies TabFeature
